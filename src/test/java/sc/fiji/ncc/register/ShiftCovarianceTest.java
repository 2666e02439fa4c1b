package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.register.ShiftSolver.Edge;

class ShiftCovarianceTest {

	private static Edge edge(final int from, final int to, final double xx, final double xy, final double yy) {
		return new Edge(from, to, new double[2], 0.9, 1e-4, Double.NaN, 1, false, new double[][] { { xx, xy }, { xy, yy } }, Double.NaN);
	}

	@Test
	void aChainAddsUp() {
		final double[][][] c = new ShiftCovariance(2, 5, 0, List.of(edge(0, 1, 1, 0.5, 2), edge(1, 2, 3, 0, 1), edge(3, 2, 1, -1, 4))).positions();
		assertArrayEquals(new double[2][2], c[0]);
		assertArrayEquals(new double[][] { { 1, 0.5 }, { 0.5, 2 } }, c[1]);
		assertArrayEquals(new double[][] { { 4, 0.5 }, { 0.5, 3 } }, c[2]);
		assertArrayEquals(new double[][] { { 5, -0.5 }, { -0.5, 7 } }, c[3]);
		assertNull(c[4], "not connected");
	}

	@Test
	void aFrameWithSeveralPairsHasTheirMean() {
		final List<Edge> pairs = List.of(edge(0, 1, 2, 0, 2), edge(0, 2, 4, 1, 2), edge(1, 2, 2, 3, 6));
		final double[][][] c = new ShiftCovariance(2, 3, 0, pairs).positions();
		assertArrayEquals(new double[2][2], c[0]);
		assertArrayEquals(new double[][] { { 3, 2 }, { 2, 4 } }, c[2]);
		assertArrayEquals(new double[][] { { 3, 2 }, { 2, 4 } }, ShiftCovariance.next(2, pairs.subList(1, 3), e -> c[e.from()]));
		assertArrayEquals(new double[][] { { 4, 3 }, { 3, 8 } }, ShiftCovariance.next(2, pairs.subList(2, 3), e -> c[0].length == 2 ? new double[][] { { 2, 0 }, { 0, 2 } } : null));
	}

	@Test
	void aPairWithoutCovarianceMakesAChainUnknown() {
		final Edge unknown = new Edge(0, 1, new double[2], 0.9, 1e-4, Double.NaN, 1, false);
		final double[][][] c = new ShiftCovariance(2, 4, 0, List.of(unknown, edge(1, 2, 1, 0, 1))).positions();
		assertNull(c[1]);
		assertNull(c[2]);
	}
}
