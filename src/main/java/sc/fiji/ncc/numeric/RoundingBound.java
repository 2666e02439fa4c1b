package sc.fiji.ncc.numeric;

import java.util.Arrays;

import sc.fiji.ncc.plan.PixelType;

/**
 * How far a sum of products in float may err, proved: each rounding errs by at most eps = 2^-24 of what it rounds, and that is at most the sum of
 * |coefficient|·max|pixel| so far (Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch. 3). In units of eps·max|pixel|.
 * <p>
 * Products are added up in groups, the last one of a group first; groups are added to a sum in float, and after so many groups, a run, that sum
 * goes into a pair of floats without a rounding that counts.
 */
public final class RoundingBound {

	/** What a convolution may err, of max|pixel|·Σ|coefficient|; and the same in eps. */
	public static final double TOLERANCE = 1e-6;
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
	public static double of(final float[][] coefficients, final int run) {
		return new Groups(coefficients).error(run);
	}

	/** The longest run of groups within a bound; 0 if there is none. */
	public static int longestRun(final float[][] coefficients, final double bound) {
		final Groups groups = new Groups(coefficients);
		for (int runs = 1;; runs++) {
			final int run = (coefficients.length + runs - 1) / runs;
			if (groups.error(run) <= bound) return run;
			if (run <= 1) return 0;
		}
	}

	/** Groups of coefficients, so that a run of them need not be walked through: of a kernel of 512x512 there are 30,000, and as many runs may be tried. */
	private static final class Groups {

		/** The magnitude of the groups before each, and of them all; and the sums of these up to there. */
		private final double[] before, sums;
		/** What roundings within groups amount to. */
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
				// one alone is multiplied and added with one rounding
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
				// a sum begins with a group, and is not rounded by it
				if (!single[first]) error -= before[first + 1] - before[first];
			}
			// of the pair to float
			return run < n ? error + before[n] : error;
		}
	}

	/**
	 * The longest run of single products, each multiplied and added with one rounding, within a bound whatever their order: the largest come first then
	 * in each run. The sums of runs are added in double.
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
