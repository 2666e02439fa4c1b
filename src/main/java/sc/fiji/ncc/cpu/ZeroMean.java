package sc.fiji.ncc.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Template;

/** A template about its weighted mean. */
public final class ZeroMean {

	private ZeroMean() {}

	/**
	 * Of each template.
	 *
	 * @throws IllegalArgumentException if one is flat
	 */
	static List<double[]> of(final List<Template> templates) {
		final List<double[]> all = new ArrayList<>();
		for (final Template t : templates) {
			t.requireContrast();
			all.add(of(t));
		}
		return all;
	}

	/**
	 * The deviations from the mean over the pixels of positive weight, scaled by a power of two so that the largest lies in [1, 2);
	 * 0 where there is no weight. Exact up to roundings relative to the contrast, for any finite values.
	 */
	public static double[] of(final Template t) {
		final double[] v = t.values();
		double largest = 0, first = Double.NaN;
		for (int i = 0; i < v.length; i++)
			if (t.weight(i) > 0) {
				largest = Math.max(largest, Math.abs(v[i]));
				if (first != first) first = v[i];
			}
		final double shrink = Math.scalb(1.0, -1 - Math.getExponent(Math.max(largest, Double.MIN_NORMAL)));
		final double[] d = new double[v.length];
		double sum = 0, n = 0;
		for (int i = 0; i < v.length; i++)
			if (t.weight(i) > 0) {
				// about a pixel first: exact for values near it
				d[i] = v[i] * shrink - first * shrink;
				sum += d[i];
				n++;
			}
		final double mean = sum / n;
		double reach = 0;
		for (int i = 0; i < v.length; i++)
			if (t.weight(i) > 0) {
				d[i] -= mean;
				reach = Math.max(reach, Math.abs(d[i]));
			}
		final double grow = Math.scalb(1.0, -Math.getExponent(reach));
		for (int i = 0; i < v.length; i++) d[i] *= grow;
		return d;
	}

	/** Of each template in float, as the lags need it. */
	static List<float[]> toFloat(final List<double[]> zeroMeans, final Lags lags) {
		final List<float[]> all = new ArrayList<>();
		// a part of a template may have a small share of its contrast: then only its own roundings may weigh
		for (final double[] t : zeroMeans) all.add(lags.partial() ? Rows.toFloat(t) : toFloat(t));
		return all;
	}

	/**
	 * In float, each value moved at random by about the last place of the largest partial sum, at most of the norm, what is taken from one given to the next. The sum stays
	 * zero, so that the mean of a window adds nothing to its numerator; and products and partial sums of a regular template (stripes, a checkerboard)
	 * with a window of equal pixels no longer round alike, which would let their errors add up in place of cancelling. It adds at most some 1e-7
	 * to a response. Zeros stay zeros.
	 */
	public static float[] toFloat(final double[] zeroMean) {
		double sum = 0, largest = 0, energy = 0;
		for (final double t : zeroMean) {
			sum += t;
			energy += t * t;
			largest = Math.max(largest, Math.max(Math.abs(sum), Math.abs(t)));
		}
		final double place = 2 * Tolerance.EPS_FLOAT * Math.min(largest, Math.sqrt(energy));
		final SplittableRandom random = new SplittableRandom(zeroMean.length);
		final float[] f = new float[zeroMean.length];
		double rest = 0;
		int last = -1;
		for (int i = 0; i < f.length; i++)
			if (zeroMean[i] != 0) {
				f[i] = (float) (zeroMean[i] + rest + place * (2 * random.nextDouble() - 1));
				rest += zeroMean[i] - f[i];
				last = i;
			}
		f[last] = (float) (f[last] + rest);
		return f;
	}
}
