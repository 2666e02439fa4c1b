package sc.fiji.ncc.cpu.fft;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

import sc.fiji.ncc.loops.VectorLanes;
import sc.fiji.ncc.loops.VectorTranspose;

/**
 * {@link TileFft} with the Vector API. Two levels form one pass over the rows (radix 4, Bergland 1968), which leaves the spectrum in the same order. Two
 * such passes run over 16 rows at a time, in strips that the first-level cache holds. Rows that do not consist of whole vectors use the plain loops.
 */
public final class VectorTileFft extends TileFft {

	private static final VectorSpecies<Float> S = VectorLanes.FLOATS;
	private static final int L = VectorLanes.F;
	/** The number of floats of a row at a time: 16 such strips, real and imaginary, fill 32 KiB. */
	private static final int STRIP = 256;
	/** The maximum number of levels in one group. */
	private static final int GROUP = 4;
	private static final float HEIGHT = (float) (Math.sqrt(3) / 2);

	/** The rows of a transform, real and imaginary. */
	private record Rows(float[][] re, float[][] im) {}

	/** @param folded as {@link Passes#folded} */
	public VectorTileFft(final int width, final int height, final int depth, final boolean folded) {
		super(width, height, depth, folded);
	}

	@Override
	void radix2(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		if (n % L != 0) {
			super.radix2(re, im, first, step, count, d, n);
			return;
		}
		final Rows rows = new Rows(re, im);
		for (int length = 1 << Integer.numberOfTrailingZeros(count); length > 1;) {
			final int apart = length >> levels(Integer.numberOfTrailingZeros(length));
			for (int block = 0; block < count; block += length)
				for (int k = 0; k < apart; k++)
					for (int x = 0; x < n; x += STRIP) {
						final int until = Math.min(n, x + STRIP);
						int l = length;
						for (; l / 4 >= apart; l >>= 2)
							for (int b = block; b < block + length; b += l)
								for (int m = k; m < l / 4; m += apart)
									radix4(rows, first + (b + m) * step, l / 4 * step, d, m * (count / l), x, until);
						if (l > apart)
							for (int b = block; b < block + length; b += l)
								radix2(rows, first + (b + k) * step, l / 2 * step, d, k * (count / l), x, until);
					}
			length = apart;
		}
	}

	@Override
	void radix2Inverse(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		if (n % L != 0) {
			super.radix2Inverse(re, im, first, step, count, d, n);
			return;
		}
		final Rows rows = new Rows(re, im);
		// the groups of the forward transform, in reverse order
		final int levels = Integer.numberOfTrailingZeros(count);
		for (int done = 0; done < levels;) {
			int remaining = levels;
			while (remaining - levels(remaining) > done) remaining -= levels(remaining);
			final int apart = 1 << done, length = 1 << remaining;
			for (int block = 0; block < count; block += length)
				for (int k = 0; k < apart; k++)
					for (int x = 0; x < n; x += STRIP) {
						final int until = Math.min(n, x + STRIP);
						int l = apart;
						if ((remaining - done & 1) == 1) {
							l *= 2;
							for (int b = block; b < block + length; b += l)
								radix2Inverse(rows, first + (b + k) * step, l / 2 * step, d, k * (count / l), x, until);
						}
						for (l *= 4; l <= length; l *= 4)
							for (int b = block; b < block + length; b += l)
								for (int m = k; m < l / 4; m += apart)
									radix4Inverse(rows, first + (b + m) * step, l / 4 * step, d, m * (count / l), x, until);
					}
			done = remaining;
		}
	}

	@Override
	void radix3(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		if (n % L != 0) {
			super.radix3(re, im, first, step, count, d, n);
			return;
		}
		final Rows rows = new Rows(re, im);
		final int third = count / 3;
		for (int k = 0; k < third; k++) three(rows, first + k * step, third * step, d, k, n);
	}

	@Override
	void radix3Inverse(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		if (n % L != 0) {
			super.radix3Inverse(re, im, first, step, count, d, n);
			return;
		}
		final Rows rows = new Rows(re, im);
		final int third = count / 3;
		for (int k = 0; k < third; k++) threeInverse(rows, first + k * step, third * step, d, k, n);
	}

	/** The number of levels in the next group: an even number, where that needs no additional group. */
	private static int levels(final int remaining) {
		return remaining <= GROUP ? remaining : remaining == GROUP + 1 ? 2 : GROUP;
	}

	private static FloatVector factor(final double[] of, final int t) {
		return FloatVector.broadcast(S, (float) of[t]);
	}

	/** {@link #radix4(Rows, int, int, int, int, int, int)} without a twiddle factor. */
	private static void radix4(final Rows rows, final int i, final int apart, final int from, final int until) {
		final int j = i + apart, k = j + apart, l = k + apart;
		final float[] aRe = rows.re[i], aIm = rows.im[i], bRe = rows.re[j], bIm = rows.im[j], cRe = rows.re[k],
			cIm = rows.im[k], dRe = rows.re[l], dIm = rows.im[l];
		for (int x = from; x < until; x += L) {
			final FloatVector a = FloatVector.fromArray(S, aRe, x), aa = FloatVector.fromArray(S, aIm, x),
				b = FloatVector.fromArray(S, bRe, x), bb = FloatVector.fromArray(S, bIm, x);
			final FloatVector c = FloatVector.fromArray(S, cRe, x), cc = FloatVector.fromArray(S, cIm, x),
				d = FloatVector.fromArray(S, dRe, x), dd = FloatVector.fromArray(S, dIm, x);
			final FloatVector p = a.add(c), pp = aa.add(cc), q = b.add(d), qq = bb.add(dd);
			final FloatVector r = a.sub(c), rr = aa.sub(cc), s = b.sub(d), ss = bb.sub(dd);
			p.add(q).intoArray(aRe, x);
			pp.add(qq).intoArray(aIm, x);
			p.sub(q).intoArray(bRe, x);
			pp.sub(qq).intoArray(bIm, x);
			// times -i
			r.add(ss).intoArray(cRe, x);
			rr.sub(s).intoArray(cIm, x);
			r.sub(ss).intoArray(dRe, x);
			rr.add(s).intoArray(dIm, x);
		}
	}

	/**
	 * Two levels on the rows i, i + apart, i + 2·apart, i + 3·apart. Multiplies the second, third and fourth result by w², w and w³.
	 *
	 * @param t the index of the first twiddle factor of the whole transform
	 */
	private void radix4(final Rows rows, final int i, final int apart, final int axis, final int t, final int from, final int until) {
		if (t == 0) {
			radix4(rows, i, apart, from, until);
			return;
		}
		final int j = i + apart, k = j + apart, l = k + apart;
		final float[] aRe = rows.re[i], aIm = rows.im[i], bRe = rows.re[j], bIm = rows.im[j], cRe = rows.re[k],
			cIm = rows.im[k], dRe = rows.re[l], dIm = rows.im[l];
		final FloatVector vc = factor(cosines[axis], t), vs = factor(sines[axis], t), vc2 = factor(cosines[axis], 2 * t),
			vs2 = factor(sines[axis], 2 * t), vc3 = factor(cosines[axis], 3 * t), vs3 = factor(sines[axis], 3 * t);
		for (int x = from; x < until; x += L) {
			final FloatVector a = FloatVector.fromArray(S, aRe, x), aa = FloatVector.fromArray(S, aIm, x),
				b = FloatVector.fromArray(S, bRe, x), bb = FloatVector.fromArray(S, bIm, x);
			final FloatVector c = FloatVector.fromArray(S, cRe, x), cc = FloatVector.fromArray(S, cIm, x),
				d = FloatVector.fromArray(S, dRe, x), dd = FloatVector.fromArray(S, dIm, x);
			final FloatVector p = a.add(c), pp = aa.add(cc), q = b.add(d), qq = bb.add(dd);
			final FloatVector r = a.sub(c), rr = aa.sub(cc), s = b.sub(d), ss = bb.sub(dd);
			p.add(q).intoArray(aRe, x);
			pp.add(qq).intoArray(aIm, x);
			final FloatVector e = p.sub(q), ee = pp.sub(qq), f = r.add(ss), ff = rr.sub(s), g = r.sub(ss), gg = rr.add(s);
			e.mul(vc2).sub(ee.mul(vs2)).intoArray(bRe, x);
			e.fma(vs2, ee.mul(vc2)).intoArray(bIm, x);
			f.mul(vc).sub(ff.mul(vs)).intoArray(cRe, x);
			f.fma(vs, ff.mul(vc)).intoArray(cIm, x);
			g.mul(vc3).sub(gg.mul(vs3)).intoArray(dRe, x);
			g.fma(vs3, gg.mul(vc3)).intoArray(dIm, x);
		}
	}

	/** {@link #radix4Inverse(Rows, int, int, int, int, int, int)} without a twiddle factor. */
	private static void radix4Inverse(final Rows rows, final int i, final int apart, final int from, final int until) {
		final int j = i + apart, k = j + apart, l = k + apart;
		final float[] aRe = rows.re[i], aIm = rows.im[i], bRe = rows.re[j], bIm = rows.im[j], cRe = rows.re[k],
			cIm = rows.im[k], dRe = rows.re[l], dIm = rows.im[l];
		for (int x = from; x < until; x += L) {
			final FloatVector a = FloatVector.fromArray(S, aRe, x), aa = FloatVector.fromArray(S, aIm, x),
				b = FloatVector.fromArray(S, bRe, x), bb = FloatVector.fromArray(S, bIm, x);
			final FloatVector c = FloatVector.fromArray(S, cRe, x), cc = FloatVector.fromArray(S, cIm, x),
				d = FloatVector.fromArray(S, dRe, x), dd = FloatVector.fromArray(S, dIm, x);
			final FloatVector p = a.add(b), pp = aa.add(bb), q = a.sub(b), qq = aa.sub(bb);
			final FloatVector r = c.add(d), rr = cc.add(dd), s = c.sub(d), ss = cc.sub(dd);
			p.add(r).intoArray(aRe, x);
			pp.add(rr).intoArray(aIm, x);
			p.sub(r).intoArray(cRe, x);
			pp.sub(rr).intoArray(cIm, x);
			q.sub(ss).intoArray(bRe, x);
			qq.add(s).intoArray(bIm, x);
			q.add(ss).intoArray(dRe, x);
			qq.sub(s).intoArray(dIm, x);
		}
	}

	/** The inverse of {@link #radix4(Rows, int, int, int, int, int, int)}. */
	private void radix4Inverse(final Rows rows, final int i, final int apart, final int axis, final int t, final int from,
		final int until) {
		if (t == 0) {
			radix4Inverse(rows, i, apart, from, until);
			return;
		}
		final int j = i + apart, k = j + apart, l = k + apart;
		final float[] aRe = rows.re[i], aIm = rows.im[i], bRe = rows.re[j], bIm = rows.im[j], cRe = rows.re[k],
			cIm = rows.im[k], dRe = rows.re[l], dIm = rows.im[l];
		final FloatVector vc = factor(cosines[axis], t), vs = factor(sines[axis], t), vc2 = factor(cosines[axis], 2 * t),
			vs2 = factor(sines[axis], 2 * t), vc3 = factor(cosines[axis], 3 * t), vs3 = factor(sines[axis], 3 * t);
		for (int x = from; x < until; x += L) {
			final FloatVector a = FloatVector.fromArray(S, aRe, x), aa = FloatVector.fromArray(S, aIm, x),
				e = FloatVector.fromArray(S, bRe, x), ee = FloatVector.fromArray(S, bIm, x);
			final FloatVector f = FloatVector.fromArray(S, cRe, x), ff = FloatVector.fromArray(S, cIm, x),
				g = FloatVector.fromArray(S, dRe, x), gg = FloatVector.fromArray(S, dIm, x);
			final FloatVector b = e.fma(vc2, ee.mul(vs2)), bb = ee.mul(vc2).sub(e.mul(vs2));
			final FloatVector c = f.fma(vc, ff.mul(vs)), cc = ff.mul(vc).sub(f.mul(vs));
			final FloatVector d = g.fma(vc3, gg.mul(vs3)), dd = gg.mul(vc3).sub(g.mul(vs3));
			final FloatVector p = a.add(b), pp = aa.add(bb), q = a.sub(b), qq = aa.sub(bb);
			final FloatVector r = c.add(d), rr = cc.add(dd), s = c.sub(d), ss = cc.sub(dd);
			p.add(r).intoArray(aRe, x);
			pp.add(rr).intoArray(aIm, x);
			p.sub(r).intoArray(cRe, x);
			pp.sub(rr).intoArray(cIm, x);
			q.sub(ss).intoArray(bRe, x);
			qq.add(s).intoArray(bIm, x);
			q.add(ss).intoArray(dRe, x);
			qq.sub(s).intoArray(dIm, x);
		}
	}

	private void radix2(final Rows rows, final int i, final int apart, final int axis, final int t, final int from, final int until) {
		final float[] aRe = rows.re[i], aIm = rows.im[i], bRe = rows.re[i + apart], bIm = rows.im[i + apart];
		final FloatVector vc = factor(cosines[axis], t), vs = factor(sines[axis], t);
		for (int x = from; x < until; x += L) {
			final FloatVector a = FloatVector.fromArray(S, aRe, x), aa = FloatVector.fromArray(S, aIm, x),
				b = FloatVector.fromArray(S, bRe, x), bb = FloatVector.fromArray(S, bIm, x);
			final FloatVector e = a.sub(b), ee = aa.sub(bb);
			a.add(b).intoArray(aRe, x);
			aa.add(bb).intoArray(aIm, x);
			e.mul(vc).sub(ee.mul(vs)).intoArray(bRe, x);
			e.fma(vs, ee.mul(vc)).intoArray(bIm, x);
		}
	}

	private void radix2Inverse(final Rows rows, final int i, final int apart, final int axis, final int t, final int from,
		final int until) {
		final float[] aRe = rows.re[i], aIm = rows.im[i], bRe = rows.re[i + apart], bIm = rows.im[i + apart];
		final FloatVector vc = factor(cosines[axis], t), vs = factor(sines[axis], t);
		for (int x = from; x < until; x += L) {
			final FloatVector a = FloatVector.fromArray(S, aRe, x), aa = FloatVector.fromArray(S, aIm, x),
				e = FloatVector.fromArray(S, bRe, x), ee = FloatVector.fromArray(S, bIm, x);
			final FloatVector b = e.fma(vc, ee.mul(vs)), bb = ee.mul(vc).sub(e.mul(vs));
			a.add(b).intoArray(aRe, x);
			aa.add(bb).intoArray(aIm, x);
			a.sub(b).intoArray(bRe, x);
			aa.sub(bb).intoArray(bIm, x);
		}
	}

	private void three(final Rows rows, final int i, final int apart, final int axis, final int t, final int n) {
		final int j = i + apart, k = j + apart;
		final float[] aRe = rows.re[i], aIm = rows.im[i], bRe = rows.re[j], bIm = rows.im[j], cRe = rows.re[k], cIm = rows.im[k];
		final FloatVector vc = factor(cosines[axis], t), vs = factor(sines[axis], t), vc2 = factor(cosines[axis], 2 * t),
			vs2 = factor(sines[axis], 2 * t);
		final FloatVector half = FloatVector.broadcast(S, -0.5f), height = FloatVector.broadcast(S, HEIGHT);
		for (int x = 0; x < n; x += L) {
			final FloatVector a = FloatVector.fromArray(S, aRe, x), aa = FloatVector.fromArray(S, aIm, x),
				b = FloatVector.fromArray(S, bRe, x), bb = FloatVector.fromArray(S, bIm, x), c = FloatVector.fromArray(S, cRe, x),
				cc = FloatVector.fromArray(S, cIm, x);
			final FloatVector s = b.add(c), ss = bb.add(cc), e = b.sub(c).mul(height), ee = bb.sub(cc).mul(height);
			final FloatVector m = s.fma(half, a), mm = ss.fma(half, aa);
			final FloatVector p = m.add(ee), pp = mm.sub(e), q = m.sub(ee), qq = mm.add(e);
			a.add(s).intoArray(aRe, x);
			aa.add(ss).intoArray(aIm, x);
			p.mul(vc).sub(pp.mul(vs)).intoArray(bRe, x);
			p.fma(vs, pp.mul(vc)).intoArray(bIm, x);
			q.mul(vc2).sub(qq.mul(vs2)).intoArray(cRe, x);
			q.fma(vs2, qq.mul(vc2)).intoArray(cIm, x);
		}
	}

	private void threeInverse(final Rows rows, final int i, final int apart, final int axis, final int t, final int n) {
		final int j = i + apart, k = j + apart;
		final float[] aRe = rows.re[i], aIm = rows.im[i], bRe = rows.re[j], bIm = rows.im[j], cRe = rows.re[k], cIm = rows.im[k];
		final FloatVector vc = factor(cosines[axis], t), vs = factor(sines[axis], t), vc2 = factor(cosines[axis], 2 * t),
			vs2 = factor(sines[axis], 2 * t);
		final FloatVector half = FloatVector.broadcast(S, -0.5f), height = FloatVector.broadcast(S, HEIGHT);
		for (int x = 0; x < n; x += L) {
			final FloatVector a = FloatVector.fromArray(S, aRe, x), aa = FloatVector.fromArray(S, aIm, x),
				p = FloatVector.fromArray(S, bRe, x), pp = FloatVector.fromArray(S, bIm, x), q = FloatVector.fromArray(S, cRe, x),
				qq = FloatVector.fromArray(S, cIm, x);
			final FloatVector u = p.fma(vc, pp.mul(vs)), uu = pp.mul(vc).sub(p.mul(vs));
			final FloatVector v = q.fma(vc2, qq.mul(vs2)), vv = qq.mul(vc2).sub(q.mul(vs2));
			final FloatVector s = u.add(v), ss = uu.add(vv), e = u.sub(v).mul(height), ee = uu.sub(vv).mul(height);
			final FloatVector m = s.fma(half, a), mm = ss.fma(half, aa);
			a.add(s).intoArray(aRe, x);
			aa.add(ss).intoArray(aIm, x);
			m.sub(ee).intoArray(bRe, x);
			mm.add(e).intoArray(bIm, x);
			m.add(ee).intoArray(cRe, x);
			mm.sub(e).intoArray(cIm, x);
		}
	}

	@Override
	void transpose(final float[][] a) {
		if (a.length % L != 0) super.transpose(a);
		else VectorTranspose.transpose(a);
	}

	@Override
	void transpose(final float[][] a, final int from, final int rows, final float[][] b, final int to, final int columns) {
		if (rows % L != 0 || columns % L != 0) super.transpose(a, from, rows, b, to, columns);
		else VectorTranspose.transpose(a, from, rows, b, to, columns);
	}
}
