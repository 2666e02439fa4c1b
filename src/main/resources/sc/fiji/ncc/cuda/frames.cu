// Whole frames against each other: the sums of each frame, and for each pair the correlation coefficient of the part that overlaps, at all lags of a range, with its highest
// peaks and the sums of their overlaps. cuFFT makes the spectra and the numerators. Frames are planes or volumes of any type, and some of their pixels may not count.
#include "common.cuh"

// The totals of the pixels that count.
struct Totals {
	u64 count;
	u64 notLeast, greatest; // the complement of the key of the least pixel, and the key of the greatest
	u64 sum; // of the pixels; of types that are not exact, of their places between the least and the greatest, in units of 2^-32
	u64 squares; // of the pixels; of types that are not exact, of the deviations, in units of 2^-30
};

// Numbers in an order of whole numbers.
__device__ inline u64 key_of(const double v) {
	const u64 bits = (u64) __double_as_longlong(v);
	return bits >> 63 != 0 ? ~bits : bits | 1ull << 63;
}

__device__ inline double of_key(const u64 key) { return __longlong_as_double((s64) (key >> 63 != 0 ? key & ~(1ull << 63) : ~key)); }

// A frame on the GPU, x fastest. A pixel that does not count has the deviation 0.
struct Frame {
	Totals *totals;
	float *deviations; // from a number near the mean: a whole number for 8- and 16-bit integers, whose deviations are exact; for other types times a power of two
	double *values; // the same in double; null for 8- and 16-bit integers
	u8 *counts; // 1 for pixels that count; null if all do
	float2 *spectrum; // of the deviations, padded with zeros
	double *sums, *squares; // of the deviations in the rows and columns before each place and in the planes up to it
};

struct Pair {
	Frame fixed, moving;
};

struct Extents {
	int x, y, z;

	__device__ s64 all() const { return (s64) x * y * z; }
};

// The extents of frames, the lags from min on, and the extents of transforms.
struct Lags {
	Extents fixed, moving, min, lags, points;
};

// A peak. key: 0 for none; else the value in the upper half, in an order of whole numbers, and the complement of the index of its lag in the lower half.
struct Found {
	u64 key;
	float around[27]; // the coefficients at the lag and its neighbours; NaN where there is none
	int summed; // whether the sums were computed
};

// Sums over an overlap: the number of pixels, the deviations of the fixed and of the moving frame, the squares of both, the products. A: s64 or double.
template<class A> struct Sums {
	A v[6];
};

// A pixel at its place between the least and the greatest one. Sums of these do not depend on their order. Halves do not overflow.
__device__ inline u64 place_of(const double v, const double least, const double greatest) {
	return greatest > least ? (u64) rint((0.5 * v - 0.5 * least) / (0.5 * greatest - 0.5 * least) * 4294967296.0) : 0;
}

// The number that is subtracted from the pixels, and the power of two by which the rest is multiplied.
__device__ inline double offset_of(const Frame &f) {
	const Totals &t = *f.totals;
	if (t.count == 0) return 0;
	if (f.values == nullptr) return rint((double) (s64) t.sum / (double) t.count);
	const double least = of_key(~t.notLeast), greatest = of_key(t.greatest);
	return least + (double) t.sum / (double) t.count / 4294967296.0 * (0.5 * greatest - 0.5 * least) * 2;
}

__device__ inline double unit_of(const Frame &f, const double offset) {
	if (f.values == nullptr || f.totals->count == 0) return 1;
	const double largest = fmax(of_key(f.totals->greatest) - offset, offset - of_key(~f.totals->notLeast));
	return largest > 0 ? ldexp(1.0, -max(-1021, min(1021, ilogb(largest)))) : 1;
}

// The sum of the squares of the deviations.
__device__ inline double energy_of(const Frame &f) {
	const Totals &t = *f.totals;
	if (f.values != nullptr) return (double) t.squares / 1073741824.0;
	const s64 offset = (s64) offset_of(f), sum = (s64) t.sum, count = (s64) t.count;
	return (double) ((s64) t.squares - 2 * offset * sum + count * offset * offset);
}

template<class A> __device__ inline A warp_sum(A v) {
	for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
	return v;
}

__device__ inline u64 warp_max(u64 v) {
	for (int o = 16; o > 0; o /= 2) {
		const u64 other = __shfl_xor_sync(~0u, v, o);
		if (other > v) v = other;
	}
	return v;
}

// Which pixels count, and the totals of frames, which were cleared; of types that are not exact without the sums. raw: the pixels of all frames. mask: 0 for pixels
// that do not count; null if all do. Grid: any number of blocks of complete warps, frames.
extern "C" __global__ void frame_totals(const void *raw, const u8 *mask, const int type, const int pixels, const Frame *frames) {
	const size_t first = (size_t) blockIdx.y * pixels;
	const Frame f = frames[blockIdx.y];
	s64 count = 0, sum = 0, squares = 0;
	u64 notLeast = 0, greatest = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
		const double v = raw_value(raw, type, first + i);
		const bool counts = (mask == nullptr || mask[first + i] != 0) && isfinite(v);
		if (f.counts != nullptr) f.counts[i] = counts;
		if (!counts) continue;
		count++;
		notLeast = max(notLeast, ~key_of(v));
		greatest = max(greatest, key_of(v));
		if (f.values != nullptr) continue;
		sum += (s64) v;
		squares += (s64) v * (s64) v;
	}
	count = warp_sum(count);
	sum = warp_sum(sum);
	squares = warp_sum(squares);
	notLeast = warp_max(notLeast);
	greatest = warp_max(greatest);
	if ((threadIdx.x & 31) != 0) return;
	atomicAdd(&f.totals->count, (u64) count);
	atomicMax(&f.totals->notLeast, notLeast);
	atomicMax(&f.totals->greatest, greatest);
	atomicAdd(&f.totals->sum, (u64) sum);
	atomicAdd(&f.totals->squares, (u64) squares);
}

// The sums of frames of types that are not exact. Grid: any number of blocks of complete warps, frames.
extern "C" __global__ void frame_means(const void *raw, const int type, const int pixels, const Frame *frames) {
	const Frame f = frames[blockIdx.y];
	const double least = of_key(~f.totals->notLeast), greatest = of_key(f.totals->greatest);
	u64 sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
		if (f.counts[i] != 0) sum += place_of(raw_value(raw, type, (size_t) blockIdx.y * pixels + i), least, greatest);
	sum = warp_sum(sum);
	if ((threadIdx.x & 31) == 0) atomicAdd(&f.totals->sum, sum);
}

// The index of a pixel of a frame of these extents from that of a point of a transform; -1 beyond the frame.
__device__ inline int pixel_of(const s64 point, const Extents &size, const Extents &points) {
	const int x = (int) (point % points.x), row = (int) (point / points.x), y = row % points.y, z = row / points.y;
	return x < size.x && y < size.y && z < size.z ? (z * size.y + y) * size.x + x : -1;
}

// The deviations of frames, and the same padded with zeros for the transforms. Grid: any number of blocks of complete warps, frames.
extern "C" __global__ void deviations(const void *raw, const int type, const Extents size, const Extents points, const Frame *frames, float *padded) {
	const Frame f = frames[blockIdx.y];
	const double offset = offset_of(f), unit = unit_of(f, offset);
	const s64 all = points.all();
	u64 squares = 0;
	for (s64 p = (s64) blockIdx.x * blockDim.x + threadIdx.x; p < all; p += (s64) gridDim.x * blockDim.x) {
		const int i = pixel_of(p, size, points);
		float v = 0;
		if (i >= 0) {
			const bool counts = f.counts == nullptr || f.counts[i] != 0;
			const double d = counts ? (raw_value(raw, type, (size_t) blockIdx.y * size.all() + i) - offset) * unit : 0;
			v = (float) d;
			f.deviations[i] = v;
			if (f.values != nullptr) {
				f.values[i] = d;
				squares += (u64) rint(d * d * 1073741824.0);
			}
		}
		padded[blockIdx.y * all + p] = v;
	}
	squares = warp_sum(squares);
	if ((threadIdx.x & 31) == 0 && f.values != nullptr) atomicAdd(&f.totals->squares, squares);
}

// The sums over the columns before each place of a row. The first row of a plane and the first column are 0. A warp per row. Grid: rows of all planes, frames.
extern "C" __global__ void row_sums(const Extents size, const Frame *frames) {
	const int lane = threadIdx.x & 31, y = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, width = size.x;
	if (y >= size.y * size.z) return;
	const Frame f = frames[blockIdx.y];
	const float *row = f.deviations + (size_t) y * width;
	const size_t at = (size_t) (y + y / size.y + 1) * (width + 1);
	double *sums = f.sums + at, *squares = f.squares + at;
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

// Adds the rows before to each row of sums. A thread per column. Grid: columns, both tables of all planes, frames.
extern "C" __global__ void column_sums(const Extents size, const Frame *frames) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, width = size.x, height = size.y;
	if (x > width) return;
	const size_t pitch = width + 1;
	double *table = (blockIdx.y % 2 == 0 ? frames[blockIdx.z].sums : frames[blockIdx.z].squares) + blockIdx.y / 2 * (height + 1) * pitch + x;
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

// Adds the planes before to each plane of sums. Grid: any number of blocks, both tables, frames.
extern "C" __global__ void plane_sums(const Extents size, const Frame *frames) {
	double *table = blockIdx.y == 0 ? frames[blockIdx.z].sums : frames[blockIdx.z].squares;
	const size_t area = (size_t) (size.x + 1) * (size.y + 1);
	for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < area; i += (size_t) gridDim.x * blockDim.x) {
		double sum = 0;
		for (int z = 0; z < size.z; z++) table[z * area + i] = sum += table[z * area + i];
	}
}

// The conjugate of the fixed spectrum times the moving one.
__device__ inline float2 product_of(const float2 a, const float2 b, const float scale) {
	return make_float2(scale * (a.x * b.x + a.y * b.y), scale * (a.x * b.y - a.y * b.x));
}

// The spectra of the numerators. Grid: any number of blocks, pairs.
extern "C" __global__ void frame_products(const Pair *pairs, const int complexes, const float scale, float2 *to) {
	const float2 *fixed = pairs[blockIdx.y].fixed.spectrum, *moving = pairs[blockIdx.y].moving.spectrum;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < complexes; i += gridDim.x * blockDim.x)
		to[(size_t) blockIdx.y * complexes + i] = product_of(fixed[i], moving[i], scale);
}

// The spectra of all sums of a pair with masks but the numerator: counts, both frames, the squares of both. weights, squares: the spectra of the fixed frame, then of the moving one.
extern "C" __global__ void masked_products(const Pair *pair, const int complexes, const float scale, const float2 *weights, const float2 *squares, float2 *to) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < complexes; i += gridDim.x * blockDim.x) {
		const size_t n = complexes;
		const float2 w = weights[i], v = weights[n + i];
		to[i] = product_of(w, v, scale);
		to[n + i] = product_of(pair->fixed.spectrum[i], v, scale);
		to[2 * n + i] = product_of(w, pair->moving.spectrum[i], scale);
		to[3 * n + i] = product_of(squares[i], v, scale);
		to[4 * n + i] = product_of(w, squares[n + i], scale);
	}
}

// What counts in a frame, or the squares of its deviations, padded with zeros. Grid: any number of blocks.
extern "C" __global__ void masked_values(const Pair *pair, const int moving, const int squared, const Extents size, const Extents points, float *padded) {
	const Frame f = moving != 0 ? pair->moving : pair->fixed;
	const s64 all = points.all();
	for (s64 p = (s64) blockIdx.x * blockDim.x + threadIdx.x; p < all; p += (s64) gridDim.x * blockDim.x) {
		const int i = pixel_of(p, size, points);
		padded[p] = i < 0 ? 0 : squared != 0 ? f.deviations[i] * f.deviations[i] : f.counts == nullptr ? 1 : f.counts[i];
	}
}

// The overlap at a lag: a box of the fixed frame.
struct Overlap {
	int x, y, z, x0, x1, y0, y1, z0, z1; // the lag, and the first pixel and the end along each dimension

	__device__ Overlap(const Lags &l, const u32 lag) {
		x = l.min.x + (int) (lag % l.lags.x);
		y = l.min.y + (int) (lag / l.lags.x % l.lags.y);
		z = l.min.z + (int) (lag / l.lags.x / l.lags.y);
		x0 = max(0, -x);
		y0 = max(0, -y);
		z0 = max(0, -z);
		x1 = min(l.fixed.x, l.moving.x - x);
		y1 = min(l.fixed.y, l.moving.y - y);
		z1 = min(l.fixed.z, l.moving.z - z);
	}

	__device__ double pixels() const { return (double) (z1 - z0) * (double) (y1 - y0) * (double) (x1 - x0); }
};

// The sum over a box of a plane of sums.
__device__ inline double sum_of_plane(const double *table, const int width, const int x0, const int x1, const int y0, const int y1) {
	const double *upper = table + (size_t) y0 * (width + 1), *lower = table + (size_t) y1 * (width + 1);
	return lower[x1] - upper[x1] - (lower[x0] - upper[x0]);
}

// The sum over an overlap that is moved by (x, y, z).
__device__ inline double sum_of(const double *table, const Extents &size, const Overlap &o, const int x, const int y, const int z) {
	const size_t area = (size_t) (size.x + 1) * (size.y + 1);
	const double until = sum_of_plane(table + (o.z1 + z - 1) * area, size.x, o.x0 + x, o.x1 + x, o.y0 + y, o.y1 + y);
	return o.z0 + z == 0 ? until : until - sum_of_plane(table + (o.z0 + z - 1) * area, size.x, o.x0 + x, o.x1 + x, o.y0 + y, o.y1 + y);
}

// The place of a lag in the results of a transform.
__device__ inline size_t point_of(const Lags &l, const Overlap &o) {
	const int x = o.x < 0 ? o.x + l.points.x : o.x, y = o.y < 0 ? o.y + l.points.y : o.y, z = o.z < 0 ? o.z + l.points.z : o.z;
	return ((size_t) z * l.points.y + y) * l.points.x + x;
}

__device__ inline float undefined() { return __int_as_float(0x7fffffff); }

// The coefficients: map[pair][lag]; NaN where too little overlaps, or where the denominator is too small for a numerator in float. least: the smallest number of pixels.
// share: the smallest denominator, as a share of the norms of both frames. Grid: any number of blocks, pairs.
extern "C" __global__ void coefficients(const Pair *pairs, const Lags l, const double least, const double share, const float *numerators, float *map) {
	const Pair p = pairs[blockIdx.y];
	const double energies = share * energy_of(p.fixed) * (share * energy_of(p.moving));
	const u32 lags = (u32) l.lags.all();
	for (s64 i = (s64) blockIdx.x * blockDim.x + threadIdx.x; i < lags; i += (s64) gridDim.x * blockDim.x) {
		const Overlap o(l, (u32) i);
		const double n = o.pixels();
		const double sf = sum_of(p.fixed.sums, l.fixed, o, 0, 0, 0), sm = sum_of(p.moving.sums, l.moving, o, o.x, o.y, o.z);
		const double vf = sum_of(p.fixed.squares, l.fixed, o, 0, 0, 0) - sf * sf / n, vm = sum_of(p.moving.squares, l.moving, o, o.x, o.y, o.z) - sm * sm / n;
		const double product = vf * vm, numerator = numerators[blockIdx.y * l.points.all() + point_of(l, o)];
		map[(size_t) blockIdx.y * lags + i] = n >= least && vf > 0 && product > energies ? (float) ((numerator - sf * sm / n) / sqrt(product)) : undefined();
	}
}

// The same for a pair with masks (Padfield 2012, doi:10.1109/TIP.2011.2181402). sums: counts, both frames, the squares of both. Grid: any number of blocks.
extern "C" __global__ void masked_coefficients(const Pair *pair, const Lags l, const double least, const double share, const float *numerators, const float *sums, float *map) {
	const double energies = 100 * (share * energy_of(pair->fixed) * (share * energy_of(pair->moving)));
	const u32 lags = (u32) l.lags.all();
	const size_t points = l.points.all();
	for (s64 i = (s64) blockIdx.x * blockDim.x + threadIdx.x; i < lags; i += (s64) gridDim.x * blockDim.x) {
		const Overlap o(l, (u32) i);
		const size_t at = point_of(l, o);
		const double n = rint((double) sums[at]), sf = sums[points + at], sm = sums[2 * points + at];
		const double vf = sums[3 * points + at] - sf * sf / n, vm = sums[4 * points + at] - sm * sm / n;
		map[i] = n >= least && vf > 0 && vm > 0 && vf * vm > energies ? (float) ((numerators[at] - sf * sm / n) / sqrt(vf * vm)) : undefined();
	}
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
__device__ inline bool is_peak(const float *map, const Extents &lags, const u32 at) {
	const int x = at % lags.x, y = at / lags.x % lags.y, z = at / lags.x / lags.y;
	const float v = map[at];
	bool peak = v == v;
	for (int dz = z == 0 ? 0 : -1; dz <= (z + 1 < lags.z ? 1 : 0) && peak; dz++)
		for (int dy = -1; dy <= 1; dy++)
			for (int dx = -1; dx <= 1; dx++) {
				if (x + dx < 0 || x + dx >= lags.x || y + dy < 0 || y + dy >= lags.y) continue;
				const float other = map[((size_t) (z + dz) * lags.y + y + dy) * lags.x + x + dx];
				const bool before = dz < 0 || (dz == 0 && (dy < 0 || (dy == 0 && dx < 0)));
				peak &= !(other > v) && !(before && other == v);
			}
	return peak;
}

// The highest peaks of each part of a map: keys[pair][part][most]. A part is EACH times 256 lags. Grid: parts, pairs. Blocks of 256 threads.
#define EACH 16
extern "C" __global__ void peaks_of_parts(const float *maps, const Extents size, const int most, u64 *keys) {
	__shared__ u64 shared[8];
	const u32 lags = (u32) size.all();
	const float *map = maps + (size_t) blockIdx.y * lags;
	u64 mine[EACH];
	#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const u32 at = (blockIdx.x * EACH + i) * 256 + threadIdx.x;
		mine[i] = 0;
		if (at >= lags || !is_peak(map, size, at)) continue;
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

// The coefficients around each peak. found: cleared, but for the keys. Grid: peaks, pairs. Blocks of 27 threads.
extern "C" __global__ void around_peaks(const Lags l, const float *maps, Found *found) {
	Found *to = found + (size_t) blockIdx.y * gridDim.x + blockIdx.x;
	if (to->key == 0) return;
	const u32 at = ~(u32) to->key;
	const int i = threadIdx.x, x = at % l.lags.x + i % 3 - 1, y = at / l.lags.x % l.lags.y + i / 3 % 3 - 1, z = at / l.lags.x / l.lags.y + i / 9 - 1;
	const bool inside = x >= 0 && x < l.lags.x && y >= 0 && y < l.lags.y && z >= 0 && z < l.lags.z;
	to->around[i] = inside ? maps[blockIdx.y * l.lags.all() + ((size_t) z * l.lags.y + y) * l.lags.x + x] : undefined();
}

__device__ inline const float *deviations_of(const Frame &f, s64) { return f.deviations; }
__device__ inline const double *deviations_of(const Frame &f, double) { return f.values; }

// The sums over the overlaps of the first peaks, of those that are close to the highest, and of all peaks of pairs with masks, in parts: sums[pair][peak][block]. before: the parts of a
// first pass, from whose means the deviations of a second one are taken; null for the first pass. Grid: any number of blocks of complete warps, peaks, pairs.
template<class A> __device__ inline void overlap_sums(const Pair *pairs, const Lags &l, const int most, const int count, const double close, const float *maps, Found *found,
	const Sums<A> *before, Sums<A> *sums)
{
	__shared__ A shared[8][6];
	const size_t peak = (size_t) blockIdx.z * most + blockIdx.y;
	if (found[peak].key == 0) return;
	const Frame f = pairs[blockIdx.z].fixed, m = pairs[blockIdx.z].moving;
	const bool masked = f.totals->count < (u64) l.fixed.all() || m.totals->count < (u64) l.moving.all();
	const float *map = maps + (size_t) blockIdx.z * l.lags.all();
	const u32 at = ~(u32) found[peak].key, first = ~(u32) found[(size_t) blockIdx.z * most].key;
	if ((int) blockIdx.y >= count && !masked && !((double) map[at] > (double) map[first] - close)) return;
	if (blockIdx.x == 0 && threadIdx.x == 0) found[peak].summed = 1;
	A meanF = 0, meanM = 0, pixels = 0;
	for (int i = 0; before != nullptr && i < (int) gridDim.x; i++) {
		const Sums<A> &s = before[peak * gridDim.x + i];
		pixels += s.v[0];
		meanF += s.v[1];
		meanM += s.v[2];
	}
	if (pixels > 0) {
		meanF /= pixels;
		meanM /= pixels;
	}
	const Overlap o(l, at);
	const auto *fixed = deviations_of(f, (A) 0), *moving = deviations_of(m, (A) 0);
	const int rows = o.y1 - o.y0;
	A v[6] = { 0, 0, 0, 0, 0, 0 };
	for (int row = blockIdx.x; row < rows * (o.z1 - o.z0); row += gridDim.x) {
		const int y = o.y0 + row % rows, z = o.z0 + row / rows;
		const size_t i = ((size_t) z * l.fixed.y + y) * l.fixed.x, j = ((size_t) (z + o.z) * l.moving.y + y + o.y) * l.moving.x + o.x;
		for (int x = o.x0 + threadIdx.x; x < o.x1; x += blockDim.x) {
			if (masked && ((f.counts != nullptr && f.counts[i + x] == 0) || (m.counts != nullptr && m.counts[j + x] == 0))) continue;
			const A p = (A) fixed[i + x] - meanF, q = (A) moving[j + x] - meanM;
			v[0] += 1;
			v[1] += p;
			v[2] += q;
			v[3] += p * p;
			v[4] += q * q;
			v[5] += p * q;
		}
	}
	#pragma unroll
	for (int k = 0; k < 6; k++) {
		const A sum = warp_sum(v[k]);
		if ((threadIdx.x & 31) == 0) shared[threadIdx.x / 32][k] = sum;
	}
	__syncthreads();
	if (threadIdx.x >= 6) return;
	A sum = 0;
	for (int w = 0; w < (int) blockDim.x / 32; w++) sum += shared[w][threadIdx.x];
	sums[peak * gridDim.x + blockIdx.x].v[threadIdx.x] = sum;
}

extern "C" __global__ void exact_sums(const Pair *pairs, const Lags l, const int most, const int count, const double close, const float *maps, Found *found, Sums<s64> *sums) {
	overlap_sums<s64>(pairs, l, most, count, close, maps, found, nullptr, sums);
}

extern "C" __global__ void double_sums(const Pair *pairs, const Lags l, const int most, const int count, const double close, const float *maps, Found *found,
	const Sums<double> *before, Sums<double> *sums)
{
	overlap_sums<double>(pairs, l, most, count, close, maps, found, before, sums);
}
