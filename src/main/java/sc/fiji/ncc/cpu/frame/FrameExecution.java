package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.Size;

/**
 * Pairs of frames on the CPU. The frames 2i and 2i + 1 share a transform, and the pairs of a group share an inverse one. Rounding depends
 * on what shares a transform, so shifts depend neither on the number of threads nor on who measures them.
 */
public final class FrameExecution implements ShiftExecution {

	private final FrameCorrelator correlator;
	private final Capacity capacity;
	private final Parallel parallel;
	private final Monitor monitor;

	private record Held(Frame frame, TransformedFrame transformed) implements Operand {

		@Override
		public boolean isFlat() {
			return transformed.pixels().isFlat();
		}
	}

	public FrameExecution(final FrameCorrelator correlator, final Capacity capacity, final Monitor monitor) {
		this.correlator = correlator;
		this.capacity = capacity;
		this.monitor = monitor;
		parallel = new Parallel(capacity.threads());
	}

	@Override
	public Capacity capacity() {
		return capacity;
	}

	private static FramePixels read(final Frame frame) {
		final Pixels pixels = frame.pixels();
		return FramePixels.of(FramePairs.extents(Size.of(pixels.size())), pixels.type(), pixels.all(), frame.mask());
	}

	/** Reads and transforms the frames 2i and 2i + 1, or the last one. */
	private TransformedFrame[] read(final List<Frame> frames, final int i) {
		monitor.requireNotCanceled();
		final FramePixels[] both = new FramePixels[Math.min(2, frames.size() - i)];
		// of two images, two threads read one each
		if (frames.size() == 2) parallel.each(2, k -> both[k] = read(frames.get(k)));
		else for (int k = 0; k < both.length; k++) both[k] = read(frames.get(i + k));
		monitor.requireNotCanceled();
		return correlator.transform(both[0], both.length > 1 ? both[1] : null);
	}

	@Override
	public List<Operand> transform(final List<Frame> frames) {
		final Operand[] all = new Operand[frames.size()];
		parallel.each((all.length + 1) / 2, i -> {
			final TransformedFrame[] both = read(frames, 2 * i);
			for (int k = 0; k < both.length; k++) all[2 * i + k] = new Held(frames.get(2 * i + k), both[k]);
		});
		return Arrays.asList(all);
	}

	private static TransformedFrame of(final Operand operand) {
		return ((Held) operand).transformed;
	}

	@Override
	public List<PairPeaks> correlate(final List<List<Pair>> groups) {
		final PairPeaks[][] found = new PairPeaks[groups.size()][];
		parallel.each(found.length, i -> {
			monitor.requireNotCanceled();
			final Pair a = groups.get(i).get(0), b = groups.get(i).size() > 1 ? groups.get(i).get(1) : null;
			found[i] = correlator.correlate(of(a.fixed()), of(a.moving()), b == null ? null : of(b.fixed()), b == null ? null
				: of(b.moving()));
		});
		return Arrays.stream(found).flatMap(Arrays::stream).toList();
	}

	/** Threads do not wait for each other between reading and measuring. */
	@Override
	public PairPeaks[] against(final Operand fixed, final List<Frame> frames, final boolean[] flat) {
		final PairPeaks[] found = new PairPeaks[frames.size()];
		final TransformedFrame reference = of(fixed);
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

	/** Frames that nobody holds are collected. */
	@Override
	public void keep(final Collection<Operand> frames) {}

	@Override
	public void release(final Collection<Operand> frames) {}

	@Override
	public void close() {
		parallel.close();
	}
}
