package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** Images with more rows or planes than a launch has blocks along y or z. Skipped, with the reason, without a GPU. */
@Tag("gpu")
class LongImagesTest {

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	@Test
	void manyRows() {
		compare(new int[] { 16, 600_000 }, new int[] { 16, 8 });
		compare(new int[] { 20, 300_000 }, new int[] { 18, 33 });
	}

	@Test
	void manyPlanes() {
		compare(new int[] { 8, 8, 70_000 }, new int[] { 8, 8, 4 });
	}

	private static void compare(final int[] size, final int[] shape) {
		final Random random = new Random(3);
		final Template template = new Template(size(shape), PixelType.U8, noise(product(shape), random), null);
		final double[] image = noise(product(size), random);
		final int[] lags = size.clone();
		for (int d = 0; d < lags.length; d++) lags[d] -= shape[d] - 1;
		final Correlation problem = Problems.correlation(PixelType.U8, PixelType.U8, size(size), List.of(template.size()), Weights.NONE, Lags.inside(size(lags)), 1);
		final double[] expected = map(new CpuBackend(2), "cpu-direct-exact", null, problem, template, size, image, lags);
		int some = 0;
		for (final SlidingAlgorithm<Correlation> a : Problems.correlations(new CudaBackend())) {
			if (a.unsupported(problem).isPresent()) continue;
			assertArrayEquals(expected, map(new CudaBackend(), a.id(), Driver.devices().list().get(0).device, problem, template, size, image, lags), 1e-5, a.id() + " " + size(size));
			some++;
		}
		assertTrue(some >= 3, some + " algorithms");
	}

	/** @param device null for the first one */
	private static double[] map(final Backend backend, final String id, final Device device, final Correlation problem, final Template template, final int[] size,
		final double[] image,
		final int[] lags)
	{
		final SlidingAlgorithm<Correlation> algorithm = Problems.correlation(backend, id);
		final double[][] map = new double[1][product(lags)];
		try (Execution execution = algorithm.plan(problem, device == null ? backend.devices().get(0) : device).prepare(List.of(template))) {
			execution.submit(ArrayPixels.of(PixelType.U8, size, image, 1, false, null), new LagBox(new long[][] { new long[size.length] }, lags),
				new Whole(map, lags), Monitor.NONE).join();
		}
		return map[0];
	}

	/** Maps of any number of dimensions. */
	private record Whole(double[][] maps, int[] size) implements Sink {

		@Override
		public float undefined() {
			return Float.NaN;
		}

		@Override
		public void map(final int template, final long[] min, final int[] part, final Buffer from) {
			for (int i = 0; i < product(part); i++) {
				int at = 0, rest = i, step = 1;
				for (int d = 0; d < part.length; step *= size[d], rest /= part[d], d++) at += ((int) min[d] + rest % part[d]) * step;
				maps[template][at] = from instanceof FloatBuffer ? ((FloatBuffer) from).get(from.position() + i) : ((DoubleBuffer) from).get(from.position() + i);
			}
		}
	}

	private static Size size(final int[] extents) {
		return extents.length == 2 ? Size.of(extents[0], extents[1]) : Size.of(extents[0], extents[1], extents[2]);
	}

	private static int product(final int[] extents) {
		int n = 1;
		for (final int e : extents) n *= e;
		return n;
	}

	private static double[] noise(final int n, final Random random) {
		return random.doubles(n).map(v -> Math.floor(256 * v)).toArray();
	}
}
