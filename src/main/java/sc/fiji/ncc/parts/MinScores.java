package sc.fiji.ncc.parts;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.sink.PeakMaps;
import sc.fiji.ncc.statistics.Background;
import sc.fiji.ncc.statistics.BackgroundFit;

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
		limit = setting.isAutomatic() ? limit() : setting.score;
	}

	private double limit() {
		double least = 1;
		for (int t = 0; t < layouts.size(); t++) least = Math.min(least, Background.white(effectivePixels(templates.get(t)), layouts.get(t).lags).minScore(alarms));
		return least;
	}

	/** Collects the local maxima that can be matches. */
	public PeakMaps peakMaps() {
		return new PeakMaps(layouts, undefined, MatchSelection.leastResponse(limit), setting.isAutomatic());
	}

	/**
	 * The minimum scores of a frame.
	 *
	 * @param peaks from {@link #peakMaps}, with all boxes of the frame
	 * @param frame its pixels are read only if there are too few responses to fit the background: at most 128 in each dimension
	 */
	public Found of(final PeakMaps peaks, final RandomAccessibleInterval<?> frame) {
		final double[] scores = new double[layouts.size()];
		Arrays.fill(scores, setting.score);
		final List<Background> backgrounds = new ArrayList<>();
		for (int t = 0; setting.isAutomatic() && t < scores.length; t++) {
			backgrounds.add(background(t, peaks, frame));
			scores[t] = Math.max(limit, backgrounds.get(t).minScore(alarms));
		}
		return new Found(scores, List.copyOf(backgrounds));
	}

	/** The background of a map: fitted to its responses, or from the autocorrelations if there are too few of them. */
	private Background background(final int t, final PeakMaps peaks, final RandomAccessibleInterval<?> frame) {
		final long[] lags = layouts.get(t).lags;
		final Template template = templates.get(t);
		return BackgroundFit.of(peaks.sample(t), lags, undefined == Undefined.ZERO)
			.orElseGet(() -> Background.analytic(template.values(), template.size().toArray(), frame, lags));
	}

	/** The matches with their probabilities and expected false alarms, if the background is known. */
	public List<Match> rated(final List<Match> matches, final Found found) {
		if (!setting.isAutomatic()) return List.copyOf(matches);
		return matches.stream().map(m -> {
			final Background background = found.backgrounds.get(m.template());
			return new Match(m.template(), m.frame(), m.position(), m.score(), m.subpixel(), background.probability(m.score()),
				background.falseAlarms(m.score()) * setting.falseAlarms / alarms);
		}).toList();
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
