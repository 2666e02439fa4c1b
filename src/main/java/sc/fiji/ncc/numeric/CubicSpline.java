package sc.fiji.ncc.numeric;

/**
 * Cubic B-splines through the values of a line, mirrored at its ends. M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal
 * Processing Magazine 16 (1999), DOI 10.1109/79.799930.
 */
public final class CubicSpline {

	/** The number of coefficients that contribute to a value. */
	public static final int COEFFICIENTS = 4;
	private static final double POLE = Math.sqrt(3) - 2;
	/** The smallest relevant power of a pole. */
	private static final double NEGLIGIBLE = 1e-17;

	private CubicSpline() {}

	/** Replaces values by the coefficients of the spline through them. Complexity: linear. */
	public static void coefficients(final double[] c) {
		filter(c, POLE);
	}

	/** The same for several lines at once: one array for each position along the lines. */
	public static void coefficients(final double[][] lines) {
		filter(lines, POLE);
	}

	/** The same in floats. */
	public static void coefficients(final float[][] lines) {
		filter(lines, POLE);
	}

	/** The recursive filter of one pole of a spline, in both directions, with a gain of 1 for constant values. */
	static void filter(final double[] c, final double pole) {
		final int n = c.length;
		if (n < 2) return;
		double first = 0;
		int i = 0;
		for (double power = 1; Math.abs(power) > NEGLIGIBLE; power *= pole) first += power * c[mirrored(i++, n)];
		c[0] = first;
		for (i = 1; i < n; i++) c[i] += pole * c[i - 1];
		c[n - 1] = pole / (pole * pole - 1) * (c[n - 1] + pole * c[n - 2]);
		for (i = n - 2; i >= 0; i--) c[i] = pole * (c[i + 1] - c[i]);
		final double gain = (1 - pole) * (1 - 1 / pole);
		for (i = 0; i < n; i++) c[i] *= gain;
	}

	/** The same for several lines at once, which C2 vectorises: one array for each position along the lines. */
	static void filter(final double[][] c, final double pole) {
		final int n = c.length;
		if (n < 2) return;
		final double[] first = new double[c[0].length];
		int i = 0;
		for (double power = 1; Math.abs(power) > NEGLIGIBLE; power *= pole) add(first, power, c[mirrored(i++, n)]);
		System.arraycopy(first, 0, c[0], 0, first.length);
		for (i = 1; i < n; i++) add(c[i], pole, c[i - 1]);
		add(c[n - 1], pole, c[n - 2]);
		scale(c[n - 1], pole / (pole * pole - 1));
		for (i = n - 2; i >= 0; i--) subtracted(c[i], c[i + 1], pole);
		final double gain = (1 - pole) * (1 - 1 / pole);
		for (i = 0; i < n; i++) scale(c[i], gain);
	}

	/** The same in floats. */
	static void filter(final float[][] c, final double pole) {
		final int n = c.length;
		if (n < 2) return;
		final float[] first = new float[c[0].length];
		int i = 0;
		for (double power = 1; Math.abs(power) > NEGLIGIBLE; power *= pole) add(first, (float) power, c[mirrored(i++, n)]);
		System.arraycopy(first, 0, c[0], 0, first.length);
		final float factor = (float) pole;
		for (i = 1; i < n; i++) add(c[i], factor, c[i - 1]);
		final float last = (float) (pole / (pole * pole - 1)), gain = (float) ((1 - pole) * (1 - 1 / pole));
		add(c[n - 1], factor, c[n - 2]);
		scale(c[n - 1], last);
		for (i = n - 2; i >= 0; i--) subtracted(c[i], c[i + 1], factor);
		for (i = 0; i < n; i++) scale(c[i], gain);
	}

	private static void add(final double[] to, final double factor, final double[] more) {
		for (int i = 0; i < to.length; i++) to[i] += factor * more[i];
	}

	private static void scale(final double[] a, final double factor) {
		for (int i = 0; i < a.length; i++) a[i] *= factor;
	}

	private static void subtracted(final double[] a, final double[] from, final double factor) {
		for (int i = 0; i < a.length; i++) a[i] = factor * (from[i] - a[i]);
	}

	private static void add(final float[] to, final float factor, final float[] more) {
		for (int i = 0; i < to.length; i++) to[i] += factor * more[i];
	}

	private static void scale(final float[] a, final float factor) {
		for (int i = 0; i < a.length; i++) a[i] *= factor;
	}

	private static void subtracted(final float[] a, final float[] from, final float factor) {
		for (int i = 0; i < a.length; i++) a[i] = factor * (from[i] - a[i]);
	}

	/** The index inside of a line that is mirrored at its first and at its last value. */
	public static int mirrored(final int i, final int n) {
		if (n == 1) return 0;
		final int near = Math.abs(i);
		if (near < n) return near;
		final int m = Math.floorMod(i, 2 * n - 2);
		return m < n ? m : 2 * n - 2 - m;
	}

	/**
	 * The weights of the coefficients at −1, 0, 1 and 2 in the value at a fraction.
	 *
	 * @param t in [0, 1)
	 */
	public static void weights(final double t, final double[] to) {
		final double s = 1 - t;
		to[0] = s * s * s / 6;
		to[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
		to[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
		to[3] = t * t * t / 6;
	}

	/**
	 * The same for several fractions, in floats.
	 *
	 * @param to for each coefficient an array with its weights
	 */
	public static void weights(final float[] t, final float[][] to) {
		weights(t, to[0], to[1], to[2], to[3]);
	}

	// C2 vectorises the loop
	private static void weights(final float[] t, final float[] a, final float[] b, final float[] c, final float[] d) {
		for (int i = 0; i < t.length; i++) {
			final float x = t[i], y = 1 - x, square = x * x, other = y * y;
			a[i] = y * other * (1 / 6f);
			b[i] = 2 / 3f + square * (0.5f * x - 1);
			c[i] = 2 / 3f + other * (0.5f * y - 1);
			d[i] = x * square * (1 / 6f);
		}
	}

	/** The weights of the same coefficients in the derivative. */
	public static void slopes(final double t, final double[] to) {
		final double s = 1 - t;
		to[0] = -s * s / 2;
		to[1] = (3 * t * t - 4 * t) / 2;
		to[2] = (4 * s - 3 * s * s) / 2;
		to[3] = t * t / 2;
	}
}
