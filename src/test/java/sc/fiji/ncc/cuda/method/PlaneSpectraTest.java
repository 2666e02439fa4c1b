package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.shifts.SmallShiftsMethodTest;
import sc.fiji.ncc.fixture.CudaCard;
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

/** Transforms of planes in three passes, with each radix, with two passes and three over a line, and up to the greatest lengths. */
class PlaneSpectraTest {

	/** A length is at least n, is a power of two or one, two or three quarters more, and has the radices that the kernels have. */
	@Test
	void lengths() {
		for (int n = 1; n <= 4096; n++) {
			final int length = PlaneSpectra.length(n);
			final String what = n + " becomes " + length;
			assertEquals(true, length >= n && length >= 64 && (n <= 256 ? length < 2 * n || length == 64 : 4 * length < 5 * n + 4), what);
			final int power = Integer.highestOneBit(length);
			assertEquals(0, length % (length <= 256 ? power : power / 4), what);
		}
	}

	@Tag("gpu")
	@Tag("large")
	@ParameterizedTest
	@CsvSource({ "120, 60, U8", "500, 320, F32", "760, 440, S16", "1270, 760, F32", "1780, 1270, U8", "2550, 100, F32", "100, 2500, U8",
		"100, 4000, F32", "8100, 100, F32" })
	void responsesAreThoseOfTheDefinition(final int width, final int height, final PixelType type) {
		CudaCard.require();
		final Random random = new Random(width + height);
		final int[] shape = { 9, 7 };
		final double[] image = noise(type, width * height, random), values = noise(type, shape[0] * shape[1], random);
		final Template template = new Template(Size.of(shape[0], shape[1]), type, values, null);
		final int[] lags = { width - shape[0] + 1, height - shape[1] + 1 };
		final Correlation problem = Problems.correlation(type, type, Size.of(width, height), List.of(template.size()), Weights.NONE,
			Lags.inside(Size.of(lags[0], lags[1])), 1);
		final CpuBackend cpu = new CpuBackend(2);
		final float[] expected = responses(Problems.correlation(cpu, "cpu-direct"), cpu.devices().get(0), Problems.in(Precision.DOUBLE, problem),
			template, image, lags);
		for (final Precision precision : Precision.values()) {
			final float[] found = responses(Problems.correlation(new CudaBackend(), "cuda-fourier"), Driver.devices().list().get(0).device,
				Problems.in(precision, problem), template,
				image, lags);
			assertArrayEquals(expected, found, 1e-5f, width + "x" + height + " in " + precision);
		}
	}

	private static float[] responses(final SlidingAlgorithm<Correlation> algorithm, final Device device, final Correlation problem,
		final Template template, final double[] image,
		final int[] lags)
	{
		final int[] size = problem.size().toIntArray();
		final double[][] map = new double[1][lags[0] * lags[1]];
		final LagBox box = new LagBox(new long[1][2], lags);
		try (Execution execution = algorithm.plan(problem, device).prepare(List.of(template))) {
			execution.submit(ArrayPixels.of(problem.image(), size, image, 1, false, null), box, new SmallShiftsMethodTest.Maps(map, box.size()),
				Monitor.NONE).join();
		}
		final float[] responses = new float[map[0].length];
		for (int i = 0; i < responses.length; i++) responses[i] = (float) map[0][i];
		return responses;
	}

	private static double[] noise(final PixelType type, final int n, final Random random) {
		return random.doubles(n).map(v -> type == PixelType.F32 ? (float) (v - 0.3) : Math.floor(200 * v)).toArray();
	}
}
