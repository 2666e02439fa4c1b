package sc.fiji.ncc.fiji;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;

/** The macros in real ImageJ2 without windows, each in a process of its own. */
class MacroInFijiTest extends InFiji {

	private static final String THREE = "newImage('large', '8-bit ramp', 40, 30, 1); newImage('small', '8-bit ramp', 12, 10, 1);"
		+ "newImage('colours', 'RGB ramp', 30, 30, 1); selectImage('large');";

	@BeforeAll
	static void saveImage() {
		final ByteProcessor pixels = new ByteProcessor(60, 50);
		final Random random = new Random(7);
		for (int i = 0; i < 60 * 50; i++) pixels.set(i, random.nextInt(256));
		final ImagePlus image = new ImagePlus("a picture", pixels);
		image.getCalibration().setUnit("mm");
		image.getCalibration().pixelWidth = 0.25;
		image.getCalibration().pixelHeight = 0.5;
		image.getCalibration().xOrigin = 3;
		image.getCalibration().yOrigin = 4;
		assertTrue(IJ.saveAsTiff(image, folder.resolve("a picture.tif").toString()));
	}

	@Test
	void theShippedMacroWritesTheMapAndTheBestMatch() throws Exception {
		final Path results = folder.resolve("results");
		final String printed = fiji(Paths.get("macros", "Correlate.ijm").toAbsolutePath().toString(),
			"image=[" + folder.resolve("a picture.tif") + "] template=17,11,9,6 output=[" + results + "]");
		assertTrue(Files.exists(results.resolve("a picture-best.csv")), printed);
		assertEquals(List.of("x,y,slice,score", "17,11,1,1.000000"), Files.readAllLines(results.resolve("a picture-best.csv")));
		final ImagePlus map = IJ.openImage(results.resolve("a picture-correlation.tif").toString());
		assertEquals(ImagePlus.GRAY32, map.getType());
		assertEquals(52, map.getWidth());
		assertEquals(45, map.getHeight());
		assertEquals(1, map.getProcessor().getf(17, 11), 1e-5);
	}

	@Test
	void titleDisplayRangeAndCalibrationAreThoseOfTheImage() throws Exception {
		assertPrints("NCC of a picture.tif -1 1 0.25 0.5 mm -2.75 -4.5", "open('" + folder.resolve("a picture.tif") + "'); makeRectangle(17, 11, 9, 6);"
			+ "run('Duplicate...', 'title=part'); run('Normalized Cross-Correlation...', 'image=[a picture.tif] template=part extent=full');"
			+ "selectImage('NCC of a picture.tif'); getMinAndMax(low, high); getVoxelSize(w, h, d, unit); x = 0; y = 0; toScaled(x, y);"
			+ "print(getTitle(), low, high, w, h, unit, x, y);");
	}

	@Test
	void everyPlaneOfAHyperstackIsCorrelated() throws Exception {
		assertPrints("16 12 2 3 4 1.000000", "newImage('volume', '8-bit ramp', 20, 15, 2, 3, 4); setSlice(7); setPixel(10, 7, 255);"
			+ "setPixel(11, 7, 0); makeRectangle(8, 5, 5, 4); run('Duplicate...', 'title=part');"
			+ "run('Normalized Cross-Correlation...', 'image=volume template=part'); selectImage('NCC of volume');"
			+ "Stack.getDimensions(w, h, c, z, t); setSlice(7); print(w, h, c, z, t, d2s(getPixel(8, 5), 6));");
	}

	@Test
	void whatIsLeftOutHasItsDefaultAndNotTheValueOfTheLastTime() throws Exception {
		assertPrints("40 29", THREE + "run('Normalized Cross-Correlation...', 'image=large template=small extent=same'); "
			+ "selectImage('NCC of large'); print(getWidth()); rename('same');"
			+ "run('Normalized Cross-Correlation...', 'image=large template=small'); selectImage('NCC of large'); print(getWidth());");
	}

	@Test
	void aMisspeltTitleEndsTheMacroAndListsTheOpenImages() throws Exception {
		assertEnds("image=large template=smal", "No open image is called 'smal'. Open images: large, small, colours.");
	}

	@Test
	void theActiveImageDoesNotStandInForAMissingOne() throws Exception {
		assertEnds("template=small", "The image is missing. Open images: large, small, colours.");
		assertEnds("image=large", "The template is missing: nothing is selected in 'large'.");
	}

	@Test
	void aTitleOfTwoImagesIsRefused() throws Exception {
		final String printed = text(THREE + "selectImage('large'); rename('small'); run('Normalized Cross-Correlation...', 'image=colours template=small');");
		assertTrue(printed.contains("Two open images are called 'small'."), printed);
	}

	@Test
	void anUnknownKeyIsRefused() throws Exception {
		assertEnds("image=large template=small extend=same", "Normalized Cross-Correlation has no key 'extend'.");
	}

	@Test
	void aWrongValueIsRefused() throws Exception {
		final String[][] values = { { "minscore=0,7", "minscore=0,7 is not a number." }, { "minscore=abc", "minscore=abc is not a number." }, { "threads=two", "threads=two is not a whole number." },
			{ "max=2.5", "max=2.5 is not a whole number." }, { "compete=maybe", "compete=maybe is not valid. Give true or false." } };
		for (final String[] value : values) {
			final String printed = text(THREE + "run('Find Matches...', 'image=large template=small " + value[0] + "'); print('went on');");
			assertTrue(printed.contains(value[1]), printed);
			assertFalse(printed.contains("went on"), printed);
		}
	}

	@Test
	void theSelectionIsTheTemplate() throws Exception {
		// the selection is not in the overlay
		assertPrints("24 selection 1 24", "run('NCC Coins'); makeRectangle(274, 235, 56, 56); run('Find Matches...', 'image=coins.png overlap=0.3');"
			+ "print(nResults, getResultString('Template', 0), getResult('Score', 0), Overlay.size);");
	}

	@Test
	void aRoundSelectionIsAMask() throws Exception {
		assertPrints("40 13 1.000000 selection", "run('NCC Coins'); makeOval(274, 235, 56, 56);"
			+ "run('Normalized Cross-Correlation...', 'image=coins.png template=coins.png search=274,235,40,13');"
			+ "selectImage('NCC of coins.png'); print(getWidth(), getHeight(), d2s(getPixel(0, 0), 6), Property.get('NCC.template'));");
	}

	@Test
	void severalTemplatesAreFoundOnTheirPlanes() throws Exception {
		assertPrints("2 2 3 2 p", "newImage('hyper', '8-bit black', 60, 50, 2, 4, 3); random('seed', 3); for (s = 1; s <= 24; s++) { setSlice(s);"
			+ "for (i = 0; i < 3000; i++) setPixel(i % 60, floor(i / 60), 255 * random()); } Stack.setPosition(2, 3, 2); makeRectangle(10, 12, 9, 8);"
			+ "run('Duplicate...', 'title=p'); selectImage('hyper'); Stack.setPosition(1, 1, 3); makeRectangle(30, 22, 7, 11);"
			+ "run('Duplicate...', 'title=r'); selectImage('hyper'); run('Select None');"
			+ "run('Find Matches...', 'image=hyper template=p templates=r minscore=0.99');"
			+ "print(nResults, getResult('Channel', 0), getResult('Slice', 0), getResult('Frame', 0), getResultString('Template', 0));");
	}

	@Test
	void plansAndDevicesFillTheResults() throws Exception {
		assertPrints("taken ready", "run('Plan...', 'size=300x200 template=9x9'); a = substring(getResultString('Why', 0), 0, 5); run('Devices...');"
			+ "print(a, getResultString('State', 0));");
	}

	@Test
	void aTemplateLargerThanTheImageEndsTheMacro() throws Exception {
		assertEnds("image=small template=large", "40x30");
	}

	@Test
	void coloursAreRefused() throws Exception {
		assertEnds("image=colours template=small", "The image 'colours' is an RGB image");
	}

	/** One pixel of the template is wrong; its weight is 0. */
	@Test
	void weightsAndDoublePrecision() throws Exception {
		assertPrints("1.000000 double w 32 1 11 8", "newImage('scene', '8-bit black', 40, 30, 1); random('seed', 3);"
			+ "for (i = 0; i < 1200; i++) setPixel(i % 40, floor(i / 40), 255 * random());"
			+ "makeRectangle(11, 8, 9, 7); run('Duplicate...', 'title=spoilt'); setPixel(4, 3, 255 - getPixel(4, 3));"
			+ "newImage('w', '32-bit black', 9, 7, 1); for (i = 0; i < 63; i++) setPixel(i % 9, floor(i / 9), 0.5 + i / 63); setPixel(4, 3, 0);"
			+ "selectImage('scene'); run('Select None');"
			+ "run('Normalized Cross-Correlation...', 'image=scene template=spoilt weights=w precision=double');"
			+ "selectImage('NCC of scene'); print(d2s(getPixel(11, 8), 6), Property.get('NCC.precision'), Property.get('NCC.weights'), bitDepth());"
			+ "run('Find Matches...', 'image=scene template=spoilt weights=w minscore=0.99'); print(nResults, getResult('X', 0), getResult('Y', 0));");
	}

	/** The other macros of the plugin, on a stack of noise that moves by (2, 1) from plane to plane. */
	@Test
	void theOtherShippedMacrosWriteTheirFiles() throws Exception {
		final Path in = Files.createDirectory(folder.resolve("in"));
		final Random random = new Random(4);
		final int[] scene = random.ints(100 * 100, 0, 256).toArray();
		final ImageStack planes = new ImageStack(60, 50);
		for (int p = 0; p < 6; p++) {
			final ByteProcessor plane = new ByteProcessor(60, 50);
			for (int i = 0; i < 60 * 50; i++) plane.set(i, scene[(i / 60 + 20 - p) * 100 + i % 60 + 20 - 2 * p]);
			planes.addSlice(plane);
		}
		final ByteProcessor third = (ByteProcessor) planes.getProcessor(3).duplicate();
		assertTrue(IJ.saveAsTiff(new ImagePlus("third", third), in.resolve("third.tif").toString()));
		third.setRoi(17, 11, 9, 6);
		final String part = folder.resolve("part.tif").toString(), stack = folder.resolve("stack.tif").toString(), out = folder.resolve("out").toString();
		assertTrue(IJ.saveAsTiff(new ImagePlus("part", third.crop()), part));
		assertTrue(IJ.saveAsTiff(new ImagePlus("stack", planes), stack));
		Files.writeString(folder.resolve("kernel.txt"), "0 0 0\n0 0 2\n0 0 0\n");
		final String[][] macros = { { "Find_Matches_in_Folder", "images=[" + in + "] template=" + part + " minscore=0.9 output=" + out + ".csv" },
			{ "Find_Matches_in_Stack", "image=" + stack + " templates=" + part + " minscore=0.9 output=" + out },
			{ "Track_Templates", "image=" + stack + " regions=[20,15,9,8] maxshift=4,3 output=" + out },
			{ "Correlate_Volume", "image=" + stack + " template=20,15,1,9,8,3 output=" + out + "3" },
			{ "Convolve", "image=" + in.resolve("third.tif") + " kernel=" + folder.resolve("kernel.txt") + " output=" + out },
			{ "Report_Plan", "size=300x200 template=9x9 output=" + out } };
		final StringBuilder printed = new StringBuilder();
		for (final String[] macro : macros) printed.append(fiji(Paths.get("macros", macro[0] + ".ijm").toAbsolutePath().toString(), macro[1]));
		assertWritten("out.csv", 1, "third.tif,1,1,1,template of the folder,1.000000,17,11,", printed);
		assertWritten("out/stack-matches.csv", 1, "stack.tif,1,", printed);
		assertWritten("out/stack-tracks.csv", 6, "stack.tif,1,1,6,1,30,20,", printed);
		assertWritten("out3/stack-matches.csv", 2, ",1.000000,20,15,1,", printed);
		assertWritten("out/plan.csv", 1, "taken", printed);
		assertTrue(Files.exists(folder.resolve("out/stack-motion.png")) && Files.exists(folder.resolve("out/map.png")), printed::toString);
		final ImagePlus convolved = IJ.openImage(folder.resolve("out/third-convolved.tif").toString());
		assertEquals(2 * planes.getProcessor(3).getf(10, 10), convolved.getProcessor().getf(11, 10), 1e-4);
	}

	private static void assertWritten(final String file, final int row, final String holds, final StringBuilder printed) throws IOException {
		assertTrue(Files.exists(folder.resolve(file)), () -> file + " is missing: " + printed);
		final List<String> rows = Files.readAllLines(folder.resolve(file));
		assertTrue(rows.size() > row && rows.get(row).contains(holds), () -> file + ": " + rows + printed);
	}

	/** The whole run would take some minutes. */
	@Test
	void theTaskWindowStopsItAndTheMacro() throws Exception {
		final Path macro = Files.writeString(folder.resolve("impatient.ijm"), "newImage('large', '32-bit black', 3000, 3000, 1); run('Macro...', 'code=v=sin(x*y)');"
			+ "makeRectangle(100, 100, 200, 200); run('Normalized Cross-Correlation...', 'image=large template=large algorithm=cpu-direct'); print('went on');");
		final String printed = started(HeadlessFiji.IMPATIENT, "-batch-no-exit", macro.toString(), "");
		assertTrue(printed.contains("canceled Normalized Cross-Correlation on the way"), printed);
		assertFalse(printed.contains("went on"), printed);
	}

	@Test
	void tracksAreInTheTableAndOverTheStack() throws Exception {
		assertPrints("8 30 21 2 lost 0 0 10 1", "newImage('scene', '8-bit black', 60, 50, 1); random('seed', 3);"
			+ "for (i = 0; i < 3000; i++) setPixel(i % 60, floor(i / 60), 255 * random());"
			+ "for (f = 0; f < 4; f++) { selectImage('scene'); makeRectangle(10 - 2 * f, 8 - f, 48, 40); run('Duplicate...', 'title=frame' + f); }"
			+ "selectImage('scene'); close(); run('Images to Stack', 'name=stack title=frame');"
			+ "run('Track Templates...', 'image=stack regions=[12,10,9,8; 24,18,8,8] reference=1 precision=double');"
			+ "print(nResults, getResult('X', 7), getResult('Y', 7), d2s(getResult('MotionX', 1), 0), 'lost', getResult('Lost', 7), getResult('MotionX', 0));"
			+ "motion = isOpen('Motion of stack'); selectImage('stack'); print(Overlay.size, motion);");
	}

	@Test
	void aMacroRunsByRun() throws Exception {
		final Path macro = Files.writeString(folder.resolve("by_run.ijm"), "run('Plan...', 'size=300x200 template=9x9 precision=double');"
			+ "for (i = 0; i < nResults; i++) if (endsWith(getResultString('Method', i), 'cpu-direct')) print('in double: ' + getResultString('Method', i));");
		final String printed = started("--run", macro.toString());
		assertTrue(printed.contains("in double: cpu-direct"), printed);
	}

	/** A command is started by its class name or its title. The table goes to standard output. */
	@Test
	void aCommandRunsByRun() throws Exception {
		assertTrue(started("--run", "sc.fiji.ncc.command.ReportPlanCommand", "size='300x200',template='9x9',pixels='u16'").contains("taken"));
		assertTrue(started("--run", "Devices...").contains("ready"));
		final String wrong = started("--run", "Plan...", "size='300 by 200'");
		assertTrue(wrong.contains("size=300 by 200 is no size"), wrong);
	}

	private static void assertEnds(final String options, final String reason) throws Exception {
		final String printed = text(THREE + "run('Normalized Cross-Correlation...', '" + options + "'); print('went on');");
		assertTrue(printed.contains("Macro Error: "), printed);
		assertTrue(printed.contains(reason), printed);
		assertFalse(printed.contains("went on"), printed);
	}
}
