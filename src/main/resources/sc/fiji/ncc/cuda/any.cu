// Five sums per window over the pixels of positive weight, one thread per lag: for any mask, any shape, and windows partly outside the image.
#include "wide.cuh"

// The position of a pixel of the template with positive weight.
struct Place { int x, y, z, at; };

__device__ inline bool lag_of_thread(const Box &b, int &x, int &y, int &z) {
	x = blockIdx.x * blockDim.x + threadIdx.x;
	y = blockIdx.y * blockDim.y + threadIdx.y;
	z = blockIdx.z;
	return x < b.lagsX && y < b.lagsY;
}

__device__ inline void operator+=(Int128 &sum, const Int128 &v) {
	sum.low += v.low;
	sum.high += v.high + (sum.low < v.low ? 1 : 0);
}

// Integers. all: the number of pixels with positive weight. least: the minimum share of them inside the image.
template<class P, class Out> __device__ void whole(const P *image, const Box &b, const Place *places, const int *values, const int all,
	const int partial, const double least, const Outcome &out)
{
	int x, y, z;
	const bool mine = lag_of_thread(b, x, y, z);
	bool missing = false;
	if (mine) {
		const P *p = image + ((size_t) z * b.rows + y) * b.pitch + x;
		s64 n = 0, s = 0, q = 0, c = 0, t = 0, e = 0;
		for (int i = 0; i < all; i++) {
			const int4 place = __ldg((const int4 *) places + i);
			const s64 value = __ldg(values + i);
			// outside the image a pixel is 0
			const s64 v = p[place.w];
			s += v;
			q += v * v;
			c += v * value;
			if (!partial || in_image(b, x + place.x, y + place.y, z + place.z)) {
				n++;
				t += value;
				e += value * value;
			}
		}
		const Int128 variance = difference_of(n, q, s, s), templateVariance = difference_of(n, e, t, t);
		missing = n == 0 || n < least * all || variance == 0 || templateVariance == 0;
		const Int128 numerator = difference_of(n, c, s, t);
		Out r = (Out) out.undefined;
		if constexpr (sizeof(Out) == sizeof(float)) r = missing ? r : quotient(numerator, variance, templateVariance);
		else r = missing ? r : fmax(-1.0, fmin(1.0, double_quotient(in_double(numerator), in_double(variance),
			__dsqrt_rn(in_double(templateVariance)))));
		((Out *) out.map)[((size_t) z * b.lagsY + y) * b.lagsX + x] = r;
	}
	count(out.counts, missing);
}

#define WHOLE(NAME, P, OUT) extern "C" __global__ void NAME(const P *image, const Box b, const Place *places, const int *values, const int all, \
	const int partial, const double least, const Outcome out) { whole<P, OUT>(image, b, places, values, all, partial, least, out); }
WHOLE(whole_bytes, s8, float)
WHOLE(whole_shorts, short, float)
#ifndef PAIRS
WHOLE(whole_bytes_double, s8, double)
WHOLE(whole_shorts_double, short, double)
#endif

// The same for several channels, and where pixels may be missing. image, values: channel after channel. present: 1 where the box has a pixel, else 0.
template<class P, class Out> __device__ void whole_present(const P *image, const u8 *present, const int channels, const Box &b,
	const Place *places, const int *values, const int all, const double least, const Outcome &out)
{
	int x, y, z;
	const bool mine = lag_of_thread(b, x, y, z);
	bool missing = false;
	if (mine) {
		const size_t first = ((size_t) z * b.rows + y) * b.pitch + x, elements = (size_t) b.pitch * b.rows * b.planes;
		const u8 *here = present + first;
		Int128 numerator = { 0, 0 }, variance = numerator, templateVariance = numerator;
		int n = 0;
		for (int channel = 0; channel < channels; channel++) {
			const P *p = image + channel * elements + first;
			const int *model = values + (size_t) channel * all;
			s64 s = 0, q = 0, c = 0, t = 0, e = 0;
			n = 0;
			#pragma unroll 4
			for (int i = 0; i < all; i++) {
				const int at = __ldg(&places[i].at), counts = here[at], v = counts ? p[at] : 0, value = counts ? __ldg(model + i) : 0;
				n += counts;
				s += v;
				t += value;
				q += (s64) v * v;
				c += (s64) v * value;
				e += (s64) value * value;
			}
			numerator += difference_of(n, c, s, t);
			variance += difference_of(n, q, s, s);
			templateVariance += difference_of(n, e, t, t);
		}
		missing = n == 0 || n < least * all || variance == 0 || templateVariance == 0;
		Out r = (Out) out.undefined;
		if constexpr (sizeof(Out) == sizeof(float)) r = missing ? r : quotient(numerator, variance, templateVariance);
		else r = missing ? r : fmax(-1.0, fmin(1.0, double_quotient(in_double(numerator), in_double(variance),
			__dsqrt_rn(in_double(templateVariance)))));
		((Out *) out.map)[((size_t) z * b.lagsY + y) * b.lagsX + x] = r;
	}
	count(out.counts, missing);
}

#define WHOLE_PRESENT(NAME, P, OUT) extern "C" __global__ void NAME(const P *image, const u8 *present, const int channels, const Box b, \
	const Place *places, const int *values, \
	const int all, const double least, const Outcome out) { whole_present<P, OUT>(image, present, channels, b, places, values, all, least, out); }
WHOLE_PRESENT(whole_present_bytes, s8, float)
WHOLE_PRESENT(whole_present_shorts, short, float)
#ifndef PAIRS
WHOLE_PRESENT(whole_present_bytes_double, s8, double)
WHOLE_PRESENT(whole_present_shorts_double, short, double)
#endif

#ifndef PAIRS
// The number of products that are summed before their sum is added to the total.
#define RUN 128

// In double, about the first pixel of the window. values: the zero-mean template. weights: those of its pixels, null if all are 1. least: the minimum
// weight inside the image. norm: √Σ w·value². limit: the greatest ratio of sums to variances at which the error is below the tolerance. floor: the
// smallest N·σ² without underflow. blur: the smallest σ² above the error of scaling pixels. Other responses become suspects. Sums are taken in runs:
// equal pixels round alike, so the error of a sum grows with the number of successive additions.
template<class P, class Out> __device__ void real(const P *image, const Box &b, const Place *places, const double *values, const double *weights,
	const int all,
	const int partial, const double least, const double norm, const double limit, const double floor, const double blur, const Outcome &out)
{
	int x, y, z;
	const bool mine = lag_of_thread(b, x, y, z);
	bool missing = false, suspect = false;
	const size_t lag = ((size_t) z * b.lagsY + y) * b.lagsX + x;
	Out *map = (Out *) out.map;
	if (mine) {
		const P *p = image + ((size_t) z * b.rows + y) * b.pitch + x;
		// inside: the weight inside the image, added in order as the definition does; it is compared with the minimum
		double reference = 0, s = 0, q = 0, c = 0, t = 0, e = 0, n = 0, inside = 0;
		bool any = false;
		for (int i0 = 0; i0 < all; i0 += RUN) {
			const int until = min(all, i0 + RUN);
			double runS = 0, runQ = 0, runC = 0, runT = 0, runE = 0, runN = 0;
			for (int i = i0; i < until; i++) {
				const int4 place = __ldg((const int4 *) places + i);
				if (partial && !in_image(b, x + place.x, y + place.y, z + place.z)) continue;
				const double value = __ldg(values + i), w = weights == 0 ? 1.0 : __ldg(weights + i);
				if (!any) reference = p[place.w];
				any = true;
				const double v = (double) p[place.w] - reference, wv = w * v, wt = w * value;
				inside = __dadd_rn(inside, w);
				runN += w;
				runS += wv;
				runQ += wv * v;
				runC += wv * value;
				runT += wt;
				runE += wt * value;
			}
			n += runN;
			s += runS;
			q += runQ;
			c += runC;
			t += runT;
			e += runE;
		}
		missing = !any || inside < least;
		if (!missing) {
			const double variance = q - s * (s / n), templateVariance = e - t * (t / n);
			suspect = !(variance > fmax(floor, blur * n) && templateVariance > 1e-8 * norm * norm && q * e <= limit * variance * templateVariance);
			if (!suspect) map[lag] = (Out) fmax(-1.0, fmin(1.0, (c - s * (t / n)) / (sqrt(variance) * sqrt(templateVariance))));
		}
		if (missing) map[lag] = (Out) out.undefined;
		if (suspect) out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
	}
	count(out.counts, missing);
}

#define REAL(NAME, P, OUT) extern "C" __global__ void NAME(const P *image, const Box b, const Place *places, const double *values, \
	const double *weights, \
	const int all, const int partial, const double least, const double norm, const double limit, const double floor, const double blur, \
		const Outcome out) \
	{ real<P, OUT>(image, b, places, values, weights, all, partial, least, norm, limit, floor, blur, out); }
REAL(real_floats_float, float, float)
REAL(real_doubles_float, double, float)
REAL(real_floats_double, float, double)
REAL(real_doubles_double, double, double)

// The same for several channels, each about its first pixel in the window, and where pixels may be missing. Arguments as of whole_present and real.
template<class P, class Out> __device__ void real_present(const P *image, const u8 *present, const int channels, const Box &b, const Place *places,
	const double *values,
	const double *weights, const int all, const double least, const double norm, const double limit, const double floor, const double blur,
		const Outcome &out)
{
	int x, y, z;
	const bool mine = lag_of_thread(b, x, y, z);
	bool missing = false, suspect = false;
	const size_t lag = ((size_t) z * b.lagsY + y) * b.lagsX + x;
	Out *map = (Out *) out.map;
	if (mine) {
		const size_t first = ((size_t) z * b.rows + y) * b.pitch + x, elements = (size_t) b.pitch * b.rows * b.planes;
		const u8 *here = present + first;
		double squares = 0, energies = 0, numerator = 0, variance = 0, templateVariance = 0, n = 0, inside = 0;
		bool any = false;
		for (int channel = 0; channel < channels; channel++) {
			const P *p = image + channel * elements + first;
			const double *model = values + (size_t) channel * all;
			double reference = 0, s = 0, q = 0, c = 0, t = 0, e = 0;
			any = false;
			n = inside = 0;
			for (int i0 = 0; i0 < all; i0 += RUN) {
				const int until = min(all, i0 + RUN);
				double runS = 0, runQ = 0, runC = 0, runT = 0, runE = 0, runN = 0;
				for (int i = i0; i < until; i++) {
					const int at = __ldg(&places[i].at);
					if (!here[at]) continue;
					const double value = __ldg(model + i), w = weights == 0 ? 1.0 : __ldg(weights + i);
					if (!any) reference = p[at];
					any = true;
					const double v = (double) p[at] - reference, wv = w * v, wt = w * value;
					inside = __dadd_rn(inside, w);
					runN += w;
					runS += wv;
					runQ += wv * v;
					runC += wv * value;
					runT += wt;
					runE += wt * value;
				}
				n += runN;
				s += runS;
				q += runQ;
				c += runC;
				t += runT;
				e += runE;
			}
			missing = !any || inside < least;
			if (missing) break;
			numerator += c - s * (t / n);
			variance += q - s * (s / n);
			templateVariance += e - t * (t / n);
			squares += q;
			energies += e;
		}
		if (!missing) {
			suspect = !(variance > fmax(floor, blur * n) && templateVariance > 1e-8 * norm * norm
				&& squares * energies <= limit * variance * templateVariance);
			if (!suspect) map[lag] = (Out) fmax(-1.0, fmin(1.0, numerator / (sqrt(variance) * sqrt(templateVariance))));
		}
		if (missing) map[lag] = (Out) out.undefined;
		if (suspect) out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
	}
	count(out.counts, missing);
}

#define REAL_PRESENT(NAME, P, OUT) extern "C" __global__ void NAME(const P *image, const u8 *present, const int channels, const Box b, \
	const Place *places, \
	const double *values, const double *weights, const int all, const double least, const double norm, const double limit, const double floor, \
		const double blur, \
	const Outcome out) { real_present<P, OUT>(image, present, channels, b, places, values, weights, all, least, norm, limit, floor, blur, out); }
REAL_PRESENT(real_present_floats_float, float, float)
REAL_PRESENT(real_present_doubles_float, double, float)
REAL_PRESENT(real_present_floats_double, float, double)
REAL_PRESENT(real_present_doubles_double, double, double)
#endif
