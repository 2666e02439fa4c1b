package sc.fiji.ncc.register.correct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.frame.CpuSampler;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.result.Deformation;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

class CorrectedStackTest {

	private static Drift drift(final long[] size, final double[]... shifts) {
		final List<FrameShift> frames = new ArrayList<>();
		for (int t = 0; t < shifts.length; t++) frames.add(new FrameShift(t, shifts[t], 1, 1, 0, Double.NaN, false, FrameShift.State.OK));
		return new Drift(size, "first", frames);
	}

	private static double at(final RandomAccessibleInterval<?> image, final long... place) {
		return ((RealType<?>) image.getAt(place)).getRealDouble();
	}

	@Test
	void wholeShiftsMovePixelsUnchanged() {
		final byte[] pixels = new byte[7 * 5 * 2];
		new Random(1).nextBytes(pixels);
		final RandomAccessibleInterval<UnsignedByteType> stack = ArrayImgs.unsignedBytes(pixels, 7, 5, 2);
		// every interpolation copies pixels at whole shifts; INTEGER rounds the others
		for (final Interpolation i : Interpolation.values()) {
			final double rest = i == Interpolation.INTEGER ? 0.4 : 0;
			final Img<?> corrected = CorrectedStack.of(stack, 2, drift(new long[] { 7, 5 }, new double[2], new double[] { 2 + rest, -1 }),
				i, new Outside(Outside.Kind.CONSTANT, 9), CpuSampler.INSTANCE);
			assertTrue(corrected.getType() instanceof UnsignedByteType);
			for (int y = 0; y < 5; y++)
				for (int x = 0; x < 7; x++) {
					assertEquals(at(stack, x, y, 0), at(corrected, x, y, 0));
					assertEquals(x + 2 < 7 && y >= 1 ? at(stack, x + 2, y - 1, 1) : 9, at(corrected, x, y, 1), i + " at " + x + ", " + y);
				}
		}
	}

	/** Frames of a texture that moves are equal after their correction. */
	@Test
	void fractionsAreInterpolated() {
		final double[][] shifts = { { 0, 0 }, { 1.3, -0.6 }, { -2.5, 0.25 } };
		final RandomAccessibleInterval<FloatType> stack = new MovingTexture(2, 2).stack(new FloatType(), shifts, new long[] { 40, 36 }, 100, 10, 0);
		final double[] limits = { 15, 2.2, 0.5, 0.35, 0.25 };
		for (final Interpolation i : Interpolation.values()) {
			final Img<?> corrected = CorrectedStack.of(stack, 2, drift(new long[] { 40, 36 }, shifts), i, Outside.EDGE, CpuSampler.INSTANCE);
			double worst = 0;
			for (int t = 1; t < 3; t++)
				for (int y = 6; y < 30; y++)
					for (int x = 6; x < 34; x++) worst = Math.max(worst, Math.abs(at(corrected, x, y, t) - at(stack, x, y, 0)));
			assertTrue(worst < limits[i.ordinal()], i + ": " + worst);
			assertTrue(i == Interpolation.INTEGER || worst > 0);
		}
	}

	/** The strength of white noise stays, and the opposite shift restores it, away from the border. */
	@Test
	void fourierInterpolationKeepsNoiseInPlanesAndVolumes() {
		final Random random = new Random(3);
		for (final long[] size : new long[][] { { 61, 50 }, { 34, 29, 26 } }) {
			final int n = size.length;
			final long[] one = Arrays.copyOf(size, n + 1);
			one[n] = 1;
			final double[] noise = random.doubles(Arrays.stream(size).reduce(1, (a, b) -> a * b)).toArray(), shift = { 0.5, -1.3, 0.4 }, opposite = { -0.5, 1.3, -0.4 };
			final RandomAccessibleInterval<?> stack = ArrayImgs.doubles(noise, one);
			final Img<?> moved = CorrectedStack.of(stack, n, drift(size, Arrays.copyOf(shift, n)), Interpolation.FOURIER, Outside.EDGE, CpuSampler.INSTANCE);
			final Img<?> back = CorrectedStack.of(moved, n, drift(size, Arrays.copyOf(opposite, n)), Interpolation.FOURIER, Outside.EDGE, CpuSampler.INSTANCE);
			final long[] place = new long[n + 1];
			double error = 0, square = 0, count = 0;
			for (int i = 0; i < noise.length; i++) {
				boolean inside = true;
				for (int d = 0, rest = i; d < n; d++) {
					place[d] = rest % size[d];
					inside &= place[d] >= 8 && place[d] < size[d] - 8;
					rest /= (int) size[d];
				}
				if (!inside) continue;
				error += Math.pow(at(back, place) - noise[i], 2);
				square += Math.pow(at(moved, place) - 0.5, 2);
				count++;
			}
			assertTrue(Math.sqrt(error / count) < 0.05, n + " dimensions: " + Math.sqrt(error / count));
			// a uniform variable has a variance of 1/12
			assertEquals(1 / 12.0, square / count, 0.01, n + " dimensions");
		}
	}

	@Test
	void fourierInterpolationRefusesPixelsThatAreNotFinite() {
		final float[] pixels = new float[20 * 20 * 2];
		pixels[50] = Float.NaN;
		final Img<?> corrected = CorrectedStack.of(ArrayImgs.floats(pixels, 20, 20, 2), 2, drift(new long[] { 20, 20 },
			new double[] { 0.5, 0 }, new double[2]), Interpolation.FOURIER, Outside.EDGE, CpuSampler.INSTANCE);
		Throwable cause = assertThrows(RuntimeException.class, () -> at(corrected, 3, 3, 0));
		while (cause.getCause() != null) cause = cause.getCause();
		assertEquals("a frame has a pixel that is NaN, which Fourier interpolation spreads over the frame: choose another interpolation, such as cubic", cause.getMessage());
		assertEquals(0, at(corrected, 3, 3, 1), "a frame at rest is copied");
	}

	@Test
	void overshootIsClipped() {
		final byte[] edge = new byte[12 * 3 * 2];
		for (int i = 0; i < edge.length; i++) edge[i] = (byte) (i % 12 < 6 ? 0 : 255);
		final Img<?> corrected = CorrectedStack.of(ArrayImgs.unsignedBytes(edge, 12, 3, 2), 2, drift(new long[] { 12, 3 }, new double[2], new double[] { 0.5, 0 }),
			Interpolation.LANCZOS, Outside.EDGE, CpuSampler.INSTANCE);
		for (int x = 0; x < 12; x++) {
			final double v = at(corrected, x, 1, 1);
			assertTrue(x < 5 ? v < 40 : x > 5 ? v > 215 : v > 100 && v < 155, "pixel " + x + " is " + v);
		}
	}

	@Test
	void borders() {
		final RandomAccessibleInterval<FloatType> stack = ArrayImgs.floats(new float[] { 1, 2, 3, 4, 5, 6, 7, 8 }, 4, 1, 2);
		final Drift drift = drift(new long[] { 4, 1 }, new double[] { 0, 0 }, new double[] { 1, 0 });
		assertArrayEquals(new double[] { 6, 7, 8, 8 }, row(CorrectedStack.of(stack, 2, drift, Interpolation.LINEAR, Outside.EDGE, CpuSampler.INSTANCE), 1));
		assertArrayEquals(new double[] { 6, 7, 8, -5 }, row(CorrectedStack.of(stack, 2, drift, Interpolation.LINEAR,
			Outside.of("constant:-5"), CpuSampler.INSTANCE), 1));
		assertArrayEquals(new double[] { 6, 7, 8, Double.NaN }, row(CorrectedStack.of(stack, 2, drift, Interpolation.LINEAR, Outside.NAN, CpuSampler.INSTANCE), 1));
		final Img<?> crop = CorrectedStack.of(stack, 2, drift, Interpolation.LINEAR, Outside.CROP, CpuSampler.INSTANCE),
			union = CorrectedStack.of(stack, 2, drift, Interpolation.LINEAR, Outside.of("union:-1"), CpuSampler.INSTANCE);
		assertArrayEquals(new double[] { 1, 2, 3 }, row(crop, 0));
		assertArrayEquals(new double[] { 6, 7, 8 }, row(crop, 1));
		assertArrayEquals(new double[] { -1, 1, 2, 3, 4 }, row(union, 0));
		assertArrayEquals(new double[] { 5, 6, 7, 8, -1 }, row(union, 1));
		refuses("the frames have no region in common", () -> CorrectedStack.of(stack, 2, drift(new long[] { 4, 1 }, new double[2],
			new double[] { 5, 0 }), Interpolation.LINEAR, Outside.CROP, CpuSampler.INSTANCE));
		refuses("pixels of U8 cannot be NaN", () -> CorrectedStack.of(ArrayImgs.unsignedBytes(4, 1, 2), 2, drift, Interpolation.LINEAR,
			Outside.NAN, CpuSampler.INSTANCE));
		refuses("the transforms are for 2 frames, the stack has 3", () -> CorrectedStack.of(ArrayImgs.unsignedBytes(4, 1, 3), 2, drift,
			Interpolation.LINEAR, Outside.EDGE, CpuSampler.INSTANCE));
		refuses("the transforms are for frames of 4x1 pixels, the stack has frames of 5x1", () -> CorrectedStack.of(ArrayImgs.unsignedBytes(5, 1, 2), 2, drift, Interpolation.LINEAR,
			Outside.EDGE, CpuSampler.INSTANCE));
	}

	private static void refuses(final String message, final org.junit.jupiter.api.function.Executable call) {
		final String said = assertThrows(IllegalArgumentException.class, call).getMessage();
		assertTrue(said.startsWith(message), said);
	}

	private static double[] row(final Img<?> image, final long t) {
		final double[] row = new double[(int) image.dimension(0)];
		for (int x = 0; x < row.length; x++) row[x] = at(image, x, 0, t);
		return row;
	}

	/** Volumes move along z as well, and channels move with their frame. */
	@Test
	void volumesAndChannels() {
		final double[][] shifts = { { 0, 0, 0 }, { 1.5, -0.5, 1.25 } };
		final RandomAccessibleInterval<FloatType> one = new MovingTexture(3, 4).stack(new FloatType(), shifts, new long[] { 24, 22, 20 }, 100, 10, 0);
		final RandomAccessibleInterval<FloatType> stack = Views.permute(Views.stack(one, one), 3, 4);
		final Img<?> corrected = CorrectedStack.of(stack, 4, drift(new long[] { 24, 22, 20 }, shifts), Interpolation.CUBIC, Outside.EDGE, CpuSampler.INSTANCE);
		assertArrayEquals(stack.dimensionsAsLongArray(), corrected.dimensionsAsLongArray());
		for (int z = 5; z < 15; z++)
			for (int y = 5; y < 17; y++)
				for (int x = 5; x < 19; x++)
					for (int c = 0; c < 2; c++) assertEquals(at(one, x, y, z, 0), at(corrected, x, y, z, c, 1), 1.5);
	}

	/**
	 * Pixel p of a deformed frame shows the pixel p + shift + u(p). With the border crop all of them lie inside, and with the border union all of the frame is
	 * shown. Bounds are those of the whole frame, with what a linear field adds in the distance of a vector at each end.
	 */
	@Test
	void deformedFramesAreCropped() {
		final float[] along = new float[11];
		for (int i = 0; i < along.length; i++) along[i] = -4 + 0.8f * i;
		for (final double shift : new double[] { 2, -7.5 }) {
			final Drift drift = new Drift(new long[] { 101, 30 }, "first", List.of(new FrameShift(0, new double[] { shift, 0 }, 1, 1, 0, Double.NaN, false,
				FrameShift.State.OK)), new Deformation(new int[] { 11, 1 }, new double[2], new double[] { 10, 30 }, List.<float[][]>of(new float[][] { along,
					new float[11] })));
			final CorrectedStack.Region crop = CorrectedStack.region(drift, Interpolation.CUBIC, Outside.CROP),
				union = CorrectedStack.region(drift, Interpolation.CUBIC, Outside.of("union:0"));
			final double[] shown = new double[4];
			for (int i = 0; i < 4; i++) {
				final CorrectedStack.Region region = i < 2 ? crop : union;
				final double p = region.min()[0] + (i % 2 == 0 ? 0 : region.size()[0] - 1);
				shown[i] = p + shift + drift.deformation(0).at(new double[] { p, 15 })[0];
			}
			assertTrue(shown[0] >= 0 && shown[1] <= 100, "cropped to " + shown[0] + ".." + shown[1]);
			assertTrue(shown[2] <= 0 && shown[3] >= 100, "all of " + shown[2] + ".." + shown[3]);
			for (int i = 0; i < 4; i++) assertEquals(i % 2 == 0 ? 0 : 100, shown[i], i < 2 ? 3 : 12, "limit " + i);
			assertArrayEquals(new long[] { 0, 0 }, new long[] { crop.min()[1], union.min()[1] });
		}
	}

	/** The border crop counts along z, too. */
	@Test
	void volumesAreCropped() {
		final RandomAccessibleInterval<FloatType> stack = ArrayImgs.floats(8, 7, 6, 2);
		final Drift drift = drift(new long[] { 8, 7, 6 }, new double[3], new double[] { 1, -2, 3 });
		assertArrayEquals(new long[] { 7, 5, 3, 2 }, CorrectedStack.of(stack, 3, drift, Interpolation.LINEAR, Outside.CROP, CpuSampler.INSTANCE)
			.dimensionsAsLongArray());
	}

	/** A frame that moves by its extent shows nothing; the borders crop and union show all frames. */
	@Test
	void framesWithoutAPixel() {
		final Drift drift = drift(new long[] { 7, 5 }, new double[2], new double[] { 7, 0 }, new double[] { 6.9, 4.9 }, new double[] { 0, -5 });
		assertEquals(List.of(1L, 3L), CorrectedStack.empty(drift, Outside.EDGE));
		assertEquals(List.of(), CorrectedStack.empty(drift, Outside.of("union:0")));
	}
}
