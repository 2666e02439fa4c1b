package sc.fiji.ncc.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

class TemplateReaderTest {

	private static RandomAccessibleInterval<?> image(final double... values) {
		return ArrayImgs.doubles(values, values.length / 2, 2);
	}

	private static void refused(final String message, final Executable call) {
		assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
	}

	/** The narrowest type that holds all values of both, for all pairs; rows and columns in the order of {@link PixelType}. */
	@Test
	void commonTypes() {
		final String table = "U8 S16 U16 S16 U32 S32 F32 F64 " + "S16 S8 S32 S16 F64 S32 F32 F64 " + "U16 S32 U16 S32 U32 S32 F32 F64 "
			+ "S16 S16 S32 S16 F64 S32 F32 F64 " + "U32 F64 U32 F64 U32 F64 F64 F64 " + "S32 S32 S32 S32 F64 S32 F64 F64 "
			+ "F32 F32 F32 F32 F64 F64 F32 F64 " + "F64 F64 F64 F64 F64 F64 F64 F64";
		final String[] expected = table.split(" ");
		final PixelType[] types = PixelType.values();
		for (int i = 0; i < 64; i++) assertEquals(PixelType.valueOf(expected[i]), TemplateReader.common(types[i / 8], types[i % 8]),
			types[i / 8] + " and " + types[i % 8]);
	}

	@Test
	void templatesOfOneType() {
		final Template bytes = new Template(Size.of(2, 1), PixelType.U8, new double[] { 1, 2 }, null),
			shorts = new Template(Size.of(1, 2), PixelType.S16, new double[] { -3, 4 }, null);
		final List<Template> alike = TemplateReader.alike(List.of(bytes, shorts), "template");
		for (final Template t : alike) assertEquals(PixelType.S16, t.type());
		assertArrayEquals(new double[] { 1, 2 }, alike.get(0).values());
		assertArrayEquals(new double[] { -3, 4 }, alike.get(1).values());
		final Template line = new Template(Size.of(2), PixelType.U8, new double[] { 1, 2 }, null),
			two = new Template(Size.of(2, 1), PixelType.U8, new double[] { 1, 2, 2, 1 }, null, 2);
		refused("the templates of 2x1 and 2 differ in their number of dimensions: use them in separate calls",
			() -> TemplateReader.alike(List.of(bytes, line), "template"));
		refused("a template has 1 channels, another one 2: use them in separate calls", () -> TemplateReader.alike(List.of(bytes, two), "template"));
	}

	@Test
	void conversions() {
		final Template t = new Template(Size.of(2, 2), PixelType.F64, new double[] { 0, 255, 7, 300 }, new double[] { 1, 1, 2, 0 });
		assertEquals(PixelType.U8, TemplateReader.as(PixelType.U8, t).type());
		assertArrayEquals(t.values(), TemplateReader.as(PixelType.U8, t).values());
		final double[][] wrong = { { 0, 256, 7, 1 }, { 0, -1, 7, 1 }, { 0, 0.5, 7, 1 } };
		for (final double[] values : wrong) refused("the image was prepared for templates of U8 pixels, the template of F64 pixels holds " + values[1]
			+ " at [1, 0]: prepare the image with a template of that type, or convert the template",
			() -> TemplateReader.as(PixelType.U8, new Template(Size.of(2, 2), PixelType.F64, values, null)));
		// the second channel has the same places
		refused("the image was prepared for templates of F32 pixels, the template of F64 pixels holds 0.1 at [0, 1]: "
			+ "prepare the image with a template of that type, or convert the template",
			() -> TemplateReader.as(PixelType.F32, new Template(Size.of(1, 2), PixelType.F64, new double[] { 1, 2, 0.5, 0.1 }, null, 2)));
		assertEquals(PixelType.F64,
			TemplateReader.as(PixelType.F64, new Template(Size.of(2, 1), PixelType.F64, new double[] { 0.1, Double.MAX_VALUE }, null)).type());
	}

	@Test
	void masks() {
		final RandomAccessibleInterval<?> template = image(1, 2, 3, 4);
		assertNull(TemplateReader.read(template, null, false).weights());
		assertArrayEquals(new double[] { 0, 1, 1, 1 }, TemplateReader.read(template, image(0, 255, 255, 255), false).weights());
		assertArrayEquals(new double[] { 0, 1, 1, 1 }, TemplateReader.read(template, image(0, 0.2, 0.2, 0.2), true).weights());
		assertArrayEquals(new double[] { 0, 0.5, 2, 1 }, TemplateReader.read(template, image(0, 0.5, 2, 1), true).weights());
		assertArrayEquals(new double[] { 1e-59, 0.5, 1, 1 }, TemplateReader.read(template, image(1e-59, 0.5, 1, 1), true).weights());
		refused("the weights of 2x2 hold 1.0E-61 besides 1.0: a positive weight must be at least 1.0E-60 of the greatest; set smaller weights to 0",
			() -> TemplateReader.read(template, image(1e-61, 0.5, 1, 1), true));
		refused("the mask of 2x2 holds 0.5 and 1.0 besides 0: a mask has 0 and one other value; threshold the mask, or use it as weights",
			() -> TemplateReader.read(template, image(0, 0.5, 1, 1), false));
		refused("the mask of 2x2 holds the negative value -1.0 at [0, 1]: give 0 for pixels that do not count and one positive value for the others",
			() -> TemplateReader.read(template, image(0, 1, -1, 1), false));
		refused("the weights of 2x2 hold NaN at [1, 1]: give finite weights of at least 0", () -> TemplateReader.read(template, image(0, 1, 1, Double.NaN), true));
		refused("the weights of 2x2 hold Infinity at [1, 0]: give finite weights of at least 0",
			() -> TemplateReader.read(template, image(0, Double.POSITIVE_INFINITY, 1, 2), true));
		refused("the weights of 2x2 are zero everywhere: give at least one pixel a positive value", () -> TemplateReader.read(template, image(0, 0, 0, 0), true));
		refused("the mask of 2x2 is zero everywhere: give at least one pixel a positive value", () -> TemplateReader.read(template, image(0, 0, 0, 0), false));
		refused("the mask of 3x2 must have the template's shape, 2x2: give one value for each pixel of the template",
			() -> TemplateReader.read(template, image(1, 1, 1, 1, 1, 1), false));
		final JointImage joint = JointImage.of(List.of(ArrayImgs.doubles(new double[] { 1, 1, 1, 1 }, 2, 2), ArrayImgs.doubles(new double[] { 1, 1, 1, 1 }, 2, 2)));
		refused("the mask of 2x2 has 2 channels: give one with a single channel, which counts for all channels of the template",
			() -> TemplateReader.read(template, joint, false));
	}

	@Test
	void valuesThatAreNotFinite() {
		refused("the template of 2x2 holds NaN at [0, 1]: replace it, or leave it out with a mask",
			() -> TemplateReader.read(image(1, 2, Double.NaN, 4), null, false));
		refused("the kernel of 2x2 holds -Infinity at [1, 1]: replace it", () -> TemplateReader.readKernel(image(1, 2, 3, Double.NEGATIVE_INFINITY)));
		final double[] values = TemplateReader.read(image(1, 2, Double.NaN, 4), image(1, 1, 0, 1), false).values();
		assertArrayEquals(new double[] { 1, 2, Double.NaN, 4 }, values);
		refused("the template of 2x2 holds NaN at [1, 0]: replace it, or leave it out with a mask",
			() -> TemplateReader.read(image(1, Double.NaN, Double.NaN, 4), image(1, 1, 0, 1), false));
		assertArrayEquals(new double[] { 5, 5, 5, 5 }, TemplateReader.readKernel(image(5, 5, 5, 5)).values(), "a flat kernel");
	}

	/** Chunks of several threads, and channels one after the other. */
	@Test
	void threadsAndChannels() {
		final int side = 300;
		final double[] first = new Random(1).doubles(side * side).toArray(), second = new Random(2).doubles(side * side).toArray();
		final JointImage joint = JointImage.of(List.of(ArrayImgs.doubles(first, side, side), ArrayImgs.doubles(second, side, side)));
		for (final int threads : new int[] { 1, 3 }) {
			final Template read = TemplateReader.read(joint, null, false, threads);
			assertEquals(2, read.channels());
			assertArrayEquals(first, Arrays.copyOf(read.values(), side * side));
			assertArrayEquals(second, Arrays.copyOfRange(read.values(), side * side, 2 * side * side));
			second[side * side - 1] = Double.NaN;
			refused("the template of 300x300 holds NaN at [299, 299]: replace it, or leave it out with a mask", () -> TemplateReader.read(joint, null, false, threads));
			second[side * side - 1] = 0.5;
		}
		refused("a kernel has one channel, this one has 2: convert it to gray", () -> TemplateReader.readKernel(joint));
	}

	/** A part of a frame with missing pixels. */
	@Test
	void missingPixels() {
		final double[] frame = new double[24], present = new double[24];
		Arrays.fill(present, 1);
		present[1 + 6] = 0;
		final ArrayPixels pixels = new ArrayPixels(PixelType.F64, new int[] { 6, 4 }, frame, false, present);
		final RandomAccessibleInterval<?> template = image(1, 2, 3, 4);
		assertArrayEquals(new double[] { 0, 1, 1, 1 }, TemplateReader.read(template, null, false, pixels, new long[] { 1, 1 }).weights());
		assertNull(TemplateReader.read(template, null, false, pixels, new long[] { 2, 1 }).weights(), "complete");
		assertArrayEquals(new double[] { 0, 2, 3, 0 }, TemplateReader.read(template, image(1, 2, 3, 0), true, pixels, new long[] { 1, 1 }).weights());
		assertArrayEquals(new double[] { 1, 2, 3, 0 }, TemplateReader.read(template, image(1, 2, 3, 0), true, pixels, new long[] { 4, 2 }).weights());
		assertNull(TemplateReader.read(template, null, false, new ArrayPixels(PixelType.F64, new int[] { 6, 4 }, frame, false, null), new long[2]).weights());
		final double[] only = { 0, 0, 0, 5 };
		refused("all pixels of the template of 2x2 at [0, 0] are missing in its frame: choose a region with pixels",
			() -> TemplateReader.read(template, image(only), true, pixels, new long[2]));
	}

	/** Alternately 0 and 1 where the mask counts. */
	@Test
	void standIns() {
		assertArrayEquals(new double[] { 0, 1, 0, 1, 0, 1 }, TemplateReader.standIn(Size.of(3, 2), PixelType.U8, 1, null, false).values());
		final Template masked = TemplateReader.standIn(Size.of(3, 2), PixelType.U16, 2, image(1, 0, 1, 1, 1, 0), false);
		assertArrayEquals(new double[] { 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0 }, masked.values());
		assertArrayEquals(new double[] { 1, 0, 1, 1, 1, 0 }, masked.weights());
		assertEquals(PixelType.U16, masked.type());
		assertThrows(IllegalArgumentException.class, () -> TemplateReader.standIn(Size.of(1, 1), PixelType.U8, 1, null, false));
	}
}
