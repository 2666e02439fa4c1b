package sc.fiji.ncc.estimate;

import sc.fiji.ncc.numeric.Tolerance;

/**
 * The error estimate of direct sums: it grows with the distance of a window's mean from the reference.
 *
 * @param limit the maximum (m/σ)² of a window: see {@link SumBound}
 * @param rounded the error of rounded coefficients, over ‖T̂‖
 * @param partialError the rounding errors where a part of the template overlaps, as a share of the product of the norms of window and part
 * @param tolerance the tolerance of a response
 */
public record DirectError(double limit, double rounded, double partialError, double tolerance, double floor) implements NumeratorError {

	@Override
	public double partialLimit(final double share, final double contrast) {
		if (share >= 1) return limit;
		final double error = partialError + (rounded == 0 ? 0 : rounded / Math.sqrt(contrast));
		return Math.min(Tolerance.DOUBLE_LIMIT, Math.pow(tolerance / error, 2) - 1);
	}
}
