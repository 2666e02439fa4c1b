package sc.fiji.ncc.pose;

import java.util.Arrays;

/**
 * Gauss-Newton steps that take the curvature of the residual into account. Gauss-Newton leaves it out, so it converges slowly where the residual is
 * large. Each step adds what the last step has shown of it: the structured BFGS update of J. E. Dennis, D. M. Gay and R. E. Welsch, An adaptive
 * nonlinear least-squares algorithm, ACM Trans. Math. Softw. 7 (1981) 348-368, DOI 10.1145/355958.355965.
 */
final class SecantSteps {

	private static final double SINGULAR = 1e-9;

	private final int n;
	/** What the curvature adds to the normal matrix. */
	private double[][] curvature;
	/** The last step, which the caller may shorten, and the right side there. */
	private double[] step, side;

	SecantSteps(final int parameters) {
		n = parameters;
		curvature = new double[n][n];
	}

	/** Begins with other pixels, whose curvature is nearly the same. */
	void restart() {
		step = null;
	}

	/**
	 * Forgets the curvature, so that the next step is one of Gauss-Newton.
	 *
	 * @return whether the last one was another
	 */
	boolean forget() {
		final boolean structured = Arrays.stream(curvature).flatMapToDouble(Arrays::stream).anyMatch(v -> v != 0);
		curvature = new double[n][n];
		step = null;
		return structured;
	}

	/**
	 * The next step; null if it is not determined.
	 *
	 * @param normal the normal equations of Gauss-Newton: the matrix, and the right side in the last column
	 */
	double[] next(final double[][] normal) {
		if (step != null) update(normal);
		side = new double[n];
		for (int r = 0; r < n; r++) side[r] = normal[r][n];
		step = solved(sum(normal));
		if (step == null) {
			curvature = new double[n][n];
			step = solved(sum(normal));
		}
		return step;
	}

	/** Changes the curvature so that the matrix maps the last step to the change of the right side. */
	private void update(final double[][] normal) {
		final double[][] h = sum(normal);
		final double[] mapped = new double[n], change = new double[n];
		double along = 0, before = 0;
		for (int r = 0; r < n; r++) {
			change[r] = side[r] - normal[r][n];
			for (int c = 0; c < n; c++) mapped[r] += h[r][c] * step[c];
			along += change[r] * step[r];
			before += mapped[r] * step[r];
		}
		if (!(along > 0 && before > 0)) return;
		for (int r = 0; r < n; r++) for (int c = 0; c < n; c++) curvature[r][c] += change[r] * change[c] / along - mapped[r] * mapped[c] / before;
	}

	private double[][] sum(final double[][] normal) {
		final double[][] h = new double[n][];
		for (int r = 0; r < n; r++) {
			h[r] = normal[r].clone();
			for (int c = 0; c < n; c++) h[r][c] += curvature[r][c];
		}
		return h;
	}

	/** The solution of linear equations with a symmetric positive matrix, which is replaced; null if a pivot is too small. */
	static double[] solved(final double[][] a) {
		final int n = a.length;
		final double[] scale = new double[n];
		for (int r = 0; r < n; r++) scale[r] = a[r][r];
		for (int r = 0; r < n; r++) {
			if (!(a[r][r] > SINGULAR * scale[r])) return null;
			for (int i = r + 1; i < n; i++) {
				final double factor = a[i][r] / a[r][r];
				for (int c = r; c <= n; c++) a[i][c] -= factor * a[r][c];
			}
		}
		final double[] x = new double[n];
		for (int r = n - 1; r >= 0; r--) {
			x[r] = a[r][n];
			for (int c = r + 1; c < n; c++) x[r] -= a[r][c] * x[c];
			x[r] /= a[r][r];
		}
		return x;
	}
}
