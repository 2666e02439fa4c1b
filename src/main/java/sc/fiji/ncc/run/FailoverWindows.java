package sc.fiji.ncc.run;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.support.ProgressOnce;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.plan.window.WindowPlan;
import sc.fiji.ncc.planner.Ranking;

/** The windows of pairs of frames, on the best candidate. If it fails, the next candidate repeats the pair. */
public final class FailoverWindows implements AutoCloseable {

	private final Failover<WindowExecution> failover;

	/** @param threads the maximum number of threads of the host */
	public FailoverWindows(final Ranking ranking, final int threads) {
		failover = new Failover<>(ranking, c -> ((WindowPlan) c.plan()).prepare(threads));
	}

	/** The ranking. Its best candidate is the one in use. */
	public Ranking ranking() {
		return failover.ranking();
	}

	/**
	 * Correlates the windows of a frame with another frame.
	 *
	 * @param to may receive a window again after a failure
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public Report search(final Pixels fixed, final Pixels moving, final WindowExecution.Receiver to, final Monitor monitor) {
		final ProgressOnce once = new ProgressOnce(monitor);
		return failover.run(execution -> {
			once.restart();
			try {
				return execution.search(fixed, moving, to, once);
			}
			catch (final OutOfMemoryError full) {
				throw DeviceException.outOfHeap(full);
			}
		});
	}

	@Override
	public void close() {
		failover.close();
	}
}
