package sc.fiji.ncc.numeric;

import java.util.SplittableRandom;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.plan.Template;

/** The deviations of a template from its weighted mean. */
public final class ZeroMean {

	/** The maximum change of a value, in last places of the norm. */
	private static final double MAX_NORMS = 2;
	/** The minimum change of a value: in last places of the largest value or partial sum, and at most this share of a last place of the norm. */
	private static final double MIN_PLACES = 8, SHARE_OF_NORM = 1 / 4.0;

	private ZeroMean() {}

	/** The deviations of a template under its own weights. */
	public static double[] of(final Template t) {
		return of(t, t.weights());
	}

	/**
	 * The deviations of each channel from its mean over the pixels of positive weight, scaled by a power of two so that the greatest product with its weight
	 * lies in [1, 2). A deviation is 0 where there is no weight. Exact up to rounding errors relative to the contrast, for any finite values: the deviations are first
	 * taken from the heaviest pixel. The weighted mean of its squared deviation is at most N + 1 times the variance, N the number of pixels. A light pixel
	 * may lie anywhere.
	 *
	 * @param w null if every pixel has weight 1
	 */
	static double[] of(final Template t, final double[] w) {
		final double[] v = t.values();
		final int n = v.length / t.channels();
		double largest = 0;
		for (int i = 0; i < v.length; i++)
			if (weight(w, i % n) > 0) largest = Math.max(largest, Math.abs(v[i]));
		final double shrink = Math.scalb(1.0, -1 - Math.getExponent(Math.max(largest, Double.MIN_NORMAL)));
		final double[] d = new double[v.length];
		for (int from = 0; from < v.length; from += n) center(v, w, shrink, d, from, n);
		double reach = 0;
		for (int i = 0; i < v.length; i++) reach = Math.max(reach, Math.abs(weight(w, i % n) * d[i]));
		final double grow = Math.scalb(1.0, -Math.getExponent(reach));
		for (int i = 0; i < v.length; i++) d[i] *= grow;
		return d;
	}

	/** The deviations of a channel of {@code n} values, which begins at index {@code from}. */
	private static void center(final double[] v, final double[] w, final double shrink, final double[] d, final int from, final int n) {
		double heaviest = 0, reference = 0;
		for (int i = 0; i < n; i++)
			if (weight(w, i) > heaviest) {
				heaviest = weight(w, i);
				reference = v[from + i];
			}
		for (int i = 0; i < n; i++)
			// subtract a pixel first: this is exact for values near it
			if (weight(w, i) > 0) d[from + i] = v[from + i] * shrink - reference * shrink;
		subtractMean(d, w, from, n);
		// subtract the rest that rounding left
		subtractMean(d, w, from, n);
	}

	private static double weight(final double[] w, final int i) {
		return w == null ? 1 : w[i];
	}

	private static void subtractMean(final double[] d, final double[] w, final int from, final int n) {
		final CompensatedSum sum = new CompensatedSum(), total = new CompensatedSum();
		for (int i = 0; i < n; i++) {
			sum.add(weight(w, i) * d[from + i]);
			if (w != null) total.add(w[i]);
		}
		final double mean = sum.value() / (w == null ? n : total.value());
		for (int i = 0; i < n; i++)
			if (weight(w, i) > 0) d[from + i] -= mean;
	}

	/**
	 * The coefficients in float of a template without weights, or with weights 0 and 1. Adds a random number to each value before it is rounded to float. The random number has about the size of the last place of the greatest partial sum
	 * so far, at most {@link #MAX_NORMS} norms. The next value absorbs the change, so the sum stays zero and the mean of a window adds nothing to its
	 * numerator. Without this, the products and partial sums of a regular template (stripes, a checkerboard, a step) with a window of equal pixels would
	 * round alike, and their errors would add up. The change of a response has the size of the rounding errors: about 1e-7, or 2e-7 where partial sums are
	 * large. Zeros stay zeros.
	 */
	public static float[] toFloat(final double[] zeroMean) {
		double sum = 0, largest = 0, energy = 0;
		for (final double t : zeroMean) {
			sum += t;
			energy += t * t;
			largest = Math.max(largest, Math.max(Math.abs(sum), Math.abs(t)));
		}
		final double norm = Math.sqrt(energy), min = Math.max(Math.min(largest, norm), Math.min(MIN_PLACES * largest, SHARE_OF_NORM * norm));
		final SplittableRandom random = new SplittableRandom(zeroMean.length);
		final float[] f = new float[zeroMean.length];
		double rest = 0, partial = 0;
		int last = -1;
		for (int i = 0; i < f.length; i++) {
			if (zeroMean[i] == 0) continue;
			partial += zeroMean[i];
			final double place = 2 * Tolerance.EPS_FLOAT * Math.max(min, Math.min(Math.abs(partial), MAX_NORMS * norm));
			f[i] = (float) (zeroMean[i] + rest + place * (2 * random.nextDouble() - 1));
			rest += zeroMean[i] - f[i];
			last = i;
		}
		if (last < 0) return Rows.toFloat(zeroMean);
		f[last] = (float) (f[last] + rest);
		return f;
	}
}
