package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Random;
import java.util.function.IntUnaryOperator;

import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Util;
import net.imglib2.RandomAccessibleInterval;

import org.apache.commons.math3.special.Erf;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.statistics.Texture;

/** Textures and fine details of strips against their definitions, pixel by pixel. */
class TextureTest {

	private static final int WIDTH = 14, HEIGHT = 11;

	/** Waves with noise, and a pixel that is missing. */
	private static float[] waves() {
		final Random random = new Random(1);
		final float[] pixels = new float[WIDTH * HEIGHT];
		for (int i = 0; i < pixels.length; i++)
			pixels[i] = (float) (50 + 20 * Math.sin(0.5 * (i % WIDTH)) + 12 * Math.cos(0.7 * (i / WIDTH)) + 12 * random.nextGaussian());
		pixels[40] = Float.NaN;
		return pixels;
	}

	/** A buffer can begin anywhere in its array. */
	@Test
	void aPartOfAnArray() {
		final float[] pixels = waves(), longer = new float[pixels.length + 7];
		System.arraycopy(pixels, 0, longer, 7, pixels.length);
		final int[] size = { WIDTH, HEIGHT };
		final Texture whole = Texture.of(FloatBuffer.wrap(pixels), PixelType.F32, size),
			part = Texture.of(FloatBuffer.wrap(longer, 7, pixels.length).slice(), PixelType.F32, size);
		assertEquals(whole.signal(), part.signal());
		assertEquals(whole.filled(), part.filled());
	}

	@Test
	void factorsAreTheAutocorrelationWithoutNoise() {
		final float[] pixels = waves();
		final Texture texture = Texture.of(FloatBuffer.wrap(pixels), PixelType.F32, new int[] { WIDTH, HEIGHT });
		double mean = 0, count = 0;
		for (final float v : pixels) if (Float.isFinite(v)) {
			mean += v;
			count++;
		}
		mean /= count;
		double square = 0, fourth = 0;
		final double[] deviations = new double[pixels.length];
		for (int i = 0; i < pixels.length; i++) {
			deviations[i] = Float.isFinite(pixels[i]) ? pixels[i] - mean : 0;
			square += Math.pow(deviations[i], 2);
			fourth += Math.pow(deviations[i], 4);
		}
		final double[] x = autocorrelation(deviations, WIDTH, HEIGHT, i -> i % WIDTH, 1), y = autocorrelation(deviations, HEIGHT, WIDTH, i -> i / WIDTH, WIDTH);
		final double signal = (2 * x[1] - x[2]) / 2 + (2 * y[1] - y[2]) / 2;
		assertTrue(x[1] > 0.1 && y[1] > 0.1 && 2 * x[1] - x[2] < 1 && 2 * y[1] - y[2] < 1, "noise");
		assertEquals(signal, texture.signal(), 1e-12);
		assertArrayEquals(factors(x, signal, WIDTH), texture.factors()[0], 1e-12);
		assertArrayEquals(factors(y, signal, HEIGHT), texture.factors()[1], 1e-12);
		assertEquals(Math.min(1, 3 / (count * fourth / (square * square))), texture.filled(), 1e-12);
	}

	/** The mean product of pixels at each distance up to half the extent, over that at 0. */
	private static double[] autocorrelation(final double[] deviations, final int extent, final int lines, final IntUnaryOperator place, final int stride) {
		final double[] c = new double[extent / 2 + 1];
		for (int k = 0; k < c.length; k++) {
			for (int i = 0; i < deviations.length; i++) if (place.applyAsInt(i) >= k) c[k] += deviations[i] * deviations[i - k * stride];
			c[k] /= lines * (extent - k);
		}
		for (int k = c.length - 1; k >= 0; k--) c[k] /= c[0];
		return c;
	}

	private static double[] factors(final double[] c, final double signal, final int extent) {
		final double[] factors = new double[extent];
		factors[0] = 1;
		for (int k = 1; k < extent; k++) {
			final double measured = c[Math.min(k, c.length - 1)];
			if (measured < 0.05 * signal) return factors;
			factors[k] = Math.min(1, measured / signal) * (extent - k) / extent;
		}
		return factors;
	}

	@Test
	void fewBrightPixelsCountAsFew() {
		final ByteBuffer dark = ByteBuffer.allocate(400);
		dark.put(0, (byte) 200).put(399, (byte) 200);
		final Texture texture = Texture.of(dark, PixelType.U8, new int[] { 20, 20 });
		// two pixels of 400 have the kurtosis (1 - 3p(1 - p)) / (p(1 - p)), p = 0.005
		final double p = 0.005, kurtosis = (1 - 3 * p * (1 - p)) / (p * (1 - p));
		assertEquals(3 / kurtosis, texture.filled(), 1e-9);
	}

	@Test
	void aFlatStripHasNoSignal() {
		final Texture texture = Texture.of(ByteBuffer.allocate(400), PixelType.U8, new int[] { 20, 20 });
		assertEquals(0, texture.signal());
		assertEquals(1, texture.filled());
		assertArrayEquals(new double[] { 1, 0, 0 }, java.util.Arrays.copyOf(texture.factors()[0], 3));
	}

	@Test
	void detailsInClosedForm() {
		final Texture a = new Texture(new double[][] { { 1, 0.5 }, { 1, 0.25, 0.125 } }, 0.8, 0.5), b = new Texture(new double[][] { { 1, 0.5 }, { 1, 0.25 } }, 0.8, 0.9);
		// (1 + 2 · 0.5²)(1 + 2 · 0.25²) = 1.6875, of 0.64 of the variance
		assertEquals(0.36 + 0.64 * 1.6875, Texture.pixelsADetail(a, b), 1e-12);
		assertEquals(144 * 0.5 / 1.44, Texture.details(a, b, 144), 1e-12);
		final double height = 0.5 * Math.log(1.6 / 0.4) * Math.sqrt(47);
		assertEquals(height, Texture.height(Texture.details(a, b, 144), 0.6), 1e-12);
		assertEquals(100 / 1.44 * (1 + height) * 0.5 * Erf.erfc(height / Math.sqrt(2)), Texture.falseAlarms(a, b, 144, 0.6, Double.NaN, 100), 1e-12);
		assertEquals(100 / 1.44, Texture.falseAlarms(a, b, 144, 0, Double.NaN, 100), 1e-12, "at the score 0 every place counts");
		assertEquals(0, Texture.height(Texture.details(a, b, 3), 0.6), "fewer than 3 details");
	}

	/** The mean of 3x3 minus the mean of 9x9 pixels, as far as they lie inside; a missing pixel counts as the mean and stays missing. */
	@Test
	void fineDetailsPixelByPixel() {
		final float[] pixels = waves();
		double mean = 0, count = 0;
		for (final float v : pixels) if (Float.isFinite(v)) {
			mean += v;
			count++;
		}
		mean /= count;
		@SuppressWarnings("unchecked")
		final RandomAccessibleInterval<FloatType> fine = (RandomAccessibleInterval<FloatType>) FineDetails.of(ArrayImgs.floats(pixels, WIDTH, HEIGHT),
			PixelType.F32, null);
		for (int y = 0; y < HEIGHT; y++)
			for (int x = 0; x < WIDTH; x++) {
				final float found = fine.getAt(x, y).get();
				final double expected = Float.isNaN(pixels[y * WIDTH + x]) ? Double.NaN : around(pixels, mean, x, y, 1) - around(pixels, mean, x, y, 4);
				assertEquals(expected, found, 1e-4, Util.printCoordinates(new long[] { x, y }));
			}
	}

	private static double around(final float[] pixels, final double mean, final int x, final int y, final int radius) {
		double sum = 0, n = 0;
		for (int v = Math.max(0, y - radius); v <= Math.min(HEIGHT - 1, y + radius); v++)
			for (int u = Math.max(0, x - radius); u <= Math.min(WIDTH - 1, x + radius); u++, n++)
				if (Float.isFinite(pixels[v * WIDTH + u])) sum += pixels[v * WIDTH + u] - mean;
		return sum / n;
	}

	/** Of one bright pixel: a ninth of it in 3x3 pixels, minus a 81st of it in 9x9 pixels. */
	@Test
	void fineDetailsOfOnePixel() {
		final float[] pixels = new float[31 * 25];
		pixels[12 * 31 + 15] = 810;
		final RandomAccessibleInterval<?> fine = FineDetails.of(ArrayImgs.floats(pixels, 31, 25), PixelType.F32, null);
		final double[] row = new double[11];
		for (int i = 0; i < row.length; i++) row[i] = ((RealType<?>) fine.getAt(10 + i, 12)).getRealDouble();
		assertArrayEquals(new double[] { 0, -10, -10, -10, 80, 80, 80, -10, -10, -10, 0 }, row, 1e-4);
		assertEquals(-10, ((RealType<?>) fine.getAt(15, 8)).getRealDouble(), 1e-4);
		assertEquals(80, ((RealType<?>) fine.getAt(16, 11)).getRealDouble(), 1e-4);
		assertEquals(0, ((RealType<?>) fine.getAt(15, 7)).getRealDouble(), 1e-4);
	}
}
