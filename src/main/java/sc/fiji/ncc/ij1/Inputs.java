package sc.fiji.ncc.ij1;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import org.scijava.module.Module;
import org.scijava.module.ModuleItem;

import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MacroOptions;

/** The parameters of a command as options of a macro. */
final class Inputs {

	private Inputs() {}

	/**
	 * Sets the parameters of a command. Omitted parameters keep their defaults.
	 *
	 * @throws IllegalArgumentException if a key is unknown or appears twice, or a value is not valid
	 */
	static void set(final Module module, final MacroOptions options, final ImageJFrontEnd program) {
		options.requireKnown(Keys.of(module.getInfo()), module.getInfo().getTitle().replace("...", ""));
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			final Optional<String> text = Keys.isChosen(input) ? options.get(input.getName()) : Optional.empty();
			text.ifPresent(value -> module.setInput(input.getName(), Keys.isImage(input) ? program.image(value) : Keys.value(input, value)));
		}
	}

	/** @return the values of the parameters under their keys, without those that the command refuses */
	static Map<String, String> of(final Module module) {
		final Map<String, String> texts = new LinkedHashMap<>();
		for (final ModuleItem<?> input : Groups.ordered(module.getInfo().inputs())) {
			if (!Keys.isChosen(input) || Keys.isRefused(module.getInfo(), input)) continue;
			final Object value = input.getValue(module);
			texts.put(input.getName(), value instanceof ImageInput ? ((ImageInput) value).name() : String.valueOf(value).replaceFirst("\\.0$", ""));
		}
		return texts;
	}
}
