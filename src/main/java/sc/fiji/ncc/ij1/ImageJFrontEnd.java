package sc.fiji.ncc.ij1;

import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import net.imglib2.img.Img;
import net.imglib2.imagej.ImagePlusToImg;
import net.imglib2.imagej.RAIToImagePlus;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.RealType;

import org.scijava.log.LogService;
import org.scijava.plugin.Parameter;
import org.scijava.service.AbstractService;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.measure.Calibration;

import sc.fiji.ncc.command.Box;
import sc.fiji.ncc.command.FrontEnd;
import sc.fiji.ncc.command.Graph;
import sc.fiji.ncc.command.ImageJ1;
import sc.fiji.ncc.command.ImageJImage;
import sc.fiji.ncc.command.ImageJRegions;
import sc.fiji.ncc.command.MacroOptions;
import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.Region;
import sc.fiji.ncc.command.Selection;
import sc.fiji.ncc.command.Space;
import sc.fiji.ncc.command.Table;
import sc.fiji.ncc.command.Way;

/** Plain ImageJ 1.x for one run of a command. Not a plugin: Fiji has its own. Remembers which image is behind which pixels. */
public final class ImageJFrontEnd extends AbstractService implements FrontEnd {

	@Parameter
	private LogService log;

	private final Map<Img<?>, ImagePlus> images = new IdentityHashMap<>();

	/** Dimensions of size 1 beyond the second are left out. One open image always has the same pixels. */
	@Override
	public Img<?> image(final String title) {
		ImagePlus found = null;
		final int[] ids = WindowManager.getIDList();
		for (final int id : ids == null ? new int[0] : ids) {
			final ImagePlus candidate = WindowManager.getImage(id);
			if (!candidate.getTitle().equals(title)) continue;
			if (found != null) throw new IllegalArgumentException(NccCommand.twice(title));
			found = candidate;
		}
		if (found == null) throw new IllegalArgumentException(NccCommand.noImage(title, openImages()));
		if (found.getType() == ImagePlus.COLOR_256) throw new IllegalArgumentException("'" + title
			+ "' is an 8-bit colour image, whose pixels are numbers of colours. Convert it with Image > Type > 8-bit.");
		for (final Map.Entry<Img<?>, ImagePlus> known : images.entrySet()) if (known.getValue() == found) return known.getKey();
		// wrapping a virtual stack would read all of it
		final Img<?> pixels = VirtualPlanes.are(found) ? VirtualPlanes.of(found) : ImagePlusToImg.wrapDirect(found);
		images.put(pixels, found);
		return pixels;
	}

	/** The image to show for pixels that a command made. */
	ImagePlus imagePlus(final Img<?> pixels) {
		return images.get(pixels);
	}

	@Override
	public String name(final Img<?> image) {
		return images.get(image).getTitle();
	}

	@Override
	public boolean isColor(final Img<?> image) {
		return image.getType() instanceof ARGBType;
	}

	@Override
	public String axes(final Img<?> image) {
		return ImageJImage.axes(images.get(image));
	}

	@Override
	public Space space(final Img<?> image) {
		return ImageJImage.space(images.get(image));
	}

	@Override
	public Optional<Selection> selection(final Img<?> image) {
		return ImageJImage.selection(images.get(image), axes(image));
	}

	@Override
	public List<Region> managed(final Img<?> image) {
		return ImageJRegions.managed(images.get(image), axes(image));
	}

	@Override
	public List<Region> overlay(final Img<?> image) {
		return ImageJRegions.overlay(images.get(image), axes(image));
	}

	@Override
	public long[] shown(final Img<?> image) {
		return ImageJImage.plane(images.get(image), axes(image));
	}

	@Override
	public boolean hasArea(final Img<?> image) {
		return ImageJImage.hasArea(images.get(image));
	}

	@Override
	public boolean isSame(final Img<?> a, final Img<?> b) {
		return a == b;
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
		throw new IllegalStateException("the dialog of plain ImageJ has a button of its own");
	}

	@Override
	public List<String> openImages() {
		return List.of(WindowManager.getImageTitles());
	}

	@Override
	public <T extends NativeType<T> & RealType<T>> Img<T> describe(final Img<T> map, final String name, final Img<?> source, final long[] origin,
		final double min, final double max, final Map<String, String> properties)
	{
		final ImagePlus from = images.get(source);
		final ImagePlus imp = new ImagePlus(name, planes(map));
		final Calibration calibration = from.getCalibration().copy();
		calibration.disableDensityCalibration();
		calibration.xOrigin -= origin[0];
		calibration.yOrigin -= origin[1];
		// the image's channels, slices and frames are its further dimensions, where there is more than one of them
		final int[] sizes = { from.getNChannels(), from.getNSlices(), from.getNFrames() };
		for (int i = 0, d = 2; i < sizes.length; i++) {
			if (sizes[i] == 1) continue;
			if (i == 1) calibration.zOrigin -= origin[d];
			sizes[i] = Math.toIntExact(map.dimension(d++));
		}
		imp.setDimensions(sizes[0], sizes[1], sizes[2]);
		imp.setOpenAsHyperStack(imp.getNDimensions() > 3);
		imp.setCalibration(calibration);
		imp.setDisplayRange(min, max);
		ImageJImage.describe(imp, properties);
		images.put(map, imp);
		return map;
	}

	/** Planes of their own in 32 bits, not the virtual stack that wrapping alone gives, so that they can be edited. */
	private static <T extends NativeType<T> & RealType<T>> ImageStack planes(final Img<T> map) {
		final ImageStack wrapped = RAIToImagePlus.wrap(map, "").getStack();
		final ImageStack planes = new ImageStack(wrapped.getWidth(), wrapped.getHeight());
		for (int i = 1; i <= wrapped.getSize(); i++) planes.addSlice(wrapped.getProcessor(i));
		return planes;
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
	public void mark(final Img<?> image, final List<Box> boxes, final List<Way> ways, final boolean manager) {
		if (!ImageJImage.mark(images.get(image), boxes, ways, manager)) log.warn(NO_ROI_MANAGER);
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

	/** Nothing here: {@link NccPlugIn} ends the macro, with the reason. */
	@Override
	public boolean abortMacro(final String reason) {
		return false;
	}
}
