package sc.fiji.ncc.cpu.window;

import sc.fiji.ncc.loops.PartialRows;

/**
 * Sums over the part of a template that counts at a lag: the sum of the weights N, and the weighted sums of the values and of their squares. Belongs to one
 * thread.
 */
public abstract class PartSums {

	/** Roundings of a product of means. */
	private static final double OF_MEANS = 4;

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
	 * Reduces the slack of a row of responses that are computed with these sums by their errors. Where little weight counts, the sums may be differences of
	 * large numbers: their errors, times the means of window and template, count in the numerator and in both variances. A negative slack marks an error
	 * above the tolerance.
	 *
	 * @param meanP of the window's pixels that count
	 * @param meanT of the template's
	 * @param v N·σ² of the window
	 * @param varianceT N·σ² of the template
	 * @param root of the product of both
	 * @param rounding in double, over the tolerance
	 * @param room two rows
	 */
	public final void slack(final double[] meanP, final double[] meanT, final double[] v, final double[] varianceT, final double[] root, final double rounding,
		final double[][] room, final double[] slack, final int n)
	{
		final double[] ofWeight = room[0], errors = room[1];
		PartialRows.linear(weightError, OF_MEANS, weight, ofWeight, n);
		PartialRows.errorsOfNumerators(meanP, meanT, ofWeight, valueError, errors, n);
		PartialRows.addErrorsOfWindows(meanP, ofWeight, varianceT, root, errors, n);
		PartialRows.addErrorsOfTemplates(meanT, ofWeight, valueError, squareError, v, errors, n);
		PartialRows.slackOfErrors(v, varianceT, errors, rounding, slack, n);
	}

	/**
	 * Adds the errors of {@link #slack}, in eps, for one of several channels.
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
