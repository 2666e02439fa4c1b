package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import org.scijava.command.CommandInfo;

import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.plan.Size;

/** Numbers in macros: only the digits 0 to 9 are valid. */
class NumberParametersTest {

	@Test
	void numbers() {
		assertArrayEquals(new long[] { 10, -5 }, NumberParameters.parse(" 10 ,-5", "\\s*,\\s*"));
		assertEquals(Size.of(20, 30), NumberParameters.size("image", "20 x 30"));
	}

	@Test
	void digitsOfOtherScripts() {
		for (final String three : new String[] { "\uff13", "\u0663" }) {
			assertThrows(NumberFormatException.class, () -> NumberParameters.parse("1," + three, ","));
			assertTrue(assertThrows(IllegalArgumentException.class, () -> NumberParameters.size("image", "20x" + three)).getMessage().contains("image=20x" + three));
			for (final String key : new String[] { "threads", "minscore" }) assertTrue(assertThrows(IllegalArgumentException.class,
				() -> Keys.value(new CommandInfo(FindMatchesCommand.class).getInput(key), three)).getMessage().contains(key + "=" + three));
		}
		assertEquals(3, Keys.value(new CommandInfo(FindMatchesCommand.class).getInput("threads"), "3"));
		assertEquals(0.7, Keys.value(new CommandInfo(FindMatchesCommand.class).getInput("minscore"), "0.7"));
	}
}
