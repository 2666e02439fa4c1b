package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import javax.imageio.ImageIO;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.Calibration;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;
import ij.process.ShortProcessor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.register.DriftSample;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift.State;
import sc.fiji.ncc.store.DriftFile;

/** {@code ncc align} and {@code ncc register}. */
class AlignSubcommandTest extends InFolder {

	private static final double[][] SHIFTS = { { 0, 0 }, { 1, 0 }, { 2, -1 }, { 3, -1 }, { 3, -3 }, { 4, -3 } };

	/** A hyperstack with two channels that moves by whole pixels. */
	@BeforeEach
	void save() {
		final RandomAccessibleInterval<UnsignedShortType> texture = new MovingTexture(2, 1).stack(new UnsignedShortType(), SHIFTS, new long[] { 60, 50 }, 1000, 200, 20);
		final ImageStack planes = new ImageStack(60, 50);
		for (int t = 0; t < SHIFTS.length; t++)
			for (int c = 0; c < 2; c++) {
				final short[] plane = new short[60 * 50];
				int i = 0;
				for (final UnsignedShortType p : Views.flatIterable(Views.hyperSlice(texture, 2, t))) plane[i++] = (short) (c == 0 ? 5 : p.get());
				planes.addSlice(new ShortProcessor(60, 50, plane, null));
			}
		final ImagePlus stack = new ImagePlus("stack", planes);
		stack.setDimensions(2, 1, SHIFTS.length);
		stack.setOpenAsHyperStack(true);
		stack.getCalibration().setUnit("um");
		stack.getCalibration().pixelWidth = stack.getCalibration().pixelHeight = 0.5;
		stack.getCalibration().frameInterval = 2;
		save("stack.tif", stack);
	}

	@Test
	void whatMeasuresIsExplained() throws IOException {
		final String said = succeeds("align", "stack.tif", "--table", "drift.csv", "--channels", "2", "--backend", "cpu", "--explain");
		assertTrue(said.matches("(?s)shifts of 6 U16 frames of [^\n]*\n  cpu-frames [^\n]*\n.*cuda[^\n]*\n6 frames, .*"), said);
	}

	@Test
	void whatMeasuresDeformationsIsExplained() throws IOException {
		final String said = succeeds("align", "stack.tif", "--table", "drift.csv", "--channels", "2", "--piecewise", "32", "--backend", "cpu", "--explain");
		assertTrue(said.matches("(?s)shifts of 6 [^\n]*\n.*\ndeformations of 12 frames of [^\n]* by windows of 32x32\n  cpu-deform [^\n]*\n.*6 frames, .*"), said);
		for (final String i : new String[] { "integer", "cubic" }) {
			final String moved = succeeds("align", "stack.tif", "-o", "deformed.tif", "--channels", "2", "--piecewise", "32", "--interpolation", i,
				"--explain");
			assertTrue(moved.matches("(?s).*\ndeformed resampling of 12 U16 frames of [^\n]*, " + (i.equals("cubic") ? 4 : 2)
				+ " neighbours\n.*cpu-resample.*"), moved);
		}
	}

	private Drift drift() {
		return DriftFile.read(Path.of(path("drift.json")));
	}

	@Test
	void aStackIsAlignedOnOneChannel() throws IOException {
		final String said = succeeds("align", "stack.tif", "-o", "aligned.tif", "--channels", "2", "--max-shift", "12", "--interpolation", "integer",
			"--transforms", path("drift.json"),
			"--table", "drift.csv", "--plot", "drift.png");
		assertTrue(said.startsWith("6 frames, largest shift 4.0"), said);
		final Drift drift = drift();
		for (int t = 0; t < SHIFTS.length; t++) assertArrayEquals(SHIFTS[t], drift.frames().get(t).shift(), 0.05);
		final ImagePlus in = IJ.openImage(path("stack.tif")), out = IJ.openImage(path("aligned.tif"));
		assertArrayEquals(in.getDimensions(), out.getDimensions());
		assertEquals("\u00b5m", out.getCalibration().getUnit());
		assertEquals(2, out.getCalibration().frameInterval);
		assertEquals(16, out.getBitDepth());
		for (int t = 0; t < SHIFTS.length; t++)
			for (int c = 0; c < 2; c++) assertEquals(in.getStack().getVoxel(30 + (int) SHIFTS[t][0], 20 + (int) SHIFTS[t][1], 2 * t + c), out.getStack().getVoxel(30, 20, 2 * t + c));
		final List<String> rows = Files.readAllLines(Path.of(path("drift.csv")));
		assertEquals("frame,dx,dy,dz,score,overlap,residual,runner_up,state,sigma_x,sigma_y,correlation_xy", rows.get(0));
		assertEquals(SHIFTS.length + 1, rows.size());
		assertEquals(drift.frames().get(3).shift()[0], Double.parseDouble(rows.get(4).split(",")[1]), 5e-5);
		assertEquals("ok", rows.get(4).split(",")[8]);
		assertEquals(drift.frames().get(3).sigma(1), Double.parseDouble(rows.get(4).split(",")[10]), 5e-7);
		assertEquals("0,0,NaN", rows.get(1).substring(rows.get(1).indexOf(",ok,") + 4), "the reference");
		assertTrue(ImageIO.read(Path.of(path("drift.png")).toFile()).getWidth() > 500);
		// numbers are read back exactly
		assertEquals(Files.readString(Path.of(path("drift.json"))), DriftFile.text(drift));
	}

	@Test
	void knownShiftsAreAppliedWithoutMeasuring() throws IOException {
		succeeds("align", "stack.tif", "--channels", "2", "--transforms", path("drift.json"));
		succeeds("align", "stack.tif", "--channels", "2", "-o", "a.tif");
		succeeds("align", "stack.tif", "-o", "b.tif", "--apply", path("drift.json"));
		assertArrayEquals(values(map("a.tif")), values(map("b.tif")));
		// the other channel is flat and adds nothing
		succeeds("align", "stack.tif", "--channels", "joint", "-o", "c.tif");
		assertArrayEquals(values(map("a.tif")), values(map("c.tif")), 1);
		succeeds("align", "stack.tif", "-o", "crop.tif", "--apply", path("drift.json"), "--border", "crop", "--interpolation", "integer");
		final String explained = succeeds("align", "stack.tif", "-o", "c.tif", "--apply", path("drift.json"), "--backend", "cpu", "--explain");
		assertTrue(explained.contains("resampling of 12 U16 frames of") && explained.contains("cpu-resample"), explained);
		assertTrue(succeeds("align", "stack.tif", "-o", "c.tif", "--apply", path("drift.json"), "--interpolation", "integer", "--explain")
			.startsWith("integer shifts: the CPU copies the pixels\n"));
		refuses("align stack.tif -o d.tif --apply ./drift.json --smoothing 2 --reference first --max-shift 9",
			"uses known shifts, and these options measure shifts: --reference, --max-shift, --smoothing. Leave them out, or leave out --apply");
		refuses("align stack.tif --table d.csv --apply ./drift.json --explain",
			"without -o moves no frames: give -o, or leave out --backend, --effort, --memory and --explain");
		final InputImage crop = ImageFiles.read(path("crop.tif"));
		assertEquals("56x47x2x6", crop.size());
		// the first 3 rows are not common to all frames
		assertEquals(-3, crop.calibration().yOrigin());
		assertEquals(0, crop.calibration().xOrigin());
	}

	@Test
	void zarrIsWrittenAndContinued() throws IOException {
		succeeds("align", "stack.tif", "--channels", "2", "-o", path("a.zarr"));
		final double[] all = values(map("a.zarr"));
		succeeds("align", path("a.zarr"), "--channels", "2", "-o", path("b.zarr"), "--interpolation", "integer");
		assertTrue(ImageFiles.read(path("b.zarr")).pixels().getType() instanceof UnsignedShortType);
		assertArrayEquals(all, values(map("a.zarr")));
		assertEquals(all.length, values(map("b.zarr")).length);
		assertTrue(files().stream().noneMatch(f -> f.contains(".part")), () -> {
			try {
				return files().toString();
			}
			catch (final IOException e) {
				return e.toString();
			}
		});
	}

	@Test
	void foldersAreAligned() throws IOException {
		Files.createDirectory(folder.resolve("in"));
		final ImagePlus stack = IJ.openImage(path("stack.tif"));
		for (int t = 0; t < SHIFTS.length; t++) save("in/t" + t + ".tif", stack.getStack().getProcessor(2 * t + 2).duplicate());
		succeeds("align", path("in"), "-o", path("out"), "--interpolation", "integer", "--transforms", path("drift.json"));
		for (int t = 0; t < SHIFTS.length; t++) assertArrayEquals(SHIFTS[t], drift().frames().get(t).shift(), 0.05);
		final ImagePlus third = IJ.openImage(path("out/t2.tif"));
		assertEquals(stack.getStack().getVoxel(32, 19, 5), third.getStack().getVoxel(30, 20, 0));
		assertEquals(SHIFTS.length, files().stream().filter(f -> f.startsWith(path("out") + "/")).count());
	}

	@Test
	void theSampleStackHasTheDriftThatItStates() {
		succeeds("sample", "drift.tif");
		final String said = succeeds("align", "drift.tif", "--transforms", path("drift.json"));
		assertTrue(said.contains("frame to check: " + (DriftSample.BLURRED + 1) + " (outlier); wrote "), said);
		final double[][] truth = DriftSample.shifts();
		for (int t = 0; t < truth.length; t++) assertArrayEquals(truth[t], drift().frames().get(t).shift(), t == DriftSample.BLURRED ? 0.3 : 0.05, "frame " + t);
		assertEquals(State.OUTLIER, drift().frames().get(DriftSample.BLURRED).state());
	}

	/** Two images of noise are no overlap, and a pattern fits at each of its periods. The program says so, and succeeds. */
	/** Frames to check that follow each other are one entry. */
	@Test
	void manyFramesToCheckAreShort() throws IOException {
		final ImageStack stack = new ImageStack(64, 48);
		for (int t = 0; t < 9; t++) stack.addSlice(t > 1 && t < 6 || t == 8 ? new ByteProcessor(64, 48)
			: new ByteProcessor(64, 48, RandomPixels.bytes(1, 64 * 48)));
		IJ.saveAsTiff(new ImagePlus("flat", stack), path("flat.tif"));
		final String said = succeeds("align", "flat.tif", "--table", "t.csv");
		assertTrue(said.contains("; frames to check: 3 to 6 (flat), 9 (flat); wrote "), said);
	}

	@Test
	void whatIsNoOverlapIsSaid() throws IOException {
		save("a.tif", new ByteProcessor(64, 48, RandomPixels.bytes(1, 64 * 48)));
		save("b.tif", new ByteProcessor(64, 48, RandomPixels.bytes(2, 64 * 48)));
		final byte[] dots = new byte[64 * 48];
		for (int i = 0; i < dots.length; i++) dots[i] = (byte) (i % 64 % 8 < 4 && i / 64 % 8 < 4 ? 200 : 20);
		save("dots.tif", new ByteProcessor(64, 48, dots));
		final String noise = succeeds("register", "a.tif", "b.tif", "--table", "p.csv", "--transforms", path("drift.json"));
		assertEquals(State.DOUBTFUL, drift().frames().get(0).state());
		assertTrue(noise.matches("(?s).*, expected false alarms \\S+; doubtful: (no overlap found: too little structure in common|ambiguous): "
			+ ".*; a smaller --max-shift can help, or a --min-overlap below 0\\.333.*"), noise);
		final String[] row = Files.readAllLines(Path.of(path("p.csv"))).get(1).split(",");
		assertEquals("1", row[6]);
		assertTrue(Double.parseDouble(row[7]) > 0.01, row[7]);
		final String pattern = succeeds("register", "dots.tif", "dots.tif");
		assertTrue(pattern.contains("; doubtful: ambiguous: the runner-up"), pattern);
		final String equal = succeeds("register", "a.tif", "a.tif", "--table", "q.csv");
		assertTrue(equal.startsWith("shift 0.000, 0.000 pixels, "), equal);
		assertTrue(equal.contains(", expected false alarms 0") && !equal.contains("doubtful"), equal);
		assertEquals("0", Files.readAllLines(Path.of(path("q.csv"))).get(1).split(",")[6]);
	}

	/** far.tif: a drift by more than a frame, 14 pixels for each of 6 frames of 60x50. */
	private void saveFar() {
		final byte[] scene = RandomPixels.bytes(4, 160 * 50);
		final ImageStack frames = new ImageStack(60, 50);
		for (int t = 0; t < 6; t++) {
			final ByteProcessor frame = new ByteProcessor(60, 50);
			for (int i = 0; i < 60 * 50; i++) frame.set(i, scene[i / 60 * 160 + 14 * t + i % 60] & 0xff);
			frames.addSlice(frame);
		}
		final ImagePlus stack = new ImagePlus("far", frames);
		stack.setDimensions(1, 1, 6);
		save("far.tif", stack);
	}

	/** Shifts that no border fits are kept for the same command, not for one that measures otherwise. */
	@Test
	void keptShiftsAreThoseOfTheOptions() throws IOException {
		saveFar();
		int kept = 0;
		for (final String options : List.of("", " --move-doubtful", " --max-shift 20", " --max-shift 20,4", " --min-overlap 0.4", " --smoothing 0.5",
			" --inside 0,0,60,49", " --channels joint")) {
			kept++;
			for (int run = 0; run < 2; run++) {
				assertEquals(2, run(("align far.tif --reference previous -o out.tif --border crop" + options).split(" ")));
				assertTrue(err.toString().contains(" keeps the shifts for this command with another border"), err.toString());
				assertEquals(kept, files().stream().filter(f -> f.endsWith(".drift.part")).count(), options);
			}
		}
		succeeds("align far.tif --reference previous -o out.tif --border union".split(" "));
		assertEquals(0, files().stream().filter(f -> f.endsWith(".drift.part")).count(), "all of this output are deleted");
	}

	/** The last frames show nothing of the place of the first one. */
	@Test
	void framesOutsideOfTheOutputAreNamed() throws IOException {
		saveFar();
		final String said = succeeds("align", "far.tif", "--reference", "previous", "-o", "out.tif");
		assertTrue(said.contains("; no pixels of frame 6 are in the output: --border union shows them; wrote "), said);
		final String union = succeeds("align", "far.tif", "--reference", "previous", "-o", "out.tif", "--border", "union");
		assertFalse(union.contains("no pixels"), union);
		final String table = succeeds("align", "far.tif", "--reference", "previous", "--table", "t.csv");
		assertFalse(table.contains("no pixels"), table);
	}

	/** fixed.tif and moving.tif of 64x60 pixels, and moving.tif has moved by 3.25 and -1.5 pixels. */
	private void saveMoving() {
		final RandomAccessibleInterval<FloatType> texture = new MovingTexture(2, 2).stack(new FloatType(), new double[][] { { 0, 0 }, { 3.25, -1.5 } }, new long[] { 64, 60 }, 10, 3, 0);
		for (int t = 0; t < 2; t++) {
			final float[] plane = new float[64 * 60];
			int i = 0;
			for (final FloatType p : Views.flatIterable(Views.hyperSlice(texture, 2, t))) plane[i++] = p.get();
			save(t == 0 ? "fixed.tif" : "moving.tif", new FloatProcessor(64, 60, plane));
		}
	}

	/** Whatever the calibration of the moving image says. */
	@Test
	void theMovedImageLiesWhereTheFixedOneLies() {
		saveMoving();
		for (final String name : List.of("fixed.tif", "moving.tif")) {
			final ImagePlus image = IJ.openImage(path(name));
			image.getCalibration().setUnit("um");
			image.getCalibration().pixelWidth = image.getCalibration().pixelHeight = name.equals("fixed.tif") ? 0.5 : 0.25;
			image.getCalibration().xOrigin = name.equals("fixed.tif") ? 7 : 3;
			save(name, image);
		}
		succeeds("register", "fixed.tif", "moving.tif", "-o", "moved.tif");
		final Calibration moved = IJ.openImage(path("moved.tif")).getCalibration();
		assertEquals(0.5, moved.pixelWidth, 1e-9);
		assertEquals(7, moved.xOrigin, 1e-9);
	}

	/** The overlap of the line is that of the table, and a peak at the end of the search is named. */
	@Test
	void theEndOfTheSearchIsNamed() throws IOException {
		saveMoving();
		final String said = succeeds("register", "fixed.tif", "moving.tif", "--max-shift", "3", "--table", "p.csv");
		assertTrue(said.contains("; the peak lies at the end of the search: enlarge --max-shift; "), said);
		final double overlap = Double.parseDouble(Files.readAllLines(Path.of(path("p.csv"))).get(1).split(",")[5]);
		assertTrue(overlap > 0.8, "overlap " + overlap);
		assertTrue(said.contains(String.format(Locale.ROOT, ", overlap %.1f %%,", 100 * overlap)), said);
		final String inside = succeeds("register", "fixed.tif", "moving.tif", "--max-shift", "5");
		assertFalse(inside.contains("end of the search"), inside);
	}

	/** What moves otherwise in the moving image is left out by its mask. */
	@Test
	void theMaskOfTheMovingImage() throws IOException {
		saveMoving();
		final ImagePlus moving = IJ.openImage(path("moving.tif"));
		final FloatProcessor wider = new FloatProcessor(80, 60);
		wider.noise(20);
		wider.insert(moving.getProcessor(), 0, 0);
		save("moving.tif", wider);
		final ByteProcessor mask = new ByteProcessor(80, 60);
		for (int y = 0; y < 60; y++) for (int x = 0; x < 64; x++) mask.set(x, y, 1);
		save("mask.tif", mask);
		succeeds("register", "fixed.tif", "moving.tif", "--moving-mask", "mask.tif", "--transforms", path("drift.json"));
		assertArrayEquals(new double[] { 3.25, -1.5 }, drift().frames().get(0).shift(), 0.01);
		refuses("register fixed.tif moving.tif --fixed-mask mask.tif --table p.csv", "mask", "80x60", "64x60");
	}

	@Test
	void imagesAreRegistered() throws IOException {
		saveMoving();
		final String said = succeeds("register", "fixed.tif", "moving.tif", "-o", "moved.tif", "--table", "peaks.csv", "--transforms", path("drift.json"), "--interpolation", "lanczos");
		assertTrue(said.startsWith("shift 3.2"), said);
		assertArrayEquals(new double[] { 3.25, -1.5 }, drift().frames().get(0).shift(), 0.005);
		final String explained = succeeds("register", "fixed.tif", "moving.tif", "--explain");
		assertTrue(explained.startsWith("shifts of 2 F32 frames") && explained.contains("cuda"), explained);
		assertFalse(explained.contains("resampling"), "nothing is moved");
		final String moves = succeeds("register", "fixed.tif", "moving.tif", "-o", "linear.tif", "--interpolation", "linear", "--explain");
		assertTrue(moves.contains("resampling of 1 F32 frame of 64x60, 2 neighbours") && moves.contains("cpu-resample"), moves);
		final double[] fixed = values(map("fixed.tif")), moved = values(map("moved.tif"));
		for (int y = 8; y < 52; y++) for (int x = 8; x < 56; x++) assertEquals(fixed[y * 64 + x], moved[y * 64 + x], 0.3);
		final List<String> peaks = Files.readAllLines(Path.of(path("peaks.csv")));
		assertEquals("peak,dx,dy,dz,score,overlap,doubtful,false_alarms,sigma_x,sigma_y,correlation_xy", peaks.get(0));
		// of the best peak only
		assertTrue(Double.parseDouble(peaks.get(1).split(",")[7]) < 0.01, peaks.get(1));
		assertEquals(Double.NaN, Double.parseDouble(peaks.get(2).split(",")[7]), peaks.get(2));
		assertFalse(Files.exists(folder.resolve("moved.tif.part")));
	}

	@Test
	void badCallsAreRefused() throws IOException {
		final ImagePlus stack = IJ.openImage(path("stack.tif"));
		save("plane.tif", stack.getStack().getProcessor(2).duplicate());
		save("flat.tif", new ShortProcessor(60, 50));
		refuses("align stack.tif", "nothing to write");
		refuses("align stack.tif -o out.tif --piecewise 3", "--piecewise 3: 3 is below 4; give one number or x,y, in pixels from 4");
		refuses("align plane.tif -o out.tif", "plane.tif", "one frame", "give a stack");
		refuses("align stack.tif -o out.tif --channels 3", "channel 3 does not exist", "2 channels");
		refuses("align stack.tif -o out.tif", "all 6 frames are flat");
		refuses("align stack.tif -o out.tif --channels 2 --reference none", "unknown reference 'none'");
		refuses("align stack.tif -o out.tif --piecewise 64 --smoothing 2", "leave out --smoothing, or --piecewise");
		refuses("align stack.tif -o out.tif --piecewise 64x64", "'64x64' is not a whole number: give whole numbers with commas between them, as in 64,64");
		refuses("align stack.tif -o out.tif --channels 2 --reference 7", "--reference 7: there are only 6 frames: give the number of a frame from 1 to 6");
		refuses("align stack.tif -o out.tif --channels 2 --border nan", "cannot be NaN");
		refuses("align stack.tif -o out.tif --channels 2 --backend gpu", "unknown backend \"gpu\"", "cpu, cuda");
		refuses("align stack.tif -o out.tif --channels 2 --backend cuda --image-mask plane.tif", "cuda");
		refuses("align stack.tif -o out.tif --apply ./none.json --algorithm cpu-frames", "--algorithm");
		refuses("align stack.tif --table out.csv --apply ./none.json --backend cpu", "--backend");
		refuses("align stack.tif -o out.tif --channels 2 --border mirror", "unknown border 'mirror'");
		refuses("align stack.tif -o out.png --channels 2", "out.png", ".zarr");
		refuses("align stack.tif -o stack.tif --channels 2", "inputs are never written to");
		refuses("align stack.tif -o out.tif --apply ./none.json", "none.json");
		refuses("align stack.tif -o out.tif --channels 2 --image-mask flat.tif", "0 everywhere");
		Files.writeString(folder.resolve("other.json"), "{\"format\": \"mine\"}");
		refuses("align stack.tif -o out.tif --apply ./other.json", "other.json is not a file of transforms", "format");
		Files.writeString(folder.resolve("short.json"), DriftFile.text(new Drift(new long[] { 60, 50 }, "first", List.of())));
		refuses("align stack.tif -o out.tif --apply ./short.json", "the transforms are for 0 frames, the stack has 6");
		for (final String border : new String[] { "crop", "union" }) refuses("register plane.tif plane.tif -o out.tif --border " + border,
			"--border " + border, "give edge, constant");
		refuses("register plane.tif flat.tif -o out.tif", "the moving image of 60x50 is flat");
		refuses("register plane.tif stack.tif -o out.tif", "several frames");
		// a maximum shift of 0 is valid: nothing moves
		succeeds("align", "stack.tif", "--channels", "2", "--max-shift", "0", "--transforms", path("drift.json"));
		assertArrayEquals(new double[2], drift().frames().get(5).shift());
	}
}
