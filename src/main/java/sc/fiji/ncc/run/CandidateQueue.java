package sc.fiji.ncc.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.NccException;

/** The candidates that have not failed. When the first candidate fails, the next one replaces it. Several threads may use it. */
public final class CandidateQueue {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	private final Deque<Candidate> candidates = new ArrayDeque<>();
	private Ranking ranking;
	private DeviceException lastFailure;

	public CandidateQueue(final Ranking ranking) {
		this.ranking = ranking;
		for (final Candidate c : ranking.candidates())
			if (c.applies()) candidates.add(c);
	}

	/**
	 * The candidate in use.
	 *
	 * @throws NccException if every candidate failed
	 */
	public synchronized Candidate first() {
		if (candidates.isEmpty())
			throw new NccException("every candidate failed" + (lastFailure == null ? "" : "; the last failure: " + lastFailure.getMessage()), lastFailure);
		return candidates.peek();
	}

	/** @throws DeviceException if the device failed, or if the heap is full */
	public static Execution prepare(final Candidate c, final List<Template> templates) {
		try {
			return c.plan().prepare(templates);
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
	}

	/** Replaces the templates of an execution. Throws as {@link #prepare}. */
	public static void replace(final Execution execution, final List<Template> sameShapes) {
		try {
			execution.replace(sameShapes);
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
	}

	/** Closes an execution. A device that failed often cannot release its memory; the results are not concerned. */
	public static void close(final Execution execution) {
		try {
			execution.close();
		}
		catch (final DeviceException e) {
			LOG.log(System.Logger.Level.DEBUG, "the memory of a device that failed is lost", e);
		}
	}

	/** Replaces the first candidate, which failed, by the next one. */
	public synchronized void reject(final DeviceException failure) {
		final Candidate failed = candidates.remove();
		lastFailure = failure;
		LOG.log(System.Logger.Level.WARNING, describe(failed, failure) + "; the next candidate continues");
		final List<Candidate> reordered = new ArrayList<>(ranking.candidates());
		reordered.removeIf(c -> c == failed);
		reordered.add(failed.leftOut(reason(failure)));
		ranking = new Ranking(ranking.problem(), reordered);
	}

	/** The ranking after the failures so far: the candidate in use comes first, failed candidates come last with their reason. */
	public synchronized Ranking ranking() {
		return ranking;
	}

	static String describe(final Candidate c, final DeviceException failure) {
		return c.name() + " on " + c.device().name() + " " + reason(failure);
	}

	private static String reason(final DeviceException failure) {
		return "failed: " + failure.getMessage();
	}
}
