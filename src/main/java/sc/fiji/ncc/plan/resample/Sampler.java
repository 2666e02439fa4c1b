package sc.fiji.ncc.plan.resample;

import java.nio.Buffer;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Plan;

/**
 * Samples frames between their pixels: a prepared plan for {@link sc.fiji.ncc.plan.Resampling}. Several threads call it at the same time. If its device fails,
 * {@link #sample} throws a {@link sc.fiji.ncc.plan.DeviceException}.
 */
public interface Sampler extends Plan.Prepared {

	/** The pixels on each side of a box along a dimension in which a frame has more than one pixel, if all pixels count. */
	int MARGIN = 16;

	/**
	 * The number of points of the transform of a line of pixels: at least {@link #MARGIN} more, a power of two, or three times a power of two. Between the end and
	 * the beginning of a line, the transform has values that lead smoothly from one to the other.
	 */
	static int points(final int pixels) {
		final int least = pixels + MARGIN, power = Integer.highestOneBit(least - 1) << 1;
		return least <= power / 4 * 3 ? power / 4 * 3 : power;
	}

	/**
	 * A box of pixels to be sampled, and the pixels around it.
	 *
	 * @param type the pixel type
	 * @param pixels the pixels of the box and around it, x fastest, in a buffer of {@link PixelType#allocate}
	 * @param extents their extents, two or three
	 * @param size the extents of the box
	 * @param weights along each dimension one weight, or as many as a value has neighbours: the value at index x of the box is the sum of {@code weights[k]}
	 * times the pixel at index x + k. Null if all pixels count
	 * @param fraction if all pixels count: the value at index x of the box lies at x + fraction, counted from the first pixel of the
	 * box, which is in the middle of
	 * the pixels
	 */
	record Block(PixelType type, Buffer pixels, int[] extents, int[] size, double[][] weights, double[] fraction) {

		/** The extent of the pixels along a dimension; 1 beyond the last one. */
		public int extent(final int d) {
			return d < extents.length ? extents[d] : 1;
		}

		/** The extent of the box along a dimension; 1 beyond the last one. */
		public int size(final int d) {
			return d < size.length ? size[d] : 1;
		}

		/** The number of weights along a dimension; 1 beyond the last one. */
		public int count(final int d) {
			return d < size.length ? weights[d].length : 1;
		}

		/** The index of the first pixel of the box along a dimension, if all pixels count. */
		public int margin(final int d) {
			return (extent(d) - size(d)) / 2;
		}

		/** The part of a pixel along a dimension, if all pixels count. */
		public double fraction(final int d) {
			return d < fraction.length ? fraction[d] : 0;
		}

		/** The number of pixels of the box. */
		public int count() {
			return Math.multiplyExact(Math.multiplyExact(size(0), size(1)), size(2));
		}

		/** The number of pixels of the box and around it. */
		public int all() {
			return Math.multiplyExact(Math.multiplyExact(extent(0), extent(1)), extent(2));
		}
	}

	/**
	 * Samples the pixels of a box. Values of integers are rounded to the nearest integer, half of them to the even one, and clipped to
	 * the range of the type. Weighted
	 * means are computed in double in the same order everywhere, so all devices give the same bytes; by Fourier transforms they agree
	 * to about 1e-12 of the largest pixel
	 * before they are rounded.
	 *
	 * @return the pixels of the box, x fastest, in an array of the primitive type of {@link PixelType#allocate}
	 */
	Object sample(Block block);

	/** Nothing to release by default: memory is borrowed for each block. */
	@Override
	default void close() {}
}
