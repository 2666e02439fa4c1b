// ΣPT of 8-bit numbers on the matrix units, exactly. A row of the template, shifted by 0..15 places, is a banded (Toeplitz) matrix of 16 rows; its
// product with 8 rows of pixels gives 16x8 lags. A warp holds 128x8 lags in registers, a block 128x32. The matrices are read from the rows of the
// template when they are needed. 16-bit pixels are two planes, the upper and the lower bytes, and need four products.
#include "matrix.cuh"
#include "wide.cuh"

#define WARPS 4
#define ACROSS 8
#define DOWN (8 * WARPS)

// Products with planes z0..z1-1 and rows j0..j1-1 of the template, in chunks of as many rows as shared memory holds. A row of coefficients: 16 zeros,
// the row of the template, zeros up to 32·(steps + 1) bytes. steps: the columns of the matrices over 32. pitch: the bytes of a row of pixels in
// shared memory.
template<bool SignedTemplate, bool SignedImage> __device__ inline void correlate(const s8 *image, const Box &b, const u8 *coefficients,
	const int steps,
	const int z0, const int z1, const int j0, const int j1, const int pitch, const int chunk, u8 *tile, int (&sum)[ACROSS][4])
{
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, group = lane / 4, member = lane & 3;
	const int x0 = blockIdx.x * 16 * ACROSS, y0 = blockIdx.y * DOWN, words = pitch / 16, rowPitch = 32 * (steps + 1);
	u8 *rows = tile + (DOWN + chunk - 1) * pitch;
	#pragma unroll
	for (int x = 0; x < ACROSS; x++)
		#pragma unroll
		for (int i = 0; i < 4; i++) sum[x][i] = 0;
	for (int z = z0; z < z1; z++)
		for (int jc = j0; jc < j1; jc += chunk) {
			const s8 *plane = image + (size_t) (blockIdx.z + z) * b.rows * b.pitch;
			const int down = min(chunk, j1 - jc), top = y0 + jc;
			if (z > z0 || jc > j0) __syncthreads();
			for (int y = warp; y < DOWN + down - 1; y += WARPS)
				for (int x = lane; x < words; x += 32) {
					uint4 v = make_uint4(0, 0, 0, 0);
					if (top + y < b.rows && x0 + 16 * x < b.pitch) v = *(const uint4 *) (plane + (size_t) (top + y) * b.pitch + x0 + 16 * x);
					*(uint4 *) (tile + y * pitch + 16 * x) = v;
				}
			const uint4 *from = (const uint4 *) (coefficients + (size_t) (z * b.height + jc) * rowPitch);
			for (int i = threadIdx.x; i < down * rowPitch / 16; i += 32 * WARPS) ((uint4 *) rows)[i] = __ldg(from + i);
			__syncthreads();
			const u8 *pixel = tile + (warp * 8 + group) * pitch + 8 * member;
			const u8 *coefficient = coefficients_of(rows);
			const int shift = bits_in_word();
			for (int j = 0; j < down; j++, pixel += pitch, coefficient += rowPitch) {
				uint2 pixels[ACROSS];
				#pragma unroll
				for (int x = 0; x < ACROSS; x++) pixels[x] = *(const uint2 *) (pixel + 16 * x);
				for (int k = 0; k < steps; k++) {
					const uint4 matrix = matrix_of(coefficient, k, shift);
					#pragma unroll
					for (int x = 0; x < ACROSS; x++) product<SignedTemplate, SignedImage>(sum[x], matrix, pixels[x]);
					if (k + 1 == steps) break;
					// the next 32 columns: all except two of the stretches are loaded already
					#pragma unroll
					for (int x = 0; x < ACROSS - 2; x++) pixels[x] = pixels[x + 2];
					#pragma unroll
					for (int x = ACROSS - 2; x < ACROSS; x++) pixels[x] = *(const uint2 *) (pixel + 16 * x + 32 * (k + 1));
				}
			}
		}
}

// The lags of a thread: 4 of each stretch x.
struct OwnLags {
	int first, x, y, lagsX, lagsY;

	__device__ OwnLags(const Box &b) : lagsX(b.lagsX), lagsY(b.lagsY) {
		const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
		x = blockIdx.x * ACROSS * 16 + lane / 4;
		y = (blockIdx.y * WARPS + warp) * 8 + (lane & 3) * 2;
		first = (blockIdx.z * lagsY + y) * lagsX + x;
	}

	__device__ bool inside(const int stretch, const int i) const { return x + 16 * stretch + (i & 2) * 4 < lagsX && y + (i & 1) < lagsY; }

	// Lags outside the box have the index of a lag inside.
	__device__ int index(const int stretch, const int i) const {
		return inside(stretch, i) ? first + 16 * stretch + (i & 2) * 4 + (i & 1) * lagsX : 0;
	}
};

// The responses of small 8-bit templates at once: all sums below 2^31, N times each below 2^53. windows: ΣP and ΣP² in 32 bits.
extern "C" __global__ void __launch_bounds__(32 * WARPS) respond_bytes(const s8 *image, const Box b, const u8 *coefficients, const int steps,
	const int pitch, const int chunk, const uint2 *windows, const int n, const int templateSum, const Norm norm, const Outcome out)
{
	extern __shared__ u8 tile[];
	int sum[ACROSS][4];
	correlate<true, true>(image, b, coefficients, steps, 0, b.depth, 0, b.height, pitch, chunk, tile, sum);
	const OwnLags own(b);
	u32 missing = 0;
	// four loads at once, and the next four during the work on these
	uint2 w[4], next[4];
	#pragma unroll
	for (int i = 0; i < 4; i++) w[i] = __ldg(windows + own.index(0, i));
	#pragma unroll
	for (int x = 0; x < ACROSS; x++) {
		if (x + 1 < ACROSS)
			#pragma unroll
			for (int i = 0; i < 4; i++) next[i] = __ldg(windows + own.index(x + 1, i));
		#pragma unroll
		for (int i = 0; i < 4; i++) {
			const int s = (int) w[i].x;
			const Whole variance = whole(factor(n), w[i].y, s, factor(s));
			const bool flat = variance == 0;
			const float r = flat ? out.undefined : quotient(whole(factor(n), sum[x][i], s, factor(templateSum)), variance, norm);
			if (own.inside(x, i)) {
				missing += flat;
				out.map[own.index(x, i)] = r;
			}
			w[i] = next[i];
		}
	}
	if (missing > 0) atomicAdd(out.counts, missing);
}

#ifndef PAIRS
#define ACCUMULATE(NAME, T, I) extern "C" __global__ void __launch_bounds__(32 * WARPS) NAME(const s8 *image, const Box b, const u8 *coefficients, \
	const int steps, const int pitch, const int chunk, const int z0, const int z1, const int j0, const int j1, const int shift, const int first, \
		s64 *to) \
{ \
	extern __shared__ u8 tile[]; \
	int sum[ACROSS][4]; \
	correlate<T, I>(image, b, coefficients, steps, z0, z1, j0, j1, pitch, chunk, tile, sum); \
	const OwnLags own(b); \
	_Pragma("unroll") \
	for (int x = 0; x < ACROSS; x++) { \
		s64 before[4] = { 0, 0, 0, 0 }; \
		if (!first) \
			_Pragma("unroll") \
			for (int i = 0; i < 4; i++) before[i] = to[own.index(x, i)]; \
		_Pragma("unroll") \
		for (int i = 0; i < 4; i++) \
			if (own.inside(x, i)) to[own.index(x, i)] = before[i] + (s64) sum[x][i] * ((s64) 1 << shift); \
	} \
}

// A part of the products, times 2^shift, added to 64-bit sums: accumulate_<template><image>, s signed, u not.
ACCUMULATE(accumulate_ss, true, true)
ACCUMULATE(accumulate_su, true, false)
ACCUMULATE(accumulate_us, false, true)
ACCUMULATE(accumulate_uu, false, false)
#endif

// From the three sums of each window to responses, in up to 128 bits. One thread per lag.
template<class Out> __device__ void respond(const s64 lags, const s64 *products, const s64 *windows, const int narrow, const s64 n,
	const s64 templateSum, const Norm &norm, const Outcome &out)
{
	const s64 i = (s64) blockIdx.x * blockDim.x + threadIdx.x;
	bool missing = false;
	if (i < lags) {
		const s64 s = narrow ? (s64) ((const int *) windows)[2 * i] : windows[2 * i],
			q = narrow ? (s64) ((const u32 *) windows)[2 * i + 1] : windows[2 * i + 1];
		const Int128 variance = difference_of(n, q, s, s), numerator = difference_of(n, products[i], s, templateSum);
		missing = variance == 0;
		Out r = (Out) out.undefined;
		if constexpr (sizeof(Out) == sizeof(float)) r = missing ? r : quotient(numerator, variance, norm);
		else r = missing ? r : fmax(-1.0, fmin(1.0, double_quotient(in_double(numerator), in_double(variance), norm.norm)));
		((Out *) out.map)[i] = r;
	}
	count(out.counts, missing);
}

#define RESPOND(NAME, OUT) extern "C" __global__ void NAME(const s64 lags, const s64 *products, const s64 *windows, const int narrow, const s64 n, \
	const s64 templateSum, const Norm norm, const Outcome out) { respond<OUT>(lags, products, windows, narrow, n, templateSum, norm, out); }
RESPOND(respond_wide, float)
#ifndef PAIRS
RESPOND(respond_wide_double, double)
#endif
