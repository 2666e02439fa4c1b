package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A prepared plan: memory is allocated, kernels are compiled, templates are transformed. {@link #close} releases all of it. */
public interface Execution extends Plan.Prepared {

	/**
	 * The pixels of an image together with data that its templates share: see {@link #keep}. Closing releases the data. Close it only when
	 * no submission uses it. A second close does nothing.
	 */
	interface KeptPixels extends Pixels, AutoCloseable {

		/** The pixels without the data. */
		Pixels pixels();

		/** The size in bytes of the kept data, without the pixels; 0 after closing. */
		long bytes();

		@Override
		void close();

		@Override
		default PixelType type() {
			return pixels().type();
		}

		@Override
		default long[] size() {
			return pixels().size();
		}

		@Override
		default Pixels mask() {
			return pixels().mask();
		}

		@Override
		default boolean readsRowsFast() {
			return pixels().readsRowsFast();
		}

		@Override
		default void read(final long[] min, final int[] size, final Buffer to) {
			pixels().read(min, size, to);
		}

		@Override
		default List<? extends Pixels> channels() {
			return pixels().channels();
		}

		/** Pixels without kept data. */
		static KeptPixels nothing(final Pixels pixels) {
			return new Forwarded(pixels, pixels.mask());
		}

		/** Pixels of one channel whose mask does not matter. */
		static Pixels unmasked(final Pixels pixels) {
			return pixels.mask() == null ? pixels : new Forwarded(pixels, null);
		}

		/** The pixels of another source. */
		record Forwarded(Pixels pixels, Pixels mask) implements KeptPixels {

			@Override
			public List<? extends Pixels> channels() {
				return pixels.channels().size() == 1 ? List.of(this) : pixels.channels();
			}

			@Override
			public long bytes() {
				return 0;
			}

			@Override
			public void close() {}
		}
	}

	/** The maximum number of submissions in flight. {@link #submit} blocks while this many are in flight. */
	int depth();

	/**
	 * Correlates one image, frame or box with the prepared templates. Returns at once unless {@link #depth} submissions are in flight.
	 *
	 * @param in the pixels, or the result of {@link #keep}; other threads read it until the future is done
	 * @param lags at most as many as the problem states
	 * @param out receives every response of the box exactly once if the future succeeds. After a failure another execution can repeat the box and
	 *        write all of it again
	 * @return completes with the report. Completes exceptionally with {@link DeviceException} if the device failed, and with
	 *         {@link java.util.concurrent.CancellationException} if the monitor canceled
	 * @throws IllegalArgumentException if another execution kept the pixels, or if they were kept for other lags or other masks
	 */
	CompletableFuture<Report> submit(Pixels in, LagBox lags, Sink out, Monitor monitor);

	/**
	 * Computes the data that several templates share for one image, for example spectra and window moments, and keeps them for any number of calls
	 * of {@link #submit} and {@link #replace} until the result is closed. This counts as a submission in flight. Default: keeps the pixels alone.
	 *
	 * @param in read until the result is closed
	 * @return completes with pixels that {@link #submit} of this execution accepts in place of {@code in}, for the same lags and for templates with
	 *         the same masks. Completes exceptionally as {@link #submit} does, with {@link DeviceException} if the memory does not suffice
	 */
	default CompletableFuture<KeptPixels> keep(final Pixels in, final LagBox lags, final Monitor monitor) {
		return CompletableFuture.completedFuture(KeptPixels.nothing(in));
	}

	/**
	 * Waits for a submission. The calling thread can help with the work.
	 *
	 * @param submission a future from {@link #submit} or {@link #keep} of this execution
	 * @throws java.util.concurrent.CompletionException under the conditions of {@link CompletableFuture#join}
	 */
	default <T> T await(final CompletableFuture<T> submission) {
		return submission.join();
	}

	/** Replaces the templates by others of the same sizes, pixel types and kind of weights. Call it only while nothing is in flight. */
	void replace(List<Template> sameShapes);

	/** Waits for the submissions in flight, then releases everything. A second call does nothing. */
	@Override
	void close();
}
