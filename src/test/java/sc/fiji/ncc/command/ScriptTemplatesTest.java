package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import ij.IJ;
import ij.ImagePlus;
import ij.process.ByteProcessor;

import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.scijava.module.ModuleService;
import org.scijava.script.AdaptedScriptLanguage;
import org.scijava.script.ScriptModule;
import org.scijava.script.ScriptService;

/** The script templates of Fiji's editor, run by SciJava. The template in the macro language is tested with the other macros. */
class ScriptTemplatesTest extends InSciJava {

	private static final Path TEMPLATES = Paths.get("src", "main", "resources", "script_templates", "NCC");

	@BeforeAll
	static void addLanguages() {
		final String languages = System.getProperty("ncc.languages", "");
		assumeTrue(!languages.isEmpty(), "the languages are not on the class path: Maven puts them there for tests, and says so in ncc.languages");
		for (final String language : languages.split(","))
			context.service(ScriptService.class).getIndex().add(new AdaptedScriptLanguage(language), true);
	}

	@Test
	void allAreTried() throws Exception {
		try (Stream<Path> files = Files.list(TEMPLATES)) {
			assertEquals(Set.of("Find_Coins.ijm", "Find_Matches.groovy", "Track_Templates.groovy", "Correct_Drift.groovy", "Stitch_Tiles.groovy", "Motion_Field.groovy",
				"Correlate.py"),
				files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
		}
	}

	@Test
	void groovyFindsTheTemplate() throws Exception {
		final Img<UnsignedByteType> image = noise(30, 20);
		final Object found = run("Find_Matches.groovy", "image", image, "template", cut(image), "score", 0.9).getOutput("found");
		assertEquals("[7, 5] in plane []: 1.0", String.valueOf(found));
	}

	@Test
	void theScriptOfTheDocumentRuns() throws Exception {
		final String page = Files.readString(Paths.get("src", "doc", "macros.md"));
		final String script = page.substring(page.indexOf("```groovy\n") + "```groovy\n".length(), page.indexOf("```\n", page.indexOf("```groovy")));
		final Img<UnsignedByteType> image = noise(30, 20);
		assertEquals(1, context.service(ScriptService.class).run("document.groovy", script, true, "image", image, "template", cut(image)).get().getOutput("count"));
	}

	@Test
	void groovyFollowsARegion() throws Exception {
		final Img<UnsignedByteType> image = noise(30, 20);
		final Img<UnsignedByteType> stack = ArrayImgs.unsignedBytes(24, 15, 3);
		for (int f = 0; f < 3; f++)
			for (int y = 0; y < 15; y++)
				for (int x = 0; x < 24; x++) stack.getAt(x, y, f).set(image.getAt(x + 2 * f, y + f));
		final Object motion = run("Track_Templates.groovy", "stack", stack, "region", "9, 5,8,7", "shift", 3).getOutput("motion");
		final String[] frames = String.valueOf(motion).split("\n");
		assertEquals(3, frames.length);
		assertTrue(frames[2].startsWith("frame 3: [-") && frames[2].endsWith("score 1.0"), frames[2]);
	}

	@Test
	void groovyCorrectsDrift() throws Exception {
		final Img<UnsignedByteType> image = noise(60, 50);
		final Img<UnsignedByteType> stack = ArrayImgs.unsignedBytes(44, 40, 3);
		for (int f = 0; f < 3; f++)
			for (int y = 0; y < 40; y++)
				for (int x = 0; x < 44; x++) stack.getAt(x, y, f).set(image.getAt(x + 6 - 2 * f, y + f));
		final String[] shifts = String.valueOf(run("Correct_Drift.groovy", "stack", stack, "shift", 8).getOutput("shifts")).split("\n");
		assertEquals(3, shifts.length);
		final Matcher last = Pattern.compile("frame 3: \\[(.*), (.*)\\], score .*, ok").matcher(shifts[2]);
		assertTrue(last.matches(), shifts[2]);
		assertEquals(4, Math.abs(Double.parseDouble(last.group(1))), 0.1);
		assertEquals(2, Math.abs(Double.parseDouble(last.group(2))), 0.1);
	}

	@Test
	void groovyMeasuresMotion() throws Exception {
		final Img<UnsignedByteType> image = noise(60, 50);
		final Img<UnsignedByteType> stack = ArrayImgs.unsignedBytes(44, 40, 2);
		for (int f = 0; f < 2; f++)
			for (int y = 0; y < 40; y++)
				for (int x = 0; x < 44; x++) stack.getAt(x, y, f).set(image.getAt(x + 6 - 2 * f, y + f));
		final ScriptModule script = run("Motion_Field.groovy", "stack", stack, "window", "16", "shift", 4, "ensemble", true);
		final Matcher frame = Pattern.compile("frame 2: (\\d+) of 16 windows, mean \\[(.*), (.*)\\]").matcher(String.valueOf(script.getOutput("motion")));
		assertTrue(frame.matches(), String.valueOf(script.getOutput("motion")));
		assertTrue(Integer.parseInt(frame.group(1)) >= 12, frame.group(1));
		assertEquals(2, Double.parseDouble(frame.group(2)), 0.1);
		assertEquals(-1, Double.parseDouble(frame.group(3)), 0.1);
	}

	@Test
	void groovyStitchesTiles(@TempDir final Path folder) throws Exception {
		final Img<UnsignedByteType> image = noise(60, 50);
		for (int i = 0; i < 2; i++) {
			final ByteProcessor tile = new ByteProcessor(40, 50);
			for (int k = 0; k < 2000; k++) tile.set(k, image.getAt(20 * i + k % 40, k / 40).get());
			IJ.saveAsTiff(new ImagePlus("", tile), folder.resolve(i + ".tif").toString());
		}
		final Object positions = run("Stitch_Tiles.groovy", "folder", folder.toString(), "grid", "2x1", "overlap", "50%").getOutput("positions");
		assertTrue(String.valueOf(positions).matches("(?s)0.tif: .*, 1 links\n1.tif: .*, 1 links"), String.valueOf(positions));
	}

	@Test
	void pythonFindsTheHighestValue() throws Exception {
		final Img<UnsignedByteType> image = noise(30, 20);
		// extent same: at the template's centre
		assertEquals("1.000 at [10L, 7L]", run("Correlate.py", "image", image, "template", cut(image)).getOutput("best"));
	}

	@Test
	void pythonSaysWhatIsWrong() throws Exception {
		final StringWriter errors = new StringWriter();
		run("Correlate.py", errors, "image", noise(30, 20), "template", ArrayImgs.argbs(3, 3));
		assertTrue(errors.toString().contains("RGB image"), errors.toString());
	}

	private static ScriptModule run(final String name, final Object... inputs) throws Exception {
		final StringWriter errors = new StringWriter();
		final ScriptModule module = run(name, errors, inputs);
		assertEquals("", errors.toString());
		return module;
	}

	private static ScriptModule run(final String name, final Writer errors, final Object... inputs) throws Exception {
		final ScriptModule module = context.service(ScriptService.class).getScript(TEMPLATES.resolve(name).toFile()).createModule();
		context.inject(module);
		module.setErrorWriter(errors);
		context.service(ModuleService.class).run(module, true, inputs).get();
		return module;
	}

	private static Img<UnsignedByteType> cut(final Img<UnsignedByteType> image) {
		return ImgView.wrap(Views.zeroMin(Views.interval(image, new long[] { 7, 5 }, new long[] { 12, 8 })), new ArrayImgFactory<>(new UnsignedByteType()));
	}
}
