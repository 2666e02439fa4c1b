package sc.fiji.ncc.numeric;

import sc.fiji.ncc.plan.support.Boxes;

/**
 * A grid whose lines along each dimension but the last one are followed by padding. With zeros there, the pixels at a displacement are one step away in the
 * array, and sums of products need no conditions.
 *
 * @param size the extents of the grid
 * @param strides from a pixel to the next one along each dimension
 * @param length the number of values in an array
 */
public record PaddedGrid(int[] size, int[] strides, int length) {

	/** The length of the padding along a dimension, and the largest displacement. */
	public static final int PADDING = 8;

	public static PaddedGrid of(final int[] size) {
		final int[] strides = new int[size.length];
		int length = 1;
		for (int d = 0; d < size.length; d++) {
			strides[d] = length;
			length *= size[d] + (d < size.length - 1 ? PADDING : 0);
		}
		return new PaddedGrid(size, strides, length);
	}

	/** The number of lines along the first dimension. */
	public int lines() {
		return Boxes.rows(size);
	}

	/** The index of the first value of such a line. */
	public int line(final int line) {
		int at = 0;
		for (int d = 1, rest = line; d < size.length; rest /= size[d++]) at += rest % size[d] * strides[d];
		return at;
	}

	/** Copies values without padding to their places. @param at the index of the first one */
	public void put(final double[] values, final float[] to, final int at) {
		for (int l = 0, from = 0; l < lines(); l++)
			for (int i = at + line(l), end = i + size[0]; i < end; i++) to[i] = (float) values[from++];
	}
}
