package sc.fiji.ncc.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.plan.Monitor;

/** The boxes of frames that come one after another. */
final class FrameFeed implements BoxQueue.Feed {

	/** The interval in milliseconds at which a waiting thread polls for cancellation. */
	static final long POLL_MILLISECONDS = 50;

	private final Monitor monitor;
	private final Deque<BoxQueue.Box> boxes = new ArrayDeque<>();
	private boolean ended;

	FrameFeed(final Monitor monitor) {
		this.monitor = monitor;
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
