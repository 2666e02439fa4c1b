package sc.fiji.ncc.cpu.frame;

/**
 * The correlation coefficients of two frames at all lags of a range, for peaks. NaN where too little overlaps, or where the coefficient is undefined or too
 * uncertain.
 *
 * @param range the lags
 * @param rows the coefficients, one row for each lag along y and z, y fastest
 */
record CorrelationSurface(LagRange range, float[][] rows) {

	static CorrelationSurface allocate(final LagRange range) {
		return new CorrelationSurface(range, new float[range.count(1) * range.count(2)][range.count(0)]);
	}

	/** The coefficient at a lag; NaN outside the range. */
	float at(final int x, final int y, final int z) {
		final int i = x - range.min()[0], j = y - range.min()[1], k = z - range.min()[2];
		if (i < 0 || j < 0 || k < 0 || i >= range.count(0) || j >= range.count(1) || k >= range.count(2)) return Float.NaN;
		return rows[k * range.count(1) + j][i];
	}
}
