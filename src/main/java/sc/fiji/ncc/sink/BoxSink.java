package sc.fiji.ncc.sink;

import sc.fiji.ncc.plan.Sink;

/** A sink that is notified when its box begins, also when the box is repeated after a failure, and when the box is complete. */
public interface BoxSink extends Sink {

	/** Begins the box. Responses received before are discarded. */
	void begin();

	/** Allocates memory of the result that the sink does not have yet. Called while the box is computed, by the thread that submitted it. Default: nothing. */
	default void allocate() {}

	/** The box is complete. */
	void end();
}
