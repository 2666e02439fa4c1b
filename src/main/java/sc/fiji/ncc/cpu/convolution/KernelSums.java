package sc.fiji.ncc.cpu.convolution;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/**
 * A method to compute the plain sums {@code Σ c·P} of the windows P of a tile, for kernels c of one size. Belongs to one thread. Order of calls: {@link
 * #begin} for a tile, {@link #select} for each kernel, then {@link #row} for its rows in order, all rows of one z before those of the next.
 */
abstract class KernelSums {

	/** The planes of the tile, already read: those of the kernel for each z start there. */
	TileReader[] readers;
	/** The scale of the pixels, about 0: sums have the same factor. */
	TileScale scale;
	int lagsX, lagsY, lagsZ;
	/** Polled often; true ends the tile with a CancellationException. */
	BooleanSupplier stop;
	/** The destination of the sums of the selected kernel. */
	SumsPlace to;

	/**
	 * Starts a tile.
	 *
	 * @param lags the number of lags along x, y and z
	 * @param kernels the number of kernels that will be selected
	 */
	void begin(final TileReader[] tileReaders, final TileScale tileScale, final int[] lags, final int kernels, final BooleanSupplier tileStop) {
		readers = tileReaders;
		scale = tileScale;
		lagsX = lags[0];
		lagsY = lags[1];
		lagsZ = lags[2];
		stop = tileStop;
	}

	/** Selects a kernel. */
	abstract void select(int kernel);

	/** Writes the sums of a row of lags. An implementation that computes several rows together may write the next rows in the same call. */
	abstract void row(int z, int y);

	/** Whether the sums of the selected kernel lie within the tolerance. Call it after all rows. */
	abstract boolean accurate();
}
