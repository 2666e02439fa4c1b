package sc.fiji.ncc.run;

import java.util.List;

import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.planner.Ranking;

/** An execution that serves many frames. If it fails, the next candidate continues with the remaining boxes. */
public final class FailoverExecution implements AutoCloseable {

	private final Failover<Execution> failover;
	private List<Template> templates, prepared;
	/** The boxes of the last run; null before the first one. */
	private BoxQueue boxes;

	public FailoverExecution(final Ranking ranking, final List<Template> templates) {
		this.templates = templates;
		failover = new Failover<>(ranking, c -> {
			prepared = this.templates;
			if (boxes != null) boxes.restart();
			return c.plan(SlidingPlan.class).prepare(prepared);
		}, failure -> boxes != null && boxes.isTriedAgain(failure));
	}

	/** The ranking. Its best candidate is the one in use. */
	public Ranking ranking() {
		return failover.ranking();
	}

	/** The maximum number of boxes in flight. */
	public int depth() {
		return failover.run(Execution::depth);
	}

	/** Replaces the templates by others of the same sizes, types and kind of weights. */
	public void replace(final List<Template> sameShapes) {
		templates = sameShapes;
	}

	/** Computes the boxes of a queue, several at once. */
	public Report run(final BoxQueue queue) {
		boxes = queue;
		queue.by(failover);
		return failover.run(execution -> {
			if (prepared != templates) Failover.replace(execution, templates);
			prepared = templates;
			return queue.drain(execution);
		});
	}

	@Override
	public void close() {
		failover.close();
	}
}
