package sc.fiji.ncc.cli.output;

import java.io.Console;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import sc.fiji.ncc.plan.Monitor;

/** A bar on a terminal that says how far the work is. It appears after a moment only, so that quick work stays quiet. */
public final class ProgressBar implements Monitor, AutoCloseable {

	private static final int CELLS = 40;
	private static final long PATIENCE = 500_000_000L, PAUSE = 100_000_000L;

	private final PrintStream to;
	private final boolean visible;
	private final BooleanSupplier canceled;
	private final LongSupplier clock;
	private final long start;
	private final AtomicLong done = new AtomicLong(), next;
	private volatile long total;
	private boolean drawn;

	/**
	 * @param visible whether there is a terminal to draw on
	 * @param canceled polled for whether to stop
	 * @param clock nanoseconds
	 */
	public ProgressBar(final PrintStream to, final boolean visible, final BooleanSupplier canceled, final LongSupplier clock) {
		this.to = to;
		this.visible = visible;
		this.canceled = canceled;
		this.clock = clock;
		start = clock.getAsLong();
		next = new AtomicLong(start + PATIENCE);
	}

	/** Whether people watch: both ways of the program lead to a terminal. */
	public static boolean terminal() {
		final Console console = System.console();
		if (console == null) return false;
		try {
			// from Java 22 on there always is a console, which knows what it is
			return (boolean) Console.class.getMethod("isTerminal").invoke(console);
		}
		catch (final ReflectiveOperationException e) {
			return true;
		}
	}

	@Override
	public void total(final long responses) {
		total = responses;
	}

	@Override
	public void done(final long responses) {
		if (!visible) return;
		final long now = done.addAndGet(responses), time = clock.getAsLong(), due = next.get();
		if (time >= due && next.compareAndSet(due, time + PAUSE)) draw(now, time);
	}

	@Override
	public boolean canceled() {
		return canceled.getAsBoolean();
	}

	/** Cancels as this does, and hears nothing: for work of which nobody knows how much it is. */
	public Monitor cancelOnly() {
		return new Monitor() {

			@Override
			public boolean canceled() {
				return ProgressBar.this.canceled();
			}
		};
	}

	private synchronized void draw(final long now, final long time) {
		if (total <= 0) return;
		final double share = Math.min(1, now / (double) total);
		final int full = (int) (share * CELLS);
		final double left = share == 0 ? 0 : (time - start) / 1e9 * (1 - share) / share;
		to.print("\r[" + "#".repeat(full) + " ".repeat(CELLS - full) + "] " + Math.round(100 * share) + " %, " + Math.round(left) + " s left ");
		to.flush();
		drawn = true;
	}

	/** Wipes the bar away. */
	@Override
	public synchronized void close() {
		if (drawn) to.print("\r" + " ".repeat(CELLS + 24) + "\r");
		to.flush();
		drawn = false;
	}
}
