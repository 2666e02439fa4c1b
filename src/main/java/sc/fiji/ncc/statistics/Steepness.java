package sc.fiji.ncc.statistics;

import java.util.stream.IntStream;

/**
 * How steep the peaks of a map are, as the slope of the conditional mean of a neighbour in units of its deviation, over that of a normal field with
 * the same correlations of neighbours. For a normal field it is the normal value itself.
 * <p>
 * Peaks of correlation coefficients are steeper. In normal noise the score exceeds c where a normal field z₀, which is an average of the window,
 * exceeds the level L = √(Σ μ_j·z_j²) of the other fields z_j ({@link GaussianScores}). z₀ falls towards L with the slope κ², the mean of L² where it
 * is reached. The field z₀ changes with c: for higher scores it follows the modes of small variance, which are rough. With the derivative z₀′, B_0j =
 * E[z₀′·z_j], and Λ = E[z₀′²], the derivative of z₀ − L has the variance S(c) = Λ + Σ μ_j·B_0j², and the steepness is κ·√(S(c)/S(c₁)). c₁ is a score
 * of one deviation, because most scores determine the correlations of neighbours. For white noise this is the value of Student's t with the same
 * probability. Terms of the order 1/L² are left out.
 */
abstract class Steepness {

	/** The normal values of the scores for which it is computed, nearly. The first is that of most scores. */
	private static final double[] VALUES = { 1, 2, 3, 4, 5, 7, 10 };
	private static final double LEAST_STEP = 0.1;
	/** Windows of smooth images have more modes than effective pixels. So there are never fewer degrees of freedom. */
	private static final double LEAST_DEGREES = 5.5;

	/** @param value a standard normal value, at least 0 */
	abstract double of(int axis, double value);

	/** A normal field. */
	static Steepness normal() {
		return new Steepness() {

			@Override
			double of(final int axis, final double value) {
				return value;
			}
		};
	}

	/**
	 * White noise: the value of Student's t with the same probability, by D. L. Wallace, Ann. Math. Statist. 30 (1959) 1121-1130.
	 *
	 * @param pixels the effective number of pixels of a window
	 */
	static Steepness white(final double pixels) {
		final double degrees = Math.hypot(LEAST_DEGREES, pixels - 2), exponent = Math.pow((8 * degrees + 3) / (8 * degrees + 1), 2) / degrees;
		return new Steepness() {

			@Override
			double of(final int axis, final double value) {
				return Math.sqrt(degrees * Math.expm1(value * value * exponent));
			}
		};
	}

	/**
	 * How the modes of windows change from one window to the next, along an axis. All are divided by their deviations.
	 *
	 * @param moved the antisymmetric part of the covariances of modes and their differences
	 * @param differences the covariances of the differences
	 */
	record Motion(double[][] moved, double[][] differences) {}

	/**
	 * Normal noise.
	 *
	 * @param size the number of modes along each axis
	 * @param variances of the modes, x fastest
	 * @param template its components in the modes, of any length
	 * @param constant the components of the constant window, of length 1
	 * @param motions one for each axis; null where windows do not move
	 */
	static Steepness of(final GaussianScores scores, final int[] size, final double[] variances, final double[] template, final double[] constant,
		final Motion[] motions) {
		final double freedom = Math.max(0.5, scores.effectivePixels() - 2);
		final double[] values = new double[VALUES.length];
		final double[][] steep = new double[size.length][VALUES.length];
		IntStream.range(0, VALUES.length).parallel().forEach(i -> {
			final double score = VALUES[i] / Math.sqrt(freedom + VALUES[i] * VALUES[i]);
			values[i] = scores.normal(score);
			final double[] z = scores.leading(score, variances, template, constant);
			final double level = Math.sqrt(scores.squaredLevel(score));
			for (int d = 0; d < size.length; d++)
				if (motions[d] != null) steep[d][i] = level * Math.sqrt(variance(scores, score, d, size, new Modes(z, variances, template, constant), motions[d]));
		});
		for (int d = 0; d < size.length; d++) {
			final double first = steep[d][0] / Math.sqrt(scores.squaredLevel(VALUES[0] / Math.sqrt(freedom + VALUES[0] * VALUES[0])));
			for (int i = 0; i < VALUES.length; i++) steep[d][i] = first > 0 ? steep[d][i] / first : values[i];
		}
		int different = 2;
		// scores near 1 have no probability in double precision
		while (different < values.length && values[different] > values[different - 1] + LEAST_STEP) different++;
		final int count = different;
		return new Steepness() {

			@Override
			double of(final int axis, final double value) {
				int i = 1;
				while (i < count - 1 && values[i] < value) i++;
				final double[] s = steep[axis];
				return Math.max(0, s[i - 1] + (value - values[i - 1]) * (s[i] - s[i - 1]) / (values[i] - values[i - 1]));
			}
		};
	}

	/** The leading values of the modes at a score, their variances, and the components of the template and of the constant window. */
	private record Modes(double[] z, double[] variances, double[] template, double[] constant) {}

	/** The variance S of the derivative along an axis. */
	private static double variance(final GaussianScores scores, final double score, final int axis, final int[] size, final Modes modes, final Motion motion) {
		final double[] z = modes.z, variances = modes.variances, template = modes.template, constant = modes.constant;
		final int length = size[axis];
		int stride = 1;
		for (int d = 0; d < axis; d++) stride *= size[d];
		final double[] moved = new double[z.length], line = new double[length];
		double own = 0;
		for (int from = 0; from < z.length; from += length * stride) for (int k = from; k < from + stride; k++) {
			for (int i = 0; i < length; i++) line[i] = z[k + i * stride];
			for (int i = 0; i < length; i++) {
				final double[] m = motion.moved[i], c = motion.differences[i];
				double to = 0, square = 0;
				for (int j = 0; j < length; j++) {
					to += m[j] * line[j];
					square += c[j] * line[j];
				}
				moved[k + i * stride] = to;
				own += square * line[i];
			}
		}
		return own + Math.max(0, scores.others(score, moved, variances, template, constant));
	}
}
