package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.IntFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.fixture.EqualPixels;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.CompensatedSum;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The error estimate of {@code floats.cu}, tried in float as the kernel adds. Needs no GPU. */
class TiledDirectMethodTest {

	private static final int RUN = 4 * TemplateChunks.X;

	@ParameterizedTest
	@CsvSource({ "60, 60", "61, 61", "33, 33", "9, 460", "460, 9", "1, 1000", "16, 17", "128, 128" })
	void errorsOfEqualPixelsAreWithinTheEstimate(final int width, final int height) {
		EqualPixels.assertWithinEstimate(width, height, TiledDirectMethodTest::summed);
	}

	/** Windows and templates of two levels: all products are equal. */
	@ParameterizedTest
	@CsvSource({ "64, 64", "128, 128", "190, 190", "256, 256", "512, 512", "32, 1024", "8, 560", "8, 1000", "1, 3000" })
	void errorsOfTwoLevelsAreWithinTheEstimate(final int width, final int height) {
		final int[] places = TemplateChunks.places(width, height, 1);
		for (int pattern = 0; pattern < 3; pattern++) {
			final double[] values = new double[width * height];
			for (int i = 0; i < values.length; i++)
				values[i] = 100 * (pattern == 0 ? i / width * 2 / height : pattern == 1 ? (i % width + i / width) % 2 : (i % width / 4 + i / width / 4) % 2);
			final double[] zeroMean = ZeroMean.of(new Template(Size.of(width, height), PixelType.U8, values, null), 1);
			final float[] coefficients = TemplateChunks.of(ZeroMean.toFloat(zeroMean, 1), places);
			// where the template is positive
			final double[] positive = TemplateChunks.of(Arrays.stream(zeroMean).map(Math::signum).toArray(), places);
			final Size size = Size.of(width, height);
			final boolean compensated = TiledDirectMethod.compensated(size, Precision.SINGLE);
			double worst = 0;
			for (int level = 1; level < 600; level += 7) {
				final float pixel = level;
				final double found = sum(coefficients, i -> (float) positive[i] * pixel, compensated);
				double sum = 0, energy = 0;
				for (final double t : zeroMean) {
					sum += Math.abs(t) * level;
					energy += t * t;
				}
				worst = Math.max(worst, Math.abs(found - sum) / (Math.sqrt(energy * values.length) * level));
			}
			assertTrue(worst <= Tolerance.RESPONSE, width + "x" + height + ", pattern " + pattern + ": " + worst);
			final double runs = compensated ? 0 : Math.ceil(width / 32.0) * Math.ceil(height / 4.0);
			final double estimate = TiledDirectMethod.ofDeviations(values.length, runs, Precision.SINGLE);
			assertTrue(worst <= estimate, width + "x" + height + ", pattern " + pattern + ": " + worst + ", the estimate is " + estimate);
		}
	}

	/** Without the compensation, large templates err by more than the tolerance. */
	@Test
	void manyRunsNeedTheCompensation() {
		final float[] coefficients = new float[512 * 512];
		Arrays.fill(coefficients, 1);
		double plain = 0, compensated = 0;
		for (int level = 1; level < 600; level += 7) {
			final float pixel = level / 3f;
			final double exact = (double) pixel * coefficients.length;
			plain = Math.max(plain, Math.abs(sum(coefficients, i -> pixel, false) - exact) / exact);
			compensated = Math.max(compensated, Math.abs(sum(coefficients, i -> pixel, true) - exact) / exact);
		}
		assertTrue(plain > Tolerance.RESPONSE && compensated <= TiledDirectMethod.ofDeviations(coefficients.length, 0, Precision.SINGLE),
			plain + ", compensated " + compensated);
	}

	/** The compensation is rounded, too: a bright third of the pixels, and as many runs as are summed in float, or eight times as many. */
	@Test
	void theCompensationHasALimit() {
		assertTrue(compensationError(TiledDirectMethod.MOST_RUNS) < 0.02 * Tolerance.RESPONSE, "error " + compensationError(TiledDirectMethod.MOST_RUNS));
		assertTrue(compensationError(8 * TiledDirectMethod.MOST_RUNS) > 0.1 * Tolerance.RESPONSE, "error " + compensationError(8 * TiledDirectMethod.MOST_RUNS));
		assertTrue(TiledDirectMethod.fits(Size.of(128, 128, 128), Precision.SINGLE));
		assertFalse(TiledDirectMethod.fits(Size.of(256, 256, 256), Precision.SINGLE));
		assertTrue(TiledDirectMethod.fits(Size.of(256, 256, 256), Precision.DOUBLE));
	}

	/** The largest error of a sum of equal pixels with a template of two levels, relative to the norms of both. */
	private static double compensationError(final int runs) {
		final float[] coefficients = new float[runs * RUN];
		final int bright = coefficients.length / 3;
		// a mean of 0
		for (int i = 0; i < coefficients.length; i++) coefficients[i] = i < bright ? 2 : -1;
		double worst = 0;
		for (int level = 1; level < 60; level += 7) {
			final float pixel = 1000 + level / 3f;
			final double exact = (double) pixel * (2.0 * bright - (coefficients.length - bright));
			// the deviations of these pixels are about a thousandth of their mean
			worst = Math.max(worst, Math.abs(sum(coefficients, i -> pixel, true) - exact) / (Math.sqrt(2) * coefficients.length * pixel / 1000));
		}
		return worst;
	}

	/** Adds as the kernel does. @param pixel the pixel at each place of the chunks */
	private static float sum(final float[] coefficients, final IntFunction<Float> pixel, final boolean compensated) {
		float total = 0, low = 0;
		for (int first = 0; first < coefficients.length; first += RUN) {
			float run = 0;
			for (int i = first; i < first + RUN; i++) run = Math.fma(coefficients[i], pixel.apply(i), run);
			final float before = total;
			total += run;
			final float part = total - before;
			if (compensated) low += (before - (total - part)) + (run - part);
		}
		return total + low;
	}

	private static EqualPixels.Summed summed(final Template template) {
		final double[] zeroMean = ZeroMean.of(template, 1);
		final int[] places = TemplateChunks.places((int) template.size().get(0), (int) template.size().get(1), 1);
		final float[] coefficients = TemplateChunks.of(ZeroMean.toFloat(zeroMean, 1), places);
		final double[] all = Rows.toDouble(coefficients);
		double energy = 0;
		for (final double t : zeroMean) energy += t * t;
		final boolean compensated = TiledDirectMethod.compensated(template.size(), Precision.SINGLE);
		return new EqualPixels.Summed(CompensatedSum.of(all), Math.sqrt(energy), TiledDirectMethod.limit(all, zeroMean.length, Precision.SINGLE, true,
			compensated, false), pixel -> sum(coefficients, i -> (float) pixel, compensated));
	}
}
