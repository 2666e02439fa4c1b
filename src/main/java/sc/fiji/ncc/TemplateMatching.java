package sc.fiji.ncc;

import static sc.fiji.ncc.plan.Result.PEAKS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.parts.ExactScores;
import sc.fiji.ncc.parts.FrameScores;
import sc.fiji.ncc.parts.MatchParts;
import sc.fiji.ncc.parts.MatchSelection;
import sc.fiji.ncc.parts.MinScores;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.FrameStream;
import sc.fiji.ncc.sink.FrameSinks;
import sc.fiji.ncc.sink.PeakMaps;
import sc.fiji.ncc.statistics.Background;

/**
 * Finds where one or several templates occur in an image. Matches are the local maxima of the correlations, best first. A match is left out if its window
 * overlaps too much with the window of a better match, of any template.
 *
 * <pre>
 * List&lt;Match&gt; matches = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).maxMatches(20).minScore(0.8).find(image).matches();
 * </pre>
 *
 * The extent, border, mask, search window and all other settings of the correlation apply. Scores are computed again from the pixels of the image, exactly,
 * before they are compared with the minimum score and with each other. So rounding errors of the map cannot change the list of matches. Equal scores are
 * ordered by frame, then by position in raster order, then by template. Several threads can use one object at the same time: each call uses the
 * settings at its start.
 */
public final class TemplateMatching {

	private final NormalizedCrossCorrelation correlation;
	private int maxMatches = Integer.MAX_VALUE;
	private double minScore = 0.5;
	/** NaN: the minimum score decides alone. */
	private double falseAlarms = Double.NaN;
	private double overlap = 0.5;
	private boolean templatesCompete = true;

	private TemplateMatching(final NormalizedCrossCorrelation correlation) {
		this.correlation = correlation;
	}

	/** Matching with a correlation. Each call uses its settings at the start of the call. */
	public static TemplateMatching with(final NormalizedCrossCorrelation correlation) {
		if (correlation == null) throw new IllegalArgumentException("the correlation is null: give a correlation");
		return new TemplateMatching(correlation);
	}

	/**
	 * Sets the maximum number of matches in each frame. Default: no limit.
	 *
	 * @throws IllegalArgumentException if below 1
	 */
	public TemplateMatching maxMatches(final int maxMatches) {
		if (maxMatches < 1) throw new IllegalArgumentException("the maximum number of matches is " + maxMatches + ": give at least 1");
		this.maxMatches = maxMatches;
		return this;
	}

	/**
	 * Sets the minimum score of a match, a correlation coefficient. Default: 0.5.
	 *
	 * @throws IllegalArgumentException if not in [-1, 1]
	 */
	public TemplateMatching minScore(final double minScore) {
		if (!(minScore >= -1 && minScore <= 1)) throw new IllegalArgumentException("the minimum score is " + minScore + ": give a number from -1 to 1");
		this.minScore = minScore;
		falseAlarms = Double.NaN;
		return this;
	}

	/**
	 * Sets the minimum score by the number of false matches that background alone would give in the whole search: all templates and all frames of an image, or one
	 * frame of a stream. The model of the background is fitted to the responses of each map ({@link Background}). {@link Result#backgrounds} returns it. It replaces
	 * {@link #minScore}: the last call of the two counts.
	 *
	 * @param expected the expected number of false matches, such as 0.05
	 * @throws IllegalArgumentException if not above 0 or not finite
	 */
	public TemplateMatching falseAlarms(final double expected) {
		if (!(expected > 0 && expected < Double.POSITIVE_INFINITY))
			throw new IllegalArgumentException("the expected number of false matches is " + expected + ": give a number above 0, such as 0.05");
		falseAlarms = expected;
		return this;
	}

	/**
	 * Sets the maximum share of a window that can lie in the window of a better match. For windows of different sizes it is the share of the smaller window.
	 * Default: 0.5. With 0, matches do not overlap. With 1, every local maximum can be a match.
	 *
	 * @throws IllegalArgumentException if not in [0, 1]
	 */
	public TemplateMatching overlap(final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the maximum overlap is " + share + ": give a share from 0 to 1");
		overlap = share;
		return this;
	}

	/**
	 * Sets whether a match suppresses overlapping matches of other templates. If so, {@link #maxMatches} counts the matches of all templates together, and one
	 * object is found once, by the template that fits best. If not, each template is matched by itself. Default: true.
	 */
	public TemplateMatching templatesCompete(final boolean compete) {
		templatesCompete = compete;
		return this;
	}

	/**
	 * Finds the matches in each frame of an image. No map is kept: besides the image, the call needs memory for a few frames and for the matches.
	 *
	 * @param image an image of any real type; dimensions beyond the template's are frames, which are read one after another
	 * @return the matches of all frames together, best first. The sub-pixel position is that of a quadratic, fitted to the exact scores around the match
	 *         ({@link sc.fiji.ncc.peaks.QuadraticPeak}). Along a dimension in which the match lies at the border of the map, it is the whole pixel
	 * @throws IllegalArgumentException as {@link NormalizedCrossCorrelation#correlate}
	 * @throws sc.fiji.ncc.result.FrameException if a frame could not be read
	 * @throws CancellationException if the correlation's monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public Result find(final RandomAccessibleInterval<?> image) {
		return snapshot().findInImage(image);
	}

	/** A copy with the current settings, also those of the correlation. */
	private synchronized TemplateMatching snapshot() {
		final TemplateMatching copy = new TemplateMatching(correlation.snapshot());
		copy.maxMatches = maxMatches;
		copy.minScore = minScore;
		copy.falseAlarms = falseAlarms;
		copy.overlap = overlap;
		copy.templatesCompete = templatesCompete;
		return copy;
	}

	private Result findInImage(final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = correlation.layout(image);
		final int n = correlation.dimensions();
		correlation.require(image);
		final long[] frames = Arrays.copyOfRange(image.dimensionsAsLongArray(), n, image.numDimensions());
		if (correlation.frames(image) == 1) {
			final List<TemplateBank> banks = TemplateBank.of(correlation.templates(), layouts);
			final List<Ranking> rankings = explainAll(image);
			final FrameMatches matches = new FrameMatches(layouts, correlation.options().monitor(), new long[frames.length], 1);
			matches.begin(StackFrames.get(image, n, 0), 0);
			final Report report = correlation.run(image, banks, rankings, matches);
			final Result found = matches.finish(report, rankings, 0);
			return new Result(found.matches, report, rankings, 1e-9 * (System.nanoTime() - start), found.backgrounds, found.minScores);
		}
		final List<Match> matches = new ArrayList<>();
		final List<Background> backgrounds = new ArrayList<>();
		final List<double[]> minScores = new ArrayList<>();
		final StreamReport report = findInEach(Frames.of(image, n), correlation.frames(image), (index, found) -> {
			final long[] frame = new long[frames.length];
			IntervalIndexer.indexToPosition(index, frames, frame);
			backgrounds.addAll(found.backgrounds);
			minScores.add(found.minScores);
			for (final Match m : found.matches) matches.add(new Match(m.template(), frame, m.position(), m.score(), m.subpixel(), m.probability(), m.falseAlarms()));
		});
		matches.sort(MatchSelection.ORDER);
		return new Result(List.copyOf(matches), report.report(), report.rankings(), report.seconds(), List.copyOf(backgrounds),
			minScores.stream().flatMapToDouble(Arrays::stream).toArray());
	}

	/**
	 * Finds the matches in each frame of a stream without keeping maps, as {@link NormalizedCrossCorrelation#correlateEach}.
	 *
	 * @param consumer receives the matches of each frame, best first, and can keep them; {@link Match#frame} is empty
	 */
	public StreamReport findEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Result> consumer) {
		return snapshot().findInEach(frames, 1, consumer);
	}

	/** @param searched the number of frames that share the expected false alarms */
	private StreamReport findInEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final long searched, final FrameConsumer<? super Result> consumer) {
		correlation.templates();
		return new FrameStream<Result>(correlation.frameOperation(), frames, PEAKS,
			(like, layouts, monitor) -> new FrameMatches(layouts, monitor, new long[0], searched)).run(consumer);
	}

	/** The candidates for {@link #find}, as {@link SlidingOp#explainAll(RandomAccessibleInterval)}. */
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

	/**
	 * The work of {@link #findEach} on the frames of an image in parts, for several processes.
	 *
	 * @throws IllegalArgumentException as {@link #find}
	 * @throws CancellationException if the correlation's monitor cancels a measurement
	 */
	public MatchParts parts(final RandomAccessibleInterval<?> image) {
		final TemplateMatching copy = snapshot();
		return new MatchParts(copy.correlation.frameOperation(), image, copy.rules(), layouts -> copy.minScores(layouts, 1));
	}

	private MatchSelection.Rules rules() {
		return new MatchSelection.Rules(maxMatches, overlap, templatesCompete);
	}

	private MinScores minScores(final List<ResponseLayout> layouts, final long searched) {
		return new MinScores(new MinScores.Setting(minScore, falseAlarms), correlation.templates(), layouts, correlation.undefined(), searched);
	}

	/** Collects the matches of a frame. */
	private final class FrameMatches implements FrameSinks<Result> {

		private final List<ResponseLayout> layouts;
		private final Monitor monitor;
		private final long[] position;
		private final MinScores scores;
		private final PeakMaps peaks;
		private RandomAccessibleInterval<?> frame;
		private long index;

		/**
		 * @param position the position of the frame in the image's further dimensions
		 * @param searched the number of frames that share the expected false alarms
		 */
		FrameMatches(final List<ResponseLayout> layouts, final Monitor monitor, final long[] position, final long searched) {
			this.layouts = layouts;
			this.monitor = monitor;
			this.position = position;
			scores = minScores(layouts, searched);
			peaks = scores.peakMaps();
		}

		@Override
		public void begin(final RandomAccessibleInterval<?> pixels, final long frameIndex) {
			frame = pixels;
			index = frameIndex;
			peaks.clear();
		}

		@Override
		public Sink of(final TemplateBank bank, final long index, final long[][] box) {
			return peaks.of(bank, index, box);
		}

		@Override
		public Result finish(final Report report, final List<Ranking> rankings, final double seconds) {
			stopIfCanceled();
			final MinScores.Found found = scores.of(peaks, frame);
			final ExactScores pixels = new FrameScores(correlation.templates(), layouts, frame, index);
			final ExactScores exact = (template, window) -> {
				stopIfCanceled();
				return pixels.at(template, window);
			};
			final List<Match> matches = new MatchSelection(rules(), found.scores(), correlation.templates(), layouts, peaks).matches(exact, position);
			return result(scores.rated(matches, found), found, report, rankings, seconds);
		}

		private void stopIfCanceled() {
			if (monitor.canceled()) throw new CancellationException("canceled while finding matches");
		}
	}

	private static Result result(final List<Match> matches, final MinScores.Found found, final Report report, final List<Ranking> rankings, final double seconds) {
		return new Result(matches, report, rankings, seconds, found.backgrounds(), found.backgrounds().isEmpty() ? new double[0] : found.scores());
	}

	/** The result of a frame that several processes searched ({@link #parts}). */
	public static Result result(final MatchParts.FrameFound frame, final List<Ranking> rankings) {
		return result(frame.matches(), frame.minScores(), Report.NONE, rankings, 0);
	}

	/**
	 * The matches of an image or a frame.
	 *
	 * @param matches the matches, best first
	 * @param report the counts of the computed lags, over all templates
	 * @param rankings the candidates of each group of templates computed together
	 * @param seconds the elapsed time; for a frame of a stream, since it was read
	 * @param backgrounds the background of each template, for one frame after another. Empty without {@link TemplateMatching#falseAlarms}
	 * @param minScores the minimum score that follows from each background
	 */
	public record Result(List<Match> matches, Report report, List<Ranking> rankings, double seconds, List<Background> backgrounds, double[] minScores) {}
}
