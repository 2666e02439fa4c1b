package sc.fiji.ncc.cpu.fft;

import sc.fiji.ncc.loops.Fused;

/** {@link Butterfly} in double. */
final class DoubleButterfly {

	static final Butterfly.Set<double[]> ALL = new Butterfly.Set<>(new SumAndDifference(), new TwiddleAfter(), new TwiddleBefore(), new SumAndHalf(),
		new SumAndHeight(), new Radix3After(), new Radix3Before(), new Radix3End());

	private static final double HEIGHT = Math.sqrt(3) / 2;

	private DoubleButterfly() {}

	private static final class SumAndDifference extends Butterfly<double[]> {

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

	private static final class TwiddleAfter extends Butterfly<double[]> {

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

	private static final class TwiddleBefore extends Butterfly<double[]> {

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

	private static final class SumAndHalf extends Butterfly<double[]> {

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

	private static final class SumAndHeight extends Butterfly<double[]> {

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

	private static final class Radix3After extends Butterfly<double[]> {

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

	private static final class Radix3Before extends Butterfly<double[]> {

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

	private static final class Radix3End extends Butterfly<double[]> {

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
