package sc.fiji.ncc.planner;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;

/**
 * The candidates for a problem, in the order in which they are tried.
 *
 * @param problem the problem
 * @param candidates first those that apply, best first; then those that do not
 * @param measuringSeconds the time that it took to measure candidates for this ranking; 0 if none was measured
 */
public record Ranking(Problem problem, List<Candidate> candidates, double measuringSeconds) {

	/** The digits of a time for the user. */
	private static final MathContext DIGITS = new MathContext(3);

	/** Candidates of which none was measured for this ranking. */
	public Ranking(final Problem problem, final List<Candidate> candidates) {
		this(problem, candidates, 0);
	}

	/**
	 * @param name the algorithm's id, or the backend's id if the whole backend is unavailable
	 * @param algorithm the algorithm; null if the whole backend is unavailable
	 * @param device the device; null if the whole backend is unavailable
	 * @param plan the plan; null if the candidate does not apply
	 * @param measured the time in seconds for the whole problem on random data, if it was measured
	 * @param startSeconds the share of the algorithm's start time that counts in the ranking, in seconds
	 * @param reason why the planner takes the candidate or not, for the user
	 */
	public record Candidate(String name, Algorithm<?> algorithm, Device device, Plan plan, OptionalDouble measured, double startSeconds, String reason) {

		public boolean applies() {
			return plan != null;
		}

		/** The plan, which is of this kind if the problem is. */
		public <L extends Plan> L plan(final Class<L> kind) {
			return kind.cast(plan);
		}

		/** The measured time, or else the predicted time, in seconds, if the process has already run the algorithm. */
		public double seconds() {
			return measured.orElseGet(() -> plan.cost().seconds());
		}

		/** The time by which candidates are ranked, in seconds. */
		double secondsWithStart() {
			return seconds() + startSeconds;
		}

		/** The same candidate with a measured time. */
		Candidate measured(final OptionalDouble seconds) {
			return new Candidate(name, algorithm, device, plan, seconds, startSeconds, reason);
		}

		/** The same candidate with another share of its start time. */
		Candidate startSeconds(final double seconds) {
			return new Candidate(name, algorithm, device, plan, measured, seconds, reason);
		}

		/** The same candidate with a reason. */
		Candidate because(final String words) {
			return new Candidate(name, algorithm, device, plan, measured, startSeconds, words);
		}

		/** A candidate that does not apply. */
		static Candidate rejected(final String name, final Algorithm<?> algorithm, final Device device, final String reason) {
			return new Candidate(name, algorithm, device, null, OptionalDouble.empty(), 0, reason);
		}

		/** The same candidate, marked as not applicable for this reason. */
		public Candidate leftOut(final String words) {
			return new Candidate(name, algorithm, device, null, measured, 0, words);
		}
	}

	public Ranking {
		candidates = List.copyOf(candidates);
	}

	/**
	 * The seconds since the start of a computation, without the time of measuring.
	 *
	 * @param start as {@link System#nanoTime}
	 * @param rankings those that were made since
	 */
	public static double secondsSince(final long start, final List<Ranking> rankings) {
		return 1e-9 * (System.nanoTime() - start) - measuringSeconds(rankings);
	}

	/** The time that it took to measure candidates for all of these rankings, in seconds. */
	public static double measuringSeconds(final List<Ranking> rankings) {
		return rankings.stream().mapToDouble(Ranking::measuringSeconds).sum();
	}

	/** The names of the candidates that the planner takes, each once. */
	public static String methods(final List<Ranking> rankings) {
		return rankings.stream().map(r -> r.best().map(Candidate::name).orElse("?")).distinct().collect(Collectors.joining(" and "));
	}

	/** How many executions of each of these rankings the memory of their devices holds at once; none counts for the memory of the host. */
	public static long together(final List<Ranking> rankings) {
		final Map<Device, Long> bytes = new HashMap<>();
		for (final Ranking r : rankings) {
			final Candidate best = r.best().orElseThrow();
			bytes.merge(best.device(), best.plan().cost().deviceBytes(), Long::sum);
		}
		return bytes.entrySet().stream().filter(e -> e.getValue() > 0).mapToLong(e -> e.getKey().memory() / e.getValue()).min().orElse(Long.MAX_VALUE);
	}

	/** The rankings of the same problem that left the most candidates out: executions with failures of their own. */
	public static Ranking afterFailures(final List<Ranking> executions) {
		return executions.stream().max(Comparator.comparingLong(r -> r.candidates.stream().filter(c -> !c.applies()).count())).orElseThrow();
	}

	/** The candidate that the planner takes; empty if none applies. */
	public Optional<Candidate> best() {
		for (final Candidate c : candidates)
			if (c.applies()) return Optional.of(c);
		return Optional.empty();
	}

	/**
	 * The candidate with the shortest time if the process has already run all of them. Measured candidates rank before predicted ones. Empty if none
	 * applies.
	 */
	public Optional<Candidate> fastest() {
		return candidates.stream().filter(Candidate::applies)
			.min(Comparator.comparing((Candidate c) -> c.measured().isEmpty()).thenComparingDouble(Candidate::seconds));
	}

	/**
	 * A table for the user: one line per candidate. The first column of times is the one by which candidates are ranked. It is the sum of the predicted
	 * or measured time and the share of the start.
	 */
	public String explain() {
		final List<String[]> rows = candidates.stream().map(c -> new String[] { c.name(), c.applies() ? milliseconds(c.secondsWithStart()) + " ms" : "-",
			c.applies() ? parts(c) : "", c.reason() }).toList();
		final String line = "  %-" + widest(rows, 0) + "s %" + widest(rows, 1) + "s   %-" + widest(rows, 2) + "s   %s";
		final List<String> lines = new ArrayList<>(List.of(problem.toString()));
		for (final String[] row : rows) lines.add(String.format(line, (Object[]) row));
		return String.join(System.lineSeparator(), lines);
	}

	/**
	 * A table for each kind of problem and order of candidates: that of the problem with the longest time. A last line says how many others are like it,
	 * and the time of all of them.
	 */
	public static String explainKinds(final List<Ranking> rankings) {
		final Map<List<Object>, List<Ranking>> kinds = rankings.stream().collect(Collectors.groupingBy(Ranking::kind, LinkedHashMap::new, Collectors.toList()));
		return kinds.values().stream().map(alike -> {
			final Ranking longest = alike.stream().max(Comparator.comparingDouble(Ranking::seconds)).orElseThrow();
			return longest.explain() + (alike.size() == 1 ? "" : System.lineSeparator() + "  and " + (alike.size() - 1)
				+ " more of other sizes with the same ranking: " + milliseconds(alike.stream().mapToDouble(Ranking::seconds).sum()) + " ms for all");
		}).collect(Collectors.joining(System.lineSeparator()));
	}

	/** What rankings of problems have in common that differ in sizes only. */
	private List<Object> kind() {
		return Stream.concat(Stream.of(problem.getClass()), candidates.stream().map(c -> List.of(c.name(), c.applies() ? "" : c.reason()))).toList();
	}

	/** The time of the candidate that the planner takes; 0 if none applies. */
	private double seconds() {
		return best().map(Candidate::secondsWithStart).orElse(0.0);
	}

	/** The width of a column, at least 1. */
	private static int widest(final List<String[]> rows, final int column) {
		return rows.stream().mapToInt(row -> row[column].length()).reduce(1, Math::max);
	}

	/** What the total consists of, and the memory. */
	private static String parts(final Candidate c) {
		final String start = c.startSeconds() > 0 ? " + start " + milliseconds(c.startSeconds()) : "";
		final String predicted = "predicted " + milliseconds(c.plan().cost().seconds()),
			memory = String.format(Locale.ROOT, ", %.1f MB", c.plan().cost().hostBytes() / 1e6);
		return c.measured().isEmpty() ? predicted + start + memory
			: "measured " + milliseconds(c.measured().getAsDouble()) + start + ", " + predicted + memory;
	}

	/** A time in milliseconds for the user: three significant digits, without an exponent. */
	public static String milliseconds(final double seconds) {
		final BigDecimal exact = new BigDecimal(1e3 * seconds).round(DIGITS);
		// zeros at the end are digits, too: 2.00
		return exact.setScale(Math.max(0, exact.scale() + DIGITS.getPrecision() - exact.precision()), RoundingMode.UNNECESSARY).toPlainString();
	}
}
