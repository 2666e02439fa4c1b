package sc.fiji.ncc.plan.support;

/** The pixels and the rows of boxes, x fastest. */
public final class Boxes {

	private Boxes() {}

	/**
	 * The number of pixels of a box.
	 *
	 * @throws ArithmeticException if it exceeds the range of int
	 */
	public static int pixels(final int[] size) {
		int n = 1;
		for (final int extent : size) n = Math.multiplyExact(n, extent);
		return n;
	}

	/** The number of rows along x of a box. */
	public static int rows(final int[] size) {
		int n = 1;
		for (int d = 1; d < size.length; d++) n *= size[d];
		return n;
	}

	/** The distances between the indices of neighbours along each dimension in an array of these extents. */
	public static int[] strides(final int[] size) {
		final int[] strides = new int[size.length];
		for (int d = 0, n = 1; d < size.length; n = Math.multiplyExact(n, size[d++])) strides[d] = n;
		return strides;
	}

	/** The index of a pixel in an array with these strides. */
	public static int index(final int[] strides, final long[] position) {
		int index = 0;
		for (int d = 0; d < position.length; d++) index += (int) position[d] * strides[d];
		return index;
	}

	/**
	 * The index in an array at which a row of a part begins.
	 *
	 * @param strides those of the array
	 * @param min the first pixel of the part
	 * @param part the extents of the part
	 */
	public static int row(final int[] strides, final long[] min, final int[] part, final int row) {
		int index = (int) min[0];
		for (int d = 1, rest = row; d < part.length; rest /= part[d++]) index += ((int) min[d] + rest % part[d]) * strides[d];
		return index;
	}
}
