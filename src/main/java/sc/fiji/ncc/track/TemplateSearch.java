package sc.fiji.ncc.track;

import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.PositionFit;
import sc.fiji.ncc.numeric.WindowScore;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * The search for one template in the frames of a run: its search window, its two highest peaks with their exact scores, the position between the pixels, and the
 * move to this position. Several threads can search several frames; one thread moves the template.
 */
final class TemplateSearch {

	/** Twice the error limit of responses, so that a rounding error cannot lose the best one. */
	private static final double TOLERANCE = 2e-5;

	final SearchWindow window;
	final MovingTemplate moving;
	/** The lags of a search in one frame. Windows lie inside the frame, but their pixels may be missing. */
	final Lags lags;
	private final int index;
	private final TrackingSettings settings;
	private final Precision precision;
	/** The first pixel of the template in the reference frame. */
	private final long[] start;
	/** The exact scores that no thread uses. */
	private final Queue<Scored> idle = new ConcurrentLinkedQueue<>();

	/** The exact scores of a template. */
	private record Scored(Template template, WindowScore score) {}

	/**
	 * The highest peak.
	 *
	 * @param at its lag; null if no response is defined
	 * @param fraction the sub-pixel offset of the peak from there; NaN along dimensions without a fit
	 * @param covariance of the fraction; null if it is not refined
	 */
	record Found(long[] at, double[] fraction, double score, double runnerUp, double[][] covariance) {}

	/**
	 * @param precision with double, the scores around a peak are computed again
	 * @param moving the template at its start
	 * @param index the index of the template
	 * @param frame the size of the frames
	 * @param type the pixel type of the frames
	 * @throws IllegalArgumentException if the template does not fit into the frame at its start, or there are too many lags
	 */
	TemplateSearch(final TrackingSettings settings, final Precision precision, final MovingTemplate moving, final int index,
		final Size frame, final PixelType type)
	{
		this.settings = settings;
		this.precision = precision;
		this.moving = moving;
		this.index = index;
		start = moving.place();
		final Size size = moving.first().size();
		window = new SearchWindow(frame.toArray(), size, settings.maxShift());
		if (!window.fits(start)) throw new IllegalArgumentException("template " + (index + 1) + " of " + size + " begins at " + Arrays.toString(start)
			+ " and extends beyond the frame of " + frame + ": choose a start position inside");
		final Size count = Size.of(Arrays.stream(window.count()).asLongStream().toArray());
		lags = (settings.missing().possible(type) ? new Lags(count, false, true, settings.minOverlap()) : Lags.inside(count)).apart(!window.everywhere());
	}

	/** The first lag of the search window around the last position. */
	long[] origin() {
		return window.origin(moving.place());
	}

	/** Measures the peak bias in the frame from which the template was cut. */
	void calibrate(final FrameResponses reference) {
		final Scored score = take(moving.first(), reference.pixels());
		moving.calibrate(fraction(score.score, reference, start));
		release(score);
	}

	/** @param template the template whose responses the frame has */
	Found find(final FrameResponses seen, final Template template) {
		final Scored score = take(template, seen.pixels());
		final List<Peak> peaks = TwoPeaks.of(seen.maps()[index], window, moving.place(), TOLERANCE, score.score::at);
		if (peaks.isEmpty()) return new Found(null, null, Double.NaN, Double.NaN, null);
		final long[] at = peaks.get(0).position();
		final double[] fraction = fraction(score.score, seen, at);
		release(score);
		final PositionFit.Fitted fitted = settings.refine() ? refined(seen, template, at, fraction) : null;
		return new Found(at, fitted == null ? fraction : fitted.offset(), peaks.get(0).value(), peaks.size() > 1 ? peaks.get(1).value() : Double.NaN,
			fitted == null ? null : fitted.covariance());
	}

	/** The refined position; null if it is not determined. */
	private static PositionFit.Fitted refined(final FrameResponses seen, final Template template, final long[] at, final double[] fraction) {
		final double[] start = fraction.clone();
		for (int d = 0; d < start.length; d++) if (Double.isNaN(start[d])) start[d] = 0;
		return new PositionFit(seen.pixels(), template).at(at, start);
	}

	/** Whether the template has changed and its score is below the anchor. */
	boolean belowAnchor(final Found found) {
		return moving.changed() && found.score < settings.update().anchor();
	}

	/** Moves the template to the position at which it was found, and updates it. */
	TrackPoint move(final FrameResponses seen, final long frame, final Found found) {
		final long[] at = found.at == null ? moving.place() : found.at;
		final double[] shown = found.at == null ? moving.shown() : moving.shown(at, found.fraction);
		// the edge refers to the position before the move
		final boolean edge = found.at != null && window.edge(at, moving.place());
		final boolean lost = !(found.score >= settings.minScore());
		if (!lost && moving.needsWindow()) {
			// the window nearest to the object, so that the template does not slip off it
			final long[] nearest = window.inside(shown);
			final Scored score = take(moving.current(), seen.pixels());
			final double[] pixels = score.score.window(nearest);
			release(score);
			moving.found(nearest, shown, pixels, moving.template(pixels).map(w -> bias(w, seen, nearest)).orElse(new double[at.length]));
		}
		else if (!lost) moving.found(at, shown, null, null);
		return new TrackPoint(index, frame, at, shown, found.score, found.runnerUp, lost, moving.motion(shown), edge, found.covariance);
	}

	/** The offset at which a fit finds a template in its own frame. */
	private double[] bias(final Template template, final FrameResponses seen, final long[] at) {
		if (settings.refine()) return new double[at.length];
		return fraction(neighbourhood(new WindowScore(seen.pixels(), template, lags), null, at), at.length);
	}

	/** The sub-pixel offset of the peak at a position. */
	private double[] fraction(final WindowScore score, final FrameResponses seen, final long[] at) {
		return fraction(neighbourhood(score, precision == Precision.DOUBLE ? null : seen.maps()[index], at), at.length);
	}

	/** @return NaN along dimensions without a fit, because a neighbour lies beyond the border of the frame */
	private static double[] fraction(final double[] responses, final int n) {
		final double[] fraction = QuadraticPeak.offset(responses, n);
		for (int d = 0, stride = 1, center = responses.length / 2; d < n; d++, stride *= 3)
			if (Double.isNaN(responses[center - stride]) || Double.isNaN(responses[center + stride])) fraction[d] = Double.NaN;
		return fraction;
	}

	/**
	 * The responses at and around a position. Inside the map they are those of the map, whose errors are far below those of the fit. Outside they are exact
	 * scores, or NaN where the template would leave the frame.
	 *
	 * @param map null for exact scores only
	 */
	private double[] neighbourhood(final WindowScore score, final float[] map, final long[] at) {
		final long[] origin = origin();
		final int[] count = window.count();
		int n = 1;
		for (int d = 0; d < at.length; d++) n *= 3;
		final double[] responses = new double[n];
		final long[] p = new long[at.length];
		for (int k = 0; k < n; k++) {
			boolean inMap = map != null;
			int i = 0;
			for (int d = 0, code = k, stride = 1; d < p.length; d++, code /= 3) {
				p[d] = at[d] + code % 3 - 1;
				inMap &= p[d] >= origin[d] && p[d] < origin[d] + count[d];
				i += (int) (p[d] - origin[d]) * stride;
				stride *= count[d];
			}
			responses[k] = inMap ? map[i] : window.fits(p) ? score.at(p) : Double.NaN;
		}
		return responses;
	}

	private Scored take(final Template template, final ImagePixels pixels) {
		for (Scored s = idle.poll(); s != null; s = idle.poll())
			if (s.template == template) {
				s.score.use(pixels);
				return s;
			}
		return new Scored(template, new WindowScore(pixels, template, lags));
	}

	private void release(final Scored s) {
		idle.add(s);
	}
}
