// Whole frames against each other: the sums of each frame, and for each pair the correlation coefficient of the part that overlaps, at all lags of a range, with its highest
// peaks and their exact sums. cuFFT makes the spectra and the numerators. The pixels are 8- or 16-bit integers, and all of them count.
#include "common.cuh"

// A frame on the card, x fastest.
struct Frame {
	u64 *totals; // the sum and the sum of squares of the pixels; 65536 plus the greatest, 65536 minus the least pixel; the energy, a double
	float *deviations; // from the whole number that is nearest to the mean
	float2 *spectrum; // of the deviations, padded with zeros
	double *sums, *squares; // of the deviations in the rows and columns before each place
};

struct Pair {
	Frame fixed, moving;
};

// The extents of frames, the lags from min on, and the extents of transforms.
struct Lags {
	int fixedWidth, fixedHeight, movingWidth, movingHeight;
	int minX, minY, lagsX, lagsY;
	int pointsX, pointsY;
};

// A peak. key: 0 for none; else the value in the upper half, in an order of whole numbers, and the complement of the index of its lag in the lower half.
struct Found {
	u64 key;
	s64 sums[5]; // over the overlap: of the fixed frame, of the moving frame, the squares of both, the products
	float around[9]; // the coefficients at the lag and its neighbours; NaN where there is none
	int exact; // whether the sums were computed
};

__device__ inline int whole_value(const void *raw, const int type, const size_t i) {
	switch (type) {
		case 0: return ((const u8 *) raw)[i];
		case 1: return ((const s8 *) raw)[i];
		case 2: return ((const u16 *) raw)[i];
		default: return ((const short *) raw)[i];
	}
}

__device__ inline s64 warp_sum(s64 v) {
	for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
	return v;
}

__device__ inline int warp_max(int v) {
	for (int o = 16; o > 0; o /= 2) v = max(v, __shfl_xor_sync(~0u, v, o));
	return v;
}

// The totals of frames, which were cleared. raw: the pixels of all frames. Grid: any number of blocks of complete warps, frames.
extern "C" __global__ void frame_totals(const void *raw, const int type, const int pixels, const Frame *frames) {
	const size_t first = (size_t) blockIdx.y * pixels;
	s64 sum = 0, squares = 0;
	int most = 0, least = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
		const int v = whole_value(raw, type, first + i);
		sum += v;
		squares += (s64) v * v;
		most = max(most, 65536 + v);
		least = max(least, 65536 - v);
	}
	sum = warp_sum(sum);
	squares = warp_sum(squares);
	most = warp_max(most);
	least = warp_max(least);
	if ((threadIdx.x & 31) != 0) return;
	u64 *to = frames[blockIdx.y].totals;
	atomicAdd(to, (u64) sum);
	atomicAdd(to + 1, (u64) squares);
	atomicMax(to + 2, (u64) most);
	atomicMax(to + 3, (u64) least);
}

// The deviations of frames, and the same padded with zeros for the transforms. Grid: columns and rows of a transform, frames.
extern "C" __global__ void deviations(const void *raw, const int type, const int width, const int height, const int pointsX, const int pointsY, const Frame *frames, float *padded) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
	if (x >= pointsX || y >= pointsY) return;
	float v = 0;
	if (x < width && y < height) {
		const Frame f = frames[z];
		const s64 pixels = (s64) width * height, sum = (s64) f.totals[0], offset = (s64) rint((double) sum / (double) pixels);
		const size_t i = (size_t) y * width + x;
		v = (float) (whole_value(raw, type, (size_t) z * pixels + i) - (int) offset);
		f.deviations[i] = v;
		if (i == 0) f.totals[4] = (u64) __double_as_longlong((double) ((s64) f.totals[1] - 2 * offset * sum + pixels * offset * offset));
	}
	padded[((size_t) z * pointsY + y) * pointsX + x] = v;
}

// The sums over the columns before each place of a row. The first row and the first column are 0. A warp per row. Grid: rows, frames.
extern "C" __global__ void row_sums(const int width, const int height, const Frame *frames) {
	const int lane = threadIdx.x & 31, y = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
	if (y >= height) return;
	const Frame f = frames[blockIdx.y];
	const float *row = f.deviations + (size_t) y * width;
	double *sums = f.sums + (size_t) (y + 1) * (width + 1), *squares = f.squares + (size_t) (y + 1) * (width + 1);
	double sum = 0, square = 0;
	if (lane == 0) sums[0] = squares[0] = 0;
	for (int x0 = 0; x0 < width; x0 += 32) {
		const int x = x0 + lane;
		double s = x < width ? row[x] : 0, q = s * s;
		for (int o = 1; o < 32; o *= 2) {
			const double a = __shfl_up_sync(~0u, s, o), b = __shfl_up_sync(~0u, q, o);
			if (lane >= o) {
				s += a;
				q += b;
			}
		}
		if (x < width) {
			sums[x + 1] = sum + s;
			squares[x + 1] = square + q;
		}
		sum += __shfl_sync(~0u, s, 31);
		square += __shfl_sync(~0u, q, 31);
	}
}

// Adds the rows before to each row of sums. A thread per column. Grid: columns, 2, frames.
extern "C" __global__ void column_sums(const int width, const int height, const Frame *frames) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x;
	if (x > width) return;
	double *table = (blockIdx.y == 0 ? frames[blockIdx.z].sums : frames[blockIdx.z].squares) + x;
	const size_t pitch = width + 1;
	double sum = 0;
	table[0] = 0;
	for (int y = 1; y <= height; y += 8) {
		double v[8];
		#pragma unroll
		for (int i = 0; i < 8; i++) v[i] = y + i <= height ? table[(y + i) * pitch] : 0;
		#pragma unroll
		for (int i = 0; i < 8; i++) {
			sum += v[i];
			if (y + i <= height) table[(y + i) * pitch] = sum;
		}
	}
}

// The spectra of the numerators: the conjugate of the fixed frame's times the moving frame's. Grid: any number of blocks, pairs.
extern "C" __global__ void frame_products(const Pair *pairs, const int complexes, const float scale, float2 *to) {
	const float2 *fixed = pairs[blockIdx.y].fixed.spectrum, *moving = pairs[blockIdx.y].moving.spectrum;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < complexes; i += gridDim.x * blockDim.x) {
		const float2 a = fixed[i], b = moving[i];
		to[(size_t) blockIdx.y * complexes + i] = make_float2(scale * (a.x * b.x + a.y * b.y), scale * (a.x * b.y - a.y * b.x));
	}
}

// A sum over the columns x0 to x1 and the rows y0 to y1, both without the end.
__device__ inline double sum_of(const double *table, const int width, const int x0, const int x1, const int y0, const int y1) {
	const double *upper = table + (size_t) y0 * (width + 1), *lower = table + (size_t) y1 * (width + 1);
	return lower[x1] - upper[x1] - (lower[x0] - upper[x0]);
}

// The coefficients: map[pair][lag]; NaN where too little overlaps, or where the denominator is too small for a numerator in float. least: the smallest number of pixels.
// share: the smallest denominator, as a share of the norms of both frames. Grid: lags along x and y, pairs.
extern "C" __global__ void coefficients(const Pair *pairs, const Lags l, const double least, const double share, const float *numerators, float *map) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= l.lagsX || j >= l.lagsY) return;
	const Pair p = pairs[blockIdx.z];
	const int x = l.minX + i, y = l.minY + j;
	const int x0 = max(0, -x), x1 = min(l.fixedWidth, l.movingWidth - x), y0 = max(0, -y), y1 = min(l.fixedHeight, l.movingHeight - y);
	const double n = (double) (y1 - y0) * (double) (x1 - x0);
	const double sf = sum_of(p.fixed.sums, l.fixedWidth, x0, x1, y0, y1), sm = sum_of(p.moving.sums, l.movingWidth, x0 + x, x1 + x, y0 + y, y1 + y);
	const double vf = sum_of(p.fixed.squares, l.fixedWidth, x0, x1, y0, y1) - sf * sf / n;
	const double vm = sum_of(p.moving.squares, l.movingWidth, x0 + x, x1 + x, y0 + y, y1 + y) - sm * sm / n;
	const double product = vf * vm, energies = share * __longlong_as_double((s64) p.fixed.totals[4]) * (share * __longlong_as_double((s64) p.moving.totals[4]));
	const double numerator = numerators[((size_t) blockIdx.z * l.pointsY + (y < 0 ? y + l.pointsY : y)) * l.pointsX + (x < 0 ? x + l.pointsX : x)];
	map[((size_t) blockIdx.z * l.lagsY + j) * l.lagsX + i] = n >= least && vf > 0 && product > energies ? (float) ((numerator - sf * sm / n) / sqrt(product))
		: __int_as_float(0x7fffffff);
}

// The greatest key of a block of 256 threads, for all of its threads.
__device__ inline u64 greatest(u64 key, u64 *shared) {
	for (int o = 16; o > 0; o /= 2) {
		const u64 other = __shfl_xor_sync(~0u, key, o);
		if (other > key) key = other;
	}
	if ((threadIdx.x & 31) == 0) shared[threadIdx.x / 32] = key;
	__syncthreads();
	u64 most = 0;
	for (int i = 0; i < 8; i++)
		if (shared[i] > most) most = shared[i];
	__syncthreads();
	return most;
}

// Whether no neighbour is greater, and none before it is equal. NaN is no peak.
__device__ inline bool is_peak(const float *map, const int lagsX, const int lagsY, const u32 at) {
	const int x = at % lagsX, y = at / lagsX;
	const float v = map[at];
	bool peak = v == v;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++) {
			if (x + dx < 0 || x + dx >= lagsX || y + dy < 0 || y + dy >= lagsY) continue;
			const float other = map[(size_t) (y + dy) * lagsX + x + dx];
			peak &= !(other > v) && !((dy < 0 || (dy == 0 && dx < 0)) && other == v);
		}
	return peak;
}

// The highest peaks of each part of a map: keys[pair][part][most]. A part is EACH times 256 lags. Grid: parts, pairs. Blocks of 256 threads.
#define EACH 16
extern "C" __global__ void peaks_of_parts(const float *maps, const int lagsX, const int lagsY, const int most, u64 *keys) {
	__shared__ u64 shared[8];
	const u32 lags = (u32) lagsX * lagsY;
	const float *map = maps + (size_t) blockIdx.y * lags;
	u64 mine[EACH];
	#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const u32 at = (blockIdx.x * EACH + i) * 256 + threadIdx.x;
		mine[i] = 0;
		if (at >= lags || !is_peak(map, lagsX, lagsY, at)) continue;
		const u32 bits = __float_as_uint(map[at]);
		mine[i] = (u64) (bits ^ (bits >> 31 != 0 ? 0xffffffffu : 0x80000000u)) << 32 | (u32) ~at;
	}
	u64 last = ~0ull;
	for (int k = 0; k < most; k++) {
		u64 best = 0;
		#pragma unroll
		for (int i = 0; i < EACH; i++)
			if (mine[i] < last && mine[i] > best) best = mine[i];
		last = greatest(best, shared);
		if (threadIdx.x == 0) keys[((size_t) blockIdx.y * gridDim.x + blockIdx.x) * most + k] = last;
	}
}

// The highest peaks of each pair: found[pair][most]. count: the keys of a pair. Grid: pairs. Blocks of 256 threads.
extern "C" __global__ void best_peaks(const u64 *keys, const int count, const int most, Found *found) {
	__shared__ u64 shared[8];
	const u64 *mine = keys + (size_t) blockIdx.x * count;
	u64 last = ~0ull;
	for (int k = 0; k < most; k++) {
		u64 best = 0;
		for (int i = threadIdx.x; i < count; i += 256)
			if (mine[i] < last && mine[i] > best) best = mine[i];
		last = greatest(best, shared);
		if (threadIdx.x == 0) found[(size_t) blockIdx.x * most + k].key = last;
	}
}

// The coefficients around each peak, and the exact sums of the first peaks and of those that are close to the highest. found: cleared, but for the keys. Grid: any number of
// blocks of complete warps, peaks, pairs.
extern "C" __global__ void overlap_sums(const Pair *pairs, const Lags l, const int most, const int count, const double close, const float *maps, Found *found) {
	Found *to = found + (size_t) blockIdx.z * most + blockIdx.y;
	if (to->key == 0) return;
	const float *map = maps + (size_t) blockIdx.z * l.lagsX * l.lagsY;
	const u32 at = ~(u32) to->key, first = ~(u32) found[(size_t) blockIdx.z * most].key;
	const int i = at % l.lagsX, j = at / l.lagsX;
	if (blockIdx.x == 0 && threadIdx.x < 9) {
		const int u = i + (int) threadIdx.x % 3 - 1, v = j + (int) threadIdx.x / 3 - 1;
		const bool inside = u >= 0 && u < l.lagsX && v >= 0 && v < l.lagsY;
		to->around[threadIdx.x] = inside ? map[(size_t) v * l.lagsX + u] : __int_as_float(0x7fffffff);
	}
	if ((int) blockIdx.y >= count && !((double) map[at] > (double) map[first] - close)) return;
	if (blockIdx.x == 0 && threadIdx.x == 0) to->exact = 1;
	const int x = l.minX + i, y = l.minY + j;
	const int x0 = max(0, -x), x1 = min(l.fixedWidth, l.movingWidth - x), y0 = max(0, -y), y1 = min(l.fixedHeight, l.movingHeight - y);
	const float *fixed = pairs[blockIdx.z].fixed.deviations, *moving = pairs[blockIdx.z].moving.deviations;
	s64 sums[5] = { 0, 0, 0, 0, 0 };
	for (int v = y0 + blockIdx.x; v < y1; v += gridDim.x)
		for (int u = x0 + threadIdx.x; u < x1; u += blockDim.x) {
			const int p = (int) fixed[(size_t) v * l.fixedWidth + u], q = (int) moving[(size_t) (v + y) * l.movingWidth + u + x];
			sums[0] += p;
			sums[1] += q;
			sums[2] += (s64) p * p;
			sums[3] += (s64) q * q;
			sums[4] += (s64) p * q;
		}
	#pragma unroll
	for (int k = 0; k < 5; k++) {
		const s64 sum = warp_sum(sums[k]);
		if ((threadIdx.x & 31) == 0) atomicAdd((u64 *) to->sums + k, (u64) sum);
	}
}
