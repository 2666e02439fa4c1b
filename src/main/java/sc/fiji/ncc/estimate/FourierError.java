package sc.fiji.ncc.estimate;

import sc.fiji.ncc.numeric.Tolerance;

/**
 * The error estimate of numerators by transforms: a minimum variance for each lag, from energies, and the limits that follow from rounding pixels.
 *
 * @param minVariance belongs to the row just computed
 */
public record FourierError(double limit, double floor, double[] minVariance) implements NumeratorError {

	/**
	 * For transforms in float: energies are squares in float, which underflow.
	 *
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 */
	public static FourierError inFloat(final boolean whole, final int maxLags) {
		return new FourierError(Tolerance.roundedLimit(whole), Tolerance.FLOOR, new double[maxLags]);
	}

	@Override
	public double partialLimit(final double share, final double contrast) {
		return limit * share;
	}
}
