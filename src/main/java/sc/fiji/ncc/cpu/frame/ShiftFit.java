package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

/**
 * Refines a shift between the pixels: the least squares of {@code f(x) − a·m(x + shift) − b} over the overlap, by Gauss-Newton steps.
 * <p>
 * A peak of a correlation surface is biased towards whole pixels or the half between them, depending on the model that is fitted to it, and the pixels that enter and
 * leave the overlap from lag to lag move it. Here the region is fixed, and the moving frame is interpolated. The solution makes {@code Σ g·(f − a·m − b)} zero for the
 * gradient g. Without noise that holds at the true shift for any g, so the fit has no bias beyond that of the interpolation. The gradient is that of the mean of
 * both frames (Benhimane and Malis 2004, doi:10.1109/IROS.2004.1389474), with the filter of Sobel; for noisy frames it is smoothed first. Both frames enter alike, so
 * noise does not bias it either.
 * <p>
 * The covariance is {@code σ²·H⁻¹/a²}, σ² the mean square of the residuals and H the sum of the products of gradients. For noisy frames it is up to three times too large,
 * because H is that of the smoothed gradient. One thread at a time.
 */
final class ShiftFit {

	/** The largest number of steps, the step that needs no further one, and the largest distance from the start along a dimension, in pixels. */
	private static final int STEPS = 8;
	private static final double SMALL = 5e-4, FAR = 1;
	/** The smallest overlap in pixels for 8 and for 4 weights. */
	private static final int LONG = 40, SHORT = 14;
	/** Below this correlation coefficient, noise dominates the gradient, and the gradient is smoothed. */
	private static final double NOISY = 0.8;
	/** The rows of a band, and the number of pixels in bands that are enough for the first steps. */
	private static final int BAND = 16, ENOUGH = 1 << 14;
	/** A smaller share of a step may be chance. */
	private static final double LEAST_RATE = 0.02;
	/** The distance in pixels that the first steps may leave, and the share by which the rate is uncertain. */
	private static final double NEAR = 4e-3, UNCERTAIN = 0.3;

	/**
	 * @param shift the shift along x, y and z
	 * @param covariance of the shift; zero along a dimension of one pixel
	 */
	record Result(double[] shift, double[][] covariance) {}

	private FramePixels f, m;
	private final int[] taps = new int[3], min = new int[3], until = new int[3];
	private int n;
	private final int[] dimensions = new int[3];
	/** The planes z − 1, z and z + 1 of the region: the interpolated moving frame, where it is valid, and the sum of both frames, from which the gradient comes. */
	private final float[][] planes = new float[3][0], valid = new float[3][0], both = new float[3][0];
	private float[] mixed = new float[0], column = new float[0];
	private double a, b;
	private boolean noisy;
	private final double[] g = new double[3];
	private final double[][] h = new double[3][3];
	private double residual;
	/** The first row of each band of rows that is used, and the row after its last. */
	private int[][] bands = {};
	/** The share of a step that the next step has; NaN if unknown. */
	private double rate;
	private final FitRows rows = new FitRows();

	/** @return null if the overlap is too small, or the steps do not converge near the start */
	Result fit(final FramePixels fixed, final FramePixels moving, final int[] lag, final double[] start) {
		f = fixed;
		m = moving;
		if (!region(lag)) return null;
		final double[] shift = start.clone();
		bands(true);
		scale(lag);
		rate = Double.NaN;
		// the rows of a few bands bring the shift near the solution
		final boolean few = bands.length > 1, near = few && steps(lag, start, shift);
		bands(false);
		if (few && !near) {
			System.arraycopy(start, 0, shift, 0, 3);
			scale(lag);
			rate = Double.NaN;
		}
		return steps(lag, start, shift) ? new Result(shift, covariance()) : null;
	}

	/** Changes the shift until a further step would be small. */
	private boolean steps(final int[] lag, final double[] start, final double[] shift) {
		final boolean few = bands.length > 1;
		double[] last = null;
		for (int step = 0; step < STEPS; step++) {
			if (!(a > 0)) return false;
			sums(shift);
			final double[] d = solve();
			if (d == null) return false;
			final boolean known = Math.abs(rate) < 0.5;
			final double scale = known ? 1 / (a * (1 - rate)) : 1 / a;
			double length = 0;
			for (int i = 0; i < n; i++) {
				final int axis = dimensions[i];
				shift[axis] += Math.max(-0.5, Math.min(0.5, scale * d[i]));
				if (!(Math.abs(shift[axis] - start[axis]) <= FAR) || !(Math.abs(shift[axis] - lag[axis]) <= FAR)) return false;
				length = Math.max(length, Math.abs(d[i] / a));
			}
			if (!known && last != null) rate = rate(d, last);
			if (length < SMALL || length * Math.max(LEAST_RATE, Math.abs(rate)) < (few ? NEAR : known ? SMALL / UNCERTAIN : SMALL)) return true;
			last = d;
		}
		return false;
	}

	/** The share of a step that the next one has, negative if steps are too long. The gradient, whose noise and smoothing do not depend on the shift, makes all alike. */
	private double rate(final double[] d, final double[] last) {
		double product = 0, square = 0;
		for (int i = 0; i < n; i++) {
			product += d[i] * last[i];
			square += last[i] * last[i];
		}
		return product / square;
	}

	/** Chooses the rows: all, or of a large region bands that are spread evenly. */
	private void bands(final boolean few) {
		final int height = until[1] - min[1];
		final long pixels = (long) (until[0] - min[0]) * height * (until[2] - min[2]);
		final int share = few && height >= 4 * BAND ? (int) Math.min(16, pixels / ENOUGH) : 1;
		if (share < 2) {
			bands = new int[][] { { min[1], until[1] } };
			return;
		}
		bands = new int[Math.max(2, height / (share * BAND))][];
		for (int i = 0; i < bands.length; i++) {
			final int from = min[1] + (int) ((2L * i + 1) * height / (2 * bands.length)) - BAND / 2;
			bands[i] = new int[] { from, from + BAND };
		}
	}

	/** Determines the region of the fixed frame at which the moving frame can be interpolated. */
	private boolean region(final int[] lag) {
		n = 0;
		for (int d = 0; d < 3; d++) {
			min[d] = Math.max(0, -lag[d]);
			until[d] = Math.min(f.extent(d), m.extent(d) - lag[d]);
			if (f.extent(d) == 1 || m.extent(d) == 1) {
				taps[d] = 1;
				if (until[d] - min[d] < 1) return false;
				continue;
			}
			final int extent = until[d] - min[d];
			if (extent < SHORT) return false;
			taps[d] = extent < LONG ? 4 : 8;
			// the whole part of the shift can differ from the lag by one
			min[d] += taps[d] / 2 + 1;
			until[d] -= taps[d] / 2 + 1;
			dimensions[n++] = d;
		}
		return n > 0;
	}

	/** The line {@code f = a·m + b} at the whole-pixel lag. */
	private void scale(final int[] lag) {
		double k = 0, sf = 0, sm = 0, ff = 0, mm = 0, fm = 0;
		for (int z = min[2]; z < until[2]; z++)
			for (final int[] band : bands) for (int y = band[0]; y < band[1]; y++) {
				final int i = (z * f.extent(1) + y) * f.extent(0), j = ((z + lag[2]) * m.extent(1) + y + lag[1]) * m.extent(0) + lag[0];
				for (int x = min[0]; x < until[0]; x++) {
					final float p = f.deviations()[i + x], q = m.deviations()[j + x];
					k++;
					sf += p;
					sm += q;
					ff += (double) p * p;
					mm += (double) q * q;
					fm += (double) p * q;
				}
			}
		final double covariance = fm - sf * sm / k;
		noisy = covariance * covariance < NOISY * NOISY * (ff - sf * sf / k) * (mm - sm * sm / k);
		a = (fm - sf * sm / k) / (mm - sm * sm / k);
		b = (sf - a * sm) / k;
	}

	private void sums(final double[] shift) {

		final ShiftKernel[] kernels = new ShiftKernel[3];
		final int[] whole = new int[3];
		for (int d = 0; d < 3; d++) {
			whole[d] = taps[d] == 1 ? (int) Math.rint(shift[d]) : (int) Math.floor(shift[d]);
			kernels[d] = new ShiftKernel(taps[d], taps[d] == 1 ? 0 : shift[d] - whole[d]);
		}
		rows.begin(until[0] - min[0]);
		for (final int[] band : bands) sums(band[0], band[1], whole, kernels);
		final FitRows.Sums totals = rows.finish();
		for (int i = 0; i < n; i++) {
			g[i] = totals.g()[dimensions[i]];
			for (int j = 0; j < n; j++) h[i][j] = totals.h()[dimensions[i]][dimensions[j]];
		}
		residual = totals.square();
		a = totals.a();
		b = totals.b();
	}

	/** Adds the rows of a band. */
	private void sums(final int top, final int bottom, final int[] whole, final ShiftKernel[] kernels) {
		final int width = until[0] - min[0], height = bottom - top;
		if (planes[0].length < width * height)
			for (int i = 0; i < 3; i++) {
				planes[i] = new float[width * height];
				both[i] = new float[width * height];
			}
		final boolean masked = m.weights() != null;
		if (masked && valid[0].length < width * height) for (int i = 0; i < 3; i++) valid[i] = new float[width * height];
		final boolean volume = taps[2] > 1;
		for (int z = min[2]; z < until[2]; z++) {
			interpolate(m.deviations(), z, top, bottom, whole, kernels, planes[2]);
			if (masked) interpolate(m.weights(), z, top, bottom, whole, kernels, valid[2]);
			add(z, top, planes[2], both[2], width, height);
			if (!volume) accumulate(z, top, height, planes[2], both[2], null, null, masked ? valid[2] : null);
			else if (z - min[2] >= 2) accumulate(z - 1, top, height, planes[1], both[1], both[0], both[2], masked ? valid[1] : null);
			rotate(planes);
			rotate(valid);
			rotate(both);
		}
	}

	private static void rotate(final float[][] planes) {
		final float[] first = planes[0];
		planes[0] = planes[1];
		planes[1] = planes[2];
		planes[2] = first;
	}

	/** Interpolates the moving frame at a plane of the region. */
	private void interpolate(final float[] from, final int z, final int low, final int high, final int[] whole, final ShiftKernel[] kernels, final float[] to) {
		final int w = m.extent(0), area = w * m.extent(1), width = until[0] - min[0], first = whole[1] + kernels[1].first;
		float[] plane = from;
		int origin = (z + whole[2]) * area;
		if (taps[2] > 1) {
			if (mixed.length < area) mixed = new float[area];
			plane = mixed;
			final int top = (low + first) * w, end = (high - 1 + first + taps[1]) * w;
			Arrays.fill(mixed, top, end, 0);
			for (int i = 0; i < taps[2]; i++) add(from, (z + whole[2] + kernels[2].first + i) * area + top, kernels[2].weights[i], mixed, top, end - top);
			origin = 0;
		}
		final int left = min[0] + whole[0] + kernels[0].first, columns = width + taps[0] - 1;
		for (int i = 0; i < taps[1] - 1; i++) System.arraycopy(plane, origin + (low + first + i) * w + left, rows.lines[(low + i) % taps[1]], 0, columns);
		for (int y = low; y < high; y++) {
			// the last of the rows around y; the others are there
			System.arraycopy(plane, origin + (y + first + taps[1] - 1) * w + left, rows.lines[(y + taps[1] - 1) % taps[1]], 0, columns);
			rows.mix(rows.lines, y, taps[1], kernels[1].weights, rows.column, columns);
			for (int i = 0; i < taps[0]; i++) System.arraycopy(rows.column, i, rows.shifted[i], 0, width);
			rows.mix(rows.shifted, 0, taps[0], kernels[0].weights, rows.line, width);
			System.arraycopy(rows.line, 0, to, (y - low) * width, width);
		}
	}

	private static void add(final float[] from, final int at, final float weight, final float[] to, final int start, final int n) {
		for (int i = 0; i < n; i++) to[start + i] += weight * from[at + i];
	}

	/** The sum of both frames in a plane, each at the brightness of the moving frame. */
	private void add(final int z, final int top, final float[] t, final float[] to, final int width, final int height) {
		final float c = (float) (1 / a);
		for (int y = 0; y < height; y++) {
			final int i = (z * f.extent(1) + y + top) * f.extent(0) + min[0], r = y * width;
			final float[] fixed = f.deviations();
			for (int x = 0; x < width; x++) to[r + x] = c * fixed[i + x] + t[r + x];
		}
		if (noisy) smooth(to, width, height);
	}

	/** Smooths a plane by 1, 2, 1 along both dimensions, in place. */
	private void smooth(final float[] plane, final int width, final int height) {
		if (column.length < width) column = new float[width];
		for (int y = 0; y < height; y++) {
			final int r = y * width;
			System.arraycopy(plane, r, column, 0, width);
			for (int x = 1; x < width - 1; x++) plane[r + x] = 0.25f * (column[x - 1] + 2 * column[x] + column[x + 1]);
		}
		// the row above, before it was smoothed
		System.arraycopy(plane, 0, column, 0, width);
		for (int y = 1; y < height - 1; y++) {
			final int r = y * width;
			for (int x = 0; x < width; x++) {
				final float here = plane[r + x];
				plane[r + x] = 0.25f * (column[x] + 2 * here + plane[r + width + x]);
				column[x] = here;
			}
		}
	}

	/** Adds a plane. With {@code before} and {@code after}, the sums of both frames in the neighbouring planes, the gradient has a part along z. */
	private void accumulate(final int z, final int top, final int height, final float[] t, final float[] sum, final float[] before, final float[] after, final float[] counts) {
		final int width = until[0] - min[0], fw = f.extent(0), fa = fw * f.extent(1);
		for (int y = 1; y < height - 1; y++) {
			final int i = z * fa + (y + top) * fw + min[0], r = y * width;
			System.arraycopy(f.deviations(), i, rows.p, 0, width);
			System.arraycopy(t, r, rows.q, 0, width);
			rows.gradient(sum, r, width);
			if (before != null) rows.depth(before, after, r, width);
			rows.residual((float) a, (float) b, width);
			if (f.weights() != null || counts != null) rows.leaveOut(f.weights(), i, counts, r, width);
			rows.add(before != null, width);
		}
	}

	/** {@code H⁻¹g}; null if H is singular. */
	private double[] solve() {
		final double[][] inverse = inverse();
		if (inverse == null) return null;
		final double[] d = new double[n];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) d[i] += inverse[i][j] * g[j];
		return d;
	}

	private double[][] inverse() {
		final double[][] l = new double[n][n], inverse = new double[n][n];
		for (int i = 0; i < n; i++)
			for (int j = 0; j <= i; j++) {
				double s = h[i][j];
				for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k];
				if (i == j && !(s > 1e-9 * h[i][i])) return null;
				l[i][j] = i == j ? Math.sqrt(s) : s / l[j][j];
			}
		for (int column = 0; column < n; column++) {
			final double[] x = new double[n];
			for (int i = 0; i < n; i++) {
				double s = i == column ? 1 : 0;
				for (int k = 0; k < i; k++) s -= l[i][k] * x[k];
				x[i] = s / l[i][i];
			}
			for (int i = n - 1; i >= 0; i--) {
				double s = x[i];
				for (int k = i + 1; k < n; k++) s -= l[k][i] * x[k];
				x[i] = s / l[i][i];
			}
			for (int i = 0; i < n; i++) inverse[i][column] = x[i];
		}
		return inverse;
	}

	private double[][] covariance() {
		final double[][] covariance = new double[3][3], inverse = inverse();
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) covariance[dimensions[i]][dimensions[j]] = residual / (a * a) * inverse[i][j];
		return covariance;
	}
}
