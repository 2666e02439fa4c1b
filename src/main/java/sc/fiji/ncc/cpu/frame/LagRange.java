package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.plan.shift.ShiftRange;
import sc.fiji.ncc.cpu.fft.TileFft;

/**
 * The lags at which two frames are correlated, and the extents of the Fourier transforms for them.
 * <p>
 * The lags are those of {@link ShiftRange}. A transform of {@code n ≥ max(fixed, moving, fixed + max, moving − min)} points has no lag to
 * which another lag is aliased.
 *
 * @param min the smallest lag along x, y and z
 * @param max the largest lag along x, y and z
 * @param points the extents of the transforms
 * @param leastPixels the smallest number of pixels that must overlap
 */
public record LagRange(int[] min, int[] max, int[] points, double leastPixels) {

	/**
	 * @param fixed the extents of the fixed frame along x, y and z
	 * @param moving the extents of the moving frame
	 * @param maxShift the largest absolute lag along each dimension
	 * @param minOverlap the smallest overlap, as a share of the largest possible overlap
	 */
	public static LagRange of(final int[] fixed, final int[] moving, final long[] maxShift, final double minOverlap) {
		final ShiftRange lags = ShiftRange.of(fixed, moving, maxShift, minOverlap);
		final int[] points = new int[3];
		for (int d = 0; d < 3; d++)
			points[d] = suited(Math.max(Math.max(fixed[d], moving[d]), Math.max(fixed[d] + lags.max()[d], moving[d] - lags.min()[d])), d);
		return new LagRange(lags.min(), lags.max(), points, lags.leastPixels());
	}

	/** The smallest extent of a transform of at least n points. The first two dimensions need 4 points: a transform of a line has another layout. */
	static int suited(final int n, final int d) {
		int points = d < 2 ? Math.max(4, n) : n;
		while (!TileFft.suits(points) || d < 2 && points % 2 != 0) {
			if (points == Integer.MAX_VALUE) throw new IllegalArgumentException("a frame of " + n + " pixels along one dimension is too large to transform");
			points++;
		}
		return points;
	}

	int count(final int d) {
		return max[d] - min[d] + 1;
	}

	/** The number of points of a transform. */
	public long allPoints() {
		return (long) points[0] * points[1] * points[2];
	}
}
