package sc.fiji.ncc.estimate;

/**
 * The energies of the rows and columns of the result of an inverse transform of a whole image, from which its errors are estimated: those of the pass
 * along x depend on the row, and those of the pass along y on the column, as in {@link PixelNoise} for the forward transform.
 */
public final class ResultNoise {

	/** The error at the alias of a strong value, in eps of this value. */
	private static final double ALIAS = 2;

	private final int width, height;
	private final float[] ofColumns;
	/** The energies of the rows of each strip. */
	private final double[][] strips;
	/** The energies of rows, and the greatest in a strip of columns: that of a strong value. */
	private final double[] ofRows, greatest;
	private double energy;

	/**
	 * @param width, height the extents of the transform
	 * @param columns the number of columns that are transformed back
	 * @param strips the number of their strips
	 */
	public ResultNoise(final int width, final int height, final int columns, final int strips) {
		this.width = width;
		this.height = height;
		ofColumns = new float[columns];
		this.strips = new double[strips][];
		ofRows = new double[height];
		greatest = new double[height];
	}

	/** The number of columns that are transformed back. */
	public int columns() {
		return ofColumns.length;
	}

	/** Sets the energies of the columns of a strip, from x on, and of its rows. Several threads may set those of different strips. */
	public void set(final int strip, final int x, final float[] columns, final int n, final double[] rows) {
		System.arraycopy(columns, 0, ofColumns, x, n);
		strips[strip] = rows;
	}

	/** Adds up all strips, always in the same order. */
	public void finish() {
		for (final double[] rows : strips)
			for (int y = 0; y < rows.length; y++) {
				ofRows[y] += rows[y];
				greatest[y] = Math.max(greatest[y], rows[y]);
				energy += rows[y];
			}
	}

	/** The sum of squares of the result. */
	public double energy() {
		return energy;
	}

	/** What the column adds to the error, over eps and {@link PixelNoise#MARGIN}. */
	public double ofColumn(final int x) {
		return Math.sqrt(levels() * ofColumns[x] / height);
	}

	/** What the row adds to the error, over eps and {@link PixelNoise#MARGIN}. An error may also be spread over all rows. */
	public double ofRow(final int y) {
		return Math.max(Math.sqrt(levels() * Math.max(ofRows[y] / width, energy / ((double) width * height))), ALIAS / PixelNoise.MARGIN * Math.sqrt(greatest[y]));
	}

	private double levels() {
		return SpectralNoise.levels((double) width * height);
	}
}
