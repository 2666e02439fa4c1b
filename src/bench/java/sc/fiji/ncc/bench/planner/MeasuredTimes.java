package sc.fiji.ncc.bench.planner;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;

import javax.imageio.ImageIO;

import com.sun.management.ThreadMXBean;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.Texture;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * The time that {@code --effort measure} keeps for each algorithm: measured among the others, measured alone, and the least time of complete calls: of
 * correlation on a texture, and of convolution on a photograph, because its transforms are computed again in double as often as those of the
 * measurement. The three should agree within a factor of 1.5. Complete calls are timed twice: where their two least times differ, the machine is not
 * steady. The whole series is repeated, and the least of each time counts: what another program disturbs differs from run to run, and what the measurement
 * does wrong does not. An algorithm that is not measured is left out. A cell is {@code image:template} for squares, or {@code
 * image:template:volume} for cubes. {@code :full} means all lags that overlap.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.planner.MeasuredTimes -Dexec.args="--csv target/measured.csv"
 * </pre>
 */
@Command(name = "MeasuredTimes", mixinStandardHelpOptions = true, sortOptions = false)
public final class MeasuredTimes implements Callable<Integer> {

	@Option(names = "--cell", split = ",", description = "cells. Default: ${DEFAULT-VALUE}",
		defaultValue = "256:8,512:32,512:448,2000:8,2000:32,2000:128,2000:512,1024:512:full,64:5:volume,128:9:volume,128:48:volume,4096:32,4096:512")
	private String[] cells;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "u8 or float. Default: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--operation", split = ",", defaultValue = "correlate,convolve", description = "correlate or convolve. Default: ${DEFAULT-VALUE}")
	private String[] operations;
	@Option(names = "--backend", description = "cpu or cuda. Default: all")
	private Optional<String> backend;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads. Default: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--least", defaultValue = "1", description = "seconds of complete calls of each algorithm, at least three. Default: ${DEFAULT-VALUE}")
	private double least;
	@Option(names = "--passes", defaultValue = "2", description = "runs of the whole series, of which the least times count. Default: ${DEFAULT-VALUE}")
	private int passes;
	@Option(names = "--seconds", defaultValue = "600", description = "no cell of the first run starts after this time. Default: ${DEFAULT-VALUE}")
	private double seconds;
	@Option(names = "--processor-time", description = "time of the processors divided by the number of threads, in place of elapsed time. For a machine that runs other programs")
	private boolean processorTime;
	@Mixin
	private CsvOption csv;

	private static final BufferedImage COINS = coins();

	/** The times of one algorithm for one problem, in seconds. */
	private record Row(String operation, String cell, String type, String algorithm, double predicted, double among, double alone, double call, double noise) {

		Row least(final Row other) {
			return new Row(operation, cell, type, algorithm, predicted, Math.min(among, other.among), Math.min(alone, other.alone), Math.min(call, other.call),
				Math.min(noise, other.noise));
		}

		/** What the row is about. */
		List<String> key() {
			return List.of(operation, cell, type, algorithm);
		}

		/** The largest ratio of two of the three times. */
		double ratio() {
			return Math.max(among, Math.max(alone, call)) / Math.min(among, Math.min(alone, call));
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%-12s %-14s %-6s %-22s predicted %9.3f, among others %9.3f, alone %9.3f, a call %9.3f ms: %.2f, calls differ by %.2f",
				operation, cell, type, algorithm,
				1e3 * predicted, 1e3 * among, 1e3 * alone, 1e3 * call, ratio(), noise);
		}
	}

	/** What a call of one operation needs. */
	private record Call(Sliding problem, Function<String, Runnable> by) {}

	private final Map<List<String>, Row> rows = new LinkedHashMap<>();
	private final Map<Long, Long> threadTimes = new HashMap<>();

	public static void main(final String[] args) {
		final int code = new CommandLine(new MeasuredTimes()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		csv.columns("operation", "image", "template", "extent", "type", "threads", "method", "predicted_ms", "among_others_ms",
			"alone_ms", "call_ms", "ratio", "call_ratio");
		final long end = System.nanoTime() + (long) (1e9 * seconds);
		final Path folder = Files.createTempDirectory("wisdom");
		try {
			for (int pass = 0; pass < passes; pass++)
				for (final String operation : operations)
					for (final String cell : cells)
						for (final String type : types)
							if ((operation.equals("correlate") || !cell.endsWith(":full"))
								&& (pass == 0 ? System.nanoTime() < end : measured(operation, cell, type)))
								measure(operation, cell, type, folder.resolve("wisdom.txt"));
		}
		finally {
			Files.delete(folder);
		}
		for (final Row row : rows.values())
			csv.row(row.operation, size(row.cell, 0), size(row.cell, 1), row.cell.endsWith(":full") ? "full" : "valid", row.type.equals("u8") ? "8 bit" : "float",
				threads, row.algorithm, 1e3 * row.predicted, 1e3 * row.among, 1e3 * row.alone, 1e3 * row.call, row.ratio(), row.noise);
		final double[] ratios = rows.values().stream().mapToDouble(Row::ratio).sorted().toArray();
		System.out.printf(Locale.ROOT, "%d times: the ratio of the longest to the shortest is %.2f in the median, %.2f at worst; above 1.5 in %d%n", ratios.length,
			ratios[ratios.length / 2], ratios[ratios.length - 1], rows.values().stream().filter(r -> r.ratio() > 1.5).count());
		csv.write();
		return 0;
	}

	private boolean measured(final String operation, final String cell, final String type) {
		return rows.keySet().stream().anyMatch(k -> k.subList(0, 3).equals(List.of(operation, cell, type)));
	}

	private Call call(final String operation, final String cell, final String type) {
		final String[] parts = cell.split(":");
		final boolean volume = cell.endsWith(":volume");
		final RandomAccessibleInterval<?> small = texture(parts[1], volume, 2, type);
		if (operation.equals("convolve")) {
			final RandomAccessibleInterval<?> pixels = photograph(parts[0], volume, type);
			final Convolution op = Convolution.of(small).threads(threads);
			return new Call((Sliding) op.explain(pixels).problem(), id -> () -> op.algorithm(id).convolve(pixels));
		}
		if (!operation.equals("correlate")) throw new IllegalArgumentException("the operation is correlate or convolve, not " + operation);
		final RandomAccessibleInterval<?> pixels = texture(parts[0], volume, 1, type);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(small).extent(cell.endsWith(":full") ? Extent.FULL : Extent.VALID).threads(threads);
		return new Call((Sliding) op.explain(pixels).problem(), id -> () -> op.algorithm(id).correlate(pixels));
	}

	private static String size(final String cell, final int part) {
		final String side = cell.split(":")[part];
		return cell.endsWith(":volume") ? side + "x" + side + "x" + side : side + "x" + side;
	}

	/** A square, or a cube. */
	private static RandomAccessibleInterval<?> texture(final String text, final boolean volume, final long seed, final String type) {
		final int side = Integer.parseInt(text);
		return image(Texture.blobs(volume ? new int[] { side, side, side } : new int[] { side, side }, seed), side, volume, type);
	}

	/** The sample <em>NCC Coins</em>, mirrored at its edges. The plane z of a cube is moved by z pixels. */
	private static RandomAccessibleInterval<?> photograph(final String text, final boolean volume, final String type) {
		final int side = Integer.parseInt(text), width = COINS.getWidth(), height = COINS.getHeight();
		final float[] pixels = new float[(volume ? side : 1) * side * side];
		for (int i = 0; i < pixels.length; i++) {
			final int x = (i % side + i / (side * side)) % (2 * width), y = i / side % side % (2 * height);
			pixels[i] = COINS.getRaster().getSample(Math.min(x, 2 * width - 1 - x), Math.min(y, 2 * height - 1 - y), 0);
		}
		return image(pixels, side, volume, type);
	}

	private static BufferedImage coins() {
		try {
			return ImageIO.read(Convolution.class.getResource("samples/coins.png"));
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	private static RandomAccessibleInterval<?> image(final float[] values, final int side, final boolean volume, final String type) {
		final Pixmap pixels = new Pixmap(values, side, volume ? side * side : side, Pixmap.floats(type));
		if (!volume) return pixels.img();
		return pixels.floats() ? ArrayImgs.floats(pixels.values(), side, side, side) : ArrayImgs.unsignedBytes(pixels.bytes(), side, side, side);
	}

	private void measure(final String operation, final String cell, final String type, final Path wisdom) throws IOException {
		final Call call = call(operation, cell, type);
		final List<Backend> backends = Backends.all(threads);
		final Map<String, Candidate> among = new TreeMap<>();
		for (final Candidate c : new Planner(backends, wisdom, this::now).rank(call.problem(), backend, Optional.empty(), Effort.MEASURE,
			Planner.MEASURING_SECONDS, Monitor.NONE).candidates())
			if (c.measured().isPresent()) among.putIfAbsent(c.name(), c);
		Files.deleteIfExists(wisdom);
		for (final Map.Entry<String, Candidate> e : among.entrySet()) {
			final Runnable complete = call.by().apply(e.getKey());
			final double before = shortest(complete);
			final Candidate alone = new Planner(backends, wisdom, this::now).rank(call.problem(), backend, Optional.of(e.getKey()), Effort.MEASURE,
				Planner.MEASURING_SECONDS, Monitor.NONE).best().orElseThrow();
			Files.deleteIfExists(wisdom);
			final double after = shortest(complete);
			final Row row = new Row(operation, cell, type, e.getKey(), e.getValue().plan().cost().seconds(), e.getValue().measured().getAsDouble(),
				alone.measured().orElse(Double.NaN), Math.min(before, after), Math.max(before, after) / Math.min(before, after));
			System.out.println(row);
			rows.merge(row.key(), row, Row::least);
		}
	}

	/** Nanoseconds. The times of all threads of Java, because that of the process comes in steps of 10 ms. Threads that ended keep their last time. */
	private long now() {
		if (!processorTime) return System.nanoTime();
		final ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		final long[] ids = bean.getAllThreadIds(), times = bean.getThreadCpuTime(ids);
		for (int i = 0; i < ids.length; i++) if (times[i] > 0) threadTimes.put(ids[i], times[i]);
		return threadTimes.values().stream().mapToLong(Long::longValue).sum() / threads;
	}

	private double shortest(final Runnable call) {
		double shortest = Double.POSITIVE_INFINITY, sum = 0;
		for (int runs = 0; runs < 3 || sum < least; runs++) {
			final long start = now();
			call.run();
			final double seconds = 1e-9 * (now() - start);
			shortest = Math.min(shortest, seconds);
			sum += seconds;
			// a slow algorithm needs no compilation
			if (seconds > 4 * least) break;
		}
		return shortest;
	}
}
