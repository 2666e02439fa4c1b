package sc.fiji.ncc.front;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The columns of a table, and its rows. Each column is described once: its name, the decimals of its numbers, and its value in a row. The menu shows it as a
 * {@link Table}, the command line writes it as CSV after RFC 4180, where {@code FalseAlarms} is {@code false_alarms}. A number that does not exist is NaN.
 *
 * @param <R> what a row is made of
 */
public final class TableColumns<R> {

	private static final String XYZ = "XYZ";

	/** @param decimals null for those of a position, if a number of the column is not whole */
	private record Column<R>(String name, Integer decimals, Function<? super R, ?> value) {

		Object of(final R row) {
			final Object cell = value.apply(row);
			return cell instanceof Boolean ? (Boolean) cell ? 1 : 0 : cell;
		}

		String text(final R row) {
			final Object cell = of(row);
			if (cell instanceof Double) return ShownNumber.text((Double) cell, decimals == null ? ShownNumber.POSITION : decimals);
			final String text = cell.toString();
			return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
		}
	}

	/** The correlation of the errors along two dimensions. */
	@FunctionalInterface
	public interface Correlation<R> {

		double of(R row, int d, int e);
	}

	private final List<Column<R>> all = new ArrayList<>();
	private final List<? extends R> rows;

	public TableColumns(final List<? extends R> rows) {
		this.rows = rows;
	}

	/** Adds a column of texts, of switches, which are 1 or 0, of whole numbers, or of numbers with the decimals of a position. */
	public TableColumns<R> add(final String name, final Function<? super R, ?> value) {
		all.add(new Column<>(name, null, value));
		return this;
	}

	/** Adds a column of numbers. A negative number of decimals means so many significant digits. */
	public TableColumns<R> add(final String name, final int decimals, final Function<? super R, ?> value) {
		all.add(new Column<>(name, decimals, value));
		return this;
	}

	/** Adds a column for each dimension, named by its letter, of numbers with the decimals of a position. */
	public TableColumns<R> each(final String prefix, final int dimensions, final BiFunction<? super R, Integer, ?> value) {
		return each(prefix, XYZ, null, dimensions, value);
	}

	/** Adds a column for each dimension. @param decimals null for those of a position */
	public TableColumns<R> each(final String prefix, final String letters, final Integer decimals, final int dimensions,
		final BiFunction<? super R, Integer, ?> value)
	{
		for (int d = 0; d < dimensions; d++) {
			final int axis = d;
			all.add(new Column<>(prefix + letters.charAt(d), decimals, row -> value.apply(row, axis)));
		}
		return this;
	}

	/** Adds a length along each dimension, in the unit of an image. @param pixel the size of a pixel in this unit */
	public TableColumns<R> lengths(final String prefix, final int dimensions, final Function<Integer, Double> pixel,
		final BiFunction<? super R, Integer, Double> value)
	{
		for (int d = 0; d < dimensions; d++) {
			final int axis = d;
			add(prefix + XYZ.charAt(d), ShownNumber.length(pixel.apply(d)), row -> value.apply(row, axis));
		}
		return this;
	}

	/** Adds the standard deviations along each dimension. */
	public TableColumns<R> sigmas(final int dimensions, final BiFunction<? super R, Integer, Double> sigma) {
		return each("Sigma", XYZ, ShownNumber.SCORE, dimensions, sigma);
	}

	/** Adds the standard deviations along each dimension, and the correlations of the errors. */
	public TableColumns<R> errors(final int dimensions, final BiFunction<? super R, Integer, Double> sigma, final Correlation<? super R> correlation) {
		sigmas(dimensions, sigma);
		for (int d = 0; d < dimensions; d++) for (int e = d + 1; e < dimensions; e++) {
			final int one = d, other = e;
			add("Correlation" + XYZ.charAt(d) + XYZ.charAt(e), ShownNumber.SCORE, row -> correlation.of(row, one, other));
		}
		return this;
	}

	public Table table(final String title) {
		final Table table = new Table(title, all.stream().map(Column::name).toArray(String[]::new));
		for (final Column<R> c : all) if (c.decimals != null) table.decimals(c.decimals, List.of(c.name));
		for (final R row : rows) table.row(all.stream().map(c -> c.of(row)).toArray());
		return table;
	}

	/** The line of CSV with the names. */
	public String head() {
		return all.stream().map(c -> c.name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT)).collect(Collectors.joining(",", "", "\r\n"));
	}

	/** The lines of CSV with the rows. */
	public String lines() {
		return rows.stream().map(row -> all.stream().map(c -> c.text(row)).collect(Collectors.joining(",", "", "\r\n"))).collect(Collectors.joining());
	}

	/** Writes the names and the rows as CSV. */
	public void write(final Writer to) throws IOException {
		to.write(head());
		to.write(lines());
	}
}
