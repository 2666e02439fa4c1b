package sc.fiji.ncc.command;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.NumberOrAuto;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Range;

/**
 * The parameters for missing pixels of the image, with their labels and tooltips.
 *
 * @param mask the image mask; null for none
 * @param nan {@code undefined} or {@code missing}
 * @param minOverlap {@code auto}, or a share from 0 to 1
 */
record MissingPixelParameters(ImageInput mask, String nan, String minOverlap) {

	/** The default minimum overlap, see {@link NormalizedCrossCorrelation#minOverlap}. */
	static final String AUTO = "auto";

	static final String MASK_LABEL = "Image mask";
	static final String MASK = "Which pixels of the searched image are missing: the title of an open image of its size, or of the size of one frame. 0: missing."
		+ " Default: none, no pixel is missing.";
	static final String NAN_LABEL = "NaN in the image";
	static final String NAN = "undefined: there is no response where a window has a NaN pixel. missing: NaN pixels are left out, as with an image mask. Default: undefined.";
	static final String OVERLAP_LABEL = "Minimum overlap (0 to 1, or auto)";
	static final String OVERLAP = "The smallest share of the template that must lie inside the image and on present pixels. Default: auto, which is a third with the extent"
		+ " full and with missing pixels, otherwise 0.";

	/**
	 * Sets the parameters.
	 *
	 * @param dimensions the number of dimensions of the templates
	 */
	NormalizedCrossCorrelation set(final NormalizedCrossCorrelation op, final ImageInput image, final int dimensions) {
		NumberOrAuto.of("minoverlap=", minOverlap, Range.SHARE).ifPresent(op::minOverlap);
		return op.nan(meaning()).imageMask(pixels(image, dimensions));
	}

	/** The same for the frames of a stack, along x, y and time. */
	TemplateTracking set(final TemplateTracking op) {
		NumberOrAuto.of("minoverlap=", minOverlap, Range.SHARE).ifPresent(op::minOverlap);
		return op.nan(meaning()).imageMask(mask == null ? null : mask.pixels());
	}

	private NaNs meaning() {
		return ChoiceText.of("nan", nan, NaNs.values());
	}

	/** The mask with the dimensions of a frame first. */
	private RandomAccessibleInterval<?> pixels(final ImageInput image, final int dimensions) {
		if (mask == null) return null;
		if (mask.pixels().numDimensions() <= dimensions) return mask.pixels();
		if (!mask.axes().equals(image.axes())) throw new IllegalArgumentException("The image mask '" + mask.name() + "' has the axes " + mask.axes() + ", and the image '"
			+ image.name() + "' has " + image.axes() + ". Choose a mask with the same axes, or of one frame.");
		return OrientedImage.of(mask, dimensions).pixels();
	}
}
