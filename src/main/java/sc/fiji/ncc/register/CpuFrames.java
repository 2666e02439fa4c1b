package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.cpu.frame.TransformedFrame;
import sc.fiji.ncc.run.Parallel;

/** Frames on the CPU. Two frames share a transform, and the pairs of a group an inverse one. */
final class CpuFrames implements FrameEngine {

	private final FramePairs frames;
	private final FramePairs.Room room;
	private final Parallel parallel;
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

	CpuFrames(final FramePairs frames) {
		this.frames = frames;
		room = frames.room(Runtime.getRuntime().maxMemory());
		parallel = new Parallel(room.threads());
	}

	@Override
	public FramePairs.Room room() {
		return room;
	}

	private TransformedFrame[] read(final List<? extends RandomAccessibleInterval<?>> next, final int i) {
		return frames.read(next.get(i), i + 1 < next.size() ? next.get(i + 1) : null);
	}

	private TransformedFrame transformed(final Frame frame) {
		if (frame instanceof CpuFrame) return ((CpuFrame) frame).transformed();
		return adopted.computeIfAbsent(frame, f -> frames.transformed(f.pixels()));
	}

	@Override
	public List<Frame> transform(final List<? extends RandomAccessibleInterval<?>> next) {
		final Frame[] all = new Frame[next.size()];
		parallel.each((all.length + 1) / 2, i -> {
			final TransformedFrame[] both = read(next, 2 * i);
			for (int k = 0; k < both.length; k++) all[2 * i + k] = new CpuFrame(both[k]);
		});
		return Arrays.asList(all);
	}

	@Override
	public List<PairPeaks> correlate(final List<List<Pair>> groups) {
		// frames of another engine are transformed before threads share them
		groups.forEach(g -> g.forEach(p -> {
			transformed(p.fixed());
			transformed(p.moving());
		}));
		final PairPeaks[][] found = new PairPeaks[groups.size()][];
		parallel.each(found.length, i -> {
			final Pair a = groups.get(i).get(0), b = groups.get(i).size() > 1 ? groups.get(i).get(1) : null;
			found[i] = frames.correlate(transformed(a.fixed()), transformed(a.moving()), b == null ? null : transformed(b.fixed()), b == null ? null : transformed(b.moving()));
		});
		final List<PairPeaks> all = new ArrayList<>();
		for (final PairPeaks[] group : found) all.addAll(Arrays.asList(group));
		return all;
	}

	/** Threads do not wait for each other between reading and measuring. */
	@Override
	public PairPeaks[] against(final Frame fixed, final List<? extends RandomAccessibleInterval<?>> next, final boolean[] flat) {
		final PairPeaks[] found = new PairPeaks[next.size()];
		final TransformedFrame reference = transformed(fixed);
		parallel.each((found.length + 1) / 2, i -> {
			final TransformedFrame[] both = read(next, 2 * i);
			for (int k = 0; k < both.length; k++) flat[2 * i + k] = both[k].pixels().isFlat();
			final boolean two = both.length > 1 && !flat[2 * i] && !flat[2 * i + 1];
			if (two) System.arraycopy(frames.correlate(reference, both[0], reference, both[1]), 0, found, 2 * i, 2);
			for (int k = 0; k < both.length && !two; k++)
				if (!flat[2 * i + k]) found[2 * i + k] = frames.correlate(reference, both[k], null, null)[0];
		});
		return found;
	}

	@Override
	public void keep(final Collection<Frame> held) {
		adopted.keySet().retainAll(held);
	}

	@Override
	public void close() {
		parallel.close();
	}
}
