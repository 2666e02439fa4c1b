package sc.fiji.ncc.numeric;

/**
 * The covariance of parameters that make {@code Σ m(x)·e(x)} zero for a residual e on a grid: {@code J⁻¹·S·J⁻ᵀ} with the derivatives J of these sums and their covariance
 * {@code S = Σ_k R(k)·Σ_x m(x)·m(x + k)ᵀ}. R is the autocovariance of the residual, so correlated noise counts. P. J. Huber, The behavior of maximum likelihood estimates
 * under nonstandard conditions, Proc. Fifth Berkeley Symp. Math. Statist. Prob. 1 (1967) 221-233; W. K. Newey and K. D. West, Econometrica 55 (1987) 703-708, DOI 10.2307/1913610.
 */
public final class ResidualCovariance {

	/** The largest distance at which the residual counts as correlated, and its largest share of an extent. */
	private static final int REACH = 8;
	private static final double SHARE = 0.25;
	/** Smaller correlations along an axis end the range. */
	private static final double UNCORRELATED = 0.15;
	/** A smaller pivot means that the parameters are not determined. */
	private static final double SINGULAR = 1e-9;

	private ResidualCovariance() {}

	/**
	 * Complexity: the number of pixels times the number of displacements at which the residual is correlated.
	 *
	 * @param inverse the inverse of J
	 * @param moments m for each parameter, channel after channel
	 * @param summed 0 for a pixel without moments
	 * @param residual channel after channel
	 * @param weights 0 for a pixel without a residual
	 * @param size the extents of the grid
	 */
	public static double[][] of(final double[][] inverse, final double[][] moments, final double[] summed, final double[] residual, final double[] weights, final int[] size) {
		final int p = moments.length, n = size.length;
		int counted = 0;
		for (final double w : weights) if (w > 0) counted++;
		final int channels = residual.length / weights.length;
		final double values = (double) counted * channels;
		final int[] reach = new int[n];
		final double variance = autocovariance(residual, weights, size, new int[n]);
		int displacements = 1;
		for (int d = 0; d < n; d++) {
			final int most = (int) Math.min(REACH, SHARE * size[d]);
			final int[] k = new int[n];
			while (reach[d] < most) {
				k[d] = reach[d] + 1;
				if (!(Math.abs(autocovariance(residual, weights, size, k)) > UNCORRELATED * variance)) break;
				reach[d]++;
			}
			displacements *= 2 * reach[d] + 1;
		}
		final double[][] s = new double[p][p], white = new double[p][p];
		double squares = 0;
		for (int i = displacements / 2; i < displacements; i++) {
			final int[] k = new int[n];
			for (int d = 0, rest = i; d < n; d++) {
				k[d] = rest % (2 * reach[d] + 1) - reach[d];
				rest /= 2 * reach[d] + 1;
			}
			final double r = i == displacements / 2 ? variance : autocovariance(residual, weights, size, k);
			squares += (i == displacements / 2 ? 1 : 2) * r * r / (variance * variance);
			for (int a = 0; a < p; a++) for (int b = 0; b < p; b++) {
				final double sum = r * products(moments[a], moments[b], summed, size, k);
				// a displacement and its opposite
				s[a][b] += i == displacements / 2 ? sum : sum + r * products(moments[b], moments[a], summed, size, k);
				if (i == displacements / 2) white[a][b] = sum;
			}
		}
		// brightness, contrast and the parameters are fitted. That takes away low frequencies, which correlated noise has most of
		final double fitted = (p + 1 + channels) * Math.max(1, displacements / 2.0);
		final double enlarged = values / Math.max(values / 2, values - fitted) * fewResiduals(values / Math.max(1, squares));
		final double[][] covariance = around(inverse, isPositive(s) ? s : white);
		for (final double[] row : covariance) for (int i = 0; i < p; i++) row[i] *= enlarged;
		return covariance;
	}

	/** The factor by which the ellipse of 68 % is larger if the variance is that of so many independent residuals: quantiles of F and χ² with 2 degrees of freedom. */
	private static double fewResiduals(final double independent) {
		final double outside = -2 * Math.log(0.32) / Math.max(4, independent);
		return Math.expm1(outside) / outside;
	}

	private static boolean isPositive(final double[][] s) {
		return inverse(s) != null;
	}

	private static double autocovariance(final double[] e, final double[] weights, final int[] size, final int[] k) {
		double count = 0;
		final int step = step(size, k);
		for (int i = 0; i < weights.length; i++) if (weights[i] > 0 && inside(i, size, k) && weights[i + step] > 0) count++;
		return count == 0 ? 0 : products(e, e, weights, size, k) / (count * e.length / weights.length);
	}

	/** The sum of products of values at a displacement, over all channels. */
	private static double products(final double[] a, final double[] b, final double[] weights, final int[] size, final int[] k) {
		final int step = step(size, k), n = weights.length;
		double sum = 0;
		for (int i = 0; i < n; i++) {
			if (!(weights[i] > 0) || !inside(i, size, k) || !(weights[i + step] > 0)) continue;
			for (int c = 0; c < a.length; c += n) sum += a[c + i] * b[c + i + step];
		}
		return sum;
	}

	private static int step(final int[] size, final int[] k) {
		int step = 0;
		for (int d = 0, stride = 1; d < size.length; stride *= size[d++]) step += k[d] * stride;
		return step;
	}

	private static boolean inside(final int i, final int[] size, final int[] k) {
		for (int d = 0, rest = i; d < size.length; rest /= size[d++]) {
			final int x = rest % size[d] + k[d];
			if (x < 0 || x >= size[d]) return false;
		}
		return true;
	}

	/** {@code A·S·Aᵀ}. */
	private static double[][] around(final double[][] a, final double[][] s) {
		final int p = a.length;
		final double[][] result = new double[p][p];
		for (int i = 0; i < p; i++) for (int j = 0; j < p; j++) for (int k = 0; k < p; k++) for (int l = 0; l < p; l++) result[i][j] += a[i][k] * s[k][l] * a[j][l];
		return result;
	}

	/** The inverse of a matrix with positive pivots; null if a pivot is too small or negative. */
	public static double[][] inverse(final double[][] matrix) {
		final int p = matrix.length;
		final double[][] a = new double[p][2 * p];
		for (int i = 0; i < p; i++) {
			System.arraycopy(matrix[i], 0, a[i], 0, p);
			a[i][p + i] = 1;
		}
		for (int i = 0; i < p; i++) {
			if (!(a[i][i] > SINGULAR * Math.abs(matrix[i][i]))) return null;
			for (int j = 0; j < p; j++) {
				if (j == i) continue;
				final double factor = a[j][i] / a[i][i];
				for (int k = i; k < 2 * p; k++) a[j][k] -= factor * a[i][k];
			}
		}
		final double[][] inverse = new double[p][p];
		for (int i = 0; i < p; i++) for (int j = 0; j < p; j++) inverse[i][j] = a[i][p + j] / a[i][i];
		return inverse;
	}
}
