package sc.fiji.ncc.spark;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** What happens on the cluster. Spark makes it by its name. */
public final class TaskWatch extends SparkListener {

	static final AtomicInteger FAILED = new AtomicInteger(), LOST = new AtomicInteger();
	/** The executors that have ended a task. */
	static final Set<String> EXECUTORS = ConcurrentHashMap.newKeySet();

	/** The start of the first task, and the end of the last one, in milliseconds. */
	private static final AtomicLong FIRST = new AtomicLong(), LAST = new AtomicLong();

	/** The time from the start of the first task to the end of the last one. */
	static double seconds() {
		return 1e-3 * (LAST.get() - FIRST.get());
	}

	static void clear() {
		FIRST.set(Long.MAX_VALUE);
		LAST.set(0);
		FAILED.set(0);
		LOST.set(0);
		EXECUTORS.clear();
	}

	@Override
	public void onTaskEnd(final SparkListenerTaskEnd end) {
		EXECUTORS.add(end.taskInfo().executorId());
		FIRST.accumulateAndGet(end.taskInfo().launchTime(), Math::min);
		LAST.accumulateAndGet(end.taskInfo().finishTime(), Math::max);
		if (end.reason() != Success$.MODULE$) FAILED.incrementAndGet();
	}

	@Override
	public void onExecutorRemoved(final SparkListenerExecutorRemoved removed) {
		LOST.incrementAndGet();
	}
}
