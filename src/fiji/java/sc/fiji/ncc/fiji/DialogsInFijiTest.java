package sc.fiji.ncc.fiji;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.ij1.FijiDialogs;

/** The window of real ImageJ2. Needs a display; {@code xvfb-run} provides one. Writes screenshots to target/screenshots-fiji. */
class DialogsInFijiTest extends InFiji {

	@Test
	void eachCommandOpensItsDialogs() throws Exception {
		final String display = System.getenv("DISPLAY");
		assumeTrue(display != null && !display.isEmpty(), "there is no display: xvfb-run mvn -Pfiji verify gives one");
		final Path screenshots = Path.of("target", "screenshots-fiji").toAbsolutePath();
		final String printed = started(FijiDialogs.class, false, screenshots.toString());
		final List<String> commands = Files.readAllLines(Path.of("plugins.config")).stream().filter(line -> line.startsWith("Plugins>NCC"))
			.map(line -> line.split("\"")[1].replace("...", "")).toList();
		assertTrue(commands.size() > 1, commands::toString);
		// a dialog without fields would be an empty one
		assertEquals(commands, printed.lines().filter(line -> line.matches("[^:]+: [1-9].*")).map(line -> line.substring(0, line.indexOf(':'))).toList(),
			printed);
		assertTrue(printed.contains("rows less boxes of Find Matches: 0"), printed);
		assertTrue(printed.contains("rows less boxes of Find Rotated Matches: 0"), printed);
		assertTrue(printed.contains("end: "), printed);
	}
}
