package sc.fiji.ncc.fiji;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.io.TempDir;

/** Macros in real ImageJ2 without windows, each in a process of its own. */
abstract class InFiji {

	@TempDir
	static Path folder;

	static void assertPrints(final String expected, final String macro) throws Exception {
		final String printed = text(macro);
		assertTrue(String.join(" ", printed.split("\\s+")).contains(expected), printed);
	}

	static String text(final String macro) throws Exception {
		return fiji(Files.writeString(Files.createTempFile(folder, "macro", ".ijm"), macro).toString(), "");
	}

	/** @return the output of ImageJ2 */
	static String fiji(final String macro, final String argument) throws IOException, InterruptedException {
		return started("-batch-no-exit", macro, argument);
	}

	/** @return the output of ImageJ2 */
	static String started(final String... arguments) throws IOException, InterruptedException {
		return started(HeadlessFiji.class, true, arguments);
	}

	/** @return the output of a program with ImageJ2 */
	static String started(final Class<?> main, final boolean headless, final String... arguments) throws IOException, InterruptedException {
		final List<String> command = new ArrayList<>(List.of(Paths.get(System.getProperty("java.home"), "bin", "java").toString(),
			"--add-opens", "java.base/java.lang=ALL-UNNAMED", "-Djava.awt.headless=" + headless, "-Duser.home=" + folder,
			"-Djava.util.prefs.userRoot=" + folder, "-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(List.of(arguments));
		final Path printed = Files.createTempFile(folder, "printed", ".txt");
		final Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile()).start();
		if (!process.waitFor(10, TimeUnit.MINUTES)) process.destroyForcibly().waitFor();
		return Files.readString(printed);
	}
}
