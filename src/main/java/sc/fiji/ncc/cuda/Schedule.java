package sc.fiji.ncc.cuda;

import java.util.Collection;
import java.util.List;

/**
 * For some templates: as which tasks submissions go to a card, how many of those together, and what is then done. {@link CudaExecution} has the threads.
 *
 * @param <T> what submissions are cut into, or put together from
 */
interface Schedule<T extends Schedule.Task> extends AutoCloseable {

	/** A submission, or a part of one. */
	abstract class Task {

		final Submission s;

		Task(final Submission s) {
			this.s = s;
		}
	}

	/** All tasks of a submission, at least one. */
	List<T> tasks(Submission submission);

	/** How many of those that wait, from the first on, a thread shall do together: at least one. */
	int together(Collection<T> waiting);

	/**
	 * Does some tasks. May return before the slot's stream is done. What it throws holds for all of them; or it lets single submissions fail.
	 *
	 * @param slot nobody else's meanwhile
	 */
	void compute(Slot slot, List<T> tasks);

	/** Gives the templates' memory back. */
	@Override
	void close();
}
