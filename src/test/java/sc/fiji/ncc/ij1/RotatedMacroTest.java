package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.ij1.ImageJProcess.Outcome;

/** Rotated templates in macros of real ImageJ. */
class RotatedMacroTest {

	private static final String SAMPLE = "close('*'); run('NCC Rotated Coins'); makeRectangle(30, 30, 56, 56);";

	private static final String NOISE = "close('*'); newImage('noise', '32-bit', 110, 90, 1); random('seed', 4);"
		+ "for (i = 0; i < 9900; i++) setPixel(i % 110, floor(i / 110), random('gaussian'));";
	private static final String AUTO = "makeRectangle(30, 40, 15, 15);"
		+ "run('Find Rotated Matches...', 'image=noise angles=0:360:10 minscore=auto maxmatches=1');"
		+ "print(nResults, getResultString('Background', 0), d2s(getResult('MinScore', 0), 3), String.getResultsHeadings);";

	@TempDir
	static Path folder;

	private static CompletableFuture<Map<String, Outcome>> outcomes;

	@BeforeAll
	static void start() throws IOException {
		outcomes = new ImageJProcess(folder.resolve("ImageJ")).run(Map.of("documented", SAMPLE
			+ "run('Find Rotated Matches...', 'image=rotated-coins.png angles=0:360:10 scales=0.85:1.2:1.07 minscore=0.75');"
			+ "print(nResults, getResult('X', 0), getResult('Y', 0), d2s(abs(getResult('Angle', 0)), 6), getResult('Scale', 0), Overlay.size);"
			+ "found = 0; for (i = 0; i < nResults; i++) if (abs(getResult('Angle', i) - 147.5) < 0.5 && abs(getResult('Scale', i) - 1.15) < 0.01 && abs(getResult('CenterX', i) - 372.5) < 1.1) found++;"
			+ "print(found);",
			"template", SAMPLE + "run('Duplicate...', 'title=coin'); selectImage('rotated-coins.png'); run('Select None');"
				+ "run('Find Rotated Matches...', 'image=rotated-coins.png template=coin angles=0,90 maxmatches=1 refine=false support=whole mirrored=true'); "
				+ "print(nResults, getResult('Score', 0), getResult('Mirrored', 0));",
			"zero", SAMPLE + "run('Find Rotated Matches...', 'image=rotated-coins.png angles=0:360:0'); print('went on');",
			"smooth", NOISE + "run('Gaussian Blur...', 'sigma=2');" + AUTO,
			"white", NOISE + AUTO,
			"key", SAMPLE + "run('Find Rotated Matches...', 'image=rotated-coins.png angle=0:360:9'); print('went on');"));
	}

	@Test
	void theSelectionIsFoundInItsPoses() {
		final String[] lines = outcomes.join().get("documented").printed().split("\n");
		assertEquals("7 30 30 0.000000 1 7", lines[0], String.join("\n", lines));
		assertEquals("1", lines[1]);
	}

	@Test
	void anotherImageIsTheTemplate() {
		assertEquals(new Outcome(0, "1 1 0\n"), outcomes.join().get("template"));
	}

	/** The log states the minimum score and why it is uncertain; the table has both. */
	@Test
	void theStateOfTheBackgroundIsInTheLogAndInTheTable() {
		final String smooth = outcomes.join().get("smooth").printed(), white = outcomes.join().get("white").printed();
		final Matcher score = Pattern.compile("1 match, minimum score (0\\.\\d{3}) \\(uncertain\\) in noise").matcher(smooth);
		assertTrue(score.find(), smooth);
		assertTrue(smooth.contains("Find Rotated Matches: the minimum score in noise is uncertain: too few independent pixels in a window to "
			+ "count the poses."), smooth);
		assertTrue(smooth.contains("1 smooth " + score.group(1) + " "), smooth);
		assertTrue(smooth.contains("Unit\tMinScore\tBackground\tSigmaX"), smooth);
		assertFalse(white.contains("uncertain"), white);
		assertTrue(Pattern.compile("1 match, minimum score (0\\.\\d{3}) in noise\\n(?s:.*)1 ok \\1 ").matcher(white).find(), white);
	}

	@Test
	void mistakesEndTheMacro() {
		final String zero = outcomes.join().get("zero").printed(), key = outcomes.join().get("key").printed();
		assertTrue(zero.contains("step of the angles is 0.0") && !zero.contains("went on"), zero);
		assertTrue(key.contains("angle") && !key.contains("went on"), key);
	}
}
