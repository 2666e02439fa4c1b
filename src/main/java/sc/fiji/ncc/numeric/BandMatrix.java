package sc.fiji.ncc.numeric;

import java.util.Arrays;
import java.util.Objects;

/**
 * A symmetric positive definite matrix whose elements far from the diagonal are 0, its Cholesky factor, and the elements of its inverse within the band (K.
 * Takahashi, J. Fagan and M. Chin 1973). Complexity for n rows and w elements beside the diagonal: {@code O(n·w²)}, memory {@code 16·n·w} bytes.
 */
public final class BandMatrix {

	private final int n, width;
	/** Column i holds the elements of the rows i to i + width, on and below the diagonal, and a 0. */
	private final double[][] columns;

	/**
	 * A matrix of zeros.
	 *
	 * @param n the number of rows
	 * @param width the largest distance of an element from the diagonal
	 */
	public BandMatrix(final int n, final int width) {
		this.n = n;
		this.width = Math.min(width, n - 1);
		columns = new double[n][this.width + 2];
	}

	/** A new matrix: this one times a factor. */
	public BandMatrix times(final double factor) {
		final BandMatrix product = new BandMatrix(n, width);
		for (int i = 0; i < n; i++) for (int k = 0; k <= width; k++) product.columns[i][k] = factor * columns[i][k];
		return product;
	}

	/**
	 * Adds to the element in row i and column j, and to that in row j and column i.
	 *
	 * @throws IndexOutOfBoundsException if the element does not lie within the band
	 */
	public void add(final int i, final int j, final double value) {
		columns[Math.min(i, j)][Objects.checkIndex(Math.abs(i - j), width + 1)] += value;
	}

	/**
	 * Replaces the matrix by its Cholesky factor.
	 *
	 * @throws ArithmeticException if the matrix is not positive definite
	 */
	public void factorize() {
		// two columns change the others together
		for (int i = 0; i < n; i += 2) {
			final double[] a = divided(i);
			if (i + 1 == n) break;
			add(columns[i + 1], 0, -a[1], a, 1, below(i));
			final double[] b = divided(i + 1);
			final int last = Math.min(width + 1, n - 1 - i);
			for (int k = 2; k <= last; k++) {
				final double p = a[k], q = b[k - 1];
				final double[] column = columns[i + k];
				for (int m = 0; m <= last - k; m++) column[m] -= p * a[k + m] + q * b[k - 1 + m];
			}
		}
	}

	/** Divides a column by the root of its element on the diagonal. */
	private double[] divided(final int i) {
		final double[] column = columns[i];
		if (!(column[0] > 0)) throw new ArithmeticException("the matrix is not positive definite: row " + i + " of " + n);
		final double root = Math.sqrt(column[0]);
		for (int k = 0; k <= width; k++) column[k] /= root;
		return column;
	}

	/** The number of rows of a column below the diagonal. */
	private int below(final int i) {
		return Math.min(width, n - 1 - i);
	}

	/** Solves for right sides, in place, after {@link #factorize}. Two of them take hardly more time than one, because neither waits for the other. */
	public void solve(final double[]... sides) {
		for (int s = 0; s < sides.length; s += 2) solve(sides[s], s + 1 < sides.length ? sides[s + 1] : new double[n]);
	}

	private void solve(final double[] x, final double[] y) {
		for (int i = 0; i < n; i++) {
			final double[] column = columns[i];
			final double p = x[i] /= column[0], q = y[i] /= column[0];
			for (int k = 1, below = below(i); k <= below; k++) {
				x[i + k] -= p * column[k];
				y[i + k] -= q * column[k];
			}
		}
		for (int i = n - 1; i >= 0; i--) {
			final double[] column = columns[i];
			final int below = below(i);
			// a single sum would wait for each addition
			double a = 0, b = 0, c = 0, d = 0;
			int k = 1;
			for (; k < below; k += 2) {
				a += column[k] * x[i + k];
				b += column[k] * y[i + k];
				c += column[k + 1] * x[i + k + 1];
				d += column[k + 1] * y[i + k + 1];
			}
			if (k == below) {
				a += column[k] * x[i + k];
				b += column[k] * y[i + k];
			}
			x[i] = (x[i] - a - c) / column[0];
			y[i] = (y[i] - b - d) / column[0];
		}
	}

	/** The elements of the inverse within the band, after {@link #factorize}. */
	public BandMatrix inverse() {
		final BandMatrix inverse = new BandMatrix(n, width);
		final double[] product = new double[width + 1];
		for (int j = n - 1; j >= 0; j--) {
			final double[] column = columns[j], result = inverse.columns[j];
			final int below = below(j);
			Arrays.fill(product, 0);
			// the columns behind, of which only the elements below the diagonal are stored
			for (int k = 1; k <= below; k++) {
				final double[] other = inverse.columns[j + k];
				product[k] += VectorProducts.dot(other, 0, column, k, below - k + 1);
				add(product, k + 1, column[k], other, 1, below - k);
			}
			double sum = 1 / column[0];
			for (int k = 1; k <= below; k++) {
				result[k] = -product[k] / column[0];
				sum -= column[k] * result[k];
			}
			result[0] = sum / column[0];
		}
		return inverse;
	}

	/** Adds values times a factor to a part of an array: C2 vectorises the loop. */
	private static void add(final double[] to, final int at, final double factor, final double[] values, final int from, final int count) {
		for (int k = 0; k < count; k++) to[at + k] += factor * values[from + k];
	}

	/** Whether an element lies within the band. */
	public boolean holds(final int i, final int j) {
		return Math.abs(i - j) <= width;
	}

	/** An element within the band. */
	public double get(final int i, final int j) {
		return columns[Math.min(i, j)][Math.abs(i - j)];
	}
}
