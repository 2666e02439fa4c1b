// The steps after the sums of a convolution: suspects are computed again, one warp each, in compensated double; some responses become undefined.
#include "sums.cuh"

// Σ k·P of the suspects. pixels: of the box, scaled. kernel: x fastest. If there are more suspects than most, none is computed. Any number of blocks
// of complete warps.
template<class P, class Real> __device__ void suspects(const P *pixels, const Box &b, const double *kernel, const u32 most, const Reach *reach,
	const int exponent, const Outcome &out)
{
	const int lane = threadIdx.x & 31, warps = gridDim.x * (blockDim.x / 32), all = b.width * b.height * b.depth;
	const u32 suspects = out.counts[1];
	if (suspects > most) return;
	for (u32 k = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; k < suspects; k += warps) {
		const u32 lag = out.suspects[k];
		const int x = lag % b.lagsX, y = lag / b.lagsX % b.lagsY, z = lag / b.lagsX / b.lagsY;
		double sum = 0, lost = 0;
		for (int i = lane; i < all; i += 32) {
			const P v = pixels[((size_t) (z + i / b.width / b.height) * b.rows + y + i / b.width % b.height) * b.pitch + x + i % b.width];
			if (!is_finite(v)) continue;
			const double product = __dmul_rn((double) v, kernel[i]), s = __dadd_rn(sum, product), part = __dsub_rn(s, sum);
			lost = __dadd_rn(lost, __dadd_rn(__dsub_rn(sum, __dsub_rn(s, part)), __dsub_rn(product, part)));
			sum = s;
		}
		sum += lost;
		for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
		if (lane > 0) continue;
		store<Real>(out, lag, sum, exponent + exponent_of(reach));
		atomicAdd(out.counts + 2, 1);
	}
}

// Responses become NaN at lags where a NaN or infinite pixel meets a coefficient other than 0. counts: 1 for each such coefficient. to: planes of
// rowsEach rows of columnsEach numbers. A warp per row of pixels. Grid: rows by warps, planes.
template<class P, class Real> __device__ void mark(const P *pixels, const Box &b, const u8 *counts, const Reach *reach, Real *to,
	const int columnsEach, const int rowsEach)
{
	if (reach->defective == 0) return;
	const int lane = threadIdx.x & 31, y = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, z = blockIdx.y, columns = b.lagsX + b.width - 1;
	const int all = b.width * b.height * b.depth;
	if (y >= b.rows) return;
	for (int x0 = 0; x0 < columns; x0 += 32) {
		const bool defective = x0 + lane < columns && !is_finite(pixels[((size_t) z * b.rows + y) * b.pitch + x0 + lane]);
		for (u32 those = __ballot_sync(~0u, defective); those != 0; those &= those - 1) {
			const int x = x0 + __ffs(those) - 1;
			for (int i = lane; i < all; i += 32) {
				const int lagX = x - i % b.width, lagY = y - i / b.width % b.height, lagZ = z - i / b.width / b.height;
				if (counts[i] != 0 && (u32) lagX < (u32) b.lagsX && (u32) lagY < (u32) b.lagsY && (u32) lagZ < (u32) b.lagsZ)
					to[((size_t) lagZ * rowsEach + lagY) * columnsEach + lagX] = (Real) __longlong_as_double(0x7ff8000000000000ll);
			}
		}
	}
}

__device__ inline double overlap(const int from, const int part, const int lag, const int extent) {
	return max(0, min(from + part, lag + extent) - max(from, lag));
}

// Counts the marked responses, and those whose window has fewer than least coefficients inside the image. Both become undefined. A thread per lag.
template<class Real> __device__ void settle(const Box &b, const double least, const Reach *reach, const Outcome &out) {
	if (least == 0 && reach->defective == 0) return;
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
	bool missing = false;
	if (x < b.lagsX && y < b.lagsY) {
		Real &response = ((Real *) out.map)[((size_t) z * b.lagsY + y) * b.lagsX + x];
		missing = response != response || overlap(b.fromX, b.partX, x, b.width) * overlap(b.fromY, b.partY, y, b.height) * overlap(b.fromZ,
			b.partZ, z, b.depth) < least;
		if (missing) response = (Real) out.undefined;
	}
	count(out.counts, missing);
}

#define SUSPECTS(NAME, P, REAL) extern "C" __global__ void NAME(const P *pixels, const Box b, const double *kernel, const u32 most, \
	const Reach *reach, const int exponent, const Outcome out) { suspects<P, REAL>(pixels, b, kernel, most, reach, exponent, out); }
SUSPECTS(suspects_floats_float, float, float)
SUSPECTS(suspects_doubles_float, double, float)
SUSPECTS(suspects_floats_double, float, double)
SUSPECTS(suspects_doubles_double, double, double)

#define MARK(NAME, P, REAL) extern "C" __global__ void NAME(const P *pixels, const Box b, const u8 *counts, const Reach *reach, REAL *to, \
	const int columnsEach, const int rowsEach) { mark<P, REAL>(pixels, b, counts, reach, to, columnsEach, rowsEach); }
MARK(mark_floats_float, float, float)
MARK(mark_doubles_float, double, float)
MARK(mark_floats_double, float, double)
MARK(mark_doubles_double, double, double)

#define SETTLE(REAL) extern "C" __global__ void settle_##REAL(const Box b, const double least, const Reach *reach, const Outcome out) \
	{ settle<REAL>(b, least, reach, out); }
SETTLE(float)
SETTLE(double)
