package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.Precision;

/** At a limit, the stated error is the tolerance. */
class ToleranceTest {

	@Test
	void responses() {
		assertEquals(9e-6, Tolerance.of(Precision.SINGLE));
		assertEquals(9e-11, Tolerance.of(Precision.DOUBLE));
	}

	/** A mean that is n deviations away from the reference costs n last places of a float in equal pixels, and 1.5 n more where pixels are rounded. */
	@Test
	void pixelsFarFromTheReference() {
		assertEquals(9e-6, Math.sqrt(Tolerance.roundedLimit(true)) * 0x1p-24, 1e-18);
		assertEquals(9e-6, 2.5 * Math.sqrt(Tolerance.roundedLimit(false)) * 0x1p-24, 1e-18);
		assertEquals(9e-6, 16 * Tolerance.DOUBLE_LIMIT * 0x1p-53, 1e-18);
	}

	/** A difference has 1000 last places of the sums over the tolerance. */
	@Test
	void differences() {
		assertEquals(1000 * 0x1p-53, 9e-6 * Tolerance.minShare(Precision.SINGLE), 1e-27);
		assertEquals(1000 * 0x1p-53, 9e-11 * Tolerance.minShare(Precision.DOUBLE), 1e-27);
	}
}
