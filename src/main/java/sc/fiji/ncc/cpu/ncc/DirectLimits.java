package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.cpu.window.NumeratorError;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * The error estimate of direct sums: it grows with the distance of a window's mean from the reference ({@link DirectError}).
 *
 * @param limit the maximum (m/σ)² of a window
 * @param changed the error of rounded coefficients, over ‖T̂‖
 * @param partialError the rounding errors where a part of the template overlaps, see {@link DirectCoefficients#partialError}
 * @param tolerance the tolerance of a response
 */
record DirectLimits(double limit, double changed, double partialError, double tolerance, double floor) implements NumeratorError {

	@Override
	public double partialLimit(final double share, final double contrast) {
		if (share >= 1) return limit;
		final double error = partialError + (changed == 0 ? 0 : changed / Math.sqrt(contrast));
		return Math.min(Tolerance.DOUBLE_LIMIT, Math.pow(tolerance / error, 2) - 1);
	}
}
