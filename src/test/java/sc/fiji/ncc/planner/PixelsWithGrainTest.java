package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** The images of measurements cost what images of details cost. */
class PixelsWithGrainTest {

	/**
	 * In a plane of details, a small kernel with positive values repeats the transforms of all tiles in double, a large one repeats none. Nor does a small kernel
	 * in a volume, which has more values.
	 */
	@ParameterizedTest
	@CsvSource({ "300x300, 6x6, 1", "300x300, 32x32, 0", "64x64x64, 5x5x5, 0" })
	void convolutionsRepeatAsManyTransformsAsForAnImage(final String image, final String template, final int share) {
		final Size size = size(image), kernel = size(template);
		final Sliding problem = Convolution.problem(PixelType.U8, size, PixelType.U8, kernel, 0, Extent.VALID, 1);
		final int width = (int) size.get(0), height = (int) size.get(1), pixels = (int) size.pixels();
		final ByteBuffer noise = ByteBuffer.allocate(pixels), blobs = ByteBuffer.allocate(pixels);
		SlidingWorkload.pixels(problem).read(new long[size.dimensions()], size.toIntArray(), noise);
		for (int i = 0; i < pixels; i++)
			blobs.put((byte) (128 + 60 * Math.sin(0.2 * (i % width + i / (width * height))) + 60 * Math.sin(0.17 * (i / width % height))));
		assertEquals(share, rechecked(blobs, size, kernel), "image");
		assertEquals(share, rechecked(noise, size, kernel), "noise");
	}

	private static Size size(final String text) {
		return Size.of(Arrays.stream(text.split("x")).mapToLong(Long::parseLong).toArray());
	}

	/** The share of rechecked responses. */
	private static double rechecked(final ByteBuffer pixels, final Size size, final Size kernel) {
		final Template template = RandomPixels.template(kernel, PixelType.U8, Weights.NONE, 1, 0);
		final byte[] values = new byte[template.values().length];
		for (int i = 0; i < values.length; i++) values[i] = (byte) template.values()[i];
		final var report = Convolution.of(ArrayImgs.unsignedBytes(values, kernel.toArray())).algorithm("cpu-convolve-fourier")
			.convolve(ArrayImgs.unsignedBytes(pixels.array(), size.toArray())).report();
		return (double) report.rechecked() / report.responses();
	}
}
