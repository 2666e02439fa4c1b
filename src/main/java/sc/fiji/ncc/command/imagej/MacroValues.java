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
 * Rejects unknown keys and values that are not valid in macros. Runs right before ImageJ's own preprocessor for macros, which reads 0 from a text that is
 * not a number, reads false from a text that is not a boolean, and throws an exception for an empty text.
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
			cancel(NccCommand.report(program, log, NccCommand.title(module.getInfo()), e.getMessage()));
		}
	}

	/** @throws IllegalArgumentException if a key is unknown, or a value is not valid */
	static void check(final Module module, final Optional<MacroOptions> macro) {
		final List<String> keys = Keys.of(module.getInfo());
		// if none of the keys is known, the options belong to a script that the macro runs and that calls this command
		if (macro.isEmpty() || !macro.get().givesAny(keys)) return;
		macro.get().requireKnown(keys, NccCommand.title(module.getInfo()));
		for (final ModuleItem<?> input : module.getInfo().inputs())
			if (Keys.isChosen(input) && !Keys.isImage(input)) macro.get().get(input.getName()).ifPresent(text -> Keys.value(input, text));
	}
}
