package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.map.DiskSpace;
import sc.fiji.ncc.cli.map.FolderOfMaps;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.map.MapWriter;
import sc.fiji.ncc.cli.map.MapsOnDisk;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.cli.picture.ZarrPictures;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.store.ZarrMap;

/** {@code ncc correlate}: a picture and templates to their correlation images, or to the best of them. */
@Command(name = "correlate", mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, description = {
	"Correlates IMAGE with a template and writes the correlation coefficient of every lag, in [-1, 1], as a 32-bit TIFF file or as an OME-Zarr folder.",
	"With --precision double the map has 64 bits a pixel; such a TIFF file ImageJ itself does not open.",
	"Pixel size, unit and the order of dimensions are kept; the origin moves with the map's first pixel.",
	"Pictures and maps may be larger than memory: they are then read and written part by part. A map.zarr that was not finished lies in map.zarr.part: "
		+ "the same command goes on from there, another one begins anew.",
	"Of a folder of pictures it writes a folder of maps, each named as its picture. Maps are written frame by frame, as they come; of a run that ends early the maps stay that are done.",
	"With several templates it writes one map for each, MAP-1.tif, MAP-2.tif and so on in their order; with --best only the greatest coefficient of each lag." })
final class CorrelateSubcommand implements Callable<Integer> {

	/** Numbers of templates are written in at most 16 bits. */
	private static final int MOST_TEMPLATES = 65_535;

	private final Terminal program;

	@Mixin
	private CommonOptions common;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "MAP.tif|MAP.zarr|MAPS", description = {
		"Where the correlation image goes; of a folder of pictures, the folder for the maps. What stands there is replaced; of folders, only such a map. Above 4 GB a TIFF file becomes a BigTIFF file." })
	private String output;

	@Option(names = "--picture", paramLabel = "MAP.png|PICTURES", description = {
		"Write the map as a gray picture, too: 0 for coefficients of 0 and below, 255 for 1, linear between. With several templates it is numbered as the maps are.",
		"Of more than one plane, name a .tif file: it becomes an 8-bit stack.",
		"Of a folder of pictures, name a folder: each frame has a PNG file of its own there, named as its picture, of a stack with -f and the frame's number from 0." })
	private String picture;

	@Option(names = "--best", description = {
		"Of several templates write the greatest coefficient of each lag. Their maps must be of one size: with extent valid the templates, too; with same they may differ." })
	private boolean best;

	@Option(names = "--which", paramLabel = "WHICH.tif", description = {
		"With --best, write the number of the template that each coefficient is of, too, counted from 1 in their order; 0 where there is no coefficient.",
		"8 bits a pixel, 16 for more than 255 templates. Of equal coefficients the first template's counts." })
	private String which;

	CorrelateSubcommand(final Terminal program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		common.check();
		if (which != null && !best) throw new IllegalArgumentException("--which " + which + " says of which template the best coefficient is: give --best, too");
		if (which != null && !MapWriter.tiff(which)) throw new IllegalArgumentException("the numbers " + which + " would be a TIFF file: let its name end in .tif");
		if (best && common.templates.size() > MOST_TEMPLATES)
			throw new IllegalArgumentException(common.templates.size() + " templates for --best: give at most " + MOST_TEMPLATES);
		try (Outputs outputs = new Outputs(); ProgressBar progress = program.progress(outputs::canceled)) {
			final List<String> folder = common.folder();
			outputs.watch(folder == null ? common.files() : common.files().subList(1, common.files().size()));
			if (folder != null) folder(folder, progress);
			else if (best) best(outputs, progress);
			else each(outputs, progress);
			outputs.requireUnchanged();
		}
		return 0;
	}

	/** One map a template. */
	private void each(final Outputs outputs, final ProgressBar progress) throws IOException {
		final MapFiles maps = new MapFiles(program, outputs, progress, output, picture, Math.max(1, common.templates.size()), common.files());
		final CommonOptions.Inputs inputs = common.read(progress);
		final NormalizedCrossCorrelation op = inputs.correlation();
		final RandomAccessibleInterval<?> image = inputs.image().pixels();
		maps.make(new MapFiles.Making(op, inputs.image(), inputs.dimensions(), common.precision, true, () -> op.correlate(image), stores -> op.correlateInto(image, stores),
			each -> op.correlateEach(Frames.of(image, inputs.dimensions()), each), rankings -> common.identity(inputs, rankings), common.explain));
	}

	/** Every picture of a folder, to a map of its own in another. */
	private void folder(final List<String> pictures, final ProgressBar progress) throws IOException {
		if (best) throw new IllegalArgumentException("--best is for one picture, and " + common.image + " is a folder of them: leave it out, or name a file in it");
		try (FolderOfMaps maps = new FolderOfMaps(output, picture, common.image, common.files(), Math.max(1, common.templates.size()), common.precision, true)) {
			final CommonOptions.Inputs inputs = common.read(ImageFiles.read(pictures.get(0)), progress.cancelOnly());
			common.explain(() -> inputs.correlation().explainEach(inputs.firstFrame(), -1), program.out());
			program.out().println(maps.make(pictures, inputs.dimensions(), progress, inputs.correlation(), inputs.correlation()::correlateEach));
		}
	}

	private void best(final Outputs outputs, final ProgressBar progress) throws IOException {
		final Path map = MapFiles.promise(outputs, output, picture, common.files());
		final Path gray = picture == null ? null : outputs.promise(picture, common.files());
		final Path numbers = which == null ? null : outputs.promise(which, common.files());
		final CommonOptions.Inputs inputs = common.read(progress);
		common.explain(() -> inputs.correlation().explainBest(inputs.image().pixels()), program.out());
		final Picture image = inputs.image();
		final MapShape shape = inputs.correlation().mapShapes(image.pixels()).get(0);
		final MapWriter writer = new MapWriter(shape.size(), image.axes(), output, picture, common.precision, true);
		DiskSpace.require(output, map, MapWriter.bytes(shape.size(), common.precision, picture != null));
		final Best found = inputs.correlation().best(image.pixels());
		progress.close();
		if (!ZarrPictures.isZarr(output)) writer.write(found.image(), found.origin(), image.calibration(), outputs, map, gray);
		if (numbers != null) writer.writeNumbers(found.template(), found.origin(), image.calibration(), outputs, numbers);
		outputs.requireUnchanged();
		if (ZarrPictures.isZarr(output)) writeFolder(found.image(), ZarrPictures.layout(image, inputs.dimensions(), shape, common.precision), map);
		outputs.commit();
		program.out().println(MapFiles.summary(found.report(), found.rankings(), found.seconds()) + ": " + output + (picture == null ? "" : ", " + picture)
			+ (which == null ? "" : ", " + which));
	}

	/** A map that is there as a folder of Zarr's. */
	private static void writeFolder(final Img<? extends RealType<?>> map, final ZarrMap.Layout layout, final Path place) throws IOException {
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
}
