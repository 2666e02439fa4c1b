package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.cpu.correlator.SumOrder;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.estimate.SumBound;
import sc.fiji.ncc.loops.Fused;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;

/**
 * The coefficients of a template for direct sums in float, and the number of products that are added up in float: the longest run whose error bound ({@link
 * SumBound}) suffices for windows of little contrast.
 *
 * @param run the number of products that are added up in float
 * @param limit the maximum (m/σ)² of a window
 * @param rounded the error of the coefficients, over ‖T̂‖
 */
record DirectCoefficients(float[] coefficients, int run, double limit, double rounded) {

	/** The runs to choose from, in additions of a vector or in four products; and those where windows may leave the image. */
	private static final int[] RUNS = Vectors.USED ? new int[] { 256, 128, 64, 32 } : new int[] { 1024, 512, 256, 128 };
	private static final int PARTIAL_ADDITIONS = Vectors.USED ? 32 : 16;
	/** A longer run is not replaced by a shorter one if (m/σ)² may reach this; or, as small windows have little contrast, this over the number of pixels. */
	private static final double ENOUGH = 150, ENOUGH_PIXELS = 100_000;
	/** The roundings of a product before it is added. */
	private static final int PRODUCTS = Fused.once() ? 0 : 1;

	/** @param whole whether pixels are whole numbers of at most 16 bits */
	static DirectCoefficients of(final TemplatePlanes planes, final ZeroMeanTemplate template, final Weighting weights, final Lags lags, final boolean whole)
	{
		final float[] inFloat = Rows.toFloat(template.coefficients());
		final int[] runs = lags.partial() ? new int[] { SumOrder.coefficients(planes.width, PARTIAL_ADDITIONS) } : RUNS;
		// a flat one of several channels: its numerators are not used
		if (template.norm() == 0) return new DirectCoefficients(inFloat, runs[0], Double.MIN_NORMAL, 0);
		final SumBound.Coefficients all = coefficients(template, weights, Rows.toDouble(inFloat));
		DirectCoefficients best = null;
		for (final int run : runs) {
			// a run as long as the template is as good as a longer one
			if (best != null && run >= inFloat.length) continue;
			final SumBound.Terms error = SumBound.of(order(planes, run, all.exact()), all, (whole ? 0 : 1) + PRODUCTS, Tolerance.EPS_FLOAT);
			final double limit = error.limit(Tolerance.RESPONSE);
			if (best == null || limit > best.limit) best = new DirectCoefficients(inFloat, run, limit, error.rounded());
			if (best.limit >= Math.max(ENOUGH, ENOUGH_PIXELS / inFloat.length)) break;
		}
		return best;
	}

	private static SumBound.Coefficients coefficients(final ZeroMeanTemplate template, final Weighting weights, final double[] rounded) {
		return new SumBound.Coefficients(template.coefficients(), rounded, weights.values(), weights.sum(), template.norm());
	}

	private static SumOrder order(final TemplatePlanes planes, final int run, final double[] coefficients) {
		return SumOrder.inFloat(planes.width, planes.height, planes.count, run, coefficients);
	}

	/** The limits of a template for sums in double. */
	static double doubleLimit(final TemplatePlanes planes, final ZeroMeanTemplate template, final Weighting weights) {
		return SumBound.of(SumOrder.inDouble(planes.width, planes.height, planes.count), coefficients(template, weights, template.coefficients()), 2 + PRODUCTS,
			Tolerance.EPS_DOUBLE).limit(Tolerance.of(Precision.DOUBLE));
	}

	/**
	 * The rounding errors where a part of the template overlaps the image, as a share of the product of the norms of window and part. The part does not sum
	 * to zero, and its partial sums may be any. By Cauchy and Schwarz none exceeds that product, so each addition of a run errs by at most one eps of it.
	 * This is a bound.
	 */
	double partialError(final TemplatePlanes planes, final boolean whole) {
		final double[] all = Rows.toDouble(coefficients);
		return Tolerance.EPS_FLOAT * (1 + (whole ? 0 : 1) + PRODUCTS + order(planes, run, all).roundings());
	}

	/** The same for sums in double. */
	static double partialErrorInDouble(final TemplatePlanes planes) {
		return Tolerance.EPS_DOUBLE * (3 + PRODUCTS + SumOrder.inDouble(planes.width, planes.height, planes.count).roundings());
	}
}
