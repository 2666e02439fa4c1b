package sc.fiji.ncc.cuda;

import sc.fiji.ncc.plan.Size;

/**
 * A box of lags of one template and the pixels that it needs, {@code lags + template - 1} along each dimension: {@code struct Box} of the
 * kernels. What has fewer than three dimensions has extent 1 along the others.
 */
final class BoxGeometry {

	final int width, height, depth;
	final int[] lags;
	/** Extents of the pixels on the device, in elements; {@code pitch} counts what follows a row, too. */
	final int pitch, rows, planes;
	/** Where the image's part begins in the box, and its extents; 0 if there is none. */
	final int[] from = new int[3], part = new int[3];
	/** Where the image's part begins in the image. */
	final long[] first = new long[3];

	/**
	 * @param lag the first lag, three numbers
	 * @param lags how many
	 * @param image the image's extents
	 * @param pitch at least the columns
	 */
	BoxGeometry(final Size template, final long[] lag, final int[] lags, final long[] image, final int pitch) {
		final int[] extents = { Math.toIntExact(template.get(0)), Math.toIntExact(template.get(1)), Math.toIntExact(template.get(2)) };
		width = extents[0];
		height = extents[1];
		depth = extents[2];
		this.lags = lags.clone();
		this.pitch = pitch;
		rows = lags[1] + height - 1;
		planes = lags[2] + depth - 1;
		boolean none = false;
		for (int d = 0; d < 3; d++) {
			final int size = lags[d] + extents[d] - 1;
			from[d] = (int) Math.min(size, Math.max(0, -lag[d]));
			part[d] = (int) Math.max(0, Math.min(size, image[d] - lag[d]) - from[d]);
			first[d] = lag[d] + from[d];
			none |= part[d] == 0;
		}
		if (none) java.util.Arrays.fill(part, 0);
	}

	int count() {
		return lags[0] * lags[1] * lags[2];
	}

	/** How many pixels of the image it needs. */
	int pixels() {
		return Math.multiplyExact(Math.multiplyExact(part[0], part[1]), part[2]);
	}

	/** Whether the image's part is so many whole rows of the image, and of a volume whole planes: then it lies in one piece. */
	boolean isWhole(final long[] image) {
		for (int d = 0; d < image.length - 1; d++) if (part[d] != image[d]) return false;
		return true;
	}

	/** Where the image's part begins in the image, in pixels. */
	long offset(final long[] image) {
		long at = 0;
		for (int d = image.length - 1; d >= 0; d--) at = at * image[d] + first[d];
		return at;
	}

	/** Elements on the device. */
	long elements() {
		return (long) pitch * rows * planes;
	}

	/** As the kernels take it; the pixels sent are the image's part and no more. */
	int[] struct() {
		return new int[] { width, height, depth, lags[0], lags[1], lags[2], pitch, rows, planes, from[0], from[1], from[2], part[0], part[1], part[2], 0,
			0, 0, part[0], part[1] };
	}
}
