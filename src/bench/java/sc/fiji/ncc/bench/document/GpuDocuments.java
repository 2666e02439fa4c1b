package sc.fiji.ncc.bench.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import picocli.CommandLine;

import sc.fiji.ncc.bench.planner.FastestBySize;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.CudaTables;
import sc.fiji.ncc.cuda.shifts.SmallShiftsBench;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;

/**
 * Measures the tables of the documents that need a GPU: {@code FOLDER/NAME.csv}. Nothing else should run on the machine. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.document.GpuDocuments -Dexec.args="src/doc/data"
 * </pre>
 */
public final class GpuDocuments {

	/** The tables, the fastest first. */
	private static final List<String> ALL = List.of("device-gpu", "sides-gpu", "sides-device-gpu", "streams-gpu", "convolution-map-gpu",
		"crossover-gpu", "small-shifts-gpu", "large-templates-gpu", "estimates-gpu");

	/** The templates of the six sets of Moore, Leeser and Smith King, rows by columns. */
	private static final List<String> TEMPLATES = List.of("12 of 53x54", "13 of 23x21", "10 of 76x45", "14 of 86x78", "11 of 141x107", "14 of 156x116");

	private GpuDocuments() {}

	/** @param arguments the folder, then the names of the tables; all without a name */
	public static void main(final String[] arguments) throws Exception {
		if (arguments.length == 0) throw new IllegalArgumentException("no folder: give one, as in src/doc/data");
		final Path folder = Path.of(arguments[0]);
		final List<String> names = arguments.length == 1 ? ALL : Arrays.asList(arguments).subList(1, arguments.length);
		new CudaBackend().unavailable().ifPresent(reason -> {
			throw new IllegalStateException(reason);
		});
		for (final String name : names) {
			final CudaTables tables = new CudaTables("bench document.GpuDocuments src/doc/data " + name);
			table(name, tables).write(folder, name);
		}
		System.exit(0);
	}

	private static DocumentTable table(final String name, final CudaTables tables) throws Exception {
		switch (name) {
			case "device-gpu": return tables.device(8, 32, 128, 256);
			case "sides-gpu": return tables.sides(false, 2, 4, 6, 8, 12, 16, 20, 24, 32);
			case "sides-device-gpu": return tables.sides(true, 2, 4, 6, 8, 12, 16, 20, 24, 32);
			case "streams-gpu": return tables.streams();
			case "convolution-map-gpu": return fastest(tables, "--operation", "convolve", "--image", "32-4096", "--template", "2-256",
				"--warm-up", "1", "--most", "0.15");
			case "crossover-gpu": return fastest(tables, "--operation", "correlate,convolve", "--type", "u8,float", "--image", "256-4096", "--template",
				"4-64", "--warm-up", "1", "--most", "0.1");
			case "small-shifts-gpu": return smallShifts(tables);
			case "large-templates-gpu": return tables.large(32, 64, 128, 192, 256, 384);
			case "estimates-gpu": return tables.estimates();
			default: throw new IllegalArgumentException("no table " + name + ": give " + String.join(", ", ALL));
		}
	}

	private static DocumentTable fastest(final CudaTables tables, final String... arguments) throws IOException {
		final Path csv = Files.createTempFile("fastest", ".csv");
		try {
			final List<String> all = new ArrayList<>(Arrays.asList(arguments));
			all.addAll(List.of("--backend", "cuda", "--turns", "3", "--least", "0.005", "--csv", csv.toString()));
			final int code = new CommandLine(new FastestBySize()).execute(all.toArray(new String[0]));
			if (code != 0) throw new IllegalStateException("FastestBySize ended with " + code);
			return onGpu(tables, DocumentTable.read(csv));
		}
		finally {
			Files.delete(csv);
		}
	}

	/** The same numbers, with the GPU in the origin. */
	private static DocumentTable onGpu(final CudaTables tables, final DocumentTable table) {
		final DocumentTable same = new DocumentTable(Origin.here(tables.gpu(), table.origin().command().replaceAll(" --csv \\S+", "")),
			table.columns().toArray(new String[0]));
		table.rows().forEach(row -> same.row(row.values().toArray()));
		return same;
	}

	/** The six sets of Moore, Leeser and Smith King: 300 frames, the times of the regions of each main tile. */
	private static DocumentTable smallShifts(final CudaTables tables) throws Exception {
		final Path csv = Files.createTempFile("regions", ".csv");
		try {
			SmallShiftsBench.main(new String[] { "tiles", "F32", "U8", csv.toString() });
			final List<String> lines = Files.readAllLines(csv);
			final DocumentTable table = new DocumentTable(Origin.here(tables.gpu(), "SmallShiftsBench tiles F32 U8 FILE.csv"),
				("set,templates," + lines.get(0).substring("set,".length())).split(","));
			for (final String line : lines.subList(1, lines.size())) {
				final List<Object> cells = new ArrayList<>(Arrays.asList((Object[]) line.split(",")));
				cells.set(1, cells.get(1).equals("F32") ? "float" : "8 bit");
				cells.add(1, TEMPLATES.get(Integer.parseInt((String) cells.get(0)) - 1));
				table.row(cells.toArray());
			}
			return table;
		}
		finally {
			Files.delete(csv);
		}
	}
}
