package sc.fiji.ncc.ij1;

import java.util.LinkedHashMap;
import java.util.Map;

import org.scijava.module.Module;
import org.scijava.module.ModuleItem;

import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MacroOptions;

/** The parameters of a command as texts under their keys, from a macro or from a dialog. */
final class Inputs {

	private Inputs() {}

	/**
	 * Reads the options of a macro. Omitted parameters keep their defaults.
	 *
	 * @return the values under their keys
	 * @throws IllegalArgumentException if a key is unknown or appears twice
	 */
	static Map<String, String> read(final Module module, final MacroOptions options) {
		options.requireKnown(Keys.of(module.getInfo()), module.getInfo().getTitle().replace("...", ""));
		final Map<String, String> texts = new LinkedHashMap<>();
		for (final String key : Keys.of(module.getInfo())) options.get(key).ifPresent(text -> texts.put(key, text));
		return texts;
	}

	/**
	 * Sets the parameters of a command.
	 *
	 * @param texts the values under their keys
	 * @throws IllegalArgumentException if a value is not valid
	 */
	static void set(final Module module, final Map<String, String> texts, final ImageJFrontEnd program) {
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			final String text = texts.get(input.getName());
			if (text != null) module.setInput(input.getName(), Keys.isImage(input) ? program.image(text) : Keys.value(input, text));
		}
	}
}
