package sc.fiji.ncc.peaks;

/** A map's rows along x, handed out one at a time in raster order, so that nobody needs to hold all of it. */
@FunctionalInterface
public interface Rows {

	/**
	 * Copies one row.
	 *
	 * @param start the row's first pixel: zero along x; must not be changed or kept
	 * @param row filled with as many values as the map has along x
	 */
	void read(long[] start, float[] row);

	/** The rows of a map that lies in one array, x fastest. */
	static Rows of(final float[] values, final long... size) {
		long pixels = 1;
		for (final long s : size) pixels = Math.multiplyExact(pixels, s);
		if (pixels != values.length) throw new IllegalArgumentException(values.length + " values for a map of " + pixels + " pixels");
		return (start, row) -> {
			long from = 0;
			for (int d = size.length - 1; d >= 0; d--) from = from * size[d] + start[d];
			System.arraycopy(values, (int) from, row, 0, row.length);
		};
	}
}
