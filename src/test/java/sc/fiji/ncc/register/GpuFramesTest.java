package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.cuda.driver.GpuMemory;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.NccException;

/** Shifts that a GPU measures, against those of the CPU. Skipped, with the reason, without a GPU. */
@Tag("gpu")
class GpuFramesTest {

	/** The largest difference of shifts in pixels. */
	private static final double TOLERANCE = 1e-3;
	/**
	 * The largest differences of covariances: of the shape of the ellipse; of the sum of the variances, as a share; and in square pixels, because a frame against itself leaves rounding errors. The last steps
	 * differ by rounding, and with them their rate, by which the whole covariance is scaled.
	 */
	private static final double SHAPE = 0.03, SCALE = 0.2, ROUNDING = 1e-12;
	private static final DriftTexture TEXTURE = new DriftTexture(420, 420, 1.5, 7);

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	private static short[] frame(final int dx, final int dy, final int w, final int h, final double photons, final Random random) {
		return DriftTexture.photons(TEXTURE.frame(640 - dx, 640 - dy, w, h), photons, 0.3, random);
	}

	private static short[][] walk(final int n, final int w, final int h, final double photons, final long seed) {
		final Random random = new Random(seed);
		final short[][] frames = new short[n][];
		int x = 0, y = 0;
		for (int t = 0; t < n; t++) {
			if (t == 2 * n / 3) x += 8 * w / 5;
			frames[t] = frame(x, y, w, h, photons, random);
			x += random.nextInt(9) - 4;
			y += random.nextInt(9) - 4;
		}
		return frames;
	}

	private static void compare(final RandomAccessibleInterval<?> fixed, final RandomAccessibleInterval<?> moving, final String what) {
		compare(fixed, moving, 0, what);
	}

	/** @param ofScores the tolerance of scores: exact for whole numbers; floats are added up in another order */
	private static void compare(final RandomAccessibleInterval<?> fixed, final RandomAccessibleInterval<?> moving, final double ofScores, final String what) {
		for (final boolean subpixel : new boolean[] { false, true }) {
			final Alignment cpu = Registration.of(fixed).backend("cpu").subpixel(subpixel).peaks(4).register(moving);
			final Alignment gpu = Registration.of(fixed).backend("cuda").subpixel(subpixel).peaks(4).register(moving);
			assertArrayEquals(cpu.shift(), gpu.shift(), subpixel ? TOLERANCE : 0, what);
			assertEquals(cpu.score(), gpu.score(), ofScores, what + ": an exact score");
			assertEquals(cpu.overlap(), gpu.overlap(), 1e-12, what);
			assertEquals(cpu.edge(), gpu.edge(), what);
			assertEquals(cpu.covariance() == null, gpu.covariance() == null, what);
			if (gpu.covariance() != null) sameCovariance(cpu.covariance(), gpu.covariance(), what);
			assertEquals(cpu.peaks().size(), gpu.peaks().size(), what);
			for (int i = 0; i < cpu.peaks().size(); i++) assertEquals(cpu.peaks().get(i).score(), gpu.peaks().get(i).score(), 1e-6, what + ", peak " + i);
		}
	}

	private static void sameCovariance(final double[][] a, final double[][] b, final String what) {
		final String both = what + ": covariance " + Arrays.deepToString(a) + " on the CPU, " + Arrays.deepToString(b);
		final double ofCpu = a[0][0] + a[1][1], ofGpu = b[0][0] + b[1][1];
		assertEquals(ofCpu, ofGpu, SCALE * ofCpu + ROUNDING, both);
		if (ofCpu < ROUNDING) return;
		for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) assertEquals(a[i][j] / ofCpu, b[i][j] / ofGpu, SHAPE, both);
	}

	@Test
	void twoImagesHaveTheShiftOfTheCpu() {
		compareShifts(new int[][] { { 96, 80 }, { 300, 260 }, { 40, 90 }, { 200, 64 } });
	}

	@Test
	void smallImagesHaveTheShiftOfTheCpu() {
		compareShifts(new int[][] { { 23, 31 }, { 16, 17 }, { 34, 60 } });
	}

	private static void compareShifts(final int[][] sizes) {
		final Random random = new Random(1);
		for (final int[] size : sizes)
			for (final double photons : new double[] { 20, 1000 })
				for (int i = 0; i < 3; i++) {
					final int dx = random.nextInt(4 * size[0]) - 2 * size[0], dy = random.nextInt(4 * size[1]) - 2 * size[1];
					final RandomAccessibleInterval<?> a = ArrayImgs.unsignedShorts(frame(0, 0, size[0], size[1], photons, random), size[0], size[1]);
					compare(a, ArrayImgs.unsignedShorts(frame(dx, dy, size[0], size[1], photons, random), size[0], size[1]), Arrays.toString(size) + " " + photons + " " + dx + " " + dy);
				}
	}

	@Test
	void imagesOfDifferentSizesAndTypes() {
		final Random random = new Random(2);
		final short[] a = frame(0, 0, 120, 100, 100, random), b = frame(-37, 21, 64, 150, 100, random);
		compare(ArrayImgs.unsignedShorts(a, 120, 100), ArrayImgs.unsignedShorts(b, 64, 150), "sizes");
		final byte[] small = new byte[a.length];
		final short[] signed = new short[b.length];
		for (int i = 0; i < a.length; i++) small[i] = (byte) Math.min(255, a[i]);
		for (int i = 0; i < b.length; i++) signed[i] = (short) (b[i] * 100 - 20_000);
		compare(ArrayImgs.unsignedBytes(small, 120, 100), ArrayImgs.shorts(signed, 64, 150), "8 bit, signed 16 bit");
		for (int i = 0; i < b.length; i++) signed[i] = (short) (40_000 + b[i] / 30);
		compare(ArrayImgs.unsignedBytes(small, 120, 100), ArrayImgs.unsignedShorts(signed, 64, 150), "little contrast on a large offset");
	}

	/** A GPU reads 8- and 16-bit integers. Frames of another type that come later are no such integers. */
	@Test
	void framesOfOtherTypesAreNoIntegers() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (final short[] frame : walk(20, 64, 64, 300, 4)) frames.add(ArrayImgs.unsignedShorts(frame, 64, 64));
		frames.set(18, Converters.convert(ArrayImgs.unsignedShorts(walk(20, 64, 64, 300, 4)[18], 64, 64), (in, out) -> out.set(in.get()), new FloatType()));
		final String message = assertThrows(NccException.class, () -> DriftCorrection.ofFrames(2).backend("cuda").measure(frames)).getMessage();
		assertTrue(message.contains("frames of U16 and F32 cannot be measured together on a GPU"), message);
	}

	@Test
	void flatImagesAndLittleMemory() {
		final short[] flat = new short[64 * 64], noise = frame(0, 0, 64, 64, 100, new Random(3));
		assertTrue(assertThrows(IllegalArgumentException.class, () -> Registration.of(ArrayImgs.unsignedShorts(noise, 64, 64)).backend("cuda").register(ArrayImgs.unsignedShorts(flat, 64, 64)))
			.getMessage().startsWith("the moving image of 64x64 is flat"));
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(walk(20, 128, 128, 300, 4), 128, 128);
		// the GPU has no memory for the work, and no other backend may compute
		GpuMemory.limit(1 << 20);
		try {
			final String message = assertThrows(NccException.class, () -> DriftCorrection.ofFrames(2).backend("cuda").measure(stack)).getMessage();
			assertTrue(message.startsWith("every candidate failed") && message.contains("memory"), message);
		}
		finally {
			GpuMemory.limit(Long.MAX_VALUE);
		}
	}

	/** Holes in one frame only: single pixels and a disc, in planes and in volumes. */
	@Test
	void missingPixelsOfOneFrameOnly() {
		final Random random = new Random(12);
		for (final int[] size : new int[][] { { 300, 260, 1 }, { 64, 200, 1 }, { 30, 34, 1 }, { 48, 44, 20 } })
			for (int i = 0; i < 4; i++) {
				final int dx = random.nextInt(41) - 20, dy = random.nextInt(41) - 20, period = i < 2 ? 400 : 40;
				final float[] f = layers(0, 0, size, random), m = layers(dx, dy, size, random);
				holes(i % 2 == 0 ? f : m, size, period, random);
				final long[] extents = size[2] == 1 ? new long[] { size[0], size[1] } : new long[] { size[0], size[1], size[2] };
				compare(ArrayImgs.floats(f, extents), ArrayImgs.floats(m, extents), 1e-12,
					"only the " + (i % 2 == 0 ? "fixed" : "moving") + " frame with holes, one of " + period + ", " + Arrays.toString(size) + ", pair " + i);
			}
	}

	private static float[] layers(final int dx, final int dy, final int[] size, final Random random) {
		final int plane = size[0] * size[1];
		final float[] all = new float[plane * size[2]];
		for (int z = 0; z < size[2]; z++) {
			final short[] layer = DriftTexture.photons(TEXTURE.frame(400 - dx + 9 * z * z, 400 - dy, size[0], size[1]), 300, 0.3, random);
			for (int i = 0; i < plane; i++) all[z * plane + i] = 0.37f * layer[i] - 20;
		}
		return all;
	}

	private static void holes(final float[] frame, final int[] size, final int period, final Random random) {
		for (int i = 0; i < frame.length; i++) {
			final int x = i % size[0] - size[0] / 3, y = i / size[0] % size[1] - size[1] / 3;
			if (random.nextInt(period) == 0 || x * x + y * y < size[0]) frame[i] = Float.NaN;
		}
	}

	private static void same(final Drift cpu, final Drift gpu, final String what) {
		same(cpu, gpu, what, TOLERANCE);
	}

	private static void same(final Drift cpu, final Drift gpu, final String what, final double tolerance) {
		assertEquals(cpu.exceptions(), gpu.exceptions(), what);
		for (int t = 0; t < cpu.frames().size(); t++) {
			final FrameShift a = cpu.frames().get(t), b = gpu.frames().get(t);
			assertArrayEquals(a.shift(), b.shift(), tolerance, what + ", frame " + t);
			assertEquals(a.state(), b.state(), what + ", frame " + t);
			assertEquals(a.covariance() == null, b.covariance() == null, what + ", frame " + t);
			if (a.covariance() != null) sameCovariance(a.covariance(), b.covariance(), what + ", frame " + t);
		}
	}

	@Test
	void stacksHaveTheDriftOfTheCpu() {
		for (final int[] size : new int[][] { { 96, 80 }, { 256, 256 } })
			for (final String reference : new String[] { "first", "previous", "multi", "mean", "8" }) {
				final short[][] frames = walk(40, size[0], size[1], 300, 5);
				Arrays.fill(frames[6], (short) 3);
				for (int i = 0; i < frames[12].length; i++) frames[12][i] = (short) (10 + i * 31 % 5);
				final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(frames, size[0], size[1]);
				for (final int threads : new int[] { 1, 8 }) {
					final DriftCorrection correction = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).threads(threads);
					final String what = reference + " " + Arrays.toString(size) + ", " + threads + " threads";
					// the means of both backends differ a little, and the CPU ends its steps at another place
					same(correction.backend("cpu").measure(stack), correction.backend("cuda").measure(stack), what, reference.equals("mean") ? 2 * TOLERANCE : TOLERANCE);
					final Drift whole = correction.subpixel(false).backend("cpu").measure(stack), gpu = correction.backend("cuda").measure(stack);
					if (reference.equals("first") || reference.equals("8"))
						for (int t = 0; t < frames.length; t++) assertArrayEquals(whole.frames().get(t).shift(), gpu.frames().get(t).shift(), 0.0,
							what + ", whole pixels, frame " + t);
				}
			}
	}

	/** Drift of floats with masks, of joint channels, of volumes and of projections, on one GPU, against the CPU. */
	@Test
	void stacksOfEveryKindHaveTheDriftOfTheCpu() {
		final int n = 12, w = 90, h = 70;
		final short[][] walk = walk(n, w, h, 300, 9);
		final List<RandomAccessibleInterval<?>> floats = new ArrayList<>(), joint = new ArrayList<>(), volumes = new ArrayList<>();
		final Random random = new Random(10);
		for (int t = 0; t < n; t++) {
			final RandomAccessibleInterval<UnsignedShortType> frame = ArrayImgs.unsignedShorts(walk[t], w, h);
			final float[] values = new float[w * h];
			for (int i = 0; i < values.length; i++) values[i] = (i * 7 + t) % 211 == 0 ? Float.NaN : 1000 + 0.37f * walk[t][i];
			floats.add(ArrayImgs.floats(values, w, h));
			final short[] second = new short[w * h]; // kept: every read of a frame must give the same values
			for (int i = 0; i < second.length; i++) second[i] = (short) (3 * walk[t][i] + random.nextInt(40));
			joint.add(JointImage.of(List.of(frame, ArrayImgs.unsignedShorts(second, w, h))));
			final short[] volume = new short[40 * 36 * 20];
			for (int z = 0; z < 20; z++)
				System.arraycopy(DriftTexture.photons(TEXTURE.frame(300 - 5 * t, 300 + 7 * z * z + 3 * t, 40, 36), 300, 0.3, random), 0, volume, z * 40 * 36, 40 * 36);
			volumes.add(ArrayImgs.unsignedShorts(volume, 40, 36, 20));
		}
		final byte[] mask = new byte[w * h];
		for (int i = 0; i < mask.length; i++) mask[i] = (byte) (i % 13 == 0 || i % w < 6 ? 0 : 1);
		for (final String reference : new String[] { "first", "multi", "mean" }) {
			compareDrift(DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)), floats, reference + ", floats with holes");
			compareDrift(DriftCorrection.ofFrames(2).imageMask(ArrayImgs.unsignedBytes(mask, w, h)).reference(DriftReference.of(reference)), floats,
				reference + ", masked floats");
			compareDrift(DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)), joint, reference + ", joint channels");
			compareDrift(DriftCorrection.ofFrames(3).maxShift(12, 12, 4).reference(DriftReference.of(reference)), volumes, reference + ", volumes");
			if (!reference.equals("mean")) compareDrift(DriftCorrection.ofFrames(3).projections(true).reference(DriftReference.of(reference)),
				volumes, reference + ", projections");
		}
	}

	private static void compareDrift(final DriftCorrection correction, final List<RandomAccessibleInterval<?>> frames, final String what) {
		final Drift cpu = correction.backend("cpu").measure(frames), gpu = correction.backend("cuda").measure(frames);
		for (int t = 0; t < frames.size(); t++) {
			assertArrayEquals(cpu.frames().get(t).shift(), gpu.frames().get(t).shift(), 3 * TOLERANCE, what + ", frame " + t);
			assertEquals(cpu.frames().get(t).state(), gpu.frames().get(t).state(), what + ", frame " + t);
			assertEquals(cpu.frames().get(t).score(), gpu.frames().get(t).score(), 1e-6, what + ", frame " + t);
		}
	}

	@Test
	void streamsHaveTheDriftOfTheCpuAndLeaveNoMemory() {
		final RandomAccessibleInterval<UnsignedShortType> stack = DriftTexture.stack(walk(60, 128, 100, 300, 8), 128, 100);
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int t = 0; t < 60; t++) frames.add(Views.hyperSlice(stack, 2, t));
		for (final String reference : new String[] { "first", "previous", "multi" }) {
			final List<List<FrameShift>> both = new ArrayList<>();
			for (final String backend : new String[] { "cpu", "cuda" }) {
				final List<FrameShift> found = new ArrayList<>();
				DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).threads(4).backend(backend).measureEach(frames, (i, f) -> found.add(f.shift()));
				both.add(found);
			}
			same(new Drift(new long[] { 128, 100 }, reference, both.get(0)), new Drift(new long[] { 128, 100 }, reference, both.get(1)), reference);
		}
		GpuMemory.limit(Long.MAX_VALUE);
		assertEquals(0, GpuMemory.onGpu(), "bytes on the GPU after the streams");
	}
}
