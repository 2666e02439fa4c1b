package sc.fiji.ncc.cpu.fft;

import sc.fiji.ncc.loops.Fused;

/** {@link Butterfly} in float. */
final class FloatButterfly {

	static final Butterfly.Set<float[]> ALL = new Butterfly.Set<>(new SumAndDifference(), new TwiddleAfter(), new TwiddleBefore(), new SumAndHalf(),
		new SumAndHeight(), new Radix3After(), new Radix3Before(), new Radix3End());

	private static final float HEIGHT = (float) (Math.sqrt(3) / 2);

	private FloatButterfly() {}

	private static final class SumAndDifference extends Butterfly<float[]> {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final double cosine, final double sine, final int n) {
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = a - p;
				bIm[x] = b - q;
			}
		}
	}

	private static final class TwiddleAfter extends Butterfly<float[]> {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final double cosine, final double sine, final int n) {
			final float c = (float) cosine, s = (float) sine, t = -s;
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

	private static final class TwiddleBefore extends Butterfly<float[]> {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final double cosine, final double sine, final int n) {
			final float c = (float) cosine, s = (float) sine, d = -c, t = -s;
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], u = bRe[x], v = bIm[x];
				aRe[x] = Fused.add(v, s, Fused.add(u, c, a));
				aIm[x] = Fused.add(u, t, Fused.add(v, c, b));
				bRe[x] = Fused.add(v, t, Fused.add(u, d, a));
				bIm[x] = Fused.add(u, s, Fused.add(v, d, b));
			}
		}
	}

	private static final class SumAndHalf extends Butterfly<float[]> {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final double cosine, final double sine, final int n) {
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = Fused.add(p, -0.5f, a);
				bIm[x] = Fused.add(q, -0.5f, b);
			}
		}
	}

	private static final class SumAndHeight extends Butterfly<float[]> {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final double cosine, final double sine, final int n) {
			for (int x = 0; x < n; x++) {
				final float a = aRe[x], b = aIm[x], p = bRe[x], q = bIm[x];
				aRe[x] = a + p;
				aIm[x] = b + q;
				bRe[x] = (a - p) * HEIGHT;
				bIm[x] = (b - q) * HEIGHT;
			}
		}
	}

	private static final class Radix3After extends Butterfly<float[]> {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final double cosine, final double sine, final int n) {
			final float c = (float) cosine, s = (float) sine, c2 = c * c - s * s, s2 = 2 * c * s, minusS = -s, minusS2 = -s2;
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

	private static final class Radix3Before extends Butterfly<float[]> {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final double cosine, final double sine, final int n) {
			final float c = (float) cosine, s = (float) sine, c2 = c * c - s * s, s2 = 2 * c * s, minusS = -s, minusS2 = -s2;
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

	private static final class Radix3End extends Butterfly<float[]> {

		@Override
		void apply(final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm, final double cosine, final double sine, final int n) {
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
