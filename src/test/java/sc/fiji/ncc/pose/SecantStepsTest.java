package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SecantStepsTest {

	/** The least squares of x + 1 and 0.9 x² + x - 1 are at x = 0, with a residual so large that each step of Gauss-Newton leaves 0.9 of the error. */
	@Test
	void convergesWhereGaussNewtonIsSlow() {
		final SecantSteps steps = new SecantSteps(1);
		double x = 0.2, slow = 0.2;
		for (int i = 0; i < 12; i++) {
			x += steps.next(normal(x))[0];
			slow += SecantSteps.solved(normal(slow))[0];
		}
		assertEquals(0, x, 1e-9);
		assertTrue(slow > 0.01, "Gauss-Newton: " + slow);
	}

	private static double[][] normal(final double x) {
		final double slope = 1.8 * x + 1;
		return new double[][] { { 1 + slope * slope, -(x + 1 + slope * (0.9 * x * x + x - 1)) } };
	}
}
