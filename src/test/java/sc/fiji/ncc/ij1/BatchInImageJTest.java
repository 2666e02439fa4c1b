package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.ij1.ImageJProcess.Outcome;

/** Macros that fail with {@code -batch}: a line on standard error and an exit code, with and without a display, and no dialog. */
class BatchInImageJTest {

	private static final String OPEN = "newImage('large', '8-bit ramp', 40, 30, 1); newImage('small', '8-bit ramp', 12, 10, 1);";
	/** Macros, each with its expected message. An empty message means success. */
	private static final Map<String, String> MACROS = Map.of(
		OPEN + "run('Find Matches...', 'image=large template=smal'); print('went on');", "Find Matches: No open image is called 'smal'. Open images: large, small.",
		OPEN + "run('Find Matches...', 'image=large template=small minscore=0,7'); print('went on');", "Find Matches: minscore=0,7 is not a number.",
		"call('sc.fiji.ncc.command.Batch.fail', 'my own reason'); print('went on');", "my own reason",
		OPEN + "run('Plan...', 'image=300x200 template=9x9'); print('went on');", "");

	@TempDir
	static Path folder;

	private static ImageJProcess imagej;

	@BeforeAll
	static void install() throws IOException {
		imagej = new ImageJProcess(folder.resolve("ImageJ"));
	}

	@Test
	void withoutADisplay() throws IOException {
		tried(false);
	}

	@Test
	void onADisplay() throws IOException {
		final String display = System.getenv("DISPLAY");
		assumeTrue(display != null && !display.isEmpty(), "there is no display: xvfb-run mvn verify gives one");
		tried(true);
	}

	/** A frequent failure: the template is larger than an image of the folder. */
	@Test
	void theShippedMacroForAFolder() throws IOException {
		final Path images = Files.createDirectories(folder.resolve("images"));
		final String save = "newImage('a', '8-bit ramp', %d, %d, 1); saveAs('PNG', '%s');";
		final Path make = Files.writeString(folder.resolve("make.ijm"), "setBatchMode(true);" + String.format(save, 12, 10, images.resolve("a.png"))
			+ String.format(save, 40, 30, folder.resolve("template.png")));
		assertEquals(new Outcome(0, ""), imagej.run(make, "").join());
		final Path table = folder.resolve("matches.csv");
		final Outcome outcome = imagej.run(Paths.get("macros", "Find_Matches_in_Folder.ijm").toAbsolutePath(),
			"images=[" + images + "] template=[" + folder.resolve("template.png") + "] output=[" + table + "]").join();
		assertEquals(1, outcome.exitCode(), outcome.printed());
		assertTrue(outcome.printed().contains("Find Matches: the template of 40x30 is larger than the image of 12x10"), outcome.printed());
		assertFalse(Files.exists(table));
	}

	private static void tried(final boolean display) throws IOException {
		final Map<String, CompletableFuture<Outcome>> outcomes = new LinkedHashMap<>();
		for (final Map.Entry<String, String> macro : MACROS.entrySet()) {
			final Path file = Files.writeString(Files.createTempFile(folder, "macro", ".ijm"), macro.getKey());
			outcomes.put(macro.getKey(), display ? imagej.runOnDisplay(file, "") : imagej.run(file, ""));
		}
		MACROS.forEach((macro, reason) -> {
			final Outcome outcome = outcomes.get(macro).join();
			assertEquals(reason.isEmpty() ? 0 : 1, outcome.exitCode(), macro + outcome.printed());
			assertTrue(outcome.printed().contains(reason), macro + outcome.printed());
			assertEquals(reason.isEmpty(), outcome.printed().contains("went on"), macro + outcome.printed());
			assertEquals(1, outcome.printed().lines().count(), macro + outcome.printed());
		});
	}
}
