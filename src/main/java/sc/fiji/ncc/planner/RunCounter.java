package sc.fiji.ncc.planner;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import sc.fiji.ncc.plan.Algorithm;

/**
 * Counts the runs of this process, to share the start time of an algorithm among runs. An algorithm with a slow start and fast runs pays off in
 * a long process. The future number of runs is estimated as the number of runs so far, and each run bears its share of the start time. In total
 * this costs at most twice as much as the best choice with the number of runs known beforehand (the ski-rental bound).
 */
public final class RunCounter {

	private static final Set<String> STARTED = ConcurrentHashMap.newKeySet();
	/** The names of other code that has run. */
	private static final Set<String> CODE = ConcurrentHashMap.newKeySet();
	private static final AtomicLong COUNT = new AtomicLong();

	private RunCounter() {}

	/** Records that an algorithm has solved a problem. */
	public static void add(final Algorithm<?> algorithm) {
		STARTED.add(algorithm.id());
		COUNT.incrementAndGet();
	}

	/** Records that an algorithm has started, for a measurement. */
	static void started(final Algorithm<?> algorithm) {
		STARTED.add(algorithm.id());
	}

	/** Records that code of this name, which is no algorithm, has run in this process. */
	public static void started(final String code) {
		CODE.add(code);
	}

	/** Whether code of this name, or the algorithm with this id, has run in this process. */
	public static boolean hasStarted(final String code) {
		return CODE.contains(code) || STARTED.contains(code);
	}

	/** Whether no algorithm has started in this process. */
	static boolean none() {
		return STARTED.isEmpty();
	}

	/** The share of its start time that the next run of an algorithm bears: 1 in a new process, less after other runs, 0 once it has started. */
	static double share(final Algorithm<?> algorithm) {
		return hasStarted(algorithm.id()) ? 0 : 1.0 / (1 + COUNT.get());
	}
}
