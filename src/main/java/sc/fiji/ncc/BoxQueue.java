package sc.fiji.ncc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Ranking.Candidate;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Runs;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/**
 * The boxes of lags that are still to be done. They go to the best candidate, as many at once as it takes; if that fails, what is left,
 * the failed box included, goes to the next. If it failed for want of memory with several boxes under way, it first tries again, and from there on one box
 * goes after the other. A box may be done twice: the second result replaces the first. More boxes may come meanwhile.
 */
final class BoxQueue {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	/**
	 * One box of one frame.
	 *
	 * @param done hears when all its responses have come
	 */
	record Box(Supplier<Pixels> pixels, LagBox lags, Sink sink, BoxMonitor monitor, Consumer<Report> done) {

		Box(final Supplier<Pixels> pixels, final LagBox lags, final Sink sink, final Monitor monitor, final Consumer<Report> done) {
			this(pixels, lags, sink, new BoxMonitor(monitor), done);
		}

		Box(final Supplier<Pixels> pixels, final LagBox lags, final Sink sink, final Monitor monitor) {
			this(pixels, lags, sink, monitor, report -> {});
		}
	}

	/** Passes on what is done, but nothing twice when a box is done again. */
	static final class BoxMonitor implements Monitor {

		private final Monitor monitor;
		private long done, said;

		BoxMonitor(final Monitor monitor) {
			this.monitor = monitor;
		}

		synchronized void again() {
			done = 0;
		}

		@Override
		public void done(final long responses) {
			final long news;
			synchronized (this) {
				done += responses;
				news = Math.max(0, done - said);
				said += news;
			}
			if (news > 0) monitor.done(news);
		}

		@Override
		public boolean canceled() {
			return monitor.canceled();
		}
	}

	/** Boxes that come while others are done. */
	@FunctionalInterface
	interface Feed {

		/** None but those that the queue was made with. */
		Feed NONE = until -> null;

		/**
		 * Waits for the next box.
		 *
		 * @param until once this is done there is no more to wait for; null for as long as it takes
		 * @return null if none has come by then, none will come any more, or the monitor canceled
		 */
		Box next(CompletableFuture<?> until);
	}

	private record InFlight(Box box, CompletableFuture<Report> report) {}

	private final Deque<Box> left;
	private final Feed feed;
	private final Monitor monitor;
	/** The most boxes under way, whatever an execution takes; and the most that the last attempt had. */
	private int atOnce, mostFlying;
	private Report report = Report.NONE;
	/** Whether all boxes are done and no more will come. */
	private boolean finished;
	/** Read by others while the work goes on. */
	private final List<Candidate> failures = new CopyOnWriteArrayList<>();

	BoxQueue(final List<Box> boxes, final Monitor monitor) {
		this(boxes, Integer.MAX_VALUE, monitor);
	}

	/** @param atOnce the most boxes under way, whatever an execution takes */
	BoxQueue(final List<Box> boxes, final int atOnce, final Monitor monitor) {
		this(boxes, Feed.NONE, atOnce, monitor);
	}

	BoxQueue(final Feed feed, final Monitor monitor) {
		this(List.of(), feed, Integer.MAX_VALUE, monitor);
	}

	private BoxQueue(final List<Box> boxes, final Feed feed, final int atOnce, final Monitor monitor) {
		left = new ArrayDeque<>(boxes);
		this.feed = feed;
		this.atOnce = atOnce;
		this.monitor = monitor;
	}

	/**
	 * @return the counts of all boxes
	 * @throws NccException if every candidate failed
	 * @throws CancellationException if the monitor canceled
	 */
	Report run(final Ranking ranking, final List<Template> templates) {
		DeviceException last = null;
		for (final Candidate c : ranking.candidates()) {
			if (finished) break;
			if (!c.applies()) continue;
			DeviceException failure = attempt(c, templates);
			if (failure != null && failure.getCause() instanceof OutOfMemoryError && mostFlying > 1) {
				LOG.log(System.Logger.Level.WARNING, describe(c, failure) + "; what is left is tried again one by one");
				atOnce = 1;
				failure = attempt(c, templates);
			}
			if (failure == null) continue;
			last = failure;
			LOG.log(System.Logger.Level.WARNING, describe(c, failure) + "; what is left goes to the next candidate");
			failures.add(c.leftOut(reason(failure)));
		}
		if (finished) return report;
		throw new NccException("every candidate failed, the last one with: " + last.getMessage(), last);
	}

	/** Has a candidate do what is left; null, or why it failed. */
	private DeviceException attempt(final Candidate c, final List<Template> templates) {
		mostFlying = 0;
		try (Execution execution = c.plan().prepare(templates)) {
			drain(execution);
			Runs.add(c.algorithm());
			return null;
		}
		catch (final DeviceException e) {
			return e;
		}
	}

	private static String describe(final Candidate c, final DeviceException failure) {
		return c.name() + " on " + c.device().name() + " " + reason(failure);
	}

	private static String reason(final DeviceException failure) {
		return "failed: " + failure.getMessage();
	}

	/** The ranking as it turned out so far: what does the last of the work comes first, those that failed say so. */
	Ranking outcome(final Ranking ranking) {
		if (failures.isEmpty()) return ranking;
		final List<Candidate> candidates = new ArrayList<>(), failed = new ArrayList<>();
		for (final Candidate c : ranking.candidates()) {
			final Optional<Candidate> failure = failures.stream().filter(f -> f.algorithm() == c.algorithm() && f.device() == c.device()).findFirst();
			if (c.applies() && failure.isPresent()) failed.add(failure.get());
			else candidates.add(c);
		}
		candidates.addAll(failed);
		return new Ranking(ranking.problem(), candidates);
	}

	/** The counts of the boxes that are done. */
	Report report() {
		return report;
	}

	/**
	 * Has an execution do what is left, and what comes.
	 *
	 * @throws DeviceException if it failed: the rest is still left
	 */
	void drain(final Execution execution) {
		final Deque<InFlight> flying = new ArrayDeque<>();
		final Deque<Box> failed = new ArrayDeque<>();
		RuntimeException failure = null;
		while (true) {
			if (failure == null && monitor.canceled()) failure = new CancellationException("canceled");
			if (failure == null && flying.size() < Math.min(atOnce, execution.depth())) {
				final Box box = left.isEmpty() ? feed.next(flying.isEmpty() ? null : flying.peek().report()) : left.poll();
				if (box != null) {
					failure = submit(box, execution, flying);
					continue;
				}
				if (flying.isEmpty() && monitor.canceled()) continue;
			}
			if (flying.isEmpty()) break;
			final InFlight oldest = flying.poll();
			try {
				final Report done = execution.await(oldest.report());
				report = report.plus(done);
				if (oldest.box().sink() instanceof BoxSink) ((BoxSink) oldest.box().sink()).end();
				oldest.box().done().accept(done);
			}
			catch (final CompletionException e) {
				failed.addFirst(oldest.box());
				failure = worse(failure, e.getCause() instanceof RuntimeException ? (RuntimeException) e.getCause() : e);
			}
			catch (final RuntimeException e) {
				failed.addFirst(oldest.box());
				failure = worse(failure, e);
			}
		}
		// the oldest first, whoever does them
		failed.forEach(left::addFirst);
		if (failure != null) throw failure;
		finished = true;
	}

	/** Returns why it could not be submitted; null if it was. */
	private RuntimeException submit(final Box box, final Execution execution, final Deque<InFlight> flying) {
		box.monitor().again();
		if (box.sink() instanceof BoxSink) ((BoxSink) box.sink()).begin();
		try {
			flying.add(new InFlight(box, execution.submit(box.pixels().get(), box.lags(), box.sink(), box.monitor())));
			mostFlying = Math.max(mostFlying, flying.size());
			return null;
		}
		catch (final RuntimeException e) {
			left.addFirst(box);
			return e;
		}
	}

	/** Of two failures the one that says more: a bug before a cancellation, a cancellation before a device that failed. */
	private static RuntimeException worse(final RuntimeException a, final RuntimeException b) {
		if (a == null) return b;
		return rank(b) > rank(a) ? b : a;
	}

	private static int rank(final RuntimeException e) {
		return e instanceof DeviceException ? 0 : e instanceof CancellationException ? 1 : 2;
	}
}
