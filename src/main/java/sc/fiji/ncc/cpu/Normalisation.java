package sc.fiji.ncc.cpu;

/**
 * From the sums of a row of windows inside the image to the coefficients: one thread's. Differences are taken in double; what is left is rounded to
 * float, where a vector holds twice as many for roots and quotients.
 */
final class Normalisation {

	private final double n;
	private final float scale;
	private final double[] variance;
	private final float[] narrow;

	/**
	 * @param n how many pixels of the template count
	 * @param norm {@code √Σ(T - mean T)²}
	 * @param mostLags the widest row
	 */
	Normalisation(final double n, final double norm, final int mostLags) {
		this.n = n;
		scale = (float) (1 / norm);
		variance = new double[mostLags];
		narrow = new float[mostLags];
	}

	/**
	 * Writes {@code Σ P·T̂ / (√(ΣP² - (ΣP)²/n)·norm)}, and how much the variance stands above what makes it suspect, errors added up: negative where it
	 * lies below the floor, the least variance and the mean's square over {@code limit} together.
	 *
	 * @param products Σ P·T̂, T̂ the zero-mean template
	 * @param sums ΣP
	 * @param energies ΣP²
	 * @param least the least variance of each window; may be null
	 * @return whether none is suspect
	 */
	boolean responses(final float[] products, final double[] sums, final double[] energies, final double[] least, final double limit,
		final double floor, final double[] slack, final float[] r, final int lags)
	{
		if (Vectors.USED) return VectorRows.responses(products, sums, energies, least, 1 / n, scale, 1 / limit, floor, slack, r, lags);
		Rows.variances(sums, energies, variance, slack, 1 / n, 1 / limit, floor, lags);
		if (least != null) Rows.subtract(slack, least, lags);
		final boolean sound = Rows.toFloat(variance, slack, narrow, lags) >= 0;
		Rows.overRoots(products, narrow, scale, r, lags);
		Rows.clamp(r, lags);
		return sound;
	}
}
