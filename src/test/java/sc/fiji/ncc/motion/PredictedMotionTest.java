package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.support.Parallel;

/** Positions in two frames for a smooth motion. */
class PredictedMotionTest {

	private static final int WIDTH = 40;

	/** A motion of up to 8 pixels, whose gradient is up to 0.15. */
	private static UnaryOperator<double[]> motion(final int n) {
		return x -> {
			final double[] u = new double[n];
			for (int d = 0; d < n; d++) u[d] = 5 - 3 * d + 3 * Math.sin(0.05 * x[d] + 0.4 * d) + 0.04 * x[(d + 1) % n];
			return u;
		};
	}

	private static GridSpline spline(final int n) {
		final int[] count = new int[n];
		final double[] origin = new double[n], spacing = new double[n];
		int all = 1;
		for (int d = 0; d < n; d++) {
			count[d] = 15;
			origin[d] = -8;
			spacing[d] = 4;
			all *= 15;
		}
		final double[][] u = new double[n][all];
		for (int i = 0; i < all; i++) {
			final double[] x = new double[n];
			for (int d = 0, rest = i; d < n; rest /= 15, d++) x[d] = origin[d] + spacing[d] * (rest % 15);
			final double[] at = motion(n).apply(x);
			for (int d = 0; d < n; d++) u[d][i] = at[d];
		}
		return new GridSpline(count, origin, spacing, u);
	}

	/** The first position is a whole pixel, the second one is farther by the motion in the middle, and the middle is at the pixel. */
	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void positionsDifferByTheMotionInTheirMiddle(final int n) {
		final PredictedMotion predicted = new PredictedMotion(spline(n), n);
		double farthest = 0;
		for (int y = 2; y < WIDTH - 2; y++) {
			final double[] row = { 0, y, 11 };
			final PredictedMotion.Row places = predicted.new Row(WIDTH);
			places.of(row);
			for (int x = 2; x < WIDTH - 2; x++) {
				final double[] middle = new double[n];
				for (int d = 0; d < n; d++) {
					assertEquals(Math.rint(places.first[d][x]), places.first[d][x], 0.0);
					final double beside = (places.first[d][x] + (double) places.second[d][x]) / 2;
					middle[d] = (d == 0 ? x : row[d]) + beside;
					farthest = Math.max(farthest, Math.abs(beside));
				}
				final double[] u = motion(n).apply(middle);
				for (int d = 0; d < n; d++) assertEquals(u[d], places.second[d][x] - places.first[d][x], 0.003, x + ", " + y);
			}
		}
		// half a pixel, and what the motion differs by over it
		assertTrue(farthest > 0.45 && farthest < 0.56, "the middle is " + farthest + " from the pixel");
	}

	/** Pixels of the first frame are copied, also beside a missing one, and the second frame has the same pixels where they came from. */
	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void framesThatMoveByWholePixelsBecomeEqual(final int n) {
		final int[] size = n == 2 ? new int[] { 19, 14 } : new int[] { 19, 14, 9 }, back = { 2, -2, 0 }, forth = { 1, -3, 1 };
		final int[] count = IntStream.range(0, n).map(d -> 5).toArray();
		final double[][] u = new double[n][(int) Math.pow(5, n)];
		for (int d = 0; d < n; d++) Arrays.fill(u[d], back[d] + forth[d]);
		final Random random = new Random(n);
		final float[] first = new float[Arrays.stream(size).reduce(1, (a, b) -> a * b)], second = new float[first.length];
		for (int i = 0; i < second.length; i++) second[i] = random.nextInt(200) - 100;
		Arrays.fill(first, 300);
		for (int i = 0; i < first.length; i++) {
			final int index = index(i, size, new int[n], IntStream.range(0, n).map(d -> back[d] + forth[d]).toArray());
			if (index >= 0) first[i] = second[index];
		}
		final int missing = first.length / 2;
		first[missing] = Float.NaN;
		try (Parallel parallel = new Parallel(2)) {
			final float[][] found = new PredictedMotion(new GridSpline(count, new double[n], DoubleStream.generate(() -> 4).limit(n).toArray(), u), n).sampled(
				first, FrameSpline.cubic(second.clone(), size, parallel), parallel);
			int compared = 0;
			for (int i = 0; i < first.length; i++) {
				final int from = index(i, size, back, new int[n]), to = index(i, size, new int[n], forth);
				assertEquals(from < 0 ? Float.NaN : first[from], found[0][i], 0.0f, "first, " + i);
				assertEquals(to < 0 ? Float.NaN : second[to], found[1][i], 1e-4f, "second, " + i);
				if (from < 0 || to < 0 || from == missing) continue;
				assertEquals(found[0][i], found[1][i], 1e-4f);
				compared++;
			}
			assertTrue(compared > first.length / 3, compared + " pixels are compared");
		}
	}

	/** Neighbouring pixels can come from places that are not side by side. */
	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void pixelsOfTheFirstFrameComeFromTheirPositions(final int n) {
		final int[] size = n == 2 ? new int[] { WIDTH, 33 } : new int[] { WIDTH, 17, 12 };
		final float[] values = new float[Arrays.stream(size).reduce(1, (a, b) -> a * b)];
		for (int i = 0; i < values.length; i++) values[i] = i;
		final PredictedMotion predicted = new PredictedMotion(spline(n), n);
		try (Parallel parallel = new Parallel(2)) {
			final float[] found = predicted.sampled(values, FrameSpline.cubic(values.clone(), size, parallel), parallel)[0];
			int inside = 0, steps = 0;
			for (int i = 0; i < found.length; i += WIDTH) {
				final double[] row = new double[n];
				for (int d = 1, rest = i / WIDTH; d < n; rest /= size[d++]) row[d] = rest % size[d];
				final PredictedMotion.Row places = predicted.new Row(WIDTH);
				places.of(row);
				for (int x = 0; x < WIDTH; x++) {
					final int[] moved = new int[n];
					for (int d = 0; d < n; d++) moved[d] = (int) places.first[d][x];
					final int from = index(i + x, size, new int[n], moved);
					assertEquals(from < 0 ? Float.NaN : from, found[i + x], 0.0f, "pixel " + (i + x));
					if (from >= 0) inside++;
					if (x > 0 && places.first[0][x] != places.first[0][x - 1]) steps++;
				}
			}
			assertTrue(inside > found.length / 3 && steps > size[1], inside + " pixels inside, " + steps + " steps");
		}
	}

	/** A wide row takes no longer per pixel than a short one if its pixels move across it by different distances. */
	@Test
	void theTimeOfARowIsLinearInItsWidth() {
		final int width = 400_000, height = 4, spacing = 8, nodes = width / spacing + 1;
		final double[][] u = new double[2][2 * nodes];
		for (int i = 0; i < 2 * nodes; i++) u[1][i] = i % 2 * 6 - 3;
		final PredictedMotion predicted = new PredictedMotion(new GridSpline(new int[] { nodes, 2 }, new double[2], new double[] { spacing, spacing }, u), 2);
		final float[] values = new float[width * height];
		Arrays.fill(values, 1);
		try (Parallel parallel = new Parallel(1)) {
			final FrameSpline moving = FrameSpline.cubic(values.clone(), new int[] { width, height }, parallel);
			final float[] first = assertTimeout(Duration.ofSeconds(5), () -> predicted.sampled(values, moving, parallel))[0];
			int ends = 0;
			for (int i = 1; i < width; i++) if (Float.isNaN(first[i]) && !Float.isNaN(first[i - 1])) ends++;
			assertTrue(ends > width / spacing / 3, ends + " runs of pixels inside the frame");
		}
	}

	/** The index of a pixel that is back and forth from another one; -1 outside. */
	private static int index(final int i, final int[] size, final int[] back, final int[] forth) {
		int index = 0;
		for (int d = 0, rest = i, stride = 1; d < size.length; rest /= size[d], stride *= size[d++]) {
			final int at = rest % size[d] - back[d] + forth[d];
			if (at < 0 || at >= size[d]) return -1;
			index += stride * at;
		}
		return index;
	}
}
