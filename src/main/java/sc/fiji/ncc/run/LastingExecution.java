package sc.fiji.ncc.run;

import java.util.List;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.RunCounter;

/** An execution that serves many frames. If it fails, the next candidate continues with the remaining boxes. */
public final class LastingExecution implements AutoCloseable {

	private final CandidateQueue candidates;
	private List<Template> templates;
	private Execution execution;

	public LastingExecution(final Ranking ranking, final List<Template> templates) {
		candidates = new CandidateQueue(ranking);
		this.templates = templates;
	}

	/** The ranking. Its best candidate is the one in use. */
	public Ranking ranking() {
		return candidates.ranking();
	}

	/** The maximum number of boxes in flight. */
	public int depth() {
		while (execution == null) {
			try {
				open();
			}
			catch (final DeviceException e) {
				reject(e);
			}
		}
		return execution.depth();
	}

	/** Replaces the templates by others of the same sizes, types and kind of weights. */
	public void replace(final List<Template> sameShapes) {
		templates = sameShapes;
		if (execution == null) return;
		try {
			CandidateQueue.replace(execution, sameShapes);
		}
		catch (final DeviceException e) {
			reject(e);
		}
	}

	/** Computes boxes, several at once. */
	public Report run(final List<BoxQueue.Box> boxes, final Monitor monitor) {
		final BoxQueue queue = new BoxQueue(boxes, monitor);
		while (true) {
			try {
				if (execution == null) open();
				queue.drain(execution);
				return queue.report();
			}
			catch (final DeviceException e) {
				reject(e);
			}
		}
	}

	private void open() {
		final Candidate c = candidates.first();
		execution = CandidateQueue.prepare(c, templates);
		RunCounter.add(c.algorithm());
	}

	/** Replaces the current candidate, which failed, by the next one. */
	private void reject(final DeviceException e) {
		close();
		candidates.reject(e);
	}

	@Override
	public void close() {
		if (execution != null) CandidateQueue.close(execution);
		execution = null;
	}
}
