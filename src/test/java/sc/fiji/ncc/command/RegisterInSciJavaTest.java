package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import ij.CompositeImage;
import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import org.scijava.command.CommandModule;

import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.result.Alignment;

/** Register Images, run by SciJava: rows, notes, the status bar, and refused images. */
class RegisterInSciJavaTest extends InSciJava {

	private static final int WIDTH = 48, HEIGHT = 40;
	/** The scene moves by so many pixels from the fixed image to the moving one. */
	private static final int X = 3, Y = -2, Z = 1;

	/** A part of a noise image, so that two parts show the same scene. */
	private static ByteProcessor part(final int seed, final int x, final int y) {
		final byte[] all = RandomPixels.bytes(seed, 80 * 80), part = new byte[WIDTH * HEIGHT];
		for (int j = 0; j < HEIGHT; j++) System.arraycopy(all, (j + y) * 80 + x, part, j * WIDTH, WIDTH);
		return new ByteProcessor(WIDTH, HEIGHT, part);
	}

	/** Planes with a seed for each, moved along x and y. */
	private static ImageStack planes(final int x, final int y, final int... seeds) {
		final ImageStack planes = new ImageStack(WIDTH, HEIGHT);
		for (final int seed : seeds) planes.addSlice(part(seed, 10 + x, 10 + y));
		return planes;
	}

	private static ImagePlus image(final String title, final ImageStack planes, final int channels, final int slices, final int frames) {
		final ImagePlus image = new ImagePlus(title, planes);
		image.setDimensions(channels, slices, frames);
		image.setOpenAsHyperStack(true);
		return channels > 1 ? new CompositeImage(image, CompositeImage.GRAYSCALE) : image;
	}

	private static ImagePlus plane(final String title, final int x, final int y) {
		return new ImagePlus(title, part(1, 10 + x, 10 + y));
	}

	private static CommandModule ran(final Object... inputs) throws Exception {
		final CommandModule module = run(RegisterImagesCommand.class, inputs);
		assertFalse(module.isCanceled(), module.getCancelReason());
		return module;
	}

	private static Alignment alignment(final CommandModule module) {
		return (Alignment) module.getOutput("alignment");
	}

	private static String reason(final Object... inputs) throws Exception {
		final CommandModule module = run(RegisterImagesCommand.class, inputs);
		assertTrue(module.isCanceled());
		return module.getCancelReason();
	}

	/** The scene of the moving image lies at larger x, where the moving image begins earlier. Shifts are also in the unit of the fixed image. */
	@Test
	void rowsAreInPixelsAndInTheUnitOfTheFixedImage() throws Exception {
		final ImagePlus fixed = plane("still", 0, 0), moving = plane("moved", -X, -Y);
		fixed.getCalibration().pixelWidth = 0.5;
		fixed.getCalibration().pixelHeight = 0.25;
		fixed.getCalibration().setUnit("nm");
		final CommandModule module = ran("fixed", fixed, "moving", moving, "peaks", 3, "maxshift", "8");
		final Alignment found = alignment(module);
		assertArrayEquals(new double[] { X, Y }, found.shift(), 0.05);
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(3, table.size());
		for (int row = 0; row < 3; row++) {
			final Alignment.Peak peak = found.peaks().get(row);
			assertEquals(row + 1, table.getValue("Peak", row));
			assertEquals(peak.score(), table.getValue("Score", row), 1e-6);
			assertEquals(peak.shift()[0], table.getValue("DX", row), 5e-5);
			assertEquals(peak.shift()[1], table.getValue("DY", row), 5e-5);
			assertEquals(peak.shift()[0] * 0.5, table.getValue("ShiftX", row), 5e-5);
			assertEquals(peak.shift()[1] * 0.25, table.getValue("ShiftY", row), 5e-5);
			assertEquals(peak.overlap(), table.getValue("Overlap", row), 1e-6);
			assertEquals(List.of("nm", "moved"), List.of(table.getStringValue("Unit", row), table.getStringValue("Image", row)));
			assertEquals(0, table.getValue("Doubtful", row));
		}
		assertEquals(String.format("shift %.2f, %.2f pixels, score %.4f", found.shift()[0], found.shift()[1], found.score()),
			((NccCommand) module.getCommand()).summary());
		ran("fixed", fixed, "moving", moving, "peaks", 1);
		assertEquals(1, table.size(), "one row, although two peaks are found");
		ran("fixed", fixed, "moving", moving, "peaks", 2, "append", true);
		assertEquals(3, table.size());
	}

	/** Only the best peak is refined, so it alone has standard deviations. */
	@Test
	void errorsAreThoseOfTheBestPeak() throws Exception {
		final RandomAccessibleInterval<UnsignedShortType> pair = new MovingTexture(2, 1).stack(new UnsignedShortType(), new double[][] { { 0, 0 }, { 2, 1 } },
			new long[] { 60, 50 }, 1000, 200, 20);
		final Alignment found = alignment(ran("fixed", ImgView.wrap(Views.hyperSlice(pair, 2, 0)), "moving", ImgView.wrap(Views.hyperSlice(pair, 2, 1))));
		final ResultsTable table = ResultsTable.getResultsTable();
		assertTrue(found.sigma(0) > 0 && found.sigma(1) > 0);
		assertEquals(found.sigma(0), table.getValue("SigmaX", 0), 1e-6);
		assertEquals(found.sigma(1), table.getValue("SigmaY", 0), 1e-6);
		assertEquals(found.correlation(0, 1), table.getValue("CorrelationXY", 0), 1e-6);
		assertEquals(found.falseAlarms(), table.getValue("FalseAlarms", 0), 1e-6);
		for (final String column : List.of("SigmaX", "SigmaY", "CorrelationXY", "FalseAlarms")) assertTrue(Double.isNaN(table.getValue(column, 1)), column);
	}

	/** A grid of equal spots fits at every period, and a search of a pixel ends before the shift of three. */
	@Test
	void whatIsNotCertainIsNoted() throws Exception {
		final byte[] dots = new byte[WIDTH * HEIGHT];
		for (int i = 0; i < dots.length; i++) dots[i] = (byte) (i % WIDTH % 8 < 4 && i / WIDTH % 8 < 4 ? 200 : 20);
		final ImagePlus grid = new ImagePlus("grid", new ByteProcessor(WIDTH, HEIGHT, dots));
		final Printed doubtful = Printed.during(() -> ran("fixed", grid, "moving", grid));
		assertTrue(doubtful.text()
			.matches("(?s).*Register Images: the shift of grid is doubtful: ambiguous: the runner-up \\S+ is too near to the score 1.000, as in periodic patterns and "
				+ "noise. A smaller maximum shift can help..*"), doubtful.text());
		assertEquals(1, ResultsTable.getResultsTable().getValue("Doubtful", 0));
		final Printed edge = Printed.during(() -> ran("fixed", plane("still", 0, 0), "moving", plane("moved", -X, -Y), "maxshift", "1"));
		assertTrue(edge.text().contains("Register Images: the peak of moved lies at the end of the search. Increase the maximum shift."), edge.text());
		final Printed certain = Printed.during(() -> ran("fixed", plane("still", 0, 0), "moving", plane("moved", -X, -Y)));
		assertFalse(certain.text().contains("Register Images:"), certain.text());
	}

	@Test
	void volumesHaveAThirdDimension() throws Exception {
		final CommandModule module = ran("fixed", image("still", planes(0, 0, 1, 2, 3, 4, 5, 6), 1, 6, 1), "moving",
			image("moved", planes(-X, -Y, 9, 1, 2, 3, 4, 5), 1, 6, 1),
			"interpolation", "integer");
		assertArrayEquals(new double[] { X, Y, Z }, alignment(module).shift(), 0.1);
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(alignment(module).shift()[2], table.getValue("DZ", 0), 5e-5);
		assertEquals(alignment(module).shift()[2], table.getValue("ShiftZ", 0), 5e-5);
		final Img<?> output = (Img<?>) module.getOutput("output");
		assertArrayEquals(new long[] { WIDTH, HEIGHT, 6 }, output.dimensionsAsLongArray());
		assertEquals(part(3, 10, 10).get(20, 15), ((UnsignedByteType) output.getAt(20, 15, 2)).get());
	}

	/** The second channels show the scene; the first ones show other noise. All channels of the moving image are moved. */
	@Test
	void theChosenChannelsAreMeasured() throws Exception {
		final ImagePlus fixed = image("still", planes(0, 0, 5, 1), 2, 1, 1), moving = image("moved", planes(-X, -Y, 6, 1), 2, 1, 1);
		final CommandModule module = ran("fixed", fixed, "moving", moving, "channels", "2", "interpolation", "integer");
		assertArrayEquals(new double[] { X, Y }, alignment(module).shift(), 0.05);
		final Img<?> output = (Img<?>) module.getOutput("output");
		assertArrayEquals(new long[] { WIDTH, HEIGHT, 2 }, output.dimensionsAsLongArray());
		assertEquals(part(6, 10, 10).get(20, 15), ((UnsignedByteType) output.getAt(20, 15, 0)).get());
		assertEquals(part(1, 10, 10).get(20, 15), ((UnsignedByteType) output.getAt(20, 15, 1)).get());
		final ImagePlus deep = image("still", planes(0, 0, 7, 1, 7, 2, 7, 3, 7, 4), 2, 4, 1),
			deeper = image("moved", planes(-X, -Y, 8, 1, 8, 2, 8, 3, 8, 4), 2, 4, 1);
		assertArrayEquals(new double[] { X, Y, 0 }, alignment(ran("fixed", deep, "moving", deeper, "channels", "2")).shift(), 0.1);
		assertEquals("channels=3: 'still' has 2 channels; give numbers from 1 to 2, or joint for all", reason("fixed", fixed, "moving", moving, "channels", "3"));
	}

	@Test
	void whatCannotBeRegisteredIsRefused() throws Exception {
		final ImagePlus plane = plane("still", 0, 0), colours = new ImagePlus("rgb", new ColorProcessor(9, 9)),
			volume = image("deep", planes(0, 0, 1, 2, 3), 1, 3, 1);
		assertTrue(reason("moving", plane).startsWith("The fixed is missing."));
		assertTrue(reason("fixed", plane).startsWith("The moving is missing."));
		assertTrue(reason("fixed", colours, "moving", plane)
			.startsWith("The fixed image 'rgb' is an RGB image. Make its colours channels first: Image > Color > Make Composite."));
		assertTrue(reason("fixed", plane, "moving", colours).startsWith("The moving image 'rgb' is an RGB image."));
		assertEquals("'still' has 2 spatial dimensions, and 'deep' has 3. Use two planes, or two stacks of slices.", reason("fixed", plane, "moving", volume));
		assertEquals("'deep' has 3 spatial dimensions, and 'still' has 2. Use two planes, or two stacks of slices.", reason("fixed", volume, "moving", plane));
		final ImagePlus movie = image("movie", planes(0, 0, 1, 2, 3), 1, 1, 3);
		assertEquals("'movie' has several frames. Use Correct Drift for a stack, or duplicate one frame.", reason("fixed", movie, "moving", plane));
		assertEquals("'movie' has several frames. Use Correct Drift for a stack, or duplicate one frame.", reason("fixed", plane, "moving", movie));
		assertEquals("minoverlap=2.0 is out of range. Give a number from 0 to 1.", reason("fixed", plane, "moving", plane, "minoverlap", 2));
		assertEquals("maxshift=1,2,3 is not valid. Give one or 2 whole numbers of pixels from 0, as in 40 or 40,40.",
			reason("fixed", plane, "moving", plane, "maxshift", "1,2,3"));
		assertEquals("maxshift=x is not valid. Give one or 3 whole numbers of pixels from 0, as in 40 or 40,40,10.",
			reason("fixed", volume, "moving", volume, "maxshift", "x"));
	}

	/** The output shows its first plane from the smallest to the largest finite value. */
	@Test
	void theRegisteredImageHasTheTypeOfTheMovingOne() throws Exception {
		final Img<?> fixed = ArrayImgs.unsignedBytes((byte[]) part(1, 10, 10).getPixels(), WIDTH, HEIGHT),
			moving = ArrayImgs.floats((float[]) part(1, 10 - X, 10 - Y).convertToFloat().getPixels(), WIDTH, HEIGHT);
		final Img<?> output = (Img<?>) ran("fixed", fixed, "moving", moving, "interpolation", "integer", "border", "nan").getOutput("output");
		assertEquals(moving.getType().getClass(), output.getType().getClass());
		assertTrue(Float.isNaN(((FloatType) output.getAt(WIDTH - 1, 20)).get()), "beyond the moving image");
		assertEquals(part(1, 10, 10).getf(20, 15), ((FloatType) output.getAt(20, 15)).get());
	}
}
