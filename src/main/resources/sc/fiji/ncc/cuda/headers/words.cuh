// Three kinds of numbers of smallshifts.cu: words of E pixels or coefficients, and their products and sums.
#pragma once
#include "smallshifts.cuh"

// 8 bits: four products per instruction. A sum of 32 bits holds the products of 2^17 pixels.
struct Bytes {
	typedef u32 Word;
	typedef u32 Quad;
	typedef int Sum;
	typedef int Out;
	static constexpr int E = 4;

	template<class P> __device__ static Quad quad(const P *p, const int n, const double) {
		Quad q = 0;
		#pragma unroll
		for (int i = 0; i < 4; i++) if (i < n) q |= (u32) (centred(__ldg(p + i)) & 0xff) << 8 * i;
		return q;
	}
	__device__ static void split(const Quad q, Word *w) { *w = q; }
	__device__ static void add(Sum &s, const Word coefficient, const Word pixels) { s = __dp4a((int) pixels, (int) coefficient, s); }
	__device__ static Out out(const Sum s) { return s; }
};

// 16 bits: separate upper and lower bytes of two coefficients. A sum holds the products of 256 pixels.
struct Shorts {
	typedef u32 Word;
	typedef uint2 Quad;
	struct Sum { int upper, lower; };
	typedef s64 Out;
	static constexpr int E = 2;

	template<class P> __device__ static Quad quad(const P *p, const int n, const double) {
		u32 v[4];
		#pragma unroll
		for (int i = 0; i < 4; i++) v[i] = i < n ? (u32) centred(__ldg(p + i)) & 0xffff : 0;
		return make_uint2(v[0] | v[1] << 16, v[2] | v[3] << 16);
	}
	__device__ static void split(const Quad q, Word *w) { w[0] = q.x; w[1] = q.y; }
	__device__ static void add(Sum &s, const Word coefficient, const Word pixels) {
		asm("dp2a.lo.s32.s32 %0, %1, %2, %0;" : "+r"(s.upper) : "r"(pixels), "r"(coefficient));
		asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(s.lower) : "r"(pixels), "r"(coefficient));
	}
	__device__ static Out out(const Sum s) { return ((s64) s.upper << 8) + s.lower; }
};

// Float: pixels minus a reference near the window.
struct Floats {
	typedef float Word;
	typedef float4 Quad;
	typedef float Sum;
	typedef float Out;
	static constexpr int E = 1;

	__device__ static float about(const float v, const double reference) { return v - (float) reference; }
	__device__ static float about(const double v, const double reference) { return (float) (v - reference); }
	template<class P> __device__ static float about(const P v, const double reference) {
		return sizeof(P) < 4 ? (float) v - (float) reference : (float) ((double) v - reference);
	}
	template<class P> __device__ static Quad quad(const P *p, const int n, const double reference) {
		float v[4];
		#pragma unroll
		for (int i = 0; i < 4; i++) v[i] = i < n ? about(__ldg(p + i), reference) : 0;
		return make_float4(v[0], v[1], v[2], v[3]);
	}
	__device__ static void split(const Quad q, Word *w) { w[0] = q.x; w[1] = q.y; w[2] = q.z; w[3] = q.w; }
	__device__ static void add(Sum &s, const Word coefficient, const Word pixel) { s = fmaf(coefficient, pixel, s); }
	__device__ static Out out(const Sum s) { return s; }
};

// E pixels, beginning with the e-th.
template<class K, int WORDS> __device__ inline typename K::Word pixels_at(const typename K::Word (&w)[WORDS], const int e) {
	const int i = e / K::E, r = e % K::E;
	if constexpr (K::E == 1) return w[i];
	else return r == 0 ? w[i] : i + 1 < WORDS ? __funnelshift_r(w[i], w[i + 1], 32 / K::E * r) : w[i] >> 32 / K::E * r;
}
