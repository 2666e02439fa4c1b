package sc.fiji.ncc.spark;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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

	/**
	 * A task that has ended. Times are in milliseconds.
	 *
	 * @param run the time in the executor without loading the task
	 */
	record Task(String executor, long launched, long finished, long run) {}

	/** All tasks, in the order of their ends. */
	static final List<Task> TASKS = new CopyOnWriteArrayList<>();

	/** The time from the start of the first task to the end of the last one. */
	static double seconds() {
		return 1e-3 * (TASKS.stream().mapToLong(Task::finished).max().orElseThrow() - TASKS.stream().mapToLong(Task::launched).min().orElseThrow());
	}

	static void clear() {
		TASKS.clear();
		FAILED.set(0);
		LOST.set(0);
		EXECUTORS.clear();
	}

	@Override
	public void onTaskEnd(final SparkListenerTaskEnd end) {
		EXECUTORS.add(end.taskInfo().executorId());
		TASKS.add(new Task(end.taskInfo().executorId(), end.taskInfo().launchTime(), end.taskInfo().finishTime(), end.taskMetrics() == null ? 0 : end.taskMetrics().executorRunTime()));
		if (end.reason() != Success$.MODULE$) FAILED.incrementAndGet();
	}

	@Override
	public void onExecutorRemoved(final SparkListenerExecutorRemoved removed) {
		LOST.incrementAndGet();
	}
}
