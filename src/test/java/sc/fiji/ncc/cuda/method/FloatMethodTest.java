package sc.fiji.ncc.cuda.method;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.fixture.EqualPixels;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.CompensatedSum;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Template;

/** The error estimate of {@code floats.cu}, tried in float as the kernel adds. Needs no card. */
class FloatMethodTest {

	private static final int RUN = 4 * TemplateChunks.X;

	@ParameterizedTest
	@CsvSource({ "60, 60", "61, 61", "33, 33", "9, 460", "460, 9", "1, 1000", "16, 17", "128, 128" })
	void errorsOfEqualPixelsAreWithinTheEstimate(final int width, final int height) {
		EqualPixels.assertWithinEstimate(width, height, FloatMethodTest::summed);
	}

	private static EqualPixels.Summed summed(final Template template) {
		final double[] zeroMean = ZeroMean.of(template, 1);
		final int[] places = TemplateChunks.places((int) template.size().get(0), (int) template.size().get(1), 1);
		final float[] taps = TemplateChunks.of(ZeroMean.toFloat(zeroMean, 1), places);
		final double[] all = Rows.toDouble(taps);
		double energy = 0;
		for (final double t : zeroMean) energy += t * t;
		return new EqualPixels.Summed(CompensatedSum.of(all), Math.sqrt(energy), FloatMethod.limit(all, zeroMean.length, Precision.SINGLE, true), pixel -> {
			float total = 0;
			for (int first = 0; first < taps.length; first += RUN) {
				float run = 0;
				for (int i = first; i < first + RUN; i++) run = Math.fma(taps[i], (float) pixel, run);
				total += run;
			}
			return total;
		});
	}
}
