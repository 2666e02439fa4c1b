// The responses of many small 8-bit templates of one size at once. The templates are rows of a matrix, windows its columns' other factor: 16 templates by 8
// windows by 32 pixels a product of the matrix units. A window's pixels are read where they lie, for 8 rows of windows at a time, each row of the picture once.
// A template's row is padded to W = 8, 16 or 32 taps, so that 4, 2 or 1 of them make 32: a template has 4, 2 or 1 parts of as many rows as there are products, and
// each product takes a row of each. ΣP and ΣP² of the windows come from windows.cu; the same bits as bytes.cu.
// With -DSTEPS=... the products are counted when it is compiled.
#include "matrix.cuh"

#define WARPS 8
#define THREADS (32 * WARPS)
// Windows of a block, 8 columns a warp.
#define ACROSS (8 * WARPS)
#define DOWN 8
// Floats of a staged row of responses: 8 more, so that a warp's writes meet in no bank.
#define STAGE (ACROSS + 8)

#ifdef STEPS
#define STEPS_OF(N) STEPS
#else
#define STEPS_OF(N) (N)
#endif

// What is known of a template: √(N·Σ² - (Σ)²) and its inverse, and -Σ.
struct Model { double norm, inverse; int less, pad; };

// What a window's responses share: 1/√(N·ΣP² - (ΣP)²), 0 if it is undefined, and ΣP.
struct __align__(16) Known {
	double root;
	int s, pad;

	// In one piece.
	__device__ static Known of(const Known *from) {
		const uint4 v = *(const uint4 *) from;
		Known k = { __hiloint2double((int) v.y, (int) v.x), (int) v.z, 0 };
		return k;
	}
};

// The bits of 1.5·2^52: what is added to them is added to that number.
#define WHOLE 0x4338000000000000ll

// a·b + c. Written out as the compiler would make 64 bits of a and b.
__device__ inline s64 multiply_add(const int a, const int b, const s64 c) {
	s64 r;
	asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c));
	return r;
}

// N·ΣPT - ΣP·ΣT, below 2^51. less: -ΣT.
__device__ inline double numerator(const int n, const int product, const int s, const int less) {
	return __longlong_as_double(multiply_add(n, product, multiply_add(s, less, WHOLE))) - 6755399441055744.0;
}

// At most 8·128 where unsure(quick).
__device__ inline u32 sureness(const double quick) { return 8 * (u32) __double2loint(quick) - 8 * (0x10000000u - 64); }

// Words of a row of pixels in shared memory, and of one of the four copies: each is moved by a byte more, so that every window begins with a word.
template<int W> __device__ inline int copy_words(const int rows) { return (rows * ((ACROSS + W) / 4) + 31) / 32 * 32 + 8; }

// The pixels of 8 windows below each other for one product after the other: this thread's four columns in the first half of a product and in the second.
template<int W> struct Windows {
	static constexpr int PARTS = 32 / W, WORDS = (ACROSS + W) / 4;
	const u32 *at;
	int second;
	uint2 pixels[DOWN];

	__device__ Windows(const u32 *copies, const int copy, const int steps) {
		const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, group = lane / 4, member = lane & 3;
		at = copies + (group & 3) * copy + warp * 2 + group / 4 + (W == 8 ? (member >> 1) * steps * WORDS + (member & 1) : member);
		second = W == 32 ? 4 : PARTS / 2 * steps * WORDS;
		#pragma unroll
		for (int y = 0; y < DOWN; y++) load(y, y);
	}

	__device__ void load(const int y, const int row) { pixels[y] = make_uint2(at[row * WORDS], at[row * WORDS + second]); }

	// Goes on to the product with this row of each part.
	__device__ void next(const int row) {
		#pragma unroll
		for (int y = 0; y + 1 < DOWN; y++) pixels[y] = pixels[y + 1];
		load(DOWN - 1, row + DOWN - 1);
	}
};

// A response whose quick quotient is not sure, which few are: out of the way of the others.
__device__ __noinline__ float slowly(const double numerator, const uint2 sums, const double n, const double norm) {
	const double s = as_double((int) sums.x);
	return exact_quotient(numerator, fma(n, as_double(sums.y), -(s * s)), norm);
}

// 16 templates at a time. taps: for each 16 templates and each product the four words of each thread. Grid: ACROSS x DOWN lags, planes by chunks of chunksEach
// times 16 templates. Nobody asks for the templates before skip. Maps lie one behind the other.
template<int W> __device__ void respond(const s8 *image, const Box &b, const uint4 *taps, const int products, const Model *models, const int skip, const int count,
	const int chunksEach, const uint2 *windows, const int n, const Outcome &out)
{
	extern __shared__ double2 shared[];
	typedef Windows<W> Own;
	const int steps = STEPS_OF(products), rows = DOWN + steps * Own::PARTS - 1, copy = copy_words<W>(rows);
	Known *known = (Known *) shared;
	float *stage = (float *) (known + ACROSS * DOWN);
	uint4 *own_taps = (uint4 *) (stage + 16 * DOWN * STAGE);
	Model *own_models = (Model *) (own_taps + chunksEach * steps * 32);
	u32 *copies = (u32 *) (own_models + chunksEach * 16);
	const int x0 = blockIdx.x * ACROSS, y0 = blockIdx.y * DOWN, z = blockIdx.z % b.lagsZ, begin = blockIdx.z / b.lagsZ * chunksEach * 16;
	const int until = min(count, begin + chunksEach * 16);
	for (int i = threadIdx.x; i < rows * Own::WORDS; i += THREADS) {
		const int y = i / Own::WORDS, x = i - y * Own::WORDS, column = x0 / 4 + x, words = b.pitch / 4;
		// what lies beyond the box meets taps of 0, or lags that are not there
		const u32 *row = (const u32 *) image + ((size_t) z * b.rows + min(y0 + y, b.rows - 1)) * words;
		const u32 low = row[min(column, words - 1)], high = row[min(column + 1, words - 1)];
		#pragma unroll
		for (int k = 0; k < 4; k++) copies[k * copy + i] = __funnelshift_r(low, high, 8 * k);
	}
	for (int i = threadIdx.x; i < (until - begin + 15) / 16 * steps * 32; i += THREADS) own_taps[i] = __ldg(taps + (size_t) begin * 2 * steps + i);
	for (int i = threadIdx.x; i < chunksEach * 16; i += THREADS) own_models[i] = models[min(begin + i, count - 1)];
	u32 missing = 0;
	for (int i = threadIdx.x; i < ACROSS * DOWN; i += THREADS) {
		const int x = x0 + i % ACROSS, y = y0 + i / ACROSS;
		Known k = { 0, 0, 0 };
		if (x < b.lagsX && y < b.lagsY) {
			const uint2 sums = __ldg(windows + ((size_t) z * b.lagsY + y) * b.lagsX + x);
			const double p = as_double((int) sums.x), variance = fma((double) n, as_double(sums.y), -(p * p));
			k.s = (int) sums.x;
			if (variance == 0) missing += until - max(begin, skip);
			else k.root = root_inverse(variance);
		}
		known[i] = k;
	}
	if (missing > 0) atomicAdd(out.counts, missing);
	const bool flat = __syncthreads_or(missing > 0);
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, group = lane / 4, member = lane & 3;
	const size_t lags = (size_t) b.lagsX * b.lagsY * b.lagsZ;
	// the rows that this warp writes
	float *map = out.map + ((size_t) z * b.lagsY + y0 + warp) * b.lagsX + x0 + lane;
	const bool writes = y0 + warp < b.lagsY, left = writes && x0 + lane < b.lagsX, right = writes && x0 + lane + 32 < b.lagsX, inner = writes && x0 + ACROSS <= b.lagsX;
	for (int first = begin; first < until; first += 16) {
		int sum[DOWN][4];
		#pragma unroll
		for (int y = 0; y < DOWN; y++)
			#pragma unroll
			for (int i = 0; i < 4; i++) sum[y][i] = 0;
		const uint4 *tap = own_taps + (first - begin) * 2 * steps + lane;
		Own own(copies, copy, steps);
		#pragma unroll 8
		for (int step = 0; step < steps; step++) {
			const uint4 a = tap[step * 32];
			#pragma unroll
			for (int y = 0; y < DOWN; y++) product<true, true>(sum[y], a, own.pixels[y]);
			if (step + 1 < steps) own.next(step + 1);
		}
		const Model upper = own_models[first - begin + group], lower = own_models[first - begin + group + 8];
		const int column = warp * 8 + member * 2;
		float *to = stage + group * STAGE + column;
		u32 slow = 0;
		// nobody reads the last ones any more
		__syncthreads();
		#pragma unroll
		for (int y = 0; y < DOWN; y++) {
			const Known k[2] = { Known::of(known + y * ACROSS + column), Known::of(known + y * ACROSS + column + 1) };
			float r[4];
			u32 sure = ~0u;
			#pragma unroll
			for (int i = 0; i < 4; i++) {
				const Model &m = i < 2 ? upper : lower;
				const double quick = numerator(n, sum[y][i], k[i & 1].s, m.less) * k[i & 1].root * m.inverse;
				r[i] = (float) quick;
				sure = min(sure, sureness(quick));
			}
			slow |= sure <= 8 * 128 ? 1u << y : 0;
			*(float2 *) (to + y * 16 * STAGE) = make_float2(r[0], r[1]);
			*(float2 *) (to + (y * 16 + 8) * STAGE) = make_float2(r[2], r[3]);
		}
		if (slow != 0 || flat) {
			#pragma unroll
			for (int y = 0; y < DOWN; y++)
				#pragma unroll
				for (int i = 0; i < 4; i++) {
					const Model &m = i < 2 ? upper : lower;
					const Known k = known[y * ACROSS + column + (i & 1)];
					const int x = x0 + column + (i & 1);
					if (x >= b.lagsX || y0 + y >= b.lagsY || !(slow >> y & 1) && k.root != 0) continue;
					to[(y * 16 + (i & 2) * 4) * STAGE + (i & 1)] = k.root == 0 ? out.undefined
						: slowly(numerator(n, sum[y][i], k.s, m.less), windows[((size_t) z * b.lagsY + y0 + y) * b.lagsX + x], n, m.norm);
				}
		}
		__syncthreads();
		// whole rows, so that few sectors are written in parts
		const float *from = stage + warp * 16 * STAGE + lane;
		float *row = map + ((s64) first - skip) * (s64) lags;
		if (inner && first >= skip && first + 16 <= until)
			#pragma unroll 8
			for (int t = 0; t < 16; t++, row += lags) {
				row[0] = from[t * STAGE];
				row[32] = from[t * STAGE + 32];
			}
		else
			for (int t = 0; t < 16; t++, row += lags) {
				if (first + t < skip || first + t >= until) continue;
				if (left) row[0] = from[t * STAGE];
				if (right) row[32] = from[t * STAGE + 32];
			}
	}
}

#define RESPOND(W) extern "C" __global__ void __launch_bounds__(THREADS, 3) bank_##W(const s8 *image, const Box b, const uint4 *taps, const int products, \
	const Model *models, const int skip, const int count, const int chunksEach, const uint2 *windows, const int n, const Outcome out) \
	{ respond<W>(image, b, taps, products, models, skip, count, chunksEach, windows, n, out); }

// bank_<taps of a row>
RESPOND(8)
RESPOND(16)
RESPOND(32)
