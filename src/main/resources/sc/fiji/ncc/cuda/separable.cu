// Convolution along one dimension after the other, in double, for kernels that are sums of a few products u(x)·v(y)·w(z).
#include "sums.cuh"

#define WARPS 4
#define STRETCH 256
#define OUTPUTS 16
// The number of zeros before the coefficients along y and z. At least as many follow them.
#define MARGIN 16

// The place of number i of a row in shared memory. Threads read stretches of 8 numbers; without gaps these would use the same banks.
__device__ inline int place(const int i) { return i + (i >> 3); }

// Along x: to[term][plane][row][lag]. coefficients: of each term, followed by zeros to a multiple of 8. A warp for STRETCH lags of a row. Grid: stretches,
// rows by warps, planes. NaN and infinite pixels count as 0.
template<class P> __device__ void along_x(const P *image, const Box &b, const double *coefficients, const int terms, double *to) {
	extern __shared__ double memory[];
	const int padded = (b.width + 7) & ~7, lane = threadIdx.x & 31, warp = threadIdx.x / 32;
	double *pixels = memory + warp * (place(STRETCH + padded) + place(STRETCH)), *sums = pixels + place(STRETCH + padded);
	const int x0 = blockIdx.x * STRETCH, row = blockIdx.y * WARPS + warp, z = blockIdx.z, columns = b.lagsX + b.width - 1 - x0;
	if (row >= b.rows) return;
	const P *from = image + ((size_t) z * b.rows + row) * b.pitch + x0;
	#pragma unroll 4
	for (int i = lane; i < STRETCH + padded; i += 32) {
		P v = 0;
		if (i < columns) v = from[i];
		pixels[place(i)] = is_finite(v) ? (double) v : 0.0;
	}
	__syncwarp();
	for (int t = 0; t < terms; t++) {
		double sum[8], p[16];
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			sum[k] = 0;
			p[k] = pixels[place(8 * lane + k)];
		}
		for (int i = 0; i < padded; i += 8) {
			#pragma unroll
			for (int k = 0; k < 8; k++) p[8 + k] = pixels[place(8 * lane + i + 8 + k)];
			#pragma unroll
			for (int k = 0; k < 8; k++) {
				const double w = __ldg(coefficients + t * padded + i + k);
				#pragma unroll
				for (int a = 0; a < 8; a++) sum[a] = fma(w, p[k + a], sum[a]);
			}
			#pragma unroll
			for (int k = 0; k < 8; k++) p[k] = p[8 + k];
		}
		#pragma unroll
		for (int a = 0; a < 8; a++) sums[place(8 * lane + a)] = sum[a];
		__syncwarp();
		double *row0 = to + (((size_t) t * b.planes + z) * b.rows + row) * b.lagsX + x0;
		#pragma unroll
		for (int n = 0; n < STRETCH / 32; n++)
			if (x0 + lane + 32 * n < b.lagsX) row0[lane + 32 * n] = sums[place(lane + 32 * n)];
		__syncwarp();
	}
}

// The layout of the numbers: each term has outer blocks, each block has lines, each line has inner numbers. Sums of extent lines are fewer lines.
struct Lines { s64 inner; int terms, in, out, extent; };

// Across lines: to[term][outer][line][number], or over all terms as responses. coefficients: of each term, with MARGIN zeros before them, and those that make
// it a multiple of 8, and 24 more, behind. Each thread OUTPUTS sums. Grid: inner numbers, lines by OUTPUTS, outer.
template<class Out, bool LAST> __device__ void across(const double *numbers, const Lines &l, const double *coefficients, const Reach *reach,
	const int exponent, Out *to)
{
	const s64 x = (s64) blockIdx.x * blockDim.x + threadIdx.x;
	if (x >= l.inner) return;
	const int first = blockIdx.y * OUTPUTS, stride = MARGIN + ((l.extent + 7) & ~7) + 24;
	double sum[OUTPUTS];
	#pragma unroll
	for (int a = 0; a < OUTPUTS; a++) sum[a] = 0;
	for (int t = 0; t < l.terms; t++) {
		const size_t block = (size_t) t * gridDim.z + blockIdx.z;
		const double *from = numbers + (block * l.in + first) * l.inner + x, *of = coefficients + (size_t) t * stride;
		for (int j = 0; j < l.extent + OUTPUTS - 1; j += 8) {
			double v[8], w[OUTPUTS + 7];
			#pragma unroll
			for (int k = 0; k < 8; k++) {
				v[k] = 0;
				if (first + j + k < l.in) v[k] = from[(j + k) * l.inner];
			}
			#pragma unroll
			for (int k = 0; k < OUTPUTS + 7; k++) w[k] = __ldg(of + MARGIN - (OUTPUTS - 1) + j + k);
			#pragma unroll
			for (int k = 0; k < 8; k++)
				#pragma unroll
				for (int a = 0; a < OUTPUTS; a++) sum[a] = fma(w[k - a + OUTPUTS - 1], v[k], sum[a]);
		}
		if constexpr (!LAST)
			#pragma unroll
			for (int a = 0; a < OUTPUTS; a++) {
				if (first + a < l.out) to[(block * l.out + first + a) * l.inner + x] = sum[a];
				sum[a] = 0;
			}
	}
	if constexpr (LAST) {
		const int by = exponent + exponent_of(reach);
		#pragma unroll
		for (int a = 0; a < OUTPUTS; a++)
			if (first + a < l.out) to[((size_t) blockIdx.z * l.out + first + a) * l.inner + x] = scaled<Out>(sum[a], by);
	}
}

#define ALONG_X(NAME, P) extern "C" __global__ void __launch_bounds__(32 * WARPS) NAME(const P *image, const Box b, const double *coefficients, \
	const int terms, double *to) \
	{ along_x(image, b, coefficients, terms, to); }
ALONG_X(along_x_floats, float)
ALONG_X(along_x_doubles, double)

extern "C" __global__ void __launch_bounds__(128) across_lines(const double *numbers, const Lines l, const double *coefficients, double *to)
	{ across<double, false>(numbers, l, coefficients, 0, 0, to); }

#define LAST(NAME, OUT) extern "C" __global__ void __launch_bounds__(128) NAME(const double *numbers, const Lines l, const double *coefficients, \
	const Reach *reach, const int exponent, const Outcome out) { across<OUT, true>(numbers, l, coefficients, reach, exponent, (OUT *) out.map); }
LAST(last_float, float)
LAST(last_double, double)
