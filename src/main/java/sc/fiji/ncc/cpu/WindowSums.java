package sc.fiji.ncc.cpu;

import java.util.Arrays;

/**
 * Sums of values and of their squares over all windows of a tile, in one streaming pass over its rows.
 * <p>
 * Sliding: each new row is added to the columns' sums and the one that left the window is taken away, then a running sum along the row is
 * differenced; exact for whole numbers below 2^53, and otherwise off by about {@link #energy} times 2^-53 for each addition, whatever
 * the window holds. Summing anew: every window adds up its own pixels only, so that the error is relative to the window itself: width + height additions
 * in place of a few, for tiles in which a bright spot spoils the running sums.
 */
final class WindowSums {

	private final int width, height;
	private final double[][] values, squares;
	private final double[] column, columnSquares, running, runningSquares;
	private int lags;
	private boolean anew;
	private double energy;

	/**
	 * @param width the window's width
	 * @param height its height
	 * @param mostLags the widest row of lags
	 */
	WindowSums(final int width, final int height, final int mostLags) {
		this.width = width;
		this.height = height;
		final int columns = mostLags + width - 1;
		values = new double[height][columns];
		squares = new double[height][columns];
		column = new double[columns];
		columnSquares = new double[columns];
		running = new double[columns + 1];
		runningSquares = new double[columns + 1];
	}

	/** @param anew whether every window is summed anew */
	void begin(final int lags, final boolean anew) {
		this.lags = lags;
		this.anew = anew;
		energy = 0;
		// summing anew leaves something there
		running[0] = 0;
		runningSquares[0] = 0;
		final int columns = lags + width - 1;
		Arrays.fill(column, 0, columns, 0);
		Arrays.fill(columnSquares, 0, columns, 0);
		for (int j = 0; j < height; j++) {
			Arrays.fill(values[j], 0, columns, 0);
			Arrays.fill(squares[j], 0, columns, 0);
		}
	}

	/** Where row {@code r} goes: to be filled with the sum over the template's planes of its values, before {@link #rowDone}. */
	double[] rowValues(final int r) {
		if (!anew && r >= height) subtract(column, values[r % height], lags + width - 1);
		return values[r % height];
	}

	/** As {@link #rowValues}, for the squares. */
	double[] rowSquares(final int r) {
		if (!anew && r >= height) subtract(columnSquares, squares[r % height], lags + width - 1);
		return squares[r % height];
	}

	void rowDone(final int r) {
		if (anew) return;
		add(column, values[r % height], lags + width - 1);
		add(columnSquares, squares[r % height], lags + width - 1);
	}

	/** The sums of the windows whose last row was the last one added. */
	void finish(final double[] sum, final double[] sumOfSquares) {
		final int columns = lags + width - 1;
		if (anew) {
			column(values, column, columns);
			column(squares, columnSquares, columns);
			windows(column, sum);
			windows(columnSquares, sumOfSquares);
			return;
		}
		if (Vectors.USED) VectorRows.runningSums(column, columnSquares, running, runningSquares, columns);
		else runningSums(column, columnSquares, running, runningSquares, columns);
		energy = Math.max(energy, Math.abs(runningSquares[columns]));
		difference(running, width, sum, lags);
		difference(runningSquares, width, sumOfSquares, lags);
	}

	/** The greatest running sum of squares that the sums so far were differences of; 0 if they were summed anew. */
	double energy() {
		return energy;
	}

	private static void subtract(final double[] a, final double[] b, final int n) {
		for (int x = 0; x < n; x++) a[x] -= b[x];
	}

	private static void add(final double[] a, final double[] b, final int n) {
		for (int x = 0; x < n; x++) a[x] += b[x];
	}

	/** {@code to[x + 1] = a[0] + … + a[x]}, and the same for b: side by side, for speed. */
	private static void runningSums(final double[] a, final double[] b, final double[] toA, final double[] toB, final int n) {
		double p = 0, q = 0;
		for (int x = 0; x < n; x++) {
			p += a[x];
			q += b[x];
			toA[x + 1] = p;
			toB[x + 1] = q;
		}
	}

	private static void difference(final double[] running, final int width, final double[] to, final int n) {
		if (Vectors.USED) {
			VectorRows.differences(running, width, to, n);
			return;
		}
		System.arraycopy(running, width, to, 0, n);
		subtract(to, running, n);
	}

	private void column(final double[][] rows, final double[] to, final int columns) {
		Arrays.fill(to, 0, columns, 0);
		for (final double[] row : rows) add(to, row, columns);
	}

	private void windows(final double[] columns, final double[] to) {
		Arrays.fill(to, 0, lags, 0);
		for (int i = 0; i < width; i++) {
			System.arraycopy(columns, i, running, 0, lags);
			add(to, running, lags);
		}
	}
}
