// Numbers as pixels of any type. The opposite is raw_value. type: the ordinal of PixelType.
#pragma once
#include "common.cuh"

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
