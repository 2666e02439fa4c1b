package sc.fiji.ncc.cpu.tile;

import java.util.Arrays;

/** The windows of a tile whose present pixels are all equal: the least of them equals the greatest. Extremes over 1, 2, 4, … pixels give those of a window. */
final class WindowExtremes {

	private WindowExtremes() {}

	/**
	 * Whether no two present pixels of a window differ in any channel, for each lag, x fastest. A window without present pixels is flat. Arguments as in {@link
	 * WindowDefects}.
	 */
	static boolean[] flat(final TileReader[] planes, final int channels, final int width, final int height, final int n, final int m) {
		final double[] least = new double[n * m], greatest = new double[n * m];
		final boolean[] flat = new boolean[n * m];
		Arrays.fill(flat, true);
		for (int c = 0; c < channels; c++) {
			Arrays.fill(least, Double.POSITIVE_INFINITY);
			Arrays.fill(greatest, Double.POSITIVE_INFINITY);
			for (int p = c * planes.length / channels; p < (c + 1) * planes.length / channels; p++) {
				leastInto(least, planes[p], 1, width, height, n, m);
				leastInto(greatest, planes[p], -1, width, height, n, m);
			}
			for (int i = 0; i < flat.length; i++) flat[i] &= !(least[i] < -greatest[i]);
		}
		return flat;
	}

	/** Lowers each value to the least pixel, times {@code sign}, of its window in a plane. A pixel that is not a number counts as the least. */
	private static void leastInto(final double[] to, final TileReader plane, final int sign, final int width, final int height, final int n, final int m) {
		final int columns = n + width - 1, rows = m + height - 1;
		final double[] a = new double[columns * rows];
		for (int y = 0; y < rows; y++)
			for (int x = 0; x < columns; x++) {
				final double v = plane.present(x, y) ? sign * plane.value(x, y) : Double.POSITIVE_INFINITY;
				a[y * columns + x] = v != v ? Double.NEGATIVE_INFINITY : v;
			}
		slide(a, width, 1);
		slide(a, height, columns);
		for (int y = 0; y < m; y++)
			for (int x = 0; x < n; x++) to[y * n + x] = Math.min(to[y * n + x], a[y * columns + x]);
	}

	/** The least of {@code length} values at distances of {@code stride}, from each value on. Values near the end have no meaning. */
	private static void slide(final double[] a, final int length, final int stride) {
		int covered = 1;
		while (covered < length) {
			final int step = Math.min(covered, length - covered), distance = step * stride;
			for (int i = 0; i + distance < a.length; i++) a[i] = Math.min(a[i], a[i + distance]);
			covered += step;
		}
	}
}
