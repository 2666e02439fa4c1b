// What the steps of poses.cu share: the structures, the sums of windows, and the numbers that bounds need.
#pragma once
#include "fourier.cuh"

// A run of pixels of the support: columns x to end - 1 of a row of its box.
struct Run { int x, end, y, z; };

// Σ v and Σ v².
template<class A> struct Two;
template<> struct __align__(8) Two<u32> { u32 s, q; };
template<> struct __align__(16) Two<u64> { u64 s, q; };

// A window that is left. inverse: 1/(√N·σ). offset: its mean minus the reference of the transforms. error: that of its products with the basis, as a vector. An
// error above 1 means that the products are unknown.
struct Kept { u32 lag; float inverse, offset, error; };
struct Found { u32 lag, member; double score; };

#define UNKNOWN 2.0f

// numerators: the products of the pixels minus the reference with each vector, one box after the other. sums: Σ of each vector. limits: for each row of lags, the smallest √N·σ
// at which the products have the error that the bounds assume, and then for each column what it adds. products: of the members with the basis, four members side by side. residual: the norm of each member
// outside the basis. counts: windows in kept, in left, in found, without a score, and in near. support: the place of each pixel in the pixels that were sent. values: for each block room for two windows.
// centres: unit vectors, each the middle of a group of similar members, in the order of products. cos, sin: of the largest angle of a group. greatest: of the residuals.
// gamma: the largest norm of products of a member. uppers, list: for each block room for a number of each member. reach: the smallest norm of the products with which a score can reach the minimum.
struct Search {
	const float *numerators, *sums, *limits, *products, *residual;
	const Known *known;
	const Run *runs;
	const int *support;
	const float *members;
	const double *gains;
	u32 *counts;
	Kept *kept;
	u32 *left;
	Found *found;
	double *values;
	float *uppers;
	u32 *list;
	const float *centres;
	u32 *near;
	double least;
	float error, reach, offsetRounding, floor, cos, sin, greatest, gamma;
	Extents f;
	int runCount, count, vectors, size, groups;
};

__device__ inline double warp_greatest(double v) {
	for (int o = 16; o > 0; o /= 2) v = fmax(v, __shfl_xor_sync(~0u, v, o));
	return v;
}

// Prefix sums of rows of whole numbers, each one longer than a row. Differences are exact, because they wrap around like the sums. One warp per row.
template<class P, class A> __device__ void prefix(const P *image, const Box &b, Two<A> *to) {
	const int lane = threadIdx.x & 31, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, columns = b.lagsX + b.width - 1;
	if (row >= b.rows * b.planes) return;
	const P *from = image + (size_t) row * b.pitch;
	Two<A> *out = to + (size_t) row * (columns + 1);
	Two<A> all = { 0, 0 };
	if (lane == 0) out[0] = all;
	for (int x = lane; x - lane < columns; x += 32) {
		A s = x < columns ? (A) from[x] : (A) 0, q = s * s;
		for (int o = 1; o < 32; o *= 2) {
			const A t = __shfl_up_sync(~0u, s, o), u = __shfl_up_sync(~0u, q, o);
			if (lane >= o) {
				s += t;
				q += u;
			}
		}
		const Two<A> sum = { all.s + s, all.q + q };
		if (x < columns) out[x + 1] = sum;
		all.s = __shfl_sync(~0u, sum.s, 31);
		all.q = __shfl_sync(~0u, sum.q, 31);
	}
}

// The mean of a window and N·σ². False if it has no score.
template<class A, class Signed> struct WholeWindows {
	const Two<A> *prefix;

	__device__ bool of(const Box &b, const Search &s, const int x, const int y, const int z, double &mean, double &variance) const {
		const int row = b.lagsX + b.width;
		A sum = 0, squares = 0;
		for (int r = 0; r < s.runCount; r++) {
			const Run run = s.runs[r];
			const Two<A> *from = prefix + ((size_t) (z + run.z) * b.rows + y + run.y) * row + x;
			const Two<A> begin = from[run.x], end = from[run.end];
			sum += end.s - begin.s;
			squares += end.q - begin.q;
		}
		const s64 total = (Signed) sum;
		const Int128 v = difference_of(s.count, (s64) squares, total, total);
		mean = (double) total / s.count;
		variance = in_double(v) / s.count;
		return !(v == 0);
	}
};

// About a pixel of the window itself, so that N·σ² is at least the N-th part of what is summed.
struct RealWindows {
	const float *image;

	__device__ bool of(const Box &b, const Search &s, const int x, const int y, const int z, double &mean, double &variance) const {
		const float *window = image + ((size_t) z * b.rows + y) * b.pitch + x;
		const Run first = s.runs[0];
		const double reference = window[((size_t) first.z * b.rows + first.y) * b.pitch + first.x];
		double sum = 0, squares = 0;
		for (int r = 0; r < s.runCount; r++) {
			const Run run = s.runs[r];
			const float *row = window + ((size_t) run.z * b.rows + run.y) * b.pitch;
			#pragma unroll 4
			for (int i = run.x; i < run.end; i++) {
				const double d = row[i] - reference;
				sum += d;
				squares = fma(d, d, squares);
			}
		}
		mean = reference + sum / s.count;
		variance = squares - sum * sum / s.count;
		// not of a window with NaN or an infinite pixel
		return variance <= 1.7976931348623157e308;
	}
};

// Adds an element of each thread with yes to a list. All threads of the warp take part.
template<class T> __device__ inline void append(u32 *counter, T *list, const bool yes, const T element) {
	const u32 all = __ballot_sync(~0u, yes);
	if (all == 0) return;
	const int lane = threadIdx.x & 31;
	u32 at = 0;
	if (lane == 0) at = atomicAdd(counter, __popc(all));
	at = __shfl_sync(~0u, at, 0);
	if (yes) list[at + __popc(all & ((1u << lane) - 1))] = element;
}

// The place of a lag among the results of a transform.
__device__ inline size_t place_of(const Box &b, const Search &s, const u32 lag) {
	const u32 x = lag % b.lagsX, row = lag / b.lagsX;
	return ((size_t) (row / b.lagsY) * s.f.y + row % b.lagsY) * s.f.x + x;
}

__device__ inline float product_of(const Search &s, const Kept &k, const size_t place, const int vector) {
	const size_t points = (size_t) s.f.x * s.f.y * s.f.z;
	return (s.numerators[vector * points + place] - k.offset * s.sums[vector]) * k.inverse;
}

// The norm of the window outside the basis, at most. energy: that of its products.
__device__ inline float outside_of(const Kept &k, const float energy) {
	if (k.error >= 1) return 1;
	const float e = fminf(1, fmaxf(0, sqrtf(energy) - k.error));
	return sqrtf((1 - e) * (1 + e)) * 1.000001f;
}

// The number that a bound must reach.
__device__ inline float enough_for(const Search &s, const Kept &k) { return (float) (s.least - k.error); }
