// What stands around the transforms of the Fourier way: pixels to real numbers about a reference, the product of spectra, the energy of the
// lines that decides how far a response can be trusted, and responses. Each in float and in double.
#include "common.cuh"

template<class Real> struct Complex;
template<> struct __align__(8) Complex<float> { float x, y; };
template<> struct __align__(16) Complex<double> { double x, y; };

// The extents of a transform.
struct Extents { int x, y, z; };

// The median of 32 pixels spread over a box; 0 if none is finite. The first warp gives it.
template<class P> __device__ inline double median(const P *image, const Box &b) {
	const int i = threadIdx.x & 31, x = (int) ((i * 2 + 1) * (s64) (b.lagsX + b.width - 1) / 64), y = (int) (i * 13 % 32 * (s64) b.rows / 32);
	const double v = image[((size_t) (i * 7 % 32 * (s64) b.planes / 32) * b.rows + y) * b.pitch + x];
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

// What is known of a transformed box.
struct Known {
	double reference;
	float row; // Σ x² of the most energetic row
	float all; // Σ y²
};

// Finds the reference of a box. One warp.
template<class P> __device__ void middle(const P *image, const Box &b, Known *known) {
	const double m = median(image, b);
	if (threadIdx.x == 0) known->reference = m;
}

// A pixel about the reference: whole numbers as such, others in double, rounded once.
__device__ inline int about(const s8 v, const double reference) { return v - (int) reference; }
__device__ inline int about(const short v, const double reference) { return v - (int) reference; }
__device__ inline double about(const float v, const double reference) { return v - reference; }
__device__ inline double about(const double v, const double reference) { return v - reference; }

// The box about its reference, 0 beyond it and where a pixel is NaN or infinite. Each block one row.
template<class P, class Real> __device__ void pad(const P *image, const Box &b, const Extents f, Real *to, Known *known) {
	const int y = blockIdx.x, z = blockIdx.y;
	__shared__ float sums[8];
	const bool inside = y < b.rows && z < b.planes;
	const double reference = known->reference;
	const P *from = image + ((size_t) z * b.rows + y) * b.pitch;
	Real *row = to + ((size_t) z * f.y + y) * f.x;
	float energy = 0;
	#pragma unroll 4
	for (int x = threadIdx.x; x < f.x; x += blockDim.x) {
		Real v = 0;
		if (inside && x < b.lagsX + b.width - 1) v = (Real) about(from[x], reference);
		if (!(fabs((double) v) <= 1e300)) v = 0;
		row[x] = v;
		energy += (float) v * (float) v;
	}
	energy = warp_sum(energy);
	if ((threadIdx.x & 31) == 0) sums[threadIdx.x / 32] = energy;
	__syncthreads();
	if (threadIdx.x > 0) return;
	for (int w = 1; w < 8; w++) energy += sums[w];
	// asked first: all but some rows have nothing new to say. What is not negative has the order of its bits
	if (energy > *(volatile float *) &known->row) atomicMax((int *) &known->row, __float_as_int(energy));
}

// a = a · conj(b) · scale.
template<class Real> __device__ void multiply(Complex<Real> *a, const Complex<Real> *b, const s64 n, const double scale) {
	const Real s = (Real) scale;
	for (s64 i = (s64) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (s64) gridDim.x * blockDim.x) {
		const Complex<Real> p = a[i], q = b[i];
		Complex<Real> r;
		r.x = (p.x * q.x + p.y * q.y) * s;
		r.y = (p.y * q.x - p.x * q.y) * s;
		a[i] = r;
	}
}

// Σ y² of every row (z·f.y + y) and column (z·f.x + x), and of all; and by pillars() along z (y·f.x + x) where there is more than one plane.
// A warp has 128 columns, four a thread, and 16 rows.
template<class Real> __device__ void lines(const Real *from, const Extents f, Known *known, float *rows, float *columns) {
	const int lane = threadIdx.x & 31, x = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 128 + lane, z = blockIdx.z;
	const int y0 = blockIdx.y * 16, until = min(f.y - y0, 16);
	if (x - lane >= f.x) return;
	float column[4] = { 0, 0, 0, 0 }, mine = 0;
	#pragma unroll 8
	for (int y = 0; y < 16; y++) {
		float sum = 0;
		#pragma unroll
		for (int i = 0; i < 4; i++) {
			const float v = x + 32 * i < f.x && y < until ? (float) from[((size_t) z * f.y + y0 + y) * f.x + x + 32 * i] : 0;
			column[i] += v * v;
			sum += v * v;
		}
		sum = warp_sum(sum);
		if (lane == y) mine = sum;
	}
	if (lane < until) atomicAdd(rows + (size_t) z * f.y + y0 + lane, mine);
	#pragma unroll
	for (int i = 0; i < 4; i++)
		if (x + 32 * i < f.x) atomicAdd(columns + (size_t) z * f.x + x + 32 * i, column[i]);
	mine = warp_sum(mine);
	if (lane == 0) atomicAdd(&known->all, mine);
}

template<class Real> __device__ void pillars(const Real *from, const Extents f, float *to) {
	const s64 i = (s64) blockIdx.x * blockDim.x + threadIdx.x, n = (s64) f.x * f.y;
	if (i >= n) return;
	float sum = 0;
	for (int z = 0; z < f.z; z++) {
		const float v = (float) from[z * n + i];
		sum += v * v;
	}
	to[i] = sum;
}

// The windows' sums as mean and N·σ²; false if there is no contrast for certain.
struct Window { double mean, variance; };

__device__ inline bool window_of(const uint2 w, const double n, const double inverse, Window &to) {
	const double s = (int) w.x, v = n * (double) w.y - s * s;
	to.mean = s * inverse;
	to.variance = v * inverse;
	return v != 0;
}

__device__ inline bool window_of(const longlong2 w, const double n, const double inverse, Window &to) {
	const double v = difference((s64) n, w.y, w.x, w.x);
	to.mean = (double) w.x * inverse;
	to.variance = v * inverse;
	return v != 0;
}

__device__ inline bool window_of(const double2 w, const double, const double, Window &to) {
	to.mean = w.x;
	to.variance = w.y;
	return true;
}

__device__ inline float root(const float v) {
	float r;
	asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
	return r;
}

// eps: of the transforms, with its margin and the root of how many passes they have, over the tolerance of a response. inverse: 1/N, inverseNorm: 1/‖T̂‖.
// The error is spread over the whole transform: by its most energetic row of pixels, by all of the products, and by their lines through the lag.
template<class Real, class W> __device__ void respond(const Real *products, const Box &b, const Extents f, const W *windows, const Known *known,
	const float *rows, const float *columns, const float *pillars, const double n, const double inverse, const double mean, const double norm,
	const double inverseNorm, const double eps, const double floor, const Outcome &out)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
	bool missing = false, suspect = false;
	const size_t lag = ((size_t) z * b.lagsY + y) * b.lagsX + x;
	if (x < b.lagsX) {
		Window w;
		missing = !window_of(windows[lag], n, inverse, w);
		if (missing) out.map[lag] = out.undefined;
		else {
			const double p = (double) products[((size_t) z * f.y + y) * f.x + x] - (w.mean - known->reference) * (n * mean);
			const float overX = __fdividef(1, f.x), overY = __fdividef(1, f.y), overZ = __fdividef(1, f.z), all = known->all * overX * overY * overZ;
			float noise = root(known->row * overX) * (float) norm + root(fmaxf(all, rows[(size_t) z * f.y + y] * overX))
				+ root(fmaxf(all, columns[(size_t) z * f.x + x] * overY));
			if (f.z > 1) noise += root(fmaxf(all, pillars[(size_t) y * f.x + x] * overZ));
			noise *= (float) eps * (float) inverseNorm;
			const float r = (float) (p * root_inverse(w.variance) * inverseNorm);
			// NaN is suspect, too
			suspect = !(w.variance > floor && noise * noise <= (float) w.variance && fabsf(r) < 2);
			if (suspect) out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
			else out.map[lag] = fmaxf(-1, fminf(1, r));
		}
	}
	count(out.counts, missing);
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

#define MIDDLE(NAME, P) extern "C" __global__ void NAME(const P *image, const Box b, Known *known) { middle(image, b, known); }
MIDDLE(middle_bytes, s8)
MIDDLE(middle_shorts, short)
MIDDLE(middle_floats, float)
MIDDLE(middle_doubles, double)

#define REST(REAL) extern "C" __global__ void multiply_##REAL(Complex<REAL> *a, const Complex<REAL> *b, const s64 n, const double scale) \
	{ multiply(a, b, n, scale); } \
extern "C" __global__ void lines_##REAL(const REAL *from, const Extents f, Known *known, float *rows, float *columns) \
	{ lines(from, f, known, rows, columns); } \
extern "C" __global__ void pillars_##REAL(const REAL *from, const Extents f, float *to) { pillars(from, f, to); }
REST(float)
REST(double)

#define RESPOND(NAME, REAL, W) extern "C" __global__ void __launch_bounds__(256) NAME(const REAL *products, const Box b, const Extents f, const W *windows, \
	const Known *known, const float *rows, const float *columns, const float *pillars, const double n, const double inverse, const double mean, \
	const double norm, const double inverseNorm, const double eps, const double floor, const Outcome out) \
	{ respond(products, b, f, windows, known, rows, columns, pillars, n, inverse, mean, norm, inverseNorm, eps, floor, out); }
RESPOND(respond_narrow_float, float, uint2)
RESPOND(respond_wide_float, float, longlong2)
RESPOND(respond_real_float, float, double2)
RESPOND(respond_narrow_double, double, uint2)
RESPOND(respond_wide_double, double, longlong2)
RESPOND(respond_real_double, double, double2)

// The template at the origin, 0 beyond it. Grid: a row each.
#define MODEL(REAL) extern "C" __global__ void model_##REAL(const double *taps, const int width, const int height, const int depth, const Extents f, REAL *to) \
{ \
	const int y = blockIdx.x, z = blockIdx.y; \
	for (int x = threadIdx.x; x < f.x; x += blockDim.x) \
		to[((size_t) z * f.y + y) * f.x + x] = x < width && y < height && z < depth ? (REAL) taps[(z * height + y) * width + x] : (REAL) 0; \
}
MODEL(float)
MODEL(double)
