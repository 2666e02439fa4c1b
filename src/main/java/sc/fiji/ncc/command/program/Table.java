package sc.fiji.ncc.command.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A table to show: cells are numbers or texts, as many in each row as there are columns. */
public final class Table {

	private final String title;
	private final List<String> columns;
	private final List<Object[]> rows = new ArrayList<>();
	private final Map<String, Integer> decimals = new HashMap<>();

	public Table(final String title, final String... columns) {
		this.title = title;
		this.columns = List.of(columns);
	}

	/** @return this */
	public Table row(final Object... cells) {
		if (cells.length != columns.size()) throw new IllegalArgumentException(cells.length + " cells for the columns " + columns);
		rows.add(cells);
		return this;
	}

	/** How many decimals numbers in a column have; 3 unless said. */
	public void decimals(final String column, final int count) {
		decimals.put(column, count);
	}

	/** Columns whose numbers have a number of decimals of their own. */
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

	/** Separated by tabs, for the log of a program that has no tables. */
	@Override
	public String toString() {
		return title + "\n" + String.join("\t", columns) + rows.stream()
			.map(row -> "\n" + Arrays.stream(row).map(String::valueOf).collect(Collectors.joining("\t"))).collect(Collectors.joining());
	}
}
