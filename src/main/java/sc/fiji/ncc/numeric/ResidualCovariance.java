package sc.fiji.ncc.numeric;

/**
 * The covariance of parameters that make {@code Σ m(x)·e(x)} zero for a residual e on a grid: {@code J⁻¹·S·J⁻ᵀ} with the derivatives J of these sums
 * and their covariance {@code S = Σ_k R(k)·Σ_x m(x)·m(x + k)ᵀ}. R is the autocovariance of the residual, so correlated noise counts. P. J. Huber, The
 * behavior of maximum likelihood estimates under nonstandard conditions, Proc. Fifth Berkeley Symp. Math. Statist. Prob. 1 (1967) 221-233; W. K.
 * Newey and K. D. West, Econometrica 55 (1987) 703-708, DOI 10.2307/1913610.
 */
public final class ResidualCovariance {

	/** The largest distance at which the residual counts as correlated, and its largest share of an extent. */
	private static final int DISTANCE = 8;
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
	public static double[][] of(final double[][] inverse, final double[][] moments, final double[] summed, final double[] residual,
		final double[] weights, final int[] size)
	{
		final int p = moments.length, n = size.length, channels = residual.length / weights.length;
		// with zeros for what does not count, sums need no conditions
		final double[] present = new double[weights.length], e = counted(residual, weights);
		final double[][] m = new double[p][];
		for (int a = 0; a < p; a++) m[a] = counted(moments[a], summed);
		double values = 0;
		for (int i = 0; i < weights.length; i++) if (weights[i] > 0) {
			present[i] = 1;
			values += channels;
		}
		final int[] extent = new int[n];
		final double variance = autocovariance(e, present, size, new int[n]);
		int displacements = 1;
		for (int d = 0; d < n; d++) {
			final int most = (int) Math.min(DISTANCE, SHARE * size[d]);
			final int[] k = new int[n];
			while (extent[d] < most) {
				k[d] = extent[d] + 1;
				if (!(Math.abs(autocovariance(e, present, size, k)) > UNCORRELATED * variance)) break;
				extent[d]++;
			}
			displacements *= 2 * extent[d] + 1;
		}
		// the moments, weighted by the autocovariance at all displacements after the one in the middle, and half of that one
		final double[][] filtered = new double[p][m[0].length], s = new double[p][p], white = new double[p][p];
		double squares = 0;
		for (int i = displacements / 2; i < displacements; i++) {
			final int[] k = new int[n];
			for (int d = 0, rest = i; d < n; d++) {
				k[d] = rest % (2 * extent[d] + 1) - extent[d];
				rest /= 2 * extent[d] + 1;
			}
			final boolean middle = i == displacements / 2;
			final double r = middle ? variance : autocovariance(e, present, size, k);
			squares += (middle ? 1 : 2) * r * r / (variance * variance);
			for (int a = 0; a < p; a++) add(filtered[a], middle ? r / 2 : r, m[a], size, k);
		}
		for (int a = 0; a < p; a++) for (int b = 0; b < p; b++) {
			white[a][b] = variance * VectorProducts.dot(m[a], m[b]);
			final double sum = VectorProducts.dot(m[a], filtered[b]);
			s[a][b] += sum;
			// the opposite displacements
			s[b][a] += sum;
		}
		// brightness, contrast and the parameters are fitted. That takes away low frequencies, which correlated noise has most of
		final double fitted = (p + 1 + channels) * Math.max(1, displacements / 2.0);
		final double enlarged = values / Math.max(values / 2, values - fitted) * fewValues(values / Math.max(1, squares));
		final double[][] covariance = around(inverse, isPositive(s) ? s : white);
		for (final double[] row : covariance) for (int i = 0; i < p; i++) row[i] *= enlarged;
		return covariance;
	}

	/**
	 * The factor by which the ellipse of 68 % is larger if the variance is that of so many independent values: quantiles of F and χ² with 2 degrees of
	 * freedom.
	 */
	static double fewValues(final double independent) {
		final double outside = -2 * Math.log(0.32) / Math.max(4, independent);
		return Math.expm1(outside) / outside;
	}

	private static boolean isPositive(final double[][] s) {
		return inverse(s) != null;
	}

	/** A copy with 0 where the weight is 0, channel after channel. */
	private static double[] counted(final double[] values, final double[] weights) {
		final double[] copy = new double[values.length];
		for (int c = 0; c < copy.length; c += weights.length)
			for (int i = 0; i < weights.length; i++) copy[c + i] = weights[i] > 0 ? values[c + i] : 0;
		return copy;
	}

	/** @param present 1 for pixels with a residual, otherwise 0 */
	private static double autocovariance(final double[] e, final double[] present, final int[] size, final int[] k) {
		final double count = products(present, present, size, k);
		return count == 0 ? 0 : products(e, e, size, k) / (count * e.length / present.length);
	}

	/** The sum of products of values at a displacement, over all channels. */
	private static double products(final double[] a, final double[] b, final int[] size, final int[] k) {
		final double[] sum = new double[1];
		lines(a.length, size, k, (from, to, step) -> sum[0] += VectorProducts.dot(a, from, b, from + step, to - from));
		return sum[0];
	}

	/** Adds values at a displacement, times a factor, over all channels. */
	private static void add(final double[] to, final double factor, final double[] values, final int[] size, final int[] k) {
		lines(to.length, size, k, (from, end, step) -> {
			for (int i = from; i < end; i++) to[i] += factor * values[i + step];
		});
	}

	private interface Line {

		/** @param step from the index of a pixel to that of the pixel at the displacement */
		void at(int from, int to, int step);
	}

	/** The parts of all lines that lie inside at a displacement, too. */
	private static void lines(final int length, final int[] size, final int[] k, final Line line) {
		int step = 0, pixels = 1;
		for (int d = 0; d < size.length; pixels *= size[d++]) step += k[d] * pixels;
		final int from = Math.max(0, -k[0]), to = size[0] - Math.max(0, k[0]);
		for (int first = 0; first < length; first += size[0]) {
			boolean inside = true;
			for (int d = 1, rest = first % pixels / size[0]; d < size.length; rest /= size[d++]) {
				final int x = rest % size[d] + k[d];
				inside &= x >= 0 && x < size[d];
			}
			if (inside) line.at(first + from, first + to, step);
		}
	}

	/** {@code A·S·Aᵀ}. */
	public static double[][] around(final double[][] a, final double[][] s) {
		final int p = a.length;
		final double[][] result = new double[p][p];
		for (int i = 0; i < p; i++) for (int l = 0; l < p; l++) {
			double product = 0;
			for (int k = 0; k < p; k++) product += a[i][k] * s[k][l];
			for (int j = 0; j < p; j++) result[i][j] += product * a[j][l];
		}
		return result;
	}

	/** The inverse of a matrix with positive pivots; null if a pivot is too small or negative. */
	public static double[][] inverse(final double[][] matrix) {
		final int p = matrix.length;
		final double[][] a = new double[p][];
		for (int i = 0; i < p; i++) a[i] = matrix[i].clone();
		// a column that is eliminated is replaced by that of the inverse
		for (int i = 0; i < p; i++) {
			final double pivot = a[i][i];
			if (!(pivot > SINGULAR * Math.abs(matrix[i][i]))) return null;
			a[i][i] = 1;
			for (int k = 0; k < p; k++) a[i][k] /= pivot;
			for (int j = 0; j < p; j++) {
				if (j == i) continue;
				final double factor = a[j][i];
				a[j][i] = 0;
				for (int k = 0; k < p; k++) a[j][k] -= factor * a[i][k];
			}
		}
		return a;
	}
}
