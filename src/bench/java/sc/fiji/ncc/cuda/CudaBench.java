package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/**
 * Prints the times of each CUDA algorithm on the device alone, with the two algorithms of the CUDA Handbook; the cost of the recheck; and the times of banks of
 * templates. Medians of 20. {@code GpuDocuments} measures the tables of the documents.
 */
public final class CudaBench {

	/** Regular expressions: only algorithms with these ids, and, with {@code small}, only these pixel types. For memory checkers. */
	private static final String WANTED = System.getProperty("ncc.contract.algorithm", ".*"), TYPES = System.getProperty("ncc.bench.types", ".*");
	/** The number of timed calls. */
	private static final int CALLS = 15;
	private static final List<String> ALL = List.of("device", "convolutions", "bank", "calls", "price");

	private CudaBench() {}

	/**
	 * @param arguments some of device, convolutions, bank, calls, price, regret, several, gates; all but the last three if none is given;
	 * {@code once} and {@code small}, alone or with calls, for profilers and checkers; and single problems, as {@code
	 * F32:256x256x256:16x16x16} or {@code U8:2000x2000:64x64:32} for 32 templates
	 */
	public static void main(final String[] arguments) throws Exception {
		final List<String> what = arguments.length == 0 ? ALL : List.of(arguments);
		new CudaBackend().unavailable().ifPresent(reason -> {
			throw new IllegalStateException(reason);
		});
		final CudaDevice device = Driver.devices().list().get(0);
		System.out.println(device.device.name());
		final DeviceTimes times = new DeviceTimes(device, what.contains("once"));
		final long[] plane = { 2000, 2000 }, volume = { 256, 256, 256 };
		if (what.contains("small") && !what.contains("calls"))
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.U16, PixelType.F32, PixelType.F64 }) {
				if (!type.name().matches(TYPES)) continue;
				for (final int k : new int[] { 5, 20, 45, 90 }) print(times, type, new long[] { 140, 110 }, k);
				print(times, type, new long[] { 40, 24, 16 }, 4);
				for (final int k : new int[] { 5, 45 }) {
					final Correlation p = DeviceTimes.problem(type, new long[] { 140, 110 }, new long[] { k, k }, 1);
					print(times, p.in(Precision.DOUBLE));
					print(times, DeviceTimes.weighted(p));
					missing(times, p);
				}
				for (final int k : new int[] { 5, 45 }) convolve(times, type, new long[] { 140, 110 }, k, Precision.values());
				convolve(times, type, new long[] { 40, 24, 16 }, 4, Precision.values());
				print(times, DeviceTimes.problem(type, new long[] { 140, 110 }, new long[] { 12, 10 }, 20));
			}
		final List<String> problems = what.stream().filter(w -> w.contains(":")).toList();
		problems.forEach(p -> print(times, problem(p.split(":"))));
		if (what.contains("gates") || what.contains("once") && problems.isEmpty() && !what.contains("small")) {
			for (final int k : new int[] { 8, 32, 128 }) print(times, PixelType.U8, plane, k);
			if (what.contains("once")) {
				for (final int k : new int[] { 8, 32 }) print(times, PixelType.U16, plane, k);
				for (final int k : new int[] { 8, 32, 128, 256 }) print(times, PixelType.F32, plane, k);
			}
			print(times, PixelType.U8, volume, 16);
		}
		if (what.contains("device")) {
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.U16, PixelType.F32 })
				for (final int k : new int[] { 8, 16, 32, 64, 128, 192, 256, 384 }) print(times, type, plane, k);
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 }) print(times, type, volume, 16);
		}
		if (what.contains("convolutions")) {
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
				for (final int k : new int[] { 8, 32, 128 }) convolve(times, type, plane, k, Precision.values());
			convolve(times, PixelType.F32, volume, 10, Precision.values());
		}
		if (what.contains("bank")) bank(times);
		if (what.contains("calls")) calls(what.contains("small"), what.contains("once"));
		if (what.contains("price")) CudaPrice.print(device);
		if (what.contains("regret")) CudaRegret.print();
		// on one GPU, each row comes twice
		if (what.contains("several")) new CudaTables("bench CudaBench several").several();
	}

	private static void print(final DeviceTimes times, final PixelType type, final long[] image, final int k) {
		final long[] template = image.clone();
		Arrays.fill(template, k);
		print(times, DeviceTimes.problem(type, image, template, 1));
	}

	private static Correlation problem(final String[] parts) {
		return DeviceTimes.problem(PixelType.valueOf(parts[0]), extents(parts[1]), extents(parts[2]),
			parts.length > 3 ? Integer.parseInt(parts[3]) : 1);
	}

	private static long[] extents(final String text) {
		return Arrays.stream(text.split("x")).mapToLong(Long::parseLong).toArray();
	}

	/** Missing pixels, three channels, and both. */
	private static void missing(final DeviceTimes times, final Correlation p) {
		print(times, DeviceTimes.missing(p));
		print(times, p.of(3));
		print(times, DeviceTimes.missing(p.of(3)));
	}

	private static void convolve(final DeviceTimes times, final PixelType type, final long[] image, final int k, final Precision... precisions) {
		final long[] kernel = image.clone();
		Arrays.fill(kernel, k);
		for (final Precision precision : precisions) {
			final Sliding p = new Convolution(DeviceTimes.problem(type, image, kernel, 1).windows().in(precision), 1);
			// products are not faster for a kernel of 2x2
			print(times, new Convolution(p.windows(), Separation.terms(DeviceTimes.templates(p, new Random(1)), type, precision)));
		}
	}

	private static void print(final DeviceTimes times, final Sliding p) {
		final int n = p.templates().size();
		final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%s%s%s %s with %s%s:", p instanceof Correlation ? "" : "convolution of ",
			p.precision() == Precision.SINGLE ? "" : "in double ", p.image(), p.size(), n > 1 ? n + " of " : "", p.templates().get(0)));
		if (p.weights() != Weights.NONE) line.append(" under ").append(p.weights());
		if (p.lags().masked()) line.append(" with missing pixels");
		if (p.channels() > 1) line.append(" in ").append(p.channels()).append(" channels");
		for (final SlidingAlgorithm<?> a : Problems.sliding(new CudaBackend()))
			if (a.id().matches(WANTED) && Problems.unsupported(a, p).isEmpty())
				line.append(String.format(Locale.ROOT, "  %s %.4f ms", a.id().substring(5), times.of((CudaAlgorithm<?>) a, p)));
		System.out.println(line);
	}

	/** Calls with several templates, from Java arrays to results, with their preparation. */
	private static void calls(final boolean small, final boolean once) {
		if (small) {
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
				if (type.name().matches(TYPES)) calls(DeviceTimes.problem(type, new long[] { 140, 110 }, new long[] { 12, 10 }, 20), once);
			return;
		}
		calls(DeviceTimes.problem(PixelType.U8, new long[] { 2000, 2000 }, new long[] { 64, 64 }, 32), once);
		calls(DeviceTimes.problem(PixelType.F32, new long[] { 2000, 2000 }, new long[] { 64, 64 }, 4), once);
		calls(DeviceTimes.problem(PixelType.F32, new long[] { 2000, 2000 }, new long[] { 24, 24 }, 16), once);
		calls(DeviceTimes.problem(PixelType.F32, new long[] { 4096, 4096 }, new long[] { 512, 512 }, 8), once);
	}

	private static void calls(final Correlation p, final boolean once) {
		final int warmUp = once ? 0 : 3, calls = once ? 1 : CALLS;
		final Random random = new Random(1);
		final List<Template> templates = DeviceTimes.templates(p, random);
		final LagBox lags = new LagBox(new long[templates.size()][p.size().dimensions()], p.lags().count().toIntArray());
		// maps are kept, as those of a call: writing to new memory takes longer
		final HostArrays image = HostArrays.noise(p.image(), p.size().toArray(), templates.size(), lags);
		for (final Result result : Result.values()) {
			final Correlation q = new Correlation(p.windows(), p.weights(), p.channels(), result);
			final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "a call for %s: %s %s with %d of %s, preparation and frame:",
				result.name().toLowerCase(Locale.ROOT), p.image(), p.size(), templates.size(), p.templates().get(0)));
			for (final SlidingAlgorithm<Correlation> a : Problems.correlations(new CudaBackend())) {
				if (!a.id().matches(WANTED) || a.id().contains("handbook") || Problems.unsupported(a, q).isPresent()) continue;
				final SlidingPlan plan = a.plan(q, new CudaBackend().devices().get(0));
				final double[] prepared = new double[calls], framed = new double[calls];
				for (int i = -warmUp; i < calls; i++) {
					final long start = System.nanoTime(), between;
					try (Execution execution = plan.prepare(templates)) {
						between = System.nanoTime();
						execution.submit(image, lags, result == Result.MAP ? image.sink() : DISCARD, Monitor.NONE).join();
					}
					if (i < 0) continue;
					prepared[i] = 1e-6 * (between - start);
					framed[i] = 1e-6 * (System.nanoTime() - between);
				}
				line.append(String.format(Locale.ROOT, "  %s %.2f + %.2f ms (predicted %.2f + %.2f)", a.id().substring(5), DeviceTimes.median(prepared),
					DeviceTimes.median(framed), 1e3 * plan.cost().onceSeconds(), 1e3 * plan.cost().frameSeconds()));
			}
			System.out.println(line);
		}
	}

	/** Takes results and does nothing. */
	static final Sink DISCARD = new Sink() {

		@Override
		public float undefined() {
			return 0;
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer from) {}

		@Override
		public void peaks(final int template, final BoxPeaks found) {}

		@Override
		public float minScore() {
			return 0.5f;
		}

		@Override
		public void best(final long[] min, final int[] size, final FloatBuffer greatest, final Buffer which) {}
	};

	private static void bank(final DeviceTimes times) {
		for (final long[] image : new long[][] { { 300, 246 }, { 2000, 2000 } }) {
			final Correlation p = DeviceTimes.problem(PixelType.U8, image, new long[] { 16, 16 }, 32);
			print(times, p);
			System.out.printf(Locale.ROOT, "  writing its maps alone: %.4f ms%n", times.writing(4 * p.responses()));
		}
		print(times, DeviceTimes.problem(PixelType.U8, new long[] { 2000, 2000 }, new long[] { 64, 64 }, 32));
		print(times, DeviceTimes.problem(PixelType.F32, new long[] { 4096, 4096 }, new long[] { 512, 512 }, 8));
	}
}
