package sc.fiji.ncc.bench;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * Time over the template's size, as figure 1 of Papamakarios, Rizos, Pitsianis, FLCC: 2000x2000 with 2x2 to 32x32, each of our CPU algorithms and
 * OpenCV's {@code matchTemplate}, by turns in one JVM; single pictures, and a stack of them through one call. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.TemplateSizes -Dexec.args="--csv target/sizes.csv --png src/doc/sizes.png"
 * </pre>
 */
@Command(name = "TemplateSizes", mixinStandardHelpOptions = true, sortOptions = false)
public final class TemplateSizes implements Callable<Integer> {

	@Option(names = "--image", defaultValue = "2000x2000", description = "the images' size: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--from", defaultValue = "2", description = "the least side of a template: ${DEFAULT-VALUE}")
	private int from;
	@Option(names = "--to", defaultValue = "32", description = "the greatest side: ${DEFAULT-VALUE}")
	private int to;
	@Option(names = "--step", defaultValue = "2", description = "from one side to the next: ${DEFAULT-VALUE}")
	private int step;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--frames", defaultValue = "8", description = "pictures in a stack: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--threads", defaultValue = "2", description = "threads of ours and of OpenCV's: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "15", description = "timed calls of each, a third as many of stacks: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "15", description = "seconds before the first size of each type, a tenth before each other one: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--csv", description = "the table, as a file")
	private File csv;
	@Option(names = "--png", description = "the picture")
	private File png;

	/** A curve's place: panel, method and pixel type. */
	private record Key(boolean stream, String method, boolean floats) {}

	private final Map<Key, Map<Integer, Double>> times = new LinkedHashMap<>();

	public static void main(final String[] args) {
		final int code = new CommandLine(new TemplateSizes()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.printf("%s, %d threads each; medians by turns: single pictures of %d calls, stacks of %d pictures of %d%n", image, threads, repeats, frames,
			streamRepeats());
		System.out.printf("%-6s %-9s %-18s %12s %22s%n", "type", "template", "method", "single ms", "stream ms a picture");
		final int[] size = Pixmap.size(image);
		final float[] texture = Texture.blobs(size[0], size[1], 1);
		for (final String type : types) {
			final List<Pixmap> stack = new ArrayList<>();
			for (int f = 0; f < frames; f++) stack.add(new Pixmap(scrolled(texture, size[0], 7 * f), size[0], size[1], Pixmap.floats(type)));
			boolean first = true;
			for (int side = from; side <= to; side += step) {
				measure(stack, side, first ? warmUp : warmUp / 10);
				first = false;
			}
		}
		if (csv != null) write();
		if (png != null) draw();
		return 0;
	}

	private int streamRepeats() {
		return Math.max(1, repeats / 3);
	}

	/** The rows further down: the frames of a stack differ. */
	private static float[] scrolled(final float[] values, final int width, final int rows) {
		final float[] s = new float[values.length];
		for (int i = 0; i < s.length; i++) s[i] = values[(i + rows * width) % s.length];
		return s;
	}

	private void measure(final List<Pixmap> stack, final int side, final double seconds) {
		final boolean floats = stack.get(0).floats();
		final Pixmap template = stack.get(0).cut(side, side);
		try (OpenCv one = new OpenCv(stack.subList(0, 1), template, threads); OpenCv all = new OpenCv(stack, template, threads)) {
			final Map<String, Double> single = medians(one, template, stack.get(0).img(), seconds, repeats);
			final Map<String, Double> stream = medians(all, template, img(stack), seconds, streamRepeats());
			single.forEach((method, ms) -> {
				final double each = stream.get(method) / frames;
				times.computeIfAbsent(new Key(false, method, floats), k -> new TreeMap<>()).put(side, ms);
				times.computeIfAbsent(new Key(true, method, floats), k -> new TreeMap<>()).put(side, each);
				System.out.printf("%-6s %-9s %-18s %12.2f %22.2f%n", floats ? "float" : "u8", side + "x" + side, method, ms, each);
			});
		}
	}

	private Map<String, Double> medians(final OpenCv openCv, final Pixmap template, final RandomAccessibleInterval<?> img, final double seconds, final int calls) {
		final Map<String, Runnable> methods = new LinkedHashMap<>();
		methods.put("OpenCV", openCv::run);
		final RandomAccessibleInterval<?> part = template.img();
		for (final Candidate c : NormalizedCrossCorrelation.of(part).threads(threads).backend("cpu").explain(img).candidates())
			if (c.applies()) methods.put(c.name(), () -> NormalizedCrossCorrelation.of(part).threads(threads).algorithm(c.algorithm().id()).correlate(img));
		final double[][] ms = Turns.milliseconds(List.copyOf(methods.values()), seconds, calls);
		final Map<String, Double> medians = new TreeMap<>(String.CASE_INSENSITIVE_ORDER.reversed());
		int i = 0;
		for (final String method : methods.keySet()) medians.put(method, Turns.median(ms[i++]));
		return medians;
	}

	private static RandomAccessibleInterval<?> img(final List<Pixmap> stack) {
		final Pixmap first = stack.get(0);
		final int n = first.values().length;
		final float[] floats = new float[first.floats() ? n * stack.size() : 0];
		final byte[] bytes = new byte[first.floats() ? 0 : n * stack.size()];
		for (int f = 0; f < stack.size(); f++)
			if (first.floats()) System.arraycopy(stack.get(f).values(), 0, floats, f * n, n);
			else System.arraycopy(stack.get(f).bytes(), 0, bytes, f * n, n);
		return first.floats() ? ArrayImgs.floats(floats, first.width(), first.height(), stack.size())
			: ArrayImgs.unsignedBytes(bytes, first.width(), first.height(), stack.size());
	}

	private void write() throws IOException {
		try (PrintWriter out = new PrintWriter(csv, StandardCharsets.UTF_8)) {
			out.println("image,type,template,method,frames,median_ms_a_picture");
			times.forEach((key, curve) -> curve.forEach((side, ms) -> out.printf(Locale.ROOT, "%s,%s,%dx%d,%s,%d,%.4f%n", image, key.floats ? "float" : "u8", side,
				side, key.method, key.stream ? frames : 1, ms)));
		}
		System.out.println("wrote " + csv);
	}

	private void draw() throws IOException {
		final String sides = "side of the template (pixels)";
		new TimesChart("Normalized cross-correlation of " + image + " pictures", Machine.brief() + ", " + threads + " threads, " + LocalDate.now(),
			List.of(panel(false, sides + ", single pictures"), panel(true, sides + ", stack of " + frames + " pictures in one call"))).write(png);
		System.out.println("wrote " + png);
	}

	private TimesChart.Panel panel(final boolean stream, final String axis) {
		final List<TimesChart.Curve> curves = new ArrayList<>();
		times.forEach((key, curve) -> {
			if (key.stream == stream) curves.add(new TimesChart.Curve(key.method, key.floats, curve));
		});
		return new TimesChart.Panel(axis, curves);
	}
}
