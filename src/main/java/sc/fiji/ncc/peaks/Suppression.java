package sc.fiji.ncc.peaks;

import java.util.Arrays;

/**
 * The windows accepted so far, all of one size, and whether another one overlaps one of them too much: by more than a given share of the
 * window's volume.
 * <p>
 * Windows are kept in a grid whose cells are as wide as a too near window may be away, {@code (1 − share)·size}, so only a position's
 * {@code 3^n} cells need to be looked at, and no more than a handful of accepted windows fit into one. Only cells in use take memory.
 */
public final class Suppression {

	private final long[] window;
	private final double[] cell;
	private final double share, tooMuch;
	private long[] accepted = new long[0];
	private int count;
	private int[] heads = new int[64], next = new int[0]; // one more than the window's index; 0 ends a chain

	/**
	 * @param window the windows' extents
	 * @param share the greatest share of a window that another one may cover, in [0, 1]: with 0 windows do not overlap, with 1 they may
	 */
	public Suppression(final long[] window, final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the share of a window that may be covered lies in [0, 1], unlike " + share);
		this.window = window.clone();
		this.share = share;
		cell = new double[window.length];
		double volume = 1;
		for (int d = 0; d < window.length; d++) {
			if (window[d] < 1) throw new IllegalArgumentException("no pixels in a window of " + Arrays.toString(window));
			cell[d] = Math.max(1, (1 - share) * window[d]);
			volume *= window[d];
		}
		tooMuch = share * volume;
	}

	/** Whether one accepted window covers more than the share of the window whose first pixel this is. */
	public boolean covers(final long[] position) {
		if (share == 1 || count == 0) return false;
		final int n = window.length;
		final long[] center = cellOf(position), c = new long[n];
		for (int d = 0; d < n; d++) c[d] = center[d] - 1;
		while (true) {
			for (int i = heads[slot(c)]; i > 0; i = next[i - 1]) if (overlap(position, (i - 1) * n) > tooMuch) return true;
			int d = 0;
			while (d < n && ++c[d] > center[d] + 1) {
				c[d] = center[d] - 1;
				d++;
			}
			if (d == n) return false;
		}
	}

	/** From now on this window covers others. */
	public void accept(final long[] position) {
		final int n = window.length;
		if (count == next.length) {
			next = Arrays.copyOf(next, Math.max(16, 2 * count));
			accepted = Arrays.copyOf(accepted, next.length * n);
		}
		System.arraycopy(position, 0, accepted, count * n, n);
		count++;
		if (2 * count > heads.length) {
			heads = new int[2 * heads.length];
			for (int i = 0; i < count; i++) link(i);
		}
		else link(count - 1);
	}

	private void link(final int i) {
		final int n = window.length;
		final int slot = slot(cellOf(Arrays.copyOfRange(accepted, i * n, (i + 1) * n)));
		next[i] = heads[slot];
		heads[slot] = i + 1;
	}

	private long[] cellOf(final long[] position) {
		final long[] c = new long[position.length];
		for (int d = 0; d < c.length; d++) c[d] = (long) Math.floor(position[d] / cell[d]);
		return c;
	}

	private int slot(final long[] c) {
		long h = 0;
		for (final long x : c) h = (h + x) * 0x9E3779B97F4A7C15L;
		return (int) (h >>> 40) & (heads.length - 1);
	}

	/** The volume that the window at {@code position} shares with an accepted one. */
	private double overlap(final long[] position, final int at) {
		double volume = 1;
		for (int d = 0; d < window.length; d++) volume *= Math.max(0, window[d] - Math.abs(position[d] - accepted[at + d]));
		return volume;
	}
}
