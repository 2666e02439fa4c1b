// Adjacent values that are read or written at once.
#pragma once
#include "common.cuh"

// M adjacent values.
template<class P, int M> struct Pack;
template<> struct __align__(4) Pack<s8, 4> { s8 v[4]; };
template<> struct __align__(8) Pack<s8, 8> { s8 v[8]; };
template<> struct __align__(8) Pack<short, 4> { short v[4]; };
template<> struct __align__(16) Pack<float, 4> { float v[4]; };
template<> struct __align__(16) Pack<double, 4> { double v[4]; };
template<> struct __align__(16) Pack<u32, 4> { u32 v[4]; };
template<> struct __align__(16) Pack<u64, 4> { u64 v[4]; };
