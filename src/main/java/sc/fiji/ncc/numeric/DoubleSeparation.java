package sc.fiji.ncc.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.Size;

/** {@link Separation} for sums in double: a kernel whose values were rounded to float is none. */
public final class DoubleSeparation {

	/** What a convolution may err, of max|pixel|·Σ|coefficient|. */
	public static final double TOLERANCE = 1e-13;
	/** What may be left of a kernel, of Σ|k|. */
	private static final double REST = TOLERANCE / 10;

	/** By term: along x, y and z. */
	public final double[][] x, y, z;

	private DoubleSeparation(final List<double[][]> factors) {
		x = factors.stream().map(f -> f[0]).toArray(double[][]::new);
		y = factors.stream().map(f -> f[1]).toArray(double[][]::new);
		z = factors.stream().map(f -> f[2]).toArray(double[][]::new);
	}

	public int terms() {
		return x.length;
	}

	/** Empty if the kernel is no sum of a few products within the tolerance. */
	public static Optional<DoubleSeparation> of(final ConvolutionKernel kernel, final Size size) {
		final List<double[][]> factors = Separation.factors(kernel, size, REST);
		if (factors.isEmpty()) return Optional.empty();
		final int width = (int) size.get(0), height = (int) size.get(1), depth = (int) size.get(2);
		double products = 0;
		for (final double[][] f : factors) products += Separation.magnitude(f[0]) * Separation.magnitude(f[1]) * Separation.magnitude(f[2]);
		// each of the sums errs by at most as many eps as it has taps; those along the last dimension run over all terms
		final double rounding = (width + (depth > 1 ? height : 0) + factors.size() * (double) (depth > 1 ? depth : height) + 4) * Tolerance.EPS_DOUBLE * products;
		double rest = 0;
		for (int k = 0, i = 0; k < depth; k++)
			for (int j = 0; j < height; j++)
				for (int u = 0; u < width; u++, i++) {
					double v = kernel.values()[i];
					for (final double[][] f : factors) v -= f[0][u] * f[1][j] * f[2][k];
					// taken in double itself
					rest += Math.abs(v) + 4 * factors.size() * Tolerance.EPS_DOUBLE * Math.abs(kernel.values()[i]);
				}
		return rest + rounding <= TOLERANCE * kernel.magnitude() ? Optional.of(new DoubleSeparation(new ArrayList<>(factors))) : Optional.empty();
	}
}
