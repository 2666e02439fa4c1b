package sc.fiji.ncc.cuda.frame;

import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.shift.ShiftRange;

/**
 * Two frames on a GPU, and the lags at which they are correlated.
 *
 * @param fixed the extents of the fixed frame along x, y and z
 * @param moving the extents of the moving frame
 * @param lags the lags
 * @param exact whether all pixels are 8- or 16-bit integers
 * @param missing whether each pixel has a flag that says whether it counts: with masks, and for all other types of pixels
 */
public record FrameRange(int[] fixed, int[] moving, ShiftRange lags, boolean exact, boolean missing) {

	/** @throws IllegalArgumentException if no lag is left */
	public static FrameRange of(final FramePairs p) {
		return new FrameRange(FramePairs.extents(p.fixed()), FramePairs.extents(p.moving()), ShiftRange.of(p), p.image().exact(),
			p.masked() || !p.image().exact());
	}

	int[] size(final boolean ofFixed) {
		return ofFixed ? fixed : moving;
	}

	int lags(final int d) {
		return lags.max()[d] - lags.min()[d] + 1;
	}

	/** The number of lags. */
	long count() {
		return (long) lags(0) * lags(1) * lags(2);
	}

	int pixels(final boolean ofFixed) {
		final int[] size = size(ofFixed);
		return size[0] * size[1] * size[2];
	}

	int largest() {
		return Math.max(pixels(true), pixels(false));
	}

	/** The transforms in which no lag of the range is aliased to another one. */
	TransformExtents transforms() {
		final int[] points = new int[3];
		for (int d = 0; d < 3; d++) points[d] = Math.max(Math.max(fixed[d], moving[d]), Math.max(fixed[d] + lags.max()[d], moving[d] - lags.min()[d]));
		return TransformExtents.of(points[0], points[1], points[2]);
	}

	/** The lag of an index, x fastest. */
	int[] lag(final long index) {
		final int[] lag = lags.min().clone();
		lag[0] += (int) (index % lags(0));
		lag[1] += (int) (index / lags(0) % lags(1));
		lag[2] += (int) (index / lags(0) / lags(1));
		return lag;
	}

	/** The number of dimensions along which a shift can be fitted between the pixels; 0 if the frames cannot move along one of several pixels. */
	int fitted() {
		for (int d = 0; d < 3; d++)
			if (fixed[d] > 1 && moving[d] > 1 && lags(d) == 1) return 0;
		return fixed[2] > 1 && moving[2] > 1 ? 3 : 2;
	}

	/** The number of pixels that overlap at a lag. */
	long overlap(final int[] lag) {
		long n = 1;
		for (int d = 0; d < 3; d++) n *= Math.min(fixed[d], moving[d] - lag[d]) - Math.max(0, -lag[d]);
		return n;
	}

	/** {@code struct Lags} of the kernels. */
	int[] lagsStruct() {
		final TransformExtents e = transforms();
		final int[] min = lags.min();
		return new int[] { fixed[0], fixed[1], fixed[2], moving[0], moving[1], moving[2], min[0], min[1], min[2], lags(0), lags(1), lags(2), e.x(), e.y(),
			e.z() };
	}

	/** {@code struct Extents} of the kernels that fit shifts. */
	int[] extentsStruct() {
		return new int[] { fixed[0], fixed[1], fixed[2], moving[0], moving[1], moving[2] };
	}
}
