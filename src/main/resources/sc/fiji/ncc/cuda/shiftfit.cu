// Refines shifts between the pixels: the steps of ShiftFit in cpu.frame, for frames of two dimensions in which all pixels count. A block per pair of frames.
#include "common.cuh"

#define THREADS 512
#define TILE 32 // the sides of a tile of pixels with a gradient
#define TAPS 8
#define ACROSS (TILE + 4) // with the pixels around it that the smoothed gradient needs
#define WIDE (ACROSS + TAPS)
#define BAND 16
#define PIECE 8 // the pixels of a row whose sum of gradient times residual a cluster takes at a time
#define SUMS 13
#define LEAST_WAY 0.03 // as in ShiftFit: the shortest way in pixels that shows the rate for the covariance

// Sums of both frames, of squares and products, of residuals, of gradient times residual, of products of gradients, and of products of the clusters' sums of gradient times residual.
enum { F, M, MM, FM, EE, GX, GY, XX, XY, YY, CXX, CXY, CYY };
enum { AGAIN, DONE, FAILED };

struct Request {
	const float *fixed, *moving;
	int lag[2];
	double start[2];
};

struct Fitted {
	double shift[2], g[2], gradients[3], clusters[3], square, slope, rate; // what the covariance follows from, see ClusterCovariance. Products: xx, xy, yy
	int found, count; // count: the number of clusters
};

struct Extents {
	int fixedWidth, fixedHeight, movingWidth, movingHeight;
};

// What all threads of a block share. Only thread 0 writes it, but for the weights.
struct Fit {
	double shift[2], a, b, rate, shownRate, last[2], moved[2]; // the line f = a·m + b; shownRate: what a long way has shown; last: the last step without lengthening; moved: that step as it was taken
	double gx, gy, xx, xy, yy, square;
	double count, inner, rows, sampled;
	double near[2][TAPS], products[2][TAPS], totals[SUMS], parts[THREADS / 32][SUMS];
	float2 pieces[TILE][TILE / PIECE]; // of gradient times residual: the sums of pieces of rows
	float weights[2][TAPS], column[ACROSS * WIDE], both[ACROSS * ACROSS], residual[ACROSS * ACROSS];
	int min[2], until[2], taps[2], whole[2];
	// known: whether there is a last step. Pairs of these are not read together: PTX 8.0 cannot express a pair of which one is not used
	volatile int bands, every, noisy, known, state;
};

// Adds up values of all threads.
template<int N> __device__ void add_up(double (&v)[N], Fit &s) {
	#pragma unroll
	for (int i = 0; i < N; i++) {
		for (int o = 16; o > 0; o /= 2) v[i] += __shfl_xor_sync(~0u, v[i], o);
		if ((threadIdx.x & 31) == 0) s.parts[threadIdx.x / 32][i] = v[i];
	}
	__syncthreads();
	if (threadIdx.x < N) {
		double sum = 0;
		for (int w = 0; w < THREADS / 32; w++) sum += s.parts[w][threadIdx.x];
		s.totals[threadIdx.x] = sum;
	}
	__syncthreads();
}

// The region of the fixed frame at which the moving frame can be interpolated. Thread 0.
__device__ bool region(Fit &s, const Request &q, const Extents &z) {
	const int fixed[2] = { z.fixedWidth, z.fixedHeight }, moving[2] = { z.movingWidth, z.movingHeight };
	for (int d = 0; d < 2; d++) {
		const int from = max(0, -q.lag[d]), until = min(fixed[d], moving[d] - q.lag[d]), extent = until - from;
		if (extent < 14) return false;
		s.taps[d] = extent < 40 ? 4 : 8;
		s.min[d] = from + s.taps[d] / 2 + 1;
		s.until[d] = until - s.taps[d] / 2 - 1;
	}
	return true;
}

// Chooses the rows: all, or of a large region bands that are spread evenly. Thread 0.
__device__ void choose(Fit &s, const bool few) {
	const int height = s.until[1] - s.min[1];
	const s64 pixels = (s64) (s.until[0] - s.min[0]) * height;
	const int share = few && height >= 4 * BAND ? (int) min((s64) 16, pixels / (1 << 14)) : 1;
	s.bands = share < 2 ? 1 : max(2, height / (share * BAND));
}

// The first row of a band, and the row after its last.
__device__ inline int2 band(const Fit &s, const int i) {
	if (s.bands == 1) return make_int2(s.min[1], s.until[1]);
	const int from = s.min[1] + (int) ((2ll * i + 1) * (s.until[1] - s.min[1]) / (2 * s.bands)) - BAND / 2;
	return make_int2(from, from + BAND);
}

// The side of a cluster of pixels, as in FitRows.
__device__ inline int cluster(const Fit &s) { return (s64) (s.until[0] - s.min[0]) * (s.until[1] - s.min[1]) < 1 << 12 ? 8 : 16; }

// The number of rows from from on, without until, whose number is a multiple of every.
__device__ inline int multiples(const int from, const int until, const int every) { return (until - 1) / every - (from - 1) / every; }

// The line at the whole-pixel lag, and whether the frames are noisy.
__device__ void line(Fit &s, const Request &q, const Extents &z) {
	double v[5] = { 0, 0, 0, 0, 0 };
	const int width = s.until[0] - s.min[0];
	int rows = 0;
	for (int k = 0; k < s.bands; k++) {
		const int2 b = band(s, k);
		rows += b.y - b.x;
		for (int y = b.x + (int) threadIdx.x / 32; y < b.y; y += THREADS / 32)
			for (int x = s.min[0] + (int) (threadIdx.x & 31); x < s.until[0]; x += 32) {
				const double f = q.fixed[(size_t) y * z.fixedWidth + x], m = q.moving[(size_t) (y + q.lag[1]) * z.movingWidth + x + q.lag[0]];
				v[0] += f;
				v[1] += m;
				v[2] += f * f;
				v[3] += m * m;
				v[4] += f * m;
			}
	}
	add_up(v, s);
	if (threadIdx.x == 0) {
		const double *t = s.totals, n = (double) width * rows, covariance = t[4] - t[0] * t[1] / n, square = t[3] - t[1] * t[1] / n;
		s.noisy = covariance * covariance < 0.8 * 0.8 * (t[2] - t[0] * t[0] / n) * square;
		s.a = covariance / square;
		s.b = (t[0] - s.a * t[1]) / n;
		s.rate = s.shownRate = __longlong_as_double(0x7ff8000000000000ll);
	}
	__syncthreads();
}

// The autocovariance of images at a distance, as in ShiftKernel.
__device__ inline double autocovariance(const double distance) {
	const double sigmas[6] = { 0.8, 1, 1.3, 1.6, 2, 3 };
	double sum = 0;
	for (int i = 0; i < 6; i++) sum += sigmas[i] * sigmas[i] * sigmas[i] * exp(-distance * distance / (4 * sigmas[i] * sigmas[i]));
	return sum;
}

// The weights of the pixels along both dimensions. inverses: the inverse covariance matrix for 8 pixels, then that for 4.
__device__ void weigh(Fit &s, const double *inverses) {
	const int d = (int) threadIdx.x / TAPS, i = (int) threadIdx.x % TAPS;
	const bool mine = d < 2 && i < s.taps[d & 1];
	const int taps = s.taps[d & 1];
	if (mine) {
		const double whole = floor(s.shift[d]);
		if (i == 0) s.whole[d] = (int) whole;
		s.near[d][i] = autocovariance(s.shift[d] - whole - (1 - taps / 2 + i));
	}
	__syncthreads();
	if (mine) {
		double w = 0;
		for (int k = 0; k < taps; k++) w += inverses[(taps == 4 ? TAPS * TAPS : 0) + i * taps + k] * s.near[d][k];
		s.products[d][i] = w;
	}
	__syncthreads();
	if (mine) {
		double sum = 0;
		for (int k = 0; k < taps; k++) sum += s.products[d][k];
		s.weights[d][i] = (float) (s.products[d][i] / sum);
	}
	__syncthreads();
}

// The gradient of the sum of both frames, with the filter of Sobel, for noisy frames after a smoothing by 1, 2, 1.
__device__ inline float2 gradient(const float *c, const bool noisy) {
	float s[5], t[5];
	if (!noisy) {
		#pragma unroll
		for (int i = -1; i <= 1; i++) {
			const float up = c[i - ACROSS], down = c[i + ACROSS];
			s[i + 2] = up + 2 * c[i] + down;
			t[i + 2] = down - up;
		}
		return make_float2(s[3] - s[1], t[1] + 2 * t[2] + t[3]);
	}
	#pragma unroll
	for (int i = -2; i <= 2; i++) {
		const float far = c[i - 2 * ACROSS], up = c[i - ACROSS], down = c[i + ACROSS], deep = c[i + 2 * ACROSS];
		s[i + 2] = far + deep + 4 * (up + down) + 6 * c[i];
		t[i + 2] = deep - far + 2 * (down - up);
	}
	return make_float2(s[4] - s[0] + 2 * (s[3] - s[1]), t[0] + t[4] + 4 * (t[1] + t[3]) + 6 * t[2]);
}

// Rows of the moving frame, mixed along y. N: the number of rows that are mixed.
template<int N> __device__ inline void columns(Fit &s, const float *m, const int pitch, const int wide, const int down) {
	float w[N];
	#pragma unroll
	for (int k = 0; k < N; k++) w[k] = s.weights[1][k];
	for (int i = threadIdx.x; i < WIDE * down; i += THREADS) {
		const int x = i % WIDE, y = i / WIDE;
		if (x >= wide) continue;
		const float *from = m + (size_t) y * pitch + x;
		float sum = 0;
		#pragma unroll
		for (int k = 0; k < N; k++) sum += w[k] * from[(size_t) k * pitch];
		s.column[i] = sum;
	}
}

template<int N> __device__ inline float mixed(const float *from, const float *w) {
	float sum = 0;
	#pragma unroll
	for (int k = 0; k < N; k++) sum += w[k] * from[k];
	return sum;
}

// Adds the clusters of a tile to the sums: a warp, whose lanes take four pieces each.
__device__ inline void clusters(const Fit &s, double (&v)[SUMS]) {
	const int lane = (int) threadIdx.x - (THREADS - 32);
	if (lane < 0) return;
	// a cluster has two pieces along x, or one
	const int two = cluster(s) > PIECE ? 1 : 0, lanes = two ? 8 : 2, c = lane / (two ? 8 : 2), k = lane & (lanes - 1), across = 4 >> two;
	const float2 *from = s.pieces[c / (two ? 2 : 4) * (PIECE << two)] + ((c & (across - 1)) << two);
	float x = 0, y = 0;
	#pragma unroll
	for (int i = 4 * k; i < 4 * k + 4; i++) {
		const float2 p = from[(i >> two) * (TILE / PIECE) + (i & two)];
		x += p.x;
		y += p.y;
	}
	for (int o = lanes / 2; o > 0; o /= 2) {
		x += __shfl_xor_sync(~0u, x, o);
		y += __shfl_xor_sync(~0u, y, o);
	}
	if (k != 0) return;
	v[CXX] += x * x;
	v[CXY] += x * y;
	v[CYY] += y * y;
}

// Adds a tile to the sums. The tile is that of the pixels with a gradient from (x0, y0) on. top, bottom: its band.
__device__ void tile(Fit &s, const Request &q, const Extents &z, const int x0, const int y0, const int top, const int bottom, double (&v)[SUMS]) {
	const int r = s.noisy ? 2 : 1, left = s.min[0] + r, right = s.until[0] - r, first = top + r, end = bottom - r, every = s.every;
	const int x1 = min(x0 + TILE, right), y1 = min(y0 + TILE, end), across = x1 - x0 + 2 * r, down = y1 - y0 + 2 * r, wide = across + s.taps[0] - 1;
	const float *m = q.moving + (s64) (y0 - r + s.whole[1] + 1 - s.taps[1] / 2) * z.movingWidth + x0 - r + s.whole[0] + 1 - s.taps[0] / 2;
	const bool eight = s.taps[0] == TAPS;
	if (s.taps[1] == TAPS) columns<TAPS>(s, m, z.movingWidth, wide, down);
	else columns<4>(s, m, z.movingWidth, wide, down);
	__syncthreads();
	// of the tile before, while no warp writes those of this one
	clusters(s, v);
	const float c = (float) (1 / s.a), a = (float) s.a, b = (float) s.b;
	float t[SUMS] = { 0 };
	for (int i = threadIdx.x; i < ACROSS * down; i += THREADS) {
		const int u = i % ACROSS, w = i / ACROSS, x = x0 - r + u, y = y0 - r + w;
		if (u >= across) continue;
		const float *from = s.column + w * WIDE + u;
		const float moved = eight ? mixed<TAPS>(from, s.weights[0]) : mixed<4>(from, s.weights[0]);
		const float f = q.fixed[(size_t) y * z.fixedWidth + x], e = x < left || x >= right ? 0 : f - a * moved - b;
		s.both[i] = c * f + moved;
		s.residual[i] = e;
		// the pixels around all tiles belong to the nearest one
		if (y % every != 0 || (x < x0 && x0 != left) || (x >= x1 && x1 != right) || (y < y0 && y0 != first) || (y >= y1 && y1 != end)) continue;
		t[F] += f;
		t[M] += moved;
		t[MM] += moved * moved;
		t[FM] += f * moved;
		t[EE] += e * e;
	}
	__syncthreads();
	const bool noisy = r == 2, clustered = s.bands == 1;
	// a warp has a row
	#pragma unroll
	for (int w = (int) threadIdx.x / TILE; w < TILE; w += THREADS / TILE) {
		const int u = (int) threadIdx.x % TILE, at = (w + r) * ACROSS + u + r;
		float2 g = make_float2(0, 0), eg = make_float2(0, 0);
		if (u < x1 - x0 && w < y1 - y0) {
			g = gradient(s.both + at, noisy);
			eg = make_float2(s.residual[at] * g.x, s.residual[at] * g.y);
		}
		t[GX] += eg.x;
		t[GY] += eg.y;
		if (clustered) {
			#pragma unroll
			for (int o = PIECE / 2; o > 0; o /= 2) {
				eg.x += __shfl_xor_sync(~0u, eg.x, o);
				eg.y += __shfl_xor_sync(~0u, eg.y, o);
			}
			if (u % PIECE == 0) s.pieces[w][u / PIECE] = eg;
		}
		if ((y0 + w) % every != 0) continue;
		t[XX] += g.x * g.x;
		t[XY] += g.x * g.y;
		t[YY] += g.y * g.y;
	}
	#pragma unroll
	for (int i = 0; i < SUMS; i++) v[i] += t[i];
}

// All sums at the current shift.
__device__ __noinline__ void sums(Fit &s, const Request &q, const Extents &z, const double *inverses) {
	weigh(s, inverses);
	const int r = s.noisy ? 2 : 1, width = s.until[0] - s.min[0];
	double v[SUMS] = { 0 };
	int sampled = 0, inner = 0, innerSampled = 0;
	if (threadIdx.x < TILE * TILE / PIECE) (&s.pieces[0][0])[threadIdx.x] = make_float2(0, 0);
	for (int k = 0; k < s.bands; k++) {
		const int2 b = band(s, k);
		sampled += multiples(b.x, b.y, s.every);
		inner += b.y - b.x - 2 * r;
		innerSampled += multiples(b.x + r, b.y - r, s.every);
		for (int y = b.x + r; y < b.y - r; y += TILE)
			for (int x = s.min[0] + r; x < s.until[0] - r; x += TILE) tile(s, q, z, x, y, b.x, b.y, v);
	}
	__syncthreads();
	clusters(s, v);
	add_up(v, s);
	if (threadIdx.x == 0) {
		s.count = (double) width * sampled;
		s.inner = (double) (width - 2 * r) * sampled;
		s.rows = inner;
		s.sampled = innerSampled;
	}
}

// Takes a step. few: whether only some rows are used, so that the shift needs to be near only. Thread 0.
__device__ int advance(Fit &s, const Request &q, const bool few) {
	const double *t = s.totals, x = s.noisy ? 1 / 256.0 : 1 / 16.0, all = s.rows / s.sampled;
	s.a = (t[FM] - t[F] * t[M] / s.count) / (t[MM] - t[M] * t[M] / s.count);
	s.b = (t[F] - s.a * t[M]) / s.count;
	s.square = t[EE] / s.inner;
	s.xx = all * x * x * t[XX];
	s.xy = all * x * x * t[XY];
	s.yy = all * x * x * t[YY];
	s.gx = x * t[GX];
	s.gy = x * t[GY];
	const double rest = s.yy - s.xy * s.xy / s.xx;
	if (!(s.xx > 0) || !(rest > 1e-9 * s.yy)) return FAILED;
	const double step[2] = { (s.yy * s.gx - s.xy * s.gy) / (s.xx * rest * s.a), (s.xx * s.gy - s.xy * s.gx) / (s.xx * rest * s.a) };
	if (s.known) {
		// the rate from the last two steps that would not be lengthened, and the way between them
		const double square = s.moved[0] * s.moved[0] + s.moved[1] * s.moved[1];
		s.rate = 1 - ((s.last[0] - step[0]) * s.moved[0] + (s.last[1] - step[1]) * s.moved[1]) / square;
		if (square > 0.99 * LEAST_WAY * LEAST_WAY) s.shownRate = s.rate;
	}
	const double length = sqrt(step[0] * step[0] + step[1] * step[1]);
	const bool steady = fabs(s.rate) < 0.5;
	// frames that are alike except for rounding errors have no rate
	if (isnan(s.rate) && length < 1e-6) return DONE;
	const double scale = isnan(s.rate) && length < LEAST_WAY ? LEAST_WAY / length : 1 / (1 - (steady ? s.rate : 0));
	for (int d = 0; d < 2; d++) {
		const double by = scale * step[d];
		if (!(fabs(by) < 1e300)) return FAILED;
		s.moved[d] = fmax(-0.5, fmin(0.5, by));
		s.shift[d] += s.moved[d];
		if (!(fabs(s.shift[d] - q.start[d]) <= 1) || !(fabs(s.shift[d] - q.lag[d]) <= 1)) return FAILED;
		s.last[d] = step[d];
	}
	s.known = 1;
	// the covariance needs the rate
	if (isnan(s.rate)) return AGAIN;
	return length < 5e-4 || length * fmax(0.1, fabs(s.rate)) < (few ? 4e-3 : steady ? 5e-4 / 0.3 : 5e-4) ? DONE : AGAIN;
}

// Changes the shift until a further step would be small.
__device__ bool steps(Fit &s, const Request &q, const Extents &z, const double *inverses) {
	const bool few = s.bands > 1;
	if (threadIdx.x == 0) s.known = 0;
	__syncthreads();
	for (int step = 0; step < 8; step++) {
		if (!(s.a > 0)) return false;
		sums(s, q, z, inverses);
		if (threadIdx.x == 0) s.state = advance(s, q, few);
		__syncthreads();
		if (s.state != AGAIN) return s.state == DONE;
	}
	return false;
}

extern "C" __global__ void __launch_bounds__(THREADS) fit_shifts(const Request *requests, const Extents z, const double *inverses, Fitted *results) {
	__shared__ Fit s;
	const Request q = requests[blockIdx.x];
	if (threadIdx.x == 0) {
		s.state = region(s, q, z) ? AGAIN : FAILED;
		s.shift[0] = q.start[0];
		s.shift[1] = q.start[1];
		if (s.state == AGAIN) choose(s, true);
		s.every = s.state == AGAIN && s.bands > 1 ? 2 : 1;
	}
	__syncthreads();
	bool found = s.state == AGAIN;
	if (found) {
		const bool few = s.bands > 1;
		line(s, q, z);
		// the rows of a few bands bring the shift near the solution
		const bool near = few && steps(s, q, z, inverses);
		__syncthreads();
		if (threadIdx.x == 0) {
			choose(s, false);
			if (few && !near) {
				s.shift[0] = q.start[0];
				s.shift[1] = q.start[1];
			}
			s.every = few ? 4 : 1;
		}
		__syncthreads();
		if (few && !near) line(s, q, z);
		found = steps(s, q, z, inverses);
	}
	if (threadIdx.x != 0) return;
	Fitted *to = results + blockIdx.x;
	to->found = found;
	if (!found) return;
	const double x = s.noisy ? 1 / 256.0 : 1 / 16.0;
	const int side = cluster(s), r = s.noisy ? 2 : 1;
	to->shift[0] = s.shift[0];
	to->shift[1] = s.shift[1];
	to->g[0] = s.gx;
	to->g[1] = s.gy;
	to->gradients[0] = s.xx;
	to->gradients[1] = s.xy;
	to->gradients[2] = s.yy;
	for (int i = 0; i < 3; i++) to->clusters[i] = x * x * s.totals[CXX + i];
	to->square = s.square;
	to->slope = s.a;
	to->rate = s.shownRate;
	to->count = ((s.until[0] - s.min[0] - 2 * r + side - 1) / side) * ((s.until[1] - s.min[1] - 2 * r + side - 1) / side);
}
