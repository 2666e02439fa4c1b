package sc.fiji.ncc.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Template;

/** A template about its weighted mean. */
public final class ZeroMean {

	/** The least weight of a pixel that takes over what others were moved by. */
	private static final double HEAVY = 1 / 16.0;
	/** The most that a value is moved by, in last places of the norm. */
	private static final double MOST_NORMS = 2;
	/** Last places of the largest value or partial sum that values are moved by at least, but by no more than a part of the norm's. */
	private static final double SOME_PLACES = 8, PART_OF_NORM = 1 / 4.0;

	private ZeroMean() {}

	/** Of a template under its own weights. */
	public static double[] of(final Template t) {
		return of(t.values(), t.weights());
	}

	/**
	 * The deviations from the mean over the pixels of positive weight, scaled by a power of two so that the largest times its weight lies in [1, 2);
	 * 0 where there is no weight. Exact up to roundings relative to the contrast, for any finite values: the deviations are taken about the heaviest pixel first,
	 * of which the square's weighted mean is at most one more than the number of pixels times the variance. A light pixel may lie anywhere.
	 *
	 * @param w null if every pixel weighs 1
	 */
	static double[] of(final double[] v, final double[] w) {
		double largest = 0, heaviest = 0, reference = 0;
		for (int i = 0; i < v.length; i++)
			if (weight(w, i) > 0) {
				largest = Math.max(largest, Math.abs(v[i]));
				if (weight(w, i) > heaviest) {
					heaviest = weight(w, i);
					reference = v[i];
				}
			}
		final double shrink = Math.scalb(1.0, -1 - Math.getExponent(Math.max(largest, Double.MIN_NORMAL)));
		final double[] d = new double[v.length];
		for (int i = 0; i < v.length; i++)
			// about a pixel first: exact for values near it
			if (weight(w, i) > 0) d[i] = v[i] * shrink - reference * shrink;
		subtractMean(d, w);
		// what rounding left of it
		subtractMean(d, w);
		double reach = 0;
		for (int i = 0; i < v.length; i++) reach = Math.max(reach, Math.abs(weight(w, i) * d[i]));
		final double grow = Math.scalb(1.0, -Math.getExponent(reach));
		for (int i = 0; i < v.length; i++) d[i] *= grow;
		return d;
	}

	private static double weight(final double[] w, final int i) {
		return w == null ? 1 : w[i];
	}

	private static void subtractMean(final double[] d, final double[] w) {
		final CompensatedSum sum = new CompensatedSum(), n = new CompensatedSum();
		for (int i = 0; i < d.length; i++) {
			sum.add(weight(w, i) * d[i]);
			n.add(weight(w, i));
		}
		final double mean = sum.value() / n.value();
		for (int i = 0; i < d.length; i++)
			if (weight(w, i) > 0) d[i] -= mean;
	}

	/** The coefficients of each template in float, as the lags need it. */
	public static List<float[]> toFloat(final List<ZeroMeanTemplate> templates, final Weighting weights, final Lags lags) {
		final List<float[]> all = new ArrayList<>();
		// a part of a template may have a small share of its contrast: then only its own roundings may weigh
		for (final ZeroMeanTemplate t : templates) all.add(lags.partial() ? Rows.toFloat(t.coefficients()) : toFloat(t.coefficients(), weights.values()));
		return all;
	}

	/** As the other, of a template without weights, or of zeros and ones. */
	public static float[] toFloat(final double[] zeroMean) {
		return toFloat(zeroMean, null);
	}

	/**
	 * Each value moved at random by about the last place of the greatest partial sum so far, at most of some norms, what is taken from one given to the next. The sum
	 * stays zero, so that the mean of a window adds nothing to its numerator; and products and partial sums of a regular template (stripes, a checkerboard,
	 * a step) with a window of equal pixels do not round alike, which would let their errors add up in place of cancelling. What it adds to a response is of
	 * the size of the roundings themselves, about 1e-7 or 2e-7 where partial sums are large. Zeros stay zeros. Where the norm is many times the largest
	 * value, each is moved by some of its last places: one place leaves two or three different values, whose products with a constant do not round to its
	 * mean.
	 * <p>
	 * What a coefficient is off by counts by the root of its weight: pixels that weigh little are moved by as much less, and take nothing over.
	 *
	 * @param weights of at most 1; null for ones
	 */
	private static float[] toFloat(final double[] zeroMean, final double[] weights) {
		double sum = 0, largest = 0, energy = 0;
		for (final double t : zeroMean) {
			sum += t;
			energy += t * t;
			largest = Math.max(largest, Math.max(Math.abs(sum), Math.abs(t)));
		}
		final double norm = Math.sqrt(energy), least = Math.max(Math.min(largest, norm), Math.min(SOME_PLACES * largest, PART_OF_NORM * norm));
		final SplittableRandom random = new SplittableRandom(zeroMean.length);
		final float[] f = new float[zeroMean.length];
		double rest = 0, partial = 0;
		int last = -1;
		for (int i = 0; i < f.length; i++) {
			if (zeroMean[i] == 0) continue;
			partial += zeroMean[i];
			final double place = 2 * Tolerance.EPS_FLOAT * Math.max(least, Math.min(Math.abs(partial), MOST_NORMS * norm));
			final double w = weight(weights, i), by = place * Math.sqrt(w) * (2 * random.nextDouble() - 1);
			final boolean heavy = w >= HEAVY;
			f[i] = (float) (zeroMean[i] + (heavy ? rest : 0) + by);
			rest += zeroMean[i] - f[i];
			if (heavy) last = i;
		}
		if (last < 0) return Rows.toFloat(zeroMean);
		f[last] = (float) (f[last] + rest);
		return f;
	}
}
