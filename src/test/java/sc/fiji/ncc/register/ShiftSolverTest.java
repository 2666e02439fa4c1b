package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.register.ShiftSolver.Edge;

class ShiftSolverTest {

	private static Edge edge(final int from, final int to, final double dx, final double dy, final double score) {
		return new Edge(from, to, new double[] { dx, dy }, score, 1e-4, Double.NaN, 1, false);
	}

	@Test
	void aChainIsTheSumOfItsShifts() {
		final List<Edge> edges = List.of(edge(0, 1, 1, -2, 0.9), edge(1, 2, 0.5, 0.25, 0.9), edge(3, 2, -1, 1, 0.9));
		final ShiftSolver solver = new ShiftSolver(4, 0, 2, edges);
		assertArrayEquals(new double[] { 1.5, -1.75 }, solver.positions[2], 1e-12);
		assertArrayEquals(new double[] { 2.5, -2.75 }, solver.positions[3], 1e-12);
	}

	@Test
	void framesWithoutAConnectionHaveNoPosition() {
		final ShiftSolver solver = new ShiftSolver(4, 0, 2, List.of(edge(0, 1, 1, 1, 0.9), edge(2, 3, 1, 1, 0.9)));
		assertTrue(Double.isNaN(solver.positions[2][0]) && Double.isNaN(solver.positions[3][1]));
		assertEquals(1, solver.positions[1][0]);
	}

	/** A fifth of the measurements is wrong by many pixels, some of them with high scores. */
	@Test
	void wrongMeasurementsDoNotBendTheOthers() {
		final Random random = new Random(1);
		final int n = 120;
		final double[][] truth = new double[n][2];
		for (int t = 1; t < n; t++) for (int d = 0; d < 2; d++) truth[t][d] = truth[t - 1][d] + random.nextGaussian();
		final List<Edge> edges = new ArrayList<>();
		for (int t = 1; t < n; t++)
			for (final int lag : new int[] { 1, 2, 4, 8, 16 }) {
				if (lag > t) continue;
				final boolean wrong = lag > 1 && random.nextInt(5) == 0;
				final double x = truth[t][0] - truth[t - lag][0], y = truth[t][1] - truth[t - lag][1];
				edges.add(wrong ? edge(t - lag, t, x + 20 * random.nextGaussian(), y + 20 * random.nextGaussian(), 0.6)
					: edge(t - lag, t, x + 0.01 * random.nextGaussian(), y + 0.01 * random.nextGaussian(), 0.9));
			}
		final ShiftSolver solver = new ShiftSolver(n, 0, 2, edges);
		for (int t = 0; t < n; t++) assertArrayEquals(truth[t], solver.positions[t], 0.06, "frame " + t);
	}
}
