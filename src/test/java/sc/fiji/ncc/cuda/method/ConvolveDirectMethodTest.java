package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

/** What the sums of {@code convolve.cu} may err, tried in float as the kernel adds. Needs no GPU. */
class ConvolveDirectMethodTest {

	private static final double EPS = 0x1p-24;

	@Test
	void chunksHoldEveryTapOnce() {
		final double[] coefficients = new double[37 * 21 * 3];
		Arrays.setAll(coefficients, i -> i + 1);
		final double[] chunks = TemplateChunks.of(coefficients, TemplateChunks.places(37, 21, 3));
		assertEquals(2 * 2 * 3 * TemplateChunks.X * TemplateChunks.Y, chunks.length);
		assertEquals(Arrays.stream(coefficients).sum(), Arrays.stream(chunks).sum());
		assertEquals(37 * 20 + 36 + 1, chunks[3 * TemplateChunks.X * TemplateChunks.Y + 4 * TemplateChunks.X + 4],
			"the last coefficient of the first plane lies in its fourth chunk");
	}

	/** Kernels of which the first coefficients, that meet most roundings, weigh most. */
	@Test
	void aRowOfItsOwnIsAlwaysWithinTheTolerance() {
		final Random random = new Random(1);
		for (int trial = 0; trial < 200; trial++) {
			final int width = 1 + random.nextInt(70), height = 1 + random.nextInt(40);
			final double decay = random.nextDouble();
			final double[] coefficients = new double[width * height];
			for (int i = 0; i < coefficients.length; i++) coefficients[i] = Math.pow(decay, i % width) * (random.nextDouble() - (trial % 2) * 0.5);
			final double all = Arrays.stream(coefficients).map(Math::abs).sum();
			assertTrue(ConvolveDirectMethod.error(TemplateChunks.of(coefficients, TemplateChunks.places(width, height, 1)), 1) <= 12.5 * all, width + "x" + height);
		}
	}

	@Test
	void sumsErrByNoMoreThanTheBound() {
		final Random random = new Random(2);
		double worst = 0;
		for (int trial = 0; trial < 400; trial++) {
			final int width = 1 + random.nextInt(40), height = 1 + random.nextInt(30), rows = 1 << random.nextInt(5);
			final float[] coefficients = new float[width * height];
			for (int i = 0; i < coefficients.length; i++) coefficients[i] = trial % 3 == 0 ? 1 / 3f : random.nextFloat();
			final float[] chunks = TemplateChunks.of(coefficients, TemplateChunks.places(width, height, 1));
			final float[] pixels = new float[chunks.length];
			for (int i = 0; i < pixels.length; i++) pixels[i] = trial % 3 == 0 ? 0.7f : random.nextFloat();
			final double[] wide = new double[chunks.length];
			Arrays.setAll(wide, i -> chunks[i]);
			final double bound = EPS * ConvolveDirectMethod.error(wide, rows), error = Math.abs(sum(chunks, pixels, rows) - exact(chunks, pixels));
			assertTrue(error <= bound, error + " > " + bound);
			worst = Math.max(worst, error / bound);
		}
		assertTrue(worst > 0.02, "a bound so far above all errors bounds nothing: " + worst);
	}

	private static float sum(final float[] coefficients, final float[] pixels, final int rows) {
		float high = 0, low = 0, run = 0;
		for (int o = 0; o < coefficients.length; o += 8) {
			float octet = coefficients[o] * pixels[o];
			for (int i = o + 1; i < o + 8; i++) octet = Math.fma(coefficients[i], pixels[i], octet);
			run += octet;
			if ((o + 8) % (rows * TemplateChunks.X) != 0) continue;
			final float s = high + run, part = s - high;
			low += (high - (s - part)) + (run - part);
			high = s;
			run = 0;
		}
		return (float) ((double) high + low);
	}

	private static double exact(final float[] coefficients, final float[] pixels) {
		double sum = 0;
		for (int i = 0; i < coefficients.length; i++) sum += (double) coefficients[i] * pixels[i];
		return sum;
	}
}
