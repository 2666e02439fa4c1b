// Many templates over small shifts (smallshifts.cu): the sums of all blocks added up, and the responses: map[frame][template][lag]. counts: of each frame as in Outcome. Grid:
// templates, frames, lags.
#include "smallshifts.cuh"

template<class Out, class Sum> __device__ inline Sum total(const Batch &b, const Out *partials, const Model &m, const int x, const int y) {
	const int columns = (b.lagsX + ACROSS - 1) / ACROSS * ACROSS;
	const size_t lags = (size_t) columns * ((b.lagsY + b.down - 1) / b.down * b.down);
	const Out *from = partials + ((size_t) blockIdx.y * b.parts + m.firstPart) * lags + y * columns + x;
	Sum sum = 0;
	#pragma unroll 4
	for (int i = 0; i < m.parts; i++) sum += (Sum) from[i * lags];
	return sum;
}

template<class Out> __device__ void respond(const Batch &b, const Out *partials, const Sums<s64> *windows, float *map, u32 *counts) {
	const size_t i = (size_t) blockIdx.y * b.templates + blockIdx.x;
	const Model m = b.models[blockIdx.x];
	const int lags = b.lagsX * b.lagsY;
	const double inverseNorm = 1 / m.norm;
	int missing = 0;
	for (int lag = blockIdx.z * blockDim.x + threadIdx.x; lag < lags; lag += gridDim.z * blockDim.x) {
		const Sums<s64> w = windows[i * lags + lag];
		const s64 product = total<Out, s64>(b, partials, m, lag % b.lagsX, lag / b.lagsX);
		const double variance = difference((s64) m.n, w.q, w.s, w.s);
		missing += variance == 0;
		map[i * lags + lag] = variance == 0 ? b.places[i].undefined : quotient(difference((s64) m.n, product, w.s, (s64) m.sum), variance, m.norm, inverseNorm);
	}
	if (missing > 0) atomicAdd(counts + 4 * blockIdx.y, missing);
}

extern "C" __global__ void respond_bytes(const Batch b, const int *partials, const Sums<s64> *windows, float *map, u32 *counts) { respond(b, partials, windows, map, counts); }
extern "C" __global__ void respond_shorts(const Batch b, const s64 *partials, const Sums<s64> *windows, float *map, u32 *counts) { respond(b, partials, windows, map, counts); }

// Responses with an estimated error above the tolerance become suspects. floor: the smallest N·σ² without underflow.
extern "C" __global__ void respond_floats(const Batch b, const float *partials, const Sums<double> *windows, const double floor, float *map, u32 *suspects, u32 *count) {
	const size_t i = (size_t) blockIdx.y * b.templates + blockIdx.x;
	const Model m = b.models[blockIdx.x];
	const int lags = b.lagsX * b.lagsY;
	for (int lag = blockIdx.z * blockDim.x + threadIdx.x; lag < lags; lag += gridDim.z * blockDim.x) {
		const Sums<double> w = windows[i * lags + lag];
		const double product = total<float, double>(b, partials, m, lag % b.lagsX, lag / b.lagsX);
		const double r = (product - w.s * m.sum) * root_inverse(w.q) * m.norm;
		// NaN is suspect, too
		if (w.q > floor && w.s * w.s <= m.limit * m.n * w.q && fabs(r) < 2) map[i * lags + lag] = (float) fmax(-1.0, fmin(1.0, r));
		else suspects[atomicAdd(count, 1)] = (u32) (i * lags + lag);
	}
}
