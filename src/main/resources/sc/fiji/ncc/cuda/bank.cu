// The responses of many small 8-bit templates of one size at once. The templates are the rows of one matrix, the windows the columns of another: a
// product of the matrix units takes 16 templates, 8 windows and 32 pixels. The pixels of windows are read in place, for 4 rows of windows at a time,
// each row of the image once. A row of a template is padded to W = 8, 16 or 32 coefficients, so that 4, 2 or 1 rows make 32 coefficients. A template
// has 4, 2 or 1 parts with one row per product, and each product takes a row of each part. ΣP and ΣP² of the windows come from windows.cu. The
// responses have the same bits as those of bytes.cu. Writing the maps takes most of the time. Rows of maps begin at a sector of 32 bytes, and the
// products leave four adjacent responses in each thread, which writes them without rearrangement. Rare cases are computed again from the pixels, so
// that they occupy no registers. -DSTEPS=...: the number of products, known to the compiler.
#include "matrix.cuh"
#include "wide.cuh"

// compilers before CUDA 11.7 lack it; they copy the value instead
#if __CUDACC_VER_MAJOR__ == 11 && __CUDACC_VER_MINOR__ < 7
#define __grid_constant__
#endif

#define WARPS 4
#define THREADS (32 * WARPS)
// The windows of a block: 16 columns per warp; its rows, in steps of the rows of a warp.
#define ACROSS (16 * WARPS)
#define DOWN 4
#define ROWS (2 * DOWN)
#define BLOCKS 6

#ifdef STEPS
#define STEPS_OF(N) STEPS
#else
#define STEPS_OF(N) (N)
#endif

// If a response may be the wrong float, the minimum that response() leaves in sure is at most this.
#define UNSURE (8 * 128)

// The constants of a template for its responses; and of a window: 1/√(N·ΣP² - (ΣP)²), and ΣP in the form for numerators.
#ifdef PAIRS
typedef FloatPair Root;
typedef int Sum;

__device__ inline Sum sum_of(const int s) { return s; }
__device__ inline bool none(const Root r) { return r.high == 0; }

struct Model {
	double norm;
	FloatPair inverse;
	int less; // -ΣT

	__device__ Model(const NormAndSum &m) : norm(m.norm.norm), inverse(m.norm.high, m.norm.low), less(-m.sum) {}

	__device__ s64 numerator(const int n, const int product, const int s) const { return (s64) n * product + (s64) s * less; }

	__device__ float response(const int n, const int product, const int s, const FloatPair root, u32 &sure) const {
		const FloatPair q = loose_product(loose_product(pair_of(numerator(n, product, s)), root), inverse), quick = ordered_sum(q.high, q.low);
		sure = unsure(quick) ? 0 : sure;
		return quick.high;
	}
};
#else
typedef double Root;
typedef double Sum;

__device__ inline Sum sum_of(const int s) { return as_double(s); }
__device__ inline bool none(const Root r) { return r == 0; }

// 1.5·2^52, and the upper half of its bits. An integer added to the lower half is added to the number.
#define WHOLE 6755399441055744.0
#define UPPER 0x43380000

struct Model {
	double norm, inverse, shift, less; // the inverse in 51 bits; -WHOLE times the inverse, exact in double; -ΣT

	__device__ Model(const NormAndSum &m) : norm(m.norm.norm), inverse(__longlong_as_double(__double_as_longlong(m.norm.inverse) + 2 & ~3ll)),
		less(-m.sum) { shift = -WHOLE * inverse; }

	// Until the first product, which is rounded once, nothing is lost: WHOLE + N·ΣPT - ΣP·ΣT stays below 2^53. The inverse errs by up to 2^-51 of
	// itself, all together, the CPU's own roundings included, by 12 of the last places: within the 64 about the middle that count as unsure.
	__device__ float response(const int n, const int product, const double s, const double root, u32 &sure) const {
		const s64 p = (s64) n * product;
		const double v = fma(s, less, __hiloint2double((int) (p >> 32) + UPPER, (int) p)), quick = fma(v, inverse, shift) * root;
		// at most UNSURE if unsure(quick)
		sure = min(sure, 8 * (u32) __double2loint(quick) - 8 * (0x10000000u - 64));
		return (float) quick;
	}

	__device__ s64 numerator(const int n, const int product, const int s) const { return (s64) n * product + (s64) s * (int) less; }
};
#endif

__device__ inline void store_if(const bool wanted, float *to, const float *r) {
	asm volatile("{.reg .pred p; setp.ne.s32 p, %5, 0; @p st.global.v4.f32 [%0], {%1,%2,%3,%4};}"
		:: "l"(to), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "r"((int) wanted) : "memory");
}

// The first lag of a block's tile.
struct Place {
	int x, y, z;

	__device__ Place(const Box &b, const int tile) {
		const int across = (b.lagsX + ACROSS - 1) / ACROSS, down = (b.lagsY + ROWS - 1) / ROWS;
		x = tile % across * ACROSS;
		y = tile / across % down * ROWS;
		z = tile / across / down;
	}
};

// The pixels of a tile in shared memory, as pairs of words for the two halves of a product; four copies, each shifted by one more byte, so that every
// window begins at a word.
template<int W> struct Tile {
	static constexpr int PARTS = 32 / W, WORDS = (ACROSS + W) / 4;

	__device__ static int rows(const int steps) { return ROWS + (PARTS + 1) / 2 * steps - 1; }
	// The distance from the row of the first word of a pair to that of the second.
	__device__ static int below(const int steps) { return PARTS / 2 * steps; }
	// The banks of two neighbouring copies differ.
	__device__ static int copy(const int steps) { return (rows(steps) * WORDS + 15) / 16 * 16 + 8; }
	// The distance from the first word of a window to the pair of a member of a group.
	__device__ static int pair(const int member, const int steps) { return W == 8 ? (member >> 1) * steps * WORDS + (member & 1) : member; }

	// Pixels below the box are multiplied by coefficients of 0, or belong to lags outside the box.
	__device__ static void load(const s8 *image, const Box &b, const Place &at, const int steps, uint2 *copies) {
		const int words = b.pitch / 4, each = copy(steps);
		const u32 *corner = (const u32 *) image + (size_t) at.z * b.rows * words + at.x / 4;
		for (int i = threadIdx.x; i < rows(steps) * WORDS; i += THREADS) {
			const int y = i / WORDS, x = i - y * WORDS;
			const u32 *first = corner + (size_t) min(at.y + y, b.rows - 1) * words + x;
			const u32 *second = W == 32 ? first + 4 : corner + (size_t) min(at.y + y + below(steps), b.rows - 1) * words + x;
			const u32 a = __ldg(first), aNext = __ldg(first + 1), c = __ldg(second), cNext = __ldg(second + 1);
			#pragma unroll
			for (int k = 0; k < 4; k++) copies[k * each + i] = make_uint2(__funnelshift_r(a, aNext, 8 * k), __funnelshift_r(c, cNext, 8 * k));
		}
	}
};

// The pixels of the windows of a warp, for one product after another. Of 16 columns a product has 4·k and 4·k + 1, or 4·k + 2 and 4·k + 3. A thread
// gets two responses of each product, four adjacent ones.
template<int W> struct Windows {
	static constexpr int WORDS = Tile<W>::WORDS;
	const uint2 *at;
	int two;
	uint2 of[2][DOWN];

	__device__ Windows(const uint2 *copies, const int steps) {
		const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, group = lane / 4, member = lane & 3;
		two = 2 * Tile<W>::copy(steps);
		at = copies + (group & 1) * Tile<W>::copy(steps) + warp * 4 + group / 2 + Tile<W>::pair(member, steps);
		#pragma unroll
		for (int x = 0; x < 2; x++)
			#pragma unroll
			for (int y = 0; y < DOWN; y++) of[x][y] = at[y * WORDS + x * two];
	}

	// Continues with the product that takes this row of each part.
	__device__ void next(const int row) {
		#pragma unroll
		for (int x = 0; x < 2; x++) {
			#pragma unroll
			for (int y = 0; y + 1 < DOWN; y++) of[x][y] = of[x][y + 1];
			of[x][DOWN - 1] = at[(row + DOWN - 1) * WORDS + x * two];
		}
	}
};

static_assert(sizeof(Model) <= sizeof(NormAndSum), "the shared memory that the host counts for it");

// The data of a block: 1/√(N·ΣP² - (ΣP)²) of its windows, 0 if undefined, and ΣP; its chunks of templates and their coefficients; its pixels.
template<int W> struct Own {
	Root *roots;
	int *sums;
	Model *models;
	uint4 *coefficients;
	uint2 *copies;

	__device__ Own(double2 *shared, const int steps, const int chunks) {
		roots = (Root *) shared;
		sums = (int *) (roots + ACROSS * ROWS);
		copies = (uint2 *) (sums + ACROSS * ROWS);
		models = (Model *) (copies + 4 * Tile<W>::copy(steps));
		coefficients = (uint4 *) (models + 16 * chunks);
	}

	// Whether a window of this thread is undefined.
	__device__ bool know(const uint2 *windows, const Box &b, const Place &at, const int n) const {
		bool flat = false;
		// lags outside the box are treated like a defined window
		const int x = min(at.x + (int) threadIdx.x % ACROSS, b.lagsX - 1);
		#pragma unroll
		for (int i = 0; i < ROWS * ACROSS / THREADS; i++) {
			const int y = min(at.y + (int) threadIdx.x / ACROSS + i * (THREADS / ACROSS), b.lagsY - 1);
			const uint2 sum = __ldg(windows + ((size_t) at.z * b.lagsY + y) * b.lagsX + x);
			const int s = (int) sum.x;
			const Whole variance = whole(factor(n), sum.y, s, factor(s));
			roots[threadIdx.x + i * THREADS] = variance == 0 ? Root(0) : root_inverse(wide(variance));
			sums[threadIdx.x + i * THREADS] = s;
			flat |= variance == 0;
		}
		return flat;
	}
};

// A row of the map of a requested template.
__device__ inline float *row_of(const Outcome &out, const Box &b, const int map, const Place &at, const int y) {
	return out.map + (((s64) map * b.lagsZ + at.z) * b.lagsY + at.y + y) * out.pitch + at.x;
}

// Hides the origin of a number from the compiler, which would otherwise compute its uses too early.
__device__ inline int anew(int v) {
	asm volatile("" : "+r"(v));
	return v;
}

// Computes 32 responses of one thread again, by the complete warp, if some are unsure. y0: their first row. first: their first template. begin: the
// first template of the block.
template<int W> __device__ __noinline__ void mend(u32 unsure, const Own<W> own, const Box &b, const int steps, const int y0, const int first,
	const int begin, const int skip, const int until, const int n, const Outcome &out)
{
	const Place at(b, blockIdx.x);
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, y = y0 + (lane >> 3);
	// after the writes of the other threads
	__syncwarp();
	for (; unsure != 0; unsure &= unsure - 1) {
		const int by = __ffs(unsure) - 1, x = warp * 16 + (by & 3) * 4 + (lane & 3), t = by / 4 + (lane & 4) * 2;
		const uint2 *pixels = own.copies + (x & 3) * Tile<W>::copy(steps) + y * Tile<W>::WORDS + x / 4;
		const uint4 *coefficients = own.coefficients + (first - begin) * 2 * steps + t % 8 * 4;
		int p = 0;
		for (int step = 0; step < steps; step++)
			for (int j = 0; j < 4; j++) {
				const uint4 a = coefficients[step * 32 + j];
				const uint2 c = pixels[step * Tile<W>::WORDS + Tile<W>::pair(j, steps)];
				p = __dp4a((int) (t >= 8 ? a.y : a.x), (int) c.x, p);
				p = __dp4a((int) (t >= 8 ? a.w : a.z), (int) c.y, p);
			}
		if (first + t < skip || first + t >= until || at.y + y >= b.lagsY || at.x + x >= b.lagsX) continue;
		const double root = in_double(own.roots[y * ACROSS + x]);
		if (root == 0) continue;
		const Model &model = own.models[first - begin + t];
		// the integer under the root follows from the inverse: it is below 2^34, and the relative error of the inverse, in pairs, is below 2^-44
		row_of(out, b, first + t - skip, at, y)[x] = exact_quotient((double) model.numerator(n, p, own.sums[y * ACROSS + x]),
			rint(1 / (root * root)), model.norm);
	}
}

// Writes and counts the undefined responses of a tile, to these maps.
__device__ __noinline__ void undefine(const Root *roots, const Box &b, const int first, const int until, const Outcome &out) {
	const Place at(b, blockIdx.x);
	u32 undefined = 0;
	for (int i = threadIdx.x; i < ROWS * ACROSS; i += THREADS) {
		const int x = i % ACROSS, y = i / ACROSS;
		if (!none(roots[i]) || at.x + x >= b.lagsX || at.y + y >= b.lagsY) continue;
		for (int map = first; map < until; map++) row_of(out, b, map, at, y)[x] = out.undefined;
		undefined += until - first;
	}
	if (undefined > 0) atomicAdd(out.counts, undefined);
}

// 16 templates at a time. coefficients: the four words of each thread, for each 16 templates and each product. Grid: tiles of ACROSS x ROWS lags,
// chunks of chunksEach times 16 templates. The templates before skip are not requested. The maps are consecutive.
template<int W> __device__ void respond(const s8 *image, const Box &b, const uint4 *coefficients, const int products, const NormAndSum *models,
	const int skip, const int count, const int chunksEach, const uint2 *windows, const int n, const Outcome &out)
{
	extern __shared__ double2 shared[];
	const int steps = STEPS_OF(products);
	const Own<W> own(shared, steps, chunksEach);
	const int begin = blockIdx.y * chunksEach * 16, until = min(count, begin + chunksEach * 16);
	const int lane = threadIdx.x & 31, group = lane / 4, column = threadIdx.x / 32 * 16 + (lane & 3) * 4;
	const Place at(b, blockIdx.x);
	Tile<W>::load(image, b, at, steps, own.copies);
	for (int i = threadIdx.x; i < (until - begin + 15) / 16 * steps * 32; i += THREADS) own.coefficients[i] = __ldg(coefficients
		+ (size_t) begin * 2 * steps + i);
	for (int i = threadIdx.x; i < chunksEach * 16; i += THREADS) own.models[i] = Model(models[min(begin + i, count - 1)]);
	const bool flat = __syncthreads_or(own.know(windows, b, at, n));
	const s64 eight = 8 * (s64) out.pitch * b.lagsY * b.lagsZ;
	#pragma unroll 1
	for (int y0 = 0; y0 < ROWS; y0 += DOWN) {
		const int rows = at.x + column < out.pitch ? b.lagsY - at.y - y0 : 0;
		float *to = row_of(out, b, begin - skip + group, at, y0) + column;
		#pragma unroll 1
		for (int first = begin; first < until; first += 16, to += 2 * eight) {
			int sum[2][DOWN][4];
			#pragma unroll
			for (int i = 0; i < 2 * DOWN * 4; i++) (&sum[0][0][0])[i] = 0;
			const uint4 *coefficient = own.coefficients + (first - begin) * 2 * steps + lane;
			Windows<W> pixels(own.copies + y0 * Tile<W>::WORDS, steps);
			#pragma unroll 8
			for (int step = 0; step < steps; step++) {
				const uint4 a = coefficient[step * 32];
				#pragma unroll
				for (int x = 0; x < 2; x++)
					#pragma unroll
					for (int y = 0; y < DOWN; y++)
						product<true, true>(sum[x][y], a, pixels.of[x][y]);
				if (step + 1 < steps) pixels.next(step + 1);
			}
			const Model model[2] = { own.models[first - begin + group], own.models[first - begin + group + 8] };
			const int upper = first + group, wanted[2] = { upper >= skip && upper < until ? rows : 0,
				upper + 8 >= skip && upper + 8 < until ? rows : 0 };
			u32 sure = ~0u;
			float *row = to;
			#pragma unroll
			for (int y = 0; y < DOWN; y++, row += out.pitch) {
				__align__(16) Root root[4];
				#pragma unroll
				for (int i = 0; i < 2; i++) ((uint4 *) root)[i] = ((const uint4 *) (own.roots + (y0 + y) * ACROSS + column))[i];
				const int4 k = *(const int4 *) (own.sums + (y0 + y) * ACROSS + column);
				const Sum s[4] = { sum_of(k.x), sum_of(k.y), sum_of(k.z), sum_of(k.w) };
				#pragma unroll
				for (int h = 0; h < 2; h++) {
					float response[4];
					#pragma unroll
					for (int i = 0; i < 4; i++) response[i] = model[h].response(n, sum[i / 2][y][2 * h + i % 2], s[i], root[i], sure);
					store_if(y < wanted[h], row + h * eight, response);
				}
			}
			const u32 unsure = __ballot_sync(~0u, sure <= UNSURE);
			if (unsure != 0) mend<W>(unsure, own, b, steps, anew(y0), anew(first), anew(begin), skip, until, n, out);
		}
	}
	if (flat) {
		__syncthreads();
		undefine(own.roots, b, anew(max(begin, skip)) - skip, until - skip, out);
	}
}

#define RESPOND(W) extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) bank_##W(const s8 *image, const __grid_constant__ Box b, \
	const uint4 *coefficients, \
	const int products, const NormAndSum *models, const int skip, const int count, const int chunksEach, const uint2 *windows, const int n, \
	const __grid_constant__ Outcome out) \
	{ respond<W>(image, b, coefficients, products, models, skip, count, chunksEach, windows, n, out); }

// bank_<coefficients of a row>
RESPOND(8)
RESPOND(16)
RESPOND(32)
