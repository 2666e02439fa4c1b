package sc.fiji.ncc.command;

import net.imglib2.img.Img;

import org.scijava.convert.ConvertService;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.AbstractPostprocessorPlugin;
import org.scijava.module.process.PostprocessorPlugin;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.ui.UIService;

/** Without windows, opens the images that our commands make for the macro that called: nothing else would. */
@Plugin(type = PostprocessorPlugin.class)
public final class HeadlessOutputs extends AbstractPostprocessorPlugin {

	@Parameter(required = false)
	private UIService ui;

	@Parameter
	private ConvertService convert;

	@Override
	public void process(final Module module) {
		if (!(module.getDelegateObject() instanceof NccCommand) || (ui != null && !ui.isHeadless())) return;
		for (final ModuleItem<?> output : module.getInfo().outputs()) {
			final Object value = output.getValue(module);
			if (value instanceof Img) ImageJ1.show((Img<?>) value, convert);
		}
	}
}
