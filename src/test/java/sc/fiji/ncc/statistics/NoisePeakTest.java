package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NoisePeakTest {

	/** Frames of 10x20 and 5x7 pixels meet at 14x26 shifts. */
	@Test
	void shiftsThatAreCompared() {
		final long[] fixed = { 10, 20 }, moving = { 5, 7 };
		assertEquals(14 * 26, NoisePeak.shifts(fixed, moving, null, 0));
		assertEquals(7 * 26, NoisePeak.shifts(fixed, moving, new long[] { 3, 100 }, 0));
		// half of each extent, and half a pixel
		assertEquals(7.5 * 13.5, NoisePeak.shifts(fixed, moving, null, 0.5), 1e-12);
		assertEquals(1, NoisePeak.shifts(fixed, moving, null, 1), 1e-12);
	}

	/** 30 shifts count as one: exp(-(2² - 1)·ln 1000) = 1e-9. */
	@Test
	void expectedPeaksOfNoise() {
		assertEquals(1e-9, NoisePeak.alarms(0.6, 0.3, 30_000), 1e-15);
		assertEquals(1, NoisePeak.alarms(0.3, 0.3, 30_000), 1e-12);
		assertEquals(Math.exp(-9), NoisePeak.alarms(0.6, 0.3, 30), 1e-12, "the least logarithm is 3");
		assertEquals(Double.NaN, NoisePeak.alarms(0.6, Double.NaN, 30_000));
		assertEquals(0, NoisePeak.alarms(0.6, 0, 30_000));
		assertEquals(0, NoisePeak.alarms(0.6, -0.6, 30_000));
	}

	/** More than 0.01 peaks of noise in all pairs. */
	@Test
	void doubtfulPeaks() {
		assertFalse(NoisePeak.isDoubtful(0.01, 1));
		assertTrue(NoisePeak.isDoubtful(0.0101, 1));
		assertTrue(NoisePeak.isDoubtful(0.006, 2));
		assertFalse(NoisePeak.isDoubtful(0.004, 2));
		assertFalse(NoisePeak.isDoubtful(Double.NaN, 2));
	}
}
