package sc.fiji.ncc.ij1;

import java.util.LinkedHashMap;
import java.util.Map;

import org.scijava.module.Module;
import org.scijava.module.ModuleItem;

import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MacroOptions;

/** The inputs of a command as texts under their keys, which is how both macros and dialogs have them. */
final class Inputs {

	private Inputs() {}

	/**
	 * The inputs that a macro gives; what it leaves out keeps its declared default.
	 *
	 * @throws IllegalArgumentException if it gives others
	 */
	static Map<String, String> read(final Module module, final MacroOptions options) {
		options.requireKnown(Keys.of(module.getInfo()), module.getInfo().getTitle().replace("...", ""));
		final Map<String, String> texts = new LinkedHashMap<>();
		for (final String key : Keys.of(module.getInfo())) options.get(key).ifPresent(text -> texts.put(key, text));
		return texts;
	}

	/** @throws IllegalArgumentException if a text is no value of its input */
	static void set(final Module module, final Map<String, String> texts, final ImageJFrontEnd program) {
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			final String text = texts.get(input.getName());
			if (text != null) module.setInput(input.getName(), Keys.isImage(input) ? program.image(text) : Keys.value(input, text));
		}
	}
}
