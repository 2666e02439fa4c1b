package sc.fiji.ncc.spark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

import sc.fiji.ncc.cli.Main;
import sc.fiji.ncc.cli.input.InputStamp;
import sc.fiji.ncc.fixture.ByteZarr;
import sc.fiji.ncc.fixture.RandomPixels;

/**
 * Benchmark: a standalone cluster with one and with two workers of one core on this machine, beside the command line with one thread: in one process, and in two
 * processes at the same time, which shows what two processors of this machine give. They take turns; each line has the least time. Where {@code taskset} exists, each
 * process has one processor of its own, so that a worker cannot use a second one for
 * compilation, garbage collection and writing. Also the rates for the model in {@code src/doc/spark.md}: tasks of the driver, and files of the stamp. Arguments: the
 * side of the image (default 8000), the number of turns (default 3), the number of templates (default 16), and {@code correlate} (the default) or {@code match}, which
 * writes no maps.
 */
public final class Scaling {

	private static final int TASKS = 5000, FILES = 5000;
	private static final String HEAP = "500m";

	private Scaling() {}

	public static void main(final String[] arguments) throws Exception {
		final int side = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8000, turns = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3,
			templates = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 16;
		final boolean match = arguments.length > 3 && arguments[3].equals("match");
		final Path folder = Files.createTempDirectory("scaling");
		final List<StandaloneCluster> clusters = new ArrayList<>();
		try {
			ByteZarr.write(RandomPixels.image(new Random(1), 256, side, side), 1000, folder.resolve("image.zarr"));
			for (int t = 0; t < templates; t++) ByteZarr.write(RandomPixels.image(new Random(2 + t), 256, 64, 64), 64, folder.resolve("template" + t + ".zarr"));
			for (int workers = 1; workers <= 2; workers++) {
				final StandaloneCluster cluster = new StandaloneCluster(Files.createDirectory(folder.resolve("spark" + workers)));
				clusters.add(cluster);
				for (int w = 0; w < workers; w++) cluster.addWorker(onProcessor(w));
				cluster.await();
			}
			final double[] least = { Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE };
			double both = Double.MAX_VALUE;
			for (int turn = 0; turn < turns; turn++) {
				least[0] = Math.min(least[0], processes(1, folder, templates, match));
				both = Math.min(both, processes(2, folder, templates, match));
				for (int c = 0; c < 2; c++) least[c + 1] = Math.min(least[c + 1], seconds(command(folder, templates, match, 0), folder, clusters.get(c), c + 1));
			}
			final double pixels = (double) side * side * templates;
			System.out.printf(Locale.ROOT, "one process, one thread: %.1f s, %.1f million responses/s%n", least[0], pixels / least[0] / 1e6);
			System.out.printf(Locale.ROOT, "two such processes at the same time: %.1f s, so two processors do %.2fx the work of one%n", both, 2 * least[0] / both);
			for (int c = 1; c < 3; c++) System.out.printf(Locale.ROOT, "Spark, %d worker(s) of one core: %.1f s, %.1f million responses/s%n", c, least[c], pixels / least[c] / 1e6);
			System.out.printf(Locale.ROOT, "two workers against one: %.2fx%n", least[1] / least[2]);
			tasks(clusters.get(1));
			files(folder);
		}
		finally {
			clusters.forEach(StandaloneCluster::close);
			delete(folder);
		}
	}

	/** The words before a command line that bind its process to one processor; none where this is not possible. */
	private static List<String> onProcessor(final int index) {
		return Files.isExecutable(Path.of("/usr/bin/taskset")) ? List.of("/usr/bin/taskset", "-c", String.valueOf(index % Runtime.getRuntime().availableProcessors())) : List.of();
	}

	private static List<String> command(final Path folder, final int templates, final boolean match, final int process) {
		final List<String> all = new ArrayList<>(List.of(match ? "match" : "correlate", folder.resolve("image.zarr").toString()));
		for (int t = 0; t < templates; t++) all.add(folder.resolve("template" + t + ".zarr").toString());
		all.addAll(List.of("-o", folder.resolve("map" + process + (match ? ".csv" : ".zarr")).toString(), "--threads", "1"));
		// no match in noise
		if (match) all.addAll(List.of("--min-score", "0.9"));
		return all;
	}

	private static void deleteMaps(final Path folder) throws IOException {
		try (var all = Files.list(folder)) {
			for (final Path p : all.filter(f -> f.getFileName().toString().startsWith("map")).toList()) delete(p);
		}
	}

	/** The longest of the times that some processes state which run at the same time. Each has a processor of its own. */
	private static double processes(final int count, final Path folder, final int templates, final boolean match) throws IOException, InterruptedException {
		final List<Process> started = new ArrayList<>();
		for (int p = 0; p < count; p++) {
			final List<String> all = new ArrayList<>(onProcessor(p));
			all.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + HEAP, "-cp", System.getProperty("ncc.spark.jar"), Main.class.getName()));
			all.addAll(command(folder, templates, match, p));
			started.add(new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(log(folder, p).toFile()).start());
		}
		double longest = 0;
		for (int p = 0; p < count; p++) {
			final int code = started.get(p).waitFor();
			final String said = Files.readString(log(folder, p));
			if (code != 0) throw new IllegalStateException(said);
			longest = Math.max(longest, Double.parseDouble(said.replaceFirst("(?s).* in ([0-9.]+) ms.*", "$1")) / 1e3);
		}
		deleteMaps(folder);
		return longest;
	}

	private static Path log(final Path folder, final int process) {
		return folder.resolve("process" + process + ".log");
	}

	/** The time from the start of the first task to the end of the last one, because starting executors takes long. */
	private static double seconds(final List<String> command, final Path folder, final StandaloneCluster cluster, final int workers) throws IOException, InterruptedException {
		final List<String> all = new ArrayList<>(List.of("--master", cluster.url()));
		for (final String s : settings(workers)) all.addAll(List.of("--conf", s));
		all.addAll(command);
		TaskWatch.clear();
		final Map<Long, Duration> processors = new ConcurrentHashMap<>();
		final Thread watch = new Thread(() -> {
			try {
				for (;; Thread.sleep(100)) cluster.executors().forEach(e -> e.info().totalCpuDuration().ifPresent(d -> processors.put(e.pid(), d)));
			}
			catch (final InterruptedException e) {
				// the run is done
			}
		});
		watch.start();
		final ByteArrayOutputStream said = new ByteArrayOutputStream();
		final PrintStream to = new PrintStream(said, true);
		final int code = NccSpark.run(all.toArray(String[]::new), to, to, false);
		watch.interrupt();
		watch.join();
		if (code != 0) throw new IllegalStateException(said.toString());
		deleteMaps(folder);
		final double[] run = TaskWatch.TASKS.stream().mapToDouble(t -> 1e-3 * t.run()).sorted().toArray(), load = TaskWatch.TASKS.stream().mapToDouble(t -> 1e-3 * (t.finished() - t.launched() - t.run())).toArray();
		System.out.printf(Locale.ROOT, "%d worker(s): %.1f s; %d tasks, median %.2f s, longest %.2f s, %.2f s beside their runs; executors used %s s of processors%n", workers, TaskWatch.seconds(),
			run.length, run[run.length / 2], run[run.length - 1], DoubleStream.of(load).sum(), processors.values().stream().map(d -> String.format(Locale.ROOT, "%.1f", 1e-3 * d.toMillis())).collect(Collectors.joining(" + ")));
		return TaskWatch.seconds();
	}

	private static List<String> settings(final int workers) {
		return List.of("spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1", "spark.executor.memory=" + HEAP, "spark.executor.cores=1", "spark.ui.enabled=false",
			// tasks begin when all executors are there
			"spark.cores.max=" + workers, "spark.scheduler.minRegisteredResourcesRatio=1.0", "spark.scheduler.maxRegisteredResourcesWaitingTime=120s",
			"spark.extraListeners=" + TaskWatch.class.getName(), "spark.jars=" + System.getProperty("ncc.spark.jar"));
	}

	/** The rate at which a driver serves tasks that do nothing. */
	private static void tasks(final StandaloneCluster cluster) {
		final SparkConf conf = new SparkConf().setMaster(cluster.url()).setAppName("tasks");
		for (final String s : settings(2)) conf.set(s.split("=", 2)[0], s.split("=", 2)[1]);
		try (JavaSparkContext context = new JavaSparkContext(conf)) {
			final List<Integer> input = IntStream.range(0, TASKS).boxed().toList();
			context.parallelize(input.subList(0, 100), 100).count();
			final long start = System.nanoTime();
			context.parallelize(input, TASKS).count();
			System.out.printf(Locale.ROOT, "the driver served %.0f tasks/s, with two executors%n", TASKS / (1e-9 * (System.nanoTime() - start)));
		}
	}

	/** The rate at which the stamp of an image passes its files. */
	private static void files(final Path folder) throws IOException {
		final Path many = Files.createDirectory(folder.resolve("many"));
		for (int i = 0; i < FILES; i++) Files.write(many.resolve("f" + i), new byte[1]);
		final long start = System.nanoTime();
		InputStamp.of(many);
		System.out.printf(Locale.ROOT, "the stamp passed %.0f files/s%n", FILES / (1e-9 * (System.nanoTime() - start)));
	}

	private static void delete(final Path folder) throws IOException {
		try (var all = Files.walk(folder)) {
			for (final Path p : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
		}
	}
}
