package sc.fiji.ncc.cpu.window;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.loops.PackedRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.SlidingSums;
import sc.fiji.ncc.plan.PixelType;

/**
 * {@link WindowSums} of 8-bit pixels, both sums in one double ({@link PackedRows}): exact, at the cost of one sum. Rows that leave the window are read again.
 */
public final class PackedWindowSums extends StreamedMoments {

	private static final int MAX_VALUE = 255;

	private PackedRows pixels;
	private final double[] column, packed;
	/** In three dimensions: each row summed over the planes of a window, from one z to the next. */
	private final double[][] planeSums;

	/** Whether the packed sums of a window of so many 8-bit differences stay below 2^53. */
	public static boolean holds(final PixelType image, final long pixels) {
		return image.bytes == 1 && pixels <= 1 << 20 && (double) MAX_VALUE * MAX_VALUE * pixels * unit(pixels) <= 0x1p53;
	}

	/** A power of two above twice the maximum sum of so many differences. */
	private static double unit(final long pixels) {
		return 2 * Long.highestOneBit(2 * MAX_VALUE * pixels);
	}

	/** @param maxLags the maximum number of lags of a tile along x, y and z */
	public PackedWindowSums(final TemplatePlanes planes, final int[] maxLags) {
		super(planes);
		final double[][] rows = Rows.doubles(2 + (planes.count > 1 ? maxLags[1] + height - 1 : 0), maxLags[0] + width);
		column = rows[0];
		packed = rows[1];
		planeSums = Arrays.copyOfRange(rows, 2, rows.length);
	}

	@Override
	public void begin(final TileInput tile) {
		super.begin(tile);
		pixels = new PackedRows(readers[0].signed(), scale.reference, unit(planes.size.pixels()));
	}

	@Override
	void begin(final int z) {
		Arrays.fill(column, 0, columns, 0);
	}

	@Override
	void add(final int z, final int row, final int y0, final int y1) {
		if (planes.count == 1) {
			readers[z].slide(row, row - height, pixels, column);
			return;
		}
		final double[] sum = planeSums[row];
		if (z == 0) {
			Arrays.fill(sum, 0, columns, 0);
			for (int p = 0; p < planes.count; p++) readers[p].slide(row, -1, pixels, sum);
		}
		else {
			readers[z + planes.count - 1].slide(row, -1, pixels, sum);
			readers[z - 1].slide(-1, row, pixels, sum);
		}
		if (row < height) Rows.add(column, sum, columns);
		else Rows.slide(column, sum, planeSums[row - height], columns);
	}

	@Override
	void finish(final int z, final int y, final double[] sum, final double[] sumOfSquares) {
		SlidingSums.row(column, width, packed, lags);
		pixels.unpack(packed, sum, sumOfSquares, lags);
	}
}
