package sc.fiji.ncc.peaks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Random;
import java.util.function.ToDoubleFunction;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

import org.junit.jupiter.api.Test;

class QuadraticPeakTest {

	private static final double NAN = Double.NaN;

	@Property
	void aQuadraticIsFoundExactly(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 4) final int n) {
		final Random random = new Random(seed);
		final double[][] a = new double[n][n]; // f = c − ‖A(u − peak)‖² − ‖u − peak‖², negative definite whatever A
		for (final double[] row : a) Arrays.setAll(row, i -> random.nextGaussian());
		final double[] peak = random.doubles(n, -0.9, 0.9).toArray();
		final double[] offset = QuadraticPeak.offset(sample(n, u -> {
			double f = 0.7;
			for (int i = 0; i < n; i++) {
				double s = 0;
				for (int j = 0; j < n; j++) s += a[i][j] * (u[j] - peak[j]);
				f -= s * s + (u[i] - peak[i]) * (u[i] - peak[i]);
			}
			return 1e-3 * f;
		}), n);
		assertArrayEquals(peak, offset, 1e-11);
	}

	/** Along one dimension a Gaussian's offset comes out as {@code q·sinh a / (2(1 − q·cosh a))}, q = exp(−1/2σ²), a = δ/σ². */
	@Property
	void aGaussianIsFoundWithTheKnownBias(@ForAll @DoubleRange(min = -0.5, max = 0.5) final double peak,
		@ForAll @DoubleRange(min = 0.8, max = 10) final double sigma)
	{
		final double q = Math.exp(-0.5 / (sigma * sigma)), a = peak / (sigma * sigma);
		final double[] values = sample(1, u -> Math.exp(-(u[0] - peak) * (u[0] - peak) / (2 * sigma * sigma)));
		assertEquals(q * Math.sinh(a) / (2 * (1 - q * Math.cosh(a))), QuadraticPeak.offset(values, 1)[0], 1e-11);
	}

	@Property
	void anObliqueGaussianIsFoundToAFewHundredthsOfAPixel(@ForAll @DoubleRange(min = -0.5, max = 0.5) final double x,
		@ForAll @DoubleRange(min = -0.5, max = 0.5) final double y, @ForAll @DoubleRange(min = 0, max = 3.2) final double angle)
	{
		final double[] offset = QuadraticPeak.offset(sample(2, u -> {
			final double along = (u[0] - x) * Math.cos(angle) + (u[1] - y) * Math.sin(angle);
			final double across = (u[1] - y) * Math.cos(angle) - (u[0] - x) * Math.sin(angle);
			return Math.exp(-along * along / (2 * 8 * 8) - across * across / (2 * 4 * 4));
		}), 2);
		assertArrayEquals(new double[] { x, y }, offset, 0.03);
	}

	@Property
	void symmetricValuesHaveTheirPeakInTheMiddle(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 4) final int n) {
		final Random random = new Random(seed);
		final double[] values = random.doubles((int) Math.pow(3, n), 0, 1).toArray();
		for (int i = 0; i < values.length / 2; i++) values[values.length - 1 - i] = values[i];
		values[values.length / 2] = 1;
		assertArrayEquals(new double[n], QuadraticPeak.offset(values, n), 1e-12);
	}

	@Property
	void neverFartherThanOnePixel(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 4) final int n) {
		final Random random = new Random(seed);
		final double[] values = random.doubles((int) Math.pow(3, n), -1, 1).toArray();
		for (int i = 0; i < 3; i++) if (random.nextBoolean()) values[random.nextInt(values.length)] = NAN;
		for (final double o : QuadraticPeak.offset(values, n)) assertEquals(0, o, 1);
	}

	@Test
	void equalNeighboursAreHalfWay() {
		assertArrayEquals(new double[] { 0.5 }, QuadraticPeak.offset(new double[] { 0, 1, 1 }, 1), 1e-15);
		assertArrayEquals(new double[] { -0.5, 0 }, QuadraticPeak.offset(new double[] { 0, 0, -1, 1, 1, 0, 0, 0, -1 }, 2), 1e-15);
	}

	@Test
	void aBorderHasNoOffset() {
		final double[] noLeft = { NAN, 3, 1, NAN, 4, 2, NAN, 2, 0 };
		assertArrayEquals(new double[] { 0, -1.0 / 6 }, QuadraticPeak.offset(noLeft, 2), 1e-15);
		final double[] corner = { NAN, NAN, NAN, NAN, 4, 2, NAN, 2, 0 };
		assertArrayEquals(new double[2], QuadraticPeak.offset(corner, 2));
		final double[] row = { NAN, NAN, NAN, 1, 4, 3, NAN, NAN, NAN };
		assertArrayEquals(new double[] { 0.25, 0 }, QuadraticPeak.offset(row, 2), 1e-15);
	}

	@Test
	void aBorderOfAVolumeLeavesTheFitInItsPlane() {
		final ToDoubleFunction<double[]> f = u -> -(u[0] - 0.2) * (u[0] - 0.2) - (u[1] + 0.3) * (u[1] + 0.3) - (u[0] - 0.2) * (u[1] + 0.3);
		final double[] values = sample(3, u -> u[2] > 0 ? NAN : f.applyAsDouble(u));
		assertArrayEquals(new double[] { 0.2, -0.3, 0 }, QuadraticPeak.offset(values, 3), 1e-12);
	}

	@Test
	void aMissingDiagonalLeavesTheParabolas() {
		final double[] values = sample(2, u -> -(u[0] - 0.2) * (u[0] - 0.2) - 2 * (u[1] + 0.1) * (u[1] + 0.1));
		values[0] = NAN;
		assertArrayEquals(new double[] { 0.2, -0.1 }, QuadraticPeak.offset(values, 2), 1e-14);
	}

	/** Along x the vertex of the parabola is exactly 1 pixel away, along y the values rise to one side and have none. */
	@Test
	void aParabolaReachesOnePixel() {
		assertArrayEquals(new double[] { 1, 0 }, QuadraticPeak.offset(new double[] { NAN, 2, 0, 0, 3, 4, 0, 4, 0 }, 2), 1e-15);
	}

	@Test
	void aSaddleLeavesTheParabolas() {
		// greater along one diagonal, so that the fit bends upwards there
		final double[] values = { 0.95, 0.85, -1, 0.85, 1, 0.9, -1, 0.85, 0.95 };
		assertArrayEquals(new double[] { 0.05 / (2 * 0.25), 0 }, QuadraticPeak.offset(values, 2), 1e-14);
	}

	@Test
	void aFlatOrUndefinedNeighbourhoodHasNoOffset() {
		assertArrayEquals(new double[2], QuadraticPeak.offset(new double[9], 2));
		final double[] undefined = new double[9];
		Arrays.fill(undefined, NAN);
		assertArrayEquals(new double[2], QuadraticPeak.offset(undefined, 2));
		assertArrayEquals(new double[] { 0 }, QuadraticPeak.offset(new double[] { 1, 2, 4 }, 1));
		assertThrows(IllegalArgumentException.class, () -> QuadraticPeak.offset(new double[8], 2));
	}

	private static double[] sample(final int n, final ToDoubleFunction<double[]> f) {
		final double[] values = new double[(int) Math.pow(3, n)];
		final double[] u = new double[n];
		for (int k = 0; k < values.length; k++) {
			for (int d = 0, code = k; d < n; d++, code /= 3) u[d] = code % 3 - 1;
			values[k] = f.applyAsDouble(u);
		}
		return values;
	}
}
