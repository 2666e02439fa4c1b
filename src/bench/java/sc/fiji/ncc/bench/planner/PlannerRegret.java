package sc.fiji.ncc.bench.planner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.Turns;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.CostCalibration;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * The time of the planner's choice in relation to the fastest method. All CPU methods are timed in turns, for many sizes of image and template. The planner
 * chooses by estimate, by estimate after a calibration, and by measuring with new wisdom. For each image size the template side is interpolated from which on
 * Fourier methods are faster than direct ones. From the project folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.planner.PlannerRegret -Dexec.args="--type u8,float --csv target/regret.csv"
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.planner.PlannerRegret -Dexec.args="--dimensions 3 --image 32-128 --template 2-16"
 * </pre>
 */
@Command(name = "PlannerRegret", mixinStandardHelpOptions = true, sortOptions = false)
public final class PlannerRegret implements Callable<Integer> {

	@Option(names = "--image", defaultValue = "32-4096", description = "the least and the greatest side of an image: ${DEFAULT-VALUE}")
	private String images;
	@Option(names = "--template", defaultValue = "2-256", description = "the least and the greatest side of a template: ${DEFAULT-VALUE}")
	private String templates;
	@Option(names = "--steps", defaultValue = "1", description = "sides to each doubling: ${DEFAULT-VALUE}")
	private int steps;
	@Option(names = "--dimensions", defaultValue = "2", description = "2 or 3: ${DEFAULT-VALUE}")
	private int dimensions;
	@Option(names = "--operation", defaultValue = "correlate", description = "correlate or convolve: ${DEFAULT-VALUE}")
	private String operation;
	@Option(names = "--type", split = ",", defaultValue = "u8", description = "u8 or float: ${DEFAULT-VALUE}")
	private List<String> types;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--whole", description = "count the preparation of each run, as a single call pays it")
	private boolean whole;
	@Option(names = "--turns", defaultValue = "9", description = "runs, or batches of short ones, of each method: ${DEFAULT-VALUE}")
	private int turns;
	@Option(names = "--least", defaultValue = "0.05", description = "seconds that each method is run for at least: ${DEFAULT-VALUE}")
	private double least;
	@Option(names = "--most", defaultValue = "6", description = "seconds after which a size gets no further turn, beyond three: ${DEFAULT-VALUE}")
	private double most;
	@Option(names = "--warm-up", defaultValue = "15", description = "seconds before the first size: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--seconds", defaultValue = "1800", description = "no size starts after this time for all types: ${DEFAULT-VALUE}")
	private double seconds;
	@Mixin
	private CsvOption csv;

	/** Where the planner's choice costs more than the best. */
	private record Choice(String where, String taken, double seconds, String best, double bestSeconds) {

		double regret() {
			return seconds / bestSeconds - 1;
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%s: takes %s, %.3f ms; %s takes %.3f ms: %.0f%% more", where, taken, 1e3 * seconds, best, 1e3 * bestSeconds,
				100 * regret());
		}
	}

	private final Map<String, List<Choice>> choices = new LinkedHashMap<>();
	/** By image and template. */
	private final TreeMap<Long, TreeMap<Long, Map<String, Double>>> times = new TreeMap<>();
	private boolean floats;

	public static void main(final String[] args) {
		final int code = new CommandLine(new PlannerRegret()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		csv.columns("operation", "sizes", "type", "threads", "effort", "problems", "median_percent", "mean_percent", "percent_90", "worst_percent", "not_the_best");
		for (final String type : types) measure(type);
		csv.write();
		return 0;
	}

	private void measure(final String type) throws IOException {
		floats = Pixmap.floats(type);
		choices.clear();
		times.clear();
		System.out.printf("%s, %s, %d dimensions, %d threads, %s; medians by turns%n", operation, type, dimensions, threads,
			whole ? "with the preparation of each run" : "runs of what is prepared");
		final Path folder = Files.createTempDirectory("wisdom");
		try {
			measure(folder);
		}
		finally {
			try (var files = Files.list(folder)) {
				for (final Path f : files.toList()) Files.delete(f);
			}
			Files.delete(folder);
		}
		report();
		crossovers();
	}

	private void measure(final Path folder) throws IOException {
		final List<Backend> cpu = Backends.all(threads).stream().filter(b -> b.id().equals("cpu")).toList();
		final Planner shipped = new Planner(cpu, folder.resolve("shipped.txt")), calibrated = new Planner(cpu, folder.resolve("calibrated.txt"));
		final Planner measuring = new Planner(cpu, folder.resolve("measured.txt"));
		final long warm = System.nanoTime() + (long) (1e9 * warmUp);
		while (System.nanoTime() < warm) time(problem(Math.min(600, greatest(images)), 12), shipped);
		for (final CostCalibration c : calibrated.calibrate(CostCalibration.SECONDS, Optional.empty(), Monitor.NONE))
			System.out.printf("calibrated: the median estimate was off by %.0f%%, now by %.0f%%%n", 100 * c.errorBefore(), 100 * c.errorAfter());
		final long[] sides = sides(images);
		final long end = System.nanoTime() + (long) (1e9 * seconds / types.size());
		// the largest first, as in the planner's map: then all code is compiled
		for (int i = sides.length - 1; i >= 0; i--)
			for (final long t : sides(templates)) {
				if (t > sides[i] || System.nanoTime() > end) continue;
				final Sliding p = problem(sides[i], t);
				final Map<String, Double> seconds = time(p, shipped);
				times.computeIfAbsent(sides[i], k -> new TreeMap<>()).put(t, seconds);
				note("estimate", p, seconds, shipped, Effort.ESTIMATE);
				note("estimate, calibrated", p, seconds, calibrated, Effort.ESTIMATE);
				note("measure", p, seconds, measuring, Effort.MEASURE);
				System.out.printf("%-44s %s%n", p.size() + " with " + p.templates().get(0), text(seconds));
			}
	}

	private static String text(final Map<String, Double> seconds) {
		final List<String> parts = new ArrayList<>();
		seconds.forEach((name, s) -> parts.add(String.format(Locale.ROOT, "%s %.3f ms", name, 1e3 * s)));
		return String.join(", ", parts);
	}

	private Map<String, Double> time(final Sliding p, final Planner planner) {
		final List<Candidate> candidates = planner.rank(p, Optional.empty(), Optional.empty()).candidates().stream().filter(Candidate::applies).toList();
		return new Cell(p, whole).measure(candidates, turns, least, most);
	}

	/** What the planner takes, and what that costs; where something else seemed quicker, by a longer look at these two alone. */
	private void note(final String how, final Sliding p, final Map<String, Double> seconds, final Planner planner, final Effort effort) {
		final String taken = planner.rank(p, Optional.empty(), Optional.empty(), effort, Planner.MEASURING_SECONDS, Monitor.NONE).fastest()
			.orElseThrow().name();
		final String best = Collections.min(seconds.entrySet(), Map.Entry.comparingByValue()).getKey();
		double ofTaken = seconds.get(taken), ofBest = seconds.get(best);
		if (!taken.equals(best)) {
			final List<Candidate> two = planner.rank(p, Optional.empty(), Optional.empty()).candidates().stream()
				.filter(c -> c.name().equals(taken) || c.name().equals(best)).toList();
			// the least of many cells is at times the luckiest one
			final Map<String, Double> again = new Cell(p, whole).measure(two, 4 * turns, 4 * least, 4 * most);
			ofTaken = again.get(taken);
			ofBest = Math.min(ofTaken, again.get(best));
		}
		choices.computeIfAbsent(how, k -> new ArrayList<>()).add(new Choice("image " + p.size() + ", template " + p.templates().get(0), taken, ofTaken, best, ofBest));
	}

	private static long least(final String range) {
		return Long.parseLong(range.split("-")[0]);
	}

	private static long greatest(final String range) {
		return Long.parseLong(range.split("-")[1]);
	}

	private long[] sides(final String range) {
		return Cell.sides(least(range), greatest(range), steps);
	}

	private Sliding problem(final long image, final long template) {
		final PixelType pixels = floats ? PixelType.F32 : PixelType.U8;
		if (operation.equals("convolve")) return Convolution.problem(pixels, cube(image), pixels, cube(template), 0, Extent.VALID, 1);
		if (!operation.equals("correlate")) throw new IllegalArgumentException("the operation is correlate or convolve, not " + operation);
		return NormalizedCrossCorrelation.problem(pixels, cube(image), pixels, cube(template), Extent.VALID, 1);
	}

	private Size cube(final long side) {
		final long[] size = new long[dimensions];
		Arrays.fill(size, side);
		return Size.of(size);
	}

	private void report() {
		System.out.printf("%nwhat the planner's choice takes more than the best, over %d sizes%n%-22s %8s %8s %8s %8s  %s%n", choices.get("measure").size(), "",
			"median", "mean", "90%", "worst", "not the best");
		choices.forEach((how, list) -> {
			final double[] r = list.stream().mapToDouble(Choice::regret).sorted().toArray();
			final double median = 100 * Turns.median(r), mean = 100 * Arrays.stream(r).average().orElse(0), most = 100 * r[(int) (0.9 * (r.length - 1))];
			final long others = Arrays.stream(r).filter(x -> x > 0).count();
			System.out.printf(Locale.ROOT, "%-22s %7.1f%% %7.1f%% %7.1f%% %7.1f%%  %d of %d%n", how, median, mean, most, 100 * r[r.length - 1], others, r.length);
			csv.row(operation, cube(least(images)) + " to " + cube(greatest(images)) + " with " + cube(least(templates)) + " to " + cube(greatest(templates)),
				floats ? "float" : "8 bit", threads, how, r.length, median, mean, most, 100 * r[r.length - 1], others);
		});
		choices.forEach((how, list) -> {
			System.out.println("the worst of " + how + ":");
			list.stream().sorted((a, b) -> Double.compare(b.regret(), a.regret())).limit(5).filter(c -> c.regret() > 0).forEach(c -> System.out.println("  " + c));
		});
	}

	/** As FLCC's Table II. */
	private void crossovers() {
		System.out.printf("%nside of the template from which on a Fourier method is the fastest%n");
		times.forEach((image, row) -> System.out.printf("  %-16s %s%n", cube(image), crossover(row)));
	}

	private static String crossover(final TreeMap<Long, Map<String, Double>> row) {
		double before = 0;
		long side = 0;
		for (final Map.Entry<Long, Map<String, Double>> cell : row.entrySet()) {
			final double direct = shortest(cell.getValue(), false), fourier = shortest(cell.getValue(), true);
			if (fourier == Double.POSITIVE_INFINITY) continue;
			final double ahead = Math.log(direct / fourier);
			// where the logarithm of the ratio, over that of the side, is zero
			if (ahead > 0) return side == 0 ? "below " + cell.getKey() : String.format(Locale.ROOT, "%.1f", side * Math.pow((double) cell.getKey() / side,
				-before / (ahead - before)));
			before = ahead;
			side = cell.getKey();
		}
		return "above " + side;
	}

	private static double shortest(final Map<String, Double> seconds, final boolean fourier) {
		return seconds.entrySet().stream().filter(e -> e.getKey().contains("fourier") == fourier).mapToDouble(Map.Entry::getValue).min()
			.orElse(Double.POSITIVE_INFINITY);
	}
}
