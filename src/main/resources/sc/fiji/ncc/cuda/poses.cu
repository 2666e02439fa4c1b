// A bank of unit vectors ("members", the poses of a template) under one support: the windows whose scores can reach a minimum, and the best member of each.
// An orthonormal basis of the members gives bounds of all scores: see plan.bank.Bounds. Steps: window sums and energies of all lags (keep), bounds of
// groups and then of all members of the windows that are left (bound), exact scores of what is left (score). The lists of windows stay on the GPU.
#include "poses.cuh"

// One thread per lag.
template<class Windows, bool ROUNDED> __device__ void keep(const Windows &windows, const Box &b, const Search &s) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
	for (int y = blockIdx.y; y < b.lagsY; y += gridDim.y) {
		Kept k = { (u32) (((size_t) z * b.lagsY + y) * b.lagsX + x), 0, 0, UNKNOWN };
		bool is = false;
		double mean, variance;
		const bool isDefined = x < b.lagsX && windows.of(b, s, x, y, z, mean, variance);
		if (isDefined) {
			const float root = sqrtf((float) variance);
			k.offset = (float) (mean - s.known->reference);
			const float limit = s.limits[z * b.lagsY + y] + s.limits[b.lagsY * b.lagsZ + x] + (ROUNDED ? s.offsetRounding * fabsf(k.offset) : 0);
			const float error = s.error * fmaxf(1, limit / root);
			is = true;
			if (root > s.floor && error < 1) {
				k.inverse = 1 / root;
				k.error = error;
				const size_t place = ((size_t) z * s.f.y + y) * s.f.x + x;
				float energy = 0;
				#pragma unroll 4
				for (int v = 0; v < s.vectors; v++) {
					const float c = product_of(s, k, place, v);
					energy += c * c;
				}
				is = sqrtf(energy) + error >= s.reach;
			}
		}
		append(s.counts, s.kept, is, k);
		count(s.counts + 3, x < b.lagsX && !isDefined);
	}
}

// The sums of products of a window with four rows of a matrix, whose rows lie side by side in fours.
__device__ inline float4 products_of(const float *c, const float *matrix, const int row, const int vectors) {
	const float4 *d = (const float4 *) matrix + (size_t) (row / 4) * vectors;
	float4 sum = { 0, 0, 0, 0 };
	#pragma unroll 4
	for (int v = 0; v < vectors; v++) {
		const float a = c[v * 32];
		const float4 t = __ldg(d + v);
		sum.x = fmaf(a, t.x, sum.x);
		sum.y = fmaf(a, t.y, sum.y);
		sum.z = fmaf(a, t.z, sum.z);
		sum.w = fmaf(a, t.w, sum.w);
	}
	return sum;
}

// The number that the product of a window with the centre of a group must reach, see plan.bank.GroupLevel. The small numbers cover rounding.
__device__ inline float enough_for_group(const Search &s, const Kept &k, const float energy, const float outside) {
	const float e = sqrtf(energy) + k.error, least = (enough_for(s, k) - outside * s.greatest) / s.gamma - 1e-6f;
	return least > 0 ? least * s.cos - sqrtf(fmaxf(0, (e - least) * (e + least))) * s.sin - k.error - 2e-6f : -4;
}

// The windows of a list in which a group, or a member, can reach the minimum score. Dynamic shared memory: the products of 32 windows with the basis. Each warp takes four groups
// or members at a time, each thread a window.
template<bool GROUPS> __device__ void bound(const Box &b, const Search &s) {
	extern __shared__ float c[];
	__shared__ float outside[32], enough[32];
	__shared__ int reached[32];
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, warps = blockDim.x / 32;
	const bool all = GROUPS || s.groups == 0;
	const u32 n = s.counts[all ? 0 : 4];
	for (u32 first = blockIdx.x * 32; first < n; first += gridDim.x * 32) {
		const bool inside = first + lane < n;
		const u32 i = inside && !all ? s.near[first + lane] : first + lane;
		Kept k = { 0, 0, 0, UNKNOWN };
		if (inside) k = s.kept[i];
		const bool isKnown = k.error < 1;
		const size_t place = place_of(b, s, k.lag);
		for (int v = warp; v < s.vectors; v += warps) c[v * 32 + lane] = isKnown ? product_of(s, k, place, v) : 0;
		__syncthreads();
		if (warp == 0) {
			float energy = 0;
			for (int v = 0; v < s.vectors; v++) energy += c[v * 32 + lane] * c[v * 32 + lane];
			outside[lane] = outside_of(k, energy);
			enough[lane] = GROUPS ? enough_for_group(s, k, energy, outside[lane]) : enough_for(s, k);
			reached[lane] = inside && !isKnown;
		}
		__syncthreads();
		const float mine = outside[lane];
		float top = -4;
		for (int m = 4 * warp; m < (GROUPS ? s.groups : s.size); m += 4 * warps) {
			float4 sum = products_of(c + lane, GROUPS ? s.centres : s.products, m, s.vectors);
			if (GROUPS) {
				// beyond the last centre all is 0
				if (m + 1 >= s.groups) sum.y = -4;
				if (m + 2 >= s.groups) sum.z = -4;
				if (m + 3 >= s.groups) sum.w = -4;
				top = fmaxf(top, fmaxf(fmaxf(sum.x, sum.y), fmaxf(sum.z, sum.w)));
			}
			else {
				// beyond the last member the residual is -4
				const float4 rest = *(const float4 *) (s.residual + m);
				if (rest.x >= 0) top = fmaxf(top, sum.x + mine * rest.x);
				if (rest.y >= 0) top = fmaxf(top, sum.y + mine * rest.y);
				if (rest.z >= 0) top = fmaxf(top, sum.z + mine * rest.z);
				if (rest.w >= 0) top = fmaxf(top, sum.w + mine * rest.w);
			}
		}
		if (inside && isKnown && top >= enough[lane]) atomicOr(reached + lane, 1);
		__syncthreads();
		if (warp == 0) append(s.counts + (GROUPS ? 4 : 1), GROUPS ? s.near : s.left, reached[lane] != 0, i);
		__syncthreads();
	}
}

// The sum of n numbers in their order, as on the CPU: then both give the same bits.
__device__ inline double sum_of(const double *v, const int n) {
	double sum = 0;
	#pragma unroll 8
	for (int i = 0; i < n; i++) sum = __dadd_rn(sum, v[i]);
	return sum;
}

// One window after the other for each block of 128 threads. All numbers in double are those of bounded.MemberWindow, rounded alike.
template<class P> __device__ void score(const P *raw, const Box &b, const Search &s) {
	__shared__ float c[256];
	__shared__ double number, greatest[4];
	__shared__ u64 top;
	__shared__ u32 listed;
	__shared__ u32 winner[4];
	const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, n = s.count, whole = n / 4 * 4;
	double *v = s.values + (size_t) blockIdx.x * 2 * n, *squares = v + n;
	float *uppers = s.uppers + (size_t) blockIdx.x * s.size;
	u32 *list = s.list + (size_t) blockIdx.x * s.size;
	const u32 windows = s.counts[1];
	for (u32 w = blockIdx.x; w < windows; w += gridDim.x) {
		const Kept k = s.kept[s.left[w]];
		const bool isKnown = k.error < 1;
		const u32 row = k.lag / b.lagsX;
		const P *window = raw + raw_index(b, k.lag % b.lagsX, row % b.lagsY, row / b.lagsY);
		// halves, because the difference of two large numbers may overflow
		const double reference = 0.5 * (double) window[s.support[0]];
		double most = 0;
		bool isInfinite = false;
		for (int i = threadIdx.x; i < n; i += 128) {
			const double d = __dsub_rn(0.5 * (double) window[s.support[i]], reference);
			v[i] = d;
			isInfinite |= !(fabs(d) <= 1.7976931348623157e308);
			most = fmax(most, fabs(d));
		}
		most = warp_greatest(most);
		if (lane == 0) greatest[warp] = most;
		if (__syncthreads_or(isInfinite)) most = 0;
		else most = fmax(fmax(greatest[0], greatest[1]), fmax(greatest[2], greatest[3]));
		__syncthreads();
		if (most == 0) {
			if (threadIdx.x == 0) atomicAdd(s.counts + 3, 1);
			continue;
		}
		const double scale = downscale(most);
		for (int i = threadIdx.x; i < n; i += 128) v[i] *= scale;
		for (int pass = 0; pass < 2; pass++) {
			__syncthreads();
			if (threadIdx.x == 0) number = __ddiv_rn(sum_of(v, n), (double) n);
			__syncthreads();
			for (int i = threadIdx.x; i < n; i += 128) v[i] = __dsub_rn(v[i], number);
		}
		most = 0;
		for (int i = threadIdx.x; i < n; i += 128) most = fmax(most, fabs(v[i]));
		most = warp_greatest(most);
		if (lane == 0) greatest[warp] = most;
		__syncthreads();
		most = fmax(fmax(greatest[0], greatest[1]), fmax(greatest[2], greatest[3]));
		__syncthreads();
		if (!(most > 0)) continue;
		for (int i = threadIdx.x; i < n; i += 128) {
			const double share = __ddiv_rn(v[i], most);
			squares[i] = __dmul_rn(share, share);
		}
		const size_t place = place_of(b, s, k.lag);
		for (int i = threadIdx.x; i < s.vectors; i += 128) c[i] = isKnown ? product_of(s, k, place, i) : 0;
		__syncthreads();
		if (threadIdx.x == 0) {
			number = __dmul_rn(most, __dsqrt_rn(sum_of(squares, n)));
			top = 0;
			listed = 0;
		}
		__syncthreads();
		const double norm = number;
		for (int i = threadIdx.x; i < n; i += 128) v[i] = __ddiv_rn(v[i], norm);
		// the bounds, and the member with the highest one
		float energy = 0;
		for (int i = 0; i < s.vectors; i++) energy += c[i] * c[i];
		const float outside = outside_of(k, energy);
		for (int m = threadIdx.x; m < s.size; m += 128) {
			const float *d = s.products + (size_t) (m / 4) * s.vectors * 4 + m % 4;
			float sum = 0;
			for (int i = 0; i < s.vectors; i++) sum = fmaf(c[i], __ldg(d + 4 * i), sum);
			const float upper = isKnown ? sum + outside * s.residual[m] : UNKNOWN;
			uppers[m] = upper;
			// bounds are above -4, so adding 4 makes their bits sortable
			atomicMax(&top, (u64) __float_as_uint(4 + upper) << 32 | ~(u32) m);
		}
		__syncthreads();
		const u32 first = ~(u32) top;
		const float *values = s.members + (size_t) first * n;
		if (warp == 0 && lane < 4) {
			double sum = 0;
			#pragma unroll 4
			for (int i = lane; i < whole; i += 4) sum = __dadd_rn(sum, __dmul_rn(v[i], (double) values[i]));
			if (lane == 0) for (int i = whole; i < n; i++) sum = __dadd_rn(sum, __dmul_rn(v[i], (double) values[i]));
			const double pair = __dadd_rn(sum, __shfl_xor_sync(0xfu, sum, 1)), all = __dadd_rn(pair, __shfl_xor_sync(0xfu, pair, 2));
			if (lane == 0) number = fmax(-1.0, fmin(1.0, __dmul_rn(all, s.gains[first])));
		}
		__syncthreads();
		// the others whose bound reaches that score and the minimum
		double best = number;
		u32 member = first;
		const double bound = fmax((double) enough_for(s, k), best - (k.error + 2e-6));
		for (int m = threadIdx.x; m < s.size; m += 128)
			if (m != (int) first && uppers[m] >= bound) list[atomicAdd(&listed, 1)] = m;
		__syncthreads();
		// eight members per warp, four partial sums each
		for (u32 from = 8 * warp; from < listed; from += 32) {
			const u32 at = from + lane / 4;
			const u32 m = at < listed ? list[at] : first;
			const float *of = s.members + (size_t) m * n;
			double sum = 0;
			#pragma unroll 4
			for (int i = lane & 3; i < whole; i += 4) sum = __dadd_rn(sum, __dmul_rn(v[i], (double) of[i]));
			if ((lane & 3) == 0) for (int i = whole; i < n; i++) sum = __dadd_rn(sum, __dmul_rn(v[i], (double) of[i]));
			const double pair = __dadd_rn(sum, __shfl_xor_sync(~0u, sum, 1)), all = __dadd_rn(pair, __shfl_xor_sync(~0u, pair, 2));
			const double result = fmax(-1.0, fmin(1.0, __dmul_rn(all, s.gains[m])));
			if (result > best || (result == best && m < member)) {
				best = result;
				member = m;
			}
		}
		for (int o = 4; o < 32; o *= 2) {
			const double other = __shfl_xor_sync(~0u, best, o);
			const u32 whose = __shfl_xor_sync(~0u, member, o);
			if (other > best || (other == best && whose < member)) {
				best = other;
				member = whose;
			}
		}
		if (lane == 0) {
			greatest[warp] = best;
			winner[warp] = member;
		}
		__syncthreads();
		if (threadIdx.x == 0) {
			for (int i = 1; i < 4; i++)
				if (greatest[i] > best || (greatest[i] == best && winner[i] < member)) {
					best = greatest[i];
					member = winner[i];
				}
			if (best >= s.least) s.found[atomicAdd(s.counts + 2, 1)] = { k.lag, member, best };
		}
		__syncthreads();
	}
}

// All products are those of the pixels of the first one, so they have its reference.
extern "C" __global__ void references(const Trust *trust, const int vectors) {
	for (int v = 1 + threadIdx.x; v < vectors; v += blockDim.x) ((Known *) trust[v].known)->reference = trust[0].known->reference;
}

// The greatest of the limits of all vectors, for each row of lags, and then what each column of lags adds to it. One warp for each of them.
extern "C" __global__ void limits(const Trust *trust, const int vectors, const Box b, float *to) {
	const int lane = threadIdx.x & 31, i = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, rows = b.lagsY * b.lagsZ;
	if (i >= rows + b.lagsX) return;
	float most = 0;
	for (int v = lane; v < vectors; v += 32) most = fmaxf(most, i < rows ? trust[v].least(i % b.lagsY, i / b.lagsY) : trust[v].of_column(i - rows));
	for (int o = 16; o > 0; o /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
	if (lane == 0) to[i] = most;
}

extern "C" __global__ void prefix_bytes(const s8 *image, const Box b, Two<u32> *to) { prefix(image, b, to); }
extern "C" __global__ void prefix_shorts(const short *image, const Box b, Two<u64> *to) { prefix(image, b, to); }
extern "C" __global__ void __launch_bounds__(128) keep_bytes(const Two<u32> *prefix, const Box b, const Search s) {
	keep<WholeWindows<u32, int>, false>({ prefix }, b, s);
}
extern "C" __global__ void __launch_bounds__(128) keep_shorts(const Two<u64> *prefix, const Box b, const Search s) {
	keep<WholeWindows<u64, s64>, false>({ prefix }, b, s);
}
extern "C" __global__ void __launch_bounds__(128) keep_floats(const float *image, const Box b, const Search s) {
	keep<RealWindows, true>({ image }, b, s);
}
extern "C" __global__ void __launch_bounds__(256) groups(const Box b, const Search s) { bound<true>(b, s); }
extern "C" __global__ void __launch_bounds__(256) bounds(const Box b, const Search s) { bound<false>(b, s); }

#define SCORE(NAME, P) extern "C" __global__ void __launch_bounds__(128) NAME(const P *raw, const Box b, const Search s) { score(raw, b, s); }
SCORE(score_u8, u8)
SCORE(score_s8, s8)
SCORE(score_u16, u16)
SCORE(score_s16, short)
SCORE(score_f32, float)
