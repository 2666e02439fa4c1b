package sc.fiji.ncc.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import ij.plugin.filter.Convolver;
import ij.process.FloatProcessor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Point;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Convolution beside OpenCV's {@code filter2D} and ImageJ's {@code Convolver}, in the sense of correlation, the image going on with its edge pixels, from
 * an image in memory to an image of floats in memory that is there before:
 * {@code mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Convolutions -Dexec.args="--kernel 3x3,7x7 --imagej"}.
 */
@Command(name = "Convolutions", mixinStandardHelpOptions = true, sortOptions = false)
public final class Convolutions implements Callable<Integer> {

	@Option(names = "--image", defaultValue = "2000x2000", description = "size of the image: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--kernel", split = ",", defaultValue = "3x3,5x5,7x7,9x9,11x11,13x13,21x21,31x31,64x64", description = "sizes of kernels: ${DEFAULT-VALUE}")
	private String[] kernels;
	@Option(names = "--kind", split = ",", defaultValue = "noise", description = "noise, or gaussian, which is separable: ${DEFAULT-VALUE}")
	private String[] kinds;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "15", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "3", description = "seconds before the first measured call of a size: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--imagej", description = "ImageJ's Convolver, too: kernels of odd sizes, floats")
	private boolean imagej;
	@Option(names = "--each", description = "every algorithm, not the planner's choice alone")
	private boolean each;
	@Mixin
	private CsvOption csv;

	/** A way to the result: what runs is timed, what comes back copies it. */
	private record Contestant(String name, Supplier<Supplier<float[]>> run) {}

	public static void main(final String[] args) {
		final int code = new CommandLine(new Convolutions()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.println("OpenCV " + opencv_core.CV_VERSION() + ", ImageJ " + ij.ImageJ.VERSION + "; median and least of " + repeats + " calls, by turns, "
			+ threads + " threads");
		System.out.printf("%-10s %-9s %-8s %-6s %-24s %9s %9s %12s %11s%n", "image", "kernel", "kind", "type", "method", "median ms", "least ms",
			"OpenCV / it", "max |diff|");
		csv.columns("image", "kernel", "kind", "type", "threads", "method", "median_ms", "least_ms", "opencv_over_it", "largest_difference");
		final int[] size = Pixmap.size(image);
		final float[] pixels = Texture.blobs(size[0], size[1], 1);
		opencv_core.setNumThreads(threads);
		for (final String kernel : kernels)
			for (final String kind : kinds)
				for (final String type : types) {
					final int[] extents = Pixmap.size(kernel);
					compare(List.of(image, kernel, kind, type.equals("u8") ? "8 bit" : "float"), new Pixmap(pixels, size[0], size[1], Pixmap.floats(type)),
						kernel(kind, extents[0], extents[1]), extents[0], extents[1]);
				}
		csv.write();
		return 0;
	}

	private static float[] kernel(final String kind, final int width, final int height) {
		final float[] kernel = new float[width * height];
		final Random random = new Random(width);
		double sum = 0;
		for (int i = 0; i < kernel.length; i++) {
			final double x = (i % width - (width - 1) / 2.0) / width, y = (i / width - (height - 1) / 2.0) / height;
			kernel[i] = kind.equals("gaussian") ? (float) Math.exp(-18 * (x * x + y * y)) : random.nextFloat() - 0.3f;
			sum += Math.abs(kernel[i]);
		}
		for (int i = 0; i < kernel.length; i++) kernel[i] /= (float) sum;
		return kernel;
	}

	private void compare(final List<String> its, final Pixmap image, final float[] kernel, final int width, final int height) {
		try (Mat from = mat(image); Mat coefficients = new Mat(height, width, opencv_core.CV_32FC1); Mat to = new Mat(); Point centre = new Point(-1, -1)) {
			new FloatPointer(coefficients.data()).put(kernel);
			final List<Contestant> all = new ArrayList<>();
			all.add(new Contestant("OpenCV", () -> {
				opencv_imgproc.filter2D(from, to, opencv_core.CV_32F, coefficients, centre, 0, opencv_core.BORDER_REPLICATE);
				return () -> floats(to);
			}));
			all.addAll(ours(image, ArrayImgs.floats(kernel, width, height)));
			if (imagej && image.floats() && width % 2 == 1 && height % 2 == 1) all.add(new Contestant("ImageJ", () -> {
				final FloatProcessor pixels = new FloatProcessor(image.width(), image.height(), image.values().clone());
				final Convolver convolver = new Convolver();
				convolver.setNormalize(false);
				convolver.convolve(pixels, kernel, width, height);
				return () -> (float[]) pixels.getPixels();
			}));
			final double[][] ms = Turns.milliseconds(all.stream().<Runnable>map(c -> c.run()::get).toList(), warmUp, repeats);
			final float[] reference = all.get(0).run().get().get();
			for (int c = 0; c < ms.length; c++) {
				final double median = Turns.median(ms[c]), ratio = Turns.median(ms[0]) / median, difference = difference(reference, all.get(c).run().get().get());
				System.out.printf("%-10s %-9s %-8s %-6s %-24s %9.2f %9.2f %12.2f %11.1e%n", its.get(0), its.get(1), its.get(2), its.get(3),
					all.get(c).name(), median, ms[c][0], ratio,
					difference);
				csv.row(its.get(0), its.get(1), its.get(2), its.get(3), threads, all.get(c).name(), median, ms[c][0], ratio,
					String.format(Locale.ROOT, "%.1e", difference));
			}
		}
	}

	private List<Contestant> ours(final Pixmap image, final RandomAccessibleInterval<?> kernel) {
		final RandomAccessibleInterval<?> img = image.img();
		final Img<FloatType> to = ArrayImgs.floats(image.width(), image.height());
		final List<Contestant> list = new ArrayList<>();
		final String choice = op(kernel).explain(img).best().orElseThrow().name();
		list.add(contestant(choice, op(kernel), img, to));
		if (each) for (final Candidate c : op(kernel).explain(img).candidates())
			if (c.applies() && !c.name().equals(choice)) list.add(contestant(c.name(), op(kernel).algorithm(c.name()), img, to));
		return list;
	}

	private Convolution op(final RandomAccessibleInterval<?> kernel) {
		return Convolution.of(kernel).sense(Sense.CORRELATION).border(Border.EDGE).threads(threads).backend("cpu");
	}

	private static Contestant contestant(final String name, final Convolution op, final RandomAccessibleInterval<?> img, final Img<FloatType> to) {
		return new Contestant(name, () -> {
			op.convolve(img, to);
			return () -> {
				final float[] copy = new float[(int) to.size()];
				int i = 0;
				for (final FloatType v : Views.flatIterable(to)) copy[i++] = v.get();
				return copy;
			};
		});
	}

	private static Mat mat(final Pixmap image) {
		final Mat mat = new Mat(image.height(), image.width(), image.floats() ? opencv_core.CV_32FC1 : opencv_core.CV_8UC1);
		if (image.floats()) new FloatPointer(mat.data()).put(image.values());
		else mat.data().put(image.bytes());
		return mat;
	}

	private static float[] floats(final Mat mat) {
		final float[] copy = new float[mat.rows() * mat.cols()];
		new FloatPointer(mat.data()).get(copy);
		return copy;
	}

	private static double difference(final float[] a, final float[] b) {
		if (a.length != b.length) throw new IllegalStateException("results of " + a.length + " and " + b.length + " pixels");
		double most = 0;
		for (int i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
		return most;
	}
}
