// Products of small matrices of bytes on the matrix units.
#pragma once
#include "common.cuh"

// c += a·b for a of 16x32 bytes and b of 32x8. Each may be signed (s8) or not (u8). The old c is a separate operand, so that zeros need no register.
#if __CUDA_ARCH__ >= 800
#define PRODUCT(A, B) asm("mma.sync.aligned.m16n8k32.row.col.s32." A "." B ".s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" \
	: "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3]) : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(c[0]), "r"(c[1]), "r"(c[2]), \
		"r"(c[3]))
#else
#define QUARTER(A, B, C0, C1, X, Y) asm("mma.sync.aligned.m8n8k16.row.col.s32." A "." B ".s32 {%0,%1}, {%2}, {%3}, {%4,%5};" \
	: "=r"(C0), "=r"(C1) : "r"(X), "r"(Y), "r"(C0), "r"(C1))
#define PRODUCT(A, B) do { QUARTER(A, B, c[0], c[1], a.x, b.x); QUARTER(A, B, c[2], c[3], a.y, b.x); \
	QUARTER(A, B, c[0], c[1], a.z, b.y); QUARTER(A, B, c[2], c[3], a.w, b.y); } while (0)
#endif

template<bool SignedTemplate, bool SignedImage> __device__ inline void product(int *c, const uint4 a, const uint2 b) {
	if (SignedTemplate && SignedImage) PRODUCT("s8", "s8");
	else if (SignedTemplate) PRODUCT("s8", "u8");
	else if (SignedImage) PRODUCT("u8", "s8");
	else PRODUCT("u8", "u8");
}

// The part of a thread of the matrix of a row of coefficients, shifted by 0..15 places, for 32 of its columns. 16 zeros precede the coefficients.
// coefficient: coefficients_of(row).
__device__ inline uint4 matrix_of(const u8 *coefficient, const int k, const int shift) {
	const u32 *w = (const u32 *) (coefficient + 32 * k);
	const u32 w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4];
	return make_uint4(__funnelshift_r(w2, w3, shift), __funnelshift_r(w0, w1, shift), __funnelshift_r(w3, w4, shift), __funnelshift_r(w1, w2, shift));
}

// The word at which the 16 coefficients of this thread begin, 8 before those of its first row. bits_in_word: the bits within the word.
__device__ inline const u8 *coefficients_of(const u8 *row) {
	const int lane = threadIdx.x & 31, group = lane / 4, member = lane & 3;
	return row + ((8 + 8 * member - group) & ~3);
}

__device__ inline int bits_in_word() { return 8 * (-(int) ((threadIdx.x & 31) / 4) & 3); }
