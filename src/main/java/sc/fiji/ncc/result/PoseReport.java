package sc.fiji.ncc.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.planner.Ranking;

/**
 * How rotated templates are searched.
 *
 * @param poses the number of poses, over all templates
 * @param lines the decision for each template and scale: the number of correlations, and the estimated times
 * @param parts the predicted time of all frames, part by part; empty if nothing was predicted
 * @param bytes the memory for the sampled templates and of the search, on the host and on its device
 * @param ranking the candidates; empty in a process that reads no pixels
 */
public record PoseReport(int poses, List<String> lines, List<Part> parts, long bytes, Optional<Ranking> ranking) {

	/**
	 * A part of a search.
	 *
	 * @param name in words
	 * @param seconds its predicted time
	 */
	public record Part(String name, double seconds) {

		public Part {
			Given.nonNull(name, "name");
		}
	}

	public PoseReport {
		Given.nonNull(lines, "list of lines");
		Given.nonNull(parts, "list of parts");
		Given.nonNull(ranking, "ranking");
	}

	/** What searches, in words: the id of the algorithm. */
	public String methods() {
		return ranking.flatMap(Ranking::best).map(Ranking.Candidate::name).orElse("?");
	}

	/** The predicted time of all frames, in seconds: the sum of the parts. */
	public double seconds() {
		return parts.stream().mapToDouble(Part::seconds).sum();
	}

	/** For the user: the decisions, then each part of the predicted time, and their sum. */
	public List<String> explain() {
		final List<String> all = new ArrayList<>(lines);
		for (final Part p : parts) all.add(line(p.name(), p.seconds()));
		if (!parts.isEmpty()) all.add(line("predicted in total", seconds()));
		return all;
	}

	private static String line(final String name, final double seconds) {
		return String.format(Locale.ROOT, "  %-36s %12.2f ms", name, 1e3 * seconds);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
