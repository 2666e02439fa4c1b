package sc.fiji.ncc.cpu.tile;

import java.util.Arrays;

/**
 * The windows of a tile that are flat, and those that contain a NaN or infinite pixel: by exact comparison, in constant time for each window.
 * <p>
 * A window is flat if each of its rows starts a run of equal values at least as long as the window is wide, and these values are the same in all its rows
 * and planes. With several channels, each must be flat. A window that contains pixels outside the image is not flat. Pixels outside the image are neither
 * NaN nor infinite. If pixels are missing, a window is flat if its present pixels are equal in each channel, see {@link WindowExtremes}; a missing pixel is
 * neither NaN nor infinite.
 */
public final class WindowFlags {

	/** A test of so many pixels, window by window, costs about as much as the test of all windows of a tile costs for each window. */
	public static final int PIXELS = 8;

	private boolean[] flat;
	private final boolean[] nonFinite;
	private final int lagsX;

	/**
	 * @param planes the planes of the tile, already read, channel after channel
	 * @param channels the number of channels
	 * @param width the window's width
	 * @param height the window's height
	 * @param n the number of lags along x
	 * @param m the number of lags along y
	 */
	public WindowFlags(final TileReader[] planes, final int channels, final int width, final int height, final int n, final int m) {
		lagsX = n;
		flat = new boolean[n * m];
		nonFinite = new boolean[n * m];
		java.util.Arrays.fill(flat, true);
		final int columns = n + width - 1, rows = m + height - 1;
		final double[] row = new double[columns];
		double[] below = new double[columns];
		final int[] run = new int[columns], bad = new int[columns], down = new int[columns], lastBad = new int[columns];
		final double[] first = new double[n * m];
		for (int p = 0; p < planes.length; p++) {
			java.util.Arrays.fill(down, 0);
			java.util.Arrays.fill(lastBad, Integer.MAX_VALUE);
			java.util.Arrays.fill(below, Double.NaN);
			for (int r = rows - 1; r >= 0; r--) {
				scan(planes[p], r, row, run, bad);
				for (int x = 0; x < columns; x++) {
					down[x] = run[x] >= width ? row[x] == below[x] ? down[x] + 1 : 1 : 0;
					// the topmost row so far in which a window that starts at x contains a pixel that is not finite
					if (bad[x] < width) lastBad[x] = r;
				}
				System.arraycopy(row, 0, below, 0, columns);
				if (r >= m) continue;
				for (int x = 0; x < n; x++) {
					final int i = r * n + x;
					if (p % (planes.length / channels) == 0) first[i] = row[x];
					flat[i] &= down[x] >= height && row[x] == first[i];
					nonFinite[i] |= lastBad[x] < r + height;
				}
			}
		}
		if (planes[0].masked()) flat = WindowExtremes.flat(planes, channels, width, height, n, m);
	}

	/** Reads a row. Computes for each pixel the number of equal pixels from it on, and the distance to the next pixel that is not finite. */
	private static void scan(final TileReader plane, final int r, final double[] row, final int[] run, final int[] bad) {
		int distance = Integer.MAX_VALUE / 2;
		for (int x = row.length - 1; x >= 0; x--) {
			final boolean inside = plane.present(x, r);
			row[x] = inside ? plane.value(x, r) : Double.NaN;
			run[x] = row[x] != row[x] ? 0 : x + 1 < row.length && row[x] == row[x + 1] ? run[x + 1] + 1 : 1;
			distance = inside && !(Math.abs(row[x]) <= Double.MAX_VALUE) ? 0 : distance + 1;
			bad[x] = distance;
		}
	}

	/** Whether the pixels of one window that lie inside the image and are present are equal in each channel. Arguments as in the constructor. */
	public static boolean flat(final TileReader[] planes, final int channels, final int width, final int height, final int x, final int y) {
		double value = Double.NaN;
		boolean any = false;
		for (int p = 0; p < planes.length; p++) {
			final TileReader plane = planes[p];
			if (p % (planes.length / channels) == 0) any = false;
			for (int j = y; j < y + height; j++)
				for (int i = x; i < x + width; i++) {
					if (!plane.present(i, j)) continue;
					if (!any) value = plane.value(i, j);
					any = true;
					if (plane.value(i, j) != value) return false;
				}
		}
		return true;
	}

	public boolean flat(final int x, final int y) {
		return flat[y * lagsX + x];
	}

	public boolean nonFinite(final int x, final int y) {
		return nonFinite[y * lagsX + x];
	}

	/** The windows of a tile whose present pixels are all equal: the least of them equals the greatest. Extremes over 1, 2, 4, … pixels give those of a window. */
	private static final class WindowExtremes {

		private WindowExtremes() {}

		/**
		 * Whether no two present pixels of a window differ in any channel, for each lag, x fastest. A window without present pixels is flat. Arguments as in {@link
		 * WindowFlags}.
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
}
