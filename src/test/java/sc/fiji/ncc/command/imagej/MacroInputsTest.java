package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import org.scijava.Priority;
import org.scijava.command.CommandInfo;
import org.scijava.convert.ConvertService;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.PluginService;

import sc.fiji.ncc.command.FindMatchesCommand;
import sc.fiji.ncc.command.InSciJava;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MacroOptions;

/** Values of macros in Fiji. ImageJ2 converts the texts first, and reads 0 or false from a text that is not valid. */
class MacroInputsTest extends InSciJava {

	/** Texts that are not valid, for each Java type. */
	private static final List<String> NO_NUMBERS = List.of("0,7", "abc", "", "1.2.3", "1 2", "0x10", "NaN", "Infinity", "1d", "2f", "--1", "\u0661", "\uff11", "true");
	private static final List<String> NO_WHOLE_NUMBERS = List.of("2.5", "1e2", "two", "3,0", "99999999999999999999", "4L");
	private static final List<String> NO_TRUTHS = List.of("maybe", "1", "0", "yes", "no", "", "t");

	@Test
	void aBadValueOfAnyKeyIsNamed() throws Exception {
		int tried = 0;
		for (final CommandInfo command : ours())
			for (final ModuleItem<?> input : command.inputs()) {
				if (!Keys.isChosen(input)) continue;
				for (final String bad : bad(input)) {
					final String message = assertThrows(IllegalArgumentException.class, () -> value(command, input.getName(), bad),
						() -> command.getTitle() + " takes " + input.getName() + "=[" + bad + "]").getMessage();
					assertTrue(message.startsWith(input.getName() + "=" + bad + " is "), message);
					assertFalse(message.contains("\n"), message);
					tried++;
				}
			}
		assertTrue(tried > 300, tried + " were tried");
	}

	private static List<String> bad(final ModuleItem<?> input) {
		final List<String> bad = new ArrayList<>();
		final Class<?> type = input.getType();
		if (type == boolean.class) bad.addAll(NO_TRUTHS);
		if (type == int.class || type == double.class) {
			bad.addAll(NO_NUMBERS);
			if (input.getMinimumValue() != null) bad.add(String.valueOf((int) ((Number) input.getMinimumValue()).doubleValue() - 1));
			if (input.getMaximumValue() != null) bad.add(String.valueOf((int) ((Number) input.getMaximumValue()).doubleValue() + 1));
		}
		if (type == int.class) bad.addAll(NO_WHOLE_NUMBERS);
		return bad;
	}

	@Test
	void messagesSayWhatToDo() {
		final CommandInfo find = commands.getCommand(FindMatchesCommand.class);
		assertReason("minscore=0,7 is not a number. Write decimals with a point, as in 0.7.", find, "minscore", "0,7");
		assertReason("maxmatches=2.5 is not a whole number.", find, "maxmatches", "2.5");
		assertReason("threads=two is not a whole number.", find, "threads", "two");
		assertReason("compete=maybe is not valid. Give true or false.", find, "compete", "maybe");
		assertReason("minscore=1.5 is out of range. Give a number from -1 to 1, or auto.", find, "minscore", "1.5");
		assertReason("threads=-2 is out of range. Give a number from 0 to 2147483647.", find, "threads", "-2");
		assertReason("memory=-1 is out of range. Give a number from 0 to 2147483647.", find, "memory", "-1");
	}

	private static void assertReason(final String reason, final CommandInfo command, final String key, final String text) {
		assertEquals(reason, assertThrows(IllegalArgumentException.class, () -> value(command, key, text)).getMessage());
	}

	@Test
	void theyAreReadBeforeImageJ2ReadsThem() {
		final List<String> order = context.service(PluginService.class).getPluginsOfType(PreprocessorPlugin.class).stream()
			.filter(plugin -> plugin.getPriority() >= 2 * Priority.VERY_HIGH - 1 && plugin.getPriority() <= 2 * Priority.VERY_HIGH + 1)
			.map(plugin -> plugin.getClassName().replaceAll(".*\\.", "")).collect(Collectors.toList());
		assertEquals("MacroValues", order.get(0), "imagej-legacy's is of 2 * VERY_HIGH");
		assertEquals("MacroInputs", order.get(order.size() - 1));
	}

	@Test
	void goodValuesArrive() throws Exception {
		final CommandInfo find = commands.getCommand(FindMatchesCommand.class);
		for (final Map.Entry<String, Double> number : Map.of("0.7", 0.7, ".5", 0.5, "-1", -1.0, "+1.", 1.0, "5e-1", 0.5).entrySet()) {
			assertEquals(number.getValue(), value(find, "constant", number.getKey()));
			assertEquals(number.getKey(), value(find, "minscore", number.getKey()));
		}
		assertEquals("auto", value(find, "minscore", "Auto"));
		assertEquals(12, value(find, "maxmatches", "12"));
		assertEquals(true, value(find, "addrois", "true"));
		assertEquals(false, value(find, "compete", "FALSE"));
		assertEquals("a; b", value(find, "templates", "a; b"));
		assertEquals("0.5", value(find, "maxmatches", "12", "minscore"), "left out");
	}

	/** The menu gives no parameter; a script gives at least one. */
	@Test
	void onlyTheMenuOpensADialog() throws Exception {
		for (final boolean windows : new boolean[] { true, false }) {
			final FrontEnd program = (FrontEnd) Proxy.newProxyInstance(FrontEnd.class.getClassLoader(), new Class<?>[] { FrontEnd.class },
				(proxy, method, arguments) -> method.getName().equals("isInteractive") ? windows : Optional.empty());
			final Module menu = commands.getCommand(FindMatchesCommand.class).createModule(), script = commands.getCommand(FindMatchesCommand.class).createModule();
			assertEquals(windows, MacroInputs.isAsked(menu, program));
			for (final ModuleItem<?> input : script.getInfo().inputs()) if (!Keys.isChosen(input)) script.resolveInput(input.getName());
			script.setInput("minscore", "0.7");
			script.resolveInput("minscore");
			script.setInput("image", new ScriptImage(noise(5, 5)));
			script.resolveInput("image");
			assertFalse(MacroInputs.isAsked(script, program));
			MacroInputs.resolve(script, program);
			assertTrue(Keys.of(script.getInfo()).stream().allMatch(script::isInputResolved));
			assertEquals(0.5, script.getInput("maxoverlap"));
		}
	}

	private static Object value(final CommandInfo command, final String key, final String text) throws Exception {
		return value(command, key, text, key);
	}

	/** @return the input {@code asked} after a macro has set another input */
	private static Object value(final CommandInfo command, final String key, final String text, final String asked) throws Exception {
		final Module module = command.createModule();
		for (final ModuleItem<?> input : command.inputs()) if (Keys.isImage(input) || !Keys.isChosen(input)) {
			if (Keys.isImage(input)) module.setInput(input.getName(), noise(5, 5));
			module.resolveInput(input.getName());
		}
		final Optional<MacroOptions> options = Optional.of(new MacroOptions(key + "=[" + text + "]"));
		MacroValues.check(module, options);
		asImageJ2Does(module, command.getInput(key), text);
		MacroInputs.resolve(module, (FrontEnd) Proxy.newProxyInstance(FrontEnd.class.getClassLoader(), new Class<?>[] { FrontEnd.class },
			(proxy, method, arguments) -> method.getName().equals("macro") ? options : List.of()));
		assertTrue(module.isInputResolved(asked));
		return module.getInput(asked);
	}

	/** The steps of imagej-legacy's MacroPreprocessor for one input. */
	private static void asImageJ2Does(final Module module, final ModuleItem<?> input, final String text) {
		final ConvertService convert = context.service(ConvertService.class);
		if (!convert.supports(text, input.getType())) return;
		module.setInput(input.getName(), convert.convert((Object) text, input.getType()));
		module.resolveInput(input.getName());
	}

	private static List<CommandInfo> ours() {
		return commands.getCommands().stream().filter(command -> command.getClassName().startsWith("sc.fiji.ncc.command.")).collect(Collectors.toList());
	}
}
