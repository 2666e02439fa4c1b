package sc.fiji.ncc.plan.resample;

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
