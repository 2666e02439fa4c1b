package sc.fiji.ncc.register;

import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FrameCorrelator;
import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.cpu.frame.TransformedFrame;
import sc.fiji.ncc.run.Parallel;

/** Frames on the CPU. Two frames share a transform, and two pairs an inverse one. */
final class CpuFrames implements FrameEngine {

	/** The share of the heap that transformed frames may fill, and the threads' working memory. */
	private static final double SHARE_OF_FRAMES = 0.25, SHARE_OF_WORK = 0.2;

	private final DriftSettings settings;
	private final FrameCorrelator correlator;
	private final Parallel parallel;
	private final int threads;
	private final double room;
	/** The frames of another engine, transformed for this one. */
	private final Map<Frame, TransformedFrame> adopted = new IdentityHashMap<>();

	private record CpuFrame(TransformedFrame transformed) implements Frame {

		@Override
		public boolean isFlat() {
			return transformed.pixels().isFlat();
		}

		@Override
		public FramePixels pixels() {
			return transformed.pixels();
		}
	}

	/** @param size the extents of frames along x, y and z */
	CpuFrames(final DriftSettings settings, final int[] size, final long[] maxShift) {
		this.settings = settings;
		correlator = new FrameCorrelator(size, size, maxShift, settings.minOverlap(), 1, settings.subpixel());
		final double heap = Runtime.getRuntime().maxMemory();
		room = SHARE_OF_FRAMES * heap / correlator.frameBytes();
		// a batch has two frames for each thread, and may fill half of the room
		threads = (int) Math.max(1, Math.min(settings.threads(), Math.min(room / 4, SHARE_OF_WORK * heap / correlator.workerBytes())));
		parallel = new Parallel(threads);
	}

	@Override
	public int batch() {
		return 2 * threads;
	}

	@Override
	public double room() {
		return room;
	}

	private void check() {
		if (settings.monitor().canceled()) throw new CancellationException("canceled");
	}

	/** Reads two frames, or the last one. */
	private TransformedFrame[] read(final List<? extends RandomAccessibleInterval<?>> frames, final int i) {
		check();
		return correlator.transform(FrameReader.read(frames.get(i), settings.mask()), i + 1 < frames.size() ? FrameReader.read(frames.get(i + 1), settings.mask()) : null);
	}

	/** Transforms a frame that is not one of the sequence. */
	Frame transform(final FramePixels pixels) {
		return new CpuFrame(correlator.transform(pixels, null)[0]);
	}

	private TransformedFrame transformed(final Frame frame) {
		if (frame instanceof CpuFrame) return ((CpuFrame) frame).transformed();
		return adopted.computeIfAbsent(frame, f -> correlator.transform(f.pixels(), null)[0]);
	}

	@Override
	public List<Frame> transform(final List<? extends RandomAccessibleInterval<?>> frames) {
		final Frame[] all = new Frame[frames.size()];
		parallel.each((all.length + 1) / 2, i -> {
			final TransformedFrame[] both = read(frames, 2 * i);
			for (int k = 0; k < both.length; k++) all[2 * i + k] = new CpuFrame(both[k]);
		});
		return Arrays.asList(all);
	}

	@Override
	public List<PairPeaks> correlate(final List<Pair> pairs) {
		final PairPeaks[] found = new PairPeaks[pairs.size()];
		final TransformedFrame[] fixed = pairs.stream().map(p -> transformed(p.fixed())).toArray(TransformedFrame[]::new);
		final TransformedFrame[] moving = pairs.stream().map(p -> transformed(p.moving())).toArray(TransformedFrame[]::new);
		parallel.each((found.length + 1) / 2, i -> {
			check();
			final int a = 2 * i, b = a + 1;
			final PairPeaks[] both = correlator.correlate(fixed[a], moving[a], b < fixed.length ? fixed[b] : null, b < fixed.length ? moving[b] : null);
			System.arraycopy(both, 0, found, a, both.length);
		});
		return Arrays.asList(found);
	}

	/** Threads do not wait for each other between reading and measuring. */
	@Override
	public PairPeaks[] against(final Frame fixed, final List<? extends RandomAccessibleInterval<?>> frames, final boolean[] flat) {
		final PairPeaks[] found = new PairPeaks[frames.size()];
		final TransformedFrame reference = transformed(fixed);
		parallel.each((found.length + 1) / 2, i -> {
			final TransformedFrame[] both = read(frames, 2 * i);
			for (int k = 0; k < both.length; k++) flat[2 * i + k] = both[k].pixels().isFlat();
			final boolean two = both.length > 1 && !flat[2 * i] && !flat[2 * i + 1];
			if (two) System.arraycopy(correlator.correlate(reference, both[0], reference, both[1]), 0, found, 2 * i, 2);
			for (int k = 0; k < both.length && !two; k++)
				if (!flat[2 * i + k]) found[2 * i + k] = correlator.correlate(reference, both[k], null, null)[0];
		});
		return found;
	}

	@Override
	public void keep(final Collection<Frame> frames) {
		adopted.keySet().retainAll(frames);
	}

	@Override
	public void close() {
		parallel.close();
	}
}
