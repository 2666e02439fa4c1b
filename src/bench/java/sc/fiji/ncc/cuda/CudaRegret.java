package sc.fiji.ncc.cuda;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;

/** The time of the planner's choice in relation to the fastest method of all devices, for square images of 32 to 4096 with templates of 2 to 256, prepared. */
final class CudaRegret {

	/** Methods whose predicted time is this many times the smallest are not timed. */
	private static final double HOPELESS = 4;
	/** The time that each candidate is measured, and the time before in which the code of the CPU candidates is compiled. */
	private static final double SECONDS = 0.02, WARM = 0.15;

	/** The ratio of one template side to the next. A value of 4 takes less time. */
	private static final int STEP = Integer.getInteger("ncc.regret.step", 2);

	private CudaRegret() {}

	static void print() throws Exception {
		final Path folder = Files.createTempDirectory("wisdom");
		final int threads = Runtime.getRuntime().availableProcessors();
		final Planner shipped = new Planner(Backends.all(threads), folder.resolve("shipped.txt")), measuring = new Planner(Backends.all(threads),
			folder.resolve("measured.txt"));
		final List<Double> byEstimate = new ArrayList<>(), byMeasure = new ArrayList<>();
		for (int side = 4096; side >= 32; side /= 2)
			for (int k = 2; k <= Math.min(side, 256); k *= STEP) {
				final Correlation p = DeviceTimes.problem(PixelType.U8, new long[] { side, side }, new long[] { k, k }, 1);
				final List<Candidate> candidates = shipped.rank(p, Optional.empty(), Optional.empty()).candidates().stream().filter(Candidate::applies).toList();
				final double least = candidates.stream().mapToDouble(c -> c.plan().cost().seconds()).min().orElseThrow();
				final String estimated = shipped.rank(p, Optional.empty(), Optional.empty()).fastest().orElseThrow().name();
				final String measured = measuring.rank(p, Optional.empty(), Optional.empty(), Effort.MEASURE, Planner.MEASURING_SECONDS,
					Monitor.NONE).fastest().orElseThrow().name();
				final Map<String, Double> times = new TreeMap<>();
				for (final Candidate c : candidates)
					if (c.plan().cost().seconds() < HOPELESS * least || c.name().equals(estimated) || c.name().equals(measured)) times.put(c.name(), time(c, p));
				// the smallest of many times can be chance: measure it again beside the chosen method
				for (int i = 0; i < 2; i++) {
					final String fastest = Collections.min(times.entrySet(), Map.Entry.comparingByValue()).getKey();
					if (fastest.equals(measured)) break;
					for (final Candidate c : candidates)
						if (c.name().equals(fastest) || c.name().equals(measured)) times.put(c.name(), time(c, p));
				}
				final double best = times.values().stream().mapToDouble(t -> t).min().orElseThrow();
				byEstimate.add(times.get(estimated) / best - 1);
				byMeasure.add(times.get(measured) / best - 1);
				System.out.printf(Locale.ROOT, "%d %d  estimate %s +%.0f%%, measure %s +%.0f%%  %s%n", side, k, estimated, 100 * (times.get(estimated) / best - 1), measured,
					100 * (times.get(measured) / best - 1), text(times));
			}
		System.out.println("regret by estimate: " + summary(byEstimate) + "; by measure: " + summary(byMeasure));
		try (var files = Files.list(folder)) {
			for (final Path f : files.toList()) Files.delete(f);
		}
		Files.delete(folder);
	}

	private static String text(final Map<String, Double> times) {
		final StringBuilder s = new StringBuilder();
		times.forEach((name, t) -> s.append(String.format(Locale.ROOT, " %s %.3f", name.replace("cuda", "g").replace("cpu", "c"), 1e3 * t)));
		return s.toString();
	}

	private static String summary(final List<Double> regrets) {
		final double[] r = regrets.stream().mapToDouble(v -> v).toArray();
		return String.format(Locale.ROOT, "median %.1f%%, worst %.1f%% of %d sizes", 100 * DeviceTimes.median(r), 100 * Arrays.stream(r).max().orElse(0), r.length);
	}

	/** Seconds per image: the median. */
	private static double time(final Candidate c, final Correlation p) {
		final byte[] pixels = new byte[(int) p.size().pixels()];
		final Random random = new Random(3);
		random.nextBytes(pixels);
		final LagBox lags = new LagBox(new long[1][2], p.lags().count().toIntArray());
		final HostArrays arrays = new HostArrays(PixelType.U8, p.size().toArray(), pixels, 1, lags);
		try (Execution execution = c.plan(SlidingPlan.class).prepare(DeviceTimes.templates(p, random))) {
			final List<Double> times = new ArrayList<>();
			final long begin = System.nanoTime();
			while (c.name().startsWith("cpu") && 1e-9 * (System.nanoTime() - begin) < WARM) execution.submit(arrays, lags, arrays.sink(0), Monitor.NONE).join();
			double all = 0;
			for (int i = -3; i < 200 && (i < 3 || all < SECONDS); i++) {
				final long start = System.nanoTime();
				execution.submit(arrays, lags, arrays.sink(0), Monitor.NONE).join();
				final double t = 1e-9 * (System.nanoTime() - start);
				if (i < 0) continue;
				times.add(t);
				all += t;
			}
			return DeviceTimes.median(times.stream().mapToDouble(v -> v).toArray());
		}
	}
}
