package sc.fiji.ncc.command.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.statistics.ScoreHistogram;

/** Graphs of the scores of a search. */
public final class ScoreGraphs {

	/** The smallest number of responses, and of false alarms, that a graph shows. */
	private static final double LEAST_RESPONSES = 0.5, LEAST_ALARMS = 0.01;

	private ScoreGraphs() {}

	/**
	 * The numbers of responses in the bins of {@link ScoreHistogram}, over all templates.
	 *
	 * @param observed the numbers in the maps
	 * @param expected the numbers that the backgrounds give
	 */
	public record Histogram(double[] observed, double[] expected) {}

	/** The histogram of kept maxima. */
	public static Histogram histogram(final KeptMaxima kept) {
		final Histogram sum = new Histogram(new double[ScoreHistogram.BINS], new double[ScoreHistogram.BINS]);
		for (int t = 0; t < kept.templates(); t++) {
			add(sum.observed, kept.histogram(t).counts());
			add(sum.expected, kept.expected(t));
		}
		return sum;
	}

	/**
	 * The graph of a histogram, with the minimum scores as vertical lines.
	 *
	 * @param image title of the image
	 * @param text a line of text above the graph
	 */
	public static Graph scores(final String image, final String text, final Histogram histogram, final double[] minScores) {
		final double[] observed = histogram.observed, expected = histogram.expected;
		final double[] marks = Arrays.stream(minScores).distinct().toArray();
		final double least = Arrays.stream(marks).min().orElse(1), greatest = Arrays.stream(marks).max().orElse(-1);
		int from = 0, to = ScoreHistogram.BINS;
		while (from < to - 1 && observed[from] == 0 && ScoreHistogram.lower(from + 1) < least) from++;
		while (to > from + 1 && observed[to - 1] == 0 && ScoreHistogram.lower(to - 1) > greatest) to--;
		final double[] x = new double[to - from];
		for (int i = 0; i < x.length; i++) x[i] = (ScoreHistogram.lower(from + i) + ScoreHistogram.lower(from + i + 1)) / 2;
		return new Graph("Scores of " + image, "Score", "Responses", x, List.of(new Graph.Line("responses", 1, false, Arrays.copyOfRange(observed, from, to)),
			new Graph.Line("background", 2, false, visible(Arrays.copyOfRange(expected, from, to)))), marks, text, Graph.Scale.LOGARITHMIC_UP);
	}

	/** The observed number of local maxima over the expected number of false alarms, at falling thresholds, beside the line of equal numbers. */
	public static Graph alarms(final String image, final KeptMaxima.Alarms alarms) {
		final List<double[]> points = new ArrayList<>();
		for (int i = alarms.thresholds().length - 1; i >= 0; i--)
			if (alarms.expected()[i] >= LEAST_ALARMS) points.add(new double[] { alarms.expected()[i], alarms.observed()[i] });
		final double[] x = points.stream().mapToDouble(p -> p[0]).toArray();
		return new Graph("False alarms of " + image, "Expected false alarms", "Local maxima", x, List.of(new Graph.Line("observed", 1, true, points.stream().mapToDouble(p -> p[1]).toArray()),
			new Graph.Line("expected", 2, false, x)), new double[0], "", Graph.Scale.LOGARITHMIC);
	}

	private static void add(final double[] to, final double[] values) {
		for (int i = 0; i < to.length; i++) to[i] += values[i];
	}

	/** Without values that would stretch the axis. */
	private static double[] visible(final double[] values) {
		return Arrays.stream(values).map(v -> v < LEAST_RESPONSES ? Double.NaN : v).toArray();
	}
}
