package sc.fiji.ncc.numeric;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Template;

/**
 * A convolution kernel, scaled for computation.
 *
 * @param values the kernel's values divided by {@code scale}
 * @param scale a power of two. Default: 1; other powers serve very large or very small values
 * @param sum Σ values
 * @param magnitude Σ|values|
 */
public record ConvolutionKernel(double[] values, double scale, double sum, double magnitude) {

	/** The maximum binary exponent, in magnitude, of the largest value at which no product with pixels of moderate size leaves float's range. */
	private static final int MODERATE = 20;

	public static ConvolutionKernel of(final Template t) {
		double largest = 0;
		for (final double v : t.values()) largest = Math.max(largest, Math.abs(v));
		final int exponent = largest == 0 ? 0 : Math.getExponent(largest);
		final double scale = Math.abs(exponent) <= MODERATE ? 1 : Math.scalb(1.0, exponent);
		final double[] values = t.values().clone();
		// compensated: the sum of many equal values rounds the same way at each addition, and the mean of the image multiplies that error
		final CompensatedSum sum = new CompensatedSum();
		double magnitude = 0;
		for (int i = 0; i < values.length; i++) {
			// exact, except for values that are too small to matter
			values[i] /= scale;
			sum.add(values[i]);
			magnitude += Math.abs(values[i]);
		}
		return new ConvolutionKernel(values, scale, sum.value(), magnitude);
	}

	/** The maximum rounding error of sums once pixels of this type and the kernel are floats, in eps·max|pixel|·Σ|value|. */
	public double bound(final PixelType image) {
		boolean exact = true;
		for (final double v : values) exact &= (float) v == v;
		return RoundingBound.afterPixels(image) - (exact ? 0 : 1);
	}

	/** The values rounded to float. */
	public float[] coefficients() {
		return Rows.toFloat(values);
	}
}
