package sc.fiji.ncc.estimate;

import java.util.Arrays;

import sc.fiji.ncc.numeric.Chunks;

/**
 * The magnitudes of a template's coefficients, in their places in a transform, which determine the share of the errors of the pixels' transform that
 * they receive.
 *
 * @param all the root of the sum of squares
 * @param column, row the greatest root of the sum of squares of a column, and of a row, over all planes. A window of a folded line may start
 *        anywhere in a row: then the norms of rows hold for any parts of this length
 * @param greatest the greatest magnitude
 * @param sum the sum of the magnitudes
 * @param sumOfColumns, sumOfRows the root of the sum of the squares of such sums, one for each column, and one for each row
 * @param sumOfColumn, sumOfRow the greatest such sum of a column, and of a row
 */
public record CoefficientNorms(double all, double column, double row, double greatest, double sum, double sumOfColumns, double sumOfRows, double sumOfColumn,
	double sumOfRow)
{

	/**
	 * The norms of sets of coefficients that share a transform.
	 *
	 * @param height the number of rows of a plane
	 * @param folded whether the rows are those of a folded line
	 * @param sets for each set the rows of all planes
	 */
	public static CoefficientNorms of(final int height, final boolean folded, final double[][]... sets) {
		final Sums sums = new Sums(sets[0][0].length, height);
		for (final double[][] set : sets)
			for (int r = 0; r < set.length; r++) sums.add(set[r], 0, r % height);
		return sums.norms(folded);
	}

	/**
	 * The norms of the coefficients of a template, x fastest.
	 *
	 * @param threads the maximum number of threads
	 */
	public static CoefficientNorms of(final int width, final int height, final double[] coefficients, final int threads) {
		final Sums[] parts = new Sums[Chunks.count(coefficients.length)];
		Chunks.each(coefficients.length, threads, (c, from, until) -> {
			parts[c] = new Sums(width, height);
			// the rows that begin in this chunk
			for (int r = (from + width - 1) / width; r * width < until; r++) parts[c].add(coefficients, r * width, r % height);
		});
		for (int c = 1; c < parts.length; c++) parts[0].add(parts[c]);
		return parts[0].norms(false);
	}

	/** Sums of squares and of magnitudes over columns and rows. */
	private static final class Sums {

		private final double[] columns, columnSums, rows, rowSums;
		private double greatest;

		Sums(final int width, final int height) {
			columns = new double[width];
			columnSums = new double[width];
			rows = new double[height];
			rowSums = new double[height];
		}

		/** Adds the coefficients of a row, which begin at index {@code from}. */
		void add(final double[] coefficients, final int from, final int row) {
			for (int x = 0; x < columns.length; x++) {
				final double magnitude = Math.abs(coefficients[from + x]), square = magnitude * magnitude;
				columns[x] += square;
				columnSums[x] += magnitude;
				rowSums[row] += magnitude;
				rows[row] += square;
				greatest = Math.max(greatest, magnitude);
			}
		}

		void add(final Sums other) {
			for (int x = 0; x < columns.length; x++) {
				columns[x] += other.columns[x];
				columnSums[x] += other.columnSums[x];
			}
			for (int y = 0; y < rows.length; y++) {
				rows[y] += other.rows[y];
				rowSums[y] += other.rowSums[y];
			}
			greatest = Math.max(greatest, other.greatest);
		}

		CoefficientNorms norms(final boolean folded) {
			final int parts = folded ? 2 : 1;
			return new CoefficientNorms(Math.sqrt(Arrays.stream(columns).sum()), Math.sqrt(max(columns)), Math.sqrt(parts * max(rows)), greatest,
				Arrays.stream(columnSums).sum(), norm(columnSums), Math.sqrt(parts) * norm(rowSums), max(columnSums), parts * max(rowSums));
		}
	}

	private static double norm(final double[] values) {
		return Math.sqrt(Arrays.stream(values).map(v -> v * v).sum());
	}

	private static double max(final double[] values) {
		return Arrays.stream(values).max().orElse(0);
	}
}
