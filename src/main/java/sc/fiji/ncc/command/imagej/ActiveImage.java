package sc.fiji.ncc.command.imagej;

import org.scijava.Priority;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPreprocessorPlugin;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Keys;

/** Proposes the active image in dialogs. The user can choose another image. */
@Plugin(type = PreprocessorPlugin.class, priority = Priority.VERY_HIGH)
public final class ActiveImage extends AbstractPreprocessorPlugin {

	@Parameter
	private FrontEnd program;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand) || !program.isInteractive()) return;
		for (final ModuleItem<?> input : module.getInfo().inputs())
			if (Keys.isImage(input) && input.isAutoFill() && input.getValue(module) == null) ImageJ1.active().ifPresent(active -> module.setInput(input.getName(), active));
	}
}
