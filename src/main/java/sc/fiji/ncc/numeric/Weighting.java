package sc.fiji.ncc.numeric;

import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * The weights of a template's pixels, scaled by a power of two, which changes no response, so that the greatest lies in (1/2, 1]: then the root of
 * {@code Σ (w·T̂)²}, which errors of a numerator scale with, is at most that of {@code Σ w·T̂²}, by which it is divided.
 *
 * @param values one a pixel; null if every pixel weighs 1
 * @param sum of all of them
 * @param kind what they are
 */
public record Weighting(double[] values, double sum, Weights kind) {

	/** Below this share of the greatest a weight is not rounded to float. */
	private static final double NARROW = 0x1p-60;

	public static Weighting of(final Template t) {
		final Weights kind = Weights.of(t);
		if (kind == Weights.NONE) return new Weighting(null, t.values().length, kind);
		double greatest = 0;
		for (final double w : t.weights()) greatest = Math.max(greatest, w);
		final double factor = power(greatest);
		final double[] scaled = new double[t.weights().length];
		for (int i = 0; i < scaled.length; i++) scaled[i] = t.weights()[i] * factor;
		return of(scaled, kind);
	}

	/** The power of two that brings a positive weight into (1/2, 1], nearly if it is the least number. */
	static double power(final double greatest) {
		final double factor = Math.scalb(1.0, -Math.max(Double.MIN_EXPONENT, Math.getExponent(greatest)));
		return greatest * factor > 1 ? factor / 2 : factor;
	}

	private static Weighting of(final double[] values, final Weights kind) {
		return new Weighting(values, CompensatedSum.of(values), kind);
	}

	public double of(final int pixel) {
		return values == null ? 1 : values[pixel];
	}

	/** Whether the weights may be rounded to float: none is so small that it would lose more than its last bits. */
	public boolean suitsFloat() {
		if (kind == Weights.REAL) for (final double w : values) if (w > 0 && w < NARROW) return false;
		return true;
	}

	/**
	 * Each rounded to float. If all sums are taken with these, a response changes by at most 1e-7: a share of up to 2^-24 more or less of each pixel's
	 * part in a variance or covariance.
	 */
	public Weighting toFloat() {
		if (kind != Weights.REAL) return this;
		final double[] rounded = new double[values.length];
		for (int i = 0; i < rounded.length; i++) rounded[i] = (float) values[i];
		return of(rounded, kind);
	}
}
