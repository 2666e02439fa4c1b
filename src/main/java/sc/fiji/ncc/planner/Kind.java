package sc.fiji.ncc.planner;

import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.plan.Problem;

/**
 * How the planner measures one kind of problem.
 *
 * @param <P> the kind
 * @param problems its class
 * @param cut makes a large problem smaller
 * @param data makes test data
 * @param calibrating problems with which the constants of the cost models are measured: each constant matters in one of them
 * @param large further ones for {@linkplain sc.fiji.ncc.plan.Backend#fast fast} devices
 */
record Kind<P extends Problem>(Class<P> problems, Cut<P> cut, Data<P> data, List<? extends P> calibrating, List<? extends P> large) {

	/** The problems with which the constants of a device are measured. @param fast as {@link sc.fiji.ncc.plan.Backend#fast}: with the large ones */
	List<P> calibrating(final boolean fast) {
		final List<P> all = new ArrayList<>(calibrating);
		if (fast) all.addAll(large);
		return all;
	}

	boolean isLarge(final Problem problem) {
		return large.contains(problem);
	}

	/** All kinds. To add one, write its {@link Workload} and add it here. */
	static List<Kind<?>> all() {
		return List.of(SlidingWorkload.KIND, ShiftWorkload.KIND, BankWorkload.KIND, WindowWorkload.KIND, ResampleWorkload.KIND,
			DeformWorkload.KIND);
	}

	interface Cut<P> {

		/** @param most the maximum number of lags, or of pixels of frames */
		P part(P problem, long most);
	}

	interface Data<P extends Problem> {

		/** @param measured the part of the whole problem that is timed */
		Workload<P, ?, ?> of(P whole, P measured);
	}

	private static Kind<?> of(final Problem problem) {
		return all().stream().filter(k -> k.problems.isInstance(problem)).findFirst().orElseThrow();
	}

	/**
	 * Test data for a problem.
	 *
	 * @param most a larger problem is replaced by a smaller one with at most this many lags, or so many pixels of frames
	 */
	static Workload<?, ?, ?> workload(final Problem problem, final long most) {
		return of(problem).make(problem, most);
	}

	/** Whether test data with more lags, or more pixels, comes nearer to the problem. */
	static boolean isCut(final Problem problem, final long most) {
		final Kind<?> kind = of(problem);
		return !kind.part(problem, most).equals(kind.part(problem, Long.MAX_VALUE));
	}

	private P part(final Problem problem, final long most) {
		return cut.part(problems.cast(problem), most);
	}

	private Workload<P, ?, ?> make(final Problem problem, final long most) {
		return data.of(problems.cast(problem), part(problem, most));
	}
}
