package sc.fiji.ncc.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.Axes;
import sc.fiji.ncc.Border;
import sc.fiji.ncc.Extent;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.Response;
import sc.fiji.ncc.Undefined;
import sc.fiji.ncc.plan.Monitor;

/**
 * Correlates an image with a template. In macros a parameter's key is its name, which is the first word of its label:
 * {@code run("Normalized Cross-Correlation...", "image=[a.tif] template=[b.tif] extent=valid");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Normalized Cross-Correlation...", headless = true)
public final class NormalizedCrossCorrelationCommand extends NccCommand {

	/** Leaves the border to the extent: undefined for same, overlap for full. */
	private static final String AUTO = "auto";

	@Parameter(label = "Image", persist = false, description = "Where to look. Pixels of 8, 16 or 32 bits; not RGB.")
	private Img<?> image;

	// without autoFill = false the active image would stand in for a template that a macro misspells
	@Parameter(label = "Template", persist = false, autoFill = false,
		description = "What to look for. With fewer dimensions than the image, it is looked for in every slice.")
	private Img<?> template;

	@Parameter(label = "Extent", choices = { "valid", "same", "full" },
		description = "valid: where the template fits. same: as large as the image, each value at the template's centre. full: wherever they overlap.")
	private String extent = "valid";

	@Parameter(label = "Border", choices = { AUTO, "undefined", "mirror", "constant", "overlap" },
		description = "What stands where the template does not fit, with the extents same and full. auto: undefined for same, overlap for full.")
	private String border = AUTO;

	@Parameter(label = "Constant beyond the border", description = "What pixels outside the image read, with the border constant.")
	private double constant = 0;

	@Parameter(label = "Undefined values read", choices = { "0", "nan" },
		description = "What the map holds where the image is flat under the template.")
	private String undefined = "0";

	@Parameter(label = "Threads (0: all)", min = "0", description = "Processors at work; 0 takes all of them.")
	private int threads = 0;

	@Parameter(label = "Backend", choices = { "auto", "cpu" }, description = "Where to compute. auto takes the fastest.")
	private String backend = "auto";

	@Parameter(label = "Correlation", type = ItemIO.OUTPUT)
	private Img<?> output;

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireGray("image", image);
		requireGray("template", template);
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(template).extent(choice("extent", extent, Extent.values()))
			.undefined(choice("undefined", undefined, "0", "nan").equals("0") ? Undefined.ZERO : Undefined.NAN).backend(backend).monitor(monitor);
		if (threads != 0) correlation.threads(threads);
		if (!border.equals(AUTO)) correlation.border(border());
		final int third = template.numDimensions() < 3 ? 2 : third(program);
		final Response response = correlation.correlate(third == 2 ? image : Views.moveAxis(image, third, 2));
		final long[] origin = response.origin();
		final Img<FloatType> map = third == 2 ? response.map()
			: ImgView.wrap(Views.moveAxis(response.map(), 2, third), new PlanarImgFactory<>(new FloatType()));
		// the image's own order again; nothing moves along the dimensions in between
		if (third != 2) {
			origin[third] = origin[2];
			origin[2] = 0;
		}
		output = program.describe(map, "NCC of " + program.name(image), image, origin, -1, 1);
	}

	/** The image's third dimension in space. */
	private int third(final FrontEnd program) {
		Axes.requireSameSpace(program.axes(template), program.axes(image), "the template '" + program.name(template) + "'");
		return Axes.third(program.axes(image), "The image '" + program.name(image) + "'");
	}

	private Border border() {
		final Border.Kind kind = choice("border", border, Border.Kind.values());
		return kind == Border.Kind.CONSTANT ? Border.constant(constant) : new Border(kind, 0);
	}

	/** The value of that name in lower case: a macro may say anything. */
	@SafeVarargs
	private static <E> E choice(final String key, final String name, final E... values) {
		final List<String> names = Arrays.stream(values).map(value -> value.toString().toLowerCase(Locale.ROOT)).collect(Collectors.toList());
		final int index = names.indexOf(name.toLowerCase(Locale.ROOT));
		if (index < 0) throw new IllegalArgumentException("There is no " + key + " '" + name + "'. There are: " + String.join(", ", names) + ".");
		return values[index];
	}
}
