// The responses of many small 8-bit templates of one size at once. The templates are rows of a matrix, windows its columns' other factor: 16 templates by 8
// windows by 32 pixels a product of the matrix units. A window's pixels are read where they lie, for 4 rows of windows at a time, each row of the picture once.
// A template's row is padded to W = 8, 16 or 32 taps, so that 4, 2 or 1 of them make 32: a template has 4, 2 or 1 parts of as many rows as there are products, and
// each product takes a row of each. ΣP and ΣP² of the windows come from windows.cu; the same bits as bytes.cu.
// Half the time is the writing of the maps, and a sector of 32 bytes that is written in two parts costs several times as much: tiles are wide, and written by whole
// sectors but for their ends.
// With -DSTEPS=... the products are counted when it is compiled.
#include "matrix.cuh"

#define WARPS 8
#define THREADS (32 * WARPS)
// Windows of a warp: columns, by eights, and rows; and of a block's tile.
#define EIGHTS 2
#define DOWN 4
#define ACROSS (8 * EIGHTS * WARPS)
// Floats of a staged row of responses: 8 more, so that a warp's writes meet in no bank.
#define STAGE (ACROSS + 8)

#ifdef STEPS
#define STEPS_OF(N) STEPS
#else
#define STEPS_OF(N) (N)
#endif

// What is known of a template: √(N·Σ² - (Σ)²), its inverse in 51 bits and -WHOLE times that, both exact; -Σ.
struct __align__(16) Model { double norm, inverse, shift, less; };

// What a window's responses share: 1/√(N·ΣP² - (ΣP)²), 0 if it is undefined, and ΣP.
struct __align__(16) Known { double root, s; };

// 1.5·2^52, and the upper half of its bits: whole numbers that are added to those are added to it.
#define WHOLE 6755399441055744.0
#define UPPER 0x43380000

// WHOLE + N·ΣPT - ΣP·ΣT, exactly: all of it stays below 2^51. less: -ΣT.
__device__ inline double numerator(const int n, const int product, const double s, const double less) {
	const s64 p = (s64) n * product;
	return fma(s, less, __hiloint2double((int) (p >> 32) + UPPER, (int) p));
}

// The response, but for its last rounding; the first product is rounded once, since nothing is lost of v and shift.
__device__ inline double quickly(const double v, const double inverse, const double shift, const double root) { return fma(v, inverse, shift) * root; }

// At most 8·128 where unsure(quick).
__device__ inline u32 sureness(const double quick) { return 8 * (u32) __double2loint(quick) - 8 * (0x10000000u - 64); }

// A response whose quick quotient is not sure, which few are: out of the way of the others. The whole number under the root is known from its inverse.
__device__ __noinline__ float slowly(const double numerator, const double root, const double norm) {
	return exact_quotient(numerator, rint(1 / (root * root)), norm);
}

// A tile's pixels in shared memory, as pairs of words that a thread has in the two halves of a product; four copies, each moved by a byte more, so that every
// window begins with a word.
template<int W> struct Tile {
	static constexpr int PARTS = 32 / W, WORDS = (ACROSS + W) / 4;

	__device__ static int rows(const int steps) { return DOWN + (PARTS + 1) / 2 * steps - 1; }
	// From the row of a pair's first word to that of its second.
	__device__ static int below(const int steps) { return PARTS / 2 * steps; }
	__device__ static int copy(const int steps) { return (rows(steps) * WORDS + 15) / 16 * 16 + 4; }

	// What lies below the box meets lags that are not there.
	__device__ static void load(const s8 *image, const Box &b, const int x0, const int y0, const int z, const int steps, uint2 *copies) {
		const int words = b.pitch / 4, each = copy(steps);
		const u32 *corner = (const u32 *) image + (size_t) z * b.rows * words + x0 / 4;
		for (int i = threadIdx.x; i < rows(steps) * WORDS; i += THREADS) {
			const int y = i / WORDS, x = i - y * WORDS;
			const u32 *first = corner + (size_t) min(y0 + y, b.rows - 1) * words + x;
			const u32 *second = W == 32 ? first + 4 : corner + (size_t) min(y0 + y + below(steps), b.rows - 1) * words + x;
			const u32 a = __ldg(first), aNext = __ldg(first + 1), c = __ldg(second), cNext = __ldg(second + 1);
			#pragma unroll
			for (int k = 0; k < 4; k++) copies[k * each + i] = make_uint2(__funnelshift_r(a, aNext, 8 * k), __funnelshift_r(c, cNext, 8 * k));
		}
	}
};

// The pixels of a warp's windows for one product after the other: this thread's four columns in the first half of a product and in the second.
template<int W> struct Windows {
	static constexpr int WORDS = Tile<W>::WORDS;
	const uint2 *at;
	uint2 pixels[EIGHTS][DOWN];

	__device__ Windows(const uint2 *copies, const int steps) {
		const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, group = lane / 4, member = lane & 3;
		at = copies + (group & 3) * Tile<W>::copy(steps) + warp * 2 * EIGHTS + group / 4 + (W == 8 ? (member >> 1) * steps * WORDS + (member & 1) : member);
		#pragma unroll
		for (int x = 0; x < EIGHTS; x++)
			#pragma unroll
			for (int y = 0; y < DOWN; y++) pixels[x][y] = at[y * WORDS + 2 * x];
	}

	// Goes on to the product with this row of each part.
	__device__ void next(const int row) {
		#pragma unroll
		for (int x = 0; x < EIGHTS; x++) {
			#pragma unroll
			for (int y = 0; y + 1 < DOWN; y++) pixels[x][y] = pixels[x][y + 1];
			pixels[x][DOWN - 1] = at[(row + DOWN - 1) * WORDS + 2 * x];
		}
	}
};

// What is known of a tile's windows. How many of them are undefined for this thread.
__device__ inline int know(const uint2 *windows, const Box &b, const int x0, const int y0, const int z, const int n, Known *known) {
	int undefined = 0;
	#pragma unroll
	for (int i = 0; i < DOWN * ACROSS / THREADS; i++) {
		const int x = x0 + (threadIdx.x + i * THREADS) % ACROSS, y = y0 + (threadIdx.x + i * THREADS) / ACROSS;
		const bool inside = x < b.lagsX && y < b.lagsY;
		uint2 sums = make_uint2(0, 0);
		if (inside) sums = __ldg(windows + ((size_t) z * b.lagsY + y) * b.lagsX + x);
		const double s = as_double((int) sums.x), variance = fma((double) n, as_double(sums.y), -(s * s)), root = root_inverse(variance);
		// a whole number
		const bool none = __double2hiint(variance) == 0;
		const Known k = { __hiloint2double(none ? 0 : __double2hiint(root), none ? 0 : __double2loint(root)), s };
		known[threadIdx.x + i * THREADS] = k;
		undefined += none && inside;
	}
	return undefined;
}

__device__ inline void store(float *to, const float4 v) {
	asm volatile("st.global.v4.f32 [%0], {%1,%2,%3,%4};" :: "l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}

// Four staged rows of a tile to as many maps, eight threads each: sixteen bytes a thread by whole sectors, and what is left of those at the ends. stage, row:
// this thread's.
__device__ inline void write_rows(const float *stage, float *row) {
	const int e = threadIdx.x & 7, before = -(int) ((size_t) row / 4) & 7;
	const float *from = stage + before + 4 * e;
	float *to = row + before + 4 * e;
	#pragma unroll
	for (int x = 0; x < ACROSS; x += 32)
		if (x + 32 < ACROSS || e < 6) store(to + x, make_float4(from[x], from[x + 1], from[x + 2], from[x + 3]));
	const int end = e < before ? e : ACROSS - 8 + e;
	row[end] = stage[end];
}

// 16 templates at a time. taps: for each 16 templates and each product the four words of each thread. Grid: tiles of ACROSS x DOWN lags, chunks of chunksEach times
// 16 templates. Nobody asks for the templates before skip. Maps lie one behind the other.
template<int W> __device__ void respond(const s8 *image, const Box &b, const uint4 *taps, const int products, const Model *models, const int skip, const int count,
	const int chunksEach, const uint2 *windows, const int n, const Outcome &out)
{
	extern __shared__ double2 shared[];
	const int steps = STEPS_OF(products);
	Known *known = (Known *) shared;
	float *stage = (float *) (known + ACROSS * DOWN);
	Model *own_models = (Model *) (stage + 16 * DOWN * STAGE);
	uint2 *copies = (uint2 *) (own_models + chunksEach * 16);
	const int across = (b.lagsX + ACROSS - 1) / ACROSS, down = (b.lagsY + DOWN - 1) / DOWN, tile = blockIdx.x;
	const int x0 = tile % across * ACROSS, y0 = tile / across % down * DOWN, z = tile / across / down;
	const int begin = blockIdx.y * chunksEach * 16, until = min(count, begin + chunksEach * 16);
	Tile<W>::load(image, b, x0, y0, z, steps, copies);
	for (int i = threadIdx.x; i < chunksEach * 32; i += THREADS) ((double2 *) own_models)[i] = ((const double2 *) models)[min(2 * begin + i, 2 * count - 1)];
	const int undefined = know(windows, b, x0, y0, z, n, known);
	if (undefined > 0) atomicAdd(out.counts, undefined * (until - max(begin, skip)));
	const bool flat = __syncthreads_or(undefined > 0);
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, group = lane / 4, member = lane & 3, column = warp * 8 * EIGHTS + member * 2;
	const s64 lags = (s64) b.lagsX * b.lagsY * b.lagsZ;
	const Known *mine = known + column;
	// the row that this warp writes, and of which templates
	const int down0 = warp / EIGHTS, t0 = warp % EIGHTS * (16 / EIGHTS);
	#pragma unroll 1
	for (int first = begin; first < until; first += 16) {
		int sum[DOWN][EIGHTS][4];
		#pragma unroll
		for (int i = 0; i < DOWN * EIGHTS * 4; i++) (&sum[0][0][0])[i] = 0;
		const uint4 *tap = taps + (size_t) first * 2 * steps + lane;
		Windows<W> own(copies, steps);
		#pragma unroll 8
		for (int step = 0; step < steps; step++) {
			const uint4 a = __ldg(tap + step * 32);
			#pragma unroll
			for (int x = 0; x < EIGHTS; x++)
				#pragma unroll
				for (int y = 0; y < DOWN; y++) product<true, true>(sum[y][x], a, own.pixels[x][y]);
			if (step + 1 < steps) own.next(step + 1);
		}
		const Model *upper = own_models + first - begin + group, *lower = upper + 8;
		const double less[2] = { upper->less, lower->less }, inverse[2] = { upper->inverse, lower->inverse }, shift[2] = { upper->shift, lower->shift };
		float *to = stage + group * STAGE + column;
		u32 sure = ~0u;
		// nobody reads the last ones any more
		if (first > begin) __syncthreads();
		#pragma unroll
		for (int y = 0; y < DOWN; y++)
			#pragma unroll
			for (int x = 0; x < EIGHTS; x++) {
				const Known k[2] = { mine[y * ACROSS + 8 * x], mine[y * ACROSS + 8 * x + 1] };
				float r[4];
				#pragma unroll
				for (int i = 0; i < 4; i++) {
					const double quick = quickly(numerator(n, sum[y][x][i], k[i & 1].s, less[i / 2]), inverse[i / 2], shift[i / 2], k[i & 1].root);
					r[i] = (float) quick;
					sure = min(sure, sureness(quick));
				}
				*(float2 *) (to + y * 16 * STAGE + 8 * x) = make_float2(r[0], r[1]);
				*(float2 *) (to + (y * 16 + 8) * STAGE + 8 * x) = make_float2(r[2], r[3]);
			}
		if (sure <= 8 * 128 || flat) {
			// all once more; as if from other numbers, so that nothing is kept for here
			int size = n;
			asm volatile("" : "+r"(size));
			#pragma unroll
			for (int y = 0; y < DOWN; y++)
				#pragma unroll
				for (int x = 0; x < EIGHTS; x++)
					#pragma unroll
					for (int i = 0; i < 4; i++) {
						const Known k = mine[y * ACROSS + 8 * x + (i & 1)];
						const Model *m = i < 2 ? upper : lower;
						int p = sum[y][x][i];
						asm volatile("" : "+r"(p));
						const double v = numerator(size, p, k.s, m->less);
						if (k.root != 0 && sureness(quickly(v, m->inverse, m->shift, k.root)) > 8 * 128) continue;
						// what lies outside is undefined, too, and not written
						to[(y * 16 + (i & 2) * 4) * STAGE + 8 * x + (i & 1)] = k.root == 0 ? out.undefined : slowly(v - WHOLE, k.root, m->norm);
					}
		}
		__syncthreads();
		if (y0 + down0 >= b.lagsY) continue;
		const float *from = stage + (down0 * 16 + t0) * STAGE;
		float *row = out.map + ((s64) first - skip + t0) * lags + ((s64) z * b.lagsY + y0 + down0) * b.lagsX + x0;
		if (x0 + ACROSS <= b.lagsX && first >= skip && first + 16 <= until) {
			const int r = lane / 8;
			#pragma unroll
			for (int t = 0; t < 16 / EIGHTS; t += 4) write_rows(from + (t + r) * STAGE, row + (t + r) * lags);
		}
		else
			for (int t = 0; t < 16 / EIGHTS; t++)
				if (first + t0 + t >= skip && first + t0 + t < until)
					for (int x = lane; x < min(ACROSS, b.lagsX - x0); x += 32) row[t * lags + x] = from[t * STAGE + x];
	}
}

#define RESPOND(W) extern "C" __global__ void __launch_bounds__(THREADS, 3) bank_##W(const s8 *image, const Box b, const uint4 *taps, const int products, \
	const Model *models, const int skip, const int count, const int chunksEach, const uint2 *windows, const int n, const Outcome out) \
	{ respond<W>(image, b, taps, products, models, skip, count, chunksEach, windows, n, out); }

// bank_<taps of a row>
RESPOND(8)
RESPOND(16)
RESPOND(32)
