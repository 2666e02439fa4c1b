package sc.fiji.ncc.cpu.correlator;

import java.util.Arrays;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

import sc.fiji.ncc.loops.VectorLanes;

/** {@link DoubleRowCorrelator} with the Vector API, by the method of {@link VectorFloatCorrelator}. */
final class VectorDoubleCorrelator implements DoubleRowCorrelator {

	private static final VectorSpecies<Double> S = VectorLanes.DOUBLES;
	private static final int L = VectorLanes.D;

	private final int width, height, maxLags;
	private final double[][] coefficients;
	private final double[][] rows;
	private final int together, block, stride, across;
	private final double[] sums;
	private int lags, first;

	/** Arguments as in {@link FloatRowCorrelator#of}. */
	VectorDoubleCorrelator(final int width, final int height, final double[][] coefficients, final int maxLags) {
		this.width = width;
		this.height = height;
		this.maxLags = maxLags;
		together = VectorFloatCorrelator.together(height);
		block = (VectorLanes.FEW_REGISTERS ? 8 : 16) / together * L;
		this.coefficients = new double[coefficients.length][(height + 2 * (together - 1)) * width];
		for (int p = 0; p < coefficients.length; p++) System.arraycopy(coefficients[p], 0, this.coefficients[p], (together - 1) * width, height * width);
		across = (maxLags + block - 1) / block * block;
		stride = across + width - 1;
		rows = new double[coefficients.length][height * stride];
		sums = new double[together * across];
	}

	@Override
	public void begin(final int lags) {
		if (lags > maxLags) throw new IllegalArgumentException("a row has " + lags + " lags, but this correlator was made for at most " + maxLags);
		this.lags = lags;
		first = -together - height;
	}

	@Override
	public void add(final int plane, final double[] row, final int r, final int y0, final int y1) {
		System.arraycopy(row, 0, rows[plane], r % height * stride, lags + width - 1);
		if (first >= 0 && r >= first + height && r < first + together - 1 + height) sum(plane, r, 1);
		final int y = r - height + 1;
		if (y < 0 || y % together > 0 || plane < coefficients.length - 1) return;
		first = y;
		Arrays.fill(sums, 0);
		final int wrap = height - y % height;
		for (int p = 0; p < coefficients.length; p++) {
			sum(p, y, wrap);
			if (wrap < height) sum(p, y + wrap, height - wrap);
		}
	}

	@Override
	public void finish(final int y, final double[] to) {
		System.arraycopy(sums, (y - first) * across, to, 0, lags);
	}

	private void sum(final int plane, final int r, final int n) {
		final double[] image = rows[plane], k = coefficients[plane];
		final int o = r % height * stride, c = (r - first + together - 1) * width;
		for (int x = 0; x < lags; x += block)
			if (together == 4)
				if (VectorLanes.FEW_REGISTERS) fourByTwo(image, o + x, n, k, c, x);
				else fourByFour(image, o + x, n, k, c, x);
			else if (VectorLanes.FEW_REGISTERS) twoByFour(image, o + x, n, k, c, x);
			else twoByEight(image, o + x, n, k, c, x);
	}

	private static DoubleVector load(final double[] a, final int o) {
		return DoubleVector.fromArray(S, a, o);
	}

	private void fourByFour(final double[] image, final int o, final int rows, final double[] c, final int q, final int s) {
		final double[] sums = this.sums;
		final int stride = this.stride, width = this.width, across = this.across;
		final int s1 = s + across, s2 = s1 + across, s3 = s2 + across;
		DoubleVector a0 = load(sums, s), a1 = load(sums, s + L), a2 = load(sums, s + 2 * L), a3 = load(sums, s + 3 * L);
		DoubleVector b0 = load(sums, s1), b1 = load(sums, s1 + L), b2 = load(sums, s1 + 2 * L), b3 = load(sums, s1 + 3 * L);
		DoubleVector c0 = load(sums, s2), c1 = load(sums, s2 + L), c2 = load(sums, s2 + 2 * L), c3 = load(sums, s2 + 3 * L);
		DoubleVector d0 = load(sums, s3), d1 = load(sums, s3 + L), d2 = load(sums, s3 + 2 * L), d3 = load(sums, s3 + 3 * L);
		for (int r = 0; r < rows; r++) {
			final int p = o + r * stride, t0 = q + r * width, t1 = t0 - width, t2 = t1 - width, t3 = t2 - width;
			for (int i = 0; i < width; i++) {
				final DoubleVector k0 = DoubleVector.broadcast(S, c[t0 + i]), k1 = DoubleVector.broadcast(S, c[t1 + i]), k2 = DoubleVector.broadcast(S,
					c[t2 + i]), k3 = DoubleVector.broadcast(S, c[t3 + i]);
				DoubleVector v = load(image, p + i);
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

	private void fourByTwo(final double[] image, final int o, final int rows, final double[] c, final int q, final int s) {
		final double[] sums = this.sums;
		final int stride = this.stride, width = this.width, across = this.across;
		final int s1 = s + across, s2 = s1 + across, s3 = s2 + across;
		DoubleVector a0 = load(sums, s), a1 = load(sums, s + L);
		DoubleVector b0 = load(sums, s1), b1 = load(sums, s1 + L);
		DoubleVector c0 = load(sums, s2), c1 = load(sums, s2 + L);
		DoubleVector d0 = load(sums, s3), d1 = load(sums, s3 + L);
		for (int r = 0; r < rows; r++) {
			final int p = o + r * stride, t0 = q + r * width, t1 = t0 - width, t2 = t1 - width, t3 = t2 - width;
			for (int i = 0; i < width; i++) {
				final DoubleVector k0 = DoubleVector.broadcast(S, c[t0 + i]), k1 = DoubleVector.broadcast(S, c[t1 + i]), k2 = DoubleVector.broadcast(S,
					c[t2 + i]), k3 = DoubleVector.broadcast(S, c[t3 + i]);
				DoubleVector v = load(image, p + i);
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

	private void twoByEight(final double[] image, final int o, final int rows, final double[] c, final int q, final int s) {
		final double[] sums = this.sums;
		final int stride = this.stride, width = this.width, across = this.across;
		final int s1 = s + across;
		DoubleVector a0 = load(sums, s), a1 = load(sums, s + L), a2 = load(sums, s + 2 * L), a3 = load(sums, s + 3 * L);
		DoubleVector a4 = load(sums, s + 4 * L), a5 = load(sums, s + 5 * L), a6 = load(sums, s + 6 * L), a7 = load(sums, s + 7 * L);
		DoubleVector b0 = load(sums, s1), b1 = load(sums, s1 + L), b2 = load(sums, s1 + 2 * L), b3 = load(sums, s1 + 3 * L);
		DoubleVector b4 = load(sums, s1 + 4 * L), b5 = load(sums, s1 + 5 * L), b6 = load(sums, s1 + 6 * L), b7 = load(sums, s1 + 7 * L);
		for (int r = 0; r < rows; r++) {
			final int p = o + r * stride, t0 = q + r * width, t1 = t0 - width;
			for (int i = 0; i < width; i++) {
				final DoubleVector k0 = DoubleVector.broadcast(S, c[t0 + i]), k1 = DoubleVector.broadcast(S, c[t1 + i]);
				DoubleVector v = load(image, p + i);
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

	private void twoByFour(final double[] image, final int o, final int rows, final double[] c, final int q, final int s) {
		final double[] sums = this.sums;
		final int stride = this.stride, width = this.width, across = this.across;
		final int s1 = s + across;
		DoubleVector a0 = load(sums, s), a1 = load(sums, s + L), a2 = load(sums, s + 2 * L), a3 = load(sums, s + 3 * L);
		DoubleVector b0 = load(sums, s1), b1 = load(sums, s1 + L), b2 = load(sums, s1 + 2 * L), b3 = load(sums, s1 + 3 * L);
		for (int r = 0; r < rows; r++) {
			final int p = o + r * stride, t0 = q + r * width, t1 = t0 - width;
			for (int i = 0; i < width; i++) {
				final DoubleVector k0 = DoubleVector.broadcast(S, c[t0 + i]), k1 = DoubleVector.broadcast(S, c[t1 + i]);
				DoubleVector v = load(image, p + i);
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
