package sc.fiji.ncc.command.imagej;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.display.event.DisplayCreatedEvent;
import org.scijava.event.EventHandler;
import org.scijava.log.LogService;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.service.AbstractService;
import org.scijava.service.Service;
import org.scijava.ui.UIService;

import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.LiveView;
import sc.fiji.ncc.command.program.MacroOptions;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.command.program.Table;
import sc.fiji.ncc.command.program.TrackLine;

/** The front end in Fiji and other SciJava applications. Uses ImageJ2 and ImageJ 1.x if they are present. */
@Plugin(type = Service.class)
public final class SciJavaFrontEnd extends AbstractService implements FrontEnd {

	@Parameter
	private LogService log;

	@Override
	public ImageInput image(final String title) {
		return ImageJ1.image(title);
	}

	@Override
	public ImageInput image(final Img<?> pixels, final String axes) {
		return ImageJ1.image(pixels, axes);
	}

	@Override
	public List<ImageInput> folder(final String path) {
		return ImageJ1.folder(path);
	}

	@Override
	public boolean hasRegions() {
		return ImageJ1.hasRegions();
	}

	@Override
	public Optional<String> activeImage() {
		return ImageJ1.activeImage();
	}

	@Override
	public boolean isActiveSelected() {
		return ImageJ1.isActiveSelected();
	}

	@Override
	public List<String> stacks() {
		return ImageJ1.stacks();
	}

	@Override
	public List<String> othersThan(final String title) {
		return ImageJ1.othersThan(title);
	}

	@Override
	public List<String> openImages() {
		return ImageJ1.openImages();
	}

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
	public void mark(final ImageInput image, final List<Box> boxes, final List<TrackLine> lines, final boolean manager) {
		if (!image.mark(boxes, lines, manager)) log.warn(NO_ROI_MANAGER);
	}

	@Override
	public void show(final Graph graph) {
		if (!ImageJ1.show(graph)) log.info(NO_PLOT);
	}

	@Override
	public LiveView live(final ImageInput image) {
		return ImageJ1.live(image);
	}

	@Override
	public void note(final String line) {
		if (!ImageJ1.note(line)) log.info(line);
	}

	@Override
	public void browse(final String url) {
		ImageJ1.browse(url);
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
	public Optional<MacroOptions> macro() {
		return ImageJ1.macro();
	}

	@Override
	public void forgetEscape() {
		ImageJ1.forgetEscape();
	}

	@Override
	public boolean escapePressed() {
		return ImageJ1.escapePressed();
	}

	@Override
	public boolean abortMacro(final String reason) {
		return ImageJ1.abortMacro(reason);
	}
}
