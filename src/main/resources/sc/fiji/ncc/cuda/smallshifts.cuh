// What the kernels of many templates over small shifts share (smallshifts.cu, shiftwindows.cu, shiftresponses.cu): templates, their parts and their places.
#pragma once
#include "common.cuh"

// Lags of a thread along x.
#define ACROSS 4

// A template. taps: where its rows begin, and how far they lie apart, in words; its parts are what blocks take of it. sum: of the template about the middle of
// its type, or the mean of its taps in float; norm: √(N·Σ² - (Σ)²), or 1/√Σ² in float; limit: the greatest (Σ(P - ref))²/N over N·σ² that stands.
struct Model {
	int width, height, taps, pitch, firstPart, parts, pad[2];
	double n, sum, norm, limit;
};

// Tiles of one shape that a block takes: where the first begins in the template, their extents, how many lie side by side and below each other at a time, of how
// many frames; so often, one time below the other; and how many lie below each other in all.
struct Part {
	int model, shape, x, y, rows, columns, across, down, frames, steps, tiles, pad;
};

// A template in a frame: the window of its first lag begins at this pixel of those that were sent.
struct Place {
	s64 first;
	int pitch;
	float undefined;
};

// All that is computed at once.
struct Batch {
	const void *raw;
	const Model *models;
	const Place *places; // of each frame, of each template
	int type, templates, frames, parts, lagsX, lagsY;
	int down, pad; // rows of lags of a thread of what made the partial sums

	__device__ Place place(const int frame, const int model) const { return places[(size_t) frame * templates + model]; }
};

// Σ and Σ² of a window's pixels, or what stands for that.
template<class A> struct Sums { A s, q; };

// Whole numbers about the middle of their type.
template<class P> __device__ inline int centred(const P v);
template<> __device__ inline int centred(const u8 v) { return (int) v - 128; }
template<> __device__ inline int centred(const s8 v) { return v; }
template<> __device__ inline int centred(const u16 v) { return (int) v - 32768; }
template<> __device__ inline int centred(const short v) { return v; }
