// Results that replace complete maps: local maxima, or the greatest response of each lag.
#include "common.cuh"

// A response that is a local maximum of its box, or that decides about a neighbouring box: its index with the two bits, and its value.
struct Found {
	u32 at;
	float value;
};

#define EXCEEDED (1u << 31) // a neighbour is greater
#define TIED (1u << 30) // a neighbour is equal

// Finds in consecutive maps the responses that BoxPeaks needs. Each is at least the minimum (NaN and -infinity are not), and lies at a face of the
// box, equals a neighbour, or exceeds all its neighbours. dimensions: of the box; an extent of 1 along one of them is a face. counts: those of an
// outcome; the next one is the number found, also beyond most. In no particular order. pitch: of a row of the maps, whose padding is undefined.
// sure: whether all responses are final; otherwise nothing is done if there are suspects and none was computed again. Any number of blocks of
// complete warps.
extern "C" __global__ void peaks(const float *maps, const int dimensions, const int lagsX, const int lagsY, const int lagsZ, const int pitch,
	const int templates, const float least, u32 *counts, const int sure, Found *found, const u32 most)
{
	if (!sure && counts[1] != 0 && counts[2] == 0) return;
	const u32 all = (u32) pitch * lagsY * lagsZ * templates;
	const int lane = threadIdx.x & 31;
	for (u32 base = blockIdx.x * blockDim.x; base < all; base += gridDim.x * blockDim.x) {
		const u32 i = base + threadIdx.x;
		const float v = i < all ? maps[i] : 0;
		bool wanted = i < all && v >= least && v > __int_as_float(0xff800000);
		const u32 row = i / pitch, x = i - row * pitch;
		wanted &= x < lagsX;
		u32 bits = 0;
		if (wanted) {
			const int y = row % lagsY, z = row / lagsY % lagsZ;
			const int fromX = x > 0 ? -1 : 0, toX = x < lagsX - 1 ? 1 : 0;
			bool exceeded = false, tied = false;
			for (int dz = z > 0 ? -1 : 0; dz <= (z < lagsZ - 1 ? 1 : 0); dz++)
				for (int dy = y > 0 ? -1 : 0; dy <= (y < lagsY - 1 ? 1 : 0); dy++) {
					const float *beside = maps + ((s64) i + ((s64) dz * lagsY + dy) * pitch);
					for (int dx = fromX; dx <= toX; dx++) {
						const float w = beside[dx];
						exceeded |= w > v;
						tied |= w == v && (dx | dy | dz) != 0;
					}
				}
			const bool face = x == 0 || x == lagsX - 1 || (dimensions > 1 && (y == 0 || y == lagsY - 1)) || (dimensions > 2 && (z == 0
				|| z == lagsZ - 1));
			wanted = face || tied || !exceeded;
			bits = (exceeded ? EXCEEDED : 0) | (tied ? TIED : 0);
		}
		const u32 those = __ballot_sync(~0u, wanted);
		if (those == 0) continue;
		const int first = __ffs(those) - 1;
		u32 place = 0;
		if (lane == first) place = atomicAdd(counts + 3, __popc(those));
		place = __shfl_sync(~0u, place, first) + __popc(those & ((1u << lane) - 1));
		if (wanted && place < most) found[place] = { (row * lagsX + x) | bits, v };
	}
}

// Updates the greatest response of each lag, and one more than the index of the first template that has it, with the consecutive maps of
// more templates. NaN is ignored. Where "which" is 0, as it is initially, there is no response so far. lagsX, pitch: of a row of lags and of
// the maps. counts, sure: as in peaks.
template <typename Number> __device__ __forceinline__ void compare(const float *maps, const u32 each, const int lagsX, const int pitch,
	const int templates, const int first, const u32 *counts, const int sure, float *greatest, Number *which)
{
	if (!sure && counts[1] != 0 && counts[2] == 0) return;
	const size_t map = (size_t) (each / lagsX) * pitch;
	for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < each; i += gridDim.x * blockDim.x) {
		float g = greatest[i];
		int by = which[i];
		const float *at = maps + (i / lagsX * pitch + i % lagsX);
		for (int k = 0; k < templates; k++) {
			const float r = at[k * map];
			if (by == 0 ? r == r : r > g || (r == g && first + k + 1 < by)) {
				g = r;
				by = first + k + 1;
			}
		}
		greatest[i] = g;
		which[i] = (Number) by;
	}
}

extern "C" __global__ void best_bytes(const float *maps, const u32 each, const int lagsX, const int pitch, const int templates, const int first,
	const u32 *counts, const int sure, float *greatest, u8 *which)
{
	compare(maps, each, lagsX, pitch, templates, first, counts, sure, greatest, which);
}

extern "C" __global__ void best_shorts(const float *maps, const u32 each, const int lagsX, const int pitch, const int templates, const int first,
	const u32 *counts, const int sure, float *greatest, u16 *which)
{
	compare(maps, each, lagsX, pitch, templates, first, counts, sure, greatest, which);
}
