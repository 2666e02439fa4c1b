package sc.fiji.ncc.cpu.frame;

/**
 * Sums of the deviations of a frame, and of their squares, over boxes: summed-area tables (Crow 1984, doi:10.1145/800031.808600) in double. The sums of 8- and
 * 16-bit integers are exact up to 2^53. Memory: 16 bytes for each pixel. Immutable.
 */
final class PrefixSums {

	private final int width, height;
	private final double[] sums, squares;

	PrefixSums(final FramePixels frame) {
		width = frame.extent(0) + 1;
		height = frame.extent(1) + 1;
		final int depth = frame.extent(2) + 1;
		final long all = (long) width * height * depth;
		if (all > Integer.MAX_VALUE - 16) throw new IllegalArgumentException("a frame of " + (width - 1) + "x" + (height - 1) + "x" + (depth - 1)
			+ " pixels is too large to register as a whole: register a region of it");
		sums = new double[(int) all];
		squares = new double[(int) all];
		final float[] v = frame.deviations();
		int from = 0;
		for (int z = 1; z < depth; z++)
			for (int y = 1; y < height; y++) {
				final int to = (z * height + y) * width, above = to - width, before = to - width * height, both = before - width;
				double s = 0, q = 0;
				for (int x = 1; x < width; x++) {
					final double value = v[from++];
					s += value;
					q += value * value;
					sums[to + x] = sums[above + x] + sums[before + x] - sums[both + x] + s;
					squares[to + x] = squares[above + x] + squares[before + x] - squares[both + x] + q;
				}
			}
	}

	/**
	 * The sums over the columns 0 to x of a box in y and z, for all x.
	 *
	 * @param sum receives the sums of the deviations; at least one more element than the frame's width
	 * @param square receives the sums of the squares
	 */
	void columns(final int fromY, final int untilY, final int fromZ, final int untilZ, final double[] sum, final double[] square) {
		final int a = (untilZ * height + untilY) * width, b = (untilZ * height + fromY) * width, c = (fromZ * height + untilY) * width, d = (fromZ * height + fromY) * width;
		columns(sums, a, b, c, d, sum);
		columns(squares, a, b, c, d, square);
	}

	private void columns(final double[] table, final int a, final int b, final int c, final int d, final double[] to) {
		for (int x = 0; x < width; x++) to[x] = table[a + x] - table[b + x] - table[c + x] + table[d + x];
	}
}
