package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.FrameShift;

/** The reference mean for more frames than one block of the sum has. */
class DriftMeanTest {

	private static final int W = 48, H = 40;
	private static final MovingTexture TEXTURE = new MovingTexture(2, 3);

	/** Dim frames with noise, and some that are so bright that they alone decide about the mean. */
	private static List<RandomAccessibleInterval<?>> frames(final int count, final int firstBright, final int bright) {
		final Random random = new Random(4);
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int t = 0; t < count; t++) {
			final double contrast = t >= firstBright && t < firstBright + bright ? 1000 : 0.5;
			final float[] pixels = new float[W * H];
			for (int i = 0; i < pixels.length; i++) pixels[i] = (float) (500 + contrast * TEXTURE.at(i % W - 0.02 * t, i / W) + random.nextGaussian());
			frames.add(ArrayImgs.floats(pixels, W, H));
		}
		return frames;
	}

	/** Frames of the first block, of one in the middle, and of the last one, which has two frames, are part of the mean. */
	@Test
	void theMeanHasTheFramesOfAllBlocks() {
		for (final int first : new int[] { 2, 70, 128 }) {
			final long[] told = new long[2];
			final List<FrameShift> found = DriftCorrection.ofFrames(2).reference(DriftReference.MEAN).maxShift(5, 5).threads(2).backend("cpu").monitor(new Monitor() {

				@Override
				public void total(final long steps) {
					told[0] = steps;
				}

				@Override
				public void done(final long steps) {
					synchronized (told) {
						told[1] += steps;
					}
				}
			}).measure(frames(130, first, 2)).frames();
			// without the bright frames 0.97
			for (int t = first; t < first + 2; t++) assertTrue(found.get(t).score() > 0.985, "frame " + t + " " + found.get(t).score());
			assertEquals(130 * 5, told[0]);
			assertEquals(told[0], told[1], "steps");
		}
	}
}
