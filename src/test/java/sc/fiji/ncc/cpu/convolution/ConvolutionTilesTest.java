package sc.fiji.ncc.cpu.convolution;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.contract.AlgorithmContract;
import sc.fiji.ncc.contract.ContractCase;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.SlidingAlgorithm;

/** Small convolutions whose sums need each step of a tile: scales, a second pass, values that overflow, undefined sums, partial windows and volumes. */
class ConvolutionTilesTest {

	private static final Device ONE = new Device("cpu", "one thread", 1, 1L << 32), TWO = new Device("cpu", "two threads", 2, 1L << 32);

	/** @param size of the image; the kernel has three values along each dimension */
	private static ContractCase convolution(final String name, final PixelType type, final int[] size, final double pixels, final double kernel,
		final int beyond, final double minOverlap)
	{
		final Random random = new Random(name.hashCode());
		final int[] k = new int[size.length], count = new int[size.length];
		final long[] origin = new long[size.length];
		int n = 1, m = 1;
		for (int d = 0; d < size.length; d++) {
			k[d] = 3;
			origin[d] = -beyond;
			count[d] = size[d] - 2 + 2 * beyond;
			n *= size[d];
			m *= 3;
		}
		final double[] image = new double[n], values = new double[m];
		for (int i = 0; i < n; i++) {
			final double v = type == PixelType.U8 ? random.nextInt(256) : pixels * (random.nextDouble() - 0.3);
			image[i] = type == PixelType.F32 ? (float) v : v;
		}
		// a product of {1, 2, -1} along x, y and z
		for (int i = 0; i < m; i++) {
			values[i] = kernel;
			for (int rest = i, d = 0; d < size.length; d++, rest /= 3) values[i] *= new double[] { 1, 2, -1 }[rest % 3];
		}
		return new ContractCase(name, type, PixelType.F64, size, k, image, values, null, origin, count, beyond > 0, minOverlap, null, true, 1);
	}

	private static ContractCase changed(final ContractCase c, final String name, final double[] kernel, final double... pixels) {
		final double[] image = c.image().clone();
		for (int i = 0; i < pixels.length; i++) image[11 + 13 * i] = pixels[i];
		return new ContractCase(name, c.imageType(), c.templateType(), c.imageSize(), c.templateSize(), image, kernel, null, c.origin(), c.count(), c.partial(),
			c.minOverlap(), null, true, 1);
	}

	private static List<ContractCase> cases() {
		final int[] plane = { 9, 8 }, volume = { 6, 7, 5 };
		final ContractCase usual = convolution("usual", PixelType.F32, plane, 1, 1, 0, 1);
		final ContractCase partial = convolution("partial", PixelType.F32, volume, 1, 1, 1, 0.2);
		final ContractCase doubles = convolution("doubles", PixelType.F64, plane, 1e300, 1e-300, 0, 1);
		final double[] cross = { 0, 1, 0, 1, 2, 1, 0, 1, 0 };
		return List.of(usual, convolution("bytes", PixelType.U8, plane, 1, 0.25, 0, 1), convolution("volume", PixelType.F32, volume, 1, 1, 0, 1),
			convolution("large pixels, small kernel", PixelType.F32, plane, 1e37, 1e-30, 0, 1), convolution("overflow", PixelType.F32, plane, 1e30, 1e20, 0, 1),
			convolution("small pixels, large kernel", PixelType.F32, plane, 1e-38, 1e60, 0, 1), doubles,
			convolution("tiny doubles", PixelType.F64, plane, 1e-300, 1e200, 0, 1), convolution("subnormal", PixelType.F64, plane, 1e-200, 1e-110, 0, 1),
			convolution("subnormal floats", PixelType.F32, plane, 1e-42, 7e41, 0, 1),
			convolution("zeros in float", PixelType.F64, plane, 1e-300, 7e299, 0, 1), convolution("half of the kernel", PixelType.F32,
				plane, 1, 1, 2, 0.5), convolution("any overlap", PixelType.F32, plane, 1, 1, 2, 0),
			convolution("volume, a third of the kernel", PixelType.F32, volume, 1, 1, 2, 0.34),
			convolution("exactly a third of the kernel", PixelType.F32, plane, 1, 1, 2, 1 / 3.0),
			convolution("signal", PixelType.F32, new int[] { 30 }, 1, 1, 0, 1),
			convolution("four dimensions", PixelType.F32, new int[] { 5, 4, 3, 4 }, 1, 1, 1, 0.2),
			changed(doubles, "the largest double", doubles.template(), Double.MAX_VALUE, Double.NaN),
			changed(usual, "not finite", usual.template(), Double.NaN, Double.POSITIVE_INFINITY),
			changed(usual, "not finite beside zeros", cross, Double.NEGATIVE_INFINITY, 0x1p100, Double.NaN),
			changed(partial, "volume, partial, not finite", partial.template(), Double.NaN, 1, 1, 1, Double.POSITIVE_INFINITY),
			changed(usual, "one large pixel", usual.template(), 0x1p40));
	}

	static Stream<Arguments> problems() {
		final List<Arguments> all = new ArrayList<>();
		for (final SlidingAlgorithm<Convolution> algorithm : List.of(new CpuConvolveDirect(), new CpuConvolveSeparable(), new CpuConvolveFourier()))
			for (final Precision precision : Precision.values()) {
				final AlgorithmContract contract = new AlgorithmContract(algorithm, TWO, algorithm, ONE, precision);
				int supported = 0;
				for (final ContractCase c : cases())
					if (algorithm.unsupported((Convolution) AlgorithmContract.problem(c, precision)).isEmpty()) {
						all.add(Arguments.of(algorithm.id() + " " + precision + " " + c, contract, c));
						supported++;
					}
				assertTrue(supported > 12, supported + " of " + algorithm.id());
			}
		return all.stream();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("problems")
	void sums(final String name, final AlgorithmContract contract, final ContractCase c) {
		contract.answers(c);
	}
}
