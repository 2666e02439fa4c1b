package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.gui.OvalRoi;
import ij.gui.Roi;
import ij.io.FileSaver;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.ij1.ImageJProcess.Outcome;

/** The macros of the plugin and the script template in the macro language, in real ImageJ, and the files that they write. */
class ShippedMacrosTest {

	private static final Path MACROS = Paths.get("macros"), TEMPLATE = Paths.get("src", "main", "resources", "script_templates", "NCC", "Find_Coins.ijm");
	private static final Random RANDOM = new Random(5);

	/** Motion of the scene in each frame. */
	private static final int[][] WAY = { { 0, 0 }, { 2, -1 }, { 5, 1 }, { 3, 4 } };

	@TempDir
	static Path folder;

	/** Numbers of files. Alphabetical order differs from numerical order. */
	private static final List<String> FRAMES = List.of("t2.tif", "T07.tif", "t10.tif", "t10b3.tif", "t10b12.tif");

	private static Map<String, Outcome> outcomes, again;

	@BeforeAll
	static void start() throws IOException {
		Files.createDirectories(folder.resolve("in"));
		final ImageStack frames = new ImageStack(60, 50);
		for (int i = 0; i < 24; i++) frames.addSlice(bytes(60, 50));
		final ImagePlus hyper = new ImagePlus("hyper", frames);
		hyper.setDimensions(2, 4, 3);
		hyper.setOpenAsHyperStack(true);
		save(hyper, "hyper.tif");
		// channel 2, slice 3, frame 2; and channel 1, slice 1, frame 3
		save(new ImagePlus("p", crop(frames.getProcessor(hyper.getStackIndex(2, 3, 2)), 10, 12, 9, 8)), "p.tif");
		save(new ImagePlus("q", crop(frames.getProcessor(hyper.getStackIndex(1, 1, 3)), 30, 22, 7, 11)), "q.tif");

		// channel 2 moves, channel 1 is noise
		final ImageProcessor moving = bytes(90, 80);
		final ImageStack both = new ImageStack(60, 50);
		for (final int[] at : WAY) {
			both.addSlice(bytes(60, 50));
			both.addSlice(crop(moving, 15 - at[0], 15 - at[1], 60, 50));
		}
		final ImagePlus time = new ImagePlus("time", both);
		time.setDimensions(2, 1, WAY.length);
		time.setOpenAsHyperStack(true);
		time.getCalibration().setUnit("mm");
		time.getCalibration().pixelWidth = time.getCalibration().pixelHeight = 0.5;
		time.getCalibration().frameInterval = 0.2;
		save(time, "time.tif");

		final ImageStack slices = new ImageStack(30, 28);
		for (int i = 0; i < 12; i++) slices.addSlice(shorts(30, 28));
		final ImagePlus volume = new ImagePlus("volume", slices);
		volume.getCalibration().setUnit("mm");
		volume.getCalibration().pixelWidth = volume.getCalibration().pixelHeight = 0.5;
		volume.getCalibration().pixelDepth = 2;
		save(volume, "a volume.tif");

		final ImageProcessor scene = bytes(80, 70);
		save(new ImagePlus("scene", scene), "in/one.tif");
		final ImageProcessor other = bytes(90, 60);
		other.insert(crop(scene, 20, 25, 14, 14), 51, 33);
		save(new ImagePlus("other", other), "in/two.png");
		Files.writeString(folder.resolve("in/notes.txt"), "no image");
		// only pixels inside a round template count
		final ImagePlus round = new ImagePlus("round", crop(scene, 20, 25, 14, 14));
		final ImageProcessor corners = bytes(14, 14);
		final Roi oval = new OvalRoi(0, 0, 14, 14);
		for (int y = 0; y < 14; y++) for (int x = 0; x < 14; x++) if (!oval.contains(x, y)) round.getProcessor().set(x, y, corners.get(x, y));
		round.setRoi(oval);
		save(round, "round.tif");

		Files.createDirectories(folder.resolve("frames"));
		for (final String frame : FRAMES) save(new ImagePlus(frame, scene), "frames/" + frame);

		final Map<Path, String> arguments = new LinkedHashMap<>();
		arguments.put(MACROS.resolve("Find_Matches_in_Folder.ijm"),
			"images=[" + folder.resolve("in") + "] template=" + at("round.tif") + " output=" + at("matches.csv") + " minscore=0.9");
		arguments.put(MACROS.resolve("Find_Matches_in_Stack.ijm"),
			"image=" + at("hyper.tif") + " templates=" + at("p.tif") + "," + at("q.tif") + " output=" + at("stack") + " minscore=0.9");
		arguments.put(MACROS.resolve("Track_Templates.ijm"),
			"image=" + at("time.tif") + " roi=[10,12,9,8; 30,22,7,11] output=" + at("tracks") + " maxshift=6,5 channels=2");
		arguments.put(MACROS.resolve("Correlate_Volume.ijm"), "image=[" + at("a volume.tif") + "] template=8,9,3,6,7,4 output=" + at("volume"));
		arguments.put(MACROS.resolve("Report_Plan.ijm"), "image=300x200 template=9x9 type=u16 output=" + at("report"));
		arguments.put(TEMPLATE, "");
		final ImageJProcess imagej = new ImageJProcess(folder.resolve("ImageJ"));
		outcomes = imagej.runShipped(arguments).join();
		final StringBuilder twice = new StringBuilder("newImage('own', '8-bit ramp', 40, 30, 1);");
		arguments.remove(TEMPLATE);
		arguments.put(MACROS.resolve("Correlate.ijm"), "image=" + at("in/one.tif") + " template=20,25,14,14 output=" + at("again"));
		arguments.put(MACROS.resolve("Convolve.ijm"), "image=" + at("in/one.tif") + " kernel=" + at("p.tif") + " output=" + at("again"));
		for (int run = 0; run < 2; run++)
			arguments.forEach((macro, argument) -> twice.append("runMacro('" + macro.toAbsolutePath() + "', '" + argument + "'); print(nImages, getTitle());"));
		again = imagej.run(Map.of("twice", twice.toString(),
			"frames", "runMacro('" + MACROS.resolve("Find_Matches_in_Folder.ijm").toAbsolutePath() + "', 'images=" + at("frames") + " template=" + at("round.tif") + " output="
				+ at("frames.csv") + " minscore=0.9');")).join();
	}

	@Test
	void allAreTried() throws IOException {
		try (Stream<Path> files = Files.list(MACROS)) {
			assertEquals(Set.of("Correlate.ijm", "Convolve.ijm", "Find_Matches_in_Folder.ijm", "Find_Matches_in_Stack.ijm", "Correlate_Volume.ijm", "Report_Plan.ijm",
				"Track_Templates.ijm"),
				files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()), "MacroInImageJTest tries Correlate.ijm, ConvolveMacroTest Convolve.ijm");
		}
	}

	/** A macro that leaves images open would affect the next one. */
	@Test
	void eachClosesWhatItOpensAndNothingElse() {
		assertEquals("1 own\n".repeat(2 * 7), again.get("twice").printed());
	}

	@Test
	void theImagesOfAFolderComeInTheOrderOfTheirNumbers() throws IOException {
		assertEquals("", again.get("frames").printed());
		assertEquals(FRAMES, Files.readAllLines(folder.resolve("frames.csv")).stream().skip(1).map(row -> row.split(",")[5]).collect(Collectors.toList()));
	}

	@Test
	void aFolderGivesOneTableWithTheBestOfEachImage() throws IOException {
		assertQuiet("Find_Matches_in_Folder");
		final List<String> rows = Files.readAllLines(folder.resolve("matches.csv"));
		assertEquals("Label,Score,X,Y,Image,Channel,Slice,Frame,Template,CenterX,CenterY,SubpixelX,SubpixelY,CalibratedX,CalibratedY,Unit", unnumbered(rows.get(0)));
		assertEquals(3, rows.size(), rows.toString());
		assertTrue(unnumbered(rows.get(1)).startsWith("1,1.000000,20,25,one.tif,1,1,1,round.tif,27,32,"), rows.get(1));
		assertTrue(unnumbered(rows.get(2)).startsWith("1,1.000000,51,33,two.png,1,1,1,round.tif,58,40,"), rows.get(2));
	}

	@Test
	void aHyperstackHasEachTemplateWhereItIs() throws IOException {
		assertQuiet("Find_Matches_in_Stack");
		final List<String> rows = Files.readAllLines(folder.resolve("stack/hyper-matches.csv"));
		assertEquals(3, rows.size(), rows.toString());
		assertTrue(unnumbered(rows.get(1)).startsWith("1,1.000000,10,12,hyper.tif,2,3,2,p.tif,14.5000,16.0000,"), rows.get(1));
		assertTrue(unnumbered(rows.get(2)).startsWith("2,1.000000,30,22,hyper.tif,1,1,3,q.tif,33.5000,27.5000,"), rows.get(2));
		final ImagePlus marked = IJ.openImage(folder.resolve("stack/hyper-matches.tif").toString());
		assertEquals(2, marked.getOverlay().size());
		final Roi box = marked.getOverlay().get(0);
		assertEquals("1: p 1.00", box.getName());
		assertEquals("[10, 12, 9, 8, 2, 3, 2]", Arrays.toString(new int[] { box.getBounds().x, box.getBounds().y, box.getBounds().width,
			box.getBounds().height, box.getCPosition(), box.getZPosition(), box.getTPosition() }));
	}

	@Test
	void aStackHasTheTableTheLinesAndThePlot() throws IOException {
		assertQuiet("Track_Templates");
		final List<String> rows = Files.readAllLines(folder.resolve("tracks/time-tracks.csv"));
		assertEquals("Score,X,Y,Template,Frame,Image,Channel,Slice,SubpixelX,SubpixelY,CalibratedX,CalibratedY,MotionX,MotionY,"
			+ "Unit,RunnerUp,Ratio,Lost,Edge", unnumbered(rows.get(0)));
		assertEquals(1 + 2 * WAY.length, rows.size(), rows.toString());
		for (int f = 0; f < WAY.length; f++) {
			final int x = 30 + WAY[f][0], y = 22 + WAY[f][1];
			final String row = unnumbered(rows.get(1 + WAY.length + f));
			assertTrue(row.startsWith("1.000000," + x + "," + y + ",2," + (f + 1) + ",time.tif,2,1,"), row);
			final String[] cells = row.split(",");
			assertEquals((x + 3.5) * 0.5, Double.parseDouble(cells[10]), 0.05);
			assertEquals(WAY[f][1] * 0.5, Double.parseDouble(cells[13]), 0.1);
			assertEquals("mm", cells[14]);
			assertEquals(Double.parseDouble(cells[0]) / Double.parseDouble(cells[15]), Double.parseDouble(cells[16]), 0.01 * Double.parseDouble(cells[16]));
			assertEquals("0", cells[17]);
		}
		final ImagePlus marked = IJ.openImage(folder.resolve("tracks/time-tracks.tif").toString());
		assertEquals(4 * WAY.length + 2, marked.getOverlay().size());
		final Roi box = marked.getOverlay().get(5), label = marked.getOverlay().get(5 + 2 * WAY.length);
		// below the box, in its frame
		assertNull(box.getName());
		assertEquals("2 1.00 [38, 42, 2, 1, 3]", label.getName() + " " + Arrays.toString(new int[] { label.getBounds().x, label.getBounds().y,
			label.getCPosition(), label.getZPosition(), label.getTPosition() }));
		assertEquals("[35, 23, 7, 11, 2, 1, 3]", Arrays.toString(new int[] { box.getBounds().x, box.getBounds().y, box.getBounds().width, box.getBounds().height,
			box.getCPosition(), box.getZPosition(), box.getTPosition() }));
		final Roi way = marked.getOverlay().get(1 + 4 * WAY.length);
		assertEquals(Roi.POLYLINE, way.getType());
		assertEquals(WAY.length, way.getFloatPolygon().npoints);
		// corners of lines count from the centre of a pixel
		assertEquals(30 + WAY[3][0] + 3, way.getFloatPolygon().xpoints[3], 0.1);
		assertEquals("2, 1, 0", way.getCPosition() + ", " + way.getZPosition() + ", " + way.getTPosition());
		assertTrue(ImageIO.read(folder.resolve("tracks/time-motion.png").toFile()).getWidth() > 560);
	}

	@Test
	void aVolumeHasItsMapAndTheMatchInTheImagesUnit() throws IOException {
		assertQuiet("Correlate_Volume");
		final ImagePlus map = IJ.openImage(folder.resolve("volume/a volume-correlation.tif").toString());
		assertEquals("[25, 22, 1, 9, 1]", Arrays.toString(map.getDimensions()));
		assertEquals(1, map.getStack().getProcessor(4).getf(8, 9), 1e-5);
		final String row = unnumbered(Files.readAllLines(folder.resolve("volume/a volume-matches.csv")).get(1));
		assertTrue(row.startsWith("1,1.000000,8,9,3,a volume.tif,1,4,1,template,11,12.5000,4.5000,"), row);
		final String[] cells = row.split(",");
		assertEquals(11 * 0.5, Double.parseDouble(cells[16]), 0.05);
		assertEquals(12.5 * 0.5, Double.parseDouble(cells[17]), 0.05);
		assertEquals(4.5 * 2, Double.parseDouble(cells[18]), 0.2);
		assertEquals("mm", cells[19]);
	}

	@Test
	void aReportNamesTheMethodTheDevicesAndTheMap() throws IOException {
		assertQuiet("Report_Plan");
		final List<String> plan = Files.readAllLines(folder.resolve("report/plan.csv"));
		assertEquals("Method,Predicted (ms),To start (ms),Measured (ms),Memory (MB),Why,Device", unnumbered(plan.get(0)));
		assertTrue(plan.get(1).contains("selected"), plan.get(1));
		assertTrue(Files.readString(folder.resolve("report/devices.csv")).contains("ready"));
		assertEquals(716, ImageIO.read(folder.resolve("report/map.png").toFile()).getHeight());
	}

	@Test
	void theTemplateForTheEditorFindsTheCoins() {
		assertEquals("24 coins, the second match at 217, 235\n", outcomes.get("Find_Coins").printed());
	}

	private static void assertQuiet(final String macro) {
		assertEquals("", outcomes.get(macro).printed());
	}

	/** ImageJ numbers the rows of its results. */
	private static String unnumbered(final String row) {
		final String rest = row.substring(row.indexOf(',') + 1);
		assertFalse(rest.isEmpty(), row);
		return rest;
	}

	private static String at(final String name) {
		return folder.resolve(name).toString();
	}

	private static void save(final ImagePlus image, final String name) {
		final FileSaver saver = new FileSaver(image);
		assertTrue(name.endsWith(".png") ? saver.saveAsPng(at(name)) : image.getStackSize() > 1 ? saver.saveAsTiffStack(at(name)) : saver.saveAsTiff(at(name)));
	}

	private static ImageProcessor crop(final ImageProcessor from, final int x, final int y, final int width, final int height) {
		final ImageProcessor whole = from.duplicate();
		whole.setRoi(x, y, width, height);
		return whole.crop();
	}

	private static ImageProcessor bytes(final int width, final int height) {
		final byte[] pixels = new byte[width * height];
		RANDOM.nextBytes(pixels);
		return new ByteProcessor(width, height, pixels);
	}

	private static ImageProcessor shorts(final int width, final int height) {
		final ShortProcessor pixels = new ShortProcessor(width, height);
		for (int i = 0; i < width * height; i++) pixels.set(i, RANDOM.nextInt(4000));
		return pixels;
	}
}
