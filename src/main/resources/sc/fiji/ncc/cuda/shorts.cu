// The responses of small 16-bit templates in one pass over the original pixels. Pixels and templates are two planes of bytes each, so ΣPT has four
// products on the matrix units, of which two have the same weight. ΣP and ΣP² as in onepass.cu: running sums down the columns, cut into bytes, times
// ones. A block has 64x32 lags of one template after another. For up to 2048 pixels of a template: then N times each sum is below 2^53.
#include "matrix.cuh"
#include "wide.cuh"

#define WARPS 4
#define ACROSS 4
#define DOWN (8 * WARPS)
#define THREADS (32 * WARPS)
// ΣP of a column takes three bytes, ΣP² five
#define PLANES 8

// Two bytes of four words to two planes. selector: 0x5140 for bytes 0 and 1, 0x7362 for bytes 2 and 3.
__device__ inline void put_bytes(u8 *to, const int plane, const u32 a, const u32 b, const u32 c, const u32 d, const int selector) {
	const u32 ab = __byte_perm(a, b, selector), cd = __byte_perm(c, d, selector);
	*(u32 *) to = __byte_perm(ab, cd, 0x5410);
	*(u32 *) (to + plane) = __byte_perm(ab, cd, 0x7632);
}

// high·2^SHIFT + low; and a·b - c·d.
#ifdef PAIRS
template<int SHIFT, class Low> __device__ inline Whole joined(const int high, const Low low) { return (s64) high * (1 << SHIFT) + low; }
__device__ inline Whole difference(const Factor a, const Whole b, const int c, const Factor d) { return a * b - (s64) c * d; }
#else
template<int SHIFT> __device__ inline Whole joined(const int high, const Whole low) { return fma(as_double(high), (double) (1 << SHIFT), low); }
template<int SHIFT> __device__ inline Whole joined(const int high, const int low) { return joined<SHIFT>(high, as_double(low)); }
template<int SHIFT> __device__ inline Whole joined(const int high, const u32 low) { return joined<SHIFT>(high, as_double(low)); }
__device__ inline Whole difference(const Factor a, const Whole b, const int c, const Factor d) { return fma(a, b, -(as_double(c) * d)); }
#endif

// The sums of four columns over the rows of a window.
struct Columns {
	int s[4];
	s64 q[4];

	template<int SIGN> __device__ void add(const u32 upper, const u32 lower) {
		const int v01 = (int) __byte_perm(lower, upper, 0x5140), v23 = (int) __byte_perm(lower, upper, 0x7362);
		const int v[4] = { (short) v01, v01 >> 16, (short) v23, v23 >> 16 };
		#pragma unroll
		for (int i = 0; i < 4; i++) {
			s[i] += SIGN * v[i];
			q[i] += (s64) (SIGN * v[i]) * v[i];
		}
	}

	// One byte after another, each for all four columns.
	__device__ void write(u8 *to, const int plane) const {
		put_bytes(to, plane, s[0], s[1], s[2], s[3], 0x5140);
		*(u32 *) (to + 2 * plane) = __byte_perm(__byte_perm(s[0], s[1], 0x0062), __byte_perm(s[2], s[3], 0x0062), 0x5410);
		const u32 q0 = (u32) q[0], q1 = (u32) q[1], q2 = (u32) q[2], q3 = (u32) q[3];
		put_bytes(to + 3 * plane, plane, q0, q1, q2, q3, 0x5140);
		put_bytes(to + 5 * plane, plane, q0, q1, q2, q3, 0x7362);
		const u32 upper01 = __byte_perm((u32) (q[0] >> 32), (u32) (q[1] >> 32), 0x0040);
		const u32 upper23 = __byte_perm((u32) (q[2] >> 32), (u32) (q[3] >> 32), 0x0040);
		*(u32 *) (to + 7 * plane) = __byte_perm(upper01, upper23, 0x5410);
	}
};

// One plane of column sums times ones: 16x8 lags.
template<int STEPS, bool Signed> __device__ inline void across(int *c, const uint4 *ones, const u8 *columns) {
	c[0] = c[1] = c[2] = c[3] = 0;
	#pragma unroll
	for (int k = 0; k < STEPS; k++) product<true, Signed>(c, ones[k], *(const uint2 *) (columns + 32 * k));
}

// coefficients: for each row of each template the upper and then the lower bytes, each after 16 zeros and followed by zeros up to 32·(STEPS + 1)
// bytes; after all templates a row of ones. each: the templates of a block. Grid: 64x32 lags, planes by chunks of templates. The maps are consecutive.
template<int STEPS> __device__ void respond(const u16 *raw, const int type, const Box &b, const u8 *coefficients, const NormAndSum *models,
	const int count, const int all, const int each, const int n, const Outcome &out)
{
	constexpr int COLUMNS = 16 * (ACROSS - 1) + 32 * STEPS, WORDS = COLUMNS / 4, PITCH = (COLUMNS + 31) / 32 * 32 | 32;
	constexpr int ROW = 32 * (STEPS + 1), PLANE = DOWN * PITCH;
	extern __shared__ u8 upper[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, group = lane / 4, member = lane & 3, height = b.height, rows = DOWN + height - 1;
	const int x0 = blockIdx.x * 16 * ACROSS, y0 = blockIdx.y * DOWN, z = blockIdx.z % b.lagsZ, begin = blockIdx.z / b.lagsZ * each;
	u8 *lower = upper + rows * PITCH, *model = lower + rows * PITCH, *line = model + 2 * height * ROW, *sums = line + ROW;
	{
		const u32 flip = type == 2 ? 0x80008000u : 0;
		const u32 *words = (const u32 *) raw;
		const int last = (int) (raw_index(b, b.lagsX + b.width - 2, b.rows - 1, b.planes - 1) / 2);
		#pragma unroll 4
		for (int i = threadIdx.x; i < rows * WORDS; i += THREADS) {
			const int y = i / WORDS, x = i - y * WORDS;
			// pixels beyond the box are multiplied by coefficients of 0, or belong to lags outside the box
			const size_t at = raw_index(b, x0 + 4 * x, min(y0 + y, b.rows - 1), z);
			const int word = (int) (at / 2), shift = 16 * (int) (at & 1);
			const u32 w0 = words[min(word, last)], w1 = words[min(word + 1, last)], w2 = words[min(word + 2, last)];
			const u32 p01 = __funnelshift_r(w0, w1, shift) ^ flip, p23 = __funnelshift_r(w1, w2, shift) ^ flip;
			*(u32 *) (upper + y * PITCH + 4 * x) = __byte_perm(p01, p23, 0x7531);
			*(u32 *) (lower + y * PITCH + 4 * x) = __byte_perm(p01, p23, 0x6420);
		}
		const uint4 *rowOfOnes = (const uint4 *) (coefficients + (size_t) all * height * 2 * ROW);
		if (threadIdx.x < ROW / 16) ((uint4 *) line)[threadIdx.x] = __ldg(rowOfOnes + threadIdx.x);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < WORDS * WARPS; i += THREADS) {
		const int strip = i / WORDS, x = i - strip * WORDS, at = strip * 8 * PITCH + 4 * x;
		Columns c;
		#pragma unroll
		for (int k = 0; k < 4; k++) c.s[k] = c.q[k] = 0;
		#pragma unroll 4
		for (int j = 0; j < height - 1; j++) c.add<1>(*(const u32 *) (upper + at + j * PITCH), *(const u32 *) (lower + at + j * PITCH));
		#pragma unroll 2
		for (int y = 0; y < 8; y++) {
			const int enter = at + (y + height - 1) * PITCH, leave = at + y * PITCH;
			c.add<1>(*(const u32 *) (upper + enter), *(const u32 *) (lower + enter));
			c.write(sums + leave, PLANE);
			c.add<-1>(*(const u32 *) (upper + leave), *(const u32 *) (lower + leave));
		}
	}
	const int shift = bits_in_word();
	uint4 ones[STEPS];
	#pragma unroll
	for (int k = 0; k < STEPS; k++) ones[k] = matrix_of(coefficients_of(line), k, shift);
	u32 missing = 0;
	for (int t = begin; t < min(count, begin + each); t++) {
		__syncthreads();
		const uint4 *from = (const uint4 *) (coefficients + (size_t) t * height * 2 * ROW);
		for (int i = threadIdx.x; i < 2 * height * ROW / 16; i += THREADS) ((uint4 *) model)[i] = __ldg(from + i);
		__syncthreads();
		int high[ACROSS][4], middle[ACROSS][4], low[ACROSS][4];
		#pragma unroll
		for (int x = 0; x < ACROSS; x++)
			#pragma unroll
			for (int i = 0; i < 4; i++) high[x][i] = middle[x][i] = low[x][i] = 0;
		int at = (warp * 8 + group) * PITCH + 8 * member;
		const u8 *row = coefficients_of(model);
		#pragma unroll 2
		for (int j = 0; j < height; j++, at += PITCH, row += 2 * ROW) {
			uint2 uppers[ACROSS + 2 * (STEPS - 1)], lowers[ACROSS + 2 * (STEPS - 1)];
			#pragma unroll
			for (int x = 0; x < ACROSS + 2 * (STEPS - 1); x++) {
				uppers[x] = *(const uint2 *) (upper + at + 16 * x);
				lowers[x] = *(const uint2 *) (lower + at + 16 * x);
			}
			#pragma unroll
			for (int k = 0; k < STEPS; k++) {
				const uint4 ofUpper = matrix_of(row, k, shift), ofLower = matrix_of(row + ROW, k, shift);
				#pragma unroll
				for (int x = 0; x < ACROSS; x++) {
					product<true, true>(high[x], ofUpper, uppers[x + 2 * k]);
					product<true, false>(middle[x], ofUpper, lowers[x + 2 * k]);
					product<false, false>(low[x], ofLower, lowers[x + 2 * k]);
					product<false, true>(middle[x], ofLower, uppers[x + 2 * k]);
				}
			}
		}
		const NormAndSum m = models[t];
		const Factor templateSum = factor(m.sum);
		const u8 *columns = sums + (warp * 8 + group) * PITCH + 8 * member;
		const int x = x0 + group, y = y0 + warp * 8 + 2 * member;
		float *map = out.map + t * ((size_t) b.lagsX * b.lagsY * b.lagsZ) + ((size_t) z * b.lagsY + y) * b.lagsX + x;
		#pragma unroll
		for (int a = 0; a < ACROSS; a++) {
			int s[4], part[4], upperPart[4];
			u32 q[4];
			across<STEPS, false>(s, ones, columns + 16 * a);
			across<STEPS, false>(part, ones, columns + 16 * a + PLANE);
			across<STEPS, true>(upperPart, ones, columns + 16 * a + 2 * PLANE);
			#pragma unroll
			for (int i = 0; i < 4; i++) s[i] += (part[i] << 8) + (upperPart[i] << 16);
			across<STEPS, false>(part, ones, columns + 16 * a + 3 * PLANE);
			across<STEPS, false>(upperPart, ones, columns + 16 * a + 4 * PLANE);
			#pragma unroll
			for (int i = 0; i < 4; i++) q[i] = (u32) part[i] + ((u32) upperPart[i] << 8);
			across<STEPS, false>(part, ones, columns + 16 * a + 5 * PLANE);
			#pragma unroll
			for (int i = 0; i < 4; i++) q[i] += (u32) part[i] << 16;
			across<STEPS, false>(part, ones, columns + 16 * a + 6 * PLANE);
			across<STEPS, false>(upperPart, ones, columns + 16 * a + 7 * PLANE);
			#pragma unroll
			for (int i = 0; i < 4; i++) {
				const Whole variance = difference(factor(n), joined<24>(part[i] + (upperPart[i] << 8), q[i]), s[i], factor(s[i]));
				const Whole numerator = difference(factor(n), joined<16>(high[a][i], joined<8>(middle[a][i], low[a][i])), s[i], templateSum);
				const bool flat = variance == 0, inside = x + 16 * a + (i & 2) * 4 < b.lagsX && y + (i & 1) < b.lagsY;
				missing += flat && inside;
				const float r = flat ? out.undefined : quotient(numerator, variance, root_inverse(wide(variance)), m.norm);
				if (inside) map[16 * a + (i & 2) * 4 + (i & 1) * b.lagsX] = r;
			}
		}
	}
	if (missing > 0) atomicAdd(out.counts, missing);
}

// shorts_<columns of the matrices over 32>: templates up to 17, 49 and 81 wide
#define RESPOND(STEPS, BLOCKS) extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) shorts_##STEPS(const u16 *raw, const int type, \
	const Box b, const u8 *coefficients, const NormAndSum *models, const int count, const int all, const int each, const int n, const Outcome out) \
	{ respond<STEPS>(raw, type, b, coefficients, models, count, all, each, n, out); }
RESPOND(1, 4)
RESPOND(2, 3)
RESPOND(3, 3)
