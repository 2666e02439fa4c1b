package sc.fiji.ncc.spark;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A standalone cluster of Spark on this machine: a master and workers in processes of their own, from the jars on the class path. The jars of this project are left
 * out, so that executors have only what the driver sends them.
 */
final class StandaloneCluster implements AutoCloseable {

	private static final List<String> OURS = List.of("/sc/fiji/", "/net/imglib2/", "/net/imagej/", "/org/scijava/", "/info/picocli/", "/org/jcuda/", "/io/airlift/", "/net/java/dev/jna/",
		"/org/junit/", "/com/tngtech/", "/net/jqwik/");

	private final Path home;
	private final int port;
	private final List<Process> workers = new ArrayList<>();
	private final Process master;

	/** @param folder an empty folder for jars, logs and the files of workers */
	StandaloneCluster(final Path folder) throws IOException {
		home = folder;
		final Path jars = Files.createDirectories(home.resolve("jars"));
		for (final String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")).split(File.pathSeparator)) {
			final Path jar = Path.of(entry);
			if (entry.endsWith(".jar") && OURS.stream().noneMatch(entry.replace('\\', '/')::contains)) Files.copy(jar, jars.resolve(jar.getFileName()));
		}
		// without it a worker looks for a source tree of Spark
		Files.createFile(home.resolve("RELEASE"));
		port = freePort();
		master = start("master", List.of(), "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", String.valueOf(port), "--webui-port", String.valueOf(freePort()));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private Process start(final String name, final List<String> prefix, final String... main) throws IOException {
		final List<String> command = new ArrayList<>(prefix);
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
		command.addAll(List.of(System.getProperty("ncc.spark.opens").split(" ")));
		command.addAll(List.of("-cp", home.resolve("jars") + File.separator + "*"));
		command.addAll(Arrays.asList(main));
		final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(home.resolve(name + ".log").toFile());
		builder.environment().put("SPARK_HOME", home.toString());
		builder.environment().put("SPARK_SCALA_VERSION", "2.13");
		builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
		return builder.start();
	}

	String url() {
		return "spark://127.0.0.1:" + port;
	}

	/** Starts a worker with one core, as Spark counts cores: its threads run on any. */
	void addWorker() throws IOException {
		addWorker(List.of());
	}

	/** @param prefix words before the command line of the worker, whose executors inherit what they set */
	void addWorker(final List<String> prefix) throws IOException {
		final String name = "worker" + workers.size();
		workers.add(start(name, prefix, "org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "600m", "--work-dir", home.resolve(name).toString(), "--host", "127.0.0.1", "--webui-port",
			String.valueOf(freePort()), url()));
	}

	/** The executors that run now. */
	List<ProcessHandle> executors() {
		return workers.stream().flatMap(Process::children).filter(ProcessHandle::isAlive).toList();
	}

	/** Waits until all workers have registered. */
	void await() throws IOException, InterruptedException {
		for (int w = 0; w < workers.size(); w++) {
			final Path log = home.resolve("worker" + w + ".log");
			final long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
			while (!Files.readString(log).contains("Successfully registered with master")) {
				if (System.nanoTime() > end || !workers.get(w).isAlive()) throw new IllegalStateException("worker " + w + " does not start: " + Files.readString(log));
				Thread.sleep(200);
			}
		}
	}

	@Override
	public void close() {
		final List<ProcessHandle> all = Stream.concat(workers.stream().flatMap(Process::descendants), Stream.concat(workers.stream(), Stream.of(master)).map(Process::toHandle)).toList();
		all.forEach(ProcessHandle::destroyForcibly);
		all.forEach(p -> p.onExit().join());
	}
}
