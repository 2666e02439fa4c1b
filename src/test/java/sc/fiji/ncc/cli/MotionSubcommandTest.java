package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import javax.imageio.ImageIO;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.gui.Roi;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.motion.VortexSample;

/** {@code ncc motion}. */
class MotionSubcommandTest extends InFolder {

	@BeforeEach
	void sample() throws IOException {
		assertEquals(0, run("sample", "vortex.tif", "--vortex"));
	}

	/** Without an output, the summary says what was found and how to keep it. */
	@Test
	void aFieldThatIsNotWrittenHasASummary() throws IOException {
		final String said = succeeds("motion", "vortex.tif", "--spacing", "64", "--passes", "1");
		assertTrue(said.matches("(?s)\\d+ of 16 vectors are valid, .*median motion .*; wrote nothing: -o, --field, .* write the field\\s*"), said);
	}

	/** ImageJ saves a stack without time points as slices. */
	@Test
	void slicesWithoutTimePointsAreFrames() throws IOException {
		succeeds("motion", "vortex.tif", "--passes", "1", "-o", "t.csv");
		final ImagePlus stack = IJ.openImage(path("vortex.tif"));
		stack.setDimensions(1, 2, 1);
		save("slices.tif", stack);
		assertEquals("xyz", ImageFiles.read(path("slices.tif")).axes());
		succeeds("motion", "slices.tif", "--passes", "1", "-o", "z.csv");
		assertEquals(Files.readString(Path.of(path("t.csv"))), Files.readString(Path.of(path("z.csv"))));
	}

	@Test
	void theVortexIsMeasured() throws IOException {
		final String said = succeeds("motion", "vortex.tif", "--window", "32", "--spacing", "32", "--max-shift", "8", "--passes", "2", "-o", "f.csv",
			"--field", "f.tif", "--derived", "m.tif", "--quiver", "q.png",
			"--vti", path("f.vti"), "--openpiv", path("o.txt"), "--piv", path("p.txt"));
		assertTrue(said.matches("(?s)\\d+ of 64 vectors are valid, in 1 pair of frames, median motion -?0\\.\\d\\d, -?0\\.\\d\\d and speed \\d\\.\\d\\d "
			+ "pixels, by cpu-.* in .* ms; wrote .*f.csv, .*"), said);
		final List<String> rows = Files.readAllLines(Path.of(path("f.csv")));
		assertEquals("frame,x,y,u,v,score,ratio,sigma_u,sigma_v,valid,state", rows.get(0));
		assertEquals(65, rows.size());
		double squares = 0;
		for (final String row : rows.subList(1, 65)) {
			final String[] cells = row.split(",");
			assertEquals("2", cells[0]);
			final double[] truth = VortexSample.motion().apply(new double[] { Double.parseDouble(cells[1]), Double.parseDouble(cells[2]) });
			squares += Math.pow(Double.parseDouble(cells[3]) - truth[0], 2) + Math.pow(Double.parseDouble(cells[4]) - truth[1], 2);
		}
		assertTrue(Math.sqrt(squares / 128) < 0.3, "error " + Math.sqrt(squares / 128));
		// the image has the same numbers, and a pixel of it is a window
		final ImagePlus field = IJ.openImage(path("f.tif"));
		assertArrayEquals(new int[] { 8, 8, 2, 1, 1 }, field.getDimensions());
		assertEquals(Double.parseDouble(rows.get(12).split(",")[4]), field.getStack().getProcessor(2).getf(3, 1), 1e-4);
		assertEquals(32, field.getCalibration().pixelWidth, 1e-9);
		assertEquals(15.5, field.getCalibration().getX(0), 1e-6);
		final ImagePlus maps = IJ.openImage(path("m.tif"));
		assertArrayEquals(new int[] { 8, 8, 6, 1, 1 }, maps.getDimensions());
		assertEquals(List.of("u", "v"), Arrays.stream(field.getStack().getSliceLabels()).filter(Objects::nonNull).toList());
		assertEquals(List.of("speed", "divergence", "vorticity", "strain-xx", "strain-yy", "strain-xy"),
			Arrays.stream(maps.getStack().getSliceLabels()).filter(Objects::nonNull).toList());
		maps.setC(3);
		assertEquals(maps.getProcessor().getStats().max, maps.getDisplayRangeMax());
		assertEquals(32, maps.getCalibration().pixelWidth, 1e-9);
		assertEquals(Math.hypot(field.getStack().getProcessor(1).getf(3, 1), field.getStack().getProcessor(2).getf(3, 1)), maps.getStack().getProcessor(1)
			.getf(3, 1), 1e-4);
		// the core turns by 5/60 radians: the vorticity is twice that
		assertEquals(10 / 60.0, maps.getStack().getProcessor(3).getf(4, 4), 0.02);
		assertTrue(ImageIO.read(Path.of(path("q.png")).toFile()).getWidth() >= 640);
		for (final String name : List.of("f.vti", "o.txt", "p.txt")) assertTrue(Files.size(Path.of(path(name))) > 1000, name);
	}

	@Test
	void twoImagesAreAStackOfTwoFrames() throws IOException {
		final ImagePlus stack = IJ.openImage(path("vortex.tif"));
		for (int i = 1; i <= 2; i++) {
			stack.setSlice(i);
			IJ.saveAsTiff(stack.crop("slice"), path(i + ".tif"));
		}
		succeeds("motion", "1.tif", "2.tif", "--window", "40", "--spacing", "40", "--passes", "1", "-o", "pair.csv");
		succeeds("motion", "vortex.tif", "--window", "40", "--spacing", "40", "--passes", "1", "-o", "stack.csv");
		assertEquals(Files.readString(Path.of(path("stack.csv"))), Files.readString(Path.of(path("pair.csv"))));
	}

	/** One field for both pairs: its rows have the last frame, and a column of false alarms. */
	@Test
	void anEnsembleIsOneField() throws IOException {
		final ImagePlus stack = IJ.openImage(path("vortex.tif"));
		for (int i = 1; i <= 2; i++) {
			stack.setSlice(i);
			stack.getStack().addSlice(stack.getProcessor().duplicate());
		}
		final ImagePlus twice = new ImagePlus("twice", stack.getStack());
		twice.setDimensions(1, 1, 4);
		IJ.saveAsTiff(twice, path("twice.tif"));
		final String said = succeeds("motion", "twice.tif", "--window", "32", "--spacing", "64", "--passes", "1", "--double-frames", "--ensemble",
			"--false-alarms", "0.05", "--shape", "gaussian", "-o", "e.csv", "--quiver", "e.png");
		assertTrue(said.matches("(?s).*16 vectors are valid, in 1 pair of frames, .* by cpu-window-templates .*"), said);
		final List<String> rows = Files.readAllLines(Path.of(path("e.csv")));
		assertEquals("frame,x,y,u,v,score,ratio,false_alarms,sigma_u,sigma_v,valid,state", rows.get(0));
		assertEquals(17, rows.size());
		for (final String row : rows.subList(1, 17)) {
			assertTrue(row.startsWith("4,"), row);
			assertTrue(Double.parseDouble(row.split(",")[7]) < 0.05, row);
		}
	}

	/** A file for VTK is in the unit of the image, and tables of other programs are in pixels. */
	@Test
	void unitsOfOtherPrograms() throws IOException {
		final ImagePlus stack = IJ.openImage(path("vortex.tif"));
		stack.getCalibration().setUnit("um");
		stack.getCalibration().pixelWidth = stack.getCalibration().pixelHeight = 0.25;
		IJ.saveAsTiff(stack, path("um.tif"));
		for (final String name : List.of("vortex", "um")) succeeds("motion", name + ".tif", "--window", "64", "--spacing", "64", "--passes", "1", "--no-refine",
			"--vti", path(name + ".vti"), "--openpiv", path(name + "-o.txt"), "--piv", path(name + "-p.txt"));
		for (final String table : List.of("-o.txt", "-p.txt"))
			assertEquals(Files.readString(Path.of(path("vortex" + table))), Files.readString(Path.of(path("um" + table))));
		assertTrue(Files.readString(Path.of(path("vortex.vti"))).contains("Spacing=\"64.0 64.0"),
			Files.readString(Path.of(path("vortex.vti"))).substring(0, 400));
		assertTrue(Files.readString(Path.of(path("um.vti"))).contains("Spacing=\"16.0 16.0"), Files.readString(Path.of(path("um.vti"))).substring(0, 400));
	}

	/** Frames whose motion is larger than the search are named, and so are those without a valid vector. Both are told of in the first pass of several. */
	@Test
	void aMotionBeyondTheSearchIsNoted() throws IOException {
		final String beyond = ": many windows have their peak at the end of the search. Give a larger --max-shift";
		assertEquals(0, run("motion", "vortex.tif", "--window", "16", "--spacing", "16", "--max-shift", "2", "--no-refine"));
		assertEquals("frame 2" + beyond, err.toString().strip());
		succeeds("motion", "vortex.tif", "--window", "16", "--spacing", "16", "--max-shift", "6", "--no-refine");
		final ImagePlus stack = IJ.openImage(path("vortex.tif"));
		final ImageStack frames = new ImageStack(256, 256);
		for (final int shift : new int[] { 0, 3, 9, 8, -9, 1, 8 }) {
			final ImageProcessor frame = stack.getProcessor().duplicate();
			frame.translate(shift, 0);
			frames.addSlice(frame);
		}
		final ImagePlus moved = new ImagePlus("moved", frames);
		moved.setDimensions(1, 1, 7);
		IJ.saveAsTiff(moved, path("moved.tif"));
		assertEquals(0, run("motion", "moved.tif", "--window", "64", "--spacing", "64", "--max-shift", "8", "--passes", "1", "--no-refine", "--reference",
			"first"));
		assertEquals(List.of("frames 3 to 5, 7" + beyond, "frames 3 to 5, 7: no vector is valid"), err.toString().lines().toList());
	}

	/** One line that says so, and a table of missing vectors. */
	@Test
	void aMaskThatLeavesNoWindow() throws IOException {
		final ByteProcessor mask = new ByteProcessor(256, 256);
		mask.setValue(1);
		mask.fill(new Roi(100, 100, 5, 5));
		IJ.saveAsTiff(new ImagePlus("mask", mask), path("mask.tif"));
		assertEquals(0, run("motion", "vortex.tif", "--spacing", "64", "--passes", "2", "--image-mask", "mask.tif", "-o", "none.csv"));
		assertEquals("no window has a motion: all are flat, or have too few pixels. Check the images, --window, --image-mask and --min-overlap",
			err.toString().strip());
		final List<String> rows = Files.readAllLines(Path.of(path("none.csv")));
		assertTrue(rows.subList(1, rows.size()).stream().allMatch(r -> r.endsWith("0,missing")), rows.toString());
		assertEquals(0, run("motion", "vortex.tif", "--spacing", "64", "--passes", "1", "--min-score", "1", "-o", "low.csv"));
		assertEquals("no vector is valid: check --window, --max-shift, --min-score and --min-ratio", err.toString().strip());
	}

	/** A mask has the frames of a stack with channels, with or without its channels. */
	@Test
	void masksOfStacksWithChannels() throws IOException {
		final ImageStack frames = new ImagePlus(path("vortex.tif")).getStack(), twice = new ImageStack(256, 256), present = new ImageStack(256, 256),
			all = new ImageStack(256, 256);
		for (int f = 1; f <= 2; f++) {
			final ByteProcessor mask = new ByteProcessor(256, 256);
			mask.setValue(1);
			mask.fill(new Roi(0, 0, 256, 100 + 30 * f));
			present.addSlice(mask);
			for (int c = 0; c < 2; c++) {
				twice.addSlice(frames.getProcessor(f));
				all.addSlice(c == 0 ? new ByteProcessor(256, 256) : mask);
			}
		}
		final ImagePlus stack = new ImagePlus("twice", twice), mask = new ImagePlus("mask", present), masks = new ImagePlus("masks", all);
		stack.setDimensions(2, 1, 2);
		mask.setDimensions(1, 1, 2);
		masks.setDimensions(2, 1, 2);
		IJ.saveAsTiff(stack, path("twice.tif"));
		IJ.saveAsTiff(mask, path("mask.tif"));
		IJ.saveAsTiff(masks, path("masks.tif"));
		final String plain = " --spacing 64 --passes 1 -o f.csv", call = plain + " --image-mask ";
		succeeds(("motion vortex.tif" + plain).split(" "));
		final String without = Files.readString(Path.of(path("f.csv")));
		succeeds(("motion vortex.tif" + call + "mask.tif").split(" "));
		final String expected = Files.readString(Path.of(path("f.csv")));
		assertNotEquals(without, expected);
		for (final String file : List.of("mask.tif", "masks.tif")) {
			succeeds(("motion twice.tif --channels 2" + call + file).split(" "));
			assertEquals(expected, Files.readString(Path.of(path("f.csv"))), file);
		}
		refuses("motion twice.tif --channels joint" + call + "masks.tif", "masks.tif has the axes xyct, and the chosen part of ", "twice.tif has xyt");
	}

	/** Rows of masked windows are absent, and files of other programs have them without a vector. */
	@Test
	void aGridMaskLeavesOutRows() throws IOException {
		final ByteProcessor mask = new ByteProcessor(4, 4);
		mask.setValue(1);
		mask.fill(new Roi(1, 0, 2, 4));
		IJ.saveAsTiff(new ImagePlus("mask", mask), path("grid.tif"));
		final String said = succeeds("motion", "vortex.tif", "--spacing", "64", "--passes", "1", "--grid-mask", "grid.tif", "-o", "g.csv", "--openpiv",
			path("g.txt"), "--quiver", "g.png");
		assertTrue(said.contains("of 8 vectors are valid"), said);
		final List<String> rows = Files.readAllLines(Path.of(path("g.csv")));
		assertEquals(9, rows.size());
		for (final String row : rows.subList(1, 9)) assertTrue(row.matches("2,(79|143)\\.5.*"), row);
		assertEquals(8, Files.readAllLines(Path.of(path("g.txt"))).stream().filter(r -> r.endsWith("1.0000e+00")).count());
		refuses("motion vortex.tif --grid-mask vortex.tif", "256x256x2", "256x256");
	}

	@Test
	void mistakes() throws IOException {
		assertEquals("256x256x2", ImageFiles.read(path("vortex.tif")).size());
		refuses("motion vortex.tif --window 300", "300x300", "256x256");
		refuses("motion vortex.tif --window 0", "--window 0: 0 is below 1; give one number or x,y, in pixels from 1");
		refuses("motion vortex.tif --spacing 0", "--spacing 0: 0 is below 1");
		refuses("motion vortex.tif --max-shift 256", "256x256", "smaller shift");
		refuses("motion vortex.tif --max-shift 1,2,3", "--max-shift");
		refuses("motion vortex.tif --passes 0", "passes");
		refuses("motion vortex.tif --reference mean", "mean", "previous");
		refuses("motion vortex.tif --reference 3", "frame 3", "2 frames");
		refuses("motion vortex.tif --frame 5 --passes 1 --window 64 --no-refine", "--frame 5", "2 frames");
		refuses("motion vortex.tif --smoothing x", "--smoothing x", "auto");
		refuses("motion vortex.tif --min-score 2", "score");
		refuses("motion vortex.tif --false-alarms 0", "--false-alarms", "0.05");
		refuses("motion vortex.tif --shape star", "star", "give square, circle or gaussian");
		refuses("motion vortex.tif --ensemble --frame 2", "--ensemble", "one field");
		refuses("motion vortex.tif --double-frames --frame 1", "--frame 1", "even");
		refuses("motion vortex.tif -o f.txt", ".csv");
		refuses("motion vortex.tif --frame 1 --passes 1 --window 64 --no-refine", "--frame 1 has no motion: give another one");
		refuses("motion vortex.tif vortex.tif", "vortex.tif has several frames: give two images of one frame, or one stack");
		assertEquals(0, run("sample", "coins.png"));
		refuses("motion coins.png", "one frame");
		refuses("motion coins.png vortex.tif", "vortex.tif has several frames");
		refuses("sample coins.png --vortex", "--vortex", ".tif");
	}
}
