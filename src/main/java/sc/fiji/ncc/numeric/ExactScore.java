package sc.fiji.ncc.numeric;

import sc.fiji.ncc.plan.Template;

/**
 * The correlation coefficient of one template with one window at a time, for any finite values. It serves where a faster sum may exceed the tolerance.
 * <p>
 * If window and template hold whole numbers of at most 16 bits, and weights are 0 or 1, the sums are exact in 64 bits. {@code N·ΣPT − ΣP·ΣT} and both
 * variances are then exact in 128 bits; only their roots and the quotient are rounded. Otherwise window and template are scaled by a power of two, their
 * means are subtracted, and the deviations are summed with compensation. The mean is held as two numbers. The first is about as large as the pixels, so
 * its subtraction is exact for pixels near it, and a deviation has a rounding error relative to itself. In both cases the result lies within a few 1e-16
 * of the exact one, for any contrast and window size.
 * <p>
 * Only the constructor allocates memory, and {@link #score(double[], double[])}. Not safe for use by several threads at once.
 */
public final class ExactScore implements WindowCoefficient {

	private static final int SHORT_LIMIT = 65_535;

	private final double[] values;
	private final double[] weights;
	/** A power of two that scales the weights to about 1, so that their sums do not overflow. */
	private final double unit;
	private final boolean whole;
	private final ShortSums shorts = new ShortSums();
	/** The template's values as whole numbers; null if they are not, or if some do not count. {@code bytes}: whether all have at most 8 bits. */
	private final int[] numbers;
	private final boolean bytes;
	private final Deviations image = new Deviations();
	/** The template under its own weights, once it is centred; null if it is flat. */
	private Centred template;
	private boolean centered;

	/**
	 * A template under some weights, with the sums that do not depend on a window.
	 *
	 * @param d its deviations from its mean, 0 where the weight is not positive
	 * @param n the sum of the weights; {@code sum}, {@code variance}: those of the deviations
	 */
	private record Centred(double[] d, double n, double sum, double variance) {}

	/** @throws IllegalArgumentException if a value of positive weight is NaN or infinite */
	public ExactScore(final Template template) {
		values = template.values();
		weights = template.weights();
		unit = unit(weights);
		boolean allWhole = true;
		for (int i = 0; i < values.length; i++) {
			if (!(template.weight(i) > 0)) continue;
			if (!Double.isFinite(values[i])) throw new IllegalArgumentException("pixel " + i + " of the template is " + values[i] + ", not a finite number");
			allWhole &= isShort(values[i]);
		}
		whole = allWhole && areBinary(weights);
		numbers = whole && weights == null ? new int[values.length] : null;
		int greatest = 0;
		for (int i = 0; numbers != null && i < numbers.length; i++) {
			numbers[i] = (int) values[i];
			greatest = Math.max(greatest, Math.abs(numbers[i]));
		}
		bytes = greatest <= 255;
		if (numbers != null) shorts.template(numbers);
	}

	/** Whether all pixels of the template count and are whole numbers of at most 16 bits, so that {@link #score(int[], boolean)} applies. */
	public boolean takesNumbers() {
		return numbers != null;
	}

	/**
	 * As {@link #score(double[])}, but faster, for whole numbers.
	 *
	 * @param window values of at most 16 bits each
	 * @param narrow whether each has at most 8 bits
	 */
	public double score(final int[] window, final boolean narrow) {
		requireLength("pixels", window.length);
		shorts.window(window, numbers, narrow && bytes);
		return shorts.score();
	}

	/**
	 * The sums of one of several channels, from which {@link JointScore} computes the score.
	 *
	 * @param weights null for the template's own
	 * @param to receives the covariance and the variances of window and template; 0 if one of the two is flat
	 * @return false if no pixel counts, or if one that counts is NaN or infinite
	 */
	boolean sums(final double[] window, final double[] weights, final JointScore.Sums to) {
		final double[] w = weights == null ? this.weights : weights;
		final boolean binary = whole && (weights == null || areBinary(weights));
		if (binary && shorts.sum(window, values, w)) {
			to.set(1, 1, shorts.covariance() / shorts.n, shorts.varianceP() / shorts.n, shorts.varianceT() / shorts.n);
			return shorts.n > 0;
		}
		final double unit = unit(w);
		final Deviations template = new Deviations();
		final boolean imageVaries = image.center(window, w, unit);
		if (!image.valid) return false;
		final boolean templateVaries = template.center(values, w, unit);
		final CompensatedSum p = new CompensatedSum(), t = new CompensatedSum(), pp = new CompensatedSum(), pt = new CompensatedSum(), tt = new CompensatedSum();
		double n = 0;
		for (int i = 0; i < window.length; i++) {
			final double weight = w == null ? 1 : w[i] * unit;
			if (!(weight > 0)) continue;
			n += weight;
			final double a = imageVaries ? image.deviation(window[i]) : 0, b = templateVaries ? template.deviation(values[i]) : 0;
			p.add(weight * a);
			t.add(weight * b);
			pp.add(weight * a * a);
			pt.add(weight * a * b);
			tt.add(weight * b * b);
		}
		final double sumP = p.value(), sumT = t.value();
		to.set(image.scale, template.scale, pt.value() - sumP * (sumT / n), pp.value() - sumP * (sumP / n), tt.value() - sumT * (sumT / n));
		return true;
	}

	/**
	 * The score of a window under the template's own weights.
	 *
	 * @param window as many pixels as the template, in the same order; pixels of weight 0 may hold any value
	 * @return in [-1, 1]. NaN if the score is undefined: no pixel has a positive weight, those of the window or of the template are all equal, or one of
	 *        the window is NaN or infinite
	 * @throws IllegalArgumentException if the number of pixels differs from the template's
	 */
	@Override
	public double score(final double[] window) {
		requireLength("pixels", window.length);
		if (whole && shorts.sum(window, values, weights)) return shorts.score();
		if (!image.center(window, weights, unit)) return Double.NaN;
		if (!centered) {
			template = centred(weights, unit);
			centered = true;
		}
		return template == null ? Double.NaN : quotient(window, weights, unit, template);
	}

	/**
	 * The score of a window under its own weights, for example where only a part of it lies inside the image.
	 *
	 * @param window as many pixels as the template, in the same order; pixels of weight 0 may hold any value
	 * @param weights one for each pixel, in place of the template's weights; positive only where the template's weight is positive
	 * @return as {@link #score(double[])}
	 * @throws IllegalArgumentException if the number of pixels or of weights differs from the template's
	 */
	@Override
	public double score(final double[] window, final double[] weights) {
		requireLength("pixels", window.length);
		requireLength("weights", weights.length);
		if (whole && areBinary(weights) && shorts.sum(window, values, weights)) return shorts.score();
		final double unit = unit(weights);
		if (!image.center(window, weights, unit)) return Double.NaN;
		final Centred part = centred(weights, unit);
		return part == null ? Double.NaN : quotient(window, weights, unit, part);
	}

	/** The template under {@code w}; null if it is flat there. */
	private Centred centred(final double[] w, final double unit) {
		final Deviations own = new Deviations();
		if (!own.center(values, w, unit)) return null;
		final double[] d = new double[values.length];
		final CompensatedSum t = new CompensatedSum(), tt = new CompensatedSum();
		double n = 0;
		for (int i = 0; i < d.length; i++) {
			final double weight = w == null ? 1 : w[i] * unit;
			if (!(weight > 0)) continue;
			n += weight;
			d[i] = own.deviation(values[i]);
			t.add(weight * d[i]);
			tt.add(weight * d[i] * d[i]);
		}
		final double sum = t.value();
		return new Centred(d, n, sum, tt.value() - sum * (sum / n));
	}

	private void requireLength(final String what, final int length) {
		if (length != values.length)
			throw new IllegalArgumentException("the window has " + length + " " + what + ", but the template has " + values.length + " pixels");
	}

	/** The quotient from deviations of at most about 1. The largest is at least 2^-55, so no square that matters underflows. */
	private double quotient(final double[] window, final double[] w, final double unit, final Centred t) {
		final double[] d = t.d;
		// for each sum: the sum, and its rounding error
		double p = 0, pError = 0, pp = 0, ppError = 0, pt = 0, ptError = 0;
		for (int i = 0; i < d.length; i++) {
			final double weight = w == null ? 1 : w[i] * unit;
			if (!(weight > 0)) continue;
			final double a = image.deviation(window[i]), wa = weight * a;
			double s = p + wa;
			pError += roundingError(p, wa, s);
			p = s;
			s = pp + wa * a;
			ppError += roundingError(pp, wa * a, s);
			pp = s;
			s = pt + wa * d[i];
			ptError += roundingError(pt, wa * d[i], s);
			pt = s;
		}
		final double sum = p + pError;
		return ratio(pt + ptError - sum * (t.sum / t.n), pp + ppError - sum * (sum / t.n), t.variance);
	}

	/** The rounding error of {@code sum = fl(a + b)}, exactly. */
	private static double roundingError(final double a, final double b, final double sum) {
		final double part = sum - a;
		return (a - (sum - part)) + (b - part);
	}

	/** The quotient. If the variances are equal it takes no root, so that a template matches itself with exactly 1. */
	static double ratio(final double covariance, final double a, final double b) {
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

	/** Values scaled by a power of two to at most 1, and their deviations from their mean. */
	private static final class Deviations {

		private double scale, mean, meanLow;
		/** Whether a value counts, and all that count are finite. */
		private boolean valid;

		/** Determines scale and mean. Returns false if no value counts, all that count are equal, or one is NaN or infinite. */
		boolean center(final double[] v, final double[] w, final double unit) {
			double largest = 0, first = Double.NaN;
			boolean differ = false;
			valid = false;
			for (int i = 0; i < v.length; i++) {
				if (w != null && !(w[i] > 0)) continue;
				if (!Double.isFinite(v[i])) return false;
				if (Double.isNaN(first)) first = v[i];
				differ |= v[i] != first;
				largest = Math.max(largest, Math.abs(v[i]));
			}
			valid = !Double.isNaN(first);
			if (!differ) return false;
			scale = Math.scalb(1.0, -1 - Math.getExponent(Math.max(largest, Double.MIN_NORMAL))); // 2^-1024 to 2^1021: all are doubles
			mean = 0;
			meanLow = 0;
			mean = meanDeviation(v, w, unit);
			meanLow = meanDeviation(v, w, unit);
			return true;
		}

		/** {@code Σ w·deviation / Σ w}, with compensated summation. */
		private double meanDeviation(final double[] v, final double[] w, final double unit) {
			double s = 0, sError = 0, n = 0;
			for (int i = 0; i < v.length; i++) {
				final double weight = w == null ? 1 : w[i] * unit;
				if (!(weight > 0)) continue;
				n += weight;
				final double term = weight * deviation(v[i]);
				final double next = s + term;
				sError += roundingError(s, term, next);
				s = next;
			}
			return (s + sError) / n;
		}

		double deviation(final double v) {
			return v * scale - mean - meanLow;
		}
	}

	/** Sums of whole numbers of at most 16 bits: exact in 64 bits for any array length. */
	private static final class ShortSums {

		/** The number of products of two 8-bit numbers whose sum fits an int. */
		private static final int RUN = 1 << 14;

		private long n, p, t, pp, pt, tt, templateSum, templateSquares;

		/** Stores the sums of a template whose pixels all count. */
		void template(final int[] values) {
			for (final int v : values) {
				templateSum += v;
				templateSquares += (long) v * v;
			}
		}

		/** Computes the sums with the stored template. */
		void window(final int[] window, final int[] values, final boolean narrow) {
			n = window.length;
			t = templateSum;
			tt = templateSquares;
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

		/** Computes the sums. Returns false, and leaves invalid sums, if a pixel that counts is not a whole number of at most 16 bits. */
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
			final double varianceP = varianceP(), varianceT = varianceT();
			if (varianceP == 0 || varianceT == 0) return Double.NaN;
			return ratio(covariance(), varianceP, varianceT);
		}

		/** {@code N·ΣPT − ΣP·ΣT} */
		double covariance() {
			return Int128.difference(n, pt, p, t);
		}

		double varianceP() {
			return Int128.difference(n, pp, p, p);
		}

		double varianceT() {
			return Int128.difference(n, tt, t, t);
		}
	}
}
