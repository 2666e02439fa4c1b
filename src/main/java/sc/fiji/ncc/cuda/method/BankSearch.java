package sc.fiji.ncc.cuda.method;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

import jcuda.CudaException;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
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
 * What searches of banks on a GPU share: boxes of lags, the pixels of a box, exact scores of windows ({@code poses.cu}), and what was
 * found.
 */
abstract class BankSearch implements BankExecution {

	/** Blocks of the kernel {@code score} for each multiprocessor; the most memory for all blocks. */
	private static final int BLOCKS = 16;
	static final long SCRATCH = 1L << 29;
	/** Bytes of {@code struct Kept} and {@code struct Found}; the number of counters; threads of a block of the kernel {@code score}. */
	static final int KEPT = 16, FOUND = 16, COUNTS = 5;
	private static final int THREADS_OF_SCORE = 128;
	/** The support of 8-bit pixels from which on the sum of the squares of a window, each one at most 128², can exceed 32 bits. */
	private static final int LARGE = 1 << 18;
	/** The most bytes of the pixels of a box: a pinned buffer and what it is rounded up to have an int length. */
	private static final long MOST_BYTES = 15L << 27;
	/** The number of windows that come back at once. */
	private static final int TAKEN = 1 << 22;

	final CudaDevice device;
	final PixelType type;
	private final int dimensions;
	final long[] image;
	final double minScore;
	final WholePixels whole;
	final RealPixels real;
	/** The kind of pixels, as in the names of the kernels. */
	final String kind;
	final StreamContext context;
	private final List<DeviceBank> banks = new ArrayList<>();
	private final ParallelCopy pieces = new ParallelCopy(CudaExecution.POOL, Math.max(1, Math.min(8,
		Runtime.getRuntime().availableProcessors())));
	/** The box whose pixels were sent last. */
	private BoxGeometry sent;
	private long[] sentFrom;

	/** The calling thread has entered the device. Pixels of 8 bits are floats if a support is large. */
	BankSearch(final CudaDevice device, final PixelType type, final Size size, final List<Members> all, final double minScore) {
		this.device = device;
		this.minScore = minScore;
		this.type = type;
		dimensions = size.dimensions();
		image = new long[] { size.get(0), size.get(1), size.get(2) };
		final boolean isWhole = type.exact() && (type.bytes > 1 || all.stream().allMatch(m -> m.support().length < LARGE));
		whole = isWhole ? new WholePixels(device, type) : null;
		real = isWhole ? null : new RealPixels(device, type);
		kind = whole == null ? real.kind() : type.bytes == 1 ? "bytes" : "shorts";
		context = new StreamContext(device);
	}

	/** Sends the members to the GPU. If that fails, this search is closed. */
	final void open(final List<Members> all, final Function<Members, DeviceBank> bank) {
		try {
			for (final Members m : all) banks.add(bank.apply(m));
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

	/**
	 * The lags of a box along each dimension: all, or as many as fit; null if none do.
	 *
	 * @param most the longest axis of a transform
	 * @param fits whether that many do. Of fewer lags it may be false
	 */
	static int[] lags(final PixelType type, final long[] image, final Size box, final int most, final Predicate<int[]> fits) {
		final int[] lags = new int[3];
		final long[] all = new long[3];
		for (int d = 0; d < 3; d++) {
			all[d] = image[d] - box.get(d) + 1;
			lags[d] = (int) Math.min(all[d], Math.max(1, most - box.get(d) + 1));
		}
		while (bytes(type, box, lags) > MOST_BYTES || !fits.test(lags)) {
			int longest = 2;
			for (int d = 1; d >= 0; d--) if (lags[d] > lags[longest]) longest = d;
			if (lags[longest] == 1) return null;
			lags[longest] = (lags[longest] + 1) / 2;
		}
		final int[] even = new int[3];
		for (int d = 0; d < 3; d++) {
			final long parts = (all[d] + lags[d] - 1) / lags[d];
			even[d] = (int) ((all[d] + parts - 1) / parts);
		}
		// fewer lags can need more padding
		return fits.test(even) ? even : lags;
	}

	/** The bytes of the pixels of a box. */
	private static double bytes(final PixelType type, final Size box, final int[] lags) {
		double bytes = type.bytes;
		for (int d = 0; d < 3; d++) bytes *= lags[d] + box.get(d) - 1;
		return bytes;
	}

	/** The number of correlations of each lag. */
	abstract int correlations(DeviceBank bank);

	@Override
	public final long responses(final List<Range> lags) {
		long n = 0;
		for (int b = 0; b < banks.size(); b++) n += correlations(banks.get(b)) * lags.get(b).lags();
		return n;
	}

	@Override
	public final Report search(final Pixels in, final List<Range> ranges, final Receiver to, final Monitor monitor) {
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
					monitor.requireNotCanceled();
					undefined += search(in, b, bank, lag.clone(), lags, to, monitor);
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

	/**
	 * One box of one bank.
	 *
	 * @param index that of the bank
	 * @return the number of undefined responses
	 */
	abstract long search(Pixels in, int index, DeviceBank bank, long[] lag, int[] lags, Receiver to, Monitor monitor);

	/** The geometry of a box of lags. */
	final BoxGeometry geometry(final DeviceBank bank, final long[] lag, final int[] lags) {
		return new BoxGeometry(bank.box, lag, lags, image, (lags[0] + (int) bank.box.get(0) - 1 + 31) / 32 * 32);
	}

	/** The pixels of a box as they were sent. */
	final CUdeviceptr raw(final BoxGeometry box) {
		return context.buffer("raw", bytes(box));
	}

	/** The pixels of a box as the transforms need them. */
	final CUdeviceptr pixels(final BoxGeometry box) {
		return whole != null ? whole.enqueue(context, box, raw(box)).pixels() : real.enqueue(context, box, raw(box));
	}

	final GpuKernel kernel(final String function) {
		return device.kernels().get("poses", function);
	}

	private long bytes(final BoxGeometry box) {
		return (long) box.pixels() * type.bytes;
	}

	/** Sends the pixels of a box, unless they are there. */
	final void send(final Pixels in, final BoxGeometry box, final long[] lag) {
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

	static double offsetRounding(final int n) {
		return Math.sqrt(n) * SpectralMethod.PIXEL_ROUNDING * Tolerance.EPS_FLOAT / Tolerance.RESPONSE;
	}

	/** The bytes of a prefix sum of pixels: of two words, or of two numbers of 64 bits. */
	final int prefixBytes() {
		return kind.equals("bytes") ? 8 : 16;
	}

	/** Memory for prefix sums of the rows of a box. */
	final CUdeviceptr prefix(final BoxGeometry box) {
		return context.buffer("prefix", (long) prefixBytes() * box.rows * box.planes * (box.lags[0] + box.width));
	}

	/** What window sums are made of: prefix sums of whole numbers, or the pixels. */
	final CUdeviceptr windows(final BoxGeometry box, final CUdeviceptr pixels) {
		if (whole == null) return pixels;
		final CUdeviceptr prefix = prefix(box);
		context.launch(kernel("prefix_" + kind), GpuKernel.Grid.over(32L * box.rows * box.planes, 1, 1, 256, 1), 0, pixels,
			box.struct(), prefix);
		return prefix;
	}

	/** Scores the windows of the list {@code left} exactly. */
	final void score(final DeviceBank bank, final BoxGeometry box, final long[] search) {
		context.launch(kernel("score_" + type.name().toLowerCase(Locale.ROOT)),
			new GpuKernel.Grid(blocks(bank), 1, 1, THREADS_OF_SCORE, 1), 0,
			raw(box), box.struct(), search);
	}

	/** The counters on the host: see {@code struct Search}. It waits for the stream. */
	final ByteBuffer counted(final Monitor monitor) {
		context.fetch(context.pinnedPointer("counted", 4 * COUNTS), counts(), 4 * COUNTS);
		context.await(monitor);
		return context.pinned("counted", 4 * COUNTS);
	}

	final CUdeviceptr counts() {
		return context.buffer("counts", 4 * COUNTS);
	}

	private static int blocks(final CudaDevice device, final int pixels, final int members) {
		return (int) Math.max(1, Math.min((long) BLOCKS * device.processors, SCRATCH / (16L * pixels + 8L * members)));
	}

	private int blocks(final DeviceBank bank) {
		return blocks(device, bank.members.support().length, bank.members.count());
	}

	/**
	 * {@code struct Search} of the kernels.
	 *
	 * @param numerators the products with the basis, and limits what they can be trusted for; null pointers without a basis
	 * @param most the most windows that are scored
	 * @param error that of the products
	 */
	final long[] struct(final DeviceBank bank, final BoxGeometry box, final CUdeviceptr numerators, final CUdeviceptr limits,
		final CUdeviceptr known, final long most, final float error)
	{
		final int n = bank.members.support().length, size = bank.members.count(), blocks = blocks(bank);
		final CUdeviceptr kept = context.buffer("kept", KEPT * most), left = context.buffer("left", 4 * most);
		final CUdeviceptr found = context.buffer("found", (long) FOUND * box.count()), values = context.buffer("values", 16L * n * blocks);
		final CUdeviceptr uppers = context.buffer("uppers", 4L * size * blocks), list = context.buffer("list", 4L * size * blocks);
		final CUdeviceptr near = bank.bounds == null ? left : context.buffer("near", 4 * most);
		final GroupLevel g = bank.level;
		final TransformExtents e = bank.extents;
		return new long[] { Addresses.of(numerators), Addresses.of(bank.sums.pointer()), Addresses.of(limits),
			Addresses.of(bank.products.pointer()), Addresses.of(bank.residual.pointer()), Addresses.of(known),
			Addresses.of(bank.runs.pointer()), Addresses.of(support(bank, box)), Addresses.of(bank.values.pointer()),
			Addresses.of(bank.gains.pointer()), Addresses.of(counts()), Addresses.of(kept), Addresses.of(left), Addresses.of(found),
			Addresses.of(values), Addresses.of(uppers), Addresses.of(list), Addresses.of(bank.centres.pointer()),
			Addresses.of(near), bits(minScore), pair(error, bank.bounds == null ? 0 : bank.bounds.minNorm()),
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

	static long bits(final double v) {
		return Double.doubleToRawLongBits(v);
	}

	static long pair(final float first, final float second) {
		return Float.floatToRawIntBits(first) & 0xffff_ffffL | (long) Float.floatToRawIntBits(second) << 32;
	}

	/** Fetches what was found, and passes it on. */
	final void take(final int index, final BoxGeometry box, final long[] lag, final int n, final Receiver to, final Monitor monitor) {
		for (int from = 0; from < n; from += TAKEN) take(index, box, lag, from, Math.min(TAKEN, n - from), to, monitor);
	}

	private void take(final int index, final BoxGeometry box, final long[] lag, final int from, final int n, final Receiver to,
		final Monitor monitor)
	{
		final long size = (long) FOUND * n;
		final CUdeviceptr found = context.buffer("found", (long) FOUND * box.count()).withByteOffset((long) FOUND * from);
		context.fetch(context.pinnedPointer("found", size), found, size);
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
