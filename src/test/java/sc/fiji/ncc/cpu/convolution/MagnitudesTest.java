package sc.fiji.ncc.cpu.convolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.plan.PixelType;

/** Which tiles suit sums in float. */
class MagnitudesTest {

	private static final TileScale RAW = TileScale.about(0);

	/** Whether a tile of these rows is moderate. Only as many pixels of a row count as it has. */
	private static boolean moderate(final PixelType type, final float[]... rows) {
		final Magnitudes magnitudes = new Magnitudes(type, 8);
		magnitudes.begin(RAW);
		for (final float[] row : rows) magnitudes.add(row, row.length);
		return magnitudes.moderate();
	}

	@Test
	void sumsFromTheSmallestToTheLargestMagnitude() {
		assertTrue(moderate(PixelType.F32, new float[] { 1, -2, 3 }, new float[] { 4, 5, 6 }));
		assertTrue(moderate(PixelType.F32, new float[] { 0x1p-40f }));
		assertTrue(moderate(PixelType.F32, new float[] { 0, 0x1p-41f }, new float[] { -0x1p-41f, 0 }), "both are enough together");
		assertFalse(moderate(PixelType.F32, new float[] { 0x1.fffffep-41f }));
		assertTrue(moderate(PixelType.F32, new float[] { -0x1p80f }));
		assertFalse(moderate(PixelType.F32, new float[] { 0x1.000002p80f }));
		for (final float wrong : new float[] { Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY })
			assertFalse(moderate(PixelType.F32, new float[] { 1, 2 }, new float[] { wrong, 3 }), "" + wrong);
	}

	/** Zeros are exact, unless they may be doubles that are 0 in float. */
	@Test
	void zeros() {
		assertTrue(moderate(PixelType.F32, new float[3]));
		assertFalse(moderate(PixelType.F64, new float[3]));
		assertTrue(moderate(PixelType.F64, new float[] { 0, 1 }));
	}

	@Test
	void wholeNumbersAreNotInspected() {
		final Magnitudes magnitudes = new Magnitudes(PixelType.U16, 8);
		magnitudes.begin(RAW);
		assertFalse(magnitudes.mustInspect());
		magnitudes.add(new float[] { Float.NaN }, 1);
		assertTrue(magnitudes.moderate());
	}

	@Test
	void everyTileIsInspectedAnew() {
		final Magnitudes magnitudes = new Magnitudes(PixelType.F32, 8);
		for (final boolean good : new boolean[] { false, true, false }) {
			magnitudes.begin(RAW);
			assertTrue(magnitudes.mustInspect());
			magnitudes.add(new float[] { good ? 1 : Float.NaN, 2 }, 2);
			assertEquals(good, magnitudes.moderate());
		}
		magnitudes.begin(RAW);
		magnitudes.add(new float[] { 1, Float.NaN }, 1);
		assertTrue(magnitudes.moderate(), "one pixel counts");
	}

	/** A sum of products, with coefficients whose magnitudes add up to 8. */
	@Test
	void aLargeSumIsEvident() {
		assertTrue(Magnitudes.evident(-0x1p-36f, 8));
		assertFalse(Magnitudes.evident(0x1.fffffep-37f, 8));
		assertFalse(Magnitudes.evident(Float.NaN, 8));
	}
}
