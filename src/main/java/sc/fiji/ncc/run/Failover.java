package sc.fiji.ncc.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Alternatives;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.RunCounter;
import sc.fiji.ncc.result.NccException;

/**
 * An execution of the best candidate that has not failed: the {@link Alternatives} are the candidates of a ranking. All kinds of problems
 * use it. Any thread can ask for the {@link #ranking}. If every candidate failed, work ends with an {@link NccException}.
 *
 * @param <E> the execution
 */
public final class Failover<E extends Plan.Prepared> extends Alternatives<Candidate, E> {

	private final Predicate<DeviceException> again;
	private volatile Ranking ranking;

	/**
	 * @param plans the kind of plans
	 * @param opener prepares a plan
	 */
	public <L extends Plan> Failover(final Ranking ranking, final Class<L> plans, final Function<? super L, E> opener) {
		this(ranking, c -> opener.apply(c.plan(plans)), failure -> false);
	}

	/** @param again whether a candidate that failed is opened once more */
	Failover(final Ranking ranking, final Function<Candidate, E> opener, final Predicate<DeviceException> again) {
		super(ranking.candidates().stream().filter(Candidate::applies).toList(), c -> c.name() + " on " + c.device().name(), opener);
		this.ranking = ranking;
		this.again = again;
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

	@Override
	protected void answered(final Candidate used) {
		RunCounter.add(used.algorithm());
	}

	@Override
	protected boolean isOpenedAgain(final DeviceException failure) {
		return again.test(failure);
	}

	@Override
	protected void rejected(final Candidate failed, final String reason) {
		final List<Candidate> reordered = new ArrayList<>(ranking.candidates());
		reordered.removeIf(c -> c == failed);
		reordered.add(failed.leftOut(reason));
		ranking = new Ranking(ranking.problem(), reordered, ranking.measuringSeconds());
	}

	@Override
	protected RuntimeException exhausted(final DeviceException last) {
		return new NccException("every candidate failed" + (last == null ? "" : "; the last failure: " + last.getMessage()), last);
	}

	/** The ranking after the failures so far: the candidate in use comes first, failed candidates come last with their reason. */
	public Ranking ranking() {
		return ranking;
	}
}
