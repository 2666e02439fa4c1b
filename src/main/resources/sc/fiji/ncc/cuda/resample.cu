// Samples frames between their pixels: by the weights of neighbouring pixels, and by the phases of Fourier transforms, which cuFFT makes.
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
