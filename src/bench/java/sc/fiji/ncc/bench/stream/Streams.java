package sc.fiji.ncc.bench.stream;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.OpenCv;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.Texture;
import sc.fiji.ncc.bench.Turns;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.result.StreamReport;

/**
 * Times a stream of 8-bit frames, with maps and with matches alone, beside one call a frame and OpenCV's {@code matchTemplate}, by turns in one JVM:
 * milliseconds a frame. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.stream.Streams
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.stream.Streams -Dexec.args="--image 512x512 --frames 50"
 * </pre>
 *
 * Frames are textures in memory, a few that differ, again and again; the template is a part of the first one. OpenCV is given one map to write to; with
 * {@code --no-opencv} it need not be there.
 */
@Command(name = "Streams", mixinStandardHelpOptions = true, sortOptions = false)
public final class Streams implements Callable<Integer> {

	private static final int DIFFERENT = 4;

	@Option(names = "--image", defaultValue = "2000x2000", description = "size of a frame: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--template", defaultValue = "32x32", description = "size of the template: ${DEFAULT-VALUE}")
	private String template;
	@Option(names = "--frames", defaultValue = "12", description = "frames of a stream: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--threads", defaultValue = "2", description = "threads: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "9", description = "measured streams of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "10", description = "seconds before the first measured one, all together: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--min-score", defaultValue = "0.9", description = "least score of a match: ${DEFAULT-VALUE}")
	private double least;
	@Option(names = "--opencv", negatable = true, defaultValue = "true", fallbackValue = "true", description = "whether OpenCV is measured, too: ${DEFAULT-VALUE}")
	private boolean against;
	@Mixin
	private CsvOption csv;

	private StreamReport maps, peaks;

	public static void main(final String[] args) {
		final int code = new CommandLine(new Streams()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		final int[] size = Pixmap.size(image), part = Pixmap.size(template);
		final List<Pixmap> different = new ArrayList<>(), all = new ArrayList<>();
		for (int i = 0; i < DIFFERENT; i++) different.add(new Pixmap(Texture.blobs(size[0], size[1], i), size[0], size[1], false));
		for (int i = 0; i < frames; i++) all.add(different.get(i % DIFFERENT));
		final List<RandomAccessibleInterval<?>> images = new ArrayList<>();
		for (final Pixmap p : all) images.add(p.img());
		final Pixmap cut = all.get(0).cut(part[0], part[1]);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(cut.img()).threads(threads);
		final TemplateMatching matching = TemplateMatching.with(op).minScore(least);
		final Map<String, Runnable> ways = new LinkedHashMap<>();
		// its libraries are loaded here, if at all
		try (OpenCv openCv = against ? new OpenCv(all, cut, threads) : null) {
			if (openCv != null) ways.put("OpenCV, maps", openCv::run);
			ways.put("a call a frame, maps", () -> images.forEach(op::correlate));
			ways.put("a stream, maps", () -> maps = op.correlateEach(images, (k, response) -> {}));
			ways.put("a call a frame, matches", () -> images.forEach(matching::find));
			ways.put("a stream, matches", () -> peaks = matching.findEach(images, (k, found) -> {}));
			System.out.println(Machine.describe());
			System.out.printf("%d frames of %s, 8 bits, template %s, %d threads; median and least of %d, by turns%n", frames, image, template, threads, repeats);
			System.out.printf("%-24s %15s %10s %12s%n", "", "ms a frame", "least", against ? "OpenCV / it" : "first / it");
			csv.columns("image", "template", "type", "frames", "threads", "method", "ms_a_frame", "least_ms_a_frame", "opencv_over_it");
			final double[][] ms = Turns.milliseconds(List.copyOf(ways.values()), warmUp, repeats);
			int i = 0;
			for (final String name : ways.keySet()) {
				System.out.printf("%-24s %15.3f %10.3f %12.2f%n", name, Turns.median(ms[i]) / frames, ms[i][0] / frames, Turns.median(ms[0]) / Turns.median(ms[i]));
				csv.row(image, template, "8 bit", frames, threads, name, Turns.median(ms[i]) / frames, ms[i][0] / frames, Turns.median(ms[0]) / Turns.median(ms[i]));
				i++;
			}
			csv.write();
		}
		for (final StreamReport r : List.of(maps, peaks)) System.out.printf("%s: from reading a frame to its result %.1f ms in the mean, %.1f at most%n",
			r.rankings().get(0).best().orElseThrow().name(), 1e3 * r.latency(), 1e3 * r.longestLatency());
		return 0;
	}
}
