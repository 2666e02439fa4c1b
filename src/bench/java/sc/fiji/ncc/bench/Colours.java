package sc.fiji.ncc.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Times joint responses of three 8-bit channels by turns: OpenCV's {@code matchTemplate} (TM_CCOEFF_NORMED) on colours, the planner's choice, each CPU
 * algorithm, and three correlations of one channel each. Compares the maps. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Colours -Dexec.args="--image 2000x2000 --template 8x8,32x32,128x128"
 * </pre>
 */
@Command(name = "Colours", mixinStandardHelpOptions = true)
public final class Colours implements Callable<Integer> {

	private static final int CHANNELS = 3;

	@Option(names = "--image", defaultValue = "2000x2000", description = "size of the image: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--template", split = ",", defaultValue = "8x8,32x32,128x128", description = "sizes of templates: ${DEFAULT-VALUE}")
	private String[] templates;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "11", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "5", description = "seconds before the first measured call, all together: ${DEFAULT-VALUE}")
	private double warmUp;

	@Option(names = "--slowest", defaultValue = "1", description = "leave out algorithms with a longer estimate, in seconds: ${DEFAULT-VALUE}")
	private double slowest;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		final int code = new CommandLine(new Colours()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.println("OpenCV " + opencv_core.CV_VERSION() + "; median and least of " + repeats + " calls, by turns");
		System.out.printf("%-11s %-9s  %-24s %9s %9s %13s %12s%n", "image", "template", "method", "median ms", "least ms", "OpenCV / it", "max |diff|");
		csv.columns("image", "template", "threads", "method", "median_ms", "least_ms", "opencv_over_it");
		final int[] size = Pixmap.size(image);
		for (final String template : templates) compare(size, Pixmap.size(template), template);
		csv.write();
		return 0;
	}

	private void compare(final int[] size, final int[] part, final String label) {
		final List<Pixmap> channels = new ArrayList<>(), parts = new ArrayList<>();
		for (int c = 0; c < CHANNELS; c++) {
			channels.add(new Pixmap(Texture.blobs(size[0], size[1], 1 + c), size[0], size[1], false));
			parts.add(channels.get(c).cut(part[0], part[1]));
		}
		final JointImage joint = joint(channels), template = joint(parts);
		final Img<FloatType> map = ArrayImgs.floats(size[0] - part[0] + 1, size[1] - part[1] + 1);
		try (Mat in = mat(channels); Mat of = mat(parts); Mat out = new Mat()) {
			opencv_core.setNumThreads(threads);
			final List<String> names = new ArrayList<>(List.of("OpenCV", "planner's choice", "three single channels"));
			final List<Runnable> runs = new ArrayList<>();
			runs.add(() -> opencv_imgproc.matchTemplate(in, of, out, opencv_imgproc.TM_CCOEFF_NORMED));
			runs.add(() -> NormalizedCrossCorrelation.of(template).threads(threads).correlate(joint, map));
			runs.add(() -> {
				for (int c = 0; c < CHANNELS; c++) NormalizedCrossCorrelation.of(parts.get(c).img()).threads(threads).correlate(channels.get(c).img(), map);
			});
			for (final Candidate c : NormalizedCrossCorrelation.of(template).threads(threads).backend("cpu").explain(joint).candidates()) {
				if (!c.applies() || c.plan().cost().seconds() > slowest) continue;
				names.add(c.name());
				runs.add(() -> NormalizedCrossCorrelation.of(template).threads(threads).algorithm(c.algorithm().id()).correlate(joint, map));
			}
			final double[][] ms = Turns.milliseconds(runs, warmUp, repeats);
			runs.get(0).run();
			final float[] reference = new float[out.rows() * out.cols()];
			new FloatPointer(out.data()).get(reference);
			for (int i = 0; i < ms.length; i++) {
				double most = 0;
				if (i != 0 && i != 2) {
					runs.get(i).run();
					int k = 0;
					for (final FloatType r : map) most = Math.max(most, Math.abs(r.get() - reference[k++]));
				}
				System.out.printf("%-11s %-9s  %-24s %9.2f %9.2f %13.2f %12s%n", image, label, names.get(i), Turns.median(ms[i]), ms[i][0], Turns.median(ms[0]) / Turns.median(ms[i]),
					i == 2 ? "-" : String.format("%.1e", most));
				csv.row(image, label, threads, names.get(i), Turns.median(ms[i]), ms[i][0], Turns.median(ms[0]) / Turns.median(ms[i]));
			}
		}
	}

	private static JointImage joint(final List<Pixmap> channels) {
		return JointImage.of(channels.stream().<RandomAccessibleInterval<?>>map(Pixmap::img).toList());
	}

	private static Mat mat(final List<Pixmap> channels) {
		final Pixmap first = channels.get(0);
		final byte[] all = new byte[CHANNELS * first.width() * first.height()];
		for (int c = 0; c < CHANNELS; c++) {
			final byte[] values = channels.get(c).bytes();
			for (int i = 0; i < values.length; i++) all[CHANNELS * i + c] = values[i];
		}
		final Mat mat = new Mat(first.height(), first.width(), opencv_core.CV_8UC3);
		mat.data().put(all);
		return mat;
	}
}
