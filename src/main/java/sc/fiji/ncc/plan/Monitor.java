package sc.fiji.ncc.plan;

/**
 * The progress of a computation, for a user interface, and the means to cancel it. Progress is the share of steps that are done. A step is a response where
 * templates or kernels slide or poses are searched; a frame that is read, or a pair that is compared, where frames are; a plane where images are written. Any
 * thread may call it.
 */
public interface Monitor {

	/** Ignores progress and never cancels. */
	Monitor NONE = new Monitor() {};

	/** Reports the total number of steps. Called once, before the first step. */
	default void total(final long steps) {}

	/** Reports this many additional finished steps. */
	default void done(final long steps) {}

	/** Polled often. If it returns true, the work ends within a second with a {@link java.util.concurrent.CancellationException}. */
	default boolean canceled() {
		return false;
	}
}
