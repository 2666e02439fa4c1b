package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import ij.IJ;
import ij.ImagePlus;
import ij.measure.Calibration;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.ij1.ImageJProcess.Outcome;

/** The macro Correlate.ijm, and macros with errors, in real ImageJ. */
class MacroInImageJTest {

	private static final int WIDTH = 53, HEIGHT = 41, X = 17, Y = 11, W = 9, H = 6;

	private static final String TWO =
		"close('*'); newImage('large', '8-bit ramp', 40, 30, 1); newImage('small', '8-bit ramp', 12, 10, 1); selectImage('large');";

	/** A template with one wrong pixel, and weights that are 0 there. */
	private static final String WEIGHTED = "close('*'); newImage('scene', '8-bit black', 40, 30, 1); random('seed', 3);"
		+ "for (i = 0; i < 1200; i++) setPixel(i % 40, floor(i / 40), 255 * random());"
		+ "makeRectangle(11, 8, 9, 7); run('Duplicate...', 'title=spoilt'); setPixel(4, 3, 255 - getPixel(4, 3));"
		+ "newImage('w', '32-bit black', 9, 7, 1); for (i = 0; i < 63; i++) setPixel(i % 9, floor(i / 9), 0.5 + i / 63); setPixel(4, 3, 0);"
		+ "selectImage('scene'); run('Select None');";
	private static final String SCORE = "selectImage('NCC of scene'); print(d2s(getPixel(11, 8), 6)); rename('done');";

	@TempDir
	static Path folder;

	private static ImagePlus image;
	private static CompletableFuture<Outcome> shipped, failing;
	private static CompletableFuture<Map<String, Outcome>> others;

	@BeforeAll
	static void start() throws IOException {
		image = calibratedNoise();
		assertTrue(IJ.saveAsTiff(image, folder.resolve("an image.tif").toString()));
		final ImageJProcess imagej = new ImageJProcess(folder.resolve("ImageJ"));
		failing = imagej.run(Paths.get("macros", "Correlate.ijm").toAbsolutePath(),
			"image=" + folder.resolve("nothing.tif") + " template=1,2,3,4 output=[" + folder.resolve("results") + "]");
		shipped = imagej.run(Paths.get("macros", "Correlate.ijm").toAbsolutePath(),
			"image=[" + folder.resolve("an image.tif") + "] template=" + X + "," + Y + "," + W + "," + H + " output=[" + folder.resolve("results") + "]");
		others = imagej.run(Map.ofEntries(
			Map.entry("volume", "close('*'); newImage('hyper', '8-bit black', 20, 15, 3, 6, 1); random('seed', 3); for (s = 1; s <= 18; s++) { setSlice(s);"
				+ "for (i = 0; i < 300; i++) setPixel(i % 20, floor(i / 20), 255 * random()); } setSlice(1); makeRectangle(8, 5, 6, 4);"
				+ "run('Duplicate...', 'title=part duplicate channels=2 slices=3-5');"
				+ "run('Normalized Cross-Correlation...', 'image=hyper template=part');"
				+ "selectImage('NCC of hyper'); Stack.getDimensions(w, h, c, z, t); Stack.setPosition(2, 3, 1);"
				+ "here = d2s(getPixel(8, 5), 6); Stack.setPosition(1, 3, 1); lower = 0; if (getPixel(8, 5) < 0.9) lower = 1;"
				+ "print(w, h, c, z, t, here, lower);"),
			Map.entry("stack", "close('*'); newImage('volume', '8-bit ramp', 20, 15, 2, 3, 4); run('Properties...',"
				+ " 'channels=2 slices=3 frames=4 pixel_width=0.5 pixel_height=0.5 voxel_depth=2 unit=nm');"
				+ "setSlice(7); setPixel(10, 7, 255); setPixel(11, 7, 0); makeRectangle(8, 5, 5, 4); run('Duplicate...', 'title=part');"
				+ "run('Normalized Cross-Correlation...', 'image=volume template=part');"
				+ "selectImage('NCC of volume'); getMinAndMax(low, high); Stack.getDimensions(w, h, c, z, t); getVoxelSize(vw, vh, vd, unit);"
				+ "setSlice(7); print(w, h, c, z, t, low, high, vw, vd, unit, bitDepth(), d2s(getPixel(8, 5), 6));"),
			Map.entry("full", TWO + "selectImage('large'); run('Properties...', 'channels=1 slices=1 frames=1 unit=mm pixel_width=2 pixel_height=3 voxel_depth=1');"
				+ "run('Normalized Cross-Correlation...', 'image=large template=small extent=full'); selectImage('NCC of large');"
				+ "x = 0; y = 0; toScaled(x, y); print(getWidth(), getHeight(), x, y);"),
			Map.entry("volumeOrigin", "close('*'); newImage('deep', '8-bit ramp', 20, 15, 6); random('seed', 3); for (s = 1; s <= 6; s++) { setSlice(s);"
				+ "for (i = 0; i < 300; i++) setPixel(i % 20, floor(i / 20), 255 * random()); }"
				+ "run('Properties...', 'channels=1 slices=6 frames=1 unit=mm pixel_width=0.5 pixel_height=1 voxel_depth=2 origin=1,2,2');"
				+ "makeRectangle(8, 5, 6, 5); run('Duplicate...', 'title=part duplicate range=2-4'); selectImage('deep'); run('Select None');"
				+ "run('Normalized Cross-Correlation...', 'image=deep template=part extent=full'); selectImage('NCC of deep'); run('Multiply...', 'value=3 stack');"
				+ "getVoxelSize(w, h, d, unit); x = 0; y = 0; z = 0; toScaled(x, y, z); setSlice(4);"
				+ "print(getWidth(), getHeight(), nSlices, x, y, z, w, d, unit, is('Virtual Stack'), d2s(getPixel(13, 9), 6));"),
			Map.entry("auto", WEIGHTED + "selectImage('scene'); makeRectangle(11, 8, 9, 7); run('Duplicate...', 'title=part'); selectImage('scene'); run('Select None');"
				+ "run('Find Matches...', 'image=scene template=part minscore=auto total=1'); print(nResults, getResultLabel(0), getResult('X', 0), Overlay.size);"
				+ "run('Find Matches...', 'image=scene template=spoilt minscore=0.5 total=1 refine=true ellipses=true'); Overlay.getBounds(1, x, y, w, h);"
				+ "near = 0; if (abs(x + w / 2 - 15.5) <= 1 && abs(y + h / 2 - 11.5) <= 1) near = 1; print(Overlay.size, near);"),
			Map.entry("uncertain", WEIGHTED + "selectImage('scene'); makeRectangle(11, 8, 9, 7); run('Duplicate...', 'title=part'); selectImage('scene');"
				+ "run('Select None'); run('Find Matches...', 'image=scene template=part minscore=auto search=8,5,12,12');"
				+ "print(nResults, getResultString('Background', 0));"),
			Map.entry("binary", WEIGHTED + "setThreshold(0, 127); setOption('BlackBackground', false); run('Convert to Mask');"
				+ "makeRectangle(11, 8, 9, 7); run('Duplicate...', 'title=part'); selectImage('scene'); run('Select None');"
				+ "run('Normalized Cross-Correlation...', 'image=scene template=part');" + SCORE
				+ "selectImage('scene'); run('Find Matches...', 'image=scene template=part minscore=0.99');"
				+ "print(is('binary'), is('Inverting LUT'), nResults, getResult('X', 0), getResult('Y', 0));"),
			Map.entry("weights", WEIGHTED + "run('Normalized Cross-Correlation...', 'image=scene template=spoilt');" + SCORE
				+ "run('Normalized Cross-Correlation...', 'image=scene template=spoilt weights=w precision=double');" + SCORE
				+ "real = 0; if (indexOf(Property.get('NCC.plan'), 'real weights') > 0) real = 1;"
				+ "print(Property.get('NCC.weights'), Property.get('NCC.precision'), real, bitDepth());"
				+ "run('Find Matches...', 'image=scene template=spoilt weights=w minscore=0.99');"
				+ "print(nResults, getResult('X', 0), getResult('Y', 0), d2s(getResult('Score', 0), 6));"),
			Map.entry("weightsInARing", WEIGHTED + "selectImage('spoilt'); makeOval(0, 0, 9, 7); setPixel(0, 0, 9); setPixel(8, 6, 9);"
				+ "run('Normalized Cross-Correlation...', 'image=scene template=spoilt weights=w');" + SCORE),
			Map.entry("weightsOfAnotherSize", WEIGHTED + run("image=scene template=spoilt weights=scene")),
			Map.entry("misspeltWeights", WEIGHTED + run("image=scene template=spoilt weights=v")),
			Map.entry("weightsInColour", WEIGHTED + "selectImage('w'); run('RGB Color');" + run("image=scene template=spoilt weights=w")),
			Map.entry("registeredInColour", WEIGHTED + "selectImage('w'); run('RGB Color'); run('Register Images...', 'fixed=w moving=scene');"),
			Map.entry("missingPixels", WEIGHTED + "selectImage('scene'); makeRectangle(11, 8, 9, 7); run('Duplicate...', 'title=part'); selectImage('scene');"
				+ "run('Select None'); setPixel(15, 11, 255 - getPixel(15, 11)); newImage('m', '8-bit white', 40, 30, 1); setPixel(15, 11, 0);"
				+ "run('Normalized Cross-Correlation...', 'image=scene template=part imagemask=m'); print(Property.get('NCC.imagemask'));" + SCORE
				+ "run('Find Matches...', 'image=scene template=part imagemask=m minoverlap=0.99 minscore=0.99'); print(nResults);"
				+ "run('Find Matches...', 'image=scene template=part imagemask=m minscore=0.99'); print(nResults, getResult('X', 0), getResult('Y', 0));"
				+ "selectImage('scene'); run('32-bit'); setPixel(15, 11, NaN);"
				+ "run('Normalized Cross-Correlation...', 'image=scene template=part'); " + SCORE
				+ "run('Normalized Cross-Correlation...', 'image=scene template=part nan=missing'); " + SCORE),
			Map.entry("imageMaskOfAnotherSize", WEIGHTED + run("image=scene template=spoilt imagemask=w")),
			Map.entry("noShare", WEIGHTED + run("image=scene template=spoilt minoverlap=2")),
			Map.entry("misspelt", TWO + run("image=large template=[smal]")),
			Map.entry("twins", TWO + "rename('small');" + run("image=small template=small")),
			Map.entry("missing", TWO + run("image=large")),
			Map.entry("tooLarge", TWO + run("image=small template=large")),
			Map.entry("colours", TWO + "newImage('colours', 'RGB ramp', 30, 30, 1);" + run("image=colours template=small")),
			Map.entry("noNumber", TWO + run("image=large template=small threads=two")),
			Map.entry("noChoice", TWO + run("image=large template=small extent=vaild")),
			Map.entry("misspeltKey", TWO + run("image=large template=small extend=same")),
			Map.entry("twoKeys", TWO + run("image=large image=small template=small")),
			Map.entry("line", TWO + "makeLine(1, 2, 9, 9);" + run("image=large")),
			Map.entry("noTitle", TWO + "makeRectangle(1, 2, 9, 9);" + run(""))));
	}

	@Test
	void originAndCalibrationOfAVolumeWhoseMapCanBeEdited() {
		assertEquals("25 19 8 -3 -6 -8 0.5 2 mm 0 3.000000\n", others.join().get("volumeOrigin").printed());
	}

	@Test
	void theShippedMacroWritesTheMapAndTheBestMatch() throws IOException {
		assertEquals(new Outcome(0, ""), shipped.join());
		assertEquals(List.of("x,y,slice,score", X + "," + Y + ",1,1.000000"),
			Files.readAllLines(folder.resolve("results").resolve("an image-best.csv")));
		final ImagePlus map = IJ.openImage(folder.resolve("results").resolve("an image-correlation.tif").toString());
		assertEquals(ImagePlus.GRAY32, map.getType());
		assertEquals(WIDTH - W + 1, map.getWidth());
		assertEquals(HEIGHT - H + 1, map.getHeight());
		final ImageProcessor pixels = map.getProcessor();
		for (int y = 0; y < map.getHeight(); y++)
			for (int x = 0; x < map.getWidth(); x++)
				assertEquals(coefficient(x, y), pixels.getf(x, y), 1e-5, "at " + x + "," + y);
		assertEquals(-1, map.getDisplayRangeMin());
		assertEquals(1, map.getDisplayRangeMax());
	}

	@Test
	void aMacroThatFailsSaysSoAndSoDoesTheExitCode() {
		assertEquals(1, failing.join().exitCode());
		assertTrue(failing.join().printed().contains("does not exist"), failing.join().printed());
	}

	@Test
	void theMapHasTheCalibrationOfTheImage() {
		shipped.join();
		final Calibration of = IJ.openImage(folder.resolve("results").resolve("an image-correlation.tif").toString()).getCalibration();
		assertEquals("micron", of.getUnit());
		assertEquals(0.25, of.pixelWidth, 1e-9);
		assertEquals(0.5, of.pixelHeight, 1e-9);
		assertEquals(3, of.xOrigin, 1e-9);
		assertEquals(4, of.yOrigin, 1e-9);
		assertFalse(of.calibrated(), "the image's grey values are calibrated, the map's are not");
	}

	@Test
	void everyPlaneOfAHyperstackIsCorrelated() {
		assertEquals(new Outcome(0, "16 12 2 3 4 -1 1 0.5 2 nm 32 1.000000\n"), others.join().get("stack"));
	}

	@Test
	void aVolumeIsLookedForAlongTheSlicesOfEachChannel() {
		assertEquals(new Outcome(0, "15 12 3 4 1 1.000000 1\n"), others.join().get("volume"));
	}

	@Test
	void theMapLiesWhereTheImageLies() {
		assertEquals(new Outcome(0, "51 39 -22 -27\n"), others.join().get("full"), "with a template of 12x10, the first lag is -11,-9 pixels");
	}

	@Test
	void aMisspeltTitleEndsTheMacroAndListsTheOpenImages() {
		assertEnds("misspelt", "No open image is called 'smal'. Open images: large, small.");
	}

	@Test
	void theActiveImageDoesNotStandInForAMissingTemplate() {
		assertEnds("missing", "The template is missing: nothing is selected in 'large'.");
		assertEnds("missing", "Open images: large, small.");
	}

	@Test
	void aTemplateLargerThanTheImageEndsTheMacro() {
		assertEnds("tooLarge", "40x30");
		assertEnds("tooLarge", "12x10");
	}

	@Test
	void coloursAreRefused() {
		assertEnds("colours", "the template has 1 channel, the image has 3");
		assertEnds("colours", "Image > Type > RGB Color");
	}

	@Test
	void anUnknownKeyIsReported() {
		assertEnds("misspeltKey", "Normalized Cross-Correlation has no key 'extend'. Known keys: image, template, channels, search, extent, "
			+ "border, constant, undefined, weights, imagemask, nan,");
		assertEnds("twoKeys", "The macro gives the key 'image' twice.");
	}

	/** The display range is -1 to 1. */
	@Test
	void binaryImages() {
		assertEquals(new Outcome(0, "1.000000\n1 1 1 11 8\n"), others.join().get("binary"));
	}

	@Test
	void missingPixelsDoNotCount() {
		assertEquals("m\n1.000000\n0\n1 11 8\n0.000000\n1.000000\n", others.join().get("missingPixels").printed());
		assertEnds("imageMaskOfAnotherSize", "the image mask of 9x7 does not fit the image of 40x30: give a mask of the size of the image");
		assertEnds("noShare", "minoverlap=2 is out of range. Give a number from 0 to 1, or auto.");
	}

	@Test
	void weightsSayHowMuchEachPixelCounts() {
		final String[] lines = others.join().get("weights").printed().split("\n");
		assertTrue(Double.parseDouble(lines[0]) < 0.99, lines[0]);
		assertEquals(List.of("1.000000", "w double 1 32", "1 11 8 1.000000"), List.of(lines).subList(1, lines.length));
	}

	@Test
	void theMinimumScoreAutoIsReported() {
		final String printed = others.join().get("auto").printed();
		assertTrue(printed.matches("(?s).*1 match, minimum score 0\\.\\d{3}.* in scene\\R.*1 1 11 1\n2 1\n"), printed);
	}

	/** The log states why the minimum score is uncertain, and so does the table. */
	@Test
	void anUncertainMinimumScoreIsReported() {
		final String printed = others.join().get("uncertain").printed();
		assertTrue(printed.matches("(?s).*1 match, minimum score 0\\.\\d{3} \\(uncertain\\) in scene\\R.*"
			+ "Find Matches: the minimum score in scene is uncertain: too few independent responses to fit the background\\.\\R1 few\\R"), printed);
	}

	@Test
	void whatIsNotSelectedDoesNotCountWhateverItsWeight() {
		assertEquals(new Outcome(0, "1.000000\n"), others.join().get("weightsInARing"));
	}

	@Test
	void aMessageNamesTheFixedImage() {
		assertEnds("registeredInColour", "The fixed image 'w' is an RGB image");
	}

	@Test
	void anImageThatHoldsNoWeightsIsRefused() {
		assertEnds("weightsOfAnotherSize", "The image of weights 'scene' is 40x30, and the template 'spoilt' is 9x7. They must have the same size.");
		assertEnds("misspeltWeights", "No open image is called 'v'. Open images: scene, spoilt, w.");
		assertEnds("weightsInColour", "The image of weights 'w' is an RGB image");
	}

	@Test
	void aLineIsNoTemplate() {
		assertEnds("line", "The selection in 'large' (Straight Line) has no area.");
	}

	@Test
	void theActiveImageDoesNotStandInForAMissingImage() {
		assertEnds("noTitle", "The image is missing. Open images: large, small.");
	}

	@Test
	void aWrongNumberIsReported() {
		assertEnds("noNumber", "threads=two is not a whole number.");
	}

	@Test
	void anUnknownChoiceIsReported() {
		assertEnds("noChoice", "Unknown extent 'vaild'. Known: valid, same, full.");
	}

	@Test
	void aTitleOfTwoImagesIsRefused() {
		assertEnds("twins", "Two open images are called 'small'.");
	}

	private static void assertEnds(final String macro, final String reason) {
		final String printed = others.join().get(macro).printed();
		assertTrue(printed.contains("Macro Error: "), printed);
		assertTrue(printed.contains(reason), printed);
		assertFalse(printed.contains("went on"), printed);
	}

	private static String run(final String options) {
		return "run('Normalized Cross-Correlation...', '" + options + "'); print('went on');";
	}

	private static ImagePlus calibratedNoise() {
		final ShortProcessor pixels = new ShortProcessor(WIDTH, HEIGHT);
		final Random random = new Random(7);
		for (int i = 0; i < WIDTH * HEIGHT; i++) pixels.set(i, 40_000 + random.nextInt(2000));
		final ImagePlus imp = new ImagePlus("an image", pixels);
		final Calibration calibration = imp.getCalibration();
		calibration.setUnit("micron");
		calibration.pixelWidth = 0.25;
		calibration.pixelHeight = 0.5;
		calibration.xOrigin = 3;
		calibration.yOrigin = 4;
		calibration.setFunction(Calibration.STRAIGHT_LINE, new double[] { 5, 2 }, "OD");
		return imp;
	}

	/** The definition of the correlation coefficient, with the means subtracted. */
	private static double coefficient(final int x0, final int y0) {
		final ImageProcessor pixels = image.getProcessor();
		double windowMean = 0, templateMean = 0;
		for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
			windowMean += pixels.get(x0 + x, y0 + y) / (double) (W * H);
			templateMean += pixels.get(X + x, Y + y) / (double) (W * H);
		}
		double both = 0, window = 0, template = 0;
		for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
			final double p = pixels.get(x0 + x, y0 + y) - windowMean, t = pixels.get(X + x, Y + y) - templateMean;
			both += p * t;
			window += p * p;
			template += t * t;
		}
		return both / Math.sqrt(window * template);
	}
}
