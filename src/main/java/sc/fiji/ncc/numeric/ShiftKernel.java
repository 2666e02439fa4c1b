package sc.fiji.ncc.numeric;

import java.util.Arrays;

/**
 * The weights of neighbouring pixels for a position between them: the best linear prediction for images whose autocovariance is a sum of Gaussians,
 * such as images of a microscope, from those with sharp to those with smooth content. A fit with 8 pixels is then biased by less than 3e-4 pixels for
 * content that is smoothed by a Gaussian of 0.8 to 5 pixels. A windowed sinc, whose error is spread over all frequencies, is biased by up to 3e-3
 * pixels.
 */
public final class ShiftKernel {

	/** The standard deviations in pixels of the Gaussians by which the content may be smoothed, and the noise, as a share of the variance. */
	private static final double[] SIGMAS = { 0.8, 1, 1.3, 1.6, 2, 3 };
	private static final double NOISE = 1e-9;
	private static final double[][] INVERSE_4 = inverted(4), INVERSE_8 = inverted(8);

	/** The first pixel relative to the position's whole part, and the weights. Their sum is 1. */
	public final int first;
	public final float[] weights;

	/**
	 * @param coefficients 8, 4, or 1 for a dimension without a shift between the pixels
	 * @param fraction from 0 to 1
	 */
	public ShiftKernel(final int coefficients, final double fraction) {
		first = coefficients == 1 ? 0 : 1 - coefficients / 2;
		weights = new float[coefficients];
		final double[] near = new double[coefficients], w = new double[coefficients];
		for (int i = 0; i < coefficients; i++) near[i] = covariance(fraction - (first + i));
		double sum = 0;
		for (int i = 0; i < coefficients; i++) {
			for (int j = 0; j < coefficients; j++) w[i] += coefficients == 1 ? 1 : (coefficients == 4 ? INVERSE_4 : INVERSE_8)[i][j] * near[j];
			sum += w[i];
		}
		for (int i = 0; i < coefficients; i++) weights[i] = (float) (w[i] / sum);
	}

	/**
	 * The inverse of the covariance matrix of 4 or 8 neighbouring pixels, row by row: the weights for a position are its product with the covariances,
	 * divided by their sum.
	 */
	public static double[] inverse(final int coefficients) {
		return Arrays.stream(coefficients == 4 ? INVERSE_4 : INVERSE_8).flatMapToDouble(Arrays::stream).toArray();
	}

	/** The autocovariance at a distance. Smooth content has more weight, because its shift is known better. */
	private static double covariance(final double distance) {
		double sum = 0;
		for (final double s : SIGMAS) sum += s * s * s * Math.exp(-distance * distance / (4 * s * s));
		return sum;
	}

	/**
	 * The inverse of the covariance matrix of neighbouring pixels with noise, by Gauss and Jordan. The matrix is symmetric and positive, so any order of
	 * pivots works.
	 */
	private static double[][] inverted(final int n) {
		final double[][] a = new double[n][2 * n];
		for (int i = 0; i < n; i++) {
			for (int j = 0; j < n; j++) a[i][j] = covariance(i - j) + (i == j ? NOISE * covariance(0) : 0);
			a[i][n + i] = 1;
		}
		for (int p = 0; p < n; p++) {
			final double pivot = a[p][p];
			for (int j = 0; j < 2 * n; j++) a[p][j] /= pivot;
			for (int i = 0; i < n; i++) {
				final double factor = i == p ? 0 : a[i][p];
				for (int j = 0; j < 2 * n; j++) a[i][j] -= factor * a[p][j];
			}
		}
		final double[][] inverse = new double[n][n];
		for (int i = 0; i < n; i++) System.arraycopy(a[i], n, inverse[i], 0, n);
		return inverse;
	}
}
