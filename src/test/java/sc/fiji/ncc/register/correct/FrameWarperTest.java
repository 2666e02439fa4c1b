package sc.fiji.ncc.register.correct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.cpu.frame.CpuSampler;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;

/** Deformed frames in closed form: a constant deformation is a shift, and a linear one an affine map of the coordinates. */
class FrameWarperTest {

	private static final int[] PLANE = { 31, 26 }, VOLUME = { 17, 15, 12 };
	private static final List<Outside> BORDERS = List.of(Outside.EDGE, Outside.BLACK, new Outside(Outside.Kind.CONSTANT, 37), Outside.NAN);

	private static List<Interpolation> ofNeighbours() {
		return Stream.of(Interpolation.values()).filter(i -> i != Interpolation.FOURIER).toList();
	}

	static Stream<Arguments> all() {
		return ofNeighbours().stream().flatMap(i -> BORDERS.stream().flatMap(b -> Stream.of(PLANE, VOLUME).map(size -> Arguments.of(i, b, size))));
	}

	/** An image with the value of a function at each pixel. */
	private static Img<FloatType> image(final int[] size, final ToDoubleFunction<double[]> f) {
		final float[] pixels = new float[Arrays.stream(size).reduce(1, (a, b) -> a * b)];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) f.applyAsDouble(place(size, i));
		return ArrayImgs.floats(pixels, Arrays.stream(size).asLongStream().toArray());
	}

	/** The position of a pixel by its index. */
	private static double[] place(final int[] size, final int index) {
		final double[] x = new double[size.length];
		for (int d = 0, rest = index; d < x.length; rest /= size[d++]) x[d] = rest % size[d];
		return x;
	}

	/** A linear deformation {@code u(x) = a·x + b}, which a spline holds exactly. */
	private static GridSpline linear(final int[] size, final double[][] a, final double[] b) {
		final int n = size.length;
		final int[] count = new int[n];
		final double[] origin = new double[n], spacing = new double[n];
		int all = 1;
		for (int d = 0; d < n; d++) {
			spacing[d] = 5;
			origin[d] = -5;
			all *= count[d] = size[d] / 5 + 4;
		}
		final double[][] u = new double[n][all];
		for (int i = 0; i < all; i++) {
			final double[] node = place(count, i);
			for (int c = 0; c < n; c++) {
				u[c][i] = b[c];
				for (int d = 0; d < n; d++) u[c][i] += a[c][d] * (origin[d] + spacing[d] * node[d]);
			}
		}
		return new GridSpline(count, origin, spacing, u);
	}

	private static GridSpline constant(final int[] size, final double... b) {
		return linear(size, new double[size.length][size.length], Arrays.copyOf(b, size.length));
	}

	private static float[] warped(final Interpolation i, final Outside border, final RandomAccessibleInterval<?> frame, final double[] shift,
		final GridSpline u, final int[] size) {
		return (float[]) new FrameWarper(i, border, CpuSampler.INSTANCE).box(frame, Arrays.copyOf(shift, size.length), u, new long[size.length], size);
	}

	/** Fractions are multiples of 1/2048, so that positions are not rounded. */
	@ParameterizedTest
	@MethodSource("all")
	void aConstantDeformationIsAShift(final Interpolation i, final Outside border, final int[] size) {
		final Random random = new Random(1);
		final Img<FloatType> frame = image(size, x -> 100 * random.nextDouble());
		for (final double[] u : new double[][] { { 0, 0, 0 }, { 3, -2, 1 }, { 1.25, -2.375, 0.75 }, { -0.5625, 0.8125, -1.3125 }, { 40, 0, 0 },
			{ 0.25, -60, 0.25 } }) {
			final double[] shift = { 0.375, -1.25, 0.125 }, both = new double[size.length];
			for (int d = 0; d < both.length; d++) both[d] = shift[d] + u[d];
			final float[] expected = (float[]) new FrameShifter(i, border).box(frame, both, new long[size.length], size);
			assertArrayEquals(expected, warped(i, border, frame, shift, constant(size, u), size), 1e-4f, Arrays.toString(u));
		}
	}

	/** Half a pixel is rounded the same way at all pixels, so none is doubled. */
	@Test
	void halfAPixelMovesAllPixelsAlike() {
		final Img<FloatType> frame = image(PLANE, x -> x[0] + 100 * x[1]);
		final double[] shift = { 0.5, 1.5 };
		assertArrayEquals((float[]) new FrameShifter(Interpolation.INTEGER, Outside.EDGE).box(frame, shift, new long[2], PLANE),
			warped(Interpolation.INTEGER, Outside.EDGE, frame, shift, constant(PLANE, 0, 0), PLANE));
	}

	/** Interpolations reproduce the polynomials of their degree: the nearest pixel a constant, linear a plane, cubic a square. */
	@ParameterizedTest
	@EnumSource(value = Interpolation.class, names = { "INTEGER", "LINEAR", "CUBIC" })
	void aLinearDeformationMapsAPolynomialExactly(final Interpolation i) {
		final double[][] a = { { 0.06, -0.03, 0.02 }, { 0.02, 0.05, -0.04 }, { -0.01, 0.03, 0.04 } };
		final double[] b = { 0.37, -0.81, 0.23 };
		for (final int[] size : new int[][] { PLANE, VOLUME }) {
			final ToDoubleFunction<double[]> f = x -> {
				double sum = 5;
				for (int d = 0; d < x.length; d++) sum += i == Interpolation.INTEGER ? 0 : (d + 1) * x[d] + (i == Interpolation.CUBIC ? 0.1 * x[d] * x[d] : 0);
				return sum;
			};
			// positions are rounded to 1/2048 pixel
			assertAffine(i, size, a, b, f, 2, i == Interpolation.INTEGER ? 1e-6 : 0.01);
		}
	}

	/** Waves of 16 pixels and more. The limits are those of the interpolation. */
	@ParameterizedTest
	@EnumSource(value = Interpolation.class, names = { "INTEGER", "LINEAR", "CUBIC", "LANCZOS" })
	void aLinearDeformationResamplesAnAnalyticImage(final Interpolation i) {
		final double[][] a = { { 0.05, -0.04, 0.02 }, { 0.03, -0.06, -0.04 }, { -0.01, 0.03, 0.05 } };
		final double[] b = { -0.6, 1.3, 0.4 };
		final ToDoubleFunction<double[]> f = x -> 10 * Math.sin(x[0] / 3) + 6 * Math.cos(x[1] / 4 + x[0] / 9) + (x.length > 2 ? 5 * Math.sin(x[2] / 3) : 0);
		final double[] limits = { 4, 0.3, 0.04, 0.1 };
		for (final int[] size : new int[][] { PLANE, VOLUME }) assertAffine(i, size, a, b, f, 3, limits[i.ordinal()]);
	}

	/** @param border pixels at each end of the frame whose interpolation takes pixels beyond it */
	private static void assertAffine(final Interpolation i, final int[] size, final double[][] a, final double[] b, final ToDoubleFunction<double[]> f,
		final int border,
		final double limit)
	{
		final double[] shift = { 1.5, -0.75, 0.25 };
		final float[] result = warped(i, Outside.NAN, image(size, f), shift, linear(size, a, b), size);
		int inside = 0, beyond = 0;
		for (int k = 0; k < result.length; k++) {
			final double[] x = place(size, k), p = x.clone();
			boolean within = true, clear = true, doubtful = false;
			for (int c = 0; c < size.length; c++) {
				double motion = shift[c] + b[c];
				for (int d = 0; d < size.length; d++) motion += a[c][d] * x[d];
				p[c] += motion;
				final double sampled = x[c] + (i == Interpolation.INTEGER ? Math.rint(motion) : motion);
				within &= sampled >= 0 && sampled <= size[c] - 1;
				// positions on the border differ by roundings
				doubtful |= Math.min(Math.abs(sampled), Math.abs(sampled - size[c] + 1)) < 1e-9 && i != Interpolation.INTEGER
					|| Math.abs(motion - Math.floor(motion) - 0.5) < 1e-9;
				clear &= p[c] >= border && p[c] <= size[c] - 1 - border;
			}
			if (!doubtful) assertEquals(within, !Float.isNaN(result[k]), Arrays.toString(p));
			if (!within) beyond++;
			if (!clear) continue;
			inside++;
			assertEquals(f.applyAsDouble(p), result[k], limit, Arrays.toString(p));
		}
		assertTrue(inside > result.length / 12 && beyond > 0, inside + " inside, " + beyond + " beyond");
	}

	/** Beyond the frame, the edge goes on: on a plane, linear interpolation is the plane at the nearest position of the frame. */
	@Test
	void beyondTheFrameIsTheNearestPixel() {
		final double[][] a = { { 0.3, 0.1 }, { -0.1, 0.25 } };
		final double[] b = { -6, 4 };
		final float[] result = warped(Interpolation.LINEAR, Outside.EDGE, image(PLANE, x -> 2 * x[0] - 3 * x[1]), new double[2], linear(PLANE, a, b), PLANE);
		for (int k = 0; k < result.length; k++) {
			final double[] x = place(PLANE, k), p = new double[2];
			for (int c = 0; c < 2; c++) p[c] = Math.max(0, Math.min(PLANE[c] - 1, x[c] + b[c] + a[c][0] * x[0] + a[c][1] * x[1]));
			assertEquals(2 * p[0] - 3 * p[1], result[k], 2e-3, Arrays.toString(x));
		}
	}

	/** A box holds the pixels of the whole, also outside the frame. */
	@ParameterizedTest
	@MethodSource("all")
	void aBoxIsAPartOfTheWhole(final Interpolation i, final Outside border, final int[] size) {
		final int n = size.length;
		final Random random = new Random(2);
		final Img<FloatType> frame = image(size, x -> 100 * random.nextDouble());
		final double[][] a = { { 0.06, -0.03, 0.02 }, { 0.02, 0.05, -0.04 }, { -0.01, 0.03, 0.04 } };
		final GridSpline u = linear(size, a, new double[] { 0.37, -0.81, 0.23 });
		final FrameWarper warper = new FrameWarper(i, border, CpuSampler.INSTANCE);
		final long[] min = new long[n], part = new long[n];
		final int[] large = size.clone(), small = new int[n];
		for (int d = 0; d < n; d++) {
			min[d] = -4;
			large[d] += 8;
			part[d] = d - 3;
			small[d] = 7;
		}
		final float[] whole = (float[]) warper.box(frame, new double[n], u, min, large), box = (float[]) warper.box(frame, new double[n], u, part, small);
		for (int k = 0; k < box.length; k++) {
			final double[] x = place(small, k);
			int at = 0;
			for (int d = n - 1; d >= 0; d--) at = at * large[d] + (int) (x[d] + part[d] - min[d]);
			assertEquals(whole[at], box[k], 1e-4f, Arrays.toString(x));
		}
	}

	/** Integers are rounded, clipped, and black where floats are NaN. */
	@Test
	void integersKeepTheirType() {
		final byte[] pixels = new byte[PLANE[0] * PLANE[1]];
		for (int k = 0; k < pixels.length; k++) pixels[k] = (byte) (k % PLANE[0] < 15 ? 0 : 255);
		final byte[] result = (byte[]) new FrameWarper(Interpolation.CUBIC, Outside.NAN, CpuSampler.INSTANCE)
			.box(ArrayImgs.unsignedBytes(pixels, 31, 26), new double[2], constant(PLANE, 2.25, 0),
			new long[2], PLANE);
		final float[] floats = warped(Interpolation.CUBIC, Outside.NAN, image(PLANE, x -> x[0] < 15 ? 0 : 255), new double[2], constant(PLANE, 2.25, 0), PLANE);
		boolean over = false;
		for (int k = 0; k < result.length; k++) {
			over |= floats[k] > 256;
			assertEquals(Float.isNaN(floats[k]) ? 0 : Math.max(0, Math.min(255, Math.round(floats[k]))), result[k] & 0xff, "pixel " + k);
		}
		assertTrue(over, "the cubic overshoots");
	}

	/** A missing or infinite pixel counts where it has a share, not at a whole distance. */
	@Test
	void nanStaysWithItsPixel() {
		final double[] missing = { 12, 9, 5 }, u = { 2, 1, -3 };
		for (final int[] size : new int[][] { PLANE, VOLUME }) for (final double value : new double[] { Double.NaN, Double.POSITIVE_INFINITY }) {
			final Img<FloatType> frame = image(size, x -> Arrays.equals(x, Arrays.copyOf(missing, x.length)) ? value : 3);
			for (final Interpolation i : ofNeighbours()) {
				final float[] result = warped(i, Outside.EDGE, frame, new double[size.length], constant(size, u), size);
				for (int k = 0; k < result.length; k++) {
					final double[] p = place(size, k);
					for (int d = 0; d < p.length; d++) p[d] += u[d];
					assertEquals(Arrays.equals(p, Arrays.copyOf(missing, p.length)) ? value : 3, result[k], 1e-5f, i + " " + Arrays.toString(p));
				}
			}
		}
	}

	@Test
	void fourierInterpolationIsRefused() {
		final String message = assertThrows(IllegalArgumentException.class,
			() -> new FrameWarper(Interpolation.FOURIER, Outside.EDGE, CpuSampler.INSTANCE)).getMessage();
		assertTrue(message.contains("choose lanczos or cubic"), message);
	}
}
