// Fourier transforms of N·N complex numbers in shared memory, N = 8·R. Along an axis, the first pass takes R numbers with a distance of 8, the second 8 adjacent
// numbers, so that frequency k + R·l is stored at 8·k + l. The inverse runs backwards. All threads of the block take part, THREADS of them.
#pragma once
#include "common.cuh"

template<class Real> struct Complex;
template<> struct __align__(8) Complex<float> { float x, y; };
template<> struct __align__(16) Complex<double> { double x, y; };

template<class Real> __device__ inline Complex<Real> operator+(const Complex<Real> a, const Complex<Real> b) { return { a.x + b.x, a.y + b.y }; }
template<class Real> __device__ inline Complex<Real> operator-(const Complex<Real> a, const Complex<Real> b) { return { a.x - b.x, a.y - b.y }; }
template<class Real> __device__ inline Complex<Real> operator*(const Complex<Real> a, const Complex<Real> b) {
	return { a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x };
}
template<class Real> __device__ inline Complex<Real> conj(const Complex<Real> a) { return { a.x, -a.y }; }

// cos(2πi/16), i = 0..4.
template<class Real> __device__ constexpr Real cosine(const int i) {
	return i == 0 ? (Real) 1 : i == 1 ? (Real) 0.92387953251128675613 : i == 2 ? (Real) 0.70710678118654752440 : i == 3 ? (Real) 0.38268343236508977173 : (Real) 0;
}

// a·exp(∓2πi·k/16), k = 0..7; forward with minus.
template<bool FORWARD, class Real> __device__ inline Complex<Real> turn(const Complex<Real> a, const int k) {
	if (k == 0) return a;
	if (k == 4) return FORWARD ? Complex<Real> { a.y, -a.x } : Complex<Real> { -a.y, a.x };
	const Complex<Real> w = { k < 4 ? cosine<Real>(k) : -cosine<Real>(8 - k), k < 4 ? cosine<Real>(4 - k) : cosine<Real>(k - 4) };
	return a * (FORWARD ? conj(w) : w);
}

__device__ constexpr int reversed(const int i, const int n) { return n == 1 ? 0 : (i & 1) * (n / 2) + reversed(i >> 1, n / 2); }

// The transform of R numbers; frequency k is stored at reversed(k, R).
template<bool FORWARD, int R, class Real> __device__ inline void transform(Complex<Real> (&v)[R]) {
	#pragma unroll
	for (int length = R; length > 1; length /= 2)
		#pragma unroll
		for (int i = 0; i < R / 2; i++) {
			const int j = i % (length / 2), at = i / (length / 2) * length + j;
			const Complex<Real> a = v[at], b = v[at + length / 2];
			v[at] = a + b;
			v[at + length / 2] = turn<FORWARD>(a - b, j * (16 / length));
		}
}

template<class Real, int N> struct Tile {
	static constexpr int R = N / 8, THREADS = N * N / 32, EACH = 32;
	// rows are offset by half of the banks, and one place is unused after every eight numbers
	static constexpr int PITCH = (N + N / 8 + 7) / 16 * 16 + 8;
	Complex<Real> v[N * PITCH], roots[N];

	__device__ static int at(const int x, const int y) { return y * PITCH + x + (x >> 3); }

	// roots: exp(-2πi·k/N).
	__device__ void begin(const Complex<Real> *from) {
		for (int i = threadIdx.x; i < N; i += THREADS) roots[i] = from[i];
	}

	// The numbers of a line for a thread and unit: with a distance of 8, or adjacent.
	template<bool FORWARD, bool ALONG_X> __device__ void apart() {
		#pragma unroll 1
		for (int u = threadIdx.x; u < 8 * N; u += THREADS) {
			const int line = ALONG_X ? u / 8 : u % N, n = ALONG_X ? u % 8 : u / N;
			Complex<Real> t[R];
			#pragma unroll
			for (int i = 0; i < R; i++) t[i] = v[ALONG_X ? at(n + 8 * i, line) : at(line, n + 8 * i)];
			transform<FORWARD, R>(t);
			#pragma unroll
			for (int k = 0; k < R; k++) {
				const Complex<Real> r = FORWARD ? t[reversed(k, R)] * roots[n * k] : t[reversed(k, R)];
				v[ALONG_X ? at(n + 8 * k, line) : at(line, n + 8 * k)] = r;
			}
		}
		__syncthreads();
	}

	template<bool FORWARD, bool ALONG_X> __device__ void together() {
		#pragma unroll 1
		for (int u = threadIdx.x; u < R * N; u += THREADS) {
			const int line = ALONG_X ? u / R : u % N, k = ALONG_X ? u % R : u / N;
			Complex<Real> t[8];
			#pragma unroll
			for (int i = 0; i < 8; i++) t[i] = v[ALONG_X ? at(8 * k + i, line) : at(line, 8 * k + i)];
			transform<FORWARD, 8>(t);
			#pragma unroll
			for (int i = 0; i < 8; i++) {
				const Complex<Real> r = FORWARD ? t[reversed(i, 8)] : t[reversed(i, 8)] * conj(roots[i * k]);
				v[ALONG_X ? at(8 * k + i, line) : at(line, 8 * k + i)] = r;
			}
		}
		__syncthreads();
	}

	// Threads synchronize before and after.
	__device__ void forward() {
		apart<true, true>();
		together<true, true>();
		apart<true, false>();
		together<true, false>();
	}

	__device__ void inverse() {
		together<false, false>();
		apart<false, false>();
		together<false, true>();
		apart<false, true>();
	}
};

// The sums of 32 numbers over the warp: lane l gets the sum of number l.
template<int HALF> __device__ inline void halve(float (&v)[32]) {
	const bool upper = (threadIdx.x & HALF) != 0;
	#pragma unroll
	for (int i = 0; i < HALF; i++) {
		const float mine = upper ? v[i + HALF] : v[i], other = upper ? v[i] : v[i + HALF];
		v[i] = mine + __shfl_xor_sync(~0u, other, HALF);
	}
	if constexpr (HALF > 1) halve<HALF / 2>(v);
}

__device__ inline float sums_of_32(float (&v)[32]) {
	halve<16>(v);
	return v[0];
}
