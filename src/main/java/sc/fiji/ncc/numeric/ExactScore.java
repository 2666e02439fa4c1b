package sc.fiji.ncc.numeric;

import sc.fiji.ncc.plan.Template;

/**
 * The correlation coefficient of one template with one window at a time, for any finite values: the last word where a faster sum may err.
 * <p>
 * Where window and template hold whole numbers of at most 16 bits, and weights are 0 or 1, the sums are exact in 64 bits and
 * {@code N·ΣPT − ΣP·ΣT} and both variances are exact in 128; only their roots and the quotient round. Otherwise window and template are
 * scaled by a power of two, their means are taken off, and the deviations are summed with compensation. The mean is kept as two numbers,
 * of which the first is about as large as the pixels: taking it off is exact for pixels near it, so that a deviation errs by roundings
 * relative to itself. Either way the result lies within a few 1e-16 of the exact one, however small the contrast and large the window.
 * <p>
 * Allocates only in its constructor, apart from the scores with weights of their own. Not safe for use by several threads at once.
 */
public final class ExactScore {

	private static final int SHORT_LIMIT = 65_535;

	private final double[] values;
	private final double[] weights;
	/** Brings the weights near 1, lest their sums overflow. */
	private final double unit;
	private final boolean whole;
	private final ShortSums shorts = new ShortSums();
	/** The template's values as whole numbers, if they are such and all count; else null. Products with 8 bits of 8 bits. */
	private final int[] numbers;
	private final boolean bytes;
	private final Deviations image = new Deviations();
	private double[] deviations; // the template's, once centered; null if it is flat
	private boolean centered;

	/** @throws IllegalArgumentException if a value of positive weight is NaN or infinite */
	public ExactScore(final Template template) {
		values = template.values();
		weights = template.weights();
		unit = unit(weights);
		boolean allWhole = true;
		for (int i = 0; i < values.length; i++) {
			if (!(template.weight(i) > 0)) continue;
			if (!Double.isFinite(values[i])) throw new IllegalArgumentException("the template's pixel " + i + " is " + values[i]);
			allWhole &= isShort(values[i]);
		}
		whole = allWhole && areBinary(weights);
		numbers = whole && weights == null ? new int[values.length] : null;
		int reach = 0;
		for (int i = 0; numbers != null && i < numbers.length; i++) {
			numbers[i] = (int) values[i];
			reach = Math.max(reach, Math.abs(numbers[i]));
		}
		bytes = reach <= 255;
		if (numbers != null) shorts.template(numbers);
	}

	/** Whether the template's values are whole numbers of at most 16 bits that all count, so that {@link #score(int[], boolean)} applies. */
	public boolean takesNumbers() {
		return numbers != null;
	}

	/**
	 * As {@link #score(double[])}, of whole numbers, and quicker.
	 *
	 * @param window of at most 16 bits each
	 * @param narrow whether each is of at most 8
	 */
	public double score(final int[] window, final boolean narrow) {
		requireLength("pixels", window.length);
		shorts.window(window, numbers, narrow && bytes);
		return shorts.score();
	}

	/**
	 * The score of a window under the template's own weights.
	 *
	 * @param window as many pixels as the template, in the same order; those of weight 0 may hold anything
	 * @return in [-1, 1]; NaN if it is undefined: the window's pixels of positive weight, or the template's, are all equal or there are
	 *         none, or one of the window's is NaN or infinite
	 * @throws IllegalArgumentException if the number of pixels differs from the template's
	 */
	public double score(final double[] window) {
		requireLength("pixels", window.length);
		if (whole && shorts.sum(window, values, weights)) return shorts.score();
		if (!image.center(window, weights, unit)) return Double.NaN;
		if (!centered) {
			deviations = deviations(weights, unit);
			centered = true;
		}
		return deviations == null ? Double.NaN : quotient(window, weights, unit, deviations);
	}

	/**
	 * The score of a window under weights of its own, as where only a part of it lies inside the image.
	 *
	 * @param window as many pixels as the template, in the same order; those of weight 0 may hold anything
	 * @param weights one a pixel, in place of the template's own weights; positive only where the template's weight is
	 * @return as {@link #score(double[])}
	 * @throws IllegalArgumentException if the number of pixels or of weights differs from the template's
	 */
	public double score(final double[] window, final double[] weights) {
		requireLength("pixels", window.length);
		requireLength("weights", weights.length);
		if (whole && areBinary(weights) && shorts.sum(window, values, weights)) return shorts.score();
		final double unit = unit(weights);
		if (!image.center(window, weights, unit)) return Double.NaN;
		final double[] part = deviations(weights, unit);
		return part == null ? Double.NaN : quotient(window, weights, unit, part);
	}

	/** The template's deviations from its mean under {@code w}, where that is positive; null if it is flat there. */
	private double[] deviations(final double[] w, final double unit) {
		final Deviations template = new Deviations();
		if (!template.center(values, w, unit)) return null;
		final double[] d = new double[values.length];
		for (int i = 0; i < d.length; i++) if (w == null || w[i] > 0) d[i] = template.deviation(values[i]);
		return d;
	}

	private void requireLength(final String what, final int length) {
		if (length != values.length)
			throw new IllegalArgumentException("a window of " + length + " " + what + " for a template of " + values.length + " pixels");
	}

	/** From deviations of at most about 1, of which the largest is at least 2^-55, so that no square that matters underflows. */
	private double quotient(final double[] window, final double[] w, final double unit, final double[] t) {
		double n = 0;
		// a pair each: the sum, and what rounding took from it
		double p = 0, pLost = 0, pp = 0, ppLost = 0, pt = 0, ptLost = 0, ts = 0, tsLost = 0, tt = 0, ttLost = 0;
		for (int i = 0; i < t.length; i++) {
			final double weight = w == null ? 1 : w[i] * unit;
			if (!(weight > 0)) continue;
			n += weight;
			final double a = image.deviation(window[i]);
			final double b = t[i];
			final double wa = weight * a, wb = weight * b;
			double s = p + wa;
			pLost += lost(p, wa, s);
			p = s;
			s = ts + wb;
			tsLost += lost(ts, wb, s);
			ts = s;
			s = pp + wa * a;
			ppLost += lost(pp, wa * a, s);
			pp = s;
			s = pt + wa * b;
			ptLost += lost(pt, wa * b, s);
			pt = s;
			s = tt + wb * b;
			ttLost += lost(tt, wb * b, s);
			tt = s;
		}
		final double sumP = p + pLost, sumT = ts + tsLost;
		final double varianceP = pp + ppLost - sumP * (sumP / n);
		final double varianceT = tt + ttLost - sumT * (sumT / n);
		return ratio(pt + ptLost - sumP * (sumT / n), varianceP, varianceT);
	}

	/** What {@code sum = fl(a + b)} lost, exactly. */
	private static double lost(final double a, final double b, final double sum) {
		final double part = sum - a;
		return (a - (sum - part)) + (b - part);
	}

	/** Of equal variances no root is taken: a template fits itself with exactly 1. */
	private static double ratio(final double covariance, final double a, final double b) {
		return clamp(covariance / (a == b ? a : Math.sqrt(a) * Math.sqrt(b)));
	}

	private static double clamp(final double r) {
		return Math.max(-1, Math.min(1, r));
	}

	private static double unit(final double[] weights) {
		double greatest = 0;
		if (weights != null) for (final double w : weights) greatest = Math.max(greatest, w);
		return Weighting.power(greatest);
	}

	private static boolean isShort(final double v) {
		return (int) v == v && Math.abs(v) <= SHORT_LIMIT;
	}

	private static boolean areBinary(final double[] weights) {
		if (weights != null) for (final double w : weights) if (w != 0 && w != 1) return false;
		return true;
	}

	/** Values scaled by a power of two to at most 1, and how they deviate from their mean. */
	private static final class Deviations {

		private double scale, mean, meanRest;

		/** Finds scale and mean; false if no value counts, all that count are equal, or one is NaN or infinite. */
		boolean center(final double[] v, final double[] w, final double unit) {
			double largest = 0, first = Double.NaN;
			boolean differ = false;
			for (int i = 0; i < v.length; i++) {
				if (w != null && !(w[i] > 0)) continue;
				if (!Double.isFinite(v[i])) return false;
				if (Double.isNaN(first)) first = v[i];
				differ |= v[i] != first;
				largest = Math.max(largest, Math.abs(v[i]));
			}
			if (!differ) return false;
			scale = Math.scalb(1.0, -1 - Math.getExponent(Math.max(largest, Double.MIN_NORMAL))); // 2^-1024 to 2^1021: all are doubles
			mean = 0;
			meanRest = 0;
			mean = meanDeviation(v, w, unit);
			meanRest = meanDeviation(v, w, unit);
			return true;
		}

		/** {@code Σ w·deviation / Σ w}, compensated. */
		private double meanDeviation(final double[] v, final double[] w, final double unit) {
			double s = 0, sLost = 0, n = 0;
			for (int i = 0; i < v.length; i++) {
				final double weight = w == null ? 1 : w[i] * unit;
				if (!(weight > 0)) continue;
				n += weight;
				final double term = weight * deviation(v[i]);
				final double next = s + term;
				sLost += lost(s, term, next);
				s = next;
			}
			return (s + sLost) / n;
		}

		double deviation(final double v) {
			return v * scale - mean - meanRest;
		}
	}

	/** Sums of whole numbers of at most 16 bits: exact in 64 bits for as many as an array holds. */
	private static final class ShortSums {

		/** Products of 8 bits that an int holds the sum of. */
		private static final int RUN = 1 << 14;

		private long n, p, t, pp, pt, tt, ownT, ownTt;

		/** Keeps the sums over a template of which all pixels count. */
		void template(final int[] values) {
			for (final int v : values) {
				ownT += v;
				ownTt += (long) v * v;
			}
		}

		/** Sums up with the template kept. */
		void window(final int[] window, final int[] values, final boolean narrow) {
			n = window.length;
			t = ownT;
			tt = ownTt;
			p = pp = pt = 0;
			for (int from = 0; from < window.length; from += RUN) {
				final int until = Math.min(window.length, from + RUN);
				p += sum(window, from, until);
				if (narrow) {
					pp += products(window, window, from, until);
					pt += products(window, values, from, until);
				}
				else {
					pp += wideProducts(window, window, from, until);
					pt += wideProducts(window, values, from, until);
				}
			}
		}

		private static int sum(final int[] a, final int from, final int until) {
			int sum = 0;
			for (int i = from; i < until; i++) sum += a[i];
			return sum;
		}

		private static int products(final int[] a, final int[] b, final int from, final int until) {
			int sum = 0;
			for (int i = from; i < until; i++) sum += a[i] * b[i];
			return sum;
		}

		private static long wideProducts(final int[] a, final int[] b, final int from, final int until) {
			long sum = 0;
			for (int i = from; i < until; i++) sum += (long) a[i] * b[i];
			return sum;
		}

		/** Sums up; false, with the sums of no use, if a pixel that counts is no such number. */
		boolean sum(final double[] window, final double[] values, final double[] w) {
			long count = 0, sp = 0, st = 0, spp = 0, spt = 0, stt = 0;
			for (int i = 0; i < window.length; i++) {
				if (w != null && w[i] == 0) continue;
				final int a = (int) window[i];
				if (a != window[i] || Math.abs(a) > SHORT_LIMIT) return false;
				final int b = (int) values[i];
				count++;
				sp += a;
				st += b;
				spp += (long) a * a;
				spt += (long) a * b;
				stt += (long) b * b;
			}
			n = count;
			p = sp;
			t = st;
			pp = spp;
			pt = spt;
			tt = stt;
			return true;
		}

		double score() {
			final double varianceP = Int128.difference(n, pp, p, p);
			final double varianceT = Int128.difference(n, tt, t, t);
			if (varianceP == 0 || varianceT == 0) return Double.NaN;
			return ratio(Int128.difference(n, pt, p, t), varianceP, varianceT);
		}
	}
}
