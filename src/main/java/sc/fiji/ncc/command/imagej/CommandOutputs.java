package sc.fiji.ncc.command.imagej;

import org.scijava.Priority;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPostprocessorPlugin;
import org.scijava.module.process.PostprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.NccCommand;

/**
 * Opens the maps of these commands as images of ImageJ 1.x, with and without windows. SciJava would open virtual stacks, and nothing without windows.
 * All outputs are for scripts, which get them from the module. SciJava would show each item of a list, and open its console with a warning for
 * outputs that it cannot show.
 */
@Plugin(type = PostprocessorPlugin.class, priority = Priority.NORMAL)
public final class CommandOutputs extends AbstractPostprocessorPlugin {

	@Parameter
	private FinalStatus status;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand)) return;
		final NccCommand command = (NccCommand) module.getDelegateObject();
		command.openMaps();
		KeptValues.finish(module);
		status.after(module.getInfo().getTitle(), command.summary());
		for (final ModuleItem<?> output : module.getInfo().outputs()) module.resolveOutput(output.getName());
	}
}
