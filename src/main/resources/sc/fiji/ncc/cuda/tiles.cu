// Fourier transforms of tiles of N·N pixels in shared memory. Two tiles are the real and the imaginary part of one transform; a product with the
// spectrum of a real template keeps them separate. A template that is too large for a tile is cut into parts. The products of their spectra with
// those of the neighbouring tiles are added up, and so are the planes of a volume. In float, with a fallback to double.
#include "fourier.cuh"
#include "sums.cuh"
#include "transform.cuh"

// How a box of lags is cut. A tile has stepX by stepY lags. A template has partsX by partsY parts per plane; if there are several, each is as large
// as the step. The second tile of a pair is half rows of tiles below the first. across, down: the pairs with spectra. columns, rows: the pixels of a
// tile that are read.
struct Cut { int stepX, stepY, half, partsX, partsY, across, down, columns, rows; };

// The error of each pixel if all have the sign of the template, in eps of the root of the mean square of its line, over the margin of the estimate.
#define EQUAL_SIGN (2.0 / 12)

// The data for the error estimate of a pair of tiles: the energies of the lines of its spectrum, and their sum. line: the greatest root of the mean
// square of a row or column of its pixels. magnitude, norm: the sum of the magnitudes of the pixels, and the root of the sum of their squares.
template<int N> struct Pair {
	float alongX[N], alongY[N], energy, line;
	double references[2], origin, magnitude, norm; // origin: the real part at frequency 0
};

// The sum over the block, for all its threads. shared: one element per warp; it is free after the next __syncthreads.
template<int THREADS, class Real> __device__ inline Real block_sum(const Real v, Real *shared) {
	const Real sum = warp_sum(v);
	__syncthreads();
	if ((threadIdx.x & 31) == 0) shared[threadIdx.x / 32] = sum;
	__syncthreads();
	Real all = 0;
	for (int w = 0; w < THREADS / 32; w++) all += shared[w];
	return all;
}

// The spectra of pairs of tiles, times scale: of pixels minus their mean (centre), or of a template. Grid: pairs across, down, planes.
template<class P, class Real, int N> __device__ void forward(const P *image, const Box &b, const Cut &cut, const bool centre, const double scale,
	const Complex<Real> *roots, Complex<Real> *spectra, Pair<N> *pairs)
{
	typedef Tile<Real, N> T;
	extern __shared__ __align__(16) u8 memory[];
	T &tile = *(T *) memory;
	__shared__ float alongX[N], alongY[N];
	__shared__ double partial[T::THREADS / 32];
	const int x0 = blockIdx.x * cut.stepX, z = blockIdx.z, x = threadIdx.x % N, first = threadIdx.x / N, columns = b.lagsX + b.width - 1;
	const size_t index = ((size_t) z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	tile.begin(roots);
	double references[2];
	#pragma unroll
	for (int part = 0; part < 2; part++) {
		const int y0 = (blockIdx.y + part * cut.half) * cut.stepY;
		P pixels[T::EACH];
		u32 counts = 0;
		#pragma unroll
		for (int m = 0; m < T::EACH; m++) {
			const int y = first + m * (T::THREADS / N);
			const bool inside = x < cut.columns && y < cut.rows && x0 + x < columns && y0 + y < b.rows;
			pixels[m] = 0;
			if (inside) pixels[m] = image[((size_t) z * b.rows + y0 + y) * b.pitch + x0 + x];
			if (inside && is_finite(pixels[m])) counts |= 1u << m;
		}
		double reference = 0;
		if (centre) {
			Real sum = 0;
			#pragma unroll
			for (int m = 0; m < T::EACH; m++)
				if (counts >> m & 1) sum += (Real) pixels[m];
			const double all = block_sum<T::THREADS>((double) sum, partial), n = block_sum<T::THREADS>((double) __popc(counts), partial);
			// integers minus an integer are exact
			reference = n > 0 ? sizeof(P) <= 2 ? rint(all / n) : (double) (Real) (all / n) : 0;
		}
		references[part] = reference;
		#pragma unroll
		for (int m = 0; m < T::EACH; m++) {
			Real v = 0;
			if (counts >> m & 1) v = sizeof(P) > sizeof(Real) ? (Real) ((double) pixels[m] - reference) : (Real) pixels[m] - (Real) reference;
			Complex<Real> &to = tile.v[T::at(x, first + m * (T::THREADS / N))];
			if (part == 0) to.x = v;
			else to.y = v;
		}
	}
	for (int i = threadIdx.x; i < N; i += T::THREADS) alongX[i] = alongY[i] = 0;
	__syncthreads();
	float energies[T::EACH], column = 0, magnitudes = 0;
	#pragma unroll
	for (int m = 0; m < T::EACH; m++) {
		const Complex<Real> v = tile.v[T::at(x, first + m * (T::THREADS / N))];
		energies[m] = (float) v.x * (float) v.x + (float) v.y * (float) v.y;
		column += energies[m];
		magnitudes += fabsf((float) v.x) + fabsf((float) v.y);
	}
	atomicAdd(alongY + x, column);
	const float rowOfPixels = sums_of_32(energies);
	atomicAdd(alongX + first + (threadIdx.x & 31) * (T::THREADS / N), rowOfPixels);
	const double magnitude = block_sum<T::THREADS>((double) magnitudes, partial);
	float line = 0, squares = 0;
	if (threadIdx.x < 32) {
		for (int i = threadIdx.x; i < N; i += 32) {
			line = fmaxf(line, fmaxf(alongX[i], alongY[i]));
			squares += alongX[i];
		}
		for (int o = 16; o > 0; o /= 2) line = fmaxf(line, __shfl_xor_sync(~0u, line, o));
		squares = warp_sum(squares);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < N; i += T::THREADS) alongX[i] = alongY[i] = 0;
	__syncthreads();
	tile.forward();
	Complex<Real> *to = spectra + index * (N * N);
	column = 0;
	double origin = 0;
	#pragma unroll
	for (int m = 0; m < T::EACH; m++) {
		Complex<Real> v = tile.v[T::at(x, first + m * (T::THREADS / N))];
		v.x *= (Real) scale;
		v.y *= (Real) scale;
		to[threadIdx.x + m * T::THREADS] = v;
		if (m == 0) origin = v.x;
		energies[m] = (float) v.x * (float) v.x + (float) v.y * (float) v.y;
		column += energies[m];
	}
	const float row = sums_of_32(energies);
	atomicAdd(alongY + x, column);
	atomicAdd(alongX + first + (threadIdx.x & 31) * (T::THREADS / N), row);
	__syncthreads();
	Pair<N> &pair = pairs[index];
	float all = 0;
	for (int i = threadIdx.x; i < N; i += T::THREADS) {
		pair.alongX[i] = alongX[i];
		pair.alongY[i] = alongY[i];
		all += alongX[i];
	}
	const double energy = block_sum<T::THREADS>((double) all, partial);
	if (threadIdx.x > 0) return;
	pair.energy = (float) energy;
	pair.line = sqrtf(line / N);
	pair.magnitude = magnitude;
	pair.norm = sqrt((double) squares);
	pair.references[0] = references[0];
	pair.references[1] = references[1];
	pair.origin = origin;
}

// From spectra to products, of which finish(product, reference, spread, noise, lag) makes responses: the product of pixels about the reference, how
// far other parts' references are from that one, and the estimated error over that of a transform's pass. models, modelPairs: the template's, by
// planes and parts. Grid: tiles across, half of those down, planes of lags.
template<class Real, int N, class Finish> __device__ void back(const Complex<Real> *spectra, const Pair<N> *pairs, const Complex<Real> *models,
	const Pair<N> *modelPairs, const Box &b, const Cut &cut, const Complex<Real> *roots, Finish &finish)
{
	typedef Tile<Real, N> T;
	extern __shared__ __align__(16) u8 memory[];
	T &tile = *(T *) memory;
	__shared__ double partial[T::THREADS / 32];
	__shared__ float rows[N], columns[N];
	const int x = threadIdx.x % N, first = threadIdx.x / N, z = blockIdx.z;
	tile.begin(roots);
	Complex<Real> sum[T::EACH];
	#pragma unroll
	for (int m = 0; m < T::EACH; m++) sum[m].x = sum[m].y = 0;
	double noise = 0, shifts = 0, references[2] = { 0, 0 };
	float spreads[2] = { 0, 0 };
	int part = 0;
	for (int k = 0; k < b.depth; k++)
		for (int q = 0; q < cut.partsY; q++)
			for (int p = 0; p < cut.partsX; p++, part++) {
				const size_t index = ((size_t) (z + k) * cut.down + blockIdx.y + q) * cut.across + blockIdx.x + p;
				const Complex<Real> *a = spectra + index * (N * N) + threadIdx.x, *c = models + (size_t) part * (N * N) + threadIdx.x;
				const Pair<N> &pair = pairs[index], &model = modelPairs[part];
				#pragma unroll
				for (int m = 0; m < T::EACH; m++) {
					Complex<Real> v = a[m * T::THREADS];
					const Complex<Real> w = c[m * T::THREADS];
					sum[m].x += v.x * w.x + v.y * w.y;
					sum[m].y += v.y * w.x - v.x * w.y;
				}
				double alongX = 0, alongY = 0;
				for (int i = threadIdx.x; i < N; i += T::THREADS) {
					alongX += (double) pair.alongX[i] * model.alongX[i];
					alongY += (double) pair.alongY[i] * model.alongY[i];
				}
				alongX = block_sum<T::THREADS>(alongX, partial);
				alongY = block_sum<T::THREADS>(alongY, partial);
				const double spread = (double) pair.energy * model.energy / (N * N);
				// in the place of the pixels of a strong line, errors of a pass are as large as those of this line alone: see PixelNoise on the CPU
				const double ofLine = pair.line * fmax((double) sqrtf(log2f(N)) * model.norm, EQUAL_SIGN * model.magnitude);
				// equal planes have equal errors
				noise += fmax(ofLine, sqrt((fmax(alongX / N, spread) + fmax(alongY / N, spread)) * log2f(N)));
				if (part == 0) {
					references[0] = pair.references[0];
					references[1] = pair.references[1];
				}
				else {
					// all parts refer to the reference of the first one
					const double points = (double) N * N * model.origin, ofFirst = pair.references[0] - references[0],
						ofSecond = pair.references[1] - references[1];
					const double da = ofFirst * points, db = ofSecond * points;
					spreads[0] = fmaxf(spreads[0], fabsf((float) ofFirst));
					spreads[1] = fmaxf(spreads[1], fabsf((float) ofSecond));
					shifts += da * da + db * db;
					if (threadIdx.x == 0) {
						sum[0].x += (Real) da;
						sum[0].y += (Real) db;
					}
				}
			}
	#pragma unroll
	for (int m = 0; m < T::EACH; m++) tile.v[T::at(x, first + m * (T::THREADS / N))] = sum[m];
	__syncthreads();
	tile.inverse();
	float energies[T::EACH], column = 0;
	#pragma unroll
	for (int m = 0; m < T::EACH; m++) {
		const Complex<Real> v = tile.v[T::at(x, first + m * (T::THREADS / N))];
		energies[m] = (float) v.x * (float) v.x + (float) v.y * (float) v.y;
		column += energies[m];
	}
	for (int i = threadIdx.x; i < N; i += T::THREADS) rows[i] = columns[i] = 0;
	__syncthreads();
	atomicAdd(columns + x, column);
	const float row = sums_of_32(energies);
	atomicAdd(rows + first + (threadIdx.x & 31) * (T::THREADS / N), row);
	const double all = block_sum<T::THREADS>((double) row, partial);
	// the sum of equal spectra grows, and each addition is rounded like a pass
	const float forth = (float) (noise + sqrt(shifts)), levels = sqrtf(2 * log2f(N) + part), of = sqrtf(fmaxf((float) (all / (N * N)),
		columns[x] / N));
	#pragma unroll
	for (int part = 0; part < 2; part++)
		#pragma unroll 8
		for (int m = 0; m < T::EACH; m++) {
			const int y = first + m * (T::THREADS / N), lagX = blockIdx.x * cut.stepX + x, lagY = (blockIdx.y + part * cut.half) * cut.stepY + y;
			if (x >= cut.stepX || y >= cut.stepY || lagX >= b.lagsX || lagY >= b.lagsY) continue;
			const size_t lag = ((size_t) z * b.lagsY + lagY) * b.lagsX + lagX;
			const Complex<Real> v = tile.v[T::at(x, y)];
			finish(part == 0 ? v.x : v.y, references[part], spreads[part], forth + levels * (sqrtf(rows[y] / N) + of), lag);
		}
	finish.end();
}

// From products to correlations. W: the type of the window sums.
template<class Out, class W> struct Respond {
	const W *windows;
	const Trust &trust;
	const Outcome &out;
	u32 missing;

	template<class Real> __device__ void operator()(const Real product, const double reference, const float spread, const float noise,
		const size_t lag)
	{
		RealWindow w;
		const bool flat = !window_of(windows[lag], trust, w);
		missing += flat;
		answer<Out, is_real<W>>(product, w, flat, trust.least(noise), reference, spread, lag, trust, out);
	}

	__device__ void end() {
		if (missing > 0) atomicAdd(out.counts, missing);
	}
};

// The parameters of plain sums: the sum of the kernel, the largest noise relative to the largest magnitude of a pixel, and the exponent of the
// kernel's scale. scaled: whether pixels are scaled.
struct Demand { double sum, noise; int exponent, scaled; };

template<class Out> struct Sum {
	const Demand &demand;
	const Outcome &out;
	const double most;
	const int exponent;

	__device__ Sum(const Demand &demand, const Reach *reach, const Outcome &out) : demand(demand), out(out), most(demand.noise * most_of(reach,
		demand.scaled)),
		exponent(demand.exponent + (demand.scaled ? exponent_of(reach) : 0)) {}

	template<class Real> __device__ void operator()(const Real product, const double reference, const float, const float noise, const size_t lag) {
		store<Out>(out, lag, (double) product + reference * demand.sum, exponent);
		// NaN is suspect, too
		if (!(noise <= most)) out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
	}

	__device__ void end() {}
};

#define FORWARD(KERNEL, P, R, N) extern "C" __global__ void __launch_bounds__(N * N / 32) KERNEL(const P *image, const Box b, const Cut cut, \
	const int centre, const double scale, const Complex<R> *roots, Complex<R> *spectra, Pair<N> *pairs) \
	{ forward<P, R, N>(image, b, cut, centre != 0, scale, roots, spectra, pairs); }

#define BACK(KERNEL, R, N, O, W) extern "C" __global__ void __launch_bounds__(N * N / 32) KERNEL(const Complex<R> *spectra, const Pair<N> *pairs, \
	const Complex<R> *models, const Pair<N> *modelPairs, const Box b, const Cut cut, const Complex<R> *roots, const W *windows, const Trust trust, \
	const Outcome out) \
{ \
	Respond<O, W> respond = { windows, trust, out, 0 }; \
	back<R, N>(spectra, pairs, models, modelPairs, b, cut, roots, respond); \
}

#define SUM(KERNEL, R, N, O) extern "C" __global__ void __launch_bounds__(N * N / 32) KERNEL(const Complex<R> *spectra, const Pair<N> *pairs, \
	const Complex<R> *models, const Pair<N> *modelPairs, const Box b, const Cut cut, const Complex<R> *roots, const Reach *reach, \
		const Demand demand, \
	const Outcome out) \
{ \
	Sum<O> sum(demand, reach, out); \
	back<R, N>(spectra, pairs, models, modelPairs, b, cut, roots, sum); \
}

#define BACKS(R, N) \
BACK(back_narrow_float_##R##_##N, R, N, float, uint2) \
BACK(back_wide_float_##R##_##N, R, N, float, longlong2) \
BACK(back_real_float_##R##_##N, R, N, float, RealWindow)

#define TILES(R, N) \
BACKS(R, N) \
FORWARD(forward_bytes_##R##_##N, s8, R, N) \
FORWARD(forward_shorts_##R##_##N, short, R, N) \
FORWARD(forward_floats_##R##_##N, float, R, N) \
FORWARD(forward_doubles_##R##_##N, double, R, N) \
SUM(sum_float_##R##_##N, R, N, float)

#define IN_DOUBLE(N) \
BACK(back_narrow_double_double_##N, double, N, double, uint2) \
BACK(back_wide_double_double_##N, double, N, double, longlong2) \
BACK(back_real_double_double_##N, double, N, double, RealWindow) \
SUM(sum_double_double_##N, double, N, double)

// A single kernel: -DREAL=... -DSIDE=... -DNAME=..., with the type of pixels, or with the type of responses and, for correlations, that of window
// sums.
#define ONE(WHAT, ...) WHAT(__VA_ARGS__)
#if defined(PIXEL)
ONE(FORWARD, NAME, PIXEL, REAL, SIDE)
#elif defined(WINDOWS)
ONE(BACK, NAME, REAL, SIDE, OUT, WINDOWS)
#elif defined(OUT)
ONE(SUM, NAME, REAL, SIDE, OUT)
#elif defined(PAIRS)
BACKS(float, 128)
BACKS(float, 64)
#else
TILES(float, 128)
TILES(float, 64)
TILES(double, 64)
TILES(double, 32)
IN_DOUBLE(64)
IN_DOUBLE(32)
#endif
