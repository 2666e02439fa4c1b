package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Best;
import sc.fiji.ncc.Response;
import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;

/** {@code ncc correlate}: a picture and templates to their correlation images, or to the best of them. */
@Command(name = "correlate", mixinStandardHelpOptions = true, versionProvider = Main.Version.class, description = {
	"Correlates IMAGE with a template and writes the correlation coefficient of every lag, in [-1, 1], as a 32-bit TIFF file.",
	"Pixel size, unit and the order of dimensions are kept; the origin moves with the map's first pixel.",
	"With several templates it writes one map for each, MAP-1.tif, MAP-2.tif and so on in their order; with --best only the greatest coefficient of each lag." })
final class CorrelateCommand implements Callable<Integer> {

	/** Numbers of templates are written in at most 16 bits. */
	private static final int MOST_TEMPLATES = 65_535;

	private final Main program;

	@Mixin
	private CommonOptions common;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "MAP.tif", description = "Where the correlation image goes. What stands there is replaced.")
	private String output;

	@Option(names = "--picture", paramLabel = "MAP.png", description = {
		"Write the map as a gray picture, too: 0 for coefficients of 0 and below, 255 for 1, linear between. With several templates it is numbered as the maps are.",
		"Of more than one plane, name a .tif file: it becomes an 8-bit stack." })
	private String picture;

	@Option(names = "--best", description = {
		"Of several templates write the greatest coefficient of each lag. Their maps must be of one size: with extent valid the templates, too; with same they may differ." })
	private boolean best;

	@Option(names = "--which", paramLabel = "WHICH.tif", description = {
		"With --best, write the number of the template that each coefficient is of, too, counted from 1 in their order; 0 where there is no coefficient.",
		"8 bits a pixel, 16 for more than 255 templates. Of equal coefficients the first template's counts." })
	private String which;

	CorrelateCommand(final Main program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		common.check();
		if (which != null && !best) throw new IllegalArgumentException("--which " + which + " says of which template the best coefficient is: give --best, too");
		if (which != null && !MapWriter.tiff(which)) throw new IllegalArgumentException("the numbers " + which + " would be a TIFF file: let its name end in .tif");
		if (best && common.templates.size() > MOST_TEMPLATES)
			throw new IllegalArgumentException(common.templates.size() + " templates for --best: give at most " + MOST_TEMPLATES);
		try (Outputs outputs = new Outputs(); Progress progress = program.progress(outputs::canceled)) {
			if (best) best(outputs, progress);
			else each(outputs, progress);
		}
		return 0;
	}

	/** One map a template. */
	private void each(final Outputs outputs, final Progress progress) throws IOException {
		final int count = Math.max(1, common.templates.size());
		final List<Path> maps = new ArrayList<>(), pictures = new ArrayList<>();
		for (int t = 0; t < count; t++) {
			maps.add(outputs.promise(name(output, t, count), common.files()));
			pictures.add(picture == null ? null : outputs.promise(name(picture, t, count), common.files()));
		}
		final CommonOptions.Inputs inputs = common.read(progress, program.out());
		final Picture image = inputs.image();
		final List<MapWriter> writers = new ArrayList<>();
		for (int t = 0; t < count; t++) writers.add(new MapWriter(common.responses(inputs, t), image.axes(), output, picture));
		final Response response = inputs.correlation().correlate(image.pixels());
		progress.close();
		final List<String> written = new ArrayList<>();
		for (int t = 0; t < count; t++) {
			writers.get(t).write(response.maps().get(t), response.origins().get(t), image.calibration(), outputs, maps.get(t), pictures.get(t));
			written.add(name(output, t, count));
			if (picture != null) written.add(name(picture, t, count));
		}
		outputs.commit();
		program.out().println(summary(response) + ": " + String.join(", ", written));
	}

	/** {@code map-2.tif}, the second one's; {@code map.tif} if there is but one. */
	private static String name(final String name, final int index, final int count) {
		if (count == 1) return name;
		final int dot = name.lastIndexOf('.');
		final int end = dot > Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) ? dot : name.length();
		return name.substring(0, end) + '-' + (index + 1) + name.substring(end);
	}

	private void best(final Outputs outputs, final Progress progress) throws IOException {
		final Path map = outputs.promise(output, common.files());
		final Path gray = picture == null ? null : outputs.promise(picture, common.files());
		final Path numbers = which == null ? null : outputs.promise(which, common.files());
		final CommonOptions.Inputs inputs = common.read(progress, program.out());
		final Picture image = inputs.image();
		final MapWriter writer = new MapWriter(common.responses(inputs, 0), image.axes(), output, picture);
		final Best found = inputs.correlation().best(image.pixels());
		progress.close();
		writer.write(found.score(), found.origin(), image.calibration(), outputs, map, gray);
		if (numbers != null) writer.writeNumbers(found.which(), found.origin(), image.calibration(), outputs, numbers);
		outputs.commit();
		program.out().println(summary(found.report(), found.rankings(), found.seconds()) + ": " + output + (picture == null ? "" : ", " + picture)
			+ (which == null ? "" : ", " + which));
	}

	/** One line: how many responses, and what became of them. */
	static String summary(final Response response) {
		return summary(response.report(), response.rankings(), response.seconds());
	}

	private static String summary(final Report report, final List<Ranking> rankings, final double seconds) {
		final String methods = rankings.stream().map(r -> r.best().map(c -> c.name()).orElse("?")).distinct().collect(Collectors.joining(" and "));
		return String.format(Locale.ROOT, "%d responses (%d undefined) by %s in %.1f ms", report.responses(), report.undefined(), methods, 1e3 * seconds);
	}
}
