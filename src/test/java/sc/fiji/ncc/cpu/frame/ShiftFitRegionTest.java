package sc.fiji.ncc.cpu.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;

/** Which pixels enter the fit of a shift, and from which line it begins: images of known functions, whose shifts are exact. */
class ShiftFitRegionTest {

	private interface Image {

		double at(double x, double y, double z);
	}

	private static float[] pixels(final int[] size, final Image image) {
		final float[] pixels = new float[size[0] * size[1] * size[2]];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) image.at(i % size[0], i / size[0] % size[1], i / size[0] / size[1]);
		return pixels;
	}

	private static Image shifted(final Image image, final double... shift) {
		return (x, y, z) -> image.at(x - shift[0], y - shift[1], z - shift[2]);
	}

	private static FramePixels frame(final int[] size, final float[] pixels) {
		return FramePixels.of(size, PixelType.F32, FloatBuffer.wrap(pixels), null);
	}

	private static double waves(final double x, final double y) {
		return Math.cos(2 * Math.PI * x / 12) + Math.cos(2 * Math.PI * y / 10) + Math.cos(2 * Math.PI * (x + y) / 17);
	}

	/** The planes differ in sign: a plane that is taken for another makes the slope negative. */
	@Test
	void planesOfAVolume() {
		final int[] size = { 32, 28, 16 };
		final Image image = (x, y, z) -> waves(x, y) * Math.cos(2 * Math.PI * z / 16);
		final double[] shift = { 2.2, -1.3, 1.15 };
		final ShiftFit.Result r = new ShiftFit().fit(frame(size, pixels(size, image)), frame(size, pixels(size, shifted(image, shift))), new int[] { 2, -1, 1 },
			new double[] { 2, -1, 1 });
		assertNotNull(r);
		assertArrayEquals(shift, r.shift(), 0.02);
	}

	/** The line begins with the means of the overlap, not of the frames. Noise leaves a correlation coefficient of about 0.9. */
	@Test
	void brightnessOutsideTheOverlapChangesNothing() {
		final int[] size = { 64, 48, 1 };
		final Image image = (x, y, z) -> waves(x, y);
		final Random random = new Random(3);
		final float[] f = pixels(size, image), m = pixels(size, shifted(image, 8.2, 0.3, 0));
		for (final float[] pixels : new float[][] { f, m })
			for (int i = 0; i < pixels.length; i++) pixels[i] += (float) (0.3 * random.nextGaussian());
		final ShiftFit.Result r = fit(size, f, m);
		assertEquals(8.2, r.shift()[0], 0.05);
		assertEquals(0.3, r.shift()[1], 0.05);
		final float[] brightF = bright(f, x -> x >= 56), brightM = bright(m, x -> x < 8);
		for (final float[][] pair : new float[][][] { { brightF, m }, { f, brightM }, { brightF, brightM } }) {
			final ShiftFit.Result other = fit(size, pair[0], pair[1]);
			assertArrayEquals(r.shift(), other.shift(), 5e-4);
			for (int d = 0; d < 2; d++) assertEquals(r.covariance()[d][d], other.covariance()[d][d], 0.01 * r.covariance()[d][d]);
		}
	}

	private static ShiftFit.Result fit(final int[] size, final float[] f, final float[] m) {
		final ShiftFit.Result r = new ShiftFit().fit(frame(size, f), frame(size, m), new int[] { 8, 0, 0 }, new double[] { 8.1, 0.2, 0 });
		assertNotNull(r);
		return r;
	}

	private static float[] bright(final float[] pixels, final IntPredicate columns) {
		final float[] bright = pixels.clone();
		for (int i = 0; i < bright.length; i++) if (columns.test(i % 64)) bright[i] += 100;
		return bright;
	}

	/** The first steps of a large frame take some bands of rows. An object between them is found, too. */
	@Test
	void anObjectAnywhereInALargeFrame() {
		final int[] size = { 256, 256, 1 };
		for (int at = 20; at < 240; at += 9) {
			final double y0 = at;
			final Image spot = (x, y, z) -> {
				final double r = Math.hypot(x - 120, y - y0) / 9;
				return r < 1 ? Math.pow(1 + Math.cos(Math.PI * r), 2) : 0;
			};
			final ShiftFit.Result r = new ShiftFit().fit(frame(size, pixels(size, spot)), frame(size, pixels(size, shifted(spot, 0.3, -0.2, 0))), new int[3],
				new double[3]);
			assertNotNull(r, "y = " + at);
			assertArrayEquals(new double[] { 0.3, -0.2, 0 }, r.shift(), 0.03, "y = " + at);
		}
	}

	/** All rows of a large frame count at last: the halves of a frame, which are small, have half of the information each. */
	@Test
	void theInformationOfHalvesAddsUp() {
		final int[] whole = { 256, 256, 1 }, half = { 256, 128, 1 };
		final Random random = new Random(5);
		final Image image = (x, y, z) -> waves(x, y);
		final float[] f = pixels(whole, image), m = pixels(whole, shifted(image, 0.2, 0.3, 0));
		for (final float[] pixels : new float[][] { f, m })
			for (int i = 0; i < pixels.length; i++) pixels[i] += (float) (0.2 * random.nextGaussian());
		final double[] information = new double[2];
		for (int part = 0; part < 2; part++) {
			final int from = part * f.length / 2, until = from + f.length / 2;
			final ShiftFit.Result r = new ShiftFit().fit(frame(half, Arrays.copyOfRange(f, from, until)), frame(half, Arrays.copyOfRange(m, from, until)),
				new int[3], new double[3]);
			for (int d = 0; d < 2; d++) information[d] += 1 / r.covariance()[d][d];
		}
		final ShiftFit.Result r = new ShiftFit().fit(frame(whole, f), frame(whole, m), new int[3], new double[3]);
		for (int d = 0; d < 2; d++) assertEquals(information[d], 1 / r.covariance()[d][d], 0.25 * information[d]);
	}

	/** Overlaps of few columns: the moving frame goes on at one end of them. Nine columns and one pixel of distance leave five. */
	@Test
	void thinOverlaps() {
		final int[] size = { 40, 80, 1 };
		final Image image = (x, y, z) -> waves(x, y);
		for (final int sign : new int[] { 1, -1 })
			for (int overlap = 8; overlap < 16; overlap++) {
				final int lag = sign * (size[0] - overlap);
				final double[] shift = { lag + 0.2, -0.3, 0 };
				final ShiftFit.Result r = new ShiftFit().fit(frame(size, pixels(size, image)), frame(size, pixels(size, shifted(image, shift))), new int[] { lag, 0, 0 },
					new double[] { lag, 0, 0 });
				assertNotNull(r, overlap + " columns");
				assertArrayEquals(shift, r.shift(), 0.02, overlap + " columns");
			}
		assertNull(new ShiftFit().fit(frame(size, pixels(size, image)), frame(size, pixels(size, image)), new int[] { 33, 0, 0 }, new double[] { 33, 0, 0 }));
	}

	/** At least 64 pixels of a masked frame must count. */
	@Test
	void tooFewPixels() {
		final int[] size = { 30, 30, 1 };
		final Image image = (x, y, z) -> waves(x, y);
		final FramePixels m = frame(size, pixels(size, shifted(image, 0.2, 0.1, 0)));
		for (final boolean enough : new boolean[] { true, false }) {
			final boolean[] mask = new boolean[900];
			for (int i = 0; i < 64; i++) mask[(10 + i / 8) * 30 + 10 + i % 8] = true;
			mask[10 * 30 + 10] = enough;
			final ShiftFit.Result r = new ShiftFit().fit(FramePixels.of(size, PixelType.F32, FloatBuffer.wrap(pixels(size, image)), mask), m, new int[3], new double[3]);
			if (enough) assertArrayEquals(new double[] { 0.2, 0.1, 0 }, r.shift(), 0.02);
			else assertNull(r);
		}
	}
}
