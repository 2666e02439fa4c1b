package sc.fiji.ncc.cpu.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;

/** Running window sums against sums of each window. */
class WindowSumsTest {

	@Test
	void wholeNumbersAreTakenWhileTheirSquaresFitIn32Bits() {
		assertTrue(IntWindowSums.fits(PixelType.U8, 257 * 257));
		assertFalse(IntWindowSums.fits(PixelType.U8, 257 * 258));
		assertFalse(IntWindowSums.fits(PixelType.U16, 4));
	}

	/** The brightest pixels about 0 in the largest window that whole numbers hold, and ordinary pixels. */
	@ParameterizedTest
	@CsvSource({ "257,257,1,3,2,1,255", "257,257,1,3,2,1,0", "5,4,1,40,30,1,17", "40,40,41,2,3,2,255", "4,5,3,20,11,6,100", "1,1,1,9,7,1,3" })
	void theyAreTheSumsOfEachWindow(final int w, final int h, final int d, final int lagsX, final int lagsY, final int lagsZ, final int level) {
		final int width = lagsX + w - 1, height = lagsY + h - 1, depth = lagsZ + d - 1;
		final byte[] pixels = new byte[width * height * depth];
		final Random random = new Random(3);
		for (int i = 0; i < pixels.length; i++) pixels[i] = (byte) (random.nextInt(20) == 0 ? random.nextInt(256) : level);
		final TemplatePlanes planes = new TemplatePlanes(Size.of(w, h, d));
		final int[] lags = { lagsX, lagsY, lagsZ };
		for (final WindowMoments windows : new WindowMoments[] { new IntWindowSums(planes, lags), new WindowSums(planes, lags, false),
			new WindowSums(planes, lags, true) })
			for (final double reference : new double[] { 0, level, 255 }) check(windows, pixels, planes, lags, reference);
	}

	private static void check(final WindowMoments windows, final byte[] pixels, final TemplatePlanes planes, final int[] lags, final double reference) {
		final int width = lags[0] + planes.width - 1, height = lags[1] + planes.height - 1, depth = lags[2] + planes.count - 1;
		final TileReader[] readers = new TileReader[depth];
		for (int z = 0; z < depth; z++) {
			readers[z] = new TileReader(PixelType.U8);
			readers[z].read(new Plane(pixels, width, height, z), new long[2], width, height);
		}
		windows.begin(TileInput.of(readers, TileScale.about(reference), lags, () -> false));
		final double[] sums = new double[lags[0]], squares = new double[lags[0]];
		for (int z = 0; z < lags[2]; z++)
			for (int y = 0; y < lags[1]; y++) {
				windows.row(z, y, sums, squares);
				for (int x = 0; x < lags[0]; x += Math.max(1, lags[0] - 1)) {
					long sum = 0, sumOfSquares = 0;
					for (int k = 0; k < planes.count; k++)
						for (int j = 0; j < planes.height; j++)
							for (int i = 0; i < planes.width; i++) {
								final long v = (pixels[((z + k) * height + y + j) * width + x + i] & 0xff) - (long) reference;
								sum += v;
								sumOfSquares += v * v;
							}
					assertEquals(sum, sums[x], windows.getClass() + " " + x + ", " + y + ", " + z);
					assertEquals(sumOfSquares, squares[x], windows.getClass() + " " + x + ", " + y + ", " + z);
				}
			}
	}

	/** One plane of bytes. */
	private record Plane(byte[] pixels, int width, int height, int z) implements Pixels {

		@Override
		public PixelType type() {
			return PixelType.U8;
		}

		@Override
		public long[] size() {
			return new long[] { width, height };
		}

		@Override
		public void read(final long[] min, final int[] size, final Buffer to) {
			((ByteBuffer) to).duplicate().put(pixels, z * width * height, width * height);
		}
	}
}
