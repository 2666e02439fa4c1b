package sc.fiji.ncc.cuda.frame;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.Transforms;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;

/** A stream with the memory for some frames and some pairs at a time. One thread at a time. */
final class CardLane implements AutoCloseable {

	/** Threads of a block, of each kernel of a size of its own; the lags of a block of {@code peaks_of_parts}. */
	private static final int THREADS = 256, FIT_THREADS = 512, PART = 16 * THREADS;
	/** The largest number of blocks for each frame or each pair. */
	private static final int BLOCKS = 64;
	/** Bytes of {@code struct Pair} and {@code struct Request} of the kernels. */
	private static final int PAIR = 2 * CardFrame.STRUCT, REQUEST = 40;
	/** As in {@code cpu.frame}: the smallest number of pixels and the smallest denominator, as a share of the norms; peaks closer to the highest are ranked by exact scores. */
	private static final double LEAST_PIXELS = 4, LEAST_SHARE = 2e-5, CLOSE = 1e-3;

	private final StreamContext context;
	private final CudaDevice device;
	private final FrameRange range;
	private final Transforms.Extents extents;
	private final Transforms transforms;
	private final DeviceArray inverses;
	private final CardCorrelator.Chunks chunks;

	/** @param inverses the inverse covariance matrices of 8 and of 4 neighbouring pixels */
	CardLane(final CudaDevice device, final FrameRange range, final Transforms transforms, final DeviceArray inverses, final CardCorrelator.Chunks chunks) {
		this.device = device;
		this.range = range;
		this.transforms = transforms;
		this.inverses = inverses;
		this.chunks = chunks;
		extents = range.transforms();
		context = new StreamContext(device);
	}

	/** The bytes on the card for each frame, and for each pair, of a chunk. */
	static long frameBytes(final FrameRange range) {
		return 8L * Math.max(range.pixels(true), range.pixels(false)) + 4 * range.transforms().reals();
	}

	static long pairBytes(final FrameRange range, final int most) {
		final Transforms.Extents e = range.transforms();
		return 8 * e.complexes() + 4 * e.reals() + 4 * range.lags() + (parts(range) + 1) * most * (8L + CardPeaks.FOUND);
	}

	private static long parts(final FrameRange range) {
		return (range.lags() + PART - 1) / PART;
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("frames", function);
	}

	/**
	 * All memory in its largest size. It must not grow while the stream is busy.
	 *
	 * @param bytes of a pixel
	 */
	private void reserve(final int bytes) {
		final int largest = Math.max(range.pixels(true), range.pixels(false)), frames = chunks.frames(), pairs = chunks.pairs();
		context.pinned("raw", (long) frames * largest * bytes);
		context.buffer("raw", (long) frames * largest * bytes);
		context.buffer("padded", 4 * extents.reals() * frames);
		context.buffer("frames", (long) CardFrame.STRUCT * frames);
		context.pinned("frames", (long) CardFrame.STRUCT * frames);
		context.pinned("totals", 8L * CardFrame.WORDS * frames);
		context.buffer("products", 8 * extents.complexes() * pairs);
		context.buffer("numerators", 4 * extents.reals() * pairs);
		context.buffer("maps", 4 * range.lags() * pairs);
		context.buffer("keys", 8 * parts(range) * chunks.peaks() * pairs);
		context.buffer("found", (long) CardPeaks.FOUND * chunks.peaks() * pairs);
		context.pinned("found", (long) CardPeaks.FOUND * chunks.peaks() * pairs);
		context.buffer("pairs", (long) PAIR * pairs);
		context.pinned("pairs", (long) PAIR * pairs);
		context.buffer("requests", (long) REQUEST * pairs);
		context.pinned("requests", (long) REQUEST * pairs);
		context.buffer("fitted", (long) CardPeaks.FITTED * pairs);
		context.pinned("fitted", (long) CardPeaks.FITTED * pairs);
		final Cufft.Transform forward = context.transform(transforms, extents, Cufft.Type.R2C), inverse = context.transform(transforms, extents, Cufft.Type.C2R);
		context.buffer("work", Math.max(1, Math.max(forward.work, inverse.work)));
	}

	/** Sends frames and transforms them. @param ofFixed whether they have the extents of fixed frames */
	List<CardFrame> transform(final PixelType type, final List<Buffer> raw, final boolean ofFixed) {
		reserve(type.bytes);
		final List<CardFrame> frames = send(type, raw, ofFixed);
		try {
			receive(frames);
		}
		catch (final RuntimeException e) {
			drop(frames);
			throw e;
		}
		return frames;
	}

	/** Puts the transforms of frames on the stream. */
	private List<CardFrame> send(final PixelType type, final List<Buffer> raw, final boolean ofFixed) {
		final int n = raw.size(), width = ofFixed ? range.fixed()[0] : range.moving()[0], height = ofFixed ? range.fixed()[1] : range.moving()[1], pixels = width * height;
		final long bytes = (long) n * pixels * type.bytes;
		final Buffer staging = ParallelCopy.view(context.pinned("raw", bytes), type);
		for (int i = 0; i < n; i++) Buffers.copy(raw.get(i), ParallelCopy.of(staging, i * pixels, pixels));
		final List<CardFrame> frames = new ArrayList<>();
		try {
			for (int i = 0; i < n; i++) frames.add(new CardFrame(device, width, height, extents));
			final ByteBuffer struct = context.pinned("frames", (long) CardFrame.STRUCT * n);
			frames.forEach(f -> f.put(struct));
			final CUdeviceptr from = context.buffer("raw", bytes), all = context.buffer("frames", (long) CardFrame.STRUCT * n), padded = context.buffer("padded", 4 * extents.reals() * n);
			context.send(all, context.pinnedPointer("frames", (long) CardFrame.STRUCT * n), (long) CardFrame.STRUCT * n);
			context.send(from, context.pinnedPointer("raw", bytes), bytes);
			for (final CardFrame f : frames) context.clear(f.totals(), CardFrame.TOTALS / 4);
			final int kind = type.ordinal();
			context.launch(kernel("frame_totals"), new GpuKernel.Grid(blocks(pixels), n, 1, THREADS, 1), 0, from, kind, pixels, all);
			context.launch(kernel("deviations"), GpuKernel.Grid.over(extents.x(), extents.y(), n, 32, 8), 0, from, kind, width, height, extents.x(), extents.y(), all, padded);
			context.launch(kernel("row_sums"), new GpuKernel.Grid((height + 7) / 8, n, 1, THREADS, 1), 0, width, height, all);
			context.launch(kernel("column_sums"), new GpuKernel.Grid((width + 64) / 64, 2, n, 64, 1), 0, width, height, all);
			for (int i = 0; i < n; i++) run(Cufft.Type.R2C, padded.withByteOffset(4 * extents.reals() * i), frames.get(i).spectrum());
			return frames;
		}
		catch (final RuntimeException e) {
			drop(frames);
			throw e;
		}
	}

	private static int blocks(final long elements) {
		return (int) Math.max(1, Math.min(BLOCKS, elements / (4 * THREADS)));
	}

	private void run(final Cufft.Type type, final CUdeviceptr from, final CUdeviceptr to) {
		final Cufft.Transform t = context.transform(transforms, extents, type);
		t.run(context.stream, context.buffer("work", Math.max(1, t.work)), from, to);
	}

	/** Waits for the stream, and reads the totals of frames. */
	private void receive(final List<CardFrame> frames) {
		final int bytes = 8 * CardFrame.WORDS;
		for (int i = 0; i < frames.size(); i++)
			context.fetch(context.pinnedPointer("totals", (long) bytes * frames.size()).withByteOffset((long) bytes * i), frames.get(i).totals(), bytes);
		context.await(Monitor.NONE);
		final ByteBuffer totals = context.pinned("totals", (long) bytes * frames.size());
		for (int i = 0; i < frames.size(); i++) frames.get(i).read(totals, bytes * i);
	}

	/** Releases frames after a failure, when the stream has ended or is lost. */
	private void drop(final List<CardFrame> frames) {
		context.await(Monitor.NONE);
		frames.forEach(CardFrame::close);
	}

	/** The peaks of pairs: at index 2·i the fixed frame, at 2·i + 1 the moving frame. */
	List<CardPeaks> correlate(final List<CardFrame> pairs) {
		reserve(1);
		search(pairs);
		context.await(Monitor.NONE);
		return refined(pairs, found(pairs.size() / 2));
	}

	/**
	 * Measures frames against one frame. They are released.
	 *
	 * @param flat receives for each frame whether all its pixels are equal
	 */
	List<CardPeaks> against(final CardFrame fixed, final PixelType type, final List<Buffer> raw, final boolean[] flat) {
		reserve(type.bytes);
		final List<CardFrame> frames = send(type, raw, false);
		try {
			final List<CardFrame> pairs = new ArrayList<>();
			for (final CardFrame f : frames) pairs.addAll(Arrays.asList(fixed, f));
			search(pairs);
			receive(frames);
			for (int i = 0; i < flat.length; i++) flat[i] = frames.get(i).isFlat();
			return refined(pairs, found(frames.size()));
		}
		finally {
			drop(frames);
		}
	}

	/** Puts the search for the highest peaks of pairs on the stream. */
	private void search(final List<CardFrame> pairs) {
		final int n = pairs.size() / 2, most = chunks.peaks(), parts = (int) parts(range);
		final int[] lags = range.lagsStruct();
		final ByteBuffer struct = context.pinned("pairs", (long) PAIR * n);
		pairs.forEach(f -> f.put(struct));
		final CUdeviceptr all = context.buffer("pairs", (long) PAIR * n), products = context.buffer("products", 8 * extents.complexes() * n);
		final CUdeviceptr numerators = context.buffer("numerators", 4 * extents.reals() * n), maps = context.buffer("maps", 4 * range.lags() * n);
		final CUdeviceptr keys = context.buffer("keys", 8L * parts * most * n), found = context.buffer("found", (long) CardPeaks.FOUND * most * n);
		context.send(all, context.pinnedPointer("pairs", (long) PAIR * n), (long) PAIR * n);
		context.clear(found, (long) CardPeaks.FOUND / 4 * most * n);
		context.launch(kernel("frame_products"), new GpuKernel.Grid(blocks(extents.complexes()), n, 1, THREADS, 1), 0, all, Math.toIntExact(extents.complexes()),
			1f / extents.reals(), products);
		for (int i = 0; i < n; i++) run(Cufft.Type.C2R, products.withByteOffset(8 * extents.complexes() * i), numerators.withByteOffset(4 * extents.reals() * i));
		context.launch(kernel("coefficients"), GpuKernel.Grid.over(lags[6], lags[7], n, 32, 8), 0, all, lags, Math.max(LEAST_PIXELS, range.leastPixels() - 0.5), LEAST_SHARE,
			numerators, maps);
		context.launch(kernel("peaks_of_parts"), new GpuKernel.Grid(parts, n, 1, THREADS, 1), 0, maps, lags[6], lags[7], most, keys);
		context.launch(kernel("best_peaks"), new GpuKernel.Grid(n, 1, 1, THREADS, 1), 0, keys, parts * most, most, found);
		context.launch(kernel("overlap_sums"), new GpuKernel.Grid(32, most, n, THREADS, 1), 0, all, lags, most, chunks.count(), CLOSE, maps, found);
		final long bytes = (long) CardPeaks.FOUND * most * n;
		context.fetch(context.pinnedPointer("found", bytes), found, bytes);
	}

	private List<CardPeaks> found(final int n) {
		final int each = CardPeaks.FOUND * chunks.peaks();
		final ByteBuffer from = context.pinned("found", (long) each * n);
		final List<CardPeaks> all = new ArrayList<>();
		for (int i = 0; i < n; i++) all.add(CardPeaks.read(from, each * i, chunks.peaks(), chunks.count(), chunks.subpixel(), range));
		return all;
	}

	/** Fits the best shifts of pairs between the pixels. */
	private List<CardPeaks> refined(final List<CardFrame> pairs, final List<CardPeaks> found) {
		final List<CardPeaks> all = new ArrayList<>(found);
		final List<Integer> fitted = new ArrayList<>();
		final ByteBuffer requests = context.pinned("requests", (long) REQUEST * found.size());
		for (int i = 0; i < found.size(); i++) {
			final CardPeaks p = found.get(i);
			if (!chunks.subpixel() || p.places().isEmpty() || p.edge() || range.lags(0) == 1 || range.lags(1) == 1) continue;
			final CardPeaks.Place best = p.places().get(0);
			requests.putLong(pairs.get(2 * i).deviations()).putLong(pairs.get(2 * i + 1).deviations()).putInt(best.lag()[0]).putInt(best.lag()[1]).putDouble(best.shift()[0])
				.putDouble(best.shift()[1]);
			fitted.add(i);
		}
		final int n = fitted.size();
		if (n == 0) return all;
		final long sent = (long) REQUEST * n, bytes = (long) CardPeaks.FITTED * n;
		final CUdeviceptr from = context.buffer("requests", sent), to = context.buffer("fitted", bytes);
		context.send(from, context.pinnedPointer("requests", sent), sent);
		context.launch(device.kernels().get("shiftfit", "fit_shifts"), new GpuKernel.Grid(n, 1, 1, FIT_THREADS, 1), 0, from, range.extentsStruct(), inverses.pointer(), to);
		context.fetch(context.pinnedPointer("fitted", bytes), to, bytes);
		context.await(Monitor.NONE);
		final ByteBuffer results = context.pinned("fitted", bytes);
		for (int k = 0; k < n; k++) all.set(fitted.get(k), found.get(fitted.get(k)).fitted(results, CardPeaks.FITTED * k));
		return all;
	}

	@Override
	public void close() {
		try {
			context.await(Monitor.NONE);
		}
		catch (final DeviceException e) {
			// the work is lost with the card; this was logged
		}
		context.close();
	}
}
