package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import sc.fiji.ncc.fixture.SmoothNoise;
import sc.fiji.ncc.peaks.MapSample;
import sc.fiji.ncc.result.BackgroundState;

/** Fits to maps of normal values with known correlations, whose maxima are counted. */
class BackgroundFitTest {

	private static final double PIXELS = 1000;

	/** Chains of normal values along each axis, with a variance of 1. */
	private static float[] field(final int[] size, final double[] r, final Random random) {
		final float[] values = new float[size[0] * size[1] * size[2]];
		for (int i = 0; i < values.length; i++) values[i] = (float) random.nextGaussian();
		for (int d = 0, stride = 1; d < 3; stride *= size[d++]) {
			final double own = Math.sqrt(1 - r[d] * r[d]);
			for (int i = 0; i < values.length; i++) if (i / stride % size[d] > 0) values[i] = (float) (r[d] * values[i - stride] + own * values[i]);
		}
		return values;
	}

	/** The values above a level that no neighbour exceeds, of one sign. */
	private static int maxima(final float[] values, final int[] size, final float sign, final double level) {
		int maxima = 0;
		for (int i = 0; i < values.length; i++) {
			boolean is = sign * values[i] > level;
			final int x = i % size[0], y = i / size[0] % size[1], z = i / size[0] / size[1];
			for (int c = Math.max(0, z - 1); is && c <= Math.min(size[2] - 1, z + 1); c++)
				for (int b = Math.max(0, y - 1); b <= Math.min(size[1] - 1, y + 1); b++)
					for (int a = Math.max(0, x - 1); a <= Math.min(size[0] - 1, x + 1); a++) is &= sign * values[(c * size[1] + b) * size[0]
						+ a] <= sign * values[i];
			if (is) maxima++;
		}
		return maxima;
	}

	private static Background fit(final float[] values, final int[] size, final long[] map) {
		final float[] scores = new float[values.length];
		// a score of Student's t, nearly a normal value
		for (int i = 0; i < scores.length; i++) scores[i] = (float) (values[i] / Math.sqrt(PIXELS - 2 + values[i] * values[i]));
		final MapSample sample = new MapSample();
		sample.add(new long[map.length], Arrays.copyOf(size, map.length), FloatBuffer.wrap(scores));
		return BackgroundFit.of(sample, map, true, () -> WindowNoise.white(PIXELS)).orElseThrow();
	}

	/** The map is twice as large as its sample. */
	private static void expects(final int maps, final int[] size, final double... r) {
		double minima = 0, maxima = 0, expected = 0;
		final double level = 2.7, score = level / Math.sqrt(PIXELS - 2 + level * level);
		final double[] correlations = new double[r.length];
		final int axes = size[2] > 1 ? 3 : 2;
		final long[] map = axes == 3 ? new long[] { size[0], size[1], 2L * size[2] } : new long[] { size[0], 2L * size[1] };
		for (int m = 0; m < maps; m++) {
			final float[] values = field(size, r, new Random(m));
			final Background fit = fit(values, size, map);
			for (int d = 0; d < axes; d++) correlations[d] += fit.correlations()[d] / maps;
			expected += fit.falseAlarms(score);
			minima += 2 * maxima(values, size, -1, level);
			maxima += 2 * maxima(values, size, 1, level);
			assertEquals(1, fit.effectivePixels() / PIXELS, 0.15);
		}
		for (int d = 0; d < axes; d++) assertEquals(r[d], correlations[d], 0.02, "axis " + d);
		assertEquals(1, expected / ((minima + maxima) / 2), 0.06, expected + " expected, " + minima + " minima, " + maxima + " maxima");
	}

	@Test
	void maximaOfAPlane() {
		expects(20, new int[] { 200, 160, 1 }, 0.3, 0.7, 0);
		expects(20, new int[] { 160, 200, 1 }, 0.8, -0.3, 0);
	}

	/** Responses without a value have no correlation with their neighbours on either side. */
	@Test
	void someResponsesAreUndefined() {
		final int[] size = { 200, 160, 1 };
		final Random random = new Random(1);
		final float[] values = field(size, new double[] { 0.3, 0.7, 0 }, random);
		for (int i = 0; i < values.length / 20; i++) values[random.nextInt(values.length)] = Float.NaN;
		final Background fit = fit(values, size, new long[] { 200, 160 });
		assertEquals(0.3, fit.correlations()[0], 0.03);
		assertEquals(0.7, fit.correlations()[1], 0.03);
		assertEquals(1, fit.effectivePixels() / PIXELS, 0.15);
	}

	@Test
	void maximaOfAVolume() {
		expects(20, new int[] { 40, 30, 24 }, 0.2, 0, 0.6);
	}

	/**
	 * Values of large magnitude are smooth and the others are rough. The correlations of neighbours say four times as many maxima as there are, and the
	 * counts correct most of it.
	 */
	@Test
	void smoothPeaks() {
		final int[] size = { 300, 300, 1 };
		final double level = 2.7;
		double minima = 0, expected = 0;
		for (int m = 0; m < 8; m++) {
			final Random random = new Random(m);
			final float[] values = SmoothNoise.of(300, 300, 2, random);
			double squares = 0;
			for (final float v : values) squares += v * v;
			final double deviation = Math.sqrt(squares / values.length);
			for (int i = 0; i < values.length; i++) {
				values[i] /= (float) deviation;
				if (Math.abs(values[i]) < 1.5) values[i] = (float) (1.5 * Math.tanh(random.nextGaussian()));
			}
			expected += fit(values, size, new long[] { 300, 300 }).falseAlarms(level / Math.sqrt(PIXELS - 2 + level * level));
			minima += maxima(values, size, -1, level);
		}
		assertEquals(1.5, expected / minima, 0.3, expected + " expected, " + minima + " minima");
	}

	/** Few responses are independent: the numbers follow from the windows. */
	@Test
	void fewIndependentResponses() {
		final float[] values = field(new int[] { 60, 60, 1 }, new double[] { 0.97, 0.97, 0 }, new Random(3));
		assertEquals(BackgroundState.FEW, fit(values, new int[] { 60, 60, 1 }, new long[] { 60, 60 }).state());
		// 36 times as many are, with shorter correlations
		final float[] rows = field(new int[] { 60, 60, 1 }, new double[] { 0.5, 0.5, 0 }, new Random(3));
		assertEquals(BackgroundState.OK, fit(rows, new int[] { 60, 60, 1 }, new long[] { 60, 60 }).state());
	}

	/** Values that are v + 0.03·(v² − 1) have more maxima than minima: those above 0 count. */
	@Test
	void skewedMap() {
		double maxima = 0, expected = 0;
		final int[] size = { 200, 200, 1 };
		final double level = 3;
		for (int m = 0; m < 10; m++) {
			final float[] values = field(size, new double[] { 0.5, 0.5, 0 }, new Random(m));
			for (int i = 0; i < values.length; i++) values[i] = (float) (values[i] + 0.06 * (values[i] * values[i] - 1));
			final Background fit = fit(values, size, new long[] { 200, 200 });
			assertEquals(BackgroundState.SKEWED, fit.state());
			assertEquals(0.06, fit.skewness(), 0.03);
			maxima += maxima(values, size, 1, level);
			expected += fit.falseAlarms(level / Math.sqrt(PIXELS - 2 + level * level));
		}
		assertEquals(1, expected / maxima, 0.1, expected + " expected, " + maxima + " maxima");
	}

	/** All scores are in one bin, as many above 0 as below. */
	@Test
	void scoresOfOneMagnitude() {
		final int[] size = { 100, 120, 1 };
		final float[] values = new float[100 * 120];
		// a pair of signs in random order
		final Random random = new Random(5);
		for (int i = 0; i < values.length; i += 2) {
			values[i] = random.nextBoolean() ? 1 : -1;
			values[i + 1] = -values[i];
		}
		final Background fit = fit(values, size, new long[] { 100, 120 });
		assertEquals(BackgroundState.MISFIT, fit.state());
		assertEquals(0, fit.skewness(), 0.01);
		// the first of a pair says what the second one is
		assertEquals(-0.5, fit.correlations()[0], 0.05);
		assertEquals(0, fit.correlations()[1], 0.05);
	}
}
