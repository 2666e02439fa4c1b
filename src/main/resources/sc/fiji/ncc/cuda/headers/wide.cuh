// Arithmetic with more than the 24 bits of float. Default: in double. With -DPAIRS: in pairs of floats after Dekker (1971), Knuth (TAOCP 2, 4.2.2) and
// Shewchuk (1997), and in integers where these are exact; for cards with one double unit per 32 or 64 float units (all except those for data centres).
// Some results must round as on the CPU. A bound tells whether a pair certainly does; the few others are computed in double. In this file, eps = 2^-24.
#pragma once
#include "common.cuh"

// The sum of two floats. high is the rounded sum: |low| ≤ eps·|high|.
struct __align__(8) FloatPair {
	float high, low;

	FloatPair() = default;
	__device__ FloatPair(const float high) : high(high), low(0) {}
	__device__ FloatPair(const float high, const float low) : high(high), low(low) {}
};

// a + b without an error (Knuth). The intrinsics are never contracted.
__device__ inline FloatPair two_sum(const float a, const float b) {
	const float s = __fadd_rn(a, b), part = __fsub_rn(s, a);
	return { s, __fadd_rn(__fsub_rn(a, __fsub_rn(s, part)), __fsub_rn(b, part)) };
}

// The same for |a| ≥ |b|, or a = 0 (Dekker).
__device__ inline FloatPair ordered_sum(const float a, const float b) {
	const float s = __fadd_rn(a, b);
	return { s, __fsub_rn(b, __fsub_rn(s, a)) };
}

// a·b without an error, if that does not underflow.
__device__ inline FloatPair two_product(const float a, const float b) {
	const float p = __fmul_rn(a, b);
	return { p, __fmaf_rn(a, b, -p) };
}

// The error is below 8·eps²·(|a| + |b|). The sum of the low parts rounds by up to eps² of that, the sum with the rounding error of the high parts by up to
// 2·eps², and so does the last step if the high parts cancel.
__device__ inline FloatPair operator+(const FloatPair a, const FloatPair b) {
	const FloatPair s = two_sum(a.high, b.high);
	return ordered_sum(s.high, __fadd_rn(s.low, __fadd_rn(a.low, b.low)));
}

__device__ inline FloatPair operator-(const FloatPair a) { return { -a.high, -a.low }; }
__device__ inline FloatPair operator-(const FloatPair a, const FloatPair b) { return a + -b; }
__device__ inline bool operator<=(const FloatPair a, const FloatPair b) { return a.high <= b.high; }
__device__ inline FloatPair &operator+=(FloatPair &a, const FloatPair b) { return a = a + b; }
__device__ inline FloatPair &operator-=(FloatPair &a, const FloatPair b) { return a = a - b; }

// a·b, not normalised: low is up to eps·|high| more than the low parts together. If the factors have |low| ≤ 6·eps·|high| and |low| ≤ 3·eps·|high|, the relative
// error is below 2^-42.9: the product of the low parts, up to 18·eps², is omitted, and the sums of the other parts, below 4·eps and 10·eps, are rounded.
__device__ inline FloatPair loose_product(const FloatPair a, const FloatPair b) {
	const FloatPair p = two_product(a.high, b.high);
	return { p.high, __fmaf_rn(a.low, b.high, __fmaf_rn(a.high, b.low, p.low)) };
}

// Normalised. The relative error for normalised factors is below 8·eps².
__device__ inline FloatPair operator*(const FloatPair a, const FloatPair b) {
	const FloatPair p = loose_product(a, b);
	return ordered_sum(p.high, p.low);
}

// 1/√v of a normal number, not normalised: |low| ≤ 3·eps·|high|. The relative error is below 2^-44. The y of the GPU has a relative error of 2^-22.9, so
// e = 1 - v·y² is below 2^-21. Its three roundings are 2^-46 each. Then 1/√v = y·(1 + e/2 + 3/8·e² + ...).
__device__ inline FloatPair root_inverse(const FloatPair v) {
	const float y = rsqrtf(v.high);
	const FloatPair square = two_product(y, y);
	const float e = __fmaf_rn(-v.low, square.high, __fmaf_rn(-v.high, square.low, __fmaf_rn(-v.high, square.high, 1.0f)));
	return { y, __fmul_rn(y, __fmul_rn(e, __fmaf_rn(e, 0.375f, 0.5f))) };
}

__device__ inline float root_inverse(const float v) { return rsqrtf(v); }

__device__ inline double in_double(const FloatPair v) { return (double) v.high + (double) v.low; }

// Whether numbers are in floating point.
template<class A> __device__ constexpr bool real() { return (A) 0.5 != 0; }
template<> __device__ constexpr bool real<FloatPair>() { return true; }

// The rounding of a type relative to that of double: 2^5 for pairs, doubled because products round, too.
template<class A> __device__ constexpr double rounding() { return 1; }
template<> __device__ constexpr double rounding<FloatPair>() { return 64; }

// Values of other lanes: of the lane that is lower by a distance, of one lane for all, of the lane whose index differs in these bits.
template<class A> __device__ inline A up(const A v, const int distance) { return __shfl_up_sync(~0u, v, distance); }
template<class A> __device__ inline A of_lane(const A v, const int lane) { return __shfl_sync(~0u, v, lane); }
template<class A> __device__ inline A opposite(const A v, const int bits) { return __shfl_xor_sync(~0u, v, bits); }
template<> __device__ inline FloatPair up(const FloatPair v, const int distance) { return { up(v.high, distance), up(v.low, distance) }; }
template<> __device__ inline FloatPair of_lane(const FloatPair v, const int lane) { return { of_lane(v.high, lane), of_lane(v.low, lane) }; }
template<> __device__ inline FloatPair opposite(const FloatPair v, const int bits) { return { opposite(v.high, bits), opposite(v.low, bits) }; }

// Integers as floats, exactly, by additions: 20 bits, times 2^(20·k), become the last places of 2^(23 + 20·k).
template<int K> __device__ inline float twenty_bits(const u32 v) {
	return __fsub_rn(__int_as_float((int) (v | (u32) (150 + 20 * K) << 23)), __int_as_float((150 + 20 * K) << 23));
}

// Exact up to 2^47; for larger numbers the relative error is below 2^-47. Pieces of 14, 20 and 20 bits; the first has the sign. |v| < 2^53.
__device__ inline FloatPair pair_of(const s64 v) {
	const int middle = ((150 + 40) << 23) + (1 << 22);
	const float top = __fsub_rn(__int_as_float(middle + (int) (v >> 40)), __int_as_float(middle));
	const FloatPair upper = ordered_sum(top, twenty_bits<1>((u32) (v >> 20) & 0xfffff));
	return ordered_sum(upper.high, __fadd_rn(upper.low, twenty_bits<0>((u32) v & 0xfffff)));
}

__device__ inline FloatPair pair_of(const int v) { return ordered_sum(__fmul_rn((float) (v >> 16), 65536.0f), (float) (v & 0xffff)); }

// The same for up to 100 bits.
__device__ inline FloatPair pair_of(const Int128 v) {
	const bool negative = v.high < 0;
	const Int128 m = negative ? -v : v;
	// pieces of 18, 20, 22 and 22 bits; those beyond 2^64 have 36
	const FloatPair top = ordered_sum(__fmul_rn((float) (int) (m.high >> 18), 0x1p82f), __fmul_rn((float) ((int) m.high & 0x3ffff), 0x1p64f));
	const FloatPair upper = ordered_sum(top.high, __fadd_rn(top.low, __fmul_rn((float) (u32) (m.low >> 44), 0x1p44f)));
	const FloatPair middle = ordered_sum(upper.high, __fadd_rn(upper.low, __fmul_rn((float) ((u32) (m.low >> 22) & 0x3fffff), 0x1p22f)));
	const FloatPair all = ordered_sum(middle.high, __fadd_rn(middle.low, (float) ((u32) m.low & 0x3fffff)));
	return negative ? -all : all;
}

// Whether a number with a relative error of 2^-40 may round to another float than its high part.
__device__ inline bool unsure(const FloatPair v) {
	return __fadd_rn(v.high, __fmaf_rn(v.high, 0x1p-40f, v.low)) != v.high || __fadd_rn(v.high, __fmaf_rn(v.high, -0x1p-40f, v.low)) != v.high;
}

// The norm of a template, √(N·ΣT² - (ΣT)²), and its inverse in double and as a pair.
struct Norm {
	double norm, inverse;
	float high, low;
};

// The same for an integer template, with ΣT.
struct NormAndSum {
	Norm norm;
	int sum, pad;
};

// The number types of the kernels. Wide: at least 48 bits. Narrow: accurate enough for a response in float. Whole: integers up to 2^53. Factor: a factor of 32 bits
// in the form that products need; converted once for many responses.
#ifdef PAIRS
typedef FloatPair Wide;
typedef float Narrow;
typedef s64 Whole;
typedef int Factor;

__device__ inline Wide wide(const double v) { return { (float) v, (float) (v - (double) (float) v) }; }
__device__ inline Wide wide(const float v) { return v; }
__device__ inline Wide wide(const int v) { return pair_of(v); }
__device__ inline Wide wide(const s64 v) { return pair_of(v); }
__device__ inline Wide wide(const Int128 v) { return pair_of(v); }
__device__ inline Narrow narrow(const FloatPair v) { return v.high; }

__device__ inline Factor factor(const int v) { return v; }

// a·b - c·d. An unsigned b is not negative.
__device__ inline Whole whole(const Factor a, const u32 b, const int c, const Factor d) { return (s64) ((u64) (u32) a * b) - (s64) c * d; }
__device__ inline Whole whole(const Factor a, const int b, const int c, const Factor d) { return (s64) a * b - (s64) c * d; }

// In double. A separate function, because few responses need it.
template<class V> static __device__ __noinline__ float slowly(const V numerator, const V variance, const double norm) {
	return exact_quotient(in_double(numerator), in_double(variance), norm);
}

template<class V> static __device__ __noinline__ float slowly(const V numerator, const V variance, const V other) {
	return exact_quotient(in_double(numerator), in_double(variance), __dsqrt_rn(in_double(other)));
}

// (float) (numerator / (√variance·norm)) with each operation rounded in double. root: 1/√variance. The relative error of the pair is below 2^-42.9 for each
// product, 2^-44 for each root and 2^-47 for each input: below 2^-40.5 in all, with one root or two.
template<class V> __device__ inline float quotient(const V numerator, const V variance, const FloatPair root, const Norm &norm) {
	const FloatPair q = loose_product(loose_product(pair_of(numerator), root), FloatPair(norm.high, norm.low)), quick = ordered_sum(q.high, q.low);
	return unsure(quick) ? slowly(numerator, variance, norm.norm) : quick.high;
}

// The same for a norm that is the root of an integer.
template<class V> __device__ inline float quotient(const V numerator, const V variance, const V other) {
	const FloatPair q = loose_product(loose_product(pair_of(numerator), root_inverse(pair_of(variance))), root_inverse(pair_of(other)));
	const FloatPair quick = ordered_sum(q.high, q.low);
	return unsure(quick) ? slowly(numerator, variance, other) : quick.high;
}
#else
typedef double Wide;
typedef double Narrow;
typedef double Whole;
typedef double Factor;

__device__ inline Wide wide(const int v) { return as_double(v); }
__device__ inline Wide wide(const s64 v) { return (double) v; }
__device__ inline Wide wide(const double v) { return v; }
__device__ inline Wide wide(const Int128 v) { return in_double(v); }

__device__ inline Factor factor(const int v) { return as_double(v); }

__device__ inline Whole whole(const Factor a, const u32 b, const int c, const Factor d) { return fma(a, as_double(b), -(as_double(c) * d)); }
__device__ inline Whole whole(const Factor a, const int b, const int c, const Factor d) { return fma(a, as_double(b), -(as_double(c) * d)); }

template<class V> __device__ inline float quotient(const V numerator, const V variance, const double root, const Norm &norm) {
	return quotient(in_double(numerator), in_double(variance), root, norm.norm, norm.inverse);
}

template<class V> __device__ inline float quotient(const V numerator, const V variance, const V other) {
	const double norm = __dsqrt_rn(in_double(other));
	return quotient(in_double(numerator), in_double(variance), norm, 1 / norm);
}
#endif

__device__ inline double narrow(const double v) { return v; }

template<class V> __device__ inline float quotient(const V numerator, const V variance, const Norm &norm) {
	return quotient(numerator, variance, root_inverse(wide(variance)), norm);
}

// The mean of a window and its N·σ².
template<class W> struct __align__(16) Moments { W mean, variance; };
typedef Moments<Wide> RealWindow;
