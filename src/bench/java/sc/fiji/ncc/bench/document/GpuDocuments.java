package sc.fiji.ncc.bench.document;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import picocli.CommandLine;

import sc.fiji.ncc.bench.accuracy.FalseAlarmsCost;
import sc.fiji.ncc.bench.gpu.PosesOnGpu;
import sc.fiji.ncc.bench.gpu.VolumePoses;
import sc.fiji.ncc.bench.drift.CorrectionTimes;
import sc.fiji.ncc.bench.drift.DriftRates;
import sc.fiji.ncc.bench.motion.PiecewiseSpeed;
import sc.fiji.ncc.bench.motion.WindowsOnGpu;
import sc.fiji.ncc.bench.planner.FastestBySize;
import sc.fiji.ncc.bench.stitch.StitchBench;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.CudaTables;
import sc.fiji.ncc.cuda.shifts.SmallShiftsBench;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;

/**
 * Measures the tables of the documents that need a GPU: {@code FOLDER/NAME.csv}. Each file is written when its table ends. If a table fails, the exception is
 * printed, the others follow, and the exit code is 1. Nothing else should run on the machine. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.document.GpuDocuments -Dexec.args="src/doc/data"
 * </pre>
 */
public final class GpuDocuments {

	/** Measures a table. */
	private interface Source {

		DocumentTable measure(CudaTables tables) throws Exception;
	}

	/** A benchmark that writes its own CSV file. */
	private interface Benchmark {

		void measure(String csv) throws Exception;
	}

	private static final Map<String, Source> ALL = new LinkedHashMap<>();
	static {
		ALL.put("device-gpu", tables -> tables.device(8, 32, 128, 256));
		ALL.put("arrays-gpu", CudaTables::arrays);
		ALL.put("weights-gpu", CudaTables::weights);
		ALL.put("missing-gpu", CudaTables::missing);
		ALL.put("pairs-gpu", CudaTables::pairs);
		ALL.put("sides-gpu", tables -> tables.sides(false, 2, 4, 6, 8, 12, 16, 20, 24, 32));
		ALL.put("sides-device-gpu", tables -> tables.sides(true, 2, 4, 6, 8, 12, 16, 20, 24, 32));
		ALL.put("cubes-gpu", tables -> tables.cubes(2, 3, 4, 5, 6, 8, 10));
		ALL.put("streams-gpu", CudaTables::streams);
		ALL.put("drift-gpu", tables -> ofCsv(tables, csv -> run(new DriftRates(), csv, "--backend", "cuda,cpu", "--threads",
			"" + Math.max(1, Runtime.getRuntime().availableProcessors() - 2), "--size", "512,1024", "--frames", "512,256", "--seconds", "0.6")));
		ALL.put("correction-gpu", tables -> ofCsv(tables, csv -> run(new CorrectionTimes(), csv)));
		ALL.put("poses-gpu", tables -> ofCsv(tables, csv -> run(new PosesOnGpu(), csv, "--calls", "0", "--search",
			"u8:1,u8:9,float:1,u8:1:cuda-bounded-host")));
		// the volume and the ball of pytom-match-pick's benchmark
		ALL.put("poses-volume-gpu", tables -> ofCsv(tables, csv -> run(new VolumePoses(), csv, "--frames", "3")));
		ALL.put("motion-gpu", tables -> ofCsv(tables, csv -> run(new WindowsOnGpu(), csv)));
		ALL.put("piecewise-gpu", tables -> ofCsv(tables, csv -> run(new PiecewiseSpeed(), csv, "--backend", "cuda,cpu", "--frames", "513",
			"--most", "8", "--threads", "" + Runtime.getRuntime().availableProcessors(), "--repeats", "4")));
		ALL.put("false-alarms-cost", tables -> ofCsv(tables, csv -> run(new FalseAlarmsCost(), csv, "--backend", "cpu,cuda", "--threads", "2,10,16")));
		ALL.put("convolution-map-gpu", tables -> fastest(tables, "--operation", "convolve", "--image", "32-4096", "--template", "2-256", "--warm-up", "1", "--most",
			"0.15"));
		ALL.put("crossover-gpu", tables -> fastest(tables, "--operation", "correlate,convolve", "--type", "u8,float", "--image", "256-4096", "--template",
			"4-64", "--warm-up", "1", "--most", "0.1"));
		// the six sets of Moore, Leeser and Smith King: 300 frames, the times of the regions of each main tile
		ALL.put("small-shifts-gpu", tables -> ofCsv(tables, csv -> SmallShiftsBench.main(new String[] { "tiles", "F32", "U8", csv })));
		ALL.put("stitching-gpu", tables -> ofCsv(tables, csv -> StitchBench.main(new String[] { "speed", "cuda,cpu",
			"" + Runtime.getRuntime().availableProcessors(), "42", "59", "1392", "1040", "held", "--csv", csv })));
		ALL.put("peers-gpu", CudaTables::peers);
		ALL.put("two-gpus", CudaTables::several);
		ALL.put("large-templates-gpu", tables -> tables.large(32, 64, 128, 192, 256, 384));
		ALL.put("estimates-gpu", CudaTables::estimates);
	}

	private GpuDocuments() {}

	/** @param arguments the folder, then the names of the tables in the order in which they are measured; all without a name */
	public static void main(final String[] arguments) {
		if (arguments.length == 0) throw new IllegalArgumentException("no folder: give one, as in src/doc/data");
		final Path folder = Path.of(arguments[0]);
		final List<String> names = arguments.length == 1 ? List.copyOf(ALL.keySet()) : Arrays.asList(arguments).subList(1, arguments.length);
		for (final String name : names)
			if (!ALL.containsKey(name)) throw new IllegalArgumentException("no table " + name + ": give " + String.join(", ", ALL.keySet()));
		new CudaBackend().unavailable().ifPresent(reason -> {
			throw new IllegalStateException(reason);
		});
		final List<String> failed = new ArrayList<>();
		for (final String name : names) {
			final long start = System.nanoTime();
			System.out.println("== " + name);
			try {
				final CudaTables tables = new CudaTables("bench document.GpuDocuments src/doc/data " + name);
				if (name.equals("two-gpus") && !tables.severalGpus()) System.out.println("left out: it needs two equal GPUs");
				else ALL.get(name).measure(tables).write(folder, name);
			}
			catch (final Exception | LinkageError | OutOfMemoryError e) {
				failed.add(name);
				e.printStackTrace(System.out);
			}
			System.out.printf("%s: %.1f s%n", name, 1e-9 * (System.nanoTime() - start));
		}
		if (!failed.isEmpty()) System.out.println("failed: " + String.join(", ", failed));
		System.exit(failed.isEmpty() ? 0 : 1);
	}

	private static DocumentTable fastest(final CudaTables tables, final String... arguments) throws Exception {
		final List<String> all = new ArrayList<>(Arrays.asList(arguments));
		all.addAll(List.of("--backend", "cuda", "--turns", "3", "--least", "0.005"));
		return ofCsv(tables, csv -> run(new FastestBySize(), csv, all.toArray(new String[0])));
	}

	private static void run(final Object benchmark, final String csv, final String... arguments) {
		final List<String> all = new ArrayList<>(Arrays.asList(arguments));
		all.addAll(List.of("--csv", csv));
		final int code = new CommandLine(benchmark).execute(all.toArray(new String[0]));
		if (code != 0) throw new IllegalStateException(benchmark.getClass().getSimpleName() + " ended with " + code);
	}

	/** The numbers of a benchmark's file, with the GPU in the origin. */
	private static DocumentTable ofCsv(final CudaTables tables, final Benchmark benchmark) throws Exception {
		final Path csv = Files.createTempFile("table", ".csv");
		try {
			benchmark.measure(csv.toString());
			final DocumentTable table = DocumentTable.read(csv);
			final DocumentTable same = new DocumentTable(Origin.here(tables.gpu(), table.origin().command().replaceAll(" --csv \\S+", "")),
				table.columns().toArray(new String[0]));
			table.rows().forEach(row -> same.row(row.values().toArray()));
			return same;
		}
		finally {
			Files.delete(csv);
		}
	}
}
