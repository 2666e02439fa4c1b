package sc.fiji.ncc.command.imagej;

import java.util.Collections;
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
 * Sets omitted parameters to their defaults in macros, without windows, and for scripts that give at least one parameter. SciJava would open a
 * dialog, use the value of the last dialog or the active image, or end without a message. Rejects values that are not valid. Runs right after
 * ImageJ's own preprocessor for macros.
 */
@Plugin(type = PreprocessorPlugin.class, priority = 2 * Priority.VERY_HIGH - 1)
public final class MacroInputs extends AbstractPreprocessorPlugin {

	@Parameter
	private LogService log;

	@Parameter
	private FrontEnd program;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand) || isAsked(module, program)) return;
		try {
			resolve(module, program);
		}
		catch (final IllegalArgumentException e) {
			cancel(NccCommand.report(program, log, NccCommand.title(module.getInfo()), e.getMessage()));
		}
	}

	/** @return whether a dialog asks for the parameters: there are windows, no macro runs, and no parameter is given, as from the menu */
	static boolean isAsked(final Module module, final FrontEnd program) {
		return program.isInteractive() && Keys.of(module.getInfo()).stream().noneMatch(module::isInputResolved);
	}

	/** @throws IllegalArgumentException if a required parameter is missing, or a value is not valid */
	public static void resolve(final Module module, final FrontEnd program) {
		final Optional<MacroOptions> macro = program.macro();
		for (final ModuleItem<?> input : module.getInfo().inputs()) resolve(module, input, macro.flatMap(options -> options.get(input.getName())), program);
	}

	/** @param given the value in the macro; empty if the macro omits the parameter */
	private static void resolve(final Module module, final ModuleItem<?> input, final Optional<String> given, final FrontEnd program) {
		final String key = input.getName();
		final boolean image = Keys.isImage(input);
		if (image && given.isPresent()) {
			if (Collections.frequency(program.openImages(), given.get()) > 1) throw new IllegalArgumentException(NccCommand.twice(given.get()));
			// throws if no image has this title
			if (input.getValue(module) == null) module.setInput(key, program.image(given.get()));
		}
		// ImageJ's own preprocessor ignores a key without a value
		if (given.isPresent() && Keys.isChosen(input) && !image) module.setInput(key, Keys.value(input, given.get()));
		if (module.isInputResolved(key)) return;
		if (input.isRequired() && input.getValue(module) == null) throw new IllegalArgumentException(NccCommand.missing(key, program.openImages()));
		module.resolveInput(key);
	}
}
