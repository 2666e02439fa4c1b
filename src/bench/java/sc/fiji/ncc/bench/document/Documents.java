package sc.fiji.ncc.bench.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.document.DocumentFigure;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.GeneratedTables;
import sc.fiji.ncc.document.Origin;
import sc.fiji.ncc.ij1.DocumentWindows;

/**
 * Makes the tables, charts and pictures of the documents: measures on the CPU, draws, takes pictures of windows, and writes the tables into the
 * documents. Without an option it does all of that. From the project's folder, or with the class path alone:
 *
 * <pre>
 * mvn -q -Pbench,documents test-compile exec:exec -Ddocuments="--measure"
 * java -cp … sc.fiji.ncc.bench.document.Documents --measure --only against-opencv --java /usr/lib/jvm/jdk-25 --to target/data
 * </pre>
 */
@Command(name = "Documents", mixinStandardHelpOptions = true, sortOptions = false)
public final class Documents implements Callable<Integer> {

	@Option(names = "--measure", description = "Measure on the CPU, and write the CSV files. Nothing else should run on the machine.")
	private boolean measure;
	@Option(names = "--draw", description = "Draw the charts of the CSV files, and make the tables of the documents anew.")
	private boolean draw;
	@Option(names = "--windows", description = "Take the pictures of windows in plain ImageJ, and those that the command line writes. Needs a display.")
	private boolean windows;
	@Option(names = "--only", split = ",", paramLabel = "NAME", description = "Only these tables and charts; see --list.")
	private List<String> only = List.of();
	@Option(names = "--quick", description = "Try all measurements with small sizes and few repeats. Give --to, because the numbers mean nothing.")
	private boolean quick;
	@Option(names = "--java", split = ",", paramLabel = "HOME", description =
		"Java homes, besides that of this process, for tables that compare several Javas. From Java 21 on with the Vector API.")
	private List<Path> javas = List.of();
	@Option(names = "--to", paramLabel = "DIR", description = "The folder for CSV files. Default: src/doc/data.")
	private Path to = DocumentTable.FOLDER;
	@Option(names = "--list", description = "Print the names and the commands.")
	private boolean list;

	public static void main(final String[] args) {
		System.exit(new CommandLine(new Documents()).execute(args));
	}

	@Override
	public Integer call() throws Exception {
		if (list) {
			for (final Measurement m : Measurement.ALL) System.out.println("table " + m.name() + ": " + m.benchmark().getName() + " " + m.arguments());
			for (final DocumentFigure f : DocumentFigure.ALL) System.out.println(f.kind().name().toLowerCase(Locale.ROOT) + " " + f.name() + ": " + f.tables());
			return 0;
		}
		if (quick && to.equals(DocumentTable.FOLDER)) throw new IllegalArgumentException("--quick writes numbers that mean nothing: give --to DIR, not " + to);
		final Set<String> known = Stream.concat(Measurement.ALL.stream().map(Measurement::name), DocumentFigure.ALL.stream().map(DocumentFigure::name))
			.collect(Collectors.toSet());
		for (final String name : only) if (!known.contains(name)) throw new IllegalArgumentException("unknown name: " + name + "; --list prints the names");
		final boolean all = !measure && !draw && !windows;
		final long start = System.nanoTime();
		if (all || measure) for (final Measurement m : Measurement.ALL) {
			if (!wanted(m.name())) continue;
			measure(m, Path.of(System.getProperty("java.home")));
			if (m.everywhere()) for (final Path java : javas) measure(m, java);
			System.out.printf("%.0f s until here%n", 1e-9 * (System.nanoTime() - start));
		}
		if (all || windows) DocumentWindows.take(only);
		if ((all || draw) && to.equals(DocumentTable.FOLDER)) {
			final Path times = to.resolve("crossover-cpu.csv");
			if (Files.exists(times)) Crossovers.of(DocumentTable.read(times)).write(to, "crossovers");
			Charts.draw(only);
			tables();
		}
		return 0;
	}

	private boolean wanted(final String name) {
		return only.isEmpty() || only.contains(name);
	}

	/** In processes of their own: what one measurement compiles and allocates is nothing to the next. */
	private void measure(final Measurement m, final Path java) throws IOException, InterruptedException {
		final Path scratch = Files.createTempDirectory("documents");
		final List<DocumentTable> runs = new ArrayList<>();
		int version = 0;
		for (int run = 1; run <= m.runs(); run++) {
			final Path csv = scratch.resolve(run + ".csv");
			version = run(m, java, csv);
			runs.add(DocumentTable.read(csv));
			Files.delete(csv);
			Files.deleteIfExists(scratch.resolve("wisdom.txt"));
		}
		Files.delete(scratch);
		merged(runs).write(to, m.everywhere() ? m.name() + "-" + processor(runs.get(0)) + "-" + version : m.name());
	}

	/** @return Java's version */
	private int run(final Measurement m, final Path java, final Path csv) throws IOException, InterruptedException {
		final int version = version(java);
		final List<String> command = new ArrayList<>(List.of(java.resolve("bin/java").toString(), "-Xmx3g", "-cp", System.getProperty("java.class.path")));
		if (version >= 21) command.add("--add-modules=jdk.incubator.vector");
		final String commit = System.getProperty(Origin.COMMIT);
		if (commit != null) command.add("-D" + Origin.COMMIT + "=" + commit);
		// times and constants of earlier runs would change the choice
		command.add("-Dncc.wisdom=" + csv.resolveSibling("wisdom.txt"));
		command.add(m.benchmark().getName());
		final String arguments = quick ? m.quick() : m.arguments();
		if (!arguments.isEmpty()) command.addAll(Arrays.asList(arguments.split(" ")));
		command.addAll(List.of("--csv", csv.toString()));
		System.out.println("== " + m.name() + ", Java " + version);
		final ProcessBuilder process = new ProcessBuilder(command).inheritIO();
		process.environment().put("NCC_CUDA", "off");
		final int code = process.start().waitFor();
		if (code != 0) throw new IllegalStateException(String.join(" ", command) + " ended with " + code);
		return version;
	}

	/** From the file {@code release} of a Java home. */
	private static int version(final Path java) throws IOException {
		try (Stream<String> lines = Files.lines(java.resolve("release"))) {
			return lines.filter(line -> line.startsWith("JAVA_VERSION=\"")).map(line -> Integer.parseInt(line.replaceAll("JAVA_VERSION=\"(\\d+).*", "$1"))).findFirst()
				.orElseThrow(() -> new IllegalArgumentException(java + "/release names no version"));
		}
	}

	private static String processor(final DocumentTable table) {
		final String machine = table.origin().machine();
		return machine.contains("EPYC") ? "epyc" : machine.contains("Xeon") ? "xeon" : machine.replaceAll(",.*", "").replaceAll("\\W+", "-").toLowerCase(Locale.ROOT);
	}

	private static DocumentTable merged(final List<DocumentTable> runs) {
		if (runs.size() == 1) return runs.get(0);
		final List<String> columns = new ArrayList<>(List.of("run"));
		columns.addAll(runs.get(0).columns());
		final DocumentTable all = new DocumentTable(runs.get(0).origin(), columns.toArray(new String[0]));
		for (int run = 0; run < runs.size(); run++)
			for (final Map<String, String> row : runs.get(run).rows()) {
				final List<Object> cells = new ArrayList<>(List.of(run + 1));
				cells.addAll(row.values());
				all.row(cells.toArray());
			}
		return all;
	}

	private static void tables() throws IOException {
		GeneratedTables.rewrite(Path.of("README.md"));
		try (Stream<Path> files = Files.list(Path.of("src", "doc"))) {
			for (final Path page : files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) GeneratedTables.rewrite(page);
		}
	}
}
