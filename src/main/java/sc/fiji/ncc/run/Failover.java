package sc.fiji.ncc.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.ProgressOnce;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.RunCounter;
import sc.fiji.ncc.result.NccException;

/**
 * An execution of the best candidate that has not failed. When its device fails, or the Java heap is too full to open it, the next candidate repeats the
 * work. All kinds of problems use it. One thread at a time works with it; {@link #ranking} can be called by any thread.
 *
 * @param <E> the execution
 */
public final class Failover<E extends AutoCloseable> implements AutoCloseable {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	private final Function<Candidate, E> opener;
	private final Predicate<DeviceException> again;
	/** Guarded by itself, with the ranking. */
	private final Deque<Candidate> candidates = new ArrayDeque<>();
	private Ranking ranking;
	private DeviceException lastFailure;
	private E execution;
	/** Whether the execution has answered a call. */
	private boolean worked;

	/** @param opener prepares a candidate */
	public Failover(final Ranking ranking, final Function<Candidate, E> opener) {
		this(ranking, opener, failure -> false);
	}

	/** @param again whether a candidate that failed is opened once more */
	Failover(final Ranking ranking, final Function<Candidate, E> opener, final Predicate<DeviceException> again) {
		this.ranking = ranking;
		this.opener = opener;
		this.again = again;
		for (final Candidate c : ranking.candidates())
			if (c.applies()) candidates.add(c);
	}

	/** Prepares a candidate for templates. */
	public static Execution prepare(final Candidate c, final List<Template> templates) {
		return ((SlidingPlan) c.plan()).prepare(templates);
	}

	/** Replaces the templates of an execution. A full heap is a failure as that of a device. */
	public static void replace(final Execution execution, final List<Template> sameShapes) {
		try {
			execution.replace(sameShapes);
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
	}

	/**
	 * Does work with the execution, or asks it a question. After a failure the work begins again, with the execution of the next candidate.
	 *
	 * @throws NccException if every candidate failed
	 */
	public <T> T run(final Function<? super E, T> work) {
		while (true) {
			final Candidate c = first();
			try {
				return counted(c, work.apply(open(c)));
			}
			catch (final DeviceException e) {
				failed(c, e);
			}
		}
	}

	/** Does work with a candidate that is the first one. Several threads may call it, but not beside {@link #failed}. */
	<T> T attempt(final Candidate c, final Function<? super E, T> work) {
		return counted(c, work.apply(open(c)));
	}

	/** Counts the first answer of an execution. */
	private synchronized <T> T counted(final Candidate c, final T result) {
		if (!worked) RunCounter.add(c.algorithm());
		worked = true;
		return result;
	}

	/** As {@link #run}, for work that begins anew after a failure. A full heap is a failure as that of a device, and progress is reported once. */
	public <T> T repeat(final Monitor monitor, final BiFunction<? super E, Monitor, T> work) {
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

	private synchronized E open(final Candidate c) {
		try {
			if (execution == null) execution = opener.apply(c);
			return execution;
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
	}

	/** Whether an execution is open. */
	public boolean isOpen() {
		return execution != null;
	}

	/** The candidate in use. */
	Candidate first() {
		synchronized (candidates) {
			if (candidates.isEmpty())
				throw new NccException("every candidate failed" + (lastFailure == null ? "" : "; the last failure: " + lastFailure.getMessage()), lastFailure);
			return candidates.peek();
		}
	}

	/** Closes the execution of the first candidate. The next candidate continues, or the same one if it is opened once more. */
	void failed(final Candidate c, final DeviceException failure) {
		close();
		final String what = c.name() + " on " + c.device().name() + " ";
		if (again.test(failure)) LOG.log(System.Logger.Level.WARNING, what + reason(failure) + "; trying the rest of the work again one by one");
		else {
			LOG.log(System.Logger.Level.WARNING, what + reason(failure) + "; the next candidate continues");
			reject(c, failure);
		}
	}

	private void reject(final Candidate failed, final DeviceException failure) {
		synchronized (candidates) {
			candidates.remove();
			lastFailure = failure;
			final List<Candidate> reordered = new ArrayList<>(ranking.candidates());
			reordered.removeIf(c -> c == failed);
			reordered.add(failed.leftOut(reason(failure)));
			ranking = new Ranking(ranking.problem(), reordered);
		}
	}

	private static String reason(final DeviceException failure) {
		return "failed: " + failure.getMessage();
	}

	/** The ranking after the failures so far: the candidate in use comes first, failed candidates come last with their reason. */
	public Ranking ranking() {
		synchronized (candidates) {
			return ranking;
		}
	}

	/** Closes the execution; the next work opens it again. A device that failed often cannot release its memory; the results are not concerned. */
	@Override
	public void close() {
		final E open = execution;
		execution = null;
		worked = false;
		if (open == null) return;
		try {
			open.close();
		}
		catch (final DeviceException e) {
			LOG.log(System.Logger.Level.DEBUG, "the memory of a device that failed is lost", e);
		}
		catch (final RuntimeException e) {
			throw e;
		}
		catch (final Exception e) {
			throw new IllegalStateException("internal error: an execution cannot be closed", e);
		}
	}
}
