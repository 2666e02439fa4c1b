package sc.fiji.ncc.cpu.convolution;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/**
 * A method to compute the plain sums {@code Σ c·P} of the windows P of a tile, for kernels c of one size. Belongs to one thread. Order of calls: {@link
 * #begin} for a tile, {@link #select} for each kernel, then {@link #row} for its rows in order, all rows of one z before those of the next.
 */
interface KernelSums {

	/**
	 * Starts a tile.
	 *
	 * @param planes the planes of the tile, already read: those of the kernel for each z start there
	 * @param scale the scale of the pixels, about 0: sums have the same factor
	 * @param kernels the number of kernels that will be selected
	 * @param stop polled often; true ends the tile with a CancellationException
	 */
	void begin(TileReader[] planes, TileScale scale, int lagsX, int lagsY, int lagsZ, int kernels, BooleanSupplier stop);

	/** Selects a kernel and the destination of its sums. */
	void select(int kernel, SumsPlace to);

	/** Writes the sums of a row of lags. An implementation that computes several rows together may write the next rows in the same call. */
	void row(int z, int y);

	/** Whether the sums of the selected kernel lie within the tolerance. Call it after all rows. */
	boolean accurate();
}
