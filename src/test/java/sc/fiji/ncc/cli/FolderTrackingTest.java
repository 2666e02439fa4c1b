package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

import ij.process.FloatProcessor;

import org.junit.jupiter.api.Test;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.track.Tracks;

class FolderTrackingTest extends InFolder {

	/** The way back starts where the way forward has found the templates. */
	@Test
	void theReferenceFrameIsSearchedOnce() throws Exception {
		final List<String> names = new ArrayList<>();
		for (int f = 0; f < 4; f++) {
			final FloatProcessor frame = new FloatProcessor(50, 40), scene = new FloatProcessor(70, 60);
			final byte[] pixels = RandomPixels.bytes(1, 70 * 60);
			for (int i = 0; i < pixels.length; i++) scene.setf(i, pixels[i]);
			frame.insert(scene, -2 * f, -f);
			save("f" + f + ".tif", frame);
			names.add(path("f" + f + ".tif"));
			frame.setRoi(30 - 2 * f, 20 - f, 9, 8);
			if (f == 2) save("object.tif", frame.crop());
		}
		final List<RandomAccessibleInterval<?>> template = List.of(ImageFiles.read(path("object.tif")).pixels());
		final List<List<long[]>> starts = new ArrayList<>();
		final Tracks tracks;
		try (ProgressBar progress = new ProgressBar(new PrintStream(err), false, () -> false, System::nanoTime)) {
			tracks = new FolderTracking(names, 2, ChannelChoice.AUTO, progress).track(known -> {
				starts.add(known);
				return (known == null ? TemplateTracking.of(template) : TemplateTracking.of(template, known)).maxShift(3, 3);
			}, 2);
		}
		for (int f = 0; f < 4; f++) assertArrayEquals(new long[] { 30 - 2 * f, 20 - f }, tracks.points().get(f).position(), "frame " + f);
		assertEquals(2, starts.size());
		assertNull(starts.get(0));
		assertArrayEquals(new long[] { 26, 18 }, starts.get(1).get(0));
	}
}
