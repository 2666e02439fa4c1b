package sc.fiji.ncc.cuda.run;

import java.util.Collection;
import java.util.List;

import sc.fiji.ncc.cuda.driver.StreamContext;

/**
 * Divides submissions for some templates into tasks, decides how many tasks run together, and computes them. {@link CudaExecution} has the threads.
 *
 * @param <T> a submission or a part of one
 */
public interface Schedule<T extends Schedule.Task> extends AutoCloseable {

	/** A submission, or a part of one. */
	abstract class Task {

		public final Submission s;

		public Task(final Submission s) {
			this.s = s;
		}
	}

	/** All tasks of a submission, at least one. */
	List<T> tasks(Submission submission);

	/** The number of waiting tasks, from the first on, that a thread computes together: at least one. */
	int together(Collection<T> waiting);

	/**
	 * Computes some tasks. It may return before the stream of the context is done. An exception makes all these tasks fail; single submissions can also
	 * fail separately.
	 *
	 * @param context no other thread uses it meanwhile
	 */
	void compute(StreamContext context, List<T> tasks);

	/** Releases the memory of the templates. */
	@Override
	void close();
}
