// ΣP and ΣP² of every window inside a box: running sums down the columns, prefix sums along the rows. Whole numbers exactly; prefix sums may
// wrap around, their differences do not. Each block answers a stretch of columns and some rows; what a lag costs hardly grows with the window.
#include "common.cuh"

#define THREADS 256

// M values that lie side by side.
template<class P, int M> struct Pack;
template<> struct __align__(2) Pack<s8, 2> { s8 v[2]; };
template<> struct __align__(8) Pack<s8, 8> { s8 v[8]; };
template<> struct __align__(4) Pack<s8, 4> { s8 v[4]; };
template<> struct __align__(4) Pack<short, 2> { short v[2]; };
template<> struct __align__(8) Pack<short, 4> { short v[4]; };
template<> struct __align__(8) Pack<float, 2> { float v[2]; };
template<> struct __align__(16) Pack<float, 4> { float v[4]; };
template<> struct __align__(16) Pack<double, 2> { double v[2]; };
template<> struct __align__(16) Pack<double, 4> { double v[4]; };

template<class A> struct Sums { A s, q; };

template<class A> __device__ inline A up(const A v, const int distance) { return __shfl_up_sync(~0u, v, distance); }

// Adds a row of the planes z..z+depth-1 to the running sums of a thread's columns, or takes it away.
template<class P, class A, int M> __device__ inline void add_row(const P *image, const Box &b, const int c, const int y, const int z, const A reference, const A sign, A *s, A *q) {
	if (c >= b.pitch) return;
	const P *p = image + ((size_t) z * b.rows + y) * b.pitch + c;
	const int columns = b.lagsX + b.width - 1 - c;
	for (int k = 0; k < b.depth; k++, p += (size_t) b.rows * b.pitch) {
		const Pack<P, M> pack = *(const Pack<P, M> *) p;
		#pragma unroll
		for (int m = 0; m < M; m++) {
			// what follows a row is 0, which may lie far from the reference
			const A v = (A) 0.5 == 0 || m < columns ? (A) pack.v[m] - reference : (A) 0;
			s[m] += sign * v;
			q[m] += sign * v * v;
		}
	}
}

// The median of 32 pixels spread over what the block reads; 0 if most are not finite.
template<class P> __device__ inline double median(const P *image, const Box &b, const int x0, const int columns, const int y0, const int rows, const int z, double *shared) {
	if (threadIdx.x < 32) {
		const int i = threadIdx.x, x = min(x0 + (int) ((i * 2 + 1) * (s64) columns / 64), b.lagsX + b.width - 2);
		const int y = min(y0 + (int) ((i * 13 % 32) * (s64) rows / 32), b.rows - 1);
		const double v = image[((size_t) (z + i * b.depth / 32) * b.rows + y) * b.pitch + x];
		const bool finite = fabs(v) <= 1.7976931348623157e308;
		const double key = finite ? v : 1.7976931348623157e308;
		int rank = 0;
		for (int o = 0; o < 32; o++) {
			const double other = __shfl_sync(~0u, key, o);
			rank += other < key || (other == key && o < i);
		}
		const int n = __popc(__ballot_sync(~0u, finite));
		if (n == 0 ? i == 0 : rank == n / 2) *shared = finite ? v : 0;
	}
	__syncthreads();
	const double v = *shared;
	__syncthreads();
	return v;
}

// What a window's sums become. Whole numbers are written as they are.
template<class A> struct Answer {
	typedef Sums<A> Type;
	__device__ static Type of(const A s, const A q, const double, const A, const double, const double) { Type t; t.s = s; t.q = q; return t; }
};
// In double: the mean, and N·σ², NaN where that does not stand well above the rounding of what passed through the sums.
template<> struct Answer<double> {
	typedef Sums<double> Type;
	__device__ static Type of(const double s, const double q, const double n, const double reference, const double passed, const double share) {
		Type t;
		t.s = reference + s / n;
		const double v = q - s * (s / n);
		t.q = v > passed * share ? v : __longlong_as_double(0x7ff8000000000000ll);
		return t;
	}
};

// Grid: stretches of THREADS·M - width + 1 lags (rounded down to M), stretches of rowsEach rows, planes of lags.
template<class P, class A, int M> __device__ void windows(const P *image, const Box &b, const int rowsEach, const double n, const double share, typename Answer<A>::Type *to) {
	constexpr int C = THREADS * M;
	__shared__ A prefixS[2][C + 1], prefixQ[2][C + 1];
	__shared__ A warpS[2][THREADS / 32], warpQ[2][THREADS / 32];
	__shared__ double middle;
	const int each = (C - b.width + 1) / M * M, x0 = blockIdx.x * each, y0 = blockIdx.y * rowsEach, z = blockIdx.z;
	const int until = min(y0 + rowsEach, b.lagsY), c = x0 + threadIdx.x * M, lane = threadIdx.x & 31, warp = threadIdx.x / 32;
	A reference = 0, s[M], q[M], passed = 0;
	if ((A) 0.5 != 0) reference = (A) median(image, b, x0, min(C, b.lagsX + b.width - 1 - x0), y0, until - y0 + b.height - 1, z, &middle);
	#pragma unroll
	for (int m = 0; m < M; m++) s[m] = q[m] = 0;
	for (int j = 0; j < b.height; j++) add_row<P, A, M>(image, b, c, y0 + j, z, reference, (A) 1, s, q);
	for (int y = y0, k = 0; y < until; y++, k ^= 1) {
		A sumS = 0, sumQ = 0;
		#pragma unroll
		for (int m = 0; m < M; m++) {
			sumS += s[m];
			sumQ += q[m];
		}
		const A ownS = sumS, ownQ = sumQ;
		#pragma unroll
		for (int o = 1; o < 32; o *= 2) {
			const A a = up(sumS, o), e = up(sumQ, o);
			if (lane >= o) {
				sumS += a;
				sumQ += e;
			}
		}
		if (lane == 31) {
			warpS[k][warp] = sumS;
			warpQ[k][warp] = sumQ;
		}
		__syncthreads();
		A beforeS = sumS - ownS, beforeQ = sumQ - ownQ, allQ = 0;
		if ((A) 0.5 != 0) {
			// not by difference: what passed before must not stay behind as rounding
			const A a = up(sumS, 1), e = up(sumQ, 1);
			beforeS = lane == 0 ? 0 : a;
			beforeQ = lane == 0 ? 0 : e;
		}
		#pragma unroll
		for (int w = 0; w < THREADS / 32; w++) {
			if (w < warp) {
				beforeS += warpS[k][w];
				beforeQ += warpQ[k][w];
			}
			allQ += warpQ[k][w];
		}
		passed = allQ > passed ? allQ : passed;
		#pragma unroll
		for (int m = 0; m < M; m++) {
			prefixS[k][threadIdx.x * M + m] = beforeS;
			prefixQ[k][threadIdx.x * M + m] = beforeQ;
			beforeS += s[m];
			beforeQ += q[m];
		}
		if (threadIdx.x == THREADS - 1) {
			prefixS[k][C] = beforeS;
			prefixQ[k][C] = beforeQ;
		}
		__syncthreads();
		const size_t row = ((size_t) z * b.lagsY + y) * b.lagsX;
		for (int i = threadIdx.x; i < each && x0 + i < b.lagsX; i += THREADS)
			to[row + x0 + i] = Answer<A>::of(prefixS[k][i + b.width] - prefixS[k][i], prefixQ[k][i + b.width] - prefixQ[k][i], n, reference, passed, share);
		if (y + 1 < until) {
			add_row<P, A, M>(image, b, c, y + b.height, z, reference, (A) 1, s, q);
			add_row<P, A, M>(image, b, c, y, z, reference, (A) -1, s, q);
		}
	}
}

#define WINDOWS(NAME, P, A, M) extern "C" __global__ void __launch_bounds__(THREADS) NAME(const P *image, const Box b, const int rowsEach, \
	const double n, const double share, Sums<A> *to) { windows<P, A, M>(image, b, rowsEach, n, share, to); }

// windows_<pixels>_<sums>_<columns a thread>
WINDOWS(windows_bytes_32_2, s8, u32, 2)
WINDOWS(windows_bytes_32_8, s8, u32, 8)
WINDOWS(windows_bytes_64_2, s8, u64, 2)
WINDOWS(windows_bytes_64_4, s8, u64, 4)
WINDOWS(windows_shorts_64_2, short, u64, 2)
WINDOWS(windows_shorts_64_4, short, u64, 4)
WINDOWS(windows_floats_2, float, double, 2)
WINDOWS(windows_floats_4, float, double, 4)
WINDOWS(windows_doubles_2, double, double, 2)
WINDOWS(windows_doubles_4, double, double, 4)
