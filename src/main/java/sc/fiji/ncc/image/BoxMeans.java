package sc.fiji.ncc.image;

import java.util.Arrays;

import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Parallel;

/** Means over boxes of pixels that lie side by side. */
public final class BoxMeans {

	/** Rows of boxes in one task. */
	private static final int ROWS = 16;

	private BoxMeans() {}

	/** The number of whole boxes along each dimension. */
	public static int[] extents(final int[] size, final int[] box) {
		final int[] extents = new int[size.length];
		for (int d = 0; d < extents.length; d++) extents[d] = size[d] / box[d];
		return extents;
	}

	/**
	 * The means of all whole boxes, x fastest; NaN where a pixel is NaN. The rest at the end of a dimension is left out. Complexity: linear.
	 *
	 * @param pixels values, x fastest
	 * @param size the extents of the image
	 * @param box the extents of a box
	 */
	public static float[] of(final float[] pixels, final int[] size, final int[] box, final Parallel parallel) {
		final int n = size.length;
		final int[] extents = extents(size, box);
		final int width = extents[0], pixelsOfBox = Boxes.pixels(box), rows = pixelsOfBox / box[0];
		final float[] means = new float[Boxes.pixels(extents)];
		final int all = means.length / width;
		parallel.each((all + ROWS - 1) / ROWS, chunk -> {
			final double[] sums = new double[width];
			for (int r = chunk * ROWS; r < Math.min(all, (chunk + 1) * ROWS); r++) {
				Arrays.fill(sums, 0);
				for (int k = 0; k < rows; k++) {
					int from = 0;
					for (int d = 1, rest = r, inner = k, stride = size[0]; d < n; stride *= size[d++]) {
						from += (rest % extents[d] * box[d] + inner % box[d]) * stride;
						rest /= extents[d];
						inner /= box[d];
					}
					add(sums, pixels, from, box[0]);
				}
				for (int x = 0; x < width; x++) means[r * width + x] = (float) (sums[x] / pixelsOfBox);
			}
		});
		return means;
	}

	/** Adds the pixels of a row. C2 keeps short loops inside a loop, so pairs are added at once. */
	private static void add(final double[] sums, final float[] pixels, final int from, final int box) {
		if (box % 2 == 1) {
			for (int x = 0; x < sums.length; x++) for (int i = 0; i < box; i++) sums[x] += pixels[from + x * box + i];
			return;
		}
		for (int i = 0; i < box; i += 2)
			for (int x = 0, at = from + i; x < sums.length; x++, at += box) sums[x] += (double) pixels[at] + pixels[at + 1];
	}
}
