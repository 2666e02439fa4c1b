package sc.fiji.ncc.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.sink.PeakMaps;
import sc.fiji.ncc.statistics.Background;
import sc.fiji.ncc.statistics.ScoreHistogram;
import sc.fiji.ncc.statistics.WindowNoise;

/** The local maxima of the maps of one frame, with the backgrounds of the maps, and the choice of matches among them. */
public final class FrameMaxima {

	/**
	 * The matches of one frame.
	 *
	 * @param matches the matches, best first
	 * @param backgrounds one for each template; empty if the minimum score was given
	 * @param minScores the minimum scores that follow from the backgrounds
	 */
	public record Chosen(List<Match> matches, List<Background> backgrounds, double[] minScores) {}

	/**
	 * What is computed of each match.
	 *
	 * @param between whether positions lie between the pixels; otherwise they are whole pixels
	 * @param refined whether positions between the pixels are refined on the pixels
	 * @param quality whether matches have the quality of their peaks
	 */
	public record Details(boolean between, boolean refined, boolean quality) {

		public static final Details WHOLE_PIXELS = new Details(false, false, false);
	}

	private final List<Template> templates;
	private final List<ResponseLayout> layouts;
	private final MapMaxima maxima;
	private final List<Background> backgrounds;
	private final List<ScoreHistogram> histograms;
	private final RandomAccessibleInterval<?> frame;
	private final long index;
	private final ExactScores exact;

	private FrameMaxima(final List<Template> templates, final List<ResponseLayout> layouts, final MapMaxima maxima,
		final List<Background> backgrounds, final RandomAccessibleInterval<?> frame, final long index, final ExactScores exact)
	{
		this.templates = templates;
		this.layouts = layouts;
		this.maxima = maxima;
		this.backgrounds = backgrounds;
		histograms = List.of();
		this.frame = frame;
		this.index = index;
		this.exact = exact;
	}

	private FrameMaxima(final FrameMaxima found, final MapMaxima maxima, final List<ScoreHistogram> histograms, final ExactScores exact) {
		templates = found.templates;
		layouts = found.layouts;
		this.maxima = maxima;
		backgrounds = found.backgrounds;
		this.histograms = histograms;
		frame = found.frame;
		index = found.index;
		this.exact = exact;
	}

	/** What the windows of a frame say about the scores of each template. With several threads it is computed while the frame is searched. */
	static List<CompletableFuture<WindowNoise>> noise(final List<Template> templates, final List<ResponseLayout> layouts,
		final RandomAccessibleInterval<?> frame, final long index, final int threads)
	{
		return IntStream.range(0, layouts.size()).mapToObj(t -> CompletableFuture.supplyAsync(() -> Parallel.within(threads,
			() -> MinScores.noise(templates.get(t), layouts.get(t), frame, index)), threads == 1 ? Runnable::run
			: ForkJoinPool.commonPool())).toList();
	}

	/**
	 * The local maxima that the sinks of a frame have found. They are valid until the sinks serve another frame.
	 *
	 * @param layouts one for each template
	 * @param index the index of the frame, from 0
	 * @param noise what the windows of the frame say about each template's scores ({@link #noise}), if the sinks have a sample of each map; otherwise empty
	 */
	static FrameMaxima of(final List<Template> templates, final List<ResponseLayout> layouts,
		final RandomAccessibleInterval<?> frame, final long index, final PeakMaps peaks, final List<CompletableFuture<WindowNoise>> noise,
		final Undefined undefined)
	{
		final List<Background> backgrounds = new ArrayList<>();
		for (int t = 0; t < noise.size(); t++) {
			final CompletableFuture<WindowNoise> of = noise.get(t);
			backgrounds.add(MinScores.background(peaks.sample(t), () -> result(of), layouts.get(t), undefined));
		}
		return new FrameMaxima(templates, layouts, peaks::forEach, backgrounds, frame, index,
			new FrameScores(templates, layouts, frame, index));
	}

	private static WindowNoise result(final CompletableFuture<WindowNoise> noise) {
		try {
			return noise.join();
		}
		catch (final CompletionException e) {
			// a frame that cannot be read has the exception of its reader
			throw e.getCause() instanceof RuntimeException ? (RuntimeException) e.getCause() : e;
		}
	}

	/** The same, which stays valid when the sinks serve other frames. It has the histograms of the samples, and remembers exact scores. */
	static FrameMaxima kept(final List<Template> templates, final List<ResponseLayout> layouts,
		final RandomAccessibleInterval<?> frame, final long index, final PeakMaps peaks, final List<CompletableFuture<WindowNoise>> noise,
		final Undefined undefined)
	{
		final FrameMaxima found = of(templates, layouts, frame, index, peaks, noise, undefined);
		final List<List<Peak>> all = new ArrayList<>();
		final List<ScoreHistogram> histograms = new ArrayList<>();
		for (int t = 0; t < layouts.size(); t++) {
			final List<Peak> peaksOfMap = new ArrayList<>();
			peaks.forEach(t, peaksOfMap::add);
			all.add(peaksOfMap);
			histograms.add(ScoreHistogram.of(peaks.sample(t), layouts.get(t).lags, undefined == Undefined.ZERO));
		}
		return new FrameMaxima(found, (t, least, consumer) -> all.get(t).forEach(consumer), List.copyOf(histograms),
			remembering(found.exact));
	}

	private static ExactScores remembering(final ExactScores scores) {
		final Map<List<Object>, Double> known = new HashMap<>();
		return (template, reference, window) -> {
			final List<Object> key = List.of(template, reference == null ? List.of() : Arrays.stream(reference).boxed().toList(),
				Arrays.stream(window).boxed().toList());
			synchronized (known) {
				return known.computeIfAbsent(key, k -> scores.at(template, reference, window));
			}
		};
	}

	/** The responses of the local maxima of a template's map, the highest first. */
	public double[] responses(final int template) {
		final List<Peak> all = new ArrayList<>();
		maxima.forEach(template, Double.NEGATIVE_INFINITY, all::add);
		return all.stream().mapToDouble(p -> -p.value()).sorted().map(r -> -r).toArray();
	}

	/** The background of each template's map; empty without samples. */
	public List<Background> backgrounds() {
		return backgrounds;
	}

	/** The histogram of each template's map; empty if the maxima are not kept. */
	public List<ScoreHistogram> histograms() {
		return histograms;
	}

	/** The minimum score of each template. */
	public double[] minScores(final MinScores scores) {
		final double[] minScores = new double[layouts.size()];
		for (int t = 0; t < minScores.length; t++) minScores[t] = scores.of(scores.isAutomatic() ? backgrounds.get(t) : null);
		return minScores;
	}

	/**
	 * Chooses the matches.
	 *
	 * @param position the position of the frame in the image's further dimensions
	 * @param details what is computed of each match
	 * @throws CancellationException if the monitor canceled
	 */
	public Chosen choose(final MatchSelection.Rules rules, final MinScores scores, final long[] position, final Details details,
		final Monitor monitor) {
		final double[] minScores = minScores(scores);
		final ExactScores monitored = (template, reference, window) -> {
			monitor.requireNotCanceled();
			return exact.at(template, reference, window);
		};
		final MatchSelection selection = new MatchSelection(rules, minScores, templates, layouts, maxima);
		final List<Match> matches = details.between ? selection.matches(monitored, position) : selection.inWholePixels(monitored, position);
		if (details.quality) matches.replaceAll(m -> PeakSurroundings.rated(m, layouts, monitored));
		if (details.refined) {
			final FrameRefinement refinement = new FrameRefinement(templates, layouts, frame, index);
			matches.replaceAll(m -> {
				monitor.requireNotCanceled();
				return refinement.refined(m);
			});
		}
		if (!scores.isAutomatic()) return new Chosen(List.copyOf(matches), List.of(), new double[0]);
		matches.replaceAll(m -> scores.rated(m, backgrounds.get(m.template()), minScores[m.template()]));
		return new Chosen(List.copyOf(matches), backgrounds, minScores);
	}
}
