package sc.fiji.ncc.plan;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which algorithms this process has run, and how often any. An algorithm that is quick only after a slow start is worth it in a process
 * that goes on: it is expected to run as often again as it has run so far, so that each run bears its share of the start. However long it
 * then goes on, that costs at most twice what knowing it beforehand would (the ski-rental bound).
 */
public final class Runs {

	private static final Set<String> STARTED = ConcurrentHashMap.newKeySet();
	private static final AtomicLong COUNT = new AtomicLong();

	private Runs() {}

	/** An algorithm has done a problem. */
	public static void add(final Algorithm algorithm) {
		STARTED.add(algorithm.id());
		COUNT.incrementAndGet();
	}

	/** An algorithm was measured, and has its start behind it. */
	static void started(final Algorithm algorithm) {
		STARTED.add(algorithm.id());
	}

	/** Whether this process has run none yet. */
	static boolean none() {
		return STARTED.isEmpty();
	}

	/** The share of its start that the next run of an algorithm bears, from 1 in a new process down to 0 once it has run. */
	static double share(final Algorithm algorithm) {
		return STARTED.contains(algorithm.id()) ? 0 : 1.0 / (1 + COUNT.get());
	}
}
