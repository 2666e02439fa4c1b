package sc.fiji.ncc.cpu.ncc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.correlator.SumOrder;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Fused;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Direct sums of windows of equal pixels: all roundings of such a sum may be alike. The exact sum is that of the coefficients, times the pixel. */
class DirectTapsTest {

	private static final int PERIODS = 4, MAX_LEVEL = 1100;

	/** The sum of one window of equal pixels in float, as the loops of the CPU take it. */
	private static final class EqualPixels implements SumOrder.Sum {

		private final float[] taps;
		private final float pixel;
		private float run;
		private double all;

		EqualPixels(final float[] taps, final float pixel) {
			this.taps = taps;
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
				run = Fused.add(taps[i], pixel, run);
				return;
			}
			float products = taps[i + n - 1] * pixel;
			for (int j = i + n - 2; j >= i; j--) products = Fused.add(taps[j], pixel, products);
			run += products;
		}
	}

	/** Stripes of each width and checkerboards. A few other pixels put the coefficients between two values of a coarse scale. */
	@ParameterizedTest
	@CsvSource({ "60, 60", "61, 61", "33, 33", "9, 460", "460, 9", "1, 1000", "16, 17" })
	void errorsOfEqualPixelsAreWithinTheEstimate(final int width, final int height) {
		for (int period = 1; period <= 1 << PERIODS; period *= 2)
			for (final int odd : new int[] { 0, 1, 3 }) {
				final int stripe = period;
				final Random random = new Random(odd);
				assertWithinEstimate("checkerboard " + stripe + " " + odd, width, height, i -> i < odd ? random.nextInt(99) : 38 * ((i % width / stripe + i / width) % 2));
				assertWithinEstimate("stripes " + stripe + " " + odd, width, height, i -> i < odd ? random.nextInt(99) : 38 * (i / stripe % 2));
			}
		assertWithinEstimate("ramp", width, height, i -> i % 251);
		final Random random = new Random(1);
		assertWithinEstimate("noise", width, height, i -> random.nextInt(256));
	}

	private static void assertWithinEstimate(final String name, final int width, final int height, final IntToDoubleFunction value) {
		final double[] values = new double[width * height];
		Arrays.setAll(values, value);
		final Template template = new Template(Size.of(width, height), PixelType.U8, values, null);
		final TemplatePlanes planes = new TemplatePlanes(template.size());
		final Weighting weights = Weighting.of(template);
		final ZeroMeanTemplate zeroMean = ZeroMeanTemplate.of(List.of(template), weights, 1).get(0);
		final DirectTaps taps = DirectTaps.of(planes, zeroMean, weights, Lags.inside(Size.of(5, 5)), true);
		final SumOrder order = SumOrder.inFloat(width, height, 1, taps.run(), Rows.toDouble(taps.taps()));
		double exact = 0;
		for (final float tap : taps.taps()) exact += tap;
		double worst = 0;
		int at = 0;
		for (int level = 100; level < MAX_LEVEL; level++)
			for (int phase = 0; phase < order.phases(); phase++) {
				final EqualPixels sum = new EqualPixels(taps.taps(), level);
				order.walk(phase, sum);
				sum.start();
				final double error = Math.abs(sum.all / level - exact) / (zeroMean.norm() * Math.sqrt(values.length));
				if (error > worst) {
					worst = error;
					at = level;
				}
			}
		final double share = worst * Math.sqrt(taps.limit()) / Tolerance.RESPONSE;
		final int worstLevel = at;
		assertTrue(share <= 1, () -> name + ": " + share + " times the estimate for pixels of " + worstLevel);
	}
}
