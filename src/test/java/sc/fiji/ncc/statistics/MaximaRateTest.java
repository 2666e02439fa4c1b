package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

import org.junit.jupiter.api.Test;

class MaximaRateTest {

	@Test
	void bivariateNormalProbability() {
		for (final double h : new double[] { -1, 0, 0.3, 2.5 }) {
			assertEquals(MaximaRate.normal(h) * MaximaRate.normal(h), MaximaRate.both(h, 0), 3e-7);
			assertEquals(MaximaRate.normal(h), MaximaRate.both(h, 1), 3e-7);
			assertEquals(Math.max(0, 2 * MaximaRate.normal(h) - 1), MaximaRate.both(h, -1), 3e-7);
		}
		// P(X < 0, Y < 0) = 1/4 + asin(r)/(2π)
		for (final double r : new double[] { -0.9, -0.6, -0.3, 0.5, 0.95 }) {
			final double h = 0.8;
			double integral = 0;
			for (double x = h - 9 + 5e-4; x < h; x += 1e-3)
				integral += 1e-3 * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * MaximaRate.normal((h - r * x) / Math.sqrt(1 - r * r));
			assertEquals(integral, MaximaRate.both(h, r), 1e-6, "correlation " + r);
		}
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

	/** The mean of Φ(v)^k over the values v above u is (1 − Φ(u)^(k+1)) / ((k + 1)·(1 − Φ(u))), and the neighbours inside a grid are two for each axis. */
	@Test
	void independentValues() {
		for (final double u : new double[] { -0.5, 0, 1, 2.5, 4 }) {
			final double k2 = power(u, 2), k1 = power(u, 1), k4 = power(u, 4), k3 = power(u, 3);
			assertEquals((8 * k2 + 2 * k1) / 10, rate(new long[] { 10 }, 0).given(u), 1e-4, "a row, above " + u);
			assertEquals((8 * 5 * k4 + (2 * 5 + 2 * 8) * k3 + 4 * k2) / 70, rate(new long[] { 10, 1, 7 }, 0).given(u), 1e-4, "a plane, above " + u);
			assertEquals(k1, rate(new long[] { 2 }, 0).given(u), 1e-4, "a pair, above " + u);
			assertEquals(1, rate(new long[] { 1, 1 }, 0).given(u), 1e-12, "one value");
			assertEquals(k2, rate(0, v -> v).given(u), 1e-4, "a long row, above " + u);
		}
	}

	private static double power(final double u, final int k) {
		return (1 - Math.pow(MaximaRate.normal(u), k + 1)) / ((k + 1) * (1 - MaximaRate.normal(u)));
	}

	/**
	 * Given a value v, both neighbours of a chain with the correlations r and r² are independent, and each is below it with the probability
	 * Φ(v·√((1 − r)/(1 + r))).
	 */
	@Test
	void chain() {
		for (final double r : new double[] { -0.5, 0.4, 0.9 }) for (final double u : new double[] { 0.5, 2, 4 }) {
			double maxima = 0, all = 0;
			for (double v = u; v < u + 8; v += 1e-3) {
				final double density = Math.exp(-v * v / 2);
				all += density;
				maxima += density * Math.pow(MaximaRate.normal(v * Math.sqrt((1 - r) / (1 + r))), 2);
			}
			assertEquals(maxima / all, rate(new long[] { 1L << 30 }, r).given(u), 1e-3, "correlation " + r + ", above " + u);
		}
	}

	/** Counts from a steepness of a straight line times the value give this line back, where they are so large that the prior does not count. */
	@Test
	void calibration() {
		final double[] levels = { 2, 2.5, 3 };
		for (final double increase : new double[] { -0.05, 0.15 }) {
			final MaximaRate steep = rate(0.8, v -> v * (1.2 + increase * Math.max(0, v - 2)));
			final long[] exceeding = new long[3], maxima = new long[3];
			for (int i = 0; i < 3; i++) {
				exceeding[i] = 1L << 50;
				// those of one factor for all values above the level
				maxima[i] = Math.round(rate(0.8, factor(1.2 + increase * (levels[i] - 2))).given(levels[i]) * exceeding[i]);
			}
			final MaximaRate found = rate(0.8, v -> v).calibrated(levels, exceeding, maxima);
			for (final double u : new double[] { 1, 2, 3, 5 }) assertEquals(steep.given(u), found.given(u), 5e-3 * steep.given(u), "above " + u);
		}
	}

	/** The counts are of places inside the grid. */
	@Test
	void calibrationOfASmallGrid() {
		final double[] r = { 0.7, 0, 0.5 }, second = { 0.49, 0, 0.25 };
		final long[] size = { 3, 1, 2 }, large = { 1L << 30, 1, 1L << 30 }, many = { 1L << 50 };
		final double inside = new MaximaRate(large, r, second, steepness(factor(1.3))).given(2);
		final long[] maxima = { Math.round(inside * many[0]) };
		final MaximaRate found = new MaximaRate(size, r, second, Steepness.normal()).calibrated(new double[] { 2 }, many, maxima);
		final double expected = new MaximaRate(size, r, second, steepness(factor(1.3))).given(2.1);
		assertEquals(expected, found.given(2.1), 2e-3 * expected);
	}

	/** A factor is 0.95 ± 0.1 at the value 2, and its increase 0 ± 0.1. A count of m maxima finds a factor with the error 1/√m/(1 − share). */
	@Test
	void fewMaxima() {
		final MaximaRate field = rate(0.8, v -> v);
		final double u = 2.2;
		assertEquals(rate(0.8, factor(0.95)).given(u), field.calibrated(new double[] { 2, 3 }, new long[] { 5, 0 }, new long[2]).given(u), 1e-9, "no maxima");
		for (final double level : new double[] { 2, 2.5 }) {
			final long maxima = 60, exceeding = Math.round(60 / rate(0.8, factor(1.3)).given(level));
			final double share = (double) maxima / exceeding, error = 1.3 / Math.sqrt(maxima) / (1 - share), x = level - 2;
			// the gain of one measurement of factor + x·increase
			final double gain = 0.01 / (0.01 + 0.01 * x * x + error * error), surprise = 1.3 - 0.95;
			final double factor = 0.95 + gain * surprise, increase = x * gain * surprise;
			final double expected = rate(0.8, v -> v * (factor + increase * Math.max(0, v - 2))).given(u);
			final MaximaRate found = field.calibrated(new double[] { level }, new long[] { exceeding }, new long[] { maxima });
			assertEquals(expected, found.given(u), 2e-3 * expected, "level " + level);
		}
	}

	/** A factor is 0.3 to 8. */
	@Test
	void limitsOfTheFactor() {
		final MaximaRate field = rate(0.8, v -> v);
		final long many = 1L << 50;
		final MaximaRate flat = field.calibrated(new double[] { 2 }, new long[] { many }, new long[] { many / 1000 });
		assertEquals(rate(0.8, factor(0.3)).given(2), flat.given(2), 1e-4);
		final MaximaRate steep = rate(0.99, v -> v).calibrated(new double[] { 2 }, new long[] { many }, new long[] { many - 1 });
		assertEquals(rate(0.99, factor(8)).given(2), steep.given(2), 0.02);
	}

	private static DoubleUnaryOperator factor(final double factor) {
		return v -> factor * v;
	}

	/** A row, so that all neighbours are along one axis, whose correlations are those of a chain. */
	private static MaximaRate rate(final double r, final DoubleUnaryOperator steepness) {
		return new MaximaRate(new long[] { 1L << 30 }, new double[] { r }, new double[] { r * r }, steepness(steepness));
	}

	private static Steepness steepness(final DoubleUnaryOperator steepness) {
		return new Steepness() {

			@Override
			double of(final int axis, final double value) {
				if (value < 0) throw new IllegalArgumentException("a steepness is of values from 0 on");
				return steepness.applyAsDouble(value);
			}
		};
	}

	private static MaximaRate rate(final long[] size, final double r) {
		final double[] first = new double[size.length], second = new double[size.length];
		Arrays.fill(first, r);
		Arrays.fill(second, r * r);
		return new MaximaRate(size, first, second, Steepness.normal());
	}

	/** Averages of 3 by 3 values, with weights 1, 2, 1, on a torus. */
	private static double[] smooth(final double[] f, final int n) {
		final double[] g = new double[f.length], h = new double[f.length];
		for (int i = 0; i < f.length; i++) g[i] = f[Math.floorMod(i - 1, f.length)] + 2 * f[i] + f[(i + 1) % f.length];
		for (int i = 0; i < f.length; i++) h[i] = g[Math.floorMod(i - n, f.length)] + 2 * g[i] + g[(i + n) % f.length];
		return h;
	}

	/** An axis of one value has no neighbours, also in the fit to the maxima that were counted. */
	@Test
	void anAxisOfOneValueChangesNothing() {
		final double[] levels = { 2, 2.5, 3 };
		final long[] exceeding = { 2000, 600, 130 }, maxima = { 900, 330, 85 };
		final MaximaRate line = new MaximaRate(new long[] { 100_000 }, new double[] { 0.7 }, new double[] { 0.3 }, Steepness.normal())
			.calibrated(levels, exceeding, maxima);
		final MaximaRate plane = new MaximaRate(new long[] { 100_000, 1 }, new double[] { 0.7, 0 }, new double[] { 0.3, 0 },
			Steepness.normal())
			.calibrated(levels, exceeding, maxima);
		for (final double u : levels) assertEquals(line.given(u), plane.given(u), 1e-12);
	}
}
