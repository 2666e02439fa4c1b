package sc.fiji.ncc.numeric;

/**
 * The covariance of a shift that makes the sum g of gradient times residual zero: {@code J⁻¹·S·J⁻¹/a²}.
 * <p>
 * S is the covariance of g. It follows from the sums of clusters of pixels: noise is correlated inside a cluster, as that of interpolated pixels is,
 * but hardly between clusters, and noise that grows with the brightness counts as it is. K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986) 13-22, DOI
 * 10.1093/biomet/73.1.13.
 * <p>
 * J is the derivative of g: H, the sum of products of gradients, times one minus the rate of the steps H⁻¹g/a, the share of a step that the next step
 * has. Smoothed gradients are too small, noisy ones too large, and then H differs from J in the proportion in which the steps are too short or too
 * long.
 */
public final class ClusterCovariance {

	/** The fewest clusters for a covariance, and the limits of the rate in it. */
	private static final int FEW = 6;
	private static final double LEAST_RATE = -1.5, MOST_RATE = 0.6;

	private ClusterCovariance() {}

	/** Residuals are correlated where interpolation mixes pixels. A few clusters say at least by how much this enlarges the covariance on the whole. */
	private static void enlarge(final double[][] s, final double[] g, final double[][] inverse, final double[][] products, final int clusters,
		final double square)
	{
		final int n = g.length;
		double ratio = 0;
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) ratio += inverse[i][j] * (products[i][j] - g[i] * g[j] / clusters) * clusters / ((clusters - 1) * n * square);
		if (ratio > 1) for (final double[] row : s) for (int i = 0; i < n; i++) row[i] *= ratio;
	}

	/**
	 * With n values for n dimensions. Complexity: n⁴.
	 *
	 * @param g the sums of gradient times residual
	 * @param h the sums of products of gradients; positive definite
	 * @param products the sums over all clusters of products of the clusters' parts of g
	 * @param clusters the number of clusters. Of a few, the residuals count as independent, unless the products are larger.
	 * @param square the mean square of the residuals
	 * @param slope a of the residual {@code f − a·m − b} of the frames f and m
	 * @param rate the share of a step that the next step has; NaN if unknown
	 * @return the covariance in square pixels
	 */
	public static double[][] of(final double[] g, final double[][] h, final double[][] products, final int clusters, final double square,
		final double slope, final double rate)
	{
		final int n = g.length;
		final double[][] inverse = ResidualCovariance.inverse(h), s = new double[n][n];
		for (int i = 0; i < n; i++)
			// about the mean: the last step leaves a sum
			for (int j = 0; j < n; j++) s[i][j] = clusters < FEW ? square * h[i][j] : products[i][j] - g[i] * g[j] / clusters;
		if (clusters > 1 && clusters < FEW) enlarge(s, g, inverse, products, clusters, square);
		final double length = Double.isNaN(rate) ? 1 : 1 - Math.max(LEAST_RATE, Math.min(MOST_RATE, rate));
		final double scale = (clusters < FEW ? 1 : ResidualCovariance.fewValues(clusters)) / (slope * slope * length * length);
		final double[][] covariance = ResidualCovariance.around(inverse, s);
		for (final double[] row : covariance) for (int i = 0; i < n; i++) row[i] *= scale;
		return covariance;
	}
}
