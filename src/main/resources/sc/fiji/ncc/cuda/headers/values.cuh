// Pixels of any type as numbers, and back. type: as the ordinals of plan.PixelType.
#pragma once
#include "common.cuh"

__device__ inline double value_of(const void *raw, const int type, const size_t i) {
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

// The nearest integer of a range, half of them the even one.
__device__ inline double rounded(const double v, const double least, const double greatest) { return rint(fmax(least, fmin(greatest, v))); }

// Rounds a number to the type.
__device__ inline void put_value(void *to, const int type, const size_t i, const double v) {
	switch (type) {
		case 0: ((u8 *) to)[i] = (u8) rounded(v, 0, 255); break;
		case 1: ((s8 *) to)[i] = (s8) rounded(v, -128, 127); break;
		case 2: ((u16 *) to)[i] = (u16) rounded(v, 0, 65535); break;
		case 3: ((short *) to)[i] = (short) rounded(v, -32768, 32767); break;
		case 4: ((u32 *) to)[i] = (u32) rounded(v, 0, 4294967295.0); break;
		case 5: ((int *) to)[i] = (int) rounded(v, -2147483648.0, 2147483647.0); break;
		case 6: ((float *) to)[i] = (float) v; break;
		default: ((double *) to)[i] = v;
	}
}
