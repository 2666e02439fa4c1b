package sc.fiji.ncc.command.imagej;

import java.util.List;
import java.util.Optional;

import net.imglib2.img.Img;

import org.scijava.log.LogService;
import org.scijava.plugin.Parameter;
import org.scijava.service.AbstractService;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.ImageCalibration;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.LiveView;
import sc.fiji.ncc.command.program.MacroOptions;
import sc.fiji.ncc.command.program.TrackLine;

/** What a front end does by ImageJ 1.x, if it is present. */
public abstract class ImageJ1FrontEnd extends AbstractService implements FrontEnd {

	@Parameter
	protected LogService log;

	@Override
	public ImageInput image(final String title) {
		return ImageJ1.image(title);
	}
	@Override
	public ImageInput image(final Img<?> pixels, final String axes, final ImageCalibration calibration) {
		return ImageJ1.image(pixels, axes, calibration);
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
	public void browse(final String url) {
		ImageJ1.browse(url);
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
}
