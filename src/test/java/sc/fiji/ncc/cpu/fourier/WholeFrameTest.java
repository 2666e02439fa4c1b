package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** The estimated errors of the numerators of a whole image: an input for each term on which it dominates, so that a term that is left out is noticed. */
class WholeFrameTest {

	/** The sides of the image, of the template and of the lags. */
	private static final int SIDE = 128, T = 32, LAGS = SIDE - T + 1;
	private static final double[] NOISE = new Random(1).doubles(SIDE * SIDE, -1, 1).toArray();

	/** A value for each pixel. */
	@FunctionalInterface
	private interface Pattern {

		double at(int x, int y);
	}

	private static double[] draw(final int n, final Pattern p) {
		final double[] a = new double[n * n];
		for (int i = 0; i < a.length; i++) a[i] = (float) p.at(i % n, i / n);
		return a;
	}

	private static WholeFrame.Numerators numerators(final Pattern image, final Pattern template) {
		final double[] t = draw(T, template);
		// the coefficients of the zero-mean template
		final double mean = Arrays.stream(t).average().orElseThrow();
		for (int i = 0; i < t.length; i++) t[i] -= mean;
		final Size size = Size.of(T, T);
		final WholeShape shape = WholeShape.of(Problems.correlation(PixelType.F32, PixelType.F32, Size.of(SIDE, SIDE), List.of(size), Weights.NONE,
			Lags.inside(Size.of(LAGS, LAGS)), 1), size);
		final WholeTransform transform = new WholeTransform(shape);
		return new WholeFrame(List.of(new WholeTemplate(transform, T, T, t, 1)), new int[] { T, T },
			new ArrayPixels(PixelType.F32, new int[] { SIDE, SIDE }, draw(SIDE, image)), new long[2],
			new int[] { LAGS, LAGS }, 1).numerators(0, () -> false);
	}

	private static double noise(final int x, final int y) {
		return NOISE[y * SIDE + x];
	}

	private static double least(final double[] noise) {
		return Arrays.stream(noise, 0, LAGS).min().orElseThrow();
	}

	/** One bright row: each column holds one bright pixel, whose error the pass along y spreads over all lags. The template cancels its rows. */
	@Test
	void thePassAlongColumnsErrsBesideABrightRow() {
		final WholeFrame.Numerators f = numerators((x, y) -> y == 70 ? 1000 : noise(x, y), (x, y) -> x % 2);
		assertTrue(least(f.columnNoise()) > 0.03, "columns " + least(f.columnNoise()));
	}

	/** One row of noise, and a template of one row that does not meet it at this lag: the pass along x errs in the place of the row. */
	@Test
	void thePassAlongRowsErrsUnderABrightRow() {
		final WholeFrame.Numerators f = numerators((x, y) -> y == 70 ? 1000 * noise(x, y) : 1e-3 * noise(x, y), (x, y) -> y == 5 ? noise(x, y) : 0);
		final double under = f.rowNoise()[50], beside = f.rowNoise()[3];
		assertTrue(under > 2 * beside, under + " under the row, " + beside + " beside it");
	}

	/** Rows that are alike and contain the template's: the response is strong in one column, and so is its rounding error. */
	@Test
	void aStrongColumnOfTheResultErrs() {
		final WholeFrame.Numerators f = numerators((x, y) -> NOISE[x], (x, y) -> NOISE[x + 40]);
		assertTrue(f.columnNoise()[40] > 4 * f.columnNoise()[60], f.columnNoise()[40] + " in the column, " + f.columnNoise()[60] + " elsewhere");
	}

	/** The same for columns that are alike. */
	@Test
	void aStrongRowOfTheResultErrs() {
		final WholeFrame.Numerators f = numerators((x, y) -> NOISE[y], (x, y) -> NOISE[y + 40]);
		assertTrue(f.rowNoise()[40] > 2 * f.rowNoise()[60], f.rowNoise()[40] + " in the row, " + f.rowNoise()[60] + " elsewhere");
	}

	/** One bright column that the template cancels: the result is nothing but the errors of the transforms, and they depend on neither column nor row. */
	@Test
	void theTransformsErrWhereTheResultIsZero() {
		final WholeFrame.Numerators f = numerators((x, y) -> x == 70 ? 1000 : noise(x, y), (x, y) -> y % 2);
		assertTrue(least(f.rowNoise()) > 0.1, "rows " + least(f.rowNoise()));
		assertEquals(least(f.rowNoise()), f.rowNoise()[40], 0.01 * f.rowNoise()[40]);
	}

	/** Pixels are scaled by a power of two, and the error is relative to the template's norm. */
	@Test
	void theErrorIsThatOfScaledPixelsAndTemplates() {
		final WholeFrame.Numerators one = numerators(WholeFrameTest::noise, (x, y) -> noise(y, x)),
			eight = numerators((x, y) -> 8 * noise(x, y), (x, y) -> 8 * noise(y, x));
		for (int i = 0; i < LAGS; i++) {
			assertEquals(one.columnNoise()[i], eight.columnNoise()[i], 1e-3 * one.columnNoise()[i]);
			assertEquals(one.rowNoise()[i], eight.rowNoise()[i], 1e-3 * one.rowNoise()[i]);
		}
	}
}
