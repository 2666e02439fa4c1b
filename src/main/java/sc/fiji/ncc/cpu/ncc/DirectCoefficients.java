package sc.fiji.ncc.cpu.ncc;

import java.util.SplittableRandom;

import sc.fiji.ncc.cpu.correlator.SumOrder;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Fused;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;

/**
 * The coefficients of a template for direct sums in float: rounded, with a random change where that makes the rounding errors of the sum independent.
 * <p>
 * A change of about the last place of the partial sum is added to a coefficient, and the next one absorbs it, so the sum stays zero. Without this, the
 * partial sums of a regular template (stripes, a step, a ramp) with a window of equal pixels round alike. The size of the change and the number of
 * products that are added up in float are those with the smallest error ({@link DirectError}).
 *
 * @param run the number of products that are added up in float
 * @param limit the maximum (m/σ)² of a window
 * @param changed the error of the coefficients, over ‖T̂‖
 */
record DirectCoefficients(float[] coefficients, int run, double limit, double changed) {

	/** The runs to choose from, in additions of a vector or in four products; and those where windows may leave the image. */
	private static final int[] RUNS = Vectors.USED ? new int[] { 256, 128, 64, 32 } : new int[] { 1024, 512, 256, 128 };
	private static final int PARTIAL_ADDITIONS = Vectors.USED ? 32 : 16;
	/** The standard deviation of the random change, in eps of the partial sum. */
	private static final double[] CHANGES = { 0.8, 0.65, 0.5, 0 };
	/** A longer run is not replaced by a shorter one if (m/σ)² may reach this; or, as small windows have little contrast, this over the number of pixels. */
	private static final double ENOUGH = 400, ENOUGH_PIXELS = 160_000;
	/** The minimum standard deviation of a change, as a multiple of {@link #CHANGES}, in the coefficients that it changes. */
	private static final double MIN_CHANGE = 8;
	/** The roundings of a product before it is added. */
	private static final int PRODUCTS = Fused.once() ? 0 : 1;
	/** The minimum weight of a coefficient that absorbs the change of another, as a share of its weight. */
	private static final double HEAVY = 1 / 16.0;

	/** @param whole whether pixels are whole numbers of at most 16 bits */
	static DirectCoefficients of(final TemplatePlanes planes, final ZeroMeanTemplate template, final Weighting weights, final Lags lags, final boolean whole)
	{
		final double[] exact = template.coefficients();
		// a flat one of several channels: its numerators are not used
		if (template.norm() == 0) return new DirectCoefficients(Rows.toFloat(exact), lags.partial() ? SumOrder.coefficients(planes.width,
			PARTIAL_ADDITIONS) : RUNS[0], Double.MIN_NORMAL, 0);
		DirectCoefficients best = null;
		int before = Integer.MAX_VALUE;
		for (final int run : lags.partial() ? new int[] { SumOrder.coefficients(planes.width, PARTIAL_ADDITIONS) } : RUNS) {
			// a run as long as the template is as good as a longer one
			if (before <= exact.length || best == null || run < exact.length)
				// a part of a template may have a small share of its contrast: then only its own rounding errors may count
				for (final double change : lags.partial() ? new double[1] : CHANGES) {
					final Changed changed = new Changed(exact, weights.values(), change * Tolerance.EPS_FLOAT);
					order(planes, run, exact).walk(0, changed);
					changed.finish();
					final DirectError.Of error = error(planes, run, template, changed.coefficients, changed.changes, weights, whole);
					final double limit = error.limit(Tolerance.RESPONSE);
					if (best == null || limit > best.limit) best = new DirectCoefficients(changed.coefficients, run, limit, error.changed());
				}
			before = run;
			if (best.limit >= Math.max(ENOUGH, ENOUGH_PIXELS / exact.length)) break;
		}
		return best;
	}

	private static SumOrder order(final TemplatePlanes planes, final int run, final double[] coefficients) {
		return SumOrder.inFloat(planes.width, planes.height, planes.count, run, coefficients);
	}

	private static DirectError.Of error(final TemplatePlanes planes, final int run, final ZeroMeanTemplate template, final float[] coefficients,
		final double[] changes, final Weighting weights, final boolean whole)
	{
		final DirectError.Coefficients all = new DirectError.Coefficients(template.coefficients(), Rows.toDouble(coefficients), weights.values(), changes);
		return DirectError.of(order(planes, run, template.coefficients()), all, weights.sum(), template.norm(), (whole ? 0 : 1) + PRODUCTS, Tolerance.EPS_FLOAT);
	}

	/** The limits of a template for sums in double. */
	static double doubleLimit(final TemplatePlanes planes, final ZeroMeanTemplate template, final Weighting weights) {
		final DirectError.Coefficients all = new DirectError.Coefficients(template.coefficients(), template.coefficients(), weights.values(), null);
		return DirectError.of(SumOrder.inDouble(planes.width, planes.height, planes.count), all, weights.sum(), template.norm(), 2 + PRODUCTS, Tolerance.EPS_DOUBLE)
			.limit(Tolerance.of(Precision.DOUBLE));
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

	/** Changes coefficients at random in the order of addition. */
	private static final class Changed implements SumOrder.Sum {

		final float[] coefficients;
		/** The standard deviation of the change of each coefficient, which the next one absorbs. */
		final double[] changes;
		private final double[] exact, weights;
		private final double size;
		private final SplittableRandom random;
		private double partial, rest;
		/** The weight of the coefficient whose change is to be absorbed. */
		private double changed;
		private int heaviest = -1;

		Changed(final double[] exact, final double[] weights, final double size) {
			this.exact = exact;
			this.weights = weights;
			this.size = size;
			coefficients = new float[exact.length];
			changes = new double[exact.length];
			random = new SplittableRandom(exact.length);
		}

		/** Whether a coefficient may absorb the change of one with this weight: an error counts with the inverse root of the weight. */
		private boolean absorbs(final int i, final double weight) {
			return weights == null || weights[i] >= HEAVY * weight;
		}

		@Override
		public void start() {
			partial = 0;
		}

		@Override
		public void add(final int i, final int n) {
			for (int j = i; j < i + n; j++) {
				partial += exact[j];
				if (exact[j] == 0) continue;
				final boolean ends = j == i + n - 1;
				double by = 0;
				changes[j] = 0;
				if (j + 1 == exact.length || exact[j + 1] == 0 || absorbs(j + 1, weight(j))) {
					final double neighbours = MIN_CHANGE * Math.max(Math.abs(exact[j]), ends ? 0 : Math.abs(exact[j + 1]));
					changes[j] = size * (ends ? Math.max(neighbours, Math.abs(partial) * Math.sqrt(weight(j))) : neighbours);
					by = changes[j] * normal();
				}
				final boolean takes = absorbs(j, changed);
				coefficients[j] = (float) (exact[j] + (takes && size > 0 ? rest : 0) + by);
				rest += exact[j] - coefficients[j];
				if (takes || weight(j) > changed) changed = weight(j);
				if (heaviest < 0 || weight(j) >= weight(heaviest)) heaviest = j;
			}
		}

		private double weight(final int i) {
			return weights == null ? 1 : weights[i];
		}

		/** A random number of mean 0 and variance 1, nearly normal: a sum of four uniform ones. */
		private double normal() {
			return Math.sqrt(3) * (random.nextDouble() + random.nextDouble() + random.nextDouble() + random.nextDouble() - 2);
		}

		/** The heaviest coefficient takes what is left. */
		void finish() {
			if (size > 0) coefficients[heaviest] = (float) (coefficients[heaviest] + rest);
		}
	}
}
