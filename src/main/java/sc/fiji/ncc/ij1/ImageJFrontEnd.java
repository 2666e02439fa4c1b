package sc.fiji.ncc.ij1;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import net.imglib2.img.Img;
import net.imglib2.imagej.ImagePlusToImg;
import net.imglib2.imagej.RAIToImagePlus;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.real.FloatType;

import org.scijava.service.AbstractService;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.measure.Calibration;

import sc.fiji.ncc.command.FrontEnd;
import sc.fiji.ncc.command.NccCommand;

/** Plain ImageJ 1.x for one run of a command. Not a plugin: Fiji has its own. Remembers which image is behind which pixels. */
public final class ImageJFrontEnd extends AbstractService implements FrontEnd {

	private final Map<Img<?>, ImagePlus> images = new IdentityHashMap<>();

	/**
	 * The pixels of an open image, shared and not copied; dimensions of size 1 beyond the second are left out.
	 *
	 * @throws IllegalArgumentException if there is not exactly one of that title, or its pixels cannot be read as numbers
	 */
	Img<?> image(final String title) {
		ImagePlus found = null;
		final int[] ids = WindowManager.getIDList();
		for (final int id : ids == null ? new int[0] : ids) {
			final ImagePlus candidate = WindowManager.getImage(id);
			if (!candidate.getTitle().equals(title)) continue;
			if (found != null) throw new IllegalArgumentException("Two open images are called '" + title + "'. Rename one of them first.");
			found = candidate;
		}
		if (found == null) throw new IllegalArgumentException("No open image is called '" + title + "'. " + NccCommand.openImages(openImages()));
		if (found.getType() == ImagePlus.COLOR_256) throw new IllegalArgumentException("'" + title
			+ "' is an 8-bit colour image, whose pixels are numbers of colours. Convert it with Image > Type > 8-bit.");
		final Img<?> pixels = ImagePlusToImg.wrapDirect(found);
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
		final ImagePlus imp = images.get(image);
		return "xy" + (imp.getNChannels() > 1 ? "c" : "") + (imp.getNSlices() > 1 ? "z" : "") + (imp.getNFrames() > 1 ? "t" : "");
	}

	@Override
	public List<String> openImages() {
		return List.of(WindowManager.getImageTitles());
	}

	@Override
	public Img<FloatType> describe(final Img<FloatType> map, final String name, final Img<?> source, final long[] origin,
		final double min, final double max)
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
		images.put(map, imp);
		return map;
	}

	/** Planes of their own, not the virtual stack that wrapping alone gives, so that they can be edited. */
	private static ImageStack planes(final Img<FloatType> map) {
		final ImageStack wrapped = RAIToImagePlus.wrap(map, "").getStack();
		final ImageStack planes = new ImageStack(wrapped.getWidth(), wrapped.getHeight());
		for (int i = 1; i <= wrapped.getSize(); i++) planes.addSlice(wrapped.getProcessor(i));
		return planes;
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
