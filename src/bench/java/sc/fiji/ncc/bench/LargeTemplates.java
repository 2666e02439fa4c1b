package sc.fiji.ncc.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;

import org.jtransforms.fft.FloatFFT_2D;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import pl.edu.icm.jlargearrays.ConcurrencyUtils;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * The cost of a response over the size of the template: no size may cost much more than the next smaller one. Also long thin images, many templates of
 * different sizes, many tiny frames, and the correlation of whole frames beside the three transforms of the padded size by JTransforms. Images are noise.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.LargeTemplates -Dexec.args="--part valid,full --repeats 1"
 * </pre>
 */
@Command(name = "LargeTemplates", mixinStandardHelpOptions = true, sortOptions = false)
public final class LargeTemplates implements Callable<Integer> {

	/** What is measured. */
	enum Part {
		VALID, FULL, DEPTHS, WHOLE, THIN, BANK, FRAMES
	}

	@Option(names = "--part", split = ",", description = "what to measure: ${COMPLETION-CANDIDATES}. Default: all")
	private List<Part> parts = Arrays.asList(Part.values());
	@Option(names = "--image", defaultValue = "4096", description = "the image's side for valid and full: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--template", split = ",", defaultValue = "512,900,1024,1025,1300,1700,2048,3000", description = "the templates' sides: ${DEFAULT-VALUE}")
	private int[] templates;
	@Option(names = "--volume", defaultValue = "256", description = "the volume's side for depths: ${DEFAULT-VALUE}")
	private int volume;
	@Option(names = "--depth", split = ",", defaultValue = "48,64,65,96,128", description = "the depths of 64x64 templates: ${DEFAULT-VALUE}")
	private int[] depths;
	@Option(names = "--frames", defaultValue = "30000", description = "the number of tiny frames: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--threads", defaultValue = "2", description = "threads of ours and of JTransforms': ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "3", description = "timed calls of each, of which the least counts: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "0", description = "seconds before the first timed call: ${DEFAULT-VALUE}")
	private double warmUp;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		final int code = new CommandLine(new LargeTemplates()).setCaseInsensitiveEnumValuesAllowed(true).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.printf("%d threads, least of %d%n", threads, repeats);
		csv.columns("image", "template", "extent", "type", "threads", "method", "least_ms", "predicted_ms", "ns_a_response");
		for (final Part part : parts) {
			System.out.println(part);
			switch (part) {
				case VALID: series(Arrays.stream(templates).mapToObj(t -> new Task(new long[] { side, side }, new long[] { t, t }, Extent.VALID)).toList()); break;
				case FULL: series(Arrays.stream(templates).mapToObj(t -> new Task(new long[] { side, side }, new long[] { t, t }, Extent.FULL)).toList()); break;
				case DEPTHS: series(Arrays.stream(depths).mapToObj(d -> new Task(new long[] { volume, volume, volume }, new long[] { 64, 64, d }, Extent.VALID)).toList()); break;
				case WHOLE: whole(); break;
				case THIN: thin(); break;
				case BANK: bank(); break;
				default: tinyFrames();
			}
		}
		csv.write();
		return 0;
	}

	/** One image of each size. */
	private final Map<String, Img<FloatType>> images = new HashMap<>();

	/** A correlation of noise. */
	private final class Task implements Runnable {

		private final String name, size, its, where;
		private final Img<FloatType> image;
		private final NormalizedCrossCorrelation op;
		private final long responses;
		private final Candidate taken;

		Task(final long[] size, final long[] template, final Extent extent) {
			image = images.computeIfAbsent(Arrays.toString(size), key -> noise(1, size));
			op = NormalizedCrossCorrelation.of(noise(2, template)).extent(extent).threads(threads);
			this.size = String.valueOf(Size.of(size));
			its = String.valueOf(Size.of(template));
			where = extent.name().toLowerCase(Locale.ROOT);
			name = Arrays.toString(template) + " in " + Arrays.toString(size) + " " + extent;
			responses = IntStream.range(0, size.length).mapToLong(d -> extent == Extent.FULL ? size[d] + template[d] - 1 : size[d] - template[d] + 1).reduce(1, (a, b) -> a * b);
			taken = op.explain(image).best().orElseThrow();
		}

		@Override
		public void run() {
			op.correlate(image);
		}

		/** @return the nanoseconds of a response */
		double report(final double ms, final double before) {
			final double perResponse = 1e6 * ms / responses;
			System.out.printf("  %-46s %10.1f ms, predicted %10.1f ms, %6.0f MB, %9.2f ns a response%s  %s%n", name, ms, 1e3 * taken.plan().cost().seconds(),
				taken.plan().cost().hostBytes() / 1e6, perResponse, before > 0 ? String.format(" (%.2f times)", perResponse / before) : "", taken.name());
			csv.row(size, its, where, "float", threads, taken.name(), ms, 1e3 * taken.plan().cost().seconds(), perResponse);
			return perResponse;
		}
	}

	private static Img<FloatType> noise(final int seed, final long... size) {
		final float[] values = new float[(int) Intervals.numElements(size)];
		final Random random = new Random(seed);
		for (int i = 0; i < values.length; i++) values[i] = random.nextFloat();
		return ArrayImgs.floats(values, size);
	}

	/** By turns; each is compared with the one before. */
	private void series(final List<Task> tasks) {
		final double[][][] ms = Turns.both(tasks, warmUp, repeats);
		double before = 0;
		for (int i = 0; i < tasks.size(); i++) {
			before = tasks.get(i).report(ms[0][i][0], before);
			System.out.printf("    processor time, which other programs do not change much: %.0f ms, %.2f ns a response%n", ms[1][i][0], 1e6 * ms[1][i][0] / tasks.get(i).responses);
		}
	}

	/** Keeps the least processor time in milliseconds. */
	private static Runnable timed(final Runnable task, final double[] least, final int index) {
		return () -> {
			final long start = cpu();
			task.run();
			least[index] = Math.min(least[index], 1e-6 * (cpu() - start));
		};
	}

	/** The processor time of this process in nanoseconds. */
	private static long cpu() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	/** Whole frames: full correlation of 2048x2048 with 2048x2048. */
	private void whole() {
		final int n = 4096;
		final Task task = new Task(new long[] { n / 2, n / 2 }, new long[] { n / 2, n / 2 }, Extent.FULL);
		ConcurrencyUtils.setNumberOfThreads(threads);
		final FloatFFT_2D transform = new FloatFFT_2D(n, n);
		final float[] a = new float[n * n], b = new float[n * n];
		final Runnable three = () -> {
			Arrays.fill(a, 1e-3f);
			Arrays.fill(b, 1e-3f);
			transform.realForward(a);
			transform.realForward(b);
			transform.realInverse(a, true);
		};
		final double[] processor = { Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY };
		final double[][] ms = Turns.milliseconds(List.of(timed(three, processor, 0), timed(task, processor, 1)), warmUp, repeats);
		task.report(ms[1][0], 0);
		System.out.printf("    processor time: JTransforms %.0f ms, ours %.0f ms, %.2f times%n", processor[0], processor[1], processor[1] / processor[0]);
		System.out.printf("  three transforms of %dx%d by JTransforms %.1f ms: ours %.2f times as long%n", n, n, ms[0][0], ms[1][0] / ms[0][0]);
	}

	/** Long thin images and templates, each beside a square with as many pixels. */
	private void thin() {
		series(List.of(new Task(new long[] { 1000, 1000 }, new long[] { 32, 32 }, Extent.VALID), new Task(new long[] { 1_000_000, 1 }, new long[] { 1024, 1 }, Extent.VALID)));
		series(List.of(new Task(new long[] { 1000, 1000 }, new long[] { 32, 32 }, Extent.VALID), new Task(new long[] { 1, 1_000_000 }, new long[] { 1, 1024 }, Extent.VALID)));
		series(List.of(new Task(new long[] { 5000, 5000 }, new long[] { 64, 64 }, Extent.VALID), new Task(new long[] { 100, 250_000 }, new long[] { 20, 205 }, Extent.VALID)));
		series(List.of(new Task(new long[] { 5000, 5000 }, new long[] { 64, 64 }, Extent.VALID), new Task(new long[] { 250_000, 100 }, new long[] { 205, 20 }, Extent.VALID)));
		series(List.of(new Task(new long[] { 2000, 2000 }, new long[] { 1000, 1000 }, Extent.VALID), new Task(new long[] { 100, 40_000 }, new long[] { 50, 20_000 }, Extent.VALID)));
	}

	/** 100 templates of 30x30 to 40x40, of one size and of different sizes. */
	private void bank() {
		final Img<FloatType> image = noise(1, 1000, 1000);
		final List<Img<FloatType>> alike = new ArrayList<>(), different = new ArrayList<>();
		for (int t = 0; t < 100; t++) {
			alike.add(noise(t, 35, 35));
			different.add(noise(t, 30 + t % 11, 30 + t / 11 % 11));
		}
		final double[][] ms = Turns.milliseconds(List.of(() -> NormalizedCrossCorrelation.of(alike).threads(threads).correlate(image),
			() -> NormalizedCrossCorrelation.of(different).threads(threads).correlate(image)), warmUp, repeats);
		System.out.printf("  100 templates in 1000x1000: 35x35 %.1f ms, 30x30 to 40x40 %.1f ms, %.2f times%n", ms[0][0], ms[1][0], ms[1][0] / ms[0][0]);
	}

	/** Tiny frames, beside one image with as many responses. */
	private void tinyFrames() {
		final Img<FloatType> template = noise(2, 8, 8);
		final List<Img<FloatType>> different = IntStream.range(0, 100).mapToObj(i -> (Img<FloatType>) noise(i, 32, 32)).toList();
		final List<Img<FloatType>> stack = IntStream.range(0, frames).mapToObj(i -> different.get(i % 100)).toList();
		final long wide = Math.round(Math.sqrt(625.0 * frames)) + 7;
		final Img<FloatType> image = noise(1, wide, wide);
		final double[][] ms = Turns.milliseconds(List.of(() -> NormalizedCrossCorrelation.of(template).threads(threads).correlate(image),
			() -> NormalizedCrossCorrelation.of(template).threads(threads).correlateEach(stack, (frame, r) -> {})), warmUp, repeats);
		System.out.printf("  8x8 in %dx%d %.1f ms, in %d frames of 32x32 %.1f ms, %.2f times%n", wide, wide, ms[0][0], frames, ms[1][0], ms[1][0] / ms[0][0]);
	}
}
