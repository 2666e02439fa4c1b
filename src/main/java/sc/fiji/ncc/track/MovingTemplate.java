package sc.fiji.ncc.track;

import java.util.Optional;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Template;

/**
 * One template on its way through the frames: where it was last, and what it looks like by now. A window is cut at whole pixels, so what it shows
 * lies some fraction of a pixel off its first one: that offset is carried along, lest it is lost with every change of the template.
 * <p>
 * Peaks are lopsided: even in the frame that a window was cut from, a fit does not put it quite where it was cut. That own offset is no motion. It is much
 * the same wherever the window is found again, and is taken off.
 */
public final class MovingTemplate {

	private final Template first;
	private final long[] start;
	private final Update update;
	private final boolean follows;
	/** {@link #own} to begin with. */
	private double[] ownFirst;
	private Template now;
	/** What {@link #now} shows lies so far from its first pixel. */
	private double[] offset;
	/** A fit finds {@link #now} so far from its first pixel in the frame that it was cut from. */
	private double[] own;
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
		this.start = start.clone();
		ownFirst = new double[start.length];
		restart();
	}

	/**
	 * Says where a fit finds it in the frame that it was cut from.
	 *
	 * @param own off its first pixel, NaN along dimensions that have no fit; 0 until said
	 */
	public void calibrate(final double[] own) {
		for (int d = 0; d < own.length; d++) ownFirst[d] = Double.isNaN(own[d]) ? 0 : own[d];
		if (!changed()) anchor();
	}

	/** Makes it what and puts it where it was to begin with. */
	public void restart() {
		place = start.clone();
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
		own = ownFirst.clone();
	}

	/**
	 * Where what it showed to begin with lies if it is found at a place.
	 *
	 * @param at a pixel
	 * @param fraction where a fit finds it, off that; NaN along dimensions that have no fit
	 */
	public double[] shown(final long[] at, final double[] fraction) {
		final double[] shown = new double[at.length];
		for (int d = 0; d < shown.length; d++) shown[d] = at[d] + (Double.isNaN(fraction[d]) ? offset[d] : fraction[d] - own[d] + offset[d]);
		return shown;
	}

	/** The same where it was last. */
	public double[] shown() {
		return shown(place, own);
	}

	/** How far a place lies from where it began. */
	public double[] motion(final double[] shown) {
		final double[] motion = new double[shown.length];
		for (int d = 0; d < motion.length; d++) motion[d] = shown[d] - start[d];
		return motion;
	}

	/**
	 * A window as a template.
	 *
	 * @return empty if it is none, for it is flat or holds what is no number
	 */
	public Optional<Template> template(final double[] window) {
		final double[] rounded = new double[window.length];
		final boolean narrow = first.type() == PixelType.F32;
		for (int i = 0; i < window.length; i++) {
			// what does not count may be anything, and must not spread
			if (!(first.weight(i) > 0)) continue;
			rounded[i] = narrow ? (float) window[i] : window[i];
			if (!Double.isFinite(rounded[i])) return Optional.empty();
		}
		return Optional.of(new Template(first.size(), first.type(), rounded, first.weights())).filter(Template::hasContrast);
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
	 * @param itself where a fit finds the window in this frame, off its first pixel; NaN along dimensions that have no fit
	 */
	public void found(final long[] at, final double[] shown, final double[] window, final double[] itself) {
		if (follows) place = at.clone();
		if (!looks()) return;
		final double w = update.weight();
		final double[] values = new double[window.length];
		for (int i = 0; i < values.length; i++) values[i] = w == 1 ? window[i] : mean[i] + w * (window[i] - mean[i]);
		// a window that is found is not flat, but the mean of two that are each other's negative is
		final Optional<Template> next = template(values);
		if (next.isEmpty()) return;
		now = next.get();
		mean = values;
		for (int d = 0; d < offset.length; d++) {
			offset[d] += w * (shown[d] - at[d] - offset[d]);
			own[d] += w * ((Double.isNaN(itself[d]) ? 0 : itself[d]) - own[d]);
		}
	}
}
