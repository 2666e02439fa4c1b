package sc.fiji.ncc.command;

import java.util.HashSet;
import java.util.Set;

import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPreprocessorPlugin;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.prefs.PrefService;
import org.scijava.widget.InputHarvester;

/** Right before SciJava's dialog: gives each parameter that it will show the value of the last time. */
@Plugin(type = PreprocessorPlugin.class, priority = InputHarvester.PRIORITY + 2)
public final class BeforeDialog extends AbstractPreprocessorPlugin {

	/** In front of the names under which values are kept. */
	static final String KEPT = "dialog.";

	@Parameter
	private FrontEnd program;

	@Parameter
	private PrefService preferences;

	@Override
	public void process(final Module module) {
		if (module.getDelegateObject() instanceof NccCommand && program.isInteractive()) recall(module, preferences);
	}

	/** Gives all that is not resolved the value that a dialog had last. */
	static void recall(final Module module, final PrefService preferences) {
		final NccCommand command = (NccCommand) module.getDelegateObject();
		final Set<String> asked = new HashSet<>();
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			if (module.isInputResolved(input.getName()) || !Keys.isRemembered(input)) continue;
			asked.add(input.getName());
			final String text = preferences.get(command.getClass(), KEPT + input.getName());
			if (text != null) recall(module, input, text);
		}
		command.askedFor(asked);
	}

	private static void recall(final Module module, final ModuleItem<?> input, final String text) {
		if (input.getChoices() != null && !input.getChoices().isEmpty() && !input.getChoices().contains(text)) return;
		try {
			module.setInput(input.getName(), Keys.value(input, text));
		}
		catch (final IllegalArgumentException e) {
			// a version of the command with other limits kept it: the default stands
		}
	}
}
