package sc.fiji.ncc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 * the failed box included, goes to the next. A box may be done twice: the second result replaces the first.
 */
final class BoxQueue {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	/** One box of one frame. */
	record Box(Supplier<Pixels> pixels, LagBox lags, Sink sink, BoxMonitor monitor) {

		Box(final Supplier<Pixels> pixels, final LagBox lags, final Sink sink, final Monitor monitor) {
			this(pixels, lags, sink, new BoxMonitor(monitor));
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

	private record InFlight(Box box, CompletableFuture<Report> report) {}

	private final Deque<Box> left;
	private final Monitor monitor;
	private Report report = Report.NONE;
	private final List<Candidate> failures = new ArrayList<>();

	BoxQueue(final List<Box> boxes, final Monitor monitor) {
		left = new ArrayDeque<>(boxes);
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
			if (left.isEmpty()) break;
			if (!c.applies()) continue;
			try (Execution execution = c.plan().prepare(templates)) {
				drain(execution);
				Runs.add(c.algorithm());
			}
			catch (final DeviceException e) {
				last = e;
				final String reason = "failed: " + e.getMessage();
				LOG.log(System.Logger.Level.WARNING, c.name() + " on " + c.device().name() + " " + reason + "; what is left goes to the next candidate");
				failures.add(c.leftOut(reason));
			}
		}
		if (left.isEmpty()) return report;
		throw new NccException("every candidate failed, the last one with: " + last.getMessage(), last);
	}

	/** The ranking as it turned out: what did the last of the work comes first, those that failed say so. */
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
	 * Has an execution do what is left.
	 *
	 * @throws DeviceException if it failed: the rest is still left
	 */
	void drain(final Execution execution) {
		final Deque<InFlight> flying = new ArrayDeque<>();
		RuntimeException failure = null;
		while (failure == null && !left.isEmpty() || !flying.isEmpty()) {
			if (failure == null && monitor.canceled()) {
				failure = new CancellationException("canceled");
				continue;
			}
			if (failure == null && !left.isEmpty() && flying.size() < execution.depth()) {
				final Box box = left.poll();
				box.monitor().again();
				if (box.sink() instanceof BoxSink) ((BoxSink) box.sink()).begin();
				try {
					flying.add(new InFlight(box, execution.submit(box.pixels().get(), box.lags(), box.sink(), box.monitor())));
				}
				catch (final RuntimeException e) {
					left.addFirst(box);
					failure = e;
				}
				continue;
			}
			final InFlight oldest = flying.poll();
			try {
				report = report.plus(oldest.report().join());
				if (oldest.box().sink() instanceof BoxSink) ((BoxSink) oldest.box().sink()).end();
			}
			catch (final CompletionException | CancellationException e) {
				left.addFirst(oldest.box());
				failure = worse(failure, e.getCause() instanceof RuntimeException ? (RuntimeException) e.getCause() : e);
			}
		}
		if (failure != null) throw failure;
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
