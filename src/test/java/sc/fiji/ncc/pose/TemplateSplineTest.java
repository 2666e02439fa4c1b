package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

class TemplateSplineTest {

	private static double[] random(final int n) {
		return new SplittableRandom(3).doubles(n).toArray();
	}

	@Test
	void thePixelsAreKept() {
		for (final int[] size : new int[][] { { 7, 5 }, { 3, 4 }, { 5, 1 }, { 2, 6 }, { 5, 4, 3 } }) {
			int n = 1;
			for (final int s : size) n *= s;
			final double[] values = random(n), offset = new double[size.length];
			final TemplateSpline spline = new TemplateSpline(values, size, 1);
			for (int i = 0; i < n; i++) {
				for (int d = 0, rest = i; d < size.length; d++) {
					offset[d] = rest % size[d] - (size[d] - 1) / 2.0;
					rest /= size[d];
				}
				assertEquals(values[i], spline.at(offset, null), 1e-12);
			}
		}
	}

	/** A plane comes back everywhere, up to the border and a pixel beyond it, also when it is made smaller. */
	@Test
	void aPlaneIsAPlane() {
		final int w = 9, h = 8;
		final double[] values = new double[w * h];
		for (int i = 0; i < values.length; i++) values[i] = 3 + 2 * (i % w - 4.0) - 0.5 * (i / w - 3.5);
		for (final double scale : new double[] { 1, 0.6 }) {
			final TemplateSpline spline = new TemplateSpline(values, new int[] { w, h }, scale);
			final SplittableRandom random = new SplittableRandom(1);
			for (int i = 0; i < 200; i++) {
				final double x = 10 * random.nextDouble() - 5, y = 9 * random.nextDouble() - 4.5;
				final double[] gradient = new double[2];
				assertEquals(3 + 2 * x - 0.5 * y, spline.at(new double[] { x, y }, gradient), 1e-11);
				assertEquals(2, gradient[0], 1e-11);
				assertEquals(-0.5, gradient[1], 1e-11);
			}
		}
	}

	/** A smooth function is met between the pixels, at the border hardly worse than inside. */
	@Test
	void aSmoothFunctionIsMet() {
		final int w = 21;
		final double[] values = new double[w * w];
		for (int i = 0; i < values.length; i++) values[i] = wave(i % w - 10, i / w - 10);
		final TemplateSpline spline = new TemplateSpline(values, new int[] { w, w }, 1);
		final SplittableRandom random = new SplittableRandom(1);
		for (int i = 0; i < 1000; i++) {
			final double x = 20 * random.nextDouble() - 10, y = 20 * random.nextDouble() - 10, border = 10 - Math.max(Math.abs(x), Math.abs(y));
			assertEquals(wave(x, y), spline.at(new double[] { x, y }, null), border > 5 ? 2e-4 : 1.5e-2);
		}
	}

	private static double wave(final double x, final double y) {
		return Math.sin(0.5 * x + 0.3) * Math.cos(0.4 * y - 0.2);
	}

	@Test
	void theGradientIsTheDerivative() {
		final TemplateSpline spline = new TemplateSpline(random(6 * 5 * 4), new int[] { 6, 5, 4 }, 1);
		final SplittableRandom random = new SplittableRandom(2);
		final double step = 1e-6;
		for (int i = 0; i < 100; i++) {
			final double[] at = { 5 * random.nextDouble() - 2.5, 4 * random.nextDouble() - 2, 3 * random.nextDouble() - 1.5 }, gradient = new double[3];
			spline.at(at, gradient);
			for (int d = 0; d < 3; d++) {
				final double[] up = at.clone(), down = at.clone();
				up[d] += step;
				down[d] -= step;
				assertEquals((spline.at(up, null) - spline.at(down, null)) / (2 * step), gradient[d], 1e-6);
			}
		}
	}
}
