package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** What the exact sums of a GPU are for. Needs no GPU. */
class DirectExactLimitsTest {

	private static final long MOST_PIXELS = 1L << 26;

	private static Correlation problem(final PixelType image, final PixelType template, final Size... templates) {
		return Problems.correlation(image, template, Size.of(1L << 30), List.of(templates), Weights.NONE, Lags.inside(Size.of(4)), 1);
	}

	@Test
	void sumsOf16BitProductsStayWithin63Bits() {
		final CudaDirectExact exact = new CudaDirectExact();
		assertTrue(exact.unsupportedShape(problem(PixelType.U16, PixelType.S16, Size.of(MOST_PIXELS))).isEmpty());
		assertFalse(exact.unsupportedShape(problem(PixelType.U16, PixelType.S16, Size.of(MOST_PIXELS + 1))).isEmpty());
		assertFalse(exact.unsupportedShape(problem(PixelType.U8, PixelType.U8, Size.of(9), Size.of(MOST_PIXELS + 1))).isEmpty(), "every template counts");
		assertFalse(exact.unsupported(problem(PixelType.U8, PixelType.U8, Size.of(MOST_PIXELS + 1))).isEmpty());
		assertTrue(MOST_PIXELS * (1L << 30) > 0 && Math.multiplyHigh(MOST_PIXELS, 1L << 30) == 0, "centred values lie within 2^15");
	}

	@Test
	void onlyWholeNumbersOf16BitsAreTaken() {
		for (final PixelType image : PixelType.values())
			for (final PixelType template : PixelType.values())
				assertEquals(image.exact() && template.exact(), new CudaDirectExact().unsupportedShape(problem(image, template, Size.of(9))).isEmpty(), image + " with " + template);
	}
}
