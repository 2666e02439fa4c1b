// The motion of windows between the pixels and its covariance: the steps of PositionFit on the splines of whole frames, in float with sums in
// double. A block per window.
#include "windowgrid.cuh"

#define RADIUS 20 // of the filter that gives the coefficients of a spline of degree 5: the rest is below 1e-7
#define STEPS 30
#define SLOPES 3
#define SMALL 1e-7 // as in PositionFit
#define NEARLY 2e-6 // floats may come no nearer: a step after the first ones that needs no further one
#define MANY 8 // steps
#define FAR 1.0
#define MAX_SHIFT 1.5
#define DISTANCE 8 // as in ResidualCovariance
#define UNCORRELATED 0.15
#define SINGULAR 1e-9
#define WARPS (THREADS / 32)

__device__ inline int mirrored(int i, const int n) {
	if (n == 1) return 0;
	const int period = 2 * (n - 1);
	i %= period;
	if (i < 0) i += period;
	return i < n ? i : period - i;
}

// Adds up the pixels of a frame that are present: their sum and their number.
template<class P> __device__ inline void total(const P *frame, const u8 *state, const Windows &g, double *to) {
	double sum = 0, n = 0;
	for (s64 i = (s64) blockIdx.x * blockDim.x + threadIdx.x; i < (s64) g.frameX * g.frameY; i += (s64) gridDim.x * blockDim.x) {
		const size_t at = (size_t) (g.marginY + i / g.frameX) * g.pitch + g.marginX + i % g.frameX;
		if (state[at] != 0) continue;
		sum += (double) frame[at];
		n++;
	}
	for (int o = 16; o > 0; o /= 2) {
		sum += __shfl_xor_sync(~0u, sum, o);
		n += __shfl_xor_sync(~0u, n, o);
	}
	if ((threadIdx.x & 31) == 0) {
		atomicAdd(to, sum);
		atomicAdd(to + 1, n);
	}
}

// The filter of a row, of pixels minus their mean; 0 for those that are missing. Shared memory: the pixels of a row.
template<class P> __device__ inline void spline_across(const P *frame, const u8 *state, const Windows &g, const double *totals, const float *filter,
	float *to)
{
	extern __shared__ float row[];
	const int first = blockIdx.x * blockDim.x, x = first + threadIdx.x, y = blockIdx.y;
	const double mean = totals[1] > 0 ? totals[0] / totals[1] : 0;
	for (int i = threadIdx.x; i < (int) blockDim.x + 2 * RADIUS; i += blockDim.x) {
		const size_t at = (size_t) (g.marginY + y) * g.pitch + g.marginX + mirrored(first + i - RADIUS, g.frameX);
		row[i] = state[at] == 0 ? (float) ((double) frame[at] - mean) : 0;
	}
	__syncthreads();
	if (x >= g.frameX) return;
	float sum = filter[0] * row[threadIdx.x + RADIUS];
	#pragma unroll
	for (int k = 1; k <= RADIUS; k++) sum = fmaf(filter[k], row[threadIdx.x + RADIUS - k] + row[threadIdx.x + RADIUS + k], sum);
	to[(size_t) y * g.frameX + x] = g.frameX == 1 ? row[threadIdx.x + RADIUS] : sum;
}

// The filter of columns: a block has 32 columns and as many rows.
extern "C" __global__ void __launch_bounds__(256) spline_down(const float *from, const Windows g, const float *filter, float *to) {
	__shared__ float tile[32 + 2 * RADIUS][33];
	const int x = blockIdx.x * 32 + threadIdx.x, top = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 32 + 2 * RADIUS; i += 8)
		tile[i][threadIdx.x] = x < g.frameX ? from[(size_t) mirrored(top + i - RADIUS, g.frameY) * g.frameX + x] : 0;
	__syncthreads();
	for (int i = threadIdx.y; i < 32 && x < g.frameX && top + i < g.frameY; i += 8) {
		float sum = filter[0] * tile[i + RADIUS][threadIdx.x];
		#pragma unroll
		for (int k = 1; k <= RADIUS; k++) sum = fmaf(filter[k], tile[i + RADIUS - k][threadIdx.x] + tile[i + RADIUS + k][threadIdx.x], sum);
		to[(size_t) (top + i) * g.frameX + x] = g.frameY == 1 ? tile[i + RADIUS][threadIdx.x] : sum;
	}
}

// The derivatives of a spline along x and y at its pixels.
extern "C" __global__ void __launch_bounds__(256) spline_slopes(const float *c, const Windows g, float2 *to) {
	const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	if (x >= g.frameX || y >= g.frameY) return;
	int at[5];
	#pragma unroll
	for (int i = 0; i < 5; i++) at[i] = mirrored(x + i - 2, g.frameX);
	float mixed[5] = { 0 }, steep[5] = { 0 };
	#pragma unroll
	for (int j = 0; j < 5; j++) {
		const float *row = c + (size_t) mirrored(y + j - 2, g.frameY) * g.frameX;
		const float value = (j == 2 ? 66 : j == 1 || j == 3 ? 26 : 1) / 120.0f, slope = (j == 2 ? 0 : j == 1 ? -10 : j == 3 ? 10 : j == 0 ? -1 : 1) / 24.0f;
		#pragma unroll
		for (int i = 0; i < 5; i++) {
			const float v = row[at[i]];
			mixed[i] = fmaf(value, v, mixed[i]);
			steep[i] = fmaf(slope, v, steep[i]);
		}
	}
	to[(size_t) y * g.frameX + x] = make_float2((mixed[4] - mixed[0] + 10 * (mixed[3] - mixed[1])) / 24,
		(steep[0] + steep[4] + 26 * (steep[1] + steep[3]) + 66 * steep[2]) / 120);
}

// The weights of the coefficients at -2 to 3 for a value, and for a derivative, at a fraction.
__device__ inline void weigh(const double t, float (&value)[6], float (&slope)[6]) {
	#pragma unroll
	for (int i = 0; i < 6; i++) {
		const double d = t + 2 - i, x = fabs(d), q = x * x, y = 3 - x;
		const double near = 0.55 + q * (-0.5 + q * (0.25 - x / 12)), middle = 0.425 + x * (0.625 + x * (-1.75 + x * (1.25 + x * (-0.375 + x / 24))));
		value[i] = (float) (x < 1 ? near : x < 2 ? middle : y * y * y * y * y / 120);
		const double steep = x < 1 ? -x + q * x - q * q * 5 / 12 : x < 2 ? 0.625 - 3.5 * x + 3.75 * q - 1.5 * q * x + q * q * 5 / 24 : -y * y * y * y / 24;
		slope[i] = (float) (d < 0 ? -steep : steep);
	}
}

// What all threads of a block share; the arrays have the size of the window, with what interpolation needs around it.
struct Fit {
	float *block, *mixed, *steep, *t, *g[2];
	double parts[WARPS][12], sums[12], correlations[2 * DISTANCE + 1];
	double shift[2], start[2], mean, ofGradient[2], part[2], energy, n, b, inverse[2][2];
	float values[2][6], slopes[2][6];
	int whole[2], place[2], state;
};

enum { AGAIN, DONE, FAILED };

template<int N> __device__ inline void add_up(double (&v)[N], Fit &s) {
	#pragma unroll
	for (int i = 0; i < N; i++) {
		for (int o = 16; o > 0; o /= 2) v[i] += __shfl_xor_sync(~0u, v[i], o);
		if ((threadIdx.x & 31) == 0) s.parts[threadIdx.x / 32][i] = v[i];
	}
	__syncthreads();
	if (threadIdx.x < N) {
		double sum = 0;
		for (int w = 0; w < WARPS; w++) sum += s.parts[w][threadIdx.x];
		s.sums[threadIdx.x] = sum;
	}
	__syncthreads();
}

// The pixels of a window in turn: those of a thread.
struct Walk {
	int x, y;

	__device__ Walk(const int width) : x((int) threadIdx.x % width), y((int) threadIdx.x / width) {}
	__device__ void next(const int width) {
		x += THREADS % width;
		y += THREADS / width;
		if (x >= width) {
			x -= width;
			y++;
		}
	}
};

// Reads the coefficients of a window and four pixels around it, minus one of them. left, top: its first pixel.
__device__ inline void load(Fit &s, const float *c, const Windows &g, const int left, const int top) {
	const int wide = g.windowX + 8, high = g.windowY + 8;
	const float zero = c[(size_t) mirrored(top + g.windowY / 2, g.frameY) * g.frameX + mirrored(left + g.windowX / 2, g.frameX)];
	const bool inside = left >= 4 && top >= 4 && left + g.windowX + 4 <= g.frameX && top + g.windowY + 4 <= g.frameY;
	Walk at(wide);
	for (int i = threadIdx.x; i < wide * high; i += THREADS, at.next(wide)) {
		const int x = left - 4 + at.x, y = top - 4 + at.y;
		s.block[i] = c[(size_t) (inside ? y : mirrored(y, g.frameY)) * g.frameX + (inside ? x : mirrored(x, g.frameX))] - zero;
	}
}

// Thread 0: the weights for a shift.
__device__ inline void aim(Fit &s, const double x, const double y) {
	s.whole[0] = (int) floor(x);
	s.whole[1] = (int) floor(y);
	weigh(x - s.whole[0], s.values[0], s.slopes[0]);
	weigh(y - s.whole[1], s.values[1], s.slopes[1]);
}

// Mixes the coefficients along y, for values and, if wanted, for slopes.
__device__ inline void mix(Fit &s, const Windows &g, const bool slopes) {
	const int wide = g.windowX + 8, across = g.windowX + 5;
	float v[6], d[6];
	#pragma unroll
	for (int k = 0; k < 6; k++) {
		v[k] = s.values[1][k];
		d[k] = s.slopes[1][k];
	}
	Walk at(across);
	for (int i = threadIdx.x; i < across * g.windowY; i += THREADS, at.next(across)) {
		const float *c = s.block + (at.y + s.whole[1] + 2) * wide + at.x + s.whole[0] + 2;
		float value = 0, slope = 0;
		#pragma unroll
		for (int k = 0; k < 6; k++) {
			const float p = c[k * wide];
			value = fmaf(v[k], p, value);
			if (slopes) slope = fmaf(d[k], p, slope);
		}
		s.mixed[i] = value;
		if (slopes) s.steep[i] = slope;
	}
	__syncthreads();
}

__device__ inline float along(const float *row, const float (&w)[6]) {
	float sum = 0;
	#pragma unroll
	for (int k = 0; k < 6; k++) sum = fmaf(w[k], row[k], sum);
	return sum;
}

// Whether a pixel counts: no shift near the lag moves it beyond the other frame.
__device__ inline bool counts(const Fit &s, const Windows &g, const int x, const int y) {
	const int px = s.place[0] + x, py = s.place[1] + y;
	return (g.frameX == 1 || (px >= 1 && px < g.frameX - 1)) && (g.frameY == 1 || (py >= 1 && py < g.frameY - 1));
}

// Sums of the window at the current shift with each of 1, t and both gradients: of its values, and if wanted of its slopes.
template<bool STEEP> __device__ inline void products(Fit &s, const Windows &g) {
	const int across = g.windowX + 5;
	mix(s, g, STEEP);
	float v[6], d[6];
	#pragma unroll
	for (int k = 0; k < 6; k++) {
		v[k] = s.values[0][k];
		d[k] = s.slopes[0][k];
	}
	double sums[STEEP ? 12 : 4] = { 0 };
	Walk at(g.windowX);
	for (int from = threadIdx.x; from < g.windowX * g.windowY; from += 8 * THREADS) {
		float some[STEEP ? 12 : 4] = { 0 };
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			const int i = from + k * THREADS;
			if (i >= g.windowX * g.windowY) break;
			if (counts(s, g, at.x, at.y)) {
				const float *row = s.mixed + at.y * across + at.x;
				const float t = s.t[i], a = s.g[0][i], b = s.g[1][i];
				float f[3];
				f[0] = along(row, v);
				if (STEEP) {
					f[1] = along(row, d);
					f[2] = along(s.steep + at.y * across + at.x, v);
				}
				#pragma unroll
				for (int j = 0; j < (STEEP ? 3 : 1); j++) {
					some[4 * j] += f[j];
					some[4 * j + 1] = fmaf(t, f[j], some[4 * j + 1]);
					some[4 * j + 2] = fmaf(a, f[j], some[4 * j + 2]);
					some[4 * j + 3] = fmaf(b, f[j], some[4 * j + 3]);
				}
			}
			at.next(g.windowX);
		}
		#pragma unroll
		for (int j = 0; j < (STEEP ? 12 : 4); j++) sums[j] += some[j];
	}
	add_up(sums, s);
}

// From the sums of some values, their product with the gradient along a dimension, which is centred and without its part of t.
__device__ inline double with_gradient(const Fit &s, const double *sums, const int d) {
	return sums[2 + d] - s.ofGradient[d] * sums[0] - s.part[d] * (sums[1] - s.mean * sums[0]);
}

// The inverse of the derivatives; false if they do not determine the position.
__device__ inline bool invert(const double (&m)[2][2], double (&to)[2][2]) {
	if (!(m[0][0] > SINGULAR * fabs(m[0][0]))) return false;
	const double factor = m[1][0] / m[0][0], pivot = m[1][1] - factor * m[0][1];
	if (!(pivot > SINGULAR * fabs(m[1][1]))) return false;
	to[1][0] = -factor / pivot;
	to[1][1] = 1 / pivot;
	to[0][1] = -m[0][1] * to[1][1] / m[0][0];
	to[0][0] = (1 - m[0][1] * to[1][0]) / m[0][0];
	return true;
}

__device__ inline bool inverse(Fit &s, const double b) {
	double jacobian[2][2];
	for (int e = 0; e < 2; e++) for (int d = 0; d < 2; d++) jacobian[e][d] = with_gradient(s, s.sums + 4 + 4 * d, e) / b;
	return invert(jacobian, s.inverse);
}

// Thread 0: a step from the sums.
__device__ inline int advance(Fit &s, const int step, const bool steep) {
	s.b = (s.sums[1] - s.mean * s.sums[0]) / s.energy;
	if (!(s.b > 0)) return FAILED;
	if (steep && !inverse(s, s.b)) return FAILED;
	const double right[2] = { -with_gradient(s, s.sums, 0) / s.b, -with_gradient(s, s.sums, 1) / s.b };
	double length = 0;
	for (int d = 0; d < 2; d++) {
		const double change = fmax(-0.5, fmin(0.5, s.inverse[d][0] * right[0] + s.inverse[d][1] * right[1]));
		s.shift[d] += change;
		length = fmax(length, fabs(change));
		if (!(fabs(s.shift[d] - s.start[d]) <= FAR) || !(fabs(s.shift[d]) <= MAX_SHIFT)) return FAILED;
	}
	aim(s, s.shift[0], s.shift[1]);
	return length < SMALL || (step >= MANY && length < NEARLY) ? DONE : AGAIN;
}

// Whether the residual of a pixel counts: those inside the outermost ones do.
__device__ inline bool has_residual(const Fit &s, const Windows &g, const int x, const int y) {
	return counts(s, g, x, y) && !(g.windowX > 2 && (x == 0 || x == g.windowX - 1)) && !(g.windowY > 2 && (y == 0 || y == g.windowY - 1));
}

// Sums of a warp over the pixels at a displacement: of products of residuals, their number, and of products of the moments.
template<bool MOMENTS> __device__ inline void displaced(const Fit &s, const Windows &g, const float *e, const int kx, const int ky, double (&v)[6]) {
	const int fromX = max(0, -kx), untilX = g.windowX - max(0, kx), fromY = max(0, -ky), untilY = g.windowY - max(0, ky), wide = untilX - fromX;
	const int lane = threadIdx.x & 31, step = ky * g.windowX + kx, rows = 32 / wide, rest = 32 % wide;
	const bool complete = s.n == (double) g.windowX * g.windowY;
	float ee = 0, n = 0, m[4] = { 0 };
	for (int x = fromX + lane % wide, y = fromY + lane / wide; y < untilY;) {
		const int at = y * g.windowX + x;
		ee = fmaf(e[at], e[at + step], ee);
		if (!complete) n += has_residual(s, g, x, y) && has_residual(s, g, x + kx, y + ky) ? 1 : 0;
		if (MOMENTS)
			#pragma unroll
			for (int a = 0; a < 2; a++)
				#pragma unroll
				for (int b = 0; b < 2; b++) m[2 * a + b] = fmaf(s.g[a][at], s.g[b][at + step], m[2 * a + b]);
		x += rest;
		y += rows;
		if (x >= untilX) {
			x -= wide;
			y++;
		}
	}
	v[0] = ee;
	v[1] = n;
	#pragma unroll
	for (int a = 0; a < 4; a++) v[2 + a] = m[a];
	#pragma unroll
	for (int a = 0; a < (MOMENTS ? 6 : 2); a++)
		for (int o = 16; o > 0; o /= 2) v[a] += __shfl_xor_sync(~0u, v[a], o);
	if (complete) v[1] = (double) max(0, g.windowX - (g.windowX > 2 ? 2 : 0) - abs(kx)) * max(0, g.windowY - (g.windowY > 2 ? 2 : 0) - abs(ky));
}

// The covariance of the offset, as in ResidualCovariance. In s: the inverse of the derivatives; sums of the window without slopes are overwritten.
__device__ inline void covariance(Fit &s, const float *fixed, const Windows &g, const int left, const int top, Found *to) {
	const int across = g.windowX + 5, pixels = g.windowX * g.windowY, warp = threadIdx.x / 32, lane = threadIdx.x & 31;
	float *const e = s.steep;
	// the pixels of the other frame, then the window moved onto them
	if (threadIdx.x == 0) aim(s, rint(s.shift[0]), rint(s.shift[1]));
	__syncthreads();
	mix(s, g, false);
	Walk at(g.windowX);
	for (int i = threadIdx.x; i < pixels; i += THREADS, at.next(g.windowX)) e[i] = along(s.mixed + at.y * across + at.x, s.values[0]);
	__syncthreads();
	load(s, fixed, g, left, top);
	if (threadIdx.x == 0) aim(s, rint(s.shift[0]) - s.shift[0], rint(s.shift[1]) - s.shift[1]);
	__syncthreads();
	mix(s, g, false);
	double sums[5] = { 0 };
	Walk of(g.windowX);
	for (int i = threadIdx.x; i < pixels; i += THREADS, of.next(g.windowX)) {
		const float model = along(s.mixed + of.y * across + of.x, s.values[0]);
		s.block[i] = model;
		// what counts of the moments
		const float rest = s.t[i] - (float) s.mean;
		for (int d = 0; d < 2; d++)
			s.g[d][i] = counts(s, g, of.x, of.y) ? (float) (s.g[d][i] - s.ofGradient[d] - s.part[d] * rest) : 0;
		if (!has_residual(s, g, of.x, of.y)) continue;
		sums[0]++;
		sums[1] += e[i];
		sums[2] += model;
		sums[3] += (double) e[i] * model;
		sums[4] += (double) model * model;
	}
	// s.block is read by mix() until all threads come here, and a thread writes what none reads: mixing ended before
	add_up(sums, s);
	const double n = s.sums[0], meanF = s.sums[1] / n, meanM = s.sums[2] / n, contrast = (s.sums[3] - n * meanF * meanM) / (s.sums[4] - n * meanM * meanM);
	Walk in(g.windowX);
	for (int i = threadIdx.x; i < pixels; i += THREADS, in.next(g.windowX))
		e[i] = has_residual(s, g, in.x, in.y) ? (float) ((e[i] - meanF) / contrast - (s.block[i] - meanM)) : 0;
	__syncthreads();
	// the autocovariances along x and y, the first one in the middle
	const int mostX = min(DISTANCE, g.windowX / 4), mostY = min(DISTANCE, g.windowY / 4);
	for (int k = warp; k <= mostX + mostY; k += WARPS) {
		double v[6];
		displaced<false>(s, g, e, k <= mostX ? k : 0, k <= mostX ? 0 : k - mostX, v);
		if (lane == 0) s.correlations[k] = v[1] == 0 ? 0 : v[0] / v[1];
	}
	__syncthreads();
	const double variance = s.correlations[0];
	int ex = 0, ey = 0;
	while (ex < mostX && fabs(s.correlations[ex + 1]) > UNCORRELATED * variance) ex++;
	while (ey < mostY && fabs(s.correlations[mostX + ey + 1]) > UNCORRELATED * variance) ey++;
	const int wide = 2 * ex + 1, displacements = wide * (2 * ey + 1), middle = displacements / 2;
	// of the warp: sums of products with R, the sum of squares of R, and those of the middle
	double all[8] = { 0 };
	for (int i = middle + warp; i < displacements; i += WARPS) {
		double v[6];
		displaced<true>(s, g, e, i % wide - ex, i / wide - ey, v);
		const bool first = i == middle;
		const double r = first ? variance : v[1] == 0 ? 0 : v[0] / v[1], factor = first ? r / 2 : r;
		all[0] += 2 * factor * v[2];
		all[1] += factor * (v[3] + v[4]);
		all[2] += 2 * factor * v[5];
		all[3] += (first ? 1 : 2) * r * r / (variance * variance);
		if (first) {
			all[4] = variance * v[2];
			all[5] = variance * v[3];
			all[6] = variance * v[5];
		}
	}
	if (lane == 0) for (int k = 0; k < 7; k++) s.parts[warp][k] = all[k];
	__syncthreads();
	if (threadIdx.x != 0) return;
	double t[7] = { 0 };
	for (int k = 0; k < 7; k++) for (int w = 0; w < WARPS; w++) t[k] += s.parts[w][k];
	double m[2][2] = { { t[0], t[1] }, { t[1], t[2] } }, unused[2][2];
	if (!invert(m, unused)) {
		m[0][0] = t[4];
		m[0][1] = m[1][0] = t[5];
		m[1][1] = t[6];
	}
	const double fitted = 4 * fmax(1.0, displacements / 2.0), independent = fmax(4.0, n / fmax(1.0, t[3])), outside = -2 * log(0.32) / independent;
	const double enlarged = n / fmax(n / 2, n - fitted) * (expm1(outside) / outside);
	for (int i = 0, k = 0; i < 2; i++)
		for (int j = i; j < 2; j++, k++) {
			double sum = 0;
			for (int p = 0; p < 2; p++) for (int q = 0; q < 2; q++) sum += s.inverse[i][p] * m[p][q] * s.inverse[j][q];
			to->covariance[k] = enlarged * sum;
		}
}

// Splines: coefficients of both frames, and the slopes of that of the windows.
struct Splines {
	const float *fixed, *moving;
	const float2 *slopes;
};

template<class P> __device__ inline void fit(const Frames<P> &a, const Windows &g, const Splines &c, const int flags, const u32 *notFinite, Found *all) {
	extern __shared__ float shared[];
	__shared__ Fit s;
	const int number = blockIdx.x, left = number % g.countX * g.spacingX, top = number / g.countX * g.spacingY, pixels = g.windowX * g.windowY;
	Found *to = all + number;
	if (to->state != FOUND) return;
	const int lag = to->best;
	if (threadIdx.x == 0) {
		s.block = shared;
		s.mixed = s.block + (g.windowX + 8) * (g.windowY + 8);
		s.steep = s.mixed + (g.windowX + 5) * g.windowY;
		s.t = s.steep + (g.windowX + 5) * g.windowY;
		s.g[0] = s.t + pixels;
		s.g[1] = s.g[0] + pixels;
		s.place[0] = left + lag % g.lagsX - g.lagsX / 2;
		s.place[1] = top + lag / g.lagsX - g.lagsY / 2;
		for (int d = 0; d < 2; d++) s.shift[d] = s.start[d] = to->offset[d];
		aim(s, s.shift[0], s.shift[1]);
	}
	__syncthreads();
	const size_t f = (size_t) (g.marginY + top) * g.pitch + g.marginX + left;
	if (flags || *notFinite > 0) {
		// the host fits what misses pixels
		bool any = false;
		for (int i = threadIdx.x; i < pixels; i += THREADS) any = any || a.ofFixed[f + (size_t) (i / g.windowX) * g.pitch + i % g.windowX] != 0;
		const int wide = g.windowX + 8, high = g.windowY + 8;
		for (int i = threadIdx.x; i < wide * high; i += THREADS) {
			const int x = s.place[0] - 4 + i % wide, y = s.place[1] - 4 + i / wide;
			if (x < 0 || x >= g.frameX || y < 0 || y >= g.frameY) continue;
			any = any || a.ofMoving[(size_t) (g.marginY + y) * g.pitch + g.marginX + x] != 0;
		}
		if (__syncthreads_or(any)) {
			if (threadIdx.x == 0) to->fitted = -1;
			return;
		}
	}
	load(s, c.moving, g, s.place[0], s.place[1]);
	const double some = (double) a.fixed[f];
	double v[8] = { 0 };
	Walk at(g.windowX);
	for (int i = threadIdx.x; i < pixels; i += THREADS, at.next(g.windowX)) {
		const float t = (float) ((double) a.fixed[f + (size_t) at.y * g.pitch + at.x] - some);
		const float2 slope = c.slopes[(size_t) (top + at.y) * g.frameX + left + at.x];
		s.t[i] = t;
		s.g[0][i] = slope.x;
		s.g[1][i] = slope.y;
		if (!counts(s, g, at.x, at.y)) continue;
		v[0]++;
		v[1] += t;
		v[2] += slope.x;
		v[3] += slope.y;
		v[4] += (double) t * t;
		v[5] += (double) t * slope.x;
		v[6] += (double) t * slope.y;
	}
	add_up(v, s);
	if (threadIdx.x == 0) {
		s.n = s.sums[0];
		s.mean = s.sums[1] / s.n;
		s.energy = s.sums[4] - s.n * s.mean * s.mean;
		for (int d = 0; d < 2; d++) {
			s.ofGradient[d] = s.sums[2 + d] / s.n;
			s.part[d] = (s.sums[5 + d] - s.n * s.mean * s.ofGradient[d]) / s.energy;
		}
	}
	__syncthreads();
	for (int step = 0; step < STEPS; step++) {
		const bool steep = step < SLOPES || step % SLOPES == 0;
		if (steep) products<true>(s, g);
		else products<false>(s, g);
		if (threadIdx.x == 0) s.state = advance(s, step, steep);
		__syncthreads();
		if (s.state != AGAIN) break;
	}
	if (s.state != DONE) return;
	products<true>(s, g);
	if (threadIdx.x == 0) s.state = inverse(s, s.b) ? DONE : FAILED;
	__syncthreads();
	if (s.state != DONE) return;
	covariance(s, c.fixed, g, left, top, to);
	if (threadIdx.x != 0) return;
	to->offset[0] = s.shift[0];
	to->offset[1] = s.shift[1];
	to->fitted = 1;
}

#define KIND(NAME, P) \
extern "C" __global__ void total_##NAME(const P *frame, const u8 *state, const Windows g, double *to) { total<P>(frame, state, g, to); } \
extern "C" __global__ void spline_across_##NAME(const P *frame, const u8 *state, const Windows g, const double *totals, const float *filter, float *to) { \
	spline_across<P>(frame, state, g, totals, filter, to); \
} \
extern "C" __global__ void __launch_bounds__(THREADS, 5) fit_##NAME(const Frames<P> a, const Windows g, const Splines c, const int flags, const u32 *notFinite, \
	Found *all) \
{ \
	fit<P>(a, g, c, flags, notFinite, all); \
}

KIND(bytes, s8)
KIND(shorts, short)
KIND(reals, double)
