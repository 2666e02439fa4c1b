package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
		assertTrue(correlate(part).getCancelReason().startsWith("The image 'scene' is an RGB image"));
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
			while (System.nanoTime() < end && (!said.contains(finished) || !said.get(said.size() - 1).matches("NCC of scene: cpu-.*, .* s"))) Thread.sleep(10);
			assertTrue(said.contains(finished), said::toString);
			assertTrue(said.get(said.size() - 1).matches("NCC of scene: cpu-.*, .* s"), said::toString);
		}
		finally {
			context.service(EventService.class).unsubscribe(subscribed);
		}
	}
}
