// What wide.cuh says of its errors, tried on the host, whose float arithmetic is the GPU's: compiled with the file itself, less what it includes, -DPAIRS and -ffp-contract=off. The
// GPU's root is imitated by one that errs by as much as it may. Prints what is wrong, and returns 1 then.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

#define __device__
#define __noinline__
#define __align__(N) alignas(N)
typedef unsigned char u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
static float __int_as_float(const int v) { float f; memcpy(&f, &v, 4); return f; }
static float __fadd_rn(const float a, const float b) { return a + b; }
static float __fsub_rn(const float a, const float b) { return a - b; }
static float __fmul_rn(const float a, const float b) { return a * b; }
static float __fmaf_rn(const float a, const float b, const float c) { return std::fmaf(a, b, c); }
static double __dsqrt_rn(const double v) { return std::sqrt(v); }
static double off = 0; // of the GPU's root, at most 1
static float rsqrtf(const float v) { return (float) (1 / std::sqrt((double) v) * (1 + off * (std::exp2(-22.9) - std::exp2(-24.0)))); }
template<class A> A __shfl_up_sync(u32, const A v, int) { return v; }
template<class A> A __shfl_sync(u32, const A v, int) { return v; }
template<class A> A __shfl_xor_sync(u32, const A v, int) { return v; }
struct Int128 {
	s64 high;
	u64 low;
	Int128 operator-() const { return { ~high + (low == 0 ? 1 : 0), 0 - low }; }
};
static double in_double(const s64 v) { return (double) v; }
static double in_double(const Int128 v) { return (double) (((__int128) v.high << 64) + (__int128) v.low); }
static int slow = 0;
static float exact_quotient(const double numerator, const double variance, const double norm) {
	slow++;
	return (float) (numerator / (std::sqrt(variance) * norm));
}
#include "wide.cuh"

typedef __float128 Real;
static std::mt19937_64 bits(1);
static Real value(const FloatPair v) { return (Real) v.high + v.low; }
static double magnitude(const Real v) { return (double) (v < 0 ? -v : v); }
static int failures = 0;

static void check(const char *what, const double error, const double bound) {
	if (error <= bound) return;
	if (failures++ < 20) printf("%s errs by 2^%.2f, not 2^%.2f\n", what, std::log2(error), std::log2(bound));
}

// Of any number of bits, and signs.
static s64 whole_number(const int most) {
	const int n = (int) (bits() % most) + 1;
	const s64 v = (s64) (bits() >> (64 - n));
	return bits() & 1 ? v : -v;
}

static FloatPair number() {
	const float high = std::ldexp((float) (int) bits(), (int) (bits() % 40) - 20);
	return ordered_sum(high, high * (float) ((int) bits() * 0x1p-55));
}

static Norm norm_of(const double norm) {
	const double inverse = 1 / norm;
	return { norm, inverse, (float) inverse, (float) (inverse - (float) inverse) };
}

template<class V> static void quotients(const char *what, const V numerator, const V variance, const V other) {
	const double n = in_double(numerator), v = in_double(variance), o = in_double(other), norm = std::sqrt(o);
	const float expected = (float) (n / (std::sqrt(v) * norm));
	const int before = slow;
	const float r = quotient(numerator, variance, norm_of(norm)), s = quotient(numerator, variance, other);
	slow = before + (slow > before);
	if (r != expected || s != expected || std::signbit(r) != std::signbit(expected)) check(what, 1, 0);
	const FloatPair roots = loose_product(root_inverse(pair_of(variance)), root_inverse(pair_of(other)));
	if (n != 0) check("the quotient", magnitude(value(loose_product(pair_of(numerator), roots)) * norm * std::sqrt(v) / n - 1), 0x1p-40);
}

int main() {
	const int N = 200000;
	for (int i = 0; i < N; i++) {
		off = i % 3 - 1;
		const FloatPair a = number(), b = i % 2 == 0 ? number() : -a + FloatPair(a.high * 0x1p-20f * (float) (int) bits());
		const Real x = value(a), y = value(b);
		check("a sum", magnitude(value(a + b) - (x + y)), 8 * 0x1p-48 * (magnitude(x) + magnitude(y)));
		check("a product", magnitude(value(a * b) - x * y), 8 * 0x1p-48 * magnitude(x * y));
		check("the error of a sum", magnitude(value(two_sum(a.high, b.high)) - ((Real) a.high + b.high)), 0);
		check("the error of a product", magnitude(value(two_product(a.high, b.high)) - (Real) a.high * b.high), 0);
		const s64 v = whole_number(53);
		check("a whole number", magnitude(value(pair_of(v)) - v), 0x1p-47 * std::fabs((double) v));
		check("a whole number of 32 bits", magnitude(value(pair_of((int) v)) - (int) v), 0);
		const __int128 w = (__int128) whole_number(62) * whole_number(38);
		const Int128 large = { (s64) (w >> 64), (u64) w };
		check("a whole number of 100 bits", magnitude(value(pair_of(large)) - (Real) w), 0x1p-47 * magnitude((Real) w));
		// variances as windows have them, and quotients up to 1
		const s64 variance = std::llabs(whole_number(53)) + 1, other = std::llabs(whole_number(53)) + 1;
		const FloatPair p = pair_of(variance), root = root_inverse(p);
		const Real square = value(root) * value(root) * value(p);
		check("a root", magnitude(square - 1) / 2, 0x1p-44);
		check("a root's low part", std::fabs(root.low), 3 * 0x1p-24 * root.high);
		const s64 numerator = i % 100 == 0 ? 0 : (s64) (std::sqrt((double) variance) * std::sqrt((double) other) * (2 * (bits() >> 11) * 0x1p-53 - 1));
		quotients("a response", numerator, variance, other);
		const auto wide = [](const s64 u) { return Int128 { u < 0 ? -1 : 0, (u64) u }; };
		if (i % 4 == 0) quotients("a response of 128 bits", wide(numerator), wide(variance), wide(other));
		// quotients next to the middle between two floats
		const s64 unit = s64(1) << 25, middle = ((s64(1) << 24) + (s64) (bits() >> 41) * 2 + 1);
		quotients("a response in the middle", middle, unit * unit, (s64) 1);
		quotients("a response beside the middle", middle * (s64(1) << 27) + (s64) (bits() % 3) - 1, (s64(1) << 52), (s64(1) << 52));
	}
	printf("%d of %d quotients unsure\n", slow, N * 13 / 4);
	if (slow == 0) check("none", 1, 0);
	return failures > 0 ? 1 : 0;
}
