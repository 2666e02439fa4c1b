package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenNumberTest {

	@Test
	void numbers() {
		assertEquals(-12, WrittenNumber.toInt("-12"));
		assertEquals(Integer.MAX_VALUE, WrittenNumber.toInt("+2147483647"));
		assertEquals(Long.MIN_VALUE, WrittenNumber.toLong("-9223372036854775808"));
		assertEquals(-0.25, WrittenNumber.toDouble("-.25"));
		assertEquals(1200, WrittenNumber.toDouble("1.2e+3"));
		assertEquals(5, WrittenNumber.toDouble("5."));
		assertEquals(Double.NaN, WrittenNumber.toDouble("NaN"));
		assertEquals(Double.NEGATIVE_INFINITY, WrittenNumber.toDouble("-Infinity"));
	}

	/** The last ones are digits to Java: full-width, Arabic, Devanagari. */
	@ParameterizedTest
	@ValueSource(strings = { "", " ", "1 ", "-", "1f", "1d", "1L", "0x1", "0x1p3", "1,5", "1_000", "e3", ".", "\uff13", "\u0663", "1\u0663", "\u0969" })
	void noNumbers(final String text) {
		assertThrows(NumberFormatException.class, () -> WrittenNumber.toInt(text));
		assertThrows(NumberFormatException.class, () -> WrittenNumber.toLong(text));
		assertThrows(NumberFormatException.class, () -> WrittenNumber.toDouble(text));
	}

	@Test
	void whatDoesNotFit() {
		assertThrows(NumberFormatException.class, () -> WrittenNumber.toInt("2147483648"));
		assertThrows(NumberFormatException.class, () -> WrittenNumber.toLong("9223372036854775808"));
		assertThrows(NumberFormatException.class, () -> WrittenNumber.toInt("1.5"));
	}
}
