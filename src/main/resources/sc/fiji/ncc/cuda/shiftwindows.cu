// Many templates over small shifts (smallshifts.cu): the sums of all windows. Running sums down the columns, then along each row: columns enter and leave the sum.
// A block has one template in one frame.
#include "smallshifts.cuh"
#include "wide.cuh"

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

// The value of a pixel: integers minus the middle of their type, others minus the reference, exactly in pairs.
template<class A, class P> __device__ inline A value_of(const P v, const A reference) {
	if constexpr (!real<A>()) return (A) centred(v);
	else if constexpr (sizeof(narrow(A())) == sizeof(float)) return two_sum((float) v, -reference.high);
	else return (A) v - reference;
}

template<class A> __device__ inline A over_warp(A v) {
	#pragma unroll
	for (int o = 16; o > 0; o /= 2) v += opposite(v, o);
	return v;
}

// The number of rows of lags whose sums are in shared memory at once, each for a warp. To: doubles for sums in floating point.
template<class A, class P, class To> __device__ void windows(const Batch &b, const Place &place, const Model &m, const int rowsAtOnce, const double share, double *reference,
	Sums<To> *to)
{
	extern __shared__ uint4 shared[];
	__shared__ double middle;
	constexpr bool REAL = real<A>();
	const int columns = m.width + b.lagsX - 1, rows = m.height + b.lagsY - 1, lane = threadIdx.x & 31, warp = threadIdx.x / 32;
	const P *p = (const P *) b.raw + place.first;
	A about = 0;
	if constexpr (REAL) {
		if (warp == 0) {
			const double v = median(p, place.pitch, columns, rows);
			if (lane == 0) middle = *reference = v;
		}
		__syncthreads();
		if constexpr (sizeof(narrow(A())) == sizeof(float)) about = (float) middle;
		else about = middle;
	}
	// the sums of each column over the rows of a window; in floating point also the greatest Σ² so far
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
		// no other thread uses these columns
		for (int x = threadIdx.x; x < columns; x += blockDim.x) {
			Sums<A> sums = column[x];
			A greatest = REAL ? most[x] : 0;
			const P *from = p + (s64) y0 * place.pitch + x;
			#pragma unroll 4
			for (int r = 0; r < here; r++) {
				line[r * columns + x] = sums;
				if (REAL) {
					greatest = greatest <= sums.q ? sums.q : greatest;
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
					const A us = up(ds, o), uq = up(dq, o);
					if (lane >= o) {
						ds += us;
						dq += uq;
					}
				}
				Sums<A> w;
				w.s = s + ds;
				w.q = q + dq;
				s = of_lane(w.s, 31);
				q = of_lane(w.q, 31);
				if (x >= b.lagsX) continue;
				Sums<To> &result = to[(y0 + warp) * b.lagsX + x];
				if constexpr (REAL) {
					// N·σ²; NaN if it is not well above the rounding of the sums that passed
					const double sum = in_double(w.s), v = in_double(w.q) - sum * (sum / m.n);
					result.s = sum;
					result.q = v > in_double(all) * (rounding<A>() * share * (1 + m.height / 64.0)) ? v : __longlong_as_double(0x7ff8000000000000ll);
				}
				else result = w;
			}
		}
		__syncthreads();
	}
}

#ifndef PAIRS
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

#endif

// The same in floating point: Σ(P - reference) and N·σ². share: the minimum variance relative to the sums that passed; larger for tall windows, because equal
// pixels round alike.
extern "C" __global__ void windows_real(const Batch b, const int rowsAtOnce, const double share, double *references, Sums<double> *to) {
	const size_t i = (size_t) blockIdx.y * b.templates + blockIdx.x;
	const Model &m = b.models[blockIdx.x];
	to += i * b.lagsX * b.lagsY;
	switch (b.type) {
		case 0: windows<Wide, u8>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 1: windows<Wide, s8>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 2: windows<Wide, u16>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 3: windows<Wide, short>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
#ifndef PAIRS
		case 4: windows<double, u32>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 5: windows<double, int>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
		case 7: windows<double, double>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
#endif
		default: windows<Wide, float>(b, b.places[i], m, rowsAtOnce, share, references + i, to); break;
	}
}
