package sc.fiji.ncc.command.imagej;

import java.util.List;
import java.util.Optional;

import org.scijava.Priority;
import org.scijava.log.LogService;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPreprocessorPlugin;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MacroOptions;

/**
 * Refuses a macro's keys that our command does not have, and values that are none. Comes right before ImageJ's own preprocessor for macros, which makes 0
 * of a text that is no number and false of one that is no truth value, and throws for an empty one.
 */
@Plugin(type = PreprocessorPlugin.class, priority = 2 * Priority.VERY_HIGH + 1)
public final class MacroValues extends AbstractPreprocessorPlugin {

	@Parameter
	private LogService log;

	@Parameter
	private FrontEnd program;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand) || program.isInteractive()) return;
		try {
			check(module, program.macro());
		}
		catch (final IllegalArgumentException e) {
			cancel(NccCommand.told(program, log, NccCommand.title(module.getInfo()), e.getMessage()));
		}
	}

	/** @throws IllegalArgumentException if the macro gives what is no input of the command, or no value of one */
	static void check(final Module module, final Optional<MacroOptions> macro) {
		final List<String> keys = Keys.of(module.getInfo());
		// a script that a macro runs may call us: then the options are the script's
		if (macro.isEmpty() || !macro.get().givesAny(keys)) return;
		macro.get().requireKnown(keys, NccCommand.title(module.getInfo()));
		for (final ModuleItem<?> input : module.getInfo().inputs())
			if (Keys.isChosen(input) && !Keys.isImage(input)) macro.get().get(input.getName()).ifPresent(text -> Keys.value(input, text));
	}
}
