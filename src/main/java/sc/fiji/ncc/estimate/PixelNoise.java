package sc.fiji.ncc.estimate;

import java.util.Arrays;

import sc.fiji.ncc.loops.Rows;

/**
 * The energies of the columns and rows of a block of pixels, and the rounding errors of its transform in the places of these pixels.
 * <p>
 * The pass along y transforms each column of the block by itself. Its error in the place of a pixel is proportional to the root of the mean square of
 * the pixel's column, not of the block. The pass along x transforms a line for each frequency along y. If one row holds most energy, all these lines
 * are alike: so are their errors, which add up in the place of this row. The error in the place of a pixel is then proportional to the root of the
 * mean square of its row. Errors of such a pass have four forms:
 * <ul>
 * <li>They are independent in the places of different pixels: {@code eps·√log2(m)·rms}, m the points of a line.
 * <li>A strong pixel among faint ones: the transform of a single pixel errs, beside this pixel, at its aliases, of which the first lies m/2 away. At
 * most 1.14 eps of the pixel was seen, for each m from 64 to 16,384. The strongest coefficient may meet it there.
 * <li>They have the sign of the template in the place of each pixel, all over the window, where pixels are alike (few levels, stripes, a checkerboard): {@code
 * 2·eps·Σ_x rms(x)·Σ_y|T̂|}, and so for rows. About 1 eps of a column was seen aligned with a checkerboard.
 * <li>They are spread over the spectrum or lie on a few of its lines: {@link SpectralNoise}.
 * </ul>
 * A sum of products over the lines of a window is at most the greatest factor times the sum of the others, and at most the product of the norms. The
 * least of these bounds counts. One strong line in a window of many then has little effect.
 */
public final class PixelNoise {

	/** The margin of the estimated errors. */
	public static final double MARGIN = 8;
	/** The error of each pixel if all have the sign of the template, in eps of the root of the mean square of its column or row. */
	private static final double EQUAL_SIGN = 2;
	/** The error at the alias of a pixel, in eps of this pixel. */
	private static final double ALIAS = 2;

	private final int width, height, depth;
	private final boolean folded;
	private final float[][] columns;
	private final double[] rows;
	/** The roots of the sums of mean squares over the columns of the window that starts at x, and over the rows of that at y: of each the greatest over z. */
	private final double[] columnWindows, rowWindows;
	/** The sums of the roots of the same mean squares. */
	private final double[] columnRoots, rowRoots;
	/** The greatest root of the mean square of a column, and of a row. */
	private double column, row;
	/** What was subtracted from the pixels, about the tile's reference. */
	private double shift;

	/** @param folded whether the rows are those of a folded line, so that a window continues in the next row */
	public PixelNoise(final int width, final int height, final int depth, final boolean folded) {
		this.width = width;
		this.height = height;
		this.depth = depth;
		this.folded = folded;
		columns = new float[depth][width];
		rows = new double[depth * height];
		columnWindows = new double[width];
		rowWindows = new double[height];
		columnRoots = new double[width];
		rowRoots = new double[height];
	}

	/** Starts a block of pixels, or two blocks that share a transform. Then add all their rows, and call {@link #measure}. */
	public void begin() {
		for (final float[] plane : columns) Arrays.fill(plane, 0);
		Arrays.fill(rows, 0);
	}

	/** Adds the first {@code n} pixels of a row of the transform. */
	public void add(final int r, final float[] pixels, final int n) {
		rows[r] += Rows.addEnergies(pixels, columns[r / height], n);
	}

	/** Subtracts a number from the first {@code n} pixels of a row of the transform, and adds them. */
	public void subtractAndAdd(final int r, final float number, final float[] pixels, final int n) {
		rows[r] += Rows.subtractAndAddEnergies(pixels, number, columns[r / height], n);
	}

	/** Sets the sum of squares of a column of a transform without depth. */
	public void setColumn(final int x, final float energy) {
		columns[0][x] = energy;
	}

	/** Adds to the sums of squares of all rows. */
	public void addToRows(final double[] energies) {
		for (int r = 0; r < rows.length; r++) rows[r] += energies[r];
	}

	/**
	 * Measures the block.
	 *
	 * @param shift what was subtracted from the pixels, about the tile's reference
	 * @param windowWidth, windowHeight the extents of the template, or of its largest part
	 */
	public void measure(final double shift, final int windowWidth, final int windowHeight) {
		this.shift = shift;
		final double[] ofColumns = new double[width], ofRows = new double[height];
		for (int z = 0; z < depth; z++) {
			for (int x = 0; x < width; x++) ofColumns[x] = Math.max(ofColumns[x], columns[z][x] / height);
			for (int y = 0; y < height; y++) ofRows[y] = Math.max(ofRows[y], rows[z * height + y] / width);
		}
		column = windows(ofColumns, windowWidth, columnWindows, columnRoots);
		row = windows(ofRows, folded ? (windowWidth - 1) / width + 2 : windowHeight, rowWindows, rowRoots);
	}

	/**
	 * Writes the root of the sum over the window that starts at each line, and the sum of the roots. Returns the root of the greatest line.
	 *
	 * @param lines receives the roots
	 */
	private static double windows(final double[] lines, final int length, final double[] to, final double[] roots) {
		sums(lines, length, to);
		double greatest = 0;
		for (int i = 0; i < lines.length; i++) {
			to[i] = Math.sqrt(to[i]);
			lines[i] = Math.sqrt(lines[i]);
			greatest = Math.max(greatest, lines[i]);
		}
		sums(lines, length, roots);
		return greatest;
	}

	/** Writes the sum over the window that starts at each line. A window continues at the first line. */
	private static void sums(final double[] lines, final int length, final double[] to) {
		final int n = lines.length, w = Math.min(length, n);
		double sum = 0;
		for (int i = 0; i < w - 1; i++) sum += lines[i];
		for (int i = n - 1; i >= 0; i--) {
			sum += lines[i];
			to[i] = Math.max(0, sum);
			sum -= lines[(i + w - 1) % n];
		}
	}

	/** Adds the errors that depend on the column of lags, over eps and {@link #MARGIN}. */
	public void addColumns(final CoefficientNorms c, final double[] to) {
		add(new Lines(height, column, columnWindows, columnRoots), c.column(), c.sumOfColumns(), c.sumOfColumn(), c, to);
	}

	/** Adds the errors that depend on the row of lags, over eps and {@link #MARGIN}. */
	public void addRows(final CoefficientNorms c, final double[] to) {
		add(new Lines(width, row, rowWindows, rowRoots), c.row(), c.sumOfRows(), c.sumOfRow(), c, to);
	}

	/**
	 * The lines of a pass.
	 *
	 * @param points the number of points of a line
	 * @param greatest the greatest root of the mean square of a line
	 * @param windows the root of the sum of mean squares over the lines of a window
	 * @param roots the sum of their roots
	 */
	private record Lines(int points, double greatest, double[] windows, double[] roots) {}

	/**
	 * Adds the errors of a pass.
	 *
	 * @param line, sumOfLines, sumOfLine the norms of lines of coefficients
	 */
	private void add(final Lines pass, final double line, final double sumOfLines, final double sumOfLine, final CoefficientNorms c, final double[] to) {
		final double[] windows = pass.windows, roots = pass.roots;
		final int points = pass.points;
		final double greatest = pass.greatest;
		final double levels = Math.sqrt(SpectralNoise.levels(points)), alias = ALIAS / MARGIN * Math.sqrt(points) * c.greatest(), equalSign = EQUAL_SIGN / MARGIN,
			ofShift = equalSign * Math.abs(shift) * c.sum();
		for (int i = 0; i < windows.length; i++) {
			final double independent = levels * Math.min(greatest * c.all(), windows[i] * line), ofAlias = alias * Math.min(greatest, windows[i]),
				alike = equalSign * Math.min(Math.min(greatest * c.sum(), windows[i] * sumOfLines), roots[i] * sumOfLine) + ofShift;
			to[i] += Math.max(independent, Math.max(ofAlias, alike));
		}
	}
}
