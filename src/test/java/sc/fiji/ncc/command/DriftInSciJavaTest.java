package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import ij.measure.ResultsTable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.scijava.command.Command;
import org.scijava.command.CommandModule;

import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.register.DriftSample;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;

/** Correct Drift, Apply Drift and Register Images, run by SciJava. The third dimension of an image without axes is slices. */
class DriftInSciJavaTest extends InSciJava {

	private static final double[][] SHIFTS = { { 0, 0 }, { 1, 0 }, { 2, -1 }, { 4, -3 } };

	@TempDir
	Path folder;

	private static Img<UnsignedShortType> moving() {
		return ImgView.wrap(new MovingTexture(2, 1).stack(new UnsignedShortType(), SHIFTS, new long[] { 60, 50 }, 1000, 200, 20));
	}

	private static CommandModule ran(final Class<? extends Command> command, final Object... inputs) throws Exception {
		final CommandModule module = run(command, inputs);
		assertFalse(module.isCanceled(), module.getCancelReason());
		return module;
	}

	@Test
	void aStackIsCorrectedAndItsTransformsAreApplied() throws Exception {
		final Img<UnsignedShortType> stack = moving();
		final String file = folder.resolve("drift.json").toString();
		final CommandModule module = ran(CorrectDriftCommand.class, "image", stack, "maxshift", "12", "interpolation", "integer", "transforms", file, "show", true,
			"view", "kymograph");
		final Drift drift = (Drift) module.getOutput("drift");
		final Img<?> corrected = (Img<?>) module.getOutput("output");
		assertTrue(corrected.getType() instanceof UnsignedShortType);
		assertArrayEquals(stack.dimensionsAsLongArray(), corrected.dimensionsAsLongArray());
		for (int t = 0; t < SHIFTS.length; t++) {
			assertArrayEquals(SHIFTS[t], drift.frames().get(t).shift(), 0.05);
			assertEquals(stack.getAt(30 + (long) SHIFTS[t][0], 20 + (long) SHIFTS[t][1], t), corrected.getAt(30, 20, t));
		}
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Frame", "Score", "DX", "DY", "State", "Image", "ShiftX", "ShiftY", "Unit", "Overlap", "Residual", "RunnerUp", "SigmaX", "SigmaY",
			"CorrelationXY"), List.of(table.getHeadings()));
		assertEquals(4, table.size());
		assertEquals(4, table.getValue("Frame", 3));
		assertEquals(drift.frames().get(3).shift()[0], table.getValue("DX", 3), 5e-5);
		assertEquals("ok", table.getStringValue("State", 3));
		final Img<?> applied = (Img<?>) ran(ApplyDriftCommand.class, "image", stack, "transforms", file, "interpolation", "integer", "border", "crop").getOutput("output");
		assertArrayEquals(new long[] { 56, 47, 4 }, applied.dimensionsAsLongArray());
		assertEquals(stack.getAt(0, 3, 0), applied.getAt(0, 0, 0));
	}

	@Test
	void theSampleOpensAndIsCorrected() throws Exception {
		final Img<?> sample = (Img<?>) ran(DriftSampleCommand.class).getOutput("output");
		assertArrayEquals(new long[] { DriftSample.SIZE, DriftSample.SIZE, DriftSample.FRAMES }, sample.dimensionsAsLongArray());
		final CommandModule module = ran(CorrectDriftCommand.class, "image", sample, "interpolation", "fourier", "reference", "first", "plot", false);
		final Drift drift = (Drift) module.getOutput("drift");
		final double[][] shifts = DriftSample.shifts();
		for (int t = 0; t < shifts.length; t++)
			if (t != DriftSample.BLURRED) assertArrayEquals(shifts[t], drift.frames().get(t).shift(), 0.05, "frame " + t);
		assertEquals((DriftSample.BLURRED + 1) + " (outlier)", drift.exceptions());
		assertTrue(((Img<?>) module.getOutput("output")).getType() instanceof UnsignedShortType);
	}

	@Test
	void theReferenceAndTheMaximumShiftReachTheOp() throws Exception {
		final Drift drift = (Drift) ran(CorrectDriftCommand.class, "image", moving(), "reference", "frame", "frame", 3).getOutput("drift");
		assertEquals("3", drift.reference());
		assertEquals(SHIFTS[0][0] - SHIFTS[2][0], drift.frames().get(0).shift()[0], 0.05);
		final CommandModule held = ran(CorrectDriftCommand.class, "image", moving(), "reference", "first", "maxshift", "2,2");
		assertTrue(Math.abs(((Drift) held.getOutput("drift")).frames().get(3).shift()[0]) <= 2);
		assertTrue(((Drift) held.getOutput("drift")).frames().get(3).edge());
	}

	@Test
	void imagesAreRegistered() throws Exception {
		final RandomAccessibleInterval<UnsignedShortType> stack = moving();
		final Img<UnsignedShortType> fixed = ImgView.wrap(Views.hyperSlice(stack, 2, 0)), other = ImgView.wrap(Views.hyperSlice(stack, 2, 3));
		final CommandModule module = ran(RegisterImagesCommand.class, "fixed", fixed, "moving", other, "interpolation", "integer", "peaks", 3);
		assertArrayEquals(SHIFTS[3], ((Alignment) module.getOutput("alignment")).shift(), 0.05);
		final Img<?> moved = (Img<?>) module.getOutput("output");
		assertEquals(other.getAt(34, 17), moved.getAt(30, 20));
		assertEquals(3, ResultsTable.getResultsTable().size());
		assertEquals(List.of("Peak", "Score", "DX", "DY", "Image", "ShiftX", "ShiftY", "Unit", "Overlap", "Doubtful", "FalseAlarms", "SigmaX", "SigmaY",
			"CorrelationXY"),
			List.of(ResultsTable.getResultsTable().getHeadings()));
	}

	@Test
	void wrongParametersAreReported() throws Exception {
		final Img<?> stack = moving(), flat = ArrayImgs.unsignedBytes(20, 20, 3);
		assertEquals("The image is missing. No image is open. In a macro: image=[title].", reason(CorrectDriftCommand.class));
		assertEquals("maxshift=1,x is not valid. Give one or 2 whole numbers of pixels from 0, as in 40 or 40,40.", reason(CorrectDriftCommand.class, "image", stack, "maxshift", "1,x"));
		assertEquals("channels=2: 'image' has 1 channel; give numbers from 1 to 1, or joint for all",
			reason(CorrectDriftCommand.class, "image", stack, "channels", "2"));
		assertEquals("frame=5: 'image' has 4 frames. Give a number from 1 to 4, or 0 for the frame that is shown.",
			reason(CorrectDriftCommand.class, "image", stack, "reference", "frame", "frame", 5));
		assertTrue(reason(CorrectDriftCommand.class, "image", flat).startsWith("all 3 frames are flat"));
		assertTrue(reason(CorrectDriftCommand.class, "image", noise(20, 20)).startsWith("'image' (xy) has one frame"));
		assertTrue(reason(CorrectDriftCommand.class, "image", stack, "border", "nan").startsWith("pixels of U16 cannot be NaN"));
		assertEquals("transforms=a.txt is a JSON file. Give a name that ends in .json.", reason(CorrectDriftCommand.class, "image", stack, "transforms", "a.txt"));
		assertTrue(reason(ApplyDriftCommand.class, "image", stack).startsWith("The transforms file is missing."));
		assertTrue(reason(ApplyDriftCommand.class, "image", stack, "transforms", folder.resolve("none.json").toString()).startsWith("there is no file"));
		Files.writeString(folder.resolve("bad.json"), "{\"format\": \"ncc-drift\", \"version\": 1, \"frame_size\": [60, 50]");
		assertTrue(reason(ApplyDriftCommand.class, "image", stack, "transforms", folder.resolve("bad.json").toString()).contains("is not JSON"));
		assertTrue(reason(RegisterImagesCommand.class, "fixed", noise(20, 20), "moving", ArrayImgs.unsignedBytes(20, 20)).startsWith("the moving image of 20x20 is flat"));
	}

	private static String reason(final Class<? extends Command> command, final Object... inputs) throws Exception {
		final CommandModule module = run(command, inputs);
		assertTrue(module.isCanceled());
		return module.getCancelReason();
	}

	@Test
	void theTaskCancels() throws Exception {
		final UnsignedByteType type = new UnsignedByteType();
		final double[][] shifts = new double[120][2];
		runCanceled(CorrectDriftCommand.class, "image", ImgView.wrap(new MovingTexture(2, 1).stack(type, shifts, new long[] { 120, 110 }, 100, 20, 2)), "threads", 1);
	}
}
