package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import org.junit.jupiter.api.Test;

class QuinticSplineTest {

	private static double at(final double[] coefficients, final double x, final boolean slope) {
		final int whole = (int) Math.floor(x);
		final double[] weights = new double[QuinticSpline.COEFFICIENTS];
		if (slope) QuinticSpline.slopes(x - whole, weights);
		else QuinticSpline.weights(x - whole, weights);
		double sum = 0;
		for (int i = 0; i < weights.length; i++) sum += weights[i] * coefficients[CubicSpline.mirrored(whole - 2 + i, coefficients.length)];
		return sum;
	}

	@Test
	void itPassesThroughItsValues() {
		final double[] values = new Random(1).doubles(20).toArray(), c = values.clone();
		QuinticSpline.coefficients(c);
		for (int i = 0; i < values.length; i++) assertEquals(values[i], at(c, i, false), 1e-12, "value " + i);
		for (double x = 0; x < 19; x += 0.37) assertEquals((at(c, x + 1e-5, false) - at(c, x - 1e-5, false)) / 2e-5, at(c, x, true), 1e-8, "slope at " + x);
	}

	@Test
	void wavesOfSixPixelsAreExactToATenThousandth() {
		final double[] values = new double[61], cubic = new double[61], coefficients = new double[CubicSpline.COEFFICIENTS];
		for (int i = 0; i < values.length; i++) values[i] = cubic[i] = Math.cos(Math.PI * i / 3);
		QuinticSpline.coefficients(values);
		CubicSpline.coefficients(cubic);
		double worst = 0, worstCubic = 0;
		for (double x = 20; x < 40; x += 0.05) {
			CubicSpline.weights(x - Math.floor(x), coefficients);
			double sum = 0;
			for (int i = 0; i < coefficients.length; i++) sum += coefficients[i] * cubic[(int) x - 1 + i];
			worst = Math.max(worst, Math.abs(at(values, x, false) - Math.cos(Math.PI * x / 3)));
			worstCubic = Math.max(worstCubic, Math.abs(sum - Math.cos(Math.PI * x / 3)));
		}
		assertEquals(0, worst, 1.5e-4);
		assertEquals(0, worstCubic, 4e-3);
		assertTrue(10 * worst < worstCubic, worst + " and " + worstCubic);
	}
}
