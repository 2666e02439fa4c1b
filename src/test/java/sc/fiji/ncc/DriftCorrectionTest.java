package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.JointChannels;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.FrameShift.State;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.store.DriftFile;

class DriftCorrectionTest {

	private static final int W = 96, H = 80, T = 24;
	private static final DriftTexture TEXTURE = new DriftTexture(260, 260, 1.5, 7);

	/** A stack whose content moves by shifts in eighths of a pixel. */
	private static short[][] frames(final int[][] eighths, final double photons, final long seed) {
		final Random random = new Random(seed);
		final short[][] frames = new short[eighths.length][];
		for (int t = 0; t < frames.length; t++)
			frames[t] = DriftTexture.photons(TEXTURE.frame(640 - eighths[t][0], 640 - eighths[t][1], W, H), photons, 0.3, random);
		return frames;
	}

	/** A random walk of up to half a pixel a frame. */
	private static int[][] walk(final int n, final long seed) {
		final Random random = new Random(seed);
		final int[][] walk = new int[n][2];
		for (int t = 1; t < n; t++)
			for (int d = 0; d < 2; d++) walk[t][d] = walk[t - 1][d] + random.nextInt(9) - 4;
		return walk;
	}

	private static double error(final Drift drift, final int[][] eighths, final int t) {
		double most = 0;
		for (int d = 0; d < 2; d++) most = Math.max(most, Math.abs(drift.frames().get(t).shift()[d] - (eighths[t][d] - eighths[0][d]) / 8.0));
		return most;
	}

	private static double worst(final Drift drift, final int[][] eighths) {
		double worst = 0;
		for (int t = 0; t < eighths.length; t++) worst = Math.max(worst, error(drift, eighths, t));
		return worst;
	}

	@Test
	void everyReferenceFindsTheDrift() {
		final int[][] walk = walk(T, 1);
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(frames(walk, 500, 2), W, H);
		for (final String reference : new String[] { "first", "previous", "mean", "multi" }) {
			final Drift drift = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measure(stack);
			assertTrue(worst(drift, walk) < (reference.equals("previous") ? 0.1 : 0.03), reference + ": " + worst(drift, walk));
			assertEquals("", drift.exceptions());
		}
	}

	/** The covariance of each frame predicts its error. With the reference previous it is an upper limit. */
	@Test
	@Tag("slow")
	void theCovarianceIsThatOfTheErrors() {
		for (final String reference : new String[] { "first", "previous", "mean", "multi" }) {
			double errors = 0, predicted = 0;
			for (int seed = 0; seed < 4; seed++) {
				final int[][] walk = walk(T, 30 + seed);
				final Drift drift = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measure(DriftTexture.stack(frames(walk, 100, 40 + seed), W, H));
				for (int t = 1; t < T; t++) for (int d = 0; d < 2; d++) {
					errors += Math.pow(drift.frames().get(t).shift()[d] - walk[t][d] / 8.0, 2);
					predicted += Math.pow(drift.frames().get(t).sigma(d), 2);
				}
			}
			final double ratio = Math.sqrt(predicted / errors);
			assertTrue(ratio > 0.75 && ratio < (reference.equals("previous") ? 4 : 1.4), reference + ": predicts " + ratio + " of the error");
		}
	}

	@Test
	void shiftsThatAreNotMeasuredHaveNoCovariance() {
		final int[][] walk = walk(T, 3);
		final short[][] frames = frames(walk, 500, 4);
		Arrays.fill(frames[6], (short) 3);
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(frames, W, H);
		final Drift drift = DriftCorrection.ofFrames(2).measure(stack);
		for (int t = 0; t < T; t++) assertEquals(t == 6, drift.frames().get(t).covariance() == null, "frame " + t);
		assertEquals(0, drift.frames().get(0).sigma(0), "the reference");
		for (final FrameShift f : DriftCorrection.ofFrames(2).smoothing(2).measure(stack).frames()) assertTrue(Double.isNaN(f.sigma(0)), "smoothed");
		final List<FrameShift> streamed = new ArrayList<>();
		DriftCorrection.ofFrames(2).measureEach(Frames.of(stack, 2), (i, f) -> streamed.add(f.shift()));
		for (int t = 0; t < T; t++) assertEquals(t == 6, streamed.get(t).covariance() == null, "frame " + t + " of the stream");
	}

	@Test
	void badFramesAreNamedAndDoNotBendTheirNeighbours() {
		final int[][] walk = walk(T, 3);
		final short[][] frames = frames(walk, 500, 4);
		// black, black with noise, blurred
		Arrays.fill(frames[6], (short) 3);
		final Random random = new Random(1);
		for (int i = 0; i < frames[12].length; i++) frames[12][i] = (short) (10 + random.nextInt(5));
		frames[18] = blurred(frames[18]);
		for (final String reference : new String[] { "first", "previous", "mean", "multi" }) {
			final Drift drift = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measure(DriftTexture.stack(frames, W, H));
			for (int t = 0; t < T; t++) {
				final double limit = t == 6 || t == 12 ? 1 : t == 18 ? 0.3 : 0.1;
				assertTrue(error(drift, walk, t) < limit, reference + ", frame " + t + ": " + error(drift, walk, t));
			}
			assertEquals(State.FLAT, drift.frames().get(6).state());
			assertEquals(State.LOST, drift.frames().get(12).state());
			assertEquals(State.OUTLIER, drift.frames().get(18).state());
			assertEquals("7 (flat), 13 (lost), 19 (outlier)", drift.exceptions());
		}
	}

	/**
	 * The shifts of the first frame that shows the object, and of the lost frames before it, are 0. The frame after lost ones is measured against the
	 * last good one.
	 */
	@Test
	void aChainStartsWithTheFirstFrameThatIsNotLost() {
		final int first = 5;
		final int[][] walk = walk(T, 3);
		final short[][] frames = frames(walk, 500, 4);
		final Random random = new Random(1);
		for (int t = 0; t < T; t++)
			if (t < first || t > 11 && t < 15) for (int i = 0; i < W * H; i++) frames[t][i] = (short) (10 + random.nextInt(5));
		for (final String reference : new String[] { "multi", "previous" }) {
			final Drift drift = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measure(DriftTexture.stack(frames, W, H));
			for (int t = 0; t < T; t++) {
				final FrameShift f = drift.frames().get(t);
				final String what = reference + ", frame " + t + ": " + Arrays.toString(f.shift()) + " " + f.state();
				assertEquals(t < first || t > 11 && t < 15, f.state().interpolated(), what);
				assertEquals(f.state().interpolated(), Double.isNaN(f.sigma(0)), what);
				for (int d = 0; d < 2; d++)
					assertEquals(t < first ? 0 : (walk[t][d] - walk[first][d]) / 8.0, f.shift()[d], t <= first ? 0 : t > 11 && t < 15 ? 1 : 0.1, what);
			}
		}
	}

	/** The first frame of a stream is its reference, also if it is lost. The first frame after lost ones has its shift. */
	@Test
	void aStreamBeginsWithTheFirstFrameThatIsNotLost() {
		final int first = 5;
		final int[][] walk = walk(T, 3);
		final short[][] frames = frames(walk, 500, 4);
		final Random random = new Random(1);
		for (int t = 0; t < first; t++) for (int i = 0; i < W * H; i++) frames[t][i] = (short) (10 + random.nextInt(5));
		final List<RandomAccessibleInterval<?>> list = new ArrayList<>();
		for (final short[] f : frames) list.add(ArrayImgs.unsignedShorts(f, W, H));
		for (final String reference : new String[] { "previous", "multi" })
			DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measureEach(list, (i, f) -> {
				final int t = (int) (long) i;
				assertEquals(t == 0 || t > first ? State.OK : State.DOUBTFUL, f.shift().state(), reference + ", frame " + t);
				for (int d = 0; d < 2; d++)
					assertEquals(t < first ? 0 : (walk[t][d] - walk[first][d]) / 8.0, f.shift().shift()[d], 0.1, reference + ", frame " + t);
			});
	}

	@Test
	void shiftsBetweenFramesOfNoiseAreDoubtful() {
		final Random random = new Random(3);
		final short[][] noise = new short[12][W * H];
		for (final short[] frame : noise) for (int i = 0; i < frame.length; i++) frame[i] = (short) random.nextInt(1000);
		for (final String reference : new String[] { "first", "previous", "multi" }) {
			final Drift drift = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measure(DriftTexture.stack(noise, W, H));
			assertTrue(drift.doubtful() >= 11, reference + ": " + drift.doubtful());
			// a doubtful frame takes the shift of its neighbours, and stays where it is if there is none
			if (drift.doubtful() == 12) assertEquals(0, drift.largest(0) + drift.largest(1), reference);
			final Drift moved = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).moveDoubtful(true).measure(DriftTexture.stack(noise, W, H));
			assertEquals(drift.doubtful(), moved.doubtful(), reference);
			assertTrue(moved.largest(0) > 2, reference);
			assertEquals(0, DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measure(DriftTexture.stack(frames(walk(T, 1), 100, 2), W, H)).doubtful(), reference);
		}
	}

	/** The mean of 9x9 pixels. */
	private static short[] blurred(final short[] frame) {
		final short[] to = new short[frame.length];
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++) {
				int sum = 0, n = 0;
				for (int j = Math.max(0, y - 4); j <= Math.min(H - 1, y + 4); j++)
					for (int i = Math.max(0, x - 4); i <= Math.min(W - 1, x + 4); i++, n++) sum += frame[j * W + i];
				to[y * W + x] = (short) (sum / n);
			}
		return to;
	}

	/** Not even in the last digit, also if frames are missing in their batches. */
	@Test
	@Tag("slow")
	void theNumberOfThreadsDoesNotMatter() {
		final short[][] frames = frames(walk(T, 3), 300, 4);
		Arrays.fill(frames[6], (short) 3);
		frames[11] = blurred(frames[11]);
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(frames, W, H);
		for (final String reference : new String[] { "first", "previous", "mean", "multi", "3" }) {
			final List<String> texts = new ArrayList<>();
			for (final int threads : new int[] { 1, 2, 3 }) texts.add(DriftFile.text(DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).threads(threads).measure(stack)));
			assertEquals(texts.get(0), texts.get(1), reference);
			assertEquals(texts.get(0), texts.get(2), reference);
		}
	}

	@Test
	@Tag("slow")
	void jumpsAreFound() {
		final int[] jump = { 5 * 8, 50 * 8, -(int) (0.4 * W) * 8 };
		for (final int j : jump) {
			final int[][] walk = walk(T, 5);
			for (int t = 10; t < T; t++) walk[t][0] += j;
			for (final String reference : new String[] { "first", "previous", "multi" }) {
				final Drift drift = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measure(DriftTexture.stack(frames(walk, 300, 6), W, H));
				assertTrue(worst(drift, walk) < 0.12, reference + ", jump of " + j / 8 + " pixels: " + worst(drift, walk) + " " + drift.exceptions());
			}
		}
	}

	@Test
	@Tag("slow")
	void manyReferencesBeatThePreviousFrame() {
		final int[][] walk = walk(200, 7);
		for (int t = 0; t < walk.length; t++) for (int d = 0; d < 2; d++) walk[t][d] = Math.floorMod(walk[t][d] + 100, 200) - 100;
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(frames(walk, 50, 8), W, H);
		final double[] rms = new double[2];
		for (int r = 0; r < 2; r++) {
			final Drift drift = DriftCorrection.ofFrames(2).reference(r == 0 ? DriftReference.PREVIOUS : DriftReference.MULTI).measure(stack);
			for (int t = 0; t < walk.length; t++) rms[r] += Math.pow(error(drift, walk, t), 2) / walk.length;
			rms[r] = Math.sqrt(rms[r]);
		}
		assertTrue(rms[1] < 0.7 * rms[0] && rms[1] < 0.04, rms[0] + " and " + rms[1]);
	}

	@Test
	void aStreamFindsWhatAStackFinds() {
		final int[][] walk = walk(T, 9);
		final short[][] frames = frames(walk, 500, 10);
		Arrays.fill(frames[6], (short) 3);
		final List<RandomAccessibleInterval<?>> list = new ArrayList<>();
		for (final short[] f : frames) list.add(ArrayImgs.unsignedShorts(f, W, H));
		for (final String reference : new String[] { "first", "previous", "multi" }) {
			final List<FrameShift> found = new ArrayList<>();
			DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).measureEach(list, (i, f) -> {
				assertEquals(found.size(), i);
				found.add(f.shift());
			});
			final Drift drift = new Drift(new long[] { W, H }, reference, found);
			for (int t = 0; t < T; t++) assertTrue(error(drift, walk, t) < (t == 6 ? 1 : 0.1), reference + " " + t + " " + error(drift, walk, t));
			assertEquals("7 (flat)", drift.exceptions());
		}
	}

	/** Frames come when they are asked for, leave after a few others, and are not kept. */
	@Test
	void aStreamIsAFewFramesBehindAndKeepsNone() {
		final int[][] walk = walk(60, 19);
		final List<WeakReference<RandomAccessibleInterval<?>>> read = new ArrayList<>();
		final int threads = 2;
		final Iterable<RandomAccessibleInterval<?>> stream = () -> new Iterator<>() {

			@Override
			public boolean hasNext() {
				return read.size() < walk.length;
			}

			@Override
			public RandomAccessibleInterval<?> next() {
				final RandomAccessibleInterval<?> frame = ArrayImgs.unsignedShorts(frames(new int[][] { walk[read.size()] }, 500, read.size())[0], W, H);
				read.add(new WeakReference<>(frame));
				return frame;
			}
		};
		final int[] kept = { 0 };
		DriftCorrection.ofFrames(2).threads(threads).measureEach(stream, (i, f) -> {
			assertTrue(read.size() - i <= 2 * threads + 1, read.size() + " frames were read before frame " + i + " left");
			if (i != 50) return;
			for (int attempt = 0; attempt < 50; attempt++) {
				System.gc();
				kept[0] = (int) read.stream().filter(r -> r.get() != null).count();
				if (kept[0] <= 2 * threads + 1) return;
			}
		});
		assertEquals(60, read.size());
		assertTrue(kept[0] > 0 && kept[0] <= 2 * threads + 1, kept[0] + " of 50 frames are kept");
	}

	@Test
	void volumesByThemselvesAndByProjections() {
		final double[][] shifts = { { 0, 0, 0 }, { 0.5, -0.3, 0.4 }, { 1.25, 0.6, -0.8 }, { -2.5, 1.4, 1.7 } };
		final RandomAccessibleInterval<UnsignedShortType> stack = new MovingTexture(3, 3).stack(new UnsignedShortType(), shifts, new long[] { 44, 40, 36 }, 1000, 150, 10);
		for (final boolean projections : new boolean[] { false, true }) {
			final Drift drift = DriftCorrection.ofFrames(3).projections(projections).maxShift(6, 6, 6).measure(stack);
			for (int t = 0; t < shifts.length; t++) assertArrayEquals(shifts[t], drift.frames().get(t).shift(), projections ? 0.15 : 0.02, "projections: " + projections);
		}
	}

	@Test
	void regionsMasksAndJointChannels() {
		final int[][] walk = walk(8, 11);
		final short[][] frames = frames(walk, 500, 12);
		final short[][] spoiled = new short[frames.length][];
		// a label that does not move covers the right half
		for (int t = 0; t < frames.length; t++) {
			spoiled[t] = frames[t].clone();
			for (int i = 0; i < W * H; i++) if (i % W >= W / 2 + 8) spoiled[t][i] = (short) (i * 7919 % 3000);
		}
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(spoiled, W, H);
		final DriftCorrection first = DriftCorrection.ofFrames(2).reference(DriftReference.FIRST);
		assertTrue(worst(first.measure(stack), walk) > 0.2, "the label holds the frames");
		assertTrue(worst(first.inside(Intervals.createMinSize(0, 0, W / 2 + 8, H)).measure(stack), walk) < 0.05);
		final byte[] mask = new byte[W * H];
		for (int i = 0; i < mask.length; i++) mask[i] = (byte) (i % W < W / 2 + 8 ? 255 : 0);
		assertTrue(worst(first.inside(null).imageMask(ArrayImgs.unsignedBytes(mask, W, H)).measure(stack), walk) < 0.05);
		// the second channel shows nothing that moves
		final short[][] dark = frames(new int[walk.length][2], 5, 13);
		for (final short[] d : dark) for (int i = 0; i < d.length; i++) d[i] = (short) (i * 31 % 7);
		final RandomAccessibleInterval<UnsignedShortType> two = Views.permute(Views.stack(DriftTexture.stack(frames, W, H), DriftTexture.stack(frames(walk, 100, 14), W, H)), 2, 3);
		final RandomAccessibleInterval<?> joint = JointChannels.of(two, 2, List.of(0L, 1L), 2);
		assertTrue(worst(DriftCorrection.ofFrames(2).measure(joint), walk) < 0.03);
		final Drift whole = DriftCorrection.ofFrames(2).measure(joint), split = DriftCorrection.ofFrames(2).measure(JointImage.of(two, 2));
		for (int t = 0; t < walk.length; t++) assertArrayEquals(whole.frames().get(t).shift(), split.frames().get(t).shift(), "a joint image is measured as its channels");
		final List<double[]> shifts = new ArrayList<>();
		DriftCorrection.ofFrames(2).reference(DriftReference.FIRST).measureEach(Frames.of(JointImage.of(two, 2), 2), (i, f) -> shifts.add(f.shift().shift()));
		for (int t = 0; t < walk.length; t++) assertEquals((walk[t][0] - walk[0][0]) / 8.0, shifts.get(t)[0], 0.05);
		assertEquals("a frame has 1 channel, and the first frame has 2: give frames of as many channels", assertThrows(IllegalArgumentException.class, () -> DriftCorrection.ofFrames(2)
			.measure(List.of(Frames.of(JointImage.of(two, 2), 2).get(0), Frames.of(stack, 2).get(1)))).getMessage());
		assertEquals("channel 3 does not exist: the image has 2 channels", assertThrows(IllegalArgumentException.class,
			() -> JointChannels.of(two, 2, List.of(2L), 2)).getMessage());
	}

	@Test
	void aFrameAsReferenceAndSmoothing() {
		final int[][] walk = walk(T, 15);
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(frames(walk, 500, 16), W, H);
		final Drift drift = DriftCorrection.ofFrames(2).reference(DriftReference.frame(7)).measure(stack);
		assertArrayEquals(new double[] { 0, 0 }, drift.frames().get(7).shift(), 1e-6);
		for (int t = 0; t < T; t++) assertEquals((walk[t][0] - walk[7][0]) / 8.0, drift.frames().get(t).shift()[0], 0.03);
		final Drift smooth = DriftCorrection.ofFrames(2).reference(DriftReference.frame(7)).smoothing(3).measure(stack);
		double rough = 0, even = 0;
		for (int t = 1; t < T; t++) {
			rough += Math.abs(drift.frames().get(t).shift()[0] - drift.frames().get(t - 1).shift()[0]);
			even += Math.abs(smooth.frames().get(t).shift()[0] - smooth.frames().get(t - 1).shift()[0]);
		}
		assertTrue(even < rough / 2);
	}

	@Test
	void badInputIsRefusedInOneLine() {
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(frames(walk(4, 17), 100, 18), W, H), flat = ArrayImgs.unsignedShorts(W, H, 3);
		refuses("the image of 96x80 has one frame", () -> DriftCorrection.ofFrames(2).measure(Views.hyperSlice(stack, 2, 0)));
		refuses("there is one frame", () -> DriftCorrection.ofFrames(2).measure(Views.interval(stack, Intervals.createMinSize(0, 0, 0, W, H, 1))));
		refuses("all 3 frames are flat", () -> DriftCorrection.ofFrames(2).measure(flat));
		refuses("the reference frame is flat", () -> DriftCorrection.ofFrames(2).reference(DriftReference.frame(1)).measure(flat));
		refuses("the reference is frame 5: there are only 4 frames", () -> DriftCorrection.ofFrames(2).reference(DriftReference.frame(4)).measure(stack));
		refuses("the mask of 96x80 is 0 everywhere", () -> DriftCorrection.ofFrames(2).imageMask(ArrayImgs.unsignedBytes(W, H)).measure(stack));
		refuses("a frame is 40x40, and the first frame is 96x80", () -> DriftCorrection.ofFrames(2).measure(List.of(Views.hyperSlice(stack, 2, 0), ArrayImgs.unsignedShorts(40, 40))));
		refuses("the box [0, 0]..[96, 10] extends beyond frames of 96x80", () ->
			DriftCorrection.ofFrames(2).inside(Intervals.createMinMax(0, 0, 96, 10)).measure(stack));
		refuses("the reference mean needs all frames", () -> DriftCorrection.ofFrames(2).reference(DriftReference.MEAN).measureEach(List.of(Views.hyperSlice(stack, 2, 0)), (i, f) -> {}));
		final Drift still = DriftCorrection.ofFrames(2).maxShift(0, 0).measure(stack);
		for (final FrameShift f : still.frames()) assertArrayEquals(new double[2], f.shift());
	}

	private static void refuses(final String message, final Executable call) {
		final String said = assertThrows(IllegalArgumentException.class, call).getMessage();
		assertTrue(said.startsWith(message) && !said.contains("\n"), said);
	}

	@Test
	void aCanceledMeasurementStops() {
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(frames(walk(4, 17), 100, 18), W, H);
		assertThrows(CancellationException.class, () -> DriftCorrection.ofFrames(2).monitor(new Monitor() {

			@Override
			public boolean canceled() {
				return true;
			}
		}).measure(stack));
	}
}
