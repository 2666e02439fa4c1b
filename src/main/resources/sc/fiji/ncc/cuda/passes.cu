// Transforms of planes in three passes, for cuda-fourier: rows forward straight from the pixels; columns forward, the product, and columns back; rows back. Each pass keeps its
// lines in shared memory, see lines.cuh. Rows of zeros are neither computed nor read. The energies for the error estimate are computed on the way. Compiled for one length, by
// -DROWS with the type of pixels, or -DCOLUMNS with the number of columns of a block over those of a thread, WAYS.
#include "fourier.cuh"
#include "lines.cuh"
#include "packs.cuh"
#include "pixels.cuh"

extern __shared__ __align__(16) unsigned char memory[];

#ifdef ROWS
// Of rows: the columns of a plane. Numbers of a row are pairs of real numbers.
#define HALF (LENGTH / 2)
// the rows that a group of threads has at a time, the groups of a block, and its rows
constexpr int ROWS_OF_GROUP = sizeof(REAL) == 4 ? 2 : 1;
typedef LineBlock<REAL, ROWS_OF_GROUP, HALF, 1> Row;
constexpr int GROUPS = Row::THREADS >= 256 ? 1 : 256 / Row::THREADS, ROWS_OF_BLOCK = GROUPS * ROWS_OF_GROUP;

// Of probe_plane.
#define PROBES_AT_ONCE 4
#define COEFFICIENTS_AT_ONCE 2048

template<class P> struct __align__(2 * sizeof(P)) Two { P a, b; };

// Adds up over the threads of a row that are in one warp, THREADS of them or all 32.
__device__ inline float row_sum(float v) {
	#pragma unroll
	for (int o = (Row::THREADS < 32 ? Row::THREADS : 32) / 2; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
	return v;
}

// The energies of the columns of pixels in the rows of this block, and the greatest pixel. sums: room for LENGTH numbers. A thread has four adjacent columns.
template<class P> __device__ inline void measure_columns(const P *__restrict__ image, const Box &b, const double reference, float *sums, float *measured) {
	const int columns = b.lagsX + b.width - 1;
	float peak = 0;
	for (int x = 4 * threadIdx.x; x < columns; x += 4 * GROUPS * Row::THREADS) {
		float sum[4] = { 0, 0, 0, 0 };
		for (int y0 = blockIdx.x * ROWS_OF_BLOCK; y0 < b.rows; y0 += gridDim.x * ROWS_OF_BLOCK)
			#pragma unroll 8
			for (int y = y0; y < min(b.rows, y0 + ROWS_OF_BLOCK); y++) {
				const Pack<P, 4> pack = *(const Pack<P, 4> *) (image + (size_t) y * b.pitch + x);
				#pragma unroll
				for (int i = 0; i < 4; i++) {
					const float v = x + i < columns ? fabsf((float) deviation<REAL>(pack.v[i], reference)) : 0;
					sum[i] += v * v;
					peak = fmaxf(peak, v);
				}
			}
		*(float4 *) (sums + x) = make_float4(sum[0], sum[1], sum[2], sum[3]);
	}
	__syncthreads();
	for (int x = threadIdx.x; x < columns; x += GROUPS * Row::THREADS) atomicAdd((float *) columns_of(measured) + x, sums[x]);
	for (int o = 16; o > 0; o /= 2) peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, o));
	if (threadIdx.x % 32 == 0) atomicMax((u32 *) measured, __float_as_uint(peak));
	__syncthreads();
}

// The spectra of the rows of a box, to[row][frequency]. pitch: of a row of spectra. measured: see fourier.cu. MEASURE: pixels, about
// their reference. Else a template: its reference is 0.
template<bool MEASURE, class P> __device__ void rows_forward(const P *__restrict__ image, const Box &b, const Extents f, const int pitch, const Complex<REAL> *roots, Complex<REAL> *__restrict__ to,
	float *measured, Known *known)
{
	__shared__ double middle;
	const int group = threadIdx.x / Row::THREADS, thread = threadIdx.x % Row::THREADS, columns = b.lagsX + b.width - 1;
	Row row = { (Row::V *) memory + group * Row::PLACES, roots, thread };
	if (!MEASURE) {
		if (threadIdx.x == 0) middle = 0;
	}
	else if (threadIdx.x < 32) {
		const double m = median(image, b, 0, columns, 0, b.rows, 0, 1);
		if (threadIdx.x == 0) {
			middle = m;
			if (blockIdx.x == 0) known->reference = m;
		}
	}
	__syncthreads();
	const double reference = middle;
	if constexpr (MEASURE) measure_columns(image, b, reference, (float *) memory, measured);
	for (int y0 = blockIdx.x * ROWS_OF_BLOCK; y0 < b.rows; y0 += gridDim.x * ROWS_OF_BLOCK) {
		const int y = y0 + group * ROWS_OF_GROUP;
		Two<P> pixels[ROWS_OF_GROUP][Row::FIRST];
		// all loads start before the first conversion
		#pragma unroll
		for (int l = 0; l < ROWS_OF_GROUP; l++)
			#pragma unroll
			for (int j = 0; j < Row::FIRST; j++) {
				const int x = 2 * (thread + j * Row::APART);
				if (y + l < b.rows && x < columns) pixels[l][j] = *(const Two<P> *) (image + (size_t) (y + l) * b.pitch + x);
			}
		float all[ROWS_OF_GROUP];
		row.forward_first([&](Row::V (&v)[Row::FIRST], const int n, const int) {
			#pragma unroll
			for (int l = 0; l < ROWS_OF_GROUP; l++) {
				all[l] = 0;
				#pragma unroll
				for (int j = 0; j < Row::FIRST; j++) {
					const int x = 2 * (n + j * Row::APART);
					const bool inside = y + l < b.rows && x < columns;
					Complex<REAL> c;
					c.x = inside ? deviation<REAL>(pixels[l][j].a, reference) : (REAL) 0;
					c.y = inside && x + 1 < columns ? deviation<REAL>(pixels[l][j].b, reference) : (REAL) 0;
					v[j].v[l] = c;
					all[l] += (float) c.x * (float) c.x + (float) c.y * (float) c.y;
				}
			}
		});
		#pragma unroll
		for (int l = 0; l < ROWS_OF_GROUP && MEASURE; l++) {
			const float sum = row_sum(all[l]);
			if (thread % 32 == 0 && y + l < b.rows) atomicAdd((float *) rows_of(measured, f) + y + l, sum);
		}
		__syncthreads();
		if constexpr (Row::MIDDLE > 1) {
			row.middle<true>();
			__syncthreads();
		}
		row.last<true, false>([](Row::V (&)[Row::LAST], const int, const int) {});
		__syncthreads();
		// frequencies k and HALF - k from the sums and differences of even and odd pixels
		for (int k = thread; k <= HALF / 2; k += Row::THREADS) {
			const Row::V a = row.at[Row::of_frequency(k)], c = row.at[Row::of_frequency(k == 0 ? 0 : HALF - k)];
			const Complex<REAL> w = roots[HALF + (Row::MIDDLE > 1 ? Row::APART : 0) + k];
			#pragma unroll
			for (int l = 0; l < ROWS_OF_GROUP; l++) {
				if (y + l >= b.rows) break;
				Complex<REAL> even = a.v[l] + conj(c.v[l]), odd = a.v[l] - conj(c.v[l]);
				odd = turned<true, 1, 4>(odd) * w;
				Complex<REAL> *const line = to + (size_t) (y + l) * pitch;
				line[k] = { (REAL) 0.5 * (even.x + odd.x), (REAL) 0.5 * (even.y + odd.y) };
				line[HALF - k] = { (REAL) 0.5 * (even.x - odd.x), (REAL) 0.5 * (odd.y - even.y) };
			}
		}
		__syncthreads();
	}
}

#define FORWARD(NAME, P, MEASURE) extern "C" __global__ void __launch_bounds__(GROUPS * Row::THREADS, 2) NAME(const P *image, const Box b, const Extents f, const int pitch, \
	const Complex<REAL> *roots, Complex<REAL> *to, float *measured, Known *known) { rows_forward<MEASURE>(image, b, f, pitch, roots, to, measured, known); }
FORWARD(rows_of_pixels, PIXEL, true)
FORWARD(rows_of_model, REAL, false)

// What the transforms take for a pixel, in double. Integers are exact.
__device__ inline double taken(const int about, const PIXEL, const double) { return as_double(about); }
__device__ inline double taken(const double, const PIXEL pixel, const double reference) { return deviation<REAL>(pixel, reference); }

// As probe, for some probes at once, so that each coefficient is converted once. Grid: probes over PROBES_AT_ONCE, parts of COEFFICIENTS_AT_ONCE coefficients.
extern "C" __global__ void __launch_bounds__(256) probe_plane(const PIXEL *__restrict__ image, const Box b, const REAL *__restrict__ coefficients, const Known *known, const int probes,
	double *sums)
{
	const int p0 = blockIdx.x * PROBES_AT_ONCE, all = b.width * b.height, from = blockIdx.y * COEFFICIENTS_AT_ONCE + threadIdx.x;
	const int until = min(all, (int) (blockIdx.y + 1) * COEFFICIENTS_AT_ONCE), down = 256 / b.width, across = 256 % b.width;
	const double reference = known->reference;
	const PIXEL *at[PROBES_AT_ONCE];
	double sum[PROBES_AT_ONCE];
	#pragma unroll
	for (int p = 0; p < PROBES_AT_ONCE; p++) {
		int x, y, z;
		lag_of_probe(b, min(p0 + p, probes - 1), probes, x, y, z);
		at[p] = image + (size_t) y * b.pitch + x;
		sum[p] = 0;
	}
	int x = from % b.width, y = from / b.width;
	#pragma unroll 4
	for (int i = from; i < until; i += 256) {
		const double c = coefficients[i];
		#pragma unroll
		for (int p = 0; p < PROBES_AT_ONCE; p++) {
			const PIXEL v = at[p][y * b.pitch + x];
			sum[p] += c * taken(about(v, reference), v, reference);
		}
		x += across;
		y += down;
		if (x >= b.width) {
			x -= b.width;
			y++;
		}
	}
	#pragma unroll
	for (int p = 0; p < PROBES_AT_ONCE; p++) {
		const double mine = warp_sum(sum[p]);
		if (threadIdx.x % 32 == 0 && p0 + p < probes) atomicAdd(sums + p0 + p, mine);
	}
}

// Adds the energies of columns, of all groups of the block. shared: room for LENGTH numbers of each group.
__device__ inline void add_columns(const float (&e)[Row::FIRST][2], float *shared, const int group, const int thread, float *to) {
	#pragma unroll
	for (int j = 0; j < Row::FIRST; j++) {
		float2 pair;
		pair.x = e[j][0];
		pair.y = e[j][1];
		*(float2 *) (shared + group * LENGTH + 2 * (thread + j * Row::APART)) = pair;
	}
	__syncthreads();
	for (int x = threadIdx.x; x < LENGTH; x += GROUPS * Row::THREADS) {
		float sum = 0;
		#pragma unroll
		for (int g = 0; g < GROUPS; g++) sum += shared[g * LENGTH + x];
		atomicAdd(to + x, sum);
	}
}

// The rows from their spectra, to[row][column], f.x numbers a row. Only the first rows are stored, stored of them. measured: see fourier.cu.
extern "C" __global__ void __launch_bounds__(GROUPS * Row::THREADS, 2) rows_back(const Complex<REAL> *__restrict__ from, const Extents f, const int pitch,
	const int stored, const Complex<REAL> *roots, REAL *__restrict__ to, float *measured)
{
	const int group = threadIdx.x / Row::THREADS, thread = threadIdx.x % Row::THREADS;
	Row row = { (Row::V *) memory + group * Row::PLACES, roots, thread };
	float e[Row::FIRST][2];
	#pragma unroll
	for (int j = 0; j < Row::FIRST; j++) e[j][0] = e[j][1] = 0;
	for (int y0 = blockIdx.x * ROWS_OF_BLOCK; y0 < f.y; y0 += gridDim.x * ROWS_OF_BLOCK) {
		const int y = y0 + group * ROWS_OF_GROUP;
		#pragma unroll 3
		for (int k = thread; k <= HALF / 2; k += Row::THREADS) {
			const Complex<REAL> w = conj(roots[HALF + (Row::MIDDLE > 1 ? Row::APART : 0) + k]);
			Row::V a, c;
			#pragma unroll
			for (int l = 0; l < ROWS_OF_GROUP; l++) {
				Complex<REAL> p = { 0, 0 }, q = { 0, 0 };
				if (y + l < f.y) {
					const Complex<REAL> *const line = from + (size_t) (y + l) * pitch;
					p = line[k];
					q = conj(line[HALF - k]);
				}
				if (k == 0) p.y = q.y = 0;
				const Complex<REAL> even = p + q, odd = turned<false, 1, 4>((p - q) * w);
				a.v[l] = even + odd;
				c.v[l] = conj(even - odd);
			}
			row.at[Row::of_frequency(k)] = a;
			if (k > 0 && k < HALF - k) row.at[Row::of_frequency(HALF - k)] = c;
		}
		__syncthreads();
		row.last<false, true>([](Row::V (&)[Row::LAST], const int, const int) {});
		__syncthreads();
		if constexpr (Row::MIDDLE > 1) {
			row.middle<false>();
			__syncthreads();
		}
		float strips[32];
		#pragma unroll
		for (int j = 0; j < 32; j++) strips[j] = 0;
		row.inverse_first([&](Row::V (&v)[Row::FIRST], const int n, const int) {
			#pragma unroll
			for (int l = 0; l < ROWS_OF_GROUP; l++) {
				if (y + l >= f.y) break;
				Complex<REAL> *const line = (Complex<REAL> *) (to + (size_t) (y + l) * f.x) + n;
				#pragma unroll
				for (int j = 0; j < Row::FIRST; j++) {
					const Complex<REAL> c = v[j].v[l];
					if (y + l < stored) line[j * Row::APART] = c;
					const float left = (float) c.x * (float) c.x, right = (float) c.y * (float) c.y;
					e[j][0] += left;
					e[j][1] += right;
					strips[16 * l + j] = left + right;
				}
			}
		});
		// lane 16·l + j: the sum of 64 adjacent numbers, for all threads of a warp
		float sum = 0, greatest = 0;
		const int lane = threadIdx.x & 31;
		if constexpr (Row::THREADS >= 32) {
			sum = greatest = sums_of_32(strips);
			for (int o = 8; o > 0; o /= 2) {
				sum += __shfl_xor_sync(~0u, sum, o);
				greatest = fmaxf(greatest, __shfl_xor_sync(~0u, greatest, o));
			}
			const int l = lane / 16;
			if (lane % 16 == 0 && l < ROWS_OF_GROUP && y + l < f.y) {
				atomicAdd((float *) rows_of(measured, f) + y + l, sum);
				atomicMax((u32 *) strips_of(measured, f) + y + l, __float_as_uint(greatest));
			}
		}
		else
			#pragma unroll
			for (int l = 0; l < ROWS_OF_GROUP; l++) {
				float all = 0;
				#pragma unroll
				for (int j = 0; j < 16; j++) all += strips[16 * l + j];
				all = row_sum(all);
				if (thread == 0 && y + l < f.y) *((float *) rows_of(measured, f) + y + l) = *((float *) strips_of(measured, f) + y + l) = all;
			}
		__syncthreads();
	}
	add_columns(e, (float *) memory, group, thread, (float *) columns_of(measured));
}
#endif

#ifdef COLUMNS
constexpr int L = sizeof(REAL) == 4 ? 2 : 1, C = L * WAYS;
typedef LineBlock<REAL, L, LENGTH, WAYS> Column;

__device__ inline double block_sum(double v, double *shared) {
	for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
	__syncthreads();
	if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
	__syncthreads();
	v = 0;
	if (threadIdx.x == 0)
		for (int w = 0; w < (Column::THREADS + 31) / 32; w++) v += shared[w];
	return v;
}

// Columns of the spectra of rows: transforms them, multiplies them by the conjugate spectrum of the template, and transforms the products back. from and to may be the same. spectrum:
// in the order in which the threads need it. lines: the energies of its lines, Σ over x for each place of a column, then Σ over y for each column. rows: the rows that are not 0.
// MODEL: the first part alone; writes spectrum, scaled, and lines, which are initially 0.
template<bool MODEL> __device__ void columns(const Complex<REAL> *data, Complex<REAL> *result, const int rows, const Extents f, const int pitch, const Complex<REAL> *roots,
	Column::V *__restrict__ spectrum, float *__restrict__ lines, const double scale, Known *known)
{
	__shared__ double sums[32];
	const int x0 = blockIdx.x * C, half = f.x / 2;
	Column column = { (Column::V *) memory, roots, (int) threadIdx.x };
	column.forward_first([&](Column::V (&v)[Column::FIRST], const int n, const int way) {
		const Complex<REAL> *const from = data + (size_t) n * pitch + x0 + L * way;
		#pragma unroll
		for (int j = 0; j < Column::FIRST; j++) {
			v[j] = { };
			if (n + j * Column::APART < rows) v[j] = *(const Column::V *) (from + (size_t) j * Column::APART * pitch);
			#pragma unroll
			for (int l = 0; l < L; l++)
				if (x0 + L * way + l > half) v[j].v[l] = { 0, 0 };
		}
	});
	__syncthreads();
	if constexpr (Column::MIDDLE > 1) {
		column.middle<true>();
		__syncthreads();
	}
	constexpr int ITEMS = LENGTH / Column::LAST * WAYS;
	Column::V *const mine = spectrum + (size_t) blockIdx.x * LENGTH * WAYS;
	double alongX = 0, alongY = 0, energy = 0, back = 0;
	column.last<true, !MODEL>([&](Column::V (&v)[Column::LAST], const int g, const int way) {
		Column::V model[Column::LAST];
		if (!MODEL)
			#pragma unroll
			for (int k = 0; k < Column::LAST; k++) model[k] = mine[k * ITEMS + g * WAYS + way];
		float ofColumn[L], product = 0, image = 0;
		#pragma unroll
		for (int l = 0; l < L; l++) ofColumn[l] = 0;
		#pragma unroll
		for (int k = 0; k < Column::LAST; k++) {
			float ofRow = 0;
			#pragma unroll
			for (int l = 0; l < L; l++) {
				const int x = x0 + L * way + l;
				const float times = x > 0 && x < half ? 2 : 1;
				const Complex<REAL> a = v[k].v[l];
				const float e = times * ((float) a.x * (float) a.x + (float) a.y * (float) a.y);
				ofRow += e;
				ofColumn[l] += e;
				if (MODEL) model[k].v[l] = { (REAL) scale * a.x, (REAL) scale * a.y };
				else {
					const Complex<REAL> t = model[k].v[l];
					const Complex<REAL> r = v[k].v[l] = a * conj(t);
					product += times * ((float) r.x * (float) r.x + (float) r.y * (float) r.y);
				}
			}
			image += ofRow;
			if (MODEL) atomicAdd(lines + g * Column::LAST + k, (float) (scale * scale) * ofRow);
			else alongX += (double) ofRow * __ldg(lines + g * Column::LAST + k);
		}
		#pragma unroll
		for (int l = 0; l < L; l++) {
			const int x = x0 + L * way + l;
			if (x > half) continue;
			if (MODEL) atomicAdd(lines + LENGTH + x, (float) (scale * scale) * ofColumn[l]);
			else alongY += (double) ofColumn[l] * __ldg(lines + LENGTH + x);
		}
		energy += image;
		back += product;
		if (MODEL)
			#pragma unroll
			for (int k = 0; k < Column::LAST; k++) mine[k * ITEMS + g * WAYS + way] = model[k];
	});
	if (MODEL) return;
	__syncthreads();
	if constexpr (Column::MIDDLE > 1) {
		column.middle<false>();
		__syncthreads();
	}
	column.inverse_first([&](Column::V (&v)[Column::FIRST], const int n, const int way) {
		Complex<REAL> *const to = result + (size_t) n * pitch + x0 + L * way;
		#pragma unroll
		for (int j = 0; j < Column::FIRST; j++) *(Column::V *) (to + (size_t) j * Column::APART * pitch) = v[j];
	});
	// Parseval: the energy of the result
	alongX = block_sum(alongX, sums);
	alongY = block_sum(alongY, sums);
	energy = block_sum(energy, sums);
	back = block_sum(back, sums);
	if (threadIdx.x > 0) return;
	atomicAdd(&known->products[0], alongX);
	atomicAdd(&known->products[1], alongY);
	atomicAdd(&known->energy, energy);
	atomicAdd(&known->planes[0], (float) (back * f.x * f.y));
}

extern "C" __global__ void __launch_bounds__(256) noise_of_passes(const Extents f, const float *pixels, const REAL *products, const Box b, const double *sums, const int probes,
	Known *known)
{
	greatest_lines(f, pixels, known);
	if (blockIdx.x == 0 && threadIdx.x == 0) known->back = known->planes[0];
	if (blockIdx.x == gridDim.x - 1) error_at_probes(f, products, b, sums, probes, known);
}

#define OF_COLUMNS extern "C" __global__ void __launch_bounds__(Column::THREADS, Column::THREADS < 512 ? 512 / Column::THREADS : 1)
OF_COLUMNS columns_model(const Complex<REAL> *data, const int rows, const Extents f, const int pitch, const Complex<REAL> *roots, Column::V *spectrum, float *lines, const double scale)
	{ columns<true>(data, 0, rows, f, pitch, roots, spectrum, lines, scale, 0); }
// image: what is known of the pixels, with their reference.
OF_COLUMNS columns_product(const Complex<REAL> *data, Complex<REAL> *result, const int rows, const Extents f, const int pitch, const Complex<REAL> *roots, Column::V *spectrum,
	float *lines, const Known *image, Known *known)
{
	if (blockIdx.x == 0 && threadIdx.x == 0) known->reference = image->reference;
	columns<false>(data, result, rows, f, pitch, roots, spectrum, lines, 1, known);
}
#endif
