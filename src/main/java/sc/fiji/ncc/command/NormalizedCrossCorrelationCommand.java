package sc.fiji.ncc.command;

import java.util.List;

import net.imglib2.img.Img;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.result.Response;

/**
 * Correlates an image with a template. The key of a parameter in macros is the name of its field:
 * {@code run("Normalized Cross-Correlation...", "image=[a.tif] template=[b.tif] extent=valid");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Normalized Cross-Correlation...", visible = false, headless = true)
public final class NormalizedCrossCorrelationCommand extends CorrelationCommand {

	/** Prefix of the titles of correlation maps. */
	public static final String MAP = "NCC of ";

	@Parameter(label = PositionParameters.SEARCH_LABEL, persist = false, required = false, description = PositionParameters.SEARCH)
	private String search = "";

	@Parameter(label = PositionParameters.EXTENT_LABEL, persist = false, choices = { "valid", "same", "full" }, description = PositionParameters.EXTENT)
	private String extent = "valid";

	@Parameter(label = "Border", persist = false, choices = { AUTO, "undefined", "mirror", "edge", "constant", "overlap" },
		description = PositionParameters.BORDER)
	private String border = AUTO;

	@Parameter(label = "Constant for the border", persist = false, attrs = @Attr(name = Groups.REGION), description = PositionParameters.CONSTANT)
	private double constant = 0;

	@Parameter(label = "Undefined values", persist = false, attrs = @Attr(name = Groups.REGION), choices = { "0", "nan" },
		description = "The value of the map where all pixels under the template are equal. Default: 0.")
	private String undefined = "0";

	@Parameter(label = "Type of responses", persist = false, attrs = @Attr(name = Groups.RESULTS), choices = { FLOAT, "16-bit", "8-bit" },
		description = "16-bit and 8-bit: whole numbers, with an error of at most 0.000016 or 0.004, and the calibration by which ImageJ shows the "
			+ "coefficients. Default: float.")
	private String responsetype = FLOAT;

	@Parameter(label = "Precision", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { SINGLE, "double" },
		description = PRECISION)
	private String precision = SINGLE;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-direct-exact", "cpu-direct", "cpu-fourier", "cpu-fourier-whole", "cpu-fourier-partitioned",
		"cuda-small-shifts", "cuda-direct-exact", "cuda-direct", "cuda-fourier", "cuda-fourier-tiles", "cuda-handbook-constant",
		"cuda-handbook-texture" })
	private String algorithm = AUTO;

	@Parameter(label = "Correlation", type = ItemIO.OUTPUT)
	private Img<?> output;

	@Override
	protected String section() {
		return "user-guide.md#normalized-cross-correlation";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		final String name = MAP + image().name();
		final List<NamedTemplate> templates = List.of(template(program));
		final OrientedImage searched = searched(templates);
		final PositionParameters coverage = new PositionParameters(extent, border, constant, search);
		coverage.note().ifPresent(this::report);
		final Response response = correlation(templates, searched, coverage,
			computing(precision, algorithm), program, monitor)
			.responseType(ChoiceText.of("responsetype", responsetype, ResponseType.values())).undefined(ChoiceText.undefined(undefined))
			.correlate(searched.pixels());
		final Provenance provenance = new Provenance(response).with("template", templates.get(0).name()).with("extent", extent)
			.with("precision", precision).with("responsetype", responsetype);
		if (!imagemask.isBlank()) provenance.with("imagemask", imagemask.trim());
		if (!weights.isBlank()) provenance.with("weights", weights.trim());
		output = described(response, searched, image(), name, -1, 1, provenance);
		done(provenance.summary());
	}
}
