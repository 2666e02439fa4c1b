package sc.fiji.ncc.track;

import java.util.Arrays;

import sc.fiji.ncc.plan.Size;

/**
 * Where one template is looked for: at the lags within a shift of a place, as far as it fits into the frame. All windows of a template are computed
 * as boxes of one size. Beside the frame's border a box is moved inwards, and those of its lags that lie beyond the shift do not count.
 */
public final class SearchWindow {

	private final long[] most, shift;
	private final int[] count;

	/**
	 * @param frame the frame's extents
	 * @param shift how far a template may be from the place, along each dimension, at least 0
	 * @throws IllegalArgumentException if the template does not fit into the frame, or there are too many lags
	 */
	public SearchWindow(final long[] frame, final Size template, final long[] shift) {
		final int n = template.dimensions();
		most = new long[n];
		this.shift = new long[n];
		count = new int[n];
		long lags = 1;
		for (int d = 0; d < n; d++) {
			most[d] = frame[d] - template.get(d);
			if (most[d] < 0) throw new IllegalArgumentException("the template of " + template + " is larger than the frame of " + Size.of(Arrays.copyOf(frame, n))
				+ ": choose a smaller template");
			// lest sums overflow
			this.shift[d] = Math.min(shift[d], most[d]);
			final long extent = Math.min(2 * this.shift[d] + 1, most[d] + 1);
			if (extent > (1L << 28) / lags) throw new IllegalArgumentException("shifts of up to " + Arrays.toString(shift) + " pixels in a frame of "
				+ Size.of(Arrays.copyOf(frame, n)) + " are too many lags for one search: choose smaller ones");
			lags *= extent;
			count[d] = (int) extent;
		}
	}

	/** How many lags along each dimension a box has. */
	public int[] count() {
		return count.clone();
	}

	/** Whether a box holds every lag at which the template fits, wherever it was last. */
	public boolean everywhere() {
		for (int d = 0; d < count.length; d++)
			if (shift[d] < most[d]) return false;
		return true;
	}

	/** The first lag of the box about a place. */
	public long[] origin(final long[] place) {
		final long[] origin = new long[count.length];
		for (int d = 0; d < origin.length; d++) origin[d] = clamp(place[d] - shift[d], most[d] + 1 - count[d]);
		return origin;
	}

	/** Whether a lag is within the shift of a place. */
	public boolean within(final long[] lag, final long[] place) {
		for (int d = 0; d < count.length; d++)
			if (Math.abs(lag[d] - place[d]) > shift[d]) return false;
		return true;
	}

	/**
	 * Whether a lag is as far from a place as the shift lets it be, and the template would fit further on. Along a dimension without a shift nothing is
	 * searched, so that there is no edge.
	 */
	public boolean edge(final long[] lag, final long[] place) {
		for (int d = 0; d < count.length; d++) {
			final long moved = lag[d] - place[d], next = lag[d] + Long.signum(moved);
			if (shift[d] > 0 && Math.abs(moved) == shift[d] && next >= 0 && next <= most[d]) return true;
		}
		return false;
	}

	/** The nearest place at which the template fits into the frame. */
	public long[] inside(final double[] place) {
		final long[] p = new long[count.length];
		for (int d = 0; d < p.length; d++) p[d] = clamp(Math.round(place[d]), most[d]);
		return p;
	}

	/** Whether the template fits into the frame at this place. */
	public boolean fits(final long[] place) {
		for (int d = 0; d < count.length; d++)
			if (place[d] < 0 || place[d] > most[d]) return false;
		return true;
	}

	private static long clamp(final long v, final long most) {
		return Math.max(0, Math.min(most, v));
	}
}
