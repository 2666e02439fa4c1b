package sc.fiji.ncc.plan.shift;

import sc.fiji.ncc.plan.FramePairs;

/**
 * The lags at which two frames are correlated.
 * <p>
 * A lag is the position in the moving frame of the fixed frame's first pixel: pixel x of the fixed frame meets pixel x + lag of the moving frame. Along each
 * dimension the lags run from {@code min} to {@code max}. At each end the frames still overlap by the smallest share, and the lag is at most the maximum shift.
 *
 * @param min the smallest lag along x, y and z
 * @param max the largest lag along x, y and z
 * @param leastPixels the smallest number of pixels that must overlap
 */
public record ShiftRange(int[] min, int[] max, double leastPixels) {

	/** @throws IllegalArgumentException if no lag is left */
	public static ShiftRange of(final FramePairs p) {
		return of(FramePairs.extents(p.fixed()), FramePairs.extents(p.moving()), p.maxShifts(), p.minOverlap());
	}

	/**
	 * @param fixed the extents of the fixed frame along x, y and z
	 * @param moving the extents of the moving frame
	 * @param maxShift the largest absolute lag along each dimension
	 * @param minOverlap the smallest overlap, as a share of the largest possible overlap
	 * @throws IllegalArgumentException if no lag is left
	 */
	public static ShiftRange of(final int[] fixed, final int[] moving, final long[] maxShift, final double minOverlap) {
		final int[] min = new int[3], max = new int[3];
		double largest = 1;
		for (int d = 0; d < 3; d++) {
			final int common = Math.min(fixed[d], moving[d]), least = Math.max(1, (int) Math.ceil(minOverlap * common - 1e-9));
			largest *= common;
			min[d] = (int) Math.max(least - fixed[d], -maxShift[d]);
			max[d] = (int) Math.min(moving[d] - least, maxShift[d]);
			if (min[d] > max[d]) throw new IllegalArgumentException("the maximum shift is " + maxShift[d] + " along dimension " + d + ", and frames of "
				+ fixed[d] + " and "
				+ moving[d] + " pixels overlap enough only at larger shifts: give a larger maximum shift");
		}
		return new ShiftRange(min, max, minOverlap * largest);
	}

	/** Whether a lag lies at the end of a range along a dimension with several lags. */
	public static boolean isAtEnd(final int[] lag, final int[] min, final int[] max) {
		for (int d = 0; d < lag.length; d++)
			if (min[d] < max[d] && (lag[d] == min[d] || lag[d] == max[d])) return true;
		return false;
	}
}
