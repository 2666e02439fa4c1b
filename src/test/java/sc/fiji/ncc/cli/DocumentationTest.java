package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine.ParameterException;
import picocli.CommandLine;

import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.planner.CostCalibration;

/** The links and the command lines of the documents. The command lines run on the files of {@code ncc sample --all}. */
class DocumentationTest extends InFolder {

	private static final Path README = Path.of("README.md"), FOLDER = Path.of("src", "doc");
	/** The target of {@code [text](target)} and of {@code ![text](target)}. */
	private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
	private static final Pattern HEADING = Pattern.compile("#{1,6} (.+)");
	/** {@code ncc …} and {@code java … -jar ncc-cli.jar …}, up to what the shell would not give to the program. */
	private static final Pattern COMMAND = Pattern.compile("(?:^|\\s)(?:ncc|java [^|;&]*-jar \\S*ncc-cli\\.jar)((?: +[^|;&>\\s]+)+)");

	/** Stands alone before a code block. Its commands need what a build does not have. */
	private static final Pattern NOT_RUN = Pattern.compile("<!-- not run: .+ -->");
	/** Stands alone before a code block that shows what the last command before it prints. … stands for any text of a line. */
	private static final String PRINTED = "<!-- printed -->";
	/** A file or folder: it has a known ending, or a slash at its end. */
	private static final Pattern FILE = Pattern.compile("[\\w./{}-]+(\\.(tif|png|csv|txt|zarr|json|xml|vti)|\\.zarr/\\d|/)|(more-)?(examples|tiles)");

	/**
	 * A line of a document.
	 *
	 * @param mark the line before its code block
	 */
	private record Line(Path page, int number, String text, String mark) {

		String place() {
			return page + ":" + number;
		}
	}

	@TempDir
	static Path once;

	@BeforeAll
	static void writeSamples() {
		// enough for a run of each algorithm
		PlanSubcommand.calibrationSeconds = 1;
		assertEquals(0, Main.run(new String[] { "sample", "--all", once.resolve("samples").toString() }, System.out, System.err, false));
	}

	@AfterAll
	static void restoreTimeOfCalibrations() {
		PlanSubcommand.calibrationSeconds = CostCalibration.SECONDS;
	}

	private static void copy(final Path from, final Path to) {
		try (Stream<Path> all = Files.walk(from)) {
			for (final Path p : all.toList()) Files.copy(p, to.resolve(from.relativize(p)));
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	@TestFactory
	List<DynamicTest> links() throws IOException {
		final List<DynamicTest> tests = new ArrayList<>();
		for (final Path page : pages())
			for (final Line line : lines(page, false))
				for (final Matcher m = LINK.matcher(line.text); m.find();) {
					final String target = m.group(1);
					if (target.matches("[a-z]+://.*|mailto:.*")) continue;
					tests.add(dynamicTest(line.place() + " " + target, () -> assertResolves(page, target)));
				}
		assertTrue(tests.size() > 50, tests.size() + " links were found");
		return tests;
	}

	/** The packages and classes that the page on the architecture names, such as {@code cpu.tile} and {@code run.BoxQueue}. */
	@TestFactory
	List<DynamicTest> packagesAndClasses() throws IOException {
		final Path root = Path.of("src/main/java/sc/fiji/ncc"), page = FOLDER.resolve("architecture.md");
		final List<DynamicTest> tests = new ArrayList<>();
		final String text = Files.readString(page);
		for (final Matcher m = Pattern.compile("`((?:[a-z0-9]+\\.)+)([A-Z]\\w+)").matcher(text); m.find();) {
			final Path file = root.resolve(m.group(1).replace('.', '/')).resolve(m.group(2) + ".java");
			tests.add(dynamicTest(m.group(1) + m.group(2), () -> assertTrue(Files.exists(file), page + " names a class that does not exist: " + file)));
		}
		try (Stream<Path> files = Files.walk(root)) {
			files.filter(f -> f.endsWith("package-info.java")).map(f -> root.relativize(f.getParent()).toString().replace('/', '.')).filter(p -> !p.isEmpty())
				.forEach(p -> tests.add(dynamicTest("package " + p, () -> assertTrue(text.contains("`" + p + "`"), page + " does not name the package " + p))));
		}
		assertTrue(tests.size() > 40, tests.size() + " names were found");
		return tests;
	}

	@TestFactory
	List<DynamicTest> commandLines() throws IOException {
		final List<DynamicTest> tests = new ArrayList<>();
		for (final Path page : pages())
			for (final Line line : lines(page, true))
				for (final List<String> arguments : commands(line.text)) tests.add(dynamicTest(line.place() + " ncc " + String.join(" ", arguments), () -> assertParses(arguments)));
		assertTrue(tests.size() > 30, tests.size() + " command lines were found");
		return tests;
	}

	/** All command lines of a document, one after the other in the order of the document, in a folder of the sample files. */
	@TestFactory
	List<DynamicTest> commandLinesRun() throws IOException {
		final List<DynamicTest> tests = new ArrayList<>();
		for (final Path page : pages()) {
			final List<Line> lines = lines(page, true);
			if (lines.stream().anyMatch(line -> !commands(line.text).isEmpty() && !NOT_RUN.matcher(line.mark).matches()))
				tests.add(dynamicTest(page.toString(), () -> assertRuns(page.getFileName().toString(), lines)));
		}
		assertTrue(tests.size() > 6, tests.size() + " documents have command lines");
		return tests;
	}

	private void assertRuns(final String name, final List<Line> lines) {
		final String files = folder.resolve(name).toString();
		copy(once.resolve("samples"), Path.of(files));
		for (final Line line : lines) {
			if (line.mark.equals(PRINTED)) {
				final String says = out.toString().replace(files + "/", ""), wanted = Pattern.quote(line.text.strip()).replace("…", "\\E.*\\Q");
				assertTrue(says.lines().anyMatch(l -> l.strip().matches(wanted)), () -> line.place() + ": the command prints\n" + says);
			}
			else if (!NOT_RUN.matcher(line.mark).matches())
				for (final List<String> arguments : commands(line.text))
					assertEquals(0, execute(files, arguments), () -> line.place() + " ncc " + String.join(" ", arguments) + ": " + err);
		}
	}

	/** @param in the folder of the files; null: the names are absolute */
	private int execute(final String in, final List<String> arguments) {
		out.reset();
		err.reset();
		final String[] words = arguments.stream().map(a -> in != null && FILE.matcher(a).matches() ? in + "/" + a : a).toArray(String[]::new);
		return Main.run(words, new PrintStream(out, true), new PrintStream(err, true), false);
	}

	@Test
	void commandsThatFailAreSeen() {
		final Line line = new Line(README, 1, "ncc match coins.png nothing.tif -o m.csv", ""), marked = new Line(README, 1, line.text, "<!-- not run: fails -->");
		assertThrows(AssertionError.class, () -> assertRuns("a", List.of(line)));
		assertRuns("b", List.of(marked, new Line(README, 2, "ncc sample coins.png", "")));
		final Line printed = new Line(README, 3, "  ran", PRINTED);
		assertThrows(AssertionError.class, () -> assertRuns("c", List.of(new Line(README, 2, "ncc sample coins.png", ""), printed)));
	}

	/** What finds nothing, or accepts everything, would be worth nothing. */
	@Test
	void mistakesAreSeen() {
		assertEquals(List.of(List.of("plan", "--map", "p.png"), List.of("wisdom", "show")), Stream.of("until java -Xmx3g -jar ncc-cli.jar plan --map p.png; do", "ncc wisdom show")
			.flatMap(t -> commands(t).stream()).toList());
		assertEquals(List.of(), commands("alias ncc='java -jar /path/to/ncc-cli.jar'"));
		assertParses(List.of("plan", "--map", "p.png"));
		for (final List<String> wrong : List.of(List.of("plann"), List.of("plan", "--mapp", "p.png"), List.of("wisdom", "burn"), List.of("plan", "--image", "wide"),
			List.of("convolve", "a.tif", "k.tif")))
			assertThrows(AssertionError.class, () -> assertParses(wrong), String.valueOf(wrong));
		for (final String wrong : List.of("src/doc/nothing.md", "src/doc/glossary.md#nothing", "#nothing"))
			assertThrows(AssertionError.class, () -> assertResolves(README, wrong), wrong);
	}

	private static List<Path> pages() throws IOException {
		final List<Path> pages = new ArrayList<>(List.of(README));
		try (Stream<Path> files = Files.list(FOLDER)) {
			files.filter(f -> f.toString().endsWith(".md")).sorted().forEach(pages::add);
		}
		return pages;
	}

	/** @param fenced the lines of code blocks for shells, which name no language or sh, and of outputs; else those outside code blocks */
	private static List<Line> lines(final Path page, final boolean fenced) {
		final List<Line> lines = new ArrayList<>();
		String language = null, mark = "", before = ""; // language of the code block, the lines before it and before this one
		int number = 0;
		try {
			for (final String text : Files.readAllLines(page)) {
				number++;
				if (text.startsWith("```")) {
					language = language == null ? text.substring(3).strip() : null;
					mark = before;
				}
				else if (fenced ? "".equals(language) || "sh".equals(language) || language != null && mark.equals(PRINTED) : language == null)
					lines.add(new Line(page, number, text, language == null ? "" : mark));
				if (!text.isBlank()) before = text.strip();
			}
		}
		catch (final IOException e) {
			throw new AssertionError(page + " cannot be read", e);
		}
		assertNull(language, page + ": a code block has no end");
		return lines;
	}

	private static void assertResolves(final Path page, final String target) {
		final int hash = target.indexOf('#');
		final String file = hash < 0 ? target : target.substring(0, hash);
		final Path path = file.isEmpty() ? page : page.resolveSibling(file).normalize();
		assertTrue(Files.exists(path), () -> page + " links to " + target + ": there is no " + path);
		if (hash >= 0) assertTrue(anchors(path).contains(target.substring(hash + 1)), () -> page + " links to " + target + ": no heading of " + path + " has that name");
	}

	/** As GitHub makes them of headings. */
	private static Set<String> anchors(final Path page) {
		final Set<String> anchors = new LinkedHashSet<>();
		for (final Line line : lines(page, false)) {
			final Matcher m = HEADING.matcher(line.text);
			if (!m.matches()) continue;
			final String anchor = m.group(1).strip().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
			String unique = anchor;
			for (int n = 1; !anchors.add(unique); n++) unique = anchor + "-" + n;
		}
		return anchors;
	}

	/** The arguments of each call of the program in a line; none where the document leaves them out. */
	private static List<List<String>> commands(final String text) {
		final List<List<String>> found = new ArrayList<>();
		for (final Matcher m = COMMAND.matcher(text); m.find();) {
			final List<String> arguments = List.of(m.group(1).strip().split(" +"));
			if (!arguments.contains("…")) found.add(arguments);
		}
		return found;
	}

	/** The options and values of the real program; nothing runs. */
	private static void assertParses(final List<String> arguments) {
		try {
			program(arguments.get(0)).parseArgs(arguments.toArray(new String[0]));
		}
		catch (final ParameterException e) {
			throw new AssertionError("ncc " + String.join(" ", arguments) + ": " + e.getMessage(), e);
		}
	}

	private static CommandLine program(final String command) {
		return Main.commandLine(command, new Terminal(System.out, System.err, false), null);
	}
}
