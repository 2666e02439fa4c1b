package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.oracle.ReferenceConvolution;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.result.Response;

/**
 * Convolution with kernels of every width from 1 to 140, compared with the definition. The loops process coefficients in groups,
 * chunks and vectors. A mistake at a
 * boundary shows at few widths only.
 */
class KernelWidthsTest {

	private static final int[] HEIGHTS = { 1, 2, 3, 8 };
	/** Widths of the result: less than a vector, some vectors and a remainder, more than the widest block of vectors. */
	private static final int[] LAGS = { 3, 37, 150 };
	private static final int ROWS = 3;

	static IntStream widths() {
		return IntStream.rangeClosed(1, 140);
	}

	@ParameterizedTest
	@MethodSource("widths")
	void everyWidthAgreesWithTheDefinition(final int width) {
		for (final int height : HEIGHTS) check(width, height, LAGS[(width + height) % LAGS.length]);
	}

	private static void check(final int width, final int height, final int lags) {
		final Random random = new Random(1000 * width + height);
		final int[] size = { lags + width - 1, ROWS + height - 1 }, count = { lags, ROWS };
		// integers that every pixel type can hold
		final double[] pixels = random.ints(ReferenceNcc.pixels(size), 0, 128).asDoubleStream().toArray();
		final double[] k = random.doubles(width * height, -1, 1).toArray();
		final double[] expected = new ReferenceConvolution(pixels, size, k, new int[] { width, height }).responses(new long[2], count, false, 1);
		// a product of two 1D kernels, which the separable algorithms support
		final double[] product = new double[k.length];
		for (int i = 0; i < product.length; i++) product[i] = k[i % width] * k[i / width * width];
		final double[] ofProduct = new ReferenceConvolution(pixels, size, product, new int[] { width, height }).responses(new long[2], count, false, 1);
		for (final Precision precision : Precision.values()) {
			final Convolution op = Convolution.of(kernel(k, width, height)).extent(Extent.VALID).sense(Sense.CORRELATION).precision(precision);
			final double tolerance = ReferenceConvolution.tolerance(pixels, k, precision);
			for (final PixelType type : PixelType.values()) check(op, precision, "cpu-convolve-direct", type, size, pixels, expected, tolerance);
			final PixelType some = PixelType.values()[(width + height) % PixelType.values().length];
			check(op, precision, "cpu-convolve-fourier", some, size, pixels, expected, tolerance);
			final Convolution separable = Convolution.of(kernel(product, width, height)).extent(Extent.VALID).sense(Sense.CORRELATION).precision(precision);
			final boolean applies = ((Sliding.Convolution) separable.explain(TestImages.image(PixelType.U8, size, pixels)).problem()).terms() > 0;
			assertTrue(applies || Math.min(width, height) < 3, "only small kernels are not computed as products");
			if (applies) check(separable, precision, "cpu-convolve-separable", some, size, pixels, ofProduct, ReferenceConvolution.tolerance(pixels, product, precision));
		}
	}

	private static Img<?> kernel(final double[] values, final int width, final int height) {
		return ArrayImgs.doubles(values, width, height);
	}

	private static void check(final Convolution op, final Precision precision, final String algorithm, final PixelType type, final int[] size, final double[] pixels,
		final double[] expected, final double tolerance)
	{
		final Response response = op.algorithm(algorithm).convolve(TestImages.image(type, size, pixels));
		assertArrayEquals(expected, TestImages.values(precision == Precision.SINGLE ? response.map() : response.doubleMap()), tolerance,
			() -> algorithm + ", " + precision + ", " + type + ", image of " + Arrays.toString(size));
	}
}
