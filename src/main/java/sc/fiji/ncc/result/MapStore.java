package sc.fiji.ncc.result;

import java.nio.Buffer;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;

/**
 * Receives the map of one template, which does not need to fit in memory. Each chunk is written once, as a whole. Several threads write at the same time.
 * <p>
 * A store can keep its chunks, so that a run can continue after it was killed. Chunks that the store {@link #has} are not written again. A box is not computed
 * again if the store has all its chunks.
 */
public interface MapStore {

	/**
	 * A store that writes into an image of any kind, for example a disk-cached image of imglib2-cache. Each cell of a cell image is written once.
	 *
	 * @param image an image of floats, for double precision of doubles, or for quantized responses of unsigned numbers of 16 or 8 bits
	 * @throws IllegalArgumentException if the image has another type
	 */
	static MapStore of(final RandomAccessibleInterval<? extends RealType<?>> image) {
		return new ImageStore(image);
	}

	/** The size of the map. */
	long[] size();

	/** The precision of the map. Default: single. */
	default Precision precision() {
		return Precision.SINGLE;
	}

	/** The type of the responses that the store receives. Default: float. */
	default ResponseType responseType() {
		return ResponseType.FLOAT;
	}

	/**
	 * The size of a chunk, one number per dimension of the map. The first chunk begins at the map's first response; the last chunks are cut. Along the frames,
	 * that is, beyond the template's dimensions, a chunk that is written has the extent 1, whatever number is given here. Boxes consist of whole chunks. A good
	 * size is 10^4 to 10^7 responses.
	 */
	int[] chunk();

	/**
	 * Whether a chunk was written before. Default: false.
	 *
	 * @param min the position of the chunk's first response in the map
	 */
	default boolean has(final long[] min) {
		return false;
	}

	/**
	 * Writes a chunk.
	 *
	 * @param min the position of the chunk's first response in the map
	 * @param size the extents of the chunk
	 * @param responses the responses from index 0 to the limit, x fastest: a FloatBuffer, or in double {@link #precision} a DoubleBuffer. Quantized
	 *        responses ({@link #responseType}) are a ShortBuffer or a ByteBuffer of unsigned values. Numbers of templates are a ByteBuffer,
	 *        ShortBuffer or IntBuffer of unsigned values. It is reused after the call
	 * @throws java.io.UncheckedIOException if the chunk cannot be written
	 */
	void write(long[] min, int[] size, Buffer responses);
}
