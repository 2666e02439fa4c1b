package sc.fiji.ncc.cuda;

import java.io.IOException;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.CostCalibration;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * The times that {@link CudaCost} predicts, without and with a calibration of the machine, and measured times, from Java arrays to results: one image and
 * streams, maps, matches, the best of several templates, and many templates over small shifts. The problems are not those of the calibration. Kernels are
 * compiled before: neither the predicted nor the measured times contain that.
 */
final class CudaEstimates {

	/** Columns of the table. Times are in milliseconds an image. */
	static final String[] COLUMNS = { "frames", "result", "type", "image", "templates", "template", "method", "shipped_ms", "calibrated_ms", "measured_ms" };
	/** The limit of the measurements of one problem in seconds, and the longest prediction relative to the shortest. */
	private static final double SECONDS = 1, MOST = 4;
	/** Seconds for calls before the first measurement. */
	private static final double WARM_UP = 4;
	/** Every so many problems are measured, and the seconds of the calibration: for short runs. */
	private static final int EVERY = Integer.getInteger("ncc.estimates.every", 1);
	private static final double CALIBRATION = Integer.getInteger("ncc.estimates.calibration", (int) CostCalibration.SECONDS);

	private CudaEstimates() {}

	/** The problems of the table. */
	private static List<Sliding> problems() {
		final List<Sliding> all = new ArrayList<>();
		for (final int frames : new int[] { 1, 64 })
			for (final Result result : Result.values())
				for (final PixelType type : result == Result.MAP ? new PixelType[] { PixelType.U8, PixelType.F32 } : new PixelType[] { PixelType.U8 })
					for (final int side : new int[] { 512, 1500 })
						for (final int k : result.type().quantized() ? new int[] { 48 } : new int[] { 10, 48, 160 })
							all.add(problem(type, new long[] { side, side }, k, frames, result));
		all.add(problem(PixelType.U8, new long[] { 3000, 3000 }, 100, 1, Result.MAP));
		all.add(problem(PixelType.U16, new long[] { 1500, 1500 }, 20, 1, Result.MAP));
		all.add(problem(PixelType.F32, new long[] { 150, 150, 150 }, 10, 1, Result.MAP));
		for (final int frames : new int[] { 1, 64 })
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 }) all.add(shifts(type, frames));
		final Correlation plain = problem(PixelType.F32, new long[] { 600, 600 }, 24, 1, Result.MAP);
		all.add(plain.in(Precision.DOUBLE));
		all.add(DeviceTimes.weighted(plain));
		all.add(DeviceTimes.missing(plain));
		for (final int k : new int[] { 7, 40 }) all.add(new Convolution(problem(PixelType.F32, new long[] { 1500, 1500 }, k, 1, Result.MAP).windows(), 0));
		all.add(new Convolution(problem(PixelType.F32, new long[] { 1500, 1500 }, 16, 1, Result.MAP).windows(), 1));
		return all;
	}

	private static Correlation problem(final PixelType type, final long[] image, final int side, final int frames, final Result result) {
		final long[] template = new long[image.length];
		Arrays.fill(template, side);
		final Windows one = DeviceTimes.problem(type, image, template, result == Result.BEST ? 4 : 1).windows();
		return new Correlation(one.part(one.lags().count(), frames), Weights.NONE, 1, result);
	}

	/** 20 templates with lags of their own. */
	private static Correlation shifts(final PixelType type, final int frames) {
		final Windows one = DeviceTimes.problem(type, new long[] { 600, 600 }, new long[] { 48, 48 }, 20).windows();
		return new Correlation(new Windows(type, type, one.size(), one.templates(), new Lags(Size.of(19, 19), false, false, 0, true), frames, one.precision()),
			Weights.NONE, 1, Result.MAP);
	}

	/** Runs each algorithm once. A measurement's limit is too short for a driver that compiles kernels. */
	private static void compile(final Backend backend, final Sliding p) {
		final List<Template> templates = DeviceTimes.templates(p, new Random(1));
		final LagBox lags = new LagBox(new long[templates.size()][p.size().dimensions()], p.lags().count().toIntArray());
		final Pixels image = HostArrays.noise(p.image(), p.size().toArray(), 0, lags);
		for (final SlidingAlgorithm<?> a : Problems.sliding(backend)) {
			if (Problems.unsupported(a, p).isPresent()) continue;
			try (Execution execution = a.planAny(p, backend.devices().get(0)).prepare(templates)) {
				execution.submit(image, lags, CudaBench.DISCARD, Monitor.NONE).join();
			}
		}
	}

	/** Adds a row for each problem and algorithm. @param log takes the results of the calibration and the worst ratios */
	static void measure(final DocumentTable table, final Consumer<String> log) throws IOException {
		final List<Backend> gpu = List.of(new CudaBackend());
		final Path folder = Files.createTempDirectory("wisdom"), none = folder.resolve("none.txt"), calibrated = folder.resolve("calibrated.txt"),
				measured = folder.resolve("measured.txt");
		for (final CostCalibration c : new Planner(gpu, calibrated).calibrate(CALIBRATION, Optional.empty(), Monitor.NONE)) {
			log.accept(String.format(Locale.ROOT, "%s: %d runs, median error %.0f %% before, %.0f %% after", c.device().name(), c.runs(),
				100 * c.errorBefore(), 100 * c.errorAfter()));
			c.constants().forEach((name, k) -> log.accept(String.format(Locale.ROOT, "  %-22s %.3g instead of %.3g s", name, k.measured(), k.shipped())));
		}
		// the code of the host is compiled during the first calls
		final Path first = folder.resolve("first.txt");
		new Planner(gpu, first).rank(problems().get(0), Optional.of("cuda"), Optional.empty(), Effort.MEASURE, WARM_UP, Monitor.NONE);
		final List<double[]> ratios = new ArrayList<>();
		final List<Sliding> all = problems();
		for (final Sliding p : IntStream.range(0, all.size()).filter(i -> i % EVERY == 0).mapToObj(all::get).toList()) {
			compile(gpu.get(0), p);
			final Map<String, Double> before = predicted(new Planner(gpu, none), p), after = predicted(new Planner(gpu, calibrated), p);
			final double least = Collections.min(before.values());
			for (final Candidate c : new Planner(gpu, measured).rank(p, Optional.of("cuda"), Optional.empty(), Effort.MEASURE, SECONDS, Monitor.NONE)
				.candidates()) {
				if (!c.applies() || c.measured().isEmpty() || !before.containsKey(c.name()) || before.get(c.name()) > MOST * least) continue;
				final double ms = 1e3 * c.measured().orElseThrow() / p.frames(), b = before.get(c.name()), a = after.get(c.name());
				table.row(p.frames(), what(p), p.image(), p.size(), p.templates().size(), p.templates().get(0), c.name(), b, a, ms);
				ratios.add(new double[] { b / ms, a / ms });
				log.accept(table.last());
			}
		}
		for (int i = 0; i < 2; i++) {
			final int k = i;
			final double[] off = ratios.stream().mapToDouble(r -> Math.max(r[k], 1 / r[k])).sorted().toArray();
			log.accept(String.format(Locale.ROOT, "%s: %d rows, median factor %.2f, largest %.2f, above 2: %d", k == 0 ? "shipped" : "calibrated", off.length,
				off[off.length / 2], off[off.length - 1], Arrays.stream(off).filter(f -> f > 2).count()));
		}
		try (var files = Files.list(folder)) {
			for (final Path f : files.toList()) Files.delete(f);
		}
		Files.delete(folder);
	}

	/** The result, and what is special about the problem. */
	private static String what(final Sliding p) {
		if (p instanceof Convolution c) return c.terms() > 0 ? "separable convolution" : "convolution";
		final String result = ((Correlation) p).result().name().toLowerCase(Locale.ROOT);
		if (p.lags().apart()) return result + " of small shifts";
		if (p.lags().masked()) return result + " with missing pixels";
		if (p.weights() != Weights.NONE) return result + " with weights";
		return p.precision() == Precision.DOUBLE ? result + " in double" : result;
	}

	/** The predicted milliseconds an image of each algorithm. */
	private static Map<String, Double> predicted(final Planner planner, final Sliding p) {
		return planner.rank(p, Optional.of("cuda"), Optional.empty()).candidates().stream().filter(Candidate::applies)
			.collect(Collectors.toMap(Candidate::name, c -> 1e3 * c.plan().cost().seconds() / p.frames(), (x, y) -> x, TreeMap::new));
	}
}
