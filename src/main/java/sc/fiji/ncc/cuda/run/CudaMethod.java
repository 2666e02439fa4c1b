package sc.fiji.ncc.cuda.run;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.StreamContext;

/** One template, or several of one size, prepared on a device for one method. All contexts share it. Closing releases its memory. */
public interface CudaMethod extends AutoCloseable {

	/** How many templates it is for. */
	default int templates() {
		return 1;
	}

	/** The number of elements of a row of pixels on the device. */
	int pitch(int lagsX);

	/** The number of elements of a row of a map on the device. Default: the number of lags. */
	default int mapPitch(final int lagsX) {
		return lagsX;
	}

	/**
	 * The approximate number of lags to compute at once.
	 *
	 * @param lags the lags of a submission
	 * @param slabs the number of slabs into which they may be cut
	 */
	default long lagsAtOnce(final long lags, final int slabs) {
		return Math.max(1 << 18, lags / slabs + 1);
	}

	/** The bytes of the device's memory per lag. */
	double bytesPerLag();

	/**
	 * Enqueues all work for a box on the stream of the context. It writes every response, or {@code undefined}, into the map, and the numbers of
	 * undefined and rechecked responses into the counts.
	 *
	 * @param raw the pixels of the box inside the image, as sent
	 */
	void enqueue(StreamContext context, BoxGeometry box, CUdeviceptr raw, Outcome out);

	/** The same for some of the templates. Their maps follow each other. */
	default void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int first, final int count) {
		enqueue(context, box, raw, out);
	}

	/**
	 * Called when the work of {@link #enqueue} is done. Enqueues a computation in double if there are too many suspects.
	 *
	 * @param suspects the number of suspects
	 * @return whether it enqueued work
	 */
	default boolean fallBack(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects) {
		return false;
	}

	/** The same for some of the templates. */
	default boolean fallBack(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects,
		final int first, final int count)
	{
		return fallBack(context, box, raw, out, suspects);
	}

	@Override
	void close();
}
