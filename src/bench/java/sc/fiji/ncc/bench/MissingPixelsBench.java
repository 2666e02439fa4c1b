package sc.fiji.ncc.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Times images with missing pixels: without a mask, with a mask, on the CPU and on request on the GPU, and on request scikit-image's {@code cross_correlate_masked} on the same pixels, whose map
 * is compared with ours. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.MissingPixelsBench
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.MissingPixelsBench -Dexec.args="--template 256x256 --python /usr/bin/python3"
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.MissingPixelsBench -Dexec.args="--backend cpu,cuda --channels 3 --image 2000x2000"
 * </pre>
 *
 * Besides elapsed times, the processor time of all threads is printed, which other programs on the machine change less. Images are textures in which blocks and single pixels are missing; the template is a part of the image. The maps are full, from a third of the template on.
 */
@Command(name = "MissingPixelsBench", mixinStandardHelpOptions = true, sortOptions = false)
public final class MissingPixelsBench implements Callable<Integer> {

	private static final double OVERLAP = 1 / 3.0;
	private static final String SCRIPT = """
		import sys, time, numpy
		import skimage, scipy
		from skimage.registration._masked_phase_cross_correlation import cross_correlate_masked
		folder, w, h, tw, th, repeats = sys.argv[1], *map(int, sys.argv[2:])
		image = numpy.fromfile(folder + '/image', '<f4').reshape(h, w).astype(numpy.float64)
		mask = numpy.fromfile(folder + '/mask', 'u1').reshape(h, w) != 0
		template = numpy.fromfile(folder + '/template', '<f4').reshape(th, tw).astype(numpy.float64)
		all = numpy.ones((th, tw), bool)
		times, used = [], []
		for i in range(repeats):
		    start, processor = time.perf_counter(), time.process_time()
		    r = cross_correlate_masked(image, template, mask, all, mode='full', axes=(0, 1), overlap_ratio=%s)
		    times.append(1000 * (time.perf_counter() - start))
		    used.append(1000 * (time.process_time() - processor))
		r.astype('<f4').tofile(folder + '/map')
		print('scikit-image %%s, scipy %%s' %% (skimage.__version__, scipy.__version__))
		print(sorted(times)[len(times) // 2], min(times), min(used))
		""".formatted(OVERLAP);

	@Option(names = "--image", defaultValue = "1024x1024", description = "size of the image: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--template", split = ",", defaultValue = "16x16,64x64,256x256", description = "sizes of templates: ${DEFAULT-VALUE}")
	private String[] templates;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--missing", defaultValue = "0.1", description = "the share of missing pixels, half of them in blocks: ${DEFAULT-VALUE}")
	private double missing;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "11", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "5", description = "seconds before the first measured call: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--slowest", defaultValue = "1", description = "leave out algorithms with a longer estimate, in seconds: ${DEFAULT-VALUE}")
	private double slowest;
	@Option(names = "--backend", split = ",", defaultValue = "cpu", description = "backends, cpu or cuda: ${DEFAULT-VALUE}")
	private String[] backends;
	@Option(names = "--channels", defaultValue = "1", description = "number of channels, which give one joint response: ${DEFAULT-VALUE}")
	private int channels;
	@Option(names = "--python", description = "a Python with scikit-image, which then takes part")
	private String python;

	public static void main(final String[] args) {
		final int code = new CommandLine(new MissingPixelsBench()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException, InterruptedException {
		if (python != null && channels > 1) throw new IllegalArgumentException("--python compares one channel, not " + channels + ": leave out --channels");
		System.out.println(Machine.describe());
		System.out.printf("%s, %d threads, median and least of %d calls by turns%n", image, threads, repeats);
		System.out.printf("%-9s %-6s %-32s %9s %9s %9s %9s%n", "template", "type", "method", "median ms", "least ms", "processor", "expected");
		final int[] size = Pixmap.size(image);
		final byte[] mask = mask(size[0], size[1]);
		for (final String template : templates)
			for (final String type : types) compare(template, type, images(size[0], size[1], Pixmap.floats(type)), mask);
		return 0;
	}

	/** An image for each channel. */
	private List<Pixmap> images(final int width, final int height, final boolean floats) {
		return IntStream.rangeClosed(1, channels).mapToObj(seed -> new Pixmap(Texture.blobs(width, height, seed), width, height, floats)).toList();
	}

	private static RandomAccessibleInterval<?> joint(final List<Pixmap> images) {
		return images.size() == 1 ? images.get(0).img() : JointImage.of(images.stream().<RandomAccessibleInterval<?>>map(Pixmap::img).toList());
	}

	private byte[] mask(final int width, final int height) {
		final Random random = new Random(2);
		final byte[] mask = new byte[width * height];
		for (int i = 0; i < mask.length; i++) mask[i] = (byte) (random.nextDouble() < missing / 2 ? 0 : 1);
		for (int block = 0; block < 8; block++) {
			final int side = (int) Math.sqrt(missing / 2 * width * height / 8), x0 = random.nextInt(width - side + 1), y0 = random.nextInt(height - side + 1);
			for (int y = y0; y < y0 + side; y++)
				for (int x = x0; x < x0 + side; x++) mask[y * width + x] = 0;
		}
		return mask;
	}

	private void compare(final String template, final String type, final List<Pixmap> images, final byte[] mask) throws IOException, InterruptedException {
		final int[] size = Pixmap.size(template);
		final Pixmap image = images.get(0);
		final List<Pixmap> parts = images.stream().map(p -> p.cut(size[0], size[1])).toList();
		final RandomAccessibleInterval<?> img = joint(images), part = joint(parts), present = ArrayImgs.unsignedBytes(mask, image.width(), image.height());
		final List<String> names = new ArrayList<>();
		final List<Runnable> runs = new ArrayList<>();
		final List<Double> expected = new ArrayList<>();
		for (final boolean masked : new boolean[] { false, true })
			for (final String backend : backends)
				for (final Candidate c : op(part, masked ? present : null).backend(backend).explain(img).candidates()) {
					if (!c.applies() || c.plan().cost().seconds() > slowest || names.contains(c.algorithm().id() + (masked ? ", mask" : ""))) continue;
					final NormalizedCrossCorrelation op = op(part, masked ? present : null).algorithm(c.algorithm().id());
					names.add(c.algorithm().id() + (masked ? ", mask" : ""));
					runs.add(() -> op.correlate(img));
					expected.add(1000 * c.plan().cost().seconds());
				}
		final double[][] ms = Turns.milliseconds(runs, warmUp, repeats);
		for (int i = 0; i < ms.length; i++) System.out.printf("%-9s %-6s %-32s %9.1f %9.1f %9.1f %9.1f%n", template, type, names.get(i), Turns.median(ms[i]), ms[i][0],
			processorTime(runs.get(i)), expected.get(i));
		if (python != null) scikitImage(template, type, image, parts.get(0), mask, TestImages.values(op(part, present).correlate(img).map()));
	}

	/** Milliseconds of all threads for one call. Other programs on the machine change it less than the elapsed time. */
	private double processorTime(final Runnable run) {
		final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		final long start = process.getProcessCpuTime();
		for (int i = 0; i < repeats; i++) run.run();
		return 1e-6 * (process.getProcessCpuTime() - start) / repeats;
	}

	private NormalizedCrossCorrelation op(final RandomAccessibleInterval<?> part, final RandomAccessibleInterval<?> present) {
		return NormalizedCrossCorrelation.of(part).extent(Extent.FULL).minOverlap(OVERLAP).imageMask(present).threads(threads);
	}

	private void scikitImage(final String template, final String type, final Pixmap image, final Pixmap part, final byte[] mask, final double[] ours)
		throws IOException, InterruptedException
	{
		final Path folder = Files.createTempDirectory("missing-pixels");
		Files.write(folder.resolve("image"), bytes(image));
		Files.write(folder.resolve("template"), bytes(part));
		Files.write(folder.resolve("mask"), mask);
		Files.writeString(folder.resolve("script.py"), SCRIPT);
		final Process process = new ProcessBuilder(python, folder.resolve("script.py").toString(), folder.toString(), "" + image.width(), "" + image.height(),
			"" + part.width(), "" + part.height(), "5").redirectError(ProcessBuilder.Redirect.INHERIT).start();
		final String[] lines = new String(process.getInputStream().readAllBytes()).split("\n");
		if (process.waitFor() != 0) throw new IOException("scikit-image failed");
		final String[] times = lines[1].split(" ");
		final FloatBuffer map = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("map"))).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
		double most = 0;
		int differ = 0, compared = 0;
		for (int i = 0; i < ours.length; i++) {
			// scikit-image takes the minimum overlap as a share of the largest overlap in the map, and sets the others to 0
			if (ours[i] == 0 || map.get(i) == 0) continue;
			compared++;
			final double d = Math.abs(ours[i] - map.get(i));
			most = Math.max(most, d);
			if (d > 1e-5) differ++;
		}
		System.out.printf("%-9s %-6s %-32s %9.1f %9.1f %9.1f; %d of %d responses differ by more than 1e-5, at most by %.1e%n", template, type, lines[0], Double.parseDouble(times[0]),
			Double.parseDouble(times[1]), Double.parseDouble(times[2]), differ, compared, most);
	}

	private static byte[] bytes(final Pixmap image) {
		final ByteBuffer b = ByteBuffer.allocate(4 * image.values().length).order(ByteOrder.LITTLE_ENDIAN);
		for (final float v : image.values()) b.putFloat(image.floats() ? v : Math.round(v));
		return b.array();
	}
}
