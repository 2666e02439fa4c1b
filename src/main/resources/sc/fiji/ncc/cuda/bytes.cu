// ΣPT of 8-bit numbers on the matrix units, exactly. A row of the template, shifted by 0..15, is a banded (Toeplitz) matrix of 16 rows; its
// product with 8 rows of pixels gives 16x8 lags. A warp holds 128x16 lags in registers, a block 128x64. 16-bit pixels are two such planes, the
// upper and the lower bytes, and four products. Table of the matrices: see TapsTable.
#include "common.cuh"

#define WARPS 4
#define BASES 2
#define ACROSS 8

// c += a·b for a of 16x32 bytes and b of 32x8. Each may be signed (s8) or not (u8).
#if __CUDA_ARCH__ >= 800
#define PRODUCT(A, B) asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." A "." B ".s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
	: "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y))
#else
#define QUARTER(A, B, C0, C1, X, Y) asm volatile("mma.sync.aligned.m8n8k16.row.col.s32." A "." B ".s32 {%0,%1}, {%2}, {%3}, {%0,%1};" \
	: "+r"(C0), "+r"(C1) : "r"(X), "r"(Y))
#define PRODUCT(A, B) do { QUARTER(A, B, c[0], c[1], a.x, b.x); QUARTER(A, B, c[2], c[3], a.y, b.x); \
	QUARTER(A, B, c[0], c[1], a.z, b.y); QUARTER(A, B, c[2], c[3], a.w, b.y); } while (0)
#endif

template<bool SignedTemplate, bool SignedImage> __device__ inline void product(int *c, const uint4 a, const uint2 b) {
	if (SignedTemplate && SignedImage) PRODUCT("s8", "s8");
	else if (SignedTemplate) PRODUCT("s8", "u8");
	else if (SignedImage) PRODUCT("u8", "s8");
	else PRODUCT("u8", "u8");
}

// Products of the template's planes z0..z1-1 and rows j0..j1-1, chunk rows at a time, as many as shared memory holds. steps: how many times 32
// columns the matrices have.
template<bool SignedTemplate, bool SignedImage> __device__ inline void correlate(const s8 *image, const Box &b, const uint4 *table, const int steps,
	const int z0, const int z1, const int j0, const int j1, const int pitch, const int chunk, u8 *tile, int (&sum)[BASES][ACROSS][4])
{
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
	const int x0 = blockIdx.x * 16 * ACROSS, y0 = blockIdx.y * 8 * BASES * WARPS, words = pitch / 16;
	#pragma unroll
	for (int a = 0; a < BASES; a++)
		#pragma unroll
		for (int x = 0; x < ACROSS; x++)
			#pragma unroll
			for (int i = 0; i < 4; i++) sum[a][x][i] = 0;
	for (int z = z0; z < z1; z++)
		for (int jc = j0; jc < j1; jc += chunk) {
			const s8 *plane = image + (size_t) (blockIdx.z + z) * b.rows * b.pitch;
			const int down = min(chunk, j1 - jc), rows = 8 * BASES * WARPS + down - 1, top = y0 + jc;
			if (z > z0 || jc > j0) __syncthreads();
			for (int i = threadIdx.x; i < rows * words; i += 32 * WARPS) {
				const int y = i / words, x = 16 * (i - y * words);
				uint4 v = make_uint4(0, 0, 0, 0);
				if (top + y < b.rows && x0 + x < b.pitch) v = *(const uint4 *) (plane + (size_t) (top + y) * b.pitch + x0 + x);
				*(uint4 *) (tile + y * pitch + x) = v;
			}
			__syncthreads();
			const u8 *from = tile + (warp * 8 * BASES + lane / 4) * pitch + 8 * (lane & 3);
			const uint4 *taps = table + ((size_t) (z * b.height + jc) * steps) * 32 + lane;
			for (int r = 0; r < down + 8 * (BASES - 1); r++, from += pitch)
				for (int k = 0; k < steps; k++) {
					uint2 pixels[ACROSS];
					#pragma unroll
					for (int x = 0; x < ACROSS; x++) pixels[x] = *(const uint2 *) (from + 16 * x + 32 * k);
					#pragma unroll
					for (int a = 0; a < BASES; a++) {
						const int j = r - 8 * a;
						if (j < 0 || j >= down) continue;
						const uint4 matrix = __ldg(taps + (j * steps + k) * 32);
						#pragma unroll
						for (int x = 0; x < ACROSS; x++) product<SignedTemplate, SignedImage>(sum[a][x], matrix, pixels[x]);
					}
				}
		}
}

// Calls f(index of the lag, sum) for the lags of a thread.
template<class F> __device__ inline void for_each_lag(const Box &b, const int (&sum)[BASES][ACROSS][4], const F f) {
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
	#pragma unroll
	for (int a = 0; a < BASES; a++)
		#pragma unroll
		for (int x = 0; x < ACROSS; x++)
			#pragma unroll
			for (int i = 0; i < 4; i++) {
				const int lagX = (blockIdx.x * ACROSS + x) * 16 + lane / 4 + (i & 2) * 4;
				const int lagY = ((blockIdx.y * WARPS + warp) * BASES + a) * 8 + (lane & 3) * 2 + (i & 1);
				if (lagX < b.lagsX && lagY < b.lagsY) f(((size_t) blockIdx.z * b.lagsY + lagY) * b.lagsX + lagX, sum[a][x][i]);
			}
}

// The responses of small 8-bit templates at once: all sums below 2^31, N times each below 2^53. windows: ΣP and ΣP² in 32 bits.
extern "C" __global__ void __launch_bounds__(32 * WARPS) respond_bytes(const s8 *image, const Box b, const uint4 *table, const int steps, const int pitch,
	const int chunk, const uint2 *windows, const double n, const double templateSum, const double norm, const Outcome out)
{
	extern __shared__ u8 tile[];
	int sum[BASES][ACROSS][4];
	correlate<true, true>(image, b, table, steps, 0, b.depth, 0, b.height, pitch, chunk, tile, sum);
	const double inverseNorm = 1 / norm;
	u32 missing = 0;
	for_each_lag(b, sum, [&](const size_t lag, const int products) {
		const uint2 w = windows[lag];
		const double s = (int) w.x, variance = n * (double) w.y - s * s;
		float r = out.undefined;
		if (variance == 0) missing++;
		else r = quotient(n * products - s * templateSum, variance, norm, inverseNorm);
		out.map[lag] = r;
	});
	if (missing > 0) atomicAdd(out.counts, missing);
}

#define ACCUMULATE(NAME, T, I) extern "C" __global__ void __launch_bounds__(32 * WARPS) NAME(const s8 *image, const Box b, const uint4 *table, \
	const int steps, const int pitch, const int chunk, const int z0, const int z1, const int j0, const int j1, const int shift, const int first, s64 *to) \
{ \
	extern __shared__ u8 tile[]; \
	int sum[BASES][ACROSS][4]; \
	correlate<T, I>(image, b, table, steps, z0, z1, j0, j1, pitch, chunk, tile, sum); \
	for_each_lag(b, sum, [&](const size_t lag, const int products) { \
		const s64 v = (s64) products * ((s64) 1 << shift); \
		to[lag] = first ? v : to[lag] + v; \
	}); \
}

// A part of the products, times 2^shift, added to 64-bit sums: accumulate_<template><image>, s signed, u not.
ACCUMULATE(accumulate_ss, true, true)
ACCUMULATE(accumulate_su, true, false)
ACCUMULATE(accumulate_us, false, true)
ACCUMULATE(accumulate_uu, false, false)

// From the three sums of each window to responses, in up to 128 bits. One thread a lag.
extern "C" __global__ void respond_wide(const s64 lags, const s64 *products, const s64 *windows, const int narrow, const s64 n, const s64 templateSum,
	const double norm, const Outcome out)
{
	const s64 i = (s64) blockIdx.x * blockDim.x + threadIdx.x;
	bool missing = false;
	if (i < lags) {
		const s64 s = narrow ? (s64) ((const int *) windows)[2 * i] : windows[2 * i], q = narrow ? (s64) ((const u32 *) windows)[2 * i + 1] : windows[2 * i + 1];
		const double variance = difference(n, q, s, s);
		missing = variance == 0;
		out.map[i] = missing ? out.undefined : quotient(difference(n, products[i], s, templateSum), variance, norm, 1 / norm);
	}
	count(out.counts, missing);
}
