package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ShownNumberTest {

	@Test
	void roundingErrorsAreZero() {
		for (final double number : new double[] { -3.8e-18, 3.8e-18, -0.0, -4.9e-5 }) {
			assertEquals("0.0", Double.toString(ShownNumber.of(number, ShownNumber.POSITION)));
			assertEquals("0", ShownNumber.text(number, ShownNumber.POSITION));
		}
	}

	@Test
	void positionsHaveFourDecimals() {
		assertEquals(12.3457, ShownNumber.of(12.345678, ShownNumber.POSITION));
		assertEquals("-12.3457", ShownNumber.text(-12.345678, ShownNumber.POSITION));
		assertEquals("20", ShownNumber.text(20.00001, ShownNumber.POSITION));
		assertEquals("12345000", ShownNumber.text(12345000, ShownNumber.POSITION));
	}

	@Test
	void scoresHaveSixDecimals() {
		assertEquals("0.987654", ShownNumber.text(0.9876543, ShownNumber.SCORE));
		assertEquals("0.000001", ShownNumber.text(1e-6, ShownNumber.SCORE));
		assertEquals("NaN", ShownNumber.text(Double.NaN, ShownNumber.SCORE));
		assertEquals("Infinity", ShownNumber.text(Double.POSITIVE_INFINITY, ShownNumber.SCORE));
	}

	@Test
	void probabilitiesHaveThreeDigits() {
		assertEquals("1.23E-20", ShownNumber.text(1.2345e-20, ShownNumber.PROBABILITY));
		assertEquals("0.05", ShownNumber.text(0.05, ShownNumber.PROBABILITY));
		assertEquals("12300", ShownNumber.text(12345, ShownNumber.PROBABILITY));
		assertEquals("0", ShownNumber.text(0, ShownNumber.PROBABILITY));
	}

	/** A ten-thousandth of a pixel is visible in every unit. */
	@Test
	void lengthsHaveTheDecimalsOfAPixel() {
		assertEquals(4, ShownNumber.length(1));
		assertEquals(4, ShownNumber.length(25));
		assertEquals(5, ShownNumber.length(0.1));
		assertEquals(6, ShownNumber.length(0.065));
		assertEquals(11, ShownNumber.length(1e-7));
	}
}
