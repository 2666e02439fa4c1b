package sc.fiji.ncc.fiji;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code -batch} in real ImageJ2 without windows: values that are not valid, exit codes, and the values of the next dialog. */
class BatchInFijiTest {

	private static final String OPEN = "newImage('large', '8-bit ramp', 40, 30, 1); newImage('small', '8-bit ramp', 12, 10, 1);";

	@TempDir
	static Path folder;

	private int exitCode;

	@Test
	void aBadValueEndsTheMacroAndTheProgram() throws Exception {
		for (final String bad : List.of("minscore=0,7", "maxmatches=2.5", "compete=maybe", "constant=[]")) {
			final String printed = batch(OPEN + "run('Find Matches...', 'image=large template=small " + bad + "'); print('went on');");
			assertEquals(1, exitCode, printed);
			assertTrue(printed.contains("Find Matches: " + bad.replaceAll("[\\[\\]]", "") + " is "), printed);
			assertFalse(printed.contains("went on"), printed);
		}
	}

	@Test
	void aWrongTitleEndsTheProgramAndAGoodMacroDoesNot() throws Exception {
		final String wrong = batch(OPEN + "run('Find Matches...', 'image=large template=smal'); print('went on');");
		assertEquals(1, exitCode, wrong);
		assertTrue(wrong.contains("No open image is called 'smal'. Open images: large, small."), wrong);
		final String good = batch(OPEN + "run('Find Matches...', 'image=large template=small minscore=0.9'); print('went on');");
		assertEquals(0, exitCode, good);
		assertTrue(good.contains("went on"), good);
	}

	@Test
	void valuesOfAMacroAreNotKept() throws Exception {
		final String printed = batch(OPEN + "run('Find Matches...', 'image=large template=small minscore=0.9 maxmatches=3 extent=same'); print('went on');");
		assertTrue(printed.contains("went on"), printed);
		try (Stream<Path> files = Files.walk(folder.resolve(".java"))) {
			for (final Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator)
				assertFalse(file.toString().contains("FindMatches"), file.toString());
		}
	}

	/** @return the output of ImageJ2 */
	private String batch(final String macro) throws IOException, InterruptedException {
		final Path file = Files.writeString(Files.createTempFile(folder, "macro", ".ijm"), macro);
		final Path printed = Files.createTempFile(folder, "printed", ".txt");
		final Process process = new ProcessBuilder(Paths.get(System.getProperty("java.home"), "bin", "java").toString(), "--add-opens",
			"java.base/java.lang=ALL-UNNAMED", "-Djava.awt.headless=true", "-Duser.home=" + folder, "-Djava.util.prefs.userRoot=" + folder, "-cp",
			System.getProperty("java.class.path"), HeadlessFiji.class.getName(), "-batch", file.toString(), "").redirectErrorStream(true)
			.redirectOutput(printed.toFile()).start();
		if (!process.waitFor(10, TimeUnit.MINUTES)) process.destroyForcibly().waitFor();
		exitCode = process.exitValue();
		return Files.readString(printed);
	}
}
