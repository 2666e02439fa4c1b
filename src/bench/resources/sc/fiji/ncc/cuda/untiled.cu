// What smallshifts.cu is measured against: one thread a lag, which goes through all of the template; all templates and frames in one launch, pixels and taps by way of
// the cache, four taps a word in 8 bits. And how many multiply-adds the card does where nothing else holds it up.
#include "common.cuh"

struct Place {
	s64 first;
	int pitch;
	float undefined;
};

// The lag's first pixel, and the template. pitch: of the taps.
#define BEGIN(TAP) const int lags = lagsX * lagsY, lag = blockIdx.x * blockDim.x + threadIdx.x; \
	if (lag >= lags) return; \
	const size_t which = (size_t) blockIdx.z * gridDim.y + blockIdx.y; \
	const Place place = places[which]; \
	const s64 first = place.first + (s64) (lag / lagsX) * place.pitch + lag % lagsX; \
	const TAP *tap = taps + (size_t) blockIdx.y * height * pitch;

extern "C" __global__ void untiled_floats(const float *raw, const Place *places, const float *taps, const int width, const int height, const int pitch, const int lagsX,
	const int lagsY, float *to)
{
	BEGIN(float)
	float sum = 0;
	for (int y = 0; y < height; y++) {
		const float *p = raw + first + (s64) y * place.pitch, *t = tap + y * pitch;
		#pragma unroll 8
		for (int x = 0; x < width; x++) sum = fmaf(__ldg(t + x), __ldg(p + x), sum);
	}
	to[which * lags + lag] = sum;
}

extern "C" __global__ void untiled_bytes(const u8 *raw, const Place *places, const int *taps, const int width, const int height, const int pitch, const int lagsX,
	const int lagsY, int *to)
{
	BEGIN(int)
	const int words = (width + 3) / 4;
	int sum = 0;
	for (int y = 0; y < height; y++) {
		const u8 *p = raw + first + (s64) y * place.pitch;
		const int *t = tap + y * pitch, odd = 8 * (int) ((size_t) p & 3);
		const u32 *w = (const u32 *) (p - odd / 8);
		u32 last = __ldg(w);
		#pragma unroll 4
		for (int x = 0; x < words; x++) {
			const u32 next = __ldg(w + x + 1);
			sum = __dp4a((int) (__funnelshift_r(last, next, odd) ^ 0x80808080u), __ldg(t + x), sum);
			last = next;
		}
	}
	to[which * lags + lag] = sum;
}

// 16 sums a thread.
#define LIMIT(NAME, T, ADD) extern "C" __global__ void NAME(const T a, const T b, const int n, T *to) \
{ \
	T s[16]; \
	for (int i = 0; i < 16; i++) s[i] = (T) (threadIdx.x + i); \
	for (int k = 0; k < n; k++) { \
		_Pragma("unroll") \
		for (int i = 0; i < 16; i++) s[i] = ADD; \
	} \
	T all = 0; \
	for (int i = 0; i < 16; i++) all += s[i]; \
	to[blockIdx.x * blockDim.x + threadIdx.x] = all; \
}
LIMIT(limit_floats, float, fmaf(s[i], a, b))
LIMIT(limit_bytes, int, __dp4a(a + i, b, s[i]))
