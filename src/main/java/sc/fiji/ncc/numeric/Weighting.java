package sc.fiji.ncc.numeric;

import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * The weights of a template's pixels, scaled by a power of two so that the greatest lies in (1/2, 1]. The scale changes no response. It ensures that
 * {@code √Σ (w·T̂)²}, which scales the errors of a numerator, is at most {@code √Σ w·T̂²}, by which the numerator is divided.
 *
 * @param values one for each pixel, the same for all channels; null if every pixel has weight 1
 * @param sum the sum of all weights
 * @param kind whether there are weights, and whether they are all 0 or 1
 */
public record Weighting(double[] values, double sum, Weights kind) {

	/** A weight below this share of the greatest is not rounded to float. */
	private static final double NARROW = 0x1p-60;

	public static Weighting of(final Template t) {
		final Weights kind = Weights.of(t);
		if (kind == Weights.NONE) return new Weighting(null, t.size().pixels(), kind);
		double greatest = 0;
		for (final double w : t.weights()) greatest = Math.max(greatest, w);
		final double factor = power(greatest);
		final double[] scaled = new double[t.weights().length];
		for (int i = 0; i < scaled.length; i++) scaled[i] = t.weights()[i] * factor;
		return of(scaled, kind);
	}

	/** The power of two that scales a positive weight into (1/2, 1]. For the smallest doubles the result is only near that range. */
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
	 * Rounds each weight to float. If all sums use the rounded weights, a response changes by at most 1e-7: the part of each pixel in a variance or
	 * covariance changes by a share of at most 2^-24.
	 */
	public Weighting toFloat() {
		if (kind != Weights.REAL) return this;
		final double[] rounded = new double[values.length];
		for (int i = 0; i < rounded.length; i++) rounded[i] = (float) values[i];
		return of(rounded, kind);
	}
}
