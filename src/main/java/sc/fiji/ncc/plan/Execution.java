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
	 * @param in the pixels, read from other threads until the future is done; or what {@link #keep} made of them
	 * @param lags at most as many as the problem stated
	 * @param out receives every response of the box exactly once if the future succeeds; after a failure the box may be given to another
	 *        execution, which writes all of it again
	 * @return completes with the report; exceptionally with {@link DeviceException} if the machine failed, with
	 *         {@link java.util.concurrent.CancellationException} once the monitor canceled
	 * @throws IllegalArgumentException if the pixels were kept by another execution, for other lags or under other masks
	 */
	CompletableFuture<Report> submit(Pixels in, LagBox lags, Sink out, Monitor monitor);

	/**
	 * Computes once what templates share of a picture, spectra and window moments for instance, and keeps it through any number of calls of
	 * {@link #submit} and {@link #replace}, until it is closed. Counts as a submission in flight. An execution that has nothing to keep gives the
	 * pixels alone.
	 *
	 * @param in read until what comes back is closed
	 * @return completes with what {@link #submit} of this execution takes in place of the pixels, together with the same lags and with templates
	 *         of the same masks; exceptionally as there, with {@link DeviceException} if there is not enough memory for it
	 */
	default CompletableFuture<KeptPixels> keep(final Pixels in, final LagBox lags, final Monitor monitor) {
		return CompletableFuture.completedFuture(KeptPixels.nothing(in));
	}

	/**
	 * Waits for a submission, which the calling thread may help with.
	 *
	 * @param submission what {@link #submit} or {@link #keep} of this execution gave
	 * @throws java.util.concurrent.CompletionException as its {@code join}
	 */
	default <T> T await(final CompletableFuture<T> submission) {
		return submission.join();
	}

	/** Exchanges the templates for others of the same sizes, pixel types and kind of weights. Only while nothing is in flight. */
	void replace(List<Template> sameShapes);

	/** Waits for what is in flight, then frees everything. Closing twice does nothing. */
	@Override
	void close();
}
