package sc.fiji.ncc.command;

import java.awt.image.BufferedImage;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.RealType;

import org.scijava.convert.ConvertService;
import org.scijava.log.LogService;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.service.AbstractService;
import org.scijava.service.Service;
import org.scijava.ui.UIService;

/** Fiji, or any SciJava application: uses ImageJ2's images and ImageJ 1.x where they are present. */
@Plugin(type = Service.class)
public final class SciJavaFrontEnd extends AbstractService implements FrontEnd {

	@Parameter
	private ConvertService convert;

	@Parameter
	private LogService log;

	@Override
	public String name(final Img<?> image) {
		return ImageJ2.name(image).orElse("image");
	}

	@Override
	public boolean isColor(final Img<?> image) {
		return image.getType() instanceof ARGBType || ImageJ2.isColor(image);
	}

	@Override
	public String axes(final Img<?> image) {
		return ImageJ2.axes(image).orElse("xyzct".substring(0, Math.min(5, image.numDimensions())));
	}

	@Override
	public Space space(final Img<?> image) {
		return ImageJ1.space(image, convert).orElse(Space.PIXELS);
	}

	@Override
	public Optional<Selection> selection(final Img<?> image) {
		return ImageJ1.selection(image, axes(image), convert);
	}

	@Override
	public List<Region> managed(final Img<?> image) {
		return ImageJ1.managed(image, axes(image), convert);
	}

	@Override
	public List<Region> overlay(final Img<?> image) {
		return ImageJ1.overlay(image, axes(image), convert);
	}

	@Override
	public long[] shown(final Img<?> image) {
		return ImageJ1.shown(image, axes(image), convert).orElseGet(() -> new long[image.numDimensions() - 2]);
	}

	@Override
	public boolean hasArea(final Img<?> image) {
		return ImageJ1.hasArea(image, convert);
	}

	@Override
	public boolean isSame(final Img<?> a, final Img<?> b) {
		return ImageJ1.isSame(a, b, convert);
	}

	@Override
	public Img<?> image(final String title) {
		if (Collections.frequency(openImages(), title) > 1) throw new IllegalArgumentException(NccCommand.twice(title));
		final Img<?> image = convert.supports(title, Img.class) ? convert.convert((Object) title, Img.class) : null;
		if (image == null) throw new IllegalArgumentException(NccCommand.noImage(title, openImages()));
		return image;
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
	public void askExpert(final NccCommand command) {
		new ExpertDialog(getContext()).ask(command);
	}

	@Override
	public List<String> openImages() {
		return ImageJ1.openImages();
	}

	@Override
	public <T extends NativeType<T> & RealType<T>> Img<T> describe(final Img<T> map, final String name, final Img<?> source, final long[] origin,
		final double min, final double max, final Map<String, String> properties)
	{
		return ImageJ2.describe(map, name, source, origin, min, max, properties);
	}

	@Override
	public void show(final Table table, final boolean append) {
		final boolean shown = ImageJ1.show(table, append, isInteractive());
		// without windows only a macro sees ImageJ's table
		if (!shown || isHeadless() && macro().isEmpty()) log.info(table.toString());
	}

	@Override
	public void show(final String title, final BufferedImage picture) {
		if (!ImageJ1.show(title, picture)) log.warn("Without ImageJ there is no window for " + title + ".");
	}

	@Override
	public void mark(final Img<?> image, final List<Box> boxes, final List<Way> ways, final boolean manager) {
		if (!ImageJ1.mark(image, boxes, ways, manager, convert)) log.warn(NO_ROI_MANAGER);
	}

	@Override
	public void show(final Graph graph) {
		if (!ImageJ1.show(graph)) log.info(NO_PLOT);
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
		// asked for late: it needs this context's services
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
