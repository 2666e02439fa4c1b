package sc.fiji.ncc.bench.accuracy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;

/**
 * The time of a search with a minimum score that follows from the false alarms, and with the same score given: 2000x2000 pixels with 32x32, by turns. The argument is the backend.
 * Default: cpu. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.FalseAlarmsCost
 * </pre>
 */
public final class FalseAlarmsCost {

	private static final int SIDE = 2000, TEMPLATE = 32, WARM_UP = 60, TURNS = 40;

	private FalseAlarmsCost() {}

	public static void main(final String[] args) {
		final Random random = new Random(1);
		final float[] pixels = new float[SIDE * SIDE];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) (random.nextGaussian() + (i > 0 ? 0.7 * pixels[i - 1] : 0));
		final RandomAccessibleInterval<?> image = ArrayImgs.floats(pixels, SIDE, SIDE);
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(Views.interval(image, new long[] { 300, 400 }, new long[] { 299 + TEMPLATE, 399 + TEMPLATE })).backend(args.length > 0 ? args[0] : "cpu");
		final TemplateMatching automatic = TemplateMatching.with(correlation).falseAlarms(0.05);
		final TemplateMatching given = TemplateMatching.with(correlation).minScore(automatic.find(image).minScores()[0]);
		final double[][] seconds = new double[2][TURNS];
		for (int turn = -WARM_UP; turn < TURNS; turn++)
			for (int k = 0; k < 2; k++) {
				final long start = System.nanoTime();
				(k == 0 ? given : automatic).find(image);
				if (turn >= 0) seconds[k][turn] = 1e-9 * (System.nanoTime() - start);
			}
		for (final double[] s : seconds) Arrays.sort(s);
		System.out.println(Machine.describe());
		System.out.printf(Locale.ROOT, "score given: least %.1f ms, median %.1f ms; score from false alarms: least %.1f ms, median %.1f ms; ratio %.3f and %.3f%n", 1e3 * seconds[0][0],
			1e3 * seconds[0][TURNS / 2], 1e3 * seconds[1][0], 1e3 * seconds[1][TURNS / 2], seconds[1][0] / seconds[0][0], seconds[1][TURNS / 2] / seconds[0][TURNS / 2]);
	}
}
