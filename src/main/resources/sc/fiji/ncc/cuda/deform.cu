// Deforms frames by a field of cubic B-splines, and sums products with a reference over the cells of windows, as cpu.deform does.
#include "common.cuh"
#include "field.cuh"

// The threads of a block that takes a row of pixels, and of one that sums a cell.
constexpr int ROW = 256, CELL = 128;
// The coefficients of the filter of a spline from the middle on. The next one is less than 1e-7 of the first.
constexpr int FILTER = 14;
// The bits of a fraction of a position: of a position far from the border of a frame without missing pixels, and of others, as in FrameSpline.
constexpr int COARSE = 10, FINE = 12;
// The sums of a cell in planes: the order is that of SumLayout.
constexpr int SUMS = 32, PLAIN = 6;
enum { N, R, F, RR, FF, RF };

struct Plane {
	int width, height;
};

// A motion: its nodes along x and y, the place of the first value, the distance of values.
struct Field {
	double originX, originY, spacingX, spacingY;
	const double *u, *v;
	int nodesX, nodesY;
};

__device__ inline float nan_value() { return __int_as_float(0x7fc00000); }

__device__ inline bool is_finite(const float v) { return fabsf(v) < __int_as_float(0x7f800000); }

// The means over boxes; a thread computes one.
extern "C" __global__ void means(const float *from, const Plane finer, const int boxX, const int boxY, const Plane coarse, float *to) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= coarse.width || y >= coarse.height) return;
	double sum = 0;
	for (int j = 0; j < boxY; j++)
		for (int i = 0; i < boxX; i++) sum += from[(size_t) (y * boxY + j) * finer.width + x * boxX + i];
	to[(size_t) y * coarse.width + x] = (float) (sum / (boxX * boxY));
}

// The index inside of a line that is mirrored at its first and at its last value.
__device__ inline int mirrored(const int i, const int n) {
	if (n == 1) return 0;
	const int near = abs(i);
	if (near < n) return near;
	int m = i % (2 * n - 2);
	if (m < 0) m += 2 * n - 2;
	return m < n ? m : 2 * n - 2 - m;
}

// The coefficients of the spline along x. Missing pixels count as 0. Grid: parts of a row, rows.
extern "C" __global__ void across(const float *from, const Plane p, const float *filter, float *to) {
	__shared__ float line[ROW + 2 * FILTER];
	const int x0 = blockIdx.x * ROW, row = blockIdx.y;
	for (int i = threadIdx.x; i < ROW + 2 * FILTER; i += ROW) {
		const float v = from[(size_t) row * p.width + mirrored(min(x0 + i - FILTER, p.width + FILTER), p.width)];
		line[i] = is_finite(v) ? v : 0;
	}
	__syncthreads();
	const int x = x0 + threadIdx.x, at = threadIdx.x + FILTER;
	if (x >= p.width) return;
	float sum = filter[0] * line[at];
	for (int k = 1; k < FILTER; k++) sum += filter[k] * (line[at - k] + line[at + k]);
	to[(size_t) row * p.width + x] = p.width == 1 ? line[at] : sum;
}

// The same along y.
extern "C" __global__ void down(const float *from, const Plane p, const float *filter, float *to) {
	const int x = blockIdx.x * ROW + threadIdx.x, y = blockIdx.y;
	if (x >= p.width) return;
	float sum = filter[0] * from[(size_t) y * p.width + x];
	for (int k = 1; k < FILTER; k++)
		sum += filter[k] * (from[(size_t) mirrored(y - k, p.height) * p.width + x] + from[(size_t) mirrored(y + k, p.height) * p.width + x]);
	to[(size_t) y * p.width + x] = p.height == 1 ? from[x] : sum;
}

// The weights of four coefficients at a fraction.
template<class T> __device__ inline void weights_of(const T t, T *w) {
	const T s = 1 - t;
	w[0] = s * s * s / 6;
	w[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
	w[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
	w[3] = t * t * t / 6;
}

// The value of a spline with four nodes of a line.
__device__ inline double cubic(const double *line, const double t) {
	const double a = line[0], b = line[1], c = line[2], d = line[3];
	return (a + 4 * b + c) / 6 + t * ((c - a) / 2 + t * ((a - 2 * b + c) / 2 + t * ((d - a + 3 * (b - c)) / 6)));
}

// A frame at the positions x + u(x). spline: its coefficients; values: NaN where a pixel is missing, which only counts if masked is not 0.
// Grid: parts of a row, rows of the area.
extern "C" __global__ void deform(const float *spline, const float *values, const Plane frame, const Field field, const Plane area, const int masked,
	float *to)
{
	__shared__ double lines[2][ROW + 8];
	const int x0 = blockIdx.x * ROW, y = blockIdx.y, x = x0 + threadIdx.x;
	const double atY = node_of(y, field.originY, field.spacingY, field.nodesY);
	const int first = (int) floor(node_of(x0, field.originX, field.spacingX, field.nodesX)) - 1;
	const int last = (int) floor(node_of(min(x0 + ROW, area.width) - 1, field.originX, field.spacingX, field.nodesX)) + 2;
	{
		double w[4];
		weights_of(atY - floor(atY), w);
		const size_t row = (size_t) ((int) floor(atY) - 1) * field.nodesX;
		for (int i = threadIdx.x; i <= last - first; i += ROW)
			for (int c = 0; c < 2; c++) {
				const double *from = (c == 0 ? field.u : field.v) + row + first + i;
				lines[c][i] = w[0] * from[0] + w[1] * from[field.nodesX] + (w[2] * from[2 * field.nodesX] + w[3] * from[3 * field.nodesX]);
			}
	}
	__syncthreads();
	if (x >= area.width) return;
	const double atX = node_of(x, field.originX, field.spacingX, field.nodesX), whole = floor(atX);
	const int node = (int) whole - 1 - first;
	const double px = x + cubic(lines[0] + node, atX - whole), py = y + cubic(lines[1] + node, atX - whole);
	float *result = to + (size_t) y * area.width + x;
	*result = nan_value();
	if (!(px >= -0.5 && py >= -0.5 && px <= frame.width - 0.5 && py <= frame.height - 0.5)) return;
	const double rounded = 1.0 / (1 << COARSE);
	const bool inside = masked == 0 && px >= 1 && py >= 1 && px < frame.width - 2 - rounded && py < frame.height - 2 - rounded;
	const int bits = inside ? COARSE : FINE, unit = 1 << bits;
	const int qx = (int) floor(px * unit + 0.5), qy = (int) floor(py * unit + 0.5), left = (qx >> bits) - 1, top = (qy >> bits) - 1;
	float wx[4], wy[4];
	weights_of((float) (qx & (unit - 1)) / unit, wx);
	weights_of((float) (qy & (unit - 1)) / unit, wy);
	int columns[4];
	for (int k = 0; k < 4; k++) columns[k] = inside ? left + k : mirrored(left + k, frame.width);
	if (masked != 0)
		for (int k = 1; k < 3; k++)
			for (int i = 1; i < 3; i++)
				if (!is_finite(values[(size_t) mirrored(top + k, frame.height) * frame.width + columns[i]])) return;
	float sum = 0;
	for (int k = 0; k < 4; k++) {
		const float *row = spline + (size_t) (inside ? top + k : mirrored(top + k, frame.height)) * frame.width;
		sum += wy[k] * (wx[0] * row[columns[0]] + wx[1] * row[columns[1]] + (wx[2] * row[columns[2]] + wx[3] * row[columns[3]]));
	}
	*result = sum;
}

// A difference over five pixels along a line, or three beside its end; NaN at its end.
__device__ inline float slope_of(const float *at, const size_t stride, const int place, const int extent) {
	if (place == 0 || place == extent - 1) return nan_value();
	const float a = at[stride], b = *(at - stride);
	if (place == 1 || place == extent - 2) return 0.5f * (a - b);
	return (8 * (a - b) - (at[2 * stride] - *(at - 2 * stride))) * (1 / 12.f);
}

// The gradient of a reference.
extern "C" __global__ void gradient(const float *values, const Plane p, float2 *to) {
	const int x = blockIdx.x * ROW + threadIdx.x, y = blockIdx.y;
	if (x >= p.width) return;
	const size_t i = (size_t) y * p.width + x;
	to[i] = make_float2(slope_of(values + i, 1, x, p.width), slope_of(values + i, p.width, y, p.height));
}

// Sums 32 values of each thread over the warp: thread i has sum i.
__device__ inline float sum_of_warp(float *v) {
	const int lane = threadIdx.x & 31;
#pragma unroll
	for (int step = 16; step > 0; step >>= 1) {
		const bool upper = (lane & step) != 0;
#pragma unroll
		for (int i = 0; i < step; i++) {
			const float kept = upper ? v[i + step] : v[i], sent = upper ? v[i] : v[i + step];
			v[i] = kept + __shfl_xor_sync(0xffffffff, sent, step);
		}
	}
	return v[0];
}

// The sums of a cell, counted from 0, from those of values counted from r and f and of places counted from x and y.
__device__ inline void counted(double *s, const double r, const double f, const double x, const double y) {
	for (int i = 0; i < 2 * PLAIN; i += PLAIN) {
		s[i + RR] += r * (2 * s[i + R] + r * s[i + N]);
		s[i + FF] += f * (2 * s[i + F] + f * s[i + N]);
		s[i + RF] += r * s[i + F] + f * s[i + R] + r * f * s[i + N];
		s[i + R] += r * s[i + N];
		s[i + F] += f * s[i + N];
	}
	for (int i = 2 * PLAIN; i < SUMS - 2; i += 9) {
		s[i + 1] += r * s[i];
		s[i + 2] += f * s[i];
		s[i + 4] += r * s[i + 3];
	}
	s[SUMS - 2] += x * s[PLAIN];
	s[SUMS - 1] += y * s[PLAIN];
}

// Sums products over cells; a block takes one. Values are counted from the pixel in its middle, so that brightness costs no digits.
// exact: whether the slopes of the moving frame, and its weighted values, are summed. Grid: cells along x and y.
extern "C" __global__ void __launch_bounds__(CELL) cells(const float *reference, const float2 *gradients, const float *moving, const Plane p,
	const int *cutsX, const int *cutsY, const int exact, double *all)
{
	__shared__ double sums[SUMS], parts[CELL / 32][SUMS];
	const int x0 = cutsX[blockIdx.x], y0 = cutsY[blockIdx.y], width = cutsX[blockIdx.x + 1] - x0, height = cutsY[blockIdx.y + 1] - y0;
	const size_t middle = (size_t) (y0 + height / 2) * p.width + x0 + width / 2;
	const float zeroR = is_finite(reference[middle]) ? reference[middle] : 0, zeroF = is_finite(moving[middle]) ? moving[middle] : 0;
	float s[SUMS];
#pragma unroll
	for (int i = 0; i < SUMS; i++) s[i] = 0;
	for (int i = threadIdx.x; i < width * height; i += CELL) {
		const int column = i % width, row = i / width, x = x0 + column, y = y0 + row;
		const size_t at = (size_t) y * p.width + x;
		const float r = reference[at] - zeroR, f = moving[at] - zeroF;
		const float2 g = gradients[at];
		float2 t = make_float2(0, 0);
		if (exact) t = make_float2(slope_of(moving + at, 1, x, p.width), slope_of(moving + at, p.width, y, p.height));
		if (!is_finite(r + f + (g.x + g.y) + (t.x + t.y))) continue;
		const float w = g.x * g.x + g.y * g.y, wr = w * r;
		s[N] += 1;
		s[R] += r;
		s[F] += f;
		s[RR] += r * r;
		s[FF] += f * f;
		s[RF] += r * f;
		s[PLAIN + N] += w;
		s[PLAIN + R] += wr;
		s[PLAIN + RR] += wr * r;
		s[12] += g.x;
		s[13] += g.x * r;
		s[14] += g.x * f;
		s[17] += g.x * g.x;
		s[19] += g.x * g.y;
		s[21] += g.y;
		s[22] += g.y * r;
		s[23] += g.y * f;
		s[28] += g.y * g.y;
		s[30] += w * column;
		s[31] += w * row;
		if (exact) {
			s[PLAIN + F] += w * f;
			s[PLAIN + FF] += w * f * f;
			s[PLAIN + RF] += wr * f;
			s[15] += t.x;
			s[16] += t.x * r;
			s[18] += g.x * t.x;
			s[20] += g.x * t.y;
			s[24] += t.y;
			s[25] += t.y * r;
			s[27] += g.y * t.x;
			s[29] += g.y * t.y;
		}
	}
	s[26] = s[19];
	parts[threadIdx.x / 32][threadIdx.x & 31] = sum_of_warp(s);
	__syncthreads();
	if (threadIdx.x >= SUMS) return;
	double sum = 0;
	for (int k = 0; k < CELL / 32; k++) sum += parts[k][threadIdx.x];
	sums[threadIdx.x] = sum;
	__syncwarp();
	if (threadIdx.x == 0) counted(sums, zeroR, zeroF, x0, y0);
	__syncwarp();
	all[((size_t) blockIdx.y * gridDim.x + blockIdx.x) * SUMS + threadIdx.x] = sums[threadIdx.x];
}
