package sc.fiji.ncc.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.image.BufferedImage;

import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;

import org.junit.jupiter.api.Test;

class KymographPairTest {

	private static final int W = 30, H = 20, FRAMES = 8;

	/** A bright cross in each frame: a column that moves by some pixels a frame, and a row. */
	private static ArrayImg<UnsignedByteType, ?> stack(final int step) {
		final ArrayImg<UnsignedByteType, ?> stack = ArrayImgs.unsignedBytes(W, H, FRAMES);
		for (int t = 0; t < FRAMES; t++) {
			for (int y = 0; y < H; y++) stack.getAt(5 + step * t, y, t).set(200);
			for (int x = 0; x < W; x++) stack.getAt(x, 3 + step * t, t).set(200);
		}
		return stack;
	}

	@Test
	void contentThatMovesGivesSlantedLines() {
		final BufferedImage picture = KymographPair.draw(stack(1), stack(0));
		// each frame is 16 rows high; beside and below the kymographs lie gaps of 4 pixels, and the lower ones are as wide as the upper ones
		assertEquals(2 * W + 4, picture.getWidth());
		assertEquals(2 * 128 + 4, picture.getHeight());
		for (int row = 0; row < 128; row++) {
			final int t = row / 16;
			for (int x = 0; x < W; x++) {
				if (3 + t != H / 2) assertEquals(x == 5 + t ? 255 : 0, gray(picture, x, row), "row " + row + " before at " + x);
				assertEquals(x == 5 ? 255 : 0, gray(picture, W + 4 + x, row), "row " + row + " after at " + x);
				if (5 + t != W / 2) assertEquals(x == 3 + t ? 255 : 0, gray(picture, x, 132 + row), "column " + row + " before at " + x);
				assertEquals(x == 3 ? 255 : 0, gray(picture, W + 4 + x, 132 + row), "column " + row + " after at " + x);
			}
		}
	}

	/** Of 2,500 frames, every third one has a row: frame 3·row. The rows and the columns of the frame before would be darker. */
	@Test
	void ofManyFramesEveryThirdIsShown() {
		final int frames = 2500, rows = 834;
		final ArrayImg<UnsignedShortType, ?> before = ArrayImgs.unsignedShorts(3, 2, frames), after = ArrayImgs.unsignedShorts(3, 2, frames);
		for (int t = 0; t < frames; t++) for (int y = 0; y < 2; y++) for (int x = 0; x < 3; x++) {
			before.getAt(x, y, t).set(t);
			after.getAt(x, y, t).set(frames - t);
		}
		final BufferedImage picture = KymographPair.draw(before, after);
		assertEquals(2 * 3 + 4, picture.getWidth());
		assertEquals(2 * rows + 4, picture.getHeight());
		// the brightest pixel is that of the share 0.998 of all that are shown, 5 for each row
		final double high = 3 * ((int) (0.998 * (5 * rows - 1)) / 5);
		for (int row = 0; row < rows; row++)
			for (int x = 0; x < 3; x++) {
				final int t = 3 * row, expected = (int) Math.min(255, 255 * t / high), other = (int) Math.min(255, 255 * (frames - t) / high);
				assertEquals(expected, gray(picture, x, row), "row of frame " + t);
				assertEquals(other, gray(picture, 3 + 4 + x, row), "row of frame " + t + " after");
				if (x == 2) continue;
				assertEquals(expected, gray(picture, x, rows + 4 + row), "column of frame " + t);
				assertEquals(other, gray(picture, 3 + 4 + x, rows + 4 + row), "column of frame " + t + " after");
			}
	}

	/** 1,000 frames are all shown, and of 1,001 every second one. */
	@Test
	void aThousandFramesAreAllShown() {
		assertEquals(2 * 1000 + 4, KymographPair.draw(ArrayImgs.unsignedBytes(2, 2, 1000), ArrayImgs.unsignedBytes(2, 2, 1000)).getHeight());
		assertEquals(2 * 501 + 4, KymographPair.draw(ArrayImgs.unsignedBytes(2, 2, 1001), ArrayImgs.unsignedBytes(2, 2, 1001)).getHeight());
	}

	private static int gray(final BufferedImage picture, final int x, final int y) {
		return picture.getRaster().getSample(x, y, 0);
	}

	/** Of a volume, the plane in the middle is shown. */
	@Test
	void theMiddlePlaneOfAVolume() {
		final int depth = 5;
		final ArrayImg<UnsignedByteType, ?> volumes = ArrayImgs.unsignedBytes(W, H, depth, FRAMES);
		for (int t = 0; t < FRAMES; t++)
			for (int z = 0; z < depth; z++) for (int y = 0; y < H; y++) volumes.getAt(3 * z + t, y, z, t).set(z == 2 ? 200 : 100);
		final BufferedImage picture = KymographPair.draw(volumes, volumes);
		for (int row = 0; row < 128; row++)
			for (int x = 0; x < W; x++) assertEquals(x == 6 + row / 16 ? 255 : 0, gray(picture, x, row), "row " + row + " at " + x);
	}
}
