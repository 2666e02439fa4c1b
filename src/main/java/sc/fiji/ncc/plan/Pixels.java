package sc.fiji.ncc.plan;

import java.nio.Buffer;

/** A source of pixels, read in boxes on demand. Safe for use by several threads at once. */
public interface Pixels {

	PixelType type();

	/** The extents; the first pixel is at zero. */
	long[] size();

	/**
	 * Copies a box, which must lie inside, into a buffer.
	 *
	 * @param min the box's first pixel
	 * @param size the box's extents
	 * @param to filled from its position on, x fastest, raw bits as {@link PixelType#allocate} describes; the position stays
	 */
	void read(long[] min, int[] size, Buffer to);

	/**
	 * All pixels, x fastest and without gaps from index 0 on, if they lie so outside of Java's heap: a device may take them from there, by itself, until the
	 * future of what it was given them for is done. Null if they do not.
	 */
	default Buffer memory() {
		return null;
	}

	/** Whether a row read by itself costs no more than one in a larger box: who needs each row once then does without a copy of the box. */
	default boolean rowsAreQuick() {
		return false;
	}
}
