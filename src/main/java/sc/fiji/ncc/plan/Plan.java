package sc.fiji.ncc.plan;

/** One algorithm for one problem on one device. A plan holds no resources until it is prepared. How it is prepared depends on the kind of problem. */
public interface Plan {

	/** What a plan prepared: memory, kernels, templates. Closing releases all of it. A second call does nothing. */
	interface Prepared extends AutoCloseable {

		@Override
		void close();
	}

	/** The predicted cost. */
	Cost cost();
}
