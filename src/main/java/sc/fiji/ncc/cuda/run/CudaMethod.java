package sc.fiji.ncc.cuda.run;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.StreamContext;

/** A template, or some of one size, prepared on a device for one way to correlate them. Shared by all contexts; closing gives its memory back. */
public interface CudaMethod extends AutoCloseable {

	/** How many templates it is for. */
	default int templates() {
		return 1;
	}

	/** How many elements a row of pixels takes on the device. */
	int pitch(int lagsX);

	/** How many elements a row of a map takes on the device. */
	default int mapPitch(final int lagsX) {
		return lagsX;
	}

	/** About how many lags are worth doing at once, of so many that may be cut into so many slabs. */
	default long lagsAtOnce(final long lags, final int slabs) {
		return Math.max(1 << 18, lags / slabs + 1);
	}

	/** Bytes of the device's memory that a box of so many lags takes, for each. */
	double bytesPerLag();

	/**
	 * Puts all work for a box on the stream of the context: every response, or {@code undefined}, into the map, and how many are undefined and how many
	 * were computed again into the counts.
	 *
	 * @param raw the image's part of the box, as it was sent
	 */
	void enqueue(StreamContext context, BoxGeometry box, CUdeviceptr raw, Outcome out);

	/** The same for some of its templates, their maps one behind the other. */
	default void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int first, final int count) {
		enqueue(context, box, raw, out);
	}

	/**
	 * Asked once what {@link #enqueue} put on the stream is done: puts more there if the responses are not good enough yet.
	 *
	 * @param suspects how many windows were found suspect
	 * @return whether it did
	 */
	default boolean recheck(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects) {
		return false;
	}

	@Override
	void close();
}
