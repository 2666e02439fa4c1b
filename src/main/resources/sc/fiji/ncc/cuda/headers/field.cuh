// The grid of a field of cubic B-splines.
#pragma once

// The nodes of a field beyond its values at each end, as in GridSpline.
constexpr int ADDED = 4;

// The place of a pixel between the nodes of a field.
__device__ inline double node_of(const double position, const double origin, const double spacing, const int nodes) {
	return fmax((double) (ADDED - 1), fmin((double) (nodes - ADDED), (position - origin) / spacing + ADDED));
}
