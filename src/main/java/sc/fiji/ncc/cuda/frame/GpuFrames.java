package sc.fiji.ncc.cuda.frame;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.Size;

/** Pairs of frames on a GPU. Threads of the CPU read frames while the GPU computes. */
public final class GpuFrames implements ShiftExecution {

	/** The share of the heap for frames that are read and wait for the GPU. */
	private static final double SHARE_OF_READ = 0.1;
	/** The frames or pairs that a stream takes at a time if the threads that call share the streams. */
	private static final int SHARED = 8;

	private final GpuCorrelator gpu;
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
	 * @param threads the number of threads that read frames
	 * @throws DeviceException if the GPU fails
	 */
	public GpuFrames(final CudaDevice device, final FramePairs problem, final int threads, final Monitor monitor) {
		this.monitor = monitor;
		this.problem = problem;
		// two images need no streams that take turns
		final int together = problem.frames() > 2 ? GpuCorrelator.FRAMES : 1;
		gpu = new GpuCorrelator(device, FrameRange.of(problem), problem.peaks(), problem.subpixel(), together);
		final double read = SHARE_OF_READ * Runtime.getRuntime().maxMemory() / (problem.fixed().pixels() * (double) problem.image().bytes);
		this.threads = (int) Math.max(1, Math.min(threads, read));
		most = (int) Math.max(1, Math.min(gpu.chunk(), read / this.threads));
		parallel = new Parallel(this.threads);
	}

	@Override
	public Capacity capacity() {
		return Capacity.of(gpu.capacity(), threads);
	}

	private void check() {
		if (monitor.canceled()) throw new CancellationException("canceled");
	}

	/** Reads frames, which must be of one type: integers of 8 and 16 bit if the problem's pixels are such integers. */
	private List<GpuCorrelator.Raw> read(final List<Frame> frames) {
		final List<GpuCorrelator.Raw> all = new ArrayList<>();
		for (final Frame frame : frames) {
			final Pixels pixels = frame.pixels();
			if (pixels.type() != frames.get(0).pixels().type() || problem.image().exact() && !pixels.type().exact())
				throw new DeviceException("frames of " + problem.image() + " and " + pixels.type() + " cannot be measured together on a GPU");
			if (frame.mask() != null && !problem.masked()) throw new DeviceException("a frame has a mask, and the problem has none");
			final Size extents = Size.of(pixels.size());
			final Buffer raw = pixels.type().allocate(Math.toIntExact(extents.pixels()));
			pixels.read(new long[extents.dimensions()], extents.toIntArray(), raw);
			all.add(new GpuCorrelator.Raw(raw.clear(), frame.mask()));
		}
		return all;
	}

	/** The number of elements that a stream takes at a time: few, so that all streams have work. */
	private int piece(final int n, final int limit) {
		return Math.max(1, Math.min(limit, threads == 1 ? Math.min(SHARED, n) : (n + 2 * GpuCorrelator.LANES - 1) / (2 * GpuCorrelator.LANES)));
	}

	@Override
	public List<Operand> transform(final List<Frame> frames) {
		final int n = frames.size(), piece = piece(n, most);
		final OnGpu[] all = new OnGpu[n];
		try {
			parallel.each((n + piece - 1) / piece, i -> {
				check();
				final List<Frame> some = frames.subList(i * piece, Math.min(n, (i + 1) * piece));
				final List<GpuFrame> transformed = gpu.transform(some.get(0).pixels().type(), read(some), Size.of(some.get(0).pixels().size())
					.equals(problem.fixed()));
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
		final int n = pairs.size(), piece = piece(n, gpu.pairs());
		final PairPeaks[] found = new PairPeaks[n];
		parallel.each((n + piece - 1) / piece, i -> {
			check();
			final List<GpuFrame> some = new ArrayList<>();
			for (final Pair p : pairs.subList(i * piece, Math.min(n, (i + 1) * piece))) some.addAll(Arrays.asList(((OnGpu) p.fixed()).gpu, ((OnGpu) p.moving()).gpu));
			final List<PairPeaks> peaks = gpu.correlate(some);
			for (int k = 0; k < peaks.size(); k++) found[i * piece + k] = peaks.get(k);
		});
		return Arrays.asList(found);
	}

	@Override
	public PairPeaks[] against(final Operand fixed, final List<Frame> frames, final boolean[] flat) {
		final int n = frames.size(), piece = piece(n, most);
		final PairPeaks[] found = new PairPeaks[n];
		parallel.each((n + piece - 1) / piece, i -> {
			check();
			final List<Frame> some = frames.subList(i * piece, Math.min(n, (i + 1) * piece));
			final List<GpuCorrelator.Raw> raw = read(some);
			final boolean[] equal = new boolean[raw.size()];
			final List<PairPeaks> peaks = gpu.against(((OnGpu) fixed).gpu, some.get(0).pixels().type(), raw, equal);
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
			gpu.close();
		}
		finally {
			keep(List.of());
		}
	}
}
