package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Prints the times of each CUDA algorithm, on the device alone and from Java array to Java array, with the two algorithms of the CUDA Handbook; the cost of the
 * recheck; the times of banks of templates, and of CuPy, PyTorch and NPP if they are installed. Medians of 20.
 */
public final class CudaBench {

	private static final int REPEATS = 20;
	/** Regular expressions: only algorithms with these ids, and, with {@code small}, only these pixel types. For memory checkers. */
	private static final String WANTED = System.getProperty("ncc.contract.algorithm", ".*"), TYPES = System.getProperty("ncc.bench.types", ".*");
	private static final List<String> ALL = List.of("device", "sides", "cubes", "exact", "missing", "convolutions", "bank", "host", "streams", "price", "peers");

	private CudaBench() {}

	/**
	 * @param arguments some of device, sides, cubes (small templates in a volume), exact (double precision, real weights), missing (missing pixels,
	 * three channels), convolutions, bank, host, streams, price, peers, regret, several, gates, large (predicted and measured times of large
	 * templates); all but the last five if none is given; {@code once} and {@code small} for profilers and checkers
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
		if (what.contains("small"))
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
		if (what.contains("gates") || what.contains("once") && !what.contains("small")) {
			for (final int k : new int[] { 8, 32, 128 }) print(times, PixelType.U8, plane, k);
			if (what.contains("once")) for (final int k : new int[] { 8, 128 }) print(times, PixelType.F32, plane, k);
			print(times, PixelType.U8, volume, 16);
		}
		if (what.contains("device")) {
			for (final int k : new int[] { 8, 32, 128, 256 }) print(times, PixelType.U8, plane, k);
			for (final int k : new int[] { 8, 32, 128 }) print(times, PixelType.U16, plane, k);
			for (final int k : new int[] { 8, 32, 128 }) print(times, PixelType.F32, plane, k);
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 }) print(times, type, volume, 16);
		}
		// as figure 2 of Papamakarios, Rizos, Pitsianis, FLCC
		if (what.contains("sides")) for (int k = 2; k <= 32; k += k < 8 ? 1 : k < 16 ? 2 : 4) print(times, PixelType.U8, plane, k);
		if (what.contains("sides")) for (int k = 2; k <= 32; k += k < 8 ? 1 : k < 16 ? 2 : 4) convolve(times, PixelType.U8, plane, k, Precision.SINGLE);
		// FLCC's kernels for 2x2x2 to 10x10x10
		if (what.contains("cubes")) for (int k = 2; k <= 10; k++) {
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 }) print(times, type, volume, k);
			convolve(times, PixelType.F32, volume, k, Precision.SINGLE);
		}
		if (what.contains("exact")) for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
			for (final int k : new int[] { 8, 32, 128 }) {
				final Correlation p = DeviceTimes.problem(type, plane, new long[] { k, k }, 1);
				print(times, p.in(Precision.DOUBLE));
				print(times, DeviceTimes.weighted(p));
			}
		if (what.contains("missing")) for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 }) {
			for (final int k : new int[] { 8, 32, 128 }) missing(times, DeviceTimes.problem(type, plane, new long[] { k, k }, 1));
			missing(times, DeviceTimes.problem(type, volume, new long[] { 16, 16, 16 }, 1));
		}
		if (what.contains("convolutions")) {
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
				for (final int k : new int[] { 8, 32, 128 }) convolve(times, type, plane, k, Precision.values());
			convolve(times, PixelType.F32, volume, 10, Precision.values());
		}
		if (what.contains("bank")) bank(times);
		if (what.contains("host")) for (final int k : new int[] { 8, 32, 128 }) host(device, 2000, k);
		if (what.contains("streams")) CudaStreams.print();
		if (what.contains("price")) CudaPrice.print(device);
		if (what.contains("peers")) CudaPeers.print();
		if (what.contains("regret")) CudaRegret.print();
		if (what.contains("several")) CudaSeveral.print();
		if (what.contains("large")) {
			System.out.println(CudaLarge.HEAD);
			CudaLarge.measure(device, times, new PixelType[] { PixelType.F32, PixelType.U8 }, 32, 64, 128, 192, 256, 384);
		}
	}

	private static void print(final DeviceTimes times, final PixelType type, final long[] image, final int k) {
		final long[] template = image.clone();
		Arrays.fill(template, k);
		print(times, DeviceTimes.problem(type, image, template, 1));
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

	private static void bank(final DeviceTimes times) {
		for (final long[] image : new long[][] { { 300, 246 }, { 2000, 2000 } }) {
			final Correlation p = DeviceTimes.problem(PixelType.U8, image, new long[] { 16, 16 }, 32);
			print(times, p);
			System.out.printf(Locale.ROOT, "  writing its maps alone: %.4f ms%n", times.writing(4 * p.responses()));
		}
		print(times, DeviceTimes.problem(PixelType.U8, new long[] { 2000, 2000 }, new long[] { 64, 64 }, 32));
		print(times, DeviceTimes.problem(PixelType.F32, new long[] { 4096, 4096 }, new long[] { 512, 512 }, 8));
	}

	/** From byte[] to float[]: one image after the other, several in flight, and through the public API, which allocates a map for each image. */
	private static void host(final CudaDevice device, final int n, final int k) {
		final byte[] pixels = new byte[n * n];
		new Random(2).nextBytes(pixels);
		final Correlation p = DeviceTimes.problem(PixelType.U8, new long[] { n, n }, new long[] { k, k }, 1);
		final double[] values = new double[k * k];
		for (int i = 0; i < values.length; i++) values[i] = pixels[i] & 0xff;
		final List<Template> templates = List.of(new Template(p.templates().get(0), PixelType.U8, values, null));
		for (final SlidingAlgorithm<?> a : Problems.sliding(new CudaBackend())) {
			if (Problems.unsupported(a, p).isPresent() || a.id().contains("handbook")) continue;
			try (Execution execution = a.planAny(p, device.device).prepare(templates)) {
				final LagBox lags = new LagBox(new long[1][2], p.lags().count().toIntArray());
				final int depth = execution.depth();
				final HostArrays arrays = new HostArrays(PixelType.U8, new long[] { n, n }, pixels, depth, lags);
				final double[] one = new double[REPEATS], streamed = new double[REPEATS];
				for (int i = -40; i < REPEATS; i++) {
					final long start = System.nanoTime();
					execution.submit(arrays, lags, arrays.sink(0), Monitor.NONE).join();
					if (i >= 0) one[i] = 1e-6 * (System.nanoTime() - start);
				}
				for (int i = 0; i < REPEATS; i++) {
					final long start = System.nanoTime();
					final List<CompletableFuture<Report>> flying = new ArrayList<>();
					for (int f = 0; f < depth; f++) flying.add(execution.submit(arrays, lags, arrays.sink(f), Monitor.NONE));
					flying.forEach(CompletableFuture::join);
					streamed[i] = 1e-6 * (System.nanoTime() - start) / depth;
				}
				System.out.printf(Locale.ROOT, "byte[] to float[], %dx%d with %dx%d, %s: %.3f ms one by one, %.3f ms an image of %d in flight%n", n, n, k, k,
					a.id(), DeviceTimes.median(one), DeviceTimes.median(streamed), depth);
			}
		}
		final Img<?> image = ArrayImgs.unsignedBytes(pixels, n, n), template = ArrayImgs.unsignedBytes(Arrays.copyOf(pixels, k * k), k, k);
		final double[] times = new double[REPEATS];
		for (int i = -20; i < REPEATS; i++) {
			final long start = System.nanoTime();
			NormalizedCrossCorrelation.of(template).backend("cuda").correlate(image);
			if (i >= 0) times[i] = 1e-6 * (System.nanoTime() - start);
		}
		System.out.printf(Locale.ROOT, "the op, a new map each time: %.3f ms%n", DeviceTimes.median(times));
	}
}
