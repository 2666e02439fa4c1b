package sc.fiji.ncc.cpu.convolution;


import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/**
 * A method to compute the plain sums {@code Σ c·P} of the windows P of a tile, for kernels c of one size. Belongs to one thread. Order of calls: {@link
 * #begin} for a tile, {@link #select} for each kernel, then {@link #row} for its rows in order, all rows of one z before those of the next.
 */
abstract class KernelSums {

	/** The tile, its planes, and the scale of their pixels, about 0: sums have the same factor. */
	TileInput tile;
	TileReader[] readers;
	TileScale scale;
	int lagsX, lagsY, lagsZ;
	/** The destination of the sums of the selected kernel. */
	SumsPlace to;

	/**
	 * Starts a tile, whose pixels were read.
	 *
	 * @param kernels the number of kernels that will be selected
	 */
	void begin(final TileInput input, final int kernels) {
		tile = input;
		readers = input.planes();
		scale = input.scale();
		lagsX = input.lagsX();
		lagsY = input.lagsY();
		lagsZ = input.lagsZ();
	}

	abstract void select(int kernel);

	/** Writes the sums of a row of lags. An implementation that computes several rows together may write the next rows in the same call. */
	abstract void row(int z, int y);

	/** Whether the sums of the selected kernel lie within the tolerance. Call it after all rows. */
	abstract boolean accurate();
}
