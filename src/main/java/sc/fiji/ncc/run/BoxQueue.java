package sc.fiji.ncc.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.support.ProgressOnce;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.sink.BoxSink;
import sc.fiji.ncc.sink.ColumnSink;

/**
 * The boxes of lags that are not computed yet. The best candidate computes them, as many at once as its execution allows. If it fails, the next candidate
 * computes the remaining boxes, the failed box included. If it ran out of memory with several boxes in flight, it first tries again with one box at a
 * time. A box may be computed twice: the second result replaces the first. A feed can add boxes meanwhile.
 */
public final class BoxQueue {

	/** The depth of an execution with one thread. */
	private static final int ONE_THREAD = 2;

	/**
	 * One box of one frame.
	 *
	 * @param done called when all responses of the box are complete
	 */
	public record Box(Supplier<Pixels> pixels, LagBox lags, Sink sink, ProgressOnce monitor, Consumer<Report> done) {

		public Box(final Supplier<Pixels> pixels, final LagBox lags, final Sink sink, final Monitor monitor, final Consumer<Report> done) {
			this(pixels, lags, sink, new ProgressOnce(monitor), done);
		}

		/**
		 * A box of a frame.
		 *
		 * @param index the index of the frame
		 * @param box the first lag, relative to the bank's first lag, and the size
		 */
		public static Box of(final TemplateBank bank, final RandomAccessibleInterval<?> frame, final long index, final long[][] box, final Sink sink,
			final Monitor monitor, final Consumer<Report> done)
		{
			return new Box(() -> bank.pixels(frame, index), bank.lagBox(box), ColumnSink.of(bank, sink), monitor, done);
		}

		public Box(final Supplier<Pixels> pixels, final LagBox lags, final Sink sink, final Monitor monitor) {
			this(pixels, lags, sink, monitor, report -> {});
		}
	}

	/** A source of boxes that are added while others are computed. */
	@FunctionalInterface
	interface Feed {

		/** No boxes but those in the queue from the start. */
		Feed NONE = until -> null;

		/**
		 * Waits for the next box.
		 *
		 * @param until waiting ends when this is done; null to wait until a box comes
		 * @return null if no box came until then, if no more boxes come, or if the monitor canceled
		 */
		Box next(CompletableFuture<?> until);
	}

	/** @param failure the failure of the box's sink after the submission; null without one. The execution computes the box nevertheless */
	private record InFlight(Box box, CompletableFuture<Report> report, RuntimeException failure) {}

	private final Deque<Box> remaining;
	private final Feed feed;
	private final Monitor monitor;
	/** The maximum number of boxes in flight, and the largest number in the last attempt. */
	private int maxInFlight, peakInFlight;
	private Report report = Report.NONE;
	/** Null before the run. Other threads read it during the computation. */
	private volatile Failover<Execution> failover;

	public BoxQueue(final List<Box> boxes, final Monitor monitor) {
		this(boxes, Integer.MAX_VALUE, monitor);
	}

	/** @param maxInFlight the maximum number of boxes in flight, even if an execution allows more */
	public BoxQueue(final List<Box> boxes, final int maxInFlight, final Monitor monitor) {
		this(boxes, Feed.NONE, maxInFlight, monitor);
	}

	BoxQueue(final Feed feed, final int maxInFlight, final Monitor monitor) {
		this(List.of(), feed, maxInFlight, monitor);
	}

	private BoxQueue(final List<Box> boxes, final Feed feed, final int maxInFlight, final Monitor monitor) {
		remaining = new ArrayDeque<>(boxes);
		this.feed = feed;
		this.maxInFlight = maxInFlight;
		this.monitor = monitor;
	}

	/**
	 * Computes all boxes.
	 *
	 * @return the counts of all boxes
	 * @throws NccException if every candidate failed
	 * @throws CancellationException if the monitor canceled
	 */
	public Report run(final Ranking ranking, final List<Template> templates) {
		try (Failover<Execution> attempts = executions(ranking, templates)) {
			return attempts.run(this::drain);
		}
	}

	/** Executions for this queue alone, which {@link Failover#run run} its {@link #drain}. */
	Failover<Execution> executions(final Ranking ranking, final List<Template> templates) {
		failover = new Failover<>(ranking, c -> {
			restart();
			return c.plan(SlidingPlan.class).prepare(templates);
		}, this::isTriedAgain);
		return failover;
	}

	/** After a full heap with several boxes in flight, the same candidate tries again with one box at a time. */
	boolean isTriedAgain(final DeviceException failure) {
		final boolean several = failure.getCause() instanceof OutOfMemoryError && peakInFlight > 1;
		if (several) maxInFlight = 1;
		return several;
	}

	/** Another attempt begins. */
	void restart() {
		peakInFlight = 0;
	}

	/** Says which execution computes the boxes, for {@link #outcome}. */
	void by(final Failover<Execution> attempts) {
		failover = attempts;
	}

	/** The ranking after the failures so far: the candidate that computes the last boxes comes first, failed candidates carry their reason. */
	public Ranking outcome(final Ranking ranking) {
		final Failover<Execution> used = failover;
		return used == null ? ranking : used.ranking();
	}

	/** The counts of the finished boxes. */
	public Report report() {
		return report;
	}

	/**
	 * Computes the remaining boxes, and those of the feed, with an execution.
	 *
	 * @return the counts of all boxes, also of those that other executions computed
	 * @throws DeviceException if the execution failed; the queue then still holds the remaining boxes
	 */
	public Report drain(final Execution execution) {
		final Deque<InFlight> inFlight = new ArrayDeque<>();
		final Deque<Box> failed = new ArrayDeque<>();
		RuntimeException failure = null;
		while (true) {
			if (failure == null && monitor.canceled()) failure = new CancellationException("canceled");
			if (failure == null && inFlight.size() < Math.min(maxInFlight, execution.depth())) {
				final Box box = remaining.isEmpty() ? feed.next(inFlight.isEmpty() ? null : inFlight.peek().report()) : remaining.poll();
				if (box != null) {
					failure = submit(box, execution, inFlight);
					continue;
				}
				if (inFlight.isEmpty() && monitor.canceled()) continue;
			}
			if (inFlight.isEmpty()) break;
			final InFlight oldest = inFlight.poll();
			try {
				final Report done = execution.await(oldest.report());
				if (oldest.failure() != null) throw oldest.failure();
				if (oldest.box().sink() instanceof BoxSink) ((BoxSink) oldest.box().sink()).end();
				final Report sum = report.plus(done);
				oldest.box().done().accept(done);
				// a box that cannot be passed on is computed again, and counts once
				report = sum;
			}
			catch (final RuntimeException e) {
				failed.addFirst(oldest.box());
				failure = moreImportant(failure, DeviceException.reason(e));
			}
			catch (final OutOfMemoryError e) {
				failed.addFirst(oldest.box());
				failure = moreImportant(failure, DeviceException.outOfHeap(e));
			}
		}
		// the oldest box stays first
		failed.forEach(remaining::addFirst);
		if (failure != null) throw failure;
		return report;
	}

	/** Submits a box. Returns null, or the failure. After a failure the box is either in flight or in the queue. */
	private RuntimeException submit(final Box box, final Execution execution, final Deque<InFlight> inFlight) {
		peakInFlight = Math.max(peakInFlight, inFlight.size() + 1);
		// one thread computes in turn with the allocation, several at the same time
		final boolean first = execution.depth() <= ONE_THREAD;
		CompletableFuture<Report> submitted = null;
		RuntimeException failure = null;
		try {
			box.monitor().restart();
			if (box.sink() instanceof BoxSink) ((BoxSink) box.sink()).begin();
			if (first) allocate(box);
			submitted = execution.submit(box.pixels().get(), box.lags(), box.sink(), box.monitor());
			if (!first) allocate(box);
		}
		catch (final RuntimeException e) {
			failure = e;
		}
		catch (final OutOfMemoryError e) {
			failure = DeviceException.outOfHeap(e);
		}
		if (submitted == null) remaining.addFirst(box);
		else inFlight.add(new InFlight(box, submitted, failure));
		return failure;
	}

	private static void allocate(final Box box) {
		if (box.sink() instanceof BoxSink) ((BoxSink) box.sink()).allocate();
	}

	/** The more important of two failures: a bug before a cancellation, a cancellation before a failed device. */
	private static RuntimeException moreImportant(final RuntimeException a, final RuntimeException b) {
		if (a == null) return b;
		return rank(b) > rank(a) ? b : a;
	}

	private static int rank(final RuntimeException e) {
		return e instanceof DeviceException ? 0 : e instanceof CancellationException ? 1 : 2;
	}
}
