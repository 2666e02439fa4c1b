package sc.fiji.ncc.command;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

import net.imglib2.RandomAccessibleInterval;

import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;

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
		description = "undefined: there is no response where a window has a NaN pixel. missing: NaN pixels are left out, as with an image mask. Default: "
			+ "undefined.")
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
		return templates.stream().<RandomAccessibleInterval<?>> map(t -> (common == null ? t : t.weighted(common)).weights()).toList();
	}

	/**
	 * Sets which pixels are missing, by the setters of an operation.
	 *
	 * @param image the searched image; null if the mask is for frames of a stack
	 * @param dimensions the number of dimensions of the templates
	 */
	final void setMissing(final DoubleConsumer share, final Consumer<NaNs> meaning, final Consumer<RandomAccessibleInterval<?>> setMask,
		final ImageInput image, final int dimensions, final FrontEnd program)
	{
		NumberOrAuto.of("minoverlap=", minoverlap, Range.SHARE).ifPresent(share);
		meaning.accept(ChoiceText.of("nan", nan, NaNs.values()));
		if (imagemask.isBlank()) return;
		final ImageInput mask = program.image(imagemask.trim());
		requireGray("image mask", mask);
		final boolean whole = image != null && mask.pixels().numDimensions() > dimensions;
		if (whole && !mask.axes().equals(image.axes()))
			throw new IllegalArgumentException("The image mask '" + mask.name() + "' has the axes " + mask.axes()
			+ ", and the image '" + image.name() + "' has " + image.axes() + ". Choose a mask with the same axes, or of one frame.");
		setMask.accept(whole ? OrientedImage.of(mask, dimensions).pixels() : mask.pixels());
	}
}
