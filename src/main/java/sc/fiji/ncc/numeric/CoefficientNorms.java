package sc.fiji.ncc.numeric;

import java.util.Arrays;

/**
 * The magnitudes of a template's coefficients, in their places in a transform, which determine the share of the errors of the pixels' transform that they receive.
 *
 * @param all the root of the sum of squares
 * @param column, row the greatest root of the sum of squares of a column, and of a row, over all planes. A window of a folded line may start anywhere in a row: then
 *        the norms of rows hold for any parts of this length
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
		final double[] columns = new double[sets[0][0].length], columnSums = new double[columns.length], rows = new double[height], rowSums = new double[height];
		double greatest = 0;
		for (final double[][] set : sets)
			for (int r = 0; r < set.length; r++)
				for (int x = 0; x < columns.length; x++) {
					final double magnitude = Math.abs(set[r][x]), square = magnitude * magnitude;
					columns[x] += square;
					columnSums[x] += magnitude;
					rowSums[r % height] += magnitude;
					rows[r % height] += square;
					greatest = Math.max(greatest, magnitude);
				}
		final int parts = folded ? 2 : 1;
		return new CoefficientNorms(Math.sqrt(Arrays.stream(columns).sum()), Math.sqrt(max(columns)), Math.sqrt(parts * max(rows)), greatest, Arrays.stream(columnSums).sum(), norm(columnSums),
			Math.sqrt(parts) * norm(rowSums), max(columnSums), parts * max(rowSums));
	}

	private static double norm(final double[] values) {
		return Math.sqrt(Arrays.stream(values).map(v -> v * v).sum());
	}

	private static double max(final double[] values) {
		return Arrays.stream(values).max().orElse(0);
	}
}
