package sc.fiji.ncc.loops;

/**
 * The division of a row of sums by their norms, {@code r = products/(√(energies − sums²/N)·‖T̂‖)}, and the margin of each variance over its minimum.
 * Differences are taken in double. Their results are rounded to float, where a vector holds twice as many values for roots and quotients. Belongs to
 * one thread.
 */
public final class Division {

	/**
	 * The sums of a row of windows.
	 *
	 * @param products Σ P·T̂, T̂ the zero-mean template
	 * @param sums ΣP
	 * @param energies ΣP²
	 * @param minVariance the minimum variance of each window; may be null
	 */
	public record Sums(float[] products, double[] sums, double[] energies, double[] minVariance) {}

	/**
	 * The numbers that a row has in common.
	 *
	 * @param perPixel 1/N
	 * @param perNorm 1/‖T̂‖
	 * @param share the minimum variance as a share of the squared mean, {@code sums²/N}
	 * @param floor the minimum variance of any window
	 */
	public record Terms(double perPixel, float perNorm, double share, double floor) {}

	private final double[] variance;
	private final float[] narrow, row;

	/** @param maxLags the maximum length of a row */
	public Division(final int maxLags) {
		variance = new double[maxLags];
		narrow = new float[maxLags];
		row = new float[maxLags];
	}

	/**
	 * Writes a row of responses in [-1, 1] to {@code to[o..]}, and the margin of each variance: the variance minus the floor, its minimum, and its share of the
	 * squared mean. A negative margin marks a response that must be rechecked.
	 *
	 * @return whether no margin is negative
	 */
	public boolean row(final Sums of, final Terms terms, final double[] margin, final float[] to, final int o, final int lags) {
		return Vectors.USED ? vectors(of, terms, margin, to, o, lags) : plain(of, terms, margin, to, o, lags);
	}

	/** {@link #row} by the Vector API. */
	public boolean vectors(final Sums of, final Terms terms, final double[] margin, final float[] to, final int o, final int lags) {
		return VectorRows.divide(of, terms, margin, to, o, lags);
	}

	/** {@link #row} in plain Java. */
	public boolean plain(final Sums of, final Terms terms, final double[] margin, final float[] to, final int o, final int lags) {
		variances(of.sums, of.energies, terms.perPixel, variance, lags);
		margins(of.sums, variance, terms, margin, lags);
		if (of.minVariance != null) Rows.subtract(margin, of.minVariance, lags);
		final boolean hold = toFloat(variance, margin, narrow, lags) >= 0;
		overRoots(of.products, narrow, terms.perNorm, row, lags);
		System.arraycopy(row, 0, to, o, lags);
		return hold;
	}

	// each loop by itself: C2 does not vectorise one that writes two arrays

	private static void variances(final double[] sums, final double[] energies, final double perPixel, final double[] variance, final int n) {
		for (int x = 0; x < n; x++) variance[x] = energies[x] - sums[x] * sums[x] * perPixel;
	}

	private static void margins(final double[] sums, final double[] variance, final Terms terms, final double[] margin, final int n) {
		final double perPixel = terms.perPixel, share = terms.share, floor = terms.floor;
		for (int x = 0; x < n; x++) margin[x] = variance[x] - sums[x] * sums[x] * perPixel * share - floor;
	}

	/** Rounds variances to float. Returns a negative number if a margin is negative. */
	private static long toFloat(final double[] variance, final double[] margin, final float[] to, final int n) {
		long signs = 0;
		for (int x = 0; x < n; x++) {
			to[x] = (float) variance[x];
			signs |= Double.doubleToRawLongBits(margin[x]);
		}
		return signs;
	}

	/** Quotients in [-1, 1], which rounding may exceed. */
	private static void overRoots(final float[] a, final float[] b, final float scale, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = Math.max(-1f, Math.min(1f, a[x] * scale / (float) Math.sqrt(b[x])));
	}
}
