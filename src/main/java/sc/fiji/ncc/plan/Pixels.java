package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.util.List;

/** A source of pixels that are read in boxes on demand. Several threads may use it at once. */
public interface Pixels {

	/** The type of the pixels. */
	PixelType type();

	/** The extents. The first pixel is at zero. */
	long[] size();

	/**
	 * Copies a box into a buffer. The box must lie inside.
	 *
	 * @param min the box's first pixel
	 * @param size the box's extents
	 * @param to filled from its position on, x fastest, with raw bits as {@link PixelType#allocate} describes; the position stays
	 */
	void read(long[] min, int[] size, Buffer to);

	/** The channels of an image that give one joint response, all of one size and type. This object itself is the first. Default: this alone. */
	default List<? extends Pixels> channels() {
		return List.of(this);
	}

	/**
	 * All pixels in memory outside the Java heap, x fastest and without gaps from index 0 on, or null. A device may read this memory directly until
	 * the future of the submission is done. Default: null.
	 */
	default Buffer memory() {
		return null;
	}

	/**
	 * Which pixels are present: pixels of type {@link PixelType#U8} of the same size, 0 where a pixel is missing and 1 elsewhere. A missing pixel can have
	 * any value. All channels have the same mask. Null if no pixel is missing. Default: null.
	 */
	default Pixels mask() {
		return null;
	}

	/** Whether reading single rows costs no more than reading a larger box. An algorithm that needs each row once then copies no box. Default: false. */
	default boolean readsRowsFast() {
		return false;
	}

	/** All pixels, x fastest, as raw bits. */
	default Buffer all() {
		final Size size = Size.of(size());
		final Buffer pixels = type().allocate(Math.toIntExact(size.pixels()));
		read(new long[size.dimensions()], size.toIntArray(), pixels);
		return pixels.clear();
	}
}
