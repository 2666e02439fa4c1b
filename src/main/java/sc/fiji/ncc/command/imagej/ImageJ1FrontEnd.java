package sc.fiji.ncc.command.imagej;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;

import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.gui.Roi;
import ij.plugin.frame.RoiManager;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

import org.scijava.log.LogService;
import org.scijava.plugin.Parameter;
import org.scijava.service.AbstractService;

import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.LiveView;
import sc.fiji.ncc.command.program.MacroOptions;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.command.program.TrackLine;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.Table;

/**
 * What a front end does by ImageJ 1.x, if it is present. No method has a type of ImageJ 1.x as a parameter, also no lambda: SciJava lists
 * all methods.
 */
public abstract class ImageJ1FrontEnd extends AbstractService implements FrontEnd {

	private static final boolean PRESENT = ImageJ1.isPresent();
	/** Title of ImageJ's window of log lines. */
	private static final String LOG = "Log";

	@Parameter
	protected LogService log;

	/** Whether there are no windows. */
	protected abstract boolean isHeadless();

	@Override
	public final boolean isInteractive() {
		return !isHeadless() && macro().isEmpty();
	}

	@Override
	public ImageInput image(final String title) {
		return ImageJ1.image(title);
	}

	@Override
	public ImageInput image(final Img<?> pixels, final String axes, final Calibration calibration) {
		return new ScriptImage(pixels, axes, calibration);
	}

	@Override
	public List<ImageInput> folder(final String path) {
		return ImageJ1.folder(path);
	}

	@Override
	public boolean hasRegions() {
		final ImagePlus imp = PRESENT ? WindowManager.getCurrentImage() : null;
		return imp != null && (imp.getOverlay() != null && imp.getOverlay().size() > 0 || RoiManager.getInstance() != null
			&& RoiManager.getInstance().getCount() > 0);
	}

	@Override
	public Optional<String> activeImage() {
		return PRESENT ? Optional.ofNullable(WindowManager.getCurrentImage()).map(ImagePlus::getTitle) : Optional.empty();
	}

	@Override
	public boolean isActiveSelected() {
		final Roi roi = PRESENT && WindowManager.getCurrentImage() != null ? WindowManager.getCurrentImage().getRoi() : null;
		return roi != null && roi.isArea();
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
	public void show(final Table table, final boolean append) {
		final boolean shown = ImageJ1.show(table, append, isInteractive());
		// without windows, only a macro can read ImageJ's table
		if (!shown || isHeadless() && macro().isEmpty()) log.info(table.toString());
	}

	/** Images need windows in ImageJ 1.x, except with Fiji's patch. */
	private static boolean showsImages() {
		return PRESENT && (ImageJ2.patchesImageJ1() || ImageJPlot.isPossible());
	}

	@Override
	public void show(final String title, final BufferedImage picture, final Calibration calibration) {
		if (showsImages()) FreePlace.show(ImageJImage.of(picture, ImageJ1.unique(title), calibration));
		else log.warn("Cannot show " + title + ": there are no windows, or ImageJ is not present.");
	}

	@Override
	public void open(final Img<? extends RealType<?>> map, final MapDescription description) {
		if (!showsImages()) {
			log.debug("Cannot show " + description.name() + ": ImageJ is not present.");
			return;
		}
		final ImagePlus image = ImageJImage.of(map, description);
		image.setTitle(ImageJ1.unique(image.getTitle()));
		FreePlace.show(image);
	}

	@Override
	public void show(final Graph graph) {
		if (PRESENT && ImageJPlot.isPossible()) ImageJPlot.show(graph);
		else log.info(NO_PLOT);
	}

	@Override
	public LiveView live(final ImageInput image) {
		return PRESENT ? new ImageJLive(image.live(), WindowManager.getImage(image.name())) : new LiveView() {};
	}

	@Override
	public void note(final String line) {
		if (!PRESENT) {
			log.info(line);
			return;
		}
		final boolean isOpen = WindowManager.getWindow(LOG) != null;
		IJ.log(line);
		if (!isOpen) FreePlace.move(WindowManager.getWindow(LOG), WindowManager.getCurrentImage());
	}

	@Override
	public void browse(final String url) {
		if (PRESENT) IJ.runPlugIn("ij.plugin.BrowserLauncher", url);
	}

	@Override
	public Optional<MacroOptions> macro() {
		if (!PRESENT || !IJ.isMacro()) return Optional.empty();
		final String options = Macro.getOptions();
		return Optional.of(new MacroOptions(options == null ? "" : options));
	}

	@Override
	public void forgetEscape() {
		if (PRESENT) IJ.resetEscape();
	}

	@Override
	public boolean escapePressed() {
		return PRESENT && IJ.escapePressed();
	}
}
