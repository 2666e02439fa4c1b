package sc.fiji.ncc.plan;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A prepared plan: memory is allocated, kernels are compiled, templates are transformed. Closing frees it all. */
public interface Execution extends AutoCloseable {

	/** How many submissions may be in flight at once; one more waits inside {@link #submit}. */
	int depth();

	/**
	 * Correlates one image, frame or box with the prepared templates. Returns at once unless {@link #depth} submissions are in flight.
	 *
	 * @param in the pixels, read from other threads until the future is done
	 * @param lags at most as many as the problem stated
	 * @param out receives every response of the box exactly once if the future succeeds; after a failure the box may be given to another
	 *        execution, which writes all of it again
	 * @return completes with the report; exceptionally with {@link DeviceException} if the machine failed, with
	 *         {@link java.util.concurrent.CancellationException} once the monitor canceled
	 */
	CompletableFuture<Report> submit(Pixels in, LagBox lags, Sink out, Monitor monitor);

	/** Exchanges the templates for others of the same sizes, pixel types and kind of weights. Only while nothing is in flight. */
	void replace(List<Template> sameShapes);

	/** Waits for what is in flight, then frees everything. Closing twice does nothing. */
	@Override
	void close();
}
