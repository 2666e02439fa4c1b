package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.PixelNoise;

/**
 * The energies of the rows and columns of the result of an inverse {@link WholeTransform}, from which its errors are estimated: those of the pass
 * along x depend on the row, and those of the pass along y on the column, as in {@link PixelNoise} for the forward transform.
 */
final class ResultNoise {

	/** The error at the alias of a strong value, in eps of this value. */
	private static final double ALIAS = 2;

	private final WholeShape shape;
	private final float[] ofColumns;
	/** The energies of the rows of each strip. */
	private final double[][] strips;
	/** The energies of rows, and the greatest in a strip of columns: that of a strong value. */
	private final double[] ofRows, greatest;
	private double energy;

	/**
	 * @param columns the number of columns that are transformed back
	 * @param strips the number of their strips
	 */
	ResultNoise(final WholeShape shape, final int columns, final int strips) {
		this.shape = shape;
		ofColumns = new float[columns];
		this.strips = new double[strips][];
		ofRows = new double[shape.height];
		greatest = new double[shape.height];
	}

	/** The number of columns that are transformed back. */
	int columns() {
		return ofColumns.length;
	}

	/** Sets the energies of the columns of a strip, from x on, and of its rows. Several threads may set those of different strips. */
	void set(final int strip, final int x, final float[] columns, final int n, final double[] rows) {
		System.arraycopy(columns, 0, ofColumns, x, n);
		strips[strip] = rows;
	}

	/** Adds up all strips, always in the same order. */
	void finish() {
		for (final double[] rows : strips)
			for (int y = 0; y < rows.length; y++) {
				ofRows[y] += rows[y];
				greatest[y] = Math.max(greatest[y], rows[y]);
				energy += rows[y];
			}
	}

	/** The sum of squares of the result. */
	double energy() {
		return energy;
	}

	/** What the column adds to the error, over eps and {@link PixelNoise#MARGIN}. */
	double ofColumn(final int x) {
		return Math.sqrt(levels() * ofColumns[x] / shape.height);
	}

	/** What the row adds to the error, over eps and {@link PixelNoise#MARGIN}. An error may also be spread over all rows. */
	double ofRow(final int y) {
		return Math.max(Math.sqrt(levels() * Math.max(ofRows[y] / shape.width, energy / shape.points())), ALIAS / PixelNoise.MARGIN * Math.sqrt(greatest[y]));
	}

	private double levels() {
		return Math.log(shape.points()) / Math.log(2);
	}
}
