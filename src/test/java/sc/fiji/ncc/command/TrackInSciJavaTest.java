package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import ij.ImagePlus;
import ij.io.FileSaver;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.scijava.command.CommandModule;

import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.track.TrackPoint;

/** Tracking, run by SciJava. The third dimension of an image without axes is slices. */
class TrackInSciJavaTest extends InSciJava {

	private static final int WIDTH = 50, HEIGHT = 40;
	/** Position of the scene in each frame. */
	private static final int[][] PLACES = { { 0, 0 }, { 2, 1 }, { 5, -1 }, { 4, 2 }, { 1, 3 } };

	@Test
	void pointsAreGivenToScriptsAndTheTable() throws Exception {
		final CommandModule module = run("image", moving(), "roi", "12,10,9,8; 25,16,7,11", "maxshift", "3,4");
		assertFalse(module.isCanceled(), module.getCancelReason());
		final List<?> tracks = (List<?>) module.getOutput("tracks");
		assertEquals(2 * PLACES.length, tracks.size());
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Score", "X", "Y", "Template", "Frame", "Image", "Channel", "Slice", "SubpixelX", "SubpixelY", "CalibratedX", "CalibratedY",
			"MotionX", "MotionY", "Unit",
			"RunnerUp", "Ratio", "Lost", "Edge"), List.of(table.getHeadings()));
		for (int f = 0; f < PLACES.length; f++) {
			final TrackPoint p = (TrackPoint) tracks.get(2 * f + 1);
			assertArrayEquals(new long[] { 25 + PLACES[f][0], 16 + PLACES[f][1] }, p.position());
			final int row = PLACES.length + f;
			assertEquals("2", table.getStringValue("Template", row));
			assertEquals(f + 1, table.getValue("Slice", row));
			assertEquals(1, table.getValue("Frame", row));
			assertEquals(p.position()[0], table.getValue("X", row));
			assertEquals(p.subpixel()[1], table.getValue("SubpixelY", row), 5e-5);
			assertEquals(p.subpixel()[0] + 7 / 2.0, table.getValue("CalibratedX", row), 5e-5);
			assertEquals(p.motion()[0], table.getValue("MotionX", row), 5e-5);
			assertEquals(1, table.getValue("Score", row), 1e-12);
			assertEquals(p.runnerUp(), table.getValue("RunnerUp", row), 5e-7);
			assertEquals(p.score() / p.runnerUp(), table.getValue("Ratio", row), 5e-5);
			assertEquals(0, table.getValue("Lost", row));
		}
	}

	/** A folder holds templates of two sizes. They are followed as the regions that they were cut from, from any reference frame, and have their files' names. */
	@Test
	void templatesFromOtherImages(@TempDir final Path files) throws Exception {
		final CommandModule cut = run("image", moving(), "roi", "12,10,9,8; 25,16,7,11", "maxshift", "3,4");
		final RandomAccessibleInterval<UnsignedByteType> first = Views.hyperSlice(moving(), 2, 0);
		for (final int[] roi : new int[][] { { 12, 10, 9, 8 }, { 25, 16, 7, 11 } }) {
			final ByteProcessor template = new ByteProcessor(roi[2], roi[3]);
			for (int i = 0; i < roi[2] * roi[3]; i++) template.set(i, first.getAt(roi[0] + i % roi[2], roi[1] + i / roi[2]).get());
			new FileSaver(new ImagePlus("", template)).saveAsTiff(files.resolve("t" + roi[0] + ".tif").toString());
		}
		for (final int reference : new int[] { 1, 4 }) {
			final CommandModule module = run("image", moving(), "template", files.toString(), "maxshift", "3,4", "reference", reference);
			assertFalse(module.isCanceled(), module.getCancelReason());
			final List<?> expected = (List<?>) cut.getOutput("tracks"), tracks = (List<?>) module.getOutput("tracks");
			assertEquals(2 * PLACES.length, tracks.size());
			for (int i = 0; i < tracks.size(); i++) assertArrayEquals(((TrackPoint) expected.get(i)).position(), ((TrackPoint) tracks.get(i)).position());
			assertEquals("t12.tif", ResultsTable.getResultsTable().getStringValue("Template", 0));
			assertEquals("t25.tif", ResultsTable.getResultsTable().getStringValue("Template", PLACES.length));
		}
		assertEquals("Both template=" + files + " and roi are given. Omit one of them.", reason("image", moving(), "template", files.toString(), "roi", "1,2,9,9"));
		assertTrue(reason("image", moving(), "template", "none").contains("'none'"));
		assertEquals("Both template=" + files + " and depth=3 are given. The images of the templates have their own slices. Omit depth.",
			reason("image", moving(), "template", files.toString(), "depth", 3));
	}

	/** Templates of several slices are followed along x, y and z. The fourth dimension of an image without axes is channels, the fifth frames. */
	@Test
	void templatesOfSeveralSlicesAreFollowedInVolumes(@TempDir final Path spots) throws Exception {
		final double[][] places = { { 0, 0, 0 }, { 2, -1, 1 }, { 3, 1, 2 }, { 1, 2, -1 } };
		final Img<UnsignedShortType> volumes = ImgView.wrap(Views.moveAxis(Views.addDimension(new MovingTexture(3, 4)
			.stack(new UnsignedShortType(), places, new long[] { 40, 36, 20 }, 1000, 200, 5), 0, 0), 4, 3));
		assertArrayEquals(new long[] { 40, 36, 20, 1, 4 }, volumes.dimensionsAsLongArray());
		final CommandModule module = run("image", volumes, "roi", "12,10,9,8", "slice", 10, "depth", 5, "maxshift", "4,4,3", "trackmate",
			spots.resolve("t.xml").toString());
		assertFalse(module.isCanceled(), module.getCancelReason());
		final List<?> tracks = (List<?>) module.getOutput("tracks");
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(List.of("Score", "X", "Y", "Z", "Template", "Frame", "Image", "Channel", "Slice", "SubpixelX", "SubpixelY", "SubpixelZ",
			"CalibratedX", "CalibratedY", "CalibratedZ", "MotionX",
			"MotionY", "MotionZ", "Unit", "RunnerUp", "Ratio", "Lost", "Edge"), List.of(table.getHeadings()));
		for (int f = 0; f < places.length; f++) {
			// slice 10 is the middle one of 8 to 12, which count from 7 to 11
			assertArrayEquals(new long[] { 12 + (long) places[f][0], 10 + (long) places[f][1], 7 + (long) places[f][2] }, ((TrackPoint) tracks.get(f)).position());
			assertEquals(10 + places[f][2], table.getValue("Slice", f));
			assertEquals(f + 1, table.getValue("Frame", f));
			assertEquals(7 + places[f][2], table.getValue("Z", f));
			assertEquals(places[f][2], table.getValue("MotionZ", f), 0.1);
			assertEquals(table.getValue("SubpixelZ", f) + 2.5, table.getValue("CalibratedZ", f), 1e-9);
		}
		final String xml = Files.readString(spots.resolve("t.xml"));
		assertTrue(xml.contains("nslices=\"20\" nframes=\"4\""), xml);
		// the centre of slices 7 to 11
		assertTrue(xml.contains("POSITION_Z=\"9.0\""), xml);
		// at the end of the stack the slices move inwards
		assertEquals(15, ((TrackPoint) ((List<?>) run("image", volumes, "roi", "12,10,9,8", "slice", 20, "depth", 5, "maxshift", "2").getOutput("tracks"))
			.get(0)).position()[2]);
		assertTrue(reason("image", volumes, "roi", "1,2,9,9", "depth", 21).startsWith("depth=21: 'image' has 20 slices in a frame. Give a number from 1 to 20."));
		assertTrue(reason("image", moving(), "roi", "1,2,9,9", "depth", 2).startsWith("depth=2: 'image' has 1 slice in a frame."));
		assertTrue(reason("image", volumes, "roi", "1,2,9,9", "depth", 3, "maxshift", "4,4").contains("Give one or 3 whole numbers"));
	}

	@Test
	void theReferenceFrameIsCountedFromOne() throws Exception {
		final List<?> tracks = (List<?>) run("image", moving(), "roi", "12,10,9,8", "reference", 3, "maxshift", "4").getOutput("tracks");
		for (int f = 0; f < PLACES.length; f++)
			assertArrayEquals(new long[] { 12 + PLACES[f][0] - PLACES[2][0], 10 + PLACES[f][1] - PLACES[2][1] }, ((TrackPoint) tracks.get(f)).position());
	}

	@Test
	void whatMovesFurtherThanTheShiftIsLostUnlessItsScoreSuffices() throws Exception {
		final List<?> lost = (List<?>) run("image", moving(), "roi", "12,10,9,8", "maxshift", "1,1", "minscore", 0.9).getOutput("tracks");
		assertTrue(((TrackPoint) lost.get(2)).lost());
		assertEquals(1, ResultsTable.getResultsTable().getValue("Lost", 2));
		// it moves by more than the maximum shift, so the match lies at the edge of the search
		for (int row = 0; row < lost.size(); row++) assertEquals(((TrackPoint) lost.get(row)).edge() ? 1 : 0, ResultsTable.getResultsTable().getValue("Edge", row));
		assertTrue(lost.stream().anyMatch(p -> ((TrackPoint) p).edge()) && !((TrackPoint) lost.get(0)).edge());
		final List<?> kept = (List<?>) run("image", moving(), "roi", "12,10,9,8", "maxshift", "1,1", "minscore", -1.0).getOutput("tracks");
		assertFalse(((TrackPoint) kept.get(2)).lost());
	}

	/** The status bar would cut it. Without windows, ImageJ's log is the standard output. */
	@Test
	void framesAtTheEdgeOfTheSearchAreNotedInTheLog() throws Exception {
		for (final String shift : List.of("1,1", "9,9")) {
			final AtomicReference<List<?>> tracks = new AtomicReference<>();
			final Printed printed = Printed.during(() -> {
				tracks.set((List<?>) run("image", moving(), "roi", "12,10,9,8", "maxshift", shift).getOutput("tracks"));
				return null;
			});
			final long edge = tracks.get().stream().filter(p -> ((TrackPoint) p).edge()).count();
			assertEquals(edge > 0, printed.text().contains("Track Templates: in " + edge + " of " + tracks.get().size() + " frames of "), shift + printed);
			assertEquals(shift.equals("1,1"), edge > 0);
		}
	}

	/** A scene that fades into another one. Only an updated template keeps a high score. */
	@Test
	void theUpdatePolicyReachesTheOp() throws Exception {
		final Img<UnsignedByteType> fading = fading(12);
		final double fixed = last(run("image", fading, "roi", "12,10,12,12", "minscore", 0.0));
		final double previous = last(run("image", fading, "roi", "12,10,12,12", "minscore", 0.0, "update", "previous"));
		final double mean = last(run("image", fading, "roi", "12,10,12,12", "minscore", 0.0, "update", "mean", "weight", 0.5));
		final double light = last(run("image", fading, "roi", "12,10,12,12", "minscore", 0.0, "update", "mean", "weight", 0.05));
		assertTrue(fixed < light && light < mean && mean < previous, fixed + " " + light + " " + mean + " " + previous);
		// below a score of 1 the original template is searched as well; it scores lower, so nothing changes
		assertEquals(previous, last(run("image", fading, "roi", "12,10,12,12", "minscore", 0.0, "update", "previous", "anchor", 1.0)));
		// a fixed template has no anchor
		assertEquals(fixed, last(run("image", fading, "roi", "12,10,12,12", "minscore", 0.0, "anchor", 0.9)));
	}

	@Test
	void wrongParametersAreReported() throws Exception {
		final Img<?> image = moving();
		assertTrue(reason("image", image)
			.startsWith("No templates: the ROI Manager has no region, nothing is selected in 'image', and its overlay has no region. "
				+ "Boxes of earlier runs do not count. Draw"));
		assertEquals("The image is missing. No image is open. In a macro: image=[title].", reason("roi", "1,2,3,4"));
		assertEquals("roi: '1,2,3' is not a region. Give x,y,w,h in whole pixels; separate several regions by semicolons.", reason("image", image, "roi", "1,2,3"));
		assertEquals("roi: 45,2,9,9 is not inside 'image', which has 50x40 pixels. Positions count from 0.", reason("image", image, "roi", "1,2,3,4; 45,2,9,9"));
		assertTrue(reason("image", image, "roi", "1,2,9,9", "templates", "overlay").startsWith("Both templates=overlay and roi are given"));
		assertEquals("Unknown templates 'roi'. Known: auto, manager, overlay, selection.", reason("image", image, "roi", "1,2,9,9", "templates", "roi"));
		assertTrue(reason("image", image, "templates", "manager").startsWith("The ROI Manager has no region. Without windows there is no ROI Manager."));
		assertTrue(reason("image", image, "templates", "overlay").startsWith("The overlay of 'image' has no region."));
		assertEquals("maxshift=wide is not valid. Give one or 2 whole numbers of pixels from 0, as in 40 or 40,40.",
			reason("image", image, "roi", "1,2,9,9", "maxshift", "wide"));
		assertEquals("maxshift=1,-2 is not valid. Give one or 2 whole numbers of pixels from 0, as in 40 or 40,40.",
			reason("image", image, "roi", "1,2,9,9", "maxshift", "1,-2"));
		assertTrue(reason("image", image, "roi", "1,2,9,9", "reference", 6).startsWith("reference=6: 'image' has 5 slices."));
		assertTrue(reason("image", image, "roi", "1,2,9,9", "channels", "2").contains("has 1 channel, not channel 2"));
		assertTrue(reason("image", image, "roi", "1,2,9,9", "slice", 2).startsWith("slice=2: the slices of 'image' are its frames"));
		assertTrue(reason("image", noise(20, 20), "roi", "1,2,9,9").startsWith("'image' has a single frame."));
		assertTrue(reason("image", ArrayImgs.argbs(9, 9, 4), "roi", "1,2,3,3").contains("is flat: all its pixels are equal in each of its 3 channels"));
		assertEquals("template=; names no image. Give titles of open images, separated by semicolons, or leave it out.",
			reason("image", image, "template", ";"));
		assertEquals("Unknown update 'last'. Known: fixed, previous, mean.", reason("image", image, "roi", "1,2,9,9", "update", "last"));
	}

	@Test
	void theTaskWindowStopsIt() throws Exception {
		ResultsTable.getResultsTable().reset();
		// one frame many times: a run of some minutes
		final Img<UnsignedByteType> frame = noise(700, 700);
		final CommandModule module = runCanceled(TrackTemplatesCommand.class, "image", ImgView.wrap(Views.interval(Views.addDimension(frame),
			new long[3], new long[] { 699, 699, 2999 })), "roi", "100,100,200,200", "maxshift", "60", "threads", 1);
		assertNull(module.getOutput("tracks"));
		assertEquals(0, ResultsTable.getResultsTable().size());
	}

	/** Pixels of weight 0 have no effect. In double precision, positions are fitted to exact coefficients, which differ slightly. */
	@Test
	void weightsAndPrecisionReachTheOp() throws Exception {
		final Img<UnsignedByteType> image = moving();
		// one pixel of the object changes in every frame
		for (int f = 1; f < PLACES.length; f++) image.getAt(16 + PLACES[f][0], 13 + PLACES[f][1], f).set(37 * f);
		assertTrue(last(run("image", image, "roi", "12,10,9,8", "maxshift", "4")) < 0.999);
		assertEquals("No open image is called 'w'. No image is open.", reason("image", image, "roi", "12,10,9,8", "weights", "w"));
		final List<?> single = (List<?>) run("image", image, "roi", "12,10,9,8", "maxshift", "4").getOutput("tracks");
		final List<?> exact = (List<?>) run("image", image, "roi", "12,10,9,8", "maxshift", "4", "precision", "double").getOutput("tracks");
		boolean differ = false;
		for (int f = 0; f < PLACES.length; f++) {
			final TrackPoint a = (TrackPoint) single.get(f), b = (TrackPoint) exact.get(f);
			assertArrayEquals(a.position(), b.position());
			assertEquals(a.score(), b.score());
			assertArrayEquals(a.subpixel(), b.subpixel(), 1e-3);
			differ |= !Arrays.equals(a.subpixel(), b.subpixel());
		}
		assertTrue(differ);
		assertArrayEquals(new double[2], ((TrackPoint) exact.get(0)).motion(), "in the frame that it was cut from nothing has moved");
		assertEquals("Unknown precision 'half'. Known: single, double.", reason("image", image, "roi", "12,10,9,8", "precision", "half"));
	}

	private static CommandModule run(final Object... inputs) throws Exception {
		return run(TrackTemplatesCommand.class, inputs);
	}

	private static String reason(final Object... inputs) throws Exception {
		final CommandModule module = run(inputs);
		assertTrue(module.isCanceled());
		assertNull(module.getOutput("tracks"));
		return module.getCancelReason();
	}

	private static double last(final CommandModule module) {
		final List<?> tracks = (List<?>) module.getOutput("tracks");
		return ((TrackPoint) tracks.get(tracks.size() - 1)).score();
	}

	private static Img<UnsignedByteType> moving() {
		final Img<UnsignedByteType> scene = noise(WIDTH + 20, HEIGHT + 20);
		final Img<UnsignedByteType> stack = ArrayImgs.unsignedBytes(WIDTH, HEIGHT, PLACES.length);
		for (int f = 0; f < PLACES.length; f++)
			for (int y = 0; y < HEIGHT; y++)
				for (int x = 0; x < WIDTH; x++) stack.getAt(x, y, f).set(scene.getAt(x + 10 - PLACES[f][0], y + 10 - PLACES[f][1]));
		return stack;
	}

	private static Img<UnsignedByteType> fading(final int frames) {
		final Img<UnsignedByteType> both = noise(2 * WIDTH, HEIGHT);
		final Img<UnsignedByteType> stack = ArrayImgs.unsignedBytes(WIDTH, HEIGHT, frames);
		for (int f = 0; f < frames; f++)
			for (int y = 0; y < HEIGHT; y++)
				for (int x = 0; x < WIDTH; x++)
					stack.getAt(x, y, f).set(Math.round(both.getAt(x, y).get() * (1f - f / (frames - 1f)) + both.getAt(x + WIDTH, y).get() * f / (frames - 1f)));
		return stack;
	}
}
