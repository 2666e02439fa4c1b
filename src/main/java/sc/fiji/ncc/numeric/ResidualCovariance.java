package sc.fiji.ncc.numeric;

import java.util.Arrays;

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
		final Grid grid = new Grid(size);
		final double[] e = grid.counted(residual, weights);
		final double[][] m = new double[p][];
		for (int a = 0; a < p; a++) m[a] = grid.counted(moments[a], summed);
		final Pairs pairs = grid.pairs(weights);
		final double values = channels * pairs.at(new int[n]);
		final int[] extent = new int[n], k = new int[n];
		final double variance = grid.autocovariance(e, pairs, k);
		int displacements = 1;
		for (int d = 0; d < n; d++) {
			for (; extent[d] < grid.most[d]; extent[d]++) {
				k[d] = extent[d] + 1;
				if (!(Math.abs(grid.autocovariance(e, pairs, k)) > UNCORRELATED * variance)) break;
			}
			k[d] = 0;
			displacements *= 2 * extent[d] + 1;
		}
		// the moments, weighted by the autocovariance at all displacements after the one in the middle, and half of that one
		final double[][] filtered = new double[p][m[0].length], s = new double[p][p], white = new double[p][p];
		double squares = 0;
		for (int i = displacements / 2; i < displacements; i++) {
			for (int d = 0, rest = i; d < n; d++) {
				k[d] = rest % (2 * extent[d] + 1) - extent[d];
				rest /= 2 * extent[d] + 1;
			}
			final boolean middle = i == displacements / 2;
			final double r = middle ? variance : grid.autocovariance(e, pairs, k);
			squares += variance > 0 ? (middle ? 1 : 2) * r * r / (variance * variance) : 0;
			for (int a = 0; a < p; a++) grid.add(filtered[a], middle ? r / 2 : r, m[a], grid.step(k));
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

	/**
	 * A grid whose lines along each dimension but the last one are followed by zeros, as many as the largest displacement. So the pixels at a displacement
	 * are one step away in the array, and sums need no conditions.
	 */
	private static final class Grid {

		/** The largest displacement along each dimension. */
		final int[] most;
		private final int[] size, strides;
		/** The number of values of a channel. */
		private final int length;

		Grid(final int[] size) {
			this.size = size;
			most = new int[size.length];
			strides = new int[size.length];
			int all = 1;
			for (int d = 0; d < size.length; d++) {
				most[d] = (int) Math.min(DISTANCE, SHARE * size[d]);
				strides[d] = all;
				all *= size[d] + (d < size.length - 1 ? most[d] : 0);
			}
			length = all;
		}

		/** A copy, channel after channel, with 0 where the weight is 0. */
		double[] counted(final double[] values, final double[] weights) {
			final double[] copy = new double[values.length / weights.length * length];
			for (int c = 0, from = 0; from < values.length; c += length)
				for (int row = 0; row < weights.length; row += size[0], from += size[0]) {
					int to = c;
					for (int d = 1, rest = row / size[0]; d < size.length; rest /= size[d++]) to += rest % size[d] * strides[d];
					for (int x = 0; x < size[0]; x++) copy[to + x] = weights[row + x] > 0 ? values[from + x] : 0;
				}
			return copy;
		}

		int step(final int[] displacement) {
			int step = 0;
			for (int d = 0; d < strides.length; d++) step += displacement[d] * strides[d];
			return step;
		}

		/** The sum of products of values that are a step apart, over all channels. */
		double products(final double[] a, final double[] b, final int step) {
			double sum = 0;
			for (int c = 0; c < a.length; c += length) sum += VectorProducts.dot(a, c, b, c + step, length - step);
			return sum;
		}

		/** Adds values that are a step away, times a factor, over all channels. */
		void add(final double[] to, final double factor, final double[] values, final int step) {
			for (int c = 0; c < to.length; c += length) for (int i = c; i < c + length - step; i++) to[i] += factor * values[i + step];
		}

		/** Of pixels whose weight is above 0. */
		Pairs pairs(final double[] weights) {
			final int[] first = size.clone(), end = new int[size.length];
			int count = 0, box = 1;
			for (int row = 0; row < weights.length; row += size[0]) {
				final int before = count;
				for (int x = 0; x < size[0]; x++) {
					if (!(weights[row + x] > 0)) continue;
					count++;
					first[0] = Math.min(first[0], x);
					end[0] = Math.max(end[0], x + 1);
				}
				for (int d = 1, rest = row / size[0]; d < size.length && count > before; rest /= size[d++]) {
					first[d] = Math.min(first[d], rest % size[d]);
					end[d] = Math.max(end[d], rest % size[d] + 1);
				}
			}
			for (int d = 0; d < size.length; d++) box *= Math.max(0, end[d] - first[d]);
			if (count == box) return k -> {
				double all = 1;
				for (int d = 0; d < k.length; d++) all *= Math.max(0, end[d] - first[d] - Math.abs(k[d]));
				return all;
			};
			final double[] ones = new double[weights.length];
			Arrays.fill(ones, 1);
			final double[] present = counted(ones, weights);
			return k -> products(present, present, step(k));
		}

		double autocovariance(final double[] e, final Pairs pairs, final int[] displacement) {
			final double count = pairs.at(displacement) * e.length / length;
			return count == 0 ? 0 : products(e, e, step(displacement)) / count;
		}
	}

	/** Counts the pairs of pixels with a residual at a displacement. */
	private interface Pairs {

		double at(int[] displacement);
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
