package sc.fiji.ncc.cpu.window;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;

/**
 * {@link WindowSums} in pairs of doubles ({@link PairRows}), about 100 bits. A variance that is the difference of such sums is accurate for any distance
 * of the window's mean from the tile's reference.
 * <p>
 * Along x a window is the sum of pieces of 1, 2, 4, … columns, so nothing is ever subtracted there: log2(width) additions for each pixel.
 */
public final class PairWindowSums extends StreamedMoments implements WindowMoments.Error {

	/** The maximum rounding error, as a share of all energy that was added to the columns, with margin. */
	private static final double MAX_ERROR = 0x1p-90;

	private final boolean independent;
	/** The rows of the current window: sums over its planes, and their rounding errors. */
	private final double[][] values, valueLows, squares, squareLows;
	private final double[] plane;
	/** The sums of the columns. */
	private final double[] column, columnLow, columnSquare, columnSquareLow;
	/** Sums of 2^k columns, and the same sums shifted. */
	private final double[] run, runLow, moved, movedLow;
	/** The low-order parts of the row's sums and energies. */
	private final LowOrderParts low;
	private double energy;

	/**
	 * @param maxLags the maximum number of lags of a tile along x, y and z
	 * @param independent whether each window is summed independently along y, too
	 */
	public PairWindowSums(final TemplatePlanes planes, final int[] maxLags, final boolean independent) {
		super(planes);
		this.independent = independent;
		final int columns = maxLags[0] + width - 1;
		values = Rows.doubles(height, columns);
		valueLows = Rows.doubles(height, columns);
		squares = Rows.doubles(height, columns);
		squareLows = Rows.doubles(height, columns);
		final double[][] rows = Rows.doubles(9, columns);
		plane = rows[0];
		column = rows[1];
		columnLow = rows[2];
		columnSquare = rows[3];
		columnSquareLow = rows[4];
		run = rows[5];
		runLow = rows[6];
		moved = rows[7];
		movedLow = rows[8];
		low = new LowOrderParts(new double[maxLags[0]], new double[maxLags[0]]);
	}

	@Override
	public void begin(final TileInput tile) {
		super.begin(tile);
		energy = 0;
	}

	@Override
	void begin(final int z) {
		clear(column);
		clear(columnLow);
		clear(columnSquare);
		clear(columnSquareLow);
	}

	private void clear(final double[] row) {
		Arrays.fill(row, 0, columns, 0);
	}

	@Override
	void add(final int z, final int row, final int y0, final int y1) {
		final int slot = row % height;
		final double[] value = values[slot], valueLow = valueLows[slot], square = squares[slot], squareLow = squareLows[slot];
		if (!independent && row >= height) {
			PairRows.subtract(column, columnLow, value, valueLow, columns);
			PairRows.subtract(columnSquare, columnSquareLow, square, squareLow, columns);
		}
		readers[z].row(row, scale, value);
		clear(valueLow);
		PairRows.square(value, square, squareLow, columns);
		for (int p = 1; p < planes.count; p++) {
			readers[z + p].row(row, scale, plane);
			PairRows.add(value, valueLow, plane, columns);
			PairRows.addSquares(plane, square, squareLow, columns);
		}
		if (independent) return;
		PairRows.add(column, columnLow, value, valueLow, columns);
		PairRows.add(columnSquare, columnSquareLow, square, squareLow, columns);
	}

	@Override
	void finish(final int z, final int y, final double[] sum, final double[] sumOfSquares) {
		if (independent) {
			begin(z);
			for (int j = 0; j < height; j++) {
				PairRows.add(column, columnLow, values[j], valueLows[j], columns);
				PairRows.add(columnSquare, columnSquareLow, squares[j], squareLows[j], columns);
			}
		}
		windows(column, columnLow, sum, low.sums());
		windows(columnSquare, columnSquareLow, sumOfSquares, low.energies());
		// an upper bound of the energy that was added to the columns
		double passed = sumOfSquares[lags - 1];
		for (int x = 0; x < lags; x += width) passed += sumOfSquares[x];
		energy = Math.max(energy, passed);
	}

	/** Sums over {@code width} columns. */
	private void windows(final double[] column, final double[] columnLow, final double[] to, final double[] toLow) {
		System.arraycopy(column, 0, run, 0, columns);
		System.arraycopy(columnLow, 0, runLow, 0, columns);
		Arrays.fill(to, 0, lags, 0);
		Arrays.fill(toLow, 0, lags, 0);
		int at = 0, n = columns;
		for (int length = 1; length <= width; length <<= 1) {
			if ((width & length) != 0) {
				move(at, lags);
				PairRows.add(to, toLow, moved, movedLow, lags);
				at += length;
			}
			if (2 * length > width) break;
			n -= length;
			move(length, n);
			PairRows.add(run, runLow, moved, movedLow, n);
		}
	}

	/** Copies sums from column {@code o} on to the start of another row: C2 vectorises a loop over arrays that share one index. */
	private void move(final int o, final int n) {
		System.arraycopy(run, o, moved, 0, n);
		System.arraycopy(runLow, o, movedLow, 0, n);
	}

	@Override
	public double floor() {
		return independent ? 0 : energy * (MAX_ERROR / Tolerance.of(Precision.DOUBLE));
	}

	@Override
	public LowOrderParts lowOrderParts() {
		return low;
	}

	@Override
	public Error error() {
		return this;
	}
}
