package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.correlator.SumOrder;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.estimate.Additions;
import sc.fiji.ncc.fixture.EqualPixels;
import sc.fiji.ncc.loops.Fused;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.CompensatedSum;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The error estimate of direct sums on the CPU, with the loops of this Java. */
class DirectCoefficientsTest {

	/** The sum of one window in float, as the loops take it. */
	private static final class WindowSum implements Additions.Sum {

		private final float[] coefficients;
		private final float pixel;
		private float run;
		private double all;

		WindowSum(final float[] coefficients, final float pixel) {
			this.coefficients = coefficients;
			this.pixel = pixel;
		}

		@Override
		public void start() {
			all += run;
			run = 0;
		}

		@Override
		public void add(final int i, final int n) {
			if (n == 1) {
				run = Fused.add(coefficients[i], pixel, run);
				return;
			}
			float products = coefficients[i + n - 1] * pixel;
			for (int j = i + n - 2; j >= i; j--) products = Fused.add(coefficients[j], pixel, products);
			run += products;
		}
	}

	@ParameterizedTest
	@CsvSource({ "60, 60", "61, 61", "33, 33", "9, 460", "460, 9", "1, 1000", "16, 17" })
	void errorsOfEqualPixelsAreWithinTheEstimate(final int width, final int height) {
		for (int phase = 0; phase < SumOrder.inFloat(width, height, 1, 1, new double[width * height]).phases(); phase++) {
			final int order = phase;
			EqualPixels.assertWithinEstimate(width, height, t -> summed(t, order));
		}
	}

	private static EqualPixels.Summed summed(final Template template, final int phase) {
		final TemplatePlanes planes = new TemplatePlanes(template.size());
		final Weighting weights = Weighting.of(template);
		final ZeroMeanTemplate zeroMean = ZeroMeanTemplate.of(List.of(template), weights, 1).get(0);
		final DirectCoefficients coefficients = DirectCoefficients.of(planes, zeroMean, weights, Lags.inside(Size.of(5, 5)), true);
		final double[] all = Rows.toDouble(coefficients.coefficients());
		final SumOrder order = SumOrder.inFloat(planes.width, planes.height, planes.count, coefficients.run(), all);
		return new EqualPixels.Summed(CompensatedSum.of(all), zeroMean.norm(), coefficients.limit(), pixel -> {
			final WindowSum sum = new WindowSum(coefficients.coefficients(), (float) pixel);
			order.walk(phase, sum);
			sum.start();
			return sum.all;
		});
	}
}
