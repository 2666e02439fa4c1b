package sc.fiji.ncc.cpu.fft;

import sc.fiji.ncc.loops.Fused;

/** {@link Butterfly} in double. */
abstract class DoubleButterfly {

	/** {@code a + b} and {@code a - b}. */
	static final DoubleButterfly SUM_AND_DIFFERENCE = new SumAndDifference();
	/** {@code a + b} and {@code (a - b)·w}. */
	static final DoubleButterfly TWIDDLE_AFTER = new TwiddleAfter();
	/** {@code a + b/w} and {@code a - b/w}. */
	static final DoubleButterfly TWIDDLE_BEFORE = new TwiddleBefore();
	/** {@code a + b} and {@code a - b/2}. */
	static final DoubleButterfly SUM_AND_HALF = new SumAndHalf();
	/** {@code a + b} and {@code (a - b)·√3/2}. */
	static final DoubleButterfly SUM_AND_HEIGHT = new SumAndHeight();
	/** {@code (a - i·b)·w} and {@code (a + i·b)·w²}. */
	static final DoubleButterfly RADIX3_AFTER = new Radix3After();
	/** {@code a/w + b/w²} and {@code a/w - b/w²}. */
	static final DoubleButterfly RADIX3_BEFORE = new Radix3Before();
	/** {@code a + i·√3/2·b} and {@code a - i·√3/2·b}. */
	static final DoubleButterfly RADIX3_END = new Radix3End();

	private static final double HEIGHT = Math.sqrt(3) / 2;

	/** Applies an operation in place, with the twiddle factor {@code w = c + i·s}. */
	final void combine(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s,
		final int n)
	{
		apply(aRe, aIm, bRe, bIm, c, s, n);
	}

	abstract void apply(double[] aRe, double[] aIm, double[] bRe, double[] bIm, double c, double s, int n);

	private static final class SumAndDifference extends DoubleButterfly {

		@Override
		void apply(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s, final int n) {
			for (int x = 0; x < n; x++) {
				final double a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = a - p;
				bIm[x] = b - q;
			}
		}
	}

	private static final class TwiddleAfter extends DoubleButterfly {

		@Override
		void apply(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s, final int n) {
			final double t = -s;
			for (int x = 0; x < n; x++) {
				final double a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				final double u = a - p, v = b - q;
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = Fused.add(u, c, v * t);
				bIm[x] = Fused.add(u, s, v * c);
			}
		}
	}

	private static final class TwiddleBefore extends DoubleButterfly {

		@Override
		void apply(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s, final int n) {
			final double d = -c, t = -s;
			for (int x = 0; x < n; x++) {
				final double a = aRe[x], b = aIm[x], u = bRe[x], v = bIm[x];
				aRe[x] = Fused.add(v, s, Fused.add(u, c, a));
				aIm[x] = Fused.add(u, t, Fused.add(v, c, b));
				bRe[x] = Fused.add(v, t, Fused.add(u, d, a));
				bIm[x] = Fused.add(u, s, Fused.add(v, d, b));
			}
		}
	}

	private static final class SumAndHalf extends DoubleButterfly {

		@Override
		void apply(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s, final int n) {
			for (int x = 0; x < n; x++) {
				final double a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = Fused.add(p, -0.5, a);
				bIm[x] = Fused.add(q, -0.5, b);
			}
		}
	}

	private static final class SumAndHeight extends DoubleButterfly {

		@Override
		void apply(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s, final int n) {
			for (int x = 0; x < n; x++) {
				final double a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = (a - p) * HEIGHT;
				bIm[x] = (b - q) * HEIGHT;
			}
		}
	}

	private static final class Radix3After extends DoubleButterfly {

		@Override
		void apply(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s, final int n) {
			final double c2 = c * c - s * s, s2 = 2 * c * s, minusS = -s, minusS2 = -s2;
			for (int x = 0; x < n; x++) {
				final double a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				final double t = a + q, u = b - p, v = a - q, w = b + p;
				aRe[x] = Fused.add(t, c, u * minusS);
				aIm[x] = Fused.add(t, s, u * c);
				bRe[x] = Fused.add(v, c2, w * minusS2);
				bIm[x] = Fused.add(v, s2, w * c2);
			}
		}
	}

	private static final class Radix3Before extends DoubleButterfly {

		@Override
		void apply(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s, final int n) {
			final double c2 = c * c - s * s, s2 = 2 * c * s, minusS = -s, minusS2 = -s2;
			for (int x = 0; x < n; x++) {
				final double a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				final double t = Fused.add(a, c, b * s), u = Fused.add(b, c, a * minusS);
				final double v = Fused.add(p, c2, q * s2), w = Fused.add(q, c2, p * minusS2);
				aRe[x] = t + v;
				aIm[x] = u + w;
				bRe[x] = t - v;
				bIm[x] = u - w;
			}
		}
	}

	private static final class Radix3End extends DoubleButterfly {

		@Override
		void apply(final double[] aRe, final double[] aIm, final double[] bRe, final double[] bIm, final double c, final double s, final int n) {
			for (int x = 0; x < n; x++) {
				final double a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = Fused.add(q, -HEIGHT, a);
				aIm[x] = Fused.add(p, HEIGHT, b);
				bRe[x] = Fused.add(q, HEIGHT, a);
				bIm[x] = Fused.add(p, -HEIGHT, b);
			}
		}
	}
}
