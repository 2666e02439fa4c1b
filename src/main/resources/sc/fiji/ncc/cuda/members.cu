// Every member of a bank in a volume, beside the transforms of passes.cu: the members for them (place), and what follows when the best
// member of each lag is known: sums of rows of pixels (prefix), how far the products can be trusted (strongest, rows, probe), and the
// windows that reach the minimum score (collect).
#include "poses.cuh"

// Of each lag the greatest product of all members, the second greatest, and the member of the greatest. Rows have an even distance.
struct Best { const float *first, *second; const u32 *member; int pitch; };

// What the error of products is estimated from: of each row of lags Σ of squares of the greatest products, of each plane, and of the
// whole box; the greatest error at probes; a row with a pixel that is not finite, and the greatest Σ of squares of a row of pixels.
struct Noise { double *rows, *planes, *all, *probes, *strongest; u32 *broken; };

// Members in boxes that are 0 elsewhere. at: the place of each value in a box of elements numbers. Grid: values, members.
extern "C" __global__ void place(const float *values, const double *gains, const int *at, const int count, const int elements,
	const double scale, float *to)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count) to[(size_t) blockIdx.y * elements + at[i]] = (float) (values[(size_t) blockIdx.y * count + i] * gains[blockIdx.y] * scale);
}

// Prefix sums of rows of real pixels about a reference, each one longer than a row. One warp per row.
extern "C" __global__ void prefix_floats(const float *image, const Box b, const Known *known, const Noise noise, double2 *to) {
	const int lane = threadIdx.x & 31, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, columns = b.lagsX + b.width - 1;
	if (row >= b.rows * b.planes) return;
	const float *const from = image + (size_t) row * b.pitch;
	double2 *const out = to + (size_t) row * (columns + 1);
	double2 all = make_double2(0, 0);
	if (lane == 0) out[0] = all;
	for (int x = lane; x - lane < columns; x += 32) {
		const double d = x < columns ? from[x] - known->reference : 0;
		double s = d, q = d * d;
		for (int o = 1; o < 32; o *= 2) {
			const double t = __shfl_up_sync(~0u, s, o), u = __shfl_up_sync(~0u, q, o);
			if (lane >= o) {
				s += t;
				q += u;
			}
		}
		const double2 sum = make_double2(all.x + s, all.y + q);
		if (x < columns) out[x + 1] = sum;
		all.x = __shfl_sync(~0u, sum.x, 31);
		all.y = __shfl_sync(~0u, sum.y, 31);
	}
	if (lane > 0) return;
	// numbers that are not negative have the order of their bits
	if (all.y <= 1.7976931348623157e308) atomicMax((u64 *) noise.strongest, (u64) __double_as_longlong(all.y));
	else *noise.broken = 1;
}

// By prefix sums, unless a pixel is not finite or the pixels of the rows are too strong for the window.
struct PrefixWindows {
	const float *image;
	const double2 *prefix;
	Noise noise;

	__device__ bool of(const Box &b, const Search &s, const int x, const int y, const int z, double &mean, double &variance) const {
		if (*noise.broken == 0) {
			const int row = b.lagsX + b.width;
			double sum = 0, squares = 0;
			for (int r = 0; r < s.runCount; r++) {
				const Run run = s.runs[r];
				const double2 *from = prefix + ((size_t) (z + run.z) * b.rows + y + run.y) * row + x;
				const double2 begin = from[run.x], end = from[run.end];
				sum += end.x - begin.x;
				squares += end.y - begin.y;
			}
			mean = s.known->reference + sum / s.count;
			variance = squares - sum * sum / s.count;
			// the rounding of each difference, and that of what is taken off, are below a millionth of what is left
			if (variance > 1e-9 * s.runCount * *noise.strongest + 1e-7 * squares) return true;
		}
		return RealWindows { image }.of(b, s, x, y, z, mean, variance);
	}
};

// One warp per row of lags. Grid: rows over warps.
extern "C" __global__ void rows(const Box b, const Best best, const Noise noise) {
	const int lane = threadIdx.x & 31, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
	if (row >= b.lagsY * b.lagsZ) return;
	double sum = 0;
	for (int x = lane; x < b.lagsX; x += 32) {
		const double v = best.first[(size_t) row * best.pitch + x];
		sum += v * v;
	}
	sum = warp_sum(sum);
	if (lane > 0) return;
	noise.rows[row] = sum;
	atomicAdd(noise.planes + row / b.lagsY, sum);
	atomicAdd(noise.all, sum);
}

// The greatest difference of the best product of some lags from the same summed directly. Grid: probes.
template<class P> __device__ void probe(const P *image, const Box &b, const Search &s, const Best &best, const Noise &noise) {
	__shared__ double sums[32];
	int x, y, z;
	lag_of_probe(b, blockIdx.x, gridDim.x, x, y, z);
	const size_t at = ((size_t) z * b.lagsY + y) * best.pitch + x;
	const u32 member = best.member[at];
	const float *const values = s.members + (size_t) member * s.count;
	const double reference = s.known->reference;
	double sum = 0;
	int done = 0;
	for (int r = 0; r < s.runCount; r++) {
		const Run run = s.runs[r];
		const P *const row = image + ((size_t) (z + run.z) * b.rows + y + run.y) * b.pitch + x;
		for (int i = run.x + threadIdx.x; i < run.end; i += blockDim.x) {
			const double d = row[i] - reference;
			if (fabs(d) <= 1.7976931348623157e308) sum += d * values[done + i - run.x];
		}
		done += run.end - run.x;
	}
	sum = warp_sum(sum);
	if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x > 0) return;
	for (int w = 1; w < blockDim.x / 32; w++) sum += sums[w];
	const double error = fabs(best.first[at] - sum * s.gains[member]);
	if (error > 0) atomicMax((u64 *) noise.probes, (u64) __double_as_longlong(error));
}

// The greatest row and column of the pixels of the transform. Grid: blocks.
extern "C" __global__ void strongest(const Extents f, const float *pixels, Known *known) { greatest_lines(f, pixels, known); }

// The windows that can reach the minimum score: those whose score and member are certain, and those that are scored with all members. Grid:
// columns, rows, planes of lags.
// eps: the error of a pass with its margin. ofProbes: the margin of errors at probes. rounding: the error of a product for a window whose
// mean is 1 from the reference, by the rounding of pixels and members. most: the greatest number of windows that are scored with all
// members.
template<class Windows> __device__ void collect(const Windows &windows, const Box &b, const Search &s, const Best &best,
	const Noise &noise, const float eps, const float ofProbes, const float rounding, const u32 most)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
	const Extents f = s.f;
	const float levels = sqrtf(__log2f(f.x) + __log2f(f.y) + __log2f(f.z)), lags = b.lagsX;
	// the error of the transforms of the pixels, and of the first passes back
	const float volume = levels * (2 * sqrtf(s.known->greatest[1] / f.x) + sqrtf(s.known->greatest[0] / f.y)
		+ sqrtf((float) (*noise.all / (lags * b.lagsY * b.lagsZ)))) + levels * sqrtf((float) (noise.planes[z] / (lags * b.lagsY)));
	const float atProbes = ofProbes * (float) *noise.probes;
	for (int y = blockIdx.y; y < b.lagsY; y += gridDim.y) {
		const float row = sqrtf((float) (noise.rows[z * b.lagsY + y] / lags));
		const float ofProducts = eps * (volume + fmaxf(levels, ALIAS * sqrtf(f.x)) * row) + atProbes;
		Found found;
		bool isSure = false, isOpen = false;
		double mean, variance;
		const bool isDefined = x < b.lagsX && windows.of(b, s, x, y, z, mean, variance) && variance != 0;
		if (isDefined) {
			const size_t at = ((size_t) z * b.lagsY + y) * best.pitch + x;
			const float root = sqrtf((float) variance), first = best.first[at];
			const float offset = fabsf((float) (mean - s.known->reference));
			const float error = ofProducts + offset * rounding, score = first / root, ofScore = error / root + 1e-6f;
			found = { (u32) (((size_t) z * b.lagsY + y) * b.lagsX + x), ~best.member[at], fminf(1, fmaxf(-1, score)) };
			// false for NaN
			const bool isKnown = root > s.floor && ofScore < 1 && fabsf(score) < 2;
			isOpen = !isKnown || score + ofScore >= s.least;
			isSure = isOpen && isKnown && ofScore <= s.error && first - best.second[at] > 2 * error;
			isOpen &= !isSure;
		}
		append(s.counts + 2, s.found, isSure, found);
		if (isOpen) {
			const u32 i = atomicAdd(s.counts + 1, 1);
			if (i < most) {
				s.kept[i] = { found.lag, 0, 0, UNKNOWN };
				s.left[i] = i;
			}
		}
		count(s.counts + 3, x < b.lagsX && !isDefined);
	}
}

#define KIND(NAME, P, WINDOWS, A, ...) \
extern "C" __global__ void __launch_bounds__(128) probe_##NAME(const P *image, const Box b, const Search s, const Best best, \
	const Noise noise) { probe(image, b, s, best, noise); } \
extern "C" __global__ void __launch_bounds__(128) collect_##NAME(const P *image, const A *prefix, const Box b, const Search s, \
	const Best best, const Noise noise, const float eps, const float ofProbes, const float rounding, const u32 most) \
	{ collect<WINDOWS>({ __VA_ARGS__ }, b, s, best, noise, eps, ofProbes, rounding, most); }
#define TWO_WORDS WholeWindows<u32, int>
#define TWO_LONGS WholeWindows<u64, s64>
KIND(bytes, s8, TWO_WORDS, Two<u32>, prefix)
KIND(shorts, short, TWO_LONGS, Two<u64>, prefix)
KIND(floats, float, PrefixWindows, double2, image, prefix, noise)
