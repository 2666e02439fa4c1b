package sc.fiji.ncc.cpu.response;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.Vectors;

/**
 * Computes the coefficients of a row of windows inside the image from its sums. Belongs to one thread. Differences are taken in double. Their results are
 * rounded to float, where a vector holds twice as many values for roots and quotients.
 */
public final class Normalisation {

	private double n;
	private float scale;
	private final double[] variance;
	private final float[] narrow, row;

	/** @param maxLags the maximum length of a row */
	public Normalisation(final int maxLags) {
		variance = new double[maxLags];
		narrow = new float[maxLags];
		row = new float[Vectors.USED ? 0 : maxLags];
	}

	/**
	 * Selects a template.
	 *
	 * @param n the sum of its weights
	 * @param norm {@code √Σ w·(T - mean T)²}
	 */
	public void select(final double n, final double norm) {
		this.n = n;
		scale = (float) (1 / norm);
	}

	/**
	 * Writes {@code Σ P·T̂ / (√(ΣP² - (ΣP)²/n)·norm)}, and the slack of each variance: the variance minus the floor, the minimum variance, and the squared
	 * mean over {@code limit}. A negative slack marks a response that must be rechecked.
	 *
	 * @param products Σ P·T̂, T̂ the zero-mean template
	 * @param sums ΣP
	 * @param energies ΣP²
	 * @param minVariance the minimum variance of each window; may be null
	 * @param r receives the coefficients from index {@code o} on
	 * @return whether no response must be rechecked
	 */
	public boolean responses(final float[] products, final double[] sums, final double[] energies, final double[] minVariance, final double limit,
		final double floor, final double[] slack, final float[] r, final int o, final int lags)
	{
		if (Vectors.USED) return VectorRows.responses(products, sums, energies, minVariance, 1 / n, scale, 1 / limit, floor, slack, r, o, lags);
		Rows.variances(sums, energies, variance, slack, 1 / n, 1 / limit, floor, lags);
		if (minVariance != null) Rows.subtract(slack, minVariance, lags);
		final boolean sound = Rows.toFloat(variance, slack, narrow, lags) >= 0;
		Rows.overRoots(products, narrow, scale, row, lags);
		Rows.clamp(row, lags);
		System.arraycopy(row, 0, r, o, lags);
		return sound;
	}
}
