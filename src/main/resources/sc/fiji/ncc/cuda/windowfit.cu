// The motion of windows between the pixels and its covariance, as PositionFit finds it, on the splines of whole frames. A block per window.
//
// The sums of products of the shifted window with a centred template or gradient q are linear in the coefficients c of its spline:
// sum_x q(x) f(x + s) = sum_o w(s - o) sum_x q(x) c(x + o). So one correlation of q with c at 7x7 offsets gives these sums for all shifts of two
// pixels along each dimension, and a step of the fit takes few products, in double.
#include "windowgrid.cuh"

#define RADIUS 20 // of the filter that gives the coefficients of a spline of degree 5: the rest is below 1e-7
#define MANY 256 // threads of a block of splines
#define BESIDE 4 // pixels of a row, for a thread
#define DEEP 8 // rows of a thread
#define STEPS 30
#define SMALL 1e-7 // a step that needs no further one, in pixels
#define FAR 1.0
#define MAX_SHIFT 1.5
#define DISTANCE 8 // as in ResidualCovariance
#define UNCORRELATED 0.15
#define SINGULAR 1e-6 // as in PositionFit: sums of floats have errors
#define WARPS (THREADS / 32)
#define TAPS 7 // the coefficients along a dimension for shifts of two neighbouring pixels
#define AROUND 4 // of the coefficients around a window; as many zeros on both sides of a row are at least DISTANCE
#define ZEROS 16 // zeros after the last row
#define BATCH 4 // values that a thread reads before it uses the first one
#define GROUP 5 // displacements along x whose products a warp sums at a time

// An index beyond the ends of n values: the end values are not repeated.
__device__ inline int mirrored(int i, const int n) {
	if (n == 1) return 0;
	const int period = 2 * (n - 1);
	i %= period;
	if (i < 0) i += period;
	return i < n ? i : period - i;
}

// Adds up the pixels of a frame that are present: their sum and their number. A block has some of the rows.
template<class P> __device__ inline void total(const P *frame, const u8 *state, const Windows &g, double *to) {
	__shared__ double sums[MANY / 32][2];
	double sum = 0;
	int n = 0;
	for (int y = blockIdx.x; y < g.frameY; y += gridDim.x) {
		const size_t row = (size_t) (g.marginY + y) * g.pitch + g.marginX;
		for (int x = threadIdx.x; x < g.frameX; x += MANY) {
			const double v = (double) frame[row + x];
			const bool present = state[row + x] == 0;
			sum += present ? v : 0;
			n += present;
		}
	}
	for (int o = 16; o > 0; o /= 2) {
		sum += __shfl_xor_sync(~0u, sum, o);
		n += __shfl_xor_sync(~0u, n, o);
	}
	if ((threadIdx.x & 31) == 0) {
		sums[threadIdx.x / 32][0] = sum;
		sums[threadIdx.x / 32][1] = n;
	}
	__syncthreads();
	if (threadIdx.x >= 2) return;
	double all = 0;
	for (int w = 0; w < MANY / 32; w++) all += sums[w][threadIdx.x];
	atomicAdd(to + threadIdx.x, all);
}

// The filter that gives coefficients, at one of N values after each other: v has RADIUS more on each side.
template<int N> __device__ inline float filtered(const float (&v)[N], const float (&filter)[RADIUS + 1], const int i) {
	float sum = filter[0] * v[i + RADIUS];
	#pragma unroll
	for (int k = 1; k <= RADIUS; k++) sum = fmaf(filter[k], v[i + RADIUS - k] + v[i + RADIUS + k], sum);
	return sum;
}

// The filter of a row, of pixels minus their mean; 0 for those that are missing. A thread has BESIDE pixels.
template<class P> __device__ inline void spline_across(const P *frame, const u8 *state, const Windows &g, const double *totals, const float *filter,
	float *to)
{
	__shared__ float4 row[(BESIDE * MANY + 2 * RADIUS) / 4];
	const int first = blockIdx.x * BESIDE * MANY, y = blockIdx.y;
	const double mean = totals[1] > 0 ? totals[0] / totals[1] : 0;
	const bool within = first >= RADIUS && first + BESIDE * MANY + RADIUS <= g.frameX;
	const size_t left = (size_t) (g.marginY + y) * g.pitch + g.marginX;
	for (int i = threadIdx.x; i < min(BESIDE * MANY, g.frameX - first) + 2 * RADIUS; i += MANY) {
		const int x = first + i - RADIUS;
		const size_t at = left + (within ? x : mirrored(x, g.frameX));
		((float *) row)[i] = state[at] == 0 ? (float) ((double) frame[at] - mean) : 0;
	}
	__syncthreads();
	const int x = first + BESIDE * threadIdx.x;
	if (x >= g.frameX) return;
	float v[BESIDE + 2 * RADIUS], weights[RADIUS + 1], result[BESIDE];
	#pragma unroll
	for (int k = 0; k < 1 + RADIUS / 2; k++) {
		const float4 some = row[threadIdx.x + k];
		v[4 * k] = some.x;
		v[4 * k + 1] = some.y;
		v[4 * k + 2] = some.z;
		v[4 * k + 3] = some.w;
	}
	#pragma unroll
	for (int k = 0; k <= RADIUS; k++) weights[k] = filter[k];
	#pragma unroll
	for (int i = 0; i < BESIDE; i++) result[i] = g.frameX == 1 ? v[i + RADIUS] : filtered(v, weights, i);
	float *const target = to + (size_t) y * g.frameX + x;
	if (g.frameX % BESIDE == 0) *(float4 *) target = make_float4(result[0], result[1], result[2], result[3]);
	else
		#pragma unroll
		for (int i = 0; i < BESIDE; i++) if (x + i < g.frameX) target[i] = result[i];
}

// The filter of columns. A thread has DEEP rows of a column, a block 32 columns.
extern "C" __global__ void __launch_bounds__(MANY) spline_down(const float *from, const Windows g, const float *filter, float *to) {
	__shared__ float tile[8 * DEEP + 2 * RADIUS][32];
	const int x = blockIdx.x * 32 + threadIdx.x, top = blockIdx.y * 8 * DEEP;
	const bool within = top >= RADIUS && top + 8 * DEEP + RADIUS <= g.frameY;
	if (x >= g.frameX) return;
	// a column is read by the threads that use it, of eight warps
	for (int i = threadIdx.y; i < min(8 * DEEP, g.frameY - top) + 2 * RADIUS; i += 8) {
		const int y = top + i - RADIUS;
		tile[i][threadIdx.x] = from[(size_t) (within ? y : mirrored(y, g.frameY)) * g.frameX + x];
	}
	__syncthreads();
	float v[DEEP + 2 * RADIUS], weights[RADIUS + 1];
	#pragma unroll
	for (int k = 0; k < DEEP + 2 * RADIUS; k++) v[k] = tile[threadIdx.y * DEEP + k][threadIdx.x];
	#pragma unroll
	for (int k = 0; k <= RADIUS; k++) weights[k] = filter[k];
	#pragma unroll
	for (int i = 0; i < DEEP; i++) {
		const int y = top + threadIdx.y * DEEP + i;
		if (y < g.frameY) to[(size_t) y * g.frameX + x] = g.frameY == 1 ? v[i + RADIUS] : filtered(v, weights, i);
	}
}

// The derivatives of a spline along x and y at its pixels. A thread has DEEP rows of a column.
extern "C" __global__ void __launch_bounds__(MANY) spline_slopes(const float *c, const Windows g, float2 *to) {
	const int x = blockIdx.x * 32 + threadIdx.x, top = (blockIdx.y * 8 + threadIdx.y) * DEEP;
	if (x >= g.frameX || top >= g.frameY) return;
	const bool within = top >= 2 && top + DEEP + 2 <= g.frameY;
	int at[5];
	#pragma unroll
	for (int i = 0; i < 5; i++) at[i] = x >= 2 && x + 2 < g.frameX ? x + i - 2 : mirrored(x + i - 2, g.frameX);
	// of rows: the slope along x, and the value
	float steep[DEEP + 4], value[DEEP + 4];
	#pragma unroll
	for (int j = 0; j < DEEP + 4; j++) {
		const float *const row = c + (size_t) (within ? top + j - 2 : mirrored(top + j - 2, g.frameY)) * g.frameX;
		float v[5];
		#pragma unroll
		for (int i = 0; i < 5; i++) v[i] = row[at[i]];
		steep[j] = (v[4] - v[0] + 10 * (v[3] - v[1])) / 24;
		value[j] = (v[0] + v[4] + 26 * (v[1] + v[3]) + 66 * v[2]) / 120;
	}
	#pragma unroll
	for (int j = 0; j < DEEP; j++) {
		if (top + j >= g.frameY) break;
		to[(size_t) (top + j) * g.frameX + x] = make_float2((steep[j] + steep[j + 4] + 26 * (steep[j + 1] + steep[j + 3]) + 66 * steep[j + 2]) / 120,
			(value[j + 4] - value[j] + 10 * (value[j + 3] - value[j + 1])) / 24);
	}
}

// Splines: coefficients of both frames, and the slopes of that of the windows.
struct Splines {
	const float *fixed, *moving;
	const float2 *slopes;
};

// The basis of splines of degree 5, and its derivative.
__device__ inline void basis(const double d, double &value, double &slope) {
	const double x = fabs(d), q = x * x, y = 3 - x;
	value = x < 1 ? 0.55 + q * (-0.5 + q * (0.25 - x / 12)) : x < 2 ? 0.425 + x * (0.625 + x * (-1.75 + x * (1.25 + x * (-0.375 + x / 24))))
		: x < 3 ? y * y * y * y * y / 120 : 0;
	const double steep = x < 1 ? -x + q * x - q * q * 5 / 12 : x < 2 ? 0.625 - 3.5 * x + 3.75 * q - 1.5 * q * x + q * q * 5 / 24
		: x < 3 ? -y * y * y * y / 24 : 0;
	slope = d < 0 ? -steep : steep;
}

// What all threads of a block share.
struct Fit {
	double parts[WARPS][8], value[2][TAPS], slope[2][TAPS], shift[2], start[2], inverse[2][2], energy;
	float products[3][TAPS][TAPS], weights[2][TAPS], axes[WARPS][DISTANCE + 1];
	int first[2], step, state;
};

enum { AGAIN, DONE, FAILED };

// A window in shared memory: coefficients with AROUND more on each side, the centred template and both gradients. After the fit, the template's
// array has the residuals. All rows have one pitch; those of pixels end with zeros. Rectangles: of pixels that no shift near the lag moves
// beyond the other frame, and of those with a residual.
struct Window {
	float *c, *t, *gx, *gy;
	int pitch, place[2], counted[2][2], residual[2][2];

	__device__ Window(float *shared, const Windows &g, const int left, const int top, const int lag) : c(shared), pitch((g.windowX + 2 * AROUND) | 1) {
		const int size[2] = { g.windowX, g.windowY }, frame[2] = { g.frameX, g.frameY };
		t = c + (g.windowY + 2 * AROUND) * pitch;
		gx = t + g.windowY * pitch;
		gy = gx + g.windowY * pitch;
		place[0] = left + lag % g.lagsX - g.lagsX / 2;
		place[1] = top + lag / g.lagsX - g.lagsY / 2;
		#pragma unroll
		for (int d = 0; d < 2; d++) {
			counted[d][0] = frame[d] == 1 ? 0 : max(0, 1 - place[d]);
			counted[d][1] = frame[d] == 1 ? size[d] : min(size[d], frame[d] - 1 - place[d]);
			residual[d][0] = size[d] > 2 ? max(1, counted[d][0]) : counted[d][0];
			residual[d][1] = size[d] > 2 ? min(size[d] - 1, counted[d][1]) : counted[d][1];
		}
	}
};

__device__ inline bool inside(const int (&r)[2][2], const int x, const int y) {
	return (u32) (x - r[0][0]) < (u32) max(0, r[0][1] - r[0][0]) && (u32) (y - r[1][0]) < (u32) max(0, r[1][1] - r[1][0]);
}

// A pixel minus another one: exact for integers.
template<class P> __device__ inline float minus(const P v, const P some) {
	if constexpr (sizeof(P) < sizeof(int)) return (float) ((int) v - (int) some);
	else return (float) (v - some);
}

// The number of pixels of a rectangle whose neighbours at a displacement lie in it, too.
__device__ inline double pairs(const int (&r)[2][2], const int kx, const int ky) {
	return (double) max(0, r[0][1] - r[0][0] - abs(kx)) * max(0, r[1][1] - r[1][0] - abs(ky));
}

// Adds up N values of a warp: each lane keeps the sums of a half, of a half of these, and so on: those from first on, before end.
template<int N, class T> __device__ inline void halve(T *v, const int bit, int &first, int &end) {
	constexpr int half = (N + 1) / 2;
	const bool upper = (threadIdx.x & bit) != 0;
	#pragma unroll
	for (int k = 0; k < half; k++) {
		const T other = k + half < N ? v[k + half] : 0;
		v[k] = (upper ? other : v[k]) + __shfl_xor_sync(~0u, upper ? v[k] : other, bit);
	}
	if (upper) first += half;
	else end = min(end, first + half);
}

template<int N, class T> __device__ inline void add_up_warp(T (&v)[N], int &first, int &end) {
	constexpr int n2 = (N + 1) / 2, n3 = (n2 + 1) / 2, n4 = (n3 + 1) / 2, n5 = (n4 + 1) / 2;
	first = 0;
	end = N;
	halve<N>(v, 16, first, end);
	halve<n2>(v, 8, first, end);
	halve<n3>(v, 4, first, end);
	halve<n4>(v, 2, first, end);
	halve<n5>(v, 1, first, end);
}

// Adds up at most 8 values of all threads: the sum of a value, after this, is sum(s, i).
template<int N, class T> __device__ inline void add_up(T (&v)[N], Fit &s) {
	int first, end;
	add_up_warp(v, first, end);
	if (first < end) s.parts[threadIdx.x / 32][first] = v[0];
	__syncthreads();
}

__device__ inline double sum(const Fit &s, const int i) {
	double sum = 0;
	#pragma unroll
	for (int w = 0; w < WARPS; w++) sum += s.parts[w][i];
	return sum;
}

// Reads the coefficients of a window and of the pixels around it minus one of them, BATCH at a time. left, top: its first pixel. It is large, and
// called twice.
static __device__ __noinline__ void load(const float *c, const int pitch, const int wide, const int high, const int frameX, const int frameY, const int left,
	const int top)
{
	extern __shared__ float shared[];
	const bool within = left >= 0 && top >= 0 && left + wide <= frameX && top + high <= frameY;
	const float *const from = c + (s64) top * frameX + left;
	// sums of values near 0 have small errors
	const float zero = c[(size_t) mirrored(top + high / 2, frameY) * frameX + mirrored(left + wide / 2, frameX)];
	Walk at(pitch);
	for (int i = threadIdx.x; i < pitch * high; i += BATCH * THREADS) {
		float v[BATCH];
		#pragma unroll
		for (int k = 0; k < BATCH; k++, at.next()) {
			v[k] = 0;
			if (at.x >= wide || at.y >= high) continue;
			v[k] = (within ? from[at.y * frameX + at.x] : c[(size_t) mirrored(top + at.y, frameY) * frameX + mirrored(left + at.x, frameX)]) - zero;
		}
		#pragma unroll
		for (int k = 0; k < BATCH; k++) if (i + k * THREADS < pitch * high) shared[i + k * THREADS] = v[k];
	}
}

__device__ inline void load(const Window &a, const float *c, const Windows &g, const int left, const int top) {
	load(c, a.pitch, g.windowX + 2 * AROUND, g.windowY + 2 * AROUND, g.frameX, g.frameY, left - AROUND, top - AROUND);
}

// Reads the template and its gradients, centres them, and makes the gradients orthogonal to the template. 0 for what does not count.
template<class P> __device__ inline void centre(Fit &s, const Window &a, const P *fixed, const float2 *slopes, const Windows &g, const int left,
	const int top)
{
	const P *const pixels = fixed + (size_t) (g.marginY + top) * g.pitch + g.marginX + left;
	const float2 *const slope = slopes + (size_t) top * g.frameX + left;
	const double n = pairs(a.counted, 0, 0);
	const P some = n == 0 ? 0 : pixels[a.counted[1][0] * g.pitch + a.counted[0][0]];
	const int all = a.pitch * g.windowY;
	float v[6] = { 0 };
	Walk at(a.pitch);
	for (int i = threadIdx.x; i < all; i += BATCH * THREADS) {
		float t[BATCH];
		float2 d[BATCH];
		#pragma unroll
		for (int k = 0; k < BATCH; k++, at.next()) {
			t[k] = 0;
			d[k] = make_float2(0, 0);
			if (!inside(a.counted, at.x, at.y)) continue;
			t[k] = minus(pixels[at.y * g.pitch + at.x], some);
			d[k] = slope[at.y * g.frameX + at.x];
		}
		#pragma unroll
		for (int k = 0; k < BATCH; k++) {
			const int j = i + k * THREADS;
			if (j >= all) break;
			a.t[j] = t[k];
			a.gx[j] = d[k].x;
			a.gy[j] = d[k].y;
			v[0] += t[k];
			v[1] += d[k].x;
			v[2] += d[k].y;
			v[3] = fmaf(t[k], t[k], v[3]);
			v[4] = fmaf(t[k], d[k].x, v[4]);
			v[5] = fmaf(t[k], d[k].y, v[5]);
		}
	}
	add_up(v, s);
	const double mean = sum(s, 0) / n, meanX = sum(s, 1) / n, meanY = sum(s, 2) / n, energy = sum(s, 3) - n * mean * mean;
	const float partX = (float) ((sum(s, 4) - n * mean * meanX) / energy), partY = (float) ((sum(s, 5) - n * mean * meanY) / energy);
	const float t0 = (float) mean, x0 = (float) meanX, y0 = (float) meanY;
	if (threadIdx.x == 0) s.energy = energy;
	// each thread its own pixels
	Walk own(a.pitch);
	for (int i = threadIdx.x; i < all; i += THREADS, own.next()) {
		if (!inside(a.counted, own.x, own.y)) continue;
		const float t = a.t[i] - t0;
		a.t[i] = t;
		a.gx[i] = a.gx[i] - x0 - partX * t;
		a.gy[i] = a.gy[i] - y0 - partY * t;
	}
}

// Correlates the template and its gradients with the coefficients at 7x7 offsets from s.first on: a warp two rows of offsets, a lane rows of pixels,
// or parts of one.
__device__ inline void correlate(Fit &s, const Window &a, const Windows &g) {
	const int lane = threadIdx.x & 31, down = threadIdx.x / 32 * 2, parts = max(1, 32 / g.windowY);
	const int length = ((g.windowX + parts - 1) / parts + TAPS - 1) / TAPS * TAPS, from = parts == 1 ? 0 : lane / g.windowY * length;
	float sums[2 * 3 * TAPS] = { 0 };
	for (int y = parts == 1 ? lane : lane % g.windowY; y < g.windowY && from < g.windowX; y += 32) {
		const float *const c = a.c + (y + AROUND + s.first[1] + down) * a.pitch + AROUND + s.first[0];
		const int until = min(g.windowX, from + length), row = y * a.pitch;
		float u[2][TAPS];
		#pragma unroll
		for (int i = 0; i < TAPS - 1; i++) {
			u[0][i] = c[from + i];
			u[1][i] = c[from + i + a.pitch];
		}
		for (int x = from; x < until; x += TAPS) {
			#pragma unroll
			for (int r = 0; r < TAPS; r++) {
				u[0][(r + TAPS - 1) % TAPS] = c[x + r + TAPS - 1];
				u[1][(r + TAPS - 1) % TAPS] = c[x + r + TAPS - 1 + a.pitch];
				const float q[3] = { a.t[row + x + r], a.gx[row + x + r], a.gy[row + x + r] };
				#pragma unroll
				for (int j = 0; j < 2; j++)
					#pragma unroll
					for (int k = 0; k < 3; k++)
						#pragma unroll
						for (int i = 0; i < TAPS; i++) sums[(3 * j + k) * TAPS + i] = fmaf(q[k], u[j][(r + i) % TAPS], sums[(3 * j + k) * TAPS + i]);
			}
		}
	}
	int first, end;
	add_up_warp(sums, first, end);
	#pragma unroll
	for (int k = 0; k < 2; k++) {
		const int i = first + k, j = down + i / (3 * TAPS);
		if (i < end && j < TAPS) s.products[i / TAPS % 3][j][i % TAPS] = sums[k];
	}
}

// The inverse of the derivatives; false if they do not determine the position.
__device__ inline bool invert(const double (&m)[2][2], double (&to)[2][2]) {
	if (!(m[0][0] > SINGULAR * fabs(m[0][0]))) return false;
	const double factor = m[1][0] / m[0][0], pivot = m[1][1] - factor * m[0][1];
	if (!(pivot > SINGULAR * fabs(m[1][1]))) return false;
	to[1][0] = -factor / pivot;
	to[1][1] = 1 / pivot;
	to[0][1] = -m[0][1] * to[1][1] / m[0][0];
	to[0][0] = (1 - m[0][1] * to[1][0]) / m[0][0];
	return true;
}

// Of a warp: the weights of 7 coefficients along each dimension.
__device__ inline void weigh(Fit &s, const double x, const double y) {
	const int lane = threadIdx.x & 31, d = lane / TAPS, k = lane % TAPS;
	if (d < 2) basis((d == 0 ? x : y) - k, s.value[d][k], s.slope[d][k]);
	__syncwarp();
}

// Of a warp: the sums of products of the template and both gradients with the window at a shift, and with its derivatives along x and y.
__device__ inline void products(Fit &s, const double (&shift)[2], double (&f)[3], double (&x)[3], double (&y)[3]) {
	const int lane = threadIdx.x & 31, q = lane / 8, j = lane % 8;
	weigh(s, shift[0] - s.first[0], shift[1] - s.first[1]);
	double v[3] = { 0 };
	if (q < 3 && j < TAPS) {
		double across = 0, steep = 0;
		#pragma unroll
		for (int i = 0; i < TAPS; i++) {
			const double c = s.products[q][j][i];
			across = fma(s.value[0][i], c, across);
			steep = fma(s.slope[0][i], c, steep);
		}
		v[0] = s.value[1][j] * across;
		v[1] = s.value[1][j] * steep;
		v[2] = s.slope[1][j] * across;
	}
	#pragma unroll
	for (int k = 0; k < 3; k++) for (int o = 1; o < 8; o *= 2) v[k] += __shfl_xor_sync(~0u, v[k], o);
	#pragma unroll
	for (int k = 0; k < 3; k++) {
		f[k] = __shfl_sync(~0u, v[0], 8 * k);
		x[k] = __shfl_sync(~0u, v[1], 8 * k);
		y[k] = __shfl_sync(~0u, v[2], 8 * k);
	}
	__syncwarp();
}

// The first offset whose coefficients count for a shift.
__device__ inline int offset(const double shift) {
	return max(-AROUND, min(AROUND + 1 - TAPS, (int) floor(shift - 0.5) - 2));
}

// Of a warp: Newton's method for the shift at which both sums of products with the gradients are 0. AGAIN if it needs other offsets.
__device__ inline int solve(Fit &s) {
	double shift[2] = { s.shift[0], s.shift[1] }, inverse[2][2];
	int state = FAILED, step = s.step;
	for (; step < STEPS; step++) {
		double f[3], x[3], y[3];
		products(s, shift, f, x, y);
		const double b = f[0] / s.energy, jacobian[2][2] = { { x[1] / b, y[1] / b }, { x[2] / b, y[2] / b } };
		if (!(b > 0) || !invert(jacobian, inverse)) break;
		double length = 0;
		bool near = true, covered = true;
		#pragma unroll
		for (int d = 0; d < 2; d++) {
			const double change = fmax(-0.5, fmin(0.5, -(inverse[d][0] * f[1] + inverse[d][1] * f[2]) / b));
			shift[d] += change;
			length = fmax(length, fabs(change));
			near = near && fabs(shift[d] - s.start[d]) <= FAR && fabs(shift[d]) <= MAX_SHIFT;
			covered = covered && shift[d] >= s.first[d] + 2 && shift[d] < s.first[d] + 4;
		}
		if (!near) break;
		if (!covered) {
			state = AGAIN;
			break;
		}
		if (length < SMALL) {
			state = DONE;
			break;
		}
	}
	__syncwarp();
	if (state == DONE) {
		// the weights for the window of the template, moved onto the pixels of the other frame
		weigh(s, rint(shift[0]) - shift[0] + TAPS / 2, rint(shift[1]) - shift[1] + TAPS / 2);
		const int lane = threadIdx.x & 31;
		if (lane < 2 * TAPS) s.weights[lane / TAPS][lane % TAPS] = (float) s.value[lane / TAPS][lane % TAPS];
	}
	if ((threadIdx.x & 31) == 0) {
		s.step = step + 1;
		for (int d = 0; d < 2; d++) {
			s.shift[d] = shift[d];
			s.first[d] = offset(shift[d]);
			for (int k = 0; k < 2; k++) s.inverse[d][k] = inverse[d][k];
		}
	}
	return state;
}

// Filters the values along lines, which are beside each other: the distance of lines, and that of values along a line, are the same in both arrays.
__device__ inline void filter(const float *from, float *to, const float (&weights)[TAPS], const int lines, const int beside, const int length, const int step) {
	const int parts = max(1, THREADS / lines), each = (length + parts - 1) / parts;
	float w[TAPS];
	#pragma unroll
	for (int k = 0; k < TAPS; k++) w[k] = weights[k];
	for (int i = threadIdx.x; i < lines * parts; i += THREADS) {
		const int line = i % lines * beside, first = i / lines * each, until = min(length, first + each);
		if (first >= until) continue;
		float v[TAPS];
		#pragma unroll
		for (int k = 0; k < TAPS - 1; k++) v[k] = from[line + (first + k) * step];
		for (int p = first; p < until; p++) {
			v[TAPS - 1] = from[line + (p + TAPS - 1) * step];
			float sum = 0;
			#pragma unroll
			for (int k = 0; k < TAPS; k++) sum = fmaf(w[k], v[k], sum);
			to[line + p * step] = sum;
			#pragma unroll
			for (int k = 0; k < TAPS - 1; k++) v[k] = v[k + 1];
		}
	}
	__syncthreads();
}

// The template interpolated where the pixels of the other frame are, in place of its coefficients. The centred template is lost.
__device__ inline void interpolate(const Fit &s, const Window &a, const Windows &g) {
	filter(a.c + (AROUND - TAPS / 2) * (a.pitch + 1), a.t, s.weights[1], g.windowX + TAPS - 1, 1, g.windowY, a.pitch);
	filter(a.t, a.c, s.weights[0], g.windowY, a.pitch, g.windowX, 1);
}

// The pixels of the other frame, divided by their contrast, less the interpolated template; 0 for those that have no residual.
template<class P> __device__ inline void residuals(Fit &s, const Window &a, const P *moving, const Windows &g) {
	const int left = a.place[0] + (int) rint(s.shift[0]), top = a.place[1] + (int) rint(s.shift[1]);
	const P *const pixels = moving + (s64) (g.marginY + top) * g.pitch + g.marginX + left;
	const double n = pairs(a.residual, 0, 0);
	const P some = n == 0 ? 0 : pixels[(s64) a.residual[1][0] * g.pitch + a.residual[0][0]];
	const int all = a.pitch * g.windowY;
	float v[4] = { 0 };
	Walk at(a.pitch);
	for (int i = threadIdx.x; i < all; i += BATCH * THREADS) {
		float f[BATCH], model[BATCH];
		#pragma unroll
		for (int k = 0; k < BATCH; k++, at.next()) {
			const bool has = inside(a.residual, at.x, at.y);
			f[k] = has ? minus(pixels[at.y * g.pitch + at.x], some) : 0;
			model[k] = has ? a.c[i + k * THREADS] : 0;
		}
		#pragma unroll
		for (int k = 0; k < BATCH; k++) {
			if (i + k * THREADS < all) a.t[i + k * THREADS] = f[k];
			v[0] += f[k];
			v[1] += model[k];
			v[2] = fmaf(f[k], model[k], v[2]);
			v[3] = fmaf(model[k], model[k], v[3]);
		}
	}
	add_up(v, s);
	const double meanF = sum(s, 0) / n, meanM = sum(s, 1) / n, contrast = (sum(s, 2) - n * meanF * meanM) / (sum(s, 3) - n * meanM * meanM);
	const float factor = (float) (1 / contrast), f0 = (float) meanF, m0 = (float) meanM;
	Walk own(a.pitch);
	for (int i = threadIdx.x; i < all; i += THREADS, own.next())
		a.t[i] = inside(a.residual, own.x, own.y) ? (a.t[i] - f0) * factor - (a.c[i] - m0) : 0;
	__syncthreads();
}

// The sums of products of residuals at displacements along x, by warps of even number, and along y. A lane sums a row or a column, a warp a part of them.
__device__ inline void along_axes(Fit &s, const Window &a, const Windows &g) {
	const int warp = threadIdx.x / 32;
	const bool down = warp % 2 == 1;
	const int lines = down ? g.windowX : g.windowY, length = down ? g.windowY : g.windowX, step = down ? a.pitch : 1;
	const int part = (length + WARPS / 2 - 1) / (WARPS / 2), from = warp / 2 * part, until = min(length, from + part);
	float sums[DISTANCE + 1] = { 0 };
	for (int line = threadIdx.x & 31; line < lines; line += 32) {
		const float *const e = a.t + line * (down ? 1 : a.pitch);
		float v[DISTANCE + 1];
		#pragma unroll
		for (int k = 0; k < DISTANCE; k++) v[k] = from + k < length ? e[(from + k) * step] : 0;
		for (int p = from; p < until; p += DISTANCE + 1) {
			#pragma unroll
			for (int r = 0; r <= DISTANCE; r++) {
				v[(r + DISTANCE) % (DISTANCE + 1)] = p + r + DISTANCE < length ? e[(p + r + DISTANCE) * step] : 0;
				const float own = p + r < until ? v[r] : 0;
				#pragma unroll
				for (int k = 0; k <= DISTANCE; k++) sums[k] = fmaf(own, v[(r + k) % (DISTANCE + 1)], sums[k]);
			}
		}
	}
	int first, end;
	add_up_warp(sums, first, end);
	if (first < end) s.axes[warp][first] = sums[0];
	__syncthreads();
}

// Of a warp: sums over the pixels at a group of displacements, of products of residuals and of products of the gradients: xx, xy + yx, yy. A lane sums
// rows.
__device__ inline void displaced(const Window &a, const Windows &g, const int kx, const int ky, float (&v)[4][GROUP]) {
	#pragma unroll
	for (int i = 0; i < 4 * GROUP; i++) v[i / GROUP][i % GROUP] = 0;
	for (int y = threadIdx.x & 31; y + ky < g.windowY; y += 32) {
		const int own = y * a.pitch, other = (y + ky) * a.pitch + kx;
		float e[GROUP], gx[GROUP], gy[GROUP];
		#pragma unroll
		for (int k = 0; k < GROUP - 1; k++) {
			e[k] = a.t[other + k];
			gx[k] = a.gx[other + k];
			gy[k] = a.gy[other + k];
		}
		for (int x = 0; x < g.windowX; x += GROUP) {
			#pragma unroll
			for (int r = 0; r < GROUP; r++) {
				const int next = other + x + r + GROUP - 1, slot = (r + GROUP - 1) % GROUP;
				e[slot] = a.t[next];
				gx[slot] = a.gx[next];
				gy[slot] = a.gy[next];
				const float e0 = a.t[own + x + r], x0 = a.gx[own + x + r], y0 = a.gy[own + x + r];
				#pragma unroll
				for (int k = 0; k < GROUP; k++) {
					const int at = (r + k) % GROUP;
					v[0][k] = fmaf(e0, e[at], v[0][k]);
					v[1][k] = fmaf(x0, gx[at], v[1][k]);
					v[2][k] = fmaf(x0, gy[at], fmaf(y0, gx[at], v[2][k]));
					v[3][k] = fmaf(y0, gy[at], v[3][k]);
				}
			}
		}
	}
}

// The sum of products of residuals at a displacement along a dimension.
__device__ inline double along(const Fit &s, const int d, const int k) {
	double sum = 0;
	#pragma unroll
	for (int w = d; w < WARPS; w += 2) sum += s.axes[w][k];
	return sum;
}

// The covariance of the offset, as in ResidualCovariance. In s: the inverse of the derivatives.
__device__ inline void covariance(Fit &s, const Window &a, const Windows &g, Found *to) {
	const int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
	along_axes(s, a, g);
	// how far residuals are correlated along x and y
	const double variance = along(s, 0, 0) / pairs(a.residual, 0, 0);
	int extent[2];
	#pragma unroll
	for (int d = 0; d < 2; d++) {
		const int most = min(DISTANCE, (d == 0 ? g.windowX : g.windowY) / 4);
		int k = 0;
		for (; k < most; k++) {
			const double n = d == 0 ? pairs(a.residual, k + 1, 0) : pairs(a.residual, 0, k + 1);
			if (!(n > 0 && fabs(along(s, d, k + 1)) > UNCORRELATED * variance * n)) break;
		}
		extent[d] = k;
	}
	const int wide = 2 * extent[0] + 1, displacements = wide * (2 * extent[1] + 1);
	// groups: of the first row from the middle on, then of the rows after it
	const int half = (extent[0] + GROUP) / GROUP, whole = (wide + GROUP - 1) / GROUP, groups = half + extent[1] * whole;
	// of the lane: sums of products with R; of the warp: the sum of squares of R; and the sums of the middle
	double all[3] = { 0 }, squares = 0, middle[3] = { 0 };
	for (int i = warp; i < groups; i += WARPS) {
		const int ky = i < half ? 0 : 1 + (i - half) / whole, kx = i < half ? i * GROUP : (i - half) % whole * GROUP - extent[0];
		float v[4][GROUP];
		displaced(a, g, kx, ky, v);
		#pragma unroll
		for (int k = 0; k < GROUP; k++) {
			if (kx + k > extent[0]) break;
			const bool first = ky == 0 && kx + k == 0;
			float sum = v[0][k];
			for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
			const double n = pairs(a.residual, kx + k, ky), r = first ? variance : n == 0 ? 0 : sum / n, factor = first ? r / 2 : r;
			all[0] += 2 * factor * v[1][k];
			all[1] += factor * v[2][k];
			all[2] += 2 * factor * v[3][k];
			squares += (first ? 1 : 2) * r * r / (variance * variance);
			if (first) {
				middle[0] = variance * v[1][k];
				middle[1] = variance * v[2][k] / 2;
				middle[2] = variance * v[3][k];
			}
		}
	}
	double sums[7] = { all[0], all[1], all[2], middle[0], middle[1], middle[2], lane == 0 ? squares : 0 };
	add_up(sums, s);
	if (threadIdx.x != 0) return;
	double m[2][2] = { { sum(s, 0), sum(s, 1) }, { sum(s, 1), sum(s, 2) } }, unused[2][2];
	if (!invert(m, unused)) {
		m[0][0] = sum(s, 3);
		m[0][1] = m[1][0] = sum(s, 4);
		m[1][1] = sum(s, 5);
	}
	const double n = pairs(a.residual, 0, 0), fitted = 4 * fmax(1.0, displacements / 2.0), independent = fmax(4.0, n / fmax(1.0, sum(s, 6)));
	const double outside = -2 * log(0.32) / independent, enlarged = n / fmax(n / 2, n - fitted) * (expm1(outside) / outside);
	for (int i = 0, k = 0; i < 2; i++)
		for (int j = i; j < 2; j++, k++) {
			double sum = 0;
			for (int p = 0; p < 2; p++) for (int q = 0; q < 2; q++) sum += s.inverse[i][p] * m[p][q] * s.inverse[j][q];
			to->covariance[k] = enlarged * sum;
		}
	to->offset[0] = s.shift[0];
	to->offset[1] = s.shift[1];
	to->fitted = 1;
}

// Whether a window, or what interpolation needs of the other frame, misses pixels.
template<class P> __device__ inline bool misses(const Frames<P> &a, const Window &w, const Windows &g, const int left, const int top) {
	bool any = false;
	const u8 *const own = a.ofFixed + (size_t) (g.marginY + top) * g.pitch + g.marginX + left;
	for (Walk at(g.windowX); at.y < g.windowY; at.next()) any = any || own[at.y * g.pitch + at.x] != 0;
	for (Walk at(g.windowX + 2 * AROUND); at.y < g.windowY + 2 * AROUND; at.next()) {
		const int x = w.place[0] - AROUND + at.x, y = w.place[1] - AROUND + at.y;
		if (x < 0 || x >= g.frameX || y < 0 || y >= g.frameY) continue;
		any = any || a.ofMoving[(size_t) (g.marginY + y) * g.pitch + g.marginX + x] != 0;
	}
	return __syncthreads_or(any);
}

template<class P> __device__ inline void fit(const Frames<P> &a, const Windows &g, const Splines &c, const int flags, const u32 *notFinite, Found *all) {
	extern __shared__ float shared[];
	__shared__ Fit s;
	const int number = blockIdx.x, left = number % g.countX * g.spacingX, top = number / g.countX * g.spacingY;
	Found *to = all + number;
	if (to->state != FOUND) return;
	const Window w(shared, g, left, top, to->best);
	if ((flags || *notFinite > 0) && misses(a, w, g, left, top)) {
		// the host fits what misses pixels
		if (threadIdx.x == 0) to->fitted = -1;
		return;
	}
	if (threadIdx.x < 2) {
		s.shift[threadIdx.x] = s.start[threadIdx.x] = to->offset[threadIdx.x];
		s.first[threadIdx.x] = offset(to->offset[threadIdx.x]);
		s.step = 0;
	}
	// after the last row
	if (threadIdx.x < ZEROS) w.gy[g.windowY * w.pitch + threadIdx.x] = 0;
	centre(s, w, a.fixed, c.slopes, g, left, top);
	do {
		load(w, c.moving, g, w.place[0], w.place[1]);
		__syncthreads();
		if (!(s.energy > 0 && s.energy <= 3e38)) {
			// too small or too large for sums in float
			if (threadIdx.x == 0) to->fitted = -1;
			return;
		}
		correlate(s, w, g);
		__syncthreads();
		load(w, c.fixed, g, left, top);
		if (threadIdx.x < 32) {
			const int state = solve(s);
			if (threadIdx.x == 0) s.state = state;
		}
		__syncthreads();
	}
	while (s.state == AGAIN);
	if (s.state == FAILED) return;
	interpolate(s, w, g);
	residuals(s, w, a.moving, g);
	covariance(s, w, g, to);
}

#define KIND(NAME, P) \
extern "C" __global__ void __launch_bounds__(MANY) total_##NAME(const P *frame, const u8 *state, const Windows g, double *to) { \
	total<P>(frame, state, g, to); \
} \
extern "C" __global__ void __launch_bounds__(MANY) spline_across_##NAME(const P *frame, const u8 *state, const Windows g, const double *totals, \
	const float *filter, float *to) \
{ \
	spline_across<P>(frame, state, g, totals, filter, to); \
} \
extern "C" __global__ void __launch_bounds__(THREADS, 5) fit_##NAME(const Frames<P> a, const Windows g, const Splines c, const int flags, \
	const u32 *notFinite, Found *all) \
{ \
	fit<P>(a, g, c, flags, notFinite, all); \
}

KIND(bytes, s8)
KIND(shorts, short)
KIND(reals, double)
