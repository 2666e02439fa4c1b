package sc.fiji.ncc.cpu.correlator;

import java.util.Arrays;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

import sc.fiji.ncc.loops.VectorLanes;
import sc.fiji.ncc.loops.VectorRows;

/**
 * {@link FloatRowCorrelator} with the Vector API. The sums of a few rows of responses stay in registers, so that each vector of pixels that is loaded
 * feeds as many multiply-adds. The last rows of the tile are stored. When the first of these rows of responses is due, all stored rows are added to all of
 * them; later rows are added one by one. Rows of zeros above and below the template fill the places where the rows of responses do not overlap.
 */
final class VectorFloatCorrelator implements FloatRowCorrelator {

	private static final VectorSpecies<Float> S = VectorLanes.FLOATS;
	private static final int L = VectorLanes.F;
	/** Up to this template height, two rows of responses at a time cost less than four: fewer products with rows of zeros, more loads. */
	private static final int LOW = 16;

	private final int width, height, limit, maxLags;
	/** Whether the template is longer than a run. */
	private final boolean runs;
	/** The number of rows of responses at a time, and of responses of each row in a block. */
	private final int together, block;
	/** The template, with {@code together - 1} rows of zeros above and below. */
	private final float[][] coefficients;
	/** The last {@code height} rows of each plane, {@code stride} apart. */
	private final float[][] rows;
	private final int stride;
	/** The sums of the current rows of responses, {@code across} apart. */
	private float[] sums;
	/** The sums of the runs before the current one: in float if there are two runs, else in double. One or both are null. */
	private float[] before;
	private final double[] wide;
	private final int across;
	private int pending;
	private int lags, first;

	/**
	 * Arguments as in {@link FloatRowCorrelator#of}.
	 *
	 * @param exact whether no run may be longer than {@code limit}
	 */
	VectorFloatCorrelator(final int width, final int height, final float[][] coefficients, final int limit, final boolean exact,
		final int maxLags) {
		this.width = width;
		this.height = height;
		this.limit = limit;
		this.maxLags = maxLags;
		together = together(height);
		block = (VectorLanes.FEW_REGISTERS ? 8 : 16) / together * L;
		this.coefficients = new float[coefficients.length][(height + 2 * (together - 1)) * width];
		for (int p = 0; p < coefficients.length; p++) System.arraycopy(coefficients[p], 0, this.coefficients[p],
			(together - 1) * width, height * width);
		across = (maxLags + block - 1) / block * block;
		stride = across + width - 1;
		rows = new float[coefficients.length][height * stride];
		sums = new float[together * across];
		runs = (long) width * height * coefficients.length > limit;
		// the last rows of a group make the second of two runs longer
		final boolean two = runs && SumOrder.twoRuns(width, exact ? height + together - 1 : height, coefficients.length, limit);
		before = two ? new float[sums.length] : null;
		wide = runs && !two ? new double[sums.length] : null;
	}

	/** The number of rows of responses at a time. */
	static int together(final int height) {
		return height <= LOW ? 2 : 4;
	}

	@Override
	public void begin(final int lags) {
		if (lags > maxLags) throw new IllegalArgumentException("a row has " + lags
			+ " lags, but this correlator was made for at most " + maxLags);
		this.lags = lags;
		first = -together - height;
	}

	/** With the last row of a group's first windows, all rows of these windows are added to the group; then each row when it comes. */
	@Override
	public void add(final int plane, final float[] row, final int r, final int y0, final int y1) {
		System.arraycopy(row, 0, rows[plane], r % height * stride, lags + width - 1);
		if (first >= 0 && r >= first + height && r < first + together - 1 + height) sum(plane, r, 1);
		final int y = r - height + 1;
		if (y < 0 || y % together > 0 || plane < coefficients.length - 1) return;
		first = y;
		Arrays.fill(sums, 0);
		if (wide != null) Arrays.fill(wide, 0);
		pending = 0;
		final int wrap = height - y % height;
		for (int p = 0; p < coefficients.length; p++) {
			sum(p, y, wrap);
			if (wrap < height) sum(p, y + wrap, height - wrap);
		}
	}

	@Override
	public void finish(final int y, final double[] to) {
		final int o = (y - first) * across;
		if (before != null) for (int x = 0; x < lags; x++) to[x] = (double) before[o + x] + sums[o + x];
		else if (wide == null) for (int x = 0; x < lags; x++) to[x] = sums[o + x];
		else for (int x = 0; x < lags; x++) to[x] = wide[o + x] + sums[o + x];
	}

	@Override
	public void finish(final int y, final float[] to, final int at) {
		final int o = (y - first) * across;
		if (before != null) VectorRows.sum(before, sums, o, to, at, lags);
		else if (wide == null) System.arraycopy(sums, o, to, at, lags);
		else for (int x = 0; x < lags; x++) to[at + x] = (float) (wide[o + x] + sums[o + x]);
	}

	/** Adds {@code n} consecutive rows, from {@code r} on. */
	private void sum(final int plane, final int r, final int n) {
		// the last rows of a group belong to the second of two runs
		final boolean ends = runs && !(before != null && r >= first + height);
		final int run = Math.min(width, limit);
		for (int i = 0; i < width; i += run) {
			final int columns = Math.min(run, width - i), most = runs ? limit / columns : n;
			for (int j = 0; j < n;) {
				int count = Math.min(most, n - j);
				if (ends && pending + count * columns > limit) {
					if (pending + columns > limit) endRun();
					count = Math.min(count, (limit - pending) / columns);
				}
				pending += count * columns;
				final int o = (r + j) % height * stride + i, c = (r + j - first + together - 1) * width + i;
				final float[] image = rows[plane], k = coefficients[plane];
				for (int x = 0; x < lags; x += block)
					if (together == 4)
						if (VectorLanes.FEW_REGISTERS) fourByTwo(image, o + x, count, columns, k, c, x);
						else fourByFour(image, o + x, count, columns, k, c, x);
					else if (VectorLanes.FEW_REGISTERS) twoByFour(image, o + x, count, columns, k, c, x);
					else twoByEight(image, o + x, count, columns, k, c, x);
				j += count;
			}
		}
	}

	private void endRun() {
		if (before != null) {
			final float[] ended = sums;
			sums = before;
			before = ended;
		}
		else for (int x = 0; x < sums.length; x++) wide[x] += sums[x];
		Arrays.fill(sums, 0);
		pending = 0;
	}

	private static FloatVector load(final float[] a, final int o) {
		return FloatVector.fromArray(S, a, o);
	}

	private void fourByFour(final float[] image, final int o, final int rows, final int columns, final float[] c,
		final int q, final int s) {
		final float[] sums = this.sums;
		final int stride = this.stride, width = this.width, across = this.across;
		final int s1 = s + across, s2 = s1 + across, s3 = s2 + across;
		FloatVector a0 = load(sums, s), a1 = load(sums, s + L), a2 = load(sums, s + 2 * L), a3 = load(sums, s + 3 * L);
		FloatVector b0 = load(sums, s1), b1 = load(sums, s1 + L), b2 = load(sums, s1 + 2 * L), b3 = load(sums, s1 + 3 * L);
		FloatVector c0 = load(sums, s2), c1 = load(sums, s2 + L), c2 = load(sums, s2 + 2 * L), c3 = load(sums, s2 + 3 * L);
		FloatVector d0 = load(sums, s3), d1 = load(sums, s3 + L), d2 = load(sums, s3 + 2 * L), d3 = load(sums, s3 + 3 * L);
		for (int r = 0; r < rows; r++) {
			final int p = o + r * stride, t0 = q + r * width, t1 = t0 - width, t2 = t1 - width, t3 = t2 - width;
			for (int i = 0; i < columns; i++) {
				final FloatVector k0 = FloatVector.broadcast(S, c[t0 + i]), k1 = FloatVector.broadcast(S, c[t1 + i]),
					k2 = FloatVector.broadcast(S, c[t2 + i]), k3 = FloatVector.broadcast(S, c[t3 + i]);
				FloatVector v = load(image, p + i);
				a0 = v.fma(k0, a0);
				b0 = v.fma(k1, b0);
				c0 = v.fma(k2, c0);
				d0 = v.fma(k3, d0);
				v = load(image, p + i + L);
				a1 = v.fma(k0, a1);
				b1 = v.fma(k1, b1);
				c1 = v.fma(k2, c1);
				d1 = v.fma(k3, d1);
				v = load(image, p + i + 2 * L);
				a2 = v.fma(k0, a2);
				b2 = v.fma(k1, b2);
				c2 = v.fma(k2, c2);
				d2 = v.fma(k3, d2);
				v = load(image, p + i + 3 * L);
				a3 = v.fma(k0, a3);
				b3 = v.fma(k1, b3);
				c3 = v.fma(k2, c3);
				d3 = v.fma(k3, d3);
			}
		}
		a0.intoArray(sums, s);
		a1.intoArray(sums, s + L);
		a2.intoArray(sums, s + 2 * L);
		a3.intoArray(sums, s + 3 * L);
		b0.intoArray(sums, s1);
		b1.intoArray(sums, s1 + L);
		b2.intoArray(sums, s1 + 2 * L);
		b3.intoArray(sums, s1 + 3 * L);
		c0.intoArray(sums, s2);
		c1.intoArray(sums, s2 + L);
		c2.intoArray(sums, s2 + 2 * L);
		c3.intoArray(sums, s2 + 3 * L);
		d0.intoArray(sums, s3);
		d1.intoArray(sums, s3 + L);
		d2.intoArray(sums, s3 + 2 * L);
		d3.intoArray(sums, s3 + 3 * L);
	}

	private void fourByTwo(final float[] image, final int o, final int rows, final int columns, final float[] c, final int q, final int s) {
		final float[] sums = this.sums;
		final int stride = this.stride, width = this.width, across = this.across;
		final int s1 = s + across, s2 = s1 + across, s3 = s2 + across;
		FloatVector a0 = load(sums, s), a1 = load(sums, s + L);
		FloatVector b0 = load(sums, s1), b1 = load(sums, s1 + L);
		FloatVector c0 = load(sums, s2), c1 = load(sums, s2 + L);
		FloatVector d0 = load(sums, s3), d1 = load(sums, s3 + L);
		for (int r = 0; r < rows; r++) {
			final int p = o + r * stride, t0 = q + r * width, t1 = t0 - width, t2 = t1 - width, t3 = t2 - width;
			for (int i = 0; i < columns; i++) {
				final FloatVector k0 = FloatVector.broadcast(S, c[t0 + i]), k1 = FloatVector.broadcast(S, c[t1 + i]),
					k2 = FloatVector.broadcast(S, c[t2 + i]), k3 = FloatVector.broadcast(S, c[t3 + i]);
				FloatVector v = load(image, p + i);
				a0 = v.fma(k0, a0);
				b0 = v.fma(k1, b0);
				c0 = v.fma(k2, c0);
				d0 = v.fma(k3, d0);
				v = load(image, p + i + L);
				a1 = v.fma(k0, a1);
				b1 = v.fma(k1, b1);
				c1 = v.fma(k2, c1);
				d1 = v.fma(k3, d1);
			}
		}
		a0.intoArray(sums, s);
		a1.intoArray(sums, s + L);
		b0.intoArray(sums, s1);
		b1.intoArray(sums, s1 + L);
		c0.intoArray(sums, s2);
		c1.intoArray(sums, s2 + L);
		d0.intoArray(sums, s3);
		d1.intoArray(sums, s3 + L);
	}

	private void twoByEight(final float[] image, final int o, final int rows, final int columns, final float[] c,
		final int q, final int s) {
		final float[] sums = this.sums;
		final int stride = this.stride, width = this.width, across = this.across;
		final int s1 = s + across;
		FloatVector a0 = load(sums, s), a1 = load(sums, s + L), a2 = load(sums, s + 2 * L), a3 = load(sums, s + 3 * L);
		FloatVector a4 = load(sums, s + 4 * L), a5 = load(sums, s + 5 * L), a6 = load(sums, s + 6 * L), a7 = load(sums, s + 7 * L);
		FloatVector b0 = load(sums, s1), b1 = load(sums, s1 + L), b2 = load(sums, s1 + 2 * L), b3 = load(sums, s1 + 3 * L);
		FloatVector b4 = load(sums, s1 + 4 * L), b5 = load(sums, s1 + 5 * L), b6 = load(sums, s1 + 6 * L), b7 = load(sums, s1 + 7 * L);
		for (int r = 0; r < rows; r++) {
			final int p = o + r * stride, t0 = q + r * width, t1 = t0 - width;
			for (int i = 0; i < columns; i++) {
				final FloatVector k0 = FloatVector.broadcast(S, c[t0 + i]), k1 = FloatVector.broadcast(S, c[t1 + i]);
				FloatVector v = load(image, p + i);
				a0 = v.fma(k0, a0);
				b0 = v.fma(k1, b0);
				v = load(image, p + i + L);
				a1 = v.fma(k0, a1);
				b1 = v.fma(k1, b1);
				v = load(image, p + i + 2 * L);
				a2 = v.fma(k0, a2);
				b2 = v.fma(k1, b2);
				v = load(image, p + i + 3 * L);
				a3 = v.fma(k0, a3);
				b3 = v.fma(k1, b3);
				v = load(image, p + i + 4 * L);
				a4 = v.fma(k0, a4);
				b4 = v.fma(k1, b4);
				v = load(image, p + i + 5 * L);
				a5 = v.fma(k0, a5);
				b5 = v.fma(k1, b5);
				v = load(image, p + i + 6 * L);
				a6 = v.fma(k0, a6);
				b6 = v.fma(k1, b6);
				v = load(image, p + i + 7 * L);
				a7 = v.fma(k0, a7);
				b7 = v.fma(k1, b7);
			}
		}
		a0.intoArray(sums, s);
		a1.intoArray(sums, s + L);
		a2.intoArray(sums, s + 2 * L);
		a3.intoArray(sums, s + 3 * L);
		a4.intoArray(sums, s + 4 * L);
		a5.intoArray(sums, s + 5 * L);
		a6.intoArray(sums, s + 6 * L);
		a7.intoArray(sums, s + 7 * L);
		b0.intoArray(sums, s1);
		b1.intoArray(sums, s1 + L);
		b2.intoArray(sums, s1 + 2 * L);
		b3.intoArray(sums, s1 + 3 * L);
		b4.intoArray(sums, s1 + 4 * L);
		b5.intoArray(sums, s1 + 5 * L);
		b6.intoArray(sums, s1 + 6 * L);
		b7.intoArray(sums, s1 + 7 * L);
	}

	private void twoByFour(final float[] image, final int o, final int rows, final int columns, final float[] c, final int q, final int s) {
		final float[] sums = this.sums;
		final int stride = this.stride, width = this.width, across = this.across;
		final int s1 = s + across;
		FloatVector a0 = load(sums, s), a1 = load(sums, s + L), a2 = load(sums, s + 2 * L), a3 = load(sums, s + 3 * L);
		FloatVector b0 = load(sums, s1), b1 = load(sums, s1 + L), b2 = load(sums, s1 + 2 * L), b3 = load(sums, s1 + 3 * L);
		for (int r = 0; r < rows; r++) {
			final int p = o + r * stride, t0 = q + r * width, t1 = t0 - width;
			for (int i = 0; i < columns; i++) {
				final FloatVector k0 = FloatVector.broadcast(S, c[t0 + i]), k1 = FloatVector.broadcast(S, c[t1 + i]);
				FloatVector v = load(image, p + i);
				a0 = v.fma(k0, a0);
				b0 = v.fma(k1, b0);
				v = load(image, p + i + L);
				a1 = v.fma(k0, a1);
				b1 = v.fma(k1, b1);
				v = load(image, p + i + 2 * L);
				a2 = v.fma(k0, a2);
				b2 = v.fma(k1, b2);
				v = load(image, p + i + 3 * L);
				a3 = v.fma(k0, a3);
				b3 = v.fma(k1, b3);
			}
		}
		a0.intoArray(sums, s);
		a1.intoArray(sums, s + L);
		a2.intoArray(sums, s + 2 * L);
		a3.intoArray(sums, s + 3 * L);
		b0.intoArray(sums, s1);
		b1.intoArray(sums, s1 + L);
		b2.intoArray(sums, s1 + 2 * L);
		b3.intoArray(sums, s1 + 3 * L);
	}
}
