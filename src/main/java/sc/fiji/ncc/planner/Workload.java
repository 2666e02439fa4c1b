package sc.fiji.ncc.planner;

import java.util.concurrent.CancellationException;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;

/** Test data of a problem's shape, on which plans are timed. A large problem is replaced by a smaller one. */
interface Workload {

	/** The problem that is timed. */
	Problem measured();

	/** The work of the problem, divided by that of the one that is timed, for an algorithm that states no cost. */
	double ratio();

	/** Prepares a plan for the problem that is timed. */
	AutoCloseable prepare(Plan plan);

	/**
	 * Solves the problem that is timed.
	 *
	 * @param execution from {@link #prepare}
	 * @throws CancellationException if the monitor cancels
	 */
	void run(AutoCloseable execution, Monitor monitor);
}
