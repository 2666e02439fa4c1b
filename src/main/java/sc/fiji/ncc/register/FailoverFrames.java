package sc.fiji.ncc.register;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.plan.DeviceException;

/** Frames on a device that may fail. Then the CPU continues, with the frames that are held. */
final class FailoverFrames implements FrameEngine {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	private final CpuFrames cpu;
	private final String name;
	private FrameEngine engine;

	/**
	 * @param name the device, for messages
	 * @param first makes the engine of the device; it may fail
	 * @param cpu what replaces it
	 */
	FailoverFrames(final String name, final Supplier<FrameEngine> first, final CpuFrames cpu) {
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
		if (failed == null) return;
		try {
			failed.close();
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
			if (engine != cpu) engine.close();
		}
		finally {
			cpu.close();
		}
	}
}
