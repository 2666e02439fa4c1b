package sc.fiji.ncc.command;

import java.util.Map;

import net.imglib2.Cursor;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.Button;

import sc.fiji.ncc.Axes;
import sc.fiji.ncc.Border;
import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.Extent;
import sc.fiji.ncc.Response;
import sc.fiji.ncc.Sense;
import sc.fiji.ncc.Undefined;
import sc.fiji.ncc.plan.Monitor;

/**
 * Convolves an image with another one. Not called "Convolve...", as ImageJ's own command is, which macros that are about must find:
 * {@code run("Convolve Image...", "image=[a.tif] kernel=[k.tif] border=mirror");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Convolve Image...", headless = true)
public final class ConvolveCommand extends NccCommand {

	/** Leaves the border to the extent: edge for same, zeros for full. */
	private static final String AUTO = "auto";

	@Parameter(label = "Image", persist = false, description = "What to convolve. Pixels of 8, 16 or 32 bits; not RGB.")
	private Img<?> image;

	// without autoFill = false the active image would stand in for a kernel that a macro misspells
	@Parameter(label = "Kernel", persist = false, autoFill = false,
		description = "What to convolve it with. With fewer dimensions than the image, it runs over every slice. Nothing is normalised.")
	private Img<?> kernel;

	@Parameter(label = "Sense", choices = { "convolution", "correlation" },
		description = "convolution: one bright pixel becomes the kernel. correlation: the kernel lies on the image as it is.")
	private String sense = "convolution";

	@Parameter(label = "Extent", choices = { "same", "valid", "full" },
		description = "same: as large as the image. valid: where the kernel fits. full: wherever it touches the image.")
	private String extent = "same";

	@Parameter(label = "Border", choices = { AUTO, "edge", "mirror", "constant", "undefined" },
		description = "How the image goes on, with the extents same and full. auto: with its edge pixels for same, with zeros for full.")
	private String border = AUTO;

	@Parameter(label = "Constant beyond the border", description = "What pixels outside the image read, with the border constant.")
	private double constant = 0;

	@Parameter(label = "Undefined values read", choices = { "nan", "0" },
		description = "What the result holds where the kernel meets a pixel that is NaN or infinite, or does not fit.")
	private String undefined = "nan";

	@Parameter(label = "Threads (0: all)", min = "0", description = "Processors at work; 0 takes all of them.")
	private int threads = 0;

	@Parameter(label = "Help", callback = "help", persist = false, required = false)
	private Button help;

	@Parameter(label = "Convolved", type = ItemIO.OUTPUT)
	private Img<?> output;

	@Override
	protected String section() {
		return "menu.md#convolve-image";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireGray("image", image);
		requireGray("kernel", kernel);
		final Convolution convolution = Convolution.of(kernel).sense(Choice.of("sense", sense, Sense.values()))
			.extent(Choice.of("extent", extent, Extent.values())).monitor(monitor)
			.undefined(Choice.of("undefined", undefined, "0", "nan").equals("0") ? Undefined.ZERO : Undefined.NAN);
		if (threads != 0) convolution.threads(threads);
		if (!border.equals(AUTO)) convolution.border(border());
		final int third = kernel.numDimensions() < 3 ? 2 : third(program);
		final Response response = convolution.convolve(third == 2 ? image : Views.moveAxis(image, third, 2));
		final long[] origin = response.origin();
		final double[] range = range(response.map());
		final Img<FloatType> map = third == 2 ? response.map()
			: ImgView.wrap(Views.moveAxis(response.map(), 2, third), new PlanarImgFactory<>(new FloatType()));
		// the image's own order again; nothing moves along the dimensions in between
		if (third != 2) {
			origin[third] = origin[2];
			origin[2] = 0;
		}
		output = program.describe(map, "Convolution of " + program.name(image), image, origin, range[0], range[1], Map.of());
	}

	/** The image's third dimension in space. */
	private int third(final FrontEnd program) {
		Axes.requireSameSpace(program.axes(kernel), program.axes(image), "the kernel '" + program.name(kernel) + "'");
		return Axes.third(program.axes(image), "The image '" + program.name(image) + "'");
	}

	private Border border() {
		final Border.Kind kind = Choice.of("border", border, Border.Kind.values());
		return kind == Border.Kind.CONSTANT ? Border.constant(constant) : new Border(kind, 0);
	}

	/** The least and the greatest value, which are shown black and white. */
	private static double[] range(final Img<FloatType> map) {
		double least = Double.POSITIVE_INFINITY, most = Double.NEGATIVE_INFINITY;
		for (final Cursor<FloatType> c = map.cursor(); c.hasNext();) {
			final float v = c.next().get();
			if (!(Math.abs(v) <= Float.MAX_VALUE)) continue;
			least = Math.min(least, v);
			most = Math.max(most, v);
		}
		return least < most ? new double[] { least, most } : new double[] { 0, 1 };
	}
}
