package sc.fiji.ncc.spark;

import java.io.Serializable;

import org.apache.spark.SparkEnv;

import sc.fiji.ncc.run.Parts;

/**
 * The result of a task.
 *
 * @param executor the id of the executor
 * @param algorithms the algorithms that the executor's planner has chosen
 */
record Share<T>(String executor, String algorithms, T value) implements Serializable {

	static <T> Share<T> of(final Parts parts, final T value) {
		return new Share<>(SparkEnv.get().executorId(), parts.algorithms(), value);
	}
}
