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

	/** Whether a row read by itself costs no more than one in a larger box: who needs each row once then does without a copy of the box. */
	default boolean rowsAreQuick() {
		return false;
	}
}
