// Sums over windows: running sums down the columns, prefix sums along the rows. Sums of integers are exact; prefix sums may wrap around,
// but their differences do not. The caller decides how the sums of a window are used.
#pragma once
#include "packs.cuh"
#include "wide.cuh"

template<> struct __align__(8) Pack<float, 2> { float v[2]; };
template<> struct __align__(16) Pack<double, 2> { double v[2]; };

template<class A> struct Sums { A s, q; };
template<> struct __align__(8) Sums<u32> { u32 s, q; };
template<> struct __align__(16) Sums<u64> { u64 s, q; };
template<> struct __align__(16) Sums<double> { double s, q; };
template<> struct __align__(16) Sums<FloatPair> { FloatPair s, q; };

// The place of prefix sum i in shared memory. Threads write stretches of M sums; without gaps these would use the same banks.
__device__ inline int place(const int i) { return i + (i >> 3); }

template<class P, int M> __device__ inline Pack<P, M> pack_at(const P *image, const Box &b, const int c, const int y, const int z) {
	return *(const Pack<P, M> *) (image + ((size_t) z * b.rows + y) * b.pitch + c);
}

// A pixel minus the reference, exact except for doubles. The padding of a row counts as 0, because it may be far from the reference.
template<class A, class P> __device__ inline A about(const P v, const A reference, const bool inside) {
	return real<A>() ? (inside ? (A) v - reference : (A) 0) : (A) v;
}
template<> __device__ inline FloatPair about(const float v, const FloatPair reference, const bool inside) {
	return inside ? two_sum(v, -reference.high) : FloatPair(0.0f);
}

// The type that holds pixels exactly: float, or double for doubles.
template<class P> using Comparable = decltype(P() * 1.0f);

// The median of 32 pixels spread over what the block reads; 0 if most are not finite.
template<class P> __device__ inline Comparable<P> median(const P *image, const Box &b, const int x0, const int columns, const int y0,
	const int rows, const int z, Comparable<P> *shared)
{
	typedef Comparable<P> C;
	const C greatest = sizeof(C) == 4 ? (C) 3.402823466e38f : (C) 1.7976931348623157e308;
	if (threadIdx.x < 32) {
		const int i = threadIdx.x, x = min(x0 + (int) ((i * 2 + 1) * (s64) columns / 64), b.lagsX + b.width - 2);
		const int y = min(y0 + (int) ((i * 13 % 32) * (s64) rows / 32), b.rows - 1);
		const C v = image[((size_t) (z + i * b.depth / 32) * b.rows + y) * b.pitch + x];
		const bool finite = fabs(v) <= greatest;
		const C key = finite ? v : greatest;
		int rank = 0;
		for (int o = 0; o < 32; o++) {
			const C other = __shfl_sync(~0u, key, o);
			rank += other < key || (other == key && o < i);
		}
		const int n = __popc(__ballot_sync(~0u, finite));
		if (n == 0 ? i == 0 : rank == n / 2) *shared = finite ? v : 0;
	}
	__syncthreads();
	const C v = *shared;
	__syncthreads();
	return v;
}

// Prefix sums of R rows of column sums at a time, and their differences, the window sums. One per block; each thread has M of THREADS·M
// columns.
template<class A, int THREADS, int M, int R> struct RowSums {
	static constexpr int C = THREADS * M, WARPS = THREADS / 32;
	Sums<A> prefix[R][C + C / 8 + 1], totals[R][WARPS];

	// Takes the column sums. passed: the greatest Σ of a row so far, for sums in floating point. Synchronize the threads before the windows
	// are read.
	__device__ void take(const A (*s)[M], const A (*q)[M], A &passed) {
		const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
		A beforeS[R], beforeQ[R];
		#pragma unroll
		for (int r = 0; r < R; r++) {
			A sumS = 0, sumQ = 0;
			#pragma unroll
			for (int m = 0; m < M; m++) {
				sumS += s[r][m];
				sumQ += q[r][m];
			}
			beforeS[r] = sumS;
			beforeQ[r] = sumQ;
			#pragma unroll
			for (int o = 1; o < 32; o *= 2) {
				const A a = up(sumS, o), e = up(sumQ, o);
				if (lane >= o) {
					sumS += a;
					sumQ += e;
				}
			}
			if (lane == 31) {
				totals[r][warp].s = sumS;
				totals[r][warp].q = sumQ;
			}
			if (real<A>()) {
				// not as a difference, which would keep the rounding of larger sums
				const A a = up(sumS, 1), e = up(sumQ, 1);
				beforeS[r] = lane == 0 ? (A) 0 : a;
				beforeQ[r] = lane == 0 ? (A) 0 : e;
			}
			else {
				beforeS[r] = sumS - beforeS[r];
				beforeQ[r] = sumQ - beforeQ[r];
			}
		}
		__syncthreads();
		#pragma unroll
		for (int r = 0; r < R; r++) {
			A all = 0;
			#pragma unroll
			for (int w = 0; w < WARPS; w++) {
				const Sums<A> t = totals[r][w];
				if (w < warp) {
					beforeS[r] += t.s;
					beforeQ[r] += t.q;
				}
				if (real<A>()) all += t.q;
			}
			// NaN stays: then no response is trusted
			if (real<A>()) passed = all <= passed ? passed : all;
			#pragma unroll
			for (int m = 0; m < M; m++) {
				write(r, threadIdx.x * M + m, beforeS[r], beforeQ[r]);
				beforeS[r] += s[r][m];
				beforeQ[r] += q[r][m];
			}
			if (threadIdx.x == THREADS - 1) write(r, C, beforeS[r], beforeQ[r]);
		}
	}

	__device__ void write(const int r, const int i, const A s, const A q) {
		Sums<A> t;
		t.s = s;
		t.q = q;
		prefix[r][place(i)] = t;
	}

	__device__ Sums<A> window(const int r, const int i, const int width) const {
		const Sums<A> left = prefix[r][place(i)], right = prefix[r][place(i + width)];
		Sums<A> t;
		t.s = right.s - left.s;
		t.q = right.q - left.q;
		return t;
	}
};

// Calls use(r, m, i) for lag i of a thread in each of some rows, at most R.
template<int THREADS, int M, int R, class Use> __device__ __forceinline__ void for_lags(const int rows, const int lags, const Use &use) {
	#pragma unroll
	for (int r = 0; r < R; r++)
		#pragma unroll
		for (int m = 0; m < M; m++)
			if (r < rows && m * THREADS + (int) threadIdx.x < lags) use(r, m, m * THREADS + (int) threadIdx.x);
}

// The number of lags of a block of C columns: all, or a multiple of M.
template<int C, int M> __device__ inline int lags_of(const Box &b)
	{ return b.lagsX + b.width - 1 <= C ? b.lagsX : (C - b.width + 1) / M * M; }

// In floating point: the mean, and N·σ². N·σ² is NaN if it is not well above the rounding of the sums that passed. share: its minimum as a
// share of those sums.
template<class A> __device__ inline Moments<A> moments(const Sums<A> t, const A inverse, const A reference, const A passed,
	const Narrow share)
{
	const A shift = t.s * inverse, v = t.q - t.s * shift;
	return { reference + shift, narrow(v) > narrow(passed) * share ? v : (A) __int_as_float(0x7fc00000) };
}

// The number of rows that are summed in advance.
#define GROUP 16

// All windows of stretches of C - width + 1 lags (rounded down to M, unless one holds all) by rowsEach rows, of one plane: grid x, y, z.
// groups: whole numbers summed over each GROUP rows, or null; then rowsEach is GROUP. finish.begin(y, z, row) is called for each row in
// advance, finish.fetch(r, m, ...) shortly before finish(sums of the window, ..., r, m, ..., row).
template<class P, class A, int THREADS, int M, int R, class Finish> __device__ void windows(const P *image, const Box &b,
	const int rowsEach, const Sums<A> *groups, Finish &finish)
{
	constexpr int C = THREADS * M;
	__shared__ RowSums<A, THREADS, M, R> sums;
	__shared__ Comparable<P> middle;
	const int each = lags_of<C, M>(b), x0 = blockIdx.x * each, y0 = blockIdx.y * rowsEach, z = blockIdx.z;
	const int until = min(y0 + rowsEach, b.lagsY), c = x0 + threadIdx.x * M, columns = b.lagsX + b.width - 1 - c, lags = min(each,
		b.lagsX - x0);
	A reference = 0, s[R][M], q[R][M], passed = 0;
	if (real<A>()) reference = (A) median(image, b, x0, min(C, b.lagsX + b.width - 1 - x0), y0, until - y0 + b.height - 1, z, &middle);
	#pragma unroll
	for (int r = 0; r < R; r++)
		#pragma unroll
		for (int m = 0; m < M; m++) s[r][m] = q[r][m] = 0;
	if (columns > 0)
		for (int k = 0; k < b.depth; k++) {
			int first = 0;
			if (groups != 0 && !real<A>()) {
				const int planeOfGroups = b.rows / GROUP;
				first = b.height / GROUP * GROUP;
				#pragma unroll 8
				for (int g = 0; g < b.height / GROUP; g++) {
					const Sums<A> *from = groups + ((size_t) (z + k) * planeOfGroups + y0 / GROUP + g) * b.pitch + c;
					#pragma unroll
					for (int m = 0; m < M; m++) {
						s[0][m] += from[m].s;
						q[0][m] += from[m].q;
					}
				}
			}
			#pragma unroll 8
			for (int j = first; j < b.height; j++) {
				const Pack<P, M> pack = pack_at<P, M>(image, b, c, y0 + j, z + k);
				#pragma unroll
				for (int m = 0; m < M; m++) {
					const A v = about(pack.v[m], reference, m < columns);
					s[0][m] += v;
					q[0][m] += v * v;
				}
			}
		}
	// from the sums of row y those of the next
	const auto step = [&](const int y, const A (&s)[M], const A (&q)[M], A (&nextS)[M], A (&nextQ)[M]) {
		#pragma unroll
		for (int m = 0; m < M; m++) {
			nextS[m] = s[m];
			nextQ[m] = q[m];
		}
		if (columns <= 0 || y + 1 >= until) return;
		for (int k = 0; k < b.depth; k++) {
			const Pack<P, M> enter = pack_at<P, M>(image, b, c, y + b.height, z + k), leave = pack_at<P, M>(image, b, c, y, z + k);
			#pragma unroll
			for (int m = 0; m < M; m++) {
				const A v = about(enter.v[m], reference, m < columns), w = about(leave.v[m], reference, m < columns);
				nextS[m] += v;
				nextQ[m] += v * v;
				nextS[m] -= w;
				nextQ[m] -= w * w;
			}
		}
	};
	if (threadIdx.x < until - y0) finish.begin(y0 + threadIdx.x, z, threadIdx.x);
	for (int y = y0; y < until; y += R) {
		for_lags<THREADS, M, R>(until - y, lags, [&](const int r, const int m, const int i) { finish.fetch(r, m, x0 + i, y + r, z); });
		#pragma unroll
		for (int r = 1; r < R; r++) step(y + r - 1, s[r - 1], q[r - 1], s[r], q[r]);
		sums.take(s, q, passed);
		// load the pixels of the next row while the sums of these rows are used
		A nextS[M], nextQ[M];
		step(y + R - 1, s[R - 1], q[R - 1], nextS, nextQ);
		__syncthreads();
		for_lags<THREADS, M, R>(until - y, lags, [&](const int r, const int m, const int i) {
			finish(sums.window(r, i, b.width), reference, passed, r, m, x0 + i, y + r, z, y + r - y0);
		});
		#pragma unroll
		for (int m = 0; m < M; m++) {
			s[0][m] = nextS[m];
			q[0][m] = nextQ[m];
		}
	}
	finish.end();
}

// Integers in volumes, first of two steps: sums along z, to[plane of lags][row][column], those of the pixels and then those of their
// squares. A thread has four columns of a row and goes through planesEach planes. Grid: columns and rows, planesEach planes each.
template<class P, class A> __device__ void pillars(const P *__restrict__ image, const Box &b, const int planesEach, A *__restrict__ to) {
	const int packs = b.pitch / 4, i = blockIdx.x * blockDim.x + threadIdx.x, z0 = blockIdx.y * planesEach, until = min(z0 + planesEach,
		b.lagsZ);
	if (i >= packs * b.rows) return;
	const Pack<P, 4> *from = (const Pack<P, 4> *) image + i;
	const size_t plane = (size_t) packs * b.rows;
	Pack<A, 4> *sums = (Pack<A, 4> *) to + i, *squares = sums + plane * b.lagsZ;
	Pack<A, 4> s = { }, q = { };
	const auto add = [&](const Pack<P, 4> pack, const A sign) {
		#pragma unroll
		for (int m = 0; m < 4; m++) {
			const A v = (A) pack.v[m];
			s.v[m] += sign * v;
			q.v[m] += sign * v * v;
		}
	};
	#pragma unroll 8
	for (int k = 0; k < b.depth - 1; k++) add(from[(z0 + k) * plane], 1);
	// load the pixels of four planes at once
	for (int z = z0; z < until; z += 4) {
		Pack<P, 4> enter[4], leave[4];
		#pragma unroll
		for (int k = 0; k < 4; k++)
			if (z + k < until) {
				enter[k] = from[(z + k + b.depth - 1) * plane];
				leave[k] = from[(z + k) * plane];
			}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			if (z + k >= until) break;
			add(enter[k], 1);
			sums[(z + k) * plane] = s;
			squares[(z + k) * plane] = q;
			add(leave[k], (A) -1);
		}
	}
}

// Second step: from sums along z to window sums. Each warp has the lags of rowsEach rows, at most 32. Grid: stretches along x as above,
// strips by warps, planes.
template<class A, int WARPS, int M, class Finish> __device__ void sweep(const A *__restrict__ pillars, const Box &b, const int rowsEach,
	Finish &finish)
{
	constexpr int C = 32 * M;
	__shared__ Sums<A> prefixes[WARPS][C + C / 8 + 1];
	const int each = lags_of<C, M>(b), x0 = blockIdx.x * each, warp = threadIdx.x / 32, lane = threadIdx.x & 31, z = blockIdx.z;
	const int y0 = (blockIdx.y * WARPS + warp) * rowsEach, until = min(y0 + rowsEach, b.lagsY), lags = min(each, b.lagsX - x0),
		c = x0 + lane * M;
	if (y0 >= b.lagsY) return;
	Sums<A> *prefix = prefixes[warp];
	const bool inside = c < b.pitch;
	const A *sums = pillars + ((size_t) z * b.rows + y0) * b.pitch + c, *squares = sums + (size_t) b.lagsZ * b.rows * b.pitch;
	if (lane < until - y0) finish.begin(y0 + lane, z, 32 * warp + lane);
	A s[M], q[M];
	#pragma unroll
	for (int m = 0; m < M; m++) s[m] = q[m] = 0;
	if (inside)
		#pragma unroll 4
		for (int j = 0; j < b.height; j++)
			#pragma unroll
			for (int m = 0; m < M; m += 4) {
				const Pack<A, 4> t = *(const Pack<A, 4> *) (sums + (size_t) j * b.pitch + m);
				const Pack<A, 4> u = *(const Pack<A, 4> *) (squares + (size_t) j * b.pitch + m);
				#pragma unroll
				for (int i = 0; i < 4; i++) {
					s[m + i] += t.v[i];
					q[m + i] += u.v[i];
				}
			}
	for (int y = y0; y < until; y++, sums += b.pitch, squares += b.pitch) {
		#pragma unroll
		for (int m = 0; m < M; m++)
			if (32 * m + lane < lags) finish.fetch(0, m, x0 + 32 * m + lane, y, z);
		Pack<A, 4> enterS[M / 4], enterQ[M / 4], leaveS[M / 4], leaveQ[M / 4];
		#pragma unroll
		for (int m = 0; m < M / 4; m++) {
			enterS[m] = enterQ[m] = leaveS[m] = leaveQ[m] = { };
			if (inside && y + 1 < until) {
				const size_t down = (size_t) b.height * b.pitch;
				enterS[m] = *(const Pack<A, 4> *) (sums + down + 4 * m);
				enterQ[m] = *(const Pack<A, 4> *) (squares + down + 4 * m);
				leaveS[m] = *(const Pack<A, 4> *) (sums + 4 * m);
				leaveQ[m] = *(const Pack<A, 4> *) (squares + 4 * m);
			}
		}
		A sumS = 0, sumQ = 0;
		#pragma unroll
		for (int m = 0; m < M; m++) {
			sumS += s[m];
			sumQ += q[m];
		}
		Sums<A> before;
		before.s = sumS;
		before.q = sumQ;
		#pragma unroll
		for (int o = 1; o < 32; o *= 2) {
			const A a = up(sumS, o), e = up(sumQ, o);
			if (lane >= o) {
				sumS += a;
				sumQ += e;
			}
		}
		before.s = sumS - before.s;
		before.q = sumQ - before.q;
		__syncwarp();
		#pragma unroll
		for (int m = 0; m < M; m++) {
			prefix[place(lane * M + m)] = before;
			before.s += s[m];
			before.q += q[m];
		}
		if (lane == 31) prefix[place(C)] = before;
		__syncwarp();
		#pragma unroll
		for (int m = 0; m < M; m++) {
			const int i = 32 * m + lane;
			if (i >= lags) continue;
			const Sums<A> left = prefix[place(i)], right = prefix[place(i + b.width)];
			Sums<A> w;
			w.s = right.s - left.s;
			w.q = right.q - left.q;
			finish(w, 0, 0, 0, m, x0 + i, y, z, 32 * warp + y - y0);
		}
		#pragma unroll
		for (int m = 0; m < M; m++) {
			s[m] += enterS[m / 4].v[m % 4] - leaveS[m / 4].v[m % 4];
			q[m] += enterQ[m / 4].v[m % 4] - leaveQ[m / 4].v[m % 4];
		}
	}
	finish.end();
}

// All windows of a volume, for sums in floating point: of stretches as above by ROWS rows by planesEach planes, grid x, y, z. From one
// plane of lags to the next, the sums over a row of windows change by those of the plane that enters less those of the plane that leaves;
// a thread goes down both at the same time. finish: as above; begin is called for all rows of all planes in advance.
template<class P, class A, int THREADS, int M, int ROWS, int R, class Finish> __device__ void volumes(const P *image, const Box &b,
	const int planesEach, Finish &finish)
{
	constexpr int C = THREADS * M;
	__shared__ RowSums<A, THREADS, M, R> sums;
	__shared__ Comparable<P> middle;
	const int each = lags_of<C, M>(b), x0 = blockIdx.x * each, y0 = blockIdx.y * ROWS, z0 = blockIdx.z * planesEach, rows = min(ROWS,
		b.lagsY - y0);
	const int planes = min(planesEach, b.lagsZ - z0), c = x0 + threadIdx.x * M, columns = b.lagsX + b.width - 1 - c, lags = min(each,
		b.lagsX - x0);
	for (int i = threadIdx.x; i < ROWS * planes; i += THREADS)
		if (i % ROWS < rows) finish.begin(y0 + i % ROWS, z0 + i / ROWS, i);
	A reference = 0, s[ROWS][M], q[ROWS][M], passed = 0;
	if (real<A>()) reference = (A) median(image, b, x0, min(C, b.lagsX + b.width - 1 - x0), y0, rows + b.height - 1, z0, &middle);
	#pragma unroll
	for (int r = 0; r < ROWS; r++)
		#pragma unroll
		for (int m = 0; m < M; m++) s[r][m] = q[r][m] = 0;
	// adds the sums of the plane enter, and takes off those of the plane leave
	const auto plane = [&](const int enter, const int leave, const bool both) {
		A t[M], u[M];
		#pragma unroll
		for (int m = 0; m < M; m++) t[m] = u[m] = 0;
		const auto row = [&](const int y, const bool enters) {
			const Pack<P, M> in = pack_at<P, M>(image, b, c, y, enters || !both ? enter : leave);
			const Pack<P, M> out = both ? pack_at<P, M>(image, b, c, y, enters ? leave : enter) : in;
			#pragma unroll
			for (int m = 0; m < M; m++) {
				const A v = about(in.v[m], reference, m < columns);
				if (both || enters) {
					t[m] += v;
					u[m] += v * v;
				}
				else {
					t[m] -= v;
					u[m] -= v * v;
				}
				if (!both) continue;
				const A w = about(out.v[m], reference, m < columns);
				t[m] -= w;
				u[m] -= w * w;
			}
		};
		#pragma unroll 4
		for (int j = 0; j < b.height - 1; j++) row(y0 + j, true);
		#pragma unroll
		for (int r = 0; r < ROWS; r++) {
			if (r >= rows) break;
			row(y0 + r + b.height - 1, true);
			#pragma unroll
			for (int m = 0; m < M; m++) {
				s[r][m] += t[m];
				q[r][m] += u[m];
			}
			row(y0 + r, false);
		}
	};
	if (columns > 0)
		for (int k = 0; k < b.depth; k++) plane(z0 + k, 0, false);
	for (int z = z0; z < z0 + planes; z++) {
		if (columns > 0 && z > z0) plane(z + b.depth - 1, z - 1, true);
		#pragma unroll
		for (int y = 0; y < ROWS; y += R) {
			if (y >= rows) break;
			for_lags<THREADS, M, R>(rows - y, lags, [&](const int r, const int m, const int i) {
				finish.fetch(r, m, x0 + i, y0 + y + r, z);
			});
			sums.take(s + y, q + y, passed);
			__syncthreads();
			for_lags<THREADS, M, R>(rows - y, lags, [&](const int r, const int m, const int i) {
				finish(sums.window(r, i, b.width), reference, passed, r, m, x0 + i, y0 + y + r, z, (z - z0) * ROWS + y + r);
			});
		}
	}
	finish.end();
}

// The roundings of such a sum, relative to a pass over planesEach planes: each plane is summed down its columns.
template<int ROWS> __device__ inline double roundings_of(const Box &b, const int planesEach)
	{ return 128 + (b.depth + 2.0 * planesEach) * (b.height + 2 * ROWS); }

// Sums over each GROUP rows of each column: to[plane][group][column]. Grid: columns, groups, planes.
template<class P, class A, int M> __device__ void groups(const P *image, const Box &b, Sums<A> *to) {
	const int c = (blockIdx.x * blockDim.x + threadIdx.x) * M, g = blockIdx.y, z = blockIdx.z;
	if (c >= b.pitch) return;
	A s[M], q[M];
	#pragma unroll
	for (int m = 0; m < M; m++) s[m] = q[m] = 0;
	#pragma unroll
	for (int j = 0; j < GROUP; j++) {
		const Pack<P, M> pack = pack_at<P, M>(image, b, c, g * GROUP + j, z);
		#pragma unroll
		for (int m = 0; m < M; m++) {
			const A v = (A) pack.v[m];
			s[m] += v;
			q[m] += v * v;
		}
	}
	#pragma unroll
	for (int m = 0; m < M; m++) {
		Sums<A> t;
		t.s = s[m];
		t.q = q[m];
		to[((size_t) z * gridDim.y + g) * b.pitch + c + m] = t;
	}
}
