package sc.fiji.ncc.cpu.execution;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;

/** The number of threads that a problem keeps busy: some threads wait if no tile of the current frames is left. */
public final class BusyThreads {

	private BusyThreads() {}

	/**
	 * @param tile for a template, the maximum number of lags of a tile and the number of which it is a multiple, along x, y and all further dimensions
	 * @return an average; at most the device's number of threads
	 */
	public static double of(final Problem p, final Device device, final Function<Size, List<int[]>> tile) {
		final int threads = device.parallelism();
		final Set<Size> sizes = new HashSet<>(p.templates());
		final int[] lags = p.lags().count().toIntArray();
		double tiles = 0;
		for (final Size t : sizes) {
			final List<int[]> shape = tile.apply(t);
			tiles += new TileGrid(lags, d -> shape.get(0)[Math.min(d, 2)], d -> shape.get(1)[Math.min(d, 2)], TileParts.wanted(threads, sizes.size())).tiles;
		}
		// the last tiles of a single frame leave some threads idle; with many frames the next frame occupies them
		return p.frames() == 1 ? tiles / Math.ceil(tiles / threads) : Math.min(threads, tiles * p.frames());
	}
}
