// Many templates over small shifts, after Moore, Leeser and Smith King: few lags and large templates, so the work is spread over the template's pixels. A
// template is cut into tiles; a thread takes one tile at DOWN rows of ACROSS lags, whose sums stay in registers. A block takes some tiles next to each other,
// of some frames, and adds their sums up; another kernel adds up those of the blocks. Every shape of a tile has code of its own: with -DROWS0=... -DCOLUMNS0=... exactly
// those that the templates at hand need, with -DDOWN=... for the rows of their lags. Frames and templates go through in one launch, from the pixels as they were sent.
#include "common.cuh"

#define ACROSS 4
#ifndef DOWN
#define DOWN 5
#endif
#ifndef ROWS0
// shapes of tiles of which any template can be made; and all that does not depend on shapes
#define WHOLE_FILE
#define ROWS0 16
#define COLUMNS0 4
#define ROWS1 4
#define COLUMNS1 4
#define ROWS2 1
#define COLUMNS2 4
#define ROWS3 16
#define COLUMNS3 3
#define ROWS4 4
#define COLUMNS4 3
#define ROWS5 1
#define COLUMNS5 3
#define ROWS6 16
#define COLUMNS6 2
#define ROWS7 4
#define COLUMNS7 2
#define ROWS8 1
#define COLUMNS8 2
#define ROWS9 16
#define COLUMNS9 1
#define ROWS10 4
#define COLUMNS10 1
#define ROWS11 1
#define COLUMNS11 1
#endif
#define MOST_THREADS 256

// A template. taps: where its rows begin, and how far they lie apart, in words; its parts are what blocks take of it. sum: of the template about the middle of
// its type, or the mean of its taps in float; norm: √(N·Σ² - (Σ)²), or 1/√Σ² in float; limit: the greatest (Σ(P - ref))²/N over N·σ² that stands.
struct Model {
	int width, height, taps, pitch, firstPart, parts, pad[2];
	double n, sum, norm, limit;
};

// Tiles of one shape that a block takes: where the first begins in the template, their extents, how many lie side by side and below each other at a time, of how
// many frames; so often, one time below the other; and how many lie below each other in all.
struct Part {
	int model, shape, x, y, rows, columns, across, down, frames, steps, tiles, pad;
};

// A template in a frame: the window of its first lag begins at this pixel of those that were sent.
struct Place {
	s64 first;
	int pitch;
	float undefined;
};

// All that is computed at once.
struct Batch {
	const void *raw;
	const Model *models;
	const Place *places; // of each frame, of each template
	int type, templates, frames, parts, lagsX, lagsY;
	int down, pad; // rows of lags of a thread of what made the partial sums

	__device__ Place place(const int frame, const int model) const { return places[(size_t) frame * templates + model]; }
};

// ---- Three kinds of numbers: words of E pixels or taps, and how they are multiplied and added up.

template<class P> __device__ inline int centred(const P v);
template<> __device__ inline int centred(const u8 v) { return (int) v - 128; }
template<> __device__ inline int centred(const s8 v) { return v; }
template<> __device__ inline int centred(const u16 v) { return (int) v - 32768; }
template<> __device__ inline int centred(const short v) { return v; }

// 8 bits in four sums at once; 32 bits hold the products of 2^17 pixels.
struct Bytes {
	typedef u32 Word;
	typedef u32 Quad;
	typedef int Sum;
	typedef int Out;
	static constexpr int E = 4;

	template<class P> __device__ static Quad quad(const P *p, const int n, const double) {
		Quad q = 0;
		#pragma unroll
		for (int i = 0; i < 4; i++) if (i < n) q |= (u32) (centred(__ldg(p + i)) & 0xff) << 8 * i;
		return q;
	}
	__device__ static void split(const Quad q, Word *w) { *w = q; }
	__device__ static void add(Sum &s, const Word tap, const Word pixels) { s = __dp4a((int) pixels, (int) tap, s); }
	__device__ static Out out(const Sum s) { return s; }
};

// 16 bits with the upper and the lower bytes of two taps: each sum holds the products of 256.
struct Shorts {
	typedef u32 Word;
	typedef uint2 Quad;
	struct Sum { int upper, lower; };
	typedef s64 Out;
	static constexpr int E = 2;

	template<class P> __device__ static Quad quad(const P *p, const int n, const double) {
		u32 v[4];
		#pragma unroll
		for (int i = 0; i < 4; i++) v[i] = i < n ? (u32) centred(__ldg(p + i)) & 0xffff : 0;
		return make_uint2(v[0] | v[1] << 16, v[2] | v[3] << 16);
	}
	__device__ static void split(const Quad q, Word *w) { w[0] = q.x; w[1] = q.y; }
	__device__ static void add(Sum &s, const Word tap, const Word pixels) {
		asm("dp2a.lo.s32.s32 %0, %1, %2, %0;" : "+r"(s.upper) : "r"(pixels), "r"(tap));
		asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(s.lower) : "r"(pixels), "r"(tap));
	}
	__device__ static Out out(const Sum s) { return ((s64) s.upper << 8) + s.lower; }
};

// About a reference near the window.
struct Floats {
	typedef float Word;
	typedef float4 Quad;
	typedef float Sum;
	typedef float Out;
	static constexpr int E = 1;

	__device__ static float about(const float v, const double reference) { return v - (float) reference; }
	__device__ static float about(const double v, const double reference) { return (float) (v - reference); }
	template<class P> __device__ static float about(const P v, const double reference) {
		return sizeof(P) < 4 ? (float) v - (float) reference : (float) ((double) v - reference);
	}
	template<class P> __device__ static Quad quad(const P *p, const int n, const double reference) {
		float v[4];
		#pragma unroll
		for (int i = 0; i < 4; i++) v[i] = i < n ? about(__ldg(p + i), reference) : 0;
		return make_float4(v[0], v[1], v[2], v[3]);
	}
	__device__ static void split(const Quad q, Word *w) { w[0] = q.x; w[1] = q.y; w[2] = q.z; w[3] = q.w; }
	__device__ static void add(Sum &s, const Word tap, const Word pixel) { s = fmaf(tap, pixel, s); }
	__device__ static Out out(const Sum s) { return s; }
};

// The E pixels from the e-th on.
template<class K, int WORDS> __device__ inline typename K::Word pixels_at(const typename K::Word (&w)[WORDS], const int e) {
	const int i = e / K::E, r = e % K::E;
	if constexpr (K::E == 1) return w[i];
	else return r == 0 ? w[i] : i + 1 < WORDS ? __funnelshift_r(w[i], w[i + 1], 32 / K::E * r) : w[i] >> 32 / K::E * r;
}

// One tile at DOWN rows of ACROSS lags. pixels: from the first lag's on, pitch in quads.
template<class K, int ROWS, int COLUMNS> __device__ inline void tile(const typename K::Quad *pixels, const int pitch, const typename K::Word *taps, const int tapPitch,
	typename K::Sum (&sum)[DOWN][ACROSS])
{
	typedef typename K::Word Word;
	constexpr int QUADS = (ACROSS + COLUMNS - 1 + 3) / 4, EACH = 4 / K::E, T = (COLUMNS + K::E - 1) / K::E;
	// row j of the template meets row j + a of the pixels at the a-th row of lags: the last DOWN rows of taps are at hand
	Word tap[DOWN][T];
	#pragma unroll
	for (int p = 0; p < ROWS + DOWN - 1; p++) {
		Word w[QUADS * EACH];
		#pragma unroll
		for (int i = 0; i < QUADS; i++) K::split(pixels[p * pitch + i], w + i * EACH);
		if (p < ROWS) {
			#pragma unroll
			for (int k = 0; k < T; k++) tap[p % DOWN][k] = __ldg(taps + (size_t) p * tapPitch + k);
		}
		#pragma unroll
		for (int k = 0; k < T; k++)
			#pragma unroll
			for (int l = 0; l < ACROSS; l++) {
				const Word v = pixels_at<K, QUADS * EACH>(w, l + K::E * k);
				#pragma unroll
				for (int a = 0; a < DOWN; a++)
					if (p - a >= 0 && p - a < ROWS) K::add(sum[a][l], tap[(p - a + DOWN) % DOWN][k], v);
			}
	}
}

// Rows of pixels of all frames of a block to shared memory, from the template's row top on, 0 beyond the region of the template's windows.
template<class K, class P> __device__ void stage(const Batch &b, const Part &part, const Model &m, const int top, const double *references, const int firstFrame, const int here,
	const int quads, const int rows, typename K::Quad *to)
{
	const int width = m.width + b.lagsX - 1 - part.x, height = m.height + b.lagsY - 1 - top, all = here * rows * quads;
	// quotients by products; 2^32 of a divisor of 1 reads 0
	const u32 byQuads = 0xffffffffu / quads + 1, byRows = 0xffffffffu / rows + 1;
	const auto put = [&](const int i, const int row, const int y, const Place &place, const double reference) {
		const int x = 4 * (i - row * quads);
		const P *p = (const P *) b.raw + place.first + (s64) (top + y) * place.pitch + part.x + x;
		to[i] = K::quad(p, y < height ? width - x : 0, reference);
	};
	if (here == 1) {
		const Place place = b.place(firstFrame, part.model);
		const double reference = K::E == 1 ? references[(size_t) firstFrame * b.templates + part.model] : 0;
		#pragma unroll 4
		for (int i = threadIdx.x; i < all; i += blockDim.x) {
			const int row = byQuads == 0 ? i : __umulhi(i, byQuads);
			put(i, row, row, place, reference);
		}
		return;
	}
	#pragma unroll 2
	for (int i = threadIdx.x; i < all; i += blockDim.x) {
		const int row = byQuads == 0 ? i : __umulhi(i, byQuads), f = byRows == 0 ? row : __umulhi(row, byRows);
		const double reference = K::E == 1 ? references[(size_t) (firstFrame + f) * b.templates + part.model] : 0;
		put(i, row, row - f * rows, b.place(firstFrame + f, part.model), reference);
	}
}

template<class K> __device__ inline void stage_any(const Batch &b, const Part &part, const Model &m, const int top, const double *references, const int firstFrame, const int here,
	const int quads, const int rows, typename K::Quad *pixels)
{
	#define STAGE(TYPE, P) case TYPE: stage<K, P>(b, part, m, top, references, firstFrame, here, quads, rows, pixels); break;
	if constexpr (K::E == 4) {
		switch (b.type) {
			STAGE(0, u8)
			STAGE(1, s8)
		}
	}
	else if constexpr (K::E == 2) {
		switch (b.type) {
			STAGE(0, u8)
			STAGE(1, s8)
			STAGE(2, u16)
			STAGE(3, short)
		}
	}
	else {
		switch (b.type) {
			STAGE(0, u8)
			STAGE(1, s8)
			STAGE(2, u16)
			STAGE(3, short)
			STAGE(4, u32)
			STAGE(5, int)
			STAGE(6, float)
			STAGE(7, double)
		}
	}
}

// Sums of products over the tiles of each block, at every lag: partials[frame][part][row][column], rows and columns of lags up to whole threads.
// Grid: parts, frames. Shared memory: pixels, then sums.
template<class K> __device__ void accumulate(const Batch &b, const Part *parts, const typename K::Word *taps, const double *references, typename K::Out *partials) {
	extern __shared__ uint4 shared[];
	const Part part = parts[blockIdx.x];
	const int firstFrame = blockIdx.y * part.frames, here = min(part.frames, b.frames - firstFrame);
	if (here <= 0) return;
	const Model &m = b.models[part.model];
	const int strips = (b.lagsX + ACROSS - 1) / ACROSS, groups = (b.lagsY + DOWN - 1) / DOWN, tiles = part.across * part.down;
	const int quads = ((part.across - 1) * part.columns + ACROSS * strips + part.columns - 1 + 3) / 4, rows = part.down * part.rows + groups * DOWN - 1;
	typename K::Quad *pixels = (typename K::Quad *) shared;
	typename K::Sum sum[DOWN][ACROSS] = { };
	int i = threadIdx.x;
	const int strip = i % strips, across = (i /= strips) % part.across, group = (i /= part.across) % groups, down = (i /= groups) % part.down, f = i / part.down;
	const bool active = f < here;
	for (int step = 0; step < part.steps; step++) {
		const int top = part.y + step * part.down * part.rows;
		if (step > 0) __syncthreads();
		stage_any<K>(b, part, m, top, references, firstFrame, here, quads, rows, pixels);
		__syncthreads();
		if (!active || step * part.down + down >= part.tiles) continue;
		const typename K::Quad *p = pixels + (f * rows + down * part.rows + group * DOWN) * quads + across * part.columns / 4 + strip;
		const typename K::Word *t = taps + m.taps + (size_t) (top + down * part.rows) * m.pitch + (part.x + across * part.columns) / K::E;
		#define SHAPE(INDEX, ROWS, COLUMNS) case INDEX: tile<K, ROWS, COLUMNS>(p, quads, t, m.pitch, sum); break;
		switch (part.shape) {
			SHAPE(0, ROWS0, COLUMNS0)
			#ifdef ROWS1
			SHAPE(1, ROWS1, COLUMNS1)
			#endif
			#ifdef ROWS2
			SHAPE(2, ROWS2, COLUMNS2)
			#endif
			#ifdef ROWS3
			SHAPE(3, ROWS3, COLUMNS3)
			#endif
			#ifdef ROWS4
			SHAPE(4, ROWS4, COLUMNS4)
			#endif
			#ifdef ROWS5
			SHAPE(5, ROWS5, COLUMNS5)
			#endif
			#ifdef ROWS6
			SHAPE(6, ROWS6, COLUMNS6)
			#endif
			#ifdef ROWS7
			SHAPE(7, ROWS7, COLUMNS7)
			#endif
			#ifdef ROWS8
			SHAPE(8, ROWS8, COLUMNS8)
			#endif
			#ifdef ROWS9
			SHAPE(9, ROWS9, COLUMNS9)
			#endif
			#ifdef ROWS10
			SHAPE(10, ROWS10, COLUMNS10)
			#endif
			#ifdef ROWS11
			SHAPE(11, ROWS11, COLUMNS11)
			#endif
		}
	}
	__syncthreads();
	typename K::Out *sums = (typename K::Out *) shared;
	const int columns = ACROSS * strips, lags = columns * groups * DOWN;
	if (active)
		#pragma unroll
		for (int a = 0; a < DOWN; a++)
			#pragma unroll
			for (int l = 0; l < ACROSS; l++)
				sums[(f * tiles + down * part.across + across) * lags + (group * DOWN + a) * columns + strip * ACROSS + l] = K::out(sum[a][l]);
	__syncthreads();
	for (int g = 0; g < here; g++)
		for (int lag = threadIdx.x; lag < lags; lag += blockDim.x) {
			typename K::Out total = 0;
			for (int t = 0; t < tiles; t++) total += sums[(g * tiles + t) * lags + lag];
			partials[((size_t) (firstFrame + g) * b.parts + blockIdx.x) * lags + lag] = total;
		}
}

#define ACCUMULATE(NAME, K) extern "C" __global__ void __launch_bounds__(MOST_THREADS, 2) NAME(const Batch b, const Part *parts, const K::Word *taps, const double *references, \
	K::Out *partials) { accumulate<K>(b, parts, taps, references, partials); }
#if !defined(ONLY) || ONLY == 4
ACCUMULATE(accumulate_bytes, Bytes)
#endif
#if !defined(ONLY) || ONLY == 2
ACCUMULATE(accumulate_shorts, Shorts)
#endif
#if !defined(ONLY) || ONLY == 1
ACCUMULATE(accumulate_floats, Floats)
#endif

#ifdef WHOLE_FILE
// ---- The sums of all windows: running sums down the columns; along each row a sum of columns, and what enters and leaves. A block has a template in a frame.

// The median of 32 pixels spread over the region of a template's windows; 0 if none is finite. By the first warp.
template<class P> __device__ inline double median(const P *p, const int pitch, const int columns, const int rows) {
	const int i = threadIdx.x, x = (int) ((i * 2 + 1) * (s64) columns / 64), y = (int) (i * 13 % 32 * (s64) rows / 32);
	const double v = p[(s64) y * pitch + x], huge = 1.7976931348623157e308;
	const bool finite = fabs(v) <= huge;
	const double key = finite ? v : huge;
	int rank = 0;
	for (int o = 0; o < 32; o++) {
		const double other = __shfl_sync(~0u, key, o);
		rank += other < key || (other == key && o < i);
	}
	const int n = __popc(__ballot_sync(~0u, finite));
	const u32 it = __ballot_sync(~0u, rank == n / 2);
	return n == 0 ? 0 : __shfl_sync(~0u, v, __ffs(it) - 1);
}

template<class A> struct Sums { A s, q; };

// What a pixel adds: whole numbers about the middle of their type, others about the reference.
template<class A, class P> __device__ inline A value_of(const P v, const A reference) {
	if constexpr ((A) 0.5 == 0) return (A) centred(v);
	else return (A) v - reference;
}

template<class A> __device__ inline A over_warp(A v) {
	#pragma unroll
	for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
	return v;
}

// Sums of up to so many rows of lags are in shared memory at once, each for a warp.
template<class A, class P> __device__ void windows(const Batch &b, const Place &place, const Model &m, const int rowsAtOnce, const double share, double *reference, Sums<A> *to) {
	extern __shared__ uint4 shared[];
	__shared__ double middle;
	constexpr bool REAL = (A) 0.5 != 0;
	const int columns = m.width + b.lagsX - 1, rows = m.height + b.lagsY - 1, lane = threadIdx.x & 31, warp = threadIdx.x / 32;
	const P *p = (const P *) b.raw + place.first;
	A about = 0;
	if constexpr (REAL) {
		if (warp == 0) {
			const double v = median(p, place.pitch, columns, rows);
			if (lane == 0) middle = *reference = v;
		}
		__syncthreads();
		about = middle;
	}
	// of each column the sums over the rows of a window, and of real ones the greatest Σ² so far
	Sums<A> *column = (Sums<A> *) shared, *line = column + columns;
	A *most = (A *) (line + rowsAtOnce * columns), *passed = most + columns;
	for (int x = threadIdx.x; x < columns; x += blockDim.x) {
		Sums<A> sums = { 0, 0 };
		const P *from = p + x;
		#pragma unroll 8
		for (int y = 0; y < m.height; y++) {
			const A v = value_of<A, P>(from[(s64) y * place.pitch], about);
			sums.s += v;
			sums.q += v * v;
		}
		column[x] = sums;
		if (REAL) most[x] = 0;
	}
	for (int y0 = 0; y0 < b.lagsY; y0 += rowsAtOnce) {
		const int here = min(rowsAtOnce, b.lagsY - y0);
		// each thread has its own columns
		for (int x = threadIdx.x; x < columns; x += blockDim.x) {
			Sums<A> sums = column[x];
			A greatest = REAL ? most[x] : 0;
			const P *from = p + (s64) y0 * place.pitch + x;
			#pragma unroll 4
			for (int r = 0; r < here; r++) {
				line[r * columns + x] = sums;
				if (REAL) {
					greatest = sums.q > greatest ? sums.q : greatest;
					passed[r * columns + x] = greatest;
				}
				if (y0 + r + 1 == b.lagsY) break;
				const A enter = value_of<A, P>(from[(s64) (r + m.height) * place.pitch], about), leave = value_of<A, P>(from[(s64) r * place.pitch], about);
				sums.s += enter - leave;
				sums.q += enter * enter - leave * leave;
			}
			column[x] = sums;
			if (REAL) most[x] = greatest;
		}
		__syncthreads();
		if (warp < here) {
			const Sums<A> *c = line + warp * columns;
			A s = 0, q = 0, all = 0;
			for (int x = lane; x < m.width; x += 32) {
				s += c[x].s;
				q += c[x].q;
			}
			s = over_warp(s);
			q = over_warp(q);
			if (REAL) {
				for (int x = lane; x < columns; x += 32) all += passed[warp * columns + x];
				all = over_warp(all);
			}
			for (int x0 = 0; x0 < b.lagsX; x0 += 32) {
				const int x = x0 + lane;
				A ds = 0, dq = 0;
				if (x > 0 && x < b.lagsX) {
					ds = c[x + m.width - 1].s - c[x - 1].s;
					dq = c[x + m.width - 1].q - c[x - 1].q;
				}
				#pragma unroll
				for (int o = 1; o < 32; o *= 2) {
					const A us = __shfl_up_sync(~0u, ds, o), uq = __shfl_up_sync(~0u, dq, o);
					if (lane >= o) {
						ds += us;
						dq += uq;
					}
				}
				Sums<A> w;
				w.s = s + ds;
				w.q = q + dq;
				s = __shfl_sync(~0u, w.s, 31);
				q = __shfl_sync(~0u, w.q, 31);
				if constexpr (REAL) {
					// N·σ²; NaN where it does not stand well above the rounding of what passed through the sums
					const double v = w.q - w.s * (w.s / m.n);
					w.q = v > all * share ? v : __longlong_as_double(0x7ff8000000000000ll);
				}
				if (x < b.lagsX) to[(y0 + warp) * b.lagsX + x] = w;
			}
		}
		__syncthreads();
	}
}

// Grid: templates, frames. to[frame][template][lag]
extern "C" __global__ void windows_whole(const Batch b, const int rowsAtOnce, Sums<s64> *to) {
	const size_t i = (size_t) blockIdx.y * b.templates + blockIdx.x;
	const Model &m = b.models[blockIdx.x];
	to += i * b.lagsX * b.lagsY;
	switch (b.type) {
		case 0: windows<s64, u8>(b, b.places[i], m, rowsAtOnce, 0, 0, to); break;
		case 1: windows<s64, s8>(b, b.places[i], m, rowsAtOnce, 0, 0, to); break;
		case 2: windows<s64, u16>(b, b.places[i], m, rowsAtOnce, 0, 0, to); break;
		default: windows<s64, short>(b, b.places[i], m, rowsAtOnce, 0, 0, to); break;
	}
}

// As the other: Σ(P - reference) and N·σ². share: of what passed through the sums, the least variance that stands above its rounding.
extern "C" __global__ void windows_real(const Batch b, const int rowsAtOnce, const double share, double *references, Sums<double> *to) {
	const size_t i = (size_t) blockIdx.y * b.templates + blockIdx.x;
	const Model &m = b.models[blockIdx.x];
	to += i * b.lagsX * b.lagsY;
	switch (b.type) {
		case 0: windows<double, u8>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 1: windows<double, s8>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 2: windows<double, u16>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 3: windows<double, short>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 4: windows<double, u32>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 5: windows<double, int>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 6: windows<double, float>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		default: windows<double, double>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
	}
}

// ---- The sums of all blocks, and the responses: map[frame][template][lag]. counts: of each frame as in Outcome. Grid: templates, frames, lags.

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

// What does not stand is noted as suspect. floor: the least N·σ² that is not lost to underflow.
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
#endif
