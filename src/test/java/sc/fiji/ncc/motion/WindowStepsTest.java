package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.deform.CellSums;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.Level;
import sc.fiji.ncc.plan.support.Parallel;

/** Small motions without a search: against a known motion, and the means of a field over windows against sums over pixels. */
class WindowStepsTest {

	private static final int WIDTH = 64, HEIGHT = 56;
	private static final WindowGrid GRID = new WindowGrid(Size.of(WIDTH, HEIGHT), Size.of(24, 20), Size.of(10, 9));

	/** Sums, and the steps that follow from them. */
	private static final class Measured {

		private final CellSums sums;
		private final WindowSteps steps;

		Measured(final double minOverlap, final Parallel parallel) {
			final int[][] cuts = new int[2][];
			for (int d = 0; d < 2; d++) cuts[d] = Level.cuts((int) GRID.window().get(d), (int) GRID.spacing().get(d), GRID.count()[d]);
			sums = new CellSums(new int[] { WIDTH, HEIGHT }, cuts, parallel);
			steps = new WindowSteps(GRID, cuts, minOverlap, parallel);
		}

		WindowSteps.Steps measure(final float[] fixed, final boolean several, final float[] moving, final boolean quick) {
			return steps.measured(sums.sums(sums.reference(fixed, several), moving, !quick, null), quick);
		}
	}

	/** Waves of several directions, moved, with another brightness and contrast. */
	private static float[] frame(final double x, final double y, final double contrast) {
		final float[] pixels = new float[WIDTH * HEIGHT];
		for (int i = 0; i < pixels.length; i++) {
			final double u = i % WIDTH - x, v = i / WIDTH - y;
			pixels[i] = (float) (5 + contrast * (Math.sin(0.5 * u + 0.1 * v) + Math.cos(0.45 * v - 0.2 * u) + Math.sin(0.3 * u - 0.35 * v)));
		}
		return pixels;
	}

	@Test
	void aStepFindsASmallMotionAndItsError() {
		final float[] fixed = frame(0, 0, 1), moving = frame(0.1, -0.07, 3);
		final Random random = new Random(7);
		double squares = 0, stated = 0;
		try (Parallel parallel = new Parallel(2)) {
			final Measured steps = new Measured(0.5, parallel);
			for (final MotionVector v : steps.measure(fixed, true, moving, false).vectors()) {
				assertEquals(0.1, v.motion()[0], 0.01);
				assertEquals(-0.07, v.motion()[1], 0.01);
				assertTrue(v.score() > 0.99);
			}
			for (int i = 0; i < fixed.length; i++) {
				fixed[i] += 0.1 * random.nextGaussian();
				moving[i] += 0.3 * random.nextGaussian();
			}
			final var noisy = steps.measure(fixed, true, moving, false).vectors();
			for (final MotionVector v : noisy) {
				squares += Math.pow(v.motion()[0] - 0.1, 2) / noisy.size();
				stated += v.sigma(0) * v.sigma(0) / noisy.size();
			}
		}
		assertEquals(1, Math.sqrt(squares / stated), 0.4, "error over stated error");
	}

	/** A quick step is that of the exact one without noise. With noise it is shorter, and does not change its direction. */
	@Test
	void aQuickStepIsShorterWithNoise() {
		final float[] fixed = frame(0, 0, 1), moving = frame(0.1, -0.07, 3);
		final Random random = new Random(7);
		try (Parallel parallel = new Parallel(1)) {
			final Measured steps = new Measured(0.5, parallel);
			for (final MotionVector v : steps.measure(fixed, true, moving, true).vectors()) {
				assertEquals(0.1, v.motion()[0], 0.01);
				assertEquals(-0.07, v.motion()[1], 0.01);
			}
			for (int i = 0; i < fixed.length; i++) fixed[i] += 0.3 * random.nextGaussian();
			double quick = 0, exact = 0;
			for (final MotionVector v : steps.measure(fixed, true, moving, true).vectors()) quick += v.motion()[0];
			for (final MotionVector v : steps.measure(fixed, true, moving, false).vectors()) exact += v.motion()[0];
			assertEquals(0.1 * GRID.windows(), exact, 0.02 * GRID.windows());
			assertTrue(quick > 0.3 * exact && quick < 0.9 * exact, quick + " of " + exact);
		}
	}

	/** Sums in floats would lose the contrast of a window that is far brighter than the mean of the frame. */
	@Test
	void aBrightPlaceIsMeasuredAsADarkOne() {
		final float[] fixed = frame(0, 0, 1), moving = frame(0.1, -0.07, 3);
		try (Parallel parallel = new Parallel(1)) {
			final Measured steps = new Measured(0.5, parallel);
			final var dark = steps.measure(fixed, true, moving, false).vectors();
			for (int i = 0; i < fixed.length; i++) {
				fixed[i] += 8192;
				moving[i] += 16384;
			}
			final var bright = steps.measure(fixed, true, moving, false).vectors();
			for (int i = 0; i < dark.size(); i++) {
				for (int d = 0; d < 2; d++) {
					assertEquals(dark.get(i).motion()[d], bright.get(i).motion()[d], 1e-3);
					assertEquals(dark.get(i).sigma(d), bright.get(i).sigma(d), 1e-3);
				}
				assertEquals(dark.get(i).score(), bright.get(i).score(), 1e-5);
			}
		}
	}

	@Test
	void windowsWithoutContrastOrPixelsAreMissing() {
		final float[] fixed = frame(0, 0, 1), moving = frame(0, 0, 1);
		for (int y = 0; y < 20; y++) for (int x = 0; x < 24; x++) fixed[y * WIDTH + x] = 4;
		for (int y = 30; y < HEIGHT; y++) Arrays.fill(moving, y * WIDTH, y * WIDTH + WIDTH, Float.NaN);
		try (Parallel parallel = new Parallel(1)) {
			final Measured windows = new Measured(0.5, parallel);
			final var vectors = windows.measure(fixed, true, moving, false).vectors();
			assertEquals(State.MISSING, vectors.get(0).state());
			assertEquals(State.MISSING, vectors.get(GRID.windows() - 1).state());
			assertEquals(State.MEASURED, vectors.get(2).state());
		}
	}

	/** The sums of a reference that are kept are those that each call computes, also beside missing pixels. */
	@Test
	void keptSumsChangeNothing() {
		final float[] fixed = frame(0, 0, 1), moving = frame(0.3, -0.2, 1);
		moving[17 * WIDTH + 30] = fixed[33 * WIDTH + 8] = Float.NaN;
		try (Parallel parallel = new Parallel(1)) {
			final Measured steps = new Measured(0.2, parallel);
			for (final boolean quick : new boolean[] { false, true })
				assertEquals(steps.measure(fixed, false, moving, quick).vectors(),
					steps.measure(fixed, true, moving, quick).vectors());
		}
	}

	/** A linear field is seen at the centre of the squared gradients of the present pixels. */
	@Test
	void windowsSeeAFieldWhereTheirTextureIs() {
		final float[] fixed = frame(0, 0, 1), moving = frame(0, 0, 1);
		for (int y = 0; y < HEIGHT; y++) Arrays.fill(fixed, y * WIDTH, y * WIDTH + 12, Float.NaN);
		final double[][] field = new double[2][GRID.windows()];
		for (int i = 0; i < field[0].length; i++) {
			field[0][i] = 0.1 * GRID.centre(i)[0];
			field[1][i] = 1;
		}
		try (Parallel parallel = new Parallel(1)) {
			final Measured windows = new Measured(0.2, parallel);
			final WindowSteps.Steps steps = windows.measure(fixed, true, moving, false);
			final double[][] seen = steps.seen(new GridSpline(GRID.count(), GRID.origin(), GRID.distances(), field));
			// the first window holds the columns 0 to 23, of which 13 to 23 count
			assertEquals(1.8, seen[0][0], 0.15);
			assertEquals(1, seen[1][0], 1e-6);
			final int inside = GRID.count()[0] + 3;
			final long[] first = GRID.first(inside);
			double sum = 0, weight = 0;
			for (int y = (int) first[1]; y < first[1] + 20; y++) for (int x = (int) first[0]; x < first[0] + 24; x++) {
				final int i = y * WIDTH + x;
				final double gx = (8 * (moving[i + 1] - moving[i - 1]) - moving[i + 2] + moving[i - 2]) / 12,
					gy = (8 * (moving[i + WIDTH] - moving[i - WIDTH]) - moving[i + 2 * WIDTH] + moving[i - 2 * WIDTH]) / 12, square = gx * gx + gy * gy;
				sum += square * x;
				weight += square;
			}
			assertEquals(0.1 * sum / weight, seen[0][inside], 1e-3);
		}
	}
}
