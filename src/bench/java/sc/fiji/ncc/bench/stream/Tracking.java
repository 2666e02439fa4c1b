package sc.fiji.ncc.bench.stream;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.OpenCv;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.Texture;
import sc.fiji.ncc.bench.Turns;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Many templates over small shifts in each frame of a stream, as Moore, Leeser and Smith King have them: OpenCV's {@code matchTemplate}
 * (TM_CCOEFF_NORMED), called once a frame and template, the maps of each of our algorithms, and the whole of tracking (maps, peaks, exact
 * scores, sub-pixel places), by turns in one JVM: medians. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.stream.Tracking
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.stream.Tracking -Dexec.args="--frame 39x74 --template 21x56 --type float"
 * </pre>
 *
 * A frame is what the templates are moved over, each to every place in it: the paper's templates move by ±2 columns and ±9 rows to ±9 columns and
 * ±18 rows, and the frames are larger than the template by as much.
 */
@Command(name = "Tracking", mixinStandardHelpOptions = true, sortOptions = false)
public final class Tracking implements Callable<Integer> {

	@Option(names = "--frame", split = ",", defaultValue = "160x200,120x174,134x192,25x41,39x59",
		description = "sizes of the frames, one for each template's: ${DEFAULT-VALUE}")
	private String[] frames;
	@Option(names = "--template", split = ",", defaultValue = "116x156,116x156,116x156,21x23,21x23", description = "sizes of the templates: ${DEFAULT-VALUE}")
	private String[] templates;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--count", split = ",", defaultValue = "12", description = "how many templates, of each frame's size: ${DEFAULT-VALUE}")
	private int[] counts;
	@Option(names = "--length", defaultValue = "100", description = "how many frames: ${DEFAULT-VALUE}")
	private int length;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "7", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "4", description = "seconds before the first measured call: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--slowest", defaultValue = "6", description = "methods expected to take more than so many times the best are left out: ${DEFAULT-VALUE}")
	private double slowest;
	@Option(names = "--choice", description = "OpenCV, the planner's choice and tracking alone, not every algorithm")
	private boolean choice;
	@Mixin
	private CsvOption csv;

	private record Contestant(String name, Runnable run) {}

	public static void main(final String[] args) {
		final int code = new CommandLine(new Tracking()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.printf("%d frames, %d threads; milliseconds for all, medians of %d by turns%n", length, threads, repeats);
		csv.columns("frame", "template", "lags", "templates", "frames", "type", "threads", "method", "ms", "least_ms", "opencv_over_it");
		System.out.printf("%-9s %-9s %-7s %2s %-6s %-24s %9s %9s %12s%n", "frame", "template", "lags", "n", "type", "method", "median", "least", "OpenCV / it");
		for (int c = 0; c < frames.length; c++)
			for (final String type : types) measure(Pixmap.size(frames[c]), Pixmap.size(templates[Math.min(c, templates.length - 1)]), Pixmap.floats(type),
				counts[Math.min(c, counts.length - 1)]);
		csv.write();
		return 0;
	}

	private void measure(final int[] size, final int[] t, final boolean floats, final int count) {
		final int large = 512;
		final float[] scene = Texture.blobs(large, large, 1);
		final List<Pixmap> stream = new ArrayList<>(), parts = new ArrayList<>();
		for (int f = 0; f < length; f++) stream.add(cut(scene, large, f * 3 % (large - size[0]), f * 7 % (large - size[1]), size, floats, f));
		for (int k = 0; k < count; k++) parts.add(cut(scene, large, 20 + k * 20, 15 + k * 25, t, floats, 1000 + k));
		final RandomAccessibleInterval<?> stack = stack(stream, floats);
		final List<RandomAccessibleInterval<?>> images = new ArrayList<>();
		for (final Pixmap p : parts) images.add(p.img());
		final List<OpenCv> openCv = parts.stream().map(p -> new OpenCv(stream, p, threads)).toList();
		try {
			final List<Contestant> all = new ArrayList<>();
			all.add(new Contestant("OpenCV", () -> openCv.forEach(OpenCv::run)));
			final List<Candidate> candidates = NormalizedCrossCorrelation.of(images).threads(threads).backend("cpu").explain(stack).candidates();
			for (final Candidate c : candidates)
				if (c == candidates.get(0) || !choice && c.applies() && c.seconds() < slowest * candidates.get(0).seconds())
					all.add(new Contestant(c.name(), () -> NormalizedCrossCorrelation.of(images).threads(threads).algorithm(c.name()).correlate(stack)));
			final List<long[]> starts = images.stream().map(p -> new long[2]).toList();
			all.add(new Contestant("tracking", () -> TemplateTracking.of(images, starts).everywhere().threads(threads).track(stack)));
			final double[][] ms = Turns.milliseconds(all.stream().map(Contestant::run).toList(), warmUp, repeats);
			final String frame = size[0] + "x" + size[1], template = t[0] + "x" + t[1], lags = size[0] - t[0] + 1 + "x" + (size[1] - t[1] + 1),
				type = floats ? "float" : "8 bit";
			for (int i = 0; i < ms.length; i++) {
				final double median = Turns.median(ms[i]), ratio = Turns.median(ms[0]) / median;
				System.out.printf(Locale.ROOT, "%-9s %-9s %-7s %2d %-6s %-24s %9.1f %9.1f %12.2f%n", frame, template, lags, count, type, all.get(i).name,
					median, ms[i][0], ratio);
				csv.row(frame, template, lags, count, length, type, threads, all.get(i).name, median, ms[i][0], ratio);
			}
		}
		finally {
			openCv.forEach(OpenCv::close);
		}
	}

	private static Pixmap cut(final float[] scene, final int width, final int x, final int y, final int[] size, final boolean floats, final long seed) {
		final Random random = new Random(seed);
		final float[] part = new float[size[0] * size[1]];
		for (int r = 0; r < size[1]; r++)
			for (int c = 0; c < size[0]; c++)
				part[r * size[0] + c] = (float) Math.max(0, Math.min(255, scene[(y + r) % width * width + x + c] + 4 * random.nextGaussian()));
		return new Pixmap(part, size[0], size[1], floats);
	}

	private static RandomAccessibleInterval<?> stack(final List<Pixmap> frames, final boolean floats) {
		final int w = frames.get(0).width(), h = frames.get(0).height(), n = w * h;
		if (floats) {
			final float[] all = new float[n * frames.size()];
			for (int f = 0; f < frames.size(); f++) System.arraycopy(frames.get(f).values(), 0, all, f * n, n);
			return ArrayImgs.floats(all, w, h, frames.size());
		}
		final byte[] all = new byte[n * frames.size()];
		for (int f = 0; f < frames.size(); f++) System.arraycopy(frames.get(f).bytes(), 0, all, f * n, n);
		return ArrayImgs.unsignedBytes(all, w, h, frames.size());
	}
}
