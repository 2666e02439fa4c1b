package sc.fiji.ncc.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The candidates for a problem, in the order in which they are tried.
 *
 * @param problem what is asked
 * @param candidates those that apply first, best first; then those that do not
 */
public record Ranking(Problem problem, List<Candidate> candidates) {

	/**
	 * @param algorithm what would run, or null where a whole backend is missing
	 * @param device on what, or null where there is none
	 * @param plan how; null if it does not apply
	 * @param reason why it is taken, or not, in words
	 */
	public record Candidate(String name, Algorithm algorithm, Device device, Plan plan, String reason) {

		public boolean applies() {
			return plan != null;
		}
	}

	public Ranking {
		candidates = List.copyOf(candidates);
	}

	/** The candidate that is taken; empty if none applies. */
	public Optional<Candidate> best() {
		return candidates.stream().filter(Candidate::applies).findFirst();
	}

	/** One line a candidate: name, device, predicted time and memory, reason. For people. */
	public String explain() {
		final List<String> lines = new ArrayList<>();
		lines.add(String.format("%s image %s, template %s %s, %s lags, %d frame%s", problem.image(), problem.size(), problem.template(),
			problem.templates(), problem.lags().count(), problem.frames(), problem.frames() == 1 ? "" : "s"));
		for (final Candidate c : candidates) {
			final String predicted = c.applies()
				? String.format("predicted %.2f ms, %.1f MB", 1e3 * c.plan().cost().seconds(), c.plan().cost().hostBytes() / 1e6) : "-";
			lines.add(String.format("  %-16s %-28s %s", c.name(), predicted, c.reason()));
		}
		return String.join(System.lineSeparator(), lines);
	}
}
