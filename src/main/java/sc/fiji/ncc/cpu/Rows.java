package sc.fiji.ncc.cpu;

/** Loops over one row, small so that C2 gives each its vector form; where the Vector API does better and is there, by it. */
final class Rows {

	private Rows() {}

	static void square(final double[] a, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] * a[x];
	}

	static void square(final float[] a, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] * a[x];
	}

	/** Adds a row to the sums of values and of squares; the first one replaces them. */
	static void accumulate(final float[] a, final double[] values, final double[] squares, final boolean first, final int n) {
		if (first) {
			for (int x = 0; x < n; x++) values[x] = a[x];
			square(values, squares, n);
		}
		else for (int x = 0; x < n; x++) {
			final double v = a[x];
			values[x] += v;
			squares[x] += v * v;
		}
	}

	static void accumulate(final double[] a, final double[] values, final double[] squares, final boolean first, final int n) {
		if (first) {
			System.arraycopy(a, 0, values, 0, n);
			square(a, squares, n);
		}
		else for (int x = 0; x < n; x++) {
			values[x] += a[x];
			squares[x] += a[x] * a[x];
		}
	}

	/** {@code Σ(P - μ)² = ΣP² - (ΣP)²/N}. */
	static void variances(final double[] sums, final double[] energies, final double[] to, final double perPixel, final int n) {
		for (int x = 0; x < n; x++) to[x] = energies[x] - sums[x] * sums[x] * perPixel;
	}

	/** Negative exactly where the variance is below the floor, or the mean's square above {@code limit} times the variance. */
	static void slack(final double[] sums, final double[] variance, final double[] to, final double perPixel, final double limit,
		final double floor, final int n)
	{
		for (int x = 0; x < n; x++)
			to[x] = Math.min(variance[x] - floor, variance[x] * limit - sums[x] * sums[x] * perPixel);
	}

	/** Lowers the slack to what the variance stands above its own least value. */
	static void lower(final double[] slack, final double[] variance, final double[] least, final int n) {
		for (int x = 0; x < n; x++) slack[x] = Math.min(slack[x], variance[x] - least[x]);
	}

	/** The coefficient: numerator, less what the template's mean adds to it, over both norms. */
	static void responses(final double[] products, final double[] sums, final double[] variance, final double[] to, final double templateMean,
		final double norm, final int n)
	{
		for (int x = 0; x < n; x++) to[x] = (products[x] - sums[x] * templateMean) / (Math.sqrt(variance[x]) * norm);
	}

	/** The least of the first {@code n} values, which it overwrites; NaN if one is. */
	static double least(final double[] a, final int n) {
		int left = n;
		// halving keeps the loop free of a carried dependency
		for (; left > 32; left -= left / 2) fold(a, left / 2, left - left / 2);
		double least = a[0];
		for (int x = 1; x < left; x++) least = Math.min(least, a[x]);
		return least;
	}

	private static void fold(final double[] a, final int n, final int o) {
		for (int x = 0; x < n; x++) a[x] = Math.min(a[x], a[o + x]);
	}

	/** Coefficients as floats, those that rounding took beyond 1 brought back. */
	static void toResponses(final double[] r, final float[] to, final int o, final int n) {
		if (Vectors.USED) {
			VectorRows.toResponses(r, to, o, n);
			return;
		}
		for (int x = 0; x < n; x++) to[o + x] = (float) r[x];
		for (int x = o; x < o + n; x++) to[x] = Math.max(-1f, Math.min(1f, to[x]));
	}

	static void toDouble(final float[] from, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = from[x];
	}

	static void subtract(final float[] a, final float b, final int n) {
		for (int x = 0; x < n; x++) a[x] -= b;
	}

	static void subtract(final float[] a, final int o, final float b, final int n) {
		for (int x = o; x < o + n; x++) a[x] -= b;
	}

	/** {@code to = (a + b)²}, shifted by {@code o} in {@code to}. */
	static void squaresOfSums(final double[] a, final double b, final double[] to, final int o, final int n) {
		for (int x = 0; x < n; x++) {
			final double v = a[x] + b;
			to[o + x] = v * v;
		}
	}

	static void add(final float[] to, final float[] a, final int n) {
		for (int x = 0; x < n; x++) to[x] += a[x];
	}

	static void addSquares(final float[] to, final float[] a, final int n) {
		for (int x = 0; x < n; x++) to[x] += a[x] * a[x];
	}

	/** The sum of a row, which it overwrites: by halves, without a carried dependency. */
	static double fold(final float[] a, final int n) {
		int left = n;
		for (; left > 32; left -= left / 2) add(a, left - left / 2, left / 2);
		double sum = 0;
		for (int x = 0; x < left; x++) sum += a[x];
		return sum;
	}

	private static void add(final float[] a, final int o, final int n) {
		for (int x = 0; x < n; x++) a[x] += a[o + x];
	}
}
