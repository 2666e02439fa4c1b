package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
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

	private static Edge edge(final int from, final int to, final double shift, final double variance) {
		return new Edge(from, to, new double[] { shift }, 0.9, variance, Double.NaN, 1, false);
	}

	/** Three shifts in a ring miss by 0.009 pixels. That is small beside their errors, so each takes the share of its variance: 1, 2 and 6 parts of 9. */
	@Test
	void aSmallMissIsSharedByVariance() {
		final double[][] positions = new ShiftSolver(3, 0, 1, List.of(edge(0, 1, 1, 0.01), edge(1, 2, 1, 0.02), edge(0, 2, 2.009, 0.06))).positions;
		assertArrayEquals(new double[] { 0, 1.001, 2.003 }, new double[] { positions[0][0], positions[1][0], positions[2][0] }, 1e-6);
		final double[][] last = new ShiftSolver(3, 2, 1, List.of(edge(0, 1, 1, 0.01), edge(1, 2, 1, 0.02), edge(0, 2, 2.009, 0.06))).positions;
		assertArrayEquals(new double[] { -2.003, -1.002, 0 }, new double[] { last[0][0], last[1][0], last[2][0] }, 1e-6);
	}

	/** A ring is solved also if other frames have no connection with it, so that there are fewer pairs than frames. */
	@Test
	void aRingBesideOtherFrames() {
		final List<Edge> edges = List.of(edge(0, 1, 1, 0.01), edge(1, 2, 1, 0.02), edge(0, 2, 2.009, 0.06), edge(4, 5, 1, 0.01));
		final double[][] positions = new ShiftSolver(9, 0, 1, edges).positions;
		assertArrayEquals(new double[] { 0, 1.001, 2.003, Double.NaN, Double.NaN }, Arrays.stream(positions).limit(5).mapToDouble(p -> p[0]).toArray(), 1e-6);
	}

	/**
	 * Several shifts of one frame, with a standard deviation of 1 pixel. The position p solves Σ (x - p) / (1 + ((x - p) / (2.385·s))²) = 0.
	 * The scale s is 1, or the median distance / 1.18 if this is larger: 3.047 for the second set.
	 */
	@Test
	void outliersHaveSmallWeights() {
		assertEquals(0.44768, new ShiftSolver(2, 0, 1, List.of(edge(0, 1, 0, 1), edge(0, 1, 0, 1), edge(0, 1, 6, 1))).positions[1][0], 1e-4);
		assertEquals(3.59543, new ShiftSolver(2, 0, 1, List.of(edge(0, 1, 3, 1), edge(0, 1, 0, 1), edge(0, 1, 9, 1))).positions[1][0], 1e-4);
	}

	/** The shift from 0 to 2 has the lowest score: the tree leaves it out, and it is so far off that it has no weight. */
	@Test
	void theTreeTakesTheHighestScores() {
		final ShiftSolver solver = new ShiftSolver(3, 0, 2, List.of(edge(0, 2, 500, 500, 0.3), edge(0, 1, 1, 2, 0.8), edge(1, 2, 3, 4, 0.7)));
		assertArrayEquals(new double[] { 4, 6 }, solver.positions[2], 1e-3);
		assertArrayEquals(new double[] { 1, 2 }, solver.positions[1], 1e-3);
	}
}
