package sc.fiji.ncc.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Runs;
import sc.fiji.ncc.result.NccException;

/** An execution that serves many frames. If it fails, the next candidate continues with the remaining boxes. */
public final class LastingExecution implements AutoCloseable {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	private final Deque<Candidate> candidates = new ArrayDeque<>();
	private Ranking ranking;
	private List<Template> templates;
	private Execution execution;

	public LastingExecution(final Ranking ranking, final List<Template> templates) {
		this.ranking = ranking;
		this.templates = templates;
		for (final Candidate c : ranking.candidates())
			if (c.applies()) candidates.add(c);
	}

	/** The ranking. Its best candidate is the one in use. */
	public Ranking ranking() {
		return ranking;
	}

	/** The maximum number of boxes in flight. */
	public int depth() {
		DeviceException last = null;
		while (execution == null) {
			try {
				open(last);
			}
			catch (final DeviceException e) {
				last = e;
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
			execution.replace(sameShapes);
		}
		catch (final DeviceException e) {
			reject(e);
		}
	}

	/** Computes boxes, several at once. */
	public Report run(final List<BoxQueue.Box> boxes, final Monitor monitor) {
		final BoxQueue queue = new BoxQueue(boxes, monitor);
		DeviceException last = null;
		while (true) {
			try {
				if (execution == null) open(last);
				queue.drain(execution);
				return queue.report();
			}
			catch (final DeviceException e) {
				last = e;
				reject(e);
			}
		}
	}

	private void open(final DeviceException last) {
		if (candidates.isEmpty()) throw new NccException("every candidate failed" + (last == null ? "" : "; the last failure: " + last.getMessage()), last);
		execution = candidates.peek().plan().prepare(templates);
		Runs.add(candidates.peek().algorithm());
	}

	/** Replaces the current candidate, which failed, by the next one. */
	private void reject(final DeviceException e) {
		close();
		final Candidate c = candidates.poll();
		LOG.log(System.Logger.Level.WARNING, c.name() + " on " + c.device().name() + " failed: " + e.getMessage() + "; the next candidate computes the remaining boxes");
		final List<Candidate> reordered = new ArrayList<>();
		for (final Candidate r : ranking.candidates())
			if (r.algorithm() != c.algorithm() || r.device() != c.device()) reordered.add(r);
		reordered.add(c.leftOut("failed: " + e.getMessage()));
		ranking = new Ranking(ranking.problem(), reordered);
	}

	@Override
	public void close() {
		if (execution != null) execution.close();
		execution = null;
	}
}
