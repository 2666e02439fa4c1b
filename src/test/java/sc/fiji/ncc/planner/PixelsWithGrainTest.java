package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;

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

	private static final int SIDE = 300;

	/** In an image of details, a small kernel with positive values repeats the transforms of all tiles in double, a large one repeats none. */
	@ParameterizedTest
	@CsvSource({ "6, 1", "32, 0" })
	void convolutionsRepeatAsManyTransformsAsForAnImage(final int side, final int share) {
		final Size kernel = Size.of(side, side);
		final Sliding problem = Convolution.problem(PixelType.U8, Size.of(SIDE, SIDE), PixelType.U8, kernel, 0, Extent.VALID, 1);
		final ByteBuffer noise = ByteBuffer.allocate(SIDE * SIDE), blobs = ByteBuffer.allocate(SIDE * SIDE);
		SlidingWorkload.pixels(problem).read(new long[2], new int[] { SIDE, SIDE }, noise);
		for (int y = 0; y < SIDE; y++) for (int x = 0; x < SIDE; x++) blobs.put((byte) (128 + 60 * Math.sin(0.2 * x) + 60 * Math.sin(0.17 * y)));
		assertEquals(share, rechecked(blobs, kernel), "image");
		assertEquals(share, rechecked(noise, kernel), "noise");
	}

	/** The share of rechecked responses. */
	private static double rechecked(final ByteBuffer pixels, final Size kernel) {
		final Template template = RandomPixels.template(kernel, PixelType.U8, Weights.NONE, 1, 0);
		final byte[] values = new byte[template.values().length];
		for (int i = 0; i < values.length; i++) values[i] = (byte) template.values()[i];
		final var report = Convolution.of(ArrayImgs.unsignedBytes(values, kernel.toArray())).algorithm("cpu-convolve-fourier")
			.convolve(ArrayImgs.unsignedBytes(pixels.array(), SIDE, SIDE)).report();
		return (double) report.rechecked() / report.responses();
	}
}
