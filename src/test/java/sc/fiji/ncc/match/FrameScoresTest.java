package sc.fiji.ncc.match;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Scores of windows of an image of 12x10, against the template and against other windows. */
class FrameScoresTest {

	private static final long[] IMAGE = { 12, 10 };
	private final float[] pixels = new float[120];

	FrameScoresTest() {
		final Random random = new Random(5);
		for (int i = 0; i < pixels.length; i++) pixels[i] = random.nextInt(100);
	}

	private FrameScores scores(final Extent extent, final Border border, final Template... templates) {
		final RandomAccessibleInterval<?> image = ArrayImgs.floats(pixels, IMAGE);
		final List<ResponseLayout> layouts = Arrays.stream(templates)
			.map(t -> new ResponseLayout(t.size(), IMAGE, extent, border, -1, null, MissingPixels.NONE)).toList();
		return new FrameScores(List.of(templates), layouts, image, 0);
	}

	private static Template template(final int width, final int height, final double... weights) {
		final double[] values = new double[width * height];
		for (int i = 0; i < values.length; i++) values[i] = i * i % 7;
		return new Template(Size.of(width, height), PixelType.F32, values, weights.length == 0 ? null : weights);
	}

	/** By the definition, with pixels of positive weight. */
	private double ncc(final Template t, final double[] values, final int x, final int y) {
		final int width = (int) t.size().get(0);
		double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
		for (int i = 0; i < values.length; i++) {
			if (t.weight(i) == 0) continue;
			final double p = pixels[x + i % width + 12 * (y + i / width)];
			n++;
			a += p;
			b += values[i];
			aa += p * p;
			bb += values[i] * values[i];
			ab += p * values[i];
		}
		return (n * ab - a * b) / Math.sqrt((n * aa - a * a) * (n * bb - b * b));
	}

	private double[] window(final Template t, final int x, final int y) {
		final int width = (int) t.size().get(0);
		final double[] values = new double[t.values().length];
		for (int i = 0; i < values.length; i++) values[i] = pixels[x + i % width + 12 * (y + i / width)];
		return values;
	}

	@Test
	void anotherWindowInPlaceOfTheTemplate() {
		final Template small = template(3, 3), wide = template(5, 3);
		final FrameScores scores = scores(Extent.VALID, null, small, wide);
		final long[] at = { 4, 2 }, near = { 5, 3 };
		assertEquals(ncc(small, small.values(), 4, 2), scores.at(0, null, at), 1e-12);
		assertEquals(1, scores.at(0, at, at), 1e-12);
		assertEquals(ncc(small, window(small, 4, 2), 5, 3), scores.at(0, at, near), 1e-12);
		assertEquals(ncc(wide, window(wide, 4, 2), 5, 3), scores.at(1, at, near), 1e-12, "the same window of another template");
		assertEquals(ncc(wide, window(wide, 5, 3), 4, 2), scores.at(1, near, at), 1e-12, "another window of the same template");
		assertEquals(1, scores.at(0, new long[] { 9, 7 }, new long[] { 9, 7 }), 1e-12, "the last window");
		assertEquals(1, scores.at(0, new long[2], new long[2]), 1e-12, "the first window");
	}

	@Test
	void aWindowThatCannotReplaceTheTemplate() {
		final FrameScores scores = scores(Extent.FULL, Border.OVERLAP, template(3, 3));
		final long[] inside = { 4, 2 };
		for (final long[] outside : new long[][] { { -1, 2 }, { 4, -1 }, { 10, 2 }, { 4, 8 } }) assertEquals(Double.NaN, scores.at(0, outside, inside));
		for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) pixels[4 + i + 12 * (2 + k)] = 7;
		assertEquals(Double.NaN, scores(Extent.VALID, null, template(3, 3)).at(0, inside, new long[] { 6, 5 }), "no contrast");
		pixels[5 + 12 * 3] = Float.NaN;
		assertEquals(Double.NaN, scores(Extent.VALID, null, template(3, 3)).at(0, inside, new long[] { 6, 5 }), "not finite");
	}

	/** The pixel in the middle has no weight, and is NaN. */
	@Test
	void pixelsWithoutWeightHaveAnyValue() {
		final Template ring = template(3, 3, 1, 1, 1, 1, 0, 1, 1, 1, 1);
		final double[] values = window(ring, 1, 1);
		pixels[2 + 12 * 2] = Float.NaN;
		assertEquals(ncc(ring, values, 6, 5), scores(Extent.VALID, null, ring).at(0, new long[] { 1, 1 }, new long[] { 6, 5 }), 1e-12);
	}

	/** With pixels beyond the image positions count from its first pixel. */
	@Test
	void positionsInAMirroredImage() {
		final Template t = TemplateReader.read(ArrayImgs.floats(new float[] { 1, 5, 2, 0, 3, 9, 4, 4, 7 }, 3, 3), null, false);
		final FrameScores scores = scores(Extent.SAME, Border.MIRROR, t);
		assertEquals(ncc(t, t.values(), 4, 2), scores.at(0, null, new long[] { 4, 2 }), 1e-12);
		assertEquals(ncc(t, window(t, 1, 6), 4, 2), scores.at(0, new long[] { 1, 6 }, new long[] { 4, 2 }), 1e-12);
	}
}
