package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Interpolates a box of pixels along up to three dimensions, row by row, in double. Shifted copies of a row are mixed in arrays
 * with one index, because C2 vectorises only
 * such loops.
 */
final class RowInterpolation {

	private final Block.Shifted block;
	private final int width;
	private final double[][] lines, parts;

	private RowInterpolation(final Block.Shifted block) {
		this.block = block;
		width = block.extent(0);
		lines = new double[block.count(1)][width];
		parts = new double[Math.max(block.count(0), block.count(2))][width];
	}

	/** @return as {@link sc.fiji.ncc.plan.resample.Sampler#sample} */
	static Object sample(final Block.Shifted block) {
		final Object to = block.type().allocate(block.count()).array();
		new RowInterpolation(block).fill(to);
		return to;
	}

	private void fill(final Object to) {
		final int across = block.count(0), down = block.count(1);
		final double[] column = new double[width], row = new double[block.size(0)];
		for (int z = 0, at = 0; z < block.size(2); z++) {
			for (int y = 0; y < down - 1; y++) load(y, z);
			for (int y = 0; y < block.size(1); y++, at += row.length) {
				load(y + down - 1, z);
				mix(lines, y, down == 1 ? null : block.weights()[1], column, width);
				for (int k = 0; k < across; k++) System.arraycopy(column, k, parts[k], 0, row.length);
				mix(parts, 0, across == 1 ? null : block.weights()[0], row, row.length);
				Buffers.narrow(row, block.type(), to, at);
			}
		}
	}

	/** Reads a row, mixed along z. */
	private void load(final int y, final int z) {
		final double[] line = lines[y % lines.length];
		final boolean unsigned = block.type().min == 0;
		final int deep = block.count(2), height = block.extent(1);
		if (deep == 1) {
			Buffers.values(block.pixels(), unsigned, (z * height + y) * width, line, width);
			return;
		}
		for (int k = 0; k < deep; k++) Buffers.values(block.pixels(), unsigned, ((z + k) * height + y) * width, parts[k], width);
		mix(parts, 0, block.weights()[2], line, width);
	}

	/** {@code to = Σ weights[i]·rows[(first + i) mod n]}, without weights the first row. */
	private static void mix(final double[][] rows, final int first, final double[] weights, final double[] to, final int n) {
		if (weights == null) {
			System.arraycopy(rows[0], 0, to, 0, n);
			return;
		}
		final int all = weights.length;
		two(rows[first % all], rows[(first + 1) % all], weights[0], weights[1], to, n);
		for (int i = 2; i < all; i += 2) addTwo(rows[(first + i) % all], rows[(first + i + 1) % all], weights[i], weights[i + 1], to, n);
	}

	private static void two(final double[] a, final double[] b, final double u, final double v, final double[] to, final int n) {
		for (int k = 0; k < n; k++) to[k] = u * a[k] + v * b[k];
	}

	private static void addTwo(final double[] a, final double[] b, final double u, final double v, final double[] to, final int n) {
		for (int k = 0; k < n; k++) to[k] = to[k] + u * a[k] + v * b[k];
	}
}
