package sc.fiji.ncc.spark;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** What happens on the cluster. Spark makes it by its name. */
public final class TaskWatch extends SparkListener {

	static final AtomicInteger FAILED = new AtomicInteger(), LOST = new AtomicInteger();
	/** The executors that have ended a task. */
	static final Set<String> EXECUTORS = ConcurrentHashMap.newKeySet();

	static void clear() {
		FAILED.set(0);
		LOST.set(0);
		EXECUTORS.clear();
	}

	@Override
	public void onTaskEnd(final SparkListenerTaskEnd end) {
		EXECUTORS.add(end.taskInfo().executorId());
		if (end.reason() != Success$.MODULE$) FAILED.incrementAndGet();
	}

	@Override
	public void onExecutorRemoved(final SparkListenerExecutorRemoved removed) {
		LOST.incrementAndGet();
	}
}
