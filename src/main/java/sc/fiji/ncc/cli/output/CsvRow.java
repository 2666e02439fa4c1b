package sc.fiji.ncc.cli.output;

import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleBiFunction;

import sc.fiji.ncc.front.ShownNumber;

/** A row of a table, or its head, as CSV after RFC 4180. Numbers have the decimals of what they are. A value that does not exist is NaN. */
final class CsvRow {

	private final StringBuilder text = new StringBuilder();

	/** Appends cells: texts, whole numbers, or switches, which are 1 or 0. */
	CsvRow add(final Object... cells) {
		for (final Object cell : cells) cell(cell instanceof Boolean ? (Boolean) cell ? "1" : "0" : quoted(cell.toString()));
		return this;
	}

	/** Appends whole numbers. */
	CsvRow whole(final long... numbers) {
		for (final long n : numbers) cell(Long.toString(n));
		return this;
	}

	private CsvRow cell(final String cell) {
		text.append(text.length() == 0 ? "" : ",").append(cell);
		return this;
	}

	/** Appends the names of columns. @param names with commas between them; empty for none */
	CsvRow columns(final String names) {
		return names.isEmpty() ? this : cell(names);
	}

	/** Appends a column for each dimension. */
	CsvRow columns(final String prefix, final int dimensions) {
		for (int d = 0; d < dimensions; d++) cell(prefix + "xyz".charAt(d));
		return this;
	}

	/** Appends the columns of {@link #errors}. */
	CsvRow errorColumns(final int dimensions) {
		columns("sigma_", dimensions);
		for (int d = 0; d < dimensions; d++) for (int e = d + 1; e < dimensions; e++) cell("correlation_" + "xyz".charAt(d) + "xyz".charAt(e));
		return this;
	}

	CsvRow number(final double number, final int decimals) {
		return cell(ShownNumber.text(number, decimals));
	}

	CsvRow positions(final double... numbers) {
		for (final double n : numbers) number(n, ShownNumber.POSITION);
		return this;
	}

	CsvRow scores(final double... numbers) {
		for (final double n : numbers) number(n, ShownNumber.SCORE);
		return this;
	}

	/** Appends standard deviations. */
	CsvRow sigmas(final int dimensions, final IntToDoubleFunction sigma) {
		for (int d = 0; d < dimensions; d++) scores(sigma.applyAsDouble(d));
		return this;
	}

	/** Appends standard deviations, and the correlations of errors. */
	CsvRow errors(final int dimensions, final IntToDoubleFunction sigma, final ToDoubleBiFunction<Integer, Integer> correlation) {
		sigmas(dimensions, sigma);
		for (int d = 0; d < dimensions; d++) for (int e = d + 1; e < dimensions; e++) scores(correlation.applyAsDouble(d, e));
		return this;
	}

	private static String quoted(final String text) {
		return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
	}

	/** The row with the end of its line. */
	@Override
	public String toString() {
		return text + "\r\n";
	}
}
