package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;

/** The growth of errors from pass to pass, beside passes over noise: each window measures the mean of what a prediction leaves. */
class PassNoiseTest {

	private static final double SMOOTHNESS = 0.3;

	@Test
	void passesOverNoise() {
		for (final int spacing : new int[] { 4, 8, 3 }) {
			final int side = 8, count = 40, extent = side + (count - 1) * spacing;
			final WindowGrid grid = new WindowGrid(Size.of(extent, extent), Size.of(side, side), Size.of(spacing, spacing));
			final Parallel parallel = new Parallel(1);
			final double[] pixels = new Random(7).doubles((long) extent * extent).map(x -> x - 0.5).toArray(), weights = new double[grid.windows()];
			Arrays.fill(weights, 1);
			// what each window measures of a motion of 0: the mean of the noise of its pixels
			final double[] measured = means(grid, (x, y) -> pixels[y * extent + x]);
			double[] errors = measured;
			for (int passes = 1; passes <= 3; passes++) {
				final double grown = Math.sqrt(inside(grid, errors) / inside(grid, measured));
				assertEquals(grown, PassNoise.factor(grid.window(), grid.spacing(), passes, SMOOTHNESS, parallel), 0.03 * grown, spacing + " apart, pass " + passes);
				if (passes > 1 && spacing < side) assertTrue(grown > 1.05, spacing + " apart, pass " + passes + ": " + grown);
				final GridSpline predicted = grid.spline(FieldPass.smooth(grid, new double[][] { errors }, weights, SMOOTHNESS, parallel));
				final double[] left = means(grid, (x, y) -> pixels[y * extent + x] - predicted.at(new double[] { x, y })[0]);
				for (int i = 0; i < left.length; i++) left[i] += predicted.at(grid.centre(i))[0];
				errors = left;
			}
		}
	}

	/** Each dimension counts alike, so that their order has no effect. */
	@Test
	void theOrderOfTheDimensionsHasNoEffect() {
		final Parallel parallel = new Parallel(1);
		final double[] found = new double[3];
		final long[] window = { 6, 8, 12 }, spacing = { 3, 6, 3 };
		for (int k = 0; k < 3; k++) {
			final int a = k, b = (k + 1) % 3, c = (k + 2) % 3;
			found[k] = PassNoise.factor(Size.of(window[a], window[b], window[c]), Size.of(spacing[a], spacing[b], spacing[c]), 2, SMOOTHNESS, parallel);
		}
		for (int k = 1; k < 3; k++) assertEquals(found[0], found[k], 0.002 * found[0]);
	}

	/** A third pass finds nearly the vectors of the second one. So the ratio of their standard deviations is that of the passes. */
	@Test
	void standardDeviationsGrowWithThePasses() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(80, 80).images(x -> new double[] { 1.3, -0.6 });
		final MotionField op = MotionField.ofWindows(16, 16).maxShift(4, 4).backend("cpu").threads(1);
		final double[] sigmas = new double[4];
		for (int passes = 2; passes <= 3; passes++)
			for (final MotionVector v : op.passes(passes).measure(pair[0], pair[1]).fields().get(0).vectors()) sigmas[passes] += v.sigma(0) + v.sigma(1);
		assertEquals(PassNoise.factor(Size.of(16, 16), Size.of(8, 8), 2, SMOOTHNESS, new Parallel(1)), sigmas[3] / sigmas[2], 0.03);
	}

	private interface Value {

		double at(int x, int y);
	}

	private static double[] means(final WindowGrid grid, final Value value) {
		final double[] means = new double[grid.windows()];
		final int side = (int) grid.window().get(0);
		for (int i = 0; i < means.length; i++) {
			final long[] first = grid.first(i);
			for (int y = 0; y < side; y++) for (int x = 0; x < side; x++) means[i] += value.at((int) first[0] + x, (int) first[1] + y) / (side * side);
		}
		return means;
	}

	/** The mean square of the values far from the border. */
	private static double inside(final WindowGrid grid, final double[] values) {
		double sum = 0;
		int n = 0;
		for (int i = 0; i < values.length; i++) {
			final int[] p = grid.place(i), count = grid.count();
			if (p[0] < 5 || p[1] < 5 || p[0] >= count[0] - 5 || p[1] >= count[1] - 5) continue;
			sum += values[i] * values[i];
			n++;
		}
		return sum / n;
	}
}
