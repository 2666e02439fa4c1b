package sc.fiji.ncc.cpu.fft;

/**
 * Complex Fourier transforms of the columns of a strip, in float: {@code n} rows of a few values. A large transform is made of such strips, each of which
 * stays in the second-level cache while all levels along a dimension are computed. The rows of a spectrum stand in the order of {@link TileFft#place}.
 * Neither direction scales. Immutable; the caller owns the arrays.
 */
public final class StripFft {

	private final TileFft fft;
	/** The number of points of a transform, and of columns of a strip. */
	public final int points, columns;

	/**
	 * @param points at least 2, and an extent that {@link TileFft#suits}
	 * @param columns a power of two
	 */
	public StripFft(final int points, final int columns) {
		fft = TileFft.of(columns, points, 1);
		this.points = points;
		this.columns = columns;
	}

	/** The rows of a strip. */
	public float[][] allocate() {
		return new float[points][columns];
	}

	/** Transforms all columns in place. */
	public void forward(final float[][] re, final float[][] im) {
		fft.forwardColumns(re, im, columns);
	}

	/** The inverse of {@link #forward}. */
	public void inverse(final float[][] re, final float[][] im) {
		fft.inverseColumns(re, im, columns);
	}

	/** Writes the first columns of a strip as rows. */
	public void toRows(final float[][] strip, final float[][] rows, final int columns) {
		fft.transpose(strip, 0, points, rows, 0, columns);
	}

	/** The inverse of {@link #toRows}. */
	public void fromRows(final float[][] rows, final float[][] strip, final int columns) {
		fft.transpose(rows, 0, columns, strip, 0, points);
	}
}
