package sc.fiji.ncc.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.Size;

/** {@link Separation} for sums in double. A kernel whose values were rounded to float is usually not separable at this tolerance. */
public final class DoubleSeparation {

	/** The maximum error of a convolution, in max|pixel|·Σ|coefficient|. */
	public static final double TOLERANCE = 1e-13;
	/** The maximum rest of a kernel after subtraction of its products, in Σ|k|. */
	private static final double REST = TOLERANCE / 10;

	/** For each term the factor along x, y and z. */
	public final double[][] x, y, z;

	private DoubleSeparation(final List<double[][]> factors) {
		x = factors.stream().map(f -> f[0]).toArray(double[][]::new);
		y = factors.stream().map(f -> f[1]).toArray(double[][]::new);
		z = factors.stream().map(f -> f[2]).toArray(double[][]::new);
	}

	public int terms() {
		return x.length;
	}

	/** Separates a kernel. Empty if it is not a sum of a few products within the tolerance. */
	public static Optional<DoubleSeparation> of(final ConvolutionKernel kernel, final Size size) {
		final List<double[][]> factors = Separation.factors(kernel, size, REST);
		if (factors.isEmpty()) return Optional.empty();
		final int width = (int) size.get(0), height = (int) size.get(1), depth = (int) size.get(2);
		double products = 0;
		for (final double[][] f : factors) products += Separation.magnitude(f[0]) * Separation.magnitude(f[1]) * Separation.magnitude(f[2]);
		// each sum errs by at most one eps per coefficient; the sums along the last dimension include all terms
		final double rounding = (width + (depth > 1 ? height : 0) + factors.size() * (double) (depth > 1 ? depth : height) + 4) * Tolerance.EPS_DOUBLE * products;
		double rest = 0;
		for (int k = 0, i = 0; k < depth; k++)
			for (int j = 0; j < height; j++)
				for (int u = 0; u < width; u++, i++) {
					double v = kernel.values()[i];
					for (final double[][] f : factors) v -= f[0][u] * f[1][j] * f[2][k];
					// the rest is itself computed in double
					rest += Math.abs(v) + 4 * factors.size() * Tolerance.EPS_DOUBLE * Math.abs(kernel.values()[i]);
				}
		return rest + rounding <= TOLERANCE * kernel.magnitude() ? Optional.of(new DoubleSeparation(new ArrayList<>(factors))) : Optional.empty();
	}
}
