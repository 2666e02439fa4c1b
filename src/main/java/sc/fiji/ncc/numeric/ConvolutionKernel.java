package sc.fiji.ncc.numeric;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Template;

/**
 * A kernel to compute with.
 *
 * @param values its values over {@code scale}
 * @param scale a power of two; 1 unless the values are very large or very small
 * @param sum Σ values
 * @param magnitude Σ|values|
 */
public record ConvolutionKernel(double[] values, double scale, double sum, double magnitude) {

	/** Binary exponents of the largest value within which no product leaves the range of a float, pixels being moderate. */
	private static final int MODERATE = 20;

	public static ConvolutionKernel of(final Template t) {
		double largest = 0;
		for (final double v : t.values()) largest = Math.max(largest, Math.abs(v));
		final int exponent = largest == 0 ? 0 : Math.getExponent(largest);
		final double scale = Math.abs(exponent) <= MODERATE ? 1 : Math.scalb(1.0, exponent);
		final double[] values = t.values().clone();
		double sum = 0, magnitude = 0;
		for (int i = 0; i < values.length; i++) {
			// exact but for what is too small to count
			values[i] /= scale;
			sum += values[i];
			magnitude += Math.abs(values[i]);
		}
		return new ConvolutionKernel(values, scale, sum, magnitude);
	}

	/** What the roundings of its sums may amount to once pixels of this type, and it, are floats; in eps·max|pixel|·Σ|value|. */
	public double bound(final PixelType image) {
		boolean exact = true;
		for (final double v : values) exact &= (float) v == v;
		return RoundingBound.afterPixels(image) - (exact ? 0 : 1);
	}

	/** Rounded to float. */
	public float[] taps() {
		return Rows.toFloat(values);
	}
}
