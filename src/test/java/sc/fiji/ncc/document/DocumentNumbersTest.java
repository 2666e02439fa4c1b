package sc.fiji.ncc.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.Algorithm;

/** What the documents and their pictures show is what the tables have; what the tables and documents name is in the code. */
class DocumentNumbersTest {

	private static final Path FOLDER = Path.of("src", "doc");
	/** Documents whose numbers are all generated. */
	private static final List<Path> MEASURED = List.of(Path.of("README.md"), FOLDER.resolve("performance.md"), FOLDER.resolve("trust.md"),
		FOLDER.resolve("stitching.md"));
	private static final Pattern ID = Pattern.compile("(?:cpu|cuda)-[a-z]+(?:-[a-z]+)*"), CODE = Pattern.compile("`([^`]+)`"),
		OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+[a-z]"),
		NUMBER = Pattern.compile("[*`]*\\d[\\d.,]+(?: to \\d[\\d.,]*)?(?: (?:ms|s|ns|%|times))?[*`]*|\\d (?:ms|s|ns|%|times)");
	/** Options of other programs that documents name. */
	private static final Set<String> OTHERS = Set.of("--add-modules", "--add-opens", "--enable-native-access", "--headless", "--run", "--class",
		"--deploy-mode", "--driver-memory", "--executor-cores",
		"--executor-memory", "--name", "--num-executors", "--master", "--conf", "--cores", "--host", "--port", "--work-dir");

	@TestFactory
	List<DynamicTest> tablesHaveTheNumbersOfTheFiles() throws IOException {
		return pages().stream().map(page -> dynamicTest(String.valueOf(page), () -> {
			final List<String> lines = Files.readAllLines(page), made = new GeneratedTables(DocumentTable.FOLDER, page).regenerated(lines);
			assertEquals(String.join("\n", made), String.join("\n", lines), page + ": make the tables anew with Documents --draw");
		})).toList();
	}

	/** A number in a table comes from a file. */
	@Test
	void noTableOfMeasuredDocumentsIsWrittenByHand() throws IOException {
		final List<String> wrong = new ArrayList<>();
		for (final Path page : MEASURED) {
			boolean generated = false;
			for (final String line : Files.readAllLines(page)) {
				if (line.contains("<!-- table")) generated = true;
				if (line.equals("<!-- end -->")) generated = false;
				if (!generated && hasNumber(line)) wrong.add(page + ": " + line);
			}
		}
		assertEquals(List.of(), wrong);
		assertTrue(hasNumber("| 8x8 | 4.9 to 5.1 | - |") && hasNumber("| a | 12 ms |") && !hasNumber("| 8x8 | OpenCV 4.13 |") && !hasNumber("12 ms"));
	}

	private static boolean hasNumber(final String line) {
		return line.startsWith("|") && Stream.of(line.split("\\|")).anyMatch(cell -> NUMBER.matcher(cell.strip()).matches());
	}

	/** The sums below the table of stitching. */
	@Test
	void sumsOfStitchingAreThoseOfItsRows() throws IOException {
		final List<Map<String, String>> rows = DocumentTable.read(DocumentTable.FOLDER.resolve("stitching-error.csv")).rows();
		final String text = text(FOLDER.resolve("stitching.md"));
		assertTrue(text.contains(String.format(Locale.ROOT, "%,d of 4x3 tiles", sum(rows, "mosaics"))), "mosaics");
		for (final String way : List.of("", "phase_")) {
			final String sums = String.format(Locale.ROOT, "f %,d links%s, %,d %s wrong; of %,d tiles, %,d are wrong, and %,d of these %s not flagged.",
				sum(rows, way + "links"),
				way.isEmpty() ? " that were used" : "", sum(rows, way + "wrong_links"), sum(rows, way + "wrong_links") == 1 ? "is" : "are", sum(rows, "tiles"),
				sum(rows, way + "wrong_tiles"), sum(rows, way + "not_flagged"), sum(rows, way + "not_flagged") == 1 ? "is" : "are");
			assertTrue(text.contains(sums), sums);
		}
		final double[] ratios = numbers(rows, "predicted_over_observed");
		final String stated = String.format("between 0.8 and 1.25 in %d of %d rows, and between 0.6 and 1.3 in all", Arrays.stream(ratios).filter(r -> r >= 0.8
			&& r <= 1.25).count(), ratios.length);
		assertTrue(text.contains(stated), stated);
		assertTrue(ratios[0] >= 0.6 && ratios[ratios.length - 1] <= 1.3, () -> Arrays.toString(ratios));
	}

	/** What the text says of the times that {@code --effort measure} keeps. */
	@Test
	void ratiosOfMeasuredTimesAreThoseOfTheFiles() throws IOException {
		final List<Map<String, String>> rows = new ArrayList<>();
		for (final String operation : List.of("correlation", "convolution"))
			rows.addAll(DocumentTable.read(DocumentTable.FOLDER.resolve("measured-" + operation + ".csv")).rows());
		final double[] ratios = numbers(rows, "ratio"), calls = numbers(rows, "call_ratio");
		final String stated = String.format(Locale.ROOT, "is %.2f in the median of %d rows, above 1.5 in %d, and at most %.2f. "
			+ "Two series of the same calls differ by up to %.2f.", ratios[ratios.length / 2], ratios.length, Arrays.stream(ratios).filter(r -> r > 1.5).count(),
			ratios[ratios.length - 1], calls[calls.length - 1]);
		assertTrue(text(FOLDER.resolve("performance.md")).contains(stated), stated);
	}

	/** The text compares the times of fits and of later passes with the time of a search. */
	@Test
	void timesOfMotionAreThoseOfTheFile() throws IOException {
		final Map<List<String>, Map<String, Double>> times = new LinkedHashMap<>();
		for (final Map<String, String> row : DocumentTable.read(DocumentTable.FOLDER.resolve("motion-speed.csv")).rows())
			if (row.get("method").equals("motion")) times.computeIfAbsent(List.of(row.get("frame"), row.get("bits")), k -> new LinkedHashMap<>()).put(
				row.get("passes") + row.get("refined"), Double.parseDouble(row.get("median_ms")));
		final double[] fits = times.values().stream().mapToDouble(t -> t.get("1yes") / t.get("1no") - 1).sorted().toArray(),
			passes = times.values().stream().mapToDouble(t -> (t.get("3no") / t.get("1no") - 1) / 2).sorted().toArray();
		final String stated = String.format(Locale.ROOT, "takes %.1f to %.1f times as long as the search. A later pass, which deforms both frames and searches "
			+ "again, takes %.1f to %.1f times as long as the search.", fits[0], fits[fits.length - 1], passes[0], passes[passes.length - 1]);
		assertTrue(text(FOLDER.resolve("motion.md")).contains(stated), stated);
	}

	/** What the text says of predicted times on a GPU. */
	@Test
	void predictedTimesAreThoseOfTheFile() throws IOException {
		final List<Map<String, String>> rows = DocumentTable.read(DocumentTable.FOLDER.resolve("estimates-gpu.csv")).rows();
		final List<Double> stated = new ArrayList<>();
		for (final String column : List.of("shipped_ms", "calibrated_ms")) {
			final double[] factors = rows.stream().mapToDouble(row -> Double.parseDouble(row.get(column)) / Double.parseDouble(row.get("measured_ms")))
				.map(f -> Math.max(f, 1 / f)).sorted().toArray();
			stated.add(factors[factors.length / 2]);
			stated.add(factors[factors.length - 1]);
		}
		final String text = String.format(Locale.ROOT, "%d predictions for %d calls are off by a factor of %.2f in the median and at most %.2f as they are, "
			+ "and %.2f and %.2f after a calibration.", rows.size(), rows.stream().map(row -> List.of(row.get("frames"), row.get("result"), row.get("type"),
			row.get("image"), row.get("templates"), row.get("template"))).distinct().count(), stated.get(0), stated.get(1), stated.get(2), stated.get(3));
		assertTrue(text(FOLDER.resolve("performance.md")).contains(text), text);
	}

	/** Sorted. */
	private static double[] numbers(final List<Map<String, String>> rows, final String column) {
		return rows.stream().mapToDouble(row -> Double.parseDouble(row.get(column))).sorted().toArray();
	}

	private static int sum(final List<Map<String, String>> rows, final String column) {
		return rows.stream().mapToInt(row -> Integer.parseInt(row.get(column))).sum();
	}

	@Test
	void everyTableIsShown() throws IOException {
		final Set<String> shown = new TreeSet<>();
		DocumentFigure.ALL.forEach(f -> shown.addAll(f.tables()));
		for (final Path page : pages()) {
			final GeneratedTables tables = new GeneratedTables(DocumentTable.FOLDER, page);
			tables.regenerated(Files.readAllLines(page));
			shown.addAll(tables.used());
			for (final Matcher m = Pattern.compile("data/([\\w-]+)\\.csv\\)").matcher(Files.readString(page)); m.find();) shown.add(m.group(1));
		}
		assertEquals(List.of(), tables().keySet().stream().filter(name -> !shown.contains(name)).toList(), "no document and no picture shows these tables");
	}

	@Test
	void everyPictureIsMadeAndHasItsTables() throws IOException {
		final Set<String> made = new TreeSet<>(), there = new TreeSet<>();
		for (final DocumentFigure f : DocumentFigure.ALL) {
			made.add(f.file().getFileName().toString());
			assertEquals(f.tables().stream().anyMatch(t -> Files.exists(DocumentTable.FOLDER.resolve(t + ".csv"))), Files.exists(f.file()),
				f.file() + " and its tables " + f.tables() + ": one exists without the other; run Documents --draw or --windows");
		}
		try (Stream<Path> files = Files.list(FOLDER)) {
			files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(".png")).forEach(there::add);
		}
		there.removeAll(made);
		assertEquals(Set.of(), there, "DocumentFigure does not have these pictures");
		final String documents = pages().stream().map(DocumentNumbersTest::text).collect(Collectors.joining());
		assertEquals(List.of(), DocumentFigure.ALL.stream().filter(f -> Files.exists(f.file())
			&& !documents.contains(f.name() + ".png)")).map(DocumentFigure::name).toList(),
			"no document shows these pictures");
	}

	/** Ids in the tables and, as code, in the documents. */
	@Test
	void algorithmsExist() throws IOException {
		final Set<String> known = Backends.all(1).stream().flatMap(b -> b.algorithms().stream()).map(Algorithm::id).collect(Collectors.toCollection(TreeSet::new));
		final Set<String> wrong = new TreeSet<>();
		for (final Map.Entry<String, DocumentTable> table : tables().entrySet())
			for (final Map<String, String> row : table.getValue().rows())
				for (final String cell : row.values())
					for (final Matcher m = ID.matcher(cell); m.find();) if (!known.contains(m.group())) wrong.add(table.getKey() + ".csv: " + m.group());
		for (final Path page : pages())
			for (final Matcher m = CODE.matcher(text(page)); m.find();) if (ID.matcher(m.group(1)).matches() && !m.group(1).equals("cuda-redist")
				&& !known.contains(m.group(1))) wrong.add(page + ": " + m.group(1));
		assertEquals(Set.of(), wrong, "known: " + known);
	}

	/** Options in the commands of the tables and, as code, in the documents. */
	@Test
	void optionsExist() throws IOException {
		final String code = sources();
		final Set<String> wrong = new TreeSet<>();
		final Map<String, String> texts = new LinkedHashMap<>();
		tables().forEach((name, table) -> texts.put(name + ".csv", "`" + table.origin().command() + "`"));
		for (final Path page : pages()) texts.put(page.toString(), text(page));
		texts.forEach((where, text) -> {
			for (final Matcher span = CODE.matcher(text); span.find();)
				for (final Matcher m = OPTION.matcher(span.group(1)); m.find();)
					if (!OTHERS.contains(m.group()) && !code.contains("\"" + m.group() + "\"")
						&& !code.contains("\"" + m.group().replaceFirst("^--no-", "--") + "\"")) wrong.add(where + ": " + m.group());
		});
		assertEquals(Set.of(), wrong);
	}

	/** A label, a button or a column in the picture of a window is a text of the program. */
	@Test
	void windowsShowTextsOfTheProgram() throws IOException {
		final String code = sources().replace("\\u2026", "...");
		final Set<String> wrong = new TreeSet<>();
		int seen = 0;
		for (final Map.Entry<String, DocumentTable> table : tables().entrySet()) {
			if (!table.getKey().startsWith("picture-")) continue;
			for (final Map<String, String> row : table.getValue().rows()) {
				if (!Set.of("label", "button", "column").contains(row.get("kind")) || Set.of("OK", "Cancel").contains(row.get("text"))) continue;
				seen++;
				// columns of coordinates are made of a name and an axis
				if (!code.contains('"' + row.get("text")) && !code.contains('"' + row.get("text").replaceFirst("[XYZ]$", "") + '"')) wrong.add(table.getKey()
					+ ".csv: " + row.get("text"));
			}
		}
		assertEquals(Set.of(), wrong, "not in the program; take the pictures anew with Documents --windows");
		assertTrue(seen > 50, seen + " texts were found");
	}

	/** The picture of ImageJ2 is taken by a person. Its dialog has the texts of the one that {@code Documents --windows} takes in plain ImageJ. */
	@Test
	void theDialogInFijiIsThatOfToday() throws IOException {
		final Map<String, DocumentTable> tables = tables();
		final List<List<String>> dialogs = Stream.of("fiji", "find-matches").map(name -> tables.get("picture-dialog-" + name).rows().stream()
			.filter(row -> !row.get("kind").equals("text")).map(row -> row.get("kind") + " " + row.get("text")).toList()).toList();
		assertTrue(dialogs.get(1).size() > 8, () -> dialogs.get(1) + " are all texts of the dialog");
		assertEquals(dialogs.get(1), dialogs.get(0));
	}

	/** Benchmarks in the commands of the tables. */
	@Test
	void benchmarksExist() throws IOException {
		final Path root = Path.of("src/bench/java/sc/fiji/ncc");
		final Set<String> wrong = new TreeSet<>();
		tables().forEach((name, table) -> {
			final String command = table.origin().command();
			final Matcher m = Pattern.compile("(?:bench )?([\\w.]*[A-Z]\\w+)\\b.*").matcher(command);
			if (!m.matches()) return;
			final String path = m.group(1).replace('.', '/') + ".java";
			if (Stream.of("bench", "cuda", "cuda/shifts").noneMatch(folder -> Files.exists(root.resolve(folder).resolve(path)))) wrong.add(name + ".csv: " + command);
		});
		assertEquals(Set.of(), wrong);
	}

	/** One program makes all tables of GPUs. */
	@Test
	void tablesOfGpusAreMadeByGpuDocuments() throws IOException {
		final String program = Files.readString(Path.of("src/bench/java/sc/fiji/ncc/bench/document/GpuDocuments.java"));
		final List<String> gpu = tables().entrySet().stream().filter(t -> t.getValue().origin().machine().contains("NVIDIA")).map(Map.Entry::getKey).toList();
		assertTrue(gpu.size() > 10, gpu + " are all tables of GPUs");
		assertEquals(List.of(), gpu.stream().filter(name -> !program.contains("ALL.put(\"" + name + "\", ")).toList());
	}

	private static Map<String, DocumentTable> tables() throws IOException {
		final Map<String, DocumentTable> tables = new LinkedHashMap<>();
		try (Stream<Path> files = Files.list(DocumentTable.FOLDER)) {
			for (final Path file : files.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) tables.put(file.getFileName().toString()
				.replace(".csv", ""), DocumentTable.read(file));
		}
		assertTrue(tables.size() > 20, tables.keySet() + " are all tables");
		return tables;
	}

	private static List<Path> pages() throws IOException {
		final List<Path> pages = new ArrayList<>(List.of(Path.of("README.md")));
		try (Stream<Path> files = Files.list(FOLDER)) {
			files.filter(f -> f.toString().endsWith(".md")).sorted().forEach(pages::add);
		}
		return pages;
	}

	private static String text(final Path page) {
		try {
			return Files.readString(page);
		}
		catch (final IOException e) {
			throw new AssertionError(page + " cannot be read", e);
		}
	}

	/** All Java of the program and of its benchmarks. */
	private static String sources() throws IOException {
		final Collection<String> all = new ArrayList<>();
		for (final String root : List.of("src/main/java", "src/bench/java", "src/spark/java", "src/test/java/sc/fiji/ncc/contract"))
			try (Stream<Path> files = Files.walk(Path.of(root))) {
				files.filter(f -> f.toString().endsWith(".java")).map(DocumentNumbersTest::text).forEach(all::add);
			}
		return String.join("\n", all);
	}
}
