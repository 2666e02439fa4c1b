package sc.fiji.ncc.cpu.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;

/** Templates under one mask share the window moments. The moments must be accurate enough, or each template is computed again in double. */
class MaskedBankTest {

	private static final int WIDTH = 300, HEIGHT = 220, SIDE = 40, TEMPLATES = 12;

	/** Texture with bright disks: the squares of the pixels differ much from window to window. */
	private static Img<UnsignedByteType> image() {
		final byte[] pixels = new byte[WIDTH * HEIGHT];
		final Random random = new Random(1);
		for (int i = 0; i < pixels.length; i++) {
			final int x = i % WIDTH, y = i / WIDTH;
			final boolean disk = Math.hypot(x % 100 - 50, y % 100 - 50) < 22;
			pixels[i] = (byte) ((disk ? 200 : 60) + random.nextInt(disk ? 40 : 12));
		}
		return ArrayImgs.unsignedBytes(pixels, WIDTH, HEIGHT);
	}

	@Test
	void nothingIsComputedAgainInAImage() {
		final Img<UnsignedByteType> image = image();
		final byte[] mask = new byte[SIDE * SIDE];
		for (int i = 0; i < mask.length; i++) mask[i] = (byte) (Math.hypot(i % SIDE - (SIDE - 1) / 2.0, i / SIDE - (SIDE - 1) / 2.0) < SIDE / 2.0 ? 1 : 0);
		final NormalizedCrossCorrelation op =
			NormalizedCrossCorrelation.of(Collections.nCopies(TEMPLATES, Views.zeroMin(Views.interval(image, FinalInterval.createMinSize(30, 30, SIDE, SIDE)))))
			.masks(Collections.nCopies(TEMPLATES, ArrayImgs.unsignedBytes(mask, SIDE, SIDE)));
		assertEquals(0, op.algorithm("cpu-fourier").correlate(image).report().rechecked());
	}
}
