package sc.fiji.ncc.command.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MessageLinesTest {

	@Test
	void noLineIsLongerThanEightyCharactersUnlessAWordIs() {
		final String message = "Nothing is selected in 'coins.png'. ".repeat(9) + "w".repeat(120) + " end";
		final String lines = MessageLines.of(message);
		assertEquals(message, lines.replace('\n', ' '));
		lines.lines().forEach(line -> assertTrue(line.length() <= 80 || !line.contains(" "), line));
		assertTrue(lines.lines().count() < 8, lines);
		assertEquals(lines, MessageLines.of(lines));
	}

	@Test
	void aShortMessageStaysAsItIs() {
		assertEquals("No image is open.", MessageLines.of("No image is open."));
	}
}
