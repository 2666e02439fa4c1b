// Correlation with weighted templates and windows partly outside the image, by transforms in double. Σ w·T̂·P, Σ w·P and Σ w·P² of all windows are three products of
// spectra. Σ w, Σ w·T̂ and Σ w·T̂² over the pixels inside the image come from summed-area tables of the template.
#include "fourier.cuh"
#include "sums.cuh"

// The parameters. products: the three products. energies: those of the spectra of their templates. tables: three tables of (width + 1)(height + 1)(depth + 1) numbers, x
// fastest. weights: those of the pixels of the template. least: the minimum weight inside the image. total: the sum of weights. norm: Σ w·T̂². eps: the error of a pass of
// a transform, with its margin. share: the minimum of a difference relative to its terms. tolerance: that of a response. floor: the smallest N·σ² without underflow.
// binary: sums of weights are exact.
struct Masked {
	Extents f;
	int binary;
	const double *products[3];
	const Known *known[3];
	const float *rows[3];
	double energies[3];
	const double *tables, *weights;
	double least, total, norm, eps, share, tolerance, floor;
};

// Pixels minus a reference, and their squares. NaN and infinite pixels, and positions outside the image, become 0. Grid: columns, any number of blocks for the rows,
// planes.
template<class P> __device__ void pad(const P *image, const Box &b, const Extents f, double *to, double *squares, Known *known) {
	__shared__ double middle;
	if (threadIdx.x < 32) {
		const double m = b.partX == 0 ? 0 : median(image, b, b.fromX, b.partX, b.fromY, b.partY, b.fromZ, b.partZ);
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
		if (in_image(b, x, y, z)) {
			const P pixel = image[((size_t) z * b.rows + y) * b.pitch + x];
			if (is_finite(pixel)) v = (double) pixel - middle;
		}
		const size_t at = ((size_t) z * f.y + y) * f.x + x;
		to[at] = v;
		squares[at] = v * v;
	}
}

#define PAD(NAME, P) extern "C" __global__ void NAME(const P *image, const Box b, const Extents f, double *to, double *squares, Known *known) \
	{ pad(image, b, f, to, squares, known); }
PAD(pad_bytes, s8)
PAD(pad_shorts, short)
PAD(pad_floats, float)
PAD(pad_doubles, double)

// Σ over a box of the template. from: inclusive; to: exclusive.
__device__ inline double sum_of(const double *table, const Box &b, const int (&from)[3], const int (&to)[3]) {
	const int columns = b.width + 1, rows = b.height + 1;
	double sum = 0;
	#pragma unroll
	for (int k = 0; k < 2; k++) {
		const double *plane = table + (size_t) (k == 0 ? to[2] : from[2]) * rows * columns;
		const double part = (plane[to[1] * columns + to[0]] - plane[to[1] * columns + from[0]]) - (plane[from[1] * columns + to[0]] - plane[from[1] * columns + from[0]]);
		sum = k == 0 ? part : sum - part;
	}
	return sum;
}

// The sum of the weights of a box of the template, in their order. Returns whether any is positive.
__device__ inline bool weight_of(const double *weights, const Box &b, const int (&from)[3], const int (&to)[3], double &n) {
	bool any = false;
	n = 0;
	for (int z = from[2]; z < to[2]; z++)
		for (int y = from[1]; y < to[1]; y++)
			for (int x = from[0]; x < to[0]; x++) {
				const double w = weights[((size_t) z * b.height + y) * b.width + x];
				any |= w > 0;
				n = __dadd_rn(n, w);
			}
	return any;
}

// The response of a lag. errors: those of the three products.
template<class Out> __device__ void respond(const Box &b, const Masked &m, const int x, const int y, const int z, const double *errors, const Outcome &out) {
	bool missing = false;
	if (x < b.lagsX) {
		const int from[3] = { max(0, b.fromX - x), max(0, b.fromY - y), max(0, b.fromZ - z) };
		const int to[3] = { min(b.width, b.fromX + b.partX - x), min(b.height, b.fromY + b.partY - y), min(b.depth, b.fromZ + b.partZ - z) };
		const size_t lag = ((size_t) z * b.lagsY + y) * b.lagsX + x, at = ((size_t) z * m.f.y + y) * m.f.x + x, table = (size_t) (b.width + 1) * (b.height + 1) * (b.depth + 1);
		missing = from[0] >= to[0] || from[1] >= to[1] || from[2] >= to[2];
		double n = missing ? 0 : sum_of(m.tables, b, from, to);
		if (!missing) {
			bool any = n > 0;
			// the table is not accurate enough for this comparison
			if (!m.binary && fmin(n, fabs(n - m.least)) <= 1e-9 * m.total) any = weight_of(m.weights, b, from, to, n);
			missing = !any || n < m.least;
		}
		if (!missing) {
			const double c = m.products[0][at], s = m.products[1][at], q = m.products[2][at], t = sum_of(m.tables + table, b, from, to), e = sum_of(m.tables + 2 * table, b, from, to);
			const double mean = s / n, model = t / n, variance = q - s * mean, energy = e - t * model, root = sqrt(variance) * sqrt(energy);
			const double r = (c - s * model) / root, rounding = m.eps * (m.binary ? 1 : 1 + m.total / n);
			const double ofProduct = errors[0] + fabs(model) * errors[1] + rounding * (fabs(c) + fabs(s * model)) + fabs(mean) * m.eps * sqrt(m.total * m.norm);
			const double ofVariance = errors[2] + 2 * fabs(mean) * errors[1] + rounding * (fabs(q) + fabs(s * mean));
			// NaN is suspect, too
			if (variance > m.floor && energy > m.share * m.norm && ofProduct / root + 0.5 * ofVariance / variance <= m.tolerance && ofVariance <= 0.25 * variance)
				((Out *) out.map)[lag] = (Out) fmax(-1.0, fmin(1.0, r));
			else out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
		}
		else ((Out *) out.map)[lag] = (Out) out.undefined;
	}
	count(out.counts, missing);
}

// Grid: columns, any number of blocks for the rows, planes.
template<class Out> __device__ void respond(const Box &b, const Masked &m, const Outcome &out) {
	__shared__ double errors[3];
	for (int y = blockIdx.y; y < b.lagsY; y += gridDim.y) {
		__syncthreads();
		if (threadIdx.x < 3) errors[threadIdx.x] = m.eps * noise_of(m.f, m.known[threadIdx.x], m.rows[threadIdx.x], m.energies[threadIdx.x], y, blockIdx.z);
		__syncthreads();
		respond<Out>(b, m, blockIdx.x * blockDim.x + threadIdx.x, y, blockIdx.z, errors, out);
	}
}

extern "C" __global__ void __launch_bounds__(256) respond_float(const Box b, const Masked m, const Outcome out) { respond<float>(b, m, out); }
extern "C" __global__ void __launch_bounds__(256) respond_double(const Box b, const Masked m, const Outcome out) { respond<double>(b, m, out); }
