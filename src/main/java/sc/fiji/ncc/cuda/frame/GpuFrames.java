package sc.fiji.ncc.cuda.frame;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.numeric.ShiftKernel;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.Size;

/**
 * The shifts of pairs of frames on a GPU, as {@code cpu.frame.FrameCorrelator} finds them on the CPU. The numerators of all lags come from
 * Fourier transforms of whole frames, the denominators from summed-area tables (Lewis 1995), with masks from further transforms (Padfield
 * 2012). Exact scores of 8- and 16-bit integers are those of the CPU, bit for bit; those of other types are sums in double. Threads of the
 * CPU read frames while the GPU computes.
 * <p>
 * Memory on the GPU for frames of n pixels and transforms of p points: 20·n + 4·p bytes for each frame, and up to 9·n more if its pixels are not 8- or 16-bit
 * integers; for each of up to {@link #LANES} streams, which take turns so that copies and computation overlap, 12·p bytes for each pair and 4·p
 * for each frame that it takes at a time, and 60·p if pixels do not count.
 */
public final class GpuFrames implements ShiftExecution {

	/** The number of streams. */
	public static final int LANES = 6;
	/** The number of frames that a stream takes at a time with advantage. */
	private static final int FRAMES = 16;
	/** The share of the GPU's free memory for the work of streams and for frames. */
	private static final double SHARE_OF_WORK = 0.3, SHARE_OF_FRAMES = 0.4;
	/** The number of peaks whose exact scores can be compared, at least. */
	private static final int COMPARED = 4;
	/** The largest number of peaks: that of blocks along y. */
	public static final int MOST_PEAKS = 65_535;
	/** The largest number of lags, whose indices have 32 bits on the GPU. */
	private static final long MOST_LAGS = 0xffff_0000L;
	/** The largest number of bytes of frames that are sent at a time. */
	public static final long MOST_BYTES = Integer.MAX_VALUE;

	/**
	 * A frame that was read.
	 *
	 * @param pixels raw bits, see {@link PixelType#allocate}
	 * @param mask false for pixels that do not count; null if all do
	 */
	record Raw(Buffer pixels, boolean[] mask) {}

	/**
	 * The work that a stream takes at a time.
	 *
	 * @param count the peaks that are wanted
	 * @param peaks the peaks that the GPU finds
	 */
	record Chunks(int frames, int pairs, int count, int peaks, boolean subpixel) {}

	/** The share of the heap for frames that are read and wait for the GPU. */
	private static final double SHARE_OF_READ = 0.1;
	/** The frames or pairs that a stream takes at a time if the threads that call share the streams. */
	private static final int SHARED = 8;

	private final CudaDevice device;
	private final FrameRange range;
	private final Chunks chunks;
	private final double capacity;
	private final BlockingQueue<GpuLane> idle = new LinkedBlockingQueue<>();
	private final List<GpuLane> lanes = new ArrayList<>();
	private DeviceArray inverses;
	private final Monitor monitor;
	private final Parallel parallel;
	private final FramePairs problem;
	private final int threads;
	/** The largest number of frames that a thread reads at a time. */
	private final int most;
	private final Set<OnGpu> held = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

	private record OnGpu(Frame frame, GpuFrame gpu) implements Operand {

		@Override
		public boolean isFlat() {
			return gpu.isFlat();
		}
	}

	/**
	 * @param hostThreads the number of threads that read frames
	 * @throws DeviceException if the GPU fails, or has not enough memory
	 */
	public GpuFrames(final CudaDevice device, final FramePairs problem, final int hostThreads, final Monitor monitor) {
		this.device = device;
		this.monitor = monitor;
		this.problem = problem;
		range = FrameRange.of(problem);
		device.enter();
		final TransformExtents e = range.transforms();
		if (e.complexes() > Integer.MAX_VALUE || range.count() > MOST_LAGS)
			throw new DeviceException("the transforms of " + e.x() + "x" + e.y() + "x" + e.z()
				+ " points are larger than the kernels support");
		// two images need no streams that take turns
		final int together = problem.frames() > 2 ? FRAMES : 1, peaks = Math.max(problem.peaks(), COMPARED);
		final double free = device.freeMemory(), masked = GpuLane.maskedBytes(range);
		final double frame = GpuLane.frameBytes(range), pair = GpuLane.pairBytes(range, peaks);
		final int streams = (int) Math.max(1, Math.min(Math.min(LANES, together), SHARE_OF_WORK * free / (frame + pair + masked)));
		final double each = SHARE_OF_WORK * free / streams - masked;
		final int frames = (int) Math.max(1, Math.min(Math.min(together, MOST_BYTES / (8.0 * range.largest())), each / (frame + pair))),
			pairs = (int) Math.max(frames, Math.min(2 * together, (each - frames * frame) / pair));
		chunks = new Chunks(frames, pairs, problem.peaks(), peaks, problem.subpixel());
		capacity = capacity(range, free);
		final double read = SHARE_OF_READ * Runtime.getRuntime().maxMemory() / (problem.fixed().pixels() * (double) problem.image().bytes);
		threads = (int) Math.max(1, Math.min(hostThreads, read));
		most = (int) Math.max(1, Math.min(frames, read / threads));
		parallel = new Parallel(threads);
		try {
			final double[] both = new double[80];
			System.arraycopy(ShiftKernel.inverse(8), 0, both, 0, 64);
			System.arraycopy(ShiftKernel.inverse(4), 0, both, 64, 16);
			inverses = DeviceArray.of(device, both);
			for (int i = 0; i < streams; i++) lanes.add(new GpuLane(device, range, inverses, chunks));
			idle.addAll(lanes);
		}
		catch (final RuntimeException failed) {
			close();
			throw failed;
		}
	}

	/** The number of frames that may stay on a GPU. @param free its free memory in bytes */
	public static double capacity(final FrameRange range, final double free) {
		return SHARE_OF_FRAMES * free / Math.max(GpuFrame.bytes(range, true), GpuFrame.bytes(range, false));
	}

	/** The points of the transforms of a range. */
	public static double points(final FrameRange range) {
		return range.transforms().reals();
	}

	@Override
	public Capacity capacity() {
		return Capacity.of(capacity, threads);
	}

	/** Runs work on a stream that is idle. */
	private <T> T on(final Function<GpuLane, T> work) {
		final GpuLane lane;
		try {
			lane = idle.take();
		}
		catch (final InterruptedException e) {
			Thread.currentThread().interrupt();
			throw new CancellationException("interrupted");
		}
		try {
			device.enter();
			return work.apply(lane);
		}
		finally {
			idle.add(lane);
		}
	}

	/** Reads frames, which must be of one type: integers of 8 and 16 bit if the problem's pixels are such integers. */
	private List<Raw> read(final List<Frame> frames) {
		final List<Raw> all = new ArrayList<>();
		for (final Frame frame : frames) {
			final Pixels pixels = frame.pixels();
			if (pixels.type() != frames.get(0).pixels().type() || problem.image().exact() && !pixels.type().exact())
				throw new DeviceException("frames of " + problem.image() + " and " + pixels.type()
					+ " cannot be measured together on a GPU");
			if (frame.mask() != null && !problem.masked()) throw new DeviceException("a frame has a mask, and the problem has none");
			all.add(new Raw(pixels.all(), frame.mask()));
		}
		return all;
	}

	/** The number of elements that a stream takes at a time: few, so that all streams have work. */
	private int piece(final int n, final int limit) {
		return Math.max(1, Math.min(limit, threads == 1 ? Math.min(SHARED, n) : (n + 2 * LANES - 1) / (2 * LANES)));
	}

	@Override
	public List<Operand> transform(final List<Frame> frames) {
		final int n = frames.size(), piece = piece(n, most);
		final OnGpu[] all = new OnGpu[n];
		try {
			parallel.each((n + piece - 1) / piece, i -> {
				monitor.requireNotCanceled();
				final List<Frame> some = frames.subList(i * piece, Math.min(n, (i + 1) * piece));
				final Pixels first = some.get(0).pixels();
				final List<Raw> raw = read(some);
				final List<GpuFrame> transformed = on(lane ->
					lane.transform(first.type(), raw, Size.of(first.size()).equals(problem.fixed())));
				for (int k = 0; k < transformed.size(); k++) all[i * piece + k] = new OnGpu(some.get(k), transformed.get(k));
			});
		}
		finally {
			for (final OnGpu frame : all)
				if (frame != null) held.add(frame);
		}
		return Arrays.asList(all);
	}

	@Override
	public List<PairPeaks> correlate(final List<List<Pair>> groups) {
		final List<Pair> pairs = groups.stream().flatMap(List::stream).toList();
		final int n = pairs.size(), piece = piece(n, chunks.pairs());
		final PairPeaks[] found = new PairPeaks[n];
		parallel.each((n + piece - 1) / piece, i -> {
			monitor.requireNotCanceled();
			final List<GpuFrame> some = new ArrayList<>();
			for (final Pair p : pairs.subList(i * piece, Math.min(n, (i + 1) * piece))) some.addAll(Arrays.asList(((OnGpu) p.fixed()).gpu,
				((OnGpu) p.moving()).gpu));
			final List<PairPeaks> peaks = on(lane -> lane.correlate(some));
			for (int k = 0; k < peaks.size(); k++) found[i * piece + k] = peaks.get(k);
		});
		return Arrays.asList(found);
	}

	@Override
	public PairPeaks[] against(final Operand fixed, final List<Frame> frames, final boolean[] flat) {
		final int n = frames.size(), piece = piece(n, most);
		final PairPeaks[] found = new PairPeaks[n];
		parallel.each((n + piece - 1) / piece, i -> {
			monitor.requireNotCanceled();
			final List<Frame> some = frames.subList(i * piece, Math.min(n, (i + 1) * piece));
			final List<Raw> raw = read(some);
			final boolean[] equal = new boolean[raw.size()];
			final List<PairPeaks> peaks = on(lane -> lane.against(((OnGpu) fixed).gpu, some.get(0).pixels().type(), raw, equal));
			System.arraycopy(equal, 0, flat, i * piece, equal.length);
			for (int k = 0; k < equal.length; k++) found[i * piece + k] = equal[k] ? null : peaks.get(k);
		});
		return found;
	}

	@Override
	public void keep(final Collection<Operand> frames) {
		final Set<Operand> kept = Collections.newSetFromMap(new IdentityHashMap<>());
		kept.addAll(frames);
		held.removeIf(f -> {
			if (kept.contains(f)) return false;
			f.gpu.close();
			return true;
		});
	}

	@Override
	public void release(final Collection<Operand> frames) {
		for (final Operand f : frames) if (held.remove(f)) ((OnGpu) f).gpu.close();
	}

	@Override
	public void close() {
		parallel.close();
		try {
			if (device.lost() != null) return; // the driver has released its memory
			device.enter();
			lanes.forEach(GpuLane::close);
			lanes.clear();
			if (inverses != null) inverses.close();
			inverses = null;
		}
		finally {
			keep(List.of());
		}
	}
}
