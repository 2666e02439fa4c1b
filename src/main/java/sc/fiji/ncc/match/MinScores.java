package sc.fiji.ncc.match;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.sink.PeakMaps;
import sc.fiji.ncc.statistics.Background;
import sc.fiji.ncc.statistics.BackgroundFit;
import sc.fiji.ncc.peaks.MapSample;
import sc.fiji.ncc.statistics.WindowNoise;

/**
 * The minimum scores of the matches in one frame: one score for all templates, or for each template the score that follows from the expected number of false alarms
 * ({@link Background}).
 */
public final class MinScores {

	/**
	 * What the user sets.
	 *
	 * @param score the minimum score
	 * @param falseAlarms the expected number of false alarms in a search, which then counts in place of the score; NaN if the score counts
	 */
	public record Setting(double score, double falseAlarms) implements Serializable {

		public Setting {
			Range.SCORE.of("the minimum score is ", score);
			if (!Double.isNaN(falseAlarms)) Range.FALSE_ALARMS.of("the expected number of false matches is ", falseAlarms);
		}

		public static Setting ofScore(final double score) {
			return new Setting(score, Double.NaN);
		}

		/** @throws IllegalArgumentException also for NaN */
		public Setting alarms(final double expected) {
			return new Setting(score, Range.FALSE_ALARMS.of("the expected number of false matches is ", expected));
		}

		public boolean isAutomatic() {
			return !Double.isNaN(falseAlarms);
		}
	}

	/**
	 * The minimum scores of a frame.
	 *
	 * @param scores one for each template
	 * @param backgrounds one for each template; empty if the user set the score
	 */
	public record Found(double[] scores, List<Background> backgrounds) {}

	/** The minimum score of white noise for this many times the false alarms is a lower limit: of neighbours with correlated scores, only one is a match. */
	private static final double MORE_ALARMS = 4;

	private final Setting setting;
	private final List<Template> templates;
	private final List<ResponseLayout> layouts;
	private final Undefined undefined;
	/** The expected number of false alarms of each map. */
	private final double alarms;
	/** A lower limit of all minimum scores, before the background is known. */
	private final double limit;

	/**
	 * @param layouts one for each template
	 * @param searched the number of frames that share the expected false alarms
	 */
	public MinScores(final Setting setting, final List<Template> templates, final List<ResponseLayout> layouts, final Undefined undefined, final long searched) {
		this.setting = setting;
		this.templates = templates;
		this.layouts = layouts;
		this.undefined = undefined;
		alarms = setting.falseAlarms / ((double) layouts.size() * searched);
		limit = setting.isAutomatic() ? whiteNoise() : setting.score;
	}

	private double whiteNoise() {
		double least = 1;
		for (int t = 0; t < layouts.size(); t++)
			least = Math.min(least, Background.white(effectivePixels(templates.get(t)), layouts.get(t).lags).minScore(MORE_ALARMS * alarms));
		return least;
	}

	/** Whether the minimum scores follow from the background. */
	public boolean isAutomatic() {
		return setting.isAutomatic();
	}

	/** A lower limit of all minimum scores, before the background is known. */
	public double limit() {
		return limit;
	}

	/** Collects the local maxima that can be matches. */
	public PeakMaps peakMaps() {
		return new PeakMaps(layouts, undefined, MatchSelection.leastResponse(limit), setting.isAutomatic());
	}

	/**
	 * The minimum scores of a frame.
	 *
	 * @param peaks from {@link #peakMaps}, with all boxes of the frame
	 * @param frame the background follows from a few of its windows, and from the peaks' sample of the map
	 * @param index the index of the frame, from 0
	 */
	public Found of(final PeakMaps peaks, final RandomAccessibleInterval<?> frame, final long index) {
		final double[] scores = new double[layouts.size()];
		Arrays.fill(scores, setting.score);
		final List<Background> backgrounds = new ArrayList<>();
		for (int t = 0; setting.isAutomatic() && t < scores.length; t++) {
			final int template = t;
			backgrounds.add(background(peaks.sample(t), () -> noise(templates.get(template), layouts.get(template), frame, index), layouts.get(t), undefined));
			scores[t] = of(backgrounds.get(t));
		}
		return new Found(scores, List.copyOf(backgrounds));
	}

	/** The background of a map: fitted to its responses, or from the autocorrelations if there are too few of them. */
	static Background background(final MapSample sample, final Supplier<WindowNoise> noise, final ResponseLayout layout, final Undefined undefined) {
		return BackgroundFit.of(sample, layout.lags, undefined == Undefined.ZERO, noise).orElseGet(() -> Background.analytic(noise.get(), layout.lags));
	}

	/** What the windows of a frame say about the scores of a template. */
	static WindowNoise noise(final Template template, final ResponseLayout layout, final RandomAccessibleInterval<?> frame, final long index) {
		return WindowNoise.of(template, layout.pixels(frame, index), frame);
	}

	/** The matches with their probabilities and expected false alarms, if the background is known. */
	public List<Match> rated(final List<Match> matches, final Found found) {
		if (!setting.isAutomatic()) return List.copyOf(matches);
		return matches.stream().map(m -> rated(m, found.backgrounds.get(m.template()), found.scores[m.template()])).toList();
	}

	/**
	 * A match with its statistics in a background.
	 *
	 * @param minScore the minimum score that follows from the background
	 */
	Match rated(final Match m, final Background background, final double minScore) {
		return m.rated(background.probability(m.score()), background.falseAlarms(m.score()) * setting.falseAlarms / alarms, minScore, background.state());
	}

	/** The minimum score of a template with this background. */
	double of(final Background background) {
		return setting.isAutomatic() ? Math.max(limit, background.minScore(alarms)) : setting.score;
	}

	/** The number of equally weighted pixels with the same sum of squared weights: (Σw)²/Σw². */
	private static double effectivePixels(final Template template) {
		double sum = 0, squares = 0;
		for (int i = 0; i < template.values().length; i++) {
			final double w = template.weight(i);
			sum += w;
			squares += w * w;
		}
		return sum * sum / squares;
	}
}
