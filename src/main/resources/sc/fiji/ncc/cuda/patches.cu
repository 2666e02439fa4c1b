// Windows of a grid in one frame at the lags around their places in another frame, see GpuWindows. Windows that overlap share the sums of
// products over patches. A block per group of patches, then a block per window.
#include "windowgrid.cuh"

#define ACROSS 4 // lags of a thread along x and y
#define DOWN 5
#define PLACES 4 // of a row, for a thread of across()
#define STRIP 16 // rows of a thread of down()

// What both frames are summed in. Pixel: of a padded frame, of integers minus the middle of their type; Word: what a thread reads at a time.
struct Bytes {
	typedef s8 Pixel;
	typedef int Sum;
	typedef u32 Square;
	typedef int Total;
	typedef u32 Word;
	struct Part { int v; };
	static constexpr int E = 4, NEXT = 1; // pixels of a word; words after it that the lags of a thread need
	static constexpr bool EXACT = true;

	__device__ static void add(Part &s, const Word coefficient, const Word pixels) { s.v = __dp4a((int) pixels, (int) coefficient, s.v); }
	__device__ static void shifted(const Word *w, Word (&p)[ACROSS]) {
		const Word a = w[0], b = w[1];
		p[0] = a;
		#pragma unroll
		for (int l = 1; l < ACROSS; l++) p[l] = __funnelshift_r(a, b, 8 * l);
	}
	__device__ static Word pixels(const Pixel *v) { return (u32) (u8) v[0] | (u32) (u8) v[1] << 8 | (u32) (u8) v[2] << 16 | (u32) (u8) v[3] << 24; }
	__device__ static Word coefficients(const Pixel *v) { return pixels(v); }
	__device__ static Total total(const Part &s) { return s.v; }
};

// A word of coefficients has the upper bytes of two, then their lower bytes. A part holds the products of 256 pixels.
struct Shorts {
	typedef short Pixel;
	typedef int Sum;
	typedef s64 Square;
	typedef s64 Total;
	typedef u32 Word;
	struct Part { int upper, lower; };
	static constexpr int E = 2, NEXT = 2;
	static constexpr bool EXACT = true;

	__device__ static void add(Part &s, const Word coefficient, const Word pixels) {
		asm("dp2a.lo.s32.s32 %0, %1, %2, %0;" : "+r"(s.upper) : "r"(pixels), "r"(coefficient));
		asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(s.lower) : "r"(pixels), "r"(coefficient));
	}
	__device__ static void shifted(const Word *w, Word (&p)[ACROSS]) {
		const Word a = w[0], b = w[1], c = w[2];
		p[0] = a;
		p[1] = __funnelshift_r(a, b, 16);
		p[2] = b;
		p[3] = __funnelshift_r(b, c, 16);
	}
	__device__ static Word pixels(const Pixel *v) { return (u32) (u16) v[0] | (u32) (u16) v[1] << 16; }
	__device__ static Word coefficients(const Pixel *v) {
		const u32 a = (u16) v[0], b = (u16) v[1];
		return a >> 8 | b >> 8 << 8 | (a & 0xff) << 16 | (b & 0xff) << 24;
	}
	__device__ static Total total(const Part &s) { return ((s64) s.upper << 8) + s.lower; }
};

struct Reals {
	typedef double Pixel;
	typedef double Sum;
	typedef double Square;
	typedef double Total;
	typedef double Word;
	struct Part { double v; };
	static constexpr int E = 1, NEXT = 3;
	static constexpr bool EXACT = false;

	__device__ static void add(Part &s, const Word coefficient, const Word pixel) { s.v = fma(coefficient, pixel, s.v); }
	__device__ static void shifted(const Word *w, Word (&p)[ACROSS]) {
		#pragma unroll
		for (int l = 0; l < ACROSS; l++) p[l] = w[l];
	}
	__device__ static Word pixels(const Pixel *v) { return v[0]; }
	__device__ static Word coefficients(const Pixel *v) { return v[0]; }
	__device__ static Total total(const Part &s) { return s.v; }
};

__device__ inline double value(const void *raw, const int type, const size_t i) {
	const double v = raw_value(raw, type, i);
	return type == 0 ? v - 128 : type == 2 ? v - 32768 : v;
}

// A frame with a margin of zeros, and what its pixels are: 0 present, MISSING (as outside) or NOT_FINITE. mask: 0 where pixels are missing, or
// null. several: receives the number of pixels that are not finite.
template<class K> __device__ inline void pad(const void *raw, const u8 *mask, const int type, const Windows &g, typename K::Pixel *to, u8 *state,
	u32 *several)
{
	const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y, x = px - g.marginX, y = py - g.marginY;
	if (px >= g.pitch) return;
	const size_t at = (size_t) py * g.pitch + px, from = (size_t) y * g.frameX + x;
	double v = 0;
	u8 is = MISSING;
	if (x >= 0 && x < g.frameX && y >= 0 && y < g.frameY && (mask == nullptr || mask[from] != 0)) {
		v = value(raw, type, from);
		is = 0;
		if (!(fabs(v) <= 1.7976931348623157e308)) {
			is = NOT_FINITE;
			v = 0;
			atomicAdd(several, 1);
		}
	}
	to[at] = (typename K::Pixel) v;
	state[at] = is;
}

// Sums of pixels and squares over the width of a window, at each place of a padded frame: exact ones by the pixels that enter and leave. A thread has
// PLACES of them. Shared memory: the pixels of a row.
template<class K> __device__ inline void across(const typename K::Pixel *from, const Windows &g, typename K::Sum *sums, typename K::Square *squares) {
	extern __shared__ double shared[];
	typename K::Pixel *row = (typename K::Pixel *) shared;
	const int first = blockIdx.x * blockDim.x * PLACES, x = first + threadIdx.x * PLACES;
	const size_t base = (size_t) blockIdx.y * g.pitch;
	for (int i = threadIdx.x; i < (int) blockDim.x * PLACES + g.windowX - 1; i += blockDim.x) row[i] = first + i < g.pitch ? from[base + first + i] : 0;
	__syncthreads();
	if (x >= g.pitch) return;
	row += threadIdx.x * PLACES;
	typename K::Sum sum = 0;
	typename K::Square square = 0;
	for (int k = 0; k < PLACES; k++) {
		if (K::EXACT && k > 0) {
			const typename K::Sum in = row[k + g.windowX - 1], out = row[k - 1];
			sum += in - out;
			square += (typename K::Square) (in * in) - (typename K::Square) (out * out);
		}
		else {
			sum = 0;
			square = 0;
			for (int i = k; i < k + g.windowX; i++) {
				const typename K::Sum v = row[i];
				sum += v;
				square += (typename K::Square) (v * v);
			}
		}
		// the pitch is a multiple of PLACES
		sums[base + x + k] = sum;
		squares[base + x + k] = square;
	}
}

// Sums of these over the height of a window: exact ones by the rows that enter and leave.
template<class K> __device__ inline void down(const typename K::Sum *sums, const typename K::Square *squares, const Windows &g, typename K::Sum *toSums,
	typename K::Square *toSquares)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y0 = blockIdx.y * STRIP, places = g.rows - g.windowY + 1;
	if (x >= g.pitch) return;
	typename K::Sum sum = 0;
	typename K::Square square = 0;
	for (int y = y0; y < min(places, y0 + STRIP); y++) {
		if (K::EXACT && y > y0) {
			const size_t out = (size_t) (y - 1) * g.pitch + x, in = (size_t) (y + g.windowY - 1) * g.pitch + x;
			sum += sums[in] - sums[out];
			square += squares[in] - squares[out];
		}
		else {
			sum = 0;
			square = 0;
			for (int i = 0; i < g.windowY; i++) {
				sum += sums[(size_t) (y + i) * g.pitch + x];
				square += squares[(size_t) (y + i) * g.pitch + x];
			}
		}
		toSums[(size_t) y * g.pitch + x] = sum;
		toSquares[(size_t) y * g.pitch + x] = square;
	}
}

// The sums of products of patches at every lag: totals[patch][row][column], rows and columns of lags up to whole threads. A block has some
// patches side by side, of which `wide` words and `high` rows hold the largest. cuts: first pixels and extents of the segments along x, then along y.
template<class K> __device__ inline void products(const typename K::Pixel *fixed, const typename K::Pixel *moving, const Windows &g, const int *cuts,
	const int patches, const int wide, const int high, typename K::Total *totals)
{
	extern __shared__ double shared[];
	typedef typename K::Word Word;
	const int strips = (g.lagsX + ACROSS - 1) / ACROSS, groups = (g.lagsY + DOWN - 1) / DOWN, each = strips * groups;
	const int first = blockIdx.x * patches, here = min(patches, g.cutsX - first), row = blockIdx.y, cut = g.fromCut + row;
	const int top = cuts[2 * g.cutsX + cut], height = cuts[2 * g.cutsX + g.cutsY + cut];
	// words of a row of the other frame, which is odd, so that rows differ in their banks
	const int pitch = (wide + strips * ACROSS / K::E + K::NEXT) | 1, rows = high + groups * DOWN - 1;
	Word *coefficients = (Word *) shared, *pixels = coefficients + patches * wide * high;
	for (int i = threadIdx.x; i < here * height * wide; i += blockDim.x) {
		const int p = i / (height * wide), y = i / wide % height, x = i % wide * K::E, left = cuts[first + p], width = cuts[g.cutsX + first + p];
		typename K::Pixel v[K::E];
		const typename K::Pixel *from = fixed + (size_t) (g.marginY + top + y) * g.pitch + g.marginX + left + x;
		#pragma unroll
		for (int e = 0; e < K::E; e++) v[e] = x + e < width ? from[e] : 0;
		coefficients[(p * high + y) * wide + i % wide] = K::coefficients(v);
	}
	const int used = height + groups * DOWN - 1;
	for (int i = threadIdx.x; i < here * used * pitch; i += blockDim.x) {
		const int p = i / (used * pitch), y = i / pitch % used, x = i % pitch * K::E, left = cuts[first + p];
		// the first lag
		const int px = g.marginX - g.lagsX / 2 + left + x, py = g.marginY - g.lagsY / 2 + top + y;
		typename K::Pixel v[K::E];
		const typename K::Pixel *from = moving + (size_t) py * g.pitch + px;
		#pragma unroll
		for (int e = 0; e < K::E; e++) v[e] = px + e < g.pitch && py < g.rows ? from[e] : 0;
		pixels[(p * rows + y) * pitch + i % pitch] = K::pixels(v);
	}
	__syncthreads();
	for (int task = threadIdx.x; task < here * each; task += blockDim.x) {
		const int p = task / each, strip = task % strips, group = task % each / strips, words = (cuts[g.cutsX + first + p] + K::E - 1) / K::E;
		typename K::Part sum[DOWN][ACROSS] = { };
		const Word *c = coefficients + p * high * wide, *m = pixels + (p * rows + group * DOWN) * pitch + strip * ACROSS / K::E;
		for (int x = 0; x < words; x++) {
			Word near[DOWN] = { };
			#pragma unroll 5
			for (int y = 0; y < height + DOWN - 1; y++) {
				#pragma unroll
				for (int a = DOWN - 1; a > 0; a--) near[a] = near[a - 1];
				near[0] = y < height ? c[y * wide + x] : Word(0);
				Word at[ACROSS];
				K::shifted(m + y * pitch + x, at);
				#pragma unroll
				for (int a = 0; a < DOWN; a++)
					#pragma unroll
					for (int l = 0; l < ACROSS; l++) K::add(sum[a][l], near[a], at[l]);
			}
		}
		typename K::Total *to = totals + ((size_t) row * g.cutsX + first + p) * each * ACROSS * DOWN + (group * DOWN * strips + strip) * ACROSS;
		#pragma unroll
		for (int a = 0; a < DOWN; a++)
			#pragma unroll
			for (int l = 0; l < ACROSS; l++) to[a * strips * ACROSS + l] = K::total(sum[a][l]);
	}
}

// What a block of a window shares.
struct Shared {
	double parts[THREADS / 32][6], sums[6];
	int places[THREADS / 32], place;
	double best[THREADS / 32], value;
};

template<int N> __device__ inline void add_up(double (&v)[N], Shared &s) {
	#pragma unroll
	for (int i = 0; i < N; i++) {
		for (int o = 16; o > 0; o /= 2) v[i] += __shfl_xor_sync(~0u, v[i], o);
		if ((threadIdx.x & 31) == 0) s.parts[threadIdx.x / 32][i] = v[i];
	}
	__syncthreads();
	#pragma unroll
	for (int i = 0; i < N; i++) {
		v[i] = 0;
		for (int w = 0; w < THREADS / 32; w++) v[i] += s.parts[w][i];
	}
	__syncthreads();
}

// The largest value of all threads, and its place, the first one of equal values; -1 without one.
__device__ inline void highest(double &value, int &place, Shared &s) {
	for (int o = 16; o > 0; o /= 2) {
		const double other = __shfl_xor_sync(~0u, value, o);
		const int at = __shfl_xor_sync(~0u, place, o);
		if (at >= 0 && (place < 0 || other > value || (other == value && at < place))) {
			value = other;
			place = at;
		}
	}
	if ((threadIdx.x & 31) == 0) {
		s.best[threadIdx.x / 32] = value;
		s.places[threadIdx.x / 32] = place;
	}
	__syncthreads();
	for (int w = 0; w < THREADS / 32; w++)
		if (s.places[w] >= 0 && (place < 0 || s.best[w] > value || (s.best[w] == value && s.places[w] < place))) {
			value = s.best[w];
			place = s.places[w];
		}
	__syncthreads();
}

// The response at one lag from the pixels of a window, by sums about their means: NaN where it is undefined. f, m: the first pixels in the padded frames.
template<class K> __device__ double direct(const Frames<typename K::Pixel> &a, const Windows &g, const size_t f, const size_t m, const double least) {
	double n = 0, t = 0, p = 0;
	double lowT = 0, highT = 0, lowP = 0, highP = 0;
	for (int y = 0; y < g.windowY; y++)
		for (int x = 0; x < g.windowX; x++) {
			const size_t i = f + (size_t) y * g.pitch + x, j = m + (size_t) y * g.pitch + x;
			const u8 of = a.ofFixed[i], other = a.ofMoving[j];
			if (of == MISSING || other == MISSING) continue;
			if (of == NOT_FINITE || other == NOT_FINITE) return not_a_number();
			const double v = a.fixed[i], w = a.moving[j];
			lowT = n == 0 ? v : fmin(lowT, v);
			highT = n == 0 ? v : fmax(highT, v);
			lowP = n == 0 ? w : fmin(lowP, w);
			highP = n == 0 ? w : fmax(highP, w);
			n++;
			t += v;
			p += w;
		}
	if (n < least || n == 0 || lowT == highT || lowP == highP) return not_a_number();
	t /= n;
	p /= n;
	double tt = 0, pp = 0, tp = 0, dt = 0, dp = 0;
	for (int y = 0; y < g.windowY; y++)
		for (int x = 0; x < g.windowX; x++) {
			const size_t i = f + (size_t) y * g.pitch + x, j = m + (size_t) y * g.pitch + x;
			if (a.ofFixed[i] == MISSING || a.ofMoving[j] == MISSING) continue;
			const double v = a.fixed[i] - t, w = a.moving[j] - p;
			dt += v;
			dp += w;
			tt = fma(v, v, tt);
			pp = fma(w, w, pp);
			tp = fma(v, w, tp);
		}
	// the means are rounded
	tt -= dt * dt / n;
	pp -= dp * dp / n;
	return fmax(-1.0, fmin(1.0, (tp - dt * dp / n) / sqrt(tt) / sqrt(pp)));
}

// What is asked for each window.
struct Request {
	const u8 *wanted; // which windows; null for all
	int list; // whether `windows` lists the windows of the grid; else they are those from fromRow on
	const int *windows;
	double minOverlap, rounding; // rounding: of real numbers, the largest relative error of a sum
	double *responses; // [window][lag], or null
	double *errors; // the largest error of a response of each window; negative for a window without responses
	Found *found; // or null
	u32 *counts; // of responses: undefined, computed from the pixels
	const u32 *notFinite; // the number of such pixels in both frames
	int masked, exactly; // exactly: all responses follow from the pixels
	int lines; // whether shared memory has space for the sums of rows and columns of a window
};

// Whether no neighbour of a response is higher by more than the doubt; strict: whether all are lower by more than it. NaN is neither.
__device__ inline bool is_maximum(const double *map, const Windows &g, const int x, const int y, const double doubt, const bool strict) {
	const double *const middle = map + y * g.lagsX + x;
	bool is = true;
	#pragma unroll
	for (int k = 0; k < 9; k++) {
		const int u = k % 3 - 1, v = k / 3 - 1;
		if (k == 4 || (u < 0 && x == 0) || (u > 0 && x == g.lagsX - 1) || (v < 0 && y == 0) || (v > 0 && y == g.lagsY - 1)) continue;
		const double difference = *middle - middle[v * g.lagsX + u];
		is = is && !(strict ? difference <= doubt : difference < -doubt);
	}
	return is;
}

// The two highest peaks of a map. A second one that is not sure, or equal peaks, are left to the host.
template<class K> __device__ inline void peaks(const Frames<typename K::Pixel> &a, const Windows &g, const double *map, const double error,
	const size_t f, const double least, Found *to, Shared &s)
{
	const double doubt = 2 * error;
	double first = not_a_number(), second = first;
	int best = -1, next = -1;
	for (Walk at(g.lagsX); at.y < g.lagsY; at.next()) {
		const int i = at.y * g.lagsX + at.x;
		if (best < 0 ? map[i] == map[i] : map[i] > first) {
			first = map[i];
			best = i;
		}
	}
	highest(first, best, s);
	if (best < 0) {
		if (threadIdx.x == 0) to->state = NO_PEAK;
		return;
	}
	const int bestX = best % g.lagsX, bestY = best / g.lagsX;
	for (Walk at(g.lagsX); at.y < g.lagsY; at.next()) {
		const int i = at.y * g.lagsX + at.x;
		const bool touches = abs(at.x - bestX) <= 1 && abs(at.y - bestY) <= 1;
		if (!touches && (next < 0 ? map[i] == map[i] : map[i] > second) && is_maximum(map, g, at.x, at.y, doubt, false)) {
			second = map[i];
			next = i;
		}
	}
	highest(second, next, s);
	bool unsure = false;
	for (Walk at(g.lagsX); at.y < g.lagsY; at.next()) {
		const int i = at.y * g.lagsX + at.x;
		if (i != best && map[i] >= first - doubt) unsure = true;
		if (next < 0 || i == next || !(map[i] >= second - doubt) || (abs(at.x - bestX) <= 1 && abs(at.y - bestY) <= 1)) continue;
		if (is_maximum(map, g, at.x, at.y, doubt, false)) unsure = true;
	}
	if (threadIdx.x == 0 && next >= 0 && !is_maximum(map, g, next % g.lagsX, next / g.lagsX, doubt, true)) unsure = true;
	unsure = __syncthreads_or(unsure);
	if (unsure) {
		if (threadIdx.x == 0) to->state = UNSURE;
		return;
	}
	// the responses around the peak, also beyond the lags
	if (threadIdx.x < 9) {
		const int x = bestX + (int) threadIdx.x % 3 - 1, y = bestY + (int) threadIdx.x / 3 - 1;
		const bool inside = x >= 0 && x < g.lagsX && y >= 0 && y < g.lagsY;
		to->scores[threadIdx.x] = inside ? map[y * g.lagsX + x]
			: direct<K>(a, g, f, f + (s64) (y - g.lagsY / 2) * g.pitch + x - g.lagsX / 2, least);
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		quadratic(to->scores, to->offset);
		to->runnerUp = second;
		to->best = best;
		to->second = next;
		to->state = FOUND;
		to->fitted = 0;
	}
}

// The sum of some pixels of a window, and of their squares.
struct Sums { s64 sum, squares; };

// The sums of each column of a window, then of each row.
template<class K> __device__ inline void add_up_lines(const typename K::Pixel *window, const Windows &g, Sums *lines) {
	for (int i = threadIdx.x; i < g.windowX + g.windowY; i += THREADS) {
		const bool column = i < g.windowX;
		const typename K::Pixel *const line = window + (column ? (size_t) i : (size_t) (i - g.windowX) * g.pitch);
		Sums sum = { };
		for (int k = 0; k < (column ? g.windowY : g.windowX); k++) {
			const s64 v = (s64) line[column ? (size_t) k * g.pitch : (size_t) k];
			sum.sum += v;
			sum.squares += v * v;
		}
		lines[i] = sum;
	}
	__syncthreads();
}

// The sums of the pixels from x0, y0 to x1, y1: of whole columns or rows if there are such, and if lines has their sums.
template<class P> __device__ inline Sums sum_inside(const P *window, const Windows &g, const Sums *lines, const int x0, const int y0, const int x1, const int y1,
	const s64 sum, const s64 squares)
{
	const bool columns = y0 == 0 && y1 == g.windowY, rows = x0 == 0 && x1 == g.windowX;
	if (columns && rows) return { sum, squares };
	Sums part = { };
	if (lines != nullptr && (columns || rows))
		for (int i = columns ? x0 : g.windowX + y0; i < (columns ? x1 : g.windowX + y1); i++) {
			part.sum += lines[i].sum;
			part.squares += lines[i].squares;
		}
	else
		for (int y = y0; y < y1; y++)
			for (int x = x0; x < x1; x++) {
				const s64 v = (s64) window[(size_t) y * g.pitch + x];
				part.sum += v;
				part.squares += v * v;
			}
	return part;
}

// The responses of a window, and its peaks. segments: the first segment of each window along x, and the one after its last, then those along y.
template<class K> __device__ inline void respond(const Frames<typename K::Pixel> &a, const Windows &g, const Request &q, const int *segments,
	const typename K::Total *totals, const typename K::Sum *sums, const typename K::Square *squares)
{
	extern __shared__ double shared[];
	__shared__ Shared s;
	double *const map = shared;
	Sums *const lines = q.lines ? (Sums *) (map + g.lagsX * g.lagsY) : nullptr;
	const int number = q.list ? q.windows[blockIdx.x] : g.fromRow * g.countX + (int) blockIdx.x, column = number % g.countX, row = number / g.countX;
	const int left = column * g.spacingX, top = row * g.spacingY, all = g.lagsX * g.lagsY;
	const size_t f = (size_t) (g.marginY + top) * g.pitch + g.marginX + left, corner = f - (size_t) (g.lagsY / 2) * g.pitch - g.lagsX / 2;
	Found *found = q.found == nullptr ? nullptr : q.found + number;
	if (threadIdx.x == 0) {
		q.errors[blockIdx.x] = -1;
		if (found != nullptr) found->state = NO_PEAK;
	}
	if (q.wanted != nullptr && q.wanted[number] == 0) return;
	// sums of the window
	const bool mayMiss = q.masked || *q.notFinite > 0;
	const typename K::Pixel some = a.fixed[f];
	typename K::Sum sum = 0;
	typename K::Square square = 0;
	int counts[3] = { 0 };
	for (Walk at(g.windowX); at.y < g.windowY; at.next()) {
		const size_t i = f + (size_t) at.y * g.pitch + at.x;
		const typename K::Pixel t = a.fixed[i];
		const u8 is = mayMiss ? a.ofFixed[i] : 0;
		sum += t;
		square += (typename K::Square) ((typename K::Sum) t * t);
		counts[0] += is == MISSING ? 0 : 1;
		counts[1] += is == NOT_FINITE ? 1 : 0;
		counts[2] += is == 0 && t != some ? 1 : 0;
	}
	double v[5] = { (double) sum, (double) square, (double) counts[0], (double) counts[1], (double) counts[2] };
	add_up(v, s);
	const double pixels = (double) g.windowX * g.windowY, present = v[2], least = q.minOverlap * present;
	const bool incomplete = present < pixels;
	if (present == 0 || present < q.minOverlap * pixels || v[3] > 0) return;
	if (!incomplete && v[4] == 0) return;
	if (incomplete) {
		// the first present pixel need not be the first one
		const double largest = 1.7976931348623157e308;
		double low = largest, high = -largest;
		for (int i = threadIdx.x; i < g.windowX * g.windowY; i += THREADS) {
			const size_t at = f + (size_t) (i / g.windowX) * g.pitch + i % g.windowX;
			if (a.ofFixed[at] != 0) continue;
			low = fmin(low, (double) a.fixed[at]);
			high = fmax(high, (double) a.fixed[at]);
		}
		low = -low;
		int place = 0, other = 0;
		highest(high, place, s);
		highest(low, other, s);
		if (high <= -low) return;
	}
	// whether the window, and what it meets, is complete
	bool whole = left >= g.lagsX / 2 && top >= g.lagsY / 2 && left + g.windowX + g.lagsX / 2 <= g.frameX && top + g.windowY + g.lagsY / 2 <= g.frameY;
	bool flagged = incomplete;
	if (mayMiss) {
		bool any = false;
		for (Walk at(g.windowX + g.lagsX - 1); at.y < g.windowY + g.lagsY - 1; at.next()) {
			const int px = left - g.lagsX / 2 + at.x, py = top - g.lagsY / 2 + at.y;
			any = any || (px >= 0 && px < g.frameX && py >= 0 && py < g.frameY && a.ofMoving[corner + (size_t) at.y * g.pitch + at.x] != 0);
		}
		flagged = __syncthreads_or(any) || incomplete;
	}
	whole = whole && !flagged;
	const bool fromPixels = q.exactly || flagged || (!whole && !K::EXACT);
	// an integer of 62 bits
	const s64 n = (s64) g.windowX * g.windowY, t = (s64) v[0];
	const double variance = K::EXACT ? (double) (n * (s64) v[1] - t * t) : pixels * v[1] - v[0] * v[0], ofFixed = pixels * v[1] / variance;
	const int strips = (g.lagsX + ACROSS - 1) / ACROSS, each = strips * ACROSS * ((g.lagsY + DOWN - 1) / DOWN) * DOWN;
	const int fromX = segments[column], toX = segments[g.countX + column];
	const int fromY = segments[2 * g.countX + row] - g.fromCut, toY = segments[2 * g.countX + g.countY + row] - g.fromCut;
	const double scale = 1 / sqrt(variance);
	if (K::EXACT && q.lines && !whole && !fromPixels) add_up_lines<K>(a.fixed + f, g, lines);
	// of the lag, its sums of patches: a row of patches has cutsX of them
	const typename K::Total *const patches = totals + ((size_t) fromY * g.cutsX + fromX) * each;
	const size_t rowOfPatches = (size_t) g.cutsX * each;
	double shares = 0;
	u32 undefined = 0, again = 0;
	for (Walk at(g.lagsX); at.y < g.lagsY; at.next()) {
		const int x = at.x, y = at.y, i = y * g.lagsX + x;
		const size_t m = corner + (size_t) y * g.pitch + x;
		double r = not_a_number();
		bool open = fromPixels;
		if (!open) {
			typename K::Total total = 0;
			const typename K::Total *of = patches + y * strips * ACROSS + x;
			for (int v_ = fromY; v_ < toY; v_++, of += rowOfPatches)
				#pragma unroll 2
				for (int u = 0; u < toX - fromX; u++) total += of[(size_t) u * each];
			if constexpr (K::EXACT) {
				const s64 p = sums[m], pp = (s64) squares[m];
				if (whole) {
					const s64 ofPlace = n * pp - p * p;
					if (ofPlace > 0) r = (double) (n * (s64) total - t * p) * scale * rsqrt((double) ofPlace);
				}
				else {
					// the part inside is a rectangle
					const int px = left + x - g.lagsX / 2, py = top + y - g.lagsY / 2, x0 = max(0, -px), y0 = max(0, -py);
					const int x1 = min(g.windowX, g.frameX - px), y1 = min(g.windowY, g.frameY - py);
					const s64 count = x1 > x0 && y1 > y0 ? (s64) (x1 - x0) * (y1 - y0) : 0;
					const Sums part = sum_inside(a.fixed + f, g, lines, x0, y0, x1, y1, (s64) v[0], (s64) v[1]);
					const s64 ofPlace = count * pp - p * p, ofFixedPart = count * part.squares - part.sum * part.sum;
					if (count > 0 && (double) count >= least && ofPlace > 0 && ofFixedPart > 0)
						r = (double) (count * (s64) total - part.sum * p) * rsqrt((double) ofFixedPart) * rsqrt((double) ofPlace);
				}
			}
			else {
				const double p = sums[m], energy = pixels * squares[m], ofPlace = energy - p * p, share = q.rounding * (energy / ofPlace + ofFixed);
				open = !(ofPlace > 0) || !(variance > 0) || !(share <= 1e-9);
				if (!open) {
					r = (pixels * total - v[0] * p) * scale * rsqrt(ofPlace);
					shares = fmax(shares, share);
				}
			}
			if (!open) r = r == r ? fmax(-1.0, fmin(1.0, r)) : r;
		}
		if (open) {
			r = direct<K>(a, g, f, m, least);
			again++;
		}
		map[i] = r;
		if (r != r) undefined++;
		if (q.responses != nullptr) q.responses[(size_t) blockIdx.x * all + i] = r;
	}
	int place = 0;
	if (!K::EXACT) highest(shares, place, s);
	const double error = 1e-12 + shares + (K::EXACT && !fromPixels ? 0 : 4 * pixels * 0x1p-53);
	for (int o = 16; o > 0; o /= 2) {
		undefined += __shfl_xor_sync(~0u, undefined, o);
		again += __shfl_xor_sync(~0u, again, o);
	}
	if ((threadIdx.x & 31) == 0) {
		if (undefined > 0) atomicAdd(q.counts, undefined);
		if (again > 0) atomicAdd(q.counts + 1, again);
	}
	if (threadIdx.x == 0) {
		q.errors[blockIdx.x] = error;
		atomicAdd(q.counts + 2, 1);
	}
	if (found != nullptr) peaks<K>(a, g, map, error, f, least, found, s);
}

#define KIND(NAME, K) \
extern "C" __global__ void pad_##NAME(const void *raw, const u8 *mask, const int type, const Windows g, K::Pixel *to, u8 *state, u32 *several) { \
	pad<K>(raw, mask, type, g, to, state, several); \
} \
extern "C" __global__ void across_##NAME(const K::Pixel *from, const Windows g, K::Sum *sums, K::Square *squares) { across<K>(from, g, sums, squares); } \
extern "C" __global__ void down_##NAME(const K::Sum *sums, const K::Square *squares, const Windows g, K::Sum *toSums, K::Square *toSquares) { \
	down<K>(sums, squares, g, toSums, toSquares); \
} \
extern "C" __global__ void __launch_bounds__(320) products_##NAME(const K::Pixel *fixed, const K::Pixel *moving, const Windows g, const int *cuts, \
	const int patches, const int wide, const int high, K::Total *totals) \
{ \
	products<K>(fixed, moving, g, cuts, patches, wide, high, totals); \
} \
extern "C" __global__ void __launch_bounds__(THREADS, 8) respond_##NAME(const Frames<K::Pixel> a, const Windows g, const Request q, const int *segments, \
	const K::Total *totals, const K::Sum *sums, const K::Square *squares) \
{ \
	respond<K>(a, g, q, segments, totals, sums, squares); \
}

KIND(bytes, Bytes)
KIND(shorts, Shorts)
KIND(reals, Reals)
