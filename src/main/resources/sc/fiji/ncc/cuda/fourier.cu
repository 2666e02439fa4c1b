// The steps before and between the transforms of cuda-fourier: pixels minus a reference, the product of spectra, and the energies of lines
// for the error estimate. Each in float and in double. For responses from products in float see normalise.cu.
#include "fourier.cuh"
#include "packs.cuh"
#include "pixels.cuh"
#include "transform.cuh"

// Each block takes some rows. All blocks compute the same reference; the first one stores it. NaN and infinite pixels, and positions
// outside the box, become 0. Grid: rows, planes.
template<class P, class Real> __device__ void pad(const P *__restrict__ image, const Box &b, const Extents f, Real *__restrict__ to,
	Known *known)
{
	__shared__ double middle;
	const int z = blockIdx.y, rows = (f.y + gridDim.x - 1) / gridDim.x, y0 = blockIdx.x * rows, warps = blockDim.x / 32,
		lane = threadIdx.x & 31;
	const int columns = b.lagsX + b.width - 1;
	if (threadIdx.x < 32) {
		const double m = median(image, b, 0, b.lagsX + b.width - 1, 0, b.rows, 0, b.planes);
		if (threadIdx.x == 0) {
			middle = m;
			if (blockIdx.x == 0 && z == 0) known->reference = m;
		}
	}
	__syncthreads();
	const double reference = middle;
	for (int y = y0 + threadIdx.x / 32; y < min(y0 + rows, f.y); y += warps) {
		const bool inside = y < b.rows && z < b.planes;
		const P *from = image + ((size_t) z * b.rows + y) * b.pitch;
		Real *row = to + ((size_t) z * f.y + y) * f.x;
		// a row is padded with zeros to complete packs; the extent along x is even
		#pragma unroll 4
		for (int x = 4 * lane; x < f.x; x += 128) {
			Real v[4] = { 0, 0, 0, 0 };
			if (inside && x < columns) {
				const Pack<P, 4> pack = *(const Pack<P, 4> *) (from + x);
				#pragma unroll
				for (int i = 0; i < 4; i++)
					if (x + i < columns) v[i] = deviation<Real>(pack.v[i], reference);
			}
			#pragma unroll
			for (int i = 0; i < 4; i += 2) {
				Complex<Real> pair;
				pair.x = v[i];
				pair.y = v[i + 1];
				if (x + i < f.x) *(Complex<Real> *) (row + x + i) = pair;
			}
		}
	}
}

// The energies of the pixels of a transform, or of its result: to, see columns_of. planes: receives also Σ of squares of each plane.
// Default: null. All are initially 0. Blocks have 8 warps; a warp has 64 columns of 32 rows. Grid: rows, columns, planes.
template<class Real> __device__ void measure(const Real *from, const Extents f, float *to, float *planes) {
	__shared__ float ofRows[32];
	const int lane = threadIdx.x & 31, x = (blockIdx.y * 8 + threadIdx.x / 32) * 64 + 2 * lane, y0 = blockIdx.x * 32, z = blockIdx.z,
		until = min(32, f.y - y0);
	float *columns = to + 4 + (size_t) z * f.x, *rows = to + 4 + (size_t) f.x * f.z + (size_t) z * f.y + y0,
		*strips = rows + (size_t) f.y * f.z;
	if (threadIdx.x < 32) ofRows[threadIdx.x] = 0;
	__syncthreads();
	const Complex<Real> *first = (const Complex<Real> *) (from + ((size_t) z * f.y + y0) * f.x) + x / 2;
	float e[32], left = 0, right = 0, peak = 0;
	#pragma unroll
	for (int y = 0; y < 32; y++) {
		Complex<Real> v;
		v.x = v.y = 0;
		if (x < f.x && y < until) v = first[(size_t) y * (f.x / 2)];
		const float a = fabsf((float) v.x), b = fabsf((float) v.y);
		left += a * a;
		right += b * b;
		e[y] = a * a + b * b;
		peak = fmaxf(peak, fmaxf(a, b));
	}
	const float row = sums_of_32(e);
	for (int o = 16; o > 0; o /= 2) peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, o));
	// numbers that are not negative have the order of their bits
	if (lane == 0) atomicMax((u32 *) to, __float_as_uint(peak));
	if (x < f.x) {
		atomicAdd(columns + x, left);
		atomicAdd(columns + x + 1, right);
	}
	if (lane < until) atomicMax((u32 *) strips + lane, __float_as_uint(row));
	atomicAdd(ofRows + lane, row);
	__syncthreads();
	if (threadIdx.x >= 32) return;
	const float all = ofRows[lane];
	if (lane < until) atomicAdd(rows + lane, all);
	const float plane = warp_sum(all);
	if (planes != 0 && lane == 0) atomicAdd(planes + z, plane);
}

// Replaces a by a·conj(b)·scale at the given indices (-1: none), and computes the energy of each a. Without b, only the energy of a·scale.
template<class Real, int N> __device__ inline void multiply(Complex<Real> *a, const Complex<Real> *b, const s64 (&at)[N],
	const Real scale, float (&energy)[N])
{
	Complex<Real> p[N], q[N];
	// all loads start before the first store
	#pragma unroll
	for (int i = 0; i < N; i++) {
		p[i].x = p[i].y = 0;
		if (at[i] >= 0) p[i] = a[at[i]];
	}
	if (b != 0)
		#pragma unroll
		for (int i = 0; i < N; i++)
			if (at[i] >= 0) q[i] = b[at[i]];
	#pragma unroll
	for (int i = 0; i < N; i++) {
		energy[i] = (float) p[i].x * (float) p[i].x + (float) p[i].y * (float) p[i].y;
		if (b == 0) energy[i] *= (float) (scale * scale);
		else if (at[i] >= 0) {
			Complex<Real> r;
			r.x = (p[i].x * q[i].x + p[i].y * q[i].y) * scale;
			r.y = (p[i].y * q[i].x - p[i].x * q[i].y) * scale;
			a[at[i]] = r;
		}
	}
}

// Replaces the first of two spectra by their product, and adds up the energies of the first one on its lines along x (one per y and z),
// along y (one per x and z) and along z (one per x and y). Numbers that also represent their mirror images count twice. A warp has 32
// columns and 8 rows, or 16 planes of one row. Grid: columns, rows, planes.
template<class Real> __device__ void multiply_plane(Complex<Real> *a, const Complex<Real> *b, const Extents f, const double scale,
	float *alongX, float *alongY)
{
	const int lane = threadIdx.x & 31, columns = f.x / 2 + 1, x = blockIdx.x * 32 + lane,
		y0 = (blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32) * 8;
	const int until = min(8, f.y - y0);
	const float times = x > 0 && 2 * x < f.x ? 2 : 1;
	s64 at[8];
	float e[8], column = 0, mine = 0;
	#pragma unroll
	for (int y = 0; y < 8; y++) at[y] = x < columns && y < until ? (s64) (y0 + y) * columns + x : -1;
	multiply(a, b, at, (Real) scale, e);
	#pragma unroll
	for (int y = 0; y < 8; y++) {
		column += times * e[y];
		const float row = warp_sum(times * e[y]);
		if (lane == y) mine = row;
	}
	if (lane < until) atomicAdd(alongX + y0 + lane, mine);
	if (x < columns && until > 0) atomicAdd(alongY + x, column);
}

template<class Real> __device__ void multiply_volume(Complex<Real> *a, const Complex<Real> *b, const Extents f, const double scale,
	float *alongX, float *alongY, float *alongZ)
{
	// 8 warps: 8 rows
	__shared__ float energies[8][16][32];
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, columns = f.x / 2 + 1, x = blockIdx.x * 32 + lane,
		y = blockIdx.y * 8 + warp, z0 = blockIdx.z * 16;
	const int until = min(16, f.z - z0);
	const bool inside = x < columns && y < f.y;
	const float times = x > 0 && 2 * x < f.x ? 2 : 1;
	float pillar = 0, mine = 0;
	for (int first = 0; first < 16; first += 8) {
		s64 at[8];
		float e[8];
		#pragma unroll
		for (int z = 0; z < 8; z++) at[z] = inside && first + z < until ? ((s64) (z0 + first + z) * f.y + y) * columns + x : -1;
		multiply(a, b, at, (Real) scale, e);
		#pragma unroll
		for (int z = 0; z < 8; z++) {
			pillar += times * e[z];
			energies[warp][first + z][lane] = times * e[z];
			const float row = warp_sum(times * e[z]);
			if (lane == first + z) mine = row;
		}
	}
	if (lane < until && y < f.y) atomicAdd(alongX + (z0 + lane) * f.y + y, mine);
	if (inside) atomicAdd(alongZ + (s64) y * columns + x, pillar);
	__syncthreads();
	for (int z = warp; z < until; z += 8) {
		float e = 0;
		for (int w = 0; w < 8; w++) e += energies[w][z][lane];
		if (x < columns) atomicAdd(alongY + (z0 + z) * columns + x, e);
	}
}

// Σ X²·T² over the n lines along an axis, and Σ X². Each is below 2^126, so the sums are in double.
__device__ inline void lines(const float *image, const float *model, const int n, double *products, double *energies) {
	double sum = 0, mine = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		sum += (double) image[i] * model[i];
		mine += image[i];
	}
	sum = warp_sum(sum);
	mine = warp_sum(mine);
	if ((threadIdx.x & 31) == 0) {
		atomicAdd(products, sum);
		if (energies != 0) atomicAdd(energies, mine);
	}
}

// The largest number of coefficients of a block.
#define PROBED 8192

// Products at probes, summed directly in double. sums: one per probe; initially 0. Grid: probes, parts of the template.
template<class P, class Real> __device__ void probe(const P *image, const Box &b, const Real *coefficients, const Known *known,
	double *sums)
{
	__shared__ double partial[8];
	const int all = b.width * b.height * b.depth, until = min(all, (int) (blockIdx.y + 1) * PROBED);
	const double reference = known->reference;
	int x, y, z;
	lag_of_probe(b, blockIdx.x, gridDim.x, x, y, z);
	const P *from = image + ((size_t) z * b.rows + y) * b.pitch + x;
	double sum = 0;
	#pragma unroll 4
	for (int i = blockIdx.y * PROBED + threadIdx.x; i < until; i += blockDim.x)
		sum += (double) deviation<Real>(from[((size_t) (i / b.width / b.height) * b.rows + i / b.width % b.height) * b.pitch
			+ i % b.width], reference) * coefficients[i];
	sum = warp_sum(sum);
	if ((threadIdx.x & 31) == 0) partial[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x > 0) return;
	for (int w = 1; w < 8; w++) sum += partial[w];
	atomicAdd(sums + blockIdx.x, sum);
}

// The sums over lines for a numerator, the energy of the spectrum of its pixels, and the greatest error at probes. pixels: see measure.
template<class Real> __device__ void noise(const Extents f, const float *image, const float *model, const float *pixels,
	const Real *products, const Box &b, const double *sums, const int probes, Known *known)
{
	greatest_lines(f, pixels, known);
	const int columns = f.x / 2 + 1, alongX = f.y * f.z, alongY = columns * f.z;
	lines(image, model, alongX, &known->products[0], &known->energy);
	lines(image + alongX, model + alongX, alongY, &known->products[1], 0);
	if (f.z > 1) lines(image + alongX + alongY, model + alongX + alongY, f.y * columns, &known->products[2], 0);
	if (blockIdx.x == 0)
		for (int z = threadIdx.x; z < f.z; z += blockDim.x) atomicAdd(&known->back, (double) known->planes[z]);
	if (blockIdx.x == gridDim.x - 1) error_at_probes(f, products, f.x, b, sums, probes, known);
}

// Of a template: the energy of its spectrum over the points, and norms as in CoefficientNorms. line, sumOfLines, sumOfLine: of columns, and
// of rows.
struct Norms { double energy, all, greatest, sum, line[2], sumOfLines[2], sumOfLine[2]; };

// The error of each pixel if all have the sign of the template, in eps of the root of the mean square of its line, over the margin of the
// estimate.
#define EQUAL_SIGN (2.0f / 10)
// A strong line has at least that many times the mean energy. The lags of lines that are stronger still may be too few for probes.
#define STRONG 2
#define RARE 64
// A window with more lines counts those of the whole transform.
#define MOST_LINES 1024

// The error at the aliases of pixels: that of each pixel is independent of the others. energy: Σ of squares of the pixels whose aliases a
// window may have.
__device__ inline double of_aliases(const float peak, const double energy, const Norms &t) {
	return ALIAS * fmin(peak * t.all, sqrt(energy) * t.greatest);
}

// The estimated error of the forward transform, as SpectralNoise on the CPU, and at the aliases of the pixels of lines that are not strong.
// lines: those of a window.
__device__ inline float forth_of(const Extents &f, const Known *known, const float peak, const Norms &t, const int lines) {
	const double points = (double) f.x * f.y * f.z, spread = known->energy * t.energy / points, mean = known->energy / (points * points);
	// scaled as on the CPU: the template's spectrum over the points
	const double along[3] = { known->products[0] / f.x, fmax(known->products[1] / f.y, spread), f.z > 1 ? fmax(known->products[2] / f.z,
		spread) : 0 };
	const double ofLines = sqrt(along[0] * __log2f(f.x) + along[1] * __log2f(f.y) + along[2] * __log2f(f.z));
	return (float) fmax(ofLines, of_aliases(peak, STRONG * mean * max(f.x, f.y) * lines, t));
}

// The error of the forward transform in the place of the strong lines of the window that starts at a line, as PixelNoise on the CPU. axis:
// 0 columns, 1 rows. points: those of a line. n: the number of lines of a plane.
__device__ inline float of_strong_lines(const Extents &f, const Known *known, const float *pixels, const Norms &t, const int axis,
	const int first, const int window)
{
	const int n = axis == 0 ? f.x : f.y, points = axis == 0 ? f.y : f.x;
	const float *energies = axis == 0 ? strongest_columns(pixels, f) : strongest_rows(pixels, f);
	const double all = (double) f.x * f.y * f.z;
	const float mean = (float) (known->energy / (all * all) * points), greatest = known->greatest[axis];
	if (!(greatest > STRONG * mean)) return 0;
	float strong = 0, rare = 0, roots = 0;
	if (window > MOST_LINES) {
		strong = rare = mean * n * f.z;
		roots = __int_as_float(0x7f800000);
	}
	else
		for (int i = first; i < min(n, first + window); i++) {
			const float e = energies[i];
			if (e > STRONG * mean) strong += e;
			if (e > RARE * mean) {
				rare += e;
				roots += sqrtf(e);
			}
		}
	if (strong == 0) return 0;
	const double root = sqrt(1.0 / points), line = root * sqrt((double) greatest);
	const double independent = sqrt(__log2f(points)) * fmin(line * t.all, root * sqrt((double) strong) * t.line[axis]);
	const double alike = rare == 0 ? 0 : EQUAL_SIGN * fmin(fmin(line * t.sum, root * sqrt((double) rare) * t.sumOfLines[axis]),
		root * roots * t.sumOfLine[axis]);
	return (float) fmax(independent, fmax(of_aliases(pixels[0], strong, t), alike));
}

// The errors of places, for noise_of: what each column adds, of the forward and of the inverse transform; and for each row the error of the
// forward transform. pixels, result: see measure. A block has 32 lines, and up to 32 warps for the planes. Grid: lines, 2, and templates.
extern "C" __global__ void __launch_bounds__(1024) forth(const Extents f, const Known *ofAll, const float *pixels, const float *resultOfAll,
	const __grid_constant__ Each<Norms> norms, const int width, const int height, float *toAll, const s64 stride)
{
	const Known *const known = of_template(ofAll, blockIdx.z, stride);
	const float *const result = of_template(resultOfAll, blockIdx.z, stride);
	float *const to = of_template(toAll, blockIdx.z, stride);
	const Norms &t = norms.of[blockIdx.z];
	__shared__ float parts[32][32];
	const int lane = threadIdx.x & 31, part = threadIdx.x / 32, warps = blockDim.x / 32, i = blockIdx.x * 32 + lane, axis = blockIdx.y;
	const float inColumn = 1.0f / f.y, inPlane = inColumn / f.x;
	// a column of the result that is stronger than its plane
	float column = 0;
	if (axis == 0 && i < f.x)
		#pragma unroll 4
		for (int z = part; z < f.z; z += warps) column = fmaxf(column,
			sqrtf(columns_of(result)[(size_t) z * f.x + i] * inColumn) - sqrtf(known->planes[z] * inPlane));
	parts[part][lane] = column;
	__syncthreads();
	if (part > 0 || i >= (axis == 0 ? f.x : f.y)) return;
	const float base = forth_of(f, known, pixels[0], t, max(width, height)), ofLines = of_strong_lines(f, known, pixels, t, axis, i,
		axis == 0 ? width : height);
	if (axis == 1) {
		to[f.x + i] = fmaxf(base, ofLines);
		return;
	}
	for (int p = 1; p < warps; p++) column = fmaxf(column, parts[p][lane]);
	to[i] = fmaxf(0, ofLines - base) + column * sqrtf(__log2f(f.x) + __log2f(f.y) + __log2f(f.z));
	atomicMax((u32 *) greatest_addition(result), __float_as_uint(to[i]));
}

// Responses from products and stored window sums. One thread per lag.
template<class Out, class Real, class W> __device__ void respond(const Real *products, const Box &b, const W *windows,
	const Trust &trust, const Outcome &out)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
	for (int y = blockIdx.y; y < b.lagsY; y += gridDim.y) {
		bool missing = false;
		if (x < b.lagsX) {
			const size_t lag = ((size_t) z * b.lagsY + y) * b.lagsX + x;
			RealWindow w;
			missing = !window_of(windows[lag], trust, w);
			const float least = trust.least(y, z) + trust.of_column(x);
			answer<Out, is_real<W>>(products[((size_t) z * trust.f.y + y) * trust.f.x + x], w, missing, least, trust.known->reference, 0,
				lag, trust, out);
		}
		count(out.counts, missing);
	}
}

// What responses need of the windows of an image, for all templates of one size: mean minus reference, and N·σ², negative if it is certain
// that all pixels of the window are equal. Rows have an even pitch. tiles: for each 64 lags of a row the least √N·σ less the rounding of
// the pixels; a product with less noise is trusted there. A warp has 64 lags. Grid: tiles, rows, planes.
template<class W> __device__ void moments_of(const W *windows, const Box &b, const Trust &trust, const int pitch, float4 *to,
	float *tiles)
{
	const int lane = threadIdx.x & 31, tile = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, x = 64 * tile + 2 * lane,
		row = blockIdx.z * b.lagsY + blockIdx.y;
	if (64 * tile >= b.lagsX) return;
	const double reference = trust.known->reference;
	float least = 3.402823466e38f, m[4] = { 0, 0, 0, 0 };
	#pragma unroll
	for (int i = 0; i < 2; i++) {
		if (x + i >= b.lagsX) continue;
		RealWindow w;
		const bool varied = window_of(windows[(size_t) row * b.lagsX + x + i], trust, w);
		m[2 * i] = (float) narrow(w.mean - wide(reference));
		m[2 * i + 1] = varied ? (float) narrow(w.variance) : -1;
		if (!varied) continue;
		const float mine = 0.999999f * sqrtf(m[2 * i + 1]) - (is_real<W> ? 1.000001f * (float) trust.offsetRounding * fabsf(m[2 * i]) : 0);
		// NaN is not trusted
		least = mine >= least ? least : mine > 0 ? mine : 0;
	}
	if (x < b.lagsX) to[((size_t) row * pitch + x) / 2] = make_float4(m[0], m[1], m[2], m[3]);
	for (int o = 16; o > 0; o /= 2) least = fminf(least, __shfl_xor_sync(~0u, least, o));
	if (lane == 0) tiles[(size_t) row * ((b.lagsX + 63) / 64) + tile] = least;
}

// Marks the suspects among the responses of rows_respond. unlike: see there. ROUNDED: as for answer. A warp has a row of lags. Grid: rows,
// planes, templates.
template<bool ROUNDED> __device__ void mark(const Box &b, const float2 *moments, const int pitch, const float *tiles,
	const u32 *unlikeOfAll, const Trust &trust, const s64 stride, const Outcome &out)
{
	const u32 *const unlike = of_template(unlikeOfAll, blockIdx.z, stride);
	const size_t first = (size_t) blockIdx.z * b.lagsX * b.lagsY * b.lagsZ;
	const int lane = threadIdx.x & 31, y = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, z = blockIdx.y, row = z * b.lagsY + y,
		n = (b.lagsX + 63) / 64;
	if (y >= b.lagsY) return;
	const float ofRow = trust.least(y, z), most = ofRow + (float) trust.eps * *greatest_addition(trust.result);
	const bool all = unlike[row] != 0;
	for (int t0 = 0; t0 < n; t0 += 32) {
		const bool open = t0 + lane < n && (all || !(tiles[(size_t) row * n + t0 + lane] > 1.0001f * most));
		for (u32 left = __ballot_sync(~0u, open); left != 0; left &= left - 1) {
			const int x0 = 64 * (t0 + __ffs(left) - 1);
			for (int x = x0 + lane; x < min(b.lagsX, x0 + 64); x += 32) {
				const float2 m = moments[(size_t) row * pitch + x];
				if (m.y < 0) continue;
				const size_t lag = first + (size_t) row * b.lagsX + x;
				const float r = out.map[lag], least = ofRow + trust.of_column(x),
					limit = ROUNDED ? least + (float) trust.offsetRounding * fabsf(m.x) : least;
				if (!(m.y > limit * limit && r == r)) out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
			}
		}
	}
}

#define MOMENTS(KIND, W) extern "C" __global__ void __launch_bounds__(256) moments_##KIND(const W *windows, const Box b, \
	const Trust trust, const int pitch, float4 *to, float *tiles) \
	{ moments_of(windows, b, trust, pitch, to, tiles); }
MOMENTS(narrow, uint2)
MOMENTS(wide, longlong2)
MOMENTS(real, RealWindow)

#define MARK(NAME, ROUNDED) extern "C" __global__ void __launch_bounds__(256) NAME(const Box b, const float2 *moments, const int pitch, \
	const float *tiles, const u32 *unlike, const __grid_constant__ Each<Trust> trusts, const s64 stride, const Outcome out) \
	{ mark<ROUNDED>(b, moments, pitch, tiles, unlike, trusts.of[blockIdx.z], stride, out); }
MARK(mark_whole, false)
MARK(mark_real, true)

// Sets the rows of lags with probes to 1. They are initially 0. One block.
extern "C" __global__ void rows_of_probes(const Box b, const int probes, u32 *rows) {
	for (int i = threadIdx.x; i < probes; i += blockDim.x) {
		int x, y, z;
		lag_of_probe(b, i, probes, x, y, z);
		rows[z * b.lagsY + y] = 1;
	}
}

#define PAD(NAME, P, REAL) extern "C" __global__ void NAME(const P *image, const Box b, const Extents f, REAL *to, Known *known) \
	{ pad(image, b, f, to, known); }
PAD(pad_bytes_float, s8, float)
PAD(pad_shorts_float, short, float)
PAD(pad_floats_float, float, float)
PAD(pad_doubles_float, double, float)
PAD(pad_bytes_double, s8, double)
PAD(pad_shorts_double, short, double)
PAD(pad_floats_double, float, double)
PAD(pad_doubles_double, double, double)

#define PROBE(NAME, P, REAL) extern "C" __global__ void __launch_bounds__(256) NAME(const P *image, const Box b, \
	const REAL *coefficients, const Known *known, double *sums) \
	{ probe(image, b, coefficients, known, sums); }
PROBE(probe_bytes_float, s8, float)
PROBE(probe_shorts_float, short, float)
PROBE(probe_floats_float, float, float)
PROBE(probe_doubles_float, double, float)
PROBE(probe_bytes_double, s8, double)
PROBE(probe_shorts_double, short, double)
PROBE(probe_floats_double, float, double)
PROBE(probe_doubles_double, double, double)

#define REST(REAL) extern "C" __global__ void __launch_bounds__(256) plane_##REAL(Complex<REAL> *a, const Complex<REAL> *b, \
	const Extents f, const double scale, float *alongX, float *alongY) { multiply_plane(a, b, f, scale, alongX, alongY); } \
extern "C" __global__ void __launch_bounds__(256) volume_##REAL(Complex<REAL> *a, const Complex<REAL> *b, const Extents f, \
	const double scale, float *alongX, float *alongY, float *alongZ) { multiply_volume(a, b, f, scale, alongX, alongY, alongZ); } \
extern "C" __global__ void __launch_bounds__(256) measure_##REAL(const REAL *from, const Extents f, float *to, \
	float *planes) { measure(from, f, to, planes); } \
extern "C" __global__ void __launch_bounds__(256) noise_##REAL(const Extents f, const float *image, const float *model, \
	const float *pixels, const REAL *products, \
	const Box b, const double *sums, const int probes, Known *known) { noise(f, image, model, pixels, products, b, sums, probes, known); }
REST(float)
REST(double)

// respond_<window sums>_<products>_<responses>
#define RESPOND(NAME, PRODUCT, OUT, W) extern "C" __global__ void __launch_bounds__(256) NAME(const PRODUCT *products, const Box b, \
	const W *windows, const Trust trust, const Outcome out) { respond<OUT>(products, b, windows, trust, out); }
#define RESPONDS(KIND, W) RESPOND(respond_##KIND##_double_float, double, float, W) RESPOND(respond_##KIND##_double_double, double, \
	double, W)
RESPONDS(narrow, uint2)
RESPONDS(wide, longlong2)
RESPONDS(real, RealWindow)

// The template at the origin, and 0 elsewhere. Grid: rows, planes.
#define MODEL(REAL) extern "C" __global__ void model_##REAL(const REAL *coefficients, const int width, const int height, const int depth, \
	const Extents f, REAL *to) \
{ \
	const int y = blockIdx.x, z = blockIdx.y; \
	for (int x = threadIdx.x; x < f.x; x += blockDim.x) \
		to[((size_t) z * f.y + y) * f.x + x] = x < width && y < height && z < depth ? coefficients[(z * height + y) * width + x] \
			: (REAL) 0; \
}
MODEL(float)
MODEL(double)
