// Computes suspects by the definition, one warp each: window and template are scaled by a power of two, their means are subtracted, and the
// deviations are summed with compensation. The error is a few 1e-16, for any contrast (as ExactScore on the CPU).
#include "common.cuh"

struct Place { int x, y, z, at; };

// The positions of the pixels of a template that count: x, y, z and the offset in a box. indices: those of the pixels; null if all count.
// One thread each.
extern "C" __global__ void places(const int *indices, const int all, const int width, const int height, const int pitch, const int rows,
	Place *to) {
	const int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= all) return;
	const u32 i = indices == 0 ? k : indices[k], row = i / (u32) width;
	const int x = i - row * width, y = row % (u32) height, z = row / (u32) height;
	to[k] = { x, y, z, (z * rows + y) * pitch + x };
}

// A sum and its rounding error.
struct Pair {
	double sum, lost;

	__device__ void add(const double v) {
		const double s = __dadd_rn(sum, v), part = __dsub_rn(s, sum);
		lost = __dadd_rn(lost, __dadd_rn(__dsub_rn(sum, __dsub_rn(s, part)), __dsub_rn(v, part)));
		sum = s;
	}

	// Over the warp.
	__device__ double all() {
		for (int o = 16; o > 0; o /= 2) {
			const double s = __shfl_xor_sync(~0u, sum, o), l = __shfl_xor_sync(~0u, lost, o);
			// both lanes compute the same: the number of the lower lane comes first
			const bool low = (threadIdx.x & o) == 0;
			Pair p;
			p.sum = low ? sum : s;
			p.lost = __dadd_rn(lost, l);
			p.add(low ? s : sum);
			*this = p;
		}
		return __dadd_rn(sum, lost);
	}
};

// Numbers scaled and centred: (v·scale - mean) - rest.
struct Centred {
	double scale, mean, rest;

	__device__ double of(const double v) const { return __dsub_rn(__dsub_rn(__dmul_rn(v, scale), mean), rest); }
};

// What centring found: a number is not finite, or there is none; all are equal; they differ.
enum Kind { UNFIT, FLAT, VARIED };

// Centres the numbers f(i) with weights w(i) for which counts(i) is true. If all are equal, all become 0.
template<class F, class W, class C> __device__ Kind centre(const int all, const F f, const W w, const C counts, Centred &to) {
	const int lane = threadIdx.x & 31;
	double first = 0, most = 0, n = 0;
	bool any = false, differ = false;
	to.scale = to.mean = to.rest = 0;
	for (int base = 0; base < all; base += 32) {
		const int i = base + lane;
		bool bad = false;
		if (i < all && counts(i)) {
			const double v = f(i);
			bad = !(fabs(v) <= 1.7976931348623157e308);
			if (!any) first = v;
			any = true;
			differ |= v != first;
			most = fmax(most, fabs(v));
			n += w(i);
		}
		if (__any_sync(~0u, bad)) return UNFIT;
	}
	const u32 those = __ballot_sync(~0u, any);
	if (those == 0) return UNFIT;
	const double same = __shfl_sync(~0u, first, __ffs(those) - 1);
	if (!__any_sync(~0u, differ || (any && first != same))) return FLAT;
	for (int o = 16; o > 0; o /= 2) {
		most = fmax(most, __shfl_xor_sync(~0u, most, o));
		n += __shfl_xor_sync(~0u, n, o);
	}
	const int exponent = max(-1022, (int) (__double_as_longlong(most) >> 52 & 0x7ff) - 1023);
	// 2^-1024 to 2^1021: all are doubles, the smallest are subnormal
	to.scale = scalbn(1.0, -1 - exponent);
	for (int pass = 0; pass < 2; pass++) {
		Pair p = { 0, 0 };
		for (int i = lane; i < all; i += 32)
			if (counts(i)) p.add(__dmul_rn(w(i), to.of(f(i))));
		const double mean = p.all() / n;
		if (pass == 0) to.mean = mean;
		else to.rest = mean;
	}
	return VARIED;
}

// The sums of one window and its template with weights: of products and squares of deviations from the mean, and the powers of two by which
// the deviations are multiplied; 0 if all are equal.
struct Covariance { double product, variance, norm, scale, templateScale; };

// By a warp. False if a pixel is not finite, or if none counts.
template<class F, class V, class W, class C> __device__ bool covariance(const int all, const F pixel, const V value, const W weight,
	const C counts, Covariance &to)
{
	const int lane = threadIdx.x & 31;
	Centred window, model;
	if (centre(all, pixel, weight, counts, window) == UNFIT) return false;
	centre(all, value, weight, counts, model);
	to = { 0, 0, 0, window.scale, model.scale };
	Pair p = { 0, 0 }, t = p, pp = p, tt = p, pt = p;
	double n = 0;
	for (int i = lane; i < all; i += 32) {
		if (!counts(i)) continue;
		const double v = window.of(pixel(i)), m = model.of(value(i)), w = weight(i), wv = __dmul_rn(w, v), wm = __dmul_rn(w, m);
		p.add(wv);
		t.add(wm);
		pp.add(__dmul_rn(wv, v));
		tt.add(__dmul_rn(wm, m));
		pt.add(__dmul_rn(wv, m));
		n += w;
	}
	for (int o = 16; o > 0; o /= 2) n += __shfl_xor_sync(~0u, n, o);
	const double s = p.all(), m = t.all();
	to.variance = __dsub_rn(pp.all(), __dmul_rn(s, s / n));
	to.norm = __dsub_rn(tt.all(), __dmul_rn(m, m / n));
	to.product = __dsub_rn(pt.all(), __dmul_rn(s, m / n));
	return true;
}

__device__ inline double response(const double product, const double variance, const double norm) {
	// equal variances need no root: a template matches itself with exactly 1
	const double root = variance == norm ? variance : sqrt(variance) * sqrt(norm);
	return fmax(-1.0, fmin(1.0, product / root));
}

// The response of one window and its template with weights, by a warp. False if it is undefined.
template<class F, class V, class W, class C> __device__ bool exact(const int all, const F pixel, const V value, const W weight,
	const C counts, double &r)
{
	Covariance sums;
	if (!covariance(all, pixel, value, weight, counts, sums) || sums.scale == 0 || sums.templateScale == 0) return false;
	r = response(sums.product, sums.variance, sums.norm);
	return true;
}

// The same over several channels: pixel(c, i) and value(c, i).
template<class F, class V, class W, class C> __device__ bool exact_joint(const int channels, const int all, const F pixel, const V value,
	const W weight, const C counts, double &r)
{
	// the least scales of the channels so far
	double scale = 0, templateScale = 0, product = 0, variance = 0, norm = 0;
	for (int c = 0; c < channels; c++) {
		Covariance sums;
		if (!covariance(all, [&](const int i) { return pixel(c, i); }, [&](const int i) { return value(c, i); }, weight, counts,
			sums)) return false;
		// powers of two; a channel that underflows is too faint to matter
		const double p = scale == 0 || sums.scale == 0 ? 1 : fmin(1.0, sums.scale / scale),
			t = templateScale == 0 || sums.templateScale == 0 ? 1 : fmin(1.0, sums.templateScale / templateScale);
		if (scale == 0 || p < 1) scale = sums.scale;
		if (templateScale == 0 || t < 1) templateScale = sums.templateScale;
		const double byP = sums.scale == 0 ? 0 : scale / sums.scale, byT = sums.templateScale == 0 ? 0 : templateScale / sums.templateScale;
		product = product * p * t + sums.product * byP * byT;
		variance = variance * p * p + sums.variance * byP * byP;
		norm = norm * t * t + sums.norm * byT * byT;
	}
	if (scale == 0 || templateScale == 0) return false;
	r = response(product, variance, norm);
	return true;
}

// The values of templates of one size, whose maps follow each other: see TOGETHER.
struct ValuesOfEach { const double *of[8]; };

// values: those of the templates. weights: those of their pixels, null if all are 1. If there are more suspects than most, none is
// computed. wide: responses are doubles. Any number of blocks of complete warps.
extern "C" __global__ void recheck(const void *raw, const int type, const Box b, const Place *places,
	const __grid_constant__ ValuesOfEach ofEach, const double *weights,
	const int all, const int partial, const u32 most, const int wide, const Outcome out)
{
	const int lane = threadIdx.x & 31, warps = gridDim.x * (blockDim.x / 32);
	const u32 suspects = out.counts[1];
	if (suspects > most) return;
	for (u32 k = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; k < suspects; k += warps) {
		const u32 lag = out.suspects[k];
		const int x = lag % b.lagsX, y = lag / b.lagsX % b.lagsY, z = lag / b.lagsX / b.lagsY % b.lagsZ;
		const double *const values = ofEach.of[lag / b.lagsX / b.lagsY / b.lagsZ];
		double r = out.undefined;
		const bool defined = exact(all, [&](const int i) { return raw_value(raw, type, raw_index(b, x + places[i].x, y + places[i].y,
			z + places[i].z)); },
			[&](const int i) { return values[i]; }, [&](const int i) { return weights == 0 ? 1.0 : weights[i]; },
			[&](const int i) { return !partial || in_image(b, x + places[i].x, y + places[i].y, z + places[i].z); }, r);
		if (lane == 0) {
			if (wide) ((double *) out.map)[lag] = r;
			else out.map[lag] = (float) r;
			atomicAdd(out.counts + (defined ? 2 : 0), 1);
		}
	}
}

// The same for several channels of pixelsEach pixels, and where pixels may be missing. raw, values: channel after channel. mask: as sent,
// null if no pixel is missing.
extern "C" __global__ void recheck_joint(const void *raw, const int type, const u8 *mask, const int channels, const int pixelsEach,
	const Box b, const Place *places, const double *values,
	const double *weights, const int all, const u32 most, const int wide, const Outcome out)
{
	const int lane = threadIdx.x & 31, warps = gridDim.x * (blockDim.x / 32);
	const u32 suspects = out.counts[1];
	if (suspects > most) return;
	for (u32 k = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; k < suspects; k += warps) {
		const u32 lag = out.suspects[k];
		const int x = lag % b.lagsX, y = lag / b.lagsX % b.lagsY, z = lag / b.lagsX / b.lagsY;
		const auto index = [&](const int i) { return raw_index(b, x + places[i].x, y + places[i].y, z + places[i].z); };
		double r = out.undefined;
		const bool defined = exact_joint(channels, all, [&](const int c, const int i) { return raw_value(raw, type,
			(size_t) c * pixelsEach + index(i)); },
			[&](const int c, const int i) { return values[(size_t) c * all + i]; },
				[&](const int i) { return weights == 0 ? 1.0 : weights[i]; },
			[&](const int i) { return in_image(b, x + places[i].x, y + places[i].y,
				z + places[i].z) && (mask == 0 || mask[index(i)] != 0); }, r);
		if (lane == 0) {
			if (wide) ((double *) out.map)[lag] = r;
			else out.map[lag] = (float) r;
			atomicAdd(out.counts + (defined ? 2 : 0), 1);
		}
	}
}

// A template in a frame, as Place in smallshifts.cuh; and a template: its extents, and the index of its first value.
struct Window {
	s64 first;
	int pitch;
	float undefined;
};
struct Extents { int width, height, values, pad; };

// The suspects of many templates in many frames: map[frame][template][lag]. counts: for each frame as in Outcome.
extern "C" __global__ void recheck_small_shifts(const void *raw, const int type, const Window *windows, const Extents *extents,
	const double *values, const int templates, const int lagsX,
	const int lagsY, const u32 *suspects, const u32 *count, float *map, u32 *counts)
{
	const int lane = threadIdx.x & 31, warps = gridDim.x * (blockDim.x / 32), lags = lagsX * lagsY;
	for (u32 k = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; k < *count; k += warps) {
		const u32 at = suspects[k], which = at / lags, lag = at % lags;
		const Window w = windows[which];
		const Extents e = extents[which % templates];
		const size_t first = w.first + (size_t) (lag / lagsX) * w.pitch + lag % lagsX;
		double r = w.undefined;
		const bool defined = exact(e.width * e.height, [&](const int i) { return raw_value(raw, type,
			first + (size_t) (i / e.width) * w.pitch + i % e.width); },
			[&](const int i) { return values[e.values + i]; }, [](const int) { return 1.0; }, [](const int) { return true; }, r);
		if (lane == 0) {
			map[at] = (float) r;
			atomicAdd(counts + 4 * (which / templates) + (defined ? 2 : 0), 1);
		}
	}
}
