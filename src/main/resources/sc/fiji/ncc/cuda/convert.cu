// Converts pixels of any type to the box that the other kernels read, with 0 outside the image.
#include "common.cuh"
#include "sums.cuh"

// 8-bit pixels minus the middle of their range, 16 per thread. type: 0 unsigned, 1 signed. Grid: groups of 16 pixels, rows, planes.
extern "C" __global__ void to_bytes(const u8 *raw, const int type, const Box b, s8 *to) {
	const int x = 16 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
	if (x >= b.pitch || y >= b.rows) return;
	const u32 flip = type == 0 ? 0x80808080u : 0;
	u32 words[4] = { 0, 0, 0, 0 };
	const u8 *p = raw + raw_index(b, x, y, z), *end = raw + (size_t) b.rawWidth * b.rawHeight * (b.rawZ + b.partZ);
	if (in_image(b, x, y, z) && in_image(b, x + 15, y, z) && p + 20 <= end) {
		const int odd = (int) ((size_t) p & 3);
		const u32 *aligned = (const u32 *) (p - odd);
		// the memory before and after the row was sent, too
		u32 last = aligned[0];
		#pragma unroll
		for (int i = 0; i < 4; i++) {
			const u32 next = i < 3 || odd > 0 ? aligned[i + 1] : 0;
			words[i] = __funnelshift_r(last, next, 8 * odd) ^ flip;
			last = next;
		}
	}
	else if (in_image(b, max(x, b.fromX), y, z))
		for (int i = 0; i < 16; i++)
			if (in_image(b, x + i, y, z)) words[i / 4] |= (raw[raw_index(b, x + i, y, z)] ^ (flip & 0xff)) << 8 * (i % 4);
	*(uint4 *) (to + ((size_t) z * b.rows + y) * b.pitch + x) = make_uint4(words[0], words[1], words[2], words[3]);
}

// 16-bit pixels minus the middle of their range: complete, and as separate upper and lower bytes. type: 2 unsigned, 3 signed.
extern "C" __global__ void to_shorts(const u16 *raw, const int type, const Box b, short *to, s8 *upper, u8 *lower) {
	const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
	if (x >= b.pitch || y >= b.rows) return;
	int v[2];
	for (int i = 0; i < 2; i++) {
		v[i] = 0;
		if (in_image(b, x + i, y, z)) {
			const u16 p = raw[raw_index(b, x + i, y, z)];
			v[i] = type == 2 ? (int) p - 32768 : (int) (short) p;
		}
	}
	const size_t i = ((size_t) z * b.rows + y) * b.pitch + x;
	*(u32 *) (to + i) = (u32) (v[0] & 0xffff) | (u32) v[1] << 16;
	*(u16 *) (upper + i) = (u16) ((v[0] >> 8 & 0xff) | (v[1] & 0xff00));
	*(u16 *) (lower + i) = (u16) ((v[0] & 0xff) | (v[1] & 0xff) << 8);
}

// A magnitude, in float where float is exact: many GPUs have few units for double.
__device__ inline float magnitude(const float v) { return fabsf(v); }
__device__ inline float magnitude(const u8 v) { return v; }
__device__ inline float magnitude(const s8 v) { return fabsf(v); }
__device__ inline float magnitude(const u16 v) { return v; }
__device__ inline float magnitude(const short v) { return fabsf(v); }
__device__ inline double magnitude(const double v) { return fabs(v); }
__device__ inline double magnitude(const u32 v) { return v; }
__device__ inline double magnitude(const int v) { return fabs((double) v); }

// The greatest finite |value| of the image's part, and whether one is not finite. Grid: rows, planes of that part.
template<class P> __device__ void reach(const P *raw, const Box &b, Reach *to) {
	const P *row = raw + raw_index(b, b.fromX, b.fromY + blockIdx.x, b.fromZ + blockIdx.y);
	decltype(magnitude(P())) most = 0;
	bool defective = false;
	for (int x = threadIdx.x; x < b.partX; x += blockDim.x) {
		if (is_finite(row[x])) most = fmax(most, magnitude(row[x]));
		else defective = true;
	}
	for (int o = 16; o > 0; o /= 2) most = fmax(most, __shfl_xor_sync(~0u, most, o));
	const u64 bits = (u64) __double_as_longlong((double) most);
	// most warps find no greater value, so they need no atomic operation
	if ((threadIdx.x & 31) == 0 && bits > *(volatile u64 *) &to->greatest) atomicMax(&to->greatest, bits);
	if (defective) to->defective = 1;
}

// 2^n for n up to 127, also where the result is a subnormal float.
__device__ inline float power_of_two(const int n) { return __int_as_float(n > -127 ? (n + 127) << 23 : 1 << (149 + n)); }

// v times 2^-exponent, rounded once. A factor beyond the range of float is applied in two steps; such small values are not rounded.
struct Scale {
	double factor;
	float first, second;

	__device__ Scale(const u64 greatest) {
		const int n = greatest == 0 ? 0 : 1023 - (int) (greatest >> 52 & 0x7ff), begin = max(-149, min(n, 100));
		factor = downscale(__longlong_as_double((s64) greatest));
		first = power_of_two(begin);
		second = power_of_two(max(-149, min(n - begin, 127)));
	}

	__device__ float of(const float v) const { return v * first * second; }
	__device__ double of(const double v) const { return v * factor; }
};

// Pixels scaled by a power of two to at most 4, exactly except for underflow. NaN and infinite pixels stay. Four pixels per thread. whole: 8- and
// 16-bit pixels keep their scale.
template<class P, class Real> __device__ void to_real(const P *raw, const Box &b, const bool whole, const Reach *greatest, Real *to) {
	const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
	if (x >= b.pitch || y >= b.rows) return;
	const Scale scale(whole ? 0 : greatest->greatest);
	Real v[4] = { 0, 0, 0, 0 };
	if (in_image(b, max(x, b.fromX), y, z)) {
		const P *p = raw + raw_index(b, x, y, z);
		#pragma unroll
		for (int i = 0; i < 4; i++)
			if (in_image(b, x + i, y, z)) v[i] = scale.of((Real) p[i]);
	}
	Real *at = to + ((size_t) z * b.rows + y) * b.pitch + x;
	#pragma unroll
	for (int i = 0; i < 4; i++) at[i] = v[i];
}

#define REACH(NAME, P) extern "C" __global__ void NAME(const P *raw, const Box b, Reach *to) { reach(raw, b, to); }
REACH(reach_u8, u8)
REACH(reach_s8, s8)
REACH(reach_u16, u16)
REACH(reach_s16, short)
REACH(reach_u32, u32)
REACH(reach_s32, int)
REACH(reach_f32, float)
REACH(reach_f64, double)

#define TO_REAL(NAME, P, REAL, WHOLE) extern "C" __global__ void NAME(const P *raw, const Box b, const Reach *greatest, REAL *to) \
	{ to_real(raw, b, WHOLE, greatest, to); }
TO_REAL(to_real_u8, u8, float, true)
TO_REAL(to_real_s8, s8, float, true)
TO_REAL(to_real_u16, u16, float, true)
TO_REAL(to_real_s16, short, float, true)
TO_REAL(to_real_u32, u32, double, false)
TO_REAL(to_real_s32, int, double, false)
TO_REAL(to_real_f32, float, float, false)
TO_REAL(to_real_f64, double, double, false)

// Which positions of the box have a pixel: 1 inside the image where no pixel is missing, else 0. mask: as sent, null if no pixel is missing. Grid:
// columns, rows, planes.
extern "C" __global__ void present(const u8 *mask, const Box b, u8 *to) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
	if (x >= b.pitch || y >= b.rows) return;
	to[((size_t) z * b.rows + y) * b.pitch + x] = in_image(b, x, y, z) && (mask == 0 || mask[raw_index(b, x, y, z)] != 0);
}

// Missing pixels become 0: they may have any value, also NaN.
#define BLANK(NAME, P) extern "C" __global__ void NAME(P *raw, const u8 *mask, const int pixels) \
{ \
	const int i = blockIdx.x * blockDim.x + threadIdx.x; \
	if (i < pixels && mask[i] == 0) raw[i] = 0; \
}
BLANK(blank_u32, u32)
BLANK(blank_s32, int)
BLANK(blank_f32, float)
BLANK(blank_f64, double)
