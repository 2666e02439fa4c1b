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
	/** A smaller pivot means that the parameters are not determined: of a matrix of doubles, and of sums of floats, which have larger errors. */
	private static final double SINGULAR = 1e-9, SINGULAR_FLOATS = 1e-6;

	private final PaddedGrid grid;
	private final int n, channels, parameters;
	/** The largest displacement along each dimension. */
	private final int[] most;
	private final float[] moved, products, half, ones;
	private final float[][] filtered;

	/**
	 * For several residuals on a grid. Only one thread may use an object.
	 *
	 * @param parameters their number
	 */
	public ResidualCovariance(final PaddedGrid grid, final int channels, final int parameters) {
		this.grid = grid;
		this.channels = channels;
		this.parameters = parameters;
		n = grid.size().length;
		most = Arrays.stream(grid.size()).map(s -> (int) Math.min(DISTANCE, SHARE * s)).toArray();
		moved = new float[channels * grid.length()];
		products = new float[moved.length];
		half = new float[moved.length];
		ones = new float[grid.size()[0]];
		Arrays.fill(ones, 1);
		filtered = new float[parameters][moved.length];
	}

	/**
	 * Complexity: the number of pixels times the number of displacements at which the residual is correlated.
	 *
	 * @param inverse the inverse of J
	 * @param m the moments of each parameter, channel after channel, each on the grid: 0 in the padding, and for pixels without moments
	 * @param e the residual, likewise
	 * @param present 1 for a pixel with a residual and 0 for others, also in the padding, of at least one channel
	 */
	public double[][] of(final double[][] inverse, final float[][] m, final float[] e, final float[] present) {
		final Pairs pairs = pairs(present);
		final double values = channels * pairs.at(new int[n]);
		final int[] extent = new int[n], k = new int[n];
		final double[][] axes = new double[n][];
		final double variance = autocovariance(e, pairs, k);
		int displacements = 1;
		for (int d = 0; d < n; d++) {
			axes[d] = new double[most[d] + 1];
			for (; extent[d] < most[d]; extent[d]++) {
				k[d] = extent[d] + 1;
				axes[d][k[d]] = autocovariance(e, pairs, k);
				if (!(Math.abs(axes[d][k[d]]) > UNCORRELATED * variance)) break;
			}
			k[d] = 0;
			displacements *= 2 * extent[d] + 1;
		}
		// the moments, weighted by the autocorrelation at all displacements after the one in the middle, and half of that one
		for (final float[] f : filtered) Arrays.fill(f, 0);
		double squares = 0;
		for (int i = displacements / 2; i < displacements; i++) {
			int axis = -1, along = 0;
			for (int d = 0, rest = i; d < n; d++) {
				k[d] = rest % (2 * extent[d] + 1) - extent[d];
				rest /= 2 * extent[d] + 1;
				if (k[d] == 0) continue;
				axis = d;
				along++;
			}
			final boolean middle = along == 0;
			final double r = middle ? variance : along == 1 ? axes[axis][k[axis]] : autocovariance(e, pairs, k);
			final double part = variance > 0 ? r / variance : 0;
			squares += (middle ? 1 : 2) * part * part;
			for (int a = 0; a < parameters; a++) VectorProducts.add(filtered[a], moved(m[a], k), (float) (middle ? part / 2 : part));
		}
		double[][] s = new double[parameters][parameters];
		for (int a = 0; a < parameters; a++) for (int b = 0; b < parameters; b++) {
			final double sum = variance * product(m[a], filtered[b]);
			s[a][b] += sum;
			// the opposite displacements
			s[b][a] += sum;
		}
		if (inverseOfFloats(s) == null)
			for (int a = 0; a < parameters; a++) for (int b = 0; b < parameters; b++) s[a][b] = variance * product(m[a], m[b]);
		// brightness, contrast and the parameters are fitted. That takes away low frequencies, which correlated noise has most of
		final double fitted = (parameters + 1 + channels) * Math.max(1, displacements / 2.0);
		final double enlarged = values / Math.max(values / 2, values - fitted) * fewValues(values / Math.max(1, squares));
		final double[][] covariance = around(inverse, s);
		for (final double[] row : covariance) for (int i = 0; i < parameters; i++) row[i] *= enlarged;
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

	/** The values at a displacement from each pixel; 0 beyond the grid. */
	private float[] moved(final float[] values, final int[] displacement) {
		final int length = grid.length();
		int step = 0;
		for (int d = 0; d < n; d++) step += displacement[d] * grid.strides()[d];
		for (int c = 0; c < moved.length; c += length) {
			System.arraycopy(values, c + step, moved, c, length - step);
			Arrays.fill(moved, c + length - step, c + length, 0);
		}
		return moved;
	}

	/** Counts the pairs of pixels with a residual, in a box from the first to the last pixel, or one by one if these are not in a box. */
	private Pairs pairs(final float[] present) {
		final int length = grid.length();
		final float[] all = Arrays.copyOf(present, length);
		int first = 0, last = length - 1;
		while (first < length && all[first] == 0) first++;
		while (last > first && all[last] == 0) last--;
		final int[] box = new int[n];
		int volume = 1;
		for (int d = 0; d < n; d++) {
			final int stride = grid.strides()[d], padded = d == n - 1 ? Integer.MAX_VALUE : grid.strides()[d + 1] / stride;
			box[d] = last / stride % padded - first / stride % padded + 1;
			volume *= Math.max(0, box[d]);
		}
		boolean full = first < length && volume > 0;
		for (int l = 0; l < (full ? volume / box[0] : 0); l++) {
			int at = first;
			for (int d = 1, rest = l; d < n; rest /= box[d++]) at += rest % box[d] * grid.strides()[d];
			full &= Arrays.equals(all, at, at + box[0], ones, 0, box[0]);
		}
		if (full && VectorProducts.sum(all, length, half) == volume) return k -> {
			double pairs = 1;
			for (int d = 0; d < n; d++) pairs *= Math.max(0, box[d] - Math.abs(k[d]));
			return pairs;
		};
		final float[] one = Arrays.copyOf(Arrays.copyOf(present, length), moved.length);
		return k -> product(one, moved(one, k));
	}

	private double product(final float[] a, final float[] b) {
		return VectorProducts.dot(a, b, products, half);
	}

	private double autocovariance(final float[] e, final Pairs pairs, final int[] displacement) {
		final double count = channels * pairs.at(displacement);
		return count == 0 ? 0 : product(e, moved(e, displacement)) / count;
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
		return inverse(matrix, SINGULAR);
	}

	/** The same for a matrix of sums of floats. */
	public static double[][] inverseOfFloats(final double[][] matrix) {
		return inverse(matrix, SINGULAR_FLOATS);
	}

	private static double[][] inverse(final double[][] matrix, final double least) {
		final int p = matrix.length;
		final double[][] a = new double[p][];
		for (int i = 0; i < p; i++) a[i] = matrix[i].clone();
		// a column that is eliminated is replaced by that of the inverse
		for (int i = 0; i < p; i++) {
			final double pivot = a[i][i];
			if (!(pivot > least * Math.abs(matrix[i][i]))) return null;
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
