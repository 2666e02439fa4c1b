package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import ij.CompositeImage;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.io.FileInfo;
import ij.io.TiffEncoder;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.scijava.command.CommandModule;

import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.VolumeTiles;
import sc.fiji.ncc.result.Mosaic;

/** Stitch Tiles, run by SciJava: four tiles of a scene, at known places. */
class StitchInSciJavaTest extends InSciJava {

	private static final int WIDTH = 60, HEIGHT = 50, SCENE = 120;
	private static final byte[] PIXELS = RandomPixels.bytes(11, SCENE * SCENE);
	/** The first pixels of the tiles in the scene. The overlap is 20 pixels along x and y, apart from up to 2 pixels. */
	private static final int[][] PLACES = { { 4, 3 }, { 45, 2 }, { 3, 34 }, { 43, 34 } };

	@TempDir
	Path folder;

	private static ByteProcessor tile(final int x, final int y) {
		final byte[] tile = new byte[WIDTH * HEIGHT];
		for (int j = 0; j < HEIGHT; j++) System.arraycopy(PIXELS, (y + j) * SCENE + x, tile, j * WIDTH, WIDTH);
		return new ByteProcessor(WIDTH, HEIGHT, tile);
	}

	@BeforeEach
	void tiles() {
		for (int i = 0; i < 4; i++) IJ.saveAsTiff(new ImagePlus("", tile(PLACES[i][0], PLACES[i][1])),
			folder.resolve("tile_" + (1 + i / 2) + "_" + (1 + i % 2) + ".tif").toString());
	}

	private CommandModule module(final Object... more) throws Exception {
		final Object[] inputs = new Object[more.length + 6];
		System.arraycopy(new Object[] { "folder", folder.toString(), "overlap", "20", "graph", false }, 0, inputs, 0, 6);
		System.arraycopy(more, 0, inputs, 6, more.length);
		return run(StitchTilesCommand.class, inputs);
	}

	private CommandModule ran(final Object... more) throws Exception {
		final CommandModule module = module(more);
		assertFalse(module.isCanceled(), module.getCancelReason());
		return module;
	}

	/** A row for each pair, in place of the tiles. */
	@Test
	void theLinksAreATable() throws Exception {
		final Mosaic mosaic = (Mosaic) ran("grid", "2x2", "links", true).getOutput("mosaic");
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("A", "B", "DX", "DY", "Score", "RunnerUp", "FalseAlarms", "SigmaX", "SigmaY", "Residual", "ResidualSigmas", "Used", "Reason"),
			List.of(table.getHeadings()));
		assertEquals(mosaic.links().size(), table.size());
		for (int i = 0; i < table.size(); i++) {
			final Mosaic.Link link = mosaic.links().get(i);
			assertEquals(mosaic.tiles().get(link.a()).name() + " " + mosaic.tiles().get(link.b()).name(), table.getStringValue("A", i) + " "
				+ table.getStringValue("B", i));
			for (int d = 0; d < 2; d++) assertEquals(PLACES[link.b()][d] - PLACES[link.a()][d], table.getValue(d == 0 ? "DX" : "DY", i), 0.1);
			assertEquals(link.score(), table.getValue("Score", i), 1e-6);
			assertEquals(link.sigma(1), table.getValue("SigmaY", i), 1e-6);
			assertEquals(1, table.getValue("Used", i));
		}
	}

	private String reason(final Object... more) throws Exception {
		final CommandModule module = module(more);
		assertTrue(module.isCanceled(), "it was not refused");
		return module.getCancelReason();
	}

	@Test
	void theTilesLieWhereTheyWereTaken() throws Exception {
		final CommandModule module = ran("grid", "2x2", "registered", folder.resolve("r.txt").toString(), "interpolation", "integer", "blending", "max");
		final Mosaic mosaic = (Mosaic) module.getOutput("mosaic");
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Tile", "X", "Y", "SigmaX", "SigmaY", "Links", "Linked"), List.of(table.getHeadings()));
		assertEquals(4, table.size());
		for (int i = 0; i < 4; i++) {
			assertEquals("tile_" + (1 + i / 2) + "_" + (1 + i % 2) + ".tif", table.getStringValue("Tile", i));
			assertEquals(PLACES[i][0] - PLACES[0][0], table.getValue("X", i) - table.getValue("X", 0), 0.1);
			assertEquals(PLACES[i][1] - PLACES[0][1], table.getValue("Y", i) - table.getValue("Y", 0), 0.1);
			assertEquals(mosaic.tiles().get(i).sigma(0), table.getValue("SigmaX", i), 1e-6);
			assertEquals(mosaic.tiles().get(i).links(), table.getValue("Links", i));
			assertEquals(1, table.getValue("Linked", i));
		}
		assertEquals(String.format("4 tiles, 6 of 6 links used, RMS residual %.3f pixels", mosaic.rmsResidual()),
			((NccCommand) module.getCommand()).summary());
		final List<String> registered = Files.readAllLines(folder.resolve("r.txt"));
		assertEquals(4, registered.stream().filter(line -> line.startsWith("tile_")).count(), registered.toString());
		// the fused image shows the scene
		final Img<?> image = (Img<?>) module.getOutput("output");
		assertArrayEquals(new long[] { PLACES[1][0] + WIDTH - PLACES[2][0], PLACES[3][1] + HEIGHT - PLACES[1][1] }, image.dimensionsAsLongArray());
		int equal = 0;
		for (int y = 10; y < 70; y++)
			for (int x = 10; x < 90; x++) if (((UnsignedByteType) image.getAt(x, y)).get() == (PIXELS[(y + 2) * SCENE + x + 3] & 0xff)) equal++;
		assertEquals(60 * 80, equal);
	}

	@Test
	void namesAndFilesGivePlacesToo() throws Exception {
		ran("pattern", "tile_{y}_{x}.tif", "fuse", false);
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(PLACES[3][0] - PLACES[0][0], table.getValue("X", 3) - table.getValue("X", 0), 0.1);
		Files.writeString(folder.resolve("p.txt"), "file,x,y\ntile_1_1.tif,0,0\ntile_1_2.tif,40,0\ntile_2_1.tif,0,30\ntile_2_2.tif,40,30\n");
		final CommandModule module = ran("positions", folder.resolve("p.txt").toString(), "overlap", "", "fuse", false);
		assertNull(module.getOutput("output"));
		assertEquals(PLACES[3][1] - PLACES[0][1], table.getValue("Y", 3) - table.getValue("Y", 0), 0.1);
		// rows of a run before stay on request
		ran("grid", "2x2", "append", true, "fuse", false);
		assertEquals(8, table.size());
	}

	/** Positions of the stage in OME-XML, in pixels and in micrometers. */
	@Test
	void metadataGivePlacesToo() throws Exception {
		final Path ome = Files.createDirectory(folder.resolve("ome"));
		for (int i = 0; i < 4; i++) {
			final FileInfo info = new ImagePlus("", tile(PLACES[i][0], PLACES[i][1])).getFileInfo();
			info.description = "<?xml version=\"1.0\"?><OME><Image><Pixels PhysicalSizeX=\"2\" PhysicalSizeY=\"2\"><Plane PositionX=\"" + 80 * (i % 2)
				+ "\" PositionY=\"" + 60 * (i / 2) + "\"/></Pixels></Image></OME>";
			try (OutputStream to = Files.newOutputStream(ome.resolve(i + ".tif"))) {
				new TiffEncoder(info).write(to);
			}
		}
		ran("folder", ome.toString(), "positions", "metadata", "overlap", "", "fuse", false);
		final ResultsTable table = ResultsTable.getResultsTable();
		for (int i = 0; i < 4; i++) {
			assertEquals(PLACES[i][0] - PLACES[0][0], table.getValue("X", i) - table.getValue("X", 0), 0.1);
			assertEquals(PLACES[i][1] - PLACES[0][1], table.getValue("Y", i) - table.getValue("Y", 0), 0.1);
		}
		assertEquals("the metadata of all tiles state the same position: give a grid, or a file of positions", reason("positions", "metadata", "overlap", ""));
	}

	/** Two frames, in the second of which the second tile lies 3 pixels further. */
	@Test
	void framesCanHavePositionsOfTheirOwn() throws Exception {
		final Path times = Files.createDirectory(folder.resolve("times"));
		for (int i = 0; i < 2; i++) {
			final ImageStack frames = new ImageStack(WIDTH, HEIGHT);
			for (int f = 0; f < 2; f++) frames.addSlice(tile(PLACES[i][0] + 3 * i * f, PLACES[i][1]));
			final ImagePlus stack = new ImagePlus("", frames);
			stack.setDimensions(1, 1, 2);
			IJ.saveAsTiff(stack, times.resolve(i + ".tif").toString());
		}
		final CommandModule module = ran("folder", times.toString(), "grid", "2x1", "frame", "each", "stageerror", "8");
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Frame", "Tile", "X", "Y", "SigmaX", "SigmaY", "Links", "Linked"), List.of(table.getHeadings()));
		assertEquals(4, table.size());
		for (int f = 0; f < 2; f++) {
			assertEquals(f + 1, table.getValue("Frame", 2 * f));
			assertEquals(PLACES[1][0] - PLACES[0][0] + 3 * f, table.getValue("X", 2 * f + 1) - table.getValue("X", 2 * f), 0.1);
		}
		assertEquals(2, ((Img<?>) module.getOutput("output")).dimension(2));
		assertTrue(reason("folder", times.toString(), "grid", "2x1", "frame", "each", "registered",
			"r.txt").startsWith("registered=r.txt is of one set of positions"));
	}

	/** One tile shows nothing of the scene. */
	@Test
	void whatIsNotLinkedIsNoted() throws Exception {
		IJ.saveAsTiff(new ImagePlus("", new ByteProcessor(WIDTH, HEIGHT, RandomPixels.bytes(99, WIDTH * HEIGHT))), folder.resolve("tile_2_2.tif").toString());
		final Printed one = Printed.during(() -> ran("grid", "2x2", "fuse", false));
		assertTrue(one.text().contains("Stitch Tiles: tile_2_2.tif is not linked: it lies where the stage was sent."), one.text());
		assertEquals(0, ResultsTable.getResultsTable().getValue("Linked", 3));
		assertEquals(1, ResultsTable.getResultsTable().getValue("Linked", 0));
		final Printed none = Printed.during(() -> ran("grid", "2x2", "falsealarms", 1e-300, "fuse", false));
		assertTrue(none.text().contains("Stitch Tiles: no two neighbouring tiles fit: check the grid, its order and corner, the overlap and the stage error."),
			none.text());
	}

	@Test
	void aFlatFieldOfTooFewTilesIsNoted() throws Exception {
		for (final String flat : new String[] { "", "tiles" })
			assertEquals(!flat.isEmpty(), Printed.during(() -> ran("grid", "2x2", "flatfield", flat, "fuse", false)).text()
				.contains("Stitch Tiles: the flat field of 4 tiles varies by "), flat);
	}

	/** Volumes of 256x256x16 pixels. */
	@Test
	void volumesLieWhereTheyWereTaken() throws Exception {
		final Path volumes = Files.createDirectory(folder.resolve("volumes"));
		VolumeTiles.save(volumes.toString());
		final CommandModule module = ran("folder", volumes.toString(), "grid", "2x2", "overlap", "40", "stageerror", "8,8,4");
		final ResultsTable table = ResultsTable.getResultsTable();
		for (int i = 0; i < 4; i++) {
			assertEquals(2, table.getValue("Links", i));
			for (int d = 0; d < 3; d++) {
				final String column = "XYZ".substring(d, d + 1);
				assertEquals(0, VolumeTiles.error(i, d, table.getValue(column, i), table.getValue(column, 0)), 0.1, column + " of tile " + i);
			}
		}
		final Img<?> image = (Img<?>) module.getOutput("output");
		for (int d = 0; d < 3; d++) assertTrue(VolumeTiles.isExtent(image.dimension(d), d), image.dimension(d) + " pixels along " + "xyz".charAt(d));
	}

	/** Two channels of noise, of which the second shows the scene in each slice. */
	@Test
	void volumesWithChannels() throws Exception {
		final Path deep = Files.createDirectory(folder.resolve("deep"));
		for (int i = 0; i < 2; i++) {
			final ImageStack planes = new ImageStack(WIDTH, HEIGHT);
			for (int z = 0; z < 12; z++) {
				planes.addSlice(new ByteProcessor(WIDTH, HEIGHT, RandomPixels.bytes(50 + 10 * i + z, WIDTH * HEIGHT)));
				planes.addSlice(tile(PLACES[i][0], PLACES[i][1] + 5 * z));
			}
			final ImagePlus tile = new ImagePlus("", planes);
			tile.setDimensions(2, 12, 1);
			IJ.saveAsTiff(new CompositeImage(tile), deep.resolve(i + ".tif").toString());
		}
		final CommandModule module = ran("folder", deep.toString(), "grid", "2x1", "channels", "2", "stageerror", "3,3,1");
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Tile", "X", "Y", "Z", "SigmaX", "SigmaY", "SigmaZ", "Links", "Linked"), List.of(table.getHeadings()));
		assertEquals(PLACES[1][0] - PLACES[0][0], table.getValue("X", 1) - table.getValue("X", 0), 0.1);
		assertEquals(0, table.getValue("Z", 1) - table.getValue("Z", 0), 0.1);
		final Img<?> image = (Img<?>) module.getOutput("output");
		assertEquals(4, image.numDimensions());
		assertArrayEquals(new long[] { 2, 12 }, new long[] { image.dimension(2), image.dimension(3) });
	}

	@Test
	void wrongFoldersAndNumbersAreRefused() throws Exception {
		assertEquals("The folder is missing. Give a folder with one image for each tile, as in folder=/data/tiles.", reason("folder", " "));
		assertEquals("No image in " + folder + " matches pattern=a_{x}_{y}.tif. Give a pattern such as tile_{y}_{x}.tif.", reason("pattern", "a_{x}_{y}.tif"));
		assertTrue(reason("grid", "2x2", "overlap", "").contains("overlap"));
		assertEquals("stageerror=far is not valid. Give one or 2 whole numbers of pixels from 0, as in 40 or 40,40.", reason("grid", "2x2", "stageerror", "far"));
		assertEquals("frame=2: 'tile_1_1.tif' has 1 frame; give a number from 1 to 1, mean, or each", reason("grid", "2x2", "frame", "2"));
		assertTrue(reason("grid", "2x2", "frame", "all").startsWith("frame=all: give the number of a frame"));
		assertTrue(reason("positions", folder.resolve("none.txt").toString()).startsWith("positions=" + folder.resolve("none.txt") + " cannot be read: "));
		assertTrue(reason("grid", "2x2", "registered", "a.csv").startsWith("registered=a.csv is a text file."));
		assertTrue(reason("grid", "2x2", "order", "zigzag").contains("zigzag"));
		IJ.saveAsTiff(new ImagePlus("", new ColorProcessor(WIDTH, HEIGHT)), folder.resolve("tile_2_2.tif").toString());
		assertTrue(reason("grid", "2x2").startsWith("The tile 'tile_2_2.tif' is an RGB image."));
		final ImageStack two = new ImageStack(WIDTH, HEIGHT);
		for (int i = 0; i < 2; i++) two.addSlice(tile(43, 34));
		IJ.saveAsTiff(new ImagePlus("", two), folder.resolve("tile_2_2.tif").toString());
		assertEquals("'tile_2_2.tif' has the axes xyz, and 'tile_1_1.tif' has xy. Give tiles with the same axes.", reason("grid", "2x2"));
	}
}
