package sc.fiji.ncc.command.imagej;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.scijava.module.Module;
import org.scijava.module.ModuleItem;

import ij.Prefs;
import sc.fiji.ncc.command.program.Keys;

/**
 * The values of the last dialog of a command, in ImageJ's preferences. Values of macros and scripts are not kept. Values for one image only are kept
 * until the command has run to its end: after an error, the dialog has them again.
 */
public final class KeptValues {

	/** The values for one image only. */
	private static final Map<String, String> UNFINISHED = new ConcurrentHashMap<>();

	private KeptValues() {}

	/** Keeps the values of parameters that a dialog has shown. */
	static void keep(final Module module, final Collection<ModuleItem<?>> shown) {
		for (final ModuleItem<?> input : shown) {
			final String key = key(module, input), value = String.valueOf(input.getValue(module));
			if (Keys.isRemembered(input)) Prefs.set(key, value);
			else if (input.is(Keys.ONCE)) UNFINISHED.put(key, value);
		}
	}

	/** Forgets the values for one image, because the command has run to its end. */
	public static void finish(final Module module) {
		module.getInfo().inputs().forEach(input -> UNFINISHED.remove(key(module, input)));
	}

	/** @return the value of the last dialog if it is valid, otherwise the default */
	static String of(final Module module, final ModuleItem<?> input) {
		final Object value = input.getValue(module);
		final String declared = value == null ? "" : shown(value.toString()), key = key(module, input);
		final String kept = shown(Keys.isRemembered(input) ? Prefs.get(key, declared) : UNFINISHED.getOrDefault(key, declared));
		return kept.equals(declared) || !isValid(input, kept) ? declared : kept;
	}

	/** An older version with other limits can have kept a value. */
	private static boolean isValid(final ModuleItem<?> input, final String kept) {
		final List<?> choices = input.getChoices();
		if (choices != null && !choices.isEmpty()) return choices.contains(kept);
		try {
			Keys.value(input, kept);
			return true;
		}
		catch (final IllegalArgumentException e) {
			return false;
		}
	}

	private static String shown(final String number) {
		return number.replaceFirst("\\.0$", "");
	}

	/** The name of a value in the preferences. */
	static String key(final Module module, final ModuleItem<?> input) {
		return "ncc." + module.getDelegateObject().getClass().getSimpleName() + "." + input.getName();
	}
}
