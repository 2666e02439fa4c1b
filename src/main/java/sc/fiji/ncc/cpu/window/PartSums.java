package sc.fiji.ncc.cpu.window;

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
	 * Whether a response that is computed with these sums stays within the tolerance. Where little weight counts, the sums may be differences of large
	 * numbers: their errors, times the means of window and template, count in the numerator and in both variances.
	 *
	 * @param meanP of the window's pixels that count
	 * @param meanT of the template's
	 * @param count their weight
	 * @param v N·σ² of the window
	 * @param varianceT N·σ² of the template
	 * @param root of the product of both
	 * @param rounding in double, over the tolerance
	 */
	public final boolean holds(final double meanP, final double meanT, final double count, final double v, final double varianceT, final double root,
		final double rounding)
	{
		final double p = Math.abs(meanP), t = Math.abs(meanT), ofWeight = weightError + OF_MEANS * count;
		final double ofNumerator = p * (valueError + t * ofWeight), ofWindow = p * p * ofWeight, ofTemplate = squareError + t * (2 * valueError + t * ofWeight);
		return rounding * (2 * ofNumerator * root + ofWindow * varianceT + ofTemplate * v) <= 2 * v * varianceT;
	}

	/**
	 * Adds the errors of {@link #holds}, in eps, for one of several channels.
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
