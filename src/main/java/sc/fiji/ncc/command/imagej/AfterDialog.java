package sc.fiji.ncc.command.imagej;

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

/** Keeps the values of a dialog for the next dialog. Runs after SciJava's dialog. Values of macros and scripts are not kept. */
@Plugin(type = PreprocessorPlugin.class, priority = InputHarvester.PRIORITY - 2)
public final class AfterDialog extends AbstractPreprocessorPlugin {

	@Parameter
	private FrontEnd program;

	@Parameter
	private PrefService preferences;

	@Override
	public void process(final Module module) {
		if (module.getDelegateObject() instanceof NccCommand && program.isInteractive()) keep(module, preferences);
	}

	/** Keeps the values of the parameters that a dialog has shown. */
	public static void keep(final Module module, final PrefService preferences) {
		final NccCommand command = (NccCommand) module.getDelegateObject();
		for (final ModuleItem<?> input : module.getInfo().inputs())
			if (command.wasAskedFor(input.getName()))
				preferences.put(command.getClass(), BeforeDialog.KEPT + input.getName(), String.valueOf(input.getValue(module)));
	}
}
