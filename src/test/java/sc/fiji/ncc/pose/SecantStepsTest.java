package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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

	/** After a step that does not help, the next one is that of Gauss-Newton; without curvature there is no other one. */
	@Test
	void forgetsTheCurvature() {
		final SecantSteps steps = new SecantSteps(1);
		assertFalse(steps.forget());
		steps.next(normal(0.2));
		assertFalse(steps.forget());
		steps.next(normal(0.2));
		final double structured = steps.next(normal(0.1))[0];
		final double[] plain = SecantSteps.solved(normal(0.1));
		assertNotEquals(plain[0], structured, 1e-3);
		assertTrue(steps.forget());
		assertArrayEquals(plain, steps.next(normal(0.1)));
	}

	private static double[][] normal(final double x) {
		final double slope = 1.8 * x + 1;
		return new double[][] { { 1 + slope * slope, -(x + 1 + slope * (0.9 * x * x + x - 1)) } };
	}
}
