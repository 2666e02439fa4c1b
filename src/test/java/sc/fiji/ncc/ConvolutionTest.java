package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.contract.ConvolutionCases;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.oracle.ReferenceConvolution;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.result.Response;

/** The op: where responses lie, what stands beyond the border, what it refuses. That sums are right is the contract of the algorithms. */
class ConvolutionTest {

	private static final double NEAR = 1e-5;

	private static Img<DoubleType> noise(final long seed, final int... size) {
		return image(RandomPixels.uniform(seed, ReferenceNcc.pixels(size)), size);
	}

	private static Img<DoubleType> image(final double[] values, final int... size) {
		return ArrayImgs.doubles(values, TestImages.longs(size));
	}

	private static double[] convolve(final Convolution op, final RandomAccessibleInterval<?> image) {
		return TestImages.values(op.convolve(image).map());
	}

	/** {@code Σ k(j)·x(i − j)} about the kernel's centre at all i from {@code min} on, over an image that goes on as the border says. */
	private static double[] definition(final Img<DoubleType> image, final Img<DoubleType> kernel, final Border border, final boolean correlation,
		final long[] min, final long[] size)
	{
		final int n = size.length;
		final int[] count = Arrays.stream(size).mapToInt(Math::toIntExact).toArray(), k = TestImages.size(kernel), at = new int[n], in = new int[n];
		final double[] result = new double[ReferenceNcc.pixels(count)], coefficients = TestImages.values(kernel);
		final long[] place = new long[n];
		for (int i = 0; i < result.length; i++) {
			ReferenceNcc.unravel(i, count, at);
			for (int j = 0; j < coefficients.length; j++) {
				ReferenceNcc.unravel(j, k, in);
				boolean inside = true;
				for (int d = 0; d < n; d++) {
					final long offset = in[d] - k[d] / 2, x = min[d] + at[d] + (correlation ? offset : -offset);
					inside &= x >= 0 && x < image.dimension(d);
					place[d] = beyond(border, x, image.dimension(d));
				}
				final double pixel = inside || border.kind() != Border.Kind.CONSTANT ? image.getAt(place).get() : border.value();
				result[i] += coefficients[j] * pixel;
			}
		}
		return result;
	}

	private static long beyond(final Border border, final long x, final long n) {
		if (border.kind() != Border.Kind.MIRROR) return Math.max(0, Math.min(n - 1, x));
		if (n == 1) return 0;
		final long folded = Math.floorMod(x, 2 * (n - 1));
		return folded < n ? folded : 2 * (n - 1) - folded;
	}

	@ParameterizedTest
	@ValueSource(strings = { "5", "4", "5x3", "4x6", "1x2", "3x2x4", "2x1x3x2" })
	void aBrightPixelBecomesTheKernel(final String text) {
		final int[] size = Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray(), around = Arrays.stream(size).map(s -> 2 * s + 7).toArray();
		final Img<DoubleType> kernel = noise(1, size), image = image(new double[ReferenceNcc.pixels(around)], around);
		final long[] place = Arrays.stream(size).mapToLong(s -> s + 2).toArray();
		image.getAt(place).set(1);
		final Response response = Convolution.of(kernel).convolve(image);
		assertArrayEquals(image.dimensionsAsLongArray(), response.map().dimensionsAsLongArray());
		assertArrayEquals(new long[size.length], response.origin());
		final long[] first = new long[size.length], last = new long[size.length];
		for (int d = 0; d < size.length; d++) {
			first[d] = place[d] - size[d] / 2;
			last[d] = first[d] + size[d] - 1;
		}
		assertArrayEquals(TestImages.values(kernel), TestImages.values(Views.zeroMin(Views.interval(response.map(), first, last))), 1e-6);
		double all = 0, expected = 0;
		for (final double v : TestImages.values(response.map())) all += Math.abs(v);
		for (final double v : TestImages.values(kernel)) expected += Math.abs(v);
		assertEquals(expected, all, 1e-5, "and nothing else");
	}

	@ParameterizedTest
	@ValueSource(strings = { "5x3", "4x6", "1x7", "9x8" })
	void eachBorderIsAsItIsDefined(final String text) {
		final int[] size = Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray();
		final Img<DoubleType> image = noise(2, 13, 8), kernel = noise(3, size);
		for (final Border border : new Border[] { Border.EDGE, Border.MIRROR, Border.constant(0), Border.constant(0.7) })
			for (final Sense sense : Sense.values())
				for (final Extent extent : Extent.values()) {
					final Response response = Convolution.of(kernel).sense(sense).extent(extent).border(border).convolve(image);
					assertArrayEquals(definition(image, kernel, border, sense == Sense.CORRELATION, response.origin(), response.map().dimensionsAsLongArray()),
						TestImages.values(response.map()), NEAR, () -> border + " " + sense + " " + extent);
				}
	}

	@Test
	void defaultsAreSameWithEdgePixelsAndFullWithZeros() {
		final Img<DoubleType> image = noise(2, 13, 8), kernel = noise(3, 4, 3);
		assertArrayEquals(convolve(Convolution.of(kernel).extent(Extent.SAME).border(Border.EDGE), image), convolve(Convolution.of(kernel), image));
		assertArrayEquals(convolve(Convolution.of(kernel).extent(Extent.FULL).border(Border.constant(0)), image),
			convolve(Convolution.of(kernel).extent(Extent.FULL), image));
	}

	@Test
	void theExtentsArePartsOfOneResult() {
		final Img<DoubleType> image = noise(4, 15, 11), kernel = noise(5, 6, 3);
		for (final Sense sense : Sense.values()) {
			final Convolution op = Convolution.of(kernel).sense(sense).border(Border.constant(0));
			final Response full = op.extent(Extent.FULL).convolve(image);
			for (final Extent extent : new Extent[] { Extent.SAME, Extent.VALID }) {
				final Response part = op.extent(extent).convolve(image);
				assertArrayEquals(TestImages.values(part.map()),
					TestImages.values(Views.interval(Views.translate(full.map(), full.origin()), Views.translate(part.map(), part.origin()))), NEAR, () -> sense + " " + extent);
			}
		}
	}

	@Test
	void aKernelMayBeLargerThanTheImage() {
		final Img<DoubleType> image = noise(6, 3, 4), kernel = noise(7, 8, 5);
		for (final Border border : new Border[] { Border.EDGE, Border.MIRROR, Border.constant(0) })
			assertArrayEquals(definition(image, kernel, border, false, new long[2], new long[] { 3, 4 }),
				convolve(Convolution.of(kernel).border(border), image), NEAR);
		final Exception e = assertThrows(IllegalArgumentException.class, () -> Convolution.of(kernel).extent(Extent.VALID).convolve(image));
		assertTrue(e.getMessage().contains("the kernel of 8x5 is larger than the image of 3x4"), e.getMessage());
	}

	@Test
	void aFlatKernelIsABoxFilter() {
		final Img<DoubleType> image = noise(8, 40, 30);
		final double[] ninth = new double[9];
		Arrays.fill(ninth, 1 / 9.0);
		final Response response = Convolution.of(image(ninth, 3, 3)).convolve(image);
		assertArrayEquals(definition(image, image(ninth, 3, 3), Border.EDGE, false, new long[2], new long[] { 40, 30 }), TestImages.values(response.map()), NEAR);
		assertEquals(1, ((Sliding.Convolution) response.ranking().problem()).terms());
	}

	@Test
	void dimensionsBeyondTheKernelsAreFrames() {
		final Img<DoubleType> stack = noise(9, 12, 9, 3, 2), kernel = noise(10, 3, 3);
		final Img<FloatType> map = Convolution.of(kernel).convolve(stack).map();
		for (int t = 0; t < 2; t++)
			for (int z = 0; z < 3; z++)
				assertArrayEquals(convolve(Convolution.of(kernel), Views.hyperSlice(Views.hyperSlice(stack, 3, t), 2, z)),
					TestImages.values(Views.hyperSlice(Views.hyperSlice(map, 3, t), 2, z)));
	}

	@Test
	void severalKernelsGiveWhatEachGives() {
		final Img<DoubleType> image = noise(11, 60, 50);
		final List<Img<DoubleType>> kernels = List.of(noise(12, 5, 5), noise(13, 5, 5), noise(14, 4, 7));
		for (final String algorithm : new String[] { "auto", "cpu-convolve-direct", "cpu-convolve-fourier" })
			for (final Extent extent : Extent.values()) {
				final Response all = Convolution.of(kernels).algorithm(algorithm).extent(extent).convolve(image);
				for (int k = 0; k < kernels.size(); k++)
					assertArrayEquals(convolve(Convolution.of(kernels.get(k)).algorithm(algorithm).extent(extent), image), TestImages.values(all.maps().get(k)), NEAR);
			}
	}

	@Test
	void aSearchWindowCutsTheResult() {
		final Img<DoubleType> image = noise(15, 20, 16), kernel = noise(16, 5, 4);
		final double[] whole = convolve(Convolution.of(kernel), image);
		final Response part = Convolution.of(kernel).search(FinalInterval.createMinSize(3, 0, 7, 5)).convolve(image);
		assertArrayEquals(new long[] { 3, 0 }, part.origin());
		final double[] cut = new double[35];
		for (int i = 0; i < 35; i++) cut[i] = whole[i / 7 * 20 + i % 7 + 3];
		assertArrayEquals(cut, TestImages.values(part.map()), NEAR);
	}

	@Test
	void notANumberSpreadsAsFarAsTheKernelReaches() {
		final Img<DoubleType> image = noise(17, 30, 20), kernel = noise(18, 3, 3);
		kernel.getAt(0, 0).set(0);
		image.getAt(10, 7).set(Double.NaN);
		image.getAt(29, 19).set(Double.POSITIVE_INFINITY);
		for (final String algorithm : new String[] { "cpu-convolve-direct", "cpu-convolve-fourier" }) {
			final Response response = Convolution.of(kernel).border(Border.constant(0)).algorithm(algorithm).convolve(image);
			final double[] values = TestImages.values(response.map());
			int undefined = 0;
			for (int y = 0; y < 20; y++)
				for (int x = 0; x < 30; x++) {
					// the kernel's first value, which lies at its centre less 1, is 0
					final boolean first = Math.abs(x - 10) <= 1 && Math.abs(y - 7) <= 1 && !(x == 9 && y == 6);
					final boolean expected = first || x >= 28 && y >= 18 && !(x == 28 && y == 18);
					assertEquals(expected, Double.isNaN(values[30 * y + x]), algorithm + " at " + x + ", " + y);
					if (expected) undefined++;
				}
			assertEquals(undefined, response.report().undefined());
			final double[] zeros = convolve(Convolution.of(kernel).border(Border.constant(0)).algorithm(algorithm).undefined(Undefined.ZERO), image);
			for (int i = 0; i < zeros.length; i++) assertEquals(Double.isNaN(values[i]) ? 0 : values[i], zeros[i]);
		}
	}

	@Test
	void whereItDoesNotFitWithAnUndefinedBorderStandsNotANumber() {
		final double[] values = convolve(Convolution.of(noise(19, 4, 3)).border(Border.UNDEFINED), noise(20, 9, 6));
		for (int y = 0; y < 6; y++)
			for (int x = 0; x < 9; x++) assertEquals(x < 1 || x > 6 || y < 1 || y > 4, Double.isNaN(values[9 * y + x]), x + ", " + y);
	}

	@Test
	void theResultMayGoToAnImageThatIsThere() {
		final Img<DoubleType> image = noise(21, 9, 8);
		final Img<FloatType> to = ArrayImgs.floats(9, 8);
		final Convolution op = Convolution.of(noise(22, 3, 3));
		assertSame(to, op.convolve(image, to).map());
		assertArrayEquals(convolve(op, image), TestImages.values(to));
		assertThrows(IllegalArgumentException.class, () -> op.convolve(image, ArrayImgs.floats(8, 9)));
		assertThrows(IllegalArgumentException.class, () -> op.convolve(to, to));
	}

	@Test
	void whatIsTooLargeForAFloatIsInfinite() {
		final Img<DoubleType> image = image(new double[] { 1e300, -1e300, 1e-300, 1 }, 4, 1);
		final double[] values = convolve(Convolution.of(image(new double[] { 1e100 }, 1, 1)), image);
		assertArrayEquals(new double[] { Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY }, Arrays.copyOf(values, 2));
	}

	@Test
	void mistakesAreNamed() {
		final Img<DoubleType> image = noise(23, 9, 8), broken = noise(24, 3, 3);
		broken.getAt(1, 2).set(Double.NaN);
		refuses(() -> Convolution.of(broken).convolve(image), "the kernel of 3x3 holds NaN at [1, 2]");
		refuses(() -> Convolution.of(noise(25, 3, 3, 3)).convolve(image), "the kernel of 3x3x3 has more dimensions than the image of 9x8");
		refuses(() -> Convolution.of(List.<Img<DoubleType>>of()), "the list is empty: give at least one kernel");
		refuses(() -> Convolution.of(noise(26, 3, 3)).convolve(ArrayImgs.argbs(9, 8)), "RGB");
		refuses(() -> Convolution.of(noise(26, 3, 3)).algorithm("cpu-direct").convolve(image),
			"the algorithm cpu-direct solves other problems: choose auto or one of cpu-convolve-");
		refuses(() -> Convolution.of(noise(26, 3, 3)).algorithm("cpu-convolve-separable").convolve(image), "not a sum of a few products");
		refuses(() -> Convolution.of(List.of(noise(1, 3, 3), noise(1, 3))).convolve(image), "the kernels of 3x3 and 3 differ");
	}

	/** Long and wide kernels, that are summed in parts; one that a transform might err too much with. */
	@ParameterizedTest
	@ValueSource(strings = { "cpu-convolve-direct", "cpu-convolve-separable", "cpu-convolve-fourier" })
	void inDoubleItIsAsExactAsStated(final String algorithm) {
		for (final int[] size : new int[][] { { 3, 3 }, { 29, 31 }, { 600, 1 }, { 530, 2 }, { 9, 9, 9 } }) {
			final int[] around = Arrays.stream(size).map(s -> s + 6).toArray(), lags = Arrays.stream(size).map(s -> 7).toArray();
			final double[] spike = new double[ReferenceNcc.pixels(size)];
			spike[spike.length / 2] = 1 / 3.0;
			for (final double[] k : new double[][] { TestImages.values(noise(31, size)), ConvolutionCases.gaussian(size), spike })
				for (final double level : new double[] { 1, 1e150, 1e-200 }) {
					final double[] pixels = Arrays.stream(TestImages.values(noise(32, around))).map(v -> level * (v + 3)).toArray();
					final Convolution op = Convolution.of(image(k, size)).extent(Extent.VALID).sense(Sense.CORRELATION).precision(Precision.DOUBLE);
					final Img<DoubleType> image = image(pixels, around);
					if (op.explain(image).candidates().stream().noneMatch(c -> c.name().equals(algorithm) && c.applies())) continue;
					final Response response = op.algorithm(algorithm).convolve(image);
					assertArrayEquals(new ReferenceConvolution(pixels, around, k, size).responses(new long[size.length], lags, false, 1),
						TestImages.values(response.doubleMap()), ReferenceConvolution.tolerance(pixels, k, Precision.DOUBLE), () -> algorithm + ", " + Arrays.toString(size) + ", level " + level);
					assertTrue(response.maps().isEmpty());
				}
		}
	}

	@Test
	void whatATransformInDoubleMayErrTooMuchWithIsSummedDirectly() {
		final double[] spike = new double[64 * 64];
		spike[100] = 1;
		final Response response = Convolution.of(image(spike, 64, 64)).precision(Precision.DOUBLE).algorithm("cpu-convolve-fourier").convolve(noise(33, 90, 80));
		assertEquals(90 * 80, response.report().rechecked());
	}

	/** A kernel of one coefficient keeps each pixel; transforms, which mix all of a block, would err by more than the tolerance of so little. */
	@Test
	void whatATransformInFloatMayErrTooMuchWithIsSummedDirectly() {
		final int side = 64, width = 300, height = 200;
		final double[] spike = new double[side * side];
		spike[side + 5] = 1;
		// zeros among noise as bright as can be: what reaches them is all error
		final double[] pixels = new Random(34).doubles(width * height, -1, 1).map(v -> v > 0.9 ? 0 : (float) Math.copySign(1 - Math.abs(v) / 8, v)).toArray();
		final Img<?> image = TestImages.image(PixelType.F32, new int[] { width, height }, pixels);
		final Response response =
			Convolution.of(image(spike, side, side)).sense(Sense.CORRELATION).extent(Extent.VALID).algorithm("cpu-convolve-fourier").convolve(image);
		assertEquals((width - side + 1) * (height - side + 1), response.report().rechecked());
		final double[] values = TestImages.values(response.map());
		for (int i = 0, y = 0; y <= height - side; y++)
			for (int x = 0; x <= width - side; x++, i++) assertEquals(pixels[(y + 1) * width + x + 5], values[i], 1e-6, "at " + x + ", " + y);
	}

	/** A kernel of many coefficients is worth a transform, and errs by less than the tolerance. */
	@Test
	void whatATransformIsGoodForIsNotSummedAgain() {
		final Response response = Convolution.of(noise(35, 40, 40)).algorithm("cpu-convolve-fourier").convolve(noise(36, 200, 150));
		assertEquals(0, response.report().rechecked());
	}

	private static void refuses(final Runnable mistake, final String says) {
		final Exception e = assertThrows(IllegalArgumentException.class, mistake::run);
		assertTrue(e.getMessage().contains(says), e.getMessage());
	}

	/** Where sums in float err most: products that round alike, and small ones after a large one. */
	@ParameterizedTest
	@ValueSource(strings = { "cpu-convolve-direct", "cpu-convolve-separable", "cpu-convolve-fourier" })
	void kernelsThatAddRoundingsUpStayWithinTheTolerance(final String algorithm) {
		for (final int side : new int[] { 3, 13, 40 }) {
			final double[] third = new double[side * side], spike = new double[side * side], alternating = new double[side * side];
			Arrays.fill(third, 1 / 3.0);
			Arrays.fill(spike, 0x1.0001p-24);
			spike[0] = 1;
			for (int i = 0; i < alternating.length; i++) alternating[i] = i % 2 == 0 ? 1 / 3.0 : -0.1;
			for (final double[] k : new double[][] { third, spike, alternating })
				for (final double level : new double[] { 0.1, 1e6 / 3, 1e-30, 1e30 }) {
					final double[] pixels = new double[90 * 90];
					for (int i = 0; i < pixels.length; i++) pixels[i] = i % 90 < 45 ? (float) level : (float) (level * (1 - i * 1e-5));
					final Img<?> image = TestImages.image(PixelType.F32, new int[] { 90, 90 }, pixels);
					final Convolution op = Convolution.of(image(k, side, side)).extent(Extent.VALID).sense(Sense.CORRELATION);
					if (algorithm.endsWith("separable") && ((Sliding.Convolution) op.explain(image).problem()).terms() == 0) continue;
					final int n = 91 - side;
					final double[] exact =
						new ReferenceConvolution(pixels, new int[] { 90, 90 }, k, new int[] { side, side }).responses(new long[2], new int[] { n, n }, false, 1);
					assertArrayEquals(exact, convolve(op.algorithm(algorithm), image), ReferenceConvolution.tolerance(pixels, k),
						() -> "side " + side + ", first coefficient " + k[0] + ", level " + level);
				}
		}
	}
}
