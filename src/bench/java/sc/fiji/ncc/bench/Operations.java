package sc.fiji.ncc.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.WholeShape;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/**
 * Where the time of a call on one thread goes, and how many operations each response takes beside the peak of the core. The operations are those of the table
 * "operation counts" in performance.md: the sums of products, and 22 for window sums and normalisation. The peak is that of multiply-adds of vectors in
 * registers, measured in the same run if Java has the Vector API. The shares are those of samples of Java Flight Recorder.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Operations -Dexec.args="--template 8x8,128x128"
 * </pre>
 */
@Command(name = "Operations", mixinStandardHelpOptions = true, sortOptions = false)
public final class Operations implements Callable<Integer> {

	/** Operations of a response: running sums of pixels and squares, and normalisation with the error estimate. */
	private static final double WINDOW = 10, NORMALISATION = 12;

	@Option(names = "--image", defaultValue = "2000x2000", description = "size of the image: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--template", split = ",", defaultValue = "8x8,32x32,64x64,128x128,256x256", description = "sizes of templates: ${DEFAULT-VALUE}")
	private String[] templates;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--seconds", defaultValue = "3", description = "seconds for each cell, after as many that do not count: ${DEFAULT-VALUE}")
	private double seconds;
	@Option(names = "--peak", description = "10^9 operations a second that a core gives. Default: measured, which needs the Vector API")
	private double peak;

	/** Multiply-adds of vectors in registers. Loaded only if Java has the Vector API. */
	private static final class Peak {

		private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
		private static final int STEPS = 2_000_000, SUMS = 12;

		/** 10^9 operations a second: the best of many. */
		static double measured() {
			double best = 0, sum = 0;
			for (int i = 0; i < 100; i++) {
				final long start = System.nanoTime();
				sum += loop();
				best = Math.max(best, 2.0 * SUMS * S.length() * STEPS / (System.nanoTime() - start));
			}
			if (Double.isNaN(sum)) throw new ArithmeticException("the sums of the loop are not numbers");
			return best;
		}

		private static float loop() {
			final FloatVector c = FloatVector.broadcast(S, 0.9999f), d = FloatVector.broadcast(S, 1e-3f);
			FloatVector e = d, f = d, g = d, h = d, i = d, j = d, k = d, l = d, m = d, n = d, o = d, p = d;
			for (int step = 0; step < STEPS; step++) {
				e = e.fma(c, d);
				f = f.fma(c, d);
				g = g.fma(c, d);
				h = h.fma(c, d);
				i = i.fma(c, d);
				j = j.fma(c, d);
				k = k.fma(c, d);
				l = l.fma(c, d);
				m = m.fma(c, d);
				n = n.fma(c, d);
				o = o.fma(c, d);
				p = p.fma(c, d);
			}
			return e.add(f).add(g).add(h).add(i).add(j).add(k).add(l).add(m).add(n).add(o).add(p).lane(0);
		}
	}

	public static void main(final String[] args) {
		final int code = new CommandLine(new Operations()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		if (peak == 0 && Vectors.USED) peak = Peak.measured();
		if (peak > 0) System.out.printf(Locale.ROOT, "peak of multiply-adds: %.0f e9 operations a second%n", peak);
		final int[] size = Pixmap.size(image);
		final float[] pixels = Texture.blobs(size[0], size[1], 1);
		for (final String template : templates)
			for (final String type : types) measure(new Pixmap(pixels, size[0], size[1], Pixmap.floats(type)), Pixmap.size(template), type);
		return 0;
	}

	private void measure(final Pixmap image, final int[] size, final String type) throws IOException {
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(image.cut(size[0], size[1]).img()).backend("cpu").threads(1);
		final var in = image.img();
		final Size lags = Size.of(image.width() - size[0] + 1, image.height() - size[1] + 1);
		final Img<FloatType> map = ArrayImgs.floats(lags.toArray());
		final String algorithm = op.explain(in).best().orElseThrow().name();
		repeat(() -> op.correlate(in, map));
		final Path file = Files.createTempFile("operations", ".jfr");
		final double least;
		try (Recording recording = new Recording()) {
			recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
			recording.start();
			least = repeat(() -> op.correlate(in, map));
			recording.stop();
			recording.dump(file);
		}
		final double products = products(algorithm, Size.of(size[0], size[1]), lags), operations = products + WINDOW + NORMALISATION, perResponse = least / lags.pixels();
		System.out.printf(Locale.ROOT, "%dx%d with %dx%d, %s, %s: %.1f ms, %.2f ns a response; %.0f operations a response, %.1f e9 "
			+ "a second%s;", image.width(), image.height(), size[0],
			size[1], type, algorithm, 1e-6 * least, perResponse, operations, operations / perResponse,
			peak > 0 ? String.format(Locale.ROOT, ", %.0f%% of the peak", 100 * operations / perResponse / peak) : "");
		shares(file).forEach((part, share) -> System.out.printf(Locale.ROOT, " %s %.0f%%", part, 100 * share));
		System.out.println();
		Files.delete(file);
	}

	/** Runs a task for some seconds. Returns the least time in nanoseconds. */
	private double repeat(final Runnable task) {
		final long end = System.nanoTime() + (long) (1e9 * seconds);
		double least = Double.POSITIVE_INFINITY;
		do {
			final long start = System.nanoTime();
			task.run();
			least = Math.min(least, System.nanoTime() - start);
		}
		while (System.nanoTime() < end);
		return least;
	}

	/** The operations of a numerator. */
	private static double products(final String algorithm, final Size template, final Size lags) {
		if (!algorithm.startsWith("cpu-fourier")) return 2.0 * template.pixels();
		if (algorithm.equals("cpu-fourier-whole")) {
			final Size image = Size.of(lags.get(0) + template.get(0) - 1, lags.get(1) + template.get(1) - 1);
			final Correlation problem = Problems.correlation(PixelType.F32, PixelType.F32, image, List.of(template), Weights.NONE, Lags.inside(lags), 1);
			final double all = WholeShape.of(problem, template).points();
			return all / lags.pixels() * (5 * Math.log(all) / Math.log(2) + 10);
		}
		final FourierShape shape = FourierShape.of(template, lags, new CpuBackend(1).devices().get(0));
		double points = 1, served = 1;
		for (int d = 0; d < 2; d++) {
			points *= shape.block()[d];
			served *= shape.block()[d] - shape.part()[d] + 1;
		}
		return points / served * (5 * Math.log(points) / Math.log(2) + 3);
	}

	/** The shares of samples, by the first frame outside the package of loops. */
	private static Map<String, Double> shares(final Path file) throws IOException {
		final Map<String, Double> counts = new LinkedHashMap<>();
		for (final String part : List.of("butterflies", "transposes", "products", "estimates", "direct sums", "window sums", "normalisation", "reading", "other")) counts.put(part, 0.0);
		double all = 0;
		for (final RecordedEvent e : RecordingFile.readAllEvents(file)) {
			if (!e.getEventType().getName().equals("jdk.ExecutionSample") || e.getStackTrace() == null) continue;
			counts.merge(part(e.getStackTrace().getFrames()), 1.0, Double::sum);
			all++;
		}
		final double n = Math.max(1, all);
		counts.replaceAll((part, count) -> count / n);
		counts.values().removeIf(share -> share == 0);
		return counts;
	}

	private static String part(final List<RecordedFrame> frames) {
		for (final RecordedFrame f : frames) {
			final String type = f.getMethod().getType().getName(), method = f.getMethod().getName();
			if (!type.startsWith("sc.fiji.ncc.") || type.startsWith("sc.fiji.ncc.loops.")) {
				if (type.endsWith("VectorTranspose")) return "transposes";
				continue;
			}
			final String name = type.substring(type.lastIndexOf('.') + 1);
			if (name.endsWith("Noise") || name.equals("BlockSums") || name.equals("LineEnergies")) return "estimates";
			if (method.contains("xchange") || method.contains("ranspose")) return "transposes";
			if (name.equals("Spectrum")) return "products";
			if (type.startsWith("sc.fiji.ncc.cpu.fft.")) return "butterflies";
			if (type.startsWith("sc.fiji.ncc.cpu.correlator.") || name.equals("DirectNumerator")) return "direct sums";
			if (type.startsWith("sc.fiji.ncc.cpu.window.")) return "window sums";
			if (type.startsWith("sc.fiji.ncc.cpu.response.")) return "normalisation";
			if (type.startsWith("sc.fiji.ncc.cpu.tile.") || type.startsWith("sc.fiji.ncc.cpu.fourier.") || type.startsWith("sc.fiji.ncc.image.")) return "reading";
			return "other";
		}
		return "other";
	}
}
