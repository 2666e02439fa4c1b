package sc.fiji.ncc.track;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Template;

/**
 * One template on its way through the frames: where it was last, and what it looks like by now. A window is cut at whole pixels, so what it shows
 * lies some fraction of a pixel off its first one: that offset is carried along, lest it is lost with every change of the template.
 */
public final class MovingTemplate {

	private final Template first;
	private final double[] start;
	private final Update update;
	private final boolean follows;
	private Template now;
	/** What {@link #now} shows lies so far from its first pixel. */
	private double[] offset;
	private long[] place;
	/** The mean before it was rounded. */
	private double[] mean;

	/**
	 * @param first what it looks like to begin with
	 * @param start where it is then
	 * @param follows whether it is to be looked for where it was last; otherwise about the start
	 */
	public MovingTemplate(final Template first, final long[] start, final Update update, final boolean follows) {
		this.first = first;
		this.update = update;
		this.follows = follows;
		place = start.clone();
		this.start = new double[start.length];
		for (int d = 0; d < start.length; d++) this.start[d] = start[d];
		anchor();
	}

	/** What it looks like by now. */
	public Template now() {
		return now;
	}

	/** What it looked like to begin with. */
	public Template first() {
		return first;
	}

	/** Where to look for it. */
	public long[] place() {
		return place.clone();
	}

	/** Whether it has changed. */
	public boolean changed() {
		return now != first;
	}

	/** Makes it what it was to begin with; it stays where it is. */
	public void anchor() {
		now = first;
		mean = first.values();
		offset = new double[start.length];
	}

	/** Where what it showed to begin with lies if it is found at a place. */
	public double[] shown(final double[] found) {
		return sum(found, offset, 1);
	}

	/** How far a place lies from where it began. */
	public double[] motion(final double[] shown) {
		return sum(shown, start, -1);
	}

	private static double[] sum(final double[] a, final double[] b, final double times) {
		final double[] s = new double[a.length];
		for (int d = 0; d < s.length; d++) s[d] = a[d] + times * b[d];
		return s;
	}

	/** Whether {@link #found} wants to see the window. */
	public boolean looks() {
		return update.kind() != Update.Kind.FIXED;
	}

	/**
	 * Goes to where it was found, if it follows, and becomes what the policy makes of it.
	 *
	 * @param at first pixel of the window nearest to {@code shown}; of a fixed template where it was found
	 * @param shown as {@link #shown} gave it
	 * @param window the pixels there; null if it does not look
	 */
	public void found(final long[] at, final double[] shown, final double[] window) {
		if (follows) place = at.clone();
		if (!looks()) return;
		final double w = update.weight();
		final double[] values = new double[window.length], rounded = new double[window.length];
		final boolean narrow = first.type() == PixelType.F32;
		for (int i = 0; i < values.length; i++) {
			// what does not count may be anything, and must not spread
			if (!(first.weight(i) > 0)) continue;
			values[i] = w == 1 ? window[i] : mean[i] + w * (window[i] - mean[i]);
			rounded[i] = narrow ? (float) values[i] : values[i];
			if (!Double.isFinite(rounded[i])) return;
		}
		final Template next = new Template(first.size(), first.type(), rounded, first.weights());
		// a window that is found is not flat, but the mean of two that are each other's negative is
		if (!next.hasContrast()) return;
		now = next;
		mean = values;
		for (int d = 0; d < offset.length; d++) offset[d] += w * (shown[d] - at[d] - offset[d]);
	}
}
