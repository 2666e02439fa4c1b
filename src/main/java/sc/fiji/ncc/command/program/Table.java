package sc.fiji.ncc.command.program;

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
	 * @param cells one for each column
	 * @return this
	 */
	public Table row(final Object... cells) {
		if (cells.length != columns.size()) throw new IllegalArgumentException(cells.length + " cells for the columns " + columns);
		rows.add(cells);
		return this;
	}

	/** Sets the number of decimals in a column. A negative number means scientific notation with so many digits. Default: 3. */
	public void decimals(final String column, final int count) {
		decimals.put(column, count);
	}

	/** @return the number of decimals of each column that does not have the default */
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
