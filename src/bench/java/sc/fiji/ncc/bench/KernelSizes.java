package sc.fiji.ncc.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Normalized cross-correlation and convolution over the side of the template or kernel, as figures 1 and 2 of Papamakarios, Rizos, Pitsianis, FLCC: the direct
 * and the Fourier method of each, for single images and for a stack of images in one call, planes or volumes. Noise in float, all methods by turns in one JVM.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.KernelSizes -Dexec.args="--csv target/planes.csv --png target/planes.png"
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.KernelSizes -Dexec.args="--image 128x128x128 --sides 2,3,4,5,6,7,8,9,10 --csv target/volumes.csv"
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.KernelSizes -Dexec.args="--read target/volumes.csv --png target/volumes.png"
 * </pre>
 */
@Command(name = "KernelSizes", mixinStandardHelpOptions = true, sortOptions = false)
public final class KernelSizes implements Callable<Integer> {

	private static final Set<String> METHODS = Set.of("cpu-direct", "cpu-fourier", "cpu-convolve-direct", "cpu-convolve-fourier");

	@Option(names = "--image", defaultValue = "2000x2000", description = "size of an image: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--sides", split = ",", defaultValue = "2,4,6,8,10,12,14,16,20,24,28,32", description = "sides of templates: ${DEFAULT-VALUE}")
	private int[] sides;
	@Option(names = "--frames", defaultValue = "4", description = "images in a stack: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "9", description = "timed calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "1", description = "seconds before the first timed call of each side, in a pass over all sides before the first time, too: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--slowest", defaultValue = "1", description = "leave out calls with a longer estimate, in seconds: ${DEFAULT-VALUE}")
	private double slowest;
	@Option(names = "--csv", description = "file for the table")
	private File csv;
	@Option(names = "--read", description = "a table to draw, in place of a measurement")
	private File read;
	@Option(names = "--png", description = "file for the chart")
	private File png;

	/** The first line: title and machine. Then one line for each time. */
	private final List<String> lines = new ArrayList<>();

	public static void main(final String[] args) {
		final int code = new CommandLine(new KernelSizes()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		if (read != null) lines.addAll(Files.readAllLines(read.toPath()));
		else measure();
		if (csv != null) Files.write(csv.toPath(), lines);
		if (png != null) draw(png);
		return 0;
	}

	private void measure() {
		System.out.println(Machine.describe());
		lines.add(image + " pixels in float," + Machine.brief() + ", " + threads + " threads, " + LocalDate.now());
		final long[] size = Arrays.stream(image.split("x")).mapToLong(Long::parseLong).toArray(), stack = Arrays.copyOf(size, size.length + 1), side = new long[size.length];
		stack[size.length] = frames;
		final Img<FloatType> one = noise(1, size), several = noise(2, stack);
		for (final boolean timed : new boolean[] { false, true })
			for (int i = 0; i < sides.length; i++) {
				Arrays.fill(side, sides[i]);
				final Img<FloatType> template = noise(3 + i, side);
				for (final boolean stream : new boolean[] { false, true }) {
					final Map<String, Runnable> runs = runs(stream ? several : one, template);
					final double[][] ms = Turns.milliseconds(List.copyOf(runs.values()), warmUp, timed ? repeats : 1);
					if (timed) add(ms, runs.keySet(), sides[i], stream ? frames : 1);
				}
			}
	}

	private Map<String, Runnable> runs(final Img<FloatType> in, final Img<FloatType> template) {
		final Map<String, Runnable> runs = new LinkedHashMap<>();
		for (final Candidate c : NormalizedCrossCorrelation.of(template).threads(threads).backend("cpu").explain(in).candidates())
			if (taken(c)) runs.put(c.name(), () -> NormalizedCrossCorrelation.of(template).threads(threads).algorithm(c.name()).correlate(in));
		for (final Candidate c : Convolution.of(template).threads(threads).backend("cpu").explain(in).candidates())
			if (taken(c)) runs.put(c.name(), () -> Convolution.of(template).threads(threads).algorithm(c.name()).convolve(in));
		return runs;
	}

	private void add(final double[][] ms, final Set<String> methods, final int side, final int images) {
		int i = 0;
		for (final String method : methods) {
			final double each = Turns.median(ms[i]) / images, least = ms[i++][0] / images;
			lines.add(String.format(Locale.ROOT, "%d,%s,%d,%.4f,%.4f", side, method, images, each, least));
			System.out.println(lines.get(lines.size() - 1));
		}
	}

	private boolean taken(final Candidate c) {
		return c.applies() && METHODS.contains(c.name()) && c.plan().cost().seconds() < slowest;
	}

	private static Img<FloatType> noise(final int seed, final long... size) {
		final Random random = new Random(seed);
		final Img<FloatType> img = ArrayImgs.floats(size);
		for (final FloatType v : img) v.set(random.nextFloat());
		return img;
	}

	private void draw(final File to) throws IOException {
		final String[] first = lines.get(0).split(",", 2);
		final Map<String, Map<Integer, Double>> single = new TreeMap<>(), stream = new TreeMap<>();
		String stacked = "";
		for (final String line : lines.subList(1, lines.size())) {
			final String[] cells = line.split(",");
			if (!cells[2].equals("1")) stacked = cells[2];
			(cells[2].equals("1") ? single : stream).computeIfAbsent(cells[1], k -> new TreeMap<>()).put(Integer.parseInt(cells[0]), Double.parseDouble(cells[3]));
		}
		final String axis = "side of the template or kernel (pixels), ";
		new TimesChart("Normalized cross-correlation and convolution, " + first[0], first[1], List.of(new TimesChart.Panel(axis + "single images", curves(single)),
			new TimesChart.Panel(axis + "stack of " + stacked + " images in one call", curves(stream)))).write(to);
	}

	private static List<TimesChart.Curve> curves(final Map<String, Map<Integer, Double>> times) {
		return times.entrySet().stream().map(e -> new TimesChart.Curve(e.getKey(), true, e.getValue())).toList();
	}
}
