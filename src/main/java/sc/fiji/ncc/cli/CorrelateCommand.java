package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Response;

/** {@code ncc correlate}: a picture and a template to the correlation image. */
@Command(name = "correlate", mixinStandardHelpOptions = true, versionProvider = Main.Version.class, description = {
	"Correlates IMAGE with a template and writes the correlation coefficient of every lag, in [-1, 1], as a 32-bit TIFF file.",
	"Pixel size, unit and the order of dimensions are kept; the origin moves with the map's first pixel." })
final class CorrelateCommand implements Callable<Integer> {

	private final Main program;

	@Mixin
	private CommonOptions common;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "MAP.tif", description = "Where the correlation image goes. What stands there is replaced.")
	private String output;

	@Option(names = "--picture", paramLabel = "MAP.png", description = {
		"Write the map as a gray picture, too: 0 for coefficients of 0 and below, 255 for 1, linear between.",
		"Of more than one plane, name a .tif file: it becomes an 8-bit stack." })
	private String picture;

	CorrelateCommand(final Main program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		common.check();
		try (Outputs outputs = new Outputs(); Progress progress = program.progress(outputs::canceled)) {
			final Path map = outputs.promise(output, common.files());
			final Path gray = picture == null ? null : outputs.promise(picture, common.files());
			final CommonOptions.Inputs inputs = common.read(progress, program.out());
			final Picture image = inputs.image();
			final MapWriter writer = new MapWriter(common.responses(inputs), image.axes(), output, picture);
			final Response response = inputs.correlation().correlate(image.pixels());
			progress.close();
			writer.write(response, image.calibration(), outputs, map, gray);
			outputs.commit();
			program.out().println(summary(response) + ": " + output + (picture == null ? "" : ", " + picture));
		}
		return 0;
	}

	/** One line: how many responses, and what became of them. */
	static String summary(final Response response) {
		final String method = response.ranking().best().map(c -> c.name()).orElse("?");
		return String.format(Locale.ROOT, "%d responses (%d undefined) by %s in %.1f ms", response.report().responses(), response.report().undefined(),
			method, 1e3 * response.seconds());
	}
}
