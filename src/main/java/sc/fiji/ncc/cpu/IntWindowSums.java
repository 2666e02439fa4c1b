package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.plan.PixelType;

/** {@link WindowSums} of 8-bit pixels in 32-bit whole numbers: exact, half the memory, and an addition does not wait for the last one. */
final class IntWindowSums implements WindowMoments {

	private final TemplatePlanes planes;
	private final int width, height;
	/** The last rows, those of a window. */
	private final int[][] values, squares;
	/** The next row, which changes places with the one that leaves. */
	private int[] value, square;
	private final int[] column, columnSquares, plane, running, runningSquares;
	/** In three dimensions each row summed over the planes of a window, while a tile goes from one z to the next. */
	private final int[][] along, alongSquares;
	private TileReader[] readers;
	private TileScale scale;
	private int lags, columns;
	private int z;

	/** Whether no sum overflows: squares of differences of 8-bit values stay below 2^16. */
	static boolean holds(final PixelType image, final long pixels) {
		return image.bytes == 1 && pixels <= Integer.MAX_VALUE / 65025;
	}

	/** @param mostLags the most lags of a tile along x, y and z */
	IntWindowSums(final TemplatePlanes planes, final int[] mostLags) {
		this.planes = planes;
		width = planes.width;
		height = planes.height;
		final int columns = mostLags[0] + width - 1;
		final int[][] rows = Rows.ints(2 * height + 5, columns + 1);
		values = Arrays.copyOfRange(rows, 0, height);
		squares = Arrays.copyOfRange(rows, height, 2 * height);
		value = rows[2 * height];
		square = rows[2 * height + 1];
		column = rows[2 * height + 2];
		columnSquares = rows[2 * height + 3];
		plane = rows[2 * height + 4];
		running = new int[Vectors.USED ? columns + 1 : 0];
		runningSquares = new int[running.length];
		final boolean moves = planes.count > 1 && mostLags[2] > 1;
		along = moves ? Rows.ints(mostLags[1] + height - 1, columns) : null;
		alongSquares = moves ? Rows.ints(mostLags[1] + height - 1, columns) : null;
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
	}

	private void begin(final int z) {
		this.z = z;
		Arrays.fill(column, 0, columns, 0);
		Arrays.fill(columnSquares, 0, columns, 0);
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
		if (z != this.z) begin(z);
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
		if (along != null) {
			System.arraycopy(value, 0, along[row], 0, columns);
			System.arraycopy(square, 0, alongSquares[row], 0, columns);
		}
		final int slot = row % height;
		if (row < height) {
			Rows.add(column, value, columns);
			Rows.add(columnSquares, square, columns);
		}
		else {
			Rows.exchange(column, value, values[slot], columns);
			Rows.exchange(columnSquares, square, squares[slot], columns);
		}
		final int[] v = values[slot], q = squares[slot];
		values[slot] = value;
		squares[slot] = square;
		value = v;
		square = q;
	}

	@Override
	public void finish(final int z, final int y, final double[] sum, final double[] sumOfSquares) {
		if (Vectors.USED) {
			VectorRows.runningSums(column, columnSquares, running, runningSquares, columns);
			VectorRows.differences(running, width, sum, lags);
			VectorRows.differences(runningSquares, width, sumOfSquares, lags);
		}
		else slide(column, columnSquares, width, sum, sumOfSquares, lags);
	}

	@Override
	public double floor() {
		return 0;
	}

	private static void slide(final int[] a, final int[] b, final int width, final double[] toA, final double[] toB, final int n) {
		int p = 0, q = 0;
		for (int x = 0; x < width - 1; x++) {
			p += a[x];
			q += b[x];
		}
		for (int x = 0; x < n; x++) {
			p += a[x + width - 1];
			q += b[x + width - 1];
			toA[x] = p;
			toB[x] = q;
			p -= a[x];
			q -= b[x];
		}
	}
}
