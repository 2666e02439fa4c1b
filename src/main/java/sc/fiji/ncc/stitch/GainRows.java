package sc.fiji.ncc.stitch;

import java.util.Arrays;

import sc.fiji.ncc.numeric.VectorProducts;

/**
 * The rows of an overlap for {@link GainPlane}. A regressor of a pixel is a value of its row, times a number that the row has in common: 1, or the place of the
 * row along another dimension. So the sums of a row need the products of few values. One thread at a time.
 */
final class GainRows {

	/** The side of a cluster in pixels. */
	private static final int CLUSTER = 16;
	/** About so many pixels enter the fit: more rows are left out. */
	private static final int PIXELS = 1 << 15;

	private final GainPlane.Strip f, m;
	private final int[] lag, min, size, strideF, strideM;
	private final double[] shift, means;
	/**
	 * The values of a row, without its first and last pixel: the moving strip, 1, the gradient along each dimension, the moving strip times the column, the
	 * column, and the fixed strip without what the shift changes. Values of missing pixels are 0.
	 */
	private final double[][] values;
	/** For each regressor, and last for the fixed strip, the number of its value, and the dimension whose place it is multiplied by; 0 for none. */
	private final int[] value, along;
	/** The places of the current row along the dimensions after the first. */
	private final double[] places;
	private final double[] column;

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
		means = new double[] { f.mean(), m.mean() };
		final int n = size.length, plain = 2 + n, all = plain + 2 * n;
		values = new double[plain + 3][size[0] - 2];
		value = new int[all + 1];
		along = new int[all + 1];
		for (int a = 0; a < plain; a++) value[a] = a;
		for (int d = 0; d < n; d++) {
			along[plain + d] = along[plain + n + d] = d;
			value[plain + d] = d == 0 ? plain : 0;
			value[plain + n + d] = d == 0 ? plain + 1 : 1;
		}
		value[all] = plain + 2;
		places = new double[n];
		places[0] = 1;
		column = new double[size[0] - 2];
		for (int x = 0; x < column.length; x++) column[x] = GainPlane.place(x + 1, size[0]);
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

	/** What a regressor of the current row is multiplied by. */
	private double factor(final int a) {
		return places[along[a]];
	}

	/** Receives the number of a row's first cluster, with the row in {@link #values}. */
	private interface Row {

		void at(int cluster);
	}

	private void each(final Row row) {
		final int n = size.length;
		int rows = 1;
		for (int d = 1; d < n; d++) rows *= size[d] - 2;
		final int step = Math.max(1, (int) ((long) rows * (size[0] - 2) / PIXELS));
		for (int number = step / 2; number < rows; number += step) {
			int i = min[0] + 1, j = min[0] + lag[0] + 1, cluster = 0;
			for (int d = 1, rest = number, stride = clusters(size[0]); d < n; stride *= clusters(size[d]), rest /= size[d++] - 2) {
				final int at = 1 + rest % (size[d] - 2);
				i += (min[d] + at) * strideF[d];
				j += (min[d] + at + lag[d]) * strideM[d];
				cluster += stride * ((at - 1) / CLUSTER);
				places[d] = GainPlane.place(at, size[d]);
			}
			read(i, j);
			row.at(cluster);
		}
	}

	/** Reads the row that begins at the pixel i of the fixed strip and j of the moving strip. */
	private void read(final int i, final int j) {
		final int n = size.length, plain = 2 + n;
		final double[] moving = values[0], product = values[plain], last = values[plain + 2];
		less(m.pixels(), j, means[1], moving);
		Arrays.fill(values[1], 1);
		less(f.pixels(), i, means[0], last);
		System.arraycopy(column, 0, values[plain + 1], 0, column.length);
		for (int d = 0; d < n; d++) {
			slope(f.pixels(), i, strideF[d], m.pixels(), j, strideM[d], values[2 + d]);
			subtract(shift[d] - lag[d], values[2 + d], last);
		}
		double sum = 0;
		for (int x = 0; x < moving.length; x++) {
			product[x] = moving[x] * column[x];
			sum += moving[x] + last[x];
		}
		for (int d = 0; d < n; d++) for (final double v : values[2 + d]) sum += v;
		if (!(Math.abs(sum) < Double.POSITIVE_INFINITY)) leaveOut();
	}

	private static void less(final float[] from, final int at, final double mean, final double[] to) {
		for (int x = 0; x < to.length; x++) to[x] = from[at + x] - mean;
	}

	private static void slope(final float[] f, final int i, final int strideF, final float[] m, final int j, final int strideM, final double[] to) {
		for (int x = 0; x < to.length; x++)
			to[x] = 0.25 * (f[i + x + strideF] - f[i + x - strideF] + m[j + x + strideM] - m[j + x - strideM]);
	}

	private static void subtract(final double factor, final double[] values, final double[] from) {
		for (int x = 0; x < from.length; x++) from[x] -= factor * values[x];
	}

	/** Takes pixels out of the row that are missing, or have a missing neighbour: NaN. */
	private void leaveOut() {
		for (int x = 0; x < column.length; x++) {
			double sum = values[values.length - 1][x];
			for (int v = 0; v < 2 + size.length; v++) sum += values[v][x];
			if (!(Math.abs(sum) < Double.POSITIVE_INFINITY)) for (final double[] v : values) v[x] = 0;
		}
	}

	/** The sums of products of the regressors with each other, and in the last column with the fixed strip. */
	double[][] sums() {
		final double[][] sums = new double[value.length][value.length], products = new double[values.length][values.length];
		each(cluster -> {
			for (int v = 0; v < values.length; v++)
				for (int w = v; w < values.length; w++) products[v][w] = products[w][v] = VectorProducts.dot(values[v], values[w]);
			for (int a = 0; a < value.length; a++)
				for (int b = a; b < value.length; b++) sums[a][b] += factor(a) * factor(b) * products[value[a]][value[b]];
		});
		for (int a = 0; a < sums.length; a++) for (int b = 0; b < a; b++) sums[a][b] = sums[b][a];
		return sums;
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
		final double[] residual = new double[column.length], coefficients = new double[values.length - 1], sums = new double[coefficients.length];
		each(first -> {
			System.arraycopy(values[values.length - 1], 0, residual, 0, residual.length);
			Arrays.fill(coefficients, 0);
			for (int a = 0; a < p.length; a++) coefficients[value[a]] += p[a] * factor(a);
			for (int v = 0; v < coefficients.length; v++) subtract(coefficients[v], values[v], residual);
			for (int from = 0, cluster = first; from < residual.length; from += CLUSTER, cluster++) {
				final int n = Math.min(CLUSTER, residual.length - from);
				for (int v = 0; v < sums.length; v++) sums[v] = VectorProducts.dot(values[v], from, residual, from, n);
				for (int a = 0; a < p.length; a++) scores[cluster][a] += factor(a) * sums[value[a]];
			}
		});
		return scores;
	}
}
