package sc.fiji.ncc.command;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import org.scijava.app.StatusService;
import org.scijava.task.Task;
import org.scijava.task.TaskService;

import sc.fiji.ncc.plan.Monitor;

/** Shows progress and remaining time in the task window and in the status bar. Canceling the task stops the computation. */
final class TaskProgress implements Monitor, AutoCloseable {

	/** Number of steps of the progress bar. */
	private static final int STEPS = 1000;
	/**
	 * Minimum time between two messages, and before the first one, in nanoseconds. Each message goes through the event bus, which may deliver messages that
	 * follow each other at once in another order.
	 */
	private static final long INTERVAL = 100_000_000;

	private final String title;
	private final StatusService status;
	private final Task task;
	private final BooleanSupplier canceled;
	private final AtomicLong done = new AtomicLong();
	/** Nanoseconds. */
	private final LongSupplier clock;
	private final AtomicLong lastShown;
	private volatile long total = 1;
	private volatile long start;
	private String last = "";
	private boolean closed;

	/** @param canceled a further condition that stops the computation */
	TaskProgress(final String title, final TaskService tasks, final StatusService status, final BooleanSupplier canceled) {
		this(title, tasks, status, canceled, System::nanoTime);
	}

	/** @param clock the time in nanoseconds */
	TaskProgress(final String title, final TaskService tasks, final StatusService status, final BooleanSupplier canceled, final LongSupplier clock) {
		this.title = title;
		this.status = status;
		this.canceled = canceled;
		this.clock = clock;
		start = clock.getAsLong();
		lastShown = new AtomicLong(start);
		task = tasks.createTask(title);
		task.start();
	}

	@Override
	public void total(final long responses) {
		total = Math.max(1, responses);
		start = clock.getAsLong();
		task.setProgressMaximum(total);
	}

	@Override
	public void done(final long responses) {
		final long now = done.addAndGet(responses);
		final long time = clock.getAsLong();
		final long last = lastShown.get();
		if (time - last < INTERVAL || !lastShown.compareAndSet(last, time)) return;
		show(now, left(1e-9 * (time - start), (double) now / total));
	}

	/** Nothing follows {@link #close}: a thread can report its part after the result is complete. */
	private synchronized void show(final long now, final String left) {
		if (closed) return;
		task.setProgressValue(now);
		task.setStatusMessage(left);
		status.showStatus((int) (STEPS * (double) now / total), STEPS, left.isEmpty() ? title : title + ": " + left);
	}

	/**
	 * Estimates the remaining time from the rate so far.
	 *
	 * @param seconds time since the start in seconds
	 * @param share share of the work that is done, 0 to 1
	 * @return a text such as {@code 12 s left}; empty in the first second, when the rate is uncertain
	 */
	static String left(final double seconds, final double share) {
		if (seconds < 1 || share <= 0) return "";
		final long left = (long) Math.ceil(seconds * (1 - Math.min(1, share)) / share);
		return left < 100 ? left + " s left" : left < 6000 ? (left + 30) / 60 + " min left" : (left + 1800) / 3600 + " h left";
	}

	/** Sets the text that the status bar shows after {@link #close}. */
	void finish(final String summary) {
		last = summary;
	}

	@Override
	public boolean canceled() {
		return task.isCanceled() || canceled.getAsBoolean();
	}

	/** The end of the progress and the text are one message, which cannot arrive in another order. */
	@Override
	public synchronized void close() {
		closed = true;
		task.finish();
		status.showStatus(1, 1, last);
	}
}
