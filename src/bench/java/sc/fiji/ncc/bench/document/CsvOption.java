package sc.fiji.ncc.bench.document;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;

/** A benchmark's option {@code --csv}: what it measures as a table of the documents. */
public final class CsvOption {

	@Option(names = "--csv", paramLabel = "FILE.csv", description = "Also write the numbers to this file.")
	private Path csv;

	@Spec(Spec.Target.MIXEE)
	private CommandSpec benchmark;

	private DocumentTable table;

	/** Starts the table. */
	public void columns(final String... names) {
		if (csv != null) table = new DocumentTable(Origin.here("", command()), names);
	}

	/** Adds a row. */
	public void row(final Object... cells) {
		if (table != null) table.row(cells);
	}

	/** Writes the file, if one is wanted. */
	public void write() throws IOException {
		if (table == null) return;
		final Path file = csv.toAbsolutePath();
		table.write(file.getParent(), file.getFileName().toString().replaceAll("\\.csv$", ""));
	}

	/** As the documents write it: {@code bench Name --option value}. */
	private String command() {
		final List<String> arguments = new ArrayList<>(benchmark.commandLine().getParseResult().originalArgs());
		final int at = arguments.indexOf("--csv");
		if (at >= 0) arguments.subList(at, at + 2).clear();
		final String name = benchmark.userObject().getClass().getName().replace("sc.fiji.ncc.bench.", "");
		return ("bench " + name + " " + String.join(" ", arguments)).strip();
	}
}
