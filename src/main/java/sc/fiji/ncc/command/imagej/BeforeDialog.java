package sc.fiji.ncc.command.imagej;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPreprocessorPlugin;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.prefs.PrefService;
import org.scijava.widget.InputHarvester;

import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MessageLines;

/**
 * Prepares SciJava's dialog: reports a missing image or selection in place of the dialog, hides the advanced parameters, and sets the values of the last
 * dialog. Runs before SciJava's dialog.
 */
@Plugin(type = PreprocessorPlugin.class, priority = InputHarvester.PRIORITY + 2)
public final class BeforeDialog extends AbstractPreprocessorPlugin {

	/** Prefix of the names of kept values. */
	public static final String KEPT = "dialog.";

	@Parameter
	private FrontEnd program;

	@Parameter
	private PrefService preferences;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand) || !program.isInteractive()) return;
		final NccCommand command = (NccCommand) module.getDelegateObject();
		final List<ModuleItem<?>> open = StreamSupport.stream(module.getInfo().inputs().spliterator(), false)
			.filter(input -> Keys.isChosen(input) && !module.isInputResolved(input.getName())).collect(Collectors.toList());
		final Optional<String> missing = open.isEmpty() ? Optional.empty() : command.missing(program);
		if (missing.isPresent()) {
			cancel(MessageLines.of(missing.get()));
			return;
		}
		recall(module, preferences);
		// the button "Advanced..." shows them
		for (final ModuleItem<?> input : open) if (Keys.isExpert(input)) module.resolveInput(input.getName());
	}

	/** Sets each parameter that has no value yet to its value in the last dialog. */
	public static void recall(final Module module, final PrefService preferences) {
		final NccCommand command = (NccCommand) module.getDelegateObject();
		final Set<String> asked = new HashSet<>();
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			if (module.isInputResolved(input.getName()) || !Keys.isRemembered(input) || Keys.isRefused(module.getInfo(), input)) continue;
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
			// an older version with other limits kept this value: use the default
		}
	}
}
