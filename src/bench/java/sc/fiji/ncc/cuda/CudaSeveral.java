package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sliding.Correlation;

/** The times of each GPU, and of several equal GPUs together, from Java array to Java array: one image after the other, and many in flight. */
final class CudaSeveral {

	private static final int REPEATS = 12, FRAMES = 48;

	private CudaSeveral() {}

	static void print() {
		System.out.println("milliseconds an image (predicted), one by one / many in flight");
		print(PixelType.U8, "cuda-direct-exact", new long[] { 2000, 2000 }, 32, 1);
		print(PixelType.U8, "cuda-fourier", new long[] { 2000, 2000 }, 128, 1);
		print(PixelType.U8, "cuda-direct", new long[] { 2000, 2000 }, 128, 1);
		print(PixelType.U8, "cuda-direct-exact", new long[] { 2000, 2000 }, 16, 16);
		print(PixelType.U8, "cuda-direct-exact", new long[] { 8192, 8192 }, 64, 1);
		print(PixelType.U16, "cuda-direct-exact", new long[] { 256, 256, 256 }, 16, 1);
		print(PixelType.U16, "cuda-fourier", new long[] { 256, 256, 256 }, 32, 1);
	}

	private static void print(final PixelType type, final String id, final long[] size, final int k, final int templates) {
		final long[] template = size.clone();
		Arrays.fill(template, k);
		final Correlation one = DeviceTimes.problem(type, size, template, templates);
		final Correlation many = one.with(one.windows().part(one.lags().count(), FRAMES));
		final SlidingAlgorithm<Correlation> a = Problems.correlations(new CudaBackend()).stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
		System.out.printf("%s, %s %s with %d of %d:%n", id, type, one.size(), templates, k);
		for (final Device d : new CudaBackend().devices()) {
			final SlidingPlan alone = a.plan(one, d), streaming = a.plan(many, d);
			System.out.printf(Locale.ROOT, "  %s: %.3f (%.3f) / %.3f (%.3f)%n", d.id(), time(alone, one, 1), 1e3 * alone.cost().seconds(), time(streaming, many, FRAMES),
				1e3 * streaming.cost().seconds() / FRAMES);
		}
	}

	private static double time(final SlidingPlan plan, final Correlation p, final int frames) {
		final byte[] pixels = new byte[(int) (p.size().pixels() * p.image().bytes)];
		final Random random = new Random(2);
		random.nextBytes(pixels);
		final LagBox lags = new LagBox(new long[p.templates().size()][p.size().dimensions()], p.lags().count().toIntArray());
		final HostArrays arrays = new HostArrays(p.image(), p.size().toArray(), pixels, p.templates().size(), lags);
		try (Execution execution = plan.prepare(DeviceTimes.templates(p, random))) {
			final double[] ms = new double[frames == 1 ? REPEATS : 3];
			for (int i = -2; i < ms.length; i++) {
				final long start = System.nanoTime();
				final List<CompletableFuture<Report>> flying = new ArrayList<>();
				for (int f = 0; f < frames; f++) {
					if (flying.size() >= execution.depth()) flying.remove(0).join();
					flying.add(execution.submit(arrays, lags, arrays.sink(), Monitor.NONE));
				}
				flying.forEach(CompletableFuture::join);
				if (i >= 0) ms[i] = 1e-6 * (System.nanoTime() - start) / frames;
			}
			return DeviceTimes.median(ms);
		}
	}
}
