package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Best;
import sc.fiji.ncc.MapShape;
import sc.fiji.ncc.Response;
import sc.fiji.ncc.StoredResponse;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.store.ZarrMap;

/** {@code ncc correlate}: a picture and templates to their correlation images, or to the best of them. */
@Command(name = "correlate", mixinStandardHelpOptions = true, versionProvider = Main.Version.class, description = {
	"Correlates IMAGE with a template and writes the correlation coefficient of every lag, in [-1, 1], as a 32-bit TIFF file or as an OME-Zarr folder.",
	"With --precision double a TIFF file has 64 bits a pixel, which ImageJ itself does not open.",
	"Pixel size, unit and the order of dimensions are kept; the origin moves with the map's first pixel.",
	"Pictures and maps may be larger than memory: they are then read and written part by part. A map.zarr that was not finished lies in map.zarr.part: "
		+ "the same command goes on from there, another one begins anew.",
	"With several templates it writes one map for each, MAP-1.tif, MAP-2.tif and so on in their order; with --best only the greatest coefficient of each lag." })
final class CorrelateCommand implements Callable<Integer> {

	/** Numbers of templates are written in at most 16 bits. */
	private static final int MOST_TEMPLATES = 65_535;

	private final Main program;

	@Mixin
	private CommonOptions common;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "MAP.tif|MAP.zarr", description = {
		"Where the correlation image goes. What stands there is replaced; of folders, only such a map. Above 4 GB a TIFF file becomes a BigTIFF file." })
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
		if (best && common.precision != Precision.SINGLE)
			throw new IllegalArgumentException("--best is computed in single precision: leave --precision " + common.precision + " out, or --best");
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
		final List<String> names = new ArrayList<>();
		final List<Path> maps = new ArrayList<>(), pictures = new ArrayList<>();
		for (int t = 0; t < count; t++) {
			names.add(name(output, t, count));
			maps.add(promise(outputs, names.get(t)));
			pictures.add(picture == null ? null : outputs.promise(name(picture, t, count), common.files()));
		}
		final CommonOptions.Inputs inputs = common.read(progress);
		final List<MapShape> shapes = inputs.correlation().mapShapes(inputs.image().pixels());
		final List<MapWriter> writers = new ArrayList<>();
		for (final MapShape shape : shapes) writers.add(new MapWriter(shape.size(), inputs.image().axes(), output, picture, common.precision));
		if (MapsOnDisk.zarr(output)) folders(progress, inputs, shapes, names, maps);
		else if (picture == null && MapsOnDisk.large(shapes)) files(outputs, progress, inputs, shapes, names, maps);
		else inMemory(outputs, progress, inputs, writers, names, maps, pictures);
	}

	private Path promise(final Outputs outputs, final String name) {
		if (!MapsOnDisk.zarr(name)) return outputs.promise(name, common.files());
		if (picture != null) throw new IllegalArgumentException("the picture " + picture + " is drawn of a map in memory, and " + name + " is written as it comes: leave --picture out, or write the map as .tif");
		return outputs.promiseFolder(name, common.files());
	}

	private void inMemory(final Outputs outputs, final Progress progress, final CommonOptions.Inputs inputs, final List<MapWriter> writers, final List<String> names,
		final List<Path> maps, final List<Path> pictures) throws IOException
	{
		common.explain(inputs.correlation().explainAll(inputs.image().pixels()), program.out());
		final Response response = inputs.correlation().correlate(inputs.image().pixels());
		progress.close();
		final List<String> written = new ArrayList<>();
		for (int t = 0; t < names.size(); t++) {
			writers.get(t).write(response.images().get(t), response.origins().get(t), inputs.image().calibration(), outputs, maps.get(t), pictures.get(t));
			written.add(names.get(t));
			if (picture != null) written.add(name(picture, t, names.size()));
		}
		outputs.commit();
		program.out().println(summary(response) + ": " + String.join(", ", written));
	}

	/** To folders of Zarr's, going on with what a run that was ended has left. */
	private void folders(final Progress progress, final CommonOptions.Inputs inputs, final List<MapShape> shapes, final List<String> names, final List<Path> places)
		throws IOException
	{
		final RandomAccessibleInterval<?> image = inputs.image().pixels();
		final List<ZarrMap.Layout> layouts = shapes.stream().map(s -> ZarrPictures.layout(inputs.image(), inputs.dimensions(), s)).toList();
		final List<Ranking> rankings =
			inputs.correlation().explainAll(image, layouts.stream().map(l -> new MapsOnDisk.Planned(l.size(), l.chunk())).toList());
		common.explain(rankings, program.out());
		try (MapsOnDisk maps = MapsOnDisk.folders(places, layouts, common.identity(inputs, rankings))) {
			try {
				final StoredResponse response = inputs.correlation().correlateInto(image, maps.stores());
				progress.close();
				maps.finish();
				program.out().println(summary(response) + ": " + String.join(", ", names));
			}
			catch (final IOException | RuntimeException e) {
				if (maps.left().isEmpty()) throw e;
				throw new UnfinishedException(maps.left(), e);
			}
		}
	}

	/** To TIFF files, while they are computed. */
	private void files(final Outputs outputs, final Progress progress, final CommonOptions.Inputs inputs, final List<MapShape> shapes, final List<String> names,
		final List<Path> places) throws IOException
	{
		final StoredResponse response;
		try (MapsOnDisk maps = MapsOnDisk.files(outputs, places, shapes, inputs.image())) {
			common.explain(inputs.correlation().explainAll(inputs.image().pixels(), maps.stores()), program.out());
			response = inputs.correlation().correlateInto(inputs.image().pixels(), maps.stores());
			progress.close();
			maps.finish();
		}
		outputs.commit();
		program.out().println(summary(response) + ": " + String.join(", ", names));
	}

	/** {@code map-2.tif}, the second one's; {@code map.tif} if there is but one. */
	static String name(final String name, final int index, final int count) {
		if (count == 1) return name;
		final int dot = name.lastIndexOf('.');
		final int end = dot > Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) ? dot : name.length();
		return name.substring(0, end) + '-' + (index + 1) + name.substring(end);
	}

	private void best(final Outputs outputs, final Progress progress) throws IOException {
		final Path map = promise(outputs, output);
		final Path gray = picture == null ? null : outputs.promise(picture, common.files());
		final Path numbers = which == null ? null : outputs.promise(which, common.files());
		final CommonOptions.Inputs inputs = common.read(progress, program.out());
		final Picture image = inputs.image();
		final MapShape shape = inputs.correlation().mapShapes(image.pixels()).get(0);
		final MapWriter writer = new MapWriter(shape.size(), image.axes(), output, picture, Precision.SINGLE);
		final Best found = inputs.correlation().best(image.pixels());
		progress.close();
		if (!MapsOnDisk.zarr(output)) writer.write(found.score(), found.origin(), image.calibration(), outputs, map, gray);
		if (numbers != null) writer.writeNumbers(found.which(), found.origin(), image.calibration(), outputs, numbers);
		if (MapsOnDisk.zarr(output)) writeFolder(found.score(), ZarrPictures.layout(image, inputs.dimensions(), shape), map);
		outputs.commit();
		program.out().println(summary(found.report(), found.rankings(), found.seconds()) + ": " + output + (picture == null ? "" : ", " + picture)
			+ (which == null ? "" : ", " + which));
	}

	/** A map that is there as a folder of Zarr's. */
	private static void writeFolder(final Img<FloatType> map, final ZarrMap.Layout layout, final Path place) throws IOException {
		// of no run but this one
		try (ZarrMap folder = new ZarrMap(place, layout, UUID.randomUUID().toString())) {
			try {
				MapsOnDisk.copy(map, folder);
				folder.commit();
			}
			catch (final IOException | RuntimeException e) {
				folder.discard();
				throw e;
			}
		}
	}

	private static String summary(final StoredResponse response) {
		final String s = summary(response.report(), response.rankings(), response.seconds());
		return response.before() == 0 ? s : s + ", " + response.before() + " were there before";
	}

	/** One line: how many responses, and what became of them. */
	static String summary(final Response response) {
		return summary(response.report(), response.rankings(), response.seconds());
	}

	static String summary(final Report report, final List<Ranking> rankings, final double seconds) {
		final String methods = rankings.stream().map(r -> r.best().map(c -> c.name()).orElse("?")).distinct().collect(Collectors.joining(" and "));
		return String.format(Locale.ROOT, "%d responses (%d undefined) by %s in %.1f ms", report.responses(), report.undefined(), methods, 1e3 * seconds);
	}
}
