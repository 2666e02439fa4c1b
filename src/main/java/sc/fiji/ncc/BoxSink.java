package sc.fiji.ncc;

import sc.fiji.ncc.plan.Sink;

/** A sink that must hear when its box begins, once more after a failure, and when all of it has come. */
interface BoxSink extends Sink {

	/** What has come before does not count. */
	void begin();

	/** Everything has come. */
	void end();
}
