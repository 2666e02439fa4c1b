package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.IntBinaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.util.Intervals;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/** Masks at the edges of a frame, and masks of a small part of it. All other pixels have a bright pattern that does not move. */
class DriftMasksTest {

	private static final int W = 96, H = 80, T = 5;
	private static final DriftTexture TEXTURE = new DriftTexture(150, 130, 1.5, 4);

	/** The shift of a frame in pixels, whole ones so that overlaps are whole numbers. */
	private static int[] shift(final int t) {
		return new int[] { 2 * t, -t };
	}

	private static byte[] mask(final IntBinaryOperator inside) {
		final byte[] mask = new byte[W * H];
		for (int i = 0; i < mask.length; i++) mask[i] = (byte) inside.applyAsInt(i % W, i / W);
		return mask;
	}

	private static short[][] frames(final byte[] mask) {
		final short[][] frames = new short[T][];
		for (int t = 0; t < T; t++) {
			frames[t] = DriftTexture.photons(TEXTURE.frame(200 - 8 * shift(t)[0], 200 - 8 * shift(t)[1], W, H), 800, 0.3, new Random(t));
			for (int i = 0; i < mask.length; i++) if (mask[i] == 0) frames[t][i] = (short) (i * 7919 % 9000);
		}
		return frames;
	}

	private static DriftCorrection correction(final byte[] mask) {
		return DriftCorrection.ofFrames(2).reference(DriftReference.FIRST).imageMask(ArrayImgs.unsignedBytes(mask, W, H));
	}

	/** The number of pixels that the mask and the mask at a lag share. */
	private static int common(final byte[] mask, final int dx, final int dy) {
		int n = 0;
		for (int y = 0; y < H; y++) for (int x = 0; x < W; x++)
			if (mask[y * W + x] != 0 && x + dx >= 0 && x + dx < W && y + dy >= 0 && y + dy < H && mask[(y + dy) * W + x + dx] != 0) n++;
		return n;
	}

	/** The correlation coefficient of the pixels that count in both frames at a lag. */
	private static double coefficient(final short[] fixed, final short[] moving, final byte[] mask, final int dx, final int dy) {
		final int n = common(mask, dx, dy);
		double sf = 0, sm = 0, ff = 0, mm = 0, fm = 0;
		for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
			if (mask[y * W + x] == 0 || x + dx < 0 || x + dx >= W || y + dy < 0 || y + dy >= H || mask[(y + dy) * W + x + dx] == 0) continue;
			final double f = fixed[y * W + x], m = moving[(y + dy) * W + x + dx];
			sf += f;
			sm += m;
			ff += f * f;
			mm += m * m;
			fm += f * m;
		}
		return (fm - sf * sm / n) / Math.sqrt((ff - sf * sf / n) * (mm - sm * sm / n));
	}

	/** Shift, score and share of the overlap by sums over the pixels that count. */
	@Test
	void masksAtTheEdgesOfAFrame() {
		final List<byte[]> masks = List.of(mask((x, y) -> x < 40 ? 1 : 0), mask((x, y) -> x >= W - 40 ? 1 : 0), mask((x, y) -> y < 34 ? 1 : 0),
			mask((x, y) -> y >= H - 34 ? 1 : 0), mask((x, y) -> x < 22 || x >= W - 22 || y < 20 || y >= H - 20 ? 1 : 0),
			mask((x, y) -> x < 48 && y >= H - 40 ? 1 : 0), mask((x, y) -> x == 0 || y == 0 || x == W - 1 || y == H - 1 ? 0 : 1));
		for (int k = 0; k < masks.size(); k++) {
			final byte[] mask = masks.get(k);
			final short[][] frames = frames(mask);
			final Drift drift = correction(mask).measure(DriftTexture.stack(frames, W, H));
			assertEquals("", drift.exceptions());
			assertEquals(0, drift.doubtful(), "mask " + k);
			for (int t = 1; t < T; t++) {
				final FrameShift f = drift.frames().get(t);
				final int[] s = shift(t);
				assertArrayEquals(new double[] { s[0], s[1] }, f.shift(), 0.05, "mask " + k);
				assertEquals(coefficient(frames[0], frames[t], mask, s[0], s[1]), f.score(), 1e-12, "mask " + k);
				assertEquals((double) common(mask, s[0], s[1]) / common(mask, 0, 0), f.overlap(), 1e-12, "mask " + k);
			}
		}
	}

	/** The mask counts in the mean of the corrected frames as well. */
	@Test
	void aMaskAtTheEdgeOfTheMean() {
		final byte[] mask = mask((x, y) -> x >= W - 50 ? 1 : 0);
		final List<FrameShift> found = correction(mask).reference(DriftReference.MEAN).measure(DriftTexture.stack(frames(mask), W, H)).frames();
		for (int t = 1; t < T; t++)
			for (int d = 0; d < 2; d++) assertEquals(shift(t)[d], found.get(t).shift()[d] - found.get(0).shift()[d], 0.05);
	}

	/** The smallest overlap is a share of the pixels that count, here an eighth of the frame. */
	@Test
	void aMaskSmallerThanAThirdOfAFrame() {
		for (final byte[] mask : List.of(mask((x, y) -> x >= 30 && x < 60 && y >= 25 && y < 57 ? 1 : 0), mask((x, y) -> x < 30 && y < 32 ? 1 : 0),
			mask((x, y) -> x >= W - 30 && y >= H - 32 ? 1 : 0))) {
			assertTrue(3 * common(mask, 0, 0) < W * H);
			final short[][] frames = frames(mask);
			final RandomAccessibleInterval<?> stack = DriftTexture.stack(frames, W, H);
			for (final double share : new double[] { 1 / 3.0, 0.9 }) {
				final List<FrameShift> found = correction(mask).minOverlap(share).measure(stack).frames();
				for (int t = 1; t < T; t++) {
					final int[] s = shift(t);
					final double overlap = (30.0 - s[0]) * (32 + s[1]) / (30 * 32);
					if (overlap >= share) {
						assertArrayEquals(new double[] { s[0], s[1] }, found.get(t).shift(), 0.1);
						assertEquals(overlap, found.get(t).overlap(), 1e-12);
						assertEquals(coefficient(frames[0], frames[t], mask, s[0], s[1]), found.get(t).score(), 1e-12);
					}
					else assertTrue(found.get(t).overlap() >= share - 1e-3, "overlap " + found.get(t).overlap() + " of at least " + share);
				}
			}
		}
	}

	/** A mask of the box, and a mask of the frame of which the box has a part, give the same; the score is that of the box. */
	@Test
	void aMaskInABox() {
		final byte[] mask = mask((x, y) -> x >= 10 && x < 60 && y >= 12 ? 1 : 0), box = new byte[60 * 60];
		for (int i = 0; i < box.length; i++) box[i] = mask[(i / 60 + 8) * W + i % 60 + 6];
		final short[][] frames = frames(mask);
		final byte[] both = mask((x, y) -> mask[y * W + x] != 0 && x >= 6 && x < 66 && y >= 8 && y < 68 ? 1 : 0);
		for (final RandomAccessibleInterval<UnsignedByteType> given : List.of(ArrayImgs.unsignedBytes(mask, W, H), ArrayImgs.unsignedBytes(box, 60, 60))) {
			final DriftCorrection inside = DriftCorrection.ofFrames(2).reference(DriftReference.FIRST).inside(Intervals.createMinSize(6, 8, 60, 60));
			final List<FrameShift> found = inside.imageMask(given).measure(DriftTexture.stack(frames, W, H)).frames();
			for (int t = 1; t < T; t++) {
				final int[] s = shift(t);
				assertArrayEquals(new double[] { s[0], s[1] }, found.get(t).shift(), 0.05);
				assertEquals(coefficient(frames[0], frames[t], both, s[0], s[1]), found.get(t).score(), 1e-12);
			}
		}
	}
}
