package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import ij.measure.ResultsTable;

import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import org.scijava.command.CommandModule;

import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionVector;

/** Motion Field, run by SciJava, on a scene that moves as a whole. */
class MotionInSciJavaTest extends InSciJava {

	private static final double[][] PLANE = { { 0, 0 }, { 2, -1 }, { 3, 1 } };

	private static Img<UnsignedShortType> moving() {
		return ImgView.wrap(new MovingTexture(2, 1).stack(new UnsignedShortType(), PLANE, new long[] { 64, 48 }, 1000, 200, 2));
	}

	private static CommandModule ran(final Object... inputs) throws Exception {
		final CommandModule module = run(MotionFieldCommand.class, inputs);
		assertFalse(module.isCanceled(), module.getCancelReason());
		return module;
	}

	private static String reason(final Object... inputs) throws Exception {
		final CommandModule module = run(MotionFieldCommand.class, inputs);
		assertTrue(module.isCanceled(), "it was not refused");
		return module.getCancelReason();
	}

	/** A row for each window of each pair, and the same numbers in the image: windows along x and y, components, pairs. */
	@Test
	void rowsAndImageHaveTheMotionOfEachPair() throws Exception {
		final CommandModule module = ran("image", moving(), "window", "16", "spacing", "16", "passes", 1, "maxshift", "5", "quiver", false);
		final MotionFields motion = (MotionFields) module.getOutput("motion");
		final Img<?> image = (Img<?>) module.getOutput("output");
		assertArrayEquals(new long[] { 4, 3, 2, 2 }, image.dimensionsAsLongArray());
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Frame", "X", "Y", "U", "V", "Score", "Ratio", "SigmaU", "SigmaV", "Valid", "State"), List.of(table.getHeadings()));
		assertEquals(24, table.size());
		for (int row = 0; row < 24; row++) {
			final int pair = row / 12, i = row % 12;
			final MotionVector v = motion.fields().get(pair).vectors().get(i);
			assertEquals(pair + 2, table.getValue("Frame", row), "the later frame of the pair, from 1");
			assertEquals(7.5 + 16 * (i % 4), table.getValue("X", row));
			assertEquals(7.5 + 16 * (i / 4), table.getValue("Y", row));
			for (int d = 0; d < 2; d++) {
				assertEquals(v.motion()[d], table.getValue(d == 0 ? "U" : "V", row), 5e-5);
				assertEquals(v.motion()[d], ((RealType<?>) image.getAt(i % 4, i / 4, d, pair)).getRealDouble(), 1e-5);
				assertEquals(v.sigma(d), table.getValue(d == 0 ? "SigmaU" : "SigmaV", row), 1e-6);
			}
			assertEquals(v.score(), table.getValue("Score", row), 1e-6);
			assertEquals(v.ratio(), table.getValue("Ratio", row), 5e-5);
			assertEquals(v.isValid() ? 1 : 0, table.getValue("Valid", row));
			assertEquals(v.state().toString(), table.getStringValue("State", row));
		}
		// windows in the middle do not leave the frame
		final MotionVector middle = motion.fields().get(0).vectors().get(5);
		assertEquals(PLANE[1][0] - PLANE[0][0], middle.motion()[0], 0.15);
		assertEquals(PLANE[1][1] - PLANE[0][1], middle.motion()[1], 0.15);
		final String summary = ((NccCommand) module.getCommand()).summary();
		assertTrue(summary.matches(motion.valid() + " of 24 vectors are valid, [0-9.e-]+ s"), summary);
		ran("image", moving(), "window", "16", "spacing", "16", "passes", 1, "maxshift", "5", "quiver", false, "append", true);
		assertEquals(48, table.size());
	}

	@Test
	void volumesHaveAThirdComponent() throws Exception {
		final double[][] shifts = { { 0, 0, 0 }, { 2, -1, 1 } };
		final Img<UnsignedShortType> stack = ImgView.wrap(new MovingTexture(3, 4).stack(new UnsignedShortType(), shifts, new long[] { 36, 30, 18 }, 1000, 200, 2));
		final Img<UnsignedShortType> volumes = ImgView.wrap(Views.moveAxis(Views.addDimension(stack, 0, 0), 4, 3));
		final CommandModule module = ran("image", volumes, "window", "12,12,8", "spacing", "12,12,8", "passes", 1, "maxshift", "3", "derived", true);
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Frame", "X", "Y", "Z", "U", "V", "W", "Score", "Ratio", "SigmaU", "SigmaV", "SigmaW", "Valid", "State"), List.of(table.getHeadings()));
		final MotionFields motion = (MotionFields) module.getOutput("motion");
		final Img<?> image = (Img<?>) module.getOutput("output");
		assertEquals(3, image.dimension(3));
		assertArrayEquals(new long[] { image.dimension(0), image.dimension(1), image.dimension(2), 9, 1 }, ((Img<?>) module.getOutput("maps"))
			.dimensionsAsLongArray());
		final MotionVector last = motion.fields().get(0).vectors().get(table.size() - 1);
		assertEquals(last.centre()[2], table.getValue("Z", table.size() - 1), 1e-9);
		assertEquals(last.motion()[2], table.getValue("W", table.size() - 1), 5e-5);
	}

	/** One field, with a column of false alarms. */
	@Test
	void anEnsembleIsOneField() throws Exception {
		final double[][] shifts = { { 0, 0 }, { 2, -1 }, { 9, 9 }, { 11, 8 } };
		final Img<UnsignedShortType> pairs = ImgView.wrap(new MovingTexture(2, 1).stack(new UnsignedShortType(), shifts, new long[] { 64, 48 }, 1000, 200, 2));
		final CommandModule module = ran("image", pairs, "window", "16", "spacing", "16", "passes", 1, "maxshift", "5", "quiver", false, "doubleframes", true,
			"ensemble", true, "falsealarms", 100, "shape", "circle");
		final MotionFields motion = (MotionFields) module.getOutput("motion");
		assertEquals(1, motion.fields().size());
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Frame", "X", "Y", "U", "V", "Score", "Ratio", "FalseAlarms", "SigmaU", "SigmaV", "Valid", "State"), List.of(table.getHeadings()));
		assertEquals(12, table.size());
		assertEquals(4, table.getValue("Frame", 5));
		assertEquals(2, table.getValue("U", 5), 0.1);
		assertEquals(-1, table.getValue("V", 5), 0.1);
		assertEquals(motion.fields().get(0).vectors().get(5).falseAlarms(), table.getValue("FalseAlarms", 5), 1e-3);
	}

	/** Noise that changes from frame to frame has no motion. */
	@Test
	void aFieldWithoutAValidVectorIsNoted() throws Exception {
		final Img<?> noise = ArrayImgs.unsignedBytes(RandomPixels.bytes(3, 48 * 48 * 2), 48, 48, 2);
		final Printed none = Printed.during(() -> ran("image", noise, "window", "16", "passes", 1, "minscore", 0.9, "quiver", false));
		assertTrue(none.text().contains("Motion Field: no vector of image is valid. Check the window, the maximum shift, the score and the ratio of two peaks."),
			none.text());
		final Printed some = Printed.during(() -> ran("image", moving(), "window", "16", "passes", 1, "quiver", false));
		assertFalse(some.text().contains("Motion Field:"), some.text());
		final Printed beyond = Printed.during(() -> ran("image", moving(), "window", "16", "passes", 1, "maxshift", "1", "quiver", false));
		assertTrue(beyond.text().contains("Motion Field: image, frames 2, 3: many windows have their peak at the end of the search. Give a larger maximum "
			+ "shift."), beyond.text());
	}

	@Test
	void wrongParametersAreRefused() throws Exception {
		assertTrue(reason().startsWith("The image is missing."));
		assertTrue(reason("image", ArrayImgs.argbs(9, 9, 2)).startsWith("The image 'image' is an RGB image."));
		assertTrue(reason("image", noise(40, 40)).contains("one frame"));
		assertEquals("window=wide is not valid. Give one or 2 whole numbers of pixels from 1, as in 40 or 40,40.",
			reason("image", moving(), "window", "wide"));
		assertEquals("spacing=0 is not valid. Give one or 2 whole numbers of pixels from 1, as in 40 or 40,40.",
			reason("image", moving(), "window", "16", "spacing", "0"));
		assertTrue(reason("image", moving(), "window", "16", "spacing", "1,2,3").startsWith("spacing=1,2,3 is not valid. Give one or 2 whole numbers"));
		assertEquals("maxshift=x is not valid. Give one or 2 whole numbers of pixels from 0, as in 40 or 40,40.",
			reason("image", moving(), "window", "16", "maxshift", "x"));
		assertTrue(reason("image", moving(), "window", "16", "smoothing", "x").contains("smoothing=x"));
		assertTrue(reason("image", moving(), "window", "16", "after", "none").contains("'none'"));
		assertTrue(reason("image", moving(), "window", "16", "shape", "star").contains("star"));
		assertTrue(reason("image", moving(), "window", "16", "doubleframes", true).contains("3 frames"));
	}
}
