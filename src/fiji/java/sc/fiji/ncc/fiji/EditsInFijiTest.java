package sc.fiji.ncc.fiji;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

/** Edits of images between two commands, and of maps. ImageJ2 keeps copies of images, which miss edits. */
class EditsInFijiTest extends InFiji {

	private static final String SCENE = "newImage('scene', '8-bit black', 60, 50, 1); random('seed', 3);"
		+ "for (i = 0; i < 3000; i++) setPixel(i % 60, floor(i / 60), 255 * random()); makeRectangle(10, 12, 7, 6); run('Duplicate...', 'title=part');"
		+ "function correlate(title, options) { selectImage(title); run('Select None'); run('Normalized Cross-Correlation...', 'image=[' + title + '] template=part' + options);"
		+ "selectImage('NCC of ' + title); }"
		+ "correlate('scene', ''); close(); selectImage('scene');";

	@Test
	void cropSizeRotationAndSlicesReachTheNextCommand() throws Exception {
		assertPrints("crop 34 35 1 1.000000 rotated 35 34 size 15 20 slices 2 1.000000", SCENE
			+ "makeRectangle(5, 6, 40, 40); run('Crop'); correlate('scene', ''); print('crop', getWidth(), getHeight(), nSlices, d2s(getPixel(5, 6), 6)); close();"
			+ "selectImage('scene'); run('Duplicate...', 'title=turned'); correlate('turned', ''); close(); selectImage('turned'); run('Rotate 90 Degrees Right');"
			+ "correlate('turned', ''); print('rotated', getWidth() + 1, getHeight() - 1); close();"
			+ "selectImage('turned'); run('Size...', 'width=21 height=25 depth=1 average interpolation=None'); correlate('turned', ''); print('size', getWidth(), getHeight()); close();"
			+ "selectImage('scene'); run('Select All'); run('Copy'); run('Select None'); run('Add Slice'); run('Paste'); correlate('scene', '');"
			+ "setSlice(2); print('slices', nSlices, d2s(getPixel(5, 6), 6));");
	}

	@Test
	void titleScaleAndPropertiesReachTheNextCommand() throws Exception {
		assertPrints("renamed 1 scale 0.5 0.5 mm properties 2 3 mm -4 -12", SCENE + "rename('other'); correlate('other', ''); print('renamed', isOpen('NCC of other')); close();"
			+ "selectImage('other'); run('Set Scale...', 'distance=2 known=1 unit=mm'); correlate('other', ''); getVoxelSize(w, h, d, unit); print('scale', w, h, unit); close();"
			+ "selectImage('other'); run('Properties...', 'channels=1 slices=1 frames=1 unit=mm pixel_width=2 pixel_height=3 voxel_depth=1 origin=2,4');"
			+ "correlate('other', ''); getVoxelSize(w, h, d, unit); x = 0; y = 0; toScaled(x, y); print('properties', w, h, unit, x, y);");
	}

	@Test
	void theDatasetOfAnOpenMapHasItsRangeAndProperties() throws Exception {
		final String printed = text(SCENE + "correlate('scene', ''); print('datasets', call('sc.fiji.ncc.fiji.HeadlessFiji.datasets'));");
		assertTrue(printed.contains("NCC of scene -1.0 1.0 part; "), printed);
		assertTrue(Pattern.compile("[ ;] ?scene \\S+ \\S+ null; ").matcher(printed).find(), printed);
	}

	@Test
	void typeAndPixelsReachTheNextCommand() throws Exception {
		final String printed = text(SCENE + "run('16-bit'); setPixel(10, 12, 60000); updateDisplay(); correlate('scene', ''); below = 0; if (getPixel(10, 12) < 0.99) below = 1;"
			+ "print('edited', below); close(); selectImage('scene'); run('8-bit'); setColor(0); fillRect(0, 0, 60, 50); correlate('scene', ''); print('black', getPixel(10, 12));"
			+ "close(); selectImage('scene'); run('RGB Color'); correlate('scene', ''); print('went on');");
		assertTrue(printed.contains("edited 1") && printed.contains("black 0"), printed);
		assertTrue(printed.contains("the template has 1 channel, the image has 3"), printed);
		assertFalse(printed.contains("went on"), printed);
	}

	@Test
	void theLiveSelectionWinsAndLeavesNothingDrawn() throws Exception {
		assertPrints("live 30 20 boxes 4 after 0", "newImage('stack', '8-bit black', 60, 50, 4); random('seed', 3);"
			+ "for (i = 0; i < 3000; i++) setPixel(i % 60, floor(i / 60), 255 * random()); run('Select All'); run('Copy');"
			+ "for (s = 2; s <= 4; s++) { setSlice(s); run('Paste'); } run('Select None'); setSlice(1);"
			// boxes of matches and selections of earlier commands
			+ "makeRectangle(5, 5, 9, 8); run('Find Matches...', 'image=stack minscore=0.9'); makeRectangle(15, 8, 9, 8); run('Find Matches...', 'image=stack minscore=0.9');"
			+ "makeRectangle(30, 20, 9, 8); run('Track Templates...', 'image=stack plot=false'); print('live', getResult('X', 0), getResult('Y', 0));"
			+ "selectImage('stack'); run('Select None'); boxes = 0; for (i = 0; i < Overlay.size; i++) { Overlay.getBounds(i, x, y, w, h); if (x == 30 && y == 20 && h == 8) boxes++; }"
			+ "others = 0; for (i = 0; i < Overlay.size; i++) { Overlay.getBounds(i, x, y, w, h); if (h == 8 && x != 30) others++; } print('boxes', boxes, 'after', others);");
	}

	@Test
	void theMapOfAStackCanBeEdited() throws Exception {
		assertPrints("virtual 0 multiplied 3.000000 3.000000 cpu", "newImage('stack', '8-bit black', 60, 50, 3); random('seed', 3);"
			+ "for (i = 0; i < 3000; i++) setPixel(i % 60, floor(i / 60), 255 * random()); run('Select All'); run('Copy'); setSlice(2); run('Paste'); setSlice(3); run('Paste');"
			+ "run('Select None'); makeRectangle(10, 12, 7, 6); run('Duplicate...', 'title=part'); selectImage('stack'); run('Select None');"
			+ "run('Normalized Cross-Correlation...', 'image=stack template=part'); selectImage('NCC of stack'); virtual = is('Virtual Stack'); run('Multiply...', 'value=3 stack');"
			+ "setSlice(1); a = getPixel(10, 12); setSlice(3); b = getPixel(10, 12);"
			+ "print('virtual', virtual, 'multiplied', d2s(a, 6), d2s(b, 6), substring(Property.get('NCC.method'), 0, 3));");
	}

	@Test
	void originAndCalibrationOfAVolume() throws Exception {
		assertPrints("volume 25 19 8 -3 -6 -8 0.5 2 mm", "newImage('volume', '8-bit ramp', 20, 15, 6); random('seed', 3);"
			+ "for (s = 1; s <= 6; s++) { setSlice(s); for (i = 0; i < 300; i++) setPixel(i % 20, floor(i / 20), 255 * random()); }"
			+ "run('Properties...', 'channels=1 slices=6 frames=1 unit=mm pixel_width=0.5 pixel_height=1 voxel_depth=2 origin=1,2,2');"
			+ "makeRectangle(8, 5, 6, 5); run('Duplicate...', 'title=part duplicate range=2-4'); selectImage('volume'); run('Select None');"
			+ "run('Normalized Cross-Correlation...', 'image=volume template=part extent=full'); selectImage('NCC of volume');"
			+ "getVoxelSize(w, h, d, unit); x = 0; y = 0; z = 0; toScaled(x, y, z); print('volume', getWidth(), getHeight(), nSlices, x, y, z, w, d, unit);");
	}

	/** Images are closed during a run of some seconds. */
	@Test
	void anImageThatIsClosedDuringTheRunIsGone() throws Exception {
		final Path macro = Files.writeString(folder.resolve("closing.ijm"), "newImage('large', '32-bit black', 1500, 1500, 1); run('Macro...', 'code=v=sin(x*y)');"
			+ "makeRectangle(100, 100, 40, 40); run('Find Matches...', 'image=large minscore=0.9 algorithm=cpu-direct'); print('found', nResults);");
		final String printed = started(HeadlessFiji.CLOSING, "-batch-no-exit", macro.toString(), "");
		assertTrue(printed.contains("closed 1 images") && printed.contains("found "), printed);
		assertTrue(printed.contains("left: [][][]"), printed);
	}
}
