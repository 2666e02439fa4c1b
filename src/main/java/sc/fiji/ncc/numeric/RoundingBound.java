package sc.fiji.ncc.numeric;

import java.util.Arrays;

import sc.fiji.ncc.plan.PixelType;

/**
 * A proved bound on the rounding error of a sum of products in float; {@link #common} is not a bound, but a part of an estimate. Each rounding errs
 * by at most eps = 2^-24 of the rounded number, which is at most the sum of |coefficient|·max|pixel| so far (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, ch. 3). The unit is eps·max|pixel|.
 * <p>
 * Products are added up in groups, the last product of a group first. Groups are added to a sum in float. After a number of groups, a run, that sum is
 * added to a pair of floats with negligible error.
 */
public final class RoundingBound {

	/** The maximum error of a convolution, in max|pixel|·Σ|coefficient|. */
	public static final double TOLERANCE = 1e-6;
	/** The same in eps. The margin of 0.1 covers errors of second order. */
	private static final double ALL = TOLERANCE / Tolerance.EPS_FLOAT - 0.1;

	private RoundingBound() {}

	/**
	 * An estimate of the common part of the rounding errors of sums of a coefficient and others, if the coefficients have random changes and all pixels
	 * are equal; in eps of a pixel. A change is a whole multiple of q, the last place of the coefficient, so sums of products m·S are m·q apart. If m·q
	 * is nearly the distance of floats at m·S, or a divisor of it, all these sums lie at the same place between two floats, up to half of m·q from one
	 * of them. They are never farther than eps·|m·S|.
	 *
	 * @param partial S, a partial sum of the coefficients
	 * @param coefficient the largest of those that were added last
	 */
	public static double common(final double partial, final double coefficient) {
		return coefficient == 0 ? 0 : Math.min(Math.abs(partial), Math.scalb(1.0, Math.getExponent(coefficient)));
	}

	/** The maximum rounding error of sums once pixels of this type are floats. */
	static double afterPixels(final PixelType type) {
		return type.exact() || type == PixelType.F32 ? ALL : ALL - 1;
	}

	/**
	 * The maximum rounding error of sums.
	 *
	 * @param coefficients one array for each group, in the order in which groups are added; signs do not matter
	 * @param run how many groups are added up in float
	 */
	public static double of(final float[][] coefficients, final int run) {
		return new Groups(coefficients).error(run);
	}

	/** The longest run of groups whose error stays within a bound; 0 if there is none. */
	public static int longestRun(final float[][] coefficients, final double bound) {
		final Groups groups = new Groups(coefficients);
		for (int runs = 1;; runs++) {
			final int run = (coefficients.length + runs - 1) / runs;
			if (groups.error(run) <= bound) return run;
			if (run <= 1) return 0;
		}
	}

	/**
	 * Prefix sums over groups of coefficients: the error of a run then takes constant time. A kernel of 512x512 has 30,000 groups, and as many runs may be
	 * tried.
	 */
	private static final class Groups {

		/** {@code before}: the magnitude of all groups before each group, and of all. {@code sums}: the prefix sums of {@code before}. */
		private final double[] before, sums;
		/** The maximum rounding error within groups. */
		private double within;
		private final boolean[] single;

		Groups(final float[][] coefficients) {
			final int n = coefficients.length;
			before = new double[n + 1];
			sums = new double[n + 1];
			single = new boolean[n];
			for (int g = 0; g < n; g++) {
				final float[] group = coefficients[g];
				double part = 0;
				for (int i = group.length - 1; i >= 0; i--) {
					part += Math.abs(group[i]);
					if (group.length > 1) within += part;
				}
				// a single product is multiplied and added with one rounding
				single[g] = group.length == 1;
				before[g + 1] = before[g] + part;
				sums[g + 1] = sums[g] + before[g + 1];
			}
		}

		double error(final int run) {
			final int n = single.length;
			double error = within;
			for (int first = 0; first < n; first += run) {
				final int end = Math.min(n, first + run);
				error += sums[end] - sums[first] - (end - first) * before[first];
				// the first group starts the sum and is not rounded by an addition
				if (!single[first]) error -= before[first + 1] - before[first];
			}
			// the pair is rounded to float
			return run < n ? error + before[n] : error;
		}
	}

	/**
	 * The longest run of single products whose error stays within a bound, for any order of the products. Each product is multiplied and added with one
	 * rounding. The worst case has the largest products first in each run. The sums of runs are added in double.
	 */
	public static int longestRun(final float[] coefficients, final double bound) {
		final float[] sorted = coefficients.clone();
		for (int i = 0; i < sorted.length; i++) sorted[i] = Math.abs(sorted[i]);
		Arrays.sort(sorted);
		final int n = sorted.length;
		final double[] largest = new double[n + 1];
		for (int i = 0; i < n; i++) largest[i + 1] = largest[i] + sorted[n - 1 - i];
		for (int runs = 1;; runs++) {
			final int run = (n + runs - 1) / runs;
			double error = 0;
			for (int place = 0; place < run; place++) error += (run - place) * (largest[Math.min(n, (place + 1) * runs)] - largest[place * runs]);
			if (error + (runs > 1 ? largest[n] : 0) <= bound * largest[n] || run == 1) return run;
		}
	}
}
