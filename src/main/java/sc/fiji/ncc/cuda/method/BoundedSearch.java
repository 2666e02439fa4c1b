package sc.fiji.ncc.cuda.method;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;

import jcuda.CudaException;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaExecution;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.GroupLevel;
import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Searches bounded banks on a GPU: see {@code poses.cu}. The products with the basis come from transforms of a whole box in float, with the error estimate of
 * {@code cuda-fourier}. Where that exceeds the tolerance, no response is computed again: the bounds of the window are wider by the same factor. A window whose
 * products are unknown is scored with all members.
 */
public final class BoundedSearch implements BankExecution {

	/** The share of the GPU's memory for all banks. */
	private static final double SHARE_OF_MEMORY = 0.4;
	/** Bytes for each point of a box, besides products and spectra: pixels, their transforms, window sums and lists. */
	private static final int BYTES_PER_POINT = 110;
	/** The longest axis of a transform. */
	private static final int MAX_EXTENT = 8192;
	/** Additional error of the products for their rounding to float, and that of window sums. */
	private static final float ROUNDING = 1e-6f;
	/** Blocks of the kernel {@code score} for each multiprocessor; the most memory for all blocks. */
	private static final int BLOCKS = 16;
	private static final long SCRATCH = 1L << 29;
	/** Bytes of {@code struct Kept} and {@code struct Found}; the number of counters; threads of the kernels {@code bounds} and {@code score}. */
	private static final int KEPT = 16, FOUND = 16, COUNTS = 5, THREADS = 256, THREADS_OF_SCORE = 128;

	private final CudaDevice device;
	private final PixelType type;
	private final int dimensions;
	private final long[] image;
	private final double minScore;
	private final WholePixels whole;
	private final RealPixels real;
	/** The kind of pixels, as in the names of the kernels. */
	private final String kind;
	private final StreamContext context;
	private final List<DeviceBank> banks = new ArrayList<>();
	private final ParallelCopy pieces = new ParallelCopy(CudaExecution.POOL, Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors())));
	/** The box whose pixels were sent last. */
	private BoxGeometry sent;
	private long[] sentFrom;

	/** The calling thread has entered the device. */
	public BoundedSearch(final CudaDevice device, final PixelType type, final Size size, final List<Members> all, final double minScore) {
		this(device, type, size, all, minScore, (long) (SHARE_OF_MEMORY * device.device.memory()));
	}

	/** @param memory the most bytes of the device for all banks */
	BoundedSearch(final CudaDevice device, final PixelType type, final Size size, final List<Members> all, final double minScore, final long memory) {
		this.device = device;
		this.minScore = minScore;
		this.type = type;
		dimensions = size.dimensions();
		image = new long[] { size.get(0), size.get(1), size.get(2) };
		whole = type.exact() ? new WholePixels(device, type) : null;
		real = type.exact() ? null : new RealPixels(device, type);
		kind = whole == null ? real.kind() : type.bytes == 1 ? "bytes" : "shorts";
		final int vectors = all.stream().mapToInt(b -> b.bounds().size()).sum(), most = all.stream().mapToInt(b -> b.bounds().size()).max().orElse(0);
		final double perPoint = 4.0 * (vectors + most) + BYTES_PER_POINT;
		final double maxPoints = memory / perPoint;
		context = new StreamContext(device);
		try {
			for (final Members b : all) banks.add(new DeviceBank(device, b, lags(b.box(), maxPoints)));
		}
		catch (final RuntimeException | Error e) {
			try {
				close();
			}
			catch (final RuntimeException ofClosing) {
				e.addSuppressed(ofClosing);
			}
			throw e;
		}
	}

	/** The bytes for an image. @param points those of its transform; @param vectors those of all bases */
	public static long bytes(final long memory, final double points, final double vectors) {
		return (long) Math.min(SHARE_OF_MEMORY * memory, points * (2 * Float.BYTES * vectors + BYTES_PER_POINT));
	}

	/** The lags of a box along each dimension: all, or as many as fit into memory. */
	private int[] lags(final Size box, final double maxPoints) {
		final int[] lags = new int[3];
		final long[] all = new long[3];
		for (int d = 0; d < 3; d++) {
			all[d] = image[d] - box.get(d) + 1;
			lags[d] = (int) Math.min(all[d], Math.max(1, MAX_EXTENT - box.get(d) + 1));
		}
		while (DeviceBank.extents(box, lags).reals() > maxPoints) {
			int longest = 2;
			for (int d = 1; d >= 0; d--) if (lags[d] > lags[longest]) longest = d;
			if (lags[longest] == 1) throw new DeviceException("not enough memory on the device for transforms of " + box);
			lags[longest] = (lags[longest] + 1) / 2;
		}
		for (int d = 0; d < 3; d++) {
			final long parts = (all[d] + lags[d] - 1) / lags[d];
			lags[d] = (int) ((all[d] + parts - 1) / parts);
		}
		return lags;
	}

	@Override
	public long responses(final List<Range> lags) {
		long n = 0;
		for (int b = 0; b < banks.size(); b++) n += banks.get(b).spectra.length * lags.get(b).lags();
		return n;
	}

	@Override
	public Report search(final Pixels in, final List<Range> ranges, final Receiver to, final Monitor monitor) {
		try {
			device.enter();
			sent = null;
			long undefined = 0;
			for (int b = 0; b < banks.size(); b++) {
				final DeviceBank bank = banks.get(b);
				if (ranges.get(b).isEmpty()) continue;
				final long[] first = three(ranges.get(b).first(), 0), count = three(ranges.get(b).count(), 1), lag = first.clone();
				for (int d = 0; d < 3;) {
					final int[] lags = new int[3];
					for (int i = 0; i < 3; i++) lags[i] = (int) Math.min(bank.lags[i], first[i] + count[i] - lag[i]);
					undefined += search(in, b, lag.clone(), lags, to, monitor);
					monitor.done((long) lags[0] * lags[1] * lags[2] * bank.spectra.length);
					for (d = 0; d < 3 && (lag[d] += bank.lags[d]) >= first[d] + count[d]; d++) lag[d] = first[d];
				}
			}
			return new Report(responses(ranges), undefined, 0);
		}
		catch (final CudaException e) {
			throw new DeviceException(e.getMessage(), e);
		}
	}

	private static long[] three(final long[] of, final long beyond) {
		final long[] all = { beyond, beyond, beyond };
		System.arraycopy(of, 0, all, 0, of.length);
		return all;
	}

	/** One box of one bank. @return the number of undefined responses */
	private long search(final Pixels in, final int index, final long[] lag, final int[] lags, final Receiver to, final Monitor monitor) {
		if (monitor.canceled()) throw new CancellationException("canceled");
		final DeviceBank bank = banks.get(index);
		final int width = (int) bank.box.get(0), vectors = bank.spectra.length;
		final BoxGeometry box = new BoxGeometry(bank.box, lag, lags, image, (lags[0] + width - 1 + 31) / 32 * 32);
		final TransformExtents e = bank.extents;
		// the transforms of the basis use the same buffers, so they come first
		for (final BoxSpectra s : bank.spectra) s.prepare(context, e, false);
		send(in, box, lag);
		final CUdeviceptr raw = context.buffer("raw", bytes(box));
		final CUdeviceptr pixels = whole != null ? whole.enqueue(context, box, raw).pixels() : real.enqueue(context, box, raw);
		final CUdeviceptr numerators = context.buffer("numerators", 4 * e.reals() * vectors);
		final BoxSpectra.Product[] products = new BoxSpectra.Product[vectors];
		for (int v = 0; v < vectors; v++) products[v] = BoxSpectra.product(context, e, "numerator " + v, 1);
		final CUdeviceptr trust = trust(bank, products);
		multiply(bank, box, pixels, products, trust, numerators);
		final CUdeviceptr limits = context.buffer("limits", 4L * (lags[1] * lags[2] + lags[0])), counts = context.buffer("counts", 4 * COUNTS);
		context.clear(counts, COUNTS);
		context.launch(kernel("limits"), GpuKernel.Grid.over(32L * (lags[1] * lags[2] + lags[0]), 1, 1, 128, 1), 0, trust, vectors, box.struct(), limits);
		final long[] search = struct(bank, box, numerators, limits, counts, products[0].known());
		final Object windows = windows(box, pixels);
		context.launch(kernel("keep_" + kind), new GpuKernel.Grid((lags[0] + 127) / 128, Math.min(lags[1], 1 << 15), lags[2], 128, 1), 0, windows,
			box.struct(), search);
		final GpuKernel.Grid grid = new GpuKernel.Grid(Math.min(16L * device.processors, (box.count() + 31) / 32), 1, 1, THREADS, 1);
		if (bank.groups > 0) context.launch(kernel("groups"), grid, 4 * 32 * vectors, box.struct(), search);
		context.launch(kernel("bounds"), grid, 4 * 32 * vectors, box.struct(), search);
		context.launch(kernel("score_" + type.name().toLowerCase(Locale.ROOT)), new GpuKernel.Grid(blocks(bank), 1, 1, THREADS_OF_SCORE, 1), 0, raw,
			box.struct(), search);
		context.fetch(context.pinnedPointer("counted", 4 * COUNTS), counts, 4 * COUNTS);
		context.await(monitor);
		final ByteBuffer counted = context.pinned("counted", 4 * COUNTS);
		take(index, box, lag, counted.getInt(8), to, monitor);
		return (long) counted.getInt(12) * vectors;
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("poses", function);
	}

	private long bytes(final BoxGeometry box) {
		return (long) box.pixels() * type.bytes;
	}

	/** Sends the pixels of a box, unless they are there. */
	private void send(final Pixels in, final BoxGeometry box, final long[] lag) {
		if (sent != null && Arrays.equals(sentFrom, lag) && Arrays.equals(sent.part, box.part)) return;
		final long size = bytes(box);
		final CUdeviceptr raw = context.buffer("raw", size);
		// kernels read whole 32-bit words
		if (size % 4 != 0) context.clear(raw.withByteOffset(size / 4 * 4), 1);
		final Buffer staged = Buffers.view(context.pinned("pixels", size), type);
		pieces.copy(Arrays.copyOf(box.part, dimensions), (from, part, first, elements) -> {
			final long[] min = Arrays.copyOf(lag, dimensions);
			min[dimensions - 1] += from;
			in.read(min, part, ParallelCopy.of(staged, first, elements));
		});
		context.send(raw, context.pinnedPointer("pixels", size), size);
		sent = box;
		sentFrom = lag;
	}

	/** {@code struct Trust} of each vector. */
	private CUdeviceptr trust(final DeviceBank bank, final BoxSpectra.Product[] products) {
		final TransformExtents e = bank.extents;
		final int n = bank.members.support().length, words = 13;
		final long size = 8L * words * products.length;
		final ByteBuffer all = context.pinned("trust", size);
		for (int v = 0; v < products.length; v++)
			for (final long word : new long[] { e.x() | (long) e.y() << 32, e.z() | (long) n << 32, Addresses.of(products[v].known()),
				Addresses.of(products[v].result()), Addresses.of(products[v].noise()), bits(n), bits(1.0 / n), bits(bank.totals[v] / n), bits(1),
					bits(SpectralMethod.eps(false) / Tolerance.RESPONSE), bits(SpectralMethod.MARGIN_OF_PROBES / Tolerance.RESPONSE),
				bits(Math.sqrt(Tolerance.FLOOR)), bits(offsetRounding(n)) }) all.putLong(word);
		final CUdeviceptr to = context.buffer("trust", size);
		context.send(to, context.pinnedPointer("trust", size), size);
		return to;
	}

	private static double offsetRounding(final int n) {
		return Math.sqrt(n) * SpectralMethod.PIXEL_ROUNDING * Tolerance.EPS_FLOAT / Tolerance.RESPONSE;
	}

	/** The products of all windows with all vectors, and the data for their error estimates. */
	private void multiply(final DeviceBank bank, final BoxGeometry box, final CUdeviceptr pixels, final BoxSpectra.Product[] products, final CUdeviceptr trust,
		final CUdeviceptr numerators)
	{
		final TransformExtents e = bank.extents;
		final long complexBytes = 8 * e.complexes();
		final CUdeviceptr reals = context.buffer("reals", 4 * e.reals()), spectrum = context.buffer("complexes", complexBytes),
			same = context.buffer("same complexes", complexBytes);
		context.launch(device.kernels().get("fourier", "pad_" + kind + "_float"), new GpuKernel.Grid(BoxSpectra.rowBlocks(device, e), e.z(), 1, 128, 1), 0,
			pixels, box.struct(), e.struct(), reals, products[0].known());
		bank.spectra[0].measure(context, e, false, reals, products[0].pixels(), new CUdeviceptr());
		context.launch(kernel("references"), new GpuKernel.Grid(1, 1, 1, 128, 1), 0, trust, products.length);
		bank.spectra[0].transform(context, e, Cufft.Type.R2C, reals, spectrum);
		for (int v = 0; v < products.length; v++) {
			bank.spectra[v].probe(context, box, pixels, kind, false, products[v]);
			device.check(JCudaDriver.cuMemcpyDtoDAsync(same, spectrum, complexBytes, context.stream), "copying a spectrum");
			bank.spectra[v].back(context, e, box, false, same, products[0].pixels(), products[v], numerators.withByteOffset(4 * e.reals() * v), true);
		}
	}

	/** What the kernel {@code keep} sums: prefix sums of whole numbers, or the pixels. */
	private CUdeviceptr windows(final BoxGeometry box, final CUdeviceptr pixels) {
		if (whole == null) return pixels;
		final int rows = box.rows * box.planes, each = type.bytes == 1 ? 8 : 16;
		final CUdeviceptr prefix = context.buffer("prefix", (long) each * rows * (box.lags[0] + box.width));
		context.launch(kernel("prefix_" + kind), GpuKernel.Grid.over(32L * rows, 1, 1, 256, 1), 0, pixels, box.struct(), prefix);
		return prefix;
	}

	private static int blocks(final CudaDevice device, final int pixels, final int members) {
		return (int) Math.max(1, Math.min((long) BLOCKS * device.processors, SCRATCH / (16L * pixels + 8L * members)));
	}

	private int blocks(final DeviceBank bank) {
		return blocks(device, bank.members.support().length, bank.members.count());
	}

	/** {@code struct Search} of the kernels. */
	private long[] struct(final DeviceBank bank, final BoxGeometry box, final CUdeviceptr numerators, final CUdeviceptr limits, final CUdeviceptr counts,
		final CUdeviceptr known)
	{
		final int n = bank.members.support().length, size = bank.members.count(), blocks = blocks(bank);
		final TransformExtents e = bank.extents;
		final CUdeviceptr kept = context.buffer("kept", (long) KEPT * box.count()), left = context.buffer("left", 4L * box.count());
		final CUdeviceptr found = context.buffer("found", (long) FOUND * box.count()), values = context.buffer("values", 16L * n * blocks);
		final CUdeviceptr uppers = context.buffer("uppers", 4L * size * blocks), list = context.buffer("list", 4L * size * blocks);
		final CUdeviceptr near = context.buffer("near", 4L * box.count());
		final float error = bank.bounds.error + ROUNDING;
		final GroupLevel g = bank.level;
		return new long[] { Addresses.of(numerators), Addresses.of(bank.sums.pointer()), Addresses.of(limits), Addresses.of(bank.products.pointer()),
			Addresses.of(bank.residual.pointer()), Addresses.of(known), Addresses.of(bank.runs.pointer()),
			Addresses.of(support(bank, box)), Addresses.of(bank.values.pointer()), Addresses.of(bank.gains.pointer()),
			Addresses.of(counts), Addresses.of(kept), Addresses.of(left), Addresses.of(found), Addresses.of(values), Addresses.of(uppers),
			Addresses.of(list), Addresses.of(bank.centres.pointer()), Addresses.of(near), bits(minScore), pair(error, bank.bounds.minNorm()),
			pair((float) offsetRounding(n), (float) Math.sqrt(Tolerance.FLOOR)), g == null ? 0 : pair(g.cos, g.sin),
			g == null ? 0 : pair(bank.bounds.largest, bank.bounds.gamma), e.x() | (long) e.y() << 32,
			e.z() | (long) bank.runCount << 32, n | (long) bank.spectra.length << 32, size | (long) bank.groups << 32 };
	}

	/** The place of each pixel of the support in the pixels that were sent. */
	private CUdeviceptr support(final DeviceBank bank, final BoxGeometry box) {
		final int[] at = bank.members.support();
		final int w = box.width, h = box.height;
		final long size = 4L * at.length;
		final ByteBuffer all = context.pinned("support", size);
		for (final int i : at) all.putInt((i / w / h * box.part[1] + i / w % h) * box.part[0] + i % w);
		final CUdeviceptr to = context.buffer("support", size);
		context.send(to, context.pinnedPointer("support", size), size);
		return to;
	}

	private static long bits(final double v) {
		return Double.doubleToRawLongBits(v);
	}

	private static long pair(final float first, final float second) {
		return Float.floatToRawIntBits(first) & 0xffff_ffffL | (long) Float.floatToRawIntBits(second) << 32;
	}

	/** Fetches what was found, and passes it on. */
	private void take(final int index, final BoxGeometry box, final long[] lag, final int n, final Receiver to, final Monitor monitor) {
		if (n == 0) return;
		final long size = (long) FOUND * n;
		context.fetch(context.pinnedPointer("found", size), context.buffer("found", (long) FOUND * box.count()), size);
		context.await(monitor);
		final ByteBuffer all = context.pinned("found", size);
		final int[] lags = new int[n], members = new int[n];
		final double[] scores = new double[n];
		for (int i = 0; i < n; i++) {
			lags[i] = all.getInt(FOUND * i);
			members[i] = all.getInt(FOUND * i + 4);
			scores[i] = all.getDouble(FOUND * i + 8);
		}
		to.take(index, Arrays.copyOf(lag, dimensions), Arrays.copyOf(box.lags, dimensions), lags, scores, members, n);
	}

	@Override
	public void close() {
		if (device.lost() != null) return; // the driver has released its memory
		device.enter();
		// a search that failed or was canceled may still run
		device.check(JCudaDriver.cuStreamSynchronize(context.stream), "closing a search");
		banks.forEach(DeviceBank::close);
		banks.clear();
		context.close();
	}
}
