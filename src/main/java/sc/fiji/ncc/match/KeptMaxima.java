package sc.fiji.ncc.match;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.statistics.Background;
import sc.fiji.ncc.statistics.ScoreHistogram;

/**
 * The local maxima of the maps of an image, down to a minimum score. {@code TemplateMatching.find(KeptMaxima)} chooses matches among them, as
 * often as needed and with other settings, without computing the maps again. The memory holds the maxima and the exact scores that were
 * needed so far. The image must not change. Several threads can use one object at the same time.
 */
public final class KeptMaxima {

	/** The number of thresholds of {@link #alarms}. */
	private static final int THRESHOLDS = 200;

	private final List<Template> templates;
	private final List<ResponseLayout> layouts;
	private final long[] frames;
	private final List<FrameMaxima> maxima;
	private final double minScore;
	private final Report report;
	private final List<Ranking> rankings;
	private final double seconds;

	/**
	 * How the maxima were found.
	 *
	 * @param seconds the time that it took
	 */
	public record Search(Report report, List<Ranking> rankings, double seconds) {}

	/**
	 * @param frames the image's dimensions beyond the templates'
	 * @param maxima one for each frame
	 */
	public static KeptMaxima of(final List<Template> templates, final List<ResponseLayout> layouts, final long[] frames, final List<FrameMaxima> maxima,
		final double minScore, final Search search)
	{
		return new KeptMaxima(templates, layouts, frames, maxima, minScore, search);
	}

	private KeptMaxima(final List<Template> templates, final List<ResponseLayout> layouts, final long[] frames, final List<FrameMaxima> maxima,
		final double minScore, final Search search)
	{
		this.templates = templates;
		this.layouts = layouts;
		this.frames = frames;
		this.maxima = maxima;
		this.minScore = minScore;
		report = search.report;
		rankings = search.rankings;
		seconds = search.seconds;
	}

	/** The minimum score. Matches with a lower minimum score cannot be chosen. */
	public double minScore() {
		return minScore;
	}

	/** The time in seconds that it took to find the maxima. */
	public double seconds() {
		return seconds;
	}

	/** The histogram of the responses of a template's maps, over all frames. */
	public ScoreHistogram histogram(final int template) {
		final double[] counts = new double[ScoreHistogram.BINS];
		for (final FrameMaxima m : maxima) add(counts, m.histograms().get(template).counts());
		return new ScoreHistogram(counts);
	}

	/** The numbers of responses that the backgrounds of a template's maps give in the bins of {@link #histogram}. */
	public double[] expected(final int template) {
		final double[] counts = new double[ScoreHistogram.BINS];
		for (final FrameMaxima m : maxima) add(counts, m.histograms().get(template).expected(m.backgrounds().get(template)));
		return counts;
	}

	private static void add(final double[] to, final double[] values) {
		for (int i = 0; i < to.length; i++) to[i] += values[i];
	}

	/**
	 * The observed and the expected numbers of local maxima, over all templates and frames, at thresholds from the minimum score, or from 0, to 1.
	 *
	 * @param thresholds the scores, ascending
	 * @param observed the number of local maxima of the maps with at least this response
	 * @param expected the number of them that the fitted backgrounds give: the expected number of false alarms
	 */
	public record Alarms(double[] thresholds, double[] observed, double[] expected) {

		public Alarms {
			Given.nonNull(thresholds, "list of thresholds");
			Given.nonNull(observed, "list of observed numbers");
			Given.nonNull(expected, "list of expected numbers");
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

	/** The observed and the expected numbers of local maxima. Complexity: linear in the number of maxima. */
	public Alarms alarms() {
		final double from = Math.max(0, minScore);
		final Alarms alarms = new Alarms(new double[THRESHOLDS], new double[THRESHOLDS], new double[THRESHOLDS]);
		for (int i = 0; i < THRESHOLDS; i++) alarms.thresholds[i] = from + (1 - from) * i / THRESHOLDS;
		for (final FrameMaxima m : maxima) for (int t = 0; t < templates.size(); t++) {
			final double[] responses = m.responses(t);
			final Background background = m.backgrounds().get(t);
			for (int i = 0, left = responses.length; i < THRESHOLDS; i++) {
				while (left > 0 && responses[left - 1] < alarms.thresholds[i]) left--;
				alarms.observed[i] += left;
				alarms.expected[i] += background.falseAlarms(alarms.thresholds[i]);
			}
		}
		return alarms;
	}

	/** The number of templates. */
	public int templates() {
		return templates.size();
	}

	/** The minimum scores of the matches: one for each template, for one frame after another. */
	public double[] minScores(final MinScores.Setting setting, final Undefined undefined) {
		final MinScores scores = new MinScores(setting, templates, layouts, undefined, maxima.size());
		return maxima.stream().flatMapToDouble(m -> Arrays.stream(m.minScores(scores))).toArray();
	}

	/**
	 * Chooses the matches of each frame.
	 *
	 * @param details what is computed of each match
	 * @throws IllegalArgumentException if the minimum score is below that of the maxima
	 */
	public List<FrameMaxima.Chosen> choose(final MatchSettings settings, final FrameMaxima.Details details, final Undefined undefined, final Monitor monitor) {
		for (final double least : minScores(settings.score(), undefined)) if (least < minScore) throw new IllegalArgumentException("the minimum score is " + least
			+ ", and the maxima were kept down to " + minScore + ": keep them again with a lower minimum score");
		final MinScores scores = new MinScores(settings.score(), templates, layouts, undefined, maxima.size());
		return maxima.stream().map(m -> m.choose(settings.frameRules(), scores, new long[0], details, monitor)).toList();
	}

	/** The image's dimensions beyond the templates'. */
	public long[] frames() {
		return frames;
	}

	/** The counts of the computed lags. */
	public Report report() {
		return report;
	}

	/** The candidates of each group of templates that were computed together. */
	public List<Ranking> rankings() {
		return rankings;
	}

	@Override
	public String toString() {
		return "maxima of the maps of " + Size.text("template", templates.stream().map(Template::size).toList()) + " down to a score of " + minScore;
	}
}
