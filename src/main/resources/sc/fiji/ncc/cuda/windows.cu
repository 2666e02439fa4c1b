// Stores ΣP and ΣP² of every window of a box. Each block has a stretch of columns and some rows. The cost of a lag grows little with the
// window.
#include "windows.cuh"

// Sums of integers are stored as they are, others as mean and N·σ².
template<class A> struct Write {
	Sums<A> *to;
	int lagsX, lagsY;
	Wide inverse;
	Narrow share;

	__device__ void begin(const int, const int, const int) {}

	__device__ void fetch(const int, const int, const int, const int, const int) {}

	__device__ void operator()(const Sums<A> t, const A reference, const A passed, const int, const int, const int x, const int y,
		const int z, const int) const
	{
		const size_t lag = ((size_t) z * lagsY + y) * lagsX + x;
		if constexpr (real<A>()) ((Moments<A> *) to)[lag] = moments(t, inverse, reference, passed, share);
		else to[lag] = t;
	}

	__device__ void end() {}
};

// Keeps the compiler from converting a number anew for every response.
__device__ inline void hold(FloatPair &v) { asm volatile("" : "+f"(v.high), "+f"(v.low)); }
__device__ inline void hold(double &) {}

// inverse: 1/N. share: the minimum variance relative to the sums that passed, in double.
#define WINDOWS(NAME, P, A, THREADS, M, R) extern "C" __global__ void __launch_bounds__(THREADS) NAME(const P *image, const Box b, \
	const int rowsEach, const Sums<A> *groups, const double inverse, const double share, Sums<A> *to) \
{ \
	Wide each = wide(inverse); \
	hold(each); \
	Write<A> write = { to, b.lagsX, b.lagsY, each, (Narrow) (rounding<A>() * share) }; \
	windows<P, A, THREADS, M, R>(image, b, rowsEach, groups, write); \
}

// windows_<pixels>_<bits of whole sums>_<columns of a block>
WINDOWS(windows_floats_512, float, Wide, 128, 4, 2)
WINDOWS(windows_floats_1024, float, Wide, 256, 4, 2)
#ifndef PAIRS
WINDOWS(windows_bytes_32_512, s8, u32, 128, 4, 4)
WINDOWS(windows_bytes_32_1024, s8, u32, 128, 8, 2)
WINDOWS(windows_bytes_32_2048, s8, u32, 256, 8, 2)
WINDOWS(windows_bytes_64_512, s8, u64, 128, 4, 2)
WINDOWS(windows_bytes_64_1024, s8, u64, 256, 4, 2)
WINDOWS(windows_shorts_64_512, short, u64, 128, 4, 2)
WINDOWS(windows_shorts_64_1024, short, u64, 256, 4, 2)
WINDOWS(windows_doubles_512, double, double, 128, 4, 2)
WINDOWS(windows_doubles_1024, double, double, 256, 4, 2)

#define GROUPS(NAME, P, A) extern "C" __global__ void NAME(const P *image, const Box b, Sums<A> *to) { groups<P, A, 4>(image, b, to); }
GROUPS(groups_bytes_32, s8, u32)
GROUPS(groups_bytes_64, s8, u64)
GROUPS(groups_shorts_64, short, u64)

#define PILLARS(NAME, P, A) extern "C" __global__ void __launch_bounds__(128) NAME(const P *image, const Box b, const int planesEach, \
	A *to) \
	{ pillars<P, A>(image, b, planesEach, to); }
PILLARS(pillars_bytes_32, s8, u32)
PILLARS(pillars_bytes_64, s8, u64)
PILLARS(pillars_shorts_64, short, u64)

// sweep_<bits>; 256 columns a warp
#define SWEEP(NAME, A, WARPS, M) extern "C" __global__ void __launch_bounds__(32 * WARPS) NAME(const A *pillars, const Box b, \
	const int rowsEach, Sums<A> *to) \
{ \
	Write<A> write = { to, b.lagsX, b.lagsY, 0, 0 }; \
	sweep<A, WARPS, M>(pillars, b, rowsEach, write); \
}
SWEEP(sweep_32, u32, 4, 8)
SWEEP(sweep_64, u64, 4, 8)
#endif

// volumes_<pixels>_<columns of a block>
#define VOLUMES(NAME, P, A, THREADS, M, ROWS, R) extern "C" __global__ void __launch_bounds__(THREADS, \
	512 / THREADS) NAME(const P *image, const Box b, const int planesEach, const double inverse, const double tolerance, Sums<A> *to) \
{ \
	Wide each = wide(inverse); \
	hold(each); \
	Write<A> write = { to, b.lagsX, b.lagsY, each, (Narrow) (rounding<A>() * 1.1102230246251565e-16 / tolerance * roundings_of<ROWS>(b, \
		planesEach)) }; \
	volumes<P, A, THREADS, M, ROWS, R>(image, b, planesEach, write); \
}
VOLUMES(volumes_floats_256, float, Wide, 128, 2, 8, 2)
VOLUMES(volumes_floats_512, float, Wide, 256, 2, 8, 2)
#ifndef PAIRS
VOLUMES(volumes_doubles_256, double, double, 128, 2, 8, 2)
VOLUMES(volumes_doubles_512, double, double, 256, 2, 8, 2)
#endif
