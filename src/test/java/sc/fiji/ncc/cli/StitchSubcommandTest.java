package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.imageio.ImageIO;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.io.FileInfo;
import ij.io.TiffEncoder;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.VolumeTiles;
import sc.fiji.ncc.stitch.MosaicSample;

/** {@code ncc stitch}. */
class StitchSubcommandTest extends InFolder {

	@BeforeEach
	void tiles() throws IOException {
		assertEquals(0, run("sample", "./tiles", "--tiles"));
	}

	private List<String> lines(final String name) throws IOException {
		return Files.readAllLines(Path.of(path(name)));
	}

	@Test
	void allOutputsAreWritten() throws IOException {
		final String said = succeeds("stitch", "./tiles/tile_{y}_{x}.tif", "--overlap", "30", "-o", "m.tif", "--tiles", "t.csv", "--links",
			"l.csv", "--registered", path("r.txt"), "--graph", "g.png");
		assertTrue(said.matches("(?s)12 tiles, 1\\d links used, 0 rejected, \\d not linked, 1 tile at the position of the stage, RMS residual 0.0.*"), said);
		assertTrue(said.matches("(?s).*1 tile has no link: tile_\\d_\\d.tif; most frequent reason: \\w.*"), said);
		assertEquals("tile,x,y,sigma_x,sigma_y,links,linked", lines("t.csv").get(0));
		final Matcher sigma = Pattern.compile("largest standard deviation ([\\d.]+) pixels of the linked tiles and ([\\d.]+) of the others").matcher(said);
		assertTrue(sigma.find(), said);
		for (int linked = 0; linked < 2; linked++) {
			final String end = "," + linked;
			final double largest = lines("t.csv").stream().filter(l -> l.endsWith(end)).map(l -> l.split(","))
				.mapToDouble(c -> Math.max(Double.parseDouble(c[3]), Double.parseDouble(c[4]))).max().orElseThrow();
			assertEquals(largest, Double.parseDouble(sigma.group(2 - linked)), 0.001, said);
		}
		assertEquals("a,b,dx,dy,score,runner_up,false_alarms,sigma_x,sigma_y,residual,residual_sigmas,used,reason", lines("l.csv").get(0));
		assertEquals(13, lines("t.csv").size());
		assertEquals(18, lines("l.csv").size());
		final double[][] truth = MosaicSample.positions();
		final String[] first = lines("t.csv").get(1).split(","), second = lines("t.csv").get(2).split(",");
		for (int d = 0; d < 2; d++) assertEquals(truth[1][d] - truth[0][d], Double.parseDouble(second[1 + d]) - Double.parseDouble(first[1 + d]), 0.1);
		assertTrue(ImageIO.read(Path.of(path("g.png")).toFile()).getWidth() > 600);
		final ImagePlus mosaic = IJ.openImage(path("m.tif"));
		assertEquals(16, mosaic.getBitDepth());
		assertTrue(mosaic.getWidth() > 700 && mosaic.getHeight() > 410, mosaic.toString());
		// the registered positions are positions of another run
		succeeds("stitch", "./tiles", "--positions", "r.txt", "--stage-error", "3", "--tiles", "t2.csv");
		assertEquals(lines("t.csv").get(1).split(",")[0], lines("t2.csv").get(1).split(",")[0]);
		succeeds("stitch", "./tiles", "--positions", "t.csv", "--stage-error", "3", "--tiles", "t3.csv");
		assertEquals(13, lines("t3.csv").size());
	}

	/** Without positions, the blank tile is not placed. Its row is no obstacle for a second run. */
	@Test
	void tablesOfAMosaicWithoutATileAreReadAgain() throws IOException {
		final String said = succeeds("stitch", "./tiles", "--tiles", "t.csv", "--registered", path("r.txt"));
		assertTrue(said.contains("1 tile without a position"), said);
		assertTrue(lines("t.csv").contains("tile_1_4.tif,NaN,NaN,NaN,NaN,0,0"), lines("t.csv").toString());
		for (final String positions : new String[] { "t.csv", "r.txt" }) {
			succeeds("stitch", "./tiles", "--positions", positions, "--stage-error", "3", "--tiles", "t2.csv");
			assertTrue(lines("t2.csv").contains("tile_1_4.tif,NaN,NaN,NaN,NaN,0,0"), lines("t2.csv").toString());
			for (final int i : new int[] { 1, 12 }) assertEquals(Double.parseDouble(lines("t.csv").get(i).split(",")[1]),
				Double.parseDouble(lines("t2.csv").get(i).split(",")[1]), 0.01, positions);
		}
	}

	@Test
	void aFlatFieldOfTooFewTilesIsNamed() {
		final String call = "stitch ./tiles --grid 4x3 --overlap 30 --tiles t.csv";
		assertEquals(0, run((call + " --flat-field tiles").split(" ")));
		assertTrue(err.toString().matches("the flat field of 12 tiles varies by [\\d.]+ %, .*\\s+"), err::toString);
		assertFalse(out.toString().contains("flat field"), out::toString);
		succeeds(call.split(" "));
	}

	@Test
	void zarrAndTiffAreEqual() throws IOException {
		succeeds("stitch", "./tiles", "--grid", "4x3", "--overlap", "30", "-o", "m.tif", "--threads", "1");
		succeeds("stitch", "./tiles", "--grid", "4x3", "--overlap", "30", "-o", "m.zarr", "--threads", "2");
		final var tiff = ImageFiles.read(path("m.tif")).pixels();
		final var zarr = ImageFiles.read(path("m.zarr")).pixels();
		assertArrayEquals(tiff.dimensionsAsLongArray(), zarr.dimensionsAsLongArray());
		for (long y = 0; y < tiff.dimension(1); y += 7)
			for (long x = 0; x < tiff.dimension(0); x++) assertEquals(tiff.getAt(x, y), zarr.getAt(x, y), x + "," + y);
	}

	/** Volumes of 256x256x16 pixels: tables with z, and a mosaic of 18 slices, in both formats. */
	@Test
	void volumesAreStitched() throws IOException {
		final Path volumes = Files.createDirectory(Path.of(path("volumes")));
		VolumeTiles.save(volumes.toString());
		succeeds("stitch", "./volumes", "--grid", "2x2", "--overlap", "40", "--stage-error", "8,8,4", "-o", "v.tif", "--tiles", "t.csv", "--links", "l.csv",
			"--registered", path("r.txt"));
		succeeds("stitch", "./volumes", "--positions", "t.csv", "--stage-error", "3", "-o", "v.zarr", "--registered", path("s.txt"));
		assertEquals("tile,x,y,z,sigma_x,sigma_y,sigma_z,links,linked", lines("t.csv").get(0));
		assertTrue(lines("l.csv").get(0).startsWith("a,b,dx,dy,dz,score"), lines("l.csv").get(0));
		final String[] first = lines("t.csv").get(1).split(",");
		for (int i = 0; i < 4; i++) {
			final String[] row = lines("t.csv").get(i + 1).split(",");
			assertEquals(i + ".tif", row[0]);
			assertEquals("2,1", row[7] + "," + row[8]);
			for (int d = 0; d < 3; d++)
				assertEquals(0, VolumeTiles.error(i, d, Double.parseDouble(row[1 + d]), Double.parseDouble(first[1 + d])), 0.1, String.join(",", row));
		}
		assertEquals("dim = 3", lines("r.txt").get(1));
		final var tiff = ImageFiles.read(path("v.tif")).pixels();
		final var zarr = ImageFiles.read(path("v.zarr")).pixels();
		for (int d = 0; d < 3; d++) assertTrue(VolumeTiles.isExtent(tiff.dimension(d), d), tiff.dimension(d) + " pixels along " + "xyz".charAt(d));
		assertArrayEquals(tiff.dimensionsAsLongArray(), zarr.dimensionsAsLongArray());
		assertEquals(tiff.dimension(2), IJ.openImage(path("v.tif")).getNSlices());
	}

	/** The stage comes back to other places: the second tile lies at 40, 43 and 45 pixels. The third frame of the first tile shows its content moved by (1, 2). */
	@Test
	void framesCanHavePositionsOfTheirOwn() throws IOException {
		final byte[] scene = RandomPixels.bytes(3, 120 * 80);
		final int[][][] places = { { { 2, 3 }, { 2, 3 }, { 3, 5 } }, { { 42, 3 }, { 45, 4 }, { 47, 3 } } };
		Files.createDirectory(Path.of(path("times")));
		for (int i = 0; i < 2; i++) {
			final ImageStack frames = new ImageStack(60, 70);
			for (final int[] at : places[i]) {
				final ByteProcessor frame = new ByteProcessor(60, 70);
				for (int k = 0; k < 60 * 70; k++) frame.set(k, scene[(at[1] + k / 60) * 120 + at[0] + k % 60] & 0xff);
				frames.addSlice(frame);
			}
			final ImagePlus tile = new ImagePlus("", frames);
			tile.setDimensions(1, 1, 3);
			IJ.saveAsTiff(tile, path("times/" + i + ".tif"));
		}
		final String call = "stitch ./times --grid 2x1 --overlap 20 --stage-error 8 --tiles t.csv";
		final String said = succeeds((call + " --frame each --links l.csv --interpolation integer -o m.tif").split(" "));
		for (int f = 1; f <= 3; f++) assertTrue(said.contains("frame " + f + ": 2 tiles, 1 link used"), said);
		assertEquals("frame,tile,x,y,sigma_x,sigma_y,links,linked", lines("t.csv").get(0));
		assertTrue(lines("l.csv").get(0).startsWith("frame,a,b,dx,dy") && lines("l.csv").get(3).startsWith("3,0.tif,1.tif,"), lines("l.csv").toString());
		for (int f = 0; f < 3; f++) {
			final String[] a = lines("t.csv").get(1 + 2 * f).split(","), b = lines("t.csv").get(2 + 2 * f).split(",");
			assertEquals(f + 1 + ",0.tif," + (f + 1) + ",1.tif", a[0] + "," + a[1] + "," + b[0] + "," + b[1]);
			for (int d = 0; d < 2; d++) assertEquals(places[1][f][d] - places[0][f][d], Double.parseDouble(b[2 + d]) - Double.parseDouble(a[2 + d]), 0.1);
		}
		// the union of all frames; each shows the scene, at a place of its own
		final ImagePlus mosaic = IJ.openImage(path("m.tif"));
		assertEquals(3, mosaic.getNFrames());
		for (int f = 0; f < 3; f++) assertTrue(shows(mosaic.getStack().getProcessor(f + 1), scene, places[0][f], places[1][f]), "frame " + (f + 1));
		succeeds((call + " --frame 2").split(" "));
		assertEquals(43, Double.parseDouble(lines("t.csv").get(2).split(",")[1]) - Double.parseDouble(lines("t.csv").get(1).split(",")[1]), 0.1);
		refuses(call + " --frame each --graph g.png", "--frame each", "one set of positions");
		refuses(call + " --frame 4", "0.tif has 3 frames", "mean, or each");
		refuses(call + " --frame all", "--frame all");
	}

	/** A frame without a link says so in its line. The mosaic is doubted only if no frame has enough links. */
	@Test
	void oneGoodFrameIsEnough() throws IOException {
		final byte[] scene = RandomPixels.bytes(3, 120 * 80);
		Files.createDirectory(Path.of(path("blank")));
		for (int i = 0; i < 2; i++) {
			final ImageStack frames = new ImageStack(60, 70);
			final ByteProcessor frame = new ByteProcessor(60, 70);
			for (int k = 0; k < 60 * 70; k++) frame.set(k, scene[k / 60 * 120 + 42 * i + k % 60] & 0xff);
			frames.addSlice(new ByteProcessor(60, 70));
			frames.addSlice(frame);
			final ImagePlus tile = new ImagePlus("", frames);
			tile.setDimensions(1, 1, 2);
			IJ.saveAsTiff(tile, path("blank/" + i + ".tif"));
		}
		final String call = "stitch ./blank --grid 2x1 --overlap 20 --stage-error 8 --tiles t.csv --frame ";
		final String said = succeeds((call + "each").split(" "));
		assertTrue(said.contains("frame 1: 2 tiles, 0 links used") && said.contains("frame 1: 2 tiles have no link: ")
			&& said.contains("frame 2: 2 tiles, 1 link used"), said);
		assertEquals(0, run((call + "1").split(" ")));
		assertTrue(err.toString().startsWith("no two neighbouring tiles fit: "), err.toString());
	}

	/** Whether both tiles of a frame show the scene at one place of the mosaic. */
	private static boolean shows(final ImageProcessor frame, final byte[] scene, final int[]... places) {
		for (int y = -6; y <= 6; y++)
			for (int x = -6; x <= 6; x++) {
				boolean all = true;
				for (final int[] at : places)
					for (int k = 0; all && k < 60 * 70; k++) {
						final int u = at[0] + k % 60, v = at[1] + k / 60;
						all = u + x >= 0 && v + y >= 0 && u + x < frame.getWidth() && v + y < frame.getHeight() && frame.get(u + x, v + y) == (scene[v * 120 + u] & 0xff);
					}
				if (all) return true;
			}
		return false;
	}

	/** The mean of frames of noise shows the scene. */
	@Test
	void theMeanOfFramesHasLessNoise() throws IOException {
		final Random random = new Random(8);
		final double[] scene = new double[100 * 70];
		for (int i = 0; i < scene.length; i++) scene[i] = 20 * random.nextGaussian();
		Files.createDirectory(Path.of(path("noisy")));
		for (int i = 0; i < 2; i++) {
			final ImageStack frames = new ImageStack(60, 70);
			for (int f = 0; f < 24; f++) {
				final FloatProcessor frame = new FloatProcessor(60, 70);
				for (int k = 0; k < 60 * 70; k++) frame.setf(k, (float) (scene[k / 60 * 100 + 40 * i + k % 60] + 100 * random.nextGaussian()));
				frames.addSlice(frame);
			}
			final ImagePlus tile = new ImagePlus("", frames);
			tile.setDimensions(1, 1, 24);
			IJ.saveAsTiff(tile, path("noisy/" + i + ".tif"));
		}
		final String call = "stitch ./noisy --grid 2x1 --overlap 20 --stage-error 3 --tiles t.csv";
		assertTrue(succeeds((call + " --frame mean").split(" ")).contains("1 link used"));
		assertEquals(0, run((call + " --frame 1").split(" ")));
		assertTrue(out.toString().contains("0 links used"), out.toString());
	}

	/** Positions in OME-XML with a pixel of half a micrometer, in the translations of OME-Zarr, and in the origins of ImageJ. */
	@Test
	void metadataSayWhereTilesLie() throws IOException {
		refuses("stitch ./tiles --positions metadata --tiles t.csv", "the same position");
		final Path ome = Files.createDirectory(Path.of(path("ome"))), ij = Files.createDirectory(Path.of(path("ij")));
		final double[][] truth = MosaicSample.positions();
		for (int i = 0; i < 2; i++) {
			final ImagePlus tile = IJ.openImage(path("tiles/tile_1_" + (1 + i) + ".tif"));
			final FileInfo info = tile.getFileInfo();
			info.description = "<?xml version=\"1.0\"?><OME><Image><Pixels DimensionOrder=\"XYCZT\" SizeX=\"200\" SizeY=\"160\""
				+ " SizeC=\"1\" SizeZ=\"1\" SizeT=\"1\" PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.5\"><Plane PositionX=\"" + (1000 + 85 * i)
				+ "\" PositionY=\"2000\"/></Pixels></Image></OME>";
			try (OutputStream to = Files.newOutputStream(ome.resolve(i + ".tif"))) {
				new TiffEncoder(info).write(to);
			}
			tile.getCalibration().xOrigin = -170 * i;
			IJ.saveAsTiff(tile, ij.resolve(i + ".tif").toString());
		}
		for (final String folder : List.of("./ome", "./ij")) {
			succeeds("stitch", folder, "--positions", "metadata", "--stage-error", "15", "--tiles", "t.csv", "-o", "m.zarr");
			final String[] first = lines("t.csv").get(1).split(","), second = lines("t.csv").get(2).split(",");
			for (int d = 0; d < 2; d++) assertEquals(truth[1][d] - truth[0][d], Double.parseDouble(second[1 + d]) - Double.parseDouble(first[1 + d]), 0.1, folder);
			final double first0 = Double.parseDouble(first[1]);
			assertTrue(folder.equals("./ome") ? first0 > 1980 && first0 < 2020 : first0 < 20, first[1]);
		}
		// a mosaic itself says where it lies, and can be a tile
		succeeds("stitch", "./ome", "--positions", "metadata", "--stage-error", "15", "-o", "a.zarr");
		succeeds("stitch", "a.zarr", "ome/1.tif", "--positions", "metadata", "--stage-error", "15", "--tiles", "u.csv");
		final double x = Double.parseDouble(lines("u.csv").get(2).split(",")[1]) - Double.parseDouble(lines("u.csv").get(1).split(",")[1]);
		assertEquals(truth[1][0] - truth[0][0], x, 1, "the mosaic begins at the pixel before its first tile");
	}

	@Test
	void wrongCallsAreRefused() throws IOException {
		final String grid = " --grid 4x3 --overlap 30 -o m.tif";
		refuses("stitch ./tiles --grid 4x4 --overlap 30 -o m.tif", "16 places", "12 tiles");
		refuses("stitch ./tiles --grid 4x3 -o m.tif", "overlap");
		refuses("stitch ./tiles --overlap 30 -o m.tif", "the grid");
		refuses("stitch ./tiles --grid 4x3 --overlap 0 -o m.tif", "more than 0");
		refuses("stitch ./tiles --grid 4x3 --overlap 100% -o m.tif", "less than the whole tile");
		refuses("stitch ./tiles --grid 4x3 --overlap 160 -o m.tif", "160 pixels");
		refuses("stitch ./tiles --grid 4x3 --overlap x -o m.tif", "'x' is not an overlap");
		refuses("stitch ./tiles --grid 12 --overlap 30 -o m.tif", "columns and rows: give both, as in 5x4");
		refuses("stitch ./nofolder --grid 4x3 --overlap 30 -o m.tif", "there is no file or folder");
		refuses("stitch ./tiles" + grid + " --outside 70000", "cannot be 70000", "from 0 to 65535");
		refuses("stitch ./tiles" + grid + " --order spiral", "spiral", "snake-rows");
		refuses("stitch ./tiles" + grid + " --start middle", "middle", "top-left");
		refuses("stitch ./tiles --grid 4x3 --overlap 30", "nothing to write");
		refuses("stitch ./tiles --grid 4x3 --overlap 30 -o m.png", ".tif, .mrc or .zarr");
		refuses("stitch ./tiles" + grid + " --stage-error 1,2,3", "--stage-error");
		refuses("stitch ./tiles" + grid + " --false-alarms 0", "false alarms");
		refuses("stitch ./tiles" + grid + " --rejection 2", "rejection");
		refuses("stitch ./tiles" + grid + " --channels 2", "--channels 2");
		refuses("stitch ./tiles" + grid + " --frame 2", "--frame 2");
		refuses("stitch ./tiles" + grid + " --dark 5", "--flat-field");
		refuses("stitch ./tiles" + grid + " --outside nan", "cannot be NaN");
		refuses("stitch ./tiles" + grid + " --links l.txt", ".csv");
		refuses("stitch tiles/tile_1_1.tif -o m.tif", "at least two tiles");
		refuses("stitch ./nothing_{x}_{y}.tif --overlap 30 -o m.tif", "no file");
		refuses("stitch ./tiles/tile_{x}.tif --overlap 30 -o m.tif", "{x} and {y}");
		refuses("stitch tiles/tile_1_1.tif tiles/missing.tif --grid 2x1 --overlap 30 -o m.tif", "missing.tif");
		refuses("stitch ./tiles --positions none.csv -o m.tif", "none.csv");
		Files.writeString(Path.of(path("p.csv")), "file,x,y\ntile_1_1.tif,0,0\nother.tif,170,0\n");
		refuses("stitch tiles/tile_1_1.tif tiles/tile_1_2.tif --positions p.csv -o m.tif", "no position for tile_1_2.tif");
		refuses("stitch ./tiles --positions p.csv" + grid, "give one of them");
		Files.writeString(Path.of(path("p.csv")), "dim = 2\ntile_1_1.tif; ; (0.0, 0.0)\ntile_1_2.tif; ; (1.0)\n");
		refuses("stitch tiles/tile_1_1.tif tiles/tile_1_2.tif --positions p.csv -o m.tif", "line 3");
		Files.write(Path.of(path("p.csv")), new byte[] { 'f', 'i', 'l', 'e', ',', 'x', ',', 'y', '\n', (byte) 0xe4 });
		refuses("stitch ./tiles --positions p.csv -o m.tif", "p.csv: it is not text in UTF-8");
		refuses("stitch tiles/tile_1_1.tif tiles/tile_1_1.tif --grid 2x1 --overlap 30 -o m.tif", "two tiles have the name");
	}

	@Test
	void tilesThatDoNotFitAreRefused() throws IOException {
		assertEquals(0, run("sample", "coins.png"));
		refuses("stitch tiles/tile_1_1.tif coins.png --grid 2x1 --overlap 30 -o m.tif", "coins.png is 384x303");
		IJ.saveAsTiff(IJ.createImage("eight", "8-bit ramp", 200, 160, 1), path("eight.tif"));
		refuses("stitch tiles/tile_1_1.tif eight.tif --grid 2x1 --overlap 30 -o m.tif", "eight.tif has pixels of 8 bit, and tile_1_1.tif of 16 bit");
		final Path middle = Path.of(path("tiles/tile_2_2.tif"));
		Files.write(middle, Arrays.copyOf(Files.readAllBytes(middle), 9000));
		refuses("stitch ./tiles --grid 4x3 --overlap 30 -o m.tif", "tile_2_2.tif");
	}

	/** Some rows have neighbours by chance. */
	@Test
	void aGridWithColumnsForRowsIsDoubted() throws IOException {
		assertEquals(0, run("stitch", "./tiles", "--grid", "3x4", "--overlap", "30", "--tiles", "t.csv"));
		assertEquals("links join only 3 of 12 tiles: check --grid, --order, --start, --overlap and --stage-error", err.toString().strip());
		assertEquals(0, run("stitch", "./tiles", "--grid", "4x3", "--overlap", "30", "--tiles", "t.csv"));
		assertEquals("", err.toString().strip());
	}

	@Test
	void ofBlankTilesThePositionsOfTheStageStand() throws IOException {
		for (int i = 0; i < 2; i++) IJ.saveAsTiff(IJ.createImage("blank", "16-bit black", 60, 50, 1), path("blank" + i + ".tif"));
		assertEquals(0, run("stitch", "blank0.tif", "blank1.tif", "--grid", "2x1", "--overlap", "10", "-o", "m.tif", "--links", "l.csv"));
		final String said = out.toString();
		assertEquals("no two neighbouring tiles fit: check --grid, --order, --start, --overlap and --stage-error", err.toString().strip());
		assertTrue(said.contains("2 tiles have no link: blank0.tif, blank1.tif; most frequent reason: blank"), said);
		assertTrue(said.contains("0 links used, 0 rejected, 1 not linked, 2 tiles at the position of the stage, stage error assumed: "), said);
		assertTrue(!said.contains("NaN"), said);
		assertTrue(lines("l.csv").get(1).endsWith(",0,blank: all pixels are equal"), lines("l.csv").get(1));
		assertEquals(110, IJ.openImage(path("m.tif")).getWidth());
		refuses("stitch blank0.tif blank1.tif -o n.tif", "no link was found");
	}
}
