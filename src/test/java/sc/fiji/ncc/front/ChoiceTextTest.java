package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;

class ChoiceTextTest {

	@Test
	void words() {
		assertEquals(Extent.SAME, ChoiceText.of("extent", " Same", Extent.values()));
		assertEquals("Unknown extent 'vaild'. Known: valid, same, full.",
			assertThrows(IllegalArgumentException.class, () -> ChoiceText.of("extent", "vaild", Extent.values())).getMessage());
		assertEquals(Undefined.ZERO, ChoiceText.undefined("0"));
		assertEquals(Undefined.NAN, ChoiceText.undefined("NaN"));
	}

	@Test
	void borders() {
		assertEquals(Border.MIRROR, ChoiceText.border("Mirror", 3));
		assertEquals(Border.constant(3), ChoiceText.border("constant", 3));
		assertEquals(Border.constant(-12.5), ChoiceText.border("constant:-12.5", 3));
		for (final String wrong : new String[] { "mirror:3", "constant:", "constant:NaN", "constant:\uff13", "wrap" })
			assertThrows(IllegalArgumentException.class, () -> ChoiceText.border(wrong, 0), wrong);
	}
}
