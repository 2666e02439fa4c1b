package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import ij.ImagePlus;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

import org.junit.jupiter.api.Test;

import org.scijava.app.event.StatusEvent;
import org.scijava.command.CommandModule;
import org.scijava.event.EventHandler;
import org.scijava.event.EventService;
import org.scijava.thread.ThreadService;
import org.scijava.event.EventSubscriber;

import sc.fiji.ncc.command.imagej.ImageJImage;
import sc.fiji.ncc.fixture.RandomPixels;

/** Images of ImageJ 1.x as SciJava gives them to commands. */
class OpenImagesInSciJavaTest extends InSciJava {

	private final ImagePlus image = new ImagePlus("scene", noise());

	private static ImageProcessor noise() {
		return new ByteProcessor(60, 50, RandomPixels.bytes(5, 60 * 50));
	}

	private ImagePlus part(final int x, final int y) {
		image.setRoi(x, y, 7, 6);
		final ImagePlus part = image.crop();
		image.deleteRoi();
		return part;
	}

	private CommandModule correlate(final ImagePlus template) throws Exception {
		return run(NormalizedCrossCorrelationCommand.class, "image", image, "template", template);
	}

	private static double value(final CommandModule module, final long... place) {
		return ((RealType<?>) ((Img<?>) module.getOutput("output")).getAt(place)).getRealDouble();
	}

	@Test
	void editsReachTheNextCommand() throws Exception {
		final ImagePlus part = part(10, 12);
		assertEquals(1, value(correlate(part), 10, 12), 1e-6);
		image.setRoi(5, 6, 40, 40);
		image.setProcessor(image.getProcessor().crop());
		final CommandModule cropped = correlate(part);
		assertArrayEquals(new long[] { 34, 35 }, ((Img<?>) cropped.getOutput("output")).dimensionsAsLongArray());
		assertEquals(1, value(cropped, 5, 6), 1e-6);
		image.setProcessor(image.getProcessor().convertToFloat());
		image.getProcessor().setf(5, 6, 1e6f);
		assertTrue(value(correlate(part), 5, 6) < 0.9, "the edit of the new pixels");
		image.setProcessor(image.getProcessor().convertToRGB());
		assertTrue(correlate(part).getCancelReason().startsWith("the template has 1 channel, the image has 3"));
	}

	/** Red, green and blue together, one of them, or each. */
	@Test
	void coloursInAllWays() throws Exception {
		final ij.process.ColorProcessor colours = new ij.process.ColorProcessor(30, 20);
		for (int i = 0; i < 600; i++) colours.set(i, (i * 7919 + i * i * 31 ^ i * 131_071) & 0xffffff);
		final ImagePlus rgb = new ImagePlus("rgb", colours);
		rgb.setRoi(12, 7, 6, 5);
		final Object pixels = colours.getPixelsCopy();
		final CommandModule joint = run(NormalizedCrossCorrelationCommand.class, "image", rgb, "template", rgb);
		assertFalse(joint.isCanceled(), joint.getCancelReason());
		assertEquals(1, value(joint, 12, 7), 1e-6);
		assertArrayEquals(new long[] { 25, 16 }, ((Img<?>) joint.getOutput("output")).dimensionsAsLongArray());
		final CommandModule green = run(NormalizedCrossCorrelationCommand.class, "image", rgb, "template", rgb, "channels", "2");
		assertEquals(1, value(green, 12, 7), 1e-6);
		assertTrue(Math.abs(value(green, 3, 3) - value(joint, 3, 3)) > 1e-3, "one channel is not all of them");
		final CommandModule each = run(NormalizedCrossCorrelationCommand.class, "image", rgb, "template", rgb, "channels", "each");
		assertArrayEquals(new long[] { 25, 16, 3 }, ((Img<?>) each.getOutput("output")).dimensionsAsLongArray());
		final CommandModule matches = run(FindMatchesCommand.class, "image", rgb, "template", rgb, "minscore", 0.9);
		assertFalse(matches.isCanceled(), matches.getCancelReason());
		assertEquals(1, ((java.util.List<?>) matches.getOutput("matches")).size());
		assertEquals(1, rgb.getOverlay().size());
		assertArrayEquals((int[]) pixels, (int[]) colours.getPixels(), "the image was written to");
		assertTrue(run(NormalizedCrossCorrelationCommand.class, "image", rgb, "template", rgb, "channels", "9").getCancelReason().contains("has 3 channels, not channel 9"));
		assertTrue(run(NormalizedCrossCorrelationCommand.class, "image", rgb, "template", rgb, "channels", "all").getCancelReason().startsWith("Unknown channels 'all'"));
		final CommandModule convolved = run(ConvolveImageCommand.class, "image", rgb, "kernel", new ImagePlus("kernel", new ij.process.FloatProcessor(3, 3, new float[] { 0, 0, 0, 0, 1, 0, 0, 0, 0 })));
		assertFalse(convolved.isCanceled(), convolved.getCancelReason());
		assertArrayEquals(new long[] { 30, 20, 3 }, ((Img<?>) convolved.getOutput("output")).dimensionsAsLongArray());
		assertEquals(colours.get(4, 5) >> 8 & 255, ((net.imglib2.type.numeric.RealType<?>) ((Img<?>) convolved.getOutput("output")).getAt(4, 5, 1)).getRealDouble(), 1e-3);
	}

	/** The channels of a stack together, with its selection as the template. */
	@Test
	void stacksOfChannels() throws Exception {
		final ij.ImageStack planes = new ij.ImageStack(30, 20);
		final java.util.Random random = new java.util.Random(4);
		for (int i = 0; i < 6; i++) {
			final byte[] v = new byte[600];
			random.nextBytes(v);
			planes.addSlice(new ij.process.ByteProcessor(30, 20, v));
		}
		final ImagePlus stack = new ImagePlus("stack", planes);
		stack.setDimensions(2, 1, 3);
		stack.setOpenAsHyperStack(true);
		stack.setPosition(2, 1, 2);
		stack.setRoi(12, 7, 6, 5);
		final CommandModule joint = run(NormalizedCrossCorrelationCommand.class, "image", stack, "template", stack, "channels", "joint");
		assertFalse(joint.isCanceled(), joint.getCancelReason());
		final Img<?> map = (Img<?>) joint.getOutput("output");
		assertArrayEquals(new long[] { 25, 16, 3 }, map.dimensionsAsLongArray());
		assertEquals(1, ((net.imglib2.type.numeric.RealType<?>) map.getAt(12, 7, 1)).getRealDouble(), 1e-6);
		final CommandModule tracks = run(TrackTemplatesCommand.class, "image", stack, "channels", "joint", "templates", "selection", "plot", false);
		assertFalse(tracks.isCanceled(), tracks.getCancelReason());
		assertEquals(3, ((java.util.List<?>) tracks.getOutput("tracks")).size());
		// a box in the frame of each point, for both channels
		assertEquals(3, stack.getOverlay().size());
		for (final String channels : new String[] { "joint", "1" }) {
			final CommandModule found = run(FindMatchesCommand.class, "image", stack, "template", stack, "channels", channels, "minscore", 0.9);
			assertFalse(found.isCanceled(), found.getCancelReason());
			assertEquals(1, ((java.util.List<?>) found.getOutput("matches")).size());
			// one box, so that the ROI Manager has one region, too
			assertEquals(1, stack.getOverlay().size());
			final ij.gui.Roi box = stack.getOverlay().get(0);
			assertEquals("0 1 2", box.getCPosition() + " " + box.getZPosition() + " " + box.getTPosition());
		}
	}

	@Test
	void theImageItselfStandsForItsSelection() throws Exception {
		image.setRoi(20, 21, 9, 8);
		assertEquals(1, value(correlate(image), 20, 21), 1e-6);
	}

	@Test
	void aCopyOfTheSelectionInTheOverlayIsNoRegion() {
		final Roi live = new Roi(1, 2, 5, 5);
		image.setRoi(live);
		image.setOverlay(new Overlay(image.getRoi()));
		final ImageJImage input = new ImageJImage(image);
		assertEquals(List.of(), input.overlay());
		image.getOverlay().add(new Roi(9, 9, 4, 4));
		assertEquals(1, input.overlay().size());
		input.mark(List.of(), List.of(), false);
		assertEquals(1, image.getOverlay().size());
	}

	/** SciJava's own message appears before the summary. */
	@Test
	void theStatusBarKeepsTheMethodAndTheTime() throws Exception {
		final List<String> said = Collections.synchronizedList(new ArrayList<>());
		final Object bar = new Object() {

			@EventHandler
			private void onEvent(final StatusEvent event) {
				said.add(String.valueOf(event.getStatusMessage()));
			}
		};
		// events of the commands before this one
		context.service(ThreadService.class).invoke(() -> {});
		final List<EventSubscriber<?>> subscribed = context.service(EventService.class).subscribe(bar);
		try {
			correlate(part(10, 12));
			final long end = System.nanoTime() + 10_000_000_000L;
			// the command itself shows its summary first, then SciJava its own line, then the summary follows again
			final String finished = "Command finished: Normalized Cross-Correlation...";
			while (System.nanoTime() < end && (!said.contains(finished) || !said.get(said.size() - 1).matches("cpu-.*, .* s"))) Thread.sleep(10);
			assertTrue(said.contains(finished), said::toString);
			assertTrue(said.get(said.size() - 1).matches("cpu-.*, .* s"), said::toString);
		}
		finally {
			context.service(EventService.class).unsubscribe(subscribed);
		}
	}
}
