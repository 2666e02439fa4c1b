package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.Rows;

/** The mean of the pixels of a tile, for templates of several parts: all parts must use the same one. Belongs to one thread. */
final class TileMean {

	private final BlockGrid grid;
	private final float[] row, sums;
	private TileInput tile;

	/** @param columns the maximum number of pixels in a row of a tile */
	TileMean(final BlockGrid grid, final int columns) {
		this.grid = grid;
		row = new float[columns];
		sums = new float[columns];
	}

	/** Keeps whole numbers whole: their differences are exact. */
	static float of(final double exact, final TileScale scale) {
		return (float) (scale.whole ? Math.rint(exact) : exact);
	}

	/** Takes the mean of a tile for all its blocks, and returns it. */
	float take(final TileInput input, final float[] means) {
		tile = input;
		final float mean = of(mean(Float.NaN), input.scale());
		Arrays.fill(means, 0, grid.blocks, mean);
		return mean;
	}

	/** The mean of the squares of the same tile about a number. */
	double meanSquare(final float reference) {
		return mean(reference);
	}

	/** The mean of the pixels; or that of their squares about {@code reference}, if this is a number. */
	private double mean(final float reference) {
		final int columns = grid.tileColumns();
		double sum = 0;
		for (int z = 0; z < grid.tilePlanes(); z++) {
			Arrays.fill(sums, 0, columns, 0);
			for (int y = 0; y < grid.tileRows(); y++) {
				tile.poll();
				tile.planes()[z].row(y, 0, columns, tile.scale(), row);
				if (reference == reference) {
					Rows.subtract(row, reference, columns);
					Rows.addSquares(row, sums, columns);
				}
				else Rows.add(sums, row, columns);
			}
			sum += Rows.sum(sums, columns);
		}
		return sum / ((double) columns * grid.tileRows() * grid.tilePlanes());
	}
}
