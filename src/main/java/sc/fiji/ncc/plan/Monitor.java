package sc.fiji.ncc.plan;

/** What a front end hears and says while work goes on. Called from any thread. */
public interface Monitor {

	/** Hears nothing, never cancels. */
	Monitor NONE = new Monitor() {};

	/** Said once, before the first response: how many there will be. */
	default void total(final long responses) {}

	/** That many further responses are done. */
	default void done(final long responses) {}

	/** Polled often; true ends the work within a second, with a {@link java.util.concurrent.CancellationException}. */
	default boolean canceled() {
		return false;
	}
}
