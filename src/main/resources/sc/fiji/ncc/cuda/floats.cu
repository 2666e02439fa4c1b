// Σ(P - reference)·T̂ in float or in double, T̂ the zero-mean template, for pixels of any type; the reference is the median of some pixels. See products.cuh.
// Products are added in runs of some rows of a chunk of the template. For templates of many runs, the sum of the runs is compensated. The mean and N·σ² of the
// window in double decide whether the estimated error is below the tolerance.
#include "products.cuh"
#include "wide.cuh"

// The number of rows of coefficients whose products are summed before their sum is added to the total.
#define RUN_ROWS 4

// The median of 32 pixels spread over what the block reads; 0 if none is finite. The same in all threads.
template<int ACROSS, int DOWN, class P> __device__ inline P median(const P *image, const Box &b, const int x0, const int y0, const int z, P *shared) {
	if (threadIdx.y == 0) {
		const int i = threadIdx.x, columns = min(BLOCK_X * ACROSS, b.lagsX - x0) + b.width - 1, rows = min(BLOCK_Y * DOWN, b.lagsY - y0) + b.height - 1;
		const int x = x0 + (int) ((i * 2 + 1) * (s64) columns / 64), y = y0 + (int) (i * 13 % 32 * (s64) rows / 32);
		const P v = image[((size_t) (z + i * b.depth / 32) * b.rows + y) * b.pitch + x], huge = (P) 3e38;
		const bool finite = v <= huge && v >= -huge;
		const P key = finite ? v : huge;
		int rank = 0;
		for (int o = 0; o < 32; o++) {
			const P other = __shfl_sync(~0u, key, o);
			rank += other < key || (other == key && o < i);
		}
		const int n = __popc(__ballot_sync(~0u, finite));
		if (n == 0 ? i == 0 : rank == n / 2) *shared = finite ? v : (P) 0;
	}
	__syncthreads();
	return *shared;
}

// COMPENSATED: the sum of the runs, with its low part (Knuth).
template<class Real, int ACROSS, int DOWN, bool COMPENSATED, class P> struct About {
	P reference;
	Real total[DOWN][ACROSS], low[COMPENSATED ? DOWN : 1][ACROSS], sum[DOWN][ACROSS];

	__device__ About(const P reference) : reference(reference) {
		#pragma unroll
		for (int a = 0; a < DOWN; a++)
			#pragma unroll
			for (int i = 0; i < ACROSS; i++) {
				total[a][i] = sum[a][i] = 0;
				if constexpr (COMPENSATED) low[a][i] = 0;
			}
	}

	__device__ Real number(const P v) const { return sizeof(Real) > sizeof(P) ? (Real) v - (Real) reference : (Real) (v - reference); }

	// Coefficients beyond the edge are 0.
	__device__ void octet(const int a, const Real *t, const Real *p, const int) {
		#pragma unroll
		for (int k = 0; k < 8; k++)
			#pragma unroll
			for (int x = 0; x < ACROSS; x++) sum[a][x] = fma(t[k], p[x + k], sum[a][x]);
	}

	// Short runs, so that equal roundings do not add up to much.
	__device__ void row(const int a, const int j) {
		if ((j + 1) % RUN_ROWS == 0) add(a);
	}

	__device__ void add(const int a) {
		#pragma unroll
		for (int i = 0; i < ACROSS; i++) {
			const Real before = total[a][i], after = before + sum[a][i];
			if constexpr (COMPENSATED) {
				const Real part = after - before;
				low[a][i] += (before - (after - part)) + (sum[a][i] - part);
			}
			total[a][i] = after;
			sum[a][i] = 0;
		}
	}

	__device__ void chunk() {
		#pragma unroll
		for (int a = 0; a < DOWN; a++) add(a);
	}

	__device__ void end() {
		if constexpr (COMPENSATED)
			#pragma unroll
			for (int a = 0; a < DOWN; a++)
				#pragma unroll
				for (int i = 0; i < ACROSS; i++) total[a][i] += low[a][i];
	}
};

// coefficients: the zero-mean template.
template<class Real, int ACROSS, int DOWN, bool COMPENSATED, class P> __device__ void respond(const P *image, const Box &b, const Real *coefficients,
	const RealWindow *windows, const double n, const double mean, const double inverseNorm, const double limit, const double floor, const Outcome &out)
{
	extern __shared__ __align__(16) u8 memory[];
	Real *shared = (Real *) memory;
	__shared__ P middle;
	const int x0 = blockIdx.x * BLOCK_X * ACROSS, y0 = blockIdx.y * BLOCK_Y * DOWN;
	const P reference = median<ACROSS, DOWN>(image, b, x0, y0, blockIdx.z, &middle);
	About<Real, ACROSS, DOWN, COMPENSATED, P> sums(reference);
	products<Real, ACROSS, DOWN>(image, b, b.width, coefficients, shared, sums);
	sums.end();
	spread<Real, ACROSS, DOWN>(b, sums.total, shared, [&](const int x, const int y, const Real product) {
		const size_t lag = ((size_t) blockIdx.z * b.lagsY + y) * b.lagsX + x;
		const RealWindow w = windows[lag];
		const Narrow offset = narrow(w.mean - wide(reference)), variance = narrow(w.variance), count = (Narrow) n;
		const Narrow r = (product - count * offset * (Narrow) mean) * root_inverse(variance) * (Narrow) inverseNorm;
		// NaN is suspect, too
		if (variance > (Narrow) floor && count * offset * offset <= (Narrow) limit * variance && fabs(r) < 2)
			((Real *) out.map)[lag] = (Real) fmax((Narrow) -1, fmin((Narrow) 1, r));
		else out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
	});
}

#define RESPOND(NAME, P, REAL, DOWN, COMPENSATED) extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y, 2) NAME(const P *image, const Box b, \
	const REAL *coefficients, const RealWindow *windows, const double n, const double mean, const double inverseNorm, const double limit, \
	const double floor, const Outcome out) \
	{ respond<REAL, 32 / sizeof(REAL), DOWN, COMPENSATED>(image, b, coefficients, windows, n, mean, inverseNorm, limit, floor, out); }
RESPOND(respond_floats_float, float, float, 4, false)
RESPOND(respond_long_floats_float, float, float, 2, true)
#ifndef PAIRS
RESPOND(respond_doubles_float, double, float, 4, false)
RESPOND(respond_long_doubles_float, double, float, 2, true)
RESPOND(respond_floats_double, float, double, 4, false)
RESPOND(respond_doubles_double, double, double, 4, false)
#endif
