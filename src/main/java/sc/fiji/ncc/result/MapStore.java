package sc.fiji.ncc.result;

import java.nio.Buffer;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.plan.Precision;

/**
 * Where the map of one template goes if it need not fit in memory. It is written in whole chunks, each of them once, by several threads at once.
 * <p>
 * A store may keep what it was given, so that a run that was killed goes on: chunks that it {@link #has} are not written again, and boxes of
 * nothing but such chunks are not computed again.
 */
public interface MapStore {

	/**
	 * An image, of any kind, that a map is written into: a disk-cached one of imglib2-cache, for instance. Each cell of a cell image is written once.
	 *
	 * @param image of floats, or for a map in double precision of doubles
	 * @throws IllegalArgumentException if it is of anything else
	 */
	static MapStore of(final RandomAccessibleInterval<? extends RealType<?>> image) {
		return new ImageStore(image);
	}

	/** The extents of the map it takes. */
	long[] size();

	/** How exact the responses are that it takes. */
	default Precision precision() {
		return Precision.SINGLE;
	}

	/**
	 * The extents of a chunk, one number for each dimension of the map. The first chunk begins at the map's first response, the last ones are cut.
	 * Along frames, that is beyond the template's dimensions, what is written at once is 1 whatever stands here. What is computed at once is made of
	 * whole chunks, so they should hold some 10^4 to 10^7 responses.
	 */
	int[] chunk();

	/**
	 * Whether a chunk was written before.
	 *
	 * @param min its first response in the map
	 */
	default boolean has(final long[] min) {
		return false;
	}

	/**
	 * Takes a chunk.
	 *
	 * @param min its first response in the map
	 * @param size its extents
	 * @param responses the responses from 0 to its limit, x fastest, a FloatBuffer or, where {@link #precision} says so, a DoubleBuffer; used again after the call
	 * @throws java.io.UncheckedIOException if it cannot be kept
	 */
	void write(long[] min, int[] size, Buffer responses);
}
