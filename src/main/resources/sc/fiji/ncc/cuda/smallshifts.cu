// Many templates over small shifts, after Moore, Leeser and Smith King: few lags and large templates, so the work is divided along the pixels of the template. A
// template is cut into tiles; a thread takes one tile at DOWN rows of ACROSS lags, whose sums stay in registers. A block takes some adjacent tiles of some
// frames and adds up their sums; another kernel adds up the sums of the blocks. Each tile shape has its own code: -DROWS0=... -DCOLUMNS0=... select the
// shapes that the current templates need, -DDOWN=... their rows of lags. One launch takes all frames and templates, from the original pixels.
#include "words.cuh"

#ifndef DOWN
#define DOWN 5
#endif
#ifndef ROWS0
// tile shapes that can cover any template
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

// One tile at DOWN rows of ACROSS lags. pixels: from the first lag on; pitch in quads.
template<class K, int ROWS, int COLUMNS> __device__ inline void tile(const typename K::Quad *pixels, const int pitch, const typename K::Word *taps, const int tapPitch,
	typename K::Sum (&sum)[DOWN][ACROSS])
{
	typedef typename K::Word Word;
	constexpr int QUADS = (ACROSS + COLUMNS - 1 + 3) / 4, EACH = 4 / K::E, T = (COLUMNS + K::E - 1) / K::E;
	// at row a of the lags, row j of the template meets row j + a of the pixels, so the last DOWN rows of taps are kept
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

// Copies rows of pixels of all frames of a block to shared memory, from row top of the template on; 0 beyond the region of its windows.
template<class K, class P> __device__ void stage(const Batch &b, const Part &part, const Model &m, const int top, const double *references, const int firstFrame, const int here,
	const int quads, const int rows, typename K::Quad *to)
{
	const int width = m.width + b.lagsX - 1 - part.x, height = m.height + b.lagsY - 1 - top, all = here * rows * quads;
	// quotients as products; for a divisor of 1, 2^32 is stored as 0
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
