package sc.fiji.ncc.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;

/** The boxes of a bank of templates that come one after another, and the thread that computes them. */
final class BankFeed implements BoxQueue.Feed {

	/** The interval in milliseconds at which a waiting thread polls for cancellation. */
	static final long POLL_MILLISECONDS = 50;

	final TemplateBank bank;
	private final Ranking ranking;
	private final BoxQueue queue;
	private final Monitor monitor;
	private final Deque<BoxQueue.Box> boxes = new ArrayDeque<>();
	private boolean ended;
	/** Null before it is started. */
	private Thread thread;

	/** @param maxBoxes the maximum number of boxes in flight */
	BankFeed(final TemplateBank bank, final Ranking ranking, final int maxBoxes, final Monitor monitor) {
		this.bank = bank;
		this.ranking = ranking;
		this.monitor = monitor;
		queue = new BoxQueue(this, maxBoxes, monitor);
	}

	/** Starts the thread, unless it was started. It runs until {@link #end} or a failure. @param failed receives the failure */
	void start(final String name, final Consumer<Throwable> failed) {
		if (thread != null) return;
		final Thread started = Parallel.daemons(name).newThread(() -> {
			try {
				queue.run(ranking, bank.operands());
			}
			catch (final Throwable t) {
				failed.accept(t);
			}
		});
		started.start();
		// if no thread could be started, the next call tries again
		thread = started;
	}

	/** Waits for the thread, unless it calls. */
	void join() throws InterruptedException {
		if (thread != null && thread != Thread.currentThread()) thread.join();
	}

	/** The ranking after the failures so far. */
	Ranking ranking() {
		return queue.outcome(ranking);
	}

	synchronized void add(final BoxQueue.Box box) {
		boxes.add(box);
		notifyAll();
	}

	/** Declares that no more boxes come. */
	synchronized void end() {
		ended = true;
		notifyAll();
	}

	private synchronized void wake() {
		notifyAll();
	}

	@Override
	public BoxQueue.Box next(final CompletableFuture<?> until) {
		if (until != null) until.whenComplete((done, failure) -> wake());
		synchronized (this) {
			while (boxes.isEmpty() && !ended && !(until != null && until.isDone()) && !monitor.canceled()) {
				try {
					wait(POLL_MILLISECONDS);
				}
				catch (final InterruptedException e) {
					Thread.currentThread().interrupt();
					throw (CancellationException) new CancellationException("interrupted").initCause(e);
				}
			}
			return boxes.poll();
		}
	}
}
