package sc.fiji.ncc.cpu;

/** From the sums of a row of windows inside the image to the coefficients: one thread's. */
final class Normalisation {

	private final double n, norm;
	private final double[] variance, folded;

	/**
	 * @param n how many pixels of the template count
	 * @param norm {@code √Σ(T - mean T)²}
	 * @param mostLags the widest row
	 */
	Normalisation(final double n, final double norm, final int mostLags) {
		this.n = n;
		this.norm = norm;
		variance = new double[mostLags];
		folded = new double[mostLags];
	}

	/**
	 * Writes {@code (Σ P·T - ΣP·mean T) / (√(ΣP² - (ΣP)²/n)·norm)}, and how much the variance stands above what makes it suspect: negative or
	 * NaN where it lies below the floor or the least variance, or the mean's square above {@code limit} times the variance.
	 *
	 * @param products Σ P·T
	 * @param sums ΣP
	 * @param energies ΣP²
	 * @param least the least variance of each window; may be null
	 * @return whether none is suspect
	 */
	boolean responses(final double[] products, final double[] sums, final double[] energies, final double[] least, final double templateMean,
		final double limit, final double floor, final double[] slack, final double[] r, final int lags)
	{
		if (Vectors.USED)
			return VectorRows.responses(products, sums, energies, least, 1 / n, templateMean, norm, limit, floor, slack, r, lags);
		Rows.variances(sums, energies, variance, 1 / n, lags);
		Rows.slack(sums, variance, slack, 1 / n, limit, floor, lags);
		if (least != null) Rows.lower(slack, variance, least, lags);
		Rows.responses(products, sums, variance, r, templateMean, norm, lags);
		System.arraycopy(slack, 0, folded, 0, lags);
		return Rows.least(folded, lags) >= 0;
	}
}
