package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ShownNumberTest {

	@Test
	void roundingErrorsAreZero() {
		for (final double number : new double[] { -3.8e-18, 3.8e-18, -0.0, 9e-8 }) assertEquals("0.0", Double.toString(ShownNumber.of(number)));
		for (final double number : new double[] { 1.1e-7, -1.1e-7, 33.5, Double.NaN, Double.NEGATIVE_INFINITY }) assertEquals(number, ShownNumber.of(number));
	}
}
