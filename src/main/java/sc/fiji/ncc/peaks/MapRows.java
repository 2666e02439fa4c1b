package sc.fiji.ncc.peaks;

/** The rows of a map along x, read one at a time in raster order, so that the map need not be in memory. */
@FunctionalInterface
public interface MapRows {

	/**
	 * Copies one row.
	 *
	 * @param start the row's first pixel: zero along x; must not be changed or kept
	 * @param row receives the values; its length is the map's extent along x
	 */
	void read(long[] start, float[] row);

	/** The rows of a map that lies in one array, x fastest. */
	static MapRows of(final float[] values, final long... size) {
		long pixels = 1;
		for (final long s : size) pixels = Math.multiplyExact(pixels, s);
		if (pixels != values.length) throw new IllegalArgumentException(values.length + " values for a map of " + pixels + " pixels: pass one value per pixel");
		return (start, row) -> {
			long from = 0;
			for (int d = size.length - 1; d >= 0; d--) from = from * size[d] + start[d];
			System.arraycopy(values, (int) from, row, 0, row.length);
		};
	}
}
