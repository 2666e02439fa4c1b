package sc.fiji.ncc.bench;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import javax.imageio.ImageIO;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.bytedeco.opencv.global.opencv_core;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Times OpenCV's {@code matchTemplate} (TM_CCOEFF_NORMED), the planner's choice and each of our CPU algorithms by turns in one JVM, and
 * compares their maps. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java
 * mvn -q -Pbench test-compile exec:java -Dexec.args="--image 512x512,2000x2000 --template 8x8,32x32 --type u8,float --threads 2 --repeats 25"
 * mvn -q -Pbench test-compile exec:java -Dexec.args="--picture camera.png --template 16x16"
 * </pre>
 *
 * Images are textures; the template is a part of the image. All calls have the image in memory, and OpenCV is given a map to write to, while
 * ours allocate one. Before the first measured call of a size our methods run for {@code --warm-up} seconds. Natives other than Linux's on x86-64:
 * {@code -Dbench.natives=macosx-arm64}.
 */
@Command(name = "AgainstOpenCv", mixinStandardHelpOptions = true, sortOptions = false)
public final class AgainstOpenCv implements Callable<Integer> {

	@Option(names = "--image", split = ",", defaultValue = "2000x2000", description = "sizes of images: ${DEFAULT-VALUE}")
	private String[] images;
	@Option(names = "--template", split = ",", defaultValue = "8x8", description = "sizes of templates: ${DEFAULT-VALUE}")
	private String[] templates;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--threads", split = ",", defaultValue = "2", description = "numbers of threads: ${DEFAULT-VALUE}")
	private int[] threads;
	@Option(names = "--repeats", defaultValue = "21", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "10", description = "seconds before the first measured call of a size, without OpenCV: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--choice", description = "OpenCV and the planner's choice alone, not every algorithm")
	private boolean choice;
	@Option(names = "--picture", description = "an image in place of the textures, read as 8-bit grey")
	private File photograph;
	@Mixin
	private CsvOption csv;

	/** A way to the map: what runs is timed, what comes back copies the map for comparison. */
	private record Contestant(String name, Supplier<Supplier<float[]>> run) {}

	/** What is measured. */
	private record Case(String image, String template, String type, int threads) {}

	public static void main(final String[] args) {
		final int code = new CommandLine(new AgainstOpenCv()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.println("OpenCV " + opencv_core.CV_VERSION() + "; median and least of " + repeats + " calls, by turns");
		System.out.printf("%-11s %-9s %-6s %7s  %-16s %9s %9s %13s %15s%n", "image", "template", "type", "threads", "method", "median ms", "least ms",
			"OpenCV / it", "max |diff|");
		csv.columns("image", "template", "type", "threads", "method", "median_ms", "least_ms", "opencv_over_it", "largest_difference");
		if (photograph != null) {
			final BufferedImage read = ImageIO.read(photograph);
			if (read == null) throw new IllegalArgumentException(photograph + " is no image that Java reads");
			compareAll(grey(read), read.getWidth(), read.getHeight());
		}
		else for (final String image : images) {
			final int[] size = Pixmap.size(image);
			compareAll(Texture.blobs(size[0], size[1], 1), size[0], size[1]);
		}
		csv.write();
		return 0;
	}

	private void compareAll(final float[] image, final int width, final int height) {
		for (final String template : templates)
			for (final String type : types)
				for (final int t : threads) {
					final int[] size = Pixmap.size(template);
					final Pixmap searched = new Pixmap(image, width, height, Pixmap.floats(type)), part = searched.cut(size[0], size[1]);
					try (OpenCv openCv = new OpenCv(List.of(searched), part, t)) {
						compare(new Case(width + "x" + height, template, type.equals("u8") ? "8 bit" : "float", t), contestants(openCv, searched, part, t));
					}
				}
	}

	/** OpenCV needs no time to compile: the others warm up without it. */
	private void compare(final Case its, final List<Contestant> contestants) {
		Turns.milliseconds(contestants.subList(1, contestants.size()).stream().<Runnable>map(c -> c.run()::get).toList(), warmUp, 0);
		final double[][] ms = Turns.milliseconds(contestants.stream().<Runnable>map(c -> c.run()::get).toList(), 0, repeats);
		final float[] reference = contestants.get(0).run().get().get();
		for (int c = 0; c < ms.length; c++) {
			final double median = Turns.median(ms[c]), ratio = Turns.median(ms[0]) / median, difference = difference(reference, contestants.get(c).run().get().get());
			System.out.printf("%-11s %-9s %-6s %7d  %-16s %9.2f %9.2f %13.2f %15.1e%n", its.image, its.template, its.type, its.threads,
				contestants.get(c).name(), median, ms[c][0],
				ratio, difference);
			csv.row(its.image, its.template, its.type, its.threads, contestants.get(c).name(), median, ms[c][0], ratio, String.format(Locale.ROOT, "%.1e", difference));
		}
	}

	private List<Contestant> contestants(final OpenCv openCv, final Pixmap searched, final Pixmap template, final int threads) {
		final RandomAccessibleInterval<?> img = searched.img(), part = template.img();
		final List<Contestant> list = new ArrayList<>();
		list.add(new Contestant("OpenCV", () -> {
			openCv.run();
			return openCv::map;
		}));
		// with every algorithm in the table, the choice has a name of its own
		final String name = choice ? NormalizedCrossCorrelation.of(part).threads(threads).explain(img).best().orElseThrow().name() : "planner's choice";
		list.add(new Contestant(name, () -> map(NormalizedCrossCorrelation.of(part).threads(threads), img)));
		if (!choice) for (final Candidate c : NormalizedCrossCorrelation.of(part).threads(threads).backend("cpu").explain(img).candidates())
			if (c.applies()) list.add(new Contestant(c.name(), () -> map(NormalizedCrossCorrelation.of(part).threads(threads).algorithm(c.algorithm().id()), img)));
		return list;
	}

	private static Supplier<float[]> map(final NormalizedCrossCorrelation correlation, final RandomAccessibleInterval<?> image) {
		final Img<FloatType> map = correlation.correlate(image).map();
		return () -> {
			final float[] copy = new float[(int) map.size()];
			final Cursor<FloatType> c = Views.flatIterable(map).cursor();
			for (int i = 0; i < copy.length; i++) copy[i] = c.next().get();
			return copy;
		};
	}

	private static float[] grey(final BufferedImage read) {
		final int width = read.getWidth(), height = read.getHeight();
		final BufferedImage grey = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
		grey.getGraphics().drawImage(read, 0, 0, null);
		return grey.getRaster().getSamples(0, 0, width, height, 0, (float[]) null);
	}

	private static double difference(final float[] a, final float[] b) {
		if (a.length != b.length) throw new IllegalStateException("maps of " + a.length + " and " + b.length + " responses");
		double most = 0;
		for (int i = 0; i < a.length; i++) {
			if (Float.isNaN(a[i]) || Float.isNaN(b[i])) return Double.NaN;
			most = Math.max(most, Math.abs(a[i] - b[i]));
		}
		return most;
	}
}
