package sc.fiji.ncc.command.imagej;


import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.display.event.DisplayCreatedEvent;
import org.scijava.event.EventHandler;
import org.scijava.plugin.Plugin;
import org.scijava.service.Service;
import org.scijava.ui.UIService;
import sc.fiji.ncc.command.program.MapDescription;

/** The front end in Fiji and other SciJava applications. Uses ImageJ2 and ImageJ 1.x if they are present. */
@Plugin(type = Service.class)
public final class SciJavaFrontEnd extends ImageJ1FrontEnd {

	@Override
	public <T extends NativeType<T> & RealType<T>> Img<T> describe(final Img<T> map, final MapDescription description) {
		return ImageJ2.describe(map, description);
	}

	@EventHandler
	private void onEvent(final DisplayCreatedEvent event) {
		ImageJ2.completeDatasets(event.getObject());
	}

	@Override
	protected boolean isHeadless() {
		// the service is fetched at the first use, because its creation needs this context
		final UIService ui = context().getService(UIService.class);
		return ui == null || ui.isHeadless();
	}

	@Override
	public boolean abortMacro(final String reason) {
		return ImageJ1.abortMacro(reason);
	}
}
