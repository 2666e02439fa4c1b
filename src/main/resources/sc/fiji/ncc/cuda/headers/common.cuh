// What all kernels share: the geometry of a box of lags, and how sums become responses.
#pragma once

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

// A box of lags of one template and the pixels it needs: lags + template - 1 along each dimension, 0 where they lie outside the image.
struct Box {
	int width, height, depth; // of the template
	int lagsX, lagsY, lagsZ;
	int pitch, rows, planes; // extents of the pixels on the device, in elements; pitch includes the padding of a row
	int fromX, fromY, fromZ; // where the image's part begins in the box
	int partX, partY, partZ; // its extents
	int rawX, rawY, rawZ; // where that part begins in the pixels that were sent
	int rawWidth, rawHeight; // their extents
};

// The map, and the responses that need more work. counts: undefined responses, suspects, rechecked responses.
struct Outcome {
	float *map;
	u32 *counts;
	u32 *suspects;
	float undefined;
	int pitch; // of a row of the map; the number of lags of a row except in bank.cu
};

__device__ inline int align16(const int n) { return (n + 15) & ~15; }

// Adds the number of active threads of the warp with yes to a counter.
__device__ inline void count(u32 *counter, const bool yes) {
	const u32 active = __activemask(), all = __ballot_sync(active, yes);
	if (all == 0) return;
	const int lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
	if (lane == __ffs(all) - 1) atomicAdd(counter, __popc(all));
}

// An integer of 128 bits.
struct Int128 {
	s64 high;
	u64 low;

	__device__ Int128 operator-() const { return { ~high + (low == 0 ? 1 : 0), 0 - low }; }
	__device__ bool operator==(const int zero) const { return high == zero && low == (u64) zero; }
};

// a·b - c·d
__device__ inline Int128 difference_of(const s64 a, const s64 b, const s64 c, const s64 d) {
	const u64 ab = (u64) a * (u64) b, cd = (u64) c * (u64) d;
	return { __mul64hi(a, b) - __mul64hi(c, d) - (ab < cd ? 1 : 0), ab - cd };
}

__device__ inline double in_double(const double v) { return v; }
__device__ inline double in_double(const s64 v) { return (double) v; }

// Rounded in the same way as on the CPU: both give the same bits.
__device__ inline double in_double(const Int128 v) {
	if (v.high == (s64) v.low >> 63) return (double) (s64) v.low;
	const Int128 m = v.high < 0 ? -v : v;
	const s64 low = (s64) m.low;
	const double rest = low >= 0 ? (double) low : __dmul_rn((double) (s64) (m.low >> 1 | (m.low & 1)), 2.0);
	const double sum = __dadd_rn(__dmul_rn((double) m.high, 18446744073709551616.0), rest);
	return v.high < 0 ? -sum : sum;
}

__device__ inline double difference(const s64 a, const s64 b, const s64 c, const s64 d) { return in_double(difference_of(a, b, c, d)); }

// 1/√v, to one or two roundings: a term of the third order in the approximation's error e remains.
__device__ inline double root_inverse(const double v) {
	double y;
	asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(v));
	const double e = fma(-v * y, y, 1.0);
	return fma(y * e, fma(e, 0.375, 0.5), y);
}

// Integers as doubles, by additions: a multiprocessor has few units for conversions.
__device__ inline double as_double(const u32 v) { return __hiloint2double(0x43300000, (int) v) - 4503599627370496.0; }
__device__ inline double as_double(const int v) { return __hiloint2double(0x43300000, v ^ (int) 0x80000000) - 4503601774854144.0; }

// Whether the quick quotient may round to the wrong float. Its relative error is below 1e-15, which is 9 last places.
__device__ inline bool unsure(const double quick) { return ((u32) __double2loint(quick) & 0x1fffffffu) - (0x10000000u - 64) <= 128; }

// numerator / (sqrt(variance)·norm) with each operation rounded in double, as the CPU does.
__device__ inline double double_quotient(const double numerator, const double variance, const double norm) {
	return __ddiv_rn(numerator, __dmul_rn(__dsqrt_rn(variance), norm));
}

__device__ inline float exact_quotient(const double numerator, const double variance, const double norm) {
	return (float) double_quotient(numerator, variance, norm);
}

// The same, by a quicker quotient where that is accurate enough.
__device__ inline float quotient(const double numerator, const double variance, const double rootInverse, const double norm, const double inverseNorm) {
	const double quick = numerator * rootInverse * inverseNorm;
	return unsure(quick) ? exact_quotient(numerator, variance, norm) : (float) quick;
}

__device__ inline float quotient(const double numerator, const double variance, const double norm, const double inverseNorm) {
	return quotient(numerator, variance, root_inverse(variance), norm, inverseNorm);
}

// The value of a pixel in its original type. type: the ordinal of PixelType.
__device__ inline double raw_value(const void *raw, const int type, const size_t i) {
	switch (type) {
		case 0: return ((const u8 *) raw)[i];
		case 1: return ((const s8 *) raw)[i];
		case 2: return ((const u16 *) raw)[i];
		case 3: return ((const short *) raw)[i];
		case 4: return ((const u32 *) raw)[i];
		case 5: return ((const int *) raw)[i];
		case 6: return ((const float *) raw)[i];
		default: return ((const double *) raw)[i];
	}
}

// Where pixel (x, y, z) of the box lies in the pixels that were sent; it must lie in the image's part.
__device__ inline size_t raw_index(const Box &b, const int x, const int y, const int z) {
	return ((size_t) (z - b.fromZ + b.rawZ) * b.rawHeight + y - b.fromY + b.rawY) * b.rawWidth + x - b.fromX + b.rawX;
}

__device__ inline bool in_image(const Box &b, const int x, const int y, const int z) {
	return (u32) (x - b.fromX) < (u32) b.partX && (u32) (y - b.fromY) < (u32) b.partY && (u32) (z - b.fromZ) < (u32) b.partZ;
}

// 2^-exponent of a positive double, kept where it and its inverse are normal numbers.
__device__ inline double downscale(const double reach) {
	int e = (int) (__double_as_longlong(reach) >> 52 & 0x7ff) - 1023;
	e = max(-1022, min(1022, e));
	return reach == 0 ? 1 : __longlong_as_double((s64) (1023 - e) << 52);
}
