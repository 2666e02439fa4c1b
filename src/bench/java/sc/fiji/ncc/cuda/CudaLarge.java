package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;

/** The predicted and the measured times of one call, for 2000x2000 with templates of 32 to 384 pixels a side: all CUDA algorithms, 8 bit and float. */
final class CudaLarge {

	static final String HEAD = "type,image,template,algorithm,predicted_ms,call_ms,prepared_ms,device_ms";

	private static final int SIDE = 2000, CALLS = 7;

	private CudaLarge() {}

	/** One line for each algorithm and size. A call prepares the template; a prepared call does not. */
	static List<String> measure(final CudaDevice device, final DeviceTimes times, final PixelType[] types, final int... sides) {
		final List<String> lines = new ArrayList<>();
		for (final PixelType type : types)
			for (final int k : sides) {
				final Correlation p = DeviceTimes.problem(type, new long[] { SIDE, SIDE }, new long[] { k, k }, 1);
				for (final CudaAlgorithm<Correlation> a : Problems.correlations(new CudaBackend()).stream().map(a -> (CudaAlgorithm<Correlation>) a).toList()) {
					if (a.id().contains("handbook") || a.unsupported(p).isPresent()) continue;
					final SlidingPlan plan = a.plan(p, device.device);
					final double[] call = new double[CALLS], prepared = new double[CALLS];
					final List<Template> templates = DeviceTimes.templates(p, new Random(1));
					final LagBox lags = new LagBox(new long[1][2], p.lags().count().toIntArray());
					final HostArrays arrays = HostArrays.noise(type, p.size().toArray(), 1, lags);
					for (int i = -2; i < CALLS; i++) {
						final long start = System.nanoTime();
						try (Execution execution = plan.prepare(templates)) {
							execution.submit(arrays, lags, arrays.sink(0), Monitor.NONE).join();
							final long again = System.nanoTime();
							execution.submit(arrays, lags, arrays.sink(0), Monitor.NONE).join();
							if (i >= 0) {
								prepared[i] = 1e-6 * (System.nanoTime() - again);
								call[i] = 1e-6 * (again - start);
							}
						}
					}
					lines.add(String.format(Locale.ROOT, "%s,%dx%d,%dx%d,%s,%.3f,%.3f,%.3f,%.4f", type, SIDE, SIDE, k, k, a.id(), 1e3 * plan.cost().seconds(),
						DeviceTimes.median(call),
						DeviceTimes.median(prepared), times.of(a, p)));
					System.out.println(lines.get(lines.size() - 1));
				}
			}
		return lines;
	}
}
