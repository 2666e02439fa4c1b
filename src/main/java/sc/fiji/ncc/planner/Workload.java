package sc.fiji.ncc.planner;

import java.util.concurrent.CancellationException;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Sliding;

/** Test data of a problem's shape, on which plans are timed. A large problem is replaced by a smaller one. */
interface Workload {

	/** @param most a larger problem is replaced by a smaller one with at most this many lags, or so many pixels of frames */
	static Workload of(final Problem problem, final long most) {
		if (problem instanceof BoundedBank) return new BankWorkload((BoundedBank) problem, most);
		return problem instanceof Sliding ? new SlidingWorkload((Sliding) problem, most) : new ShiftWorkload((FramePairs) problem, most);
	}

	/** Whether a workload with more lags, or more pixels, comes nearer to the problem. */
	static boolean isCut(final Problem problem, final long most) {
		if (problem instanceof BoundedBank) return !BankWorkload.part((BoundedBank) problem, most).equals(problem);
		return problem instanceof Sliding ? ((Sliding) problem).lags().count().pixels() > most : !ShiftWorkload.part((FramePairs) problem,
			most).equals(problem);
	}

	/** The problem that is timed. */
	Problem measured();

	/** The work of the problem, divided by that of the one that is timed, for an algorithm that states no cost. */
	double ratio();

	/** Whether an algorithm supports the problem that is timed. */
	default boolean isSupported(final Algorithm<?> algorithm, final Device device) {
		return isSupported(algorithm, measured(), device);
	}

	private static <P extends Problem> boolean isSupported(final Algorithm<P> algorithm, final Problem problem, final Device device) {
		return algorithm.unsupported(algorithm.kind().cast(problem), device).isEmpty();
	}

	/** The plan of an algorithm for the problem that is timed. */
	default Plan plan(final Algorithm<?> algorithm, final Device device) {
		return plan(algorithm, measured(), device);
	}

	private static <P extends Problem> Plan plan(final Algorithm<P> algorithm, final Problem problem, final Device device) {
		return algorithm.plan(algorithm.kind().cast(problem), device);
	}

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
