// The responses of small templates in float in one pass over the original pixels: Σd·T̂, Σd and Σd² for d = pixel - reference. T̂ is the zero-mean
// template, the reference the median of some pixels of the block. A block has 256x32 lags and all pixels of their windows in shared memory. A thread
// has 8 adjacent lags of every eighth row. d is scaled by a power of two, to about 1; pixels that then exceed the range of float make their windows
// suspect. Σd and Σd² are in double or pairs of floats: running sums down the columns, which begin anew for each
// 8 rows of lags, and then along the rows. See TiledDirectMethod for the error estimate.
#include "wide.cuh"

#define LAGS_X 256
#define WARPS 8
#define DOWN 4
#define LAGS_Y (WARPS * DOWN)
// The number of rows of coefficients whose products are summed before their sum is added to the total.
#define RUN_ROWS 4
// The coefficients of a row in global memory.
#define STRIDE 32

struct __align__(16) Four { float v[4]; };

// The place of column x in a row of pixels: the loads of 8 adjacent threads, 8 columns apart, use different banks.
__device__ constexpr int place(const int x) { return x + (x >> 5 << 2); }

// OCTETS: the columns of the template over 8. PITCH: of a row of pixels. SUMS: of a row of column sums.
template<int OCTETS> struct Layout {
	static constexpr int COLUMNS = LAGS_X + 8 * OCTETS, PITCH = COLUMNS + (COLUMNS - 1) / 32 * 4, SUMS = COLUMNS / 8 * 9;
};

__device__ inline void load8(float *to, const float *from) {
	*(Four *) to = *(const Four *) from;
	*(Four *) (to + 4) = *(const Four *) (from + 4);
}

// The reference, and the power of two that brings the deviations of the pixels of which it is the median to 1 or 2.
struct Level { float reference, scale; };

// All pixels minus the reference, scaled. passed: at least Σd² of the thread's pixels; NaN or infinite if a pixel is.
template<int OCTETS, class P> __device__ void load(const P *raw, const Box &b, float *tile, Level *level, float &passed) {
	typedef Layout<OCTETS> L;
	constexpr int EACH = (L::COLUMNS + 31) / 32;
	const int lane = threadIdx.x, x0 = blockIdx.x * LAGS_X, y0 = blockIdx.y * LAGS_Y, z = blockIdx.z;
	const int columns = min(L::COLUMNS, b.lagsX + b.width - 1 - x0), rows = LAGS_Y + b.height - 1;
	if (threadIdx.y == 0) {
		const int x = x0 + (2 * lane + 1) * columns / 64, y = y0 + lane * 13 % 32 * min(rows, b.rows - y0) / 32;
		const float v = raw[raw_index(b, x, y, z)], key = fabsf(v) <= 3e38f ? v : 3e38f;
		int rank = 0;
		for (int o = 0; o < 32; o++) {
			const float other = __shfl_sync(~0u, key, o);
			rank += other < key || (other == key && o < lane);
		}
		const u32 finite = __ballot_sync(~0u, key < 3e38f), middle = __ballot_sync(~0u, rank == __popc(finite) / 2);
		const float reference = finite == 0 ? 0 : __shfl_sync(~0u, v, __ffs(middle) - 1);
		float reach = key < 3e38f ? fabsf(v - reference) : 0;
		for (int o = 16; o > 0; o /= 2) reach = fmaxf(reach, __shfl_xor_sync(~0u, reach, o));
		// the exponent of the scale is that of a normal number
		const int exponent = __float_as_int(reach) >> 23;
		if (lane == 0) *level = { reference, reach == 0 ? 1 : __int_as_float(max(1, min(253, 254 - exponent)) << 23) };
	}
	__syncthreads();
	const float reference = level->reference, scale = level->scale;
	for (int y = threadIdx.y; y < rows; y += WARPS) {
		const int until = y0 + y < b.rows ? columns : 0;
		const P *from = raw + raw_index(b, x0, min(y0 + y, b.rows - 1), z) + lane;
		P v[EACH];
		// all loads start before the first value is used
		#pragma unroll
		for (int i = 0; i < EACH; i++) {
			v[i] = 0;
			if (lane + 32 * i < until) v[i] = from[32 * i];
		}
		#pragma unroll
		for (int i = 0; i < EACH; i++) {
			const int x = lane + 32 * i;
			const float d = x < until ? ((float) v[i] - reference) * scale : 0;
			if (x < L::COLUMNS) tile[y * L::PITCH + lane + 36 * i] = d;
			passed = fmaf(d, d, passed);
		}
	}
}

// Adds the products with rows from..until-1 of pixels to the sums of those rows of lags of a thread, FIRST..LAST, that they all belong to.
template<int OCTETS, int ROWS, int FIRST, int LAST> __device__ inline void add_rows(const float *pixels, const float *coefficients, const int from,
	const int until, float (&sum)[ROWS][8], float (&total)[ROWS][8])
{
	typedef Layout<OCTETS> L;
	int at[OCTETS + 1];
	#pragma unroll
	for (int o = 0; o <= OCTETS; o++) at[o] = place(8 * (threadIdx.x + o));
	#pragma unroll OCTETS == 1 ? 4 : 1
	for (int r = from; r < until; r++) {
		float p[16];
		load8(p, pixels + r * L::PITCH + at[0]);
		#pragma unroll
		for (int o = 0; o < OCTETS; o++) {
			load8(p + 8, pixels + r * L::PITCH + at[o + 1]);
			#pragma unroll
			for (int a = FIRST; a <= LAST; a++) {
				float t[8];
				load8(t, coefficients + 8 * ((r - WARPS * a) * OCTETS + o));
				#pragma unroll
				for (int k = 0; k < 8; k++)
					#pragma unroll
					for (int i = 0; i < 8; i++) sum[a][i] = fmaf(t[k], p[i + k], sum[a][i]);
			}
			#pragma unroll
			for (int i = 0; i < 8; i++) p[i] = p[i + 8];
		}
		// short runs, so that equal roundings do not add up to much
		if ((r + 1) % RUN_ROWS == 0)
			#pragma unroll
			for (int a = FIRST; a <= LAST; a++)
				#pragma unroll
				for (int i = 0; i < 8; i++) {
					total[a][i] += sum[a][i];
					sum[a][i] = 0;
				}
	}
}

// Σd·T̂ of ROWS rows of lags of a thread, from the first-th on. Two rows share pixels; one row needs fewer registers.
template<int OCTETS, int ROWS> __device__ inline void products(const float *tile, const float *coefficients, const int height, const int first,
	float (&total)[ROWS][8])
{
	float sum[ROWS][8];
	#pragma unroll
	for (int a = 0; a < ROWS; a++)
		#pragma unroll
		for (int i = 0; i < 8; i++) total[a][i] = sum[a][i] = 0;
	const float *pixels = tile + (WARPS * first + threadIdx.y) * Layout<OCTETS>::PITCH;
	if constexpr (ROWS == 1) add_rows<OCTETS, 1, 0, 0>(pixels, coefficients, 0, height, sum, total);
	else {
		add_rows<OCTETS, 2, 0, 0>(pixels, coefficients, 0, min(WARPS, height), sum, total);
		add_rows<OCTETS, 2, 0, 1>(pixels, coefficients, WARPS, height, sum, total);
		add_rows<OCTETS, 2, 1, 1>(pixels, coefficients, max(WARPS, height), WARPS + height, sum, total);
	}
	// a run of fewer rows
	#pragma unroll
	for (int a = 0; a < ROWS; a++)
		#pragma unroll
		for (int i = 0; i < 8; i++) total[a][i] += sum[a][i];
}

#ifdef PAIRS
__device__ inline Wide square(const float v) { return two_product(v, v); }
#else
__device__ inline Wide square(const float v) { return (double) v * v; }
#endif

// Σd and Σd² of a column over the rows of WARPS windows, one below the other.
template<int PITCH> __device__ inline void column(const float *from, const int height, Wide (&s)[WARPS], Wide (&q)[WARPS]) {
	Wide sum = 0, squares = 0;
	#pragma unroll 4
	for (int j = 0; j < height - 1; j++) {
		const float v = from[j * PITCH];
		sum += v;
		squares += square(v);
	}
	#pragma unroll
	for (int r = 0; r < WARPS; r++) {
		const float enter = from[(r + height - 1) * PITCH], leave = from[r * PITCH];
		sum += enter;
		squares += square(enter);
		s[r] = sum;
		q[r] = squares;
		sum -= leave;
		squares -= square(leave);
	}
}

// From column sums to those of the 8 adjacent windows of a thread.
template<int OCTETS> __device__ inline void windows(const Wide *row, const int width, Wide (&to)[8]) {
	row += 9 * threadIdx.x;
	Wide sum = 0;
	#pragma unroll
	for (int o = 0; o < OCTETS; o++)
		#pragma unroll
		for (int i = 0; i < 8; i++)
			if (o + 1 < OCTETS || 8 * o + i < width) sum += row[9 * o + i];
	to[0] = sum;
	#pragma unroll
	for (int i = 0; i < 7; i++) {
		sum += row[width + i + ((width + i) >> 3)];
		sum -= row[i];
		to[i + 1] = sum;
	}
}

// The parameters of responses. share: the minimum variance relative to the sums that passed. limit, floor: as in floats.cu.
struct Terms { double inverse, share, n, mean, inverseNorm, limit, floor; };

// coefficients: T̂, STRIDE numbers a row, 0 beyond the template. Grid: 256x32 lags, planes.
template<int OCTETS> __device__ void respond(const void *raw, const int type, const Box &b, const float *coefficients,
	const Terms &terms, const Outcome &out)
{
	typedef Layout<OCTETS> L;
	extern __shared__ __align__(16) u8 memory[];
	__shared__ float partial[WARPS];
	__shared__ Level level;
	const int height = b.height, lane = threadIdx.x, id = threadIdx.y * 32 + lane;
	Wide *sums = (Wide *) memory;
	float *own = (float *) (sums + WARPS * L::SUMS), *tile = own + 8 * OCTETS * height;
	for (int i = id; i < 8 * OCTETS * height; i += 32 * WARPS) own[i] = coefficients[i / (8 * OCTETS) * STRIDE + i % (8 * OCTETS)];
	float passed = 0;
	switch (type) {
		case 0: load<OCTETS>((const u8 *) raw, b, tile, &level, passed); break;
		case 1: load<OCTETS>((const s8 *) raw, b, tile, &level, passed); break;
		case 2: load<OCTETS>((const u16 *) raw, b, tile, &level, passed); break;
		case 3: load<OCTETS>((const short *) raw, b, tile, &level, passed); break;
		default: load<OCTETS>((const float *) raw, b, tile, &level, passed);
	}
	for (int o = 16; o > 0; o /= 2) passed += __shfl_xor_sync(~0u, passed, o);
	if (lane == 0) partial[threadIdx.y] = passed;
	__syncthreads();
	constexpr int ROWS = OCTETS == 1 ? 1 : 2;
	float total[ROWS][8];
	passed = 0;
	#pragma unroll
	for (int w = 0; w < WARPS; w++) passed += partial[w];
	// NaN stays: then no response is trusted
	passed *= (float) (rounding<Wide>() * terms.share);
	const float floor = (float) terms.floor, least = passed <= floor ? floor : passed, n = (float) terms.n, limit = (float) terms.limit;
	const float ofMean = (float) (terms.n * terms.mean), inverse = (float) terms.inverse, inverseNorm = (float) terms.inverseNorm;
	const Wide each = wide(terms.inverse);
	const int x0 = blockIdx.x * LAGS_X, y0 = blockIdx.y * LAGS_Y;
	#pragma unroll ROWS
	for (int a = 0; a < DOWN; a++) {
		if (y0 + WARPS * a >= b.lagsY) break;
		if (a % ROWS == 0) products<OCTETS>(tile, own, height, a, total);
		Wide s[WARPS], q[WARPS], restS = 0, restQ = 0;
		column<L::PITCH>(tile + WARPS * a * L::PITCH + place(id), height, s, q);
		// the columns beyond those of the threads: each warp for its own row
		if (lane < 8 * OCTETS) {
			const float *from = tile + (WARPS * a + threadIdx.y) * L::PITCH + place(LAGS_X + lane);
			for (int j = 0; j < height; j++) {
				const float v = from[j * L::PITCH];
				restS += v;
				restQ += square(v);
			}
		}
		Wide *row = sums + threadIdx.y * L::SUMS;
		const auto along = [&](const Wide (&down)[WARPS], const Wide rest, Wide (&to)[8]) {
			__syncthreads();
			#pragma unroll
			for (int r = 0; r < WARPS; r++) sums[r * L::SUMS + id + (id >> 3)] = down[r];
			if (lane < 8 * OCTETS) row[LAGS_X / 8 * 9 + lane + (lane >> 3)] = rest;
			__syncthreads();
			windows<OCTETS>(row, b.width, to);
		};
		Wide ofPixels[8], ofSquares[8];
		along(s, restS, ofPixels);
		along(q, restQ, ofSquares);
		const int y = y0 + WARPS * a + threadIdx.y;
		const size_t line = ((size_t) blockIdx.z * b.lagsY + y) * b.lagsX;
		float r[8];
		#pragma unroll
		for (int i = 0; i < 8; i++) {
			const int x = x0 + 8 * lane + i;
			const float variance = (float) narrow(ofSquares[i] - ofPixels[i] * (ofPixels[i] * each));
			const float offset = (float) narrow(ofPixels[i]) * inverse;
			r[i] = fmaf(-ofMean, offset, total[a % ROWS][i]) * rsqrtf(variance) * inverseNorm;
			// NaN is suspect, too
			const bool trusted = variance > least && n * offset * offset <= limit * variance && fabsf(r[i]) < 2;
			r[i] = fmaxf(-1, fminf(1, r[i]));
			if (!trusted && x < b.lagsX && y < b.lagsY) out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) (line + x);
		}
		// adjacent threads write adjacent lags
		__syncwarp();
		float *lags = (float *) row;
		#pragma unroll
		for (int i = 0; i < 8; i++) lags[9 * lane + i] = r[i];
		__syncwarp();
		if (y < b.lagsY)
			#pragma unroll
			for (int i = 0; i < 8; i++) {
				const int x = 32 * i + lane;
				if (x0 + x < b.lagsX) out.map[line + x0 + x] = lags[x + (x >> 3)];
			}
	}
}

#define RESPOND(OCTETS, BLOCKS) extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS) respond_##OCTETS(const void *raw, const int type, \
	const Box b, const float *coefficients, const Terms terms, const Outcome out) \
	{ respond<OCTETS>(raw, type, b, coefficients, terms, out); }
RESPOND(1, 3)
RESPOND(2, 2)
RESPOND(3, 2)
RESPOND(4, 2)
