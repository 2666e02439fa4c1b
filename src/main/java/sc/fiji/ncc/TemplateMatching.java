package sc.fiji.ncc;

import static sc.fiji.ncc.plan.Result.PEAKS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.match.FrameMaxima;
import sc.fiji.ncc.match.FrameSearch;
import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.match.MatchSelection;
import sc.fiji.ncc.match.MatchSelection.Rules;
import sc.fiji.ncc.match.MatchSettings;
import sc.fiji.ncc.match.MinScores;
import sc.fiji.ncc.option.Range;
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
import sc.fiji.ncc.run.SlidingCall;
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

	private final Supplier<SlidingCall> correlation;
	/** The correlation in words. */
	private final Supplier<String> text;
	private MatchSettings settings = MatchSettings.DEFAULT;

	private TemplateMatching(final Supplier<SlidingCall> correlation, final Supplier<String> text) {
		this.correlation = correlation;
		this.text = text;
	}

	/** Matching with a correlation. Each call uses its settings at the start of the call. */
	public static TemplateMatching with(final NormalizedCrossCorrelation correlation) {
		Given.nonNull(correlation, "correlation");
		return new TemplateMatching(correlation::call, correlation::toString);
	}

	/**
	 * Matching with prepared templates, in images of one frame. The first call prepares the templates for this kind of result; in stacks and streams all frames
	 * of a call share one preparation.
	 */
	public static TemplateMatching with(final PreparedTemplates prepared) {
		Given.nonNull(prepared, "set of prepared templates");
		return new TemplateMatching(prepared::call, prepared::toString);
	}

	/**
	 * Sets the maximum number of matches in each frame. Default: no limit.
	 *
	 * @throws IllegalArgumentException if below 1
	 */
	public TemplateMatching maxMatches(final int maxMatches) {
		return set(MatchSettings::rules, Rules::maxMatches, maxMatches);
	}

	/**
	 * Sets the maximum number of matches in all frames of an image together, the best ones. Default: no limit.
	 *
	 * @throws IllegalArgumentException if below 1
	 */
	public TemplateMatching total(final int matches) {
		return set(MatchSettings::total, matches);
	}

	/**
	 * Sets the minimum score of a match, a correlation coefficient. Default: 0.5.
	 *
	 * @throws IllegalArgumentException if not in [-1, 1]
	 */
	public TemplateMatching minScore(final double minScore) {
		return set(MatchSettings::score, MinScores.Setting.ofScore(minScore));
	}

	/**
	 * Sets the minimum score by the number of false matches that background alone would give in the whole search: all templates and all frames of an image, or one
	 * frame of a stream. The model of the background is fitted to the responses of each map ({@link Background}). {@link Result#backgrounds} returns it. It replaces
	 * {@link #minScore}: the last call of the two counts.
	 *
	 * @param expected the expected number of false matches, such as 0.05 ({@link #FALSE_ALARMS})
	 * @throws IllegalArgumentException if it is not in the range {@link Range#FALSE_ALARMS}
	 */
	public synchronized TemplateMatching falseAlarms(final double expected) {
		return set(MatchSettings::score, settings.score().alarms(expected));
	}

	/**
	 * Sets the maximum share of a window that can lie in the window of a better match. For windows of different sizes it is the share of the smaller window.
	 * Default: 0.5. With 0, matches do not overlap. With 1, every local maximum can be a match.
	 *
	 * @throws IllegalArgumentException if not in [0, 1]
	 */
	public TemplateMatching maxOverlap(final double share) {
		return set(MatchSettings::rules, Rules::overlap, share);
	}

	/**
	 * Sets whether a match suppresses overlapping matches of other templates. If so, {@link #maxMatches} counts the matches of all templates together, and one
	 * object is found once, by the template that fits best. If not, each template is matched by itself. Default: true.
	 */
	public TemplateMatching compete(final boolean competing) {
		return set(MatchSettings::rules, Rules::compete, competing);
	}

	/**
	 * Sets whether the positions between the pixels are refined by least squares on the pixels ({@link sc.fiji.ncc.image.PositionFit}), in place of a quadratic fitted to the
	 * scores. Then matches also have a {@link Match#covariance}. A match whose steps do not converge keeps the position of the quadratic, and has no covariance. Complexity for
	 * each match: about 10 times the number of pixels of the template. Default: false.
	 */
	public TemplateMatching refine(final boolean refined) {
		return set(MatchSettings::details, FrameMaxima.Details::refined, refined);
	}

	/**
	 * Sets whether matches have a {@link Match#quality}: runner-up and peak-to-sidelobe ratio. Complexity for each match: 441 exact scores in two
	 * dimensions, 1331 in three. Default: false.
	 */
	public TemplateMatching quality(final boolean rated) {
		return set(MatchSettings::details, FrameMaxima.Details::quality, rated);
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
		return begin().find(image);
	}

	/** Such as {@code matches with a score of at least 0.5, by normalized cross-correlation of a 32x32 template, valid positions}. */
	@Override
	public synchronized String toString() {
		return "matches with " + (settings.score().isAutomatic() ? settings.score().falseAlarms() + " expected false alarms"
			: "a score of at least " + settings.score().score()) + ", by " + text.get();
	}

	private synchronized <V> TemplateMatching set(final Components.Accessor<MatchSettings, V> setting, final V value) {
		settings = Components.with(settings, setting, value);
		return this;
	}

	private synchronized <P extends Record, V> TemplateMatching set(final Components.Accessor<MatchSettings, P> part,
		final Components.Accessor<P, V> setting, final V value)
	{
		settings = Components.with(settings, part, setting, value);
		return this;
	}

	/** A call with the current settings, also those of the correlation. */
	private synchronized Search begin() {
		return new Search(correlation.get(), settings);
	}

	/** Makes the sinks of a frame. */
	@FunctionalInterface
	private interface Make<R> {

		FrameSinks<R> of(List<ResponseLayout> layouts, Monitor monitor);
	}

	/** One call. */
	private record Search(SlidingCall call, MatchSettings settings) {

		Result find(final RandomAccessibleInterval<?> image) {
			final long start = System.nanoTime();
			final List<FrameMaxima.Chosen> frames = new ArrayList<>();
			final StreamReport report = inEach(image, searched -> (layouts, monitor) -> matches(layouts, monitor, searched),
				found -> frames.add(new FrameMaxima.Chosen(found.matches, found.backgrounds, found.minScores)));
			return joined(frames, frameSize(image), report.report(), report.rankings(), Ranking.secondsSince(start, report.rankings()));
		}

		StreamReport findEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Result> consumer) {
			return stream(frames, (layouts, monitor) -> matches(layouts, monitor, 1), consumer);
		}

		KeptMaxima keep(final RandomAccessibleInterval<?> image, final double alarms) {
			final long start = System.nanoTime();
			final List<FrameMaxima> maxima = new ArrayList<>();
			final List<ResponseLayout> layouts = call.layouts(image);
			final double least = least(layouts, call.frames(image), alarms);
			final StreamReport report = this.<FrameMaxima>inEach(image, searched -> (like, monitor) -> search(like, least, true,
				(found, counts, rankings, time) -> found.kept(StackFrames.get(image, call.dimensions(), found.index()))), maxima::add);
			return KeptMaxima.of(call.templates(), layouts, frameSize(image), List.copyOf(maxima), least,
				new KeptMaxima.Search(report.report(), report.rankings(), Ranking.secondsSince(start, report.rankings())));
		}

		StreamReport keepEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final double alarms,
			final FrameConsumer<? super KeptMaxima> consumer) {
			return stream(frames, (layouts, monitor) -> {
				final double least = least(layouts, 1, alarms);
				return search(layouts, least, true, (found, report, rankings, seconds) ->
					KeptMaxima.of(call.templates(), layouts, new long[0], List.of(found.kept(found.frame())), least,
						new KeptMaxima.Search(report, rankings, seconds)));
			}, consumer);
		}

		Result choose(final KeptMaxima kept, final FrameMaxima.Details details) {
			return joined(Given.nonNull(kept, "set of maxima").choose(settings, details, call.undefined(), call.monitor()), kept.frames(),
				kept.report(), kept.rankings(), kept.seconds());
		}

		private long[] frameSize(final RandomAccessibleInterval<?> image) {
			return Arrays.copyOfRange(image.dimensionsAsLongArray(), call.dimensions(), image.numDimensions());
		}

		/** The matches of all frames together. The number of matches over all frames counts here. */
		private Result joined(final List<FrameMaxima.Chosen> frames, final long[] frameSize, final Report report,
			final List<Ranking> rankings, final double seconds)
		{
			final List<Match> matches = new ArrayList<>();
			for (int f = 0; f < frames.size(); f++) {
				final long[] frame = new long[frameSize.length];
				if (frame.length > 0) IntervalIndexer.indexToPosition(f, frameSize, frame);
				for (final Match m : frames.get(f).matches()) matches.add(m.in(frame));
			}
			matches.sort(MatchSelection.ORDER);
			return new Result(List.copyOf(matches.subList(0, Math.min(settings.total(), matches.size()))), report, rankings, seconds,
				frames.stream().flatMap(f -> f.backgrounds().stream()).toList(),
				frames.stream().flatMapToDouble(f -> Arrays.stream(f.minScores())).toArray());
		}

		/** Computes all frames of an image, and passes on their results in order. */
		private <R> StreamReport inEach(final RandomAccessibleInterval<?> image, final LongFunction<Make<R>> make,
			final Consumer<R> consumer) {
			final List<ResponseLayout> layouts = call.layouts(image);
			call.require(image);
			final long count = call.frames(image);
			final int n = call.dimensions();
			if (count > 1) return stream(Frames.of(image, n), make.apply(count), (index, found) -> consumer.accept(found));
			final List<TemplateBank> banks = TemplateBank.of(call.templates(), layouts);
			final List<Ranking> rankings = call.rank(image, banks, PEAKS);
			final FrameSinks<R> sinks = make.apply(1).of(layouts, call.monitor());
			sinks.begin(StackFrames.get(image, n, 0), 0);
			final Report report = call.computeBanks(image, banks, rankings, sinks);
			consumer.accept(sinks.finish(report, rankings, 0));
			return new StreamReport(1, report, rankings, 0, 0, 0);
		}

		private <R> StreamReport stream(final Iterable<?
			extends RandomAccessibleInterval<?>> frames, final Make<R> make, final FrameConsumer<? super R> consumer) {
			call.templates();
			return new FrameStream<R>(call, frames, PEAKS, (like, layouts, monitor) -> make.of(layouts, monitor)).run(consumer);
		}

		private double least(final List<ResponseLayout> layouts, final long frames, final double alarms) {
			return Math.min(minScores(settings.score(), layouts, frames).limit(),
				minScores(settings.score().alarms(alarms), layouts, frames).limit());
		}

		private MinScores minScores(final MinScores.Setting score, final List<ResponseLayout> layouts, final long searched) {
			return new MinScores(score, call.templates(), layouts, call.undefined(), searched);
		}

		private <R> FrameSinks<R> search(final List<ResponseLayout> layouts, final double least, final boolean sampled,
			final FrameSearch.Finish<R> finish) {
			return new FrameSearch<>(call.templates(), layouts, call.undefined(), least, sampled, call.threads(), finish);
		}

		/** @param searched the number of frames that share the expected false alarms */
		private FrameSinks<Result> matches(final List<ResponseLayout> layouts, final Monitor monitor, final long searched) {
			final MinScores scores = minScores(settings.score(), layouts, searched);
			return search(layouts, scores.limit(), scores.isAutomatic(), (found, report, rankings, seconds) -> {
				monitor.requireNotCanceled();
				final FrameMaxima.Chosen chosen = found.maxima()
					.choose(settings.frameRules(), scores, new long[0], settings.details(), monitor);
				return new Result(chosen.matches(), report, rankings, seconds, chosen.backgrounds(), chosen.minScores());
			});
		}
	}

	/**
	 * Finds the matches in each frame of a stream without keeping maps, as {@link NormalizedCrossCorrelation#correlateEach}. {@link #total} counts for each frame.
	 *
	 * @param consumer receives the matches of each frame, best first, and can keep them; {@link Match#frame} is empty
	 */
	public StreamReport findEach(final Iterable<? extends RandomAccessibleInterval<?>> frames,
		final FrameConsumer<? super Result> consumer) {
		return begin().findEach(frames, consumer);
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
		return begin().keep(image, alarms);
	}

	/**
	 * The same for each frame of a stream.
	 *
	 * @param consumer receives the maxima of each frame. They are valid until it returns, because later frames reuse the images
	 */
	public StreamReport keepEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final double alarms,
		final FrameConsumer<? super KeptMaxima> consumer) {
		return begin().keepEach(frames, alarms, consumer);
	}

	/**
	 * Chooses matches among kept maxima. The result is that of {@link #find(RandomAccessibleInterval)} with the settings of this object and the correlation, the
	 * image and the time of {@link #keep}.
	 *
	 * @throws IllegalArgumentException if the minimum score is below {@link KeptMaxima#minScore}
	 * @throws CancellationException if the correlation's monitor canceled
	 */
	public Result find(final KeptMaxima kept) {
		final Search search = begin();
		return search.choose(kept, search.settings.details());
	}

	/** As {@link #find(KeptMaxima)}, with positions in whole pixels and without quality, which is faster. */
	public Result findUnrefined(final KeptMaxima kept) {
		return begin().choose(kept, FrameMaxima.Details.WHOLE_PIXELS);
	}

	/** Whether maxima were kept down to the minimum score of this object, so that {@link #find(KeptMaxima)} is possible. */
	public boolean canFind(final KeptMaxima kept) {
		return kept != null && Arrays.stream(minScores(kept)).allMatch(score -> score >= kept.minScore());
	}

	/** The minimum scores of this object for kept maxima: one for each template, for one frame after another. */
	public double[] minScores(final KeptMaxima kept) {
		final Search search = begin();
		return Given.nonNull(kept, "set of maxima").minScores(search.settings.score(), search.call.undefined());
	}

	/** The candidates for {@link #find(RandomAccessibleInterval)}, as {@link SlidingOp#explainAll(RandomAccessibleInterval)}. */
	public List<Ranking> explainAll(final RandomAccessibleInterval<?> image) {
		return correlation.get().explain(image, PEAKS);
	}

	/**
	 * The candidates for {@link #findEach}, as {@link SlidingOp#explainEach}.
	 *
	 * @param frame the first frame
	 * @param count the number of frames; negative if unknown
	 */
	public List<Ranking> explainEach(final RandomAccessibleInterval<?> frame, final long count) {
		return correlation.get().explainEach(frame, count, PEAKS);
	}

	/**
	 * The work of {@link #findEach} on the frames of an image in parts, for several processes. {@link #total} counts for each frame.
	 *
	 * @throws IllegalArgumentException as {@link #find(RandomAccessibleInterval)}
	 * @throws CancellationException if the correlation's monitor cancels a measurement
	 */
	public MatchParts parts(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		final Search search = begin();
		final MatchSettings set = search.settings;
		if (set.details().quality()) throw new IllegalArgumentException("the quality of peaks needs the pixels in one process: leave it out");
		if (set.details().refined()) throw new IllegalArgumentException("the refinement of positions needs the pixels in one process: leave it out");
		return new MatchParts(search.call, image, set.frameRules(), layouts -> search.minScores(set.score(), layouts, 1));
	}

	/** The result of a frame that several processes searched ({@link #parts}). */
	public static Result result(final MatchParts.FrameFound frame, final List<Ranking> rankings) {
		final MinScores.Found found = frame.minScores();
		return new Result(frame.matches(), Report.NONE, rankings, 0, found.backgrounds(), found.backgrounds().isEmpty() ? new double[0]
			: found.scores());
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
	public record Result(List<Match> matches, Report report, List<Ranking> rankings, double seconds, List<Background> backgrounds,
		double[] minScores) {

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
