// Σ k·P of all windows P with a kernel k, in float or in double, for pixels of any type: see products.cuh. The error is bounded: eight products are
// added one by one, these octets in runs of some rows, and the runs in a pair of numbers, whose error is negligible. -DWIDTH=...: the width of the
// kernel, at most CHUNK_X.
#include "products.cuh"
#include "sums.cuh"

#define DOWN 4

// A sum in its original scale. In the type of the sum, because many GPUs have few units for double.
__device__ inline float rescaled(const float sum, const int exponent) { return exponent == 0 ? sum : scalbnf(sum, exponent); }
__device__ inline double rescaled(const double sum, const int exponent) { return scaled<double>(sum, exponent); }

template<class Real, int ACROSS> struct Paired {
	const int rowsEach;
	int left[DOWN];
	Real high[DOWN][ACROSS], low[DOWN][ACROSS], sum[DOWN][ACROSS];

	__device__ Paired(const int rowsEach) : rowsEach(rowsEach) {
		#pragma unroll
		for (int a = 0; a < DOWN; a++) {
			left[a] = rowsEach;
			#pragma unroll
			for (int i = 0; i < ACROSS; i++) high[a][i] = low[a][i] = sum[a][i] = 0;
		}
	}

	// NaN and infinite pixels count as 0 here.
	template<class P> __device__ Real number(const P v) const { return is_finite(v) ? (Real) v : (Real) 0; }

	__device__ void octet(const int a, const Real *t, const Real *p, const int n) {
		#pragma unroll
		for (int x = 0; x < ACROSS; x++) {
			Real part = t[0] * p[x];
			#pragma unroll
			for (int k = 1; k < 8; k++) {
#ifdef WIDTH
				if (k < n)
#endif
				part = fma(t[k], p[x + k], part);
			}
			sum[a][x] += part;
		}
	}

	__device__ void row(const int a, const int) {
		if (--left[a] == 0) fold(a);
	}

	__device__ void chunk() {
		#pragma unroll
		for (int a = 0; a < DOWN; a++) fold(a);
	}

	// The exact sum of Knuth and Møller.
	__device__ void fold(const int a) {
		left[a] = rowsEach;
		#pragma unroll
		for (int x = 0; x < ACROSS; x++) {
			const Real h = high[a][x], v = sum[a][x], s = h + v, part = s - h;
			low[a][x] += (h - (s - part)) + (v - part);
			high[a][x] = s;
			sum[a][x] = 0;
		}
	}
};

// coefficients: the kernel in chunks, see products.cuh. rowsEach: the rows of a run. exponent: of the kernel's scale.
template<class Real, int ACROSS, class P> __device__ void convolve(const P *image, const Box &b, const Real *coefficients, const int rowsEach,
	const Reach *reach, const int exponent, const Outcome &out)
{
	extern __shared__ __align__(16) u8 memory[];
#ifdef WIDTH
	const int width = WIDTH;
#else
	const int width = b.width;
#endif
	Paired<Real, ACROSS> sums(rowsEach);
	products<Real, ACROSS, DOWN>(image, b, width, coefficients, (Real *) memory, sums);
	const int by = exponent + exponent_of(reach);
	#pragma unroll
	for (int a = 0; a < DOWN; a++)
		#pragma unroll
		for (int i = 0; i < ACROSS; i++) sums.sum[a][i] = rescaled(sums.high[a][i] + sums.low[a][i], by);
	spread<Real, ACROSS, DOWN>(b, sums.sum, (Real *) memory, [&](const int x, const int y, const Real sum) {
		((Real *) out.map)[((size_t) blockIdx.z * b.lagsY + y) * b.lagsX + x] = sum;
	});
}

#define CONVOLVE(KERNEL, P, R) extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y, sizeof(R) == 4 ? 2 : 1) KERNEL(const P *image, \
	const Box b, const R *coefficients, const int rowsEach, const Reach *reach, const int exponent, const Outcome out) \
	{ convolve<R, 32 / sizeof(R)>(image, b, coefficients, rowsEach, reach, exponent, out); }

// -DNAME=... -DPIXEL=... -DREAL=...: only this kernel
#ifdef NAME
#define ONE(KERNEL, P, R) CONVOLVE(KERNEL, P, R)
ONE(NAME, PIXEL, REAL)
#else
CONVOLVE(convolve_floats_float, float, float)
CONVOLVE(convolve_doubles_float, double, float)
CONVOLVE(convolve_floats_double, float, double)
CONVOLVE(convolve_doubles_double, double, double)
#endif
