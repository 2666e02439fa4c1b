package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.ij1.ImageJProcess.Outcome;
import sc.fiji.ncc.register.DriftSample;

/** Macros that correct drift, in real ImageJ 1.x. */
class DriftMacroTest {

	/** A scene that moves by 2,1 from one frame to the next; four frames, as slices, of 8 bits. */
	private static final String SCENE = "close('*'); newImage('scene', '8-bit black', 90, 80, 1); random('seed', 3);"
		+ "for (i = 0; i < 7200; i++) setPixel(i % 90, floor(i / 90), 255 * random());"
		+ "for (f = 0; f < 4; f++) { selectImage('scene'); makeRectangle(10 - 2 * f, 8 - f, 70, 62); run('Duplicate...', 'title=frame' + f); }"
		+ "selectImage('scene'); close(); run('Images to Stack', 'name=stack title=frame');";

	@TempDir
	static Path folder;

	private static Map<String, Outcome> outcomes;

	@BeforeAll
	static void start() throws IOException {
		final String file = folder.resolve("drift.json").toString();
		outcomes = new ImageJProcess(folder.resolve("ImageJ")).run(Map.of(
			"corrected", SCENE + "run('Properties...', 'channels=1 slices=1 frames=4 pixel_width=0.5 pixel_height=0.5 unit=mm frame=[2 sec]');"
				+ "run('Correct Drift...', 'image=stack interpolation=integer show=true view=kymograph transforms=[" + file + "]');"
				+ "for (i = 0; i < 4; i++) print(getResult('Frame', i), d2s(getResult('DX', i), 1), d2s(getResult('DY', i), 1), d2s(getResult('ShiftX', i), 1), getResultString('State', i));"
				+ "selectImage('Corrected stack'); getDimensions(w, h, c, z, t); getVoxelSize(a, b, d, u); print(w, h, c, z, t, bitDepth(), a, u);"
				+ "setSlice(1); first = getPixel(30, 30); setSlice(4); print(first - getPixel(30, 30)); print(isOpen('Drift of stack'), isOpen('Before and after, stack'));"
				// the last of four frames, which moves by 6 to the left: inside it and outside
				+ "selectImage('Before and after, stack'); shown = getPixel(74 + 40, 110) > 0; print(shown, getPixel(74 + 66, 110));"
				+ "run('Apply Drift...', 'image=stack interpolation=integer border=crop transforms=[" + file
				+ "]'); selectImage('Corrected stack'); print(nImages);"
				+ "run('Correct Drift...', 'image=stack interpolation=integer plot=false show=true'); selectImage('Before and after, stack-1'); "
				+ "getVoxelSize(w, h, d, unit);"
				+ "selectImage('Before and after, stack'); getVoxelSize(px, py, d, pixels); print(w, h, unit, px, py, pixels);",
			"registered", SCENE + "run('Stack to Images'); run('Register Images...', 'fixed=stack-0001 moving=stack-0004 interpolation=integer');"
				+ "print(d2s(getResult('DX', 0), 1), d2s(getResult('DY', 0), 1), d2s(getResult('Score', 0), 4)); selectImage('stack-0001'); p = getPixel(20, 20);"
				+ "selectImage('Registered stack-0004'); print(p - getPixel(20, 20), bitDepth());",
			"sample", "close('*'); run('NCC Drift'); selectImage('drift.tif'); getDimensions(w, h, c, z, t); print(w, h, c, z, t, bitDepth());"
				+ "run('Correct Drift...', 'image=drift.tif plot=false'); print(getResultString('State', " + (DriftSample.BLURRED - 1)
				+ "), getResultString('State', " + DriftSample.BLURRED + "));",
			"flat", SCENE + "run('Set...', 'value=7 stack'); run('Correct Drift...', 'image=stack'); print('went on');",
			"misspelt", SCENE + "run('Correct Drift...', 'image=stack max-shift=3'); print('went on');",
			"other", "close('*'); newImage('other', '8-bit random', 30, 30, 4); run('Apply Drift...', 'image=other transforms=[" + file + "x]'); print('went on');")).join();
	}

	@Test
	void aStackIsCorrected() {
		final String printed = outcomes.get("corrected").printed().replace("-0.0", "0.0");
		assertTrue(printed.endsWith("\n0.5 0.5 mm 1 1 pixels\n"), printed);
		assertTrue(printed.startsWith("1 0.0 0.0 0.0 ok\n2 2.0 1.0 1.0 ok\n3 4.0 2.0 2.0 ok\n4 6.0 3.0 3.0 ok\n70 62 1 1 4 8 0.5 mm\n0\n1 1\n1 0\n"), printed);
	}

	@Test
	void imagesAreRegistered() {
		assertEquals("6.0 3.0 1.0000\n0 8\n", outcomes.get("registered").printed());
	}

	@Test
	void theSampleStackIsATimeSeries() {
		// the blurred frame is the outlier
		assertEquals("256 256 1 1 60 16\nCorrect Drift: frame to check in drift.tif: 41 (outlier). See the column State.\nok outlier\n",
			outcomes.get("sample").printed());
	}

	@Test
	void failuresEndTheMacro() {
		assertTrue(outcomes.get("flat").toString().contains("all 4 frames are flat"), outcomes.get("flat").toString());
		for (final String name : new String[] { "flat", "misspelt", "other" }) assertTrue(!outcomes.get(name).printed().contains("went on"), name);
	}
}
