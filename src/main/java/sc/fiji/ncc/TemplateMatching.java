package sc.fiji.ncc;

import static sc.fiji.ncc.plan.Result.PEAKS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.image.WindowScore;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.peaks.GreedySelection;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.peaks.Suppression;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.FrameStream;
import sc.fiji.ncc.sink.FrameSinks;
import sc.fiji.ncc.sink.PeakMaps;

/**
 * Finds the places where a template, or several, occur: the local maxima of their correlations with the image, best first, without those whose
 * windows overlap too much with a better one, of whichever template it is.
 *
 * <pre>
 * List&lt;Match&gt; matches = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).maxMatches(20).minScore(0.8).find(image).matches();
 * </pre>
 *
 * The correlation's extent, border, mask, search window and all else hold. Scores are computed once more from the pixels of the image,
 * exactly, before they are compared with the least score and with each other: whatever rounding did to the map, no match that should
 * not be reported is. Equal scores are ordered by frame, then by position in raster order, then by template. Safe for use by several threads at once, each
 * call with the settings as they are when it begins.
 */
public final class TemplateMatching {

	/** Responses of the map are exact to 1e-5; twice that, lest a rounding at the limit loses a match. */
	private static final double TOLERANCE = 2e-5;

	/** By score from high to low, then by frame and position in raster order, then by template. */
	private static final Comparator<Match> ORDER = Comparator.comparingDouble(Match::score).reversed()
		.thenComparing((a, b) -> Arrays.compare(reversed(a.frame()), reversed(b.frame())))
		.thenComparing((a, b) -> Arrays.compare(reversed(a.position()), reversed(b.position()))).thenComparingInt(Match::template);

	private final NormalizedCrossCorrelation correlation;
	private int most = Integer.MAX_VALUE;
	private double least = 0.5;
	private double overlap = 0.5;
	private boolean templatesCompete = true;

	private TemplateMatching(final NormalizedCrossCorrelation correlation) {
		this.correlation = correlation;
	}

	/** Matching by this correlation, as it is set when {@link #find} is called. */
	public static TemplateMatching with(final NormalizedCrossCorrelation correlation) {
		if (correlation == null) throw new IllegalArgumentException("matching needs a correlation");
		return new TemplateMatching(correlation);
	}

	/**
	 * How many matches at most in each frame; by default there is no limit.
	 *
	 * @throws IllegalArgumentException if below 1
	 */
	public TemplateMatching maxMatches(final int most) {
		if (most < 1) throw new IllegalArgumentException("the number of matches must be at least 1, not " + most);
		this.most = most;
		return this;
	}

	/**
	 * The least score of a match; by default 0.5.
	 *
	 * @throws IllegalArgumentException if not in [-1, 1]
	 */
	public TemplateMatching minScore(final double least) {
		if (!(least >= -1 && least <= 1)) throw new IllegalArgumentException("the least score must lie in [-1, 1], unlike " + least);
		this.least = least;
		return this;
	}

	/**
	 * The greatest share of a window that it may have in common with another match of a better score, of windows of different sizes the share of
	 * the smaller one; by default 0.5. With 0 matches do not overlap at all, with 1 every local maximum may be a match.
	 *
	 * @throws IllegalArgumentException if not in [0, 1]
	 */
	public TemplateMatching overlap(final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the share of a window that may be covered must lie in [0, 1], unlike " + share);
		overlap = share;
		return this;
	}

	/**
	 * Whether matches of different templates put each other out where they overlap, and {@link #maxMatches} counts all of them together: so that
	 * one thing is found once, by the template that is most like it. It is so by default; otherwise the matches are those of each template alone.
	 */
	public TemplateMatching templatesCompete(final boolean compete) {
		templatesCompete = compete;
		return this;
	}

	/**
	 * Correlates the image and finds the matches in each of its frames. No map is kept: beside the image it takes memory for a few frames and for the
	 * matches.
	 *
	 * @param image of any real type; its dimensions beyond the template's are frames, which are read one after the other
	 * @return the matches of all frames together, best first. The sub-pixel position is that of a quadratic fitted to the exact scores
	 *         around the match ({@link QuadraticPeak}), except along a dimension in which it lies at the map's border.
	 * @throws IllegalArgumentException as {@link NormalizedCrossCorrelation#correlate} does
	 * @throws sc.fiji.ncc.result.FrameException if a frame could not be read
	 * @throws CancellationException once the correlation's monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if the machine failed
	 */
	public Result find(final RandomAccessibleInterval<?> image) {
		return snapshot().findNow(image);
	}

	/** With the settings that this and the correlation have now. */
	private synchronized TemplateMatching snapshot() {
		final TemplateMatching copy = new TemplateMatching(correlation.snapshot());
		copy.most = most;
		copy.least = least;
		copy.overlap = overlap;
		copy.templatesCompete = templatesCompete;
		return copy;
	}

	private Result findNow(final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = correlation.layout(image);
		final int n = correlation.dimensions();
		final long[] frames = Arrays.copyOfRange(image.dimensionsAsLongArray(), n, image.numDimensions());
		if (correlation.frames(image) == 1) {
			final List<TemplateBank> banks = TemplateBank.of(correlation.templates(), layouts);
			final List<Ranking> rankings = explainAll(image);
			final FrameMatches matches = new FrameMatches(layouts, correlation.options().monitor(), new long[frames.length]);
			matches.begin(StackFrames.get(image, n, 0));
			final Report report = correlation.run(image, banks, rankings, matches);
			final Result found = matches.finish(report, rankings, 0);
			return new Result(found.matches, report, rankings, 1e-9 * (System.nanoTime() - start));
		}
		final List<Match> matches = new ArrayList<>();
		final StreamReport report = findEachNow(Frames.of(image, n), (index, found) -> {
			final long[] frame = new long[frames.length];
			IntervalIndexer.indexToPosition(index, frames, frame);
			for (final Match m : found.matches) matches.add(new Match(m.template(), frame, m.position(), m.score(), m.subpixel()));
		});
		matches.sort(ORDER);
		return new Result(List.copyOf(matches), report.report(), report.rankings(), report.seconds());
	}

	/**
	 * Finds the matches in one frame after the other, as many as come, without keeping maps; as {@link NormalizedCrossCorrelation#correlateEach} in all
	 * else.
	 *
	 * @param consumer takes the matches of each frame, best first, which are its to keep; their own {@link Match#frame} is empty
	 */
	public StreamReport findEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Result> consumer) {
		return snapshot().findEachNow(frames, consumer);
	}

	private StreamReport findEachNow(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Result> consumer) {
		correlation.templates();
		return new FrameStream<Result>(correlation.frameOperation(), frames, PEAKS,
			(like, layouts, monitor) -> new FrameMatches(layouts, monitor, new long[0])).run(consumer);
	}

	/** As {@link SlidingOp#explainAll(RandomAccessibleInterval)}, for matches alone. */
	public List<Ranking> explainAll(final RandomAccessibleInterval<?> image) {
		final NormalizedCrossCorrelation op = correlation.snapshot();
		return op.rank(image, TemplateBank.of(op.templates(), op.layout(image)), PEAKS);
	}

	/**
	 * The candidates for {@link #findEach}, as {@link SlidingOp#explainEach}.
	 *
	 * @param frame the first frame
	 * @param count the number of frames; negative if unknown
	 */
	public List<Ranking> explainEach(final RandomAccessibleInterval<?> frame, final long count) {
		return correlation.snapshot().rankStream(frame, count, PEAKS);
	}

	private static long[] reversed(final long[] position) {
		final long[] r = new long[position.length];
		for (int d = 0; d < r.length; d++) r[d] = position[r.length - 1 - d];
		return r;
	}

	/** The matches of a frame while they come about. */
	private final class FrameMatches implements FrameSinks<Result> {

		private final List<ResponseLayout> layouts;
		private final Monitor monitor;
		private final long[] position;
		private final PeakMaps peaks;
		private RandomAccessibleInterval<?> frame;

		/** @param position of the frame among others */
		FrameMatches(final List<ResponseLayout> layouts, final Monitor monitor, final long[] position) {
			this.layouts = layouts;
			this.monitor = monitor;
			this.position = position;
			peaks = new PeakMaps(layouts, correlation.undefined(), (float) (least - TOLERANCE));
		}

		@Override
		public void begin(final RandomAccessibleInterval<?> pixels) {
			frame = pixels;
			peaks.clear();
		}

		@Override
		public Sink of(final TemplateBank bank, final long index, final long[][] box) {
			return peaks.of(bank, index, box);
		}

		@Override
		public Result finish(final Report report, final List<Ranking> rankings, final double seconds) {
			final List<TemplateFrame> templates = new ArrayList<>();
			for (int t = 0; t < layouts.size(); t++) templates.add(new TemplateFrame(t, position, peaks, layouts.get(t), frame, monitor));
			final List<Match> matches = new ArrayList<>(matches(templates));
			matches.sort(ORDER);
			return new Result(List.copyOf(matches), report, rankings, seconds);
		}
	}

	/** The matches in one frame, of all templates. */
	private List<Match> matches(final List<TemplateFrame> templates) {
		if (!templatesCompete && templates.size() > 1) {
			final List<Match> all = new ArrayList<>();
			for (final TemplateFrame t : templates) all.addAll(matches(List.of(t)));
			return all;
		}
		final List<Peak> maxima = new ArrayList<>();
		final List<long[]> windows = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++) {
			final int index = t;
			templates.get(t).maxima(peak -> maxima.add(new Peak(with(index, templates.get(index).firstPixel(peak.position())), peak.value())));
			windows.add(templates.get(t).template.size().toArray());
		}
		final ToDoubleFunction<long[]> exact = p -> templates.get((int) p[0]).score(window(p));
		final List<Match> matches = new ArrayList<>();
		for (final Peak peak : GreedySelection.best(maxima, new Suppression(windows, overlap), most, least, TOLERANCE, exact))
			matches.add(templates.get((int) peak.position()[0]).match(window(peak.position()), peak.value()));
		return matches;
	}

	/** What {@link Suppression} takes for a position: the template counts least in their order. */
	private static long[] with(final int template, final long[] window) {
		final long[] p = new long[window.length + 1];
		p[0] = template;
		System.arraycopy(window, 0, p, 1, window.length);
		return p;
	}

	private static long[] window(final long[] position) {
		return Arrays.copyOfRange(position, 1, position.length);
	}

	/** One template in one frame. */
	private final class TemplateFrame {

		private final int index;
		private final Template template;
		private final long[] frame;
		private final PeakMaps peaks;
		private final Monitor monitor;
		private final long[] size;
		private final long[] firstLag; // of the map's first response
		private final long[] shift; // from a lag to what the scores' pixels count from
		private final WindowScore score;

		TemplateFrame(final int index, final long[] frame, final PeakMaps peaks, final ResponseLayout a, final RandomAccessibleInterval<?> pixels,
			final Monitor monitor)
		{
			this.index = index;
			template = correlation.templates().get(index);
			this.frame = frame;
			this.peaks = peaks;
			this.monitor = monitor;
			size = a.size;
			firstLag = new long[size.length];
			shift = new long[size.length];
			for (int d = 0; d < size.length; d++) {
				firstLag[d] = a.firstLag[d] - a.place[d];
				shift[d] = a.firstLagInPixels()[d] - a.firstLag[d];
			}
			final Lags lags = a.lags(Size.of(a.size));
			score = new WindowScore(a.pixels(pixels), template, lags.partial() ? lags.minOverlap() : Double.POSITIVE_INFINITY);
		}

		/** The local maxima of the map, in its own coordinates. */
		void maxima(final Consumer<Peak> found) {
			stopIfCanceled();
			peaks.forEach(index, found);
		}

		/** The exact score of the window with this first pixel. */
		double score(final long[] window) {
			stopIfCanceled();
			return score.at(shifted(window, shift));
		}

		Match match(final long[] window, final double value) {
			final double[] subpixel = QuadraticPeak.offset(neighbourhood(window, value), size.length);
			for (int d = 0; d < subpixel.length; d++) subpixel[d] += window[d];
			return new Match(index, frame, window, value, subpixel);
		}

		/** The first pixel in the image of the window that has this response. */
		private long[] firstPixel(final long[] response) {
			return shifted(response, firstLag);
		}

		private static long[] shifted(final long[] position, final long[] by) {
			final long[] p = new long[position.length];
			for (int d = 0; d < p.length; d++) p[d] = position[d] + by[d];
			return p;
		}

		/** The exact scores at and around a match; NaN outside the map. */
		private double[] neighbourhood(final long[] window, final double value) {
			final int n = size.length;
			int count = 1;
			for (int d = 0; d < n; d++) count *= 3;
			final double[] scores = new double[count];
			final long[] p = new long[n];
			for (int k = 0; k < count; k++) {
				boolean inside = true;
				for (int d = 0, code = k; d < n; d++, code /= 3) {
					p[d] = window[d] + code % 3 - 1;
					inside &= p[d] >= firstLag[d] && p[d] < firstLag[d] + size[d];
				}
				scores[k] = !inside ? Double.NaN : k == count / 2 ? value : score(p);
			}
			return scores;
		}

		private void stopIfCanceled() {
			if (monitor.canceled()) throw new CancellationException("canceled while finding matches");
		}
	}

	/**
	 * What was found.
	 *
	 * @param matches best first
	 * @param report counts of the lags that were computed, over all templates
	 * @param rankings the candidates for each set of templates that went through together
	 * @param seconds wall clock; of a frame of a stream since it was read
	 */
	public record Result(List<Match> matches, Report report, List<Ranking> rankings, double seconds) {}
}
