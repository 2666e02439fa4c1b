package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.shifts.SmallShiftsMethodTest;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** Transforms of planes in three passes and of volumes in five, with each radix, with two passes and three over a line, and up to the greatest lengths. */
class FourierPassesTest {

	/** A length is at least n, is a power of two or one, two or three quarters more, and has the radices that the kernels have. */
	@Test
	void lengths() {
		for (int n = 1; n <= 4096; n++) {
			final int length = FourierPasses.length(n);
			final String what = n + " becomes " + length;
			assertEquals(true, length >= n && length >= 64 && (n <= 256 ? length < 2 * n || length == 64 : 4 * length < 5 * n + 4), what);
			final int power = Integer.highestOneBit(length);
			assertEquals(0, length % (length <= 256 ? power : power / 4), what);
		}
	}

	/** The document states the greatest lengths for three sizes of shared memory. */
	@Test
	void greatestLengths() throws IOException {
		final Matcher stated = Pattern.compile("with (\\d+) KB (?:\\(.*?\\) )?(?:planes of )?(\\d+)(?: rows)? and (?:volumes of )?(\\d+)").matcher(
			Files.readString(Path.of("src/doc/gpu.md")));
		int found = 0;
		for (; stated.find(); found++)
			for (final int planes : new int[] { 1, 64 }) {
				int greatest = 0;
				for (int n = 64; n <= 4096; n = FourierPasses.length(n + 1))
					if (FourierPasses.fits(new TransformExtents(64, n, planes), 1024 * Integer.parseInt(stated.group(1)))) greatest = n;
				assertEquals(greatest, Integer.parseInt(stated.group(planes == 1 ? 2 : 3)), stated.group() + ", " + planes + " planes");
			}
		assertEquals(3, found);
	}

	@Tag("gpu")
	@Tag("large")
	@ParameterizedTest
	@CsvSource({ "120, 60, U8", "500, 320, F32", "760, 440, S16", "1270, 760, F32", "1780, 1270, U8", "2550, 100, F32", "100, 2500, U8",
		"100, 4000, F32", "8100, 100, F32" })
	void planes(final int width, final int height, final PixelType type) {
		responsesAreThoseOfTheDefinition(new int[] { width, height }, new int[] { 9, 7 }, type);
	}

	/** Along z with two passes and three over a line; window sums of one block along x and of several. */
	@Tag("gpu")
	@Tag("large")
	@ParameterizedTest
	@CsvSource({ "40, 24, 16, 9, 7, 5, U8", "130, 70, 20, 9, 7, 5, F32", "100, 66, 70, 3, 4, 33, S16", "64, 300, 17, 2, 50, 2, F32",
		"257, 20, 130, 100, 9, 8, U8", "700, 20, 12, 9, 7, 5, F32", "40, 30, 600, 5, 6, 7, F64", "70, 70, 300, 60, 60, 60, U8" })
	void volumes(final int width, final int height, final int depth, final int templateX, final int templateY, final int templateZ, final PixelType type) {
		responsesAreThoseOfTheDefinition(new int[] { width, height, depth }, new int[] { templateX, templateY, templateZ }, type);
	}

	/**
	 * Eleven templates of one size, eight and three at a time: as they are; in an image with a flat part and one of little contrast, whose
	 * responses are computed by the definition or undefined; and beside a pixel so bright that all must be computed in double.
	 */
	@Tag("gpu")
	@Tag("large")
	@ParameterizedTest
	@CsvSource({ "300, 200, U8, 0", "1300, 100, F32, 0", "140, 600, S16, 0", "300, 200, U8, 1", "300, 200, F32, 1", "300, 200, F32, 2" })
	void banks(final int width, final int height, final PixelType type, final int kind) {
		RequiredGpu.require();
		final Random random = new Random(width + kind);
		final int[] size = { width, height };
		final double[] image = noise(type, product(size), random);
		if (kind == 1)
			for (int i = 0; i < image.length / 2; i++) image[i] = i < image.length / 4 ? 3 : 100 + (random.nextInt(40) == 0 ? 1 : 0);
		if (kind == 2) image[image.length / 2 + width / 2] = 1e7;
		final List<Template> templates = IntStream.range(0, 11).mapToObj(t -> new Template(Size.of(21, 17), type, noise(type, 21 * 17, random), null)).toList();
		responsesAreThoseOfTheDefinition(size, templates, type, image);
	}

	private static void responsesAreThoseOfTheDefinition(final int[] size, final int[] shape, final PixelType type) {
		RequiredGpu.require();
		final Random random = new Random(size[0] + size[1]);
		final double[] image = noise(type, product(size), random), values = noise(type, product(shape), random);
		responsesAreThoseOfTheDefinition(size, List.of(new Template(size(shape), type, values, null)), type, image);
	}

	private static void responsesAreThoseOfTheDefinition(final int[] size, final List<Template> templates, final PixelType type, final double[] image) {
		final int[] lags = new int[size.length];
		for (int d = 0; d < lags.length; d++) lags[d] = size[d] - (int) templates.get(0).size().get(d) + 1;
		final Correlation problem = Problems.correlation(type, type, size(size), templates.stream().map(Template::size).toList(), Weights.NONE,
			Lags.inside(size(lags)), 1);
		final CpuBackend cpu = new CpuBackend(2);
		final float[][] expected = responses(Problems.correlation(cpu, "cpu-direct"), cpu.devices().get(0), Problems.in(Precision.DOUBLE, problem),
			templates, image, lags);
		for (final Precision precision : Precision.values()) {
			final float[][] found = responses(Problems.correlation(new CudaBackend(), "cuda-fourier"), Driver.devices().list().get(0).device,
				Problems.in(precision, problem), templates, image, lags);
			for (int t = 0; t < found.length; t++)
				assertArrayEquals(expected[t], found[t], 1e-5f, "template " + t + ", " + Arrays.toString(size) + " in " + precision);
		}
	}

	private static int product(final int[] factors) {
		return Arrays.stream(factors).reduce(1, (a, b) -> a * b);
	}

	private static Size size(final int[] extents) {
		return Size.of(Arrays.stream(extents).asLongStream().toArray());
	}

	private static float[][] responses(final SlidingAlgorithm<Correlation> algorithm, final Device device, final Correlation problem,
		final List<Template> templates, final double[] image, final int[] lags)
	{
		final int[] size = problem.size().toIntArray();
		final double[][] maps = new double[templates.size()][product(lags)];
		final LagBox box = new LagBox(new long[templates.size()][lags.length], lags);
		try (Execution execution = algorithm.plan(problem, device).prepare(templates)) {
			execution.submit(ArrayPixels.of(problem.image(), size, image, 1, false, null), box, new SmallShiftsMethodTest.Maps(maps, box.size()),
				Monitor.NONE).join();
		}
		final float[][] responses = new float[maps.length][maps[0].length];
		for (int t = 0; t < maps.length; t++) for (int i = 0; i < maps[t].length; i++) responses[t][i] = (float) maps[t][i];
		return responses;
	}

	private static double[] noise(final PixelType type, final int n, final Random random) {
		return random.doubles(n).map(v -> type == PixelType.F64 ? v - 0.3 : type == PixelType.F32 ? (float) (v - 0.3) : Math.floor(200 * v)).toArray();
	}
}
