package sc.fiji.ncc.estimate;

import sc.fiji.ncc.numeric.CompensatedSum;

/**
 * A bound of the rounding errors of a direct sum {@code Σ f·p} for every window, first order in eps. Each addition is rounded by at most one eps of its
 * result. With p = m + d, m the window's mean about the reference, this result is {@code m·S + Σ f·d}, S the sum of the coefficients f that it contains. In r:
 * <ul>
 * <li>the mean: {@code eps·Σ|S|/(√N·‖T̂‖)·|m|/σ};</li>
 * <li>the deviations: {@code eps·√(Σ c²·f²/w)/‖T̂‖}, c the number of rounded results that contain the product. All results together are at most
 * {@code Σ c·|f·d|}; by Cauchy and Schwarz this is at most that root times {@code √(Σ w·d²) = √N·σ}.</li>
 * </ul>
 * The order of the {@link Additions} decides S and c.
 */
public final class SumBound implements Additions.Sum {

	/**
	 * The coefficients of a sum.
	 *
	 * @param rounded the same as rounded for the sum
	 * @param weights null if all are 1
	 * @param n the sum of the weights
	 * @param norm ‖T̂‖
	 */
	public record Coefficients(double[] exact, double[] rounded, double[] weights, double n, double norm) {

		private double square(final int i, final double value) {
			return weights == null ? value * value : value * (value / weights[i]);
		}
	}

	/**
	 * The errors of a response.
	 *
	 * @param ofMean for each |m|/σ
	 * @param ofDeviations independent of the window
	 * @param rounded the part of it that is due to rounded coefficients
	 */
	public record Terms(double ofMean, double ofDeviations, double rounded) {

		/** The maximum (m/σ)² at which the error stays below the tolerance; never 0, because its inverse is used. */
		public double limit(final double tolerance) {
			return Math.max(Double.MIN_NORMAL, Math.pow(Math.max(0, tolerance - ofDeviations) / ofMean, 2));
		}
	}

	private final Coefficients of;
	private final Partial run = new Partial(), group = new Partial();
	/** Σ|S|; and Σ c²·f²/w of the runs before. */
	private double magnitudes, contained;

	private SumBound(final Coefficients of) {
		this.of = of;
	}

	/** A partial sum: S, and over its products Σ f²/w, Σ c·f²/w and Σ c²·f²/w, c the roundings of each so far. */
	private final class Partial {

		double sum, energy, once, twice;

		void clear() {
			sum = energy = once = twice = 0;
		}

		void add(final int i) {
			sum += of.rounded[i];
			energy += of.square(i, of.rounded[i]);
		}

		void add(final Partial other) {
			sum += other.sum;
			energy += other.energy;
			once += other.once;
			twice += other.twice;
		}

		void round() {
			magnitudes += Math.abs(sum);
			twice += 2 * once + energy;
			once += energy;
		}
	}

	@Override
	public void start() {
		contained += run.twice;
		run.clear();
	}

	@Override
	public void add(final int i, final int n) {
		group.clear();
		for (int j = i + n - 1; j >= i; j--) {
			// adding 0 is exact
			if (of.rounded[j] == 0) continue;
			group.add(j);
			if (n > 1) group.round();
		}
		if (group.energy == 0) return;
		run.add(group);
		run.round();
	}

	/** @param inexact the roundings of each pixel and product before it is added */
	public static Terms of(final Additions order, final Coefficients of, final double inexact, final double eps) {
		final CompensatedSum all = new CompensatedSum();
		double magnitude = 0, changed = 0, ofMean = 0, ofDeviations = 0;
		for (int i = 0; i < of.rounded.length; i++) {
			if (of.rounded[i] == 0 && of.exact[i] == 0) continue;
			all.add(of.rounded[i]);
			magnitude += Math.abs(of.rounded[i]);
			changed += of.square(i, of.rounded[i] - of.exact[i]);
		}
		for (int phase = 0; phase < order.phases(); phase++) {
			final SumBound bound = new SumBound(of);
			order.walk(phase, bound);
			bound.start();
			ofMean = Math.max(ofMean, bound.magnitudes);
			ofDeviations = Math.max(ofDeviations, Math.sqrt(bound.contained));
		}
		final double rounded = Math.sqrt(changed) / of.norm;
		return new Terms((eps * (ofMean + inexact * magnitude) + Math.abs(all.value())) / (Math.sqrt(of.n) * of.norm),
			eps * ofDeviations / of.norm + rounded + (1 + inexact) * eps, rounded);
	}
}
