package sc.fiji.ncc.contract;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;

/**
 * Searches for a response whose error is larger than its estimate. Every algorithm of every backend correlates each case. The responses are compared with the
 * reference in compensated sums, at the lags where the algorithms differ most and at random lags. Half of the cases are new. The others are small changes of
 * the worst cases so far. The first seed determines the whole search. Each finding prints the text that reproduces its case, and the cost of the recheck.
 *
 * <pre>
 * mvn -Psearch test-compile exec:exec -Dsearch.seconds=600 -Dsearch.first=1
 * java -cp target/classes:target/test-classes:... sc.fiji.ncc.contract.EstimateSearch --seconds 600 --first 1
 * java -cp target/classes:target/test-classes:... sc.fiji.ncc.contract.EstimateSearch --case 4711:width=0.25
 * </pre>
 */
@Command(name = "EstimateSearch", mixinStandardHelpOptions = true, sortOptions = false)
final class EstimateSearch implements Callable<Integer> {

	private static final int KEPT = 5;
	/** Times below this are too short to compare with the prediction, in seconds. */
	private static final double MIN_SECONDS = 0.05;
	/** A case that takes longer is printed while it runs, in seconds. */
	private static final long SLOW_SECONDS = 30;
	/** The number of violations of one algorithm and precision that are printed. The others are only counted. */
	private static final int MAX_PRINTED = 20;

	@Option(names = "--seconds", defaultValue = "60", description = "how long to search. Default: ${DEFAULT-VALUE}")
	private double seconds;
	@Option(names = "--cases", description = "the number of cases, instead of --seconds")
	private Long cases;
	@Option(names = "--first", defaultValue = "1", description = "the first seed. Default: ${DEFAULT-VALUE}")
	private long first;
	@Option(names = "--case", description = "only this case, at all its lags: a seed, or the text after --case in a finding")
	private String only;
	@Option(names = "--most-side", defaultValue = "100", description = "the longest side of a template. Default: ${DEFAULT-VALUE}")
	private int mostSide;
	@Option(names = "--fresh", defaultValue = "0.5", description = "the share of new cases. Default: ${DEFAULT-VALUE}")
	private double fresh;
	@Option(names = "--missing", description = "images with missing pixels")
	private boolean missing;
	@Option(names = "--joint", description = "joint responses of two channels")
	private boolean joint;
	@Option(names = "--only", description = "only algorithms whose id contains this text, for example cuda")
	private String algorithms = "";
	@Option(names = "--products", defaultValue = "2e5", description = "the largest number of products for the reference of a case. Default: ${DEFAULT-VALUE}")
	private double products;

	/** The result of an algorithm in one case: its map, and its real and predicted time in seconds. */
	private record Answer(String algorithm, Precision precision, double[] map, long rechecked, double seconds, double predicted) {}

	/** The largest error of one algorithm in one case. */
	record Finding(ContractCase problem, Answer answer, double error, String lag, double response, double reference, int compared) {

		boolean violates() {
			return share() > 1;
		}

		/** The error as a multiple of the tolerance. */
		double share() {
			return error / AlgorithmContract.tolerance(answer.precision);
		}

		/** The id of the algorithm, and the precision if it is double. */
		String algorithm() {
			return answer.algorithm + (answer.precision == Precision.DOUBLE ? " in double" : "");
		}

		boolean inDouble() {
			return answer.precision == Precision.DOUBLE;
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%-25s error %.3g, %.2f of the tolerance: %.17g instead of %.17g at lag %s; %s", algorithm(), error, share(),
				response, reference, lag, cost());
		}

		/** The cost of the recheck. */
		String cost() {
			return String.format(Locale.ROOT, "%d of %d rechecked, %.3g s, predicted %.3g s; --case %s", answer.rechecked, problem.lags(), answer.seconds,
				answer.predicted, problem);
		}
	}

	public static void main(final String[] args) {
		final int code = new CommandLine(new EstimateSearch()).execute(args);
		if (code != 0) System.exit(code);
	}

	/** @return 1 if an algorithm violates the tolerance */
	@Override
	public Integer call() {
		final List<Backend> backends = Backends.all(1);
		if (only != null) {
			final List<Finding> findings = check(AdversarialCases.of(Genes.parse(only), mostSide), backends, Double.POSITIVE_INFINITY, 1, algorithms);
			findings.forEach(System.out::println);
			return findings.stream().anyMatch(Finding::violates) ? 1 : 0;
		}
		final Climb climb = new Climb(backends, mostSide, products, fresh, algorithms, missing, joint);
		final Map<String, Integer> printed = new HashMap<>();
		final Map<String, List<Finding>> slowest = new TreeMap<>();
		final long end = System.nanoTime() + (long) (1e9 * seconds);
		long seed = first, compared = 0, violations = 0;
		try (Watch watch = new Watch(climb)) {
			for (; cases != null ? seed < first + cases : System.nanoTime() < end; seed++) {
				watch.begin();
				for (final Finding f : climb.step(seed)) {
					compared += f.compared;
					if (f.violates()) {
						violations++;
						if (printed.merge(f.algorithm(), 1, Integer::sum) <= MAX_PRINTED) System.out.println("violation: " + f);
					}
					if (f.answer.seconds > MIN_SECONDS) keep(slowest, f, Comparator.comparingDouble(k -> k.answer.seconds / k.answer.predicted));
				}
			}
		}
		System.out.printf(Locale.ROOT, "%d cases, seeds %d to %d, %d responses compared, %d violations (a case and an algorithm each), --most-side %d, CPU time %.0f s%n",
			seed - first, first, seed - 1, compared, violations, mostSide, cpuSeconds());
		climb.worst.values().forEach(list -> list.forEach(System.out::println));
		System.out.println("the slowest in relation to their prediction, of those that took more than " + MIN_SECONDS + " s:");
		slowest.values().forEach(list -> list.forEach(f -> System.out.printf("%-25s %s%n", f.algorithm(), f.cost())));
		return violations > 0 ? 1 : 0;
	}

	private static double cpuSeconds() {
		return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os ? 1e-9 * os.getProcessCpuTime() : Double.NaN;
	}

	/** Prints a case that takes long, again and again while it runs, so that a case that hangs is known. */
	private static final class Watch implements AutoCloseable {

		private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(r -> {
			final Thread thread = new Thread(r, "slow cases");
			thread.setDaemon(true);
			return thread;
		});
		private volatile long start = System.nanoTime();

		Watch(final Climb climb) {
			timer.scheduleAtFixedRate(() -> {
				final double running = 1e-9 * (System.nanoTime() - start);
				if (running > SLOW_SECONDS) System.out.printf(Locale.ROOT, "slow: running for %.0f s: --case %s%n", running, climb.current);
			}, SLOW_SECONDS, SLOW_SECONDS, TimeUnit.SECONDS);
		}

		/** A case starts. */
		void begin() {
			start = System.nanoTime();
		}

		@Override
		public void close() {
			timer.shutdownNow();
		}
	}

	/** The search: new cases, and changes of the worst cases so far. */
	static final class Climb {

		/** The worst cases of each algorithm and precision, the worst first. */
		final Map<String, List<Finding>> worst = new TreeMap<>();
		/** The case that runs. */
		private volatile String current = "";
		private final Map<Finding, Genes> origins = new IdentityHashMap<>();
		private final List<Backend> backends;
		private final int mostSide;
		private final double products, fresh;
		private final String algorithms;
		private final boolean missing, joint;

		/** The search in images of one channel without missing pixels. */
		Climb(final List<Backend> backends, final int mostSide, final double products, final double fresh, final String algorithms) {
			this(backends, mostSide, products, fresh, algorithms, false, false);
		}

		Climb(final List<Backend> backends, final int mostSide, final double products, final double fresh, final String algorithms, final boolean missing,
			final boolean joint)
		{
			this.backends = backends;
			this.mostSide = mostSide;
			this.products = products;
			this.fresh = fresh;
			this.algorithms = algorithms;
			this.missing = missing;
			this.joint = joint;
		}

		/** Checks the case of a seed, or a change of one of the worst cases. */
		List<Finding> step(final long seed) {
			final Random random = new Random(seed * 0x9E3779B97F4A7C15L);
			Genes genes = missing ? Genes.of(seed).with("missing", random.nextDouble()) : Genes.of(seed);
			if (joint) genes = genes.with("joint", random.nextDouble());
			if (!worst.isEmpty() && random.nextDouble() >= fresh) {
				final List<List<Finding>> lists = List.copyOf(worst.values());
				final List<Finding> list = lists.get(random.nextInt(lists.size()));
				genes = origins.get(list.get(random.nextInt(list.size()))).changed(random);
			}
			final ContractCase c = AdversarialCases.of(genes, mostSide);
			current = c.toString();
			final List<Finding> findings = check(c, backends, products, seed, algorithms);
			for (final Finding f : findings) {
				origins.put(f, genes);
				keep(worst, f, Comparator.comparingDouble(Finding::share));
			}
			origins.keySet().removeIf(f -> !worst.get(f.algorithm()).contains(f));
			return findings;
		}
	}

	private static void keep(final Map<String, List<Finding>> lists, final Finding f, final Comparator<Finding> greatest) {
		final List<Finding> list = lists.computeIfAbsent(f.algorithm(), a -> new ArrayList<>());
		list.add(f);
		list.sort(greatest.reversed());
		if (list.size() > KEPT) list.remove(KEPT);
	}

	/**
	 * Compares all algorithms that support the case with the reference.
	 *
	 * @param products the largest number of products for the reference. If it does not suffice for all lags, fewer lags are compared
	 * @param seed for the random lags
	 * @param algorithms only algorithms whose id contains this text
	 */
	static List<Finding> check(final ContractCase c, final List<Backend> backends, final double products, final long seed, final String algorithms) {
		final List<Answer> answers = new ArrayList<>();
		for (final Backend backend : backends)
			for (final Device device : backend.devices())
				for (final SlidingAlgorithm<?> algorithm : Problems.sliding(backend))
					for (final Precision precision : algorithm.precisions())
						if (algorithm.id().contains(algorithms) && Problems.unsupported(algorithm, c.problem(precision)).isEmpty())
							answers.add(answer(c, precision, algorithm, device));
		if (answers.isEmpty()) return List.of();
		final long affordable = (long) Math.min(c.lags(), Math.max(16, products / c.template().length));
		final int[] lags = affordable == c.lags() ? all(c.lags()) : chosen(answers, (int) affordable, new Random(seed));
		return compare(c, answers, lags);
	}

	/** The same for all algorithms. */
	static List<Finding> check(final ContractCase c, final List<Backend> backends, final double products, final long seed) {
		return check(c, backends, products, seed, "");
	}

	private static Answer answer(final ContractCase c, final Precision precision, final SlidingAlgorithm<?> algorithm, final Device device) {
		final SlidingPlan plan = algorithm.planAny(c.problem(precision), device);
		final ArraySink sink = new ArraySink(precision, Float.NaN, 1, c.count());
		final long start = System.nanoTime();
		try (Execution execution = plan.prepare(List.of(c.templateCopy()))) {
			// without a time limit, because slowness is reported too
			final Report report = execution.submit(AlgorithmContract.pixels(c), c.lagBox(), sink, Monitor.NONE).join();
			return new Answer(algorithm.id(), precision, sink.complete(0), report.rechecked(), 1e-9 * (System.nanoTime() - start), plan.cost().seconds());
		}
	}

	private static int[] all(final int n) {
		final int[] lags = new int[n];
		Arrays.setAll(lags, i -> i);
		return lags;
	}

	/** Half of them are the lags where the maps differ most, half are random. */
	private static int[] chosen(final List<Answer> answers, final int count, final Random random) {
		final int n = answers.get(0).map.length;
		final Set<Integer> chosen = new LinkedHashSet<>();
		final double[] spread = new double[n];
		for (int i = 0; i < n; i++) {
			double least = Double.POSITIVE_INFINITY, most = Double.NEGATIVE_INFINITY;
			int undefined = 0;
			for (final Answer a : answers) {
				if (Double.isNaN(a.map[i])) undefined++;
				least = Math.min(least, a.map[i]);
				most = Math.max(most, a.map[i]);
			}
			spread[i] = undefined == 0 ? most - least : undefined == answers.size() ? 0 : 3;
		}
		Arrays.stream(all(n)).boxed().sorted(Comparator.comparingDouble((Integer i) -> -spread[i])).limit(count / 2).forEach(chosen::add);
		while (chosen.size() < count) chosen.add(random.nextInt(n));
		return chosen.stream().mapToInt(Integer::intValue).toArray();
	}

	private static List<Finding> compare(final ContractCase c, final List<Answer> answers, final int[] lags) {
		final ReferenceNcc reference = new ReferenceNcc(c.image(), c.imageSize(), c.template(), c.templateSize(), c.weights(), c.present(), c.channels());
		final int dimensions = c.count().length, one[] = new int[dimensions], at[] = new int[dimensions];
		Arrays.fill(one, 1);
		final Finding[] worst = new Finding[answers.size()];
		for (final int i : lags) {
			ReferenceNcc.unravel(i, c.count(), at);
			final long[] lag = new long[dimensions];
			for (int d = 0; d < dimensions; d++) lag[d] = c.origin()[d] + at[d];
			final double exact = reference.responses(ReferenceNcc.Form.COMPENSATED, lag, one, c.partial(), c.minOverlap())[0];
			for (int a = 0; a < worst.length; a++) {
				final double response = answers.get(a).map[i];
				final double error = error(exact, response);
				if (worst[a] == null || error > worst[a].error) worst[a] = new Finding(c, answers.get(a), error, Arrays.toString(lag), response, exact, lags.length);
			}
		}
		return List.of(worst);
	}

	/** The error. Infinite if only one of the two is undefined or if the response lies outside [-1, 1]. */
	private static double error(final double exact, final double response) {
		if (Double.isNaN(exact) && Double.isNaN(response)) return 0;
		return Math.abs(response) <= 1 && !Double.isNaN(exact) ? Math.abs(exact - response) : Double.POSITIVE_INFINITY;
	}
}
