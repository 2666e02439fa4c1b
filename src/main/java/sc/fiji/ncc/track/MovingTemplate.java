package sc.fiji.ncc.track;

import java.util.Optional;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Template;

/**
 * One template during tracking: its last position and its current pixels. A window is cut at whole pixels. So the object that it shows lies a fraction of a
 * pixel from the window's first pixel. This offset is stored, because it would be lost each time the template changes.
 * <p>
 * Correlation peaks are asymmetric. Even in the frame from which a window was cut, the fit is not exactly at the window. This peak bias is no motion. It is
 * nearly the same wherever the window is found again, so it is subtracted.
 */
public final class MovingTemplate {

	private final Template first;
	private final long[] start;
	private final Update update;
	private final boolean follows;
	/** The initial {@link #bias}. */
	private double[] initialBias;
	private Template current;
	/** The offset of the object that {@link #current} shows from its first pixel. */
	private double[] offset;
	/** The offset at which a fit finds {@link #current} in the frame from which it was cut. */
	private double[] bias;
	private long[] place;
	/** The mean before rounding. */
	private double[] mean;

	/**
	 * @param first the initial template
	 * @param start its first pixel in the reference frame
	 * @param follows whether it is searched around its last position; otherwise around the start
	 */
	public MovingTemplate(final Template first, final long[] start, final Update update, final boolean follows) {
		this.first = first;
		this.update = update;
		this.follows = follows;
		this.start = start.clone();
		initialBias = new double[start.length];
		restart();
	}

	/**
	 * Sets the peak bias of the initial template. Default: 0.
	 *
	 * @param peakBias the offset at which a fit finds the template in the frame from which it was cut; NaN along dimensions without a fit
	 */
	public void calibrate(final double[] peakBias) {
		for (int d = 0; d < peakBias.length; d++) initialBias[d] = Double.isNaN(peakBias[d]) ? 0 : peakBias[d];
		if (!changed()) anchor();
	}

	/** Resets pixels and position to the start. */
	public void restart() {
		place = start.clone();
		anchor();
	}

	/** The current template. */
	public Template current() {
		return current;
	}

	/** The initial template. */
	public Template first() {
		return first;
	}

	/** The position around which the template is searched. */
	public long[] place() {
		return place.clone();
	}

	/** Whether the template differs from the initial one. */
	public boolean changed() {
		return current != first;
	}

	/** Resets the pixels to the initial template. The position stays. */
	public void anchor() {
		current = first;
		mean = first.values();
		offset = new double[start.length];
		bias = initialBias.clone();
	}

	/**
	 * The sub-pixel position of the object that the initial template shows.
	 *
	 * @param at the first pixel of the window at which the template is found
	 * @param fraction the offset of the fitted peak from there; NaN along dimensions without a fit
	 */
	public double[] shown(final long[] at, final double[] fraction) {
		final double[] shown = new double[at.length];
		for (int d = 0; d < shown.length; d++) shown[d] = at[d] + (Double.isNaN(fraction[d]) ? offset[d] : fraction[d] - bias[d] + offset[d]);
		return shown;
	}

	/** The sub-pixel position of the object at the last position. */
	public double[] shown() {
		return shown(place, bias);
	}

	/** The motion from the start to a sub-pixel position. */
	public double[] motion(final double[] shown) {
		final double[] motion = new double[shown.length];
		for (int d = 0; d < motion.length; d++) motion[d] = shown[d] - start[d];
		return motion;
	}

	/**
	 * A window as a template.
	 *
	 * @return empty if the window is flat or contains values that are not finite
	 */
	public Optional<Template> template(final double[] window) {
		final double[] rounded = new double[window.length];
		final boolean narrow = first.type() == PixelType.F32;
		for (int i = 0; i < window.length; i++) {
			// a pixel of weight 0 can have any value, also NaN, which must not enter the template
			if (!(first.weight(i) > 0)) continue;
			rounded[i] = narrow ? (float) window[i] : window[i];
			if (!Double.isFinite(rounded[i])) return Optional.empty();
		}
		return Optional.of(first.with(first.type(), rounded)).filter(Template::hasContrast);
	}

	/** Whether {@link #found} needs the pixels of the window. */
	public boolean needsWindow() {
		return update.kind() != Update.Kind.FIXED;
	}

	/**
	 * Moves the template to a position, if it follows, and updates its pixels.
	 *
	 * @param at the first pixel of the window nearest to {@code shown}; for a fixed template, of the window at which it was found
	 * @param shown the result of {@link #shown}
	 * @param window the pixels of the window; null if {@link #needsWindow} is false
	 * @param windowBias the offset at which a fit finds the window in this frame; NaN along dimensions without a fit
	 */
	public void found(final long[] at, final double[] shown, final double[] window, final double[] windowBias) {
		if (follows) place = at.clone();
		if (!needsWindow()) return;
		final double w = update.weight();
		final double[] values = new double[window.length];
		for (int i = 0; i < values.length; i++) values[i] = w == 1 ? window[i] : mean[i] + w * (window[i] - mean[i]);
		// a window with a score is not flat, but the mean of a window and its negative is
		final Optional<Template> next = template(values);
		if (next.isEmpty()) return;
		current = next.get();
		mean = values;
		for (int d = 0; d < offset.length; d++) {
			offset[d] += w * (shown[d] - at[d] - offset[d]);
			bias[d] += w * ((Double.isNaN(windowBias[d]) ? 0 : windowBias[d]) - bias[d]);
		}
	}
}
