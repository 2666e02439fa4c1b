package sc.fiji.ncc.cpu.window;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * {@link WindowMoments} without a mask, in one streaming pass over the rows of a tile.
 * <p>
 * Sliding: each new row is added to the sums of the columns and the one that left the window is taken away, in three dimensions the same with planes
 * before; then a window slides along the row. Exact for whole numbers below 2^53, and otherwise off by about 2^-53 of what passed through for
 * each addition, whatever the window holds. Summing anew: every window adds up its own pixels only, so that the error is relative to the window
 * itself, for tiles in which a bright spot spoils the running sums. A column is added up in blocks, a row from pieces of 1, 2, 4, … columns: few additions one
 * after the other.
 * <p>
 * Equal pixels round alike, so that the errors of additions add up. Both estimates therefore grow with the number of additions, not with its root. They are
 * bounds: the energy and the squared sum err by at most an eps of the greatest partial sum for each addition, the squared sum twice.
 */
public final class WindowSums implements WindowMoments {

	/** Rows that are added up before they are added to a column's sum. */
	private static final int ROWS = 16;
	/** Additions that an estimate counts at least. */
	private static final int FEW = 42;
	/** Pixels of 16 bits whose sums of squares stay below 2^53. */
	private static final long WHOLE_PIXELS = 1L << 21;

	private final TemplatePlanes planes;
	private final int width, height;
	private final boolean anew;
	/** Of sums anew. */
	private final double limit;
	/** The last rows, those of a window; their squares where a row sums up those of several planes. */
	private final double[][] values, squares;
	/** The next row, which changes places with the one that leaves. */
	private double[] value, square;
	private final double[] column, columnSquares, plane;
	/** Of sums anew: of some rows; of 2^k columns, and such moved. */
	private final double[] block, blockSquares, run, moved;
	/** In three dimensions each row summed over the planes of a window, while a tile goes from one z to the next. */
	private final double[][] along, alongSquares;
	private TileReader[] readers;
	private TileScale scale;
	private int lags, columns;
	private int z;
	/** The error of the energies so far, in eps. */
	private double error;

	/**
	 * @param maxLags the most lags of a tile along x, y and z
	 * @param anew whether every window is summed anew
	 */
	public WindowSums(final TemplatePlanes planes, final int[] maxLags, final boolean anew) {
		this.planes = planes;
		this.anew = anew;
		width = planes.width;
		height = planes.height;
		final int columns = maxLags[0] + width - 1;
		values = Rows.doubles(height, columns + 1);
		squares = planes.count > 1 ? Rows.doubles(height, columns + 1) : null;
		final double[][] rows = Rows.doubles(5, columns + 1);
		value = rows[0];
		square = rows[1];
		column = rows[2];
		columnSquares = rows[3];
		plane = rows[4];
		final double[][] parts = Rows.doubles(4, anew ? columns : 0);
		block = parts[0];
		blockSquares = parts[1];
		run = parts[2];
		moved = parts[3];
		final int additions = planes.count + Math.min(height, ROWS) + height / ROWS + 2 * (32 - Integer.numberOfLeadingZeros(width));
		limit = anew ? Tolerance.RESPONSE / (Math.max(16, 1.5 * additions) * Tolerance.EPS_DOUBLE) : Double.POSITIVE_INFINITY;
		final boolean moves = planes.count > 1 && maxLags[2] > 1;
		along = moves ? Rows.doubles(maxLags[1] + height - 1, columns) : null;
		alongSquares = moves ? Rows.doubles(maxLags[1] + height - 1, columns) : null;
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		this.readers = readers;
		this.scale = scale;
		lags = lagsX;
		columns = lagsX + width - 1;
		z = -1;
		error = 0;
	}

	private void begin(final int z) {
		this.z = z;
		Arrays.fill(column, 0, columns, 0);
		Arrays.fill(columnSquares, 0, columns, 0);
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
		if (z != this.z) begin(z);
		if (squares == null && !anew && readers[z].exchangesFloats(scale)) {
			// what left the window is read again rather than kept: as floats it takes half the memory
			readers[z].exchange(row, row < height ? -1 : row - height, scale, column, columnSquares);
			return;
		}
		if (squares == null) readers[z].row(row, scale, value);
		else addPlanes(z, row);
		final int slot = row % height;
		if (!anew) slideDown(row, slot);
		final double[] v = values[slot];
		values[slot] = value;
		value = v;
		if (squares == null) return;
		final double[] q = squares[slot];
		squares[slot] = square;
		square = q;
	}

	/** The row of all planes of a window. */
	private void addPlanes(final int z, final int row) {
		if (z == 0 || along == null) {
			for (int p = 0; p < planes.count; p++) {
				readers[z + p].row(row, scale, p == 0 ? value : plane);
				if (p == 0) Rows.square(value, square, columns);
				else Rows.addWithSquares(plane, value, square, columns);
			}
		}
		else {
			System.arraycopy(along[row], 0, value, 0, columns);
			System.arraycopy(alongSquares[row], 0, square, 0, columns);
			readers[z - 1].row(row, scale, plane);
			Rows.subtractWithSquares(plane, value, square, columns);
			readers[z + planes.count - 1].row(row, scale, plane);
			Rows.addWithSquares(plane, value, square, columns);
		}
		if (along == null) return;
		System.arraycopy(value, 0, along[row], 0, columns);
		System.arraycopy(square, 0, alongSquares[row], 0, columns);
	}

	/** From the sums of the columns to those one row further down. */
	private void slideDown(final int row, final int slot) {
		if (squares == null) {
			if (row < height) Rows.addWithSquares(value, column, columnSquares, columns);
			else Rows.exchangeWithSquares(value, values[slot], column, columnSquares, columns);
		}
		else if (row < height) {
			Rows.add(column, value, columns);
			Rows.add(columnSquares, square, columns);
		}
		else {
			Rows.exchange(column, value, values[slot], columns);
			Rows.exchange(columnSquares, square, squares[slot], columns);
		}
	}

	@Override
	public void finish(final int z, final int y, final double[] sum, final double[] sumOfSquares) {
		if (anew) {
			sumRows();
			sumColumns(column, sum);
			sumColumns(columnSquares, sumOfSquares);
			return;
		}
		if (Vectors.USED) VectorRows.slide(column, columnSquares, width, sum, sumOfSquares, lags);
		else slide(column, columnSquares, width, sum, sumOfSquares, lags);
		if (scale.whole && (long) width * height * planes.count <= WHOLE_PIXELS) return;
		double most = sumOfSquares[lags - 1], passed = most;
		for (int x = 0; x < lags; x += width) {
			most = Math.max(most, sumOfSquares[x]);
			passed += sumOfSquares[x];
		}
		// any window is covered by two of these; along the row each partial sum counts, and all of them sum up to width times what passed
		final double alongRow = Math.min((double) lags * most, width * passed);
		error = Math.max(error, 2 * most * (FEW + y + height + 2.0 * z) + alongRow);
	}

	@Override
	public double floor() {
		return 3 * error * (Tolerance.EPS_DOUBLE / Tolerance.RESPONSE);
	}

	@Override
	public double limit() {
		return limit;
	}

	/** Sums over {@code width} columns, in two halves at a time: one addition need not wait for that of the other half. */
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
