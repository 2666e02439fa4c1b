package sc.fiji.ncc;

import static sc.fiji.ncc.plan.Result.PEAKS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.LongFunction;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.image.Components;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.match.FrameMaxima;
import sc.fiji.ncc.match.MatchSelection;
import sc.fiji.ncc.match.MinScores;
import sc.fiji.ncc.parts.MatchParts;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.FrameStream;
import sc.fiji.ncc.sink.FrameSinks;
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

	/** The expected number of false matches of an automatic minimum score in the front ends. */
	public static final double FALSE_ALARMS = 0.05;
	/**
	 * The range of the expected number of false matches. Far below it no score is high enough; far above it every maximum of a map of 10^9 responses is
	 * a match.
	 */
	public static final double LEAST_FALSE_ALARMS = 1e-12, MOST_FALSE_ALARMS = 1e9;

	private final NormalizedCrossCorrelation correlation;
	private int maxMatches = Integer.MAX_VALUE, total = Integer.MAX_VALUE;
	private double minScore = 0.5;
	/** NaN: the minimum score decides alone. */
	private double falseAlarms = Double.NaN;
	private double overlap = 0.5;
	private boolean compete = true;
	private boolean refine, quality;

	private TemplateMatching(final NormalizedCrossCorrelation correlation) {
		this.correlation = correlation;
	}

	/** Matching with a correlation. Each call uses its settings at the start of the call. */
	public static TemplateMatching with(final NormalizedCrossCorrelation correlation) {
		return new TemplateMatching(Given.nonNull(correlation, "correlation"));
	}

	/**
	 * Matching with prepared templates, in images of one frame. The first call prepares the templates for this kind of result; in stacks and streams all frames
	 * of a call share one preparation.
	 */
	public static TemplateMatching with(final PreparedTemplates prepared) {
		return new TemplateMatching((NormalizedCrossCorrelation) Given.nonNull(prepared, "set of prepared templates").op());
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
	 * Sets the maximum number of matches in all frames of an image together, the best ones. Default: no limit.
	 *
	 * @throws IllegalArgumentException if below 1
	 */
	public TemplateMatching total(final int matches) {
		if (matches < 1) throw new IllegalArgumentException("the total number of matches is " + matches + ": give at least 1");
		total = matches;
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
	 *          ({@link #FALSE_ALARMS})
	 * @throws IllegalArgumentException if it is not from {@link #LEAST_FALSE_ALARMS} to {@link #MOST_FALSE_ALARMS}
	 */
	public TemplateMatching falseAlarms(final double expected) {
		falseAlarms = checkedAlarms(expected);
		return this;
	}

	/** @throws IllegalArgumentException if the number is not from {@link #LEAST_FALSE_ALARMS} to {@link #MOST_FALSE_ALARMS} */
	static double checkedAlarms(final double expected) {
		if (!(expected >= LEAST_FALSE_ALARMS && expected <= MOST_FALSE_ALARMS))
			throw new IllegalArgumentException("the expected number of false matches is " + expected + ": give a number from " + LEAST_FALSE_ALARMS + " to "
				+ MOST_FALSE_ALARMS + ", such as 0.05");
		return expected;
	}

	/**
	 * Sets the maximum share of a window that can lie in the window of a better match. For windows of different sizes it is the share of the smaller window.
	 * Default: 0.5. With 0, matches do not overlap. With 1, every local maximum can be a match.
	 *
	 * @throws IllegalArgumentException if not in [0, 1]
	 */
	public TemplateMatching maxOverlap(final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the maximum overlap is " + share + ": give a share from 0 to 1");
		overlap = share;
		return this;
	}

	/**
	 * Sets whether a match suppresses overlapping matches of other templates. If so, {@link #maxMatches} counts the matches of all templates together, and one
	 * object is found once, by the template that fits best. If not, each template is matched by itself. Default: true.
	 */
	public TemplateMatching compete(final boolean competing) {
		compete = competing;
		return this;
	}

	/**
	 * Sets whether the positions between the pixels are refined by least squares on the pixels ({@link sc.fiji.ncc.image.PositionFit}), in place of a quadratic fitted to the
	 * scores. Then matches also have a {@link Match#covariance}. A match whose steps do not converge keeps the position of the quadratic, and has no covariance. Complexity for
	 * each match: about 10 times the number of pixels of the template. Default: false.
	 */
	public TemplateMatching refine(final boolean refined) {
		refine = refined;
		return this;
	}

	/**
	 * Sets whether matches have a {@link Match#quality}: runner-up and peak-to-sidelobe ratio. Complexity for each match: 441 exact scores in two
	 * dimensions, 1331 in three. Default: false.
	 */
	public TemplateMatching quality(final boolean rated) {
		quality = rated;
		return this;
	}

	/**
	 * Finds the matches in each frame of an image. No map is kept: besides the image, the call needs memory for a few frames and for the matches.
	 *
	 * @param image an image of any real type; dimensions beyond the template's are frames, which are read one after another
	 * @return the matches of all frames together, best first. The sub-pixel position is that of a quadratic, fitted to the exact scores around the match
	 *         ({@link sc.fiji.ncc.peaks.QuadraticPeak}), minus the peak bias: the offset at which the fit finds the window itself in the image, times the square of the score.
	 *         So a template that was cut from the image is found exactly at its pixel. Along a dimension in which the match lies at the border of the map, it is the whole pixel
	 * @throws IllegalArgumentException as {@link NormalizedCrossCorrelation#correlate}
	 * @throws sc.fiji.ncc.result.FrameException if a frame could not be read
	 * @throws CancellationException if the correlation's monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public Result find(final RandomAccessibleInterval<?> image) {
		return snapshot().findInImage(image);
	}

	/** Such as {@code matches with a score of at least 0.5, by normalized cross-correlation of a 32x32 template, valid positions}. */
	@Override
	public synchronized String toString() {
		return "matches with " + (Double.isNaN(falseAlarms) ? "a score of at least " + minScore : falseAlarms + " expected false alarms") + ", by " + correlation;
	}

	/** A copy with the current settings, also those of the correlation. */
	private synchronized TemplateMatching snapshot() {
		final TemplateMatching copy = new TemplateMatching(correlation.snapshot());
		copy.maxMatches = maxMatches;
		copy.total = total;
		copy.minScore = minScore;
		copy.falseAlarms = falseAlarms;
		copy.overlap = overlap;
		copy.compete = compete;
		copy.refine = refine;
		copy.quality = quality;
		return copy;
	}

	private Result findInImage(final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		final List<FrameMaxima.Chosen> frames = new ArrayList<>();
		final StreamReport report = inEach(image, searched -> (layouts, monitor) -> matches(layouts, monitor, searched),
			found -> frames.add(new FrameMaxima.Chosen(found.matches, found.backgrounds, found.minScores)));
		return joined(frames, frameSize(image), report.report(), report.rankings(), 1e-9 * (System.nanoTime() - start));
	}

	private long[] frameSize(final RandomAccessibleInterval<?> image) {
		return Arrays.copyOfRange(image.dimensionsAsLongArray(), correlation.dimensions(), image.numDimensions());
	}

	/** The matches of all frames together. The number of matches over all frames counts here. */
	private Result joined(final List<FrameMaxima.Chosen> frames, final long[] frameSize, final Report report, final List<Ranking> rankings, final double seconds) {
		final List<Match> matches = new ArrayList<>();
		for (int f = 0; f < frames.size(); f++) {
			final long[] frame = new long[frameSize.length];
			if (frame.length > 0) IntervalIndexer.indexToPosition(f, frameSize, frame);
			for (final Match m : frames.get(f).matches()) matches.add(m.in(frame));
		}
		matches.sort(MatchSelection.ORDER);
		return new Result(List.copyOf(matches.subList(0, Math.min(total, matches.size()))), report, rankings, seconds, frames.stream().flatMap(f -> f.backgrounds().stream()).toList(),
			frames.stream().flatMapToDouble(f -> Arrays.stream(f.minScores())).toArray());
	}

	/** Makes the sinks of a frame. */
	@FunctionalInterface
	private interface Make<R> {

		FrameSinks<R> of(List<ResponseLayout> layouts, Monitor monitor);
	}

	/** Computes all frames of an image, and passes on their results in order. */
	private <R> StreamReport inEach(final RandomAccessibleInterval<?> image, final LongFunction<Make<R>> make, final Consumer<R> consumer) {
		final List<ResponseLayout> layouts = correlation.layout(image);
		correlation.require(image);
		final long count = correlation.frames(image);
		final int n = correlation.dimensions();
		if (count > 1) return stream(Frames.of(image, n), make.apply(count), (index, found) -> consumer.accept(found));
		final List<TemplateBank> banks = TemplateBank.of(correlation.templates(), layouts);
		final List<Ranking> rankings = explainAll(image);
		final FrameSinks<R> sinks = make.apply(1).of(layouts, correlation.options().monitor());
		sinks.begin(StackFrames.get(image, n, 0), 0);
		final Report report = correlation.run(image, banks, rankings, sinks);
		consumer.accept(sinks.finish(report, rankings, 0));
		return new StreamReport(1, report, rankings, 0, 0, 0);
	}

	private <R> StreamReport stream(final Iterable<? extends RandomAccessibleInterval<?>> frames, final Make<R> make, final FrameConsumer<? super R> consumer) {
		correlation.templates();
		return new FrameStream<R>(correlation.frameOperation(), frames, PEAKS, (like, layouts, monitor) -> make.of(layouts, monitor)).run(consumer);
	}

	/**
	 * Finds the matches in each frame of a stream without keeping maps, as {@link NormalizedCrossCorrelation#correlateEach}. {@link #total} counts for each frame.
	 *
	 * @param consumer receives the matches of each frame, best first, and can keep them; {@link Match#frame} is empty
	 */
	public StreamReport findEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Result> consumer) {
		return snapshot().streamed(frames, consumer);
	}

	private StreamReport streamed(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Result> consumer) {
		return stream(frames, (layouts, monitor) -> matches(layouts, monitor, 1), consumer);
	}

	/**
	 * Computes the maps of an image and keeps their local maxima. {@link #find(KeptMaxima)} then chooses matches in milliseconds, with this or another minimum score,
	 * overlap or number of matches. Besides the maxima, the samples of the maps stay as histograms.
	 *
	 * @param image an image that does not change later
	 * @param alarms the maxima are kept down to the minimum score of this object, and down to the score at which white noise gives this many of them, such as 1000
	 * @throws IllegalArgumentException as {@link #find(RandomAccessibleInterval)}, and if {@code alarms} is not above 0
	 */
	public KeptMaxima keep(final RandomAccessibleInterval<?> image, final double alarms) {
		return snapshot().kept(image, alarms);
	}

	private KeptMaxima kept(final RandomAccessibleInterval<?> image, final double alarms) {
		final long start = System.nanoTime();
		final List<FrameMaxima> maxima = new ArrayList<>();
		final List<ResponseLayout> layouts = correlation.layout(image);
		final double least = least(layouts, correlation.frames(image), alarms);
		final StreamReport report = this.<FrameMaxima>inEach(image, searched -> (like, monitor) -> search(like, least, true,
			(found, counts, rankings, time) -> found.kept(StackFrames.get(image, correlation.dimensions(), found.index()))), maxima::add);
		return new KeptMaxima(correlation.templates(), layouts, frameSize(image), List.copyOf(maxima), least, report.report(), report.rankings(), 1e-9 * (System.nanoTime() - start));
	}

	/**
	 * The same for each frame of a stream.
	 *
	 * @param consumer receives the maxima of each frame. They are valid until it returns, because later frames reuse the images
	 */
	public StreamReport keepEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final double alarms, final FrameConsumer<? super KeptMaxima> consumer) {
		return snapshot().keptEach(frames, alarms, consumer);
	}

	private StreamReport keptEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final double alarms, final FrameConsumer<? super KeptMaxima> consumer) {
		return stream(frames, (layouts, monitor) -> {
			final double least = least(layouts, 1, alarms);
			return search(layouts, least, true, (found, report, rankings, seconds) -> new KeptMaxima(correlation.templates(), layouts, new long[0],
				List.of(found.kept(found.frame())), least, report, rankings, seconds));
		}, consumer);
	}

	private double least(final List<ResponseLayout> layouts, final long frames, final double alarms) {
		return Math.min(minScores(layouts, frames).limit(), minScores(checkedAlarms(alarms), layouts, frames).limit());
	}

	/**
	 * Chooses matches among kept maxima. The result is that of {@link #find(RandomAccessibleInterval)} with the settings of this object and the correlation, the
	 * image and the time of {@link #keep}.
	 *
	 * @throws IllegalArgumentException if the minimum score is below {@link KeptMaxima#minScore}
	 * @throws CancellationException if the correlation's monitor canceled
	 */
	public Result find(final KeptMaxima kept) {
		return snapshot().chosen(kept, true);
	}

	/** As {@link #find(KeptMaxima)}, with positions in whole pixels and without quality, which is faster. */
	public Result findUnrefined(final KeptMaxima kept) {
		return snapshot().chosen(kept, false);
	}

	/** Whether maxima were kept down to the minimum score of this object, so that {@link #find(KeptMaxima)} is possible. */
	public boolean canFind(final KeptMaxima kept) {
		return kept != null && Arrays.stream(minScores(kept)).allMatch(score -> score >= kept.minScore());
	}

	/** The minimum scores of this object for kept maxima: one for each template, for one frame after another. */
	public double[] minScores(final KeptMaxima kept) {
		final MinScores scores = snapshot().keptScores(kept);
		return kept.maxima().stream().flatMapToDouble(m -> Arrays.stream(m.minScores(scores))).toArray();
	}

	private MinScores keptScores(final KeptMaxima kept) {
		Given.nonNull(kept, "set of maxima");
		return new MinScores(new MinScores.Setting(minScore, falseAlarms), kept.all(), kept.layouts(), correlation.undefined(), kept.maxima().size());
	}

	private Result chosen(final KeptMaxima kept, final boolean between) {
		final MinScores scores = keptScores(kept);
		final List<FrameMaxima.Chosen> frames = new ArrayList<>();
		for (final FrameMaxima m : kept.maxima()) {
			for (final double least : m.minScores(scores)) if (least < kept.minScore()) throw new IllegalArgumentException("the minimum score is " + least
				+ ", and the maxima were kept down to " + kept.minScore() + ": keep them again with a lower minimum score");
			frames.add(m.choose(rules(), scores, new long[0], between ? details() : FrameMaxima.Details.WHOLE_PIXELS, correlation.options().monitor()));
		}
		return joined(frames, kept.frames(), kept.report(), kept.rankings(), kept.seconds());
	}

	/** The candidates for {@link #find(RandomAccessibleInterval)}, as {@link SlidingOp#explainAll(RandomAccessibleInterval)}. */
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
	 * The work of {@link #findEach} on the frames of an image in parts, for several processes. {@link #total} counts for each frame.
	 *
	 * @throws IllegalArgumentException as {@link #find(RandomAccessibleInterval)}
	 * @throws CancellationException if the correlation's monitor cancels a measurement
	 */
	public MatchParts parts(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		final TemplateMatching copy = snapshot();
		if (copy.quality) throw new IllegalArgumentException("the quality of peaks needs the pixels in one process: leave it out");
		if (copy.refine) throw new IllegalArgumentException("the refinement of positions needs the pixels in one process: leave it out");
		return new MatchParts(copy.correlation.frameOperation(), image, copy.rules(), layouts -> copy.minScores(layouts, 1));
	}

	private MatchSelection.Rules rules() {
		return new MatchSelection.Rules(Math.min(maxMatches, total), overlap, compete);
	}

	private FrameMaxima.Details details() {
		return new FrameMaxima.Details(true, refine, quality);
	}

	private MinScores minScores(final List<ResponseLayout> layouts, final long searched) {
		return minScores(falseAlarms, layouts, searched);
	}

	private MinScores minScores(final double alarms, final List<ResponseLayout> layouts, final long searched) {
		return new MinScores(new MinScores.Setting(minScore, alarms), correlation.templates(), layouts, correlation.undefined(), searched);
	}

	private <R> FrameSinks<R> search(final List<ResponseLayout> layouts, final double least, final boolean sampled, final FrameSearch.Finish<R> finish) {
		return new FrameSearch<>(correlation.templates(), layouts, correlation.undefined(), least, sampled, finish);
	}

	/** @param searched the number of frames that share the expected false alarms */
	private FrameSinks<Result> matches(final List<ResponseLayout> layouts, final Monitor monitor, final long searched) {
		final MinScores scores = minScores(layouts, searched);
		return search(layouts, scores.limit(), scores.isAutomatic(), (found, report, rankings, seconds) -> {
			if (monitor.canceled()) throw new CancellationException("canceled while finding matches");
			final FrameMaxima.Chosen chosen = found.maxima().choose(rules(), scores, new long[0], details(), monitor);
			return new Result(chosen.matches(), report, rankings, seconds, chosen.backgrounds(), chosen.minScores());
		});
	}

	/** The result of a frame that several processes searched ({@link #parts}). */
	public static Result result(final MatchParts.FrameFound frame, final List<Ranking> rankings) {
		final MinScores.Found found = frame.minScores();
		return new Result(frame.matches(), Report.NONE, rankings, 0, found.backgrounds(), found.backgrounds().isEmpty() ? new double[0] : found.scores());
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
	public record Result(List<Match> matches, Report report, List<Ranking> rankings, double seconds, List<Background> backgrounds, double[] minScores) {

		public Result {
			Given.nonNull(matches, "list of matches");
			Given.nonNull(report, "report");
			Given.nonNull(rankings, "list of rankings");
			Given.nonNull(backgrounds, "list of backgrounds");
			Given.nonNull(minScores, "list of minimum scores");
		}

		@Override
		public boolean equals(final Object other) {
			return Components.equal(this, other);
		}

		@Override
		public int hashCode() {
			return Components.hash(this);
		}

		@Override
		public String toString() {
			return Components.text(this);
		}
	}
}
