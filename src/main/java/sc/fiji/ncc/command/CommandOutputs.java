package sc.fiji.ncc.command;

import java.util.List;

import net.imglib2.img.Img;

import org.scijava.Priority;
import org.scijava.convert.ConvertService;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPostprocessorPlugin;
import org.scijava.module.process.PostprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.ui.UIService;

/**
 * Without windows, opens the images that our commands make for the macro that called: nothing else would. With or without, keeps lists, which are
 * for scripts, from being shown one item after the other.
 */
@Plugin(type = PostprocessorPlugin.class, priority = Priority.NORMAL)
public final class CommandOutputs extends AbstractPostprocessorPlugin {

	@Parameter(required = false)
	private UIService ui;

	@Parameter
	private ConvertService convert;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand)) return;
		final boolean windows = ui != null && !ui.isHeadless();
		for (final ModuleItem<?> output : module.getInfo().outputs()) {
			final Object value = output.getValue(module);
			if (value instanceof Img && !windows) ImageJ1.show((Img<?>) value, convert);
			if (value instanceof List) module.resolveOutput(output.getName());
		}
	}
}
