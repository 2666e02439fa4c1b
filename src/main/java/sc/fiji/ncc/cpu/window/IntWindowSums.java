package sc.fiji.ncc.cpu.window;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorSlidingSums;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.PixelType;

/** {@link WindowSums} of 8-bit pixels in 32-bit whole numbers: exact, half the memory, and no addition waits for the previous one. */
public final class IntWindowSums extends StreamedMoments {

	/** The rows of the current window. {@code squares}: their squares, only where a row is the sum of several planes. */
	private final int[][] values, squares;
	/** The next row. It changes places with the row that leaves the window. */
	private int[] value, square;
	private final int[] column, columnSquares, plane;
	/** In three dimensions: each row summed over the planes of a window, from one z to the next. */
	private final int[][] planeSums, planeSquares;

	/** Whether the sum of squares of a window of 8-bit differences stays below 2^32. Intermediate sums may exceed this: they wrap around and back. */
	public static boolean fits(final PixelType image, final long pixels) {
		return image.bytes == 1 && pixels <= (1L << 32) / 65025;
	}

	/** @param maxLags the maximum number of lags of a tile along x, y and z */
	public IntWindowSums(final TemplatePlanes planes, final int[] maxLags) {
		super(planes);
		final int columns = maxLags[0] + width - 1;
		final int[][] rows = Rows.ints(5 + (planes.count > 1 ? 2 : 1) * height, columns + 1);
		value = rows[0];
		square = rows[1];
		column = rows[2];
		columnSquares = rows[3];
		plane = rows[4];
		values = Arrays.copyOfRange(rows, 5, 5 + height);
		squares = planes.count > 1 ? Arrays.copyOfRange(rows, 5 + height, rows.length) : null;
		final boolean moves = planes.count > 1 && maxLags[2] > 1;
		planeSums = moves ? Rows.ints(maxLags[1] + height - 1, columns) : null;
		planeSquares = moves ? Rows.ints(maxLags[1] + height - 1, columns) : null;
	}

	@Override
	void begin(final int z) {
		Arrays.fill(column, 0, columns, 0);
		Arrays.fill(columnSquares, 0, columns, 0);
	}

	@Override
	void add(final int z, final int row, final int y0, final int y1) {
		if (squares == null && readers[z].slidesBytes()) {
			// rows that leave the window are read again rather than stored: as bytes they take a quarter of the memory
			readers[z].slide(row, row < height ? -1 : row - height, scale, column, columnSquares);
			return;
		}
		if (squares == null) readers[z].row(row, scale, value);
		else addPlanes(z, row);
		final int slot = row % height;
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
		final int[] v = values[slot];
		values[slot] = value;
		value = v;
		if (squares == null) return;
		final int[] q = squares[slot];
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

	@Override
	void finish(final int z, final int y, final double[] sum, final double[] sumOfSquares) {
		if (Vectors.USED) VectorSlidingSums.slide(column, columnSquares, width, sum, sumOfSquares, lags);
		else slide(column, columnSquares, width, sum, sumOfSquares, lags);
	}

	/** Sums over {@code width} elements of {@code a}, and of {@code b} as unsigned numbers. */
	private static void slide(final int[] a, final int[] b, final int width, final double[] toA, final double[] toB, final int n) {
		int p = 0, q = Integer.MIN_VALUE;
		for (int x = 0; x < width - 1; x++) {
			p += a[x];
			q += b[x];
		}
		for (int x = 0; x < n; x++) {
			p += a[x + width - 1];
			q += b[x + width - 1];
			toA[x] = p;
			toB[x] = q + 0x1p31;
			p -= a[x];
			q -= b[x];
		}
	}
}
