package sc.fiji.ncc.front;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A table of numbers and texts. */
public final class Table {

	private final String title;
	private final List<String> columns;
	private final List<Object[]> rows = new ArrayList<>();
	private final Map<String, Integer> decimals = new HashMap<>();

	public Table(final String title, final String... columns) {
		this.title = title;
		this.columns = List.of(columns);
	}

	/**
	 * Adds a row.
	 *
	 * @param cells one for each column; numbers are rounded to the decimals of their column
	 * @return this
	 */
	public Table row(final Object... cells) {
		if (cells.length != columns.size()) throw new IllegalArgumentException(cells.length + " cells for the columns " + columns);
		for (int c = 0; c < cells.length; c++) {
			if (!(cells[c] instanceof Double)) continue;
			final double shown = ShownNumber.of((Double) cells[c], decimals.getOrDefault(columns.get(c), ShownNumber.POSITION));
			if (Math.abs(shown - Math.rint(shown)) > 0) decimals.putIfAbsent(columns.get(c), ShownNumber.POSITION);
			cells[c] = shown;
		}
		rows.add(cells);
		return this;
	}

	/** Sets the number of decimals in columns, before the first row. A negative number means so many significant digits. Default: {@link ShownNumber#POSITION}. */
	public Table decimals(final int count, final List<String> names) {
		for (final String column : names) decimals.put(column, count);
		return this;
	}

	/** @return the number of decimals of each column of numbers that are not whole */
	public Map<String, Integer> decimals() {
		return decimals;
	}

	public String title() {
		return title;
	}

	public List<String> columns() {
		return columns;
	}

	public List<Object[]> rows() {
		return rows;
	}

	/** @return the table as text with tabs, for the log */
	@Override
	public String toString() {
		return title + "\n" + String.join("\t", columns) + rows.stream()
			.map(row -> "\n" + Arrays.stream(row).map(String::valueOf).collect(Collectors.joining("\t"))).collect(Collectors.joining());
	}
}
