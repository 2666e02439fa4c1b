package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.document.DocumentTable;
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

/** The times of one GPU and of several equal GPUs together, from Java array to Java array: one image after the other, and many in flight. */
final class CudaSeveral {

	static final String[] COLUMNS = { "method", "type", "image", "template", "templates", "gpus", "frames", "ms_an_image", "predicted_ms" };

	private static final int REPEATS = 12, FRAMES = 48;

	private CudaSeveral() {}

	/** @param table receives a row for each problem, device, and number of frames in flight */
	static void measure(final DocumentTable table) {
		measure(table, PixelType.U8, "cuda-direct-exact", new long[] { 2000, 2000 }, 32, 1);
		measure(table, PixelType.U8, "cuda-direct", new long[] { 2000, 2000 }, 128, 1);
		measure(table, PixelType.U8, "cuda-direct-exact", new long[] { 2000, 2000 }, 16, 16);
		measure(table, PixelType.U16, "cuda-direct-exact", new long[] { 256, 256, 256 }, 16, 1);
	}

	private static void measure(final DocumentTable table, final PixelType type, final String id, final long[] size, final int k, final int templates) {
		final long[] template = size.clone();
		Arrays.fill(template, k);
		final Correlation one = DeviceTimes.problem(type, size, template, templates);
		final Correlation many = one.with(one.windows().part(one.lags().count(), FRAMES));
		final SlidingAlgorithm<Correlation> a = Problems.correlations(new CudaBackend()).stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
		final int gpus = Driver.devices().list().size();
		final List<Device> devices = new CudaBackend().devices();
		// one GPU, and the group of all
		for (final Device d : List.of(devices.get(0), devices.get(devices.size() - 1)))
			for (final Correlation p : List.of(one, many)) {
				final SlidingPlan plan = a.plan(p, d);
				final int frames = p == one ? 1 : FRAMES;
				table.row(id, CudaTables.name(type), one.size(), one.templates().get(0), templates, d == devices.get(0) ? 1 : gpus, frames,
					time(plan, p, frames), 1e3 * plan.cost().seconds() / frames);
				System.out.println(table.last());
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
