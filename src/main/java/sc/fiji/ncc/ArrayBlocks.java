package sc.fiji.ncc;

import net.imglib2.RandomAccessible;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.view.IntervalView;

/**
 * Copies blocks of an image whose pixels lie in one Java array. ImgLib2's PrimitiveBlocks does that as well and more; this way a new
 * process need not load its ninety classes for the commonest of images.
 */
final class ArrayBlocks {

	private final Object pixels;
	private final long[] size;

	private ArrayBlocks(final Object pixels, final long[] size) {
		this.pixels = pixels;
		this.size = size;
	}

	/** Null if the pixels do not lie in one array. */
	static ArrayBlocks of(final RandomAccessible<?> image) {
		// a view that only cuts leaves the coordinates as they are
		final Object source = image instanceof IntervalView ? ((IntervalView<?>) image).getSource() : image;
		if (!(source instanceof ArrayImg)) return null;
		final ArrayImg<?, ?> img = (ArrayImg<?, ?>) source;
		final Object access = img.update(null);
		return access instanceof ArrayDataAccess
			? new ArrayBlocks(((ArrayDataAccess<?>) access).getCurrentStorageArray(), img.dimensionsAsLongArray()) : null;
	}

	/**
	 * @param from first pixel
	 * @param to an array of the pixels' type, filled from its beginning, x fastest
	 */
	void copy(final long[] from, final Object to, final int[] box) {
		int rows = 1;
		for (int d = 1; d < box.length; d++) rows *= box[d];
		for (int row = 0; row < rows; row++) {
			long at = 0, stride = 1;
			for (int d = 0, rest = row; d < box.length; d++) {
				at += from[d] * stride;
				if (d > 0) {
					at += rest % box[d] * stride;
					rest /= box[d];
				}
				stride *= size[d];
			}
			System.arraycopy(pixels, (int) at, to, row * box[0], box[0]);
		}
	}
}
