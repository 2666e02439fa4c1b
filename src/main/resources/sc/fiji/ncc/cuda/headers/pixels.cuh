// Pixels about a reference, for transforms.
#pragma once
#include "common.cuh"

// A pixel minus the reference: integers exactly, others in double. The result is rounded once.
__device__ inline int about(const s8 v, const double reference) { return v - (int) reference; }
__device__ inline int about(const short v, const double reference) { return v - (int) reference; }
__device__ inline double about(const float v, const double reference) { return v - reference; }
__device__ inline double about(const double v, const double reference) { return v - reference; }

// A number, or 0 if it is NaN or infinite.
template<class Real> __device__ inline Real deviation(const Real v) {
	return fabs(v) <= (sizeof(Real) == 4 ? (Real) 3.402823466e38f : (Real) 1e300) ? v : (Real) 0;
}

// The same in float or double. NaN and infinite pixels become 0.
template<class Real, class P> __device__ inline Real deviation(const P pixel, const double reference) { return deviation((Real) about(pixel, reference)); }
