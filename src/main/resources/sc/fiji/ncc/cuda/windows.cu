// ΣP and ΣP² of every window inside a box: running sums down the columns, prefix sums along the rows. Whole numbers exactly; prefix sums may
// wrap around, their differences do not. Each block answers a stretch of columns and some rows; what a lag costs hardly grows with the window.
// inverse: 1/N.
#include "common.cuh"

// M values that lie side by side.
template<class P, int M> struct Pack;
template<> struct __align__(4) Pack<s8, 4> { s8 v[4]; };
template<> struct __align__(8) Pack<s8, 8> { s8 v[8]; };
template<> struct __align__(8) Pack<short, 4> { short v[4]; };
template<> struct __align__(16) Pack<float, 4> { float v[4]; };
template<> struct __align__(16) Pack<double, 4> { double v[4]; };

template<class A> struct Sums { A s, q; };
template<> struct __align__(8) Sums<u32> { u32 s, q; };
template<> struct __align__(16) Sums<u64> { u64 s, q; };
template<> struct __align__(16) Sums<double> { double s, q; };

template<class A> __device__ inline A up(const A v, const int distance) { return __shfl_up_sync(~0u, v, distance); }

// Whether sums are in floating point.
template<class A> __device__ constexpr bool real() { return (A) 0.5 != 0; }

// Where prefix sum i lies: threads write stretches of M, which would meet in the same banks.
__device__ inline int place(const int i) { return i + (i >> 3); }

template<class P, int M> __device__ inline Pack<P, M> pack_at(const P *image, const Box &b, const int c, const int y, const int z) {
	return *(const Pack<P, M> *) (image + ((size_t) z * b.rows + y) * b.pitch + c);
}

// A pixel about the reference. What follows a row is 0, which may lie far from it.
template<class A, class P> __device__ inline A about(const P v, const A reference, const bool inside) {
	return real<A>() ? (inside ? (A) v - reference : (A) 0) : (A) v;
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
	__device__ static Sums<A> of(const A s, const A q, const double, const A, const double, const double) {
		Sums<A> t;
		t.s = s;
		t.q = q;
		return t;
	}
};
// In double: the mean, and N·σ², NaN where that does not stand well above the rounding of what passed through the sums.
template<> struct Answer<double> {
	__device__ static Sums<double> of(const double s, const double q, const double inverse, const double reference, const double passed, const double share) {
		Sums<double> t;
		t.s = reference + s * inverse;
		const double v = q - s * (s * inverse);
		t.q = v > passed * share ? v : __longlong_as_double(0x7ff8000000000000ll);
		return t;
	}
};

// Grid: stretches of C - width + 1 lags (rounded down to M), stretches of rowsEach rows, planes of lags. Each thread has M of C columns.
template<class P, class A, int THREADS, int M> __device__ void windows(const P *image, const Box &b, const int rowsEach, const double inverse, const double share,
	Sums<A> *to)
{
	constexpr int C = THREADS * M, WARPS = THREADS / 32;
	__shared__ Sums<A> prefix[2][C + C / 8 + 1], totals[2][WARPS];
	__shared__ double middle;
	const int each = (C - b.width + 1) / M * M, x0 = blockIdx.x * each, y0 = blockIdx.y * rowsEach, z = blockIdx.z;
	const int until = min(y0 + rowsEach, b.lagsY), c = x0 + threadIdx.x * M, lane = threadIdx.x & 31, warp = threadIdx.x / 32;
	const int columns = b.lagsX + b.width - 1 - c;
	A reference = 0, s[M], q[M], passed = 0;
	if (real<A>()) reference = (A) median(image, b, x0, min(C, b.lagsX + b.width - 1 - x0), y0, until - y0 + b.height - 1, z, &middle);
	#pragma unroll
	for (int m = 0; m < M; m++) s[m] = q[m] = 0;
	if (columns > 0)
		for (int k = 0; k < b.depth; k++)
			#pragma unroll 8
			for (int j = 0; j < b.height; j++) {
				const Pack<P, M> pack = pack_at<P, M>(image, b, c, y0 + j, z + k);
				#pragma unroll
				for (int m = 0; m < M; m++) {
					const A v = about(pack.v[m], reference, m < columns);
					s[m] += v;
					q[m] += v * v;
				}
			}
	for (int y = y0, side = 0; y < until; y++, side ^= 1) {
		A sumS = 0, sumQ = 0;
		#pragma unroll
		for (int m = 0; m < M; m++) {
			sumS += s[m];
			sumQ += q[m];
		}
		A beforeS = sumS, beforeQ = sumQ;
		#pragma unroll
		for (int o = 1; o < 32; o *= 2) {
			const A a = up(sumS, o), e = up(sumQ, o);
			if (lane >= o) {
				sumS += a;
				sumQ += e;
			}
		}
		if (lane == 31) {
			totals[side][warp].s = sumS;
			totals[side][warp].q = sumQ;
		}
		if (real<A>()) {
			// not by difference: what passed before must not stay behind as rounding
			const A a = up(sumS, 1), e = up(sumQ, 1);
			beforeS = lane == 0 ? (A) 0 : a;
			beforeQ = lane == 0 ? (A) 0 : e;
		}
		else {
			beforeS = sumS - beforeS;
			beforeQ = sumQ - beforeQ;
		}
		__syncthreads();
		A all = 0;
		#pragma unroll
		for (int w = 0; w < WARPS; w++) {
			const Sums<A> t = totals[side][w];
			if (w < warp) {
				beforeS += t.s;
				beforeQ += t.q;
			}
			if (real<A>()) all += t.q;
		}
		if (real<A>()) passed = all > passed ? all : passed;
		#pragma unroll
		for (int m = 0; m < M; m++) {
			Sums<A> t;
			t.s = beforeS;
			t.q = beforeQ;
			prefix[side][place(threadIdx.x * M + m)] = t;
			beforeS += s[m];
			beforeQ += q[m];
		}
		if (threadIdx.x == THREADS - 1) {
			Sums<A> t;
			t.s = beforeS;
			t.q = beforeQ;
			prefix[side][place(C)] = t;
		}
		// the next row's pixels are on their way while this row's sums are written
		if (y + 1 < until && columns > 0)
			for (int k = 0; k < b.depth; k++) {
				const Pack<P, M> enter = pack_at<P, M>(image, b, c, y + b.height, z + k), leave = pack_at<P, M>(image, b, c, y, z + k);
				#pragma unroll
				for (int m = 0; m < M; m++) {
					const A v = about(enter.v[m], reference, m < columns), w = about(leave.v[m], reference, m < columns);
					s[m] += v;
					q[m] += v * v;
					s[m] -= w;
					q[m] -= w * w;
				}
			}
		__syncthreads();
		Sums<A> *row = to + ((size_t) z * b.lagsY + y) * b.lagsX + x0;
		const int lags = min(each, b.lagsX - x0);
		#pragma unroll 4
		for (int i = threadIdx.x; i < lags; i += THREADS) {
			const Sums<A> l = prefix[side][place(i)], r = prefix[side][place(i + b.width)];
			row[i] = Answer<A>::of(r.s - l.s, r.q - l.q, inverse, reference, passed, share);
		}
	}
}

#define WINDOWS(NAME, P, A, THREADS, M) extern "C" __global__ void __launch_bounds__(THREADS) NAME(const P *image, const Box b, const int rowsEach, \
	const double inverse, const double share, Sums<A> *to) { windows<P, A, THREADS, M>(image, b, rowsEach, inverse, share, to); }

// windows_<pixels>_<bits of whole sums>_<columns of a block>
WINDOWS(windows_bytes_32_512, s8, u32, 128, 4)
WINDOWS(windows_bytes_32_1024, s8, u32, 128, 8)
WINDOWS(windows_bytes_32_2048, s8, u32, 256, 8)
WINDOWS(windows_bytes_64_512, s8, u64, 128, 4)
WINDOWS(windows_bytes_64_1024, s8, u64, 256, 4)
WINDOWS(windows_shorts_64_512, short, u64, 128, 4)
WINDOWS(windows_shorts_64_1024, short, u64, 256, 4)
WINDOWS(windows_floats_512, float, double, 128, 4)
WINDOWS(windows_floats_1024, float, double, 256, 4)
WINDOWS(windows_doubles_512, double, double, 128, 4)
WINDOWS(windows_doubles_1024, double, double, 256, 4)
