package sc.fiji.ncc.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables of the documents that are made of CSV files. A document has two markers, and what stands between them is generated. The
 * first one ends a line, of a paragraph for example. A blank line follows, because Markdown finds no table beside a comment:
 *
 * <pre>
 * Milliseconds: &lt;!-- table NAME[,NAME] rows="image;template:template, pixels" across="method" cells="{ms}" where="type=u8" --&gt;
 * &lt;!-- end --&gt;
 * </pre>
 *
 * {@code rows}: the columns of the CSV that tell rows apart, each with a title if it is another. {@code across}: a column whose values become
 * columns. {@code cells}: the other columns, {@code title: text with {column}}, separated by semicolons; with {@code across}, one text without a
 * title. {@code where}: conditions, separated by semicolons, {@code column=value,value} or {@code column!=value}. A name that ends in {@code ?} is
 * left out as long as there is no such file. {@code across} can be a text with {columns}, too. {@code machine}, {@code java}, {@code commit},
 * {@code date} and {@code command} are columns, too. {@code {column|range}} writes the lowest and the highest of several rows, and {@code {column|2}}
 * two significant digits instead of three, also of a whole number. {@code source="no"} leaves the line below the table out.
 */
public final class GeneratedTables {

	private static final String END = "<!-- end -->";
	private static final Pattern START = Pattern.compile(".*<!-- table ([\\w,?-]+)((?: \\w+=\"[^\"]*\")*) -->"),
		ATTRIBUTE = Pattern.compile("(\\w+)=\"([^\"]*)\""),
		VALUE = Pattern.compile("\\{([^{}|]+)(?:\\|(range))?(?:\\|(\\d))?\\}");
	private static final Set<String> KNOWN = Set.of("rows", "across", "cells", "where", "source");

	private final Path data;
	/** Where the document finds the files. */
	private final String link;
	private final Set<String> used = new TreeSet<>();

	/**
	 * @param data the folder of the CSV files
	 * @param document a file in the project's folder, or in {@code src/doc}
	 */
	public GeneratedTables(final Path data, final Path document) {
		this.data = data;
		link = document.getParent() == null ? "src/doc/data/" : "data/";
	}

	/** The names of the CSV files of the documents that were made. */
	public Set<String> used() {
		return used;
	}

	/** The document with all tables made of the files. */
	public List<String> regenerated(final List<String> lines) throws IOException {
		final List<String> out = new ArrayList<>();
		for (int i = 0; i < lines.size(); i++) {
			final String line = lines.get(i);
			out.add(line);
			final Matcher start = START.matcher(line);
			if (line.contains("<!-- table") && !start.matches()) throw new IllegalArgumentException("not a marker of a table: " + line);
			if (!start.matches()) continue;
			while (++i < lines.size() && !lines.get(i).equals(END)) if (lines.get(i).contains("<!--")) throw new IllegalArgumentException(line
				+ ": the next marker is not " + END);
			if (i == lines.size()) throw new IllegalArgumentException(line + ": there is no " + END);
			out.add("");
			out.addAll(table(start.group(1).split(","), attributes(start.group(2))));
			out.add(END);
		}
		return out;
	}

	private static Map<String, String> attributes(final String text) {
		final Map<String, String> attributes = new LinkedHashMap<>();
		for (final Matcher m = ATTRIBUTE.matcher(text); m.find();) {
			if (!KNOWN.contains(m.group(1))) throw new IllegalArgumentException("unknown attribute " + m.group(1) + "; known: " + new TreeSet<>(KNOWN));
			attributes.put(m.group(1), m.group(2));
		}
		return attributes;
	}

	/** A column of the document: its title, and the text of a cell. */
	private record Column(String title, String text) {

		/** Of {@code name:title} or {@code name}. */
		static Column ofRow(final String text) {
			final int colon = text.indexOf(':');
			return colon < 0 ? new Column(text, text) : new Column(text.substring(colon + 1), text.substring(0, colon));
		}

		/** Of {@code title: text} or {@code text}. */
		static Column ofCell(final String text) {
			final int colon = text.indexOf(": ");
			return colon < 0 ? new Column("", text.strip()) : new Column(text.substring(0, colon).strip(), text.substring(colon + 2).strip());
		}
	}

	private List<String> table(final String[] names, final Map<String, String> how) throws IOException {
		final List<Map<String, String>> rows = new ArrayList<>();
		final Set<String> sources = new LinkedHashSet<>();
		for (final String name : names) {
			final Path file = data.resolve(name.replace("?", "") + ".csv");
			if (name.endsWith("?") && !Files.exists(file)) continue;
			final DocumentTable table = DocumentTable.read(file);
			used.add(name.replace("?", ""));
			final Origin o = table.origin();
			for (final Map<String, String> row : table.rows()) {
				row.putAll(Map.of("machine", o.machine(), "java", o.java(), "commit", o.commit(), "date", o.date(), "command", o.command()));
				if (meets(row, how.getOrDefault("where", ""))) rows.add(row);
			}
			sources.add(o.machine() + ", Java " + o.java() + ", " + o.date() + ", commit " + o.commit() + ", `" + o.command() + "`: [numbers](" + link
				+ file.getFileName() + ")");
		}
		if (sources.isEmpty()) return List.of("Not measured yet.");
		if (rows.isEmpty()) throw new IllegalArgumentException(Arrays.toString(names) + " have no rows where " + how.get("where"));
		final List<Column> keys = Arrays.stream(how.get("rows").split(";")).map(Column::ofRow).toList(), cells = Arrays.stream(how.get("cells").split(";"))
			.map(Column::ofCell).toList();
		final String across = how.get("across");
		final Map<List<String>, List<Map<String, String>>> groups = new LinkedHashMap<>();
		for (final Map<String, String> row : rows) groups.computeIfAbsent(keys.stream().map(k -> cell(row, k.text())).toList(), k -> new ArrayList<>()).add(row);
		final Set<String> kinds = new LinkedHashSet<>();
		if (across != null) for (final Map<String, String> row : rows) kinds.add(kind(row, across));
		final List<String> titles = new ArrayList<>(keys.stream().map(Column::title).toList());
		if (across == null) cells.forEach(c -> titles.add(c.title()));
		else titles.addAll(kinds);
		final List<String> out = new ArrayList<>(List.of(line(titles), "|" + "---|".repeat(titles.size())));
		groups.forEach((key, group) -> {
			final List<String> line = new ArrayList<>(key);
			if (across == null) for (final Column c : cells) line.add(text(group, c.text()));
			else for (final String kind : kinds) {
				final List<Map<String, String>> its = group.stream().filter(row -> kind(row, across).equals(kind)).toList();
				line.add(its.isEmpty() ? "-" : text(its, cells.get(0).text()));
			}
			out.add(line(line));
		});
		out.add("");
		if (!"no".equals(how.get("source"))) {
			for (final String source : sources) out.add("*" + source + "*" + (sources.size() > 1 ? "<br>" : ""));
		}
		return out;
	}

	private static boolean meets(final Map<String, String> row, final String conditions) {
		if (conditions.isEmpty()) return true;
		for (final String condition : conditions.split(";")) {
			final int equals = condition.indexOf('=');
			final boolean not = condition.charAt(equals - 1) == '!';
			if (not == Arrays.asList(condition.substring(equals + 1).split(",")).contains(cell(row, condition.substring(0, not ? equals - 1 : equals)))) return false;
		}
		return true;
	}

	private static String cell(final Map<String, String> row, final String column) {
		final String value = row.get(column);
		if (value == null) throw new IllegalArgumentException("no column " + column + "; columns: " + row.keySet());
		return value;
	}

	/** The value of a column, or a text with such values. */
	private static String kind(final Map<String, String> row, final String across) {
		return across.contains("{") ? text(List.of(row), across) : cell(row, across);
	}

	private static String text(final List<Map<String, String>> rows, final String text) {
		final StringBuilder out = new StringBuilder();
		final Matcher m = VALUE.matcher(text);
		while (m.find()) {
			final int digits = m.group(3) == null ? 3 : Integer.parseInt(m.group(3));
			final List<String> values = rows.stream().map(row -> cell(row, m.group(1))).distinct().toList();
			if (m.group(2) == null && values.size() > 1) throw new IllegalArgumentException(text + " of several rows: " + values + "; add a key to rows, or |range");
			m.appendReplacement(out, Matcher.quoteReplacement(m.group(2) != null ? range(values, digits)
				: m.group(3) == null ? DocumentTable.shown(values.get(0), digits) : DocumentTable.rounded(values.get(0), digits)));
		}
		return m.appendTail(out).toString();
	}

	private static String range(final List<String> values, final int digits) {
		final List<String> sorted = values.stream().sorted((a, b) -> Double.compare(Double.parseDouble(a), Double.parseDouble(b)))
			.map(v -> DocumentTable.shown(v, digits)).toList();
		final String low = sorted.get(0), high = sorted.get(sorted.size() - 1);
		return low.equals(high) ? low : low + " to " + high;
	}

	private static String line(final List<String> cells) {
		return "| " + String.join(" | ", cells.stream().map(c -> c.isEmpty() ? "-" : c).toList()) + " |";
	}

	/** Makes the tables of a document anew. */
	public static void rewrite(final Path document) throws IOException {
		final List<String> before = Files.readAllLines(document), after = new GeneratedTables(DocumentTable.FOLDER, document).regenerated(before);
		if (after.equals(before)) return;
		Files.write(document, after);
		System.out.println("wrote the tables of " + document);
	}
}
