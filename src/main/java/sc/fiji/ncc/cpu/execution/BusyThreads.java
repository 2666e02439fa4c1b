package sc.fiji.ncc.cpu.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;

import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;

/** The number of threads that a problem keeps busy: some threads wait if no tile of the current frames is left. */
public final class BusyThreads {

	/** With more tiles than this for each thread, all threads are busy. */
	private static final int MANY = 32;

	private BusyThreads() {}

	/**
	 * @param tile for a template, the maximum number of lags of a tile and the number of which it is a multiple, along x, y and z
	 * @return an average; at most the device's number of threads
	 */
	public static double of(final Sliding p, final Device device, final Function<Size, List<int[]>> tile) {
		final int threads = device.parallelism();
		if (threads == 1) return 1;
		final Set<Size> sizes = new HashSet<>(p.templates());
		final int[] lags = p.lags().count().toIntArray();
		final List<double[]> work = new ArrayList<>();
		double all = 0;
		int tiles = 0;
		for (final Size t : sizes) {
			final List<int[]> shape = tile.apply(t);
			final double[] w = new TileGrid(lags, shape.get(0), shape.get(1), SubmissionTiles.threads(threads, sizes.size(), p.frames())).work();
			all += Arrays.stream(w).sum();
			tiles += w.length;
			work.add(w);
		}
		if (tiles * (double) p.frames() > MANY * threads) return threads;
		final PriorityQueue<Double> until = new PriorityQueue<>(Collections.nCopies(threads, 0.));
		double last = 0;
		for (long f = 0; f < p.frames(); f++)
			for (final double[] w : work)
				for (final double lagsOfTile : w) {
					final double end = until.poll() + lagsOfTile;
					until.add(end);
					last = Math.max(last, end);
				}
		return last == 0 ? 1 : p.frames() * all / last;
	}
}
