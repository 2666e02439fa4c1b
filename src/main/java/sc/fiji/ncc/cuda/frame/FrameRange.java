package sc.fiji.ncc.cuda.frame;

import sc.fiji.ncc.cuda.driver.Transforms;

/**
 * The extents of two frames along x and y, and the lags at which they are correlated.
 *
 * @param fixed the extents of the fixed frame
 * @param moving the extents of the moving frame
 * @param min the smallest lag along each dimension
 * @param max the largest lag
 * @param leastPixels the smallest number of pixels that must overlap
 */
public record FrameRange(int[] fixed, int[] moving, int[] min, int[] max, double leastPixels) {

	int lags(final int d) {
		return max[d] - min[d] + 1;
	}

	long lags() {
		return (long) lags(0) * lags(1);
	}

	int pixels(final boolean ofFixed) {
		return ofFixed ? fixed[0] * fixed[1] : moving[0] * moving[1];
	}

	/** The transforms in which no lag of the range is aliased to another one. */
	Transforms.Extents transforms() {
		final int[] points = new int[2];
		for (int d = 0; d < 2; d++) points[d] = Math.max(Math.max(fixed[d], moving[d]), Math.max(fixed[d] + max[d], moving[d] - min[d]));
		return Transforms.Extents.of(points[0], points[1], 1);
	}

	/** Whether a lag lies at the end of the range along a dimension with several lags. */
	boolean atEdge(final int[] lag) {
		for (int d = 0; d < 2; d++)
			if (lags(d) > 1 && (lag[d] == min[d] || lag[d] == max[d])) return true;
		return false;
	}

	/** The number of pixels that overlap at a lag. */
	long overlap(final int[] lag) {
		long n = 1;
		for (int d = 0; d < 2; d++) n *= Math.min(fixed[d], moving[d] - lag[d]) - Math.max(0, -lag[d]);
		return n;
	}

	/** {@code struct Lags} of the kernels. */
	int[] lagsStruct() {
		final Transforms.Extents e = transforms();
		return new int[] { fixed[0], fixed[1], moving[0], moving[1], min[0], min[1], lags(0), lags(1), e.x(), e.y() };
	}

	/** {@code struct Extents} of the kernels. */
	int[] extentsStruct() {
		return new int[] { fixed[0], fixed[1], moving[0], moving[1] };
	}
}
