package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

/**
 * The rows of a fit of a shift: residual, gradient, and sums of their products. All loops run over whole rows in arrays with one index, and few arrays each, so that C2
 * vectorises them. Sums run down the columns in float, and over the columns in double.
 * <p>
 * The gradient is the filter of Sobel, or for noisy frames that filter after a smoothing by 1, 2, 1. What a change of brightness or of
 * contrast would add to it is taken away: the part of the gradient that is proportional to the frames, and its mean. So errors of the line
 * {@code f = a·m + b} hardly move the shift, and the sums of the clusters have what these errors add to its covariance.
 */
final class FitRows {

	/** The side of a cluster in pixels: in regions of at least 64x64 pixels, and in smaller ones. */
	private static final int CLUSTER = 8, SMALL_CLUSTER = 4, SMALL = 1 << 12;

	/**
	 * The sums: ΣP, ΣQ, ΣQ², ΣPQ, Σe², Σg·e for x, y and z, Σgg for xx, xy, yy, xz, yz and zz, and for s, the sum of both frames, Σs, Σs², Σg,
	 * Σg·s, Σe and Σe·s; ΣP².
	 */
	private static final int SUMS = 25, F = 0, M = 1, MM = 2, FM = 3, EE = 4, GX = 5, GY = 6, GZ = 7, XX = 8, XY = 9, YY = 10, XZ = 11, YZ = 12, ZZ = 13, S = 14,
		SS = 15, G = 16, GS = 19, E = 22, ES = 23, FF = 24;

	/**
	 * The sums of a fit.
	 *
	 * @param g the sums of gradient times residual along x, y and z
	 * @param h the sums of products of gradients
	 * @param products the sums of products of the same sums of each cluster of pixels
	 * @param clusters the number of clusters
	 * @param square the mean square of the residuals
	 * @param a the slope of the line {@code f = a·m + b}
	 * @param b its height at 0
	 * @param part for x, y and z the mean of the gradient, and its part that is proportional to the sum of both frames: what the next sums leave out
	 */
	record Sums(double[] g, double[][] h, double[][] products, int clusters, double square, double a, double b, double[][] part) {}

	private float[] p = {}, smooth = {}, down = {}, deep = {}, left = {}, right = {}, farLeft = {}, farRight = {}, gx = {}, gy = {}, gz = {}, counted = {};
	private double[][] part;
	private double slope, offset;
	private final float[][] sums = new float[SUMS][0];
	/** The sums of gradient times residual at the end of the last cluster. */
	private final float[][] last = new float[3][0];
	/** The sums of gradient times residual of the clusters that have not ended, x, y and z of each, and the number of these clusters. */
	private double[] open = {};
	private int opened;
	/** The sums of products of the clusters' sums. */
	private final double[][] products = new double[3][3];
	private int width, radius, side, clusters;
	/** The rows with a gradient in the clusters so far. */
	private double clustered;
	private boolean volume;
	/**
	 * The pixels in the sums for the line, those with a residual, the rows with a gradient, those of them in the sums of products of gradients,
	 * and their pixels.
	 */
	private double count, inner, rows, sampled, steep;

	/**
	 * @param n the length of the longest row
	 * @param pixels the number of pixels of the region
	 * @param isNoisy whether the gradient is smoothed
	 * @param isVolume whether there is a gradient along z
	 * @param leftOut the part of the gradient that is left out, see {@link Sums}
	 */
	void begin(final int n, final long pixels, final boolean isNoisy, final boolean isVolume, final double[][] leftOut) {
		part = leftOut;
		if (p.length < n) reserve(n);
		radius = isNoisy ? 2 : 1;
		volume = isVolume;
		count = inner = rows = sampled = steep = 0;
		for (final float[] s : sums) Arrays.fill(s, 0);
		for (final float[] s : last) Arrays.fill(s, 0);
		for (final double[] s : products) Arrays.fill(s, 0);
		side = pixels < SMALL ? SMALL_CLUSTER : CLUSTER;
		Arrays.fill(open, 0);
		clusters = opened = 0;
		clustered = 0;
	}

	private void reserve(final int n) {
		p = new float[n];
		smooth = new float[n];
		down = new float[n];
		deep = new float[n];
		left = new float[n];
		right = new float[n];
		farLeft = new float[n];
		farRight = new float[n];
		gx = new float[n];
		gy = new float[n];
		gz = new float[n];
		counted = new float[n];
		for (int i = 0; i < SUMS; i++) sums[i] = new float[n];
		for (int i = 0; i < last.length; i++) last[i] = new float[n];
	}

	/** The side of a cluster: of its columns, its rows, and in volumes its planes. */
	int cluster() {
		return side;
	}

	/**
	 * Adds the rows since the last call to the clusters that are open: each takes some columns, from the first pixel with a gradient on.
	 *
	 * @param block the number of the block of rows in a plane, from 0; the planes of a cluster have the same blocks
	 */
	void endRows(final int block) {
		if (rows == clustered) return;
		clustered = rows;
		final int n = volume ? 3 : 2, end = width - radius, columns = (end - radius + side - 1) / side;
		if (open.length < 3 * (block + 1) * columns) open = Arrays.copyOf(open, 6 * (block + 1) * columns);
		for (int c = 0, from = radius; c < columns; c++, from += side)
			for (int i = 0; i < n; i++) open[3 * (block * columns + c) + i] += since(sums[GX + i], last[i], from, Math.min(end, from + side));
		for (int i = 0; i < n; i++) System.arraycopy(sums[GX + i], 0, last[i], 0, width);
		opened = Math.max(opened, (block + 1) * columns);
	}

	/** The sum of what some columns have more than before. */
	private static double since(final float[] now, final float[] before, final int from, final int until) {
		double sum = 0;
		int k = from;
		// four at a time: a sum of one after the other waits for each addition
		for (; k + 4 <= until; k += 4)
			sum += ((double) (now[k] - before[k]) + (now[k + 1] - before[k + 1])) + ((double) (now[k + 2] - before[k + 2]) + (now[k + 3] - before[k + 3]));
		for (; k < until; k++) sum += now[k] - before[k];
		return sum;
	}

	/** Ends all clusters. {@code ClusterCovariance} says why the products of their sums are kept. */
	void endClusters() {
		final int n = volume ? 3 : 2;
		for (int at = 0; at < 3 * opened; at += 3)
			for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) products[i][j] += open[at + i] * open[at + j];
		Arrays.fill(open, 0, 3 * opened, 0);
		clusters += opened;
		opened = 0;
	}

	/** The pixels at each end of a row, and the rows and planes at each side, that have no gradient. */
	int radius() {
		return radius;
	}

	/** The length of the rows that follow. */
	void width(final int n) {
		width = n;
	}

	/** The brightness of the rows that follow: {@code fixed = a·moving + b}. */
	void setLine(final double a, final double b) {
		slope = a;
		offset = b;
	}

	/**
	 * Takes a row of both frames, whose brightness is on the line of {@link #setLine}.
	 *
	 * @param fixed the fixed frame, whose row begins at {@code at}
	 * @param q the interpolated row of the moving frame
	 * @param counts 1 for pixels that count, 0 for others; null if all count
	 * @param all whether the row enters the sums for the line
	 * @param both receives the sum of both frames at the brightness of the moving frame
	 * @param e receives the residual of the line, 0 for pixels without a gradient
	 */
	void residual(final float[] fixed, final int at, final float[] q, final float[] counts, final boolean all, final float[] both, final float[] e) {
		System.arraycopy(fixed, at, p, 0, width);
		join(q, both, e);
		double n = width, within = width - 2 * radius;
		for (int k = 0; counts != null && k < width; k++) {
			if (counts[k] != 0) continue;
			p[k] = q[k] = e[k] = 0;
			n--;
			if (k >= radius && k < width - radius) within--;
		}
		for (int k = 0; k < radius; k++) e[k] = e[width - 1 - k] = 0;
		if (!all) return;
		count += n;
		inner += within;
		sumAndProducts(sums[F], sums[FF], p, p, width);
		sumAndProducts(sums[M], sums[MM], q, q, width);
		products(sums[FM], p, q, width);
		products(sums[EE], e, e, width);
	}

	private void join(final float[] q, final float[] both, final float[] e) {
		final float[] p = this.p;
		final float c = (float) (1 / slope), a = (float) slope, b = (float) offset;
		final int n = width;
		for (int k = 0; k < n; k++) {
			final float f = p[k], m = q[k];
			both[k] = c * f + m;
			e[k] = f - a * m - b;
		}
	}

	/**
	 * Adds a row to the sums.
	 *
	 * @param around the rows of the sum of both frames from {@code radius} before to {@code radius} after
	 * @param before the same rows in the plane before; null without a gradient along z
	 * @param after the same rows in the plane after
	 * @param counts 1 for pixels that count, 0 for others; null if all count
	 * @param all whether the row enters the sums of products of gradients
	 */
	void add(final float[] e, final float[][] around, final float[][] before, final float[][] after, final float[] counts, final boolean all) {
		rows++;
		column(around, smooth);
		slope(around);
		along(smooth, true, gx);
		along(down, false, gy);
		leaveOut(gx, around[radius], part[0], e, sums[GX]);
		leaveOut(gy, around[radius], part[1], e, sums[GY]);
		if (volume) {
			column(after, deep);
			column(before, gz);
			for (int k = 0; k < width; k++) deep[k] -= gz[k];
			along(deep, false, gz);
			leaveOut(gz, around[radius], part[2], e, sums[GZ]);
		}
		if (all) gradients(counts, around[radius], e);
	}

	private void leaveOut(final float[] g, final float[] both, final double[] some, final float[] e, final float[] to) {
		lessLine(g, both, (float) some[0], (float) some[1], e, to, width);
	}

	/** Takes the line from the gradient, and adds the gradient times the residual. */
	private static void lessLine(final float[] g, final float[] both, final float mean, final float share, final float[] e, final float[] to, final int n) {
		for (int k = 0; k < n; k++) {
			final float v = g[k] - (mean + share * both[k]);
			g[k] = v;
			to[k] += v * e[k];
		}
	}

	/** Smooths along y: the rows of 1, 2, 1, or twice that. */
	private void column(final float[][] around, final float[] to) {
		if (radius == 1) means(around[0], around[1], around[2], to, width);
		else farMeans(around[1], around[3], around[0], around[4], around[2], to, width);
	}

	/** The slope along y. */
	private void slope(final float[][] around) {
		if (radius == 1) difference(around[2], around[0], down, width);
		else farDifferences(around[3], around[1], around[4], around[0], down, width);
	}

	/** Copies of a row that has moved to the right and to the left. Its ends are 0. */
	private void shift(final float[] from, final float[] toRight, final float[] toLeft, final int by) {
		System.arraycopy(from, 0, toRight, by, width - by);
		System.arraycopy(from, by, toLeft, 0, width - by);
		for (int k = 0; k < by; k++) toRight[k] = toLeft[width - 1 - k] = 0;
	}

	private static void difference(final float[] a, final float[] b, final float[] to, final int n) {
		for (int k = 0; k < n; k++) to[k] = a[k] - b[k];
	}

	private static void means(final float[] a, final float[] b, final float[] c, final float[] to, final int n) {
		for (int k = 0; k < n; k++) to[k] = a[k] + 2 * b[k] + c[k];
	}

	/** {@code far + 2·near} on one side minus the same on the other side. */
	private static void farDifferences(final float[] a, final float[] b, final float[] farA, final float[] farB, final float[] to, final int n) {
		for (int k = 0; k < n; k++) to[k] = farA[k] - farB[k] + 2 * (a[k] - b[k]);
	}

	/** The weights 1, 4, 6, 4, 1. */
	private static void farMeans(final float[] a, final float[] b, final float[] farA, final float[] farB, final float[] center, final float[] to, final int n) {
		for (int k = 0; k < n; k++) to[k] = farA[k] + farB[k] + 4 * (a[k] + b[k]) + 6 * center[k];
	}

	/** Adds the products of the gradient. */
	private void gradients(final float[] counts, final float[] both, final float[] e) {
		sampled++;
		System.arraycopy(both, 0, counted, 0, width);
		int n = width - 2 * radius;
		for (int k = 0; k < radius; k++) {
			leave(k);
			leave(width - 1 - k);
		}
		for (int k = radius; counts != null && k < width - radius; k++) {
			if (counts[k] != 0) continue;
			leave(k);
			n--;
		}
		steep += n;
		sumAndProducts(sums[S], sums[SS], counted, counted, width);
		sumAndProducts(sums[E], sums[ES], e, counted, width);
		sumAndProducts(sums[G], sums[GS], gx, counted, width);
		sumAndProducts(sums[G + 1], sums[GS + 1], gy, counted, width);
		if (volume) sumAndProducts(sums[G + 2], sums[GS + 2], gz, counted, width);
		products(sums[XX], sums[XY], sums[YY], gx, gy, width);
		if (!volume) return;
		products(sums[XZ], gx, gz, width);
		products(sums[YZ], gy, gz, width);
		products(sums[ZZ], gz, gz, width);
	}

	/** Takes a pixel out of the sums of gradients. */
	private void leave(final int k) {
		counted[k] = gx[k] = gy[k] = gz[k] = 0;
	}

	/** The slope, or the mean, along x. */
	private void along(final float[] from, final boolean slope, final float[] to) {
		shift(from, left, right, 1);
		if (radius == 1) {
			if (slope) difference(right, left, to, width);
			else means(left, from, right, to, width);
			return;
		}
		shift(from, farLeft, farRight, 2);
		if (slope) farDifferences(right, left, farRight, farLeft, to, width);
		else farMeans(left, right, farLeft, farRight, from, to, width);
	}

	private static void sumAndProducts(final float[] sum, final float[] to, final float[] a, final float[] b, final int n) {
		for (int k = 0; k < n; k++) {
			final float v = a[k];
			sum[k] += v;
			to[k] += v * b[k];
		}
	}

	/** The products of two rows with themselves and with each other. */
	private static void products(final float[] aa, final float[] ab, final float[] bb, final float[] a, final float[] b, final int n) {
		for (int k = 0; k < n; k++) {
			final float v = a[k], w = b[k];
			aa[k] += v * v;
			ab[k] += v * w;
			bb[k] += w * w;
		}
	}

	private static void products(final float[] to, final float[] a, final float[] b, final int n) {
		for (int k = 0; k < n; k++) to[k] += a[k] * b[k];
	}

	/**
	 * The slope of the line between both frames without their noise, which is the same share of both. Least squares would make it smaller.
	 *
	 * @param slope of the least squares {@code f = slope·m + b}; returned if it is not positive
	 * @param ratio the variance of f over that of m
	 * @param kept the share of the variance of white noise that interpolation leaves in m
	 */
	static double slope(final double slope, final double ratio, final double kept) {
		if (!(slope > 0)) return slope;
		final double p = (1 - kept) * slope;
		return (p + Math.sqrt(p * p + 4 * kept * ratio)) / 2;
	}

	/** @param kept the share of the variance of white noise that interpolation leaves */
	Sums finish(final double kept) {
		final double[] t = new double[SUMS];
		for (int i = 0; i < SUMS; i++)
			for (final float s : sums[i]) t[i] += s;
		final double square = t[EE] / inner, ofFixed = t[FF] - t[F] * t[F] / count, ofMoving = t[MM] - t[M] * t[M] / count;
		final double a = slope((t[FM] - t[F] * t[M] / count) / ofMoving, ofFixed / ofMoving, kept);
		// the filters' weights, the mean of both frames, and along z the distance of two planes
		final double x = radius == 1 ? 1 / 16.0 : 1 / 256.0, z = x / 4, all = rows / sampled;
		final double[] scale = { x, x, z }, g = new double[3];
		// such noise gives the sum of both frames and the residual this covariance
		final double common = square * (1 - kept) / (slope * (1 + kept));
		final double mean = t[S] / steep, variance = t[SS] / steep - mean * mean;
		final double[] ofMean = new double[3], share = new double[3];
		final double[][] next = new double[3][], c = new double[3][3], h = { { t[XX], t[XY], t[XZ] }, { t[XY], t[YY], t[YZ] }, { t[XZ], t[YZ], t[ZZ] } };
		for (int i = 0; i < 3; i++) {
			ofMean[i] = t[G + i] / steep;
			share[i] = variance > 0 ? (t[GS + i] / steep - ofMean[i] * mean) / variance : 0;
			next[i] = new double[] { part[i][0] + ofMean[i] - share[i] * mean, part[i][1] + share[i] };
		}
		// of all rows, these sums leave out what the next ones will
		final boolean complete = sampled == rows;
		for (int i = 0; i < 3; i++) {
			final double left = complete ? (ofMean[i] - share[i] * mean) * t[E] + share[i] * t[ES] : 0;
			g[i] = scale[i] * (t[GX + i] - left + (complete ? next : part)[i][1] * all * steep * common);
			for (int j = 0; j < 3; j++) {
				if (complete) h[i][j] -= steep * (ofMean[i] * ofMean[j] + share[i] * share[j] * variance);
				h[i][j] *= all * scale[i] * scale[j];
				c[i][j] = products[i][j] * scale[i] * scale[j];
			}
		}
		return new Sums(g, h, c, clusters, square, a, (t[F] - a * t[M]) / count, next);
	}
}
