package sc.fiji.ncc.run;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftPlan;
import sc.fiji.ncc.planner.Ranking;

/**
 * Pairs of frames on the best candidate. If it fails, the next candidate continues: it reads the frames again that are held. A call
 * after {@link #close} throws a {@link CancellationException}.
 */
public final class FailoverShifts implements ShiftExecution {

	private final Failover<ShiftExecution> failover;
	/** Held by calls for reading, and for changing the candidate for writing. */
	private final ReadWriteLock calls = new ReentrantReadWriteLock();
	/** Guarded by the lock. */
	private boolean closed;

	/** A frame that an execution holds. Another execution reads and transforms it again. */
	private static final class Held implements Operand {

		private final Frame frame;
		private final boolean flat;
		private ShiftExecution owner;
		private Operand operand;

		Held(final Frame frame, final ShiftExecution owner, final Operand operand) {
			this.frame = frame;
			this.owner = owner;
			this.operand = operand;
			flat = operand.isFlat();
		}

		Operand in(final ShiftExecution execution) {
			if (owner != execution) {
				operand = execution.transform(List.of(frame)).get(0);
				owner = execution;
			}
			return operand;
		}

		@Override
		public Frame frame() {
			return frame;
		}

		@Override
		public boolean isFlat() {
			return flat;
		}
	}

	/**
	 * @param threads the maximum number of threads of the host
	 * @param monitor can cancel
	 */
	public FailoverShifts(final Ranking ranking, final int threads, final Monitor monitor) {
		failover = new Failover<>(ranking, ShiftPlan.class, plan -> plan.prepare(threads, monitor));
	}

	/** The ranking. Its best candidate is the one in use. */
	public Ranking ranking() {
		return failover.ranking();
	}

	/** What the memory of all candidates suffices for, so that a candidate that continues can hold as many frames. */
	@Override
	public Capacity capacity() {
		final Capacity mine = run(ShiftExecution::capacity);
		final int held = capacities(ranking()).stream().mapToInt(Capacity::held).reduce(mine.held(), Math::min);
		return new Capacity(mine.threads(), mine.batches(), held);
	}

	/** What the memory of each candidate suffices for, that of the best one first. */
	public static List<Capacity> capacities(final Ranking ranking) {
		return ranking.candidates().stream().filter(Ranking.Candidate::applies)
			.map(c -> c.plan(ShiftPlan.class).capacity(c.device().memory())).toList();
	}

	/** If a device fails for several threads, the first one changes to the next candidate when all of them have ended their calls. */
	private <T> T run(final Function<ShiftExecution, T> work) {
		while (true) {
			final Ranking.Candidate used;
			final DeviceException failure;
			calls.readLock().lock();
			try {
				if (closed) throw new CancellationException("the execution is closed");
				used = failover.first();
				try {
					return failover.attempt(used, work);
				}
				catch (final DeviceException e) {
					failure = e;
				}
				catch (final OutOfMemoryError e) {
					failure = DeviceException.outOfHeap(e);
				}
			}
			finally {
				calls.readLock().unlock();
			}
			calls.writeLock().lock();
			try {
				if (!closed && failover.first() == used) failover.failed(used, failure);
			}
			finally {
				calls.writeLock().unlock();
			}
		}
	}

	@Override
	public List<Operand> transform(final List<Frame> frames) {
		return run(e -> {
			final List<Operand> operands = e.transform(frames);
			return IntStream.range(0, frames.size()).<Operand>mapToObj(i -> new Held(frames.get(i), e, operands.get(i))).toList();
		});
	}

	private static Pair in(final ShiftExecution execution, final Pair pair) {
		return new Pair(((Held) pair.fixed()).in(execution), ((Held) pair.moving()).in(execution));
	}

	@Override
	public List<PairPeaks> correlate(final List<List<Pair>> groups) {
		return run(e -> e.correlate(groups.stream().map(g -> g.stream().map(p -> in(e, p)).toList()).toList()));
	}

	@Override
	public PairPeaks[] against(final Operand fixed, final List<Frame> frames, final boolean[] flat) {
		return run(e -> e.against(((Held) fixed).in(e), frames, flat));
	}

	@Override
	public void keep(final Collection<Operand> frames) {
		run(e -> {
			e.keep(operands(frames, e));
			return null;
		});
	}

	@Override
	public void release(final Collection<Operand> frames) {
		run(e -> {
			e.release(operands(frames, e));
			return null;
		});
	}

	/** The frames that an execution holds. */
	private static List<Operand> operands(final Collection<Operand> frames, final ShiftExecution owner) {
		return frames.stream().map(f -> (Held) f).filter(f -> f.owner == owner).map(f -> f.operand).toList();
	}

	/** Waits for calls of other threads. A later call fails: its execution would stay open. */
	@Override
	public void close() {
		calls.writeLock().lock();
		try {
			closed = true;
			failover.close();
		}
		finally {
			calls.writeLock().unlock();
		}
	}
}
