package sc.fiji.ncc.command;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.scijava.app.StatusService;
import org.scijava.task.Task;
import org.scijava.task.TaskService;

import sc.fiji.ncc.plan.Monitor;

/** Shows how far the work is in the task window and in the status bar, and hears there that it shall stop. */
final class Progress implements Monitor, AutoCloseable {

	/** The status bar counts to this. */
	private static final int STEPS = 1000;
	/** Nanoseconds between two messages; each one goes through the event bus. */
	private static final long INTERVAL = 100_000_000;

	private final String title;
	private final StatusService status;
	private final Task task;
	private final BooleanSupplier canceled;
	private final AtomicLong done = new AtomicLong();
	private final AtomicLong lastShown = new AtomicLong(System.nanoTime() - INTERVAL);
	private volatile long total = 1;

	/** @param canceled asked beside the task whether the work shall stop */
	Progress(final String title, final TaskService tasks, final StatusService status, final BooleanSupplier canceled) {
		this.title = title;
		this.status = status;
		this.canceled = canceled;
		task = tasks.createTask(title);
		task.start();
	}

	@Override
	public void total(final long responses) {
		total = Math.max(1, responses);
		task.setProgressMaximum(total);
		status.showStatus(0, STEPS, title);
	}

	@Override
	public void done(final long responses) {
		final long now = done.addAndGet(responses);
		final long time = System.nanoTime();
		final long last = lastShown.get();
		if (time - last < INTERVAL || !lastShown.compareAndSet(last, time)) return;
		task.setProgressValue(now);
		status.showStatus((int) (STEPS * (double) now / total), STEPS, title);
	}

	@Override
	public boolean canceled() {
		return task.isCanceled() || canceled.getAsBoolean();
	}

	@Override
	public void close() {
		task.finish();
		status.showProgress(1, 1);
		status.clearStatus();
	}
}
