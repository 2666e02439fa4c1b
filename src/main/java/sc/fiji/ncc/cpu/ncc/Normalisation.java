package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.Vectors;

/**
 * From the sums of a row of windows inside the image to the coefficients: one thread's. Differences are taken in double; what is left is rounded to
 * float, where a vector holds twice as many for roots and quotients.
 */
public final class Normalisation {

	private double n;
	private float scale;
	private final double[] variance;
	private final float[] narrow, row;

	/** @param maxLags the widest row */
	public Normalisation(final int maxLags) {
		variance = new double[maxLags];
		narrow = new float[maxLags];
		row = new float[Vectors.USED ? 0 : maxLags];
	}

	/**
	 * Takes a template.
	 *
	 * @param n the sum of its weights
	 * @param norm {@code √Σ w·(T - mean T)²}
	 */
	public void select(final double n, final double norm) {
		this.n = n;
		scale = (float) (1 / norm);
	}

	/**
	 * Writes {@code Σ P·T̂ / (√(ΣP² - (ΣP)²/n)·norm)}, and how much the variance stands above what makes it suspect, errors added up: negative where it
	 * lies below the floor, the least variance and the mean's square over {@code limit} together.
	 *
	 * @param products Σ P·T̂, T̂ the zero-mean template
	 * @param sums ΣP
	 * @param energies ΣP²
	 * @param least the least variance of each window; may be null
	 * @param r receives them from index {@code o} on
	 * @return whether none is suspect
	 */
	public boolean responses(final float[] products, final double[] sums, final double[] energies, final double[] least, final double limit,
		final double floor, final double[] slack, final float[] r, final int o, final int lags)
	{
		if (Vectors.USED) return VectorRows.responses(products, sums, energies, least, 1 / n, scale, 1 / limit, floor, slack, r, o, lags);
		Rows.variances(sums, energies, variance, slack, 1 / n, 1 / limit, floor, lags);
		if (least != null) Rows.subtract(slack, least, lags);
		final boolean sound = Rows.toFloat(variance, slack, narrow, lags) >= 0;
		Rows.overRoots(products, narrow, scale, row, lags);
		Rows.clamp(row, lags);
		System.arraycopy(row, 0, r, o, lags);
		return sound;
	}
}
