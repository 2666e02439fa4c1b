package sc.fiji.ncc.numeric;

/**
 * B-splines of degree 5 through the values of a line, mirrored at its ends. Their error of interpolation is a tenth to a hundredth of that of {@link
 * CubicSpline} for content of more than 4 pixels a period. M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal Processing
 * Magazine 16 (1999), DOI 10.1109/79.799930.
 */
public final class QuinticSpline {

	/** The number of coefficients that contribute to a value. */
	public static final int COEFFICIENTS = 6;
	private static final double[] POLES = { Math.sqrt(67.5 - Math.sqrt(4436.25)) + Math.sqrt(26.25) - 6.5,
		Math.sqrt(67.5 + Math.sqrt(4436.25)) - Math.sqrt(26.25) - 6.5 };

	private QuinticSpline() {}

	/** Replaces values by the coefficients of the spline through them. Complexity: linear. */
	public static void coefficients(final double[] c) {
		for (final double pole : POLES) CubicSpline.filter(c, pole);
	}

	/** The same for several lines at once: one array for each position along the lines. */
	public static void coefficients(final double[][] lines) {
		for (final double pole : POLES) CubicSpline.filter(lines, pole);
	}

	/** The same in floats. */
	public static void coefficients(final float[][] lines) {
		for (final double pole : POLES) CubicSpline.filter(lines, pole);
	}

	/**
	 * The weights of the coefficients at −2 to 3 in the value at a fraction.
	 *
	 * @param t in [0, 1)
	 */
	public static void weights(final double t, final double[] to) {
		final double s = 1 - t;
		to[0] = outer(s);
		to[1] = middle(1 + t);
		to[2] = inner(t);
		to[3] = inner(s);
		to[4] = middle(1 + s);
		to[5] = outer(t);
	}

	/**
	 * The same for several fractions, in floats.
	 *
	 * @param to for each coefficient an array with its weights
	 */
	public static void weights(final float[] t, final float[][] to) {
		outer(t, to[0], to[5]);
		middle(t, to[1], to[4]);
		inner(t, to[2], to[3]);
	}

	// C2 vectorises the loops

	private static void outer(final float[] t, final float[] left, final float[] right) {
		for (int i = 0; i < t.length; i++) {
			final float x = t[i], y = 1 - x, square = x * x, other = y * y;
			left[i] = other * other * y * (1 / 120f);
			right[i] = square * square * x * (1 / 120f);
		}
	}

	private static void middle(final float[] t, final float[] left, final float[] right) {
		for (int i = 0; i < t.length; i++) {
			final float x = t[i], y = 1 - x;
			left[i] = 26 / 120f + x * (-5 / 12f + x * (1 / 6f + x * (1 / 6f + x * (x * (1 / 24f) - 1 / 6f))));
			right[i] = 26 / 120f + y * (-5 / 12f + y * (1 / 6f + y * (1 / 6f + y * (y * (1 / 24f) - 1 / 6f))));
		}
	}

	private static void inner(final float[] t, final float[] left, final float[] right) {
		for (int i = 0; i < t.length; i++) {
			final float x = t[i], y = 1 - x, square = x * x, other = y * y;
			left[i] = 0.55f + square * (-0.5f + square * (0.25f - x * (1 / 12f)));
			right[i] = 0.55f + other * (-0.5f + other * (0.25f - y * (1 / 12f)));
		}
	}

	/** The B-spline up to a distance of 1. */
	private static double inner(final double x) {
		final double square = x * x;
		return 0.55 + square * (-0.5 + square * (0.25 - x * (1 / 12.0)));
	}

	/** From 1 to 2. */
	private static double middle(final double x) {
		return 0.425 + x * (0.625 + x * (-1.75 + x * (1.25 + x * (-0.375 + x * (1 / 24.0)))));
	}

	/** From 2 to 3. @param y the distance from 3 */
	private static double outer(final double y) {
		final double square = y * y;
		return square * square * y * (1 / 120.0);
	}

	/** The weights of the same coefficients in the derivative. */
	public static void slopes(final double t, final double[] to) {
		for (int i = 0; i < COEFFICIENTS; i++) {
			final double x = Math.abs(t + 2 - i), y = 3 - x, square = x * x;
			final double slope = x < 1 ? -x + square * x - square * square * 5 / 12 : x < 2 ? 0.625 - 3.5 * x + 3.75 * square - 1.5 * square * x
				+ square * square * 5 / 24 : -y * y * y * y / 24;
			to[i] = Math.copySign(slope, slope * (t + 2 - i));
		}
	}
}
