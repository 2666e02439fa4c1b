package sc.fiji.ncc.command.imagej;

import java.awt.image.BufferedImage;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.display.event.DisplayCreatedEvent;
import org.scijava.event.EventHandler;
import org.scijava.plugin.Plugin;
import org.scijava.service.Service;
import org.scijava.ui.UIService;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.command.program.Table;

/** The front end in Fiji and other SciJava applications. Uses ImageJ2 and ImageJ 1.x if they are present. */
@Plugin(type = Service.class)
public final class SciJavaFrontEnd extends ImageJ1FrontEnd {

	@Override
	public <T extends NativeType<T> & RealType<T>> Img<T> describe(final Img<T> map, final MapDescription description) {
		return ImageJ2.describe(map, description);
	}

	@Override
	public void open(final Img<? extends RealType<?>> map, final MapDescription description) {
		if (!ImageJ1.open(map, description)) log.debug("Cannot show " + description.name() + ": ImageJ is not present.");
	}

	@EventHandler
	private void onEvent(final DisplayCreatedEvent event) {
		ImageJ2.completeDatasets(event.getObject());
	}

	@Override
	public void show(final Table table, final boolean append) {
		final boolean shown = ImageJ1.show(table, append, isInteractive());
		// without windows, only a macro can read ImageJ's table
		if (!shown || isHeadless() && macro().isEmpty()) log.info(table.toString());
	}

	@Override
	public void show(final String title, final BufferedImage picture) {
		if (!ImageJ1.show(title, picture)) log.warn("Cannot show " + title + ": there are no windows, or ImageJ is not present.");
	}

	@Override
	public void note(final String line) {
		if (!ImageJ1.note(line)) log.info(line);
	}

	@Override
	public boolean isInteractive() {
		return !isHeadless() && macro().isEmpty();
	}

	private boolean isHeadless() {
		// the service is fetched at the first use, because its creation needs this context
		final UIService ui = context().getService(UIService.class);
		return ui == null || ui.isHeadless();
	}

	@Override
	public boolean abortMacro(final String reason) {
		return ImageJ1.abortMacro(reason);
	}
}
