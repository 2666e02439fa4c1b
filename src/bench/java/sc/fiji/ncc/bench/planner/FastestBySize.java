package sc.fiji.ncc.bench.planner;

import java.io.IOException;
import java.util.List;
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
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Times all methods for squares of many sizes, as figures 3 and 4 and Table II of Papamakarios, Rizos, Pitsianis, FLCC: which one is the fastest for
 * a size, and from which side of the template on a Fourier method is faster than a direct one. <i>single</i> counts the preparation of the template,
 * <i>stream</i> does not: there the frames of a stream share it.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.planner.FastestBySize -Dexec.args="--operation convolve --csv target/maps.csv"
 * </pre>
 */
@Command(name = "FastestBySize", mixinStandardHelpOptions = true, sortOptions = false)
public final class FastestBySize implements Callable<Integer> {

	enum Use { single, stream }

	@Option(names = "--operation", split = ",", defaultValue = "convolve", description = "correlate or convolve: ${DEFAULT-VALUE}")
	private List<String> operations;
	@Option(names = "--use", split = ",", defaultValue = "single,stream", description = "${COMPLETION-CANDIDATES}: ${DEFAULT-VALUE}")
	private List<Use> uses;
	@Option(names = "--image", defaultValue = "64-2048", description = "the least and the greatest side of an image: ${DEFAULT-VALUE}")
	private String images;
	@Option(names = "--template", defaultValue = "2-256", description = "the least and the greatest side of a template: ${DEFAULT-VALUE}")
	private String templates;
	@Option(names = "--steps", defaultValue = "1", description = "sides of templates to each doubling: ${DEFAULT-VALUE}")
	private int steps;
	@Option(names = "--type", split = ",", defaultValue = "float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private List<String> types;
	@Option(names = "--backend", defaultValue = "cpu", description = "cpu or cuda: ${DEFAULT-VALUE}")
	private String backend;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--turns", defaultValue = "5", description = "runs, or batches of short ones, of each method: ${DEFAULT-VALUE}")
	private int turns;
	@Option(names = "--least", defaultValue = "0.02", description = "seconds that each method is run for at least: ${DEFAULT-VALUE}")
	private double least;
	@Option(names = "--most", defaultValue = "1", description = "seconds after which a size gets no further turn, beyond three: ${DEFAULT-VALUE}")
	private double most;
	@Option(names = "--warm-up", defaultValue = "5", description = "seconds before the first size of each kind: ${DEFAULT-VALUE}")
	private double warmUp;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		final int code = new CommandLine(new FastestBySize()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		final List<Backend> backends = Backends.all(threads).stream().filter(b -> b.id().equals(backend)).toList();
		if (backends.isEmpty()) throw new IllegalArgumentException("there is no backend " + backend + ": give cpu or cuda");
		backends.get(0).unavailable().ifPresent(reason -> {
			throw new IllegalStateException(reason);
		});
		final Planner planner = new Planner(backends);
		csv.columns("operation", "use", "type", "threads", "image", "template", "method", "ms", "fastest");
		for (final String operation : operations)
			for (final String type : types)
				for (final Use use : uses) measure(planner, operation, type, use);
		csv.write();
		return 0;
	}

	private void measure(final Planner planner, final String operation, final String type, final Use use) {
		final long[] sides = sides(images, 1);
		final long end = System.nanoTime() + (long) (1e9 * warmUp);
		while (System.nanoTime() < end) for (final long t : new long[] { 4, 12, 40 }) times(planner,
			problem(operation, type, Math.min(512, sides[sides.length - 1]), t), use);
		// the largest first: they let the compiler finish
		for (int i = sides.length - 1; i >= 0; i--)
			for (final long t : sides(templates, steps)) {
				if (t > sides[i]) continue;
				final Map<String, Double> seconds = times(planner, problem(operation, type, sides[i], t), use);
				final double shortest = seconds.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
				final StringBuilder line = new StringBuilder(String.format("%s %s %s %dx%d with %dx%d:", operation, type, use, sides[i], sides[i], t, t));
				for (final Map.Entry<String, Double> e : seconds.entrySet()) {
					line.append(String.format(" %s %.4f ms", e.getKey(), 1e3 * e.getValue()));
					csv.row(operation, use, type.equals("u8") ? "8 bit" : "float", threads, sides[i], t, e.getKey(), 1e3 * e.getValue(), e.getValue() == shortest);
				}
				System.out.println(line);
			}
	}

	private Map<String, Double> times(final Planner planner, final Sliding problem, final Use use) {
		final List<Candidate> candidates = planner.rank(problem, Optional.empty(), Optional.empty()).candidates().stream().filter(Candidate::applies).toList();
		return new TreeMap<>(new Cell(problem, use == Use.single).measure(candidates, turns, least, most));
	}

	private static Sliding problem(final String operation, final String type, final long image, final long template) {
		final PixelType pixels = Pixmap.floats(type) ? PixelType.F32 : PixelType.U8;
		final Size size = Size.of(image, image), its = Size.of(template, template);
		if (operation.equals("convolve")) return Convolution.problem(pixels, size, pixels, its, 0, Extent.VALID, 1);
		if (operation.equals("correlate")) return NormalizedCrossCorrelation.problem(pixels, size, pixels, its, Extent.VALID, 1);
		throw new IllegalArgumentException("the operation is correlate or convolve, not " + operation);
	}

	private static long[] sides(final String range, final int steps) {
		final String[] ends = range.split("-");
		return Cell.sides(Long.parseLong(ends[0]), Long.parseLong(ends[1]), steps);
	}
}
