package sc.fiji.ncc.cpu.execution;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A box of lags, cut into tiles for some threads. Tiles become lower towards the end, so that all threads end at about the same time (guided
 * self-scheduling: C. D. Polychronopoulos and D. J. Kuck, IEEE Transactions on Computers C-36, 1987). The largest tiles come first.
 */
final class TileGrid {

	/**
	 * A tile has at most the share {@code 1/(SHARE·threads)} of the lags that are left, and at least {@code 1/(LEAST·threads)} of all: smaller ones would read
	 * more pixels twice than they save.
	 */
	private static final int SHARE = 2, LEAST = 16;

	private final int[] lags, unit;
	/** For each dimension the first lags of the tiles, and the end. */
	private final int[][] starts;
	/** The places of the tiles, x fastest, in their order. */
	private final int[] order;
	final int tiles;

	/**
	 * @param maxLags the maximum number of lags of a tile along each dimension; 1 along those that have no element
	 * @param unit see {@link TileMethod#unit}; 1 along the same dimensions
	 * @param threads the number of threads that work on the box
	 */
	TileGrid(final int[] lags, final int[] maxLags, final int[] unit, final int threads) {
		this.lags = lags;
		this.unit = unit;
		final int n = lags.length;
		final int[] size = new int[n], count = new int[n];
		for (int d = 0; d < n; d++) {
			size[d] = at(unit, d);
			final int units = ceil(lags[d], size[d]), most = at(maxLags, d) >= lags[d] ? units : Math.max(1, at(maxLags, d) / size[d]);
			count[d] = ceil(units, most);
		}
		if (threads > 1) cutMore(count, size, 2 * SHARE * threads);
		starts = new int[n][];
		long others = 1;
		for (int d = 0; d < n; d++) {
			starts[d] = even(lags[d], size[d], count[d]);
			if (d != 1) others *= starts[d].length - 1;
		}
		if (n > 1 && threads > 1) starts[1] = guided(lags[1], size[1], starts[1][1], (double) others / threads);
		int all = 1;
		for (final int[] s : starts) all = Math.multiplyExact(all, s.length - 1);
		tiles = all;
		order = largestFirst();
	}

	/** Cuts along y, then along z, then along x, until there are so many tiles, or tiles of one unit. */
	private void cutMore(final int[] count, final int[] size, final int wanted) {
		for (final int d : new int[] { 1, 2, 0 }) {
			// where a unit is one lag, fewer lags along x would be slower
			if (d >= lags.length || lags.length == 1 || size[d] == 1 && d == 0) continue;
			final int units = ceil(lags[d], size[d]);
			while (count[d] < units && product(count) < wanted) {
				// whole units: the next smaller tile
				final int step = ceil(units, count[d]) - 1;
				count[d] = ceil(units, step);
			}
		}
	}

	private static long product(final int[] count) {
		long n = 1;
		for (final int c : count) n *= c;
		return n;
	}

	/** Cuts into about equal parts of whole units. */
	private static int[] even(final int lags, final int unit, final int count) {
		final int step = Math.min(lags, ceil(ceil(lags, unit), count) * unit);
		final int[] starts = new int[ceil(lags, step) + 1];
		for (int i = 0; i < starts.length; i++) starts[i] = Math.min(lags, i * step);
		return starts;
	}

	/**
	 * Cuts into parts that become smaller.
	 *
	 * @param most the lags of the greatest part
	 * @param perThread the number of tiles in each part, over the number of threads
	 */
	private static int[] guided(final int lags, final int unit, final int most, final double perThread) {
		final double least = Math.ceil((double) lags / unit * perThread / LEAST);
		int[] starts = new int[16];
		int n = 0;
		for (int at = 0; at < lags; n++) {
			final int units = (int) Math.max(1, Math.min(ceil(most, unit), Math.max(least, (lags - at) * perThread / SHARE / unit)));
			at = Math.min(lags, at + units * unit);
			if (n + 2 > starts.length) starts = Arrays.copyOf(starts, 2 * n + 2);
			starts[n + 1] = at;
		}
		return Arrays.copyOf(starts, n + 1);
	}

	private static int at(final int[] extents, final int d) {
		return d < extents.length ? extents[d] : 1;
	}

	private static int ceil(final int a, final int b) {
		return (a + b - 1) / b;
	}

	/** The first lag of a tile, relative to the first lag of the box. */
	long[] min(final int tile) {
		final long[] min = new long[lags.length];
		for (int d = 0, i = order[tile]; d < lags.length; d++) {
			min[d] = starts[d][i % (starts[d].length - 1)];
			i /= starts[d].length - 1;
		}
		return min;
	}

	/** The number of lags of a tile along each dimension. */
	int[] size(final int tile) {
		return sizeAt(order[tile]);
	}

	private int[] sizeAt(final int place) {
		final int[] size = new int[lags.length];
		for (int d = 0, i = place; d < lags.length; d++) {
			final int k = i % (starts[d].length - 1);
			size[d] = starts[d][k + 1] - starts[d][k];
			i /= starts[d].length - 1;
		}
		return size;
	}

	/** The places of the tiles, those with the most lags first; of equal ones the first. */
	private int[] largestFirst() {
		final long[] n = new long[tiles];
		Arrays.fill(n, 1);
		boolean sorted = true;
		for (int i = 0; i < tiles; i++) {
			for (final int extent : sizeAt(i)) n[i] *= extent;
			sorted &= i == 0 || n[i] <= n[i - 1];
		}
		final IntStream places = IntStream.range(0, tiles);
		return sorted ? places.toArray() : places.boxed().sorted(Comparator.comparingLong(i -> -n[i]))
			.mapToInt(Integer::intValue).toArray();
	}

	/** The number of lags of each tile, those of whole units, in the order of the tiles. */
	double[] work() {
		final double[] work = new double[tiles];
		for (int t = 0; t < tiles; t++) {
			work[t] = 1;
			final int[] size = size(t);
			for (int d = 0; d < size.length; d++) work[t] *= (double) ceil(size[d], at(unit, d)) * at(unit, d);
		}
		return work;
	}
}
