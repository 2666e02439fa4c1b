package sc.fiji.ncc.command;

import java.util.List;
import java.util.Optional;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.ItemIO;
import org.scijava.ItemVisibility;
import org.scijava.command.Command;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.Button;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.Response;

/**
 * Convolves an image with another one. Not called "Convolve...", as ImageJ's own command is, which macros that are about must find:
 * {@code run("Convolve Image...", "image=[a.tif] kernel=[k.tif] border=mirror");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Convolve Image...", headless = true)
public final class ConvolveImageCommand extends NccCommand {

	/** What the names of convolved images begin with. */
	public static final String RESULT = "Convolution of ";

	@Parameter(visibility = ItemVisibility.MESSAGE, persist = false, required = false)
	private String searched = "";

	@Parameter(label = "Image to convolve", persist = false, description = "What to convolve. Pixels of 8, 16 or 32 bits; not RGB.")
	private ImageInput image;

	// without autoFill = false the active image would stand in for a kernel that a macro misspells
	@Parameter(label = "Kernel", persist = false, autoFill = false, initializer = "proposeKernel",
		description = "What to convolve it with. With fewer dimensions than the image, it runs over every slice. Nothing is normalised.")
	private ImageInput kernel;

	@Parameter(label = "Sense", persist = false, choices = { "convolution", "correlation" },
		description = "convolution: one bright pixel becomes the kernel. correlation: the kernel lies on the image as it is.")
	private String sense = "convolution";

	@Parameter(label = "Extent", persist = false, choices = { "same", "valid", "full" },
		description = "same: as large as the image. valid: where the kernel fits. full: wherever it touches the image.")
	private String extent = "same";

	@Parameter(label = "Border", persist = false, choices = { Coverage.AUTO, "edge", "mirror", "constant", "undefined" },
		description = "For the extents same and full: how the image is continued beyond its edge. Default: auto, which is edge for same and zeros for full.")
	private String border = Coverage.AUTO;

	@Parameter(label = "Constant for the border", persist = false, description = Coverage.CONSTANT)
	private double constant = 0;

	@Parameter(label = "Undefined values are", persist = false, choices = { "nan", "0" },
		description = "What the result holds where the kernel meets a pixel that is NaN or infinite, or does not fit.")
	private String undefined = "nan";

	@Parameter(label = "Advanced...", callback = "advanced", persist = false, required = false, description = Computing.ADVANCED)
	private Button advanced;

	@Parameter(label = "Precision", persist = false, choices = { Computing.SINGLE, "double" },
		description = "single: 32-bit numbers, within 1e-6 of the greatest value times the kernel's sum of magnitudes. double: 64-bit numbers, within 1e-13 of it; slower."
			+ " ImageJ's windows and files hold 32 bits of either.")
	private String precision = Computing.SINGLE;

	@Parameter(label = "Backend", persist = false, choices = { Computing.AUTO, "cpu", "cuda" }, description = Computing.BACKEND)
	private String backend = Computing.AUTO;

	@Parameter(label = "Algorithm", persist = false, description = Computing.ALGORITHM, choices = { Computing.AUTO, "cpu-convolve-separable", "cpu-convolve-direct", "cpu-convolve-fourier", "cpu-convolve-separable-double",
		"cpu-convolve-direct-double", "cpu-convolve-fourier-double", "cuda-convolve-separable", "cuda-convolve-direct", "cuda-convolve-fourier" })
	private String algorithm = Computing.AUTO;

	@Parameter(label = "Effort", persist = false, choices = { "estimate", "measure" }, description = Computing.EFFORT)
	private String effort = "estimate";

	@Parameter(label = "Threads (0: all)", persist = false, min = "0", description = Computing.THREADS)
	private int threads = 0;

	@Parameter(label = "Help", callback = "help", persist = false, required = false)
	private Button help;

	@Parameter(label = "Convolved", type = ItemIO.OUTPUT)
	private Img<?> output;

	/** What a dialog shows first: not the image itself. */
	@SuppressWarnings("unused") // SciJava calls it
	private void proposeKernel() {
		if (kernel != null || !program().isInteractive() || program().activeImage().isEmpty()) return;
		program().othersThan(program().activeImage().get()).stream().findFirst().ifPresent(title -> kernel = program().image(title));
	}

	@Override
	public Optional<String> missing(final FrontEnd program) {
		if (program.activeImage().isEmpty()) return image == null ? Optional.of(NO_IMAGE) : Optional.empty();
		return kernel != null || program.openImages().size() > 1 ? Optional.empty()
			: Optional.of("Convolve Image needs a second open image as the kernel. " + openImages(program.openImages()));
	}

	@Override
	protected String section() {
		return "user-guide.md#convolve-image";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireGray("image", image);
		requireGray("kernel", kernel);
		Axes.requireSameSpace(kernel.axes(), image.axes(), "the kernel '" + kernel.name() + "'");
		final Img<?> taps = kernel.pixels();
		final OrientedImage searched = OrientedImage.of(image, taps.numDimensions());
		final Coverage coverage = new Coverage(extent, border, constant, "");
		final Convolution convolution = coverage.set(Convolution.of(taps), searched.pixels().dimensionsAsLongArray(), List.of(taps.dimensionsAsLongArray()), Optional.empty())
			.compute(new Computing(precision, backend, algorithm, effort, threads).options());
		final Response response = convolution.sense(Choice.of("sense", sense, Sense.values())).monitor(monitor)
			.undefined(Choice.of("undefined", undefined, "0", "nan").equals("0") ? Undefined.ZERO : Undefined.NAN).convolve(searched.pixels());
		final String name = RESULT + image.name();
		final Provenance provenance = new Provenance(response).with("kernel", kernel.name()).with("extent", extent).with("sense", sense)
			.with("precision", precision);
		output = response.maps().isEmpty() ? described(response.doubleMap(), name, searched, response, provenance)
			: described(response.map(), name, searched, response, provenance);
		done(provenance.summary(name));
	}

	private <T extends NativeType<T> & RealType<T>> Img<T> described(final Img<T> map, final String name, final OrientedImage searched, final Response response,
		final Provenance provenance)
	{
		final double[] range = range(map);
		return described(searched.back(map), new MapDescription(name, image, searched.back(response.origin()), range[0], range[1], provenance.properties()));
	}

	/** The least and the greatest value, which are shown black and white. */
	private static double[] range(final Img<? extends RealType<?>> map) {
		double least = Double.POSITIVE_INFINITY, most = Double.NEGATIVE_INFINITY;
		for (final RealType<?> pixel : map) {
			final double v = pixel.getRealDouble();
			if (!(Math.abs(v) <= Float.MAX_VALUE)) continue;
			least = Math.min(least, v);
			most = Math.max(most, v);
		}
		return least < most ? new double[] { least, most } : new double[] { 0, 1 };
	}
}
