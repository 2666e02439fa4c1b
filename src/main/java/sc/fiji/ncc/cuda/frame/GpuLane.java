package sc.fiji.ncc.cuda.frame;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.PairPeaks;

/** A stream with the memory for some frames and some pairs at a time. One thread at a time. */
final class GpuLane implements AutoCloseable {

	/**
	 * Threads of a block, of each kernel of a size of its own; blocks and bytes of a pair in a fit, and the steps of a fit that are
	 * launched at a time, of which few
	 * pairs need all; the lags of a block of {@code peaks_of_parts}.
	 */
	private static final int THREADS = 256, FIT_THREADS = 256, FIT_BLOCKS = 16, FIT_BYTES = 8192, STEPS = 6, AROUND = 27, PART = 16 * THREADS;
	/** The largest number of blocks for all frames or all pairs, where a thread takes several elements. */
	private static final int BLOCKS = 2048;
	/** Bytes of {@code struct Pair} and {@code struct Request} of the kernels. */
	private static final int PAIR = 2 * GpuFrame.STRUCT, REQUEST = 80;
	/** The spectra and the results of a pair with masks, besides those of all pairs: two of each frame, and five of the pair. */
	private static final int SPECTRA = 4, RESULTS = 5;
	/** As in {@code cpu.frame}: the smallest number of pixels and the smallest denominator, as a share of the norms; peaks closer to the highest are ranked by exact scores. */
	private static final double LEAST_PIXELS = 4, LEAST_SHARE = 2e-5, CLOSE = 1e-3;

	private final StreamContext context;
	private final CudaDevice device;
	private final FrameRange range;
	private final TransformExtents extents;
	private final DeviceArray inverses;
	private final GpuFrames.Chunks chunks;

	/** @param inverses the inverse covariance matrices of 8 and of 4 neighbouring pixels */
	GpuLane(final CudaDevice device, final FrameRange range, final DeviceArray inverses, final GpuFrames.Chunks chunks) {
		this.device = device;
		this.range = range;
		this.inverses = inverses;
		this.chunks = chunks;
		extents = range.transforms();
		context = new StreamContext(device);
	}

	/** The bytes on the GPU for each frame, and for each pair, of a chunk; and for pairs with masks, one at a time. */
	static long frameBytes(final FrameRange range) {
		return 9L * range.largest() + 4 * range.transforms().reals();
	}

	static long pairBytes(final FrameRange range, final int most) {
		final TransformExtents e = range.transforms();
		return 8 * e.complexes() + 4 * e.reals() + 4 * range.count() + (parts(range) + 1) * most * (8L + GpuPeaks.FOUND)
			+ FIT_BYTES + 2L * most * GpuPeaks.PARTS * GpuPeaks.SUMS + (range.missing() ? range.pixels(true) : 0);
	}

	static long maskedBytes(final FrameRange range) {
		return range.missing() ? 8 * (SPECTRA + RESULTS) * range.transforms().complexes() + 4 * (1 + RESULTS) * range.transforms().reals() : 0;
	}

	private static long parts(final FrameRange range) {
		return (range.count() + PART - 1) / PART;
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
		final int frames = chunks.frames(), pairs = chunks.pairs();
		final long pixels = (long) frames * range.largest(), sums = (long) GpuPeaks.SUMS * GpuPeaks.PARTS * chunks.peaks() * pairs;
		context.pinned("raw", pixels * bytes);
		context.buffer("raw", pixels * bytes);
		if (range.missing()) {
			context.pinned("mask", pixels);
			context.buffer("mask", pixels);
			context.buffer("taken", (long) pairs * range.pixels(true));
		}
		context.buffer("padded", 4 * extents.reals() * frames);
		context.buffer("frames", (long) GpuFrame.STRUCT * frames);
		context.pinned("frames", (long) GpuFrame.STRUCT * frames);
		context.pinned("totals", 8L * GpuFrame.WORDS * frames);
		context.buffer("products", 8 * extents.complexes() * pairs);
		context.buffer("numerators", 4 * extents.reals() * pairs);
		context.buffer("maps", 4 * range.count() * pairs);
		context.buffer("keys", 8 * parts(range) * chunks.peaks() * pairs);
		context.buffer("found", (long) GpuPeaks.FOUND * chunks.peaks() * pairs);
		context.pinned("found", (long) GpuPeaks.FOUND * chunks.peaks() * pairs);
		context.buffer("sums", sums);
		context.pinned("sums", sums);
		if (!range.exact()) context.buffer("first sums", sums);
		context.buffer("pairs", (long) PAIR * pairs);
		context.pinned("pairs", (long) PAIR * pairs);
		context.buffer("requests", (long) REQUEST * pairs);
		context.pinned("requests", (long) REQUEST * pairs);
		context.buffer("fitted", (long) GpuPeaks.FITTED * pairs);
		context.pinned("fitted", (long) GpuPeaks.FITTED * pairs);
		context.buffer("fits", (long) FIT_BYTES * pairs);
		final Cufft.Transform forward = context.transform(extents, Cufft.Type.R2C), inverse = context.transform(extents, Cufft.Type.C2R);
		context.buffer("work", Math.max(1, Math.max(forward.work, inverse.work)));
	}

	/** Sends frames and transforms them. @param ofFixed whether they have the extents of fixed frames */
	List<GpuFrame> transform(final PixelType type, final List<GpuFrames.Raw> raw, final boolean ofFixed) {
		reserve(type.bytes);
		final List<GpuFrame> frames = send(type, raw, ofFixed);
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
	private List<GpuFrame> send(final PixelType type, final List<GpuFrames.Raw> raw, final boolean ofFixed) {
		final int n = raw.size(), pixels = range.pixels(ofFixed);
		final int[] size = range.size(ofFixed);
		final long bytes = (long) n * pixels * type.bytes;
		final Buffer staging = Buffers.view(context.pinned("raw", bytes), type);
		for (int i = 0; i < n; i++) Buffers.copy(raw.get(i).pixels(), ParallelCopy.of(staging, i * pixels, pixels));
		final boolean masks = raw.stream().anyMatch(r -> r.mask() != null);
		if (masks) writeMasks(raw, context.pinned("mask", (long) n * pixels), pixels);
		final List<GpuFrame> frames = new ArrayList<>();
		try {
			for (int i = 0; i < n; i++) frames.add(new GpuFrame(device, range, ofFixed));
			final ByteBuffer struct = context.pinned("frames", (long) GpuFrame.STRUCT * n);
			frames.forEach(f -> f.put(struct));
			final CUdeviceptr from = context.buffer("raw", bytes), all = context.buffer("frames", (long) GpuFrame.STRUCT * n), padded = context.buffer("padded",
				4 * extents.reals() * n);
			context.send(all, context.pinnedPointer("frames", (long) GpuFrame.STRUCT * n), (long) GpuFrame.STRUCT * n);
			context.send(from, context.pinnedPointer("raw", bytes), bytes);
			if (masks) context.send(context.buffer("mask", (long) n * pixels), context.pinnedPointer("mask", (long) n * pixels), (long) n * pixels);
			for (final GpuFrame f : frames) context.clear(f.totals(), GpuFrame.TOTALS / 4);
			final int kind = type.ordinal();
			context.launch(kernel("frame_totals"), grid(pixels, n), 0, from, masks ? context.buffer("mask", (long) n * pixels) : (Object) 0L, kind, pixels, all);
			if (!range.exact()) context.launch(kernel("frame_means"), grid(pixels, n), 0, from, kind, pixels, all);
			context.launch(kernel("deviations"), grid(extents.reals(), n), 0, from, kind, size, extents.struct(), all, padded);
			context.launch(kernel("row_sums"), new GpuKernel.Grid((size[1] * size[2] + 7) / 8, n, 1, THREADS, 1), 0, size, all);
			context.launch(kernel("column_sums"), new GpuKernel.Grid((size[0] + 64) / 64, 2L * size[2], n, 64, 1), 0, size, all);
			if (size[2] > 1) context.launch(kernel("plane_sums"), new GpuKernel.Grid(blocks((size[0] + 1L) * (size[1] + 1), n), 2, n, THREADS, 1), 0, size, all);
			for (int i = 0; i < n; i++) run(Cufft.Type.R2C, padded.withByteOffset(4 * extents.reals() * i), frames.get(i).spectrum());
			return frames;
		}
		catch (final RuntimeException e) {
			drop(frames);
			throw e;
		}
	}

	private static void writeMasks(final List<GpuFrames.Raw> raw, final ByteBuffer to, final int pixels) {
		for (final GpuFrames.Raw r : raw)
			for (int i = 0; i < pixels; i++) to.put((byte) (r.mask() == null || r.mask()[i] ? 1 : 0));
	}

	private static int blocks(final long elements, final int n) {
		return (int) Math.max(1, Math.min(Math.max(64, BLOCKS / n), elements / (4 * THREADS)));
	}

	/** Blocks for the elements of each of n frames or pairs. */
	private static GpuKernel.Grid grid(final long elements, final int n) {
		return new GpuKernel.Grid(blocks(elements, n), n, 1, THREADS, 1);
	}

	private void run(final Cufft.Type type, final CUdeviceptr from, final CUdeviceptr to) {
		final Cufft.Transform t = context.transform(extents, type);
		t.run(context.stream, context.buffer("work", Math.max(1, t.work)), from, to);
	}

	/** Waits for the stream, and reads the totals of frames. */
	private void receive(final List<GpuFrame> frames) {
		final int bytes = 8 * GpuFrame.WORDS;
		for (int i = 0; i < frames.size(); i++)
			context.fetch(context.pinnedPointer("totals", (long) bytes * frames.size()).withByteOffset((long) bytes * i), frames.get(i).totals(), bytes);
		context.await(Monitor.NONE);
		final ByteBuffer totals = context.pinned("totals", (long) bytes * frames.size());
		for (int i = 0; i < frames.size(); i++) frames.get(i).read(totals, bytes * i);
	}

	/** Releases frames after a failure, when the stream has ended or is lost. */
	private void drop(final List<GpuFrame> frames) {
		context.await(Monitor.NONE);
		frames.forEach(GpuFrame::close);
	}

	/** The peaks of pairs: at index 2·i the fixed frame, at 2·i + 1 the moving frame. */
	List<PairPeaks> correlate(final List<GpuFrame> pairs) {
		reserve(1);
		search(pairs);
		context.await(Monitor.NONE);
		return refined(pairs, found(pairs));
	}

	/**
	 * Measures frames against one frame. They are released.
	 *
	 * @param flat receives for each frame whether all its pixels are equal
	 */
	List<PairPeaks> against(final GpuFrame fixed, final PixelType type, final List<GpuFrames.Raw> raw, final boolean[] flat) {
		reserve(type.bytes);
		final List<GpuFrame> frames = send(type, raw, false);
		try {
			final List<GpuFrame> pairs = new ArrayList<>();
			for (final GpuFrame f : frames) pairs.addAll(Arrays.asList(fixed, f));
			// which pixels count decides what is computed
			if (range.missing()) receive(frames);
			search(pairs);
			receive(frames);
			for (int i = 0; i < flat.length; i++) flat[i] = frames.get(i).isFlat();
			return refined(pairs, found(pairs));
		}
		finally {
			drop(frames);
		}
	}

	private static boolean isMasked(final List<GpuFrame> pairs, final int i) {
		return pairs.get(2 * i).isMasked() || pairs.get(2 * i + 1).isMasked();
	}

	/** Puts the search for the highest peaks of pairs on the stream, which is idle if pixels may not count. */
	private void search(final List<GpuFrame> pairs) {
		final int n = pairs.size() / 2, most = chunks.peaks(), parts = (int) parts(range);
		final long complexes = 8 * extents.complexes(), reals = 4 * extents.reals();
		final int[] lags = range.lagsStruct(), count = { lags[9], lags[10], lags[11] };
		if (range.missing() && pairs.stream().anyMatch(GpuFrame::isMasked)) {
			context.buffer("masked spectra", SPECTRA * complexes);
			context.buffer("masked products", RESULTS * complexes);
			context.buffer("masked results", RESULTS * reals);
			context.buffer("masked values", reals);
		}
		final ByteBuffer struct = context.pinned("pairs", (long) PAIR * n);
		pairs.forEach(f -> f.put(struct));
		final CUdeviceptr all = context.buffer("pairs", (long) PAIR * n), products = context.buffer("products", complexes * n);
		final CUdeviceptr numerators = context.buffer("numerators", reals * n), maps = context.buffer("maps", 4 * range.count() * n);
		final CUdeviceptr keys = context.buffer("keys", 8L * parts * most * n), found = context.buffer("found", (long) GpuPeaks.FOUND * most * n);
		context.send(all, context.pinnedPointer("pairs", (long) PAIR * n), (long) PAIR * n);
		context.clear(found, (long) GpuPeaks.FOUND / 4 * most * n);
		context.launch(kernel("frame_products"), grid(extents.complexes(), n), 0, all, Math.toIntExact(extents.complexes()), 1f / extents.reals(), products);
		for (int i = 0; i < n; i++) run(Cufft.Type.C2R, products.withByteOffset(complexes * i), numerators.withByteOffset(reals * i));
		context.launch(kernel("coefficients"), grid(range.count(), n), 0, all, lags, leastPixels(1), LEAST_SHARE, numerators, maps);
		for (int i = 0; i < n; i++)
			if (range.missing() && isMasked(pairs, i)) masked(pairs.get(2 * i), pairs.get(2 * i + 1), all.withByteOffset((long) PAIR * i),
				numerators.withByteOffset(reals * i), maps.withByteOffset(4 * range.count() * i));
		context.launch(kernel("peaks_of_parts"), new GpuKernel.Grid(parts, n, 1, THREADS, 1), 0, maps, count, most, keys);
		context.launch(kernel("best_peaks"), new GpuKernel.Grid(n, 1, 1, THREADS, 1), 0, keys, parts * most, most, found);
		context.launch(kernel("around_peaks"), new GpuKernel.Grid(most, n, 1, AROUND, 1), 0, lags, maps, found);
		sum(n, all, lags, maps, found);
		final long bytes = (long) GpuPeaks.FOUND * most * n;
		context.fetch(context.pinnedPointer("found", bytes), found, bytes);
	}

	/** The smallest number of pixels that must overlap. @param share of the pixels that count */
	private double leastPixels(final double share) {
		return Math.max(LEAST_PIXELS, share * range.lags().leastPixels() - 0.5);
	}

	/** Puts the coefficients of a pair with masks on the stream. */
	private void masked(final GpuFrame fixed, final GpuFrame moving, final CUdeviceptr pair, final CUdeviceptr numerators, final CUdeviceptr map) {
		final long complexes = 8 * extents.complexes(), reals = 4 * extents.reals();
		final CUdeviceptr values = context.buffer("masked values", reals), spectra = context.buffer("masked spectra", SPECTRA * complexes);
		final CUdeviceptr products = context.buffer("masked products", RESULTS * complexes), results = context.buffer("masked results", RESULTS * reals);
		for (int i = 0; i < SPECTRA; i++) {
			// what counts in the fixed and in the moving frame, then the squares of both
			context.launch(kernel("masked_values"), grid(extents.reals(), 1), 0, pair, i % 2, i / 2, range.size(i % 2 == 0), extents.struct(), values);
			run(Cufft.Type.R2C, values, spectra.withByteOffset(i * complexes));
		}
		context.launch(kernel("masked_products"), grid(extents.complexes(), 1), 0, pair, Math.toIntExact(extents.complexes()), 1f / extents.reals(), spectra,
			spectra.withByteOffset(2 * complexes), products);
		for (int i = 0; i < RESULTS; i++) run(Cufft.Type.C2R, products.withByteOffset(i * complexes), results.withByteOffset(i * reals));
		final double share = Math.min(fixed.count(), moving.count()) / (double) Math.min(range.pixels(true), range.pixels(false));
		context.launch(kernel("masked_coefficients"), grid(range.count(), 1), 0, pair, range.lagsStruct(), leastPixels(share), LEAST_SHARE, numerators, results,
			map);
	}

	/** Puts the sums of the overlaps on the stream: of deviations that are not whole numbers in two passes, so that the second one takes them from their means. */
	private void sum(final int n, final CUdeviceptr all, final int[] lags, final CUdeviceptr maps, final CUdeviceptr found) {
		final int most = chunks.peaks(), count = chunks.count();
		final long bytes = (long) GpuPeaks.SUMS * GpuPeaks.PARTS * most * n;
		final GpuKernel.Grid grid = new GpuKernel.Grid(GpuPeaks.PARTS, most, n, THREADS, 1);
		final CUdeviceptr sums = context.buffer("sums", bytes);
		if (range.exact()) context.launch(kernel("exact_sums"), grid, 0, all, lags, most, count, CLOSE, maps, found, sums);
		else {
			final CUdeviceptr first = context.buffer("first sums", bytes);
			context.launch(kernel("double_sums"), grid, 0, all, lags, most, count, CLOSE, maps, found, 0L, first);
			context.launch(kernel("double_sums"), grid, 0, all, lags, most, count, CLOSE, maps, found, first, sums);
		}
		context.fetch(context.pinnedPointer("sums", bytes), sums, bytes);
	}

	private List<PairPeaks> found(final List<GpuFrame> pairs) {
		final int n = pairs.size() / 2;
		final ByteBuffer found = context.pinned("found", (long) GpuPeaks.FOUND * chunks.peaks() * n);
		final ByteBuffer sums = context.pinned("sums", (long) GpuPeaks.SUMS * GpuPeaks.PARTS * chunks.peaks() * n);
		final List<PairPeaks> all = new ArrayList<>();
		for (int i = 0; i < n; i++) all.add(GpuPeaks.read(found, sums, i, chunks, range, Math.min(pairs.get(2 * i).count(), pairs.get(2 * i + 1).count())));
		return all;
	}

	/** Fits the best shifts of pairs between the pixels. */
	private List<PairPeaks> refined(final List<GpuFrame> pairs, final List<PairPeaks> found) {
		final List<PairPeaks> all = new ArrayList<>(found);
		final List<Integer> fitted = new ArrayList<>();
		final int dimensions = chunks.subpixel() ? range.fitted() : 0;
		final ByteBuffer requests = context.pinned("requests", (long) REQUEST * found.size());
		final CUdeviceptr taken = range.missing() ? context.buffer("taken", (long) found.size() * range.pixels(true)) : null;
		boolean masked = false;
		for (int i = 0; i < found.size(); i++) {
			if (dimensions == 0 || !found.get(i).isFound() || found.get(i).edge()) continue;
			final PairPeaks.Place best = found.get(i).best();
			// of a plane and a volume, the plane that meets the other one
			final int deep = dimensions == 3 ? 0 : best.lag()[2];
			final long from = plane(true) * Math.max(0, -deep), to = plane(false) * Math.max(0, deep);
			final GpuFrame f = pairs.get(2 * i), m = pairs.get(2 * i + 1);
			requests.putLong(f.deviations() + 4 * from).putLong(m.deviations() + 4 * to);
			requests.putLong(f.isMasked() ? f.counts() + from : 0).putLong(m.isMasked() ? m.counts() + to : 0);
			requests.putLong(isMasked(pairs, i) ? Addresses.of(taken) + (long) i * range.pixels(true) : 0);
			masked |= isMasked(pairs, i);
			for (int d = 0; d < 3; d++) requests.putDouble(best.shift()[d]);
			for (int d = 0; d < 4; d++) requests.putInt(d < 3 ? best.lag()[d] : 0);
			fitted.add(i);
		}
		final int n = fitted.size();
		if (n == 0) return all;
		final long sent = (long) REQUEST * n, bytes = (long) GpuPeaks.FITTED * n;
		final CUdeviceptr from = context.buffer("requests", sent), to = context.buffer("fitted", bytes);
		context.send(from, context.pinnedPointer("requests", sent), sent);
		if (masked) context.launch(device.kernels().get("shiftfit", dimensions == 3 ? "pixels_of_volumes" : "pixels_of_planes"), grid(range.pixels(true), n), 0,
			from, range.extentsStruct());
		final String kind = dimensions == 3 ? "volumes" : "planes";
		final CUdeviceptr works = context.buffer("fits", (long) FIT_BYTES * n);
		context.launch(device.kernels().get("shiftfit", "begin_" + kind), new GpuKernel.Grid(n, 1, 1, FIT_THREADS, 1), 0, from, range.extentsStruct(), works, to);
		final ByteBuffer results = context.pinned("fitted", bytes);
		int launched = 0;
		do {
			for (int i = 0; i < STEPS; i++) context.launch(device.kernels().get("shiftfit", "step_" + kind), new GpuKernel.Grid(FIT_BLOCKS, n, 1, FIT_THREADS, 1), 0,
				from, range.extentsStruct(), inverses.pointer(), works, launched++, to);
			context.fetch(context.pinnedPointer("fitted", bytes), to, bytes);
			context.await(Monitor.NONE);
		} while (IntStream.range(0, n).anyMatch(k -> GpuPeaks.isUnfinished(results, GpuPeaks.FITTED * k)));
		for (int k = 0; k < n; k++) all.set(fitted.get(k), GpuPeaks.fitted(found.get(fitted.get(k)), results, GpuPeaks.FITTED * k, dimensions));
		return all;
	}

	/** The pixels of a plane. */
	private long plane(final boolean ofFixed) {
		return (long) range.size(ofFixed)[0] * range.size(ofFixed)[1];
	}

	@Override
	public void close() {
		try {
			context.await(Monitor.NONE);
		}
		catch (final DeviceException e) {
			// the work is lost with the GPU; this was logged
		}
		context.close();
	}
}
