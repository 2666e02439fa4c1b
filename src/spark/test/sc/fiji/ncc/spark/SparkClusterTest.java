package sc.fiji.ncc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cli.Main;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.fixture.ByteZarr;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.fixture.RandomPixels;

/** A standalone cluster with one master and two workers of one core, in processes of their own: the same bytes and rows as on one machine, whatever fails. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SparkClusterTest {

	/** With two templates and 450 MB, a box has one chunk. */
	private static final String LONG = "correlate large.zarr ta.zarr tb.zarr --algorithm cpu-direct-exact -o m.zarr";
	private static final List<String> OUTPUTS = List.of("m-1.zarr", "m-2.zarr");

	@TempDir
	static Path folder;
	/** The place of a chunk. */
	private static Path obstacle;
	private static StandaloneCluster cluster;
	private static List<Map<String, String>> expected;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream(), err = new ByteArrayOutputStream();

	@BeforeAll
	static void start() throws Exception {
		obstacle = folder.resolve("m-1.zarr.part/0/1/2");
		cluster = new StandaloneCluster(Files.createDirectory(folder.resolve("spark")));
		cluster.addWorker();
		final Img<UnsignedByteType> large = RandomPixels.image(new Random(1), 200, 5000, 3000), volume = RandomPixels.image(new Random(2), 200, 150, 140, 150);
		for (int i = 0; i < 30; i++) copy(large, new int[] { 40 + 161 * i, 60 + 97 * i }, 16);
		for (final int[] at : new int[][] { { 11, 16, 17 }, { 126, 40, 126 }, { 60, 124, 60 } }) copy(volume, at, 8);
		ByteZarr.write(large, 512, folder.resolve("large.zarr"));
		ByteZarr.write(volume, 64, folder.resolve("volume.zarr"));
		for (final String t : List.of("ta", "tb")) ByteZarr.write(RandomPixels.image(t.charAt(1), 24, 22), 32, folder.resolve(t + ".zarr"));
		ByteZarr.write(RandomPixels.image(3, 9, 14), 32, folder.resolve("tc.zarr"));
		assertEquals(0, oneMachine(LONG, new PrintStream(new ByteArrayOutputStream())));
		expected = results();
		cluster.await();
	}

	@AfterAll
	static void stop() {
		cluster.close();
	}

	private static void copy(final Img<UnsignedByteType> to, final int[] at, final int side) {
		final Random random = new Random(at[0]);
		final int n = at.length;
		final long[] p = new long[n];
		for (int i = 0; i < Math.pow(side, n); i++) {
			for (int d = 0, rest = i; d < n; d++, rest /= side) p[d] = rest % side;
			final int value = to.getAt(p).get();
			for (int d = 0; d < n; d++) p[d] += at[d];
			to.getAt(p).set(Math.max(0, Math.min(255, value + random.nextInt(20))));
		}
	}

	private static String[] arguments(final String words) {
		return Arrays.stream(words.split(" ")).map(w -> w.matches("[\\w.]+\\.(zarr|csv|txt)") ? folder.resolve(w).toString() : w).toArray(String[]::new);
	}

	private static int oneMachine(final String words, final PrintStream to) {
		return Main.run(arguments(words), new Terminal(to, to, false), null);
	}

	/** The arguments with Spark's settings. */
	private static String[] onSpark(final String words, final String... settings) {
		final List<String> all = new ArrayList<>(List.of("--master", cluster.url()));
		for (final String setting : List.of("spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1", "spark.executor.memory=450m", "spark.executor.cores=1", "spark.ui.enabled=false",
			"spark.task.maxFailures=1000", "spark.jars=" + System.getProperty("ncc.spark.jar"))) all.addAll(List.of("--conf", setting));
		for (final String setting : settings) all.addAll(List.of("--conf", setting));
		all.addAll(List.of(arguments(words)));
		return all.toArray(String[]::new);
	}

	private int run(final String... arguments) {
		out.reset();
		err.reset();
		return NccSpark.run(arguments, new PrintStream(out, true), new PrintStream(err, true), false);
	}

	/** The bytes of the maps, which are then deleted. */
	private static List<Map<String, String>> results() throws IOException {
		final List<Map<String, String>> results = new ArrayList<>();
		for (final String o : OUTPUTS) {
			results.add(ByteZarr.bytes(folder.resolve(o)));
			assertFalse(Files.exists(folder.resolve(o + ".part")));
			Files.move(folder.resolve(o), folder.resolve("old" + System.nanoTime()));
		}
		return results;
	}

	private static long chunks() throws IOException {
		final Path part = folder.resolve("m-1.zarr.part").resolve("0");
		if (!Files.exists(part)) return 0;
		try (var all = Files.walk(part)) {
			return all.filter(Files::isRegularFile).count();
		}
	}

	private static void until(final Callable<Boolean> condition) throws Exception {
		final long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
		while (!condition.call()) {
			assertTrue(System.nanoTime() < end, "waited for three minutes");
			Thread.sleep(100);
		}
	}

	/**
	 * Begins the long run. A folder in the place of a chunk lets the task of this chunk fail, again and again, so that the run goes on until {@link #free}.
	 */
	private CompletableFuture<Integer> beginObstructed() throws Exception {
		TaskWatch.clear();
		final CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> run(onSpark(LONG, "spark.extraListeners=" + TaskWatch.class.getName())));
		until(() -> Files.exists(folder.resolve("m-1.zarr.part/identity.txt")) || run.isDone());
		Files.createDirectories(obstacle);
		Files.writeString(obstacle.resolve("file"), "in the way");
		return run;
	}

	private static void free() throws IOException {
		Files.delete(obstacle.resolve("file"));
		Files.delete(obstacle);
	}

	private void assertSameMaps(final CompletableFuture<Integer> run) throws Exception {
		assertEquals(0, run.get(5, TimeUnit.MINUTES), err::toString);
		assertEquals(expected, results());
	}

	@Test
	@Order(1)
	void aWorkerThatJoinsLate() throws Exception {
		final CompletableFuture<Integer> run = beginObstructed();
		until(() -> chunks() >= 2 || run.isDone());
		assertEquals(1, cluster.executors().size());
		cluster.addWorker();
		until(() -> TaskWatch.EXECUTORS.size() == 2 || run.isDone());
		free();
		assertSameMaps(run);
		assertEquals(2, TaskWatch.EXECUTORS.size());
	}

	@Test
	@Order(2)
	void anExecutorThatIsKilled() throws Exception {
		final CompletableFuture<Integer> run = beginObstructed();
		until(() -> TaskWatch.EXECUTORS.size() == 2 || run.isDone());
		cluster.executors().get(0).destroyForcibly();
		until(() -> TaskWatch.LOST.get() > 0 || run.isDone());
		free();
		assertSameMaps(run);
		assertEquals(1, TaskWatch.LOST.get());
	}

	@Test
	@Order(3)
	void aTaskThatFailsOnce() throws Exception {
		final CompletableFuture<Integer> run = beginObstructed();
		until(() -> TaskWatch.FAILED.get() > 0 || run.isDone());
		free();
		assertSameMaps(run);
		assertTrue(TaskWatch.FAILED.get() > 0);
	}

	@Test
	@Order(4)
	void aDriverThatIsKilled() throws Exception {
		final List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m"));
		command.addAll(List.of(System.getProperty("ncc.spark.opens").split(" ")));
		command.addAll(List.of("-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), NccSpark.class.getName()));
		command.addAll(List.of(onSpark(LONG)));
		final File log = folder.resolve("driver.log").toFile();
		final Process driver = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
		until(() -> chunks() >= 4 || !driver.isAlive());
		assertTrue(driver.isAlive(), () -> "it ended: " + read(log.toPath()));
		driver.destroyForcibly().waitFor();
		assertSameMaps(CompletableFuture.supplyAsync(() -> run(onSpark(LONG))));
		assertTrue(out.toString().contains("were complete before"), out::toString);
	}

	private static String read(final Path file) {
		try {
			return Files.readString(file);
		}
		catch (final IOException e) {
			return e.toString();
		}
	}

	@Test
	@Order(5)
	void volumesAndMatches() throws IOException {
		same("correlate volume.zarr --roi 0,0,0,8,8,8 --algorithm cpu-direct-exact -o o.zarr", "o.zarr", words -> onSpark(words));
		same("match large.zarr ta.zarr tb.zarr -o o.csv --min-score 0.2 --max-matches 50", "o.csv", words -> onSpark(words));
		same("match volume.zarr --roi 0,0,0,8,8,8 -o o.csv --min-score 0.2", "o.csv", words -> onSpark(words));
		same("match large.zarr --roi 40,60,16,16 --algorithm cpu-direct-exact -o o.csv --min-score auto", "o.csv", words -> onSpark(words));
		same("match large.zarr --roi 40,60,17,16 --angles 0:360:45 --scales 1,1.2 --min-score 0.35 -o o.csv", "o.csv", words -> onSpark(words));
		same("correlate large.zarr ta.zarr tc.zarr --extent same --best --algorithm cpu-direct-exact -o o.zarr --which w.zarr", "o.zarr", words -> onSpark(words));
	}

	/** The same frames and shifts. */
	@Test
	@Order(6)
	void drift() throws IOException {
		final double[][] shifts = new double[90][2];
		final Random random = new Random(8);
		for (int t = 1; t < shifts.length; t++) for (int d = 0; d < 2; d++) shifts[t][d] = shifts[t - 1][d] + random.nextDouble() - 0.4;
		final RandomAccessibleInterval<UnsignedByteType> stack = new MovingTexture(2, 9).stack(new UnsignedByteType(), shifts, new long[] { 200, 160 }, 100, 30, 6);
		for (final int t : new int[] { 6, 70 }) for (final UnsignedByteType p : Views.hyperSlice(stack, 2, t)) p.set(9);
		for (final UnsignedByteType p : Views.hyperSlice(stack, 2, 33)) p.set(random.nextInt(30));
		ByteZarr.write(stack, 64, folder.resolve("stack.zarr"));
		same("align stack.zarr -o o.zarr", "o.zarr", words -> onSpark(words));
		same("align stack.zarr --table o.csv --reference previous", "o.csv", words -> onSpark(words));
		same("align stack.zarr --table o.csv --reference mean", "o.csv", words -> onSpark(words));
	}

	/** The same positions, links and pixels. */
	@Test
	@Order(7)
	void mosaics() throws IOException {
		final Img<UnsignedByteType> scene = RandomPixels.image(new Random(5), 200, 900, 700);
		final StringBuilder words = new StringBuilder("stitch");
		final Random random = new Random(6);
		for (int i = 0; i < 9; i++) {
			final long x = i % 3 * 270 + random.nextInt(12), y = i / 3 * 200 + random.nextInt(12);
			ByteZarr.write(Views.zeroMin(Views.interval(scene, new long[] { x, y }, new long[] { x + 299, y + 229 })), 128, folder.resolve("tile" + i + ".zarr"));
			words.append(" tile").append(i).append(".zarr");
		}
		words.append(" --grid 3x3 --overlap 30");
		same(words + " -o o.zarr", "o.zarr", w -> onSpark(w));
		same(words + " --links o.csv", "o.csv", w -> onSpark(w));
	}

	/** Spark in one process. */
	@Test
	@Order(8)
	void withoutACluster() throws IOException {
		Files.writeString(folder.resolve("k.txt"), "1 2 1\n2 4 2\n1 2 1\n");
		for (final String words : List.of("convolve volume.zarr k.txt --algorithm cpu-convolve-direct -o o.zarr", "match large.zarr --roi 0,0,16,16 -o o.csv --min-score 0.3"))
			same(words, words.replaceFirst(".* -o (\\S+).*", "$1"), SparkClusterTest::inOneProcess);
	}

	private static String[] inOneProcess(final String words) {
		final List<String> all = new ArrayList<>(List.of("--master", "local[2]", "--conf", "spark.ui.enabled=false"));
		all.addAll(List.of(arguments(words)));
		return all.toArray(String[]::new);
	}

	/** Compares the outputs of one machine and of Spark; those of {@code --which}, too. */
	private void same(final String words, final String output, final Function<String, String[]> spark) throws IOException {
		final ByteArrayOutputStream said = new ByteArrayOutputStream();
		assertEquals(0, oneMachine(words, new PrintStream(said, true)), said::toString);
		final Path place = folder.resolve(output);
		final Path which = folder.resolve("w.zarr");
		final Object one = content(place), numbers = words.contains("--which") ? content(which) : null;
		if (one instanceof List) assertTrue(((List<?>) one).size() > 3, words + ": " + one);
		Files.move(place, folder.resolve("old" + System.nanoTime()));
		if (numbers != null) Files.move(which, folder.resolve("old" + System.nanoTime()));
		assertEquals(0, run(spark.apply(words)), err::toString);
		assertEquals(one, content(place), words);
		if (numbers != null) assertEquals(numbers, content(which), words);
	}

	private static Object content(final Path output) throws IOException {
		return Files.isDirectory(output) ? ByteZarr.bytes(output) : Files.readAllLines(output);
	}

	/** One line, without Spark's traces. */
	@Test
	@Order(9)
	void failuresAreOneLine() throws IOException {
		assertEquals(2, run("--master", "spark://127.0.0.1:1", "correlate", folder.resolve("large.zarr").toString(), "b", "-o", "c.zarr"));
		assertTrue(err.toString().contains("spark.executor.cores"), err::toString);
		assertEquals(2, run(onSpark("track large.zarr -o o2.zarr")));
		assertTrue(err.toString().contains("'track' is not offered on a cluster"), err::toString);
		final Path chunk = folder.resolve("volume.zarr/0.0.0");
		Files.write(chunk, new byte[5]);
		assertEquals(2, run(onSpark("correlate volume.zarr ta.zarr -o o2.zarr", "spark.task.maxFailures=1")), err::toString);
		assertTrue(err.toString().contains("5 bytes"), err::toString);
		assertEquals(1, err.toString().lines().filter(l -> l.startsWith("ncc:")).count(), err::toString);
	}
}
