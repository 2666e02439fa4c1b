package sc.fiji.ncc.peaks;

import java.util.Arrays;
import java.util.List;

/**
 * The windows accepted so far. It tests whether another window overlaps one of them too much: by more than a given share of the volume of the
 * smaller of the two.
 * <p>
 * The windows are kept in a grid. The width of a cell is the largest distance at which two windows can overlap too much, {@code (1 − share)·size} if
 * all windows have one size. So only the {@code 3^n} cells around a position are searched, and of windows of one size only a few accepted ones
 * fit into a cell. Only cells in use take memory.
 */
public final class Suppression implements Covering {

	private final List<long[]> windows;
	/** The number of dimensions of a window; the index in a position at which the coordinates of the window's first pixel begin. */
	private final int n, first;
	private final double[] cell;
	private final double share;
	private long[] accepted = new long[0];
	private int count;
	private int[] heads = new int[64], next = new int[0]; // the index of a window plus one; 0 ends a chain

	/**
	 * For windows of one size. A position is the first pixel of a window.
	 *
	 * @param window the extents of a window in pixels
	 * @param share the largest share of a window that another one may cover, in [0, 1]. 0: windows do not overlap. 1: windows overlap freely
	 */
	public Suppression(final long[] window, final double share) {
		this(List.of(window), 0, share);
	}

	/**
	 * For windows of several sizes. A position is the index of the size, followed by the first pixel of the window.
	 *
	 * @param windows the extents of each, all of the same number of dimensions
	 * @param share the largest share of the smaller of two windows that they may have in common, in [0, 1]
	 */
	public Suppression(final List<long[]> windows, final double share) {
		this(windows, 1, share);
	}

	private Suppression(final List<long[]> windows, final int first, final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the overlap of windows is " + share + ": choose a share from 0 to 1");
		this.windows = windows.stream().map(long[]::clone).toList();
		this.first = first;
		this.share = share;
		n = windows.get(0).length;
		cell = new double[n];
		for (final long[] w : windows)
			for (int d = 0; d < n; d++)
				if (w[d] < 1) throw new IllegalArgumentException("a window of " + Arrays.toString(w) + " has no pixels");
		for (int d = 0; d < n; d++) {
			cell[d] = 1;
			// windows that overlap too much have more than this share of the smaller extent in common along each dimension
			for (final long[] v : windows)
				for (final long[] w : windows) cell[d] = Math.max(cell[d], Math.max(v[d], w[d]) - share * Math.min(v[d], w[d]));
		}
	}

	/** Whether an accepted window has more than the share in common with the window at this position. */
	@Override
	public boolean covers(final long[] position) {
		if (share == 1 || count == 0) return false;
		final long[] center = cellOf(position), c = new long[n];
		for (int d = 0; d < n; d++) c[d] = center[d] - 1;
		while (true) {
			for (int i = heads[slot(c)]; i > 0; i = next[i - 1]) if (tooNear(position, (i - 1) * (first + n))) return true;
			int d = 0;
			while (d < n && ++c[d] > center[d] + 1) {
				c[d] = center[d] - 1;
				d++;
			}
			if (d == n) return false;
		}
	}

	/** Adds a window to the accepted ones. */
	@Override
	public void accept(final long[] position) {
		final int stride = first + n;
		if (count == next.length) {
			next = Arrays.copyOf(next, Math.max(16, 2 * count));
			accepted = Arrays.copyOf(accepted, next.length * stride);
		}
		System.arraycopy(position, 0, accepted, count * stride, stride);
		count++;
		if (2 * count > heads.length) {
			heads = new int[2 * heads.length];
			for (int i = 0; i < count; i++) link(i);
		}
		else link(count - 1);
	}

	private void link(final int i) {
		final int stride = first + n;
		final int slot = slot(cellOf(Arrays.copyOfRange(accepted, i * stride, (i + 1) * stride)));
		next[i] = heads[slot];
		heads[slot] = i + 1;
	}

	private long[] cellOf(final long[] position) {
		final long[] c = new long[n];
		for (int d = 0; d < n; d++) c[d] = (long) Math.floor(position[first + d] / cell[d]);
		return c;
	}

	private int slot(final long[] c) {
		long h = 0;
		for (final long x : c) h = (h + x) * 0x9E3779B97F4A7C15L;
		return (int) (h >>> 40) & (heads.length - 1);
	}

	/** Whether the window at {@code position} has too much in common with an accepted one. */
	private boolean tooNear(final long[] position, final int acceptedIndex) {
		final long[] a = windows.get(first == 0 ? 0 : (int) position[0]), b = windows.get(first == 0 ? 0 : (int) accepted[acceptedIndex]);
		double common = 1, volumeA = 1, volumeB = 1;
		for (int d = 0; d < n; d++) {
			final long p = position[first + d], q = accepted[acceptedIndex + first + d];
			common *= Math.max(0, Math.min(p + a[d], q + b[d]) - Math.max(p, q));
			volumeA *= a[d];
			volumeB *= b[d];
		}
		return common > share * Math.min(volumeA, volumeB);
	}
}
