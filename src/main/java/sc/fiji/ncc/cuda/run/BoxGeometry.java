package sc.fiji.ncc.cuda.run;

import java.util.Arrays;

import sc.fiji.ncc.plan.Size;

/**
 * A box of lags of one template and the pixels that it needs, {@code lags + template - 1} along each dimension. It is {@code struct Box} of the kernels.
 * The extent along a missing dimension is 1.
 */
public final class BoxGeometry {

	public final int width, height, depth;
	public final int[] lags;
	/** The extents of the pixels on the device, in elements. {@code pitch} includes the padding after a row. */
	public final int pitch, rows, planes;
	/** The position in the box of the pixels that lie inside the image, and their extents; 0 if there are none. */
	public final int[] from = new int[3], part = new int[3];
	/** The position of these pixels in the image. */
	final long[] first = new long[3];

	/**
	 * @param lag the first lag, three coordinates in pixels
	 * @param lags the number of lags along each of three dimensions
	 * @param image the extents of the image
	 * @param pitch the distance between rows in elements; at least the number of columns
	 */
	public BoxGeometry(final Size template, final long[] lag, final int[] lags, final long[] image, final int pitch) {
		final int[] extents = { Math.toIntExact(template.get(0)), Math.toIntExact(template.get(1)), Math.toIntExact(template.get(2)) };
		width = extents[0];
		height = extents[1];
		depth = extents[2];
		this.lags = lags.clone();
		this.pitch = pitch;
		rows = lags[1] + height - 1;
		planes = lags[2] + depth - 1;
		boolean outside = false;
		for (int d = 0; d < 3; d++) {
			final int size = lags[d] + extents[d] - 1;
			from[d] = (int) Math.min(size, Math.max(0, -lag[d]));
			part[d] = (int) Math.max(0, Math.min(size, image[d] - lag[d]) - from[d]);
			first[d] = lag[d] + from[d];
			outside |= part[d] == 0;
		}
		if (outside) Arrays.fill(part, 0);
	}

	public int count() {
		return lags[0] * lags[1] * lags[2];
	}

	/** The number of pixels of the image in the box. */
	public int pixels() {
		return Math.multiplyExact(Math.multiplyExact(part[0], part[1]), part[2]);
	}

	/** Whether these pixels are whole rows of the image, and in a volume whole planes, so that they are contiguous in memory. */
	boolean isContiguous(final long[] image) {
		for (int d = 0; d < image.length - 1; d++) if (part[d] != image[d]) return false;
		return true;
	}

	/** The index in the image of the first of these pixels. */
	long offset(final long[] image) {
		long index = 0;
		for (int d = image.length - 1; d >= 0; d--) index = index * image[d] + first[d];
		return index;
	}

	/** The number of elements on the device. */
	public long elements() {
		return (long) pitch * rows * planes;
	}

	/** Equal for boxes with the same pixels and lags. */
	public Object key() {
		return Arrays.stream(struct()).boxed().toList();
	}

	/** The fields in the order of the kernels' structure. Only the pixels inside the image are sent. */
	public int[] struct() {
		return new int[] { width, height, depth, lags[0], lags[1], lags[2], pitch, rows, planes, from[0], from[1], from[2], part[0], part[1], part[2], 0,
			0, 0, part[0], part[1] };
	}
}
