package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** The largest templates that blocks of transforms take, and blocks that hold what they are for. */
class FourierShapeTest {

	private static Size size(final String text) {
		return Size.of(Arrays.stream(text.split("x")).mapToLong(Long::parseLong).toArray());
	}

	/** On an image with some lags along each dimension. */
	@ParameterizedTest
	@CsvSource({ "1024x1024x64, true", "1025x3x3, false", "3x1025x3, false", "3x3x65, false", "1024x1, true", "1025x1, false", "1024x1024, true", "1025x1024, false",
		"1024x1025, false", "1x1x64, true", "1x1x65, false", "1x1x1x1, false", "2x2x2x2, false" })
	void templatesNoLargerThanABlockAreTaken(final String template, final boolean taken) {
		final Size t = size(template);
		assertEquals(taken, FourierShape.unsuited(problem(t, 7, t.dimensions())).isEmpty(), () -> FourierShape.unsuited(problem(t, 7, t.dimensions())).toString());
	}

	/** Signals: one row, in one, two or three dimensions. */
	@ParameterizedTest
	@CsvSource({ "1048576, true", "1048577, false", "1048576x1, true", "1048577x1, false", "1048576x1x1, true", "1048577x1x1, false", "1025, true" })
	void signalsAreTakenUpToAQuarterOfTheLongestBlock(final String template, final boolean taken) {
		assertEquals(taken, FourierShape.unsuited(problem(size(template), 7, 1)).isEmpty());
	}

	/** The largest of several templates decides. */
	@ParameterizedTest
	@CsvSource({ "9x9x9, 3x3x65, false", "3x3x65, 9x9x9, false", "9x9x9, 3x3x64, true" })
	void everyTemplateCounts(final String a, final String b, final boolean taken) {
		final Problem p = new Problem(PixelType.U8, PixelType.U8, Size.of(200, 200, 200), List.of(size(a), size(b)), Weights.NONE, Lags.inside(Size.of(20, 20, 20)), 1);
		assertEquals(taken, FourierShape.unsuited(p).isEmpty());
	}

	@ParameterizedTest
	@CsvSource({ "1x1x1, 1x1x1", "3x3x1, 2000x2000x1", "1024x1024x1, 9x9x1", "64x64x64, 5x5x5", "1x1024x1, 50x50x1", "7x5x64, 300x2x9", "100000x1x1, 3x1x1", "20x1x1, 1000000x1x1" })
	void aBlockHoldsTheTemplateAndAtLeastOneLag(final String template, final String lags) {
		final Size t = size(template), n = size(lags);
		final FourierShape shape = FourierShape.of(t, n);
		for (int d = 0; d < 3; d++) {
			assertTrue(shape.unit()[d] >= 1, "lags of a block");
			assertTrue(shape.block()[d] >= t.get(d) + shape.unit()[d] - 1, "block " + Arrays.toString(shape.block()));
			assertEquals(0, shape.maxLags()[d] == n.get(d) ? 0 : shape.maxLags()[d] % shape.unit()[d], "tiles of whole blocks");
		}
	}

	private static Problem problem(final Size template, final long lags, final int alongSoMany) {
		final long[] count = LongStream.range(0, template.dimensions()).map(d -> d < alongSoMany ? lags : 1).toArray();
		final long[] image = new long[count.length];
		for (int d = 0; d < count.length; d++) image[d] = template.get(d) + count[d] - 1;
		return new Problem(PixelType.U8, PixelType.U8, Size.of(image), List.of(template), Weights.NONE, Lags.inside(Size.of(count)), 1);
	}
}
