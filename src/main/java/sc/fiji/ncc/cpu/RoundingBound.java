package sc.fiji.ncc.cpu;

import java.util.Arrays;

import sc.fiji.ncc.plan.PixelType;

/**
 * How far a sum of products in float may err, proved: each rounding errs by at most eps = 2^-24 of what it rounds, and that is at most the sum of
 * |coefficient|·max|pixel| so far (Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch. 3). In units of eps·max|pixel|.
 * <p>
 * Products are added up in groups, the last one of a group first; groups are added to a sum in float, and after so many groups, a run, that sum
 * goes into a pair of floats without a rounding that counts.
 */
final class RoundingBound {

	/** What a convolution may err, of max|pixel|·Σ|coefficient|; and the same in eps. */
	static final double TOLERANCE = 1e-6;
	/** The same in eps, but for what is smaller than eps by another eps. */
	private static final double ALL = TOLERANCE / Tolerance.EPS_FLOAT - 0.1;

	private RoundingBound() {}

	/** What the roundings of sums may amount to once pixels of this type are floats. */
	static double afterPixels(final PixelType type) {
		return type.exact() || type == PixelType.F32 ? ALL : ALL - 1;
	}

	/**
	 * @param coefficients of a group each, in the order in which groups are added, as magnitudes or with their signs
	 * @param run how many groups are added up in float
	 */
	static double of(final float[][] coefficients, final int run) {
		double error = 0, sum = 0, all = 0;
		int pending = 0;
		for (final float[] group : coefficients) {
			double part = 0;
			for (int i = group.length - 1; i >= 0; i--) {
				part += Math.abs(group[i]);
				// one alone is multiplied and added with one rounding
				if (group.length > 1) error += part;
			}
			all += part;
			sum += part;
			if (pending > 0 || group.length == 1) error += sum;
			if (++pending < run) continue;
			pending = 0;
			sum = 0;
		}
		// of the pair to float
		return run < coefficients.length ? error + all : error;
	}

	/** The longest run of groups within a bound; 0 if there is none. */
	static int longestRun(final float[][] coefficients, final double bound) {
		for (int runs = 1;; runs++) {
			final int run = (coefficients.length + runs - 1) / runs;
			if (of(coefficients, run) <= bound) return run;
			if (run <= 1) return 0;
		}
	}

	/**
	 * The longest run of single products, each multiplied and added with one rounding, within a bound whatever their order: the largest come first then
	 * in each run. The sums of runs are added in double.
	 */
	static int longestRun(final float[] coefficients, final double bound) {
		final float[] sorted = coefficients.clone();
		for (int i = 0; i < sorted.length; i++) sorted[i] = Math.abs(sorted[i]);
		Arrays.sort(sorted);
		for (int runs = 1;; runs++) {
			final int run = (sorted.length + runs - 1) / runs;
			double error = 0, all = 0;
			for (int i = 0; i < sorted.length; i++) {
				final double c = sorted[sorted.length - 1 - i];
				error += c * (run - i / runs);
				all += c;
			}
			if (error + (runs > 1 ? all : 0) <= bound * all || run == 1) return run;
		}
	}
}
