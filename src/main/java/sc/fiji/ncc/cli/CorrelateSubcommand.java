package sc.fiji.ncc.cli;

import java.io.IOException;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.map.FolderOfMaps;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.Parts;

/** {@code ncc correlate}: the correlation maps of an image and templates, or their maximum. */
@Command(name = "correlate", description = {
	"Correlates IMAGE with a template and writes the correlation coefficient of every lag, in [-1, 1], as a 32-bit TIFF or MRC file or as an OME-Zarr folder.",
	"With --precision double the map has 64 bits per pixel. ImageJ itself does not open such TIFF files.",
	"The map keeps pixel size, unit and the order of dimensions. Its origin is shifted, so that calibrated positions in the map are positions in the image.",
	"Images and maps may be larger than memory. They are then read and written part by part. An unfinished map.zarr lies in map.zarr.part: "
		+ "the same command continues it, another command starts again.",
	"For a folder of images it writes a folder of maps with the same names. If a run ends early, the finished maps stay.",
	"Several templates write MAP-1.tif, MAP-2.tif and so on, in their order. With --best they write one map: the highest coefficient at each lag." })
final class CorrelateSubcommand extends Subcommand {

	@Mixin
	private CommonOptions common;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "MAP.tif|MAP.mrc|MAP.zarr|MAPS", description = {
		"The map; for a folder of images, a folder of maps. An existing file is replaced, and an existing Zarr folder if this program wrote it. Above 4 GB a TIFF file becomes a BigTIFF file." })
	private String output;

	@Option(names = "--response-type", paramLabel = "float|16-bit|8-bit", defaultValue = "float", description = {
		"The type of the coefficients in the map. 16-bit and 8-bit are whole numbers: a map of a half or a fourth of the bytes, which a GPU sends back faster.",
		"The number c of 16 bits stands for (c - 32768) / 32767, and of 8 bits for (c - 128) / 127. 0: no coefficient, with --undefined nan. "
			+ "The rounding adds an error of at most 0.000016 or 0.004.",
		"A TIFF file has the calibration that ImageJ reads, a Zarr folder scale_factor and add_offset. Only for maps in single precision. Default: float." })
	private ResponseType responseType;

	@Option(names = "--picture", paramLabel = "MAP.png|MAP.pgm|FOLDER", description = {
		"Also write the map as an 8-bit image: 0 for coefficients of 0 and below, 255 for 1, linear between. "
			+ "With several templates the names are numbered like the maps.",
		"For more than one plane, give a .tif name.",
		"For a folder of images, give a folder: it gets one PNG file per frame. Names of a stack's frames end in -f and the frame number, counted from 1." })
	private String picture;

	@Option(names = "--best", description = {
		"Write only the highest coefficient of all templates at each lag. The maps of all templates must have one size: with extent valid, so must the templates." })
	private boolean best;

	@Option(names = "--which", paramLabel = "WHICH.tif|WHICH.mrc|WHICH.zarr", description = {
		"With --best: also write the number of the best template at each lag, counted from 1 in their order. 0: no coefficient. A .zarr name needs a .zarr map.",
		"8 bits per pixel, 16 bits for more than 255 templates. Of equal coefficients the first template wins." })
	private String which;

	@Option(names = "--around", paramLabel = "N", description = {
		"After the run, print the best coefficient of each template, and the coefficients up to N pixels around it. -: undefined. This computes the map once more." })
	private Integer around;

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		common.check(program);
		if (which != null && !best) throw new IllegalArgumentException("--which " + which + " needs --best: give --best, or leave --which out");
		if (best && responseType.quantized())
			throw new IllegalArgumentException("--best has float coefficients, not --response-type " + responseType + ": leave one of both out");
		if (best) best().check();
		if (around != null && InputFrames.folder(common.image))
			throw new IllegalArgumentException("--around needs one image, and " + common.image + " is a folder: leave --around out, or give a file in the folder");
		if (around != null && (around < 0 || around > 100)) throw new IllegalArgumentException("--around " + around + ": give a number from 0 to 100");
		if (cluster != null) prepareCluster();
		final List<String> folder = common.folder();
		outputs.watch(folder == null ? common.files() : common.files().subList(1, common.files().size()));
		if (folder != null) folder(folder, progress);
		else if (best) best().run(outputs, progress);
		else each(outputs, progress);
		outputs.requireUnchanged();
		if (around != null) new PeakNeighbourhood(common, common.read(progress.cancelOnly()), around, progress.cancelOnly()).print(program.out());
	}

	private BestOfTemplates best() {
		return new BestOfTemplates(program, cluster, common, output, picture, which);
	}

	/** Writes one map per template. */
	private void each(final Outputs outputs, final ProgressBar progress) throws IOException {
		final MapFiles maps = new MapFiles(program, outputs, progress, MapFiles.names(output, Math.max(1, common.templates.size())), picture, common.files());
		maps.make(making(common.read(progress)));
	}

	private MapFiles.Making making(final CommonOptions.Inputs inputs) {
		final NormalizedCrossCorrelation op = correlation(inputs);
		final RandomAccessibleInterval<?> image = inputs.image().pixels();
		final MapFiles.Parts parts = cluster == null ? (stores, identity) -> op.correlateInto(image, stores)
			: (stores, identity) -> ClusterTask.respond(cluster, op.parts(image, stores), op.mapShapes(image), identity);
		return new MapFiles.Making(op, inputs.image(), inputs.dimensions(), pixels(), true, () -> op.correlate(image), parts,
			each -> op.correlateEach(Frames.of(image, inputs.dimensions()), each), rankings -> common.identity(inputs, rankings),
			cluster != null, common.planning.explain);
	}

	private NormalizedCrossCorrelation correlation(final CommonOptions.Inputs inputs) {
		return inputs.correlation().responseType(responseType);
	}

	/** The type of the pixels of a map. */
	private PixelType pixels() {
		return responseType.pixels(common.precision);
	}

	private void prepareCluster() {
		ClusterTask.requireZarr(common.image);
		ClusterTask.requireZarrMap(output);
		ClusterTask.requireAbsent("--around", around != null);
		common.planning.processes(cluster.threads(), cluster.heap());
	}

	@Override
	Parts parts(final Class<? extends Parts> kind, final ClusterTask.Command command) throws IOException {
		common.resolve(command);
		if (best) return best().parts(command);
		final CommonOptions.Inputs inputs = common.read(Monitor.NONE);
		ClusterTask.requireSame(command, common.lines(inputs));
		final List<MapStore> stores = MapFiles.shared(making(inputs), command.resolve(output), inputs.templates().size(), command.identity());
		return correlation(inputs).parts(inputs.image().pixels(), stores);
	}

	/** Correlates each image of a folder, and writes the maps to another folder. */
	private void folder(final List<String> images, final ProgressBar progress) throws IOException {
		if (best) throw new IllegalArgumentException("--best needs one image, and " + common.image + " is a folder: leave --best out, or give a file in the folder");
		try (FolderOfMaps maps = new FolderOfMaps(output, picture, common.image, common.files(), Math.max(1, common.templates.size()), pixels(), true)) {
			final CommonOptions.Inputs inputs = common.read(ImageFiles.read(images.get(0)), progress.cancelOnly());
			final StreamReport report = maps.make(images, inputs.dimensions(), inputs.channels(), progress, correlation(inputs),
				inputs.correlation()::correlateEach);
			common.planning.explain(report.rankings(), program.out());
			program.out().println(MapFiles.summary(report, images) + Outputs.wrote(output));
		}
	}
}
