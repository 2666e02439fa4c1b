package sc.fiji.ncc.peaks;

import java.util.function.ToDoubleFunction;

/**
 * The position of a peak between the pixels, from the {@code 3^n} values around it.
 * <p>
 * The quadratic {@code f(u) = c + gᵀu + uᵀHu / 2} is fitted to the values at {@code u ∈ {−1, 0, 1}^n} by weighted least squares. The weight of a
 * value is the product over the dimensions of 4 where {@code u_i} is 0, and 1 elsewhere. On this grid the terms are orthogonal. With ⟨·⟩, the
 * weighted mean over the grid, the coefficients are
 *
 * <pre>
 * g_i = 3·⟨f·u_i⟩     H_ii = 3·⟨f·(3·u_i² − 1)⟩     H_ij = 9·⟨f·u_i·u_j⟩
 * </pre>
 *
 * and the peak lies at {@code −H⁻¹g}. The fit is rejected if H is not negative definite, if the peak is more than 1 pixel away along a dimension,
 * or if a diagonal neighbour is missing. Then a parabola through the three values along each dimension is used:
 * {@code (f₊ − f₋) / (2·(2·f₀ − f₊ − f₋))}, or 0 if it has no maximum within 1 pixel. A dimension without a direct neighbour on either side, for
 * example at the border of the map, takes no part in the fit and gets 0.
 * <p>
 * A correlation peak is not quadratic, so the values near it weigh more. On textures shifted by known amounts this reduces the median error by a
 * fifth to a third against equal weights, in 2D and 3D, and does not increase it with noise. The median error is about 0.01 to 0.02 pixels with 32x32
 * pixels, 0.03 with 16x16 and 0.04 with 14x14x14. With parabolas alone it is 0.05 to 0.1 pixels.
 */
public final class QuadraticPeak {

	private QuadraticPeak() {}

	/**
	 * The offset of the peak from a position.
	 *
	 * @param value the value at a position; NaN if it is missing. It may keep the position
	 * @return offsets in pixels, each in [-1, 1]
	 */
	public static double[] offset(final long[] centre, final ToDoubleFunction<long[]> value) {
		final double[] values = new double[count(centre.length)];
		for (int k = 0; k < values.length; k++) {
			final long[] position = centre.clone();
			for (int d = 0, code = k; d < position.length; d++, code /= 3) position[d] += code % 3 - 1;
			values[k] = value.applyAsDouble(position);
		}
		return offset(values, centre.length);
	}

	private static int count(final int n) {
		int count = 1;
		for (int d = 0; d < n; d++) count *= 3;
		return count;
	}

	/**
	 * The offset of the peak from the central pixel.
	 *
	 * @param values {@code 3^n} values, x fastest, the centre in the middle; NaN where a value is missing
	 * @param n the number of dimensions
	 * @return n offsets in pixels, each in [-1, 1]
	 */
	public static double[] offset(final double[] values, final int n) {
		final int length = count(n);
		if (values.length != length) throw new IllegalArgumentException(values.length + " values for " + n + " dimensions: pass 3^" + n
			+ " = " + length + " values");
		final int center = length / 2;
		final int[] strides = new int[n];
		int m = 0;
		for (int d = 0, stride = 1; d < n; d++, stride *= 3)
			if (Double.isFinite(values[center - stride]) && Double.isFinite(values[center + stride])) strides[m++] = stride;
		final double[] offset = new double[n];
		if (!Double.isFinite(values[center])) return offset;
		final double[] fitted = fit(values, center, strides, m);
		for (int i = 0, d = 0, stride = 1; d < n && i < m; d++, stride *= 3) {
			if (strides[i] != stride) continue;
			offset[d] = fitted != null ? fitted[i] : parabola(values[center - stride], values[center], values[center + stride]);
			i++;
		}
		return offset;
	}

	/** The fit in the {@code m} dimensions that have these strides; null if it is rejected. */
	private static double[] fit(final double[] values, final int center, final int[] strides, final int m) {
		final double[] g = new double[m];
		final double[][] h = new double[m][m];
		final int grid = count(m);
		final int[] u = new int[m];
		for (int k = 0; k < grid / 2; k++) { // each value together with its mirror image, so that symmetric values have a slope of exactly 0
			int step = 0;
			double weight = 1;
			for (int i = 0, code = k; i < m; i++, code /= 3) {
				u[i] = code % 3 - 1;
				step += u[i] * strides[i];
				weight *= (u[i] == 0 ? 4 : 1) / 6.0;
			}
			final double value = values[center + step], opposite = values[center - step];
			final double odd = weight * (value - opposite);
			// differences round less than values; the constant has no effect on the means
			final double even = weight * (value - values[center] + (opposite - values[center]));
			if (!Double.isFinite(even)) return null;
			for (int i = 0; i < m; i++) {
				g[i] += 3 * odd * u[i];
				h[i][i] += 3 * even * (3 * u[i] * u[i] - 1);
				for (int j = 0; j < i; j++) h[i][j] += 9 * even * u[i] * u[j];
			}
		}
		return solveNegative(h, g);
	}

	/** {@code −H⁻¹g} by the Cholesky factor of {@code −H}, from its lower triangle; null if −H is not positive definite or an offset exceeds 1. */
	private static double[] solveNegative(final double[][] h, final double[] g) {
		final int m = g.length;
		final double[][] l = new double[m][m];
		final double[] x = new double[m];
		for (int i = 0; i < m; i++) {
			for (int j = 0; j <= i; j++) {
				double s = -h[i][j];
				for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k];
				if (i == j && !(s > 0)) return null;
				l[i][j] = i == j ? Math.sqrt(s) : s / l[j][j];
			}
			double s = g[i];
			for (int k = 0; k < i; k++) s -= l[i][k] * x[k];
			x[i] = s / l[i][i];
		}
		for (int i = m - 1; i >= 0; i--) {
			double s = x[i];
			for (int k = i + 1; k < m; k++) s -= l[k][i] * x[k];
			x[i] = s / l[i][i];
			if (!(Math.abs(x[i]) <= 1)) return null;
		}
		return x;
	}

	private static double parabola(final double before, final double middle, final double after) {
		final double curvature = 2 * middle - before - after;
		final double offset = (after - before) / (2 * curvature);
		return curvature > 0 && Math.abs(offset) <= 1 ? offset : 0;
	}
}
