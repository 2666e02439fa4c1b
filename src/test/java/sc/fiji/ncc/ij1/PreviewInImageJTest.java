package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The preview of Find Matches in plain ImageJ, and the rows and boxes of its results. Needs a display. Writes pictures to target/screenshots. */
class PreviewInImageJTest {

	@TempDir
	static Path folder;

	private static Map<String, String> said;
	private static String printed;

	@BeforeAll
	static void work() throws Exception {
		final String display = System.getenv("DISPLAY");
		assumeTrue(display != null && !display.isEmpty(), "there is no display: xvfb-run mvn verify gives one");
		printed = new ImageJProcess(folder).runWithWindows(PreviewSession.class, Paths.get("target", "screenshots").toAbsolutePath().toString()).printed();
		said = printed.lines().filter(line -> line.contains(": ")).collect(Collectors.toMap(line -> line.substring(0, line.indexOf(": ")),
			line -> line.substring(line.indexOf(": ") + 2), (first, second) -> first));
	}

	@Test
	void theSessionCameToItsEnd() {
		assertNotNull(said.get("end"), printed);
	}

	@Test
	void theBoxesFollowTheParameters() {
		final String[] boxes = said.get("boxes").split(" ");
		final int first = Integer.parseInt(boxes[0]), auto = Integer.parseInt(said.get("auto"));
		assertTrue(first >= 15 && first <= 24, printed);
		assertEquals(first + 1, Integer.parseInt(boxes[1]), "the element of the user stays");
		assertTrue(Integer.parseInt(said.get("higher score")) < first, printed);
		assertTrue(Integer.parseInt(said.get("lower score")) > first, printed);
		assertEquals("3", said.get("three"), printed);
		assertEquals("2", said.get("total"), printed);
		assertTrue(said.get("status").matches(auto + " match(es)?, minimum score 0\\.\\d{3}.*"), printed);
	}

	@Test
	void cancelRestoresTheImage() {
		assertEquals("false false false", said.get("places"), "graph and dialog, graph and image, dialog and image");
		assertEquals("1 java.awt.Rectangle[x=274,y=235,width=56,height=56] true coins.png", said.get("canceled"), printed);
	}

	@Test
	void theRunGivesWhatThePreviewShowed() {
		assertEquals("true true false", said.get("accepted"), printed);
	}

	@Test
	void thePreviewIsNotRecorded() {
		assertTrue(said.get("recorded").contains("minscore=0.55 "), printed);
		assertFalse(said.get("recorded").contains("preview"), printed);
	}

	@Test
	void rowsAndBoxesSelectEachOther() {
		assertTrue(said.get("labels").startsWith("1 5 5: 0."), printed);
		assertEquals("true", said.get("box of the row"), printed);
		assertEquals("6 6", said.get("selected"), printed);
	}

	/** The bench PreviewTimes measures the times. */
	@Test
	void theBoxesOfALargeImageFollow() {
		assertTrue(said.getOrDefault("milliseconds", "").matches("[\\d.]+( [\\d.]+)+.*"), printed);
	}
}
