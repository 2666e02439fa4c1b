package sc.fiji.ncc.cpu.execution;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;

/** How many threads a problem keeps at work: those that find no tile of the frames under way wait. */
public final class BusyThreads {

	private BusyThreads() {}

	/**
	 * @param tile for a template, the most lags of a tile and of how many it is a multiple, along x, y and all further dimensions
	 * @return on the average, at most the device's
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
		// of a single frame the last tiles leave some threads without work, and of many the next frame gives it to them
		return p.frames() == 1 ? tiles / Math.ceil(tiles / threads) : Math.min(threads, tiles * p.frames());
	}
}
