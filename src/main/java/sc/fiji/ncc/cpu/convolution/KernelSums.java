package sc.fiji.ncc.cpu.convolution;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/**
 * One way to the plain sums {@code Σ c·P} of the windows P of a tile, for kernels c of one size, in float. Belongs to one thread. A tile is begun, then
 * each kernel is selected; its rows are asked for in order, those of one z before those of the next.
 */
interface KernelSums {

	/**
	 * Starts a tile.
	 *
	 * @param planes its planes, read: for each z those of the kernel from there on
	 * @param scale how pixels become numbers, about 0: sums are scaled by its factor
	 * @param kernels how many will be selected
	 * @param stop polled often; true ends it with a CancellationException
	 */
	void begin(TileReader[] planes, TileScale scale, int lagsX, int lagsY, int lagsZ, int kernels, BooleanSupplier stop);

	/** From here on the sums of one of the kernels are computed, and go to this place. */
	void select(int kernel, SumsPlace to);

	/** Writes the sums of a row of lags to its place; those of rows that follow it may be written already. */
	void row(int z, int y);

	/** Whether the sums of the kernel selected, all rows of which were asked for, lie within the tolerance. */
	boolean sound();
}
