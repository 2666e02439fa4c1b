package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;

/** Tables of the documents about one GPU: times on the device alone, of calls one by one, and of a stream. */
public final class CudaTables {

	private static final int CALLS = 15;
	private static final String PAIRS = "ncc.cuda.wide";

	private final CudaDevice device = Driver.devices().list().get(0);
	private final DeviceTimes times = new DeviceTimes(device, false);
	private final String command;

	/** @param command as the documents write it */
	public CudaTables(final String command) {
		this.command = command;
	}

	/** The name of the GPU. */
	public String gpu() {
		return device.device.name().replace(",", ";");
	}

	private DocumentTable table(final String... columns) {
		return new DocumentTable(Origin.here(gpu(), command), columns);
	}

	/**
	 * Correlation and convolution of 2000x2000 over the side of the template, as figure 2 of Papamakarios, Rizos, Pitsianis, FLCC.
	 *
	 * @param onDevice whether the times are those on the device alone; else from Java arrays to Java arrays, one by one and with many in flight
	 */
	public DocumentTable sides(final boolean onDevice, final int... sides) {
		final DocumentTable table = onDevice ? table("image", "type", "side", "method", "ms") : table("image", "type", "side", "method", "frames", "ms_an_image");
		for (final int k : sides) {
			final Correlation p = square(PixelType.U8, 2000, 2, k);
			add(table, p, k, onDevice);
			add(table, convolution(p), k, onDevice);
		}
		return table;
	}

	/** 2000x2000 with templates of 8x8 to 256x256 on the device alone: 8 bit, 16 bit and float. */
	public DocumentTable device(final int... sides) {
		final DocumentTable table = table("type", "image", "template", "method", "device_ms");
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.U16, PixelType.F32 })
			for (final int k : sides) {
				final Correlation p = square(type, 2000, 2, k);
				for (final CudaAlgorithm<?> a : applicable(p)) row(table, name(type), "2000x2000", k + "x" + k, a.id(), times.of(a, p));
			}
		return table;
	}

	/** Predicted and measured times of calls with large templates. */
	public DocumentTable large(final int... sides) {
		final DocumentTable table = table(CudaLarge.HEAD.split(","));
		for (final String line : CudaLarge.measure(device, times, new PixelType[] { PixelType.F32, PixelType.U8 }, sides)) table.row((Object[]) line.split(","));
		return table;
	}

	/** Predicted and measured times of calls and streams, see {@link CudaEstimates}. */
	public DocumentTable estimates() throws IOException {
		final DocumentTable table = table(CudaEstimates.COLUMNS);
		CudaEstimates.measure(table, System.out::println);
		return table;
	}

	/** Streams of 2000x2000 with 32x32, from Java arrays to maps of each type of responses, matches and the best of four templates. */
	public DocumentTable streams() {
		final DocumentTable table = table("result", "median_ms_a_frame", "least_ms_a_frame", "latency_ms", "cpu_fourier_16_threads_ms");
		CudaStreams.measure(table);
		return table;
	}

	/** 2000x2000 from byte[] to float[], one by one and as many in flight as an execution takes. */
	public DocumentTable arrays() {
		final DocumentTable table = table("method", "template", "in_flight", "one_by_one_ms", "in_flight_ms");
		for (final int k : new int[] { 8, 32, 128 }) {
			final Correlation p = square(PixelType.U8, 2000, 2, k);
			for (final CudaAlgorithm<?> a : applicable(p)) {
				final HostTimes t = host(a, p);
				row(table, a.id(), k + "x" + k, t.depth, t.one, t.each);
			}
		}
		return table;
	}

	/** Correlation and convolution of 256x256x256 with small templates, on the device alone; in 8 bit by {@code cuda-direct-exact} only. */
	public DocumentTable cubes(final int... sides) {
		final DocumentTable table = table("image", "type", "side", "method", "ms");
		for (final int k : sides) {
			final Correlation p = square(PixelType.F32, 256, 3, k);
			for (final Sliding q : List.of(square(PixelType.U8, 256, 3, k), p, convolution(p)))
				for (final CudaAlgorithm<?> a : applicable(q))
					if (q.image() != PixelType.U8 || a.id().equals("cuda-direct-exact")) row(table, q.size(), name(q.image()), k, a.id(), times.of(a, q));
		}
		return table;
	}

	/** 2000x2000 with missing pixels, three channels, and both, on the device alone. Large templates for missing pixels only. */
	public DocumentTable missing() {
		final DocumentTable table = table("what", "type", "method", "template", "ms");
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
			for (final int k : new int[] { 8, 32, 128 }) {
				final Correlation p = square(type, 2000, 2, k);
				add(table, "missing pixels", DeviceTimes.missing(p), k);
				if (k == 128) continue;
				add(table, "3 channels", p.of(3), k);
				add(table, "both", DeviceTimes.missing(p.of(3)), k);
			}
		return table;
	}

	/** 2000x2000 with real weights, in double precision, and convolution in double, on the device alone. */
	public DocumentTable weights() {
		final DocumentTable table = table("what", "type", "method", "template", "ms");
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
			for (final int k : new int[] { 8, 32, 128 }) {
				final Correlation p = square(type, 2000, 2, k);
				add(table, "real weights", DeviceTimes.weighted(p), k);
				add(table, "double precision", p.in(Precision.DOUBLE), k);
				add(table, "convolution in double", convolution(p.in(Precision.DOUBLE)), k);
			}
		return table;
	}

	/** 2000x2000 on the device alone, with pairs of floats and with double where float does not suffice, see {@link ExtendedPrecision}. */
	public DocumentTable pairs() {
		final DocumentTable table = table("method", "type", "arithmetic", "template", "ms");
		final String before = System.getProperty(PAIRS);
		try {
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
				for (final String arithmetic : List.of("pairs", "double")) {
					System.setProperty(PAIRS, arithmetic);
					for (final int k : new int[] { 8, 32, 128 }) {
						final Correlation p = square(type, 2000, 2, k);
						for (final CudaAlgorithm<?> a : applicable(p)) row(table, a.id(), name(type), arithmetic, k + "x" + k, times.of(a, p));
					}
				}
		}
		finally {
			if (before == null) System.clearProperty(PAIRS);
			else System.setProperty(PAIRS, before);
		}
		return table;
	}

	/** 2000x2000 on the device alone, here and with CuPy, PyTorch and NPP. */
	public DocumentTable peers() throws IOException, InterruptedException {
		final DocumentTable table = table("library", "method", "type", "image", "template", "ms");
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
			for (final int k : new int[] { 8, 32, 128 }) {
				final Correlation p = square(type, 2000, 2, k);
				for (final CudaAlgorithm<?> a : applicable(p)) row(table, "this project", a.id(), name(type), p.size(), k + "x" + k, times.of(a, p));
			}
		CudaPeers.measure(table);
		return table;
	}

	/** Whether some GPUs are equal, so that they can work together. */
	public boolean severalGpus() {
		return new CudaBackend().devices().size() > Driver.devices().list().size();
	}

	/** One GPU and all GPUs together, see {@link #severalGpus}. */
	public DocumentTable several() throws IOException {
		final DocumentTable table = new DocumentTable(Origin.here(Driver.devices().list().size() + " x " + gpu(), command), CudaSeveral.COLUMNS);
		CudaSeveral.measure(table);
		return table;
	}

	private static Correlation square(final PixelType type, final long side, final int dimensions, final long template) {
		final long[] image = new long[dimensions], k = new long[dimensions];
		Arrays.fill(image, side);
		Arrays.fill(k, template);
		return DeviceTimes.problem(type, image, k, 1);
	}

	/** With a kernel of as few products as it can be: products are not faster for a kernel of 2x2. */
	private static Convolution convolution(final Sliding p) {
		final Sliding products = new Convolution(p.windows(), 1);
		return new Convolution(p.windows(), Separation.terms(DeviceTimes.templates(products, new Random(1)), p.image(), p.precision()));
	}

	private void add(final DocumentTable table, final String what, final Sliding p, final int side) {
		for (final CudaAlgorithm<?> a : applicable(p)) row(table, what, name(p.image()), a.id(), side + "x" + side, times.of(a, p));
	}

	private static void row(final DocumentTable table, final Object... cells) {
		table.row(cells);
		System.out.println(table.last());
	}

	static String name(final PixelType type) {
		return type == PixelType.F32 ? "float" : 8 * type.bytes + " bit";
	}

	private static List<CudaAlgorithm<?>> applicable(final Sliding p) {
		return Problems.sliding(new CudaBackend()).stream().<CudaAlgorithm<?>>map(a -> (CudaAlgorithm<?>) a).filter(a -> !a.id().contains("handbook")
			&& Problems.unsupported(a, p).isEmpty()).toList();
	}

	private void add(final DocumentTable table, final Sliding p, final int side, final boolean onDevice) {
		for (final CudaAlgorithm<?> a : applicable(p)) {
			if (onDevice) {
				row(table, "2000x2000", name(p.image()), side, a.id(), times.of(a, p));
				continue;
			}
			final HostTimes t = host(a, p);
			row(table, "2000x2000", name(p.image()), side, a.id(), 1, t.one);
			row(table, "2000x2000", name(p.image()), side, a.id(), t.depth, t.each);
		}
	}

	/** Milliseconds an image, one by one and with {@code depth} in flight. */
	private record HostTimes(int depth, double one, double each) {}

	/** From Java arrays to Java arrays. */
	private HostTimes host(final CudaAlgorithm<?> a, final Sliding p) {
		try (Execution execution = a.planAny(p, device.device).prepare(DeviceTimes.templates(p, new Random(1)))) {
			final LagBox lags = new LagBox(new long[1][2], p.lags().count().toIntArray());
			final int depth = execution.depth();
			final HostArrays arrays = HostArrays.noise(p.image(), p.size().toArray(), depth, lags);
			final double[] one = new double[CALLS], stream = new double[CALLS];
			for (int i = -5; i < CALLS; i++) {
				final long start = System.nanoTime();
				execution.submit(arrays, lags, arrays.sink(0), Monitor.NONE).join();
				if (i >= 0) one[i] = 1e-6 * (System.nanoTime() - start);
			}
			for (int i = -1; i < CALLS; i++) {
				final long start = System.nanoTime();
				final List<CompletableFuture<Report>> flying = new ArrayList<>();
				for (int f = 0; f < depth; f++) flying.add(execution.submit(arrays, lags, arrays.sink(f), Monitor.NONE));
				flying.forEach(CompletableFuture::join);
				if (i >= 0) stream[i] = 1e-6 * (System.nanoTime() - start) / depth;
			}
			return new HostTimes(depth, DeviceTimes.median(one), DeviceTimes.median(stream));
		}
	}
}
