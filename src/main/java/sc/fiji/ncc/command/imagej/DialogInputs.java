package sc.fiji.ncc.command.imagej;

import java.util.Optional;

import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPreprocessorPlugin;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.InputHarvester;

import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MessageLines;

/**
 * Asks for the parameters in a dialog, in place of SciJava's dialog. Reports a missing image or selection before. SciJava's dialog shows all
 * parameters at once, and reads a decimal with another separator as 0. It opens only without ImageJ 1.x.
 */
@Plugin(type = PreprocessorPlugin.class, priority = InputHarvester.PRIORITY + 2)
public final class DialogInputs extends AbstractPreprocessorPlugin {

	@Parameter
	private FrontEnd program;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand) || !program.isInteractive()
			|| Keys.of(module.getInfo()).stream().allMatch(module::isInputResolved)) return;
		final Optional<String> missing = ((NccCommand) module.getDelegateObject()).missing(program);
		if (missing.isPresent()) cancel(MessageLines.of(missing.get()));
		else if (ImageJ1.isPresent()) {
			if (!new InputDialog(module, program).ask()) cancel("");
			for (final ModuleItem<?> input : module.getInfo().inputs()) module.resolveInput(input.getName());
		}
	}
}
