// Responses from products in float of transforms. Window sums are used immediately and not stored, see windows.cuh.
#include "fourier.cuh"
#include "windows.cuh"

// Of a block.
#define MOST_ROWS 64
#define MOST_ROWS_OF_VOLUMES 256

__device__ inline bool sums_of(const Sums<u32> t, const Trust &trust, const u32, const u32, const Narrow, RealWindow &w) {
	return window_of(make_uint2(t.s, t.q), trust, w);
}

__device__ inline bool sums_of(const Sums<u64> t, const Trust &trust, const u64, const u64, const Narrow, RealWindow &w) {
	longlong2 sums;
	sums.x = (s64) t.s;
	sums.y = (s64) t.q;
	return window_of(sums, trust, w);
}

__device__ inline bool sums_of(const Sums<Wide> t, const Trust &trust, const Wide reference, const Wide passed, const Narrow share,
	RealWindow &w)
{
	w = moments(t, wide(trust.inverse), reference, passed, share);
	return true;
}

template<class A> __device__ inline Narrow share_of(const double roundings) { return (Narrow) (roundings * (rounding<A>() * 1.1102230246251565e-16 / 9e-6)); }

// least: the smallest √N·σ of each current row. share: as WindowSumsKernel.share on the host.
template<class A, int M, int R> struct Respond {
	const float *products;
	const Box &b;
	const Trust &trust;
	const Outcome &out;
	float *least;
	double reference;
	Narrow share;
	u32 missing;
	float fetched[R][M];

	__device__ void begin(const int y, const int z, const int row) { least[row] = trust.least(y, z); }

	__device__ void fetch(const int r, const int m, const int x, const int y, const int z) {
		fetched[r][m] = __ldg(products + ((size_t) z * trust.f.y + y) * trust.f.x + x);
	}

	__device__ void operator()(const Sums<A> t, const A about, const A passed, const int r, const int m, const int x, const int y,
		const int z, const int row)
	{
		RealWindow w;
		const bool flat = !sums_of(t, trust, about, passed, share, w);
		missing += flat;
		answer<float, real<A>()>(fetched[r][m], w, flat, least[row] + trust.of_column(x), reference, 0,
			((size_t) z * b.lagsY + y) * b.lagsX + x, trust, out);
	}

	__device__ void end() {
		if (missing > 0) atomicAdd(out.counts, missing);
	}
};

// BOUNDS: the threads, and where the compiler takes too many registers, the blocks of a multiprocessor
#define NORMALISE(NAME, P, A, THREADS, M, R, BOUNDS) extern "C" __global__ void __launch_bounds__ BOUNDS NAME(const P *image, \
	const Box b, const int rowsEach, const Sums<A> *groups, const float *products, const Trust trust, const Outcome out) \
{ \
	__shared__ float least[MOST_ROWS]; \
	Respond<A, M, R> respond = { products, b, trust, out, least, trust.known->reference, share_of<A>(128 + 2.0 * b.height * b.depth), 0 }; \
	windows<P, A, THREADS, M, R>(image, b, rowsEach, groups, respond); \
}

// As in windows.cu: <pixels>_<bits of whole sums>_<columns of a block>
NORMALISE(windows_bytes_32_512, s8, u32, 128, 4, 4, (128, 5))
NORMALISE(windows_bytes_32_1024, s8, u32, 128, 8, 2, (128))
NORMALISE(windows_bytes_32_2048, s8, u32, 256, 8, 2, (256, 2))
NORMALISE(windows_bytes_64_512, s8, u64, 128, 4, 2, (128, 5))
NORMALISE(windows_bytes_64_1024, s8, u64, 256, 4, 2, (256))
NORMALISE(windows_shorts_64_512, short, u64, 128, 4, 2, (128, 5))
NORMALISE(windows_shorts_64_1024, short, u64, 256, 4, 2, (256))
NORMALISE(windows_floats_512, float, Wide, 128, 4, 2, (128, 5))
NORMALISE(windows_floats_1024, float, Wide, 256, 4, 2, (256))
#ifndef PAIRS
NORMALISE(windows_doubles_512, double, double, 128, 4, 2, (128, 5))
NORMALISE(windows_doubles_1024, double, double, 256, 4, 2, (256))
#endif

// As in windows.cu: volumes_<pixels>_<columns of a block>
#define VOLUMES(NAME, P, A, THREADS, M, ROWS, R) extern "C" __global__ void __launch_bounds__(THREADS, \
	512 / THREADS) NAME(const P *image, const Box b, const int planesEach, const float *products, const Trust trust, const Outcome out) \
{ \
	__shared__ float least[MOST_ROWS_OF_VOLUMES]; \
	Respond<A, M, R> respond = { products, b, trust, out, least, trust.known->reference, share_of<A>(roundings_of<ROWS>(b, planesEach)), \
		0 }; \
	volumes<P, A, THREADS, M, ROWS, R>(image, b, planesEach, respond); \
}
VOLUMES(volumes_floats_256, float, Wide, 128, 2, 8, 2)
VOLUMES(volumes_floats_512, float, Wide, 256, 2, 8, 2)
#ifndef PAIRS
VOLUMES(volumes_doubles_256, double, double, 128, 2, 8, 2)
VOLUMES(volumes_doubles_512, double, double, 256, 2, 8, 2)
#endif

#define SWEEP(NAME, A, WARPS, M) extern "C" __global__ void __launch_bounds__(32 * WARPS) NAME(const A *pillars, const Box b, \
	const int rowsEach, const float *products, const Trust trust, const Outcome out) \
{ \
	__shared__ float least[32 * WARPS]; \
	Respond<A, M, 1> respond = { products, b, trust, out, least, trust.known->reference, 0, 0 }; \
	sweep<A, WARPS, M>(pillars, b, rowsEach, respond); \
}
SWEEP(sweep_32, u32, 4, 8)
SWEEP(sweep_64, u64, 4, 8)
