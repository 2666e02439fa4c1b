package sc.fiji.ncc.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.view.Views;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.FileWidget;

import sc.fiji.ncc.Stitching;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.drawing.MosaicDrawing;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.MeasuredFrames;
import sc.fiji.ncc.front.MosaicTable;
import sc.fiji.ncc.front.OutputFile;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.stitch.Fusion;
import sc.fiji.ncc.stitch.MeasuredImage;
import sc.fiji.ncc.stitch.MosaicImage;
import sc.fiji.ncc.stitch.PositionsFile;
import sc.fiji.ncc.stitch.ScanGrid;
import sc.fiji.ncc.stitch.StagePositions;
import sc.fiji.ncc.stitch.Tile;
import sc.fiji.ncc.stitch.TileLayout;
import sc.fiji.ncc.stitch.TileOverlap;
import sc.fiji.ncc.stitch.TilePattern;

/** Makes a mosaic from the tiles in a folder. In macros: {@code run("Stitch Tiles...", "folder=[/data/tiles] grid=5x4 overlap=10%");} */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Stitch Tiles...", visible = false, headless = true)
public final class StitchTilesCommand extends ComputingCommand {

	@Parameter(label = "Folder of the tiles", persist = false, required = false, style = FileWidget.DIRECTORY_STYLE, attrs = @Attr(name = Keys.ONCE),
		description = "A folder with one image for each tile, in the order of their names. Required.")
	private String folder = "";

	@Parameter(label = "Grid (columns x rows; empty: none)", persist = false, required = false, attrs = @Attr(name = Keys.ONCE),
		description = "The number of columns and rows of tiles, as in 5x4. Default: empty. "
			+ "Then a pattern or a file of positions says where tiles are, or up to 64 tiles are compared with all others.")
	private String grid = "";

	@Parameter(label = "Order of the tiles", persist = false, choices = { "rows", "columns", "snake-rows", "snake-columns" },
		description = SettingWords.ORDER)
	private String order = "rows";

	@Parameter(label = "Corner of the first tile", persist = false, choices = { "top-left", "top-right", "bottom-left", "bottom-right" },
		description = "The corner of the grid in which the first tile lies. Default: top-left.")
	private String start = "top-left";

	@Parameter(label = "Overlap (pixels or %)", persist = false, required = false, attrs = @Attr(name = Keys.ONCE),
		description = "The overlap of neighbours in a grid, in pixels or in percent of a tile, as in 50 or 10%.")
	private String overlap = "";

	@Parameter(label = "Stage error (pixels: x,y; empty: estimated)", persist = false, required = false,
		description = SettingWords.STAGE_ERROR)
	private String stageerror = "";

	@Parameter(label = "Blending", persist = false, choices = { "linear", "mean", "max", "first" },
		description = SettingWords.BLENDING)
	private String blending = "linear";

	@Parameter(label = "Pattern of the names (empty: all images)", persist = false, required = false,
		attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.MEASUREMENT) },
		description = "The names of tiles with their place in a grid: {x} is the number of the column, {y} that of the row, "
			+ "as in tile_{y}_{x}.tif. In place of a grid. Default: empty.")
	private String pattern = "";

	@Parameter(label = "Positions (file, or metadata; empty: none)", persist = false, required = false, style = FileWidget.OPEN_STYLE,
		attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.MEASUREMENT) },
		description = "The approximate positions in pixels: TileConfiguration.txt, or CSV with the columns file,x,y or file,x,y,z. "
			+ "The word metadata: the positions of the stage in the files of the tiles, from OME-XML, or the origin of an ImageJ TIFF. "
			+ "In place of a grid. Default: none.")
	private String positions = "";

	@Parameter(label = "Channel (empty: first)", persist = false, required = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.MEASUREMENT) },
		description = SettingWords.CHANNELS + "The mosaic has all channels. Default: empty, the first channel.")
	private String channels = "";

	@Parameter(label = "Frame (number, mean or each)", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.MEASUREMENT) },
		description = SettingWords.MEASURED_FRAME)
	private String frame = "1";

	@Parameter(label = "False alarms (expected, at most)", persist = false, min = "0", stepSize = "0.001", attrs = @Attr(name = Groups.MEASUREMENT),
		description = SettingWords.LINK_ALARMS)
	private double falsealarms = Stitching.LEVEL;

	@Parameter(label = "Rejection (probability)", persist = false, min = "0", max = "1", stepSize = "0.001", attrs = @Attr(name = Groups.MEASUREMENT),
		description = SettingWords.REJECTION)
	private double rejection = Stitching.LEVEL;

	@Parameter(label = "Flat field (title, or tiles; empty: even)", persist = false, required = false,
		attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.MEASUREMENT) },
		description = "The illumination by which tiles are divided: "
			+ "the title of an open image of the size of a tile, or the word tiles for the smoothed mean of all tiles. Default: empty, even.")
	private String flatfield = "";

	@Parameter(label = "Dark level", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), description = SettingWords.DARK)
	private double dark = 0;

	@Parameter(label = "Interpolation", persist = false, attrs = @Attr(name = Groups.MOVED), choices = { "integer", "linear", "cubic", "lanczos", "fourier" },
		description = SettingWords.INTERPOLATION)
	private String interpolation = "cubic";

	@Parameter(label = "Value outside", persist = false, attrs = @Attr(name = Groups.MOVED), description = "The value of pixels that no tile shows. Default: 0.")
	private double outside = 0;

	@Parameter(label = "Make the mosaic", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = "On: makes the image. Off: a preview, only the positions, the tables and the picture of the links. Default: on.")
	private boolean fuse = true;

	@Parameter(label = "Picture of the links", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = "On: draws the tiles with their links, coloured by their residual, dashed if rejected, grey if they overlap and are not linked. "
			+ "Default: on.")
	private boolean graph = true;

	@Parameter(label = "Table of the links", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = "On: shows a table of the links between tiles, too, with their errors and why they are not used. "
			+ "In a macro the rows of the Results table are then the links. Default: off.")
	private boolean links = false;

	@Parameter(label = "Positions to write (empty: none)", persist = false, required = false, style = FileWidget.SAVE_STYLE, attrs = @Attr(name = Groups.RESULTS),
		description = "A text file as TileConfiguration.registered.txt, which Fiji's stitching plugins read. Default: none.")
	private String registered = "";

	@Parameter(label = "Append to the table", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = APPEND)
	private boolean append = false;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-frames", "cuda-frames" })
	private String algorithm = AUTO;

	/** The mosaic; null if it is not made. */
	@Parameter(label = "Mosaic image", type = ItemIO.OUTPUT)
	private Img<?> output;

	/** Output for scripts. */
	@Parameter(label = "Mosaic", type = ItemIO.OUTPUT)
	private Mosaic mosaic;

	@Override
	protected String section() {
		return "stitching.md#in-fiji";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		if (folder.isBlank()) throw new IllegalArgumentException("The folder is missing. Give a folder with one image for each tile, as in folder=/data/tiles.");
		final Path written = OutputFile.of("registered", registered, ".txt", "a text");
		final Fusion.Blending how = ChoiceText.of("blending", blending, Fusion.Blending.values());
		final TilePattern names = pattern.isBlank() ? null : new TilePattern(pattern.trim());
		List<ImageInput> images = program.folder(folder.trim());
		if (names != null) images = images.stream().filter(i -> names.place(i.name()).isPresent()).toList();
		if (images.isEmpty()) throw new IllegalArgumentException("No image in " + folder + " matches pattern=" + pattern
			+ ". Give a pattern such as tile_{y}_{x}.tif.");
		final String name = String.valueOf(Path.of(folder.trim()).getFileName());
		final ImageInput first = images.get(0);
		final int z = first.axes().indexOf('z'), n = z >= 0 ? 3 : 2;
		final TileLayout layout = layout(names, images, n);
		final List<Tile> tiles = new ArrayList<>();
		for (final ImageInput image : images) {
			requireChannels("tile", image);
			if (!image.axes().equals(first.axes())) throw new IllegalArgumentException("'" + image.name() + "' has the axes " + image.axes()
				+ ", and '" + first.name() + "' has " + first.axes() + ". Give tiles with the same axes.");
			final RandomAccessibleInterval<?> pixels = spatialFirst(image.pixels(), z);
			tiles.add(new Tile(image.name(), ImagePixels.type(pixels), pixels.dimensionsAsLongArray(), () -> spatialFirst(image.pixels(), z), null));
		}
		final int time = first.axes().indexOf('t');
		final MeasuredFrames frames = MeasuredFrames.of("frame=", frame, time < 0 ? 1 : first.pixels().dimension(time), "'" + first.name() + "'");
		if (frames.isEach() && written != null) throw new IllegalArgumentException("registered=" + registered
			+ " is of one set of positions, and frame=each has several. Leave it out, or give the number of a frame.");
		final MeasuredImage measured = new MeasuredImage(n, first.axes().indexOf('c') >= 0, channels.isBlank()
			? List.of(0L) : MovedImage.channels(channels, first), time >= 0);
		final Stitching stitching = stitching(layout.place(tiles, n), frames.mean() ? measured.mean() : measured.frame(frames.frames().get(0)), n, program)
			.compute(computing(SINGLE, algorithm).monitor(monitor));
		final List<Mosaic> mosaics = new ArrayList<>();
		if (!frames.isEach()) mosaics.add(stitching.measure());
		else for (final long f : frames.frames()) mosaics.add(stitching.measuredOn(measured.frame(f)).measure());
		mosaic = mosaics.get(0);
		program.show(new MosaicTable(mosaics).tiles().table(FrontEnd.MOSAIC), append);
		if (links) program.show(new MosaicTable(mosaics).links().table(FrontEnd.LINKS), append);
		if (graph) program.show("Links of " + name, MosaicDrawing.draw(mosaic, tiles.stream().map(Tile::size).toList()));
		OutputFile.write(written, to -> PositionsFile.write(mosaic, to));
		if (mosaics.stream().noneMatch(m -> m.doubt().isEmpty()))
			note(mosaic.doubt() + ": check the grid, its order and corner, the overlap and the stage error.");
		if (!mosaic.flatFieldDoubt().isEmpty()) note(mosaic.flatFieldDoubt() + ".");
		for (int f = 0; f < mosaics.size(); f++) {
			final Mosaic m = mosaics.get(f);
			final String where = frames.isEach() ? " in frame " + (f + 1) : "";
			m.links().stream().filter(Mosaic.Link::isRejected).forEach(l -> note("the link of " + m.tiles().get(l.a()).name() + " and "
				+ m.tiles().get(l.b()).name() + where + " " + l.reason() + ", and is not used."));
			m.tiles().stream().filter(t -> !t.linked()).forEach(t -> note(t.name() + where + " " + t.doubt() + "."));
		}
		if (fuse) {
			final MosaicImage fused = stitching.fused(mosaics, new Fusion(how, MovedImage.interpolation(interpolation), outside));
			final Img<?> image = fused.image();
			final long[] origin = Arrays.copyOf(fused.origin(), image.numDimensions());
			if (z > 2) {
				origin[z] = origin[2];
				origin[2] = 0;
			}
			output = MovedImage.open(this, z > 2 ? Views.moveAxis(image, 2, z) : image, "Mosaic of " + name, first, first, origin,
				Map.of("NCC.folder", folder.trim()));
		}
		final long used = mosaic.links().stream().filter(Mosaic.Link::used).count();
		done(mosaic.tiles().size() + " tiles, " + used + " of " + mosaic.links().size() + " links used"
			+ (used == 0 ? "" : String.format(Locale.ROOT, ", RMS residual %.3f pixels", mosaic.rmsResidual())));
	}

	private static RandomAccessibleInterval<?> spatialFirst(final RandomAccessibleInterval<?> pixels, final int z) {
		return z > 2 ? Views.moveAxis(pixels, z, 2) : pixels;
	}

	private TileLayout layout(final TilePattern names, final List<ImageInput> images, final int n) {
		ScanGrid scan = null;
		if (!grid.isBlank()) scan = ScanGrid.of(grid, ChoiceText.of("order", order, ScanGrid.Order.values()),
			ChoiceText.of("start", start, ScanGrid.Corner.values()));
		final TileOverlap given = overlap.isBlank() ? null : TileOverlap.of(overlap);
		try {
			final PositionsFile file = positions.isBlank() ? null : positions.trim().equals(StagePositions.METADATA)
				? StagePositions.of(images.stream().map(i -> new StagePositions.Metadata(i.name(), i.information(), i.calibration().origin())).toList(), n)
				: PositionsFile.parse(positions, Files.readAllLines(Path.of(positions.trim())));
			return new TileLayout(scan, names, given, file, positions);
		}
		catch (final IOException | InvalidPathException e) {
			throw new IllegalArgumentException("positions=" + positions + " cannot be read: " + e.getMessage() + ". Give a text file.", e);
		}
	}

	private Stitching stitching(final List<Tile> tiles, final UnaryOperator<RandomAccessibleInterval<?>> measured, final int n, final FrontEnd program) {
		final Stitching stitching = Stitching.of(tiles, n).falseAlarms(falsealarms).rejection(rejection).measuredOn(measured);
		if (!stageerror.isBlank()) stitching.stageError(WholeNumbers.lengths("stageerror=", stageerror, n, 0));
		if (flatfield.trim().equals("tiles")) stitching.flatFieldOfTiles(dark);
		else if (!flatfield.isBlank()) stitching.flatField(program.image(flatfield.trim()).pixels(), dark);
		return stitching;
	}


}
