package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.PixelType;

/** What pixels can be where no tile is. */
class FusionTest {

	private static Fusion outside(final double value) {
		return new Fusion(Fusion.Blending.MEAN, Interpolation.LINEAR, value);
	}

	@ParameterizedTest
	@CsvSource({ "U8, 0", "U8, 255", "U16, 65535", "S16, -32768", "F32, 0.5", "F32, NaN", "F64, -1e9" })
	void valuesThatPixelsCanHave(final PixelType type, final double value) {
		assertDoesNotThrow(() -> outside(value).require(type));
	}

	@ParameterizedTest
	@CsvSource({ "U8, -1, -1, 0 to 255", "U8, 256, 256, 0 to 255", "U16, 1.5, 1.5, 0 to 65535", "S16, NaN, NaN, -32768 to 32767",
		"S16, 32768, 32768, -32768 to 32767" })
	void valuesThatPixelsCannotHave(final PixelType type, final double value, final String text, final String range) {
		assertEquals("pixels of " + type + " cannot be " + text + " where no tile is: give a whole number from " + range,
			assertThrows(IllegalArgumentException.class, () -> outside(value).require(type)).getMessage());
	}

	@Test
	void nothingIsNoSetting() {
		assertEquals("the blending is null: give a blending", assertThrows(IllegalArgumentException.class, () -> new Fusion(null,
			Interpolation.LINEAR, 0)).getMessage());
		assertThrows(IllegalArgumentException.class, () -> new Fusion(Fusion.Blending.MAX, null, 0));
		assertThrows(IllegalArgumentException.class, () -> Fusion.DEFAULT.require(null));
	}
}
