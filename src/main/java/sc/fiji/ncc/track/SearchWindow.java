package sc.fiji.ncc.track;

import java.util.Arrays;

import sc.fiji.ncc.plan.Size;

/**
 * The lags at which one template is searched: those within a shift of a position at which the template fits into the frame. All boxes of a template have the
 * same size. Near the border of the frame a box is moved inwards; its lags beyond the shift do not count.
 */
public final class SearchWindow {

	/** Far beyond any frame, and far from an overflow of sums. */
	private static final long FAR = Long.MAX_VALUE / 8;

	private final long[] minPosition, maxPosition, shift;
	private final int[] count;

	/**
	 * @param frame the extents of the frame
	 * @param shift the largest distance from the position along each dimension, at least 0
	 * @throws IllegalArgumentException if the template does not fit into the frame, or there are too many lags
	 */
	public SearchWindow(final long[] frame, final Size template, final long[] shift) {
		this(frame, template, shift, false);
	}

	/** @param beyond whether the template can extend beyond the frame; boxes then do not move */
	public SearchWindow(final long[] frame, final Size template, final long[] shift, final boolean beyond) {
		final int n = template.dimensions();
		minPosition = new long[n];
		maxPosition = new long[n];
		this.shift = new long[n];
		count = new int[n];
		long lags = 1;
		for (int d = 0; d < n; d++) {
			maxPosition[d] = frame[d] - template.get(d);
			if (maxPosition[d] < 0) throw new IllegalArgumentException("the template of " + template + " is larger than the frame of " + Size.of(Arrays.copyOf(frame, n))
				+ ": choose a smaller template");
			if (beyond) {
				minPosition[d] = -FAR;
				maxPosition[d] = FAR;
			}
			// prevents an overflow of sums
			this.shift[d] = Math.min(shift[d], maxPosition[d]);
			final long extent = Math.min(2 * this.shift[d] + 1, maxPosition[d] - minPosition[d] + 1);
			if (extent > (1L << 28) / lags) throw new IllegalArgumentException("a maximum shift of " + Arrays.toString(shift) + " pixels in a frame of "
				+ Size.of(Arrays.copyOf(frame, n)) + " gives more than 2^28 lags: choose a smaller shift");
			lags *= extent;
			count[d] = (int) extent;
		}
	}

	/** The number of lags of a box along each dimension. */
	public int[] count() {
		return count.clone();
	}

	/** Whether a box always contains every lag at which the template fits. */
	public boolean everywhere() {
		for (int d = 0; d < count.length; d++)
			if (shift[d] < maxPosition[d] - minPosition[d]) return false;
		return true;
	}

	/** The first lag of the box around a position. */
	public long[] origin(final long[] place) {
		final long[] origin = new long[count.length];
		for (int d = 0; d < origin.length; d++) origin[d] = clamp(place[d] - shift[d], minPosition[d], maxPosition[d] + 1 - count[d]);
		return origin;
	}

	/** Whether a lag is within the shift of a position. */
	public boolean within(final long[] lag, final long[] place) {
		for (int d = 0; d < count.length; d++)
			if (Math.abs(lag[d] - place[d]) > shift[d]) return false;
		return true;
	}

	/**
	 * Whether a lag is at the edge of the search: its distance is the shift, and the template would fit beyond. A dimension with shift 0 has no edge.
	 */
	public boolean edge(final long[] lag, final long[] place) {
		for (int d = 0; d < count.length; d++) {
			final long moved = lag[d] - place[d], next = lag[d] + Long.signum(moved);
			if (shift[d] > 0 && Math.abs(moved) == shift[d] && next >= minPosition[d] && next <= maxPosition[d]) return true;
		}
		return false;
	}

	/** The nearest whole-pixel position at which the template fits into the frame. */
	public long[] inside(final double[] place) {
		final long[] p = new long[count.length];
		for (int d = 0; d < p.length; d++) p[d] = clamp(Math.round(place[d]), minPosition[d], maxPosition[d]);
		return p;
	}

	/** Whether the template fits into the frame at this position. */
	public boolean fits(final long[] place) {
		for (int d = 0; d < count.length; d++)
			if (place[d] < minPosition[d] || place[d] > maxPosition[d]) return false;
		return true;
	}

	private static long clamp(final long v, final long min, final long max) {
		return Math.max(min, Math.min(max, v));
	}
}
