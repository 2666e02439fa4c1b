// Transforms of planes in three passes, for cuda-fourier: rows forward straight from the pixels; columns forward, the product, and columns
// back; rows back. Volumes have five passes: rows and columns forward; lines along z forward, the product, and back; columns and rows
// back. Each pass keeps its lines in shared memory, see lines.cuh. Lines of zeros are neither computed nor read. The energies for the
// error estimate are computed on the way. Compiled for one length, by -DROWS with the type of pixels, or -DCOLUMNS with the number of
// columns of a block over those of a thread, WAYS, and with -DVOLUMES=true or false.
#include "fourier.cuh"
#include "lines.cuh"
#include "packs.cuh"
#include "pixels.cuh"

extern __shared__ __align__(16) unsigned char memory[];

#ifdef ROWS
// Of rows: the columns of a plane. Numbers of a row are pairs of real numbers.
#define HALF (LENGTH / 2)
// the rows that a group of threads has at a time, the groups of a block, and its rows
constexpr int ROWS_OF_GROUP = LINES;
typedef LineBlock<REAL, ROWS_OF_GROUP, HALF, 1> Row;
constexpr int GROUPS = Row::THREADS >= 256 ? 1 : 256 / Row::THREADS, ROWS_OF_BLOCK = GROUPS * ROWS_OF_GROUP;

// Waits for the threads of a row. Those of other rows of the block may be ahead or behind, so that some read while others compute.
__device__ inline void wait_for_row() {
	if constexpr (GROUPS == 1) __syncthreads();
	else if constexpr (Row::THREADS <= 32) __syncwarp();
	else asm volatile("bar.sync %0, %1;" :: "r"(threadIdx.x / Row::THREADS + 1), "n"(Row::THREADS) : "memory");
}

// Of probe_some.
#define PROBES_AT_ONCE 4
#define COEFFICIENTS_AT_ONCE 2048

template<class P> struct __align__(2 * sizeof(P)) Two { P a, b; };

// Adds up over the threads of a row that are in one warp, THREADS of them or all 32.
__device__ inline float row_sum(float v) {
	#pragma unroll
	for (int o = (Row::THREADS < 32 ? Row::THREADS : 32) / 2; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
	return v;
}

// The energies of the columns of pixels in the rows of this block, and the greatest pixel. image: of the plane. sums: room for LENGTH
// numbers of each part of the threads. A thread has four adjacent columns.
template<class P> __device__ inline void measure_columns(const P *__restrict__ image, const Box &b, const double reference, float *sums,
	float *measured)
{
	// each part of the threads has other rows
	constexpr int ALL = GROUPS * Row::THREADS, PARTS = ALL * 4 > LENGTH ? ALL * 4 / LENGTH : 1, EACH = ALL / PARTS;
	const int columns = b.lagsX + b.width - 1, part = threadIdx.x / EACH;
	float peak = 0;
	for (int x = 4 * (threadIdx.x % EACH); x < columns; x += 4 * EACH) {
		float sum[4] = { 0, 0, 0, 0 };
		for (int y0 = blockIdx.x * ROWS_OF_BLOCK; y0 < b.rows; y0 += gridDim.x * ROWS_OF_BLOCK)
			#pragma unroll 8
			for (int y = y0 + part; y < min(b.rows, y0 + ROWS_OF_BLOCK); y += PARTS) {
				const Pack<P, 4> pack = *(const Pack<P, 4> *) (image + (size_t) y * b.pitch + x);
				#pragma unroll
				for (int i = 0; i < 4; i++) {
					const float v = x + i < columns ? fabsf((float) deviation<REAL>(pack.v[i], reference)) : 0;
					sum[i] += v * v;
					peak = fmaxf(peak, v);
				}
			}
		*(float4 *) (sums + part * LENGTH + x) = make_float4(sum[0], sum[1], sum[2], sum[3]);
	}
	__syncthreads();
	for (int x = threadIdx.x; x < columns; x += ALL) {
		float sum = 0;
		#pragma unroll
		for (int p = 0; p < PARTS; p++) sum += sums[p * LENGTH + x];
		atomicAdd((float *) columns_of(measured) + blockIdx.y * LENGTH + x, sum);
	}
	for (int o = 16; o > 0; o /= 2) peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, o));
	if (threadIdx.x % 32 == 0) atomicMax((u32 *) measured, __float_as_uint(peak));
	__syncthreads();
}

// The spectra of the rows of a box, to[plane][row][frequency]. pitch: of a row of spectra. measured: see fourier.cu. MEASURE: pixels, about
// their reference. Else a template: its reference is 0. Grid: rows, planes.
template<bool MEASURE, class P> __device__ void rows_forward(const P *__restrict__ all, const Box &b, const Extents f, const int pitch,
	const Complex<REAL> *roots, Complex<REAL> *__restrict__ spectra, float *measured, Known *known)
{
	__shared__ double middle;
	const int z = blockIdx.y;
	const P *const image = all + (size_t) z * b.rows * b.pitch;
	Complex<REAL> *const to = spectra + (size_t) z * f.y * pitch;
	const int group = threadIdx.x / Row::THREADS, thread = threadIdx.x % Row::THREADS, columns = b.lagsX + b.width - 1;
	Row row = { (Row::V *) memory + group * Row::PLACES, roots, thread };
	if (!MEASURE) {
		if (threadIdx.x == 0) middle = 0;
	}
	else if (threadIdx.x < 32) {
		const double m = median(all, b, 0, columns, 0, b.rows, 0, b.planes);
		if (threadIdx.x == 0) {
			middle = m;
			if (blockIdx.x == 0 && z == 0) known->reference = m;
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
		float energies[ROWS_OF_GROUP];
		row.forward_first([&](Row::V (&v)[Row::FIRST], const int n, const int) {
			#pragma unroll
			for (int l = 0; l < ROWS_OF_GROUP; l++) {
				energies[l] = 0;
				#pragma unroll
				for (int j = 0; j < Row::FIRST; j++) {
					const int x = 2 * (n + j * Row::APART);
					const bool inside = y + l < b.rows && x < columns;
					Complex<REAL> c;
					c.x = inside ? deviation<REAL>(pixels[l][j].a, reference) : (REAL) 0;
					c.y = inside && x + 1 < columns ? deviation<REAL>(pixels[l][j].b, reference) : (REAL) 0;
					v[j].v[l] = c;
					energies[l] += (float) c.x * (float) c.x + (float) c.y * (float) c.y;
				}
			}
		});
		#pragma unroll
		for (int l = 0; l < ROWS_OF_GROUP && MEASURE; l++) {
			const float sum = row_sum(energies[l]);
			if (thread % 32 == 0 && y + l < b.rows) atomicAdd((float *) rows_of(measured, f) + z * f.y + y + l, sum);
		}
		wait_for_row();
		if constexpr (Row::MIDDLE > 1) {
			row.middle<true>();
			wait_for_row();
		}
		row.last<true, false>([](Row::V (&)[Row::LAST], const int, const int) {});
		wait_for_row();
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
		wait_for_row();
	}
}

#define FORWARD(NAME, P, MEASURE) extern "C" __global__ void __launch_bounds__(GROUPS * Row::THREADS, BLOCKS) NAME(const P *image, \
	const Box b, const Extents f, const int pitch, \
	const Complex<REAL> *roots, Complex<REAL> *to, float *measured, Known *known) { rows_forward<MEASURE>(image, b, f, pitch, roots, to, \
		measured, known); }
FORWARD(rows_of_pixels, PIXEL, true)
FORWARD(rows_of_model, REAL, false)

// What the transforms take for a pixel, in double. Integers are exact.
template<class P> __device__ inline double taken(const P pixel, const double reference) { return deviation<REAL>(pixel, reference); }
template<> __device__ inline double taken(const s8 pixel, const double reference) { return as_double(about(pixel, reference)); }
template<> __device__ inline double taken(const short pixel, const double reference) { return as_double(about(pixel, reference)); }
template<> __device__ inline double taken(const float pixel, const double reference) {
	// the reference is a pixel; conversions are slow
	return sizeof(REAL) == 4 ? deviation<float>(pixel - (float) reference) : deviation<REAL>(pixel, reference);
}

// As probe, for some probes and T templates at once, so that each coefficient and each pixel is converted once. Grid: probes over
// PROBES_AT_ONCE, parts of COEFFICIENTS_AT_ONCE coefficients, templates over T.
template<int T> __device__ void probe_templates(const PIXEL *__restrict__ image, const Box &b, const Each<const REAL *> &ofEach,
	const int templates, const Known *known, const int probes, double *sums, const s64 stride)
{
	const REAL *coefficients[T];
	#pragma unroll
	for (int t = 0; t < T; t++) coefficients[t] = ofEach.of[min((int) blockIdx.z * T + t, templates - 1)];
	const int p0 = blockIdx.x * PROBES_AT_ONCE, all = b.width * b.height * b.depth, from = blockIdx.y * COEFFICIENTS_AT_ONCE + threadIdx.x;
	const int until = min(all, (int) (blockIdx.y + 1) * COEFFICIENTS_AT_ONCE), across = 256 % b.width, down = 256 / b.width % b.height,
		deep = 256 / b.width / b.height;
	const double reference = known->reference;
	const PIXEL *at[PROBES_AT_ONCE];
	double sum[PROBES_AT_ONCE][T];
	#pragma unroll
	for (int p = 0; p < PROBES_AT_ONCE; p++) {
		int x, y, z;
		lag_of_probe(b, min(p0 + p, probes - 1), probes, x, y, z);
		at[p] = image + ((size_t) z * b.rows + y) * b.pitch + x;
		#pragma unroll
		for (int t = 0; t < T; t++) sum[p][t] = 0;
	}
	int x = from % b.width, y = from / b.width % b.height, z = from / b.width / b.height;
	#pragma unroll 4
	for (int i = from; i < until; i += 256) {
		double c[T];
		#pragma unroll
		for (int t = 0; t < T; t++) c[t] = __ldg(coefficients[t] + i);
		#pragma unroll
		for (int p = 0; p < PROBES_AT_ONCE; p++) {
			const PIXEL v = at[p][((size_t) z * b.rows + y) * b.pitch + x];
			const double pixel = taken(v, reference);
			#pragma unroll
			for (int t = 0; t < T; t++) sum[p][t] += c[t] * pixel;
		}
		x += across;
		y += down;
		z += deep;
		if (x >= b.width) {
			x -= b.width;
			y++;
		}
		if (y >= b.height) {
			y -= b.height;
			z++;
		}
	}
	#pragma unroll
	for (int t = 0; t < T; t++)
		#pragma unroll
		for (int p = 0; p < PROBES_AT_ONCE; p++) {
			const double mine = warp_sum(sum[p][t]);
			if (threadIdx.x % 32 == 0 && p0 + p < probes && (int) blockIdx.z * T + t < templates)
				atomicAdd(of_template(sums, blockIdx.z * T + t, stride) + p0 + p, mine);
		}
}

#define PROBE(NAME, T) extern "C" __global__ void __launch_bounds__(256) NAME(const PIXEL *image, const Box b, \
	const __grid_constant__ Each<const REAL *> coefficients, \
	const int templates, const Known *known, const int probes, double *sums, const s64 stride) \
	{ probe_templates<T>(image, b, coefficients, templates, known, probes, sums, stride); }
PROBE(probe_some, 1)
PROBE(probe_bank, 4)

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

// The rows from their spectra. store(c, x, y, z): takes numbers x and x + 1 of a row. LATER: only when all are known, so that it may need
// more registers. measured: see fourier.cu. This is one of several blocks for a plane. Grid: blocks, planes.
template<bool LATER, class Store> __device__ __forceinline__ void rows_from(const Complex<REAL> *spectra, const Extents f, const int pitch,
	const Complex<REAL> *roots, const int block, const int blocks, float *measured, const Store &store)
{
	const int z = blockIdx.y;
	const Complex<REAL> *const from = spectra + (size_t) z * f.y * pitch;
	float *const ofRows = (float *) rows_of(measured, f) + z * f.y, *const ofStrips = (float *) strips_of(measured, f) + z * f.y;
	const int group = threadIdx.x / Row::THREADS, thread = threadIdx.x % Row::THREADS;
	Row row = { (Row::V *) memory + group * Row::PLACES, roots, thread };
	float e[Row::FIRST][2];
	#pragma unroll
	for (int j = 0; j < Row::FIRST; j++) e[j][0] = e[j][1] = 0;
	for (int y0 = block * ROWS_OF_BLOCK; y0 < f.y; y0 += blocks * ROWS_OF_BLOCK) {
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
		wait_for_row();
		row.last<false, true>([](Row::V (&)[Row::LAST], const int, const int) {});
		wait_for_row();
		if constexpr (Row::MIDDLE > 1) {
			row.middle<false>();
			wait_for_row();
		}
		float strips[32];
		#pragma unroll
		for (int j = 0; j < 32; j++) strips[j] = 0;
		row.inverse_first([&](Row::V (&v)[Row::FIRST], const int n, const int) {
			#pragma unroll
			for (int l = 0; l < ROWS_OF_GROUP; l++) {
				if (y + l >= f.y) break;
				#pragma unroll
				for (int j = 0; j < Row::FIRST; j++) {
					const Complex<REAL> c = v[j].v[l];
					if (!LATER) store(c, 2 * (n + j * Row::APART), y + l, z);
					const float left = (float) c.x * (float) c.x, right = (float) c.y * (float) c.y;
					e[j][0] += left;
					e[j][1] += right;
					strips[16 * l + j] = left + right;
				}
			}
			if (LATER)
				#pragma unroll
				for (int j = 0; j < Row::FIRST; j++) row.at[Row::place(n + j * Row::APART)] = v[j];
		});
		if (LATER) {
			wait_for_row();
			#pragma unroll 2
			for (int i = thread; i < HALF; i += Row::THREADS) {
				const Row::V v = row.at[Row::place(i)];
				#pragma unroll
				for (int l = 0; l < ROWS_OF_GROUP; l++)
					if (y + l < f.y) store(v.v[l], 2 * i, y + l, z);
			}
		}
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
				atomicAdd(ofRows + y + l, sum);
				atomicMax((u32 *) ofStrips + y + l, __float_as_uint(greatest));
			}
		}
		else
			#pragma unroll
			for (int l = 0; l < ROWS_OF_GROUP; l++) {
				float all = 0;
				#pragma unroll
				for (int j = 0; j < 16; j++) all += strips[16 * l + j];
				all = row_sum(all);
				if (thread == 0 && y + l < f.y) ofRows[y + l] = ofStrips[y + l] = all;
			}
		wait_for_row();
	}
	__syncthreads();
	add_columns(e, (float *) memory, group, thread, (float *) columns_of(measured) + z * LENGTH);
}

// Products: to[plane][row][column], f.x numbers a row. Only the first rows of a plane are stored, stored of them.
extern "C" __global__ void __launch_bounds__(GROUPS * Row::THREADS, BLOCKS) rows_back(const Complex<REAL> *spectra, const Extents f,
	const int pitch, const int stored, const Complex<REAL> *roots, REAL *__restrict__ to, float *measured)
{
	rows_from<false>(spectra, f, pitch, roots, blockIdx.x, gridDim.x, measured, [&](const Complex<REAL> c, const int x, const int y,
		const int z) {
		if (y < stored) *(Complex<REAL> *) (to + ((size_t) z * f.y + y) * f.x + x) = c;
	});
}

// Responses from the moments of the windows: see fourier.cu. The products of rows with probes replace their spectra. unlike: receives 1 for
// each row of lags with a response that cannot be right; that response is NaN. Adjacent blocks have the same rows of all templates, which
// share the moments. Grid: blocks times templates, planes.
extern "C" __global__ void __launch_bounds__(GROUPS * Row::THREADS, BLOCKS) rows_respond(Complex<REAL> *ofAll, const s64 strideOfSpectra,
	const int templates,
	const Extents f, const int pitch, const Box b, const Complex<REAL> *roots, float *measured, u32 *unlikeOfAll, const s64 stride,
	const float4 *__restrict__ moments, const int pitchOfMoments, const u32 *__restrict__ probed,
		const __grid_constant__ Each<Trust> trusts, const Outcome out)
{
	const int t = blockIdx.x % templates;
	Complex<REAL> *const spectra = of_template(ofAll, t, strideOfSpectra);
	u32 *const unlike = of_template(unlikeOfAll, t, stride);
	const float mean = (float) (trusts.of[t].n * trusts.of[t].mean), inverseNorm = (float) trusts.of[t].inverseNorm;
	float *const maps = out.map + (size_t) t * b.lagsX * b.lagsY * b.lagsZ;
	u32 missing = 0;
	rows_from<true>(spectra, f, pitch, roots, blockIdx.x / templates, gridDim.x / templates, of_template(measured, t, stride),
		[&](const Complex<REAL> c, const int x, const int y, const int z) {
		if (y >= b.lagsY || x >= b.lagsX) return;
		const int row = z * b.lagsY + y;
		const float4 m = __ldg(moments + ((size_t) row * pitchOfMoments + x) / 2);
		float *const map = maps + (size_t) row * b.lagsX + x;
		const bool second = x + 1 < b.lagsX;
		bool fine = true;
		const auto response = [&](const float product, const float offset, const float variance) {
			const float r = (product - offset * mean) * rsqrtf(variance) * inverseNorm;
			if (variance < 0) {
				missing++;
				return out.undefined;
			}
			const bool likely = fabsf(r) < 2;
			fine &= likely;
			return likely ? fminf(1, fmaxf(-1, r)) : __int_as_float(0x7fc00000);
		};
		float2 r;
		r.x = response((float) c.x, m.x, m.y);
		if (second) r.y = response((float) c.y, m.z, m.w);
		if (second && ((size_t) map & 7) == 0) *(float2 *) map = r;
		else {
			map[0] = r.x;
			if (second) map[1] = r.y;
		}
		if (!fine) unlike[row] = 1;
		if (probed[row] != 0) spectra[((size_t) z * f.y + y) * pitch + x / 2] = c;
	});
	if (missing > 0) atomicAdd(out.counts, missing);
}

#if LINES == 1
// Of each lag the greatest product of all members so far, the second greatest, and the member of the greatest. Rows have an even distance.
struct Best { float *first, *second; u32 *member; int pitch; };

// Adds the products of some members, TOGETHER at most, of which the first one has the number from. They are never stored: a thread keeps
// what it needs of its lags. Grid: blocks of rows of lags, planes of lags.
extern "C" __global__ void __launch_bounds__(GROUPS * Row::THREADS, 512 / (GROUPS * Row::THREADS) + (GROUPS * Row::THREADS > 512)) rows_best(
	const Complex<REAL> *ofAll, const s64 stride, const int members, const int from, const Extents f, const int pitch, const Box b,
	const Complex<REAL> *roots, const Best best)
{
	const int z = blockIdx.y, group = threadIdx.x / Row::THREADS, thread = threadIdx.x % Row::THREADS, y = blockIdx.x * GROUPS + group;
	const bool inside = y < b.lagsY;
	Row row = { (Row::V *) memory + group * Row::PLACES, roots, thread };
	float first[2 * Row::FIRST], second[2 * Row::FIRST];
	// the member of each lag, in four bits
	u32 whose[(2 * Row::FIRST + 7) / 8];
	#pragma unroll
	for (int i = 0; i < 2 * Row::FIRST; i++) {
		first[i] = second[i] = __int_as_float(0xff800000);
		if (i % 8 == 0) whose[i / 8] = 0;
	}
	#pragma unroll 1
	for (int m = 0; m < members; m++) {
		const Complex<REAL> *const line = of_template(ofAll, m, stride) + ((size_t) z * f.y + y) * pitch;
		#pragma unroll 3
		for (int k = thread; k <= HALF / 2; k += Row::THREADS) {
			const Complex<REAL> w = conj(roots[HALF + (Row::MIDDLE > 1 ? Row::APART : 0) + k]);
			Complex<REAL> p = { 0, 0 }, q = { 0, 0 };
			if (inside) {
				p = line[k];
				q = conj(line[HALF - k]);
			}
			if (k == 0) p.y = q.y = 0;
			const Complex<REAL> even = p + q, odd = turned<false, 1, 4>((p - q) * w);
			Row::V a, c;
			a.v[0] = even + odd;
			c.v[0] = conj(even - odd);
			row.at[Row::of_frequency(k)] = a;
			if (k > 0 && k < HALF - k) row.at[Row::of_frequency(HALF - k)] = c;
		}
		wait_for_row();
		row.last<false, true>([](Row::V (&)[Row::LAST], const int, const int) {});
		wait_for_row();
		if constexpr (Row::MIDDLE > 1) {
			row.middle<false>();
			wait_for_row();
		}
		row.inverse_first([&](Row::V (&v)[Row::FIRST], const int, const int) {
			#pragma unroll
			for (int i = 0; i < 2 * Row::FIRST; i++) {
				const float product = (float) (i % 2 == 0 ? v[i / 2].v[0].x : v[i / 2].v[0].y);
				second[i] = fmaxf(second[i], fminf(first[i], product));
				if (product > first[i]) whose[i / 8] = (whose[i / 8] & ~(15u << i % 8 * 4)) | (u32) m << i % 8 * 4;
				first[i] = fmaxf(first[i], product);
			}
		});
		wait_for_row();
	}
	if (!inside) return;
	#pragma unroll
	for (int i = 0; i < 2 * Row::FIRST; i++) {
		const int x = 2 * (thread + i / 2 * Row::APART) + i % 2;
		if (x >= b.lagsX) continue;
		const size_t at = ((size_t) z * b.lagsY + y) * best.pitch + x;
		const float before = from == 0 ? __int_as_float(0xff800000) : best.first[at];
		if (from == 0 || first[i] > before) {
			best.first[at] = first[i];
			best.second[at] = fmaxf(before, second[i]);
			best.member[at] = from + (whose[i / 8] >> i % 8 * 4 & 15);
		}
		else if (first[i] > best.second[at]) best.second[at] = first[i];
	}
}
#endif
#endif

#ifdef COLUMNS
constexpr int L = sizeof(REAL) == 4 ? 2 : 1, C = L * WAYS;
typedef LineBlock<REAL, L, LENGTH, WAYS> Column;

// Reads the lines of this block and transforms them up to the last pass. stride: between the numbers of a line. Only the first of them are
// not 0, rows of them; and only the first lines are, beyond of them.
__device__ inline void forward(const Column &column, const Complex<REAL> *data, const size_t stride, const int rows, const int beyond) {
	column.forward_first([&](Column::V (&v)[Column::FIRST], const int n, const int way) {
		const Complex<REAL> *const from = data + n * stride + L * way;
		#pragma unroll
		for (int j = 0; j < Column::FIRST; j++) {
			v[j] = { };
			if (n + j * Column::APART < rows) v[j] = *(const Column::V *) (from + j * Column::APART * stride);
			#pragma unroll
			for (int l = 0; l < L; l++)
				if (L * way + l >= beyond) v[j].v[l] = { 0, 0 };
		}
	});
	__syncthreads();
	if constexpr (Column::MIDDLE > 1) {
		column.middle<true>();
		__syncthreads();
	}
}

// The counterpart. Only the first numbers of a line are written, stored of them.
__device__ inline void back(const Column &column, Complex<REAL> *result, const size_t stride, const int stored) {
	__syncthreads();
	if constexpr (Column::MIDDLE > 1) {
		column.middle<false>();
		__syncthreads();
	}
	column.inverse_first([&](Column::V (&v)[Column::FIRST], const int n, const int way) {
		Complex<REAL> *const to = result + n * stride + L * way;
		#pragma unroll
		for (int j = 0; j < Column::FIRST; j++)
			if (n + j * Column::APART < stored) *(Column::V *) (to + j * Column::APART * stride) = v[j];
	});
}

#define OF_COLUMNS extern "C" __global__ void __launch_bounds__(Column::THREADS, BLOCKS)

#if VOLUMES
// Columns of the planes of a volume, in place. Frequencies are in the order in which the threads have them. rows: those that are not 0.
// Grid: columns, planes.
OF_COLUMNS columns_forward(Complex<REAL> *data, const int rows, const Extents f, const int pitch, const Complex<REAL> *roots) {
	Column column = { (Column::V *) memory, roots, (int) threadIdx.x };
	Complex<REAL> *const plane = data + (size_t) blockIdx.y * f.y * pitch + blockIdx.x * C;
	forward(column, plane, pitch, rows, f.x / 2 + 1 - blockIdx.x * C);
	column.last<true, false, true, false>([&](Column::V (&v)[Column::LAST], const int g, const int way) {
		#pragma unroll
		for (int k = 0; k < Column::LAST; k++) *(Column::V *) (plane + (size_t) (g * Column::LAST + k) * pitch + L * way) = v[k];
	});
}

OF_COLUMNS columns_back(Complex<REAL> *data, const Extents f, const int pitch, const Complex<REAL> *roots) {
	Column column = { (Column::V *) memory, roots, (int) threadIdx.x };
	Complex<REAL> *const plane = data + (size_t) blockIdx.y * f.y * pitch + blockIdx.x * C;
	column.last<false, true, false, true>([&](Column::V (&v)[Column::LAST], const int g, const int way) {
		#pragma unroll
		for (int k = 0; k < Column::LAST; k++) v[k] = *(const Column::V *) (plane + (size_t) (g * Column::LAST + k) * pitch + L * way);
	});
	back(column, plane, pitch, LENGTH);
}
#endif

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

// The energies of the lines of a template: Σ over x for each place of the lines of a block, and then Σ over the places for each line. In
// volumes these are lines along z, for each y; a third part is Σ over y for each line of a thread, place and x.
struct Energies {
	float *ofPlaces, *ofLines, *ofBoth;

	__device__ Energies(float *all, const Extents f, const int pitch, const int y) {
		ofPlaces = all + y * LENGTH;
		ofLines = all + (VOLUMES ? f.y : 1) * LENGTH + y * pitch;
		ofBoth = all + f.y * (LENGTH + pitch);
	}

	__device__ float *both(const int x, const int place) const { return ofBoth + (size_t) (x / L * LENGTH + place) * L; }
};

// Lines along the last axis of the spectra of rows, or of planes: transforms them, multiplies them by the conjugate spectrum of the
// template, and transforms the products back. from and to may be the same. spectrum: in the order in which the threads need it. lines: see
// Energies. rows: the numbers of a line that are not 0. stored: those that are needed of the result. Steps: TEMPLATE is the first part
// alone; it writes spectrum, scaled, and lines, which are initially 0. IMAGE writes the spectrum of the pixels in the same order; KNOWN
// begins with it, as data. This is one of several blocks of columns. Grid: see there, and for volumes rows.
enum Step { TEMPLATE, IMAGE, KNOWN, ALL };
template<int STEP> __device__ void products(const Complex<REAL> *data, Complex<REAL> *result, const int rows, const int stored,
	const Extents f, const int pitch, const int column0, const int blocks, const Complex<REAL> *roots, Column::V *__restrict__ spectrum,
		float *__restrict__ lines,
	const double scale, Known *known)
{
	constexpr bool MODEL = STEP == TEMPLATE, BACK = STEP >= KNOWN;
	__shared__ double sums[32];
	const int x0 = column0 * C, half = f.x / 2;
	const size_t stride = (size_t) (VOLUMES ? f.y : 1) * pitch;
	Column column = { (Column::V *) memory, roots, (int) threadIdx.x };
	constexpr int ITEMS = LENGTH / Column::LAST * WAYS;
	double alongX = 0, alongLine = 0, alongBoth = 0, energy = 0, all = 0;
	for (int y = VOLUMES ? blockIdx.y : 0; y < (VOLUMES ? f.y : 1); y += VOLUMES ? gridDim.y : 1) {
		const size_t at = (size_t) y * pitch + x0;
		const Energies energies(lines, f, pitch, y);
		const size_t block = ((size_t) y * blocks + column0) * LENGTH * WAYS;
		Column::V *const mine = spectrum + block;
		if (STEP != KNOWN) forward(column, data + at, stride, rows, half + 1 - x0);
		column.last<STEP != KNOWN, BACK, STEP != KNOWN, BACK>([&](Column::V (&v)[Column::LAST], const int g, const int way) {
			Column::V model[Column::LAST];
			if (STEP == IMAGE) {
				#pragma unroll
				for (int k = 0; k < Column::LAST; k++) mine[k * ITEMS + g * WAYS + way] = v[k];
				return;
			}
			if (STEP == KNOWN)
				#pragma unroll
				for (int k = 0; k < Column::LAST; k++) v[k] = ((const Column::V *) data)[block + k * ITEMS + g * WAYS + way];
			if (BACK)
				#pragma unroll
				for (int k = 0; k < Column::LAST; k++) model[k] = mine[k * ITEMS + g * WAYS + way];
			float ofLine[L], product = 0, image = 0;
			#pragma unroll
			for (int l = 0; l < L; l++) ofLine[l] = 0;
			#pragma unroll
			for (int k = 0; k < Column::LAST; k++) {
				float ofPlace = 0, *const both = VOLUMES ? energies.both(x0 + L * way, g * Column::LAST + k) : 0;
				#pragma unroll
				for (int l = 0; l < L; l++) {
					const int x = x0 + L * way + l;
					const float times = x > 0 && x < half ? 2 : 1;
					const Complex<REAL> a = v[k].v[l];
					const float e = times * ((float) a.x * (float) a.x + (float) a.y * (float) a.y);
					ofPlace += e;
					ofLine[l] += e;
					if (MODEL) {
						model[k].v[l] = { (REAL) scale * a.x, (REAL) scale * a.y };
						if (VOLUMES) atomicAdd(both + l, (float) (scale * scale) * e);
					}
					else {
						const Complex<REAL> t = model[k].v[l];
						const Complex<REAL> r = v[k].v[l] = a * conj(t);
						product += times * ((float) r.x * (float) r.x + (float) r.y * (float) r.y);
						if (VOLUMES) alongBoth += (double) e * __ldg(both + l);
					}
				}
				image += ofPlace;
				if (MODEL) atomicAdd(energies.ofPlaces + g * Column::LAST + k, (float) (scale * scale) * ofPlace);
				else alongX += (double) ofPlace * __ldg(energies.ofPlaces + g * Column::LAST + k);
			}
			#pragma unroll
			for (int l = 0; l < L; l++) {
				const int x = x0 + L * way + l;
				if (x > half) continue;
				if (MODEL) atomicAdd(energies.ofLines + x, (float) (scale * scale) * ofLine[l]);
				else alongLine += (double) ofLine[l] * __ldg(energies.ofLines + x);
			}
			energy += image;
			all += product;
			if (MODEL)
				#pragma unroll
				for (int k = 0; k < Column::LAST; k++) mine[k * ITEMS + g * WAYS + way] = model[k];
		});
		// with all steps, a thread writes next where it has read last
		if (BACK) back(column, result + at, stride, stored);
		if (STEP != ALL) __syncthreads();
	}
	if (!BACK) return;
	alongX = block_sum(alongX, sums);
	alongLine = block_sum(alongLine, sums);
	if (VOLUMES) alongBoth = block_sum(alongBoth, sums);
	energy = block_sum(energy, sums);
	all = block_sum(all, sums);
	if (threadIdx.x > 0) return;
	atomicAdd(&known->products[0], alongX);
	atomicAdd(&known->products[VOLUMES ? 2 : 1], alongLine);
	if (VOLUMES) atomicAdd(&known->products[1], alongBoth);
	atomicAdd(&known->energy, energy);
	// Parseval: the energy of the result
	atomicAdd(&known->back, all * f.x * f.y * f.z);
}

// What is left of the data for the error estimate. pixels, result: see fourier.cu. productPitch, productStride: numbers from one row to the
// next, and bytes from one template to the next. Grid: blocks, templates.
extern "C" __global__ void __launch_bounds__(256) noise_of_passes(const Extents f, const float *pixels, const float *resultOfAll,
	const REAL *products,
	const int productPitch, const s64 productStride, const Box b, const double *sums, const int probes, Known *ofAll, const s64 stride)
{
	const float *const result = of_template(resultOfAll, blockIdx.y, stride);
	Known *const known = of_template(ofAll, blockIdx.y, stride);
	greatest_lines(f, pixels, known);
	if (f.z == 1) {
		if (blockIdx.x == 0 && threadIdx.x == 0) known->planes[0] = known->back;
	}
	else
		for (int z = (blockIdx.x * blockDim.x + threadIdx.x) / 32; z < f.z; z += gridDim.x * blockDim.x / 32) {
			float sum = 0;
			for (int x = threadIdx.x % 32; x < f.x; x += 32) sum += columns_of(result)[(size_t) z * f.x + x];
			sum = warp_sum(sum);
			if (threadIdx.x % 32 == 0) known->planes[z] = sum;
		}
	if (blockIdx.x == gridDim.x - 1)
		error_at_probes(f, of_template(products, blockIdx.y, productStride), productPitch, b, of_template(sums, blockIdx.y, stride),
			probes, known);
}

OF_COLUMNS model(const Complex<REAL> *data, const int rows, const Extents f, const int pitch, const Complex<REAL> *roots,
	Column::V *spectrum, float *lines, const double scale)
	{ products<TEMPLATE>(data, 0, rows, 0, f, pitch, blockIdx.x, gridDim.x, roots, spectrum, lines, scale, 0); }
OF_COLUMNS image(const Complex<REAL> *data, const int rows, const Extents f, const int pitch, const Complex<REAL> *roots,
	Column::V *spectrum)
	{ products<IMAGE>(data, 0, rows, 0, f, pitch, blockIdx.x, gridDim.x, roots, spectrum, 0, 1, 0); }
// spectra: of each template, and after that many bytes its lines. image: what is known of the pixels, with their reference. Adjacent blocks
// have the same columns of all templates, which share the image. Grid: columns times templates, and for volumes rows.
#define PRODUCT(NAME, STEP) OF_COLUMNS NAME(const Complex<REAL> *data, Complex<REAL> *result, const s64 strideOfResult, \
	const int templates, const int rows, const int stored, const Extents f, const int pitch, const Complex<REAL> *roots, \
		const __grid_constant__ Each<Column::V *> spectra, const s64 spectrumBytes, \
	const Known *image, Known *ofAll, const s64 stride) \
{ \
	const int t = blockIdx.x % templates; \
	Known *const known = of_template(ofAll, t, stride); \
	if (blockIdx.x < templates && blockIdx.y == 0 && threadIdx.x == 0) known->reference = image->reference; \
	products<STEP>(data, of_template(result, t, strideOfResult), rows, stored, f, pitch, blockIdx.x / templates, gridDim.x / templates, \
		roots, spectra.of[t], \
		(float *) of_template(spectra.of[t], 1, spectrumBytes), 1, known); \
}
PRODUCT(product, ALL)
PRODUCT(product_of_known, KNOWN)

#if VOLUMES
// Lines along z of the planes of members, of which depth are not 0: transforms them, multiplies the spectrum of the pixels by their
// conjugates, and transforms the products back; stored planes of them are needed. pixels: in the order of image. Adjacent blocks have the
// same columns of all members, which share the pixels. Grid: columns times members, rows.
OF_COLUMNS product_of_members(const Complex<REAL> *planes, const s64 strideOfPlanes, Complex<REAL> *result, const s64 strideOfResult,
	const int members, const int depth, const int stored, const Extents f, const int pitch, const Complex<REAL> *roots,
	const Column::V *__restrict__ pixels)
{
	const int m = blockIdx.x % members, column0 = blockIdx.x / members, blocks = gridDim.x / members, x0 = column0 * C;
	const size_t stride = (size_t) f.y * pitch;
	Column column = { (Column::V *) memory, roots, (int) threadIdx.x };
	constexpr int ITEMS = LENGTH / Column::LAST * WAYS;
	for (int y = blockIdx.y; y < f.y; y += gridDim.y) {
		const size_t at = (size_t) y * pitch + x0;
		const Column::V *const mine = pixels + ((size_t) y * blocks + column0) * LENGTH * WAYS;
		forward(column, of_template(planes, m, strideOfPlanes) + at, stride, depth, f.x / 2 + 1 - x0);
		column.last<true, true>([&](Column::V (&v)[Column::LAST], const int g, const int way) {
			#pragma unroll
			for (int k = 0; k < Column::LAST; k++) {
				const Column::V p = mine[k * ITEMS + g * WAYS + way];
				#pragma unroll
				for (int l = 0; l < L; l++) v[k].v[l] = p.v[l] * conj(v[k].v[l]);
			}
		});
		// a thread writes next where it has read last
		back(column, of_template(result, m, strideOfResult) + at, stride, stored);
	}
}

// As columns_back, of the first rows of each plane. Grid: columns, planes, members.
OF_COLUMNS columns_of_members(Complex<REAL> *data, const s64 stride, const int stored, const Extents f, const int pitch,
	const Complex<REAL> *roots)
{
	Column column = { (Column::V *) memory, roots, (int) threadIdx.x };
	Complex<REAL> *const plane = of_template(data, blockIdx.z, stride) + (size_t) blockIdx.y * f.y * pitch + blockIdx.x * C;
	column.last<false, true, false, true>([&](Column::V (&v)[Column::LAST], const int g, const int way) {
		#pragma unroll
		for (int k = 0; k < Column::LAST; k++) v[k] = *(const Column::V *) (plane + (size_t) (g * Column::LAST + k) * pitch + L * way);
	});
	back(column, plane, pitch, stored);
}
#endif
#endif
