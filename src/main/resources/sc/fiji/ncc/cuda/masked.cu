// Correlation with weighted templates, windows partly outside the image, missing pixels and several channels, by transforms in double. Σ w·T̂·P, Σ
// w·P and Σ w·P² of all windows are three products of spectra. Σ w, Σ w·T̂ and Σ w·T̂² over the pixels that count are products with the spectrum of
// the mask of the image (Padfield, Masked object registration in the Fourier domain, doi:10.1109/TIP.2011.2181402). If no pixel is missing, they come
// from summed-area tables of the template.
#include "fourier.cuh"
#include "sums.cuh"

// The parameters of a channel. products: with the pixels three, with the mask of the image three more, Σ w, Σ w·T̂ and Σ w·T̂². Σ w·P² and Σ w·T̂²
// are those of all channels and belong to the last one. result, noise: as for noise_of. tables: three tables of (width + 1)(height + 1)(depth + 1)
// numbers, x fastest. weights: those of the pixels of the template. present: 1 where the box has a pixel, else 0; null if no pixel is missing.
// before: the sums over the channels before, Sums::COUNT maps; null for one channel. least: the minimum weight that counts. total: the sum of
// weights. norm: Σ w·T̂² over all channels. eps: the error of a pass of a transform, with its margin. share: the minimum of a difference relative to
// its terms. tolerance: that of a response. floor: the smallest N·σ² without underflow. binary: weights are 0 or 1, so their sums are whole numbers.
// first, last: of the channels.
struct Masked {
	Extents f;
	int binary;
	const double *products[6];
	const Known *known[6];
	const float *result[6], *noise[6];
	const double *tables, *weights;
	const u8 *present;
	double *before;
	double least, total, norm, eps, share, tolerance, floor;
	int first, last;
};

// The first step of summed-area tables of a template (Crow 1984): the values, ones where values is null, behind a plane, a row and a column of zeros.
// Grid: columns, any number of blocks for the rows, planes.
extern "C" __global__ void table_values(const double *values, const int width, const int height, const int depth, double *table, double *lost) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
	if (x > width) return;
	for (int y = blockIdx.y; y <= height; y += gridDim.y) {
		const size_t at = ((size_t) z * (height + 1) + y) * (width + 1) + x;
		table[at] = x == 0 || y == 0 || z == 0 ? 0 : values == 0 ? 1 : values[((size_t) (z - 1) * height + y - 1) * width + x - 1];
		lost[at] = 0;
	}
}

// The next steps: running sums along an axis, and in lost what their roundings lose (Neumaier 1974). One thread for each of the lines. A line has
// count entries, which lie step apart; lines begin next to each other in groups of within, and groups lie between apart. last: the last axis; then an
// entry becomes the sum with what it lost, rounded once.
extern "C" __global__ void table_sums(const int lines, const int count, const int within, const int step, const int between, const int last,
	double *table, double *lost) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= lines) return;
	size_t at = (size_t) (i / within) * between + (within == 1 ? 0 : i % within);
	double sum = table[at], rest = lost[at];
	if (last) table[at] = __dadd_rn(sum, rest);
	for (int k = 1; k < count; k++) {
		at += step;
		const double a = sum, b = table[at];
		sum = __dadd_rn(a, b);
		const double part = __dsub_rn(sum, a);
		rest = __dadd_rn(lost[at], __dadd_rn(rest, __dadd_rn(__dsub_rn(a, __dsub_rn(sum, part)), __dsub_rn(b, part))));
		if (last) table[at] = __dadd_rn(sum, rest);
		else {
			table[at] = sum;
			lost[at] = rest;
		}
	}
}

// The median of present pixels that are spread over the box; 0 if few are present. Called by the first warp.
template<class P> __device__ inline double median_present(const P *image, const u8 *present, const Box &b) {
	const u32 columns = b.partX, rows = b.partY, planes = b.partZ, pixels = columns * rows * planes;
	double v = 0;
	bool found = false;
	for (int i = 0; i < 64 && !found && pixels > 0; i++) {
		// spread evenly and without a period
		const u32 at = (u32) ((u64) ((i * 32 + (threadIdx.x & 31)) * 2654435769u) * pixels >> 32);
		const size_t from = ((size_t) (b.fromZ + at / columns / rows) * b.rows + b.fromY + at / columns % rows) * b.pitch + b.fromX + at % columns;
		v = image[from];
		found = present[from] != 0 && fabs(v) <= 1.7976931348623157e308;
	}
	const double key = found ? v : 1.7976931348623157e308;
	int rank = 0;
	for (int o = 0; o < 32; o++) {
		const double other = __shfl_sync(~0u, key, o);
		rank += other < key || (other == key && o < (threadIdx.x & 31));
	}
	const int n = __popc(__ballot_sync(~0u, found));
	const u32 chosen = __ballot_sync(~0u, rank == n / 2);
	return n == 0 ? 0 : __shfl_sync(~0u, v, __ffs(chosen) - 1);
}

// Pixels minus a reference, and their squares. NaN, infinite and missing pixels, and positions outside the image, become 0. present: null if no pixel
// is missing. first: of the channels; the squares of others are added. Grid: columns, any number of blocks for the rows, planes.
template<class P> __device__ void pad(const P *image, const u8 *present, const Box &b, const Extents f, const int first, double *to,
	double *squares, Known *known)
{
	__shared__ double middle;
	if (threadIdx.x < 32) {
		const double m = b.partX == 0 ? 0 : present != 0 ? median_present(image, present, b) : median(image, b, b.fromX, b.partX, b.fromY, b.partY,
			b.fromZ, b.partZ);
		if (threadIdx.x == 0) {
			middle = m;
			if (blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0) known->reference = m;
		}
	}
	__syncthreads();
	const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
	if (x >= f.x) return;
	for (int y = blockIdx.y; y < f.y; y += gridDim.y) {
		double v = 0;
		const size_t from = ((size_t) z * b.rows + y) * b.pitch + x;
		if (in_image(b, x, y, z) && (present == 0 || present[from] != 0)) {
			const P pixel = image[from];
			if (is_finite(pixel)) v = (double) pixel - middle;
		}
		const size_t at = ((size_t) z * f.y + y) * f.x + x;
		to[at] = v;
		squares[at] = first ? v * v : squares[at] + v * v;
	}
}

#define PAD(NAME, P) extern "C" __global__ void NAME(const P *image, const u8 *present, const Box b, const Extents f, const int first, double *to, \
	double *squares, Known *known) { pad(image, present, b, f, first, to, squares, known); }
PAD(pad_bytes, s8)
PAD(pad_shorts, short)
PAD(pad_floats, float)
PAD(pad_doubles, double)

// The mask of the image as numbers. Grid: columns, any number of blocks for the rows, planes.
extern "C" __global__ void pad_mask(const u8 *present, const Box b, const Extents f, double *to) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
	if (x >= f.x) return;
	for (int y = blockIdx.y; y < f.y; y += gridDim.y)
		to[((size_t) z * f.y + y) * f.x + x] = in_image(b, x, y, z) ? present[((size_t) z * b.rows + y) * b.pitch + x] : 0;
}

// Σ over a box of the template. from: inclusive; to: exclusive.
__device__ inline double sum_of(const double *table, const Box &b, const int (&from)[3], const int (&to)[3]) {
	const int columns = b.width + 1, rows = b.height + 1;
	double sum = 0;
	#pragma unroll
	for (int k = 0; k < 2; k++) {
		const double *plane = table + (size_t) (k == 0 ? to[2] : from[2]) * rows * columns;
		const double part = (plane[to[1] * columns + to[0]] - plane[to[1] * columns + from[0]]) - (plane[from[1] * columns
			+ to[0]] - plane[from[1] * columns + from[0]]);
		sum = k == 0 ? part : sum - part;
	}
	return sum;
}

// The sum of the weights of a box of the template, in their order, without those of missing pixels. here: the mask of the image at the lag; null if
// no pixel is missing. Returns whether any is positive.
__device__ inline bool weight_of(const double *weights, const u8 *here, const Box &b, const int (&from)[3], const int (&to)[3], double &n) {
	bool any = false;
	n = 0;
	for (int z = from[2]; z < to[2]; z++)
		for (int y = from[1]; y < to[1]; y++)
			for (int x = from[0]; x < to[0]; x++) {
				if (here != 0 && here[((size_t) z * b.rows + y) * b.pitch + x] == 0) continue;
				const double w = weights[((size_t) z * b.height + y) * b.width + x];
				any |= w > 0;
				n = __dadd_rn(n, w);
			}
	return any;
}

// Of a window and the part of the template that counts: the covariance, the variances, and the errors of the three.
struct Sums {
	static constexpr int COUNT = 6;
	double product, variance, energy, ofProduct, ofVariance, ofEnergy;

	__device__ void add(const Sums &o) {
		product += o.product;
		variance += o.variance;
		energy += o.energy;
		ofProduct += o.ofProduct;
		ofVariance += o.ofVariance;
		ofEnergy += o.ofEnergy;
	}
};

// Σ w, Σ w·T̂ and Σ w·T̂² over the pixels that count, and their errors. rounding: the relative error of the terms of differences, in units of a pass
// of a transform.
struct Part { double n, t, e, ofN, ofT, ofE, rounding; };

// From tables. False if too few pixels count.
__device__ inline bool part_of(const Box &b, const Masked &m, const int (&from)[3], const int (&to)[3], Part &part) {
	const size_t table = (size_t) (b.width + 1) * (b.height + 1) * (b.depth + 1);
	part.n = sum_of(m.tables, b, from, to);
	bool any = part.n > 0;
	// the table is not accurate enough for this comparison
	if (!m.binary && fmin(part.n, fabs(part.n - m.least)) <= 1e-9 * m.total) any = weight_of(m.weights, 0, b, from, to, part.n);
	if (!any || part.n < m.least) return false;
	part.t = sum_of(m.tables + table, b, from, to);
	part.e = m.last ? sum_of(m.tables + 2 * table, b, from, to) : 0;
	part.ofN = part.ofE = 0;
	part.ofT = m.eps * sqrt(m.total * m.norm);
	part.rounding = m.binary ? 1 : 1 + m.total / part.n;
	return true;
}

// From products with the mask of the image. errors: those of the products.
__device__ inline bool part_of(const Box &b, const Masked &m, const int (&from)[3], const int (&to)[3], const u8 *here, const size_t at,
	const double *errors, Part &part)
{
	part.n = m.products[3][at];
	part.ofN = errors[3];
	bool any;
	if (m.binary && part.ofN < 0.25) {
		part.n = rint(part.n);
		part.ofN = 0;
		any = part.n > 0;
	}
	else {
		const double zone = part.ofN + 1e-9 * m.total;
		any = part.n > 0;
		// NaN as well
		if (!(fabs(part.n - m.least) > zone) || (part.n <= zone && m.least <= zone)) {
			any = weight_of(m.weights, here, b, from, to, part.n);
			part.ofN = 0;
		}
	}
	if (!any || part.n < m.least) return false;
	part.t = m.products[4][at];
	part.e = m.last ? m.products[5][at] : 0;
	part.ofT = errors[4];
	part.ofE = m.last ? errors[5] : 0;
	part.rounding = m.binary ? 1 : 2;
	return true;
}

// Covariance and variances of a channel of a window. All squares count in the last channel.
__device__ inline Sums sums_of(const Masked &m, const Part &part, const size_t at, const double *errors) {
	const double c = m.products[0][at], s = m.products[1][at], q = m.last ? m.products[2][at] : 0, mean = s / part.n, model = part.t / part.n,
		rounding = m.eps * part.rounding;
	Sums to;
	to.product = c - s * model;
	to.variance = q - s * mean;
	to.energy = part.e - part.t * model;
	to.ofProduct = errors[0] + fabs(model) * errors[1] + rounding * (fabs(c) + fabs(s * model)) + fabs(mean) * (part.ofT + fabs(model) * part.ofN);
	to.ofVariance = (m.last ? errors[2] : 0) + 2 * fabs(mean) * errors[1] + rounding * (fabs(q) + fabs(s * mean)) + mean * mean * part.ofN;
	to.ofEnergy = m.present == 0 ? 0 : part.ofE + 2 * fabs(model) * part.ofT + rounding * (fabs(part.e) + fabs(part.t * model))
		+ model * model * part.ofN;
	// the estimates are of first order
	if (part.ofN > 0.01 * part.n) to.ofVariance = __longlong_as_double(0x7ff8000000000000ll);
	return to;
}

// The response of a lag after its last channel. errors: those of the products.
template<class Out, bool MASKED> __device__ void respond(const Box &b, const Masked &m, const int x, const int y, const int z,
	const double *errors, const Outcome &out)
{
	bool missing = false;
	if (x < b.lagsX) {
		const int from[3] = { max(0, b.fromX - x), max(0, b.fromY - y), max(0, b.fromZ - z) };
		const int to[3] = { min(b.width, b.fromX + b.partX - x), min(b.height, b.fromY + b.partY - y), min(b.depth, b.fromZ + b.partZ - z) };
		const size_t lag = ((size_t) z * b.lagsY + y) * b.lagsX + x, lags = (size_t) b.lagsX * b.lagsY * b.lagsZ,
			at = ((size_t) z * m.f.y + y) * m.f.x + x;
		Part part;
		missing = from[0] >= to[0] || from[1] >= to[1] || from[2] >= to[2];
		if (!missing) missing = !(MASKED ? part_of(b, m, from, to, m.present + ((size_t) z * b.rows + y) * b.pitch + x, at, errors,
			part) : part_of(b, m, from, to, part));
		if (!missing) {
			Sums sums = sums_of(m, part, at, errors);
			double *before = m.before + lag;
			if (!m.first) sums.add({ before[0], before[lags], before[2 * lags], before[3 * lags], before[4 * lags], before[5 * lags] });
			if (m.last) {
				const double root = sqrt(sums.variance) * sqrt(sums.energy), r = sums.product / root;
				// NaN is suspect, too
				if (sums.variance > m.floor && sums.energy > m.share * m.norm
					&& sums.ofProduct / root + 0.5 * (sums.ofVariance / sums.variance + sums.ofEnergy / sums.energy) <= m.tolerance
					&& sums.ofVariance <= 0.25 * sums.variance && sums.ofEnergy <= 0.25 * sums.energy)
					((Out *) out.map)[lag] = (Out) fmax(-1.0, fmin(1.0, r));
				else out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
			}
			else {
				before[0] = sums.product;
				before[lags] = sums.variance;
				before[2 * lags] = sums.energy;
				before[3 * lags] = sums.ofProduct;
				before[4 * lags] = sums.ofVariance;
				before[5 * lags] = sums.ofEnergy;
			}
		}
		else if (m.last) ((Out *) out.map)[lag] = (Out) out.undefined;
	}
	count(out.counts, missing && m.last);
}

// Grid: columns, any number of blocks for the rows, planes.
template<class Out, bool MASKED> __device__ void respond(const Box &b, const Masked &m, const Outcome &out) {
	constexpr int PRODUCTS = MASKED ? 6 : 3;
	__shared__ double errors[PRODUCTS];
	for (int y = blockIdx.y; y < b.lagsY; y += gridDim.y) {
		__syncthreads();
		if (threadIdx.x < PRODUCTS && m.products[threadIdx.x] != 0) errors[threadIdx.x] = m.eps * noise_of(m.f, m.known[threadIdx.x],
			m.result[threadIdx.x], m.noise[threadIdx.x], y, blockIdx.z);
		__syncthreads();
		const int x = blockIdx.x * blockDim.x + threadIdx.x;
		double own[PRODUCTS];
		#pragma unroll
		for (int k = 0; k < PRODUCTS; k++) own[k] = x < b.lagsX && m.products[k] != 0 ? errors[k] + m.eps * m.noise[k][x] : 0;
		respond<Out, MASKED>(b, m, x, y, blockIdx.z, own, out);
	}
}

extern "C" __global__ void __launch_bounds__(256) respond_float(const Box b, const Masked m, const Outcome out) { respond<float, false>(b, m, out); }
extern "C" __global__ void __launch_bounds__(256) respond_double(const Box b, const Masked m, const Outcome out) { respond<double, false>(b, m,
	out); }
extern "C" __global__ void __launch_bounds__(256) respond_masked_float(const Box b, const Masked m, const Outcome out) { respond<float, true>(b, m,
	out); }
extern "C" __global__ void __launch_bounds__(256) respond_masked_double(const Box b, const Masked m, const Outcome out) { respond<double, true>(b,
	m, out); }
