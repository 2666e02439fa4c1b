package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.FDistribution;
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

	/** The mean product of residuals at a displacement, or the sum of products of moments at it, over all pairs of pixels that count. */
	private static double pairs(final double[] a, final double[] b, final double[] weights, final int[] size, final int[] k, final boolean mean) {
		double sum = 0, pairs = 0;
		for (int i = 0; i < a.length; i++) {
			int other = i;
			boolean inside = weights[i % weights.length] > 0;
			for (int d = 0, stride = 1, rest = i % weights.length; d < size.length; stride *= size[d], rest /= size[d++]) {
				final int x = rest % size[d] + k[d];
				inside &= x >= 0 && x < size[d];
				other += k[d] * stride;
			}
			if (!inside || !(weights[other % weights.length] > 0)) continue;
			sum += a[i] * b[other];
			pairs++;
		}
		return !mean ? sum : pairs == 0 ? 0 : sum / pairs;
	}

	/** {@code Σ_k R(k)·Σ_x m(x)·m(x + k)ᵀ} over displacements up to the extents within which the residual is correlated, times the factor of few values. */
	private static double[][] byPairs(final double[][] m, final double[] summed, final double[] e, final double[] weights, final int[] size) {
		final int n = size.length, channels = e.length / weights.length;
		final int[] extent = new int[n], k = new int[n];
		final double variance = pairs(e, e, weights, size, k, true);
		int displacements = 1;
		for (int d = 0; d < n; d++) {
			for (k[d] = 1; k[d] <= Math.min(8, size[d] / 4) && Math.abs(pairs(e, e, weights, size, k, true)) > 0.15 * variance; k[d]++) extent[d] = k[d];
			k[d] = 0;
			displacements *= 2 * extent[d] + 1;
		}
		final double[][] s = new double[m.length][m.length];
		double squares = 0;
		for (int i = 0; i < displacements; i++) {
			for (int d = 0, rest = i; d < n; rest /= 2 * extent[d++] + 1) k[d] = rest % (2 * extent[d] + 1) - extent[d];
			final double r = pairs(e, e, weights, size, k, true);
			squares += r * r / (variance * variance);
			for (int a = 0; a < m.length; a++) for (int b = 0; b < m.length; b++) s[a][b] += r * pairs(m[a], m[b], summed, size, k, false);
		}
		final double[][] white = new double[m.length][m.length];
		for (int a = 0; a < m.length; a++) for (int b = 0; b < m.length; b++) white[a][b] = variance * pairs(m[a], m[b], summed, size, new int[n], false);
		final double values = channels * Arrays.stream(weights).filter(w -> w > 0).count(),
			fitted = (m.length + 1 + channels) * Math.max(1, displacements / 2.0),
			factor = values / Math.max(values / 2, values - fitted) * ResidualCovariance.fewValues(values / Math.max(1, squares));
		final double[][] used = ResidualCovariance.inverse(s) != null ? s : white;
		for (final double[] row : used) for (int a = 0; a < row.length; a++) row[a] *= factor;
		return used;
	}

	/** Values on a grid, channel after channel: 0 where the weight is 0. */
	private static float[] on(final PaddedGrid grid, final double[] values, final double[] weights) {
		final int channels = values.length / weights.length;
		final float[] to = new float[channels * grid.length()];
		for (int c = 0; c < channels; c++) {
			final double[] one = new double[weights.length];
			for (int i = 0; i < one.length; i++) one[i] = weights[i] > 0 ? values[c * one.length + i] : 0;
			grid.put(one, to, c * grid.length());
		}
		return to;
	}

	/** In one to three dimensions, with several channels, and with pixels that do not count. */
	@Test
	void theCovarianceOfAResidualIsTheSumOverAllPairs() {
		final Random random = new Random(9);
		for (final int[] size : new int[][] { { 40 }, { 13, 9 }, { 5, 40 }, { 1, 12 }, { 12, 3 }, { 9, 8, 5 }, { 4, 5, 12 } })
			for (int channels = 1; channels <= 2; channels++)
				for (int missing = 0; missing < 3; missing++) {
					final int count = Arrays.stream(size).reduce(1, (a, b) -> a * b), all = channels * count, last = count / size[size.length - 1];
					final double[] weights = new double[count], summed = new double[count], residual = random.doubles(all, -1, 1).toArray();
					final double[][] moments = { random.doubles(all, -1, 1).toArray(), random.doubles(all, -1, 1).toArray() };
					for (int i = 0; i < count; i++) {
						// none, a side, or single ones
						weights[i] = missing == 0 || (missing == 1 ? i >= last : random.nextInt(4) > 0) ? 1 : 0;
						summed[i] = random.nextInt(5) > 0 ? 0.5 : 0;
					}
					// neighbours are alike along each dimension
					for (int d = 0, stride = 1; d < size.length; stride *= size[d++])
						for (int i = 0; i < all; i++) {
							if (i / stride % size[d] == 0) continue;
							residual[i] = 0.4 * residual[i] + 0.6 * residual[i - stride];
							for (final double[] m : moments) m[i] = 0.4 * m[i] + 0.6 * m[i - stride];
						}
					final PaddedGrid grid = PaddedGrid.of(size);
					final double[][] expected = byPairs(moments, summed, residual, weights, size),
						found = new ResidualCovariance(grid, channels, 2)
							.of(new double[][] { { 1, 0 }, { 0, 1 } }, new float[][] { on(grid, moments[0], summed),
							on(grid, moments[1], summed) }, on(grid, residual, weights), on(grid, weights, weights));
					for (int a = 0; a < 2; a++) assertArrayEquals(expected[a], found[a], 1e-5 * (expected[0][0] + expected[1][1]),
						Arrays.toString(size) + ", " + channels + " channels, missing " + missing);
				}
	}

	/** The square of the radius that holds 68 %, with a variance of so many values, over that with a known variance. Fewer than four count as four. */
	@Test
	void fewValuesEnlargeTheEllipse() {
		for (int n = 1; n < 40; n++) assertEquals(2 * new FDistribution(null, 2, Math.max(4, n)).inverseCumulativeProbability(0.68)
			/ new ChiSquaredDistribution(null, 2).inverseCumulativeProbability(0.68), ResidualCovariance.fewValues(n), 1e-6, n + " values");
	}
}
