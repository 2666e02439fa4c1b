// The responses of small 8-bit templates in one pass over the original pixels: ΣPT on the matrix units as in bytes.cu, and also ΣP and ΣP².
// Running sums down the columns, cut into bytes, are multiplied by rows of ones that are shifted like the rows of the template. So each thread gets
// the sums of its own lags in its registers. A block has 128x32 lags, of one template after another, or of two at a time. -DHEIGHT=...: the rows of
// the template, known to the compiler.
#include "matrix.cuh"
#include "wide.cuh"

#define WARPS 4
#define ACROSS 8
#define DOWN (8 * WARPS)
#define THREADS (32 * WARPS)
// ΣP takes two bytes, ΣP² three, for up to 255 rows
#define PLANES 5

#ifdef HEIGHT
#define HEIGHT_OF(B) HEIGHT
#else
#define HEIGHT_OF(B) (B).height
#endif

// The sums of four columns over the rows of a window.
struct Columns {
	int s[4], q[4];

	template<int SIGN> __device__ void add(const u32 pixels) {
		#pragma unroll
		for (int i = 0; i < 4; i++) {
			const int v = (s8) (pixels >> 8 * i);
			s[i] += SIGN * v;
			q[i] += SIGN * v * v;
		}
	}

	// One byte after another, each for all four columns.
	__device__ void write(u8 *to, const int plane) const {
		const u32 s01 = __byte_perm(s[0], s[1], 0x5140), s23 = __byte_perm(s[2], s[3], 0x5140);
		const u32 q01 = __byte_perm(q[0], q[1], 0x5140), q23 = __byte_perm(q[2], q[3], 0x5140);
		*(u32 *) to = __byte_perm(s01, s23, 0x5410);
		*(u32 *) (to + plane) = __byte_perm(s01, s23, 0x7632);
		*(u32 *) (to + 2 * plane) = __byte_perm(q01, q23, 0x5410);
		*(u32 *) (to + 3 * plane) = __byte_perm(q01, q23, 0x7632);
		*(u32 *) (to + 4 * plane) = __byte_perm(__byte_perm(q[0], q[1], 0x0062), __byte_perm(q[2], q[3], 0x0062), 0x5410);
	}
};

// One plane of column sums times ones: 16x8 lags.
template<int STEPS, bool Signed> __device__ inline void across(int *c, const uint4 *ones, const u8 *columns) {
	c[0] = c[1] = c[2] = c[3] = 0;
	#pragma unroll
	for (int k = 0; k < STEPS; k++) product<true, Signed>(c, ones[k], *(const uint2 *) (columns + 32 * k));
}

// coefficients: the rows of each template, each after 16 zeros and followed by zeros up to 32·(STEPS + 1) bytes; after all templates a row of ones. A
// block takes all count templates, T at a time. Grid: 128x32 lags, planes by chunks of templates. The maps are consecutive.
template<int STEPS, int T> __device__ void respond(const u8 *raw, const int type, const Box &b, const u8 *coefficients, const NormAndSum *models,
	const int count, const int all, const int each, const int n, const Outcome &out)
{
	constexpr int COLUMNS = 16 * (ACROSS - 1) + 32 * STEPS, WORDS = COLUMNS / 4, PITCH = (COLUMNS + 31) / 32 * 32 | 32, ROW = 32 * (STEPS + 1);
	extern __shared__ u8 tile[];
	const int height = HEIGHT_OF(b), rows = DOWN + height - 1, lane = threadIdx.x & 31, warp = threadIdx.x / 32, group = lane / 4, member = lane & 3;
	const int x0 = blockIdx.x * 16 * ACROSS, y0 = blockIdx.y * DOWN, z = blockIdx.z % b.lagsZ, begin = blockIdx.z / b.lagsZ * each;
	u8 *model = tile + rows * PITCH, *line = model + T * height * ROW, *sums = line + ROW;
	constexpr int PLANE = DOWN * PITCH;
	{
		const u32 flip = type == 0 ? 0x80808080u : 0;
		const u32 *words = (const u32 *) raw;
		const int last = (int) ((raw_index(b, b.lagsX + b.width - 2, b.rows - 1, b.planes - 1)) / 4);
		#pragma unroll 4
		for (int i = threadIdx.x; i < rows * WORDS; i += THREADS) {
			const int y = i / WORDS, x = i - y * WORDS;
			// pixels beyond the box are multiplied by coefficients of 0, or belong to lags outside the box
			const size_t at = raw_index(b, x0 + 4 * x, min(y0 + y, b.rows - 1), z);
			const int word = (int) (at / 4), odd = (int) (at & 3);
			*(u32 *) (tile + y * PITCH + 4 * x) = __funnelshift_r(words[min(word, last)], words[min(word + 1, last)], 8 * odd) ^ flip;
		}
		if (threadIdx.x < ROW / 16) ((uint4 *) line)[threadIdx.x] = __ldg((const uint4 *) (coefficients + (size_t) all * height * ROW) + threadIdx.x);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < WORDS * WARPS; i += THREADS) {
		const int strip = i / WORDS, x = i - strip * WORDS;
		const u8 *p = tile + strip * 8 * PITCH + 4 * x;
		u8 *to = sums + strip * 8 * PITCH + 4 * x;
		Columns c;
		#pragma unroll
		for (int k = 0; k < 4; k++) c.s[k] = c.q[k] = 0;
		#pragma unroll 8
		for (int j = 0; j < height - 1; j++) c.add<1>(*(const u32 *) (p + j * PITCH));
		#pragma unroll
		for (int y = 0; y < 8; y++) {
			c.add<1>(*(const u32 *) (p + (y + height - 1) * PITCH));
			c.write(to + y * PITCH, PLANE);
			c.add<-1>(*(const u32 *) (p + y * PITCH));
		}
	}
	const int shift = bits_in_word();
	uint4 ones[STEPS];
	#pragma unroll
	for (int k = 0; k < STEPS; k++) ones[k] = matrix_of(coefficients_of(line), k, shift);
	u32 missing = 0;
	for (int first = begin; first < min(count, begin + each); first += T) {
		__syncthreads();
		const int here = min(T, count - first);
		for (int i = threadIdx.x; i < here * height * ROW / 16; i += THREADS) ((uint4 *) model)[i] = __ldg((const uint4 *) (coefficients
			+ (size_t) first * height * ROW) + i);
		__syncthreads();
		int sum[T][ACROSS][4];
		#pragma unroll
		for (int t = 0; t < T; t++)
			#pragma unroll
			for (int x = 0; x < ACROSS; x++)
				#pragma unroll
				for (int i = 0; i < 4; i++) sum[t][x][i] = 0;
		const u8 *pixel = tile + (warp * 8 + group) * PITCH + 8 * member, *coefficient = coefficients_of(model);
		#pragma unroll 4
		for (int j = 0; j < height; j++, pixel += PITCH, coefficient += ROW) {
			uint2 pixels[ACROSS + 2 * (STEPS - 1)];
			#pragma unroll
			for (int x = 0; x < ACROSS + 2 * (STEPS - 1); x++) pixels[x] = *(const uint2 *) (pixel + 16 * x);
			#pragma unroll
			for (int t = 0; t < T; t++) {
				if (t >= here) break;
				#pragma unroll
				for (int k = 0; k < STEPS; k++) {
					const uint4 matrix = matrix_of(coefficient + t * height * ROW, k, shift);
					#pragma unroll
					for (int x = 0; x < ACROSS; x++) product<true, true>(sum[t][x], matrix, pixels[x + 2 * k]);
				}
			}
		}
		Norm norm[T];
		Factor templateSum[T];
		#pragma unroll
		for (int t = 0; t < T; t++) {
			const NormAndSum m = models[min(first + t, count - 1)];
			norm[t] = m.norm;
			templateSum[t] = factor(m.sum);
		}
		const u8 *columns = sums + (warp * 8 + group) * PITCH + 8 * member;
		const int x = x0 + group, y = y0 + warp * 8 + 2 * member;
		const size_t lags = (size_t) b.lagsX * b.lagsY * b.lagsZ;
		float *map = out.map + first * lags + ((size_t) z * b.lagsY + y) * b.lagsX + x;
		#pragma unroll
		for (int a = 0; a < ACROSS; a++) {
			int lower[4], upper[4], ones0[4], ones1[4], ones2[4];
			across<STEPS, false>(lower, ones, columns + 16 * a);
			across<STEPS, true>(upper, ones, columns + 16 * a + PLANE);
			across<STEPS, false>(ones0, ones, columns + 16 * a + 2 * PLANE);
			across<STEPS, false>(ones1, ones, columns + 16 * a + 3 * PLANE);
			across<STEPS, false>(ones2, ones, columns + 16 * a + 4 * PLANE);
			#pragma unroll
			for (int i = 0; i < 4; i++) {
				const int s = lower[i] + (upper[i] << 8);
				const u32 q = (u32) ones0[i] + ((u32) ones1[i] << 8) + ((u32) ones2[i] << 16);
				const Whole variance = whole(factor(n), q, s, factor(s));
				const Wide root = root_inverse(wide(variance));
				const bool flat = variance == 0, inside = x + 16 * a + (i & 2) * 4 < b.lagsX && y + (i & 1) < b.lagsY;
				missing += flat && inside ? here : 0;
				#pragma unroll
				for (int t = 0; t < T; t++) {
					if (t >= here) break;
					const Whole numerator = whole(factor(n), sum[t][a][i], s, templateSum[t]);
					const float r = flat ? out.undefined : quotient(numerator, variance, root, norm[t]);
					if (inside) map[t * lags + 16 * a + (i & 2) * 4 + (i & 1) * b.lagsX] = r;
				}
			}
		}
	}
	if (missing > 0) atomicAdd(out.counts, missing);
}

#define RESPOND(NAME, STEPS, T, BLOCKS) extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) NAME##_##STEPS(const u8 *raw, const int type, \
	const Box b, const u8 *coefficients, \
	const NormAndSum *models, const int count, const int all, const int each, const int n, const Outcome out) \
	{ respond<STEPS, T>(raw, type, b, coefficients, models, count, all, each, n, out); }

// <name>_<columns of the matrices over 32>: templates up to 17, 49 and 81 wide
RESPOND(single, 1, 1, 5)
RESPOND(single, 2, 1, 4)
RESPOND(single, 3, 1, 3)
RESPOND(pairs, 1, 2, 4)
RESPOND(pairs, 2, 2, 3)
RESPOND(pairs, 3, 2, 2)
