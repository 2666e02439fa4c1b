package sc.fiji.ncc.command.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import sc.fiji.ncc.front.ShownNumber;

/**
 * The columns of a table. Each is described once: its name, the decimals of its numbers, and its value in a row.
 *
 * @param <R> what a row is made of
 */
public final class TableColumns<R> {

	private static final String XYZ = "XYZ";

	/** @param decimals null for those of a position, if a number of the column is not whole */
	private record Column<R>(String name, Integer decimals, Function<? super R, ?> value) {}

	/** The correlation of the errors along two dimensions. */
	@FunctionalInterface
	public interface Correlation<R> {

		double of(R row, int d, int e);
	}

	private final List<Column<R>> all = new ArrayList<>();

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

	/** Adds a column for each dimension, named by its letter. */
	public TableColumns<R> each(final String prefix, final int dimensions, final BiFunction<? super R, Integer, ?> value) {
		for (int d = 0; d < dimensions; d++) {
			final int axis = d;
			add(prefix + XYZ.charAt(d), row -> value.apply(row, axis));
		}
		return this;
	}

	/** Adds a length along each dimension, in the unit of an image. */
	public TableColumns<R> lengths(final String prefix, final int dimensions, final ImageCalibration calibration,
		final BiFunction<? super R, Integer, Double> value) {
		for (int d = 0; d < dimensions; d++) {
			final int axis = d;
			add(prefix + XYZ.charAt(d), ShownNumber.length(calibration.size()[d]), row -> value.apply(row, axis));
		}
		return this;
	}

	/** Adds the standard deviations along each dimension. */
	public TableColumns<R> sigmas(final int dimensions, final BiFunction<? super R, Integer, Double> sigma) {
		for (int d = 0; d < dimensions; d++) {
			final int axis = d;
			add("Sigma" + XYZ.charAt(d), ShownNumber.SCORE, row -> sigma.apply(row, axis));
		}
		return this;
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

	/** A table with these columns. */
	public Table table(final String title, final Iterable<? extends R> rows) {
		final Table table = new Table(title, all.stream().map(Column::name).toArray(String[]::new));
		for (final Column<R> c : all) if (c.decimals != null) table.decimals(c.decimals, List.of(c.name));
		for (final R row : rows) {
			final List<Object> cells = new ArrayList<>();
			for (final Column<R> c : all) {
				final Object value = c.value.apply(row);
				cells.add(value instanceof Boolean ? (Boolean) value ? 1 : 0 : value);
			}
			table.row(cells.toArray());
		}
		return table;
	}
}
