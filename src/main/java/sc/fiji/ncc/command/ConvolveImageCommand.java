package sc.fiji.ncc.command;

import java.util.List;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.program.ChosenInput;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.ShownRange;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.Response;

/**
 * Convolves an image with a kernel, which is another image. ImageJ has a command "Convolve..." of its own, so this one has another name. In macros:
 * {@code run("Convolve Image...", "image=[a.tif] kernel=[k.tif] border=mirror");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Convolve Image...", visible = false, headless = true)
public final class ConvolveImageCommand extends ComputingCommand {

	/** Prefix of the titles of convolved images. */
	public static final String RESULT = "Convolution of ";

	@Parameter(label = "Image to convolve", persist = false, description = "An image with 8, 16 or 32 bits per pixel, or an RGB image, whose channels are convolved one by one.")
	private ImageInput image;

	// without autoFill = false SciJava would use the active image if a macro misspells the kernel's title
	@Parameter(label = "Kernel", persist = false, autoFill = false,
		description = "The image of the kernel. A kernel with fewer dimensions than the image runs over every slice. The kernel is not normalised.")
	private ImageInput kernel;

	@Parameter(label = "Sense", persist = false, choices = { "convolution", "correlation" },
		description = SettingWords.SENSE)
	private String sense = "convolution";

	@Parameter(label = "Extent", persist = false, choices = { "same", "valid", "full" },
		description = "same: the size of the image. valid: only where the kernel lies inside the image. full: wherever the kernel touches the image. Default: same.")
	private String extent = "same";

	@Parameter(label = "Border", persist = false, choices = { AUTO, "edge", "mirror", "constant", "undefined" },
		description = "For the extents same and full: the values beyond the image's border. Default: auto, which is edge for same and zeros for full.")
	private String border = AUTO;

	@Parameter(label = "Constant for the border", persist = false, attrs = @Attr(name = Groups.REGION), description = PositionParameters.CONSTANT)
	private double constant = 0;

	@Parameter(label = "Undefined values", persist = false, attrs = @Attr(name = Groups.REGION), choices = { "nan", "0" },
		description = "The value where the kernel covers a NaN or infinite pixel, or reaches beyond the image with the border undefined. Default: nan.")
	private String undefined = "nan";

	@Parameter(label = "Precision", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { SINGLE, "double" },
		description = "Tolerance, relative to the largest pixel times the sum of the kernel's absolute values. single: 1e-6. double: 1e-13; slower."
			+ " Default: single. ImageJ shows and saves 32-bit values in both cases.")
	private String precision = SINGLE;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-convolve-separable", "cpu-convolve-direct", "cpu-convolve-fourier", "cuda-convolve-separable",
		"cuda-convolve-direct", "cuda-convolve-fourier" })
	private String algorithm = AUTO;

	@Parameter(label = "Convolved", type = ItemIO.OUTPUT)
	private Img<?> output;

	@Override
	public Optional<String> missing(final FrontEnd program) {
		if (program.activeImage().isEmpty()) return image == null ? Optional.of(NO_IMAGE) : Optional.empty();
		return kernel != null || program.openImages().size() > 1 ? Optional.empty()
			: Optional.of("Convolve Image needs a kernel: open a second image. " + openImages(program.openImages()));
	}

	@Override
	public String proposed(final FrontEnd program, final String active) {
		return holder(program, active);
	}

	/** Planes, and stacks of slices for an image with as many slices. A kernel has no colours. */
	@Override
	public List<String> preferred(final FrontEnd program, final String active) {
		return program.othersThan(active).stream().filter(title -> !program.image(title).isColor()
			&& List.of("xy", "xyz").contains(program.image(title).axes())).toList();
	}

	@Override
	protected String section() {
		return "user-guide.md#convolve-image";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireImage("image", this.image);
		requireGray("kernel", kernel);
		final ImageInput image = ChosenInput.of(this.image, ChannelChoice.EACH);
		Axes.requireSameSpace(kernel.axes(), image.axes(), "the kernel '" + kernel.name() + "'");
		final RandomAccessibleInterval<?> kernelPixels = kernel.pixels();
		final OrientedImage searched = OrientedImage.of(image, kernelPixels.numDimensions());
		final PositionParameters coverage = new PositionParameters(extent, border, constant, "");
		coverage.note().ifPresent(this::report);
		final Convolution convolution = coverage.set(Convolution.of(kernelPixels), searched.pixels().dimensionsAsLongArray(),
			List.of(kernelPixels.dimensionsAsLongArray()), Optional.empty())
			.compute(computing(precision, algorithm));
		final Response response = convolution.sense(ChoiceText.of("sense", sense, Sense.values())).monitor(monitor)
			.undefined(ChoiceText.undefined(undefined)).convolve(searched.pixels());
		final String name = RESULT + image.name();
		final Provenance provenance = new Provenance(response).with("kernel", kernel.name()).with("extent", extent).with("sense", sense)
			.with("precision", precision);
		final ShownRange range = ShownRange.of(response.images().get(0));
		output = described(response, searched, image, name, range.min(), range.max(), provenance);
		done(provenance.summary());
	}
}
