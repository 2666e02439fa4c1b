package sc.fiji.ncc.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The candidates for a problem, in the order in which they are tried.
 *
 * @param problem what is asked
 * @param candidates those that apply first, best first; then those that do not
 */
public record Ranking(Problem problem, List<Candidate> candidates) {

	/**
	 * @param name the algorithm's id, or the backend's where a whole backend is missing
	 * @param algorithm what would run, or null where a whole backend is missing
	 * @param device on what, or null where there is none
	 * @param plan how; null if it does not apply
	 * @param measured seconds for the whole problem on random data, if that was measured
	 * @param reason why it is taken, or not, in words
	 */
	public record Candidate(String name, Algorithm algorithm, Device device, Plan plan, OptionalDouble measured, String reason) {

		public boolean applies() {
			return plan != null;
		}

		/** The measured time, or else the predicted one, once the process has run it before. */
		public double seconds() {
			return measured.orElseGet(() -> plan.cost().seconds());
		}

		/** This run's share of what the first one in a process takes more; 0 if it does not apply. */
		public double startSeconds() {
			return applies() ? Runs.share(algorithm) * plan.cost().startSeconds() : 0;
		}

		double secondsWithStart() {
			return seconds() + startSeconds();
		}

		public Candidate because(final String words) {
			return new Candidate(name, algorithm, device, plan, measured, words);
		}

		/** The same, not to be tried. */
		public Candidate leftOut(final String words) {
			return new Candidate(name, algorithm, device, null, measured, words);
		}
	}

	public Ranking {
		candidates = List.copyOf(candidates);
	}

	/** The candidate that is taken; empty if none applies. */
	public Optional<Candidate> best() {
		for (final Candidate c : candidates)
			if (c.applies()) return Optional.of(c);
		return Optional.empty();
	}

	/**
	 * The candidate of the least time once the process has run all of them before: of those measured, or else of those predicted; empty if none
	 * applies.
	 */
	public Optional<Candidate> fastest() {
		return candidates.stream().filter(Candidate::applies)
			.min(Comparator.comparing((Candidate c) -> c.measured().isEmpty()).thenComparingDouble(Candidate::seconds));
	}

	/** One line a candidate: name, times, memory, reason. For people. */
	public String explain() {
		final List<String> lines = new ArrayList<>();
		lines.add(problem.toString());
		for (final Candidate c : candidates) {
			final double start = c.startSeconds();
			final String predicted = c.applies() ? String.format(Locale.ROOT, "predicted %.2f ms%s, %.1f MB", 1e3 * c.plan().cost().seconds(),
				start > 0 ? String.format(Locale.ROOT, " and %.0f to start", 1e3 * start) : "", c.plan().cost().hostBytes() / 1e6) : "-";
			final String measured = c.measured().isPresent() ? String.format(Locale.ROOT, "measured %.2f ms", 1e3 * c.measured().getAsDouble()) : "";
			lines.add(String.format(Locale.ROOT, "  %-22s %-44s %-20s %s", c.name(), predicted, measured, c.reason()));
		}
		return String.join(System.lineSeparator(), lines);
	}
}
