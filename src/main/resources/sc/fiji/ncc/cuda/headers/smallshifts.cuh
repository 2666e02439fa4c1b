// The data of the kernels of many templates over small shifts (smallshifts.cu, shiftwindows.cu, shiftresponses.cu): templates, their parts and positions.
#pragma once
#include "common.cuh"

// Lags of a thread along x.
#define ACROSS 4

// A template. taps: where its rows begin; pitch: their distance, both in words. parts: what blocks take of it. sum: that of the template minus the middle of its
// type, or the mean of its taps in float. norm: √(N·Σ² - (Σ)²), or 1/√Σ² in float. limit: the greatest (Σ(P - ref))²/N over N·σ² without a recheck.
struct Model {
	int width, height, taps, pitch, firstPart, parts, pad[2];
	double n, sum, norm, limit;
};

// Tiles of one shape for a block: the position of the first in the template, their extents, the number of tiles across and down at a time, and the number
// of frames; the number of steps, each below the one before; and the number of tiles down in all.
struct Part {
	int model, shape, x, y, rows, columns, across, down, frames, steps, tiles, pad;
};

// A template in a frame: the first pixel of the window of its first lag.
struct Place {
	s64 first;
	int pitch;
	float undefined;
};

// Everything that one launch computes.
struct Batch {
	const void *raw;
	const Model *models;
	const Place *places; // of each frame, of each template
	int type, templates, frames, parts, lagsX, lagsY;
	int down, pad; // the rows of lags of a thread of the kernel that made the partial sums

	__device__ Place place(const int frame, const int model) const { return places[(size_t) frame * templates + model]; }
};

// Σ and Σ² of the pixels of a window, or mean and N·σ².
template<class A> struct Sums { A s, q; };

// Integers minus the middle of their type.
template<class P> __device__ inline int centred(const P v);
template<> __device__ inline int centred(const u8 v) { return (int) v - 128; }
template<> __device__ inline int centred(const s8 v) { return v; }
template<> __device__ inline int centred(const u16 v) { return (int) v - 32768; }
template<> __device__ inline int centred(const short v) { return v; }
