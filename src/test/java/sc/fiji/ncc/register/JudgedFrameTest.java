package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.statistics.Texture;

/** Frames of noise that are judged. */
class JudgedFrameTest {

	private static Img<FloatType> noise(final long... size) {
		final Random random = new Random(1);
		final Img<FloatType> noise = ArrayImgs.floats(size);
		noise.forEach(p -> p.set((float) random.nextGaussian()));
		return noise;
	}

	private static JudgedFrame frame(final long... size) {
		final Img<FloatType> noise = noise(size);
		return JudgedFrame.of(() -> noise, PixelType.F32, size, null);
	}

	/** A frame that is kept is read once. Its texture comes from the same reading. */
	@Test
	void keptFramesAreReadOnce() {
		final Img<FloatType> noise = noise(20, 16);
		for (final boolean kept : new boolean[] { false, true }) {
			final AtomicInteger read = new AtomicInteger();
			final JudgedFrame plain = JudgedFrame.of(() -> {
				read.incrementAndGet();
				return noise;
			}, PixelType.F32, new long[] { 20, 16 }, null), frame = kept ? plain.kept() : plain;
			for (int i = 0; i < 3; i++) assertEquals(noise.getAt(3, 2).get(), ((FloatBuffer) frame.whole()).get(43));
			frame.texture();
			assertEquals(kept ? 1 : 3, read.get());
		}
	}

	private static PeakJudgement judged(final JudgedFrame a, final JudgedFrame b, final double level) {
		return PeakJudgement.of(a, b, new PairPeaks(List.of(new PairPeaks.Place(new int[3], new double[3], 0.3, 0.5)), null, false), 100, level);
	}

	/**
	 * A shift may pass one of two tests, so each expects twice as many peaks by chance. The overlap is a share of the smaller frame, and a number at the level
	 * counts.
	 */
	@Test
	void twoTests() {
		final JudgedFrame small = frame(20, 16), large = frame(40, 32);
		final double alarms = judged(small, large, 1).falseAlarms();
		assertEquals(2 * Texture.falseAlarms(small.texture(), large.texture(), 0.5 * 20 * 16, 0.3, Double.NaN, 100), alarms, 1e-12);
		assertEquals(alarms, judged(large, small, 1).falseAlarms(), 1e-12);
		assertTrue(judged(small, large, alarms).isCertain());
		assertTrue(judged(small, large, 0.99 * alarms).reason().startsWith("too little structure in common"));
	}
}
