package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.UnaryOperator;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.numeric.GridSpline;

/** Positions in two frames for a smooth motion. */
class PredictedMotionTest {

	private static final int WIDTH = 40;

	/** A motion of up to 8 pixels, whose gradient is up to 0.15. */
	private static UnaryOperator<double[]> motion(final int n) {
		return x -> {
			final double[] u = new double[n];
			for (int d = 0; d < n; d++) u[d] = 5 - 3 * d + 3 * Math.sin(0.05 * x[d] + 0.4 * d) + 0.04 * x[(d + 1) % n];
			return u;
		};
	}

	private static GridSpline spline(final int n) {
		final int[] count = new int[n];
		final double[] origin = new double[n], spacing = new double[n];
		int all = 1;
		for (int d = 0; d < n; d++) {
			count[d] = 15;
			origin[d] = -8;
			spacing[d] = 4;
			all *= 15;
		}
		final double[][] u = new double[n][all];
		for (int i = 0; i < all; i++) {
			final double[] x = new double[n];
			for (int d = 0, rest = i; d < n; rest /= 15, d++) x[d] = origin[d] + spacing[d] * (rest % 15);
			final double[] at = motion(n).apply(x);
			for (int d = 0; d < n; d++) u[d][i] = at[d];
		}
		return new GridSpline(count, origin, spacing, u);
	}

	/** The first position is a whole pixel, the second one is farther by the motion in the middle, and the middle is at the pixel. */
	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void positionsDifferByTheMotionInTheirMiddle(final int n) {
		final PredictedMotion predicted = new PredictedMotion(spline(n), n);
		double farthest = 0;
		for (int y = 2; y < WIDTH - 2; y++) {
			final double[] row = { 0, y, 11 };
			final double[][] first = new double[n][WIDTH], second = new double[n][WIDTH];
			predicted.first(row, first);
			predicted.second(row, second);
			for (int x = 2; x < WIDTH - 2; x++) {
				final double[] middle = new double[n];
				for (int d = 0; d < n; d++) {
					assertEquals(Math.rint(first[d][x]), first[d][x], 0.0);
					middle[d] = (first[d][x] + second[d][x]) / 2;
					farthest = Math.max(farthest, Math.abs(middle[d] - (d == 0 ? x : row[d])));
				}
				final double[] u = motion(n).apply(middle);
				for (int d = 0; d < n; d++) assertEquals(u[d], second[d][x] - first[d][x], 0.003, x + ", " + y);
			}
		}
		// half a pixel, and what the motion differs by over it
		assertTrue(farthest > 0.45 && farthest < 0.56, "the middle is " + farthest + " from the pixel");
	}
}
