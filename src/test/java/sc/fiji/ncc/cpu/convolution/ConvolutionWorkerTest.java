package sc.fiji.ncc.cpu.convolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.contract.ArraySink;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** Tiles whose sums are repeated, and sums whose scales leave the range of doubles. */
class ConvolutionWorkerTest {

	private static final Device ONE = new Device("cpu", "one thread", 1, 1L << 32);

	/** The report of a convolution, and its map for each kernel. */
	private record Result(Report report, double[][] maps) {}

	private static Result convolve(final SlidingAlgorithm<Convolution> algorithm, final Precision precision, final PixelType type, final int[] size,
		final double[] image, final Size kernel, final double[]... kernels) throws InterruptedException, ExecutionException
	{
		final int[] count = new int[size.length];
		for (int d = 0; d < count.length; d++) count[d] = (int) (size[d] - kernel.get(d) + 1);
		final long[] longs = Arrays.stream(size).asLongStream().toArray(), lags = Arrays.stream(count).asLongStream().toArray();
		final Convolution problem = Problems.convolution(Problems.in(precision, Problems.correlation(type, PixelType.F64, Size.of(longs),
			Collections.nCopies(kernels.length, kernel), Weights.NONE, Lags.inside(Size.of(lags)), 1)), 1);
		final ArraySink sink = new ArraySink(precision, Float.NaN, kernels.length, count, false);
		final List<Template> templates = Arrays.stream(kernels).map(k -> new Template(kernel, PixelType.F64, k.clone(), null)).toList();
		try (Execution execution = algorithm.planAny(problem, ONE).prepare(templates)) {
			final LagBox box = new LagBox(Collections.nCopies(kernels.length, new long[size.length]).toArray(long[][]::new), count);
			final Report report = execution.submit(new ArrayPixels(type, size, image), box, sink, Monitor.NONE).get();
			final double[][] maps = new double[kernels.length][];
			for (int k = 0; k < maps.length; k++) maps[k] = sink.complete(k);
			return new Result(report, maps);
		}
	}

	/**
	 * Black and white noise under kernels of one value: the estimated errors of transforms in float exceed the tolerance. The tiles are computed again for
	 * both kernels, and their sums in double round to the exact ones, which are pixels. Sums in float do not.
	 */
	@Test
	void transformsInFloatAreRepeatedInDouble() throws Exception {
		final int side = 400;
		final Random random = new Random(7);
		final double[] image = random.ints(side * side, 0, 2).mapToDouble(v -> v == 0 ? -30_000 : 30_000).toArray();
		final double[] first = { 1, 0, 0, 0 }, last = { 0, 0, 0, -2 };
		final Result result = convolve(new CpuConvolveFourier(), Precision.SINGLE, PixelType.S16, new int[] { side, side }, image, Size.of(2, 2),
			first, last);
		assertEquals(2L * (side - 1) * (side - 1), result.report.rechecked(), "sums that were repeated");
		for (int y = 0; y < side - 1; y++)
			for (int x = 0; x < side - 1; x++) {
				final int i = y * (side - 1) + x;
				assertEquals(image[y * side + x], result.maps[0][i], "at " + x + "," + y);
				assertEquals(-2 * image[(y + 1) * side + x + 1], result.maps[1][i], "at " + x + "," + y);
			}
	}

	/**
	 * 2^p times 2^k, where each is a double and their scales' quotient is none: 0 stays 0, and sums are subnormal, 0 or infinite as exact arithmetic rounds
	 * them.
	 */
	@Test
	void scalesBeyondTheRangeOfDoubles() throws Exception {
		for (final SlidingAlgorithm<Convolution> algorithm : List.of(new CpuConvolveDirect(), new CpuConvolveSeparable(), new CpuConvolveFourier()))
			for (final int[] exponents : new int[][] { { 1000, 1000 }, { 600, 424 }, { -540, -534 }, { -540, -500 }, { -1000, -1000 }, { 700, -700 } }) {
				final double[] image = new double[12 * 5], kernel = new double[9];
				Arrays.fill(kernel, Math.scalb(1.0, exponents[1]));
				// two flat halves
				for (int i = 0; i < image.length; i++) image[i] = i % 12 < 6 ? 0 : Math.scalb(1.0, exponents[0]);
				final double[] map = convolve(algorithm, Precision.DOUBLE, PixelType.F64, new int[] { 12, 5 }, image, Size.of(3, 3), kernel).maps[0];
				for (int i = 0; i < map.length; i++) {
					final int ones = 3 * Math.max(0, Math.min(3, i % 10 - 3));
					final double expected = Math.scalb((double) ones, exponents[0] + exponents[1]);
					final String text = algorithm.id() + " 2^" + exponents[0] + " times 2^" + exponents[1] + " at " + i;
					// transforms leave a little where the sum is 0: 1e-13 of the largest sum, which may be infinite
					if (ones == 0 && algorithm instanceof CpuConvolveFourier) assertTrue(!Double.isNaN(map[i]), text);
					else assertEquals(expected, map[i], Double.isInfinite(expected) ? 0 : 1e-13 * expected, text);
				}
			}
	}

	/** Sums in float of whole numbers, noise and rows of zeros are not repeated. Pixels that are not finite or too small repeat them. */
	@Test
	void sumsThatAreRepeated() throws Exception {
		final double[] noise = new Random(3).doubles(24 * 20).map(v -> (float) v).toArray(), kernel = new double[9];
		for (int i = 0; i < 9; i++) kernel[i] = new double[] { 0.7, 1.4, -0.7 }[i % 3] * new double[] { 1, 2, 3 }[i / 3];
		for (final SlidingAlgorithm<Convolution> algorithm : List.of(new CpuConvolveDirect(), new CpuConvolveSeparable())) {
			assertEquals(0, rechecked(algorithm, PixelType.U8, Arrays.stream(noise).map(v -> Math.floor(255 * v)).toArray(), kernel));
			assertEquals(0, rechecked(algorithm, PixelType.F32, noise, kernel));
			final double[] flat = noise.clone();
			Arrays.fill(flat, 0, 24 * 15, 0);
			assertEquals(0, rechecked(algorithm, PixelType.F32, flat, kernel));
			for (final double wrong : new double[] { Double.NaN, Double.NEGATIVE_INFINITY }) {
				final double[] image = noise.clone();
				image[24 * 19 + 23] = wrong;
				assertEquals(22 * 18, rechecked(algorithm, PixelType.F32, image, kernel), algorithm.id() + " with " + wrong);
			}
			assertEquals(22 * 18, rechecked(algorithm, PixelType.F32, Arrays.stream(noise).map(v -> (float) (1e-20 * v)).toArray(), kernel));
		}
	}

	private static long rechecked(final SlidingAlgorithm<Convolution> algorithm, final PixelType type, final double[] image, final double[] kernel)
		throws InterruptedException, ExecutionException
	{
		return convolve(algorithm, Precision.SINGLE, type, new int[] { 24, 20 }, image, Size.of(3, 3), kernel).report.rechecked();
	}
}
