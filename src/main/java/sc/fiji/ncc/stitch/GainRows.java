package sc.fiji.ncc.stitch;

import java.util.Arrays;

/**
 * The rows of an overlap for {@link GainPlane}: the regressors of each pixel, and their sums of products.
 * All loops run along rows in arrays with one index, and
 * sums run down the columns, so that C2 vectorises them. One thread at a time.
 */
final class GainRows {

	/** The side of a cluster in pixels. */
	private static final int CLUSTER = 16;
	/** About so many pixels enter the fit: more rows are left out. */
	private static final int PIXELS = 1 << 15;
	/** The columns of a row that are taken at once, so that their sums stay in cache; whole clusters. */
	private static final int COLUMNS = 256;

	private final GainPlane.Strip f, m;
	private final int[] lag, min, size, strideF, strideM;
	private final double[] shift, means;
	private final boolean complete;
	/**
	 * Some columns of a row of the regressors, without its first and last pixel:
	 * the moving strip, 1, the gradient along each dimension, along each dimension the moving strip
	 * times the place, and the place; and last the fixed strip without what the shift changes. Missing pixels are 0.
	 */
	private final double[][] values;
	/** The number of columns in them. */
	private int width;

	/** Parameters as in {@link GainPlane#of}. */
	GainRows(final GainPlane.Strip f, final GainPlane.Strip m, final int[] lag, final double[] shift, final int[] min, final int[] size) {
		this.f = f;
		this.m = m;
		this.lag = lag;
		this.shift = shift;
		this.min = min;
		this.size = size;
		strideF = strides(f.size());
		strideM = strides(m.size());
		final double ofF = f.sum(), ofM = m.sum();
		complete = Double.isFinite(ofF + ofM);
		means = complete ? new double[] { ofF / f.pixels().length, ofM / m.pixels().length } : new double[] { f.mean(), m.mean() };
		values = new double[3 + 3 * size.length][Math.min(COLUMNS, size[0] - 2)];
	}

	private static int[] strides(final long[] size) {
		final int[] strides = new int[size.length];
		for (int d = 0, stride = 1; d < size.length; stride *= (int) size[d++]) strides[d] = stride;
		return strides;
	}

	/** The number of clusters along a dimension, without the pixel at each end. */
	private static int clusters(final int extent) {
		return (extent - 2 + CLUSTER - 1) / CLUSTER;
	}

	/** Receives the number of the first cluster of some columns of a row, which stand in {@link #values}. */
	private interface Part {

		void at(int block, int cluster);
	}

	private void each(final Part part) {
		final int n = size.length;
		int rows = 1;
		for (int d = 1; d < n; d++) rows *= size[d] - 2;
		final int step = Math.max(1, (int) ((long) rows * (size[0] - 2) / PIXELS));
		final double[] places = new double[n];
		for (int number = step / 2; number < rows; number += step) {
			int i = min[0] + 1, j = min[0] + lag[0] + 1, cluster = 0;
			for (int d = 1, rest = number, stride = clusters(size[0]); d < n; stride *= clusters(size[d]), rest /= size[d++] - 2) {
				final int at = 1 + rest % (size[d] - 2);
				i += (min[d] + at) * strideF[d];
				j += (min[d] + at + lag[d]) * strideM[d];
				cluster += stride * ((at - 1) / CLUSTER);
				places[d] = GainPlane.place(at, size[d]);
			}
			for (int block = 0, from = 0; from < size[0] - 2; block++, from += COLUMNS) {
				width = Math.min(COLUMNS, size[0] - 2 - from);
				places[0] = GainPlane.place(1 + from, size[0]);
				read(i + from, j + from, places);
				part.at(block, cluster + from / CLUSTER);
			}
		}
	}

	/** Reads columns of a row from the pixel i of the fixed strip and j of the moving strip on, whose first pixel is at the places. */
	private void read(final int i, final int j, final double[] places) {
		final int n = size.length, plain = 2 + n;
		final double[] moving = values[0], last = values[plain + 2 * n];
		for (int x = 0; x < width; x++) moving[x] = m.pixels()[j + x] - means[1];
		for (int x = 0; x < width; x++) last[x] = f.pixels()[i + x] - means[0];
		Arrays.fill(values[1], 1);
		for (int d = 0; d < n; d++) {
			slope(f.pixels(), i, strideF[d], m.pixels(), j, strideM[d], values[2 + d], width);
			subtract(shift[d] - lag[d], values[2 + d], last, width);
			final double[] place = values[plain + n + d];
			for (int x = 0; x < width; x++) place[x] = d == 0 ? places[0] + x : places[d];
			multiply(moving, place, values[plain + d], width);
		}
		if (!complete) leaveOut();
	}

	private static void slope(final float[] f, final int i, final int strideF, final float[] m, final int j, final int strideM, final double[] to, final int n) {
		for (int x = 0; x < n; x++)
			to[x] = 0.25 * (f[i + x + strideF] - f[i + x - strideF] + m[j + x + strideM] - m[j + x - strideM]);
	}

	private static void multiply(final double[] a, final double[] b, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] * b[x];
	}

	private static void subtract(final double factor, final double[] values, final double[] from, final int n) {
		for (int x = 0; x < n; x++) from[x] -= factor * values[x];
	}

	/** Takes pixels out of the row that are missing, or have a missing neighbour: NaN. */
	private void leaveOut() {
		for (int x = 0; x < width; x++) {
			double sum = values[values.length - 1][x];
			for (int v = 0; v < 2 + size.length; v++) sum += values[v][x];
			if (!(Math.abs(sum) < Double.POSITIVE_INFINITY)) for (final double[] v : values) v[x] = 0;
		}
	}

	private static void addProducts(final double[] to, final double[] a, final double[] b, final int n) {
		for (int x = 0; x < n; x++) to[x] += a[x] * b[x];
	}

	/** The sums of products of the regressors with each other, and in the last column with the fixed strip. */
	double[][] sums() {
		final int all = values.length;
		final double[][][] columns = new double[all][all][];
		for (int a = 0; a < all; a++) for (int b = a; b < all; b++) columns[a][b] = new double[values[0].length];
		each((block, cluster) -> addProducts(columns));
		final double[][] sums = new double[all][all];
		for (int a = 0; a < all; a++) for (int b = a; b < all; b++) sums[a][b] = sums[b][a] = Arrays.stream(columns[a][b]).sum();
		return sums;
	}

	private void addProducts(final double[][][] columns) {
		for (int a = 0; a < values.length; a++) for (int b = a; b < values.length; b++) addProducts(columns[a][b], values[a], values[b], width);
	}

	/**
	 * The sums of regressors times residual in clusters of pixels.
	 *
	 * @param p the coefficients of the regressors
	 * @return for each cluster one sum for each regressor
	 */
	double[][] scores(final double[] p) {
		int clusters = 1;
		for (final int s : size) clusters *= clusters(s);
		final double[][] scores = new double[clusters][p.length];
		// for each block of columns, the sums down the columns of the current clusters
		final double[][][] columns = new double[(size[0] - 2 + COLUMNS - 1) / COLUMNS][p.length][values[0].length];
		final int[] current = new int[columns.length];
		for (int block = 0; block < current.length; block++) current[block] = block * COLUMNS / CLUSTER;
		final double[] residual = new double[values[0].length];
		each((block, cluster) -> {
			if (cluster != current[block]) add(columns[block], scores, current[block]);
			current[block] = cluster;
			System.arraycopy(values[p.length], 0, residual, 0, width);
			for (int a = 0; a < p.length; a++) subtract(p[a], values[a], residual, width);
			for (int a = 0; a < p.length; a++) addProducts(columns[block][a], values[a], residual, width);
		});
		for (int block = 0; block < current.length; block++) add(columns[block], scores, current[block]);
		return scores;
	}

	/** Adds the columns to their clusters, and begins anew. */
	private static void add(final double[][] columns, final double[][] scores, final int first) {
		for (int a = 0; a < columns.length; a++) {
			for (int x = 0; x < columns[a].length && first + x / CLUSTER < scores.length; x++) scores[first + x / CLUSTER][a] += columns[a][x];
			Arrays.fill(columns[a], 0);
		}
	}
}
