package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import org.scijava.command.CommandInfo;

import sc.fiji.ncc.command.program.Keys;

/** Numbers of macros have the digits 0 to 9. */
class MacroNumbersTest {

	@Test
	void digitsOfOtherScripts() {
		for (final String three : new String[] { "\uff13", "\u0663" })
			for (final String key : new String[] { "threads", "minscore" }) assertTrue(assertThrows(IllegalArgumentException.class,
				() -> Keys.value(new CommandInfo(FindMatchesCommand.class).getInput(key), three)).getMessage().contains(key + "=" + three));
		assertEquals(3, Keys.value(new CommandInfo(FindMatchesCommand.class).getInput("threads"), "3"));
		assertEquals("0.7", Keys.value(new CommandInfo(FindMatchesCommand.class).getInput("minscore"), "0.7"));
	}
}
