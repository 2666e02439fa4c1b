package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain ImageJ with its windows. Needs a display; {@code xvfb-run} provides one. Writes pictures to target/screenshots. */
class WindowedImageJTest {

	private static final Path PICTURES = Paths.get("target", "screenshots").toAbsolutePath();

	@TempDir
	static Path folder;

	private static Map<String, String> said;
	private static String printed;

	@BeforeAll
	static void work() throws Exception {
		final String display = System.getenv("DISPLAY");
		assumeTrue(display != null && !display.isEmpty(), "there is no display: xvfb-run mvn verify gives one");
		printed = new ImageJProcess(folder).runWithWindows(WindowedSession.class, PICTURES.toString()).printed();
		said = printed.lines().filter(line -> line.contains(": ")).collect(Collectors.toMap(line -> line.substring(0, line.indexOf(": ")),
			line -> line.substring(line.indexOf(": ") + 2), (first, second) -> first));
	}

	@Test
	void theSessionCameToItsEnd() {
		assertNotNull(said.get("end"), printed);
	}

	@Test
	void advancedDialogsLeaveOutWhatTheCommandRefuses() {
		assertEquals("[Channels (auto, joint, each, or a number), Further templates (titles; * = any text), Mirrored templates too, Support, False "
			+ "alarms (0: use the minimum score), "
			+ "Maximum overlap (0 to 1), Keep only the best of overlapping templates, Refine position, angle and scale, Inside (x,y,w,h; empty: whole "
			+ "image), Append to the table, Show maps of scores and poses, Backend, Algorithm, Effort, "
			+ "Threads (0: all), Memory in MB (0: all)]", said.get("advanced of rotated"), printed);
	}

	@Test
	void theMenuHasAllCommands() {
		assertEquals("[Normalized Cross-Correlation..., Find Matches..., Find Rotated Matches..., Track Templates..., Correct Drift..., "
			+ "Correct Motion..., Register Images..., Apply Drift..., Motion Field..., Stitch Tiles..., Convolve Image..., Plan..., Devices...]",
				said.get("menu"), printed);
	}

	@Test
	void aDialogProposesTheActiveImageAndItsSelection() {
		assertEquals("coins.png, coins.png, 0.5", said.get("proposed"), printed);
	}

	@Test
	void missingImagesAreReportedBeforeADialogOpens() {
		assertTrue(said.get("no template").startsWith("The template is missing: nothing is selected in 'coins.png', and no other image is open."), printed);
		assertEquals("Convolve Image needs a kernel: open a second image. Open images: coins.png.", said.get("no kernel"), printed);
		assertEquals("Track Templates needs a stack: 'coins.png' has one plane. Open a stack first.", said.get("no stack"), printed);
	}

	@Test
	void withoutASelectionAnotherImageThatFitsIsProposed() {
		assertEquals("coins.png, part", said.get("proposed without a selection"), printed);
	}

	@Test
	void theCoinsAreFoundAndShown() {
		final String[] found = said.get("found").split(" ");
		final int count = Integer.parseInt(found[0]);
		assertTrue(count >= 15 && count <= 24, printed);
		assertEquals(1, Double.parseDouble(found[1]), 1e-9);
		assertEquals(30.2, Double.parseDouble(found[2]), 0.01);
		assertEquals("mm", found[3]);
		assertEquals(count + " " + count, said.get("boxes"));
		assertEquals("beside the image", said.get("table"));
	}

	@Test
	void theMapIsAsLargeAsTheImage() {
		assertEquals("384 303 100000 -1.0 1.0 mm same", said.get("map"), printed);
	}

	@Test
	void aSmallMapIsEnlarged() {
		assertEquals("12 9 1", said.get("small map"), printed);
	}

	@Test
	void aDialogHasTheValuesOfARunThatFailed() {
		assertEquals("no folder, 2x1, ", said.get("after an error"), printed);
		assertEquals(", , ", said.get("after success"), printed);
	}

	@Test
	void anImageIsConvolvedWithAnother() {
		assertEquals("coins.png, edges, same, auto", said.get("proposed to convolve"), printed);
		assertEquals("384 303 32 mm true", said.get("convolved"), printed);
	}

	@Test
	void whatIsDoneIsRecordedAndRunsAgain() {
		assertEquals("[run(\"Find Matches...\", \"image=coins.png template=coins.png channels=auto "
			+ "templates=[] minscore=0.55 falsealarms=0 maxmatches=0 total=0 maxoverlap=0.3 compete=true subpixel=true "
			+ "refine=false ellipses=false quality=false plotalarms=false append=false addrois=true search=[] extent=valid border=auto constant=0 "
			+ "weights=[] imagemask=[] nan=undefined minoverlap=auto precision=single backend=auto algorithm=auto effort=estimate threads=0 memory=0\");, "
			+ "run(\"Normalized Cross-Correlation...\", \"image=coins.png template=coins.png channels=auto "
			+ "search=[] extent=same border=mirror constant=0 undefined=0 responsetype=float "
			+ "weights=[] imagemask=[] nan=undefined minoverlap=auto precision=single backend=auto algorithm=auto effort=estimate threads=0 memory=0\");]",
			said.get("recorded"), printed);
		assertEquals(said.get("found").split(" ")[0], said.get("replayed"));
	}

	@Test
	void theRegionsOfTheManagerAreTracked() {
		assertEquals("moving coins, auto, 10", said.get("proposed to track"), printed);
		assertEquals("50 102 right true", said.get("tracked"), printed);
		assertEquals("run(\"Track Templates...\", \"image=[moving coins] templates=auto roi=[] template=[] "
			+ "reference=0 channels=auto slice=0 depth=1 maxshift=6,4 follow=true update=fixed "
			+ "weight=0.1 anchor=-1 minscore=0.5 refine=false append=false plot=true addrois=false trackmate=[] weights=[] imagemask=[] nan=undefined "
			+ "minoverlap=auto "
			+ "precision=single backend=auto algorithm=auto effort=estimate threads=0 memory=0\");", said.get("recorded to track"), printed);
		assertEquals("50", said.get("tracked again"), printed);
	}

	@Test
	void inBatchModeBoxesGoToTheManagerOfTheMacro() {
		assertEquals("3 3 true", said.get("regions in batch mode"), printed);
	}

	@Test
	void aMacroThatLeavesAParameterOutGetsItsDefaultAndIsNotAsked() {
		assertEquals("3", said.get("left out"), printed);
	}

	@Test
	void valuesAreRememberedExceptThoseThatDestroy() {
		assertEquals("1000x800 true false", said.get("remembered"), printed);
	}

	@Test
	void planAndDevicesHaveTablesOfTheirOwn() {
		assertTrue(said.get("plan").startsWith("cpu-"), printed);
		assertEquals("3", said.get("plan").split(" ")[1], "ImageJ's results are as they were");
		assertEquals("cpu", said.get("devices"));
	}

	@Test
	void aMisspeltTitleInAMacroIsAnErrorAndNoQuestion() {
		assertEquals("[Macro Error]", said.get("misspelt"), printed);
	}

	@Test
	void macrosReplaceRowsWithoutAQuestion() {
		assertEquals("2", said.get("rows in macros"), printed);
	}

	/** ImageJ clears the status bar when it opens the mosaic. */
	@Test
	void theStatusBarHasTheResult() {
		assertTrue(said.get("summary").matches("2 tiles, 1 of 1 links used, RMS residual 0\\.\\d{3} pixels"), printed);
	}

	@Test
	void otherMeasurementsStay() {
		assertEquals("1 false true", said.get("kept"), printed);
	}

	@Test
	void escapeStopsIt() {
		assertTrue(said.get("status").matches("Normalized Cross-Correlation: \\d+ (s|min|h) left, true"), printed);
		assertEquals("true", said.get("escaped"), printed);
		assertEquals("nothing", said.get("left behind"), printed);
	}

	@Test
	void everyDialogWasPhotographed() {
		for (final String name : new String[] { "no-image", "find-matches", "matches", "results", "correlate", "map", "convolve", "convolved", "track-templates", "tracks", "motion", "plan", "plan-table", "planner-map",
			"devices", "misspelt", "progress" }) assertTrue(Files.exists(PICTURES.resolve(name + ".png")), name);
	}
}
