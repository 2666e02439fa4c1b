package sc.fiji.ncc.cpu.window;

import java.util.Arrays;

import sc.fiji.ncc.loops.PartialRows;
import sc.fiji.ncc.loops.Rows;

/**
 * Sums over the part of a template that counts at a lag: the sum of the weights N, and the weighted sums of the values and of their squares. Belongs to one
 * thread.
 */
public abstract class CountedSums {

	/** Roundings of a product of means. */
	private static final double OF_MEANS = 4;
	/** The maximum error of a part of the weights, as a share of all weight. */
	static final double MAX_ERROR = 1e-6;

	/** The sums of each lag of the current row. */
	public double[] weight = {}, value = {}, square = {};
	/** The maximum errors of the sums, in roundings. */
	private double weightError, valueError, squareError;

	/** Sets the maximum errors of {@link #weight}, {@link #value} and {@link #square}, in roundings. */
	protected final void errors(final double ofWeight, final double ofValue, final double ofSquare) {
		weightError = ofWeight;
		valueError = ofValue;
		squareError = ofSquare;
	}

	protected final double weightError() {
		return weightError;
	}

	/** 1 for each positive weight, else 0. */
	protected static double[] positive(final double[] weights) {
		return Arrays.stream(weights).map(w -> w > 0 ? 1 : 0).toArray();
	}

	/**
	 * Computes the sums of a row of lags.
	 *
	 * @param lag the first lag of the plane, all dimensions
	 * @param image the size of the image
	 * @param z the index of the plane of lags in its tile
	 * @param y the row of lags in the plane
	 * @param lags the number of lags of the row
	 */
	public abstract void row(long[] lag, long[] image, int z, int y, int lags);

	/** Whether any pixel counts at lag {@code x} of the current row, and at least a share of the weight. */
	public abstract boolean enough(int x, double share);

	/**
	 * Whether enough counts at each lag of the current row. Arguments as in {@link #enough(int, double)}.
	 *
	 * @param outside receives true where too little counts
	 * @return the number of lags at which enough counts
	 */
	public int enough(final double share, final boolean[] outside, final int lags) {
		int n = 0;
		for (int x = 0; x < lags; x++) {
			outside[x] = !enough(x, share);
			if (!outside[x]) n++;
		}
		return n;
	}

	/**
	 * Means and N·σ² of a row of windows, of which a part counts.
	 *
	 * @param meanP of the window's pixels that count
	 * @param meanT of the template's
	 * @param variance of the window
	 * @param varianceT of the template
	 * @param root of the product of both
	 * @param buffers two rows
	 */
	public record Moments(double[] meanP, double[] meanT, double[] variance, double[] varianceT, double[] root, double[][] buffers) {

		public static Moments allocate(final int maxLags) {
			final double[][] rows = Rows.doubles(7, maxLags);
			return new Moments(rows[0], rows[1], rows[2], rows[3], rows[4], new double[][] { rows[5], rows[6] });
		}
	}

	/**
	 * Reduces the margins of a row of responses by the errors of these sums. Where little weight counts, the sums may be differences of large numbers: their
	 * errors, times the means of window and template, count in the numerator and in both variances. A negative margin marks an error above the tolerance.
	 *
	 * @param rounding in double, over the tolerance
	 */
	public final void reduce(final double[] margin, final Moments of, final double rounding, final int n) {
		final double[] ofWeight = of.buffers[0], errors = of.buffers[1];
		PartialRows.linear(weightError, OF_MEANS, weight, ofWeight, n);
		PartialRows.errorsOfNumerators(of.meanP, of.meanT, ofWeight, valueError, errors, n);
		PartialRows.addErrorsOfWindows(of.meanP, ofWeight, of.varianceT, of.root, errors, n);
		PartialRows.addErrorsOfTemplates(of.meanT, ofWeight, valueError, squareError, errors, of.variance, n);
		PartialRows.reduceByErrors(of.variance, of.varianceT, errors, rounding, margin, n);
	}

	/**
	 * Adds the errors of {@link #reduce}, in eps, for one of several channels.
	 *
	 * @param meanP of the window's pixels that count
	 * @param meanT of the template's
	 * @param count their weight
	 * @param to the errors of the numerator, of the window's variance, and of the template's
	 */
	public final void addErrors(final double meanP, final double meanT, final double count, final double[] to) {
		final double p = Math.abs(meanP), t = Math.abs(meanT), ofWeight = weightError + OF_MEANS * count;
		to[0] += p * (valueError + t * ofWeight);
		to[1] += p * p * ofWeight;
		to[2] += squareError + t * (2 * valueError + t * ofWeight);
	}
}
