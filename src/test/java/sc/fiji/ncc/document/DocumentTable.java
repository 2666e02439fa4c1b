package sc.fiji.ncc.document;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The numbers of a chart or of a table in the documents: {@code src/doc/data/NAME.csv}. The file starts with five lines that say where they come from:
 *
 * <pre>
 * # machine: AMD EPYC 9B45, 2 processors, Linux
 * # java: 17
 * # commit: 7c923282
 * # date: 2026-11-23
 * # command: …
 * image,template,ms
 * 2000x2000,8x8,12.4
 * </pre>
 *
 * A cell with a comma or a quote stands in quotes, as RFC 4180 says.
 */
public final class DocumentTable {

	/** The folder of the tables. */
	public static final Path FOLDER = Path.of("src", "doc", "data");

	private final Origin origin;
	private final List<String> columns;
	private final List<List<String>> rows = new ArrayList<>();

	public DocumentTable(final Origin origin, final String... columns) {
		this.origin = origin;
		this.columns = List.of(columns);
	}

	public Origin origin() {
		return origin;
	}

	public List<String> columns() {
		return columns;
	}

	/** Appends a row. A {@code Double} is written with five significant digits, another value as its text. */
	public void row(final Object... cells) {
		if (cells.length != columns.size()) throw new IllegalArgumentException("a row of " + cells.length + " cells for the " + columns.size()
			+ " columns " + columns);
		final List<String> row = new ArrayList<>();
		for (final Object cell : cells) row.add(cell instanceof Double && Double.isFinite((Double) cell)
			? digits(new BigDecimal((Double) cell), 5, 1) : String.valueOf(cell));
		for (final String cell : row) if (cell.contains("\n") || cell.contains("\r")) throw new IllegalArgumentException("a cell of more than one line: " + cell);
		rows.add(List.copyOf(row));
	}

	/** The rows as cells by column. */
	public List<Map<String, String>> rows() {
		final List<Map<String, String>> all = new ArrayList<>();
		for (final List<String> row : rows) {
			final Map<String, String> cells = new LinkedHashMap<>();
			for (int i = 0; i < row.size(); i++) cells.put(columns.get(i), row.get(i));
			all.add(cells);
		}
		return all;
	}

	/** The last row as one line of CSV, to print while measuring. */
	public String last() {
		return line(rows.get(rows.size() - 1));
	}

	/** The lines above the rows, to print before measuring. */
	public List<String> head() {
		return List.of("# machine: " + origin.machine(), "# java: " + origin.java(), "# commit: " + origin.commit(), "# date: " + origin.date(),
			"# command: " + origin.command(), line(columns));
	}

	/** Writes {@code folder/name.csv} and says so. */
	public void write(final Path folder, final String name) throws IOException {
		final List<String> lines = new ArrayList<>(head());
		for (final List<String> row : rows) lines.add(line(row));
		Files.createDirectories(folder);
		Files.write(folder.resolve(name + ".csv"), lines, StandardCharsets.UTF_8);
		System.out.println("wrote " + folder.resolve(name + ".csv") + ": " + rows.size() + " rows");
	}

	/** @throws IllegalArgumentException if the file does not start as described, or a row has another number of cells than the header */
	public static DocumentTable read(final Path file) throws IOException {
		final List<String> lines = Files.readAllLines(file), values = new ArrayList<>();
		final String[] keys = { "machine", "java", "commit", "date", "command" };
		for (int i = 0; i < keys.length; i++) {
			final String start = "# " + keys[i] + ": ", line = i < lines.size() ? lines.get(i) : "";
			if (!line.startsWith(start) || line.length() == start.length())
				throw new IllegalArgumentException(file + ":" + (i + 1) + ": \"" + start + "…\" is missing");
			values.add(line.substring(start.length()));
		}
		if (lines.size() == keys.length) throw new IllegalArgumentException(file + ": the header row is missing");
		final DocumentTable table = new DocumentTable(new Origin(values.get(0), values.get(1), values.get(2), values.get(3), values.get(4)),
			cells(lines.get(keys.length)).toArray(new String[0]));
		for (int i = keys.length + 1; i < lines.size(); i++) {
			final List<String> row = cells(lines.get(i));
			if (row.size() != table.columns.size()) throw new IllegalArgumentException(file + ":" + (i + 1) + ": " + row.size() + " cells for "
				+ table.columns.size() + " columns");
			table.rows.add(row);
		}
		return table;
	}

	private static String line(final List<String> cells) {
		return String.join(",", cells.stream().map(c -> c.matches("(?s).*[,\"].*") ? '"' + c.replace("\"", "\"\"") + '"' : c).toList());
	}

	private static List<String> cells(final String line) {
		final List<String> cells = new ArrayList<>();
		final StringBuilder cell = new StringBuilder();
		boolean quoted = false;
		for (int i = 0; i < line.length(); i++) {
			final char c = line.charAt(i);
			if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') cell.append(line.charAt(++i));
			else if (c == '"') quoted = !quoted;
			else if (c == ',' && !quoted) {
				cells.add(cell.toString());
				cell.setLength(0);
			}
			else cell.append(c);
		}
		if (quoted) throw new IllegalArgumentException("a quote has no end: " + line);
		cells.add(cell.toString());
		return cells;
	}

	/** A number as documents show it: with at most so many significant digits, and no more decimals than it has. Other text stays. */
	static String shown(final String text, final int digits) {
		if (!text.matches("-?\\d+\\.\\d+")) return text;
		final BigDecimal value = new BigDecimal(text);
		final String shown = digits(value, digits, 0);
		return new BigDecimal(shown).scale() > value.scale() ? text : shown;
	}

	/** The same, also for a whole number. */
	static String rounded(final String text, final int digits) {
		return text.matches("-?\\d+") ? new BigDecimal(text).round(new MathContext(digits)).toBigInteger().toString() : shown(text, digits);
	}

	/** With so many significant digits, and at least so many decimals. */
	private static String digits(final BigDecimal value, final int digits, final int decimals) {
		if (value.signum() == 0) return "0.0";
		final BigDecimal rounded = value.round(new MathContext(digits));
		return String.format(Locale.ROOT, "%." + Math.max(decimals, digits - 1 - (int) Math.floor(Math.log10(rounded.abs().doubleValue()))) + "f", rounded);
	}
}
