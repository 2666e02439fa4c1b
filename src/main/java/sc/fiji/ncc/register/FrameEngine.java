package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.cpu.frame.TransformedFrame;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.run.Parallel;

/** Transforms the frames of a sequence and correlates pairs of them, on the CPU or on a card. One thread at a time calls it. */
interface FrameEngine extends AutoCloseable {

	/** A frame that is ready to be correlated. */
	interface Frame {

		/** Whether all pixels that count are equal. */
		boolean isFlat();

		/** The pixels, for another engine. */
		FramePixels pixels();
	}

	record Pair(Frame fixed, Frame moving) {}

	/** What the memory suffices for. */
	FramePairs.Room room();

	/**
	 * Reads frames and transforms them. The frames 2i and 2i + 1 may share a transform.
	 *
	 * @throws sc.fiji.ncc.plan.DeviceException if a card fails
	 */
	List<Frame> transform(List<? extends RandomAccessibleInterval<?>> frames);

	/**
	 * @param groups the pairs, one or two in a group, which may share an inverse transform
	 * @return one for each pair, in order
	 * @throws sc.fiji.ncc.plan.DeviceException if a card fails
	 */
	List<PairPeaks> correlate(List<List<Pair>> groups);

	/**
	 * Reads frames and measures them against one frame. They are not kept.
	 *
	 * @param flat receives for each frame whether it is flat
	 * @return the peaks; null for flat frames
	 * @throws sc.fiji.ncc.plan.DeviceException if a card fails
	 */
	PairPeaks[] against(Frame fixed, List<? extends RandomAccessibleInterval<?>> frames, boolean[] flat);

	/** Releases the memory of all frames but these. */
	void keep(Collection<Frame> frames);

	@Override
	void close();

	/** Frames on the CPU. Two frames share a transform, and the pairs of a group an inverse one. */
	final class Cpu implements FrameEngine {

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

		Cpu(final FramePairs frames) {
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

	/** Frames on a device that may fail. Then the CPU continues, with the frames that are held. */
	final class Failover implements FrameEngine {

		private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

		private final Cpu cpu;
		private final String name;
		private FrameEngine engine;

		/**
		 * @param name the device, for messages
		 * @param first makes the engine of the device; it may fail
		 * @param cpu what replaces it
		 */
		Failover(final String name, final Supplier<FrameEngine> first, final Cpu cpu) {
			this.name = name;
			this.cpu = cpu;
			try {
				engine = first.get();
			}
			catch (final DeviceException e) {
				fail(e);
			}
		}

		private void fail(final DeviceException failure) {
			LOG.log(System.Logger.Level.WARNING, "the measurement of shifts on " + name + " failed: " + failure.getMessage() + "; the CPU continues");
			final FrameEngine failed = engine;
			engine = cpu;
			if (failed != null) close(failed);
		}

		private static void close(final FrameEngine device) {
			try {
				device.close();
			}
			catch (final DeviceException e) {
				LOG.log(System.Logger.Level.DEBUG, "the memory of a device that failed is lost", e);
			}
		}

		private <T> T run(final Function<FrameEngine, T> work) {
			if (engine == cpu) return work.apply(cpu);
			try {
				return work.apply(engine);
			}
			catch (final DeviceException e) {
				fail(e);
				return work.apply(cpu);
			}
		}

		@Override
		public FramePairs.Room room() {
			final FramePairs.Room mine = engine.room();
			return new FramePairs.Room(mine.threads(), mine.batches(), Math.min(mine.held(), cpu.room().held()));
		}

		@Override
		public List<Frame> transform(final List<? extends RandomAccessibleInterval<?>> frames) {
			return run(e -> e.transform(frames));
		}

		@Override
		public List<PairPeaks> correlate(final List<List<Pair>> groups) {
			return run(e -> e.correlate(groups));
		}

		@Override
		public PairPeaks[] against(final Frame fixed, final List<? extends RandomAccessibleInterval<?>> frames, final boolean[] flat) {
			return run(e -> e.against(fixed, frames, flat));
		}

		@Override
		public void keep(final Collection<Frame> frames) {
			engine.keep(frames);
		}

		@Override
		public void close() {
			try {
				if (engine != cpu) close(engine);
			}
			finally {
				cpu.close();
			}
		}
	}
}
