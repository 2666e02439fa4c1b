package sc.fiji.ncc.plan.support;

import sc.fiji.ncc.plan.Monitor;

/** The progress of work that may be repeated. It passes progress on, but does not count responses twice. */
public final class ProgressOnce implements Monitor {

	private final Monitor monitor;
	private long done, reported;

	public ProgressOnce(final Monitor monitor) {
		this.monitor = monitor;
	}

	/** The work begins, the first time or again. */
	public synchronized void restart() {
		done = 0;
	}

	@Override
	public void done(final long responses) {
		final long added;
		synchronized (this) {
			done += responses;
			added = Math.max(0, done - reported);
			reported += added;
		}
		if (added > 0) monitor.done(added);
	}

	@Override
	public boolean canceled() {
		return monitor.canceled();
	}
}
