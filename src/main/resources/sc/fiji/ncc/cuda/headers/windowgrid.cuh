// What patches.cu and windowfit.cu share: the grid of windows, padded frames, and what is found for each window.
#pragma once
#include "common.cuh"

#define THREADS 128 // of a block of a window

enum { MISSING = 1, NOT_FINITE = 2 }; // of a pixel
enum { NO_PEAK, FOUND, UNSURE }; // of a window

// Extents along x and y: of a frame, of windows, of their spacing, the numbers of lags and of windows; the margin of padded frames, which has the
// largest shift and a pixel more, their pitch and rows; the segments of patches; and of the windows at a time the first row, and the first row of
// segments.
struct Windows {
	int frameX, frameY, windowX, windowY, spacingX, spacingY, lagsX, lagsY, countX, countY, marginX, marginY, pitch, rows, cutsX, cutsY, fromRow, fromCut;
};

// Padded frames, and what their pixels are.
template<class P> struct Frames {
	const P *fixed, *moving;
	const u8 *ofFixed, *ofMoving;
};

// The peaks of a window: the scores around the highest one, x fastest; the score of the second one; the offset between the pixels and its covariance
// xx, xy, yy; the lags of both peaks, second -1 without one; state; whether the offset is fitted.
struct Found {
	double scores[9], runnerUp, offset[2], covariance[3];
	int best, second, state, fitted;
};

// The elements of rows in turn: those of a thread.
struct Walk {
	const int width, right, down;
	int x, y;

	__device__ Walk(const int width) : width(width), right(THREADS % width), down(THREADS / width), x(threadIdx.x % width), y(threadIdx.x / width) {}
	__device__ void next() {
		x += right;
		y += down;
		if (x >= width) {
			x -= width;
			y++;
		}
	}
};

__device__ inline double not_a_number() { return __longlong_as_double(0x7ff8000000000000ll); }

// The offset of a peak from its pixel, as QuadraticPeak finds it in two dimensions.
__device__ inline double parabola(const double before, const double middle, const double after) {
	const double curvature = 2 * middle - before - after, offset = (after - before) / (2 * curvature);
	return curvature > 0 && fabs(offset) <= 1 ? offset : 0;
}

__device__ inline void quadratic(const double *v, double (&offset)[2]) {
	const bool alongX = isfinite(v[3]) && isfinite(v[5]), alongY = isfinite(v[1]) && isfinite(v[7]);
	offset[0] = offset[1] = 0;
	if (!isfinite(v[4])) return;
	if (alongX && alongY) {
		double gx = 0, gy = 0, xx = 0, yy = 0, xy = 0;
		bool complete = true;
		for (int k = 0; k < 4; k++) {
			const int x = k % 3 - 1, y = k / 3 - 1;
			const double weight = (x == 0 ? 4 : 1) * (y == 0 ? 4 : 1) / 36.0, value = v[k], opposite = v[8 - k];
			const double odd = weight * (value - opposite), even = weight * (value - v[4] + (opposite - v[4]));
			complete = complete && isfinite(even);
			gx += 3 * odd * x;
			gy += 3 * odd * y;
			xx += 3 * even * (3 * x * x - 1);
			yy += 3 * even * (3 * y * y - 1);
			xy += 9 * even * x * y;
		}
		const double determinant = xx * yy - xy * xy;
		if (complete && -xx > 0 && determinant > 0) {
			const double x = (xy * gy - yy * gx) / determinant, y = (xy * gx - xx * gy) / determinant;
			if (fabs(x) <= 1 && fabs(y) <= 1) {
				offset[0] = x;
				offset[1] = y;
				return;
			}
		}
	}
	if (alongX) offset[0] = parabola(v[3], v[4], v[5]);
	if (alongY) offset[1] = parabola(v[1], v[4], v[7]);
}
