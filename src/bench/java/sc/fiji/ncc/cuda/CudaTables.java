package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;

/** Tables of the documents about one GPU: times on the device alone, of calls one by one, and of a stream. */
public final class CudaTables {

	private static final int CALLS = 15;

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
			final Correlation p = DeviceTimes.problem(PixelType.U8, new long[] { 2000, 2000 }, new long[] { k, k }, 1);
			add(table, p, k, onDevice);
			final Sliding products = new Convolution(p.windows(), 1);
			// products are not faster for a kernel of 2x2
			add(table, new Convolution(p.windows(), Separation.terms(DeviceTimes.templates(products, new Random(1)), PixelType.U8, p.precision())), k, onDevice);
		}
		return table;
	}

	/** 2000x2000 with templates of 8x8 to 256x256 on the device alone: 8 bit, 16 bit and float. */
	public DocumentTable device(final int... sides) {
		final DocumentTable table = table("type", "image", "template", "method", "device_ms");
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.U16, PixelType.F32 })
			for (final int k : sides) {
				final Correlation p = DeviceTimes.problem(type, new long[] { 2000, 2000 }, new long[] { k, k }, 1);
				for (final CudaAlgorithm<?> a : applicable(p)) table.row(name(type), "2000x2000", k + "x" + k, a.id(), times.of(a, p));
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

	/** Streams of 2000x2000 with 32x32, from Java arrays to maps, matches and the best of four templates. */
	public DocumentTable streams() {
		final DocumentTable table = table("result", "median_ms_a_frame", "least_ms_a_frame", "latency_ms", "cpu_fourier_16_threads_ms");
		CudaStreams.measure(table);
		return table;
	}

	private static String name(final PixelType type) {
		return type == PixelType.F32 ? "float" : 8 * type.bytes + " bit";
	}

	private static List<CudaAlgorithm<?>> applicable(final Sliding p) {
		return Problems.sliding(new CudaBackend()).stream().<CudaAlgorithm<?>>map(a -> (CudaAlgorithm<?>) a).filter(a -> !a.id().contains("handbook")
			&& Problems.unsupported(a, p).isEmpty()).toList();
	}

	private void add(final DocumentTable table, final Sliding p, final int side, final boolean onDevice) {
		for (final CudaAlgorithm<?> a : applicable(p)) {
			if (onDevice) {
				table.row("2000x2000", name(p.image()), side, a.id(), times.of(a, p));
				continue;
			}
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
				table.row("2000x2000", name(p.image()), side, a.id(), 1, DeviceTimes.median(one));
				table.row("2000x2000", name(p.image()), side, a.id(), depth, DeviceTimes.median(stream));
				System.out.println(table.last());
			}
		}
	}
}
