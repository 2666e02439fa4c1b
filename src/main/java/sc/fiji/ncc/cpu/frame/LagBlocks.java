package sc.fiji.ncc.cpu.frame;

import java.util.ArrayList;
import java.util.List;

/**
 * The blocks in which the products of two frames are summed if few lags are wanted (T. G. Stockham, High-speed convolution and correlation, AFIPS Spring Joint
 * Computer Conference 1966, doi:10.1145/1464182.1464209).
 * A block of the fixed frame meets the part of the moving frame that it reaches at these lags. The spectra
 * of the products of all blocks are added, so all blocks share one inverse transform, and the transforms stay in cache.
 *
 * @param points the extents of the transforms along x, y and z
 * @param step the extents of a block of the fixed frame
 * @param count the number of blocks along each dimension
 */
record LagBlocks(int[] points, int[] step, int[] count) {

	/** The blocks with the least work. */
	static LagBlocks of(final int[] fixed, final LagRange range) {
		final List<List<Integer>> extents = new ArrayList<>();
		for (int d = 0; d < 3; d++) {
			final List<Integer> some = new ArrayList<>();
			final int most = LagRange.suited(fixed[d] + range.count(d) - 1, d);
			for (int n = LagRange.suited(range.count(d), d); n < most; n = LagRange.suited(n + 1, d)) some.add(n);
			some.add(most);
			extents.add(some);
		}
		LagBlocks best = null;
		for (final int x : extents.get(0)) for (final int y : extents.get(1)) for (final int z : extents.get(2)) {
			if ((long) x * y * z > Integer.MAX_VALUE - 16) continue;
			final LagBlocks blocks = of(fixed, range, new int[] { x, y, z });
			if (best == null || blocks.work() < best.work()) best = blocks;
		}
		return best;
	}

	private static LagBlocks of(final int[] fixed, final LagRange range, final int[] points) {
		final int[] step = new int[3], count = new int[3];
		for (int d = 0; d < 3; d++) {
			step[d] = Math.min(fixed[d], points[d] - range.count(d) + 1);
			count[d] = (fixed[d] + step[d] - 1) / step[d];
		}
		return new LagBlocks(points, step, count);
	}

	/** The number of points of a transform. */
	long allPoints() {
		return (long) points[0] * points[1] * points[2];
	}

	int number() {
		return count[0] * count[1] * count[2];
	}

	/** The work of a pair: the points of its transforms, times their logarithm. Both frames share the forward transforms, and two pairs the inverse one. */
	double work() {
		return (number() + 0.5) * allPoints() * Math.log(allPoints()) / Math.log(2);
	}
}
