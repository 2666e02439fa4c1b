package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.Stitching;
import sc.fiji.ncc.cli.input.FailureReason;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.InputStamp;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.MosaicDrawing;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.MeasuredChannels;
import sc.fiji.ncc.front.MeasuredFrames;
import sc.fiji.ncc.front.MosaicTable;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.front.WrittenNumber;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.run.Parts;
import sc.fiji.ncc.stitch.Fusion;
import sc.fiji.ncc.stitch.MeasuredImage;
import sc.fiji.ncc.stitch.MosaicImage;
import sc.fiji.ncc.stitch.PositionsFile;
import sc.fiji.ncc.stitch.ScanGrid;
import sc.fiji.ncc.stitch.StagePositions;
import sc.fiji.ncc.stitch.StitchParts;
import sc.fiji.ncc.stitch.Tile;
import sc.fiji.ncc.stitch.TileLayout;
import sc.fiji.ncc.stitch.TileOverlap;

/** {@code ncc stitch}: a mosaic from tiles. */
@Command(name = "stitch", description = {
	"Makes a mosaic from TILES, in two or three dimensions: finds how neighbouring tiles overlap, the positions that fit all overlaps best, and the image.",
	"Each link between two tiles has a score, an uncertainty and an expected number of false alarms. Tiles without enough structure in common are not linked, and "
		+ "keep the position of the stage. Links that contradict the others are rejected.",
	"Where tiles are: --grid and --overlap; a pattern such as tile_{y}_{x}.tif and --overlap; or --positions. "
		+ "Without any, up to 64 tiles are compared with all others." })
final class StitchSubcommand extends Subcommand {

	private static final String CHANNELS = "--channels ", TILES = "tiles";
	/** What begins the line of an identity with the position of a tile, and with the frame that is measured. */
	private static final String POSITION = "position ", FRAME = "frame ";

	@Parameters(arity = "1..*", paramLabel = "TILES", description = "Files in the order of the grid; or a folder; "
		+ "or a pattern of file names in which {x} is the column and {y} the row. Formats: " + ImageFiles.KINDS
		+ ". Red, green and blue of RGB images are channels.")
	private List<String> arguments;

	@Option(names = "--grid", paramLabel = "CxR", description = "The number of columns and rows of tiles, as in 5x4.")
	private String grid;

	@Option(names = "--order", paramLabel = "rows|columns|snake-rows|snake-columns", defaultValue = "rows", description = SettingWords.ORDER)
	private String order;

	@Option(names = "--start", paramLabel = "top-left|top-right|bottom-left|bottom-right", defaultValue = "top-left",
		description = "The corner of the first tile. Default: top-left.")
	private String start;

	@Option(names = "--overlap", paramLabel = "N|P%", description = "The overlap of neighbours in a grid, in pixels or in percent of a tile.")
	private String overlap;

	@Option(names = "--positions", paramLabel = "FILE|metadata",
		description = "The approximate positions in pixels: TileConfiguration.txt, or CSV with the columns file,x,y or file,x,y,z, or "
			+ "the table of --tiles. NaN: unknown. "
			+ "metadata: the positions of the stage in the files of the tiles, from OME-XML, OME-Zarr, or the origin of an ImageJ TIFF.")
	private String positions;

	@Option(names = "--stage-error", paramLabel = "N|x,y[,z]", description = SettingWords.STAGE_ERROR)
	private WholeNumbers stageError;

	@Option(names = "--false-alarms", paramLabel = "P", defaultValue = "0.001", description = SettingWords.LINK_ALARMS)
	private double falseAlarms;

	@Option(names = "--rejection", paramLabel = "P", defaultValue = "0.001", description = SettingWords.REJECTION)
	private double rejection;

	@Option(names = "--channels", paramLabel = "N[,N…]|joint", defaultValue = "1",
		description = SettingWords.CHANNELS + "The mosaic has all channels. Default: 1.")
	private String channels;

	@Option(names = "--frame", paramLabel = "N|mean|each", defaultValue = "1", description = SettingWords.MEASURED_FRAME)
	private String frame;

	@Option(names = "--flat-field", paramLabel = "FILE|tiles", description = "The illumination by which tiles are divided: "
		+ "an image of the size of a tile. tiles: the smoothed mean of all tiles. Default: even.")
	private String flatField;

	@Option(names = "--dark", paramLabel = "V", defaultValue = "0", description = SettingWords.DARK)
	private double dark;

	@Option(names = { "-o", "--output" }, paramLabel = "MOSAIC.tif|MOSAIC.mrc|MOSAIC.zarr", description = "The mosaic. Default: none, only the positions.")
	private String output;

	@Option(names = "--blending", paramLabel = "linear|mean|max|first", defaultValue = "linear", description = SettingWords.BLENDING)
	private Fusion.Blending blending;

	@Option(names = "--interpolation", paramLabel = "integer|linear|cubic|lanczos|fourier", defaultValue = "cubic",
		description = SettingWords.INTERPOLATION)
	private Interpolation interpolation;

	@Option(names = "--outside", paramLabel = "V", defaultValue = "0", description = "The value of pixels that no tile shows; NaN for floats. Default: 0.")
	private String outside;

	@Option(names = "--tiles", paramLabel = "TILES.csv",
		description = "Write the positions as a table with the columns tile,x,y,sigma_x,sigma_y,links,linked; for volumes also z and sigma_z.")
	private String tilesTable;

	@Option(names = "--links", paramLabel = "LINKS.csv", description = "Write the links as a table with the columns "
		+ "a,b,dx,dy,score,runner_up,false_alarms,sigma_x,sigma_y,residual,residual_sigmas,used,reason; for volumes also dz and sigma_z.")
	private String linksTable;

	@Option(names = "--registered", paramLabel = "FILE.txt",
		description = "Write the positions as TileConfiguration.registered.txt, which Fiji's stitching plugins read.")
	private String registered;

	@Option(names = "--graph", paramLabel = "GRAPH.png",
		description = "Draw the tiles with their links: coloured by the residual, dashed if rejected, grey if they overlap and are not linked."
			+ " The number at a tile is its row in the table of tiles.")
	private String graph;

	@Mixin
	private PlanningOptions.OfRun planning;

	@Override
	void check() {
		planning.check();
		MeasuredChannels.of(CHANNELS, channels);
		StackWriter.requireName("the output", output);
		if (output == null && tilesTable == null && linksTable == null && registered == null && graph == null)
			throw new IllegalArgumentException("there is nothing to write: give -o, --tiles, --links, --registered or --graph");
		if (dark != 0 && flatField == null) throw new IllegalArgumentException("--dark " + dark + " is for --flat-field: give both, or leave it out");
		outside();
		if (cluster == null) return;
		planning.measuredOn(cluster);
		ClusterTask.requireAbsent("--explain", planning.explain);
		if (output != null) ClusterTask.requireZarrMap(output);
	}

	private double outside() {
		if (outside.equalsIgnoreCase("nan")) return Double.NaN;
		return WrittenNumber.read(outside, Double::parseDouble, "--outside " + outside + " is not a number: give a value, or NaN");
	}

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		final TileFiles files = TileFiles.of(arguments);
		final TileLayout layout = layout(files);
		final List<String> inputs = new ArrayList<>(files.names());
		if (positions != null && !isMetadata()) inputs.add(positions);
		if (flatField != null && !flatField.equals(TILES)) inputs.add(flatField);
		outputs.watch(inputs);
		final Path tilesFile = outputs.promise("--tiles", tilesTable, inputs, ".csv"), linksFile = outputs.promise("--links", linksTable, inputs, ".csv"),
			txt = outputs.promise("--registered", registered, inputs, ".txt"), png = outputs.promise("--graph", graph, inputs, ".png");
		final Path place = outputs.promiseImage(output, inputs);
		final InputImage first = first(files);
		StackWriter.require(output, first);
		final int n = dimensions(first);
		final List<Tile> tiles = layout.place(files.open(first, n), n);
		final Fusion fusion = new Fusion(blending, interpolation, outside());
		if (place != null) fusion.require(tiles.get(0).type());
		final MeasuredFrames frames = frames(first);
		final MeasuredImage measured = measured(first, n);
		final Stitching stitching = stitching(tiles, measuredOn(measured, frames, frames.frames().get(0)), n)
			.compute(planning.options(Precision.SINGLE).monitor(output == null ? progress : progress.cancelOnly()));
		final List<Mosaic> mosaics = new ArrayList<>();
		for (final long f : frames.frames()) {
			stitching.measuredOn(measuredOn(measured, frames, f));
			mosaics.add(cluster == null ? stitching.measure() : cluster.mosaic(stitching.parts(), String.join("\n", stamps(inputs)) + "\n" + FRAME + f));
		}
		write(outputs, mosaics, tiles, tilesFile, linksFile, txt, png);
		if (place != null) fuse(stitching.fused(mosaics, fusion), identity(mosaics, inputs), first.spatialFirst(n), outputs, place, progress);
		progress.close();
		outputs.commit();
		if (planning.explain) program.out().println(Ranking.explainKinds(stitching.rankings()));
		if (mosaics.stream().noneMatch(m -> m.doubt().isEmpty()))
			program.err().println(mosaics.get(0).doubt() + ": check --grid, --order, --start, --overlap and --stage-error");
		if (!mosaics.get(0).flatFieldDoubt().isEmpty()) program.err().println(mosaics.get(0).flatFieldDoubt());
		for (int f = 0; f < mosaics.size(); f++) {
			final String which = frames.isEach() ? "frame " + (f + 1) + ": " : "";
			program.out().println(which + summary(mosaics.get(f)) + (f < mosaics.size() - 1 ? ""
				: Outputs.wrote(output, tilesTable, linksTable, registered, graph)));
			if (!mosaics.get(f).withoutLinks().isEmpty()) program.out().println(which + mosaics.get(f).withoutLinks());
		}
	}

	private static InputImage first(final TileFiles files) {
		return ImageFiles.read(files.names().get(0));
	}

	private static int dimensions(final InputImage tile) {
		return tile.axes().indexOf('z') >= 0 ? 3 : 2;
	}

	private TileLayout layout(final TileFiles files) {
		final ScanGrid scan = grid == null ? null : ScanGrid.of(grid, ChoiceText.of("order", order, ScanGrid.Order.values()),
			ChoiceText.of("start", start, ScanGrid.Corner.values()));
		final TileOverlap given = overlap == null ? null : TileOverlap.of(overlap);
		if (scan != null) scan.require(files.names().size());
		return FailureReason.tried("read " + positions, () -> {
			final PositionsFile file = positions == null ? null : isMetadata() ? files.stagePositions()
				: PositionsFile.parse(positions, Files.readAllLines(ImageFiles.requireFile(positions)));
			return new TileLayout(scan, scan != null || file != null ? null : files.pattern(), given, file, positions);
		});
	}

	private boolean isMetadata() {
		return StagePositions.METADATA.equals(positions);
	}

	private MeasuredFrames frames(final InputImage first) {
		final int t = first.axes().indexOf('t');
		final MeasuredFrames frames = MeasuredFrames.of("--frame ", frame, t < 0 ? 1 : first.pixels().dimension(t), first.name());
		if (frames.isEach() && (registered != null || graph != null)) throw new IllegalArgumentException("--frame " + frame + ": --registered and --graph are of "
			+ "one set of positions; leave them out, or give the number of a frame");
		return frames;
	}

	private static UnaryOperator<RandomAccessibleInterval<?>> measuredOn(final MeasuredImage measured, final MeasuredFrames frames, final long one) {
		return frames.mean() ? measured.mean() : measured.frame(one);
	}

	private MeasuredImage measured(final InputImage first, final int n) {
		final int c = first.axes().indexOf('c');
		final List<Long> chosen = MeasuredChannels.of(CHANNELS, channels);
		MeasuredChannels.require(CHANNELS, chosen, c < 0 ? 1 : first.pixels().dimension(c), first.name());
		return new MeasuredImage(n, c >= 0, chosen, first.axes().indexOf('t') >= 0);
	}

	private Stitching stitching(final List<Tile> tiles, final UnaryOperator<RandomAccessibleInterval<?>> measured, final int n) {
		final Stitching stitching = Stitching.of(tiles, n).falseAlarms(falseAlarms).rejection(rejection).measuredOn(measured);
		if (stageError != null) stitching.stageError(stageError.lengths("--stage-error ", n, 0));
		// a cluster's processes read the tiles, and this one does not
		if (TILES.equals(flatField) && cluster == null) stitching.flatFieldOfTiles(dark);
		else if (flatField != null && !flatField.equals(TILES)) stitching.flatField(ImageFiles.read(flatField).gray().pixels(), dark);
		return stitching;
	}

	private static void write(final Outputs outputs, final List<Mosaic> mosaics, final List<Tile> tiles, final Path tilesFile, final Path linksFile,
		final Path txt, final Path png) throws IOException
	{
		outputs.text(tilesFile, new MosaicTable(mosaics).tiles()::write);
		outputs.text(linksFile, new MosaicTable(mosaics).links()::write);
		outputs.text(txt, to -> PositionsFile.write(mosaics.get(0), to));
		outputs.bytes(png, to -> Drawing.png(MosaicDrawing.draw(mosaics.get(0), tiles.stream().map(Tile::size).toList()), to));
	}

	private void fuse(final MosaicImage fused, final String identity, final InputImage first, final Outputs outputs, final Path place,
		final ProgressBar progress) throws IOException
	{
		final Img<?> image = fused.image();
		final StackWriter writer = writer(first, fused, progress);
		if (cluster == null) writer.image(image, outputs, place, identity);
		else writer.zarr(image, place, identity, true, to -> cluster.written(rows(writer, image, to, progress), identity));
	}

	private StackWriter writer(final InputImage first, final MosaicImage fused, final Monitor monitor) {
		return new StackWriter(first, Arrays.copyOf(fused.origin(), first.pixels().numDimensions()), planning.threads(), monitor).withPyramid();
	}

	/** A part is a row of chunks. */
	private static WrittenParts rows(final StackWriter writer, final Img<?> image, final MapStore to, final Monitor monitor) {
		final ImagePixels fused = ImagePixels.of(image);
		return new WrittenParts(StackWriter.rows(to), row -> writer.row(fused, row, to), monitor);
	}

	private static List<String> stamps(final List<String> inputs) throws IOException {
		final List<String> stamps = new ArrayList<>();
		for (final String input : inputs) stamps.add(InputStamp.of(ImageFiles.path(input)));
		return stamps;
	}

	/** What decides the pixels of a mosaic: the program, the tiles, their positions and the settings of the fusion. */
	private String identity(final List<Mosaic> mosaics, final List<String> inputs) throws IOException {
		final List<String> identity = new ArrayList<>(List.of(Version.text()));
		identity.addAll(stamps(inputs));
		identity.add("" + blending + interpolation + outside + dark + flatField);
		for (final Mosaic m : mosaics) for (final Mosaic.Placed t : m.tiles()) identity.add(POSITION + (t.position() == null ? "" : Arrays.stream(t.position())
			.mapToObj(Double::toString).collect(Collectors.joining(","))));
		return String.join("\n", identity);
	}

	/** The tiles of a cluster's run, in one of its processes. */
	private TileFiles files(final ClusterTask.Command command) throws IOException {
		arguments = arguments.stream().map(command::resolve).toList();
		if (!TILES.equals(flatField)) flatField = command.resolve(flatField);
		planning.processes(command.threads(), command.heap());
		final TileFiles files = TileFiles.of(arguments);
		final List<String> inputs = new ArrayList<>(files.names());
		if (flatField != null && !flatField.equals(TILES)) inputs.add(flatField);
		ClusterTask.requireSame(command, stamps(inputs));
		return files;
	}

	private Stitching stitching(final TileFiles files, final InputImage first) {
		final int n = dimensions(first);
		// the process that began the run knows which strips are compared
		final List<Tile> tiles = files.open(first, n).stream().map(t -> t.at(new double[n])).toList();
		// each task of a process has one thread
		final ComputeOptions compute = planning.options(Precision.SINGLE).backend("cpu").threads(1);
		final MeasuredFrames frames = frames(first);
		return stitching(tiles, measuredOn(measured(first, n), frames, frames.frames().get(0)), n)
			.compute(compute.memory(Math.max(1, compute.memory() / planning.threads())));
	}

	@Override
	Parts parts(final Class<? extends Parts> kind, final ClusterTask.Command command) throws IOException {
		return kind == WrittenParts.class ? written(command) : stitch(command);
	}

	private StitchParts stitch(final ClusterTask.Command command) throws IOException {
		final TileFiles files = files(command);
		final InputImage first = first(files);
		final long measured = command.identity().lines().filter(l -> l.startsWith(FRAME)).mapToLong(l -> Long.parseLong(l.substring(FRAME.length()))).findFirst()
			.orElseThrow();
		return stitching(files, first).measuredOn(measuredOn(measured(first, dimensions(first)), frames(first), measured)).parts();
	}

	private WrittenParts written(final ClusterTask.Command command) throws IOException {
		final TileFiles files = files(command);
		final InputImage first = first(files);
		final MosaicImage fused = stitching(files, first).fused(placed(command.identity(), files.names()), new Fusion(blending, interpolation, outside()));
		final Img<?> image = fused.image();
		final StackWriter writer = writer(first.spatialFirst(dimensions(first)), fused, Monitor.NONE);
		final Path place = Path.of(command.resolve(output)).toAbsolutePath().normalize();
		return rows(writer, image, writer.chunks(image, place, command.identity()), Monitor.NONE);
	}

	/** The positions in an identity, for each frame that was measured. */
	private static List<Mosaic> placed(final String identity, final List<String> names) {
		final List<String> lines = identity.lines().filter(l -> l.startsWith(POSITION)).map(l -> l.substring(POSITION.length())).toList();
		final List<Mosaic> mosaics = new ArrayList<>();
		for (int at = 0; at < lines.size(); at += names.size()) {
			final List<Mosaic.Placed> tiles = new ArrayList<>();
			for (final String name : names) {
				final String line = lines.get(at + tiles.size());
				tiles.add(new Mosaic.Placed(name, line.isEmpty() ? null : Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray(), null, 0,
					!line.isEmpty()));
			}
			mosaics.add(new Mosaic(tiles, List.of(), null, false, 1, ""));
		}
		return mosaics;
	}

	private String summary(final Mosaic mosaic) {
		final StringBuilder s = new StringBuilder(mosaic.summary());
		if (mosaic.stageError() != null) s.append(stageError != null ? ", given stage error " : mosaic.stageMeasured() ? ", stage error " : ", stage error assumed: ")
			.append(Arrays.stream(mosaic.stageError()).mapToObj(e -> Long.toString((long) e)).reduce((a, b) -> a + ", " + b).orElseThrow())
			.append(" pixels");
		return s.toString();
	}
}
