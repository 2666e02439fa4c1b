package sc.fiji.ncc.cli.output;

import java.io.Console;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import sc.fiji.ncc.plan.Monitor;

/** A progress bar on a terminal. It appears after half a second, so that short runs print nothing. */
public final class ProgressBar implements Monitor, AutoCloseable {

	private static final int CELLS = 40;
	/** Nanoseconds before the bar appears, and between two updates. */
	private static final long DELAY = 500_000_000L, INTERVAL = 100_000_000L;

	private final PrintStream to;
	private final boolean visible;
	private final BooleanSupplier canceled;
	private final LongSupplier clock;
	private final long start;
	private final AtomicLong done = new AtomicLong(), next;
	private volatile long total;
	private boolean drawn;

	/**
	 * @param to the stream to draw on
	 * @param visible whether the stream is a terminal
	 * @param canceled polled; true ends the computation
	 * @param clock the time in nanoseconds
	 */
	public ProgressBar(final PrintStream to, final boolean visible, final BooleanSupplier canceled, final LongSupplier clock) {
		this.to = to;
		this.visible = visible;
		this.canceled = canceled;
		this.clock = clock;
		start = clock.getAsLong();
		next = new AtomicLong(start + DELAY);
	}

	/** Whether both the input and the output of the program are a terminal. */
	public static boolean terminal() {
		final Console console = System.console();
		if (console == null) return false;
		try {
			// from Java 22 on a console always exists, and this method tells whether it is a terminal
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
		if (time >= due && next.compareAndSet(due, time + INTERVAL)) draw(now, time);
	}

	@Override
	public boolean canceled() {
		return canceled.getAsBoolean();
	}

	/** A monitor that cancels like this one and shows no progress, for computations of unknown length. */
	public Monitor cancelOnly() {
		return Monitor.canceledIf(this::canceled);
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

	/** Erases the bar. */
	@Override
	public synchronized void close() {
		if (drawn) to.print("\r" + " ".repeat(CELLS + 24) + "\r");
		to.flush();
		drawn = false;
	}
}
