package sc.fiji.ncc.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.support.Parallel;

/** Splines through frames. */
class FrameSplineTest {

	/** Positions in 4096ths of a pixel do not fit 32 bits in so long a line. A spline has the values of the pixels, inside and at the border. */
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
			for (final int y : new int[] { 0, 4 }) {
				final double[][] at = { { 9, 524_280, 524_290, 524_700 }, { y, y, y, y } };
				final float[] ofCubic = new float[4], ofQuintic = new float[4];
				cubic.new Positions().row(at, ofCubic, 0);
				quintic.new Positions().row(at, ofQuintic, 0);
				for (int i = 0; i < 4; i++) {
					final float pixel = values[y * width + (int) at[0][i]];
					assertEquals(pixel, ofCubic[i], 1e-5, "cubic, at " + at[0][i] + ", " + y);
					assertEquals(pixel - mean, ofQuintic[i], 1e-5, "quintic, at " + at[0][i] + ", " + y);
				}
			}
		}
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
