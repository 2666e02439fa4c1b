package sc.fiji.ncc.bench.planner;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.Texture;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * The time that {@code --effort measure} keeps for each algorithm: measured among the others, measured alone, and the least time of complete calls on
 * noise. The three should agree within a factor of 1.5. An algorithm that is not measured is left out. A cell is {@code image:template}, with
 * {@code :full} for all lags that overlap.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.planner.MeasuredTimes -Dexec.args="--csv target/measured.csv"
 * </pre>
 */
@Command(name = "MeasuredTimes", mixinStandardHelpOptions = true, sortOptions = false)
public final class MeasuredTimes implements Callable<Integer> {

	@Option(names = "--cell", split = ",", description = "cells. Default: ${DEFAULT-VALUE}",
		defaultValue = "256:8,512:32,512:448,2000:8,2000:32,2000:128,2000:512,4096:32,4096:512,1024:512:full")
	private String[] cells;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "u8 or float. Default: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--operation", split = ",", defaultValue = "ncc,convolution", description = "ncc or convolution. Default: ${DEFAULT-VALUE}")
	private String[] operations;
	@Option(names = "--backend", description = "cpu or cuda. Default: all")
	private Optional<String> backend;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads. Default: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--least", defaultValue = "1", description = "seconds of complete calls of each algorithm, at least three. Default: ${DEFAULT-VALUE}")
	private double least;
	@Option(names = "--csv", description = "a file for all times")
	private File csv;

	/** The times of one algorithm for one problem, in seconds. */
	private record Row(String operation, String cell, String type, String algorithm, double predicted, double among, double alone, double call) {

		/** The largest ratio of two of the three times. */
		double ratio() {
			return Math.max(among, Math.max(alone, call)) / Math.min(among, Math.min(alone, call));
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%-12s %-14s %-6s %-22s predicted %9.3f, among others %9.3f, alone %9.3f, a call %9.3f ms: %.2f",
				operation, cell, type, algorithm,
				1e3 * predicted, 1e3 * among, 1e3 * alone, 1e3 * call, ratio());
		}
	}

	/** What a call of one operation needs. */
	private record Call(Sliding problem, Function<String, Runnable> by) {}

	private final List<Row> rows = new ArrayList<>();

	public static void main(final String[] args) {
		final int code = new CommandLine(new MeasuredTimes()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		final Path folder = Files.createTempDirectory("wisdom");
		try {
			for (final String operation : operations)
				for (final String cell : cells)
					for (final String type : types)
						if (operation.equals("ncc") || !cell.endsWith(":full")) measure(operation, cell, type, folder.resolve("wisdom.txt"));
		}
		finally {
			Files.delete(folder);
		}
		final double[] ratios = rows.stream().mapToDouble(Row::ratio).sorted().toArray();
		System.out.printf(Locale.ROOT, "%d times: the ratio of the longest to the shortest is %.2f in the median, %.2f at worst; above 1.5 in %d%n", ratios.length,
			ratios[ratios.length / 2], ratios[ratios.length - 1], rows.stream().filter(r -> r.ratio() > 1.5).count());
		if (csv != null) write();
		return 0;
	}

	private Call call(final String operation, final String cell, final String type) {
		final String[] parts = cell.split(":");
		final int image = Integer.parseInt(parts[0]), template = Integer.parseInt(parts[1]);
		final RandomAccessibleInterval<?> pixels = pixmap(image, 1, type).img(), small = pixmap(template, 2, type).img();
		if (operation.equals("convolution")) {
			final Convolution op = Convolution.of(small).threads(threads);
			return new Call((Sliding) op.explain(pixels).problem(), id -> () -> op.algorithm(id).convolve(pixels));
		}
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(small).extent(parts.length > 2 ? Extent.FULL : Extent.VALID).threads(threads);
		return new Call((Sliding) op.explain(pixels).problem(), id -> () -> op.algorithm(id).correlate(pixels));
	}

	private static Pixmap pixmap(final int side, final long seed, final String type) {
		return new Pixmap(Texture.blobs(side, side, seed), side, side, Pixmap.floats(type));
	}

	private void measure(final String operation, final String cell, final String type, final Path wisdom) throws IOException {
		final Call call = call(operation, cell, type);
		final List<Backend> backends = Backends.all(threads);
		final Map<String, Candidate> among = new TreeMap<>();
		for (final Candidate c : new Planner(backends, wisdom).rank(call.problem(), backend, Optional.empty(), Effort.MEASURE,
			Planner.MEASURING_SECONDS).candidates())
			if (c.measured().isPresent()) among.putIfAbsent(c.name(), c);
		Files.deleteIfExists(wisdom);
		for (final Map.Entry<String, Candidate> e : among.entrySet()) {
			final Candidate alone = new Planner(backends, wisdom).rank(call.problem(), backend, Optional.of(e.getKey()), Effort.MEASURE,
				Planner.MEASURING_SECONDS).best().orElseThrow();
			Files.deleteIfExists(wisdom);
			final Row row = new Row(operation, cell, type, e.getKey(), e.getValue().plan().cost().seconds(), e.getValue().measured().getAsDouble(),
				alone.measured().orElse(Double.NaN),
				shortest(call.by().apply(e.getKey())));
			rows.add(row);
			System.out.println(row);
		}
	}

	private double shortest(final Runnable call) {
		double shortest = Double.POSITIVE_INFINITY, sum = 0;
		for (int runs = 0; runs < 3 || sum < least; runs++) {
			final long start = System.nanoTime();
			call.run();
			final double seconds = 1e-9 * (System.nanoTime() - start);
			shortest = Math.min(shortest, seconds);
			sum += seconds;
			// a slow algorithm needs no compilation
			if (seconds > 4 * least) break;
		}
		return shortest;
	}

	private void write() throws IOException {
		try (PrintWriter out = new PrintWriter(csv, StandardCharsets.UTF_8)) {
			out.println("operation,cell,type,algorithm,predicted_s,among_s,alone_s,call_s");
			for (final Row r : rows)
				out.printf(Locale.ROOT, "%s,%s,%s,%s,%.9f,%.9f,%.9f,%.9f%n", r.operation, r.cell, r.type, r.algorithm, r.predicted, r.among, r.alone, r.call);
		}
		System.out.println("wrote " + csv);
	}
}
