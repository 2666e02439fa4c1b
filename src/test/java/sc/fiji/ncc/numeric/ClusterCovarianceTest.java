package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

/** The covariance of a shift from few and from many clusters of pixels. */
class ClusterCovarianceTest {

	private static final double SQUARE = 0.3, SLOPE = 2;
	private static final double[][] H = { { 5, 1 }, { 1, 3 } };
	private static final double[] NONE = { 0, 0 };

	/** Products of clusters that are as those of independent residuals, times a factor. */
	private static double[][] products(final double factor, final int clusters) {
		final double[][] products = new double[2][2];
		for (int i = 0; i < 2; i++)
			for (int j = 0; j < 2; j++) products[i][j] = factor * SQUARE * H[i][j] * (clusters - 1) / clusters;
		return products;
	}

	private static double[][] of(final double factor, final int clusters) {
		return ClusterCovariance.of(NONE, H, products(factor, clusters), clusters, SQUARE, SLOPE, Double.NaN);
	}

	/** σ²·H⁻¹/a², times a factor. */
	private static double[][] independent(final double factor) {
		final double all = factor * SQUARE / (SLOPE * SLOPE) / 14;
		return new double[][] { { 3 * all, -all }, { -all, 5 * all } };
	}

	private static void same(final double[][] expected, final double[][] actual) {
		for (int i = 0; i < 2; i++) assertArrayEquals(expected[i], actual[i], 1e-12);
	}

	@Test
	void fewClustersEnlargeTheCovarianceButDoNotReduceIt() {
		for (int clusters = 2; clusters < 6; clusters++) {
			same(independent(1), of(0.4, clusters));
			same(independent(1), of(1, clusters));
			same(independent(4), of(4, clusters));
		}
	}

	@Test
	void oneClusterSaysNothing() {
		same(independent(1), ClusterCovariance.of(NONE, H, products(50, 2), 1, SQUARE, SLOPE, Double.NaN));
	}

	/** Of many clusters, their products count alone, in both directions. */
	@Test
	void manyClustersCountAlone() {
		final int clusters = 20;
		for (final double factor : new double[] { 0.4, 1, 4 })
			same(independent(factor * (clusters - 1) / clusters * ResidualCovariance.fewValues(clusters)), of(factor, clusters));
	}
}
