package sc.fiji.ncc.command;

import org.scijava.Priority;
import org.scijava.log.LogService;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPreprocessorPlugin;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.ui.UIService;

/**
 * Without windows, gives what a caller of our commands leaves out its declared default. Otherwise SciJava would take the value of the
 * last time, or the active image, or end without a word. Comes right after ImageJ's own preprocessor for macros.
 */
@Plugin(type = PreprocessorPlugin.class, priority = 2 * Priority.VERY_HIGH - 1)
public final class HeadlessInputs extends AbstractPreprocessorPlugin {

	@Parameter(required = false)
	private UIService ui;

	@Parameter
	private LogService log;

	@Parameter
	private FrontEnd program;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand) || (ui != null && !ui.isHeadless())) return;
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			if (module.isInputResolved(input.getName())) continue;
			if (input.isRequired() && input.getValue(module) == null) {
				cancel(NccCommand.missing(input.getName(), program.openImages()));
				log.error(module.getInfo().getTitle() + ": " + getCancelReason());
				program.abortMacro(getCancelReason());
				return;
			}
			module.resolveInput(input.getName());
		}
	}
}
