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

// The box about its median, 0 beyond it and where a pixel is NaN or infinite. Each block one row. energies: of each row; then the reference.
template<class P, class Real> __device__ void pad(const P *image, const Box &b, const Extents f, Real *to, double *energies) {
	const int y = blockIdx.x, z = blockIdx.y;
	__shared__ double middle;
	__shared__ Real sums[32];
	const bool inside = y < b.rows && z < b.planes;
	if (threadIdx.x < 32) {
		const double m = median(image, b);
		if (threadIdx.x == 0) {
			middle = m;
			if (y == 0 && z == 0) energies[(size_t) f.y * f.z] = m;
		}
	}
	__syncthreads();
	const double reference = middle;
	const P *from = image + ((size_t) z * b.rows + y) * b.pitch;
	Real *row = to + ((size_t) z * f.y + y) * f.x, energy = 0;
	for (int x = threadIdx.x; x < f.x; x += blockDim.x) {
		Real v = 0;
		if (inside && x < b.lagsX + b.width - 1) v = (Real) (from[x] - (P) reference);
		if (!(fabs((double) v) <= 1e300)) v = 0;
		row[x] = v;
		energy += v * v;
	}
	energy = warp_sum(energy);
	if ((threadIdx.x & 31) == 0) sums[threadIdx.x / 32] = energy;
	__syncthreads();
	if (threadIdx.x < 32) {
		energy = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : (Real) 0);
		if (threadIdx.x == 0) energies[(size_t) z * f.y + y] = energy;
	}
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

// Σ y² of every row (z·f.y + y) and column (z·f.x + x), of blocks of 128x32, added up; and along z (y·f.x + x) where there is more than one plane.
template<class Real> __device__ void lines(const Real *from, const Extents f, float *rows, float *columns) {
	const int x = blockIdx.x * 128 + threadIdx.x, z = blockIdx.z;
	const int until = min(f.y, (int) (blockIdx.y + 1) * 32);
	float column = 0;
	for (int y = blockIdx.y * 32; y < until; y++) {
		const float v = x < f.x ? (float) from[((size_t) z * f.y + y) * f.x + x] : 0;
		column += v * v;
		const float row = warp_sum(v * v);
		if ((threadIdx.x & 31) == 0) atomicAdd(rows + (size_t) z * f.y + y, row);
	}
	if (x < f.x) atomicAdd(columns + (size_t) z * f.x + x, column);
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

__device__ inline bool window_of(const uint2 w, const double n, Window &to) {
	const double s = (int) w.x, v = n * (double) w.y - s * s;
	to.mean = s / n;
	to.variance = v / n;
	return v != 0;
}

__device__ inline bool window_of(const longlong2 w, const double n, Window &to) {
	const double v = difference((s64) n, w.y, w.x, w.x);
	to.mean = (double) w.x / n;
	to.variance = v / n;
	return v != 0;
}

__device__ inline bool window_of(const double2 w, const double, Window &to) {
	to.mean = w.x;
	to.variance = w.y;
	return true;
}

// One block a row of 256 lags. eps: of the transforms, with its margin and the root of how many passes they have; tolerance of a response.
template<class Real, class W> __device__ void respond(const Real *products, const Box &b, const Extents f, const W *windows, const double *energies,
	const float *rows, const float *columns, const float *pillars, const double n, const double mean, const double norm, const double eps,
	const double tolerance, const double floor, const Outcome &out)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
	__shared__ float most[8];
	// the most energetic row of pixels that the windows of this row of lags see
	float energy = 0;
	for (int i = threadIdx.x; i < b.height * b.depth; i += blockDim.x)
		energy = fmaxf(energy, (float) energies[(size_t) (z + i / b.height) * f.y + y + i % b.height]);
	for (int o = 16; o > 0; o /= 2) energy = fmaxf(energy, __shfl_xor_sync(~0u, energy, o));
	if ((threadIdx.x & 31) == 0) most[threadIdx.x / 32] = energy;
	__syncthreads();
	for (int i = 0; i < 8; i++) energy = fmaxf(energy, most[i]);
	bool missing = false, suspect = false;
	const size_t lag = ((size_t) z * b.lagsY + y) * b.lagsX + x;
	if (x < b.lagsX) {
		Window w;
		missing = !window_of(windows[lag], n, w);
		if (missing) out.map[lag] = out.undefined;
		else {
			const double reference = energies[(size_t) f.y * f.z];
			const double p = (double) products[((size_t) z * f.y + y) * f.x + x] - n * (w.mean - reference) * mean;
			float noise = sqrtf(energy / f.x) * (float) norm + sqrtf(rows[(size_t) z * f.y + y] / f.x) + sqrtf(columns[(size_t) z * f.x + x] / f.y);
			if (f.z > 1) noise += sqrtf(pillars[(size_t) y * f.x + x] / f.z);
			const double r = p * root_inverse(w.variance) / norm;
			// NaN is suspect, too
			suspect = !(w.variance > floor && eps * noise <= tolerance * sqrtf((float) w.variance) * norm && fabs(r) < 2);
			if (suspect) out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
			else out.map[lag] = (float) fmax(-1.0, fmin(1.0, r));
		}
	}
	count(out.counts, missing);
}

#define PAD(NAME, P, REAL) extern "C" __global__ void NAME(const P *image, const Box b, const Extents f, REAL *to, double *energies) \
	{ pad(image, b, f, to, energies); }
PAD(pad_bytes_float, s8, float)
PAD(pad_shorts_float, short, float)
PAD(pad_floats_float, float, float)
PAD(pad_doubles_float, double, float)
PAD(pad_bytes_double, s8, double)
PAD(pad_shorts_double, short, double)
PAD(pad_floats_double, float, double)
PAD(pad_doubles_double, double, double)

#define REST(REAL) extern "C" __global__ void multiply_##REAL(Complex<REAL> *a, const Complex<REAL> *b, const s64 n, const double scale) \
	{ multiply(a, b, n, scale); } \
extern "C" __global__ void lines_##REAL(const REAL *from, const Extents f, float *rows, float *columns) { lines(from, f, rows, columns); } \
extern "C" __global__ void pillars_##REAL(const REAL *from, const Extents f, float *to) { pillars(from, f, to); }
REST(float)
REST(double)

#define RESPOND(NAME, REAL, W) extern "C" __global__ void __launch_bounds__(256) NAME(const REAL *products, const Box b, const Extents f, const W *windows, \
	const double *energies, const float *rows, const float *columns, const float *pillars, const double n, const double mean, const double norm, \
	const double eps, const double tolerance, const double floor, const Outcome out) \
	{ respond(products, b, f, windows, energies, rows, columns, pillars, n, mean, norm, eps, tolerance, floor, out); }
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
