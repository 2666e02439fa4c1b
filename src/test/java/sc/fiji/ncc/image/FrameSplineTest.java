package sc.fiji.ncc.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.QuinticSpline;
import sc.fiji.ncc.plan.support.Parallel;

/** Splines through frames. */
class FrameSplineTest {

	/** Floats have few digits between the pixels of so long a line. A spline has the values of the pixels, inside and at the border. */
	@Test
	void longLinesHaveTheirPixels() {
		final int width = 524_800, height = 8;
		final Random random = new Random(4);
		final float[] values = new float[width * height];
		for (int i = 0; i < values.length; i++) values[i] = random.nextFloat() - 0.5f;
		try (Parallel parallel = new Parallel(2)) {
			final FrameSpline cubic = FrameSpline.cubic(values.clone(), new int[] { width, height }, parallel),
				quintic = new FrameSpline(ImagePixels.of(ArrayImgs.floats(values, width, height)), parallel);
			double mean = 0;
			for (final float v : values) mean += v / (double) values.length;
			for (final int y : new int[] { 0, 4 })
				for (final int x : new int[] { 9, 524_280, 524_290, 524_700 }) {
					final float[] ofCubic = new float[4], ofQuintic = new float[4];
					final float[][] motion = { { 0, 1, -1, 0 }, { 0, 0, 1, 2 } };
					cubic.new Positions(4).row(new long[] { x, y }, motion, ofCubic, 0);
					quintic.new Positions(4).row(new long[] { x, y }, motion, ofQuintic, 0);
					for (int i = 0; i < 4; i++) {
						final float pixel = values[(y + (int) motion[1][i]) * width + x + i + (int) motion[0][i]];
						assertEquals(pixel, ofCubic[i], 1e-5, "cubic, pixel " + i + " at " + x + ", " + y);
						assertEquals(pixel - mean, ofQuintic[i], 1e-5, "quintic, pixel " + i + " at " + x + ", " + y);
					}
				}
		}
	}

	/** Also at the border, where coefficients are mirrored, and at whole pixels. Outside there is no value. */
	@ParameterizedTest
	@CsvSource({ "23, 17, 1", "4, 30, 1", "12, 9, 8", "1, 7, 1" })
	void valuesBetweenThePixelsAreThoseOfTheSplineInDouble(final int width, final int height, final int depth) {
		final int[] size = depth > 1 ? new int[] { width, height, depth } : new int[] { width, height };
		final int n = size.length, shown = width + 8;
		final Random random = new Random(width);
		final float[] values = new float[width * height * depth];
		double sum = 0;
		// of whole numbers, so that the mean is exact
		for (int i = 0; i < values.length; i++) sum += values[i] = random.nextInt(256);
		final float mean = (float) (sum / values.length), most = 128;
		final long[] extents = Arrays.stream(size).asLongStream().toArray();
		for (final boolean cubic : new boolean[] { true, false })
			try (Parallel parallel = new Parallel(2)) {
				final float[] without = new float[values.length];
				for (int i = 0; i < values.length; i++) without[i] = values[i] - mean;
				final double[] exact = coefficients(without, size, cubic);
				final FrameSpline spline = cubic ? FrameSpline.cubic(without, size, parallel)
					: new FrameSpline(ImagePixels.of(ArrayImgs.floats(values, extents)), parallel);
				final FrameSpline.Positions positions = spline.new Positions(shown);
				for (int r = 0; r < 40; r++) {
					final long[] row = new long[n];
					row[0] = -4;
					for (int d = 1; d < n; d++) row[d] = random.nextInt(size[d] + 4) - 2;
					final float[][] motion = new float[n][shown];
					for (int d = 0; d < n; d++)
						for (int x = 0; x < shown; x++) motion[d][x] = x % 5 == 0 ? random.nextInt(7) - 3 : x % 7 == 0 ? -1e-9f : 6 * random.nextFloat() - 3;
					final float[] to = new float[shown + 3];
					positions.row(row, motion, to, 3);
					for (int x = 0; x < shown; x++) {
						final double[] at = new double[n];
						boolean inside = true;
						for (int d = 0; d < n; d++) {
							at[d] = row[d] + (d == 0 ? x : 0) + (double) motion[d][x];
							inside &= at[d] >= -0.5 && at[d] <= size[d] - 0.5;
						}
						assertEquals(inside ? value(exact, size, cubic, at) : Float.NaN, to[x + 3], 3e-6 * most, () -> cubic + " " + Arrays.toString(at));
					}
				}
			}
	}

	private static double[] coefficients(final float[] values, final int[] size, final boolean cubic) {
		final double[] all = IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
		for (int d = 0, stride = 1; d < size.length; stride *= size[d++])
			for (int i = 0; i < all.length; i++) {
				if (i / stride % size[d] != 0) continue;
				final double[] line = new double[size[d]];
				for (int k = 0; k < line.length; k++) line[k] = all[i + k * stride];
				if (cubic) CubicSpline.coefficients(line);
				else QuinticSpline.coefficients(line);
				for (int k = 0; k < line.length; k++) all[i + k * stride] = line[k];
			}
		return all;
	}

	private static double value(final double[] coefficients, final int[] size, final boolean cubic, final double[] at) {
		final int count = cubic ? CubicSpline.COEFFICIENTS : QuinticSpline.COEFFICIENTS, n = size.length;
		final double[][] weights = new double[n][count];
		for (int d = 0; d < n; d++)
			if (cubic) CubicSpline.weights(at[d] - Math.floor(at[d]), weights[d]);
			else QuinticSpline.weights(at[d] - Math.floor(at[d]), weights[d]);
		double sum = 0;
		for (int k = 0; k < Math.pow(count, n); k++) {
			double weight = 1;
			int index = 0;
			for (int d = 0, rest = k, stride = 1; d < n; rest /= count, stride *= size[d++]) {
				weight *= weights[d][rest % count];
				index += stride * CubicSpline.mirrored((int) Math.floor(at[d]) - count / 2 + 1 + rest % count, size[d]);
			}
			sum += weight * coefficients[index];
		}
		return sum;
	}

	/** The mean is that of the other pixels; a frame without any has none. */
	@Test
	void infinitePixelsAreMissing() {
		final float[] values = { 1, Float.POSITIVE_INFINITY, 3, Float.NaN, 8, Float.NEGATIVE_INFINITY };
		try (Parallel parallel = new Parallel(1)) {
			assertArrayEquals(new float[] { -3, Float.NaN, -1, Float.NaN, 4, Float.NaN },
				FrameSpline.values(ImagePixels.of(ArrayImgs.floats(values, 3, 2)), parallel));
			assertArrayEquals(new float[] { Float.NaN }, FrameSpline.values(ImagePixels.of(ArrayImgs.floats(new float[] { Float.NaN }, 1, 1)), parallel));
		}
	}
}
