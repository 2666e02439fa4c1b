package sc.fiji.ncc.parts;

import java.util.List;

import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.statistics.Background;

/** The minimum scores of a search: one given score, or scores that follow from the expected number of false matches in the background. */
public final class MinScores {

	private final double given, falseAlarms, alarmsOfMap;
	private final double limit;

	/**
	 * @param given the minimum score; not used with false alarms
	 * @param falseAlarms the expected number of false matches in the whole search; NaN if the given score counts
	 * @param layouts one for each template
	 * @param frames the number of frames that share the expected number
	 */
	public MinScores(final double given, final double falseAlarms, final List<Template> templates, final List<ResponseLayout> layouts, final long frames) {
		this.given = given;
		this.falseAlarms = falseAlarms;
		alarmsOfMap = falseAlarms / ((double) layouts.size() * frames);
		double least = isAutomatic() ? 1 : given;
		for (int t = 0; isAutomatic() && t < layouts.size(); t++)
			least = Math.min(least, Background.white(effectivePixels(templates.get(t)), layouts.get(t).lags).minScore(alarmsOfMap));
		limit = least;
	}

	/** Whether the minimum scores follow from the background. */
	public boolean isAutomatic() {
		return !Double.isNaN(falseAlarms);
	}

	/** A lower limit of the minimum scores before the background is known. */
	public double limit() {
		return limit;
	}

	/** The minimum score of a template with this background. */
	double of(final Background background) {
		return isAutomatic() ? Math.max(limit, background.minScore(alarmsOfMap)) : given;
	}

	/** A match with its statistics in a background. */
	Match rated(final Match m, final Background background) {
		return new Match(m.template(), m.frame(), m.position(), m.score(), m.subpixel(), background.probability(m.score()),
			background.falseAlarms(m.score()) * falseAlarms / alarmsOfMap);
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
