package sc.fiji.ncc.stitch;

/**
 * A symmetric positive definite matrix whose elements far from the diagonal are 0, its Cholesky factor, and the elements of its inverse within the band (K.
 * Takahashi, J. Fagan and M. Chin 1973). Complexity for n rows and w elements beside the diagonal: {@code O(n·w²)}, memory {@code 16·n·w} bytes.
 */
final class BandMatrix {

	private final int n, width;
	/** Row i holds the elements of the columns i − width to i. */
	private final double[][] lower;

	BandMatrix(final int n, final int width) {
		this.n = n;
		this.width = Math.min(width, n - 1);
		lower = new double[n][this.width + 1];
	}

	/** Adds to the element in row i and column j, and to that in row j and column i. */
	void add(final int i, final int j, final double value) {
		lower[Math.max(i, j)][width - Math.abs(i - j)] += value;
	}

	/** Replaces the matrix by its Cholesky factor. */
	void factorize() {
		for (int i = 0; i < n; i++) {
			final double[] row = lower[i];
			for (int j = Math.max(0, i - width); j <= i; j++) {
				final double[] other = lower[j];
				double sum = row[width - i + j];
				for (int k = Math.max(0, i - width); k < j; k++) sum -= row[width - i + k] * (k >= j - width ? other[width - j + k] : 0);
				if (j < i) row[width - i + j] = sum / other[width];
				else if (sum > 0) row[width] = Math.sqrt(sum);
				else throw new ArithmeticException("the positions of the tiles are not determined: row " + i + " of " + n);
			}
		}
	}

	/** Solves for a right side, in place, after {@link #factorize}. */
	void solve(final double[] x) {
		for (int i = 0; i < n; i++) {
			for (int k = Math.max(0, i - width); k < i; k++) x[i] -= lower[i][width - i + k] * x[k];
			x[i] /= lower[i][width];
		}
		for (int i = n - 1; i >= 0; i--) {
			x[i] /= lower[i][width];
			for (int k = Math.max(0, i - width); k < i; k++) x[k] -= lower[i][width - i + k] * x[i];
		}
	}

	/** The elements of the inverse within the band, after {@link #factorize}. */
	BandMatrix inverse() {
		final BandMatrix inverse = new BandMatrix(n, width);
		final double[] column = new double[width + 1];
		for (int j = n - 1; j >= 0; j--) {
			final int last = Math.min(n - 1, j + width);
			for (int k = j; k <= last; k++) column[k - j] = lower[k][width - k + j];
			for (int i = last; i >= j; i--) {
				double sum = i == j ? 1 / column[0] : 0;
				for (int k = j + 1; k <= last; k++) sum -= column[k - j] * inverse.get(i, k);
				inverse.lower[i][width - i + j] = sum / column[0];
			}
		}
		return inverse;
	}

	/** Whether an element lies within the band. */
	boolean holds(final int i, final int j) {
		return Math.abs(i - j) <= width;
	}

	/** An element within the band. */
	double get(final int i, final int j) {
		return i >= j ? lower[i][width - i + j] : lower[j][width - j + i];
	}
}
