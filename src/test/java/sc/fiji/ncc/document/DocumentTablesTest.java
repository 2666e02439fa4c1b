package sc.fiji.ncc.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTablesTest {

	private static final Origin ORIGIN = new Origin("AMD EPYC, 2 processors, Linux", "17", "7c923282", "2026-11-23", "bench Some --repeats 3");

	@TempDir
	private Path folder;

	private void write(final String name) throws IOException {
		final DocumentTable table = new DocumentTable(ORIGIN, "run", "template", "type", "ms");
		table.row(1, "8x8", "8 bit", 12.3456789);
		table.row(2, "8x8", "8 bit", 14.0);
		table.row(1, "32x32, \"large\"", "8 bit", 123.96);
		table.row(1, "8x8", "float", 0.027449);
		table.write(folder, name);
	}

	@Test
	void aTableIsReadAsItWasWritten() throws IOException {
		write("t");
		final DocumentTable read = DocumentTable.read(folder.resolve("t.csv"));
		assertEquals(ORIGIN, read.origin());
		assertEquals(List.of("run", "template", "type", "ms"), read.columns());
		assertEquals("12.346", read.rows().get(0).get("ms"));
		assertEquals("32x32, \"large\"", read.rows().get(2).get("template"));
	}

	@Test
	void aTableWithoutItsOriginIsRefused() throws IOException {
		final Path file = folder.resolve("t.csv");
		write("t");
		final List<String> lines = Files.readAllLines(file);
		for (int missing = 0; missing < 5; missing++) {
			final int it = missing;
			Files.write(file, IntStream.range(0, lines.size()).filter(i -> i != it).mapToObj(lines::get).toList());
			assertThrows(IllegalArgumentException.class, () -> DocumentTable.read(file), lines.get(missing));
		}
		Files.writeString(file, String.join("\n", lines) + "\n1,8x8");
		assertThrows(IllegalArgumentException.class, () -> DocumentTable.read(file));
	}

	@Test
	void documentsHaveTheNumbersOfTheFile() throws IOException {
		write("t");
		final List<String> document = List.of("before", "Times: <!-- table t rows=\"template\" across=\"type\" cells=\"{ms|range|2}\" -->", "stale",
			"<!-- end -->", "after");
		final List<String> made = new GeneratedTables(folder, Path.of("src/doc/x.md")).regenerated(document);
		assertEquals(List.of("before", document.get(1), "", "| template | 8 bit | float |", "|---|---|---|", "| 8x8 | 12 to 14 | 0.027 |",
			"| 32x32, \"large\" | 120 | - |", "",
			"*AMD EPYC, 2 processors, Linux, Java 17, 2026-11-23, commit 7c923282, `bench Some --repeats 3`: [numbers](data/t.csv)*", "<!-- end -->", "after"), made);
		assertEquals(made, new GeneratedTables(folder, Path.of("src/doc/x.md")).regenerated(made));
		final String whole = "<!-- table t rows=\"template:size;java\" cells=\"time, ms: {ms}\" where=\"run=2;type=8 bit,float\" source=\"no\" -->";
		assertEquals(List.of(whole, "", "| size | java | time, ms |", "|---|---|---|", "| 8x8 | 17 | 14.0 |", "", "<!-- end -->"),
			new GeneratedTables(folder, Path.of("README.md")).regenerated(List.of(whole, "<!-- end -->")));
	}

	@Test
	void mistakesInMarkersAreSeen() throws IOException {
		write("t");
		for (final String wrong : List.of("<!-- table t rows=template -->", "<!-- table t rows=\"template\" cells=\"ms: {ms}\" -->",
			"<!-- table t rows=\"size\" cells=\"ms: {ms}\" -->",
			"<!-- table t rows=\"run;template;type\" cells=\"ms: {seconds}\" -->", "<!-- table t rows=\"run\" cells=\"ms: {ms}\" where=\"type=none\" -->",
			"<!-- table t row=\"run;template;type\" cells=\"ms: {ms}\" -->"))
			assertThrows(IllegalArgumentException.class, () -> new GeneratedTables(folder, Path.of("README.md")).regenerated(List.of(wrong, "<!-- end -->")), wrong);
		assertThrows(IllegalArgumentException.class,
			() -> new GeneratedTables(folder, Path.of("README.md")).regenerated(List.of("<!-- table t rows=\"run;template;type\" cells=\"ms: {ms}\" -->", "text")));
	}

	@Test
	void numbersAreShownWithThreeDigits() {
		final String[][] cases = { { "12.345", "12.3" }, { "99.96", "100" }, { "1234.5", "1230" }, { "0.027449", "0.0274" }, { "9.0", "9.0" },
			{ "0.027", "0.027" }, { "9.0000", "9.00" }, { "0.0", "0.0" }, { "12", "12" },
			{ "8x8", "8x8" }, { "-1.2345", "-1.23" }, { "4.1e-05", "4.1e-05" } };
		for (final String[] c : cases) assertEquals(c[1], DocumentTable.shown(c[0], 3), c[0]);
		assertEquals("5.0", DocumentTable.shown("4.96", 2));
		assertEquals("100000", DocumentTable.rounded("100124", 3));
		assertEquals("8370000", DocumentTable.rounded("8370510", 3));
		assertEquals("12", DocumentTable.rounded("12", 3));
		assertEquals("5.0", DocumentTable.rounded("4.96", 2));
	}
}
