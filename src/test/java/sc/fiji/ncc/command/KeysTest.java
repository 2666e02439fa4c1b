package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.scijava.command.Command;
import org.scijava.command.CommandInfo;
import org.scijava.command.CommandModule;
import org.scijava.module.ModuleItem;

import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.Keys;

/** The values of macro keys and of dialogs, and what kind of parameter a key is. */
class KeysTest {

	private static ModuleItem<?> input(final Class<? extends Command> command, final String key) {
		return new CommandInfo(command).getInput(key);
	}

	private static ModuleItem<?> find(final String key) {
		return input(FindMatchesCommand.class, key);
	}

	private static Object value(final String key, final String text) {
		return Keys.value(find(key), text);
	}

	private static String reason(final String key, final String text) {
		return assertThrows(IllegalArgumentException.class, () -> value(key, text)).getMessage();
	}

	private static String refused(final String key, final String typed) {
		return assertThrows(IllegalArgumentException.class, () -> Keys.typed(find(key), typed)).getMessage();
	}

	@Test
	void numbersAreWithinTheLimitsOfTheParameter() {
		assertEquals(0, value("threads", "0"));
		assertEquals(Integer.MAX_VALUE, value("threads", " 2147483647 "));
		assertEquals("threads=2147483648 is out of range. Give a number from 0 to 2147483647.", reason("threads", "2147483648"));
		assertEquals("threads=-1 is out of range. Give a number from 0 to 2147483647.", reason("threads", "-1"));
		assertEquals("threads=1.5 is not a whole number.", reason("threads", "1.5"));
		assertEquals(0.0, value("maxoverlap", "0"));
		assertEquals(1.0, value("maxoverlap", "1.0"));
		assertEquals("maxoverlap=1.0001 is out of range. Give a number from 0 to 1.", reason("maxoverlap", "1.0001"));
		assertEquals("maxoverlap=half is not a number. Write decimals with a point, as in 0.7.", reason("maxoverlap", "half"));
		assertEquals("maxoverlap=NaN is not a number. Write decimals with a point, as in 0.7.", reason("maxoverlap", "NaN"));
		assertEquals(-3.5e7, value("constant", "-3.5e7"));
		assertEquals("constant=1e999 is out of range. Give a number from -1.7976931348623157E+308 to 1.7976931348623157E+308.", reason("constant", "1e999"));
	}

	/** Numbers of macros have the digits 0 to 9. */
	@Test
	void digitsOfOtherScripts() {
		for (final String three : new String[] { "\uff13", "\u0663" })
			for (final String key : new String[] { "threads", "minscore" }) assertTrue(reason(key, three).contains(key + "=" + three));
	}

	/** The limits are valid, auto in any case, and blanks around a number do not count. */
	@Test
	void aNumberOrAuto() {
		assertEquals("auto", value("minscore", " Auto "));
		assertEquals("-1", value("minscore", "-1"));
		assertEquals("1", value("minscore", " 1 "));
		assertEquals("minscore=1.01 is out of range. Give a number from -1 to 1, or auto.", reason("minscore", "1.01"));
		assertEquals("minscore=-1.01 is out of range. Give a number from -1 to 1, or auto.", reason("minscore", "-1.01"));
	}

	@Test
	void switchesAndTexts() {
		assertEquals(true, value("refine", "TRUE"));
		assertEquals(false, value("refine", "false"));
		assertEquals("refine=1 is not valid. Give true or false.", reason("refine", "1"));
		assertEquals(" b.tif ", value("templates", " b.tif "));
	}

	/** A user types decimals with a comma, except where it can separate thousands. Whole numbers and texts have no decimals. */
	@Test
	void decimalsWithAComma() {
		assertEquals(0.25, Keys.typed(find("maxoverlap"), "0,25"));
		assertEquals("0.25", Keys.typed(find("minscore"), "0,25"));
		assertEquals(0.25, Keys.typed(find("maxoverlap"), "0.25"));
		assertEquals(0.125, Keys.typed(find("maxoverlap"), "0,125"));
		assertEquals(1234.5, Keys.typed(find("constant"), "1234,5"));
		assertEquals("constant=1,234 is ambiguous. Write 1.234 or 1234.", refused("constant", "1,234"));
		assertEquals("constant=1,2,3 is not a number. Write decimals with a point, as in 0.7.", refused("constant", "1,2,3"));
		assertEquals("maxoverlap=1.5 is out of range. Give a number from 0 to 1.", refused("maxoverlap", "1,5"));
		assertEquals("threads=1,5 is not a whole number.", refused("threads", "1,5"));
		assertEquals("1,2", Keys.typed(find("search"), "1,2"));
	}

	@Test
	void whatADialogRemembers() {
		for (final String key : List.of("minscore", "maxmatches", "extent", "addrois", "algorithm")) assertTrue(Keys.isRemembered(find(key)), key);
		// images and titles of images, channels, and the preview, which has no key
		for (final String key : List.of("image", "template", "templates", "weights", "imagemask", "channels", "preview")) assertFalse(Keys.isRemembered(find(key)), key);
		assertTrue(Keys.isImage(find("image")));
		assertFalse(Keys.isImage(find("weights")));
		assertTrue(Keys.isPreview(find("preview")));
		assertFalse(Keys.isPreview(find("refine")));
		assertFalse(Keys.of(new CommandInfo(FindMatchesCommand.class)).contains("preview"));
		assertTrue(Keys.isSwitch(find("refine")));
		assertTrue(Keys.isSwitch(find("preview")));
		assertFalse(Keys.isSwitch(find("minscore")));
	}

	@Test
	void whatACommandRefuses() {
		final CommandInfo rotated = new CommandInfo(FindRotatedMatchesCommand.class), straight = new CommandInfo(FindMatchesCommand.class);
		for (final String key : List.of("weights", "imagemask", "nan", "minoverlap")) {
			assertTrue(Keys.isRefused(rotated, rotated.getInput(key)), key);
			assertFalse(Keys.isRefused(straight, straight.getInput(key)), key);
		}
		assertFalse(Keys.isRefused(rotated, rotated.getInput("channels")));
	}

	/** Parameters without a group are on the first screen; those of the computation come last, in one order for all commands. */
	@Test
	void everyGroupHasItsPlace() {
		assertEquals("Computation", Groups.of(find("threads")).orElseThrow());
		assertEquals("Masks and missing pixels", Groups.of(find("nan")).orElseThrow());
		assertTrue(Groups.of(find("minscore")).isEmpty());
		final List<String> keys = Keys.of(new CommandInfo(FindMatchesCommand.class));
		assertEquals(List.of("precision", "backend", "algorithm", "effort", "threads", "memory"), keys.subList(keys.size() - 6, keys.size()));
		assertEquals("image", keys.get(0));
	}

	/** Scripts set numbers without a parser. */
	@Test
	void theNumbersOfAScriptAreChecked() {
		final CommandModule module = new CommandModule(new CommandInfo(FindMatchesCommand.class), new FindMatchesCommand());
		Keys.requireValid(module);
		module.setInput("minscore", "auto");
		Keys.requireValid(module);
		module.setInput("total", -1);
		assertEquals("total=-1 is out of range. Give a number from 0 to 2147483647.",
			assertThrows(IllegalArgumentException.class, () -> Keys.requireValid(module)).getMessage());
	}
}
