package sc.fiji.ncc.command;

import java.util.List;
import java.util.stream.Collectors;

import net.imglib2.RandomAccessibleInterval;

import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.NumberOrAuto;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Range;

/** Base of the commands that correlate templates: how much the pixels of a template count, and which pixels of the image are missing. */
public abstract class MaskedCommand extends ComputingCommand {

	// a text, so that a macro can leave it empty
	@Parameter(label = "Weights", persist = false, attrs = { @Attr(name = Keys.TITLE), @Attr(name = Groups.TEMPLATES) }, required = false,
		description = "How much each pixel of a template counts: the title of an open image of the template's size. Its values are 0 or more; only their ratios"
			+ " matter. Pixels of weight 0 do not count. Default: none, all pixels count alike.")
	String weights = "";

	@Parameter(label = "Image mask", persist = false, attrs = { @Attr(name = Keys.TITLE), @Attr(name = Groups.MISSING) }, required = false,
		description = "Which pixels of the searched image are missing: the title of an open image of its size, or of the size of one frame. 0: missing."
			+ " Default: none, no pixel is missing.")
	String imagemask = "";

	@Parameter(label = "NaN in the image", persist = false, attrs = @Attr(name = Groups.MISSING), choices = { "undefined", "missing" },
		description = "undefined: there is no response where a window has a NaN pixel. missing: NaN pixels are left out, as with an image mask. Default: undefined.")
	String nan = "undefined";

	@Parameter(label = "Minimum overlap (0 to 1, or auto)", persist = false, attrs = { @Attr(name = Keys.OR_AUTO), @Attr(name = Groups.MISSING) },
		min = "0", max = "1", required = false,
		description = "The smallest share of the template that must lie inside the image and on present pixels. Default: auto, which is a third with the extent"
			+ " full and with missing pixels, otherwise 0.")
	String minoverlap = AUTO;

	/** The weights of the pixels of each template; null if all count alike. */
	final List<RandomAccessibleInterval<?>> weights(final List<NamedTemplate> templates, final FrontEnd program) {
		final ImageInput image = weights.isBlank() ? null : program.image(weights.trim());
		if (image != null) requireGray("image of weights", image);
		final NamedTemplate common = image == null ? null : NamedTemplate.of(image);
		return templates.stream().<RandomAccessibleInterval<?>> map(t -> (common == null ? t : t.weighted(common)).weights()).collect(Collectors.toList());
	}

	/**
	 * Sets which pixels are missing.
	 *
	 * @param dimensions the number of dimensions of the templates
	 */
	final NormalizedCrossCorrelation setMissing(final NormalizedCrossCorrelation op, final ImageInput image, final int dimensions, final FrontEnd program) {
		NumberOrAuto.of("minoverlap=", minoverlap, Range.SHARE).ifPresent(op::minOverlap);
		final ImageInput mask = mask(program);
		if (mask == null || mask.pixels().numDimensions() <= dimensions) return op.nan(meaning()).imageMask(mask == null ? null : mask.pixels());
		if (!mask.axes().equals(image.axes())) throw new IllegalArgumentException("The image mask '" + mask.name() + "' has the axes " + mask.axes() + ", and the image '"
			+ image.name() + "' has " + image.axes() + ". Choose a mask with the same axes, or of one frame.");
		return op.nan(meaning()).imageMask(OrientedImage.of(mask, dimensions).pixels());
	}

	/** The same for the frames of a stack. */
	final TemplateTracking setMissing(final TemplateTracking op, final FrontEnd program) {
		NumberOrAuto.of("minoverlap=", minoverlap, Range.SHARE).ifPresent(op::minOverlap);
		final ImageInput mask = mask(program);
		return op.nan(meaning()).imageMask(mask == null ? null : mask.pixels());
	}

	private NaNs meaning() {
		return ChoiceText.of("nan", nan, NaNs.values());
	}

	private ImageInput mask(final FrontEnd program) {
		final ImageInput image = imagemask.isBlank() ? null : program.image(imagemask.trim());
		if (image != null) requireGray("image mask", image);
		return image;
	}
}
