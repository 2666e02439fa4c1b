package sc.fiji.ncc.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;

import sc.fiji.ncc.plan.Ranking.Candidate;

/** Ranks the algorithms of all backends for a problem by what they are expected to take, or by what they took. */
public final class Planner {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	/** A candidate predicted to take more than this many times the best measured one is not measured. */
	private static final double HOPELESS = 12;

	/** The most lags in the first and in the second turn of measuring, and how near the best one must be to be measured again. */
	private static final long[] TURNS = { 1L << 19, 1L << 22 };
	private static final double CONTENDER = 6;
	/** How near the best one must be for a last turn side by side. */
	private static final double CLOSE = 2.5;

	/** Seconds that measuring an unseen problem may take unless said: with the run that is the last to notice, and its memory, below five. */
	public static final double MEASURING_SECONDS = 4;

	private final List<Backend> backends;
	private final Wisdom wisdom;

	/** With the wisdom in {@link Wisdom#defaultFile}. */
	public Planner(final List<Backend> backends) {
		this(backends, Wisdom.defaultFile());
	}

	public Planner(final List<Backend> backends, final Path wisdom) {
		this.backends = List.copyOf(backends);
		this.wisdom = Wisdom.read(wisdom, signature(backends));
	}

	/** What all measurements depend on: the plugin's version and the algorithms. Devices stand in the key of each. */
	private static String signature(final List<Backend> backends) {
		final StringBuilder text = new StringBuilder(String.valueOf(Planner.class.getPackage().getImplementationVersion()));
		for (final Backend b : backends)
			for (final Algorithm a : b.algorithms()) text.append(' ').append(a.id());
		return text.toString();
	}

	public Wisdom wisdom() {
		return wisdom;
	}

	/**
	 * @param backend only this one; empty for any
	 * @param algorithm only this one, by its id; empty for any
	 * @return all candidates, those that apply first, the fastest at the front
	 * @throws IllegalArgumentException if a backend or an algorithm of that name does not exist, or nothing that was asked for applies
	 */
	public Ranking rank(final Problem problem, final Optional<String> backend, final Optional<String> algorithm) {
		return rank(problem, backend, algorithm, Effort.ESTIMATE, 0);
	}

	/**
	 * As {@link #rank(Problem, Optional, Optional)}, and with {@link Effort#MEASURE} runs what was not measured before. What did not end in time
	 * then is not tried again.
	 *
	 * @param limit seconds that all measurements together may take
	 */
	public Ranking rank(final Problem problem, final Optional<String> backend, final Optional<String> algorithm, final Effort effort,
		final double limit)
	{
		return rank(problem, backend, algorithm, effort, limit, Monitor.NONE);
	}

	/**
	 * As {@link #rank(Problem, Optional, Optional, Effort, double)}.
	 *
	 * @param monitor only asked whether to stop
	 * @throws CancellationException if the monitor canceled: then nothing that was measured is kept
	 */
	public Ranking rank(final Problem problem, final Optional<String> backend, final Optional<String> algorithm, final Effort effort,
		final double limit, final Monitor monitor)
	{
		requireKnown(backend, algorithm);
		final List<Candidate> fit = new ArrayList<>();
		final List<Candidate> rest = new ArrayList<>();
		for (final Backend b : backends) {
			if (b.unavailable().isPresent()) {
				rest.add(new Candidate(b.id(), null, null, null, OptionalDouble.empty(), b.unavailable().get()));
				continue;
			}
			for (final Device d : b.devices()) {
				final Device device = wisdom.calibrated(d);
				for (final Algorithm a : b.algorithms()) {
					// what computes something else, or otherwise, is no candidate, unless someone asks for it by name
					final boolean answers = a.operation() == problem.operation() && a.precisions().contains(problem.precision());
					if (!answers && !a.id().equals(algorithm.orElse(""))) continue;
					final Candidate c = candidate(problem, b, device, a, backend, algorithm);
					(c.applies() ? fit : rest).add(c);
				}
			}
		}
		if (fit.isEmpty()) throw new IllegalArgumentException(nothingFits(rest, algorithm));
		// a stable sort: of two that cost the same, the more specialised stands first
		fit.sort(Comparator.comparingDouble(Candidate::secondsWithStart));
		if (effort == Effort.MEASURE) measure(problem, fit, rest, limit, monitor);
		final List<Candidate> all = new ArrayList<>();
		for (final Candidate c : fit) all.add(c.because(reason(problem, c, fit)));
		all.addAll(rest);
		return new Ranking(problem, all);
	}

	/**
	 * Measures the constants of the cost models on this machine, and keeps them beside the wisdom: estimates are made of them from then on.
	 *
	 * @param limit seconds that it may take for each device
	 * @param monitor hears of each run, and may cancel between two
	 * @return what was found, for each device whose models have constants
	 * @throws java.util.concurrent.CancellationException if the monitor canceled: then nothing is kept
	 */
	public List<CostCalibration> calibrate(final double limit, final Monitor monitor) {
		final List<CostCalibration> all = new ArrayList<>();
		for (final Backend b : backends)
			if (b.unavailable().isEmpty())
				for (final Device device : b.devices()) {
					final CostCalibration found = CostCalibration.of(device, b.algorithms(), limit, monitor);
					if (!found.constants().isEmpty()) all.add(found);
				}
		for (final CostCalibration c : all) wisdom.calibrate(c.device(), c.constants());
		if (!all.isEmpty()) wisdom.save();
		return all;
	}

	private Candidate candidate(final Problem problem, final Backend b, final Device device, final Algorithm a, final Optional<String> backend,
		final Optional<String> algorithm)
	{
		final Optional<String> why = b.id().equals(backend.orElse(b.id()))
			? a.id().equals(algorithm.orElse(a.id())) ? a.unsupported(problem) : Optional.of("another algorithm was asked for")
			: Optional.of("another backend was asked for");
		if (why.isPresent()) return new Candidate(a.id(), a, device, null, OptionalDouble.empty(), why.get());
		return new Candidate(a.id(), a, device, a.plan(problem, device), wisdom.seconds(problem, device, a), "");
	}

	/**
	 * Measures the most promising first, in two turns: a first one on a part of the problem, while the code is compiled, and a second one on
	 * more of it; then those that are near each other side by side. Those that fail go to the rest with the reason.
	 */
	private void measure(final Problem problem, final List<Candidate> fit, final List<Candidate> rest, final double limit, final Monitor monitor) {
		final long start = System.nanoTime();
		final List<Candidate> open = new ArrayList<>(fit);
		open.removeIf(c -> c.measured().isPresent() || wisdom.endless(problem, c.device(), c.algorithm()));
		final Map<Candidate, Double> times = new LinkedHashMap<>();
		double best = fit.stream().mapToDouble(c -> c.measured().orElse(Double.POSITIVE_INFINITY)).min().orElseThrow();
		for (int turn = 0; turn < TURNS.length; turn++) {
			final Measurement measurement = new Measurement(problem, TURNS[turn]);
			int left = open.size() * (TURNS.length - turn);
			for (final Candidate c : List.copyOf(open)) {
				final double remaining = limit - 1e-9 * (System.nanoTime() - start);
				// one that did not end in the first turn may have spent it on its start
				final double seen = times.getOrDefault(c, Double.POSITIVE_INFINITY), expected = c.plan().cost().seconds();
				final boolean contends = turn == 0 || (seen == Double.POSITIVE_INFINITY ? expected : seen) <= CONTENDER * best;
				if (remaining > 0 && contends && expected < HOPELESS * best) {
					try {
						final double seconds = measurement.run(c.plan(), remaining / left, monitor).orElse(Double.POSITIVE_INFINITY);
						Runs.started(c.algorithm());
						// one that did not end now, and did before, keeps its time
						times.merge(c, seconds, (first, second) -> second == Double.POSITIVE_INFINITY ? first : second);
						best = Math.min(best, seconds);
					}
					catch (final CancellationException e) {
						throw e;
					}
					catch (final RuntimeException e) {
						open.remove(c);
						fit.remove(c);
						times.remove(c);
						rest.add(c.leftOut("failed when it was measured: " + e.getMessage()));
					}
				}
				left--;
			}
		}
		sideBySide(new Measurement(problem, TURNS[TURNS.length - 1]), times, CLOSE * best, limit - 1e-9 * (System.nanoTime() - start), monitor);
		times.forEach((c, s) -> {
			final OptionalDouble seconds = s == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(s);
			fit.set(fit.indexOf(c), new Candidate(c.name(), c.algorithm(), c.device(), c.plan(), seconds, ""));
			wisdom.put(problem, c.device(), c.algorithm(), seconds);
		});
		if (!times.isEmpty()) wisdom.save();
		if (fit.isEmpty()) throw new DeviceException("every candidate failed when it was measured: " + rest.get(rest.size() - 1).reason());
		// a time that was seen counts more than one that was predicted
		fit.sort(Comparator.comparing((Candidate c) -> c.measured().isEmpty()).thenComparingDouble(Candidate::secondsWithStart));
	}

	/** Betters the times of those below one. */
	private static void sideBySide(final Measurement measurement, final Map<Candidate, Double> times, final double below, final double limit,
		final Monitor monitor)
	{
		final List<Candidate> close = new ArrayList<>(times.keySet());
		close.removeIf(c -> times.get(c) > below);
		if (close.size() < 2 || limit <= 0) return;
		final double[] seconds = close.stream().mapToDouble(times::get).toArray();
		try {
			measurement.byTurns(close.stream().map(Candidate::plan).collect(Collectors.toList()), seconds, limit, monitor);
		}
		catch (final DeviceException e) {
			// each ran by itself, and all at once they need not fit
			LOG.log(System.Logger.Level.WARNING, close.stream().map(Candidate::name).collect(Collectors.joining(", "))
				+ " cannot be measured side by side: " + e.getMessage() + "; what each took by itself stands");
		}
		for (int i = 0; i < seconds.length; i++) times.put(close.get(i), seconds[i]);
	}

	private String reason(final Problem problem, final Candidate c, final List<Candidate> fit) {
		final Candidate best = fit.get(0);
		if (c != best && c.measured().isEmpty() && wisdom.endless(problem, c.device(), c.algorithm()))
			return "did not end in time when it was measured";
		final String how = best.measured().isPresent() && c.measured().isPresent() ? "measured" : "predicted";
		if (c == best) return fit.size() == 1 ? "taken: the only one that applies" : "taken: least time " + how;
		final double times = c.secondsWithStart() / best.secondsWithStart();
		return times < 1.05 ? how + " to take as long" : how + " to take " + Math.round(10 * times) / 10.0 + " times as long";
	}

	private static String nothingFits(final List<Candidate> rest, final Optional<String> algorithm) {
		final StringBuilder text = new StringBuilder("no algorithm applies:");
		for (final Candidate c : rest)
			if (algorithm.isEmpty() || c.name().equals(algorithm.get()) || c.algorithm() == null)
				text.append(' ').append(c.name()).append(" (").append(c.reason()).append(')');
		return text.toString();
	}

	private void requireKnown(final Optional<String> backend, final Optional<String> algorithm) {
		final List<String> ids = new ArrayList<>(), known = new ArrayList<>();
		for (final Backend b : backends) {
			ids.add(b.id());
			for (final Algorithm a : b.algorithms()) known.add(a.id());
			if (b.id().equals(backend.orElse("")) && b.unavailable().isPresent())
				throw new IllegalArgumentException("the backend " + b.id() + " cannot be used: " + b.unavailable().get());
		}
		if (backend.isPresent() && !ids.contains(backend.get()))
			throw new IllegalArgumentException("there is no backend \"" + backend.get() + "\": choose auto or one of " + ids);
		if (algorithm.isPresent() && !known.contains(algorithm.get()))
			throw new IllegalArgumentException("there is no algorithm \"" + algorithm.get() + "\": choose auto or one of " + known);
	}
}
