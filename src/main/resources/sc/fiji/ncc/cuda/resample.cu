// Samples frames between their pixels: by the weights of neighbouring pixels, at positions of a field too, and by the phases of Fourier transforms, which
// cuFFT makes.
#include "field.cuh"
#include "values.cuh"

struct Extents {
	int x, y, z;

	__device__ u64 all() const { return (u64) x * y * z; }
};

// The weights along x, y and z, and their numbers: 1, or an even number.
struct Weights {
	double of[3][6];
	int count[4];
};

// The pixels of the box that a block of threads samples, and the largest number of weights.
constexpr int WIDTH = 32, HEIGHT = 8, MOST = 6;

// Products and sums are rounded one by one, in the order of cpu.frame.RowInterpolation. A single weight is 1.
template<class F> __device__ inline double mean_of(const double *weights, const int count, const F &value) {
	if (count == 1) return value(0);
	double sum = __dmul_rn(weights[0], value(0));
	for (int k = 1; k < count; k++) sum = __dadd_rn(sum, __dmul_rn(weights[k], value(k)));
	return sum;
}

// Each block samples WIDTH by HEIGHT pixels of a plane: first along z, then along y, then along x. Grid: columns and rows of blocks, planes.
extern "C" __global__ void weighted(const void *from, const int type, const Extents pixels, const Extents size, const Weights weights, void *to) {
	__shared__ double lines[HEIGHT + MOST - 1][WIDTH + MOST - 1], columns[HEIGHT][WIDTH + MOST - 1];
	const int x0 = WIDTH * blockIdx.x, y0 = HEIGHT * blockIdx.y, z = blockIdx.z, thread = threadIdx.y * WIDTH + threadIdx.x;
	const int wide = WIDTH + weights.count[0] - 1, high = HEIGHT + weights.count[1] - 1;
	for (int i = thread; i < wide * high; i += WIDTH * HEIGHT) {
		const int x = min(x0 + i % wide, pixels.x - 1), y = min(y0 + i / wide, pixels.y - 1);
		lines[i / wide][i % wide] = mean_of(weights.of[2], weights.count[2], [&](const int k) {
			return raw_value(from, type, ((size_t) (z + k) * pixels.y + y) * pixels.x + x);
		});
	}
	__syncthreads();
	for (int i = thread; i < wide * HEIGHT; i += WIDTH * HEIGHT)
		columns[i / wide][i % wide] = mean_of(weights.of[1], weights.count[1], [&](const int k) { return lines[i / wide + k][i % wide]; });
	__syncthreads();
	const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
	if (x >= size.x || y >= size.y) return;
	const double value = mean_of(weights.of[0], weights.count[0], [&](const int k) { return columns[threadIdx.y][threadIdx.x + k]; });
	put_value(to, type, ((size_t) z * size.y + y) * size.x + x, value);
}

extern "C" __global__ void to_doubles(const void *from, const int type, const u64 n, double *to) {
	for (u64 i = blockIdx.x * (u64) blockDim.x + threadIdx.x; i < n; i += gridDim.x * (u64) blockDim.x) to[i] = raw_value(from, type, i);
}

// The index of a pixel of a line of n pixels that are stride apart. Lines are counted in the order of their first pixels.
__device__ inline u64 place_of(const u64 line, const u64 i, const u64 n, const u64 stride) { return line / stride * stride * n + line % stride + i * stride; }

// Lines of n pixels as lines of that many points: between the end and the beginning of a line, values lead smoothly from one to the other.
extern "C" __global__ void gather(const double *pixels, const int n, const s64 stride, const int points, const int first, const int lines, double *to) {
	for (u64 e = blockIdx.x * (u64) blockDim.x + threadIdx.x; e < (u64) points * lines; e += gridDim.x * (u64) blockDim.x) {
		// neighbouring threads read neighbouring pixels
		const bool along = stride == 1;
		const u64 line = along ? e / points : e % lines, i = along ? e % points : e / lines;
		double v;
		if (i < n) v = pixels[place_of(first + line, i, n, stride)];
		else {
			const double end = pixels[place_of(first + line, n - 1, n, stride)], beginning = pixels[place_of(first + line, 0, n, stride)];
			v = end + (0.5 - 0.5 * cospi((double) (i - n + 1) / (points - n + 1))) * (beginning - end);
		}
		to[line * points + i] = v;
	}
}

// Multiplies the spectrum of each line by the factors of its frequencies.
extern "C" __global__ void turn(const double2 *factors, const int frequencies, const u64 n, double2 *spectra) {
	for (u64 e = blockIdx.x * (u64) blockDim.x + threadIdx.x; e < n; e += gridDim.x * (u64) blockDim.x) {
		const double2 f = factors[e % frequencies], v = spectra[e];
		spectra[e] = make_double2(v.x * f.x - v.y * f.y, v.x * f.y + v.y * f.x);
	}
}

// The inverse of gather, without the points between end and beginning.
extern "C" __global__ void scatter(const double *from, const int n, const s64 stride, const int points, const int first, const int lines, double *pixels) {
	for (u64 e = blockIdx.x * (u64) blockDim.x + threadIdx.x; e < (u64) n * lines; e += gridDim.x * (u64) blockDim.x) {
		const bool along = stride == 1;
		const u64 line = along ? e / n : e % lines, i = along ? e % n : e / lines;
		pixels[place_of(first + line, i, n, stride)] = from[line * points + i];
	}
}

// The box in the middle of the pixels, in their type.
extern "C" __global__ void inside(const double *from, const Extents pixels, const Extents margin, const Extents size, const int type, void *to) {
	for (u64 e = blockIdx.x * (u64) blockDim.x + threadIdx.x; e < size.all(); e += gridDim.x * (u64) blockDim.x) {
		const u64 x = e % size.x, y = e / size.x % size.y, z = e / size.x / size.y;
		put_value(to, type, e, from[((z + margin.z) * pixels.y + y + margin.y) * pixels.x + x + margin.x]);
	}
}

// A number whose sums and products are rounded one by one, so that they are those of Java.
struct Rounded {
	double v;

	__device__ Rounded(const double value) : v(value) {}
};

__device__ inline Rounded operator+(const Rounded a, const Rounded b) { return __dadd_rn(a.v, b.v); }
__device__ inline Rounded operator-(const Rounded a, const Rounded b) { return __dadd_rn(a.v, -b.v); }
__device__ inline Rounded operator*(const Rounded a, const Rounded b) { return __dmul_rn(a.v, b.v); }
__device__ inline Rounded operator/(const Rounded a, const Rounded b) { return __ddiv_rn(a.v, b.v); }

// What a deformed box has along a dimension: the grid of the field, the shift, the first pixel of the box, that of the pixels, the last one of the frame.
struct Along {
	double origin, spacing, shift;
	s64 nodes, min, first, last;
};

// A deformed box. beyond: the value of pixels beyond the frame, if its edge does not go on there; count: the neighbours along a dimension.
struct Deformed {
	Along along[3];
	double beyond;
	s64 dimensions, edge, count;
};

// The bits of a fraction of a position: weights are those of fractions.
constexpr int FRACTION_BITS = 11, FRACTIONS = 1 << FRACTION_BITS;

// The sum of four values by the weights of a position of a field; the first value is that of node first.
template<class F> __device__ inline Rounded mean_of_nodes(const Along &a, const s64 pixel, const F &value) {
	const double node = node_of((double) (a.min + pixel), a.origin, a.spacing, (int) a.nodes), whole = floor(node);
	const s64 first = (s64) whole - 1;
	const Rounded t = node - whole, s = Rounded(1) - t;
	return s * s * s / 6 * value(first) + (Rounded(4) - Rounded(6) * t * t + Rounded(3) * t * t * t) / 6 * value(first + 1)
		+ ((Rounded(4) - Rounded(6) * s * s + Rounded(3) * s * s * s) / 6 * value(first + 2) + t * t * t / 6 * value(first + 3));
}

// The coefficients along x of each component of a field, for each row of a box.
extern "C" __global__ void rows_of_field(const double *coefficients, const Deformed d, const Extents size, double *to) {
	const u64 nx = d.along[0].nodes, ny = d.along[1].nodes, all = nx * ny * d.along[2].nodes, rows = (u64) size.y * size.z;
	for (u64 e = blockIdx.x * (u64) blockDim.x + threadIdx.x; e < d.dimensions * rows * nx; e += gridDim.x * (u64) blockDim.x) {
		const u64 row = e / nx % rows;
		const double *from = coefficients + e / nx / rows * all + e % nx;
		to[e] = mean_of_nodes(d.along[1], row % size.y, [&](const s64 j) {
			if (d.dimensions == 2) return Rounded(from[j * nx]);
			return mean_of_nodes(d.along[2], row / size.y, [&](const s64 k) { return Rounded(from[(k * ny + j) * nx]); });
		}).v;
	}
}

// The value of a field from the coefficients along x.
__device__ inline Rounded field_at(const double *line, const Along &a, const s64 pixel) {
	const double node = node_of((double) (a.min + pixel), a.origin, a.spacing, (int) a.nodes), whole = floor(node);
	const double *from = line + (s64) whole - 1;
	const Rounded t = node - whole, p = from[0], q = from[1], r = from[2], s = from[3];
	return (p + Rounded(4) * q + r) / 6 + t * ((r - p) / 2 + t * ((p - Rounded(2) * q + r) / 2 + t * ((s - p + Rounded(3) * (q - r)) / 6)));
}

// The sum along x. all: whether pixels whose weight is 0 count.
template<class F> __device__ inline Rounded sum_of_line(const double *weights, const int count, const bool all, const F &value) {
	if (!all) {
		Rounded sum = 0;
		for (int i = 0; i < count; i++)
			if (weights[i] != 0) sum = sum + Rounded(weights[i]) * value(i);
		return sum;
	}
	if (count == 1) return value(0);
	Rounded sum = Rounded(weights[0]) * value(0) + Rounded(weights[1]) * value(1);
	for (int i = 2; i < count; i += 2) sum = sum + (Rounded(weights[i]) * value(i) + Rounded(weights[i + 1]) * value(i + 1));
	return sum;
}

// The weighted mean of the pixels around a position. at: the first of them along each dimension, w: their weights.
__device__ inline double neighbours_of(const void *from, const int type, const Extents pixels, const s64 *at, const double *const *w, const int count,
	const bool all)
{
	const int planes = pixels.z > 1 ? count : 1;
	Rounded sum = 0;
	for (int k = 0; k < planes; k++) {
		Rounded plane = 0;
		for (int j = 0; j < count; j++) {
			const size_t row = ((at[2] + k) * pixels.y + at[1] + j) * (size_t) pixels.x + at[0];
			if (all || w[1][j] != 0)
				plane = plane + Rounded(w[1][j]) * sum_of_line(w[0], count, all, [&](const int i) { return Rounded(raw_value(from, type, row + i)); });
		}
		if (planes == 1) return plane.v;
		if (all || w[2][k] != 0) sum = sum + Rounded(w[2][k]) * plane;
	}
	return sum.v;
}

// Samples a deformed box, as cpu.frame.DeformedRows. lines: of rows_of_field; weights: those of each fraction.
extern "C" __global__ void deformed(const void *from, const int type, const Extents pixels, const Extents size, const Deformed d, const double *lines,
	const double *weights, void *to)
{
	const s64 extents[3] = { pixels.x, pixels.y, pixels.z };
	for (u64 e = blockIdx.x * (u64) blockDim.x + threadIdx.x; e < size.all(); e += gridDim.x * (u64) blockDim.x) {
		const u64 row = e / size.x, rows = (u64) size.y * size.z;
		const s64 pixel[3] = { (s64) (e % size.x), (s64) (row % size.y), (s64) (row / size.y) };
		s64 at[3] = { 0, 0, 0 };
		const double *w[3] = { weights, weights, weights };
		bool inside = true;
#pragma unroll
		for (int c = 0; c < 3; c++) {
			if (c >= d.dimensions) break;
			const Along &a = d.along[c];
			const double motion = (Rounded(a.shift) + field_at(lines + (c * rows + row) * d.along[0].nodes, d.along[0], pixel[0])).v;
			const double place = __dadd_rn((double) (a.min + pixel[c]), d.count == 1 ? rint(motion) : motion);
			inside &= place >= 0 && place <= a.last;
			const s64 q = (s64) floor(__dadd_rn(place * FRACTIONS, 0.5));
			w[c] = weights + (q & (FRACTIONS - 1)) * d.count;
			at[c] = max((s64) 0, min(extents[c] - d.count, (q >> FRACTION_BITS) - (d.count - 1) / 2 - a.first));
		}
		double value = d.beyond;
		if (d.edge != 0 || inside) {
			value = neighbours_of(from, type, pixels, at, w, (int) d.count, true);
			// a pixel that is not a finite number counts where it has a share
			if (!isfinite(value)) value = neighbours_of(from, type, pixels, at, w, (int) d.count, false);
		}
		put_value(to, type, e, value);
	}
}
