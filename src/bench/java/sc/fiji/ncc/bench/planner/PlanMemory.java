package sc.fiji.ncc.bench.planner;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.result.Response;

/**
 * The memory that the chosen plan needs in addition to image and map: the smallest heap ({@code -Xmx}) with which a new process correlates, minus the smallest
 * heap with which it only holds both arrays. All but 4 MB of the heap are old generation, so that the whole heap is usable.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.planner.PlanMemory -Dexec.args="--image 4096x4096 --template 32x32 --type float"
 * </pre>
 */
@Command(name = "PlanMemory", mixinStandardHelpOptions = true, sortOptions = false)
public final class PlanMemory implements Callable<Integer> {

	private static final double MEGABYTE = 1 << 20;

	@Option(names = "--image", defaultValue = "4096x4096", description = "the image's size: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--template", defaultValue = "32x32", description = "the template's size: ${DEFAULT-VALUE}")
	private String template;
	@Option(names = "--type", defaultValue = "float", description = "u8 or float: ${DEFAULT-VALUE}")
	private String type;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--algorithm", defaultValue = "auto", description = "the one to take in place of the planner's choice in a new process")
	private String algorithm;
	@Option(names = "--missing", description = "a tenth of the pixels is missing, by a mask")
	private boolean missing;
	@Option(names = "--grain", defaultValue = "2", description = "MB to which the least heap is found: ${DEFAULT-VALUE}")
	private int grain;

	public static void main(final String[] args) {
		final int code = new CommandLine(new PlanMemory()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException, InterruptedException {
		System.out.println(Machine.describe());
		final int[] size = Pixmap.size(image);
		final double image = 4.0 * size[0] * size[1] / MEGABYTE;
		final int arrays = leastHeap("hold", (int) image), all = leastHeap("correlate", arrays);
		System.out.printf("%s %s with %s, %d threads: holding image and map takes a heap of %d MB, correlating %d MB: %d MB more, "
			+ "%.2f times the image in float (%.0f MB)%n",
			image, type, template, threads, arrays, all, all - arrays, (all - arrays) / image, image);
		return 0;
	}

	/** In MB. */
	private int leastHeap(final String what, final int least) throws IOException, InterruptedException {
		int fails = least, enough = 2 * least + 64;
		while (!succeeds(what, enough)) {
			if (enough > 1 << 20) throw new IllegalStateException("it fails for another reason than memory");
			fails = enough;
			enough *= 2;
		}
		while (enough - fails > grain) {
			final int middle = (fails + enough) / 2;
			if (succeeds(what, middle)) enough = middle;
			else fails = middle;
		}
		return enough;
	}

	private boolean succeeds(final String what, final int megabytes) throws IOException, InterruptedException {
		final String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		// under exec:java the class path is the class loader's
		final String path = String.join(File.pathSeparator, place(PlanMemory.class), place(NormalizedCrossCorrelation.class), place(Img.class));
		final Process process = new ProcessBuilder(java, "-XX:+UseSerialGC", "-Xmn4m", "-Xmx" + megabytes + "m", "-Dncc.wisdom=" + File.separator + "none", "-cp", path,
			Child.class.getName(), what, image, template, type, Integer.toString(threads), algorithm, Boolean.toString(missing)).redirectErrorStream(true).start();
		final String said = new String(process.getInputStream().readAllBytes()).strip();
		final int code = process.waitFor();
		final boolean memory = code == 0 || said.contains("OutOfMemoryError") || said.contains("memory") || said.contains("heap");
		if (!memory) throw new IllegalStateException("a process ended with " + code + ": " + said);
		System.out.printf("  %-9s with %5d MB: %s%n", what, megabytes, code == 0 ? said : "too little");
		return code == 0;
	}

	private static String place(final Class<?> c) {
		return new File(c.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath();
	}

	/** What a process does. */
	static final class Child {

		private Child() {}

		public static void main(final String[] args) {
			final int[] size = Pixmap.size(args[1]), part = Pixmap.size(args[2]);
			final RandomAccessibleInterval<?> image = noise(size[0], size[1], Pixmap.floats(args[3]));
			final byte[] present = new byte[Boolean.parseBoolean(args[6]) ? size[0] * size[1] : 0];
			for (int i = 0; i < present.length; i++) present[i] = (byte) (i * 31L % 97 % 10 == 0 ? 0 : 1);
			if (args[0].equals("hold")) {
				final float[] map = new float[(size[0] - part[0] + 1) * (size[1] - part[1] + 1)];
				System.out.println("holds image and a map of " + map.length + " responses");
				return;
			}
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(image, new long[] { 9, 7 }, new long[] { 8 + part[0], 6 + part[1] }))
				.threads(Integer.parseInt(args[4])).algorithm(args[5]);
			if (present.length > 0) op.imageMask(ArrayImgs.unsignedBytes(present, size[0], size[1]));
			final Candidate best = op.explain(image).best().orElseThrow();
			final String planned = best.name();
			final Response response = op.correlate(image);
			final String taken = response.ranking().best().orElseThrow().name();
			// a fallback after a failure would do with less
			if (!taken.equals(planned)) throw new OutOfMemoryError(planned + " failed, " + taken + " took its place");
			if (Math.abs(response.map().getAt(9, 7).get() - 1) > 1e-5) throw new AssertionError("the template fits itself with " + response.map().getAt(9, 7));
			System.out.println("correlates by " + taken + ", whose plan states " + (best.plan().cost().hostBytes() >> 20) + " MB");
		}

		private static RandomAccessibleInterval<?> noise(final int width, final int height, final boolean floats) {
			final Random random = new Random(1);
			if (!floats) {
				final byte[] bytes = new byte[width * height];
				random.nextBytes(bytes);
				return ArrayImgs.unsignedBytes(bytes, width, height);
			}
			final float[] values = new float[width * height];
			for (int i = 0; i < values.length; i++) values[i] = random.nextFloat();
			return ArrayImgs.floats(values, width, height);
		}
	}
}
