package sc.fiji.ncc.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PreparedImage;

/**
 * What a template costs alone, beside others that share the image with it, on a prepared image, and by OpenCV's {@code matchTemplate} called
 * once a template: milliseconds for each template, medians, all by turns. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Bank
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Bank -Dexec.args="--image 2000x2000 --template 32x32 --algorithm cpu-direct"
 * </pre>
 */
@Command(name = "Bank", mixinStandardHelpOptions = true, sortOptions = false)
public final class Bank implements Callable<Integer> {

	@Option(names = "--image", defaultValue = "1000x1000", description = "size of the image, float: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--template", split = ",", defaultValue = "32x32,16x16", description = "sizes of templates: ${DEFAULT-VALUE}")
	private String[] templates;
	@Option(names = "--count", split = ",", defaultValue = "1,4,16", description = "numbers of templates: ${DEFAULT-VALUE}")
	private int[] counts;
	@Option(names = "--algorithm", defaultValue = "auto", description = "ours: ${DEFAULT-VALUE}")
	private String algorithm;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "15", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "6", description = "seconds before the first measured call: ${DEFAULT-VALUE}")
	private double warmUp;

	public static void main(final String[] args) {
		final int code = new CommandLine(new Bank()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		System.out.printf("%-11s %-9s %6s  %9s %9s %9s %9s %9s %9s   ms a template; MiB kept; method%n", "image", "template", "number", "alone", "together",
			"prepared", "best", "prepare", "OpenCV");
		for (final String template : templates)
			for (final int count : counts) measure(Pixmap.size(image), Pixmap.size(template), count);
		return 0;
	}

	private void measure(final int[] size, final int[] t, final int count) {
		final float[] pixels = Texture.blobs(size[0], size[1], 1);
		final RandomAccessibleInterval<?> image = ArrayImgs.floats(pixels, size[0], size[1]);
		final List<RandomAccessibleInterval<?>> bank = new ArrayList<>();
		final List<OpenCv> openCv = new ArrayList<>();
		final Pixmap whole = new Pixmap(pixels, size[0], size[1], true);
		for (int i = 0; i < count; i++) {
			final float[] values = new float[t[0] * t[1]];
			for (int y = 0; y < t[1]; y++) System.arraycopy(pixels, (17 * i + y + 3) * size[0] + 29 * i + 5, values, y * t[0], t[0]);
			bank.add(ArrayImgs.floats(values, t[0], t[1]));
			openCv.add(new OpenCv(List.of(whole), new Pixmap(values, t[0], t[1], true), threads));
		}
		try (PreparedImage prepared = op(bank.get(0)).prepare(image)) {
			final List<Runnable> ways = List.of(() -> bank.forEach(one -> op(one).correlate(image)), () -> op(bank).correlate(image),
				() -> prepared.correlate(bank), () -> op(bank).best(image), () -> op(bank.get(0)).prepare(image).close(),
				() -> openCv.forEach(OpenCv::run));
			final double[][] ms = Turns.milliseconds(ways, warmUp, repeats);
			final double[] each = new double[ms.length];
			// preparing is done once for all of them
			for (int w = 0; w < each.length; w++) each[w] = Turns.median(ms[w]) / (w == 4 ? 1 : count);
			System.out.printf(Locale.ROOT, "%-11s %-9s %6d  %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f   %.1f; %s%n", size[0] + "x" + size[1], t[0] + "x" + t[1], count,
				each[0], each[1], each[2], each[3], each[4], each[5], prepared.bytes() / 1048576.0, prepared.explain().best().orElseThrow().name());
		}
		finally {
			openCv.forEach(OpenCv::close);
		}
	}

	private NormalizedCrossCorrelation op(final RandomAccessibleInterval<?> template) {
		return NormalizedCrossCorrelation.of(template).threads(threads).algorithm(algorithm);
	}

	private NormalizedCrossCorrelation op(final List<RandomAccessibleInterval<?>> bank) {
		return NormalizedCrossCorrelation.of(bank).threads(threads).algorithm(algorithm);
	}
}
