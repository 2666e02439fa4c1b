package sc.fiji.ncc.plan.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;

/**
 * An execution of the first alternative that has not failed. When its device fails, or the Java heap is too full to open it, the next one
 * repeats the work. One thread at a time works with it.
 *
 * @param <C> an alternative
 * @param <E> its execution
 */
public class Alternatives<C, E extends Plan.Prepared> implements Plan.Prepared {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	private final Function<? super C, String> name;
	private final Function<? super C, ? extends E> opener;
	/** Those that have not failed. Guarded by itself. */
	private final Deque<C> remaining;
	private DeviceException lastFailure;
	private E execution;
	/** Whether the execution has answered a call. */
	private boolean worked;

	/**
	 * @param all the best one first
	 * @param name an alternative in words
	 * @param opener prepares an alternative
	 */
	public Alternatives(final List<? extends C> all, final Function<? super C, String> name, final Function<? super C, ? extends E> opener) {
		remaining = new ArrayDeque<>(all);
		this.name = name;
		this.opener = opener;
	}

	/** The execution of an alternative has answered its first call. */
	protected void answered(final C used) {}

	/** An alternative failed for this reason and is not used again. */
	protected void rejected(final C failed, final String reason) {}

	/** Whether the alternative that failed is opened once more. Default: false. */
	protected boolean isOpenedAgain(final DeviceException failure) {
		return false;
	}

	/** What is thrown if all have failed. Default: the last failure; null if there was none. */
	protected RuntimeException exhausted(final DeviceException last) {
		return last;
	}

	/**
	 * Does work with the execution, or asks it a question. After a failure the work begins again, with the execution of the next alternative.
	 *
	 * @throws RuntimeException if all have failed
	 */
	public final <T> T run(final Function<? super E, T> work) {
		while (true) {
			final C c = first();
			try {
				return counted(c, work.apply(open(c)));
			}
			catch (final DeviceException e) {
				failed(c, e);
			}
		}
	}

	/** Does work with the first alternative. Several threads may call it, but not beside {@link #failed}. */
	public final <T> T attempt(final C used, final Function<? super E, T> work) {
		return counted(used, work.apply(open(used)));
	}

	private synchronized <T> T counted(final C used, final T result) {
		if (!worked) answered(used);
		worked = true;
		return result;
	}

	/**
	 * As {@link #run}, for work that begins anew after a failure. A full heap is a failure as that of a device, and progress is reported once.
	 */
	public final <T> T repeat(final Monitor monitor, final BiFunction<? super E, Monitor, T> work) {
		final ProgressOnce once = new ProgressOnce(monitor);
		return run(open -> {
			once.restart();
			try {
				return work.apply(open, once);
			}
			catch (final OutOfMemoryError e) {
				throw DeviceException.outOfHeap(e);
			}
		});
	}

	private synchronized E open(final C used) {
		try {
			if (execution == null) execution = opener.apply(used);
			return execution;
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
	}

	/** Whether an execution is open. */
	public final boolean isOpen() {
		return execution != null;
	}

	/** The alternative in use. */
	public final C first() {
		synchronized (remaining) {
			if (remaining.isEmpty()) throw exhausted(lastFailure);
			return remaining.peek();
		}
	}

	/** Closes the execution of the first alternative. The next one continues, or the same one if it is opened once more. */
	public final void failed(final C failed, final DeviceException failure) {
		close();
		final String reason = "failed: " + failure.getMessage();
		final boolean again = isOpenedAgain(failure);
		final boolean last;
		synchronized (remaining) {
			last = remaining.size() == 1;
			if (!again) {
				remaining.remove();
				lastFailure = failure;
				rejected(failed, reason);
			}
		}
		LOG.log(System.Logger.Level.WARNING, name.apply(failed) + " " + reason
			+ (again ? "; trying the rest of the work again one by one" : last ? "; no other candidate is left" : "; the next candidate continues"));
	}

	/**
	 * Closes the execution; the next work opens it again. A device that failed often cannot release its memory; the results are not concerned.
	 */
	@Override
	public final void close() {
		final E open = execution;
		execution = null;
		worked = false;
		try {
			if (open != null) open.close();
		}
		catch (final DeviceException e) {
			LOG.log(System.Logger.Level.DEBUG, "the memory of a device that failed is lost", e);
		}
	}
}
