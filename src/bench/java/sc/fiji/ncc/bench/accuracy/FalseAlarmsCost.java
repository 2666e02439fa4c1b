package sc.fiji.ncc.bench.accuracy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.document.CsvOption;

/**
 * The time of a search with a minimum score that follows from the false alarms, and with the same score given, with a template of 32x32 pixels, by
 * turns: searches of one image, and on a GPU also a stream of {@value #FRAMES} frames. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.FalseAlarmsCost
 * </pre>
 */
@Command(name = "FalseAlarmsCost", mixinStandardHelpOptions = true, sortOptions = false)
public final class FalseAlarmsCost implements Callable<Integer> {

	private static final int TEMPLATE = 32, WARM_UP = 60, TURNS = 40, FRAMES = 40, STREAM_TURNS = 5;

	@Option(names = "--backend", split = ",", defaultValue = "cpu", description = "cpu, cuda: ${DEFAULT-VALUE}")
	private List<String> backends;
	@Option(names = "--threads", split = ",", defaultValue = "2", description = "numbers of threads of the CPU: ${DEFAULT-VALUE}")
	private List<Integer> threads;
	@Option(names = "--side", defaultValue = "2000", description = "side of the image: ${DEFAULT-VALUE}")
	private int side;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		final int code = new CommandLine(new FalseAlarmsCost()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		csv.columns("computed", "given_least_ms", "given_median_ms", "alarms_least_ms", "alarms_median_ms", "ratio_least", "ratio_median");
		final Random random = new Random(1);
		final float[] pixels = new float[side * side];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) (random.nextGaussian() + (i > 0 ? 0.7 * pixels[i - 1] : 0));
		final RandomAccessibleInterval<?> image = ArrayImgs.floats(pixels, side, side);
		for (final String backend : backends) {
			if (backend.equals("cuda")) measure(image, backend, Runtime.getRuntime().availableProcessors());
			else for (final int n : threads) measure(image, backend, n);
		}
		csv.write();
		return 0;
	}

	private void measure(final RandomAccessibleInterval<?> image, final String backend, final int n) {
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(Views.interval(image, new long[] { 300, 400 }, new long[] { 299 + TEMPLATE,
			399 + TEMPLATE })).backend(backend).threads(n);
		final TemplateMatching automatic = TemplateMatching.with(correlation).falseAlarms(0.05);
		final TemplateMatching given = TemplateMatching.with(correlation).minScore(automatic.find(image).minScores()[0]);
		final boolean gpu = backend.equals("cuda");
		byTurns(gpu ? "GPU" : n + " threads", WARM_UP, TURNS, 1, () -> given.find(image), () -> automatic.find(image));
		if (!gpu) return;
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>(Collections.nCopies(FRAMES, image));
		byTurns("GPU, a frame of a stream", 1, STREAM_TURNS, FRAMES, () -> given.findEach(frames, (i, found) -> {}),
			() -> automatic.findEach(frames, (i, found) -> {}));
	}

	private void byTurns(final String name, final int warmUp, final int turns, final int parts, final Runnable given, final Runnable automatic) {
		final double[][] seconds = new double[2][turns];
		for (int turn = -warmUp; turn < turns; turn++)
			for (int k = 0; k < 2; k++) {
				final long start = System.nanoTime();
				(k == 0 ? given : automatic).run();
				if (turn >= 0) seconds[k][turn] = 1e-9 * (System.nanoTime() - start) / parts;
			}
		for (final double[] s : seconds) Arrays.sort(s);
		final double[] g = seconds[0], f = seconds[1];
		csv.row(name, 1e3 * g[0], 1e3 * g[turns / 2], 1e3 * f[0], 1e3 * f[turns / 2], f[0] / g[0], f[turns / 2] / g[turns / 2]);
		System.out.printf(Locale.ROOT, "%s, score given: least %.2f ms, median %.2f ms; "
			+ "score from false alarms: least %.2f ms, median %.2f ms; ratio %.3f and %.3f%n",
			name, 1e3 * g[0], 1e3 * g[turns / 2], 1e3 * f[0], 1e3 * f[turns / 2], f[0] / g[0], f[turns / 2] / g[turns / 2]);
	}
}
