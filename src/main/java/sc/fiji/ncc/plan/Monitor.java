package sc.fiji.ncc.plan;

/** The progress of a computation, for a user interface, and the means to cancel it. Any thread may call it. */
public interface Monitor {

	/** Ignores progress and never cancels. */
	Monitor NONE = new Monitor() {};

	/** Reports the total number of responses. Called once, before the first response. */
	default void total(final long responses) {}

	/** Reports this many additional finished responses. */
	default void done(final long responses) {}

	/** Polled often. If it returns true, the work ends within a second with a {@link java.util.concurrent.CancellationException}. */
	default boolean canceled() {
		return false;
	}
}
