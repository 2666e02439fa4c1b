// Refines shifts between the pixels: the steps of ShiftFit in cpu.frame, for planes and volumes. A launch is a step: the blocks of a pair sum columns of tiles, and the last
// one takes the step. So the results do not depend on the number of pairs.
#include "common.cuh"

#define THREADS 256
#define TILE 32 // the sides of a tile of pixels with a gradient, in a plane
#define TAPS 8
#define ACROSS (TILE + 4) // with the pixels around it that the smoothed gradient needs
#define WIDE (ACROSS + TAPS)
#define BAND 16
#define BLOCKS 16 // of a pair in a launch
#define FEW_BLOCKS 4 // the same for the rows of a few bands
#define STEPS 8 // as in ShiftFit
#define WORK 8192 // the bytes of a pair in global memory
#define FEWEST 64 // the fewest pixels
#define THIN 5 // the fewest pixels along a dimension
#define COLUMN 16 // the tiles, one above the other, whose pixels of a thread are summed in float
#define PIECE 4 // the pixels of a row whose sum of gradient times residual a cluster takes at a time
#define LEAST_WAY 0.03 // as in ShiftFit: the shortest way in pixels that shows the rate for the covariance

// Sums over pixels: both frames, squares and products, residuals; the number of pixels, of those with a residual, of those with a gradient, of these the sampled ones, and of
// these those that count; of these the sum of both frames s, its square, the residual, and the residual times s. Then gradient times residual, the gradient, the gradient times the sum of both frames, products of
// gradients, and products of the clusters' sums of gradient times residual.
enum { F, M, FF, MM, FM, EE, ALL, INNER, STEEP, SAMPLED, COUNTED, S, SS, E, ES, G };
enum { AGAIN, DONE, FAILED };
enum { UNFINISHED = -1 };
enum { TAKES_PART = 1, OF_FEW = 2 };
enum { SHORT = 1, LONG = 2 }; // of a pixel: for the kernels of 4 weights, and for the long ones, by which it can be interpolated

__device__ constexpr int products(const int d) { return d * (d + 1) / 2; }
template<int D> __device__ constexpr int gradients() { return G + 3 * D; }
template<int D> __device__ constexpr int clustered() { return gradients<D>() + products(D); }
template<int D> __device__ constexpr int number() { return clustered<D>() + products(D); }

struct Request {
	const float *fixed, *moving;
	const u8 *fixedCounts, *movingCounts; // 1 for pixels that count; null if all do
	u8 *taken; // the pixels of the fixed frame that the fit takes, SHORT, LONG or both; null if all count
	double start[3];
	int lag[4]; // the last one is not used
};

struct Fitted {
	double shift[3], g[3], gradients[6], clusters[6], square, slope, rate; // what the covariance follows from, see ClusterCovariance. Products: xx, xy, yy; or xx, xy, xz, yy, yz, zz
	int found, count; // found: 1, 0, or UNFINISHED; count: the number of clusters
};

struct Extents {
	int fixed[3], moving[3];
};

// The state of a fit between two launches.
template<int D> struct State {
	double shift[D], a, b, rate, shownRate, last[D], moved[D]; // the line f = a·m + b; shownRate: what a long way has shown; last: the last step without lengthening; moved: that step as it was taken
	double g[D], h[products(D)], square, mean[D], share[D]; // mean, share: the part of the gradient that is left out, as in FitRows
	double totals[number<D>()];
	float slopeM, offsetM, slopeF, less[D][2]; // in float: a, b, 1 / a; mean and share
	int min[D], until[D], taps[D], steps; // steps: so far
	// few: whether the rows are those of a few bands. known: whether there is a last step. Pairs of these are not read together: PTX 8.0 cannot express a pair of which one is not used
	volatile int bands, every, sampled, noisy, known, state, kernels, few; // sampled: the next value of every; kernels: SHORT or LONG
};

// What a pair has in global memory.
template<int D> struct Work {
	State<D> state;
	u32 done; // the blocks that have finished this step
	// the number of the next launch times 4, plus TAKES_PART if there is a step to take, plus OF_FEW for the rows of a few bands: one word, because
	// the last block can change it before all blocks have begun that take no part
	u32 ticket;
	double partials[BLOCKS][number<D>()]; // the sums of each block
};

// What all threads of a block share. Only thread 0 writes it, but for the weights. D: the number of dimensions.
template<int D> struct Fit : State<D> {
	static const int PLANES = D == 3 ? 3 : 1, LAST = D == 3 ? 2 : 1; // of rings
	double parts[THREADS / 32][number<D>()];
	float pieces[D][TILE][TILE / PIECE]; // of gradient times residual: the sums of pieces of rows
	float weights[D][TAPS], deep[D == 3 ? (ACROSS + TAPS) * WIDE : 1], column[ACROSS * WIDE], both[PLANES][ACROSS * ACROSS], residual[LAST][ACROSS * ACROSS];
	int whole[D];
};

// Adds up values of all threads.
template<int N, int D> __device__ void add_up(double (&v)[N], Fit<D> &s) {
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

// The region of the fixed frame at which the moving frame can be interpolated along a dimension: the first pixel and the one after its last, and the number of weights, 0 if
// the frames overlap too little.
__device__ inline int3 region(const Request &q, const Extents &e, const int d, const int kernels) {
	const int from = max(0, -q.lag[d]), until = min(e.fixed[d], e.moving[d] - q.lag[d]), extent = until - from;
	if (extent < 14) {
		// at the other end, where the fixed frame ends, the moving frame often goes on
		const int first = max(0, 2 - q.lag[d]), end = min(e.fixed[d], e.moving[d] - q.lag[d] - 3);
		return end - first < THIN ? make_int3(0, 0, 0) : make_int3(first, end, 4);
	}
	const int taps = extent < 40 || kernels == SHORT ? 4 : TAPS;
	return make_int3(from + taps / 2 + 1, until - taps / 2 - 1, taps);
}

// Thread 0.
template<int D> __device__ bool region(Fit<D> &s, const Request &q, const Extents &e, const int kernels) {
	s.kernels = kernels;
	for (int d = 0; d < D; d++) {
		const int3 r = region(q, e, d, kernels);
		if (r.z == 0) return false;
		s.min[d] = r.x;
		s.until[d] = r.y;
		s.taps[d] = r.z;
	}
	return true;
}

// Whether all pixels of the moving frame count from which a pixel is interpolated at any shift near the lag. at: its place without the shift; taps: the number of weights.
template<int D> __device__ bool interpolated(const Request &q, const Extents &e, const int (&at)[3], const int (&taps)[3]) {
	const int wide = taps[0] / 2, down = taps[1] / 2, deep = D == 3 ? taps[2] / 2 : 0;
	for (int z = -deep; z <= deep; z++)
		for (int y = -down; y <= down; y++) {
			const u8 *row = q.movingCounts + ((size_t) (at[2] + z) * e.moving[1] + at[1] + y) * e.moving[0] + at[0];
			for (int x = -wide; x <= wide; x++) if (row[x] == 0) return false;
		}
	return true;
}

// Which pixels a fit takes, as FitPixels says it.
template<int D> __device__ inline void take_pixels(const Request &q, const Extents &e) {
	if (q.taken == nullptr) return;
	int3 region_[2][3];
	for (int k = SHORT; k <= LONG; k++) for (int d = 0; d < 3; d++) region_[k - 1][d] = d < D ? region(q, e, d, k) : make_int3(0, 1, 1);
	const s64 n = (s64) e.fixed[0] * e.fixed[1] * (D == 3 ? e.fixed[2] : 1);
	for (s64 i = (s64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (s64) gridDim.x * blockDim.x) {
		const int x = (int) (i % e.fixed[0]), y = (int) (i / e.fixed[0] % e.fixed[1]), z = (int) (i / e.fixed[0] / e.fixed[1]);
		const int place[3] = { x, y, z }, at[3] = { x + q.lag[0], y + q.lag[1], D == 3 ? z + q.lag[2] : 0 };
		int kinds = 0;
		for (int k = SHORT; k <= LONG && (q.fixedCounts == nullptr || q.fixedCounts[i] != 0); k++) {
			const int3 (&r)[3] = region_[k - 1];
			bool inside = true;
			for (int d = 0; d < D; d++) inside = inside && place[d] >= r[d].x && place[d] < r[d].y;
			const int taps[3] = { r[0].z, r[1].z, r[2].z };
			if (inside && (q.movingCounts == nullptr || interpolated<D>(q, e, at, taps))) kinds |= k;
		}
		q.taken[i] = kinds;
	}
}

// Whether a fit takes a pixel.
template<int D> __device__ inline bool takes(const Fit<D> &s, const Request &q, const Extents &e, const int x, const int y, const int z) {
	return q.taken == nullptr || (q.taken[((size_t) z * e.fixed[1] + y) * e.fixed[0] + x] & s.kernels) != 0;
}

// The first plane of the region, and the plane after its last.
template<int D> __device__ inline int first_plane(const Fit<D> &s) {
	if constexpr (D == 3) return s.min[2];
	else return 0;
}

template<int D> __device__ inline int last_plane(const Fit<D> &s) {
	if constexpr (D == 3) return s.until[2];
	else return 1;
}

// Chooses the rows: all, or of a large region bands that are spread evenly. Thread 0.
template<int D> __device__ void choose(Fit<D> &s, const bool few) {
	const int height = s.until[1] - s.min[1];
	const s64 pixels = (s64) (s.until[0] - s.min[0]) * height * (last_plane(s) - first_plane(s));
	const int share = few && height >= 4 * BAND ? (int) min((s64) 16, pixels / (1 << 14)) : 1;
	s.bands = share < 2 ? 1 : max(2, height / (share * BAND));
}

// The first row of a band, and the row after its last.
template<int D> __device__ inline int2 band(const Fit<D> &s, const int i) {
	if (s.bands == 1) return make_int2(s.min[1], s.until[1]);
	const int from = s.min[1] + (int) ((2ll * i + 1) * (s.until[1] - s.min[1]) / (2 * s.bands)) - BAND / 2;
	return make_int2(from, from + BAND);
}

// The side of a cluster of pixels, as in FitRows.
template<int D> __device__ inline int cluster(const Fit<D> &s) { return (s64) (s.until[0] - s.min[0]) * (s.until[1] - s.min[1]) < 1 << 12 ? 4 : 8; }

// The region, and the kernels: short ones where long ones leave less than half of the pixels that short ones leave. False if too few pixels are left.
template<int D> __device__ bool kernels(Fit<D> &s, const Request &q, const Extents &e) {
	if (threadIdx.x == 0) s.state = region(s, q, e, LONG) ? AGAIN : FAILED;
	__syncthreads();
	if (s.state == FAILED) return false;
	if (q.taken == nullptr) return true;
	double counts[2] = { 0 };
	for (int again = 0; again < 2; again++) {
		const int wide = s.until[0] - s.min[0], down = s.until[1] - s.min[1];
		const s64 n = (s64) wide * down * (last_plane(s) - first_plane(s));
		for (s64 i = threadIdx.x; i < n; i += THREADS) {
			const int x = s.min[0] + (int) (i % wide), y = s.min[1] + (int) (i / wide % down), z = first_plane(s) + (int) (i / wide / down);
			const u8 kinds = q.taken[((size_t) z * e.fixed[1] + y) * e.fixed[0] + x];
			counts[0] += kinds & SHORT;
			counts[1] += (kinds & LONG) != 0;
		}
		add_up(counts, s);
		if (2 * s.totals[1] >= s.totals[0] || s.kernels == SHORT) break;
		__syncthreads();
		counts[0] = counts[1] = 0;
		if (threadIdx.x == 0) region(s, q, e, SHORT);
		__syncthreads();
	}
	return s.totals[s.kernels - 1] >= FEWEST;
}

// The slope of the line without noise, from that of the least squares, the variance of the fixed frame over that of the moving one, and the share of its noise that
// interpolation leaves: as in FitRows.
__device__ inline double slope(const double a, const double ratio, const double kept) {
	const double p = (1 - kept) * a;
	return a > 0 ? (p + sqrt(p * p + 4 * kept * ratio)) / 2 : a;
}

// Thread 0.
template<int D> __device__ inline void in_float(Fit<D> &s) {
	s.slopeM = (float) s.a;
	s.offsetM = (float) s.b;
	s.slopeF = (float) (1 / s.a);
	for (int d = 0; d < D; d++) {
		s.less[d][0] = (float) s.mean[d];
		s.less[d][1] = (float) s.share[d];
	}
}

// Begins with the line at the whole-pixel lag, and whether the frames are noisy.
template<int D> __device__ void line(Fit<D> &s, const Request &q, const Extents &e) {
	double v[6] = { 0 };
	for (int z = first_plane(s); z < last_plane(s); z++)
		for (int k = 0; k < s.bands; k++) {
			const int2 b = band(s, k);
			for (int y = b.x + (int) threadIdx.x / 32; y < b.y; y += THREADS / 32) {
				const float *fixed = q.fixed + ((size_t) z * e.fixed[1] + y) * e.fixed[0];
				const float *moving = q.moving + ((size_t) (D == 3 ? z + q.lag[2] : 0) * e.moving[1] + y + q.lag[1]) * e.moving[0] + q.lag[0];
				for (int x = s.min[0] + (int) (threadIdx.x & 31); x < s.until[0]; x += 32) {
					if (!takes(s, q, e, x, y, z)) continue;
					const double f = fixed[x], m = moving[x];
					v[0] += f;
					v[1] += m;
					v[2] += f * f;
					v[3] += m * m;
					v[4] += f * m;
					v[5]++;
				}
			}
		}
	add_up(v, s);
	if (threadIdx.x == 0) {
		const double *t = s.totals, n = t[5], covariance = t[4] - t[0] * t[1] / n, square = t[3] - t[1] * t[1] / n;
		s.noisy = covariance * covariance < 0.8 * 0.8 * (t[2] - t[0] * t[0] / n) * square;
		s.a = slope(covariance / square, (t[2] - t[0] * t[0] / n) / square, 1);
		s.b = (t[0] - s.a * t[1]) / n;
		for (int d = 0; d < D; d++) s.mean[d] = s.share[d] = 0;
		in_float(s);
		s.every = 1;
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

// The weights of the pixels along all dimensions. inverses: the inverse covariance matrix for 8 pixels, then that for 4.
template<int D> __device__ void weigh(Fit<D> &s, const double *inverses) {
	const int d = (int) threadIdx.x / TAPS, i = (int) threadIdx.x % TAPS;
	const int taps = d < D ? s.taps[d] : 0;
	const bool mine = i < taps;
	// in the memory of add_up
	double (*const near)[TAPS] = (double (*)[TAPS]) &s.parts[0][0], (*const products)[TAPS] = near + D;
	if (mine) {
		const double whole = floor(s.shift[d]);
		if (i == 0) s.whole[d] = (int) whole;
		near[d][i] = autocovariance(s.shift[d] - whole - (1 - taps / 2 + i));
	}
	__syncthreads();
	if (mine) {
		double w = 0;
		for (int k = 0; k < taps; k++) w += inverses[(taps == 4 ? TAPS * TAPS : 0) + i * taps + k] * near[d][k];
		products[d][i] = w;
	}
	__syncthreads();
	if (mine) {
		double sum = 0;
		for (int k = 0; k < taps; k++) sum += products[d][k];
		s.weights[d][i] = (float) (products[d][i] / sum);
	}
	__syncthreads();
}

// Smooths along y, and the slope along y: with the filter of Sobel, for noisy frames after a smoothing by 1, 2, 1.
template<bool NOISY> __device__ inline float smooth(const float *c) {
	const float near = c[-ACROSS] + c[ACROSS];
	return NOISY ? c[-2 * ACROSS] + c[2 * ACROSS] + 4 * near + 6 * c[0] : near + 2 * c[0];
}

template<bool NOISY> __device__ inline float slope(const float *c) {
	const float near = c[ACROSS] - c[-ACROSS];
	return NOISY ? c[2 * ACROSS] - c[-2 * ACROSS] + 2 * near : near;
}

// The same along x, of values that are smoothed or steep along y.
template<bool NOISY> __device__ inline float smooth(const float (&v)[5]) { return NOISY ? v[0] + v[4] + 4 * (v[1] + v[3]) + 6 * v[2] : v[1] + 2 * v[2] + v[3]; }
template<bool NOISY> __device__ inline float slope(const float (&v)[5]) { return NOISY ? v[4] - v[0] + 2 * (v[3] - v[1]) : v[3] - v[1]; }

// The gradient of the sum of both frames at a place of plane z.
template<int D, bool NOISY> __device__ inline void gradient(const Fit<D> &s, const int z, const int at, float (&g)[D]) {
	const float *c = s.both[z % Fit<D>::PLANES] + at;
	const int r = NOISY ? 2 : 1;
	float along[5], down[5];
	#pragma unroll
	for (int i = -r; i <= r; i++) {
		along[i + 2] = smooth<NOISY>(c + i);
		down[i + 2] = slope<NOISY>(c + i);
	}
	g[0] = slope<NOISY>(along);
	g[1] = smooth<NOISY>(down);
	if constexpr (D == 3) {
		const float *before = s.both[(z + 2) % 3] + at, *after = s.both[(z + 1) % 3] + at;
		#pragma unroll
		for (int i = -r; i <= r; i++) along[i + 2] = smooth<NOISY>(after + i) - smooth<NOISY>(before + i);
		g[2] = smooth<NOISY>(along);
	}
}

// Rows of the moving frame, mixed along z: as many as the mixing along y needs.
template<int N> __device__ inline void mix_planes(Fit<3> &s, const float *m, const int pitch, const s64 area, const int wide, const int down) {
	float w[N];
	#pragma unroll
	for (int k = 0; k < N; k++) w[k] = s.weights[2][k];
	for (int i = threadIdx.x; i < WIDE * down; i += THREADS) {
		const int x = i % WIDE, y = i / WIDE;
		if (x >= wide) continue;
		const float *from = m + (s64) y * pitch + x;
		float sum = 0;
		#pragma unroll
		for (int k = 0; k < N; k++) sum += w[k] * from[k * area];
		s.deep[i] = sum;
	}
}

// Rows mixed along y. N: the number of rows that are mixed.
template<int N, int D> __device__ inline void mix_rows(Fit<D> &s, const float *m, const int pitch, const int wide, const int down) {
	float w[N];
	#pragma unroll
	for (int k = 0; k < N; k++) w[k] = s.weights[1][k];
	for (int i = threadIdx.x; i < WIDE * down; i += THREADS) {
		const int x = i % WIDE, y = i / WIDE;
		if (x >= wide) continue;
		const float *from = m + (s64) y * pitch + x;
		float sum = 0;
		#pragma unroll
		for (int k = 0; k < N; k++) sum += w[k] * from[(s64) k * pitch];
		s.column[i] = sum;
	}
}

// Fills s.column with the pixels of a tile of the moving frame, mixed along all dimensions but x. m: the first pixel that is mixed.
template<int D> __device__ inline void mix(Fit<D> &s, const float *m, const Extents &e, const int wide, const int down) {
	if constexpr (D == 3) {
		const int rows = down + s.taps[1] - 1;
		const s64 area = (s64) e.moving[0] * e.moving[1];
		if (s.taps[2] == TAPS) mix_planes<TAPS>(s, m, e.moving[0], area, wide, rows);
		else mix_planes<4>(s, m, e.moving[0], area, wide, rows);
		__syncthreads();
		if (s.taps[1] == TAPS) mix_rows<TAPS>(s, s.deep, WIDE, wide, down);
		else mix_rows<4>(s, s.deep, WIDE, wide, down);
	}
	else if (s.taps[1] == TAPS) mix_rows<TAPS>(s, m, e.moving[0], wide, down);
	else mix_rows<4>(s, m, e.moving[0], wide, down);
	__syncthreads();
}

template<int N> __device__ inline float mixed(const float *from, const float *w) {
	float sum = 0;
	#pragma unroll
	for (int k = 0; k < N; k++) sum += w[k] * from[k];
	return sum;
}

// Adds the clusters of a tile, or of all tiles of a column, to the sums: the last warp. A lane has a cluster along one dimension; of a plane's 16 clusters of 8x8
// pixels, both have all lanes. products: the sums of products of clusters.
template<int D> __device__ inline void clusters(const Fit<D> &s, double (&v)[products(D)]) {
	const int lane = (int) threadIdx.x - (THREADS - 32);
	if (lane < 0) return;
	// a cluster has two pieces along x, or one, and as many rows
	const int two = cluster(s) > PIECE ? 1 : 0, rows = PIECE << two, across = TILE / PIECE >> two, all = across * (TILE / rows);
	// lanes take clusters in turn; those of the upper half have y in planes
	const int per = D == 2 ? 16 : 8, d = lane / per;
	for (int first = 0; first < all; first += per) {
		const int c = first + lane % per;
		float sum = 0;
		if (d < D && c < all) {
			const float *from = &s.pieces[d][c / across * rows][c % across << two];
			// lanes begin at different rows, whose words lie in different banks
			for (int i = 0; i < rows; i++) {
				const float *row = from + (i + lane / across) % rows * (TILE / PIECE);
				sum += two ? row[0] + row[1] : row[0];
			}
		}
		float of[D];
		#pragma unroll
		for (int i = 0; i < D; i++) of[i] = __shfl_sync(~0u, sum, lane % per + i * per);
		if (d != 0) continue;
		#pragma unroll
		for (int i = 0, k = 0; i < D; i++)
			for (int j = i; j < D; j++) v[k++] += of[i] * of[j];
	}
}

// A tile: the pixels with a gradient from (x0, y0) to (x1, y1), in a band from top to bottom.
struct Tile {
	int x0, y0, x1, y1, top, bottom;
};

// Interpolates a plane of a tile: the sum of both frames, the residual and what counts. ends: whether the plane adds to the sums.
template<int D> __device__ inline void load(Fit<D> &s, const Request &q, const Extents &e, const Tile &t, const int z, const bool adds,
	float (&sums)[clustered<D>()], double (&ofClusters)[products(D)])
{
	const int r = s.noisy ? 2 : 1, left = s.min[0] + r, right = s.until[0] - r, first = t.top + r, end = t.bottom - r, every = s.every;
	const int across = t.x1 - t.x0 + 2 * r, down = t.y1 - t.y0 + 2 * r, wide = across + s.taps[0] - 1, plane = z % Fit<D>::PLANES, last = z % Fit<D>::LAST;
	s64 at = (s64) (t.y0 - r + s.whole[1] + 1 - s.taps[1] / 2) * e.moving[0] + t.x0 - r + s.whole[0] + 1 - s.taps[0] / 2;
	if constexpr (D == 3) at += (s64) (z + s.whole[2] + 1 - s.taps[2] / 2) * e.moving[0] * e.moving[1];
	const bool eight = s.taps[0] == TAPS;
	const size_t fixed = (size_t) z * e.fixed[0] * e.fixed[1];
	mix(s, q.moving + at, e, wide, down);
	// of the tile before, while no warp writes those of this one
	if (D == 2 && s.bands == 1) clusters(s, ofClusters);
	const float c = s.slopeF, a = s.slopeM, b = s.offsetM;
	for (int i = threadIdx.x; i < ACROSS * down; i += THREADS) {
		const int u = i % ACROSS, w = i / ACROSS, x = t.x0 - r + u, y = t.y0 - r + w;
		if (u >= across) continue;
		const float *from = s.column + w * WIDE + u;
		const float moved = eight ? mixed<TAPS>(from, s.weights[0]) : mixed<4>(from, s.weights[0]);
		const bool counts = takes(s, q, e, x, y, z), inner = x >= left && x < right && counts;
		const float f = q.fixed[fixed + (size_t) y * e.fixed[0] + x], d = inner ? f - a * moved - b : 0;
		s.both[plane][i] = c * f + moved;
		s.residual[last][i] = d;
		// the pixels around all tiles belong to the nearest one
		if (!adds || !counts || (y + z) % every != 0 || (x < t.x0 && t.x0 != left) || (x >= t.x1 && t.x1 != right) || (y < t.y0 && t.y0 != first)
			|| (y >= t.y1 && t.y1 != end)) continue;
		sums[F] += f;
		sums[M] += moved;
		sums[FF] += f * f;
		sums[MM] += moved * moved;
		sums[FM] += f * moved;
		sums[EE] += d * d;
		sums[ALL]++;
		if (inner) sums[INNER]++;
	}
	__syncthreads();
}

// Adds the gradients of a plane of a tile to the sums. In volumes the planes before and after are loaded.
template<int D> __device__ inline void add(Fit<D> &s, const Request &q, const Extents &e, const Tile &t, const int z, float (&sums)[clustered<D>()]) {
	const bool noisy = s.noisy, whole = s.bands == 1;
	const int r = noisy ? 2 : 1, every = s.every, last = z % Fit<D>::LAST;
	float mean[D], share[D];
	#pragma unroll
	for (int d = 0; d < D; d++) {
		mean[d] = s.less[d][0];
		share[d] = s.less[d][1];
	}
	// a warp has a row
	#pragma unroll
	for (int w = (int) threadIdx.x / TILE; w < TILE; w += THREADS / TILE) {
		const int u = (int) threadIdx.x % TILE, at = (w + r) * ACROSS + u + r;
		const bool inside = u < t.x1 - t.x0 && w < t.y1 - t.y0;
		float g[D] = { 0 }, eg[D] = { 0 }, both = 0;
		if (inside) {
			if (noisy) gradient<D, true>(s, z, at, g);
			else gradient<D, false>(s, z, at, g);
			both = s.both[z % Fit<D>::PLANES][at];
			#pragma unroll
			for (int d = 0; d < D; d++) {
				g[d] -= mean[d] + share[d] * both;
				eg[d] = s.residual[last][at] * g[d];
			}
			sums[STEEP]++;
		}
		#pragma unroll
		for (int d = 0; d < D; d++) {
			sums[G + d] += eg[d];
			if (!whole) continue;
			#pragma unroll
			for (int o = PIECE / 2; o > 0; o /= 2) eg[d] += __shfl_xor_sync(~0u, eg[d], o);
			if (u % PIECE == 0) s.pieces[d][w][u / PIECE] = D == 3 ? s.pieces[d][w][u / PIECE] + eg[d] : eg[d];
		}
		if (!inside || (t.y0 + w + z) % every != 0) continue;
		sums[SAMPLED]++;
		if (!takes(s, q, e, t.x0 + u, t.y0 + w, z)) continue;
		sums[COUNTED]++;
		sums[S] += both;
		sums[SS] += both * both;
		sums[E] += s.residual[last][at];
		sums[ES] += s.residual[last][at] * both;
		#pragma unroll
		for (int d = 0; d < D; d++) {
			sums[G + D + d] += g[d];
			sums[G + 2 * D + d] += g[d] * both;
		}
		#pragma unroll
		for (int i = 0, k = gradients<D>(); i < D; i++)
			for (int j = i; j < D; j++) sums[k++] += g[i] * g[j];
	}
}

// Moves sums in float to sums in double.
template<int N, int M> __device__ inline void flush(float (&from)[N], double (&to)[M]) {
	#pragma unroll
	for (int i = 0; i < N; i++) {
		to[i] += from[i];
		from[i] = 0;
	}
}

// The sums at the current shift, of this block's columns of tiles.
template<int D> __device__ inline void sums(Fit<D> &s, const Request &q, const Extents &e, const double *inverses, const int blocks) {
	weigh(s, inverses);
	const int r = s.noisy ? 2 : 1, side = cluster(s), pieces = D * TILE * TILE / PIECE;
	// in volumes, planes without a gradient lie before and after
	const int firstPlane = first_plane(s), lastPlane = last_plane(s), around = D == 3 ? 1 : 0;
	double v[number<D>()] = { 0 }, ofClusters[products(D)] = { 0 };
	// of a column of tiles in float: a thread has a few hundred pixels of it
	float some[clustered<D>()] = { 0 };
	for (int i = threadIdx.x; i < pieces; i += THREADS) (&s.pieces[0][0][0])[i] = 0;
	for (int k = 0, column = 0; k < s.bands; k++) {
		const int2 b = band(s, k);
		for (int x = s.min[0] + r; x < s.until[0] - r; x += TILE)
			for (int z0 = firstPlane + around; z0 < lastPlane - around; z0 += D == 3 ? side : 1) {
				if (column++ % blocks != (int) blockIdx.x) continue;
				const int z1 = min(z0 + (D == 3 ? side : 1), lastPlane - around);
				for (int y = b.x + r, tiles = 1; y < b.y - r; y += TILE, tiles++) {
					const Tile t = { x, y, min(x + TILE, s.until[0] - r), min(y + TILE, b.y - r), b.x, b.y };
					for (int z = z0 - around; z < z1 + around; z++) {
						load(s, q, e, t, z, (z >= z0 && z < z1) || z == firstPlane || z == lastPlane - 1, some, ofClusters);
						if (z - around >= z0) add(s, q, e, t, z - around, some);
					}
					if (tiles % COLUMN == 0) flush(some, v);
					if (D == 2 || s.bands > 1) continue;
					__syncthreads();
					clusters(s, ofClusters);
					__syncthreads();
					for (int i = threadIdx.x; i < pieces; i += THREADS) (&s.pieces[0][0][0])[i] = 0;
				}
				flush(some, v);
			}
	}
	__syncthreads();
	if (D == 2 && s.bands == 1) clusters(s, ofClusters);
	#pragma unroll
	for (int i = 0; i < products(D); i++) v[clustered<D>() + i] = ofClusters[i];
	add_up(v, s);
}

// The filters' weights, and the mean of both frames; along z also the distance of two planes.
template<int D> __device__ inline double scale(const Fit<D> &s, const int d) { return (s.noisy ? 1 / 256.0 : 1 / 16.0) / (d == 2 ? 4 : 1); }

// Solves h·x = g by elimination; false if h is singular.
template<int D> __device__ bool solve(const double (&h)[products(D)], const double (&g)[D], double (&x)[D]) {
	double a[D][D + 1];
	for (int i = 0, k = 0; i < D; i++) {
		for (int j = i; j < D; j++) a[i][j] = a[j][i] = h[k++];
		a[i][D] = g[i];
	}
	for (int p = 0, k = 0; p < D; k += D - p, p++) {
		if (!(a[p][p] > 1e-9 * h[k]) || !(h[k] > 0)) return false;
		for (int i = 0; i < D; i++) {
			const double factor = a[i][p] / a[p][p];
			for (int j = p; j <= D && i != p; j++) a[i][j] -= factor * a[p][j];
		}
	}
	for (int i = 0; i < D; i++) x[i] = a[i][D] / a[i][i];
	return true;
}

// Takes what follows from the sums. Thread 0.
template<int D> __device__ void take(Fit<D> &s) {
	const double *t = s.totals, all = t[STEEP] / t[SAMPLED];
	double kept = 1; // the share of the variance of white noise that interpolation leaves
	for (int d = 0; d < D; d++) {
		double squares = 0;
		for (int k = 0; k < s.taps[d]; k++) squares += (double) s.weights[d][k] * s.weights[d][k];
		kept *= squares;
	}
	s.square = t[EE] / t[INNER];
	// noise, which is the same share of both frames, gives their sum and the residual this covariance
	const double common = s.square * (1 - kept) / (s.a * (1 + kept));
	const double square = t[MM] - t[M] * t[M] / t[ALL];
	s.a = slope((t[FM] - t[F] * t[M] / t[ALL]) / square, (t[FF] - t[F] * t[F] / t[ALL]) / square, kept);
	s.b = (t[F] - s.a * t[M]) / t[ALL];
	// of all rows, these sums leave out what the next ones will
	const bool complete = t[STEEP] == t[SAMPLED];
	const double n = t[COUNTED], mean = t[S] / n, variance = t[SS] / n - mean * mean;
	double ofMean[D], share[D];
	for (int d = 0; d < D; d++) {
		ofMean[d] = t[G + D + d] / n;
		share[d] = variance > 0 ? (t[G + 2 * D + d] / n - ofMean[d] * mean) / variance : 0;
		const double line = ofMean[d] - share[d] * mean, left = complete ? line * t[E] + share[d] * t[ES] : 0, before = s.share[d];
		s.mean[d] += line;
		s.share[d] += share[d];
		s.g[d] = scale(s, d) * (t[G + d] - left + (complete ? s.share[d] : before) * all * n * common);
	}
	for (int i = 0, k = 0; i < D; i++)
		for (int j = i; j < D; j++, k++) {
			const double less = complete ? n * (ofMean[i] * ofMean[j] + share[i] * share[j] * variance) : 0;
			s.h[k] = all * scale(s, i) * scale(s, j) * (t[gradients<D>() + k] - less);
		}
	in_float(s);
}

// Takes a step. Of a few bands, the shift needs to be near only. Thread 0.
template<int D> __device__ int advance(Fit<D> &s, const Request &q) {
	take(s);
	double step[D], length = 0;
	if (!solve<D>(s.h, s.g, step)) return FAILED;
	for (int d = 0; d < D; d++) {
		step[d] /= s.a;
		length += step[d] * step[d];
	}
	length = sqrt(length);
	if (s.known) {
		// the rate from the last two steps that would not be lengthened, and the way between them
		double square = 0, product = 0;
		for (int d = 0; d < D; d++) {
			square += s.moved[d] * s.moved[d];
			product += (s.last[d] - step[d]) * s.moved[d];
		}
		s.rate = 1 - product / square;
		if (square > 0.99 * LEAST_WAY * LEAST_WAY) s.shownRate = s.rate;
	}
	// as in ShiftFit: texture as fine as a pixel has rates of about -1
	const bool steady = s.rate > -3 && s.rate < 0.5;
	// frames that are alike except for rounding errors have no rate
	if (isnan(s.rate) && length < 1e-6) return DONE;
	const double by = isnan(s.rate) && length < LEAST_WAY ? LEAST_WAY / length : 1 / (1 - (steady ? s.rate : 0));
	for (int d = 0; d < D; d++) {
		if (!(fabs(by * step[d]) < 1e300)) return FAILED;
		s.moved[d] = fmax(-0.5, fmin(0.5, by * step[d]));
		s.shift[d] += s.moved[d];
		if (!(fabs(s.shift[d] - q.start[d]) <= 1) || !(fabs(s.shift[d] - q.lag[d]) <= 1)) return FAILED;
		s.last[d] = step[d];
	}
	s.known = 1;
	// the covariance needs the rate
	if (isnan(s.rate)) return AGAIN;
	return length < 5e-4 || length * fmax(0.1, fabs(s.rate)) < (s.few ? 4e-3 : steady ? 5e-4 / 0.3 : 5e-4) ? DONE : AGAIN;
}

template<int D> __device__ void put_result(const Fit<D> &s, Fitted *to) {
	to->found = s.state == AGAIN ? UNFINISHED : s.state == DONE;
	if (s.state != DONE) return;
	const int side = cluster(s), r = s.noisy ? 2 : 1;
	for (int i = 0, k = 0; i < D; i++) {
		to->shift[i] = s.shift[i];
		to->g[i] = s.g[i];
		for (int j = i; j < D; j++, k++) {
			to->gradients[k] = s.h[k];
			to->clusters[k] = scale(s, i) * scale(s, j) * s.totals[clustered<D>() + k];
		}
	}
	to->square = s.square;
	to->slope = s.a;
	to->rate = s.shownRate;
	const int across = s.until[0] - s.min[0] - 2 * r, down = s.until[1] - s.min[1] - 2 * r, deep = D == 3 ? last_plane(s) - first_plane(s) - 2 : side;
	to->count = ((across + side - 1) / side) * ((down + side - 1) / side) * ((deep + side - 1) / side);
}

// Decides how a fit goes on, and keeps its state. After the rows of a few bands, which bring the shift near the solution, come all rows. next: the number of the next
// launch. All threads, after s.state was set.
template<int D> __device__ inline void go_on(Fit<D> &s, const Request &q, const Extents &e, Work<D> *work, const int next, Fitted *to) {
	__syncthreads();
	const bool ended = s.state != AGAIN && s.few, near = s.state == DONE;
	__syncthreads();
	if (ended) {
		if (threadIdx.x == 0) {
			choose(s, false);
			for (int d = 0; d < D && !near; d++) s.shift[d] = q.start[d];
			s.few = s.known = s.steps = 0;
			s.every = s.sampled = 4;
		}
		__syncthreads();
		if (!near) line(s, q, e);
		if (threadIdx.x == 0) s.state = s.a > 0 ? AGAIN : FAILED;
		__syncthreads();
	}
	if (threadIdx.x == 0) put_result(s, to);
	for (int i = threadIdx.x; i < (int) (sizeof(State<D>) / sizeof(int)); i += THREADS) ((int *) &work->state)[i] = ((const int *) static_cast<const State<D> *>(&s))[i];
	if (threadIdx.x != 0) return;
	work->done = 0;
	work->ticket = 4 * next + (s.few ? OF_FEW : 0) + (s.state == AGAIN ? TAKES_PART : 0);
}

// A block per pair.
template<int D> __device__ inline void begin(const Request &q, const Extents &e, Work<D> *work, Fitted *to) {
	__shared__ Fit<D> s;
	const bool found = kernels(s, q, e);
	__syncthreads();
	if (threadIdx.x == 0) {
		s.few = s.known = s.steps = 0;
		s.sampled = 1;
		s.state = FAILED;
	}
	if (found) {
		if (threadIdx.x == 0) {
			for (int d = 0; d < D; d++) s.shift[d] = q.start[d];
			choose(s, true);
			s.few = s.bands > 1;
			s.sampled = s.few ? 2 : 1;
		}
		__syncthreads();
		line(s, q, e);
		if (threadIdx.x == 0) s.state = s.a > 0 ? AGAIN : FAILED;
	}
	go_on(s, q, e, work, 0, to);
}

// BLOCKS blocks per pair.
template<int D> __device__ inline void step(const Request &q, const Extents &e, const double *inverses, Work<D> *work, const int launch, Fitted *to) {
	__shared__ Fit<D> s;
	__shared__ bool last;
	const u32 ticket = *(const volatile u32 *) &work->ticket;
	if ((int) (ticket / 4) != launch || (ticket & TAKES_PART) == 0) return;
	const int blocks = (ticket & OF_FEW) != 0 ? FEW_BLOCKS : BLOCKS;
	if ((int) blockIdx.x >= blocks) return;
	for (int i = threadIdx.x; i < (int) (sizeof(State<D>) / sizeof(int)); i += THREADS) ((int *) static_cast<State<D> *>(&s))[i] = ((const int *) &work->state)[i];
	__syncthreads();
	sums(s, q, e, inverses, blocks);
	if (threadIdx.x < number<D>()) work->partials[blockIdx.x][threadIdx.x] = s.totals[threadIdx.x];
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) last = atomicAdd(&work->done, 1u) == (u32) blocks - 1;
	__syncthreads();
	if (!last) return;
	__threadfence();
	if (threadIdx.x < number<D>()) {
		double sum = 0;
		for (int b = 0; b < blocks; b++) sum += ((const volatile double *) work->partials[b])[threadIdx.x];
		s.totals[threadIdx.x] = sum;
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		const int state = advance(s, q);
		s.every = s.sampled;
		s.state = state == AGAIN && (++s.steps == STEPS || !(s.a > 0)) ? FAILED : state;
	}
	go_on(s, q, e, work, launch + 1, to);
}

static_assert(sizeof(Work<3>) <= WORK, "as GpuLane allocates it");

template<int D> __device__ inline Work<D> *work_of(u8 *works, const int pair) { return (Work<D> *) (works + (size_t) WORK * pair); }

extern "C" __global__ void __launch_bounds__(THREADS, 2) begin_planes(const Request *requests, const Extents e, u8 *works, Fitted *results) {
	begin<2>(requests[blockIdx.x], e, work_of<2>(works, blockIdx.x), results + blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) begin_volumes(const Request *requests, const Extents e, u8 *works, Fitted *results) {
	begin<3>(requests[blockIdx.x], e, work_of<3>(works, blockIdx.x), results + blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) step_planes(const Request *requests, const Extents e, const double *inverses, u8 *works, const int launch, Fitted *results) {
	const Request q = requests[blockIdx.y];
	step<2>(q, e, inverses, work_of<2>(works, blockIdx.y), launch, results + blockIdx.y);
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) step_volumes(const Request *requests, const Extents e, const double *inverses, u8 *works, const int launch, Fitted *results) {
	const Request q = requests[blockIdx.y];
	step<3>(q, e, inverses, work_of<3>(works, blockIdx.y), launch, results + blockIdx.y);
}

extern "C" __global__ void pixels_of_planes(const Request *requests, const Extents e) {
	take_pixels<2>(requests[blockIdx.y], e);
}

extern "C" __global__ void pixels_of_volumes(const Request *requests, const Extents e) {
	take_pixels<3>(requests[blockIdx.y], e);
}
