package sc.fiji.ncc.numeric;

import java.util.Arrays;

/**
 * A symmetric positive definite matrix whose elements far from the diagonal are 0, its Cholesky factor, and the elements of its inverse within the band (K.
 * Takahashi, J. Fagan and M. Chin 1973). Complexity for n rows and w elements beside the diagonal: {@code O(n·w²)}, memory {@code 16·n·w} bytes.
 */
public final class BandMatrix {

	private final int n, width;
	/** Row i holds the elements of the columns i − width to i. */
	private final double[][] lower;

	/**
	 * A matrix of zeros.
	 *
	 * @param n the number of rows
	 * @param width the largest distance of an element from the diagonal
	 */
	public BandMatrix(final int n, final int width) {
		this.n = n;
		this.width = Math.min(width, n - 1);
		lower = new double[n][this.width + 1];
	}

	/** Adds to the element in row i and column j, and to that in row j and column i. */
	public void add(final int i, final int j, final double value) {
		lower[Math.max(i, j)][width - Math.abs(i - j)] += value;
	}

	/**
	 * Replaces the matrix by its Cholesky factor.
	 *
	 * @throws ArithmeticException if the matrix is not positive definite
	 */
	public void factorize() {
		final double[] column = new double[width];
		for (int i = 0; i < n; i++) {
			if (!(lower[i][width] > 0)) throw new ArithmeticException("the matrix is not positive definite: row " + i + " of " + n);
			final double pivot = Math.sqrt(lower[i][width]);
			lower[i][width] = pivot;
			final int below = Math.min(width, n - 1 - i);
			for (int k = 0; k < below; k++) column[k] = lower[i + 1 + k][width - 1 - k] /= pivot;
			for (int k = 0; k < below; k++) add(lower[i + 1 + k], width - k, -column[k], column, k + 1);
		}
	}

	/** Solves for a right side, in place, after {@link #factorize}. */
	public void solve(final double[] x) {
		for (int i = 0; i < n; i++) {
			final int first = Math.max(0, i - width);
			x[i] = (x[i] - VectorProducts.dot(lower[i], width - i + first, x, first, i - first)) / lower[i][width];
		}
		for (int i = n - 1; i >= 0; i--) {
			x[i] /= lower[i][width];
			final double[] row = lower[i];
			final double value = x[i];
			for (int k = Math.max(0, i - width); k < i; k++) x[k] -= row[width - i + k] * value;
		}
	}

	/** The elements of the inverse within the band, after {@link #factorize}. */
	public BandMatrix inverse() {
		final BandMatrix inverse = new BandMatrix(n, width);
		final double[] column = new double[width + 1], product = new double[width + 1];
		for (int j = n - 1; j >= 0; j--) {
			final int last = Math.min(n - 1, j + width);
			for (int k = j; k <= last; k++) column[k - j] = lower[k][width - k + j];
			Arrays.fill(product, 0);
			// the rows below, of which only the elements before the diagonal are stored
			for (int i = j + 1; i <= last; i++) {
				final double[] row = inverse.lower[i];
				final int first = width - i + j + 1, before = i - j - 1;
				product[i - j] += VectorProducts.dot(row, first, column, 1, before) + row[width] * column[i - j];
				for (int k = 0; k < before; k++) product[k + 1] += column[i - j] * row[first + k];
			}
			double sum = 1 / column[0];
			for (int i = j + 1; i <= last; i++) {
				final double element = -product[i - j] / column[0];
				inverse.lower[i][width - i + j] = element;
				sum -= column[i - j] * element;
			}
			inverse.lower[j][width] = sum / column[0];
		}
		return inverse;
	}

	/** Adds values times a factor to a part of a row: C2 vectorises the loop. */
	private static void add(final double[] row, final int from, final double factor, final double[] values, final int count) {
		for (int k = 0; k < count; k++) row[from + k] += factor * values[k];
	}

	/** Whether an element lies within the band. */
	public boolean holds(final int i, final int j) {
		return Math.abs(i - j) <= width;
	}

	/** An element within the band. */
	public double get(final int i, final int j) {
		return i >= j ? lower[i][width - i + j] : lower[j][width - j + i];
	}
}
