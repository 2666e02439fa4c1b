package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.ij1.ImageJProcess.Outcome;

/** Tracking in macros of real ImageJ, without windows. */
class TrackMacroTest {

	/** A scene that moves by 2,1 from one frame to the next; four frames, as slices. */
	private static final String SCENE = "close('*'); newImage('scene', '8-bit black', 60, 50, 1); random('seed', 3);"
		+ "for (i = 0; i < 3000; i++) setPixel(i % 60, floor(i / 60), 255 * random());"
		+ "for (f = 0; f < 4; f++) { selectImage('scene'); makeRectangle(10 - 2 * f, 8 - f, 48, 40); run('Duplicate...', 'title=frame' + f); }"
		+ "selectImage('scene'); close(); run('Images to Stack', 'name=stack title=frame');";
	private static final String WEIGHTS = "setSlice(3); setPixel(31, 19, 255 - getPixel(31, 19)); newImage('w', '32-bit black', 9, 8, 1);"
		+ "for (i = 0; i < 72; i++) setPixel(i % 9, floor(i / 9), 0.5 + i / 72); setPixel(3, 2, 0); selectImage('stack');";
	private static final String POSITIONS = "for (i = 0; i < nResults; i++) print(getResultString('Template', i), getResult('Slice', i), getResult('Frame', i),"
		+ " getResult('X', i), getResult('Y', i), d2s(getResult('Score', i), 4));";

	@TempDir
	static Path folder;

	private static Map<String, Outcome> outcomes;

	@BeforeAll
	static void start() throws IOException {
		outcomes = new ImageJProcess(folder.resolve("ImageJ")).run(Map.ofEntries(
			Map.entry("selection", SCENE + "setSlice(3); makeRectangle(18, 14, 9, 8); run('Track Templates...', 'image=stack'); " + POSITIONS
				+ "selectImage('stack'); print(nImages, isOpen('Motion of stack'), Overlay.size);"),
			Map.entry("overlay", SCENE + "makeOval(12, 10, 11, 9); Roi.setName('cell'); run('Add Selection...'); makeLine(1, 1, 9, 9); run('Add Selection...');"
				+ "makeText('text', 4, 4); run('Add Selection...'); makeRectangle(24, 18, 8, 8); run('Add Selection...'); run('Select None');"
				+ "run('Track Templates...', 'image=stack reference=1 plot=false'); run('Track Templates...', 'image=stack reference=1 plot=false templates=overlay');"
				+ POSITIONS + "print(nImages, Overlay.size);"),
			Map.entry("time", SCENE + "run('Properties...', 'channels=1 slices=1 frames=4 pixel_width=0.5 pixel_height=0.5 unit=mm frame=[2 sec]');"
				+ "run('Track Templates...', 'image=stack roi=[12,10,9,8]'); selectImage('Motion of stack'); Plot.getValues(x, y);"
				+ "print(getResult('Frame', 3), getResult('Slice', 3), getResultString('Unit', 3), d2s(getResult('MotionX', 3), 0), x.length, x[3], d2s(y[3], 0));"),
			Map.entry("virtual", SCENE + "path = '" + folder.resolve("stack.tif") + "'; saveAs('Tiff', path); close(); run('TIFF Virtual Stack...', 'open=' + path);"
				+ "print(is('Virtual Stack')); run('Track Templates...', 'image=stack.tif roi=[12,10,9,8] plot=false');" + POSITIONS),
			Map.entry("weights", SCENE + WEIGHTS + "run('Track Templates...', 'image=stack reference=1 roi=[24,15,9,8] plot=false'); print(getResult('Score', 2));"
				+ "run('Track Templates...', 'image=stack reference=1 roi=[24,15,9,8] weights=w precision=double plot=false');"
				+ "print(d2s(getResult('Score', 2), 4), getResult('X', 2), getResult('Y', 2), d2s(getResult('MotionY', 2), 0));"),
			Map.entry("other weights", SCENE + WEIGHTS + "run('Track Templates...', 'image=stack roi=[24,15,9,9] weights=w plot=false'); print('went on');"),
			Map.entry("apart", SCENE + "for (f = 1; f < 4; f++) { setSlice(f); makeRectangle(12, 10, 9, 8); Roi.setPosition(f); Overlay.addSelection; } run('Select None');"
				+ "run('Track Templates...', 'image=stack'); print('went on');"),
			Map.entry("chosen", SCENE + "for (f = 1; f < 4; f++) { makeRectangle(12 + f, 10, 9, 8); Roi.setPosition(f); Overlay.addSelection; } run('Select None');"
				+ "run('Track Templates...', 'image=stack reference=2 minscore=0.9 plot=false'); " + POSITIONS),
			Map.entry("live", SCENE + "makeRectangle(20, 14, 9, 8); Overlay.addSelection; makeRectangle(12, 10, 11, 9);"
				+ "run('Track Templates...', 'image=stack reference=1 plot=false'); " + POSITIONS),
			Map.entry("added", SCENE + "makeRectangle(20, 14, 9, 8); run('Add Selection...'); makeRectangle(12, 10, 11, 9); run('Add Selection...');"
				+ "run('Track Templates...', 'image=stack reference=1 plot=false'); print(nResults, getResult('X', 0), getResult('X', 4));"),
			Map.entry("trackmate", SCENE + "run('Track Templates...', 'image=stack reference=1 roi=[12,10,9,8] plot=false trackmate=["
			+ folder.resolve("my tracks.xml") + "]');"
				+ "print(nResults);"),
			Map.entry("no folder", SCENE + "run('Track Templates...', 'image=stack reference=1 roi=[12,10,9,8] trackmate=" + folder.resolve("none/t.xml")
			+ "'); print('went on');"),
			Map.entry("other images", SCENE + "setSlice(1); makeRectangle(24, 18, 8, 8); run('Duplicate...', 'title=cell'); selectImage('stack');"
				+ "makeRectangle(12, 10, 9, 8); run('Duplicate...', 'title=bead'); selectImage('stack'); run('Select None');"
				+ "run('Track Templates...', 'image=stack template=[bead; c*l] maxshift=4 reference=2 plot=false'); " + POSITIONS),
			Map.entry("nothing", SCENE + "run('Select None'); run('Track Templates...', 'image=stack'); print('went on');"),
			Map.entry("flat", SCENE + "run('Set...', 'value=7 stack'); run('Track Templates...', 'image=stack roi=[2,3,9,9; 12,10,9,8]'); print('went on');"),
			Map.entry("misspelt", SCENE + "run('Track Templates...', 'image=stack region=[12,10,9,8]'); print('went on');"),
			Map.entry("title", SCENE + "run('Track Templates...', 'image=stak roi=[12,10,9,8]'); print('went on');"))).join();
	}

	/** Templates from other images have the titles of these. They are found in the reference frame, and the scene moves by 2,1 a frame. */
	@Test
	void templatesFromOtherImages() {
		final StringBuilder expected = new StringBuilder();
		for (final String[] t : new String[][] { { "bead", "12", "10" }, { "cell", "24", "18" } })
			for (int f = 0; f < 4; f++) expected.append(String.format("%s %d 1 %d %d 1.0000%n", t[0], f + 1, Integer.parseInt(t[1]) + 2 * f,
				Integer.parseInt(t[2]) + f));
		assertEquals(expected.toString(), outcomes.get("other images").printed());
	}

	@Test
	void tracksAreSavedForTrackMate() throws IOException {
		assertEquals("4\n", outcomes.get("trackmate").printed());
		assertTrue(Files.readString(folder.resolve("my tracks.xml")).contains("filename=\"stack\""));
		assertEnds("no folder", "there is no folder");
	}

	@Test
	void theLiveSelectionWinsOverTheOverlay() {
		assertEquals("selection 1 1 12 10 1.0000\nselection 2 1 14 11 1.0000\nselection 3 1 16 12 1.0000\nselection 4 1 18 13 1.0000\n", outcomes.get("live").printed());
	}

	/** The region that was added last is still selected. */
	@Test
	void regionsThatWereAddedToTheOverlayAreMeantTogether() {
		assertEquals("8 20 12\n", outcomes.get("added").printed());
	}

	@Test
	void theSelectionIsCutFromTheShownFrameAndFollowedInBothDirections() {
		assertEquals("selection 1 1 14 12 1.0000\nselection 2 1 16 13 1.0000\nselection 3 1 18 14 1.0000\nselection 4 1 20 15 1.0000\n2 1 9\n", printed("selection"));
	}

	/** The boxes of the first run are not templates of the second run. */
	@Test
	void theOverlaysAreasAreTemplatesAndNothingElse() {
		assertEquals("cell 1 1 12 10 1.0000\ncell 2 1 14 11 1.0000\ncell 3 1 16 12 1.0000\ncell 4 1 18 13 1.0000\n"
			+ "2 1 1 24 18 1.0000\n2 2 1 26 19 1.0000\n2 3 1 28 20 1.0000\n2 4 1 30 21 1.0000\n1 22\n", printed("overlay"));
	}

	@Test
	void framesAreTimeWhereThereIsSuch() {
		assertEquals("4 1 mm 3 4 6 3\n", printed("time"));
	}

	@Test
	void aVirtualStackIsTracked() {
		assertEquals("1\n1 1 1 12 10 1.0000\n1 2 1 14 11 1.0000\n1 3 1 16 12 1.0000\n1 4 1 18 13 1.0000\n", printed("virtual"));
	}

	@Test
	void regionsOfSeveralFramesNeedOneNamed() {
		assertEnds("apart", "The regions lie on 3 slices (1, 2, 3). Choose one of them with reference=1, or use regions of a single slice.");
		assertTrue(printed("chosen").contains("1 2 1 13 10 1.0000\n") && printed("chosen").contains("3 2 1 15 10 1.0000\n"), printed("chosen"));
	}

	/** One pixel of the scene changes; its weight is 0. */
	@Test
	void weightsAndPrecision() {
		assertEquals("0.9", printed("weights").substring(0, 3));
		assertTrue(printed("weights").contains("\n1.0000 28 17 2\n"), printed("weights"));
		assertEnds("other weights", "The image of weights 'w' is 9x8, and the template '1' is 9x9. They must have the same size.");
	}

	@Test
	void whatIsWrongEndsTheMacroInWords() {
		assertEnds("nothing", "No templates: the ROI Manager has no region, nothing is selected in 'stack', and its overlay has no region.");
		assertEnds("misspelt", "Track Templates has no key 'region'. Known keys: image, templates, roi, template, reference, "
			+ "channels, slice, depth, maxshift,");
		assertEnds("title", "No open image is called 'stak'. Open images: stack.");
		assertEnds("flat", "template '1': ");
	}

	private static String printed(final String macro) {
		return outcomes.get(macro).printed();
	}

	private static void assertEnds(final String macro, final String reason) {
		assertTrue(printed(macro).contains("Macro Error: ") && printed(macro).contains(reason), printed(macro));
		assertFalse(printed(macro).contains("went on"), printed(macro));
	}
}
