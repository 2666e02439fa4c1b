package sc.fiji.ncc.ij1;

import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;

import ij.IJ;
import ij.WindowManager;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.log.LogService;
import org.scijava.plugin.Parameter;
import org.scijava.service.AbstractService;

import sc.fiji.ncc.command.imagej.ImageJ1;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.LiveView;
import sc.fiji.ncc.command.program.MacroOptions;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.command.program.Table;
import sc.fiji.ncc.command.program.TrackLine;

/** The front end in plain ImageJ 1.x, made for each run of a command. It is not a SciJava plugin, so that Fiji uses its own front end. */
public final class ImageJFrontEnd extends AbstractService implements FrontEnd {

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
		return List.of(WindowManager.getImageTitles());
	}

	/** Returns the map itself, because ImageJ 1.x has no scripts that use this output. */
	@Override
	public <T extends NativeType<T> & RealType<T>> Img<T> describe(final Img<T> map, final MapDescription description) {
		return map;
	}

	@Override
	public void open(final Img<? extends RealType<?>> map, final MapDescription description) {
		ImageJ1.open(map, description);
	}

	@Override
	public void show(final Table table, final boolean append) {
		ImageJ1.show(table, append, isInteractive());
	}

	@Override
	public void show(final String title, final BufferedImage picture) {
		ImageJ1.show(title, picture);
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
		ImageJ1.note(line);
	}

	@Override
	public void browse(final String url) {
		ImageJ1.browse(url);
	}

	@Override
	public boolean isInteractive() {
		return !GraphicsEnvironment.isHeadless() && macro().isEmpty();
	}

	@Override
	public Optional<MacroOptions> macro() {
		return ImageJ1.macro();
	}

	@Override
	public void forgetEscape() {
		IJ.resetEscape();
	}

	@Override
	public boolean escapePressed() {
		return IJ.escapePressed();
	}

	/** Does nothing: {@link CommandRunner} ends the macro and shows the reason. */
	@Override
	public boolean abortMacro(final String reason) {
		return false;
	}
}
