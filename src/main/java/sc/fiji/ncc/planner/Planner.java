package sc.fiji.ncc.planner;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.planner.Ranking.Candidate;

/** Ranks the algorithms of all backends for a problem by predicted or measured time. */
public final class Planner {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	/** A candidate is not measured if its predicted time exceeds the best measured time by this factor. */
	private static final double MAX_PREDICTED_RATIO = 12;

	/** The maximum number of lags in the first and in the second round of measuring. */
	private static final long[] ROUND_LAGS = { 1L << 19, 1L << 22 };
	/**
	 * The second round measures only candidates within this factor of the best time: by their time of the first round, or by this multiple of the predicted
	 * time.
	 */
	private static final double MAX_MEASURED_RATIO = 6;
	/** Candidates within this factor of the best time, also by this multiple of their predicted time, are finally measured by turns. */
	private static final double BY_TURNS_RATIO = 2.5;
	/** Code that is not compiled takes more than the predicted time; if it takes more than this multiple of it, the prediction may be wrong as well. */
	private static final double MAX_COLD_RATIO = 2;
	/** The share of the time limit that remains for turns if code may not be compiled. */
	private static final double COLD_SHARE = 0.5;

	/**
	 * Default time limit, in seconds, to measure a new problem. With the last run, which can exceed the limit, and its memory it takes less than 5 s, or 7 s if
	 * the code is compiled so late. {@code -Dncc.measuring.seconds=N} sets another one.
	 */
	public static final double MEASURING_SECONDS = Integer.getInteger("ncc.measuring.seconds", 4);

	/** The maximum number of rankings that are kept. */
	private static final int RECENT = 8;

	private final List<Backend> backends;
	private final Wisdom wisdom;
	/** Nanoseconds. */
	private final LongSupplier clock;
	/** Recent rankings by prediction: to predict takes as long as many threads need for a small image. Guarded by itself. */
	private final Map<Request, Ranking> recent = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(final Map.Entry<Request, Ranking> eldest) {
			return size() > RECENT;
		}
	};

	private record Request(Problem problem, Optional<String> backend, Optional<String> algorithm, int wisdom) {}

	/** A planner with the wisdom in {@link Wisdom#defaultFile}. */
	public Planner(final List<Backend> backends) {
		this(backends, Wisdom.defaultFile());
	}

	/** @param wisdom the file in which measurements are kept */
	public Planner(final List<Backend> backends, final Path wisdom) {
		this(backends, wisdom, System::nanoTime);
	}

	/** @param clock the nanoseconds of measurements and calibrations. Default: elapsed time */
	public Planner(final List<Backend> backends, final Path wisdom, final LongSupplier clock) {
		this.clock = clock;
		this.backends = List.copyOf(backends);
		this.wisdom = Wisdom.read(wisdom, signature(backends));
	}

	/** All that measurements depend on, except the devices: the plugin's version and the algorithms. Each measurement has its device in its key. */
	private static String signature(final List<Backend> backends) {
		final StringBuilder text = new StringBuilder(String.valueOf(Planner.class.getPackage().getImplementationVersion()));
		for (final Backend b : backends)
			for (final Algorithm<?> a : b.algorithms()) text.append(' ').append(a.id());
		return text.toString();
	}

	/** The measurements of this planner, from its file and from this process. */
	public Wisdom wisdom() {
		return wisdom;
	}

	/** The measured value of a constant of a device on this machine, divided by its shipped value; 1 if the constant was not measured. */
	public double calibrated(final String device, final String constant) {
		return backends.stream().filter(b -> b.unavailable().isEmpty()).flatMap(b -> b.devices().stream())
			.filter(d -> d.id().equals(device)).mapToDouble(d -> wisdom.ratio(d, constant)).findFirst().orElse(1);
	}

	/**
	 * Ranks by predicted times, or by measured times where the wisdom has them.
	 *
	 * @param backend the id of the only backend to use; empty for any
	 * @param algorithm the id of the only algorithm to use; empty for any
	 * @return all candidates: first those that apply, the fastest at the front; then the others
	 * @throws IllegalArgumentException if the backend or the algorithm does not exist, or if no candidate applies
	 */
	public Ranking rank(final Problem problem, final Optional<String> backend, final Optional<String> algorithm) {
		return rank(problem, backend, algorithm, Effort.ESTIMATE, 0, Monitor.NONE);
	}

	/**
	 * Ranks as {@link #rank(Problem, Optional, Optional)}. With {@link Effort#MEASURE} it also runs candidates without a measured time. A candidate
	 * that exceeded the time limit in an earlier measurement is not tried again.
	 *
	 * @param limit the maximum time in seconds for all measurements together
	 * @param monitor polled for cancellation; receives no progress
	 * @throws CancellationException if the monitor cancels; then no measurement is kept
	 */
	public Ranking rank(final Problem problem, final Optional<String> backend, final Optional<String> algorithm, final Effort effort,
		final double limit, final Monitor monitor)
	{
		final Request request = new Request(problem, backend, algorithm, wisdom.changes());
		if (effort == Effort.ESTIMATE) synchronized (recent) {
			final Ranking kept = recent.get(request);
			if (kept != null) return kept;
		}
		final Ranking ranking = newRanking(problem, backend, algorithm, effort, limit, monitor);
		if (effort == Effort.ESTIMATE && isSettled(ranking)) synchronized (recent) {
			recent.put(request, ranking);
		}
		return ranking;
	}

	/** Whether start times do not decide: the best candidate then stays the best after further runs. */
	private static boolean isSettled(final Ranking ranking) {
		final Candidate best = ranking.best().orElseThrow();
		return best.startSeconds() == 0 && ranking.candidates().stream().noneMatch(c -> c.applies() && c.seconds() < best.seconds());
	}

	private <P extends Problem> Ranking newRanking(final P problem, final Optional<String> backend, final Optional<String> algorithm,
		final Effort effort, final double limit, final Monitor monitor)
	{
		final List<Candidate> rejected = new ArrayList<>(), applicable = applicable(problem, backend, algorithm, a -> true, rejected);
		if (applicable.isEmpty()) throw new IllegalArgumentException(noneApplies(rejected, algorithm));
		final long start = clock.getAsLong();
		if (effort == Effort.MEASURE) measure(problem, applicable, rejected, limit, monitor);
		final double measuring = effort == Effort.MEASURE ? 1e-9 * (clock.getAsLong() - start) : 0;
		final List<Candidate> candidates = new ArrayList<>();
		for (final Candidate c : applicable) candidates.add(c.because(reason(problem, c, applicable, effort)));
		candidates.addAll(rejected);
		return new Ranking(problem, candidates, measuring);
	}

	/**
	 * The time of the best candidate, as {@link #rank(Problem, Optional, Optional)} ranks them; infinite if none applies.
	 *
	 * @param among whether an algorithm is considered
	 * @throws IllegalArgumentException if the backend or the algorithm does not exist
	 */
	public double seconds(final Problem problem, final Optional<String> backend, final Optional<String> algorithm,
		final Predicate<Algorithm<?>> among) {
		return applicable(problem, backend, algorithm, among, new ArrayList<>()).stream().findFirst().map(Candidate::seconds)
			.orElse(Double.POSITIVE_INFINITY);
	}

	/** The candidates that apply, best first. @param rejected receives the others */
	private <P extends Problem> List<Candidate> applicable(final P problem, final Optional<String> backend,
		final Optional<String> algorithm, final Predicate<? super Algorithm<P>> among, final List<Candidate> rejected)
	{
		requireKnown(problem, backend, algorithm);
		final List<Candidate> applicable = new ArrayList<>();
		for (final Backend b : backends) {
			if (b.unavailable().isPresent()) {
				rejected.add(Candidate.rejected(b.id(), null, null, b.unavailable().get()));
				continue;
			}
			for (final Device d : b.devices()) {
				final Device device = wisdom.calibrated(d);
				for (final Algorithm<P> a : algorithms(b, problem)) {
					if (!among.test(a) || !a.isCandidate(problem) && !a.id().equals(algorithm.orElse(""))) continue;
					final Candidate c = candidate(problem, b, device, a, backend, algorithm);
					(c.applies() ? applicable : rejected).add(c);
				}
			}
		}
		// a stable sort: of two that cost the same, the more specialised stays first
		applicable.sort(Comparator.comparingDouble(Candidate::secondsWithStart));
		return applicable;
	}

	/**
	 * Measures the constants of the cost models on this machine and keeps them in the wisdom. Later predictions use them.
	 *
	 * @param limit the maximum time in seconds for each device
	 * @param backend the id of the only backend whose devices are measured; empty for all
	 * @param monitor receives the progress, and can cancel between two runs
	 * @return the constants of each device whose models have constants
	 * @throws CancellationException if the monitor cancels; then no constant is kept
	 */
	public List<CostCalibration> calibrate(final double limit, final Optional<String> backend, final Monitor monitor) {
		final List<CostCalibration> calibrations = new ArrayList<>();
		for (final Backend b : backends)
			if (b.unavailable().isEmpty() && b.id().equals(backend.orElse(b.id())))
				for (final Device device : b.devices()) {
					final CostCalibration calibration = CostCalibration.of(device, b, limit, monitor, clock);
					if (!calibration.constants().isEmpty()) calibrations.add(calibration);
				}
		for (final CostCalibration c : calibrations) wisdom.calibrate(c.device(), c.constants());
		if (!calibrations.isEmpty()) wisdom.save();
		return calibrations;
	}

	/** The algorithms for problems of this kind. */
	@SuppressWarnings("unchecked") // an algorithm solves problems of its kind
	private static <P extends Problem> List<Algorithm<P>> algorithms(final Backend b, final P problem) {
		return b.algorithms().stream().filter(a -> a.kind().isInstance(problem)).map(a -> (Algorithm<P>) a).toList();
	}

	private <P extends Problem> Candidate candidate(final P problem, final Backend b, final Device device, final Algorithm<P> a,
		final Optional<String> backend, final Optional<String> algorithm)
	{
		final Optional<String> rejection = b.id().equals(backend.orElse(b.id()))
			? a.id().equals(algorithm.orElse(a.id())) ? a.unsupported(problem, device) : Optional.of("another algorithm is selected")
			: Optional.of("another backend is selected");
		if (rejection.isPresent()) return Candidate.rejected(a.id(), a, device, rejection.get());
		final Plan plan = a.plan(problem, device);
		return new Candidate(a.id(), a, device, plan, wisdom.seconds(problem, device, a),
			RunCounter.share(a) * plan.cost().startSeconds(), "");
	}

	/**
	 * Measures the most promising candidates first, in two rounds. The first round uses a part of the problem, during which code is compiled; the
	 * second round uses a larger part. Then candidates with similar times are measured by turns, on the problem itself if there is time. A candidate that fails is
	 * rejected with the reason.
	 */
	private void measure(final Problem problem, final List<Candidate> applicable, final List<Candidate> rejected, final double limit,
		final Monitor monitor)
	{
		final long start = clock.getAsLong();
		final List<Candidate> pending = new ArrayList<>(applicable);
		pending.removeIf(c -> c.measured().isPresent() || wisdom.timedOut(problem, c.device(), c.algorithm()));
		final Map<Candidate, Double> times = new LinkedHashMap<>();
		double best = applicable.stream().mapToDouble(c -> c.measured().orElse(Double.POSITIVE_INFINITY)).min().orElseThrow();
		for (int round = 0; round < ROUND_LAGS.length; round++) {
			final Measurement measurement = new Measurement(problem, ROUND_LAGS[round], clock);
			int remainingRuns = pending.size() * (ROUND_LAGS.length - round);
			for (final Candidate c : List.copyOf(pending)) {
				final double remaining = limit - 1e-9 * (clock.getAsLong() - start);
				final double expected = c.plan().cost().seconds();
				final boolean promising = round == 0 || compiled(c,
					times.getOrDefault(c, Double.POSITIVE_INFINITY)) <= MAX_MEASURED_RATIO * best;
				if (remaining > 0 && promising && expected < MAX_PREDICTED_RATIO * best) {
					try {
						final double seconds = measurement.run(contender(measurement, c), remaining / remainingRuns, monitor)
							.orElse(Double.POSITIVE_INFINITY);
						RunCounter.started(c.algorithm());
						// a candidate that exceeds the limit in the second round keeps its time of the first
						times.merge(c, seconds, (first, second) -> second == Double.POSITIVE_INFINITY ? first : second);
						best = Math.min(best, seconds);
					}
					catch (final CancellationException e) {
						throw e;
					}
					catch (final RuntimeException e) {
						pending.remove(c);
						applicable.remove(c);
						times.remove(c);
						rejected.add(c.leftOut("failed when it was measured: " + e.getMessage()));
					}
				}
				remainingRuns--;
			}
		}
		measureByTurns(problem, times, best, limit - 1e-9 * (clock.getAsLong() - start), COLD_SHARE * limit, monitor);
		times.forEach((c, s) -> {
			final OptionalDouble seconds = s == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(s);
			applicable.set(applicable.indexOf(c), c.measured(seconds).startSeconds(0));
			wisdom.put(problem, c.device(), c.algorithm(), seconds);
		});
		if (!times.isEmpty()) wisdom.save();
		if (applicable.isEmpty()) throw new DeviceException("every candidate " + rejected.get(rejected.size() - 1).reason());
		// measured times contain no start, so it does not count for predicted times either
		applicable.replaceAll(c -> c.measured().isEmpty() ? c.startSeconds(0) : c);
		// measured times rank before predicted ones
		applicable.sort(Comparator.comparing((Candidate c) -> c.measured().isEmpty()).thenComparingDouble(Candidate::secondsWithStart));
	}

	private static Measurement.Contender contender(final Measurement measurement, final Candidate c) {
		return measurement.new Contender(c.algorithm(), c.device(), c.plan());
	}

	/** The measured time, or less if the code of the candidate may not have been compiled. */
	private static double compiled(final Candidate c, final double measured) {
		return Math.min(measured, MAX_COLD_RATIO * c.plan().cost().seconds());
	}

	private static boolean mayBeCold(final Candidate c, final double measured) {
		return Measurement.mayBeCold(measured, c.plan().cost().seconds());
	}

	/**
	 * Measures by turns the candidates whose times may be near the best one, and those whose code may not be compiled, and updates their times: on the
	 * problem itself if two rounds end in time, else on the part of the second round.
	 *
	 * @param remaining of the time limit
	 * @param cold the time limit if the code of a candidate may not be compiled
	 */
	private void measureByTurns(final Problem problem, final Map<Candidate, Double> times, final double best, final double remaining,
		final double cold, final Monitor monitor)
	{
		final List<Candidate> close = new ArrayList<>(times.keySet());
		close.removeIf(c -> times.get(c) == Double.POSITIVE_INFINITY
			|| compiled(c, times.get(c)) > (mayBeCold(c, times.get(c)) ? MAX_MEASURED_RATIO : BY_TURNS_RATIO) * best);
		if (close.isEmpty()) return;
		final boolean mayBeCold = close.stream().anyMatch(c -> mayBeCold(c, times.get(c)));
		final double limit = mayBeCold ? Math.max(remaining, cold) : remaining;
		final long partLags = ROUND_LAGS[ROUND_LAGS.length - 1];
		final boolean large = Kind.isCut(problem, partLags);
		for (final long lags : large ? new long[] { Long.MAX_VALUE, partLags } : new long[] { partLags }) {
			final boolean isLarger = lags > partLags;
			final Measurement measurement = new Measurement(problem, lags, clock);
			final List<Measurement.Contender> contenders = close.stream().map(c -> contender(measurement, c)).toList();
			double round = 0;
			for (int i = 0; i < close.size(); i++) round += contenders.get(i).runSeconds(times.get(close.get(i)));
			if (2 * round > limit || close.size() < 2 && !isLarger && !mayBeCold) continue;
			try {
				measurement.byTurns(contenders, limit, monitor);
			}
			catch (final DeviceException e) {
				// each candidate ran by itself before
				LOG.log(System.Logger.Level.WARNING, "cannot measure "
					+ close.stream().map(Candidate::name).collect(Collectors.joining(", "))
					+ " by turns: " + e.getMessage() + "; using the times of their separate runs");
				return;
			}
			// a time of the problem itself replaces one that was computed from a part
			for (int i = 0; i < close.size(); i++) times.merge(close.get(i), contenders.get(i).seconds(), (before, s) -> isLarger ? s
				: Math.min(before, s));
			return;
		}
	}

	private String reason(final Problem problem, final Candidate c, final List<Candidate> applicable, final Effort effort) {
		final Candidate best = applicable.get(0);
		if (c != best && c.measured().isEmpty() && wisdom.timedOut(problem, c.device(), c.algorithm()))
			return "exceeded the time limit when it was measured";
		final boolean predicted = best.measured().isEmpty() || c.measured().isEmpty();
		if (c == best) return applicable.size() == 1 ? "selected: the only one that applies"
			: "selected: shortest " + (predicted ? "predicted" : "measured") + " time";
		final boolean skipped = effort == Effort.MEASURE && predicted;
		final double times = skipped ? c.seconds() / best.seconds() : c.secondsWithStart() / best.secondsWithStart();
		final String how = skipped ? "not measured; predicted to take " : predicted ? "predicted to take " : "measured to take ";
		return how + (times < 1.05 && times > 0.95 ? "as long" : Math.round(10 * times) / 10.0 + " times as long");
	}

	private static String noneApplies(final List<Candidate> rejected, final Optional<String> algorithm) {
		final StringBuilder text = new StringBuilder("no algorithm applies");
		String before = ": ";
		for (final Candidate c : rejected)
			if (algorithm.isEmpty() || c.name().equals(algorithm.get()) || c.algorithm() == null) {
				text.append(before).append(c.name()).append(" (").append(c.reason()).append(')');
				before = "; ";
			}
		return algorithm.isEmpty() ? text.toString() : text.append("; choose another algorithm, or auto").toString();
	}

	private void requireKnown(final Problem problem, final Optional<String> backend, final Optional<String> algorithm) {
		final List<String> backendIds = new ArrayList<>(), algorithmIds = new ArrayList<>();
		for (final Backend b : backends) {
			backendIds.add(b.id());
			for (final Algorithm<?> a : algorithms(b, problem)) algorithmIds.add(a.id());
			if (b.id().equals(backend.orElse("")) && b.unavailable().isPresent())
				throw new IllegalArgumentException("the backend " + b.id() + " cannot be used: " + b.unavailable().get());
		}
		if (backend.isPresent() && !backendIds.contains(backend.get()))
			throw new IllegalArgumentException("unknown backend \"" + backend.get() + "\": choose auto or one of "
				+ String.join(", ", backendIds));
		if (algorithm.isEmpty() || algorithmIds.contains(algorithm.get())) return;
		final String others = algorithmIds.isEmpty() ? "" : " or one of " + String.join(", ", algorithmIds);
		if (backends.stream().anyMatch(b -> b.algorithms().stream().anyMatch(a -> a.id().equals(algorithm.get()))))
			throw new IllegalArgumentException("the algorithm " + algorithm.get() + " solves other problems: choose auto" + others);
		throw new IllegalArgumentException("unknown algorithm \"" + algorithm.get() + "\": choose auto" + others);
	}
}
