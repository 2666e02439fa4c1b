// The magnitude of the pixels of a box for convolution, and the step from sums to responses.
#pragma once
#include "common.cuh"

// The greatest finite magnitude of the original pixels, as the bits of a double; and whether one is NaN or infinite.
struct Reach { u64 greatest, defective; };

template<class P> __device__ inline bool is_finite(const P v) { return fabs((double) v) <= 1.7976931348623157e308; }
__device__ inline bool is_finite(const s8) { return true; }
__device__ inline bool is_finite(const short) { return true; }
__device__ inline bool is_finite(const u8) { return true; }
__device__ inline bool is_finite(const u16) { return true; }
__device__ inline bool is_finite(const u32) { return true; }
__device__ inline bool is_finite(const int) { return true; }
__device__ inline bool is_finite(const float v) { return fabsf(v) <= 3.402823466e38f; }

// The exponent of the power of two by which sums of scaled pixels are multiplied. null: pixels are not scaled.
__device__ inline int exponent_of(const Reach *reach) {
	if (reach == 0) return 0;
	const double by = downscale(__longlong_as_double((s64) reach->greatest));
	return 1023 - (int) (__double_as_longlong(by) >> 52 & 0x7ff);
}

// The greatest magnitude of the scaled pixels.
__device__ inline double most_of(const Reach *reach, const bool scaled) {
	const double most = __longlong_as_double((s64) reach->greatest);
	return scaled ? most * downscale(most) : most;
}

// A result too large for the type becomes infinite.
template<class Real> __device__ inline Real scaled(const double sum, const int exponent) { return (Real) (exponent == 0 ? sum : scalbn(sum, exponent)); }

template<class Real> __device__ inline void store(const Outcome &out, const size_t lag, const double sum, const int exponent) {
	((Real *) out.map)[lag] = scaled<Real>(sum, exponent);
}
