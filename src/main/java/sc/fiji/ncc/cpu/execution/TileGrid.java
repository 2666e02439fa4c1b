package sc.fiji.ncc.cpu.execution;

import java.util.function.IntUnaryOperator;

/** A box of lags, cut into tiles. */
final class TileGrid {

	private final int[] lags, step, count;
	final int tiles;

	/** @param wanted the minimum number of tiles, if the method supports so many */
	TileGrid(final int[] lags, final TileMethod method, final int wanted) {
		this(lags, method::maxLags, method::unit, wanted);
	}

	/**
	 * @param maxLags the maximum number of lags of a tile, for each dimension
	 * @param unit see {@link TileMethod#unit}
	 */
	TileGrid(final int[] lags, final IntUnaryOperator maxLags, final IntUnaryOperator unit, final int wanted) {
		this.lags = lags;
		count = new int[lags.length];
		step = new int[lags.length];
		final int[] units = new int[lags.length];
		long n = 1;
		for (int d = 0; d < lags.length; d++) {
			units[d] = ceil(lags[d], unit.applyAsInt(d));
			count[d] = ceil(units[d], Math.max(1, maxLags.applyAsInt(d) / unit.applyAsInt(d)));
			n *= count[d];
		}
		if (lags.length > 1) for (; n < wanted && count[1] < units[1]; n += n / (count[1] - 1)) count[1]++;
		int all = 1;
		for (int d = 0; d < lags.length; d++) {
			step[d] = Math.min(lags[d], ceil(units[d], count[d]) * unit.applyAsInt(d));
			count[d] = ceil(lags[d], step[d]);
			all = Math.multiplyExact(all, count[d]);
		}
		tiles = all;
	}

	private static int ceil(final int a, final int b) {
		return (a + b - 1) / b;
	}

	/** The first lag of a tile, relative to the first lag of the box. */
	long[] min(final int tile) {
		final long[] min = new long[lags.length];
		for (int d = 0, i = tile; d < lags.length; d++) {
			min[d] = (long) (i % count[d]) * step[d];
			i /= count[d];
		}
		return min;
	}

	/** The number of lags of a tile along each dimension. */
	int[] size(final long[] min) {
		final int[] size = new int[lags.length];
		for (int d = 0; d < lags.length; d++) size[d] = (int) Math.min(step[d], lags[d] - min[d]);
		return size;
	}
}
