package sc.fiji.ncc.cuda.shifts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cuda.CudaSmallShifts;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Kind;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Part;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;
import sc.fiji.ncc.fixture.EqualPixels;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.CompensatedSum;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The error estimate of {@code smallshifts.cuh} for floats, tried in float as the kernel adds. Needs no GPU. */
class SmallShiftsLimitTest {

	private static final int LAGS_X = 19, LAGS_Y = 5, PROCESSORS = 132;

	@ParameterizedTest
	@CsvSource({ "60, 60, 4", "61, 61, 8", "33, 33, 16", "9, 160, 8", "160, 9, 4", "1, 200, 4", "16, 17, 8", "156, 116, 16", "73, 32, 32", "64, 91, 32", "46, 34, 16" })
	void errorsOfEqualPixelsAreWithinTheEstimate(final int width, final int height, final int rows) {
		EqualPixels.assertWithinEstimate(width, height, t -> summed(t, new Shape(rows, 4)));
		EqualPixels.assertWithinEstimate(width, height, t -> summed(t, null));
	}

	/** Each coefficient is in its place, changed by a few last places of the sums: templates of several sizes, which are cut into tiles together. */
	@Test
	void tapsAreInTheirPlaces() {
		final List<Size> sizes = List.of(Size.of(61, 61), Size.of(9, 160), Size.of(1, 200), Size.of(73, 32));
		final TemplateCut cut = new TemplateCut(Kind.FLOATS, sizes, LAGS_X, LAGS_Y, null, TemplateCut.GENERAL_DOWN, PROCESSORS);
		for (int t = 0; t < sizes.size(); t++) {
			final double[] zeroMean = ZeroMean.of(new Template(sizes.get(t), PixelType.F32, new Random(t).doubles(sizes.get(t).pixels()).toArray(), null), 1);
			assertArrayEquals(zeroMean, Rows.toDouble(SmallShiftsMethod.coefficients(cut, zeroMean, (int) sizes.get(t).get(0), t, 1)), 1e-3);
		}
	}

	private static EqualPixels.Summed summed(final Template template, final Shape tile) {
		final int width = (int) template.size().get(0);
		final TemplateCut cut = new TemplateCut(Kind.FLOATS, List.of(template.size()), LAGS_X, LAGS_Y, tile, tile == null ? TemplateCut.GENERAL_DOWN : CudaSmallShifts.down(Kind.FLOATS, LAGS_Y),
			PROCESSORS);
		final double[] zeroMean = ZeroMean.of(template, 1);
		final float[] coefficients = SmallShiftsMethod.coefficients(cut, zeroMean, width, 0, 1);
		double energy = 0;
		for (final double t : zeroMean) energy += t * t;
		final double limit = SmallShiftsMethod.limit(cut, coefficients, width, 0, true);
		return new EqualPixels.Summed(CompensatedSum.of(Rows.toDouble(coefficients)), Math.sqrt(energy), limit, pixel -> {
			double sum = 0;
			for (final Part p : cut.parts) sum += block(p, coefficients, width, (float) pixel);
			return sum;
		});
	}

	/** The sum of a block: its threads add up tiles that lie below each other, then their sums are added. */
	private static float block(final Part p, final float[] coefficients, final int width, final float pixel) {
		float total = 0;
		for (int j = 0; j < p.down(); j++)
			for (int i = 0; i < p.across(); i++) {
				float run = 0;
				for (int tile = j; tile < p.tiles(); tile += p.down())
					for (int y = 0; y < p.shape().rows(); y++)
						for (int x = 0; x < p.shape().columns(); x++)
							run = Math.fma(coefficients[(p.y() + tile * p.shape().rows() + y) * width + p.x() + i * p.shape().columns() + x], pixel, run);
				total += run;
			}
		return total;
	}
}
