package sc.fiji.ncc.cpu.window;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorSlidingSums;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * {@link WindowMoments} without a mask, in one streaming pass over the rows of a tile.
 * <p>
 * Running sums: each new row is added to the sums of the columns, and the row that left the window is subtracted; in three dimensions, planes are added
 * and subtracted first. Then a window slides along the row. The sums are exact for whole numbers below 2^53. Otherwise each addition has an error of about
 * 2^-53 of the values that were added, whatever the window holds.
 * <p>
 * Independent sums: every window adds up only its own pixels, so the error is relative to the window itself. They serve tiles in which a bright spot
 * spoils the running sums. A column is added up in blocks, a row from pieces of 1, 2, 4, … columns, so that few additions follow one another.
 * <p>
 * Equal pixels round alike, so the errors of additions add up. Both estimates therefore grow with the number of additions, not with its root. They are
 * bounds: for each addition, energy and squared sum have an error of at most one eps of the greatest partial sum, the squared sum twice.
 */
public final class WindowSums extends StreamedMoments implements WindowMoments.Error {

	/** The number of rows that are added up before they are added to a column's sum. */
	private static final int ROWS = 16;
	/** The minimum number of additions in an estimate. */
	private static final int MIN_ADDITIONS = 42;
	/** The number of 16-bit pixels whose sum of squares stays below 2^53. */
	private static final long WHOLE_PIXELS = 1L << 21;

	private final boolean independent;
	/** The limit of independent sums. */
	private final double limit;
	/** The rows of the current window. {@code squares}: their squares, only where a row is the sum of several planes. */
	private final double[][] values, squares;
	/** The next row. It changes places with the row that leaves the window. */
	private double[] value, square;
	private final double[] column, columnSquares, plane;
	/** For independent sums: sums of some rows; sums of 2^k columns, and the same sums shifted. */
	private final double[] block, blockSquares, run, moved;
	/** In three dimensions: each row summed over the planes of a window, from one z to the next. */
	private final double[][] planeSums, planeSquares;
	/** The error of the energies so far, in eps. */
	private double error;

	/**
	 * @param maxLags the maximum number of lags of a tile along x, y and z
	 * @param independent whether every window is summed independently
	 */
	public WindowSums(final TemplatePlanes planes, final int[] maxLags, final boolean independent) {
		super(planes);
		this.independent = independent;
		final int columns = maxLags[0] + width - 1;
		final double[][] rows = Rows.doubles(5 + (planes.count > 1 ? 2 : 1) * height, columns + 1);
		value = rows[0];
		square = rows[1];
		column = rows[2];
		columnSquares = rows[3];
		plane = rows[4];
		values = Arrays.copyOfRange(rows, 5, 5 + height);
		squares = planes.count > 1 ? Arrays.copyOfRange(rows, 5 + height, rows.length) : null;
		final double[][] buffers = Rows.doubles(4, independent ? columns : 0);
		block = buffers[0];
		blockSquares = buffers[1];
		run = buffers[2];
		moved = buffers[3];
		final int additions = planes.count + Math.min(height, ROWS) + height / ROWS + 2 * (32 - Integer.numberOfLeadingZeros(width));
		limit = independent ? Tolerance.RESPONSE / (Math.max(16, 1.5 * additions) * Tolerance.EPS_DOUBLE) : Double.POSITIVE_INFINITY;
		final boolean moves = planes.count > 1 && maxLags[2] > 1;
		planeSums = moves ? Rows.doubles(maxLags[1] + height - 1, columns) : null;
		planeSquares = moves ? Rows.doubles(maxLags[1] + height - 1, columns) : null;
	}

	@Override
	public void begin(final TileInput tile) {
		super.begin(tile);
		error = 0;
	}

	@Override
	void begin(final int z) {
		Arrays.fill(column, 0, columns, 0);
		Arrays.fill(columnSquares, 0, columns, 0);
	}

	@Override
	void add(final int z, final int row, final int y0, final int y1) {
		if (squares == null && !independent && readers[z].slidesFloats(scale)) {
			// rows that leave the window are read again rather than stored: as floats they take half the memory
			readers[z].slide(row, row < height ? -1 : row - height, scale, column, columnSquares);
			return;
		}
		if (squares == null) readers[z].row(row, scale, value);
		else addPlanes(z, row);
		final int slot = row % height;
		if (!independent) slideDown(row, slot);
		final double[] v = values[slot];
		values[slot] = value;
		value = v;
		if (squares == null) return;
		final double[] q = squares[slot];
		squares[slot] = square;
		square = q;
	}

	/** Sums a row over the planes of a window. */
	private void addPlanes(final int z, final int row) {
		if (z == 0 || planeSums == null) {
			for (int p = 0; p < planes.count; p++) {
				readers[z + p].row(row, scale, p == 0 ? value : plane);
				if (p == 0) Rows.square(value, square, columns);
				else Rows.addWithSquares(plane, value, square, columns);
			}
		}
		else {
			System.arraycopy(planeSums[row], 0, value, 0, columns);
			System.arraycopy(planeSquares[row], 0, square, 0, columns);
			readers[z - 1].row(row, scale, plane);
			Rows.subtractWithSquares(plane, value, square, columns);
			readers[z + planes.count - 1].row(row, scale, plane);
			Rows.addWithSquares(plane, value, square, columns);
		}
		if (planeSums == null) return;
		System.arraycopy(value, 0, planeSums[row], 0, columns);
		System.arraycopy(square, 0, planeSquares[row], 0, columns);
	}

	/** Moves the sums of the columns one row down. */
	private void slideDown(final int row, final int slot) {
		if (squares == null) {
			if (row < height) Rows.addWithSquares(value, column, columnSquares, columns);
			else Rows.slideWithSquares(value, values[slot], column, columnSquares, columns);
		}
		else if (row < height) {
			Rows.add(column, value, columns);
			Rows.add(columnSquares, square, columns);
		}
		else {
			Rows.slide(column, value, values[slot], columns);
			Rows.slide(columnSquares, square, squares[slot], columns);
		}
	}

	@Override
	void finish(final int z, final int y, final double[] sum, final double[] sumOfSquares) {
		if (independent) {
			sumRows();
			sumColumns(column, sum);
			sumColumns(columnSquares, sumOfSquares);
			return;
		}
		if (Vectors.USED) VectorSlidingSums.slide(column, columnSquares, width, sum, sumOfSquares, lags);
		else slide(column, columnSquares, width, sum, sumOfSquares, lags);
		if (scale.whole && (long) width * height * planes.count <= WHOLE_PIXELS) return;
		double max = sumOfSquares[lags - 1], total = max;
		for (int x = 0; x < lags; x += width) {
			final double energy = sumOfSquares[x];
			// faster than Math.max; NaN stays in the total
			if (energy > max) max = energy;
			total += energy;
		}
		// two of these windows cover any window; along the row each partial sum counts, and their sum is width times the total
		final double alongRow = Math.min((double) lags * max, width * total);
		error = Math.max(error, 2 * max * (MIN_ADDITIONS + y + height + 2.0 * z) + alongRow);
	}

	@Override
	public Error error() {
		return this;
	}

	@Override
	public double floor() {
		return 3 * error * (Tolerance.EPS_DOUBLE / Tolerance.RESPONSE);
	}

	@Override
	public double limit() {
		return limit;
	}

	/** Sums over {@code width} columns, in two halves at a time: an addition does not wait for that of the other half. */
	private static void slide(final double[] a, final double[] b, final int width, final double[] toA, final double[] toB, final int n) {
		final int half = n / 2;
		double p = sum(a, 0, width), q = sum(b, 0, width), r = sum(a, half, width), s = sum(b, half, width);
		if (half > 0) {
			toA[0] = p;
			toB[0] = q;
			toA[half] = r;
			toB[half] = s;
		}
		for (int x = 1; x < half; x++) {
			final int y = half + x;
			p += a[x + width - 1] - a[x - 1];
			q += b[x + width - 1] - b[x - 1];
			r += a[y + width - 1] - a[y - 1];
			s += b[y + width - 1] - b[y - 1];
			toA[x] = p;
			toB[x] = q;
			toA[y] = r;
			toB[y] = s;
		}
		if (n % 2 == 1) {
			toA[n - 1] = sum(a, n - 1, width);
			toB[n - 1] = sum(b, n - 1, width);
		}
	}

	private static double sum(final double[] a, final int from, final int n) {
		double p = 0, q = 0, r = 0, s = 0;
		int x = from;
		for (; x + 4 <= from + n; x += 4) {
			p += a[x];
			q += a[x + 1];
			r += a[x + 2];
			s += a[x + 3];
		}
		for (; x < from + n; x++) p += a[x];
		return p + q + (r + s);
	}

	private void sumRows() {
		Arrays.fill(column, 0, columns, 0);
		Arrays.fill(columnSquares, 0, columns, 0);
		for (int from = 0; from < height; from += ROWS) {
			final int until = Math.min(height, from + ROWS);
			if (from == 0 && until == height) sumRows(from, until, column, columnSquares);
			else {
				Arrays.fill(block, 0, columns, 0);
				Arrays.fill(blockSquares, 0, columns, 0);
				sumRows(from, until, block, blockSquares);
				Rows.add(column, block, columns);
				Rows.add(columnSquares, blockSquares, columns);
			}
		}
	}

	private void sumRows(final int from, final int until, final double[] sum, final double[] sumOfSquares) {
		for (int i = from; i < until; i++) {
			if (squares == null) Rows.addWithSquares(values[i], sum, sumOfSquares, columns);
			else {
				Rows.add(sum, values[i], columns);
				Rows.add(sumOfSquares, squares[i], columns);
			}
		}
	}

	private void sumColumns(final double[] columnSums, final double[] to) {
		System.arraycopy(columnSums, 0, run, 0, columns);
		Arrays.fill(to, 0, lags, 0);
		int at = 0, n = columns;
		for (int length = 1;; length <<= 1) {
			if ((width & length) != 0) {
				System.arraycopy(run, at, moved, 0, lags);
				Rows.add(to, moved, lags);
				at += length;
			}
			if (2 * length > width) return;
			n -= length;
			System.arraycopy(run, length, moved, 0, n);
			Rows.add(run, moved, n);
		}
	}
}
