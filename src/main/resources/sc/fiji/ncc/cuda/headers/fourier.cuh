// The data for error estimates of transforms, the estimates, and the step from products to responses.
#pragma once
#include "wide.cuh"

// The extents of a transform.
struct Extents { int x, y, z; };

// Of templates of one size that are computed together, at most that many. What is known of a template's product begins stride bytes after
// that of the template before.
#define TOGETHER 8
template<class T> struct Each { T of[TOGETHER]; };
template<class T> __device__ inline T *of_template(T *first, const int t, const s64 stride) { return (T *) ((char *) first + t * stride); }

// reference: the value that is subtracted from all pixels. products: for each axis, the sum over its lines of the energy of the pixels
// times that of the template. energy: that of the spectrum of the pixels. back: Σ y² of the inverse transform. greatestError: the greatest
// error of the products that were also computed directly. greatest: the greatest Σ of squares of a column, and of a row of pixels. planes:
// Σ y² of each plane of the inverse transform.
struct Known {
	double reference, products[3], energy, back, greatestError;
	float greatest[2];
	float planes[1];
};

// Of the pixels of a transform, or of its result: the greatest magnitude, and from the fourth number on Σ of squares of each column of
// each plane, of each row of each plane, and the greatest Σ of squares of 64 adjacent numbers of each row. In volumes follow the greatest
// Σ of squares of each column of all planes, and of each row, of pixels alone.
__device__ inline const float *columns_of(const float *measured) { return measured + 4; }
__device__ inline const float *rows_of(const float *measured, const Extents &f) { return measured + 4 + (size_t) f.x * f.z; }
__device__ inline const float *strips_of(const float *measured, const Extents &f) { return rows_of(measured, f) + (size_t) f.y * f.z; }
__device__ inline const float *strongest_columns(const float *measured, const Extents &f)
	{ return f.z == 1 ? columns_of(measured) : strips_of(measured, f) + (size_t) f.y * f.z; }
__device__ inline const float *strongest_rows(const float *measured, const Extents &f)
	{ return f.z == 1 ? rows_of(measured, f) : strongest_columns(measured, f) + f.x; }

// Of a result: the most that a column adds to the error of its lags.
__device__ inline const float *greatest_addition(const float *measured) { return measured + 1; }

// The lag of a probe: one whose product is also computed directly. Lags are spread evenly and without a period. All lags if there are at
// most as many as probes.
__device__ inline void lag_of_probe(const Box &b, const int probe, const int probes, int &x, int &y, int &z) {
	const u32 lags = (u32) b.lagsX * b.lagsY * b.lagsZ, at = lags <= probes ? probe : (u32) ((u64) (probe * 2654435769u) * lags >> 32);
	x = at % b.lagsX;
	y = at / b.lagsX % b.lagsY;
	z = at / b.lagsX / b.lagsY;
}

// The error at the alias of a pixel, in eps of this pixel, over the margin of the estimate.
#define ALIAS (2.0f / 10)

// The estimated error of the products of a row of lags, in units of the error of a pass of a transform. In the inverse transform, the error
// of the last pass depends on the row, that of the pass before on the plane, and that of the first pass on the volume; a strong number errs
// at its alias in the row. noise: what a column adds, and then the error of the forward transform for each row: see the kernel forth.
// result: see measure.
__device__ inline float noise_of(const Extents &f, const Known *known, const float *result, const float *noise, const int y, const int z) {
	const double points = (double) f.x * f.y * f.z;
	const float levels = sqrtf(__log2f(f.x) + __log2f(f.y) + __log2f(f.z)), row = rows_of(result, f)[z * f.y + y],
		strip = strips_of(result, f)[z * f.y + y];
	float back = sqrtf(known->planes[z] / ((float) f.x * f.y));
	if (f.z > 1) back += sqrtf((float) (known->back / points));
	return noise[f.x + y] + fmaxf(levels * sqrtf(row / f.x), ALIAS * sqrtf(strip)) + levels * back;
}

// How far products can be trusted. result, noise: as for noise_of. n, mean: of the template. eps: the error of a pass, with its margin,
// over the tolerance of a response and ‖T̂‖. ofProbes: the margin of errors at probes over the same. floor: the smallest √N·σ that stands.
// offsetRounding: √N times the rounding of a pixel of 1, over the tolerance of a response. A pixel about the reference is rounded once. If
// all pixels of a window round like the template, these errors add up to ‖T̂‖·√N·|offset| times that.
struct Trust {
	Extents f;
	int count;
	const Known *known;
	const float *result, *noise;
	double n, inverse, mean, inverseNorm, eps, ofProbes, floor, offsetRounding;

	// The smallest √N·σ that stands, of a window whose product has that noise and whose pixels are not rounded. Its square is a float.
	__device__ float least(const float noise) const {
		return fminf(fmaxf((float) eps * noise, (float) floor), 1.8e19f);
	}

	// What a column of lags adds to it.
	__device__ float of_column(const int x) const {
		return (float) eps * __ldg(noise + x);
	}

	// The smallest √N·σ that stands in a row of lags, not less than the errors at probes demand. A strong frequency of the pixels and one
	// of the template may meet as aliases in the passes of a transform. Then the error is a wave over all lags, which the energies do not
	// show.
	__device__ float least(const int y, const int z) const {
		return fmaxf(least(noise_of(f, known, result, noise, y, z)), fminf((float) (ofProbes * known->greatestError), 1.8e19f));
	}
};

// The mean and N·σ² of a window from its sums. False if it is certain that all its pixels are equal.
__device__ inline bool window_of(const uint2 w, const Trust &trust, RealWindow &to) {
	const int s = (int) w.x;
	const Whole v = whole(factor(trust.count), w.y, s, factor(s));
	to.mean = wide(s) * wide(trust.inverse);
	to.variance = wide(v) * wide(trust.inverse);
	return v != 0;
}

__device__ inline bool window_of(const longlong2 w, const Trust &trust, RealWindow &to) {
	const Int128 v = difference_of(trust.count, w.y, w.x, w.x);
	to.mean = wide(w.x) * wide(trust.inverse);
	to.variance = wide(v) * wide(trust.inverse);
	return !(v == 0);
}

__device__ inline bool window_of(const RealWindow w, const Trust &, RealWindow &to) {
	to = w;
	return true;
}

// Whether sums of windows are of pixels that are not whole numbers of at most 16 bits.
template<class W> constexpr bool is_real = false;
template<> constexpr bool is_real<RealWindow> = true;

// Writes a response or marks it as suspect. missing: it is undefined. least: the smallest √N·σ for the product's noise. spread: how far the
// references of other parts of the window are from that one. ROUNDED: whether pixels are; whole numbers are not.
template<class Out, bool ROUNDED, class Real> __device__ inline void answer(const Real product, const RealWindow &w, const bool missing,
	const float least, const double reference, const float spread, const size_t lag, const Trust &trust, const Outcome &out)
{
	const Narrow offset = narrow(w.mean - wide(reference)), numerator = (Narrow) product - offset * (Narrow) (trust.n * trust.mean);
	// the errors of the transforms and of the pixels add up
	const float limit = ROUNDED ? least + (float) trust.offsetRounding * (fabsf((float) offset) + spread) : least;
	Out r;
	bool suspect;
	// NaN is suspect, too
	if constexpr (sizeof(Out) == sizeof(float)) {
		const float variance = (float) narrow(w.variance);
		r = (float) numerator * rsqrtf(variance) * (float) trust.inverseNorm;
		suspect = !missing && !(variance > limit * limit && fabsf(r) < 2);
	}
	else {
		r = numerator * root_inverse(w.variance) * trust.inverseNorm;
		suspect = !missing && !(narrow(w.variance) > limit * limit && fabs(r) < 2);
	}
	if (suspect) out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
	else ((Out *) out.map)[lag] = missing ? (Out) out.undefined : r < -1 ? (Out) -1 : r > 1 ? (Out) 1 : r;
}

// The median of 32 pixels, spread over columns, rows and planes of a box; 0 if none is finite. Called by the first warp.
template<class P> __device__ inline double median(const P *image, const Box &b, const int x0, const int columns, const int y0,
	const int rows, const int z0, const int planes)
{
	const int i = threadIdx.x & 31, x = x0 + (int) ((i * 2 + 1) * (s64) columns / 64), y = y0 + (int) (i * 13 % 32 * (s64) rows / 32);
	const double v = image[((size_t) (z0 + i * 7 % 32 * (s64) planes / 32) * b.rows + y) * b.pitch + x];
	const bool finite = fabs(v) <= 1.7976931348623157e308;
	const double key = finite ? v : 1.7976931348623157e308;
	int rank = 0;
	for (int o = 0; o < 32; o++) {
		const double other = __shfl_sync(~0u, key, o);
		rank += other < key || (other == key && o < i);
	}
	const int n = __popc(__ballot_sync(~0u, finite));
	const u32 chosen = __ballot_sync(~0u, rank == n / 2);
	return n == 0 ? 0 : __shfl_sync(~0u, v, __ffs(chosen) - 1);
}

template<class Real> __device__ inline Real warp_sum(Real v) {
	for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
	return v;
}

// The greatest of numbers that are not negative, and in volumes those of each line of all planes.
__device__ inline void greatest_of(const float *from, const int lines, const int planes, float *to, float *ofLines) {
	float greatest = 0;
	#pragma unroll 4
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < lines * planes; i += gridDim.x * blockDim.x) {
		const float v = from[i];
		greatest = fmaxf(greatest, v);
		if (planes > 1) atomicMax((u32 *) ofLines + i % lines, __float_as_uint(v));
	}
	for (int o = 16; o > 0; o /= 2) greatest = fmaxf(greatest, __shfl_xor_sync(~0u, greatest, o));
	if ((threadIdx.x & 31) == 0) atomicMax((u32 *) to, __float_as_uint(greatest));
}

// The greatest columns and rows. pixels: see measure.
__device__ inline void greatest_lines(const Extents &f, const float *pixels, Known *known) {
	greatest_of(columns_of(pixels), f.x, f.z, &known->greatest[0], (float *) strongest_columns(pixels, f));
	greatest_of(rows_of(pixels, f), f.y, f.z, &known->greatest[1], (float *) strongest_rows(pixels, f));
}

// The greatest error at probes. pitch: of a row of products. sums: see probe.
template<class Real> __device__ void error_at_probes(const Extents &f, const Real *products, const int pitch, const Box &b,
	const double *sums, const int probes, Known *known)
{
	double greatest = 0;
	for (int i = threadIdx.x; i < probes; i += blockDim.x) {
		int x, y, z;
		lag_of_probe(b, i, probes, x, y, z);
		greatest = fmax(greatest, fabs(products[((size_t) z * f.y + y) * pitch + x] - sums[i]));
	}
	// numbers that are not negative have the order of their bits
	if (greatest > 0) atomicMax((u64 *) &known->greatestError, (u64) __double_as_longlong(greatest));
}
