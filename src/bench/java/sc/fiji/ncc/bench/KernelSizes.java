package sc.fiji.ncc.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Normalized cross-correlation and convolution over the side of the template or kernel, as figures 1 and 2 of Papamakarios, Rizos, Pitsianis, FLCC: the direct
 * and the Fourier method of each, for single images and for a stack of images in one call, planes or volumes. Noise, all methods by turns in one JVM.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.KernelSizes -Dexec.args="--csv target/planes.csv"
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.KernelSizes -Dexec.args="--image 128x128x128 --sides 2,3,4,5,6,7,8,9,10 --csv target/volumes.csv"
 * </pre>
 */
@Command(name = "KernelSizes", mixinStandardHelpOptions = true, sortOptions = false)
public final class KernelSizes implements Callable<Integer> {

	private static final Set<String> METHODS = Set.of("cpu-direct-exact", "cpu-direct", "cpu-fourier", "cpu-convolve-direct", "cpu-convolve-fourier");

	@Option(names = "--image", defaultValue = "2000x2000", description = "size of an image: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--sides", split = ",", defaultValue = "2,4,6,8,10,12,14,16,20,24,28,32", description = "sides of templates: ${DEFAULT-VALUE}")
	private int[] sides;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private String[] types;
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
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		final int code = new CommandLine(new KernelSizes()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.printf("%s, %d threads; median and least of %d calls by turns, ms for each image%n", image, threads, repeats);
		csv.columns("image", "type", "side", "method", "frames", "threads", "ms_an_image", "least_ms_an_image");
		for (final String type : types) measure(type);
		csv.write();
		return 0;
	}

	private void measure(final String type) {
		final long[] size = Arrays.stream(image.split("x")).mapToLong(Long::parseLong).toArray(), stack = Arrays.copyOf(size, size.length + 1), side = new long[size.length];
		stack[size.length] = frames;
		final RandomAccessibleInterval<?> one = noise(type, 1, size), several = noise(type, 2, stack);
		for (final boolean timed : new boolean[] { false, true })
			for (int i = 0; i < sides.length; i++) {
				Arrays.fill(side, sides[i]);
				final RandomAccessibleInterval<?> template = noise(type, 3 + i, side);
				for (final boolean stream : new boolean[] { false, true }) {
					final Map<String, Runnable> runs = runs(stream ? several : one, template);
					final double[][] ms = Turns.milliseconds(List.copyOf(runs.values()), warmUp, timed ? repeats : 1);
					if (timed) add(type, ms, runs.keySet(), sides[i], stream ? frames : 1);
				}
			}
	}

	private Map<String, Runnable> runs(final RandomAccessibleInterval<?> in, final RandomAccessibleInterval<?> template) {
		final Map<String, Runnable> runs = new LinkedHashMap<>();
		for (final Candidate c : NormalizedCrossCorrelation.of(template).threads(threads).backend("cpu").explain(in).candidates())
			if (taken(c)) runs.put(c.name(), () -> NormalizedCrossCorrelation.of(template).threads(threads).algorithm(c.name()).correlate(in));
		for (final Candidate c : Convolution.of(template).threads(threads).backend("cpu").explain(in).candidates())
			if (taken(c)) runs.put(c.name(), () -> Convolution.of(template).threads(threads).algorithm(c.name()).convolve(in));
		return runs;
	}

	private void add(final String type, final double[][] ms, final Set<String> methods, final int side, final int images) {
		int i = 0;
		for (final String method : methods) {
			final double each = Turns.median(ms[i]) / images, least = ms[i++][0] / images;
			System.out.printf("%-6s %3d %-22s %3d images %9.3f %9.3f%n", type, side, method, images, each, least);
			csv.row(image, type.equals("u8") ? "8 bit" : "float", side, method, images, threads, each, least);
		}
	}

	private boolean taken(final Candidate c) {
		return c.applies() && METHODS.contains(c.name()) && c.plan().cost().seconds() < slowest;
	}

	private static RandomAccessibleInterval<?> noise(final String type, final int seed, final long... size) {
		final Random random = new Random(seed);
		final Img<? extends RealType<?>> img = Pixmap.floats(type) ? ArrayImgs.floats(size) : ArrayImgs.unsignedBytes(size);
		for (final RealType<?> v : img) v.setReal(Pixmap.floats(type) ? random.nextFloat() : random.nextInt(256));
		return img;
	}
}
