package sc.fiji.ncc.bench.accuracy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;

/**
 * The time of a search with a minimum score that follows from the false alarms, and with the same score given, with a template of 32x32 pixels, by
 * turns. First searches of one image, then a stream of {@value #FRAMES} frames. Arguments: the backend, the number of threads, {@code image} to leave
 * out the stream ({@code all}: not), and the side of the image. Default: cpu, all threads, 2000. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.FalseAlarmsCost
 * </pre>
 */
public final class FalseAlarmsCost {

	private static final int TEMPLATE = 32, WARM_UP = 60, TURNS = 40, FRAMES = 40, STREAM_TURNS = 5;

	private FalseAlarmsCost() {}

	public static void main(final String[] args) {
		final Random random = new Random(1);
		final int side = args.length > 3 ? Integer.parseInt(args[3]) : 2000;
		final float[] pixels = new float[side * side];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) (random.nextGaussian() + (i > 0 ? 0.7 * pixels[i - 1] : 0));
		final RandomAccessibleInterval<?> image = ArrayImgs.floats(pixels, side, side);
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(Views.interval(image, new long[] { 300, 400 }, new long[] { 299 + TEMPLATE, 399 + TEMPLATE })).backend(args.length > 0 ? args[0] : "cpu");
		if (args.length > 1) correlation.threads(Integer.parseInt(args[1]));
		final TemplateMatching automatic = TemplateMatching.with(correlation).falseAlarms(0.05);
		final TemplateMatching given = TemplateMatching.with(correlation).minScore(automatic.find(image).minScores()[0]);
		System.out.println(Machine.describe());
		System.out.println("image: " + byTurns(WARM_UP, TURNS, 1, () -> given.find(image), () -> automatic.find(image)));
		if (args.length > 2 && args[2].equals("image")) return;
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>(Collections.nCopies(FRAMES, image));
		System.out.println("frame of a stream: " + byTurns(1, STREAM_TURNS, FRAMES, () -> given.findEach(frames, (i, found) -> {}), () -> automatic.findEach(frames, (i, found) -> {})));
	}

	private static String byTurns(final int warmUp, final int turns, final int parts, final Runnable given, final Runnable automatic) {
		final double[][] seconds = new double[2][turns];
		for (int turn = -warmUp; turn < turns; turn++)
			for (int k = 0; k < 2; k++) {
				final long start = System.nanoTime();
				(k == 0 ? given : automatic).run();
				if (turn >= 0) seconds[k][turn] = 1e-9 * (System.nanoTime() - start) / parts;
			}
		for (final double[] s : seconds) Arrays.sort(s);
		return String.format(Locale.ROOT, "score given: least %.2f ms, median %.2f ms; score from false alarms: least %.2f ms, median %.2f ms; ratio %.3f and %.3f", 1e3 * seconds[0][0],
			1e3 * seconds[0][turns / 2], 1e3 * seconds[1][0], 1e3 * seconds[1][turns / 2], seconds[1][0] / seconds[0][0], seconds[1][turns / 2] / seconds[0][turns / 2]);
	}
}
