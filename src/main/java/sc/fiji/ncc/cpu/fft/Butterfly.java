package sc.fiji.ncc.cpu.fft;

import sc.fiji.ncc.loops.Fused;

/**
 * The operation of one level of {@link TileFft} on two rows, with real and imaginary parts in separate arrays. Four arrays a loop is the largest body that
 * C2 vectorises. C2 does so only where it compiles the loop alone; when it inlines the loop into the walk over the levels, it often does not. Therefore
 * all calls go through {@link #combine}: its one call site meets more subclasses than C2 inlines.
 */
abstract class Butterfly {

	/** {@code a + b} and {@code a - b}. */
	static final Butterfly SUM_AND_DIFFERENCE = new SumAndDifference();
	/** {@code a + b} and {@code (a - b)·w}. */
	static final Butterfly TWIDDLE_AFTER = new TwiddleAfter();
	/** {@code a + b/w} and {@code a - b/w}. */
	static final Butterfly TWIDDLE_BEFORE = new TwiddleBefore();
	/** {@code a + b} and {@code a - b/2}. */
	static final Butterfly SUM_AND_HALF = new SumAndHalf();
	/** {@code a + b} and {@code (a - b)·√3/2}. */
	static final Butterfly SUM_AND_HEIGHT = new SumAndHeight();
	/** {@code (a - i·b)·w} and {@code (a + i·b)·w²}. */
	static final Butterfly RADIX3_AFTER = new Radix3After();
	/** {@code a/w + b/w²} and {@code a/w - b/w²}. */
	static final Butterfly RADIX3_BEFORE = new Radix3Before();
	/** {@code a + i·√3/2·b} and {@code a - i·√3/2·b}. */
	static final Butterfly RADIX3_END = new Radix3End();

	private static final float HEIGHT = (float) (Math.sqrt(3) / 2);

	/** Applies an operation in place, with the twiddle factor {@code w = c + i·s}. */
	final void combine(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s,
		final int n)
	{
		apply(aRe, aIm, bRe, bIm, c, s, n);
	}

	abstract void apply(float[] aRe, float[] aIm, float[] bRe, float[] bIm, float c, float s, int n);

	private static final class SumAndDifference extends Butterfly {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s, final int n) {
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = a - p;
				bIm[x] = b - q;
			}
		}
	}

	private static final class TwiddleAfter extends Butterfly {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s, final int n) {
			final float t = -s;
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				final float u = a - p, v = b - q;
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = Fused.add(u, c, v * t);
				bIm[x] = Fused.add(u, s, v * c);
			}
		}
	}

	private static final class TwiddleBefore extends Butterfly {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s, final int n) {
			final float d = -c, t = -s;
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], u = bRe[x], v = bIm[x];
				aRe[x] = Fused.add(v, s, Fused.add(u, c, a));
				aIm[x] = Fused.add(u, t, Fused.add(v, c, b));
				bRe[x] = Fused.add(v, t, Fused.add(u, d, a));
				bIm[x] = Fused.add(u, s, Fused.add(v, d, b));
			}
		}
	}

	private static final class SumAndHalf extends Butterfly {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s, final int n) {
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = Fused.add(p, -0.5f, a);
				bIm[x] = Fused.add(q, -0.5f, b);
			}
		}
	}

	private static final class SumAndHeight extends Butterfly {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s, final int n) {
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = (a - p) * HEIGHT;
				bIm[x] = (b - q) * HEIGHT;
			}
		}
	}

	private static final class Radix3After extends Butterfly {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s, final int n) {
			final float c2 = c * c - s * s, s2 = 2 * c * s, minusS = -s, minusS2 = -s2;
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				final float t = a + q, u = b - p, v = a - q, w = b + p;
				aRe[x] = Fused.add(t, c, u * minusS);
				aIm[x] = Fused.add(t, s, u * c);
				bRe[x] = Fused.add(v, c2, w * minusS2);
				bIm[x] = Fused.add(v, s2, w * c2);
			}
		}
	}

	private static final class Radix3Before extends Butterfly {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s, final int n) {
			final float c2 = c * c - s * s, s2 = 2 * c * s, minusS = -s, minusS2 = -s2;
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				final float t = Fused.add(a, c, b * s), u = Fused.add(b, c, a * minusS);
				final float v = Fused.add(p, c2, q * s2), w = Fused.add(q, c2, p * minusS2);
				aRe[x] = t + v;
				aIm[x] = u + w;
				bRe[x] = t - v;
				bIm[x] = u - w;
			}
		}
	}

	private static final class Radix3End extends Butterfly {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final float c, final float s, final int n) {
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = Fused.add(q, -HEIGHT, a);
				aIm[x] = Fused.add(p, HEIGHT, b);
				bRe[x] = Fused.add(q, HEIGHT, a);
				bIm[x] = Fused.add(p, -HEIGHT, b);
			}
		}
	}
}
