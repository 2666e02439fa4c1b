package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

import sc.fiji.ncc.cli.output.TemporaryFolder;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.fixture.ByteZarr;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.motion.MotionParts;

/** {@code align} on a cluster: the same shifts and frames, byte for byte, as in one process. */
class ClusterDriftTest extends OnCluster {

	/** Frames 6 and 7 are flat, 12 and 13 are noise. With {@code black}, the first frame is flat. */
	private void stack(final boolean black) throws IOException {
		final double[][] shifts = new double[41][2];
		final Random random = new Random(8);
		for (int t = 1; t < shifts.length; t++) for (int d = 0; d < 2; d++) shifts[t][d] = shifts[t - 1][d] + random.nextDouble() - 0.4;
		final RandomAccessibleInterval<UnsignedByteType> stack = new MovingTexture(2, 9).stack(new UnsignedByteType(), shifts, new long[] { 140, 132 }, 100, 30, 6);
		for (final int t : black ? new int[] { 0, 6, 7 } : new int[] { 6, 7 }) for (final UnsignedByteType p : Views.hyperSlice(stack, 2, t)) p.set(9);
		for (final int t : new int[] { 12, 13 }) for (final UnsignedByteType p : Views.hyperSlice(stack, 2, t)) p.set(random.nextInt(30));
		ByteZarr.write(stack, 32, folder.resolve("stack.zarr"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "--reference first --max-shift 20", "--reference previous", "--reference mean --interpolation lanczos",
		"--reference 6 --border crop --interpolation fourier",
		"--smoothing 2 --border union:7 --interpolation linear", "--inside 8,8,70,60 --image-mask mask.zarr --interpolation integer" })
	void driftIsThatOfOneProcess(final String options) throws IOException {
		stack(options.isEmpty());
		ByteZarr.write(RandomPixels.image(new Random(6), 3, 70, 60), 32, folder.resolve("mask.zarr"));
		same("align stack.zarr -o m.zarr --transforms d.json --table d.csv " + options, "m.zarr", "d.json", "d.csv");
		try (var left = Files.list(folder)) {
			assertEquals(List.of(), left.map(p -> p.getFileName().toString()).filter(n -> n.contains("part") || n.contains("means")).toList());
		}
	}

	/** Volumes in time with two channels. In the folder the channels lie between slices and time. */
	@ParameterizedTest
	@ValueSource(strings = { "--channels 2", "--channels joint --projections --interpolation fourier", "--dimensions 2 --slice 4 --reference previous" })
	void driftOfVolumesIsThatOfOneProcess(final String options) throws IOException {
		final double[][] shifts = new double[9][3];
		for (int t = 0; t < shifts.length; t++) shifts[t] = new double[] { 0.6 * t, -0.4 * t, 0.2 * t };
		final List<RandomAccessibleInterval<UnsignedByteType>> channels = new ArrayList<>();
		for (int c = 0; c < 2; c++) channels.add(new MovingTexture(3, 10 + c).stack(new UnsignedByteType(), shifts, new long[] { 40, 36, 20 }, 100, 30, 6));
		ByteZarr.write(Views.moveAxis(Views.stack(channels), 4, 3), new int[] { 40, 36, 20, 1, 1 }, folder.resolve("v.zarr").resolve("0"));
		Files.writeString(folder.resolve("v.zarr").resolve(".zgroup"), "{\"zarr_format\":2}");
		Files.writeString(folder.resolve("v.zarr").resolve(".zattrs"), "{\"multiscales\":[{\"version\":\"0.4\",\"axes\":[{\"name\":\"t\",\"type\":\"time\"},{\"name\":\"c\",\"type\":\"channel\"},"
			+ "{\"name\":\"z\",\"type\":\"space\"},{\"name\":\"y\",\"type\":\"space\"},{\"name\":\"x\",\"type\":\"space\"}],\"datasets\":[{\"path\":\"0\","
			+ "\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[1,1,1,1,1]}]}]}]}");
		final String words = "align v.zarr -o m.zarr --transforms d.json " + options;
		// memory determines how many pairs are measured
		same(new Members(List.of(arguments(words)), Integer.MAX_VALUE, Runtime.getRuntime().maxMemory()), words, "m.zarr", "d.json");
	}

	/** A stack with an axis of time. */
	private void frames(final RandomAccessibleInterval<UnsignedByteType> stack) throws IOException {
		ByteZarr.write(stack, new int[] { 64, 64, 1 }, folder.resolve("t.zarr").resolve("0"));
		Files.writeString(folder.resolve("t.zarr").resolve(".zgroup"), "{\"zarr_format\":2}");
		Files.writeString(folder.resolve("t.zarr").resolve(".zattrs"), "{\"multiscales\":[{\"version\":\"0.4\",\"axes\":[{\"name\":\"t\",\"type\":\"time\"},"
			+ "{\"name\":\"y\",\"type\":\"space\"},{\"name\":\"x\",\"type\":\"space\"}],\"datasets\":[{\"path\":\"0\","
			+ "\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[1,1,1]}]}]}]}");
	}

	/** Deformations, against a frame and against means of the corrected frames. A frame is flat. */
	@ParameterizedTest
	@ValueSource(strings = { "--reference first -o m.zarr", "--reference 3 --inside 8,8,100,90", "--reference mean", "" })
	void deformationsAreThoseOfOneProcess(final String options) throws IOException {
		final double[][] shifts = new double[5][2];
		for (int t = 0; t < shifts.length; t++) shifts[t] = new double[] { 0.6 * t, -0.4 * t };
		final RandomAccessibleInterval<UnsignedByteType> stack = new MovingTexture(2, 9).stack(new UnsignedByteType(), shifts, new long[] { 128, 120 }, 100, 30, 6);
		deformationsAreThoseOfOneProcess(stack, 32, options);
	}

	/** Shifts that are doubtful in boxes are measured in pixels. */
	@ParameterizedTest
	@ValueSource(strings = { "--reference first", "--reference mean", "" })
	void startsInPixelsAreThoseOfOneProcess(final String options) throws IOException {
		final double[][] shifts = new double[5][2];
		for (int t = 0; t < shifts.length; t++) shifts[t] = new double[] { 2.5 * t, -1.5 * t };
		deformationsAreThoseOfOneProcess(new MovingTexture(2, 9).repeated(4, 17, shifts, 192, 180), 64, options);
		assertFalse(Files.readString(folder.resolve("d.json")).contains("doubtful"), "shifts in pixels are certain");
	}

	private void deformationsAreThoseOfOneProcess(final RandomAccessibleInterval<UnsignedByteType> stack, final int window, final String options)
		throws IOException
	{
		for (final UnsignedByteType p : Views.hyperSlice(stack, 2, 3)) p.set(9);
		frames(stack);
		final String words = "align t.zarr --piecewise " + window + " --transforms d.json " + options;
		final Members members = new Members(List.of(arguments(words)), Integer.MAX_VALUE, Runtime.getRuntime().maxMemory());
		if (options.contains("m.zarr")) same(members, words, "m.zarr", "d.json");
		else same(members, words, "d.json");
		try (var left = Files.list(folder)) {
			assertEquals(List.of(), left.map(p -> p.getFileName().toString()).filter(n -> n.contains("part") || n.contains("means")).toList());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "--passes 2 --false-alarms 0.5", "--passes 1 --no-refine --reference 3 --image-mask mask.zarr --openpiv f.txt --frame 2",
		"--passes 1 --double-frames --grid-mask mask.zarr --keep-rejected" })
	void motionFieldsAreThoseOfOneProcess(final String options) throws IOException {
		final double[][] shifts = new double[6][2];
		for (int t = 0; t < shifts.length; t++) shifts[t] = new double[] { 0.3 * t * t, -1.4 * t };
		frames(new MovingTexture(2, 9).stack(new UnsignedByteType(), shifts, new long[] { 100, 90 }, 100, 30, 6));
		ByteZarr.write(RandomPixels.image(new Random(6), 3, 100, 90), 32, folder.resolve("mask.zarr"));
		final String words = "motion t.zarr --window 24 --max-shift 9 -o f.csv " + options;
		if (options.contains("openpiv")) same(words, "f.csv", "f.txt");
		else same(words, "f.csv");
		assertTrue(Files.readAllLines(folder.resolve("f.csv")).stream().filter(row -> row.endsWith(",1,measured")).count() > 20, "too few vectors");
	}

	/** Processes with different heaps would choose different algorithms, and their fields would differ. */
	@Test
	void plansHaveTheHeapThatTheCommandNames() {
		final PlanningOptions planning = new PlanningOptions();
		planning.processes(3, 1 << 20);
		assertEquals(1 << 20, planning.memory());
		assertEquals(3, planning.threads());
		planning.memory = 5;
		assertEquals(5_000_000, planning.memory(), "--memory");
	}

	/** In the driver, and in a process of the cluster. */
	@Test
	void motionPlansWithTheHeapAndTheThreadsOfAProcess() throws IOException {
		frames(new MovingTexture(2, 9).stack(new UnsignedByteType(), new double[][] { { 0, 0 }, { 1, 0 } }, new long[] { 60, 50 }, 100, 30, 6));
		final String[] words = { "motion", folder.resolve("t.zarr").toString(), "--window", "16", "-o", folder.resolve("f.csv").toString() };
		final Terminal silent = new Terminal(new PrintStream(out, true), new PrintStream(err, true), false);
		final CommandLine driver = Main.commandLine("motion", silent, new Members(List.of(words), Integer.MAX_VALUE, 77 << 20));
		assertEquals(0, driver.execute(words), err::toString);
		assertEquals(77 << 20, planning(driver).memory());
		assertEquals(2, planning(driver).threads());
		final CommandLine process = Main.commandLine("motion", silent, null);
		process.parseArgs(words);
		((Subcommand) process.getSubcommands().get("motion").getCommandSpec().userObject()).parts(MotionParts.class,
			new ClusterTask.Command(List.of(words), folder.toString(), 3, 66 << 20, "")).close();
		assertEquals(66 << 20, planning(process).memory());
		assertEquals(3, planning(process).threads());
	}

	private static PlanningOptions planning(final CommandLine line) {
		return (PlanningOptions) line.getSubcommands().get("motion").getCommandSpec().mixins().get("planning").userObject();
	}

	/** The shifts are not measured again, and the frames that were written stay. */
	@Test
	void aLostCorrectionContinues() throws IOException {
		stack(false);
		final String words = "align stack.zarr -o m.zarr";
		assertEquals(1, run(new Members(List.of(arguments(words)), 30), words), err::toString);
		assertTrue(err.toString().contains("continues it"), err::toString);
		final Path chunk;
		try (var all = Files.walk(folder.resolve("m.zarr.part/0"))) {
			chunk = all.filter(Files::isRegularFile).findFirst().orElseThrow();
		}
		final FileTime before = Files.getLastModifiedTime(chunk);
		final Members others = new Members(List.of(arguments(words)), Integer.MAX_VALUE);
		assertEquals(0, run(others, words), err::toString);
		assertEquals(0, others.boxes, "measured again");
		assertEquals(before, Files.getLastModifiedTime(folder.resolve("m.zarr").resolve(folder.resolve("m.zarr.part").relativize(chunk))));
		final Map<String, String> bytes = ByteZarr.bytes(folder.resolve("m.zarr"));
		assertEquals(0, run(null, words), err::toString);
		assertEquals(bytes, ByteZarr.bytes(folder.resolve("m.zarr")));
		// one process continues a cluster
		assertEquals(1, run(new Members(List.of(arguments(words)), 1), words), err::toString);
		assertEquals(0, run(null, words), err::toString);
		assertEquals(bytes, ByteZarr.bytes(folder.resolve("m.zarr")));
	}

	/** Shifts that a lost run has left are those of its options: another option measures again. */
	@Test
	void eachOptionHasShiftsOfItsOwn() throws IOException {
		final double[][] shifts = new double[6][2];
		for (int t = 0; t < shifts.length; t++) shifts[t] = new double[] { 0.6 * t, -0.4 * t };
		ByteZarr.write(new MovingTexture(2, 9).stack(new UnsignedByteType(), shifts, new long[] { 40, 36 }, 100, 30, 6), 32, folder.resolve("s.zarr"));
		int left = 0;
		for (final String option : new String[] { "", " --smoothing 2", " --reference first", " --max-shift 9", " --min-overlap 0.5", " --inside 4,4,30,28",
			" --move-doubtful" })
		{
			final String words = "align s.zarr -o m.zarr" + option;
			assertEquals(1, run(new Members(List.of(arguments(words)), 0), words), err::toString);
			left++;
			try (var all = Files.list(folder)) {
				assertEquals(left, all.filter(f -> f.toString().endsWith(".drift.part")).count(), words);
			}
		}
	}

	/**
	 * What killed drivers left beside the output goes when a run succeeds: shifts that were measured with other options, and folders of means
	 * that no driver uses.
	 */
	@Test
	void leftoversOfKilledDriversGo() throws IOException {
		stack(false);
		final Path shifts = Files.writeString(folder.resolve("m.zarr.1a2b3c.drift.part"), "{}"),
			half = Files.writeString(folder.resolve("m.zarr.1a2b3c.drift.part.tmp"), "{"),
			dead = Files.createDirectory(folder.resolve("m.zarr.means-0")), others = Files.writeString(folder.resolve("other.zarr.1a2b3c.drift.part"), "{}");
		for (final String name : new String[] { "lock", "0" }) Files.writeString(dead.resolve(name), "");
		try (TemporaryFolder used = TemporaryFolder.beside(folder.resolve("m.zarr"), "means")) {
			final String words = "align stack.zarr -o m.zarr --reference mean";
			assertEquals(0, run(new Members(List.of(arguments(words)), Integer.MAX_VALUE), words), err::toString);
			assertTrue(Files.exists(used.path()) && Files.exists(others), "of another run");
		}
		for (final Path left : new Path[] { shifts, half, dead }) assertFalse(Files.exists(left), left.toString());
		try (var all = Files.list(folder)) {
			assertEquals(List.of("m.zarr", "other.zarr.1a2b3c.drift.part", "stack.zarr"), all.map(p -> p.getFileName().toString()).sorted().toList());
		}
	}

	@Test
	void knownShiftsAreApplied() throws IOException {
		stack(false);
		assertEquals(0, run(null, "align stack.zarr --transforms d.json"), err::toString);
		final String words = "align stack.zarr -o m.zarr --apply d.json";
		assertEquals(0, run(new Members(List.of(arguments(words)), Integer.MAX_VALUE), words), err::toString);
		Files.move(folder.resolve("m.zarr"), folder.resolve("cluster.zarr"));
		assertEquals(0, run(null, words), err::toString);
		assertEquals(ByteZarr.bytes(folder.resolve("m.zarr")), ByteZarr.bytes(folder.resolve("cluster.zarr")));
	}
}
