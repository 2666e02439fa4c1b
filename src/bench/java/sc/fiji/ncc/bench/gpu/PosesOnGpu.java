package sc.fiji.ncc.bench.gpu;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.Texture;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.result.PosesFound;

/**
 * What a search for poses costs on a GPU: frames of a stream, for which the basis is made once, and a single call, with and without its maps. From the
 * project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.gpu.PosesOnGpu
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.gpu.PosesOnGpu -Dexec.args="--backends cuda,cpu --search u8:9"
 * </pre>
 */
@Command(name = "PosesOnGpu", mixinStandardHelpOptions = true, sortOptions = false)
public final class PosesOnGpu implements Callable<Integer> {

	@Option(names = "--image", defaultValue = "2000x2000", description = "size of the image: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--radius", defaultValue = "25", description = "of the disk: ${DEFAULT-VALUE}")
	private int radius;
	@Option(names = "--angles", defaultValue = "360", description = "number of angles: ${DEFAULT-VALUE}")
	private int angles;
	@Option(names = "--min-score", split = ",", defaultValue = "0.7", description = "${DEFAULT-VALUE}")
	private double[] minScores;
	@Option(names = "--backends", split = ",", defaultValue = "cuda", description = "the first one against the others: ${DEFAULT-VALUE}")
	private List<String> backends;
	@Option(names = "--frames", defaultValue = "20", description = "frames of the stream: ${DEFAULT-VALUE}")
	private int frames;

	@Option(names = "--calls", defaultValue = "3", description = "single calls, and as many with maps; 0 for none: ${DEFAULT-VALUE}")
	private int calls;
	@Option(names = "--search", split = ",", defaultValue = "u8:1",
		description = "TYPE:SCALES[:ALGORITHM], with u8 or float, scales by factors of 1.05: ${DEFAULT-VALUE}")
	private List<String> searches;
	@Mixin
	private CsvOption csv;
	@Option(names = "--content", defaultValue = "blobs", description = "blobs or noise: ${DEFAULT-VALUE}")
	private String content;

	public static void main(final String[] args) {
		final int code = new CommandLine(new PosesOnGpu()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		csv.columns("search", "least_ms", "median_ms");
		final int[] size = Pixmap.size(image);
		final float[] pixels = content.equals("noise") ? new float[size[0] * size[1]] : Texture.blobs(size[0], size[1], 1);
		final SplittableRandom random = new SplittableRandom(1);
		if (content.equals("noise")) for (int i = 0; i < pixels.length; i++) pixels[i] = random.nextInt(256);
		for (final String search : searches) {
			final String[] parts = search.split(":");
			measure(pixels, size, parts[0], Integer.parseInt(parts[1]), parts.length > 2 ? parts[2] : "auto");
		}
		csv.write();
		return 0;
	}

	private void measure(final float[] pixels, final int[] size, final String type, final int scales, final String algorithm) {
		final Pixmap image = new Pixmap(pixels, size[0], size[1], Pixmap.floats(type));
		final Pixmap template = image.cut(2 * radius + 1, 2 * radius + 1);
		for (final double minScore : minScores) {
			List<String> first = null;
			for (final String backend : backends) {
				final String name = (type.equals("u8") ? "8 bit" : type) + (scales > 1 ? ", " + scales + " scales" : "")
					+ (algorithm.equals("auto") ? "" : ", `" + algorithm + "`");
				final List<String> matches = measure(image.img(), search(template.img(), minScore, backend, scales).algorithm(algorithm), backend + ", " + name
					+ String.format(Locale.ROOT, ", score >= %.2f", minScore), name);
				if (first == null) first = matches;
				else System.out.println("  " + (first.equals(matches) ? "the same matches" : "OTHER MATCHES"));
			}
		}
	}

	private PoseSearch search(final RandomAccessibleInterval<?> template, final double minScore, final String backend, final int scales) {
		return PoseSearch.of(template).angleRange(0, 360, 360.0 / angles).scaleRange(Math.pow(1.05, -(scales / 2)),
			Math.pow(1.05, (scales - 1) / 2 + 1e-6), 1.05).minScore(minScore)
			.refine(false).backend(backend);
	}

	/** The predicted time of a single call, and the measured time of its first parts: all but the search. */
	private static void print(final String title, final PoseReport plan, final PoseSearch search, final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		search.explain(image);
		System.out.printf(Locale.ROOT, "%s: a single call is predicted to take %.1f ms; sampling and plan took %.1f ms%n", title, 1e3 * plan.seconds(),
			1e-6 * (System.nanoTime() - start));
		System.out.println("  " + String.join("\n  ", plan.explain()));
	}

	private List<String> measure(final RandomAccessibleInterval<?> image, final PoseSearch search, final String title, final String name) {
		final double[] ms = new double[frames];
		final PosesFound[] last = new PosesFound[1];
		search.findEach(Collections.nCopies(frames, image), (i, found) -> {
			ms[(int) i] = 1e3 * found.seconds();
			last[0] = found;
		});
		final double firstFrame = ms[0];
		final double[] sorted = ms.clone();
		Arrays.sort(sorted);
		final double[] single = new double[calls], maps = new double[calls];
		for (int i = 0; i < calls; i++) {
			long start = System.nanoTime();
			final PosesFound found = search.find(image);
			single[i] = 1e-6 * (System.nanoTime() - start);
			if (i == calls - 1) print(title, found.plan(), search, image);
			start = System.nanoTime();
			search.bestPoses(image);
			maps[i] = 1e-6 * (System.nanoTime() - start);
		}
		Arrays.sort(single);
		Arrays.sort(maps);
		csv.row(name, sorted[0], sorted[frames / 2]);
		System.out.printf(Locale.ROOT, "%s, %s %s, radius %d, %d angles: a frame of a stream %.2f ms "
			+ "(median %.2f, the first %.0f), a single call %.1f ms, with maps %.1f ms; "
			+ "%d matches%n", title, this.image, content, radius, angles, sorted[0], sorted[frames / 2], firstFrame, calls > 0 ? single[0] : Double.NaN, calls > 0
				? maps[0] : Double.NaN, last[0].matches().size());
		System.out.println("  " + String.join("\n  ", last[0].plan().explain()) + "; " + last[0].plan().bytes() / 1_000_000 + " MB");
		System.out.println("  " + last[0].plan().methods());
		final List<String> all = new ArrayList<>();
		for (final PoseMatch m : last[0].matches()) all.add(Arrays.toString(m.position()) + " " + m.gridPose() + " " + m.gridScore());
		return all;
	}
}
