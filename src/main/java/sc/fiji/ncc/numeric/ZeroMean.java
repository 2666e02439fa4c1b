package sc.fiji.ncc.numeric;

import java.util.Arrays;
import java.util.SplittableRandom;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.plan.Template;

/** The deviations of a template from its weighted mean. Large templates are computed in chunks by several threads; their number does not change the result. */
public final class ZeroMean {

	/** The maximum change of a value, in last places of the norm. */
	private static final double MAX_NORMS = 2;
	/** The minimum change of a value: in last places of the largest value or partial sum, and at most this share of a last place of the norm. */
	private static final double MIN_PLACES = 8, SHARE_OF_NORM = 1 / 4.0;

	private ZeroMean() {}

	/** The deviations of a template under its own weights. */
	public static double[] of(final Template t, final int threads) {
		return of(t, t.weights(), threads);
	}

	/**
	 * The deviations of each channel from its mean over the pixels of positive weight, scaled by a power of two so that the greatest product with its weight
	 * lies in [1, 2). A deviation is 0 where there is no weight. Exact up to rounding errors relative to the contrast, for any finite values: the
	 * deviations are first taken from the heaviest pixel. The weighted mean of its squared deviation is at most N + 1 times the variance, N the number
	 * of pixels. A light pixel may lie anywhere.
	 *
	 * @param w null if every pixel has weight 1
	 * @param threads the maximum number of threads
	 */
	static double[] of(final Template t, final double[] w, final int threads) {
		final double[] v = t.values(), d = new double[v.length];
		final int n = v.length / t.channels();
		double largest = 0, greatest = 0;
		for (int c = 0; c < v.length; c += n) {
			final int first = c;
			largest = Math.max(largest, Chunks.max(n, threads, (from, until) -> {
				double max = 0;
				for (int i = from; i < until; i++)
					if (weight(w, i) > 0) max = Math.max(max, Math.abs(v[first + i]));
				return max;
			}));
		}
		final double shrink = Math.scalb(1.0, -1 - Math.getExponent(Math.max(largest, Double.MIN_NORMAL)));
		for (int c = 0; c < v.length; c += n) {
			final int first = c;
			center(v, w, shrink, d, first, n, threads);
			greatest = Math.max(greatest, Chunks.max(n, threads, (from, until) -> {
				double max = 0;
				for (int i = from; i < until; i++) max = Math.max(max, Math.abs(weight(w, i) * d[first + i]));
				return max;
			}));
		}
		final double grow = Math.scalb(1.0, -Math.getExponent(greatest));
		Chunks.each(d.length, threads, (c, from, until) -> {
			for (int i = from; i < until; i++) d[i] *= grow;
		});
		return d;
	}

	/** The deviations of a channel of {@code n} values, which begins at index {@code first}. */
	private static void center(final double[] v, final double[] w, final double shrink, final double[] d, final int first, final int n, final int threads) {
		int heaviest = 0;
		for (int i = 1; w != null && i < n; i++)
			if (w[i] > w[heaviest]) heaviest = i;
		final double reference = v[first + heaviest] * shrink;
		Chunks.each(n, threads, (c, from, until) -> {
			for (int i = from; i < until; i++)
				// subtract a pixel first: this is exact for values near it
				if (weight(w, i) > 0) d[first + i] = v[first + i] * shrink - reference;
		});
		subtractMean(d, w, first, n, threads);
		// subtract the rest that rounding left
		subtractMean(d, w, first, n, threads);
	}

	private static double weight(final double[] w, final int i) {
		return w == null ? 1 : w[i];
	}

	private static void subtractMean(final double[] d, final double[] w, final int first, final int n, final int threads) {
		final double sum = Chunks.sum(n, threads, (to, from, until) -> {
			for (int i = from; i < until; i++) to.add(weight(w, i) * d[first + i]);
		});
		final double mean = sum / (w == null ? n : CompensatedSum.of(w));
		Chunks.each(n, threads, (c, from, until) -> {
			for (int i = from; i < until; i++)
				if (weight(w, i) > 0) d[first + i] -= mean;
		});
	}

	/**
	 * What is known of a chunk of deviations before they are rounded: their sum, the least and the greatest partial sum, the greatest magnitude, and the
	 * sum of squares.
	 */
	private record Chunk(double sum, double least, double most, double greatest, double energy) {

		static Chunk of(final double[] d, final int from, final int until) {
			double sum = 0, least = 0, most = 0, greatest = 0, energy = 0;
			for (int i = from; i < until; i++) {
				sum += d[i];
				energy += d[i] * d[i];
				least = Math.min(least, sum);
				most = Math.max(most, sum);
				greatest = Math.max(greatest, Math.abs(d[i]));
			}
			return new Chunk(sum, least, most, greatest, energy);
		}
	}

	/**
	 * The number whose last place is the least size of the random changes in {@link #toFloat}: each is uniform between minus and plus that place.
	 *
	 * @param largest the largest value or partial sum
	 * @param norm the root of the sum of squares
	 */
	public static double minChange(final double largest, final double norm) {
		return Math.max(Math.min(largest, norm), Math.min(MIN_PLACES * largest, SHARE_OF_NORM * norm));
	}

	/**
	 * The coefficients in float of a template without weights, or with weights 0 and 1. Adds a random number to each value before it is rounded to
	 * float. The random number has about the size of the last place of the greatest partial sum so far, at most {@link #MAX_NORMS} norms. The next value
	 * absorbs the change, so the sum stays zero and the mean of a window adds nothing to its numerator. Without this, the products and partial sums of a
	 * regular template (stripes, a checkerboard, a step) with a window of equal pixels would round alike, and their errors would add up. The change of a
	 * response has the size of the rounding errors: about 1e-7, or 2e-7 where partial sums are large. Zeros stay zeros. The last value of each chunk
	 * absorbs what is left, and the last one of all what this rounding leaves.
	 *
	 * @param threads the maximum number of threads
	 */
	public static float[] toFloat(final double[] zeroMean, final int threads) {
		final Chunk[] chunks = new Chunk[Chunks.count(zeroMean.length)];
		Chunks.each(zeroMean.length, threads, (c, from, until) -> chunks[c] = Chunk.of(zeroMean, from, until));
		final double[] sums = new double[chunks.length], left = new double[chunks.length];
		double sum = 0, largest = 0, energy = 0;
		for (int c = 0; c < chunks.length; c++) {
			sums[c] = sum;
			energy += chunks[c].energy;
			largest = Math.max(largest, Math.max(chunks[c].greatest, Math.max(Math.abs(sum + chunks[c].least), Math.abs(sum + chunks[c].most))));
			sum += chunks[c].sum;
		}
		final double norm = Math.sqrt(energy), min = minChange(largest, norm);
		final float[] f = new float[zeroMean.length];
		final int[] last = new int[chunks.length];
		Chunks.each(zeroMean.length, threads, (c, from, until) -> {
			// the chunks must not have the same random numbers
			final SplittableRandom random = new SplittableRandom(zeroMean.length + ((long) c << 32));
			double rest = 0, partial = sums[c];
			int end = -1;
			for (int i = from; i < until; i++) {
				if (zeroMean[i] == 0) continue;
				partial += zeroMean[i];
				final double place = 2 * Tolerance.EPS_FLOAT * Math.max(min, Math.min(Math.abs(partial), MAX_NORMS * norm));
				f[i] = (float) (zeroMean[i] + rest + place * (2 * random.nextDouble() - 1));
				rest += zeroMean[i] - f[i];
				end = i;
			}
			last[c] = end;
			if (end < 0) return;
			final double value = f[end] + rest;
			f[end] = (float) value;
			left[c] = value - f[end];
		});
		final int end = Arrays.stream(last).max().orElse(-1);
		if (end < 0) return Rows.toFloat(zeroMean);
		if (chunks.length > 1) f[end] = (float) (f[end] + CompensatedSum.of(left));
		return f;
	}
}
