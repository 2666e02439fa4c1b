package sc.fiji.ncc.fiji;

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

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import ij.IJ;
import ij.ImagePlus;
import ij.process.ByteProcessor;

import sc.fiji.ncc.fixture.MacroCase;
import sc.fiji.ncc.fixture.ShippedMacroRuns;

/** The macros in real ImageJ2 without windows, each in a process of its own. */
class MacroInFijiTest extends InFiji {

	private static final String THREE = "newImage('large', '8-bit ramp', 40, 30, 1); newImage('small', '8-bit ramp', 12, 10, 1);"
		+ "newImage('colours', 'RGB ramp', 30, 30, 1); selectImage('large');";

	@BeforeAll
	static void saveImage() {
		final ByteProcessor pixels = new ByteProcessor(60, 50);
		final Random random = new Random(7);
		for (int i = 0; i < 60 * 50; i++) pixels.set(i, random.nextInt(256));
		final ImagePlus image = new ImagePlus("an image", pixels);
		image.getCalibration().setUnit("mm");
		image.getCalibration().pixelWidth = 0.25;
		image.getCalibration().pixelHeight = 0.5;
		image.getCalibration().xOrigin = 3;
		image.getCalibration().yOrigin = 4;
		assertTrue(IJ.saveAsTiff(image, folder.resolve("an image.tif").toString()));
	}

	@Test
	void theShippedMacroWritesTheMapAndTheBestMatch() throws Exception {
		final Path results = folder.resolve("results");
		final String printed = fiji(Paths.get("macros", "Correlate.ijm").toAbsolutePath().toString(),
			"image=[" + folder.resolve("an image.tif") + "] template=17,11,9,6 output=[" + results + "]");
		assertTrue(Files.exists(results.resolve("an image-best.csv")), printed);
		assertEquals(List.of("x,y,slice,score", "17,11,1,1.000000"), Files.readAllLines(results.resolve("an image-best.csv")));
		final ImagePlus map = IJ.openImage(results.resolve("an image-correlation.tif").toString());
		assertEquals(ImagePlus.GRAY32, map.getType());
		assertEquals(52, map.getWidth());
		assertEquals(45, map.getHeight());
		assertEquals(1, map.getProcessor().getf(17, 11), 1e-5);
	}

	@Test
	void titleDisplayRangeAndCalibrationAreThoseOfTheImage() throws Exception {
		assertPrints("NCC of an image.tif -1 1 0.25 0.5 mm -2.75 -4.5", "open('" + folder.resolve("an image.tif") + "'); makeRectangle(17, 11, 9, 6);"
			+ "run('Duplicate...', 'title=part'); run('Normalized Cross-Correlation...', 'image=[an image.tif] template=part extent=full');"
			+ "selectImage('NCC of an image.tif'); getMinAndMax(low, high); getVoxelSize(w, h, d, unit); x = 0; y = 0; toScaled(x, y);"
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

	@ParameterizedTest
	@FieldSource("sc.fiji.ncc.fixture.MacroCase#ALL")
	void printsWhatPlainImageJPrints(final MacroCase macro) throws Exception {
		macro.check(text(macro.macro()));
	}

	/** The other macros of the plugin. */
	@Test
	void theOtherShippedMacrosWriteTheirFiles() throws Exception {
		final ShippedMacroRuns runs = new ShippedMacroRuns(folder);
		final StringBuilder printed = new StringBuilder();
		for (final Map.Entry<Path, String> run : runs.arguments().entrySet()) printed.append(fiji(run.getKey().toString(), run.getValue()));
		runs.check(printed.toString());
		for (final Map.Entry<Path, String> run : runs.coloursInAFolder().entrySet()) printed.append(fiji(run.getKey().toString(), run.getValue()));
		runs.checkColours(printed.toString());
		// plots need windows in plain ImageJ
		assertTrue(Files.exists(folder.resolve("out/stack-motion.png")), printed::toString);
	}

	@Test
	void menuAndSearchBarHaveEachCommandOnce() throws Exception {
		final String printed = text("print('found', call('sc.fiji.ncc.fiji.HeadlessFiji.found'));");
		assertFalse(printed.contains("Overriding"), printed);
		final long entries = Files.readAllLines(Paths.get("plugins.config")).stream().filter(line -> line.contains("NccPlugIn")).count();
		assertTrue(printed.contains("found" + " legacy:sc.fiji.ncc.ij1.NccPlugIn".repeat((int) entries)) && !printed.contains("command:sc.fiji.ncc"), printed);
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
	void aMacroRunsByRun() throws Exception {
		final Path macro = Files.writeString(folder.resolve("by_run.ijm"), "run('Plan...', 'image=300x200 template=9x9 precision=double');"
			+ "for (i = 0; i < nResults; i++) if (endsWith(getResultString('Method', i), 'cpu-direct')) print('in double: ' + getResultString('Method', i));");
		final String printed = started("--run", macro.toString());
		assertTrue(printed.contains("in double: cpu-direct"), printed);
	}

	/** A command is started by its class name or its title. The table goes to standard output. */
	@Test
	void aCommandRunsByRun() throws Exception {
		assertTrue(started("--run", "sc.fiji.ncc.command.ReportPlanCommand", "image='300x200',template='9x9',type='u16'").contains(MacroCase.SELECTED));
		assertTrue(started("--run", "Devices...").contains(MacroCase.READY));
		final String wrong = started("--run", "Plan...", "image='" + MacroCase.BAD_SIZE + "'");
		assertTrue(wrong.contains(MacroCase.BAD_SIZE_MESSAGE), wrong);
	}
}
