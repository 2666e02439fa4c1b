package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

import org.junit.jupiter.api.Test;

class MaximaRateTest {

	/** The number of pixels of windows whose scores are a normal field. */

	@Test
	void bivariateNormalProbability() {
		for (final double h : new double[] { -1, 0, 0.3, 2.5 }) {
			assertEquals(MaximaRate.normal(h) * MaximaRate.normal(h), MaximaRate.both(h, 0), 3e-7);
			assertEquals(MaximaRate.normal(h), MaximaRate.both(h, 1), 3e-7);
			assertEquals(Math.max(0, 2 * MaximaRate.normal(h) - 1), MaximaRate.both(h, -1), 3e-7);
		}
		// P(X < 0, Y < 0) = 1/4 + asin(r)/(2π)
		for (final double r : new double[] { -0.9, -0.3, 0.5, 0.95 }) assertEquals(0.25 + Math.asin(r) / (2 * Math.PI), MaximaRate.both(0, r), 3e-7);
	}

	@Test
	void smoothFieldsFollowRice() {
		// one dimension, Gaussian autocorrelation of deviation s: the rate of upcrossings of u is exp(-u²/2) / (2π s)
		final double s = 12, u = 4;
		final double rate = new MaximaRate(new long[] { 1 << 20 }, new double[] { Math.exp(-0.5 / (s * s)) }, new double[] { Math.exp(-2 / (s * s)) },
			Steepness.normal()).given(u);
		assertEquals(1, rate * (1 - MaximaRate.normal(u)) / (Math.exp(-u * u / 2) / (2 * Math.PI * s)), 0.02);
	}

	@Test
	void shareOfMaximaIsThatOfSimulatedFields() {
		final Random random = new Random(11);
		for (final int blur : new int[] { 0, 1, 3 }) {
			final int n = 700;
			double[] field = new double[n * n];
			for (int i = 0; i < field.length; i++) field[i] = random.nextGaussian();
			for (int k = 0; k < blur; k++) field = smooth(field, n);
			double squares = 0, one = 0, two = 0;
			for (final double v : field) squares += v * v;
			for (int i = 0; i < field.length; i++) {
				one += field[i] * field[(i + 1) % field.length];
				two += field[i] * field[(i + 2) % field.length];
			}
			final double deviation = Math.sqrt(squares / field.length), u = 2;
			long above = 0, maxima = 0;
			for (int y = 1; y < n - 1; y++) for (int x = 1; x < n - 1; x++) {
				final int i = y * n + x;
				if (field[i] < u * deviation) continue;
				above++;
				boolean max = true;
				for (int d = -1; d <= 1; d++) for (int e = -1; e <= 1; e++) max &= field[i] >= field[i + d * n + e];
				if (max) maxima++;
			}
			final double[] first = { one / squares, one / squares }, second = { two / squares, two / squares };
			assertEquals((double) maxima / above, new MaximaRate(new long[] { n, n }, first, second, Steepness.normal()).given(u), 0.06, "blurred " + blur + " times");
		}
	}

	/** Averages of 3 by 3 values, with weights 1, 2, 1, on a torus. */
	private static double[] smooth(final double[] f, final int n) {
		final double[] g = new double[f.length], h = new double[f.length];
		for (int i = 0; i < f.length; i++) g[i] = f[Math.floorMod(i - 1, f.length)] + 2 * f[i] + f[(i + 1) % f.length];
		for (int i = 0; i < f.length; i++) h[i] = g[Math.floorMod(i - n, f.length)] + 2 * g[i] + g[(i + n) % f.length];
		return h;
	}
}
