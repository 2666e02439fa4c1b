package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;

/**
 * Searches at random for a response whose error the estimates did not see. Every floating-point algorithm of every backend correlates each
 * case; where they differ most, and at random lags, they are held against the reference in compensated sums.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.EstimateSearch -Dexec.args="--seconds 600 --first 1"
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.EstimateSearch -Dexec.args="--seed 4711"
 * </pre>
 */
@Command(name = "EstimateSearch", mixinStandardHelpOptions = true, sortOptions = false)
final class EstimateSearch implements Callable<Integer> {

	static final double TOLERANCE = AlgorithmContract.TOLERANCE;

	@Option(names = "--seconds", defaultValue = "60", description = "how long to search: ${DEFAULT-VALUE}")
	private double seconds;
	@Option(names = "--first", defaultValue = "1", description = "the first seed: ${DEFAULT-VALUE}")
	private long first;
	@Option(names = "--seed", description = "only this case, at all its lags")
	private Long only;
	@Option(names = "--most-side", defaultValue = "200", description = "the longest side of a template: ${DEFAULT-VALUE}")
	private int mostSide;
	@Option(names = "--products", defaultValue = "4e6", description = "how many products the reference of a case may take: ${DEFAULT-VALUE}")
	private double products;

	/** The worst of one algorithm in one case. */
	record Finding(ContractCase problem, String algorithm, double error, String lag, float response, double reference, int compared, long rechecked) {

		boolean violates() {
			return error > TOLERANCE;
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%-14s off by %.3g, %.2f of the tolerance: %.9g instead of %.9g at lag %s; %d rechecked; %s", algorithm, error,
				error / TOLERANCE, response, reference, lag, rechecked, problem);
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
			final List<Finding> findings = check(AdversarialCases.of(only, mostSide), backends, Double.POSITIVE_INFINITY, only);
			findings.forEach(System.out::println);
			return findings.stream().anyMatch(Finding::violates) ? 1 : 0;
		}
		final long end = System.nanoTime() + (long) (1e9 * seconds);
		final Map<String, List<Finding>> worst = new LinkedHashMap<>();
		long seed = first, compared = 0, violations = 0;
		for (; System.nanoTime() < end; seed++)
			for (final Finding f : check(AdversarialCases.of(seed, mostSide), backends, products, seed)) {
				compared += f.compared;
				if (f.violates()) {
					violations++;
					System.out.println("violation: " + f);
				}
				final List<Finding> list = worst.computeIfAbsent(f.algorithm, a -> new ArrayList<>());
				list.add(f);
				list.sort(Comparator.comparingDouble(Finding::error).reversed());
				if (list.size() > 5) list.remove(5);
			}
		System.out.printf("%d cases, seeds %d to %d, %d responses compared, %d violations (a case and an algorithm each)%n", seed - first, first, seed - 1,
			compared, violations);
		worst.values().forEach(list -> list.forEach(System.out::println));
		return violations > 0 ? 1 : 0;
	}

	/**
	 * Holds all floating-point algorithms that apply against the reference.
	 *
	 * @param products how many products the reference may take; fewer than all lags are compared if it is too few
	 * @param seed of the choice of lags
	 */
	static List<Finding> check(final ContractCase c, final List<Backend> backends, final double products, final long seed) {
		final List<String> names = new ArrayList<>();
		final List<float[]> maps = new ArrayList<>();
		final List<Report> reports = new ArrayList<>();
		for (final Backend backend : backends)
			for (final Device device : backend.devices())
				for (final Algorithm algorithm : backend.algorithms()) {
					if (algorithm.id().endsWith("-exact") || algorithm.unsupported(c.problem()).isPresent()) continue;
					final ArraySink sink = new ArraySink(Float.NaN, 1, c.count());
					try (Execution execution = algorithm.plan(c.problem(), device).prepare(List.of(c.templateCopy()))) {
						reports.add(AlgorithmContract.await(execution.submit(AlgorithmContract.pixels(c), c.lagBox(), sink, Monitor.NONE)));
					}
					names.add(algorithm.id());
					maps.add(sink.complete(0));
				}
		final long affordable = (long) Math.min(c.lags(), Math.max(16, products / c.template().length));
		final int[] lags = affordable == c.lags() ? all(c.lags()) : chosen(maps, (int) affordable, new Random(seed));
		return compare(c, names, maps, reports, lags);
	}

	private static int[] all(final int n) {
		final int[] lags = new int[n];
		Arrays.setAll(lags, i -> i);
		return lags;
	}

	/** Half of them where the maps differ most, half at random. */
	private static int[] chosen(final List<float[]> maps, final int count, final Random random) {
		final int n = maps.get(0).length;
		final Set<Integer> chosen = new LinkedHashSet<>();
		final double[] spread = new double[n];
		for (int i = 0; i < n; i++) {
			float least = Float.POSITIVE_INFINITY, most = Float.NEGATIVE_INFINITY;
			int undefined = 0;
			for (final float[] map : maps) {
				if (Float.isNaN(map[i])) undefined++;
				least = Math.min(least, map[i]);
				most = Math.max(most, map[i]);
			}
			spread[i] = undefined == 0 ? most - least : undefined == maps.size() ? 0 : 3;
		}
		Arrays.stream(all(n)).boxed().sorted(Comparator.comparingDouble((Integer i) -> -spread[i])).limit(count / 2).forEach(chosen::add);
		while (chosen.size() < count) chosen.add(random.nextInt(n));
		return chosen.stream().mapToInt(Integer::intValue).toArray();
	}

	private static List<Finding> compare(final ContractCase c, final List<String> names, final List<float[]> maps, final List<Report> reports,
		final int[] lags)
	{
		final ReferenceNcc reference = new ReferenceNcc(c.image(), c.imageSize(), c.template(), c.templateSize(), c.weights());
		final int dimensions = c.count().length, one[] = new int[dimensions], at[] = new int[dimensions];
		Arrays.fill(one, 1);
		final Finding[] worst = new Finding[names.size()];
		for (final int i : lags) {
			ReferenceNcc.unravel(i, c.count(), at);
			final long[] lag = new long[dimensions];
			for (int d = 0; d < dimensions; d++) lag[d] = c.origin()[d] + at[d];
			final double exact = reference.responses(ReferenceNcc.Form.COMPENSATED, lag, one, c.partial(), c.leastOverlap())[0];
			for (int a = 0; a < worst.length; a++) {
				final double error = error(exact, maps.get(a)[i]);
				if (worst[a] == null || error > worst[a].error)
					worst[a] = new Finding(c, names.get(a), error, Arrays.toString(lag), maps.get(a)[i], exact, lags.length, reports.get(a).rechecked());
			}
		}
		return List.of(worst);
	}

	/** Infinite where one is undefined and the other is not, or the response leaves [-1, 1]. */
	private static double error(final double exact, final float response) {
		if (Double.isNaN(exact) && Float.isNaN(response)) return 0;
		return Math.abs(response) <= 1 && !Double.isNaN(exact) ? Math.abs(exact - response) : Double.POSITIVE_INFINITY;
	}
}
