package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

/**
 * The rows of a fit of a shift: interpolation, gradient, residual, and sums of their products. All loops run over whole rows in arrays with one index, and few arrays
 * each, so that C2 vectorises them. Sums run down the columns in float, and over the columns in double.
 */
final class FitRows {

	private static final int MAX_TAPS = 8;
	/** The sums: ΣP, ΣQ, ΣQ², ΣPQ, Σe², Σg·e for x, y and z, and Σgg for xx, xy, yy, xz, yz and zz. */
	private static final int SUMS = 14, F = 0, M = 1, MM = 2, FM = 3, EE = 4, GX = 5, GY = 6, GZ = 7, XX = 8, XY = 9, YY = 10, XZ = 11, YZ = 12, ZZ = 13;

	/**
	 * The sums of a fit.
	 *
	 * @param g the sums of gradient times residual along x, y and z
	 * @param h the sums of products of gradients
	 * @param square the mean square of the residuals
	 * @param a the slope of the line {@code f = a·m + b}
	 * @param b its height at 0
	 */
	record Sums(double[] g, double[][] h, double square, double a, double b) {}

	float[] p = {}, q = {}, column = {}, line = {};
	final float[][] lines = new float[MAX_TAPS][0], shifted = new float[MAX_TAPS][0];
	private float[] up = {}, low = {}, smooth = {}, down = {}, deep = {}, other = {}, gx = {}, gy = {}, gz = {}, e = {};
	private final float[][] sums = new float[SUMS][0];
	private int width;
	private double count;
	/** The number of pixels of the row that do not count. */
	private int left;

	/** Makes room for rows of this length. */
	void reserve(final int n) {
		if (column.length >= n) return;
		column = new float[n];
		line = new float[n];
		p = new float[n];
		q = new float[n];
		up = new float[n];
		low = new float[n];
		smooth = new float[n];
		down = new float[n];
		deep = new float[n];
		other = new float[n];
		gx = new float[n];
		gy = new float[n];
		gz = new float[n];
		e = new float[n];
		for (int i = 0; i < MAX_TAPS; i++) {
			lines[i] = new float[n];
			shifted[i] = new float[n];
		}
		for (int i = 0; i < SUMS; i++) sums[i] = new float[n];
	}

	void begin(final int n) {
		reserve(n + MAX_TAPS);
		width = n;
		count = 0;
		for (final float[] s : sums) Arrays.fill(s, 0);
	}

	/** {@code to = Σ weights[i]·rows[(first + i) mod taps]} */
	void mix(final float[][] rows, final int first, final int taps, final float[] weights, final float[] to, final int n) {
		if (taps == 1) {
			System.arraycopy(rows[0], 0, to, 0, n);
			return;
		}
		four(rows[first % taps], rows[(first + 1) % taps], rows[(first + 2) % taps], rows[(first + 3) % taps], weights, 0, to, n);
		if (taps > 4) addFour(rows[(first + 4) % taps], rows[(first + 5) % taps], rows[(first + 6) % taps], rows[(first + 7) % taps], weights, 4, to, n);
	}

	private static void four(final float[] a, final float[] b, final float[] c, final float[] d, final float[] weights, final int i, final float[] to, final int n) {
		final float u = weights[i], v = weights[i + 1], w = weights[i + 2], x = weights[i + 3];
		for (int k = 0; k < n; k++) to[k] = u * a[k] + v * b[k] + w * c[k] + x * d[k];
	}

	private static void addFour(final float[] a, final float[] b, final float[] c, final float[] d, final float[] weights, final int i, final float[] to, final int n) {
		final float u = weights[i], v = weights[i + 1], w = weights[i + 2], x = weights[i + 3];
		for (int k = 0; k < n; k++) to[k] += u * a[k] + v * b[k] + w * c[k] + x * d[k];
	}

	/** The gradient along x and y of half of a plane, by the filter of Sobel, in the row at {@code r}. */
	void gradient(final float[] plane, final int r, final int n) {
		System.arraycopy(plane, r - n, up, 0, n);
		System.arraycopy(plane, r + n, low, 0, n);
		System.arraycopy(plane, r, smooth, 0, n);
		for (int k = 0; k < n; k++) smooth[k] = up[k] + 2 * smooth[k] + low[k];
		for (int k = 0; k < n; k++) down[k] = low[k] - up[k];
		System.arraycopy(smooth, 2, up, 1, n - 2);
		System.arraycopy(smooth, 0, low, 1, n - 2);
		for (int k = 0; k < n; k++) gx[k] = 0.0625f * (up[k] - low[k]);
		smoothed(down, 0.0625f, gy, n);
	}

	/** The gradient along z of half of a volume. */
	void depth(final float[] before, final float[] after, final int r, final int n) {
		difference(before, after, r, deep, n);
		for (int k = 0; k < n; k++) deep[k] = 2 * deep[k];
		difference(before, after, r - n, other, n);
		for (int k = 0; k < n; k++) deep[k] += other[k];
		difference(before, after, r + n, other, n);
		for (int k = 0; k < n; k++) deep[k] += other[k];
		smoothed(deep, 0.015625f, gz, n);
	}

	private void difference(final float[] before, final float[] after, final int r, final float[] to, final int n) {
		System.arraycopy(after, r, to, 0, n);
		System.arraycopy(before, r, up, 0, n);
		for (int k = 0; k < n; k++) to[k] -= up[k];
	}

	/** {@code to(x) = scale·(from(x − 1) + 2·from(x) + from(x + 1))}; the ends of the row are not used. */
	private void smoothed(final float[] from, final float scale, final float[] to, final int n) {
		System.arraycopy(from, 2, up, 1, n - 2);
		System.arraycopy(from, 0, low, 1, n - 2);
		for (int k = 0; k < n; k++) to[k] = scale * (up[k] + 2 * from[k] + low[k]);
	}

	/** The residual of the line {@code p = a·q + b}. The first and the last pixel of the row have no gradient and do not count. */
	void residual(final float a, final float b, final int n) {
		for (int k = 0; k < n; k++) e[k] = p[k] - a * q[k] - b;
		left = 0;
		drop(0);
		drop(n - 1);
	}

	private void drop(final int k) {
		p[k] = q[k] = e[k] = gx[k] = gy[k] = gz[k] = 0;
		left++;
	}

	/** Leaves out pixels of weight 0, and those whose interpolated weight is not 1. */
	void leaveOut(final float[] weights, final int i, final float[] counts, final int r, final int n) {
		for (int k = 1; k < n - 1; k++)
			if (weights != null && weights[i + k] == 0 || counts != null && Math.abs(counts[r + k] - 1) > 1e-4f) drop(k);
	}

	/** Adds the row to the sums. */
	void add(final boolean volume, final int n) {
		count += n - left;
		plain(sums[F], p, n);
		plain(sums[M], q, n);
		products(sums[MM], q, q, n);
		products(sums[FM], p, q, n);
		products(sums[EE], e, e, n);
		products(sums[GX], gx, e, n);
		products(sums[GY], gy, e, n);
		products(sums[XX], gx, gx, n);
		products(sums[XY], gx, gy, n);
		products(sums[YY], gy, gy, n);
		if (!volume) return;
		products(sums[GZ], gz, e, n);
		products(sums[XZ], gx, gz, n);
		products(sums[YZ], gy, gz, n);
		products(sums[ZZ], gz, gz, n);
	}

	private static void plain(final float[] to, final float[] a, final int n) {
		for (int k = 0; k < n; k++) to[k] += a[k];
	}

	private static void products(final float[] to, final float[] a, final float[] b, final int n) {
		for (int k = 0; k < n; k++) to[k] += a[k] * b[k];
	}

	Sums finish() {
		final double[] t = new double[SUMS];
		for (int i = 0; i < SUMS; i++)
			for (int k = 0; k < width; k++) t[i] += sums[i][k];
		final double a = (t[FM] - t[F] * t[M] / count) / (t[MM] - t[M] * t[M] / count);
		return new Sums(new double[] { t[GX], t[GY], t[GZ] }, new double[][] { { t[XX], t[XY], t[XZ] }, { t[XY], t[YY], t[YZ] }, { t[XZ], t[YZ], t[ZZ] } }, t[EE] / count, a,
			(t[F] - a * t[M]) / count);
	}
}
