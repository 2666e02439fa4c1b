package sc.fiji.ncc.cpu.correlator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorLanes;
import sc.fiji.ncc.numeric.RoundingBound;

/**
 * {@link FloatRowCorrelator} for a kernel with the Vector API, where float is accurate enough. Two rows of sums stay in registers from the first
 * coefficient to the last, so that each vector of pixels that is loaded feeds two multiply-adds. The last rows of the tile are stored. A row of zeros
 * above and below the kernel fills the places where the two rows of sums do not overlap.
 * <p>
 * All products are added up one after the other. Kernels of more than a few dozen coefficients are first summed row by row, which rounds less (see {@link
 * RoundingBound}).
 */
final class VectorKernelCorrelator implements FloatRowCorrelator {

	private static final VectorSpecies<Float> S = VectorLanes.FLOATS;
	private static final int L = VectorLanes.F;

	private final int width, height, planes, maxLags;
	/** Whether each row of coefficients is summed by itself. */
	private final boolean byRows;
	/** The number of rows of sums at a time, and of sums in a block. */
	private final int together, block, across;
	/** {@code height + 2} rows of each plane; the first and the last are zeros. */
	private final float[] coefficients;
	/** {@code rows}: the last {@code height + 1} rows of the tile, for each plane. {@code window}: the same rows in the order of the coefficients. */
	private final float[][][] rows;
	private final float[][] window;
	private final float[] sums;
	private int lags, last;

	/** Returns null if float is not accurate enough. Arguments as in {@link FloatRowCorrelator#ofKernel}. */
	static VectorKernelCorrelator of(final int width, final int height, final float[][] coefficients, final double bound, final int maxLags) {
		final List<float[]> rows = new ArrayList<>();
		final float[] all = new float[width * height * coefficients.length];
		double magnitude = 0;
		for (int p = 0; p < coefficients.length; p++) {
			System.arraycopy(coefficients[p], 0, all, p * width * height, width * height);
			for (int j = 0; j < height; j++) {
				// the bound assumes that the last product of a group is added first
				final float[] row = new float[width];
				for (int i = 0; i < width; i++) {
					row[i] = coefficients[p][j * width + width - 1 - i];
					magnitude += Math.abs(row[i]);
				}
				rows.add(row);
			}
		}
		if (RoundingBound.longestRun(all, bound) == all.length) return new VectorKernelCorrelator(width, height, coefficients, false, maxLags);
		return RoundingBound.of(rows.toArray(float[][]::new), rows.size()) <= bound * magnitude ? new VectorKernelCorrelator(width, height, coefficients,
			true, maxLags) : null;
	}

	private VectorKernelCorrelator(final int width, final int height, final float[][] coefficients, final boolean byRows, final int maxLags) {
		this.width = width;
		this.height = height;
		this.maxLags = maxLags;
		this.byRows = byRows;
		planes = coefficients.length;
		together = width == 3 && !byRows ? 1 : 2;
		block = (together == 1 ? 4 : byRows ? VectorLanes.FEW_REGISTERS ? 2 : 4 : VectorLanes.FEW_REGISTERS ? 4 : 8) * L;
		across = (maxLags + block - 1) / block * block;
		this.coefficients = new float[planes * (height + 2) * width];
		for (int p = 0; p < planes; p++) System.arraycopy(coefficients[p], 0, this.coefficients, (p * (height + 2) + 1) * width, height * width);
		rows = new float[planes][][];
		for (int p = 0; p < planes; p++) rows[p] = Rows.floats(height + together - 1, across + width - 1);
		window = new float[planes * (height + together - 1)][];
		sums = Rows.floats(1, together * across)[0];
	}

	@Override
	public int ahead() {
		return together - 1;
	}

	@Override
	public void begin(final int lags) {
		if (lags > maxLags) throw new IllegalArgumentException("a row has " + lags + " lags, but this correlator was made for at most " + maxLags);
		this.lags = lags;
		last = -1;
	}

	@Override
	public float[] buffer(final int plane, final int r) {
		return rows[plane][r % (height + together - 1)];
	}

	@Override
	public void add(final int plane, final float[] row, final int r, final int y0, final int y1) {
		final float[] kept = buffer(plane, r);
		if (row != kept) System.arraycopy(row, 0, kept, 0, lags + width - 1);
		last = r;
	}

	@Override
	public void finish(final int y, final double[] to) {
		if (y % together == 0) sum(y, sums, 0, across);
		Rows.toDouble(y % together == 0 ? sums : Arrays.copyOfRange(sums, across, across + lags), to, lags);
	}

	@Override
	public void finish(final int y, final float[] to, final int o) {
		if (y % together == 0) sum(y, sums, 0, across);
		System.arraycopy(sums, y % together * across, to, o, lags);
	}

	@Override
	public void finish(final int y, final float[] to, final int o, final int next) {
		if (lags < block) finish(y, to, o);
		else if (y % together == 0) sum(y, to, o, next >= 0 ? next : o);
	}

	/** Computes rows {@code y} and {@code y + 1} and writes them to two places of an array. If the places are equal, only the first row counts. */
	private void sum(final int y, final float[] to, final int o, final int next) {
		for (int p = 0, e = 0; p < planes; p++)
			// at the end of a tile the second row of sums does not exist; its rows meet zeros, so any row without NaN will do
			for (int j = 0; j < height + together - 1; j++) window[e++] = buffer(p, Math.min(y + j, last));
		// if only whole blocks fit, the last block starts earlier and repeats some sums
		final int n = Math.max(lags, block);
		if (together == 1) threeWide(window, height, coefficients, to, o, n);
		else if (byRows)
			if (VectorLanes.FEW_REGISTERS) byRowsTwoByTwo(to, o, next, n);
			else byRowsTwoByFour(to, o, next, n);
		else if (VectorLanes.FEW_REGISTERS) twoByFour(to, o, next, n);
		else twoByEight(to, o, next, n);
	}

	/** Three coefficients a row, one row of sums: a loop over so few coefficients costs more than their products. */
	private static void threeWide(final float[][] rows, final int height, final float[] coefficients, final float[] to, final int o, final int n) {
		for (int from = 0; from < n; from += 4 * L) {
			final int x = Math.min(from, n - 4 * L);
			final FloatVector zero = FloatVector.zero(S);
			FloatVector a = zero, b = zero, c = zero, d = zero;
			for (int e = 0, t = 3; e < rows.length; e++, t += 3) {
				if (e > 0 && e % height == 0) t += 6;
				final float[] row = rows[e];
				final FloatVector k = FloatVector.broadcast(S, coefficients[t]), l = FloatVector.broadcast(S, coefficients[t + 1]), m = FloatVector.broadcast(S,
					coefficients[t + 2]);
				a = FloatVector.fromArray(S, row, x).fma(k, a);
				b = FloatVector.fromArray(S, row, x + L).fma(k, b);
				c = FloatVector.fromArray(S, row, x + 2 * L).fma(k, c);
				d = FloatVector.fromArray(S, row, x + 3 * L).fma(k, d);
				a = FloatVector.fromArray(S, row, x + 1).fma(l, a);
				b = FloatVector.fromArray(S, row, x + 1 + L).fma(l, b);
				c = FloatVector.fromArray(S, row, x + 1 + 2 * L).fma(l, c);
				d = FloatVector.fromArray(S, row, x + 1 + 3 * L).fma(l, d);
				a = FloatVector.fromArray(S, row, x + 2).fma(m, a);
				b = FloatVector.fromArray(S, row, x + 2 + L).fma(m, b);
				c = FloatVector.fromArray(S, row, x + 2 + 2 * L).fma(m, c);
				d = FloatVector.fromArray(S, row, x + 2 + 3 * L).fma(m, d);
			}
			a.intoArray(to, o + x);
			b.intoArray(to, o + x + L);
			c.intoArray(to, o + x + 2 * L);
			d.intoArray(to, o + x + 3 * L);
		}
	}

	private void twoByEight(final float[] to, final int o, final int next, final int n) {
		final float[][] rows = window;
		final float[] coefficients = this.coefficients;
		final int height = this.height, width = this.width;
		for (int from = 0; from < n; from += 8 * L) {
			final int x = Math.min(from, n - 8 * L);
			final FloatVector zero = FloatVector.zero(S);
			FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, a4 = zero, a5 = zero, a6 = zero, a7 = zero;
			FloatVector b0 = zero, b1 = zero, b2 = zero, b3 = zero, b4 = zero, b5 = zero, b6 = zero, b7 = zero;
			for (int e = 0, t = width; e < rows.length; e++, t += width) {
				// the coefficients of two planes are one row farther apart than their pixels
				if (e > 0 && e % (height + 1) == 0) t += width;
				final float[] row = rows[e];
				for (int i = 0; i < width; i++) {
					final FloatVector k = FloatVector.broadcast(S, coefficients[t + i]), l = FloatVector.broadcast(S, coefficients[t - width + i]);
					FloatVector v = FloatVector.fromArray(S, row, x + i);
					a0 = v.fma(k, a0);
					b0 = v.fma(l, b0);
					v = FloatVector.fromArray(S, row, x + i + L);
					a1 = v.fma(k, a1);
					b1 = v.fma(l, b1);
					v = FloatVector.fromArray(S, row, x + i + 2 * L);
					a2 = v.fma(k, a2);
					b2 = v.fma(l, b2);
					v = FloatVector.fromArray(S, row, x + i + 3 * L);
					a3 = v.fma(k, a3);
					b3 = v.fma(l, b3);
					v = FloatVector.fromArray(S, row, x + i + 4 * L);
					a4 = v.fma(k, a4);
					b4 = v.fma(l, b4);
					v = FloatVector.fromArray(S, row, x + i + 5 * L);
					a5 = v.fma(k, a5);
					b5 = v.fma(l, b5);
					v = FloatVector.fromArray(S, row, x + i + 6 * L);
					a6 = v.fma(k, a6);
					b6 = v.fma(l, b6);
					v = FloatVector.fromArray(S, row, x + i + 7 * L);
					a7 = v.fma(k, a7);
					b7 = v.fma(l, b7);
				}
			}
			b0.intoArray(to, next + x);
			b1.intoArray(to, next + x + L);
			b2.intoArray(to, next + x + 2 * L);
			b3.intoArray(to, next + x + 3 * L);
			b4.intoArray(to, next + x + 4 * L);
			b5.intoArray(to, next + x + 5 * L);
			b6.intoArray(to, next + x + 6 * L);
			b7.intoArray(to, next + x + 7 * L);
			a0.intoArray(to, o + x);
			a1.intoArray(to, o + x + L);
			a2.intoArray(to, o + x + 2 * L);
			a3.intoArray(to, o + x + 3 * L);
			a4.intoArray(to, o + x + 4 * L);
			a5.intoArray(to, o + x + 5 * L);
			a6.intoArray(to, o + x + 6 * L);
			a7.intoArray(to, o + x + 7 * L);
		}
	}

	private void twoByFour(final float[] to, final int o, final int next, final int n) {
		final float[][] rows = window;
		final float[] coefficients = this.coefficients;
		final int height = this.height, width = this.width;
		for (int from = 0; from < n; from += 4 * L) {
			final int x = Math.min(from, n - 4 * L);
			final FloatVector zero = FloatVector.zero(S);
			FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero;
			FloatVector b0 = zero, b1 = zero, b2 = zero, b3 = zero;
			for (int e = 0, t = width; e < rows.length; e++, t += width) {
				// the coefficients of two planes are one row farther apart than their pixels
				if (e > 0 && e % (height + 1) == 0) t += width;
				final float[] row = rows[e];
				for (int i = 0; i < width; i++) {
					final FloatVector k = FloatVector.broadcast(S, coefficients[t + i]), l = FloatVector.broadcast(S, coefficients[t - width + i]);
					FloatVector v = FloatVector.fromArray(S, row, x + i);
					a0 = v.fma(k, a0);
					b0 = v.fma(l, b0);
					v = FloatVector.fromArray(S, row, x + i + L);
					a1 = v.fma(k, a1);
					b1 = v.fma(l, b1);
					v = FloatVector.fromArray(S, row, x + i + 2 * L);
					a2 = v.fma(k, a2);
					b2 = v.fma(l, b2);
					v = FloatVector.fromArray(S, row, x + i + 3 * L);
					a3 = v.fma(k, a3);
					b3 = v.fma(l, b3);
				}
			}
			b0.intoArray(to, next + x);
			b1.intoArray(to, next + x + L);
			b2.intoArray(to, next + x + 2 * L);
			b3.intoArray(to, next + x + 3 * L);
			a0.intoArray(to, o + x);
			a1.intoArray(to, o + x + L);
			a2.intoArray(to, o + x + 2 * L);
			a3.intoArray(to, o + x + 3 * L);
		}
	}

	private void byRowsTwoByFour(final float[] to, final int o, final int next, final int n) {
		final float[][] rows = window;
		final float[] coefficients = this.coefficients;
		final int height = this.height, width = this.width;
		for (int from = 0; from < n; from += 4 * L) {
			final int x = Math.min(from, n - 4 * L);
			final FloatVector zero = FloatVector.zero(S);
			FloatVector p0 = zero, p1 = zero, p2 = zero, p3 = zero;
			FloatVector q0 = zero, q1 = zero, q2 = zero, q3 = zero;
			for (int e = 0, t = width; e < rows.length; e++, t += width) {
				// the coefficients of two planes are one row farther apart than their pixels
				if (e > 0 && e % (height + 1) == 0) t += width;
				final float[] row = rows[e];
				FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero;
				FloatVector b0 = zero, b1 = zero, b2 = zero, b3 = zero;
				for (int i = 0; i < width; i++) {
					final FloatVector k = FloatVector.broadcast(S, coefficients[t + i]), l = FloatVector.broadcast(S, coefficients[t - width + i]);
					FloatVector v = FloatVector.fromArray(S, row, x + i);
					a0 = v.fma(k, a0);
					b0 = v.fma(l, b0);
					v = FloatVector.fromArray(S, row, x + i + L);
					a1 = v.fma(k, a1);
					b1 = v.fma(l, b1);
					v = FloatVector.fromArray(S, row, x + i + 2 * L);
					a2 = v.fma(k, a2);
					b2 = v.fma(l, b2);
					v = FloatVector.fromArray(S, row, x + i + 3 * L);
					a3 = v.fma(k, a3);
					b3 = v.fma(l, b3);
				}
				p0 = p0.add(a0);
				p1 = p1.add(a1);
				p2 = p2.add(a2);
				p3 = p3.add(a3);
				q0 = q0.add(b0);
				q1 = q1.add(b1);
				q2 = q2.add(b2);
				q3 = q3.add(b3);
			}
			q0.intoArray(to, next + x);
			q1.intoArray(to, next + x + L);
			q2.intoArray(to, next + x + 2 * L);
			q3.intoArray(to, next + x + 3 * L);
			p0.intoArray(to, o + x);
			p1.intoArray(to, o + x + L);
			p2.intoArray(to, o + x + 2 * L);
			p3.intoArray(to, o + x + 3 * L);
		}
	}

	private void byRowsTwoByTwo(final float[] to, final int o, final int next, final int n) {
		final float[][] rows = window;
		final float[] coefficients = this.coefficients;
		final int height = this.height, width = this.width;
		for (int from = 0; from < n; from += 2 * L) {
			final int x = Math.min(from, n - 2 * L);
			final FloatVector zero = FloatVector.zero(S);
			FloatVector p0 = zero, p1 = zero;
			FloatVector q0 = zero, q1 = zero;
			for (int e = 0, t = width; e < rows.length; e++, t += width) {
				// the coefficients of two planes are one row farther apart than their pixels
				if (e > 0 && e % (height + 1) == 0) t += width;
				final float[] row = rows[e];
				FloatVector a0 = zero, a1 = zero;
				FloatVector b0 = zero, b1 = zero;
				for (int i = 0; i < width; i++) {
					final FloatVector k = FloatVector.broadcast(S, coefficients[t + i]), l = FloatVector.broadcast(S, coefficients[t - width + i]);
					FloatVector v = FloatVector.fromArray(S, row, x + i);
					a0 = v.fma(k, a0);
					b0 = v.fma(l, b0);
					v = FloatVector.fromArray(S, row, x + i + L);
					a1 = v.fma(k, a1);
					b1 = v.fma(l, b1);
				}
				p0 = p0.add(a0);
				p1 = p1.add(a1);
				q0 = q0.add(b0);
				q1 = q1.add(b1);
			}
			q0.intoArray(to, next + x);
			q1.intoArray(to, next + x + L);
			p0.intoArray(to, o + x);
			p1.intoArray(to, o + x + L);
		}
	}
}
