// Fourier transforms of lines of N = FIRST·MIDDLE·LAST numbers, in place in shared memory. FIRST may contain 3, 5 or 7; the other radices
// are powers of two. The first pass takes FIRST numbers with a distance of N/FIRST, the second one MIDDLE numbers with a distance of LAST,
// the third one LAST adjacent numbers. Frequency k + FIRST·(l + MIDDLE·m) is then at k·N/FIRST + l·LAST + m. The inverse runs backwards. A
// thread takes L lines at a time.
#pragma once
#include "transform.cuh"

// A number of each of L lines.
template<class Real, int L> struct __align__(2 * L * sizeof(Real)) Lines { Complex<Real> v[L]; };

// cos(x) and sin(x), 0 ≤ x ≤ π/4, by Taylor series.
__device__ constexpr double cosine_of(const double x) {
	double sum = 1, term = 1;
	for (int i = 1; i < 12; i++) sum += term *= -x * x / ((2 * i - 1) * (2 * i));
	return sum;
}

__device__ constexpr double sine_of(const double x) {
	double sum = x, term = x;
	for (int i = 1; i < 12; i++) sum += term *= -x * x / (2 * i * (2 * i + 1));
	return sum;
}

// cos(2π·k/n), 0 ≤ k ≤ n.
__device__ constexpr double cosine_at(const int k, const int n) {
	return 2 * k > n ? cosine_at(n - k, n) : 4 * k > n ? -cosine_at(n - 2 * k, 2 * n)
		: 8 * k > n ? sine_of(6.28318530717958647693 * (n - 4 * k) / (4.0 * n))
		: cosine_of(6.28318530717958647693 * k / n);
}

// sin(2π·k/n), 0 ≤ k < n.
__device__ constexpr double sine_at(const int k, const int n) {
	return 4 * k >= n ? cosine_at(4 * k - n, 4 * n) : cosine_at(n - 4 * k, 4 * n);
}

// a·exp(∓2πi·E/R); forward with minus.
template<bool FORWARD, int E, int R, class Real> __device__ __forceinline__ Complex<Real> turned(const Complex<Real> a) {
	if constexpr (E == 0) return a;
	else if constexpr (2 * E == R) return { -a.x, -a.y };
	else if constexpr (4 * E == (FORWARD ? R : 3 * R)) return { a.y, -a.x };
	else if constexpr (4 * E == (FORWARD ? 3 * R : R)) return { -a.y, a.x };
	else {
		constexpr Real c = (Real) cosine_at(E, R), s = (Real) (FORWARD ? -sine_at(E, R) : sine_at(E, R));
		if constexpr (8 * E == R && FORWARD) return { c * (a.x + a.y), c * (a.y - a.x) };
		else if constexpr (8 * E == R) return { c * (a.x - a.y), c * (a.x + a.y) };
		else return { a.x * c - a.y * s, a.x * s + a.y * c };
	}
}

// The factor of R that is transformed first.
__device__ constexpr int factor_of(const int r) { return r % 4 == 0 && r > 4 ? 4 : r % 2 == 0 && r > 2 ? 2 : r; }

// u[a][b] = t[a]·exp(∓2πi·a·b/(A·B)), from a on.
template<bool FORWARD, int A, int B, int b, int a = 0, class Real> __device__ __forceinline__ void turn_all(const Complex<Real> (&t)[A],
	Complex<Real> (&u)[A][B])
{
	if constexpr (a < A) {
		u[a][b] = turned<FORWARD, a * b, A * B>(t[a]);
		turn_all<FORWARD, A, B, b, a + 1>(t, u);
	}
}

template<bool FORWARD, int R, class Real> __device__ __forceinline__ void line(Complex<Real> (&v)[R]);

// The transforms of each A numbers with a distance of B, turned, from the one that starts at b on.
template<bool FORWARD, int A, int B, int b = 0, class Real> __device__ __forceinline__ void apart(const Complex<Real> (&v)[A * B],
	Complex<Real> (&u)[A][B])
{
	if constexpr (b < B) {
		Complex<Real> t[A];
		#pragma unroll
		for (int a = 0; a < A; a++) t[a] = v[a * B + b];
		line<FORWARD, A>(t);
		turn_all<FORWARD, A, B, b>(t, u);
		apart<FORWARD, A, B, b + 1>(v, u);
	}
}

// For an odd R: frequencies k + 1 and R - 1 - k, from the sums s and differences d of opposite numbers, from j on.
template<int R, int k, int j = 0, class Real> __device__ __forceinline__ void add_opposite(const Complex<Real> (&s)[R / 2],
	const Complex<Real> (&d)[R / 2], Complex<Real> &even, Complex<Real> &odd)
{
	if constexpr (j < R / 2) {
		constexpr Real c = (Real) cosine_at((k + 1) * (j + 1) % R, R), w = (Real) sine_at((k + 1) * (j + 1) % R, R);
		even.x += c * s[j].x;
		even.y += c * s[j].y;
		odd.x += w * d[j].x;
		odd.y += w * d[j].y;
		add_opposite<R, k, j + 1>(s, d, even, odd);
	}
}

template<bool FORWARD, int R, int k = 0, class Real> __device__ __forceinline__ void odd_line(const Complex<Real> (&s)[R / 2],
	const Complex<Real> (&d)[R / 2], const Complex<Real> first, Complex<Real> (&v)[R])
{
	if constexpr (k < R / 2) {
		Complex<Real> even = first, odd = { 0, 0 };
		add_opposite<R, k>(s, d, even, odd);
		const Complex<Real> o = turned<FORWARD, 1, 4>(odd);
		v[k + 1] = even + o;
		v[R - 1 - k] = even - o;
		odd_line<FORWARD, R, k + 1>(s, d, first, v);
	}
}

// The transform of R numbers, in their order.
template<bool FORWARD, int R, class Real> __device__ __forceinline__ void line(Complex<Real> (&v)[R]) {
	constexpr int A = factor_of(R), B = R / A;
	if constexpr (R == 1) return;
	else if constexpr (R == 2) {
		const Complex<Real> a = v[0], b = v[1];
		v[0] = a + b;
		v[1] = a - b;
	}
	else if constexpr (A < R) {
		Complex<Real> u[A][B];
		apart<FORWARD, A, B>(v, u);
		#pragma unroll
		for (int a = 0; a < A; a++) {
			line<FORWARD, B>(u[a]);
			#pragma unroll
			for (int b = 0; b < B; b++) v[a + A * b] = u[a][b];
		}
	}
	else if constexpr (R == 4) {
		const Complex<Real> a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = turned<FORWARD, 1, 4>(v[1] - v[3]);
		v[0] = a + c;
		v[1] = b + d;
		v[2] = a - c;
		v[3] = b - d;
	}
	else {
		Complex<Real> s[R / 2], d[R / 2];
		const Complex<Real> first = v[0];
		#pragma unroll
		for (int j = 0; j < R / 2; j++) {
			s[j] = v[j + 1] + v[R - 1 - j];
			d[j] = v[j + 1] - v[R - 1 - j];
			v[0] = v[0] + s[j];
		}
		odd_line<FORWARD, R>(s, d, first, v);
	}
}

template<bool FORWARD, int R, class Real, int L> __device__ __forceinline__ void lines_of(Lines<Real, L> (&v)[R]) {
	#pragma unroll
	for (int l = 0; l < L; l++) {
		Complex<Real> t[R];
		#pragma unroll
		for (int i = 0; i < R; i++) t[i] = v[i].v[l];
		line<FORWARD, R>(t);
		#pragma unroll
		for (int i = 0; i < R; i++) v[i].v[l] = t[i];
	}
}

// The radices of a length: FIRST·2^m.
template<int N> struct Radices {
	static constexpr int REST = N % 256 == 0 && N / 256 > 8 ? 256 : N % 128 == 0 && N / 128 > 8 ? 128 : N % 64 == 0 && N / 64 > 4 ? 64
		: N % 16 == 0 && N / 16 > 8 ? 16 : N % 8 == 0 && N / 8 > 4 ? 8 : 4;
	static constexpr int FIRST = N / REST, LAST = REST == 256 ? 16 : REST >= 64 ? 8 : REST, MIDDLE = REST / LAST;
	static_assert(FIRST <= 16 && FIRST * MIDDLE * LAST == N);
};

// ACROSS·L lines side by side. Threads: THREADS.
template<class Real, int L, int N, int ACROSS> struct LineBlock {
	typedef Lines<Real, L> V;
	typedef Radices<N> P;
	static constexpr int FIRST = P::FIRST, MIDDLE = P::MIDDLE, LAST = P::LAST, APART = N / FIRST, THREADS = APART * ACROSS;
	// a place is unused after LAST places, and another one after APART, so that the passes and the order of frequencies use different banks
	__device__ static constexpr int place(const int p) { return p + p / LAST + (MIDDLE > 1 ? p / APART : 0); }
	static constexpr int PLACES = N + N / LAST + (MIDDLE > 1 ? FIRST : 0), BYTES = PLACES * ACROSS * (int) sizeof(V);

	// the place of a frequency
	__device__ static int of_frequency(const int k) {
		const int rest = k / FIRST;
		return place(k % FIRST * APART + (MIDDLE > 1 ? rest % MIDDLE * LAST + rest / MIDDLE : rest));
	}

	V *const at;
	const Complex<Real> *const roots;
	const int thread;

	// v[k]·exp(∓2πi·n·k/(R·distance))
	template<bool FORWARD, int R> __device__ __forceinline__ void turn(V (&v)[R], const Complex<Real> *w, const int n,
		const int distance) const
	{
		#pragma unroll
		for (int k = 1; k < R; k++) {
			const Complex<Real> r = w[k * distance + n];
			#pragma unroll
			for (int l = 0; l < L; l++) v[k].v[l] = v[k].v[l] * (FORWARD ? r : conj(r));
		}
	}

	// load(v, n, way): v[j] becomes number n + j·APART
	template<class Load> __device__ __forceinline__ void forward_first(const Load &load) const {
		const int n = thread / ACROSS, way = thread % ACROSS;
		V v[FIRST];
		load(v, n, way);
		lines_of<true, FIRST>(v);
		turn<true, FIRST>(v, roots, n, APART);
		#pragma unroll
		for (int k = 0; k < FIRST; k++) at[place(k * APART + n) * ACROSS + way] = v[k];
	}

	// The counterpart: store(v, n, way).
	template<class Store> __device__ __forceinline__ void inverse_first(const Store &store) const {
		const int n = thread / ACROSS, way = thread % ACROSS;
		V v[FIRST];
		#pragma unroll
		for (int k = 0; k < FIRST; k++) v[k] = at[place(k * APART + n) * ACROSS + way];
		turn<false, FIRST>(v, roots, n, APART);
		lines_of<false, FIRST>(v);
		store(v, n, way);
	}

	template<bool FORWARD> __device__ __forceinline__ void middle() const {
		constexpr int ITEMS = N / MIDDLE * ACROSS;
		#pragma unroll 1
		for (int i = thread; i < ITEMS; i += THREADS) {
			const int way = i % ACROSS, g = i / ACROSS, n = g % LAST, p = g / LAST * APART + n;
			V *const from = at + place(p) * ACROSS + way;
			V v[MIDDLE];
			#pragma unroll
			for (int k = 0; k < MIDDLE; k++) v[k] = from[k * (LAST + 1) * ACROSS];
			if (!FORWARD) turn<false, MIDDLE>(v, roots + N, n, LAST);
			lines_of<FORWARD, MIDDLE>(v);
			if (FORWARD) turn<true, MIDDLE>(v, roots + N, n, LAST);
			#pragma unroll
			for (int k = 0; k < MIDDLE; k++) from[k * (LAST + 1) * ACROSS] = v[k];
		}
	}

	// use(v, g, way): the frequencies at g·LAST to g·LAST + LAST - 1. FORWARD, INVERSE: whether they are transformed before and after.
	// READ, WRITE: whether they are here before, and after.
	template<bool FORWARD, bool INVERSE, bool READ = true, bool WRITE = true,
		class Use> __device__ __forceinline__ void last(const Use &use) const
	{
		constexpr int ITEMS = N / LAST * ACROSS;
		#pragma unroll 1
		for (int i = thread; i < ITEMS; i += THREADS) {
			const int way = i % ACROSS, g = i / ACROSS;
			V *const from = at + place(g * LAST) * ACROSS + way;
			V v[LAST];
			if (READ)
				#pragma unroll
				for (int k = 0; k < LAST; k++) v[k] = from[k * ACROSS];
			if (FORWARD) lines_of<true, LAST>(v);
			use(v, g, way);
			if (INVERSE) lines_of<false, LAST>(v);
			if (WRITE)
				#pragma unroll
				for (int k = 0; k < LAST; k++) from[k * ACROSS] = v[k];
		}
	}
};
