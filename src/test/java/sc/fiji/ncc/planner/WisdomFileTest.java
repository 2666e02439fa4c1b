package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import sc.fiji.ncc.Backends;
import sc.fiji.ncc.fixture.FakeAlgorithm;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** The file of the wisdom may be damaged, a folder or a link. */
class WisdomFileTest {

	private static final String SIGNATURE = "cpu-direct 1";
	private static final Correlation PROBLEM = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(64, 48), List.of(Size.of(5, 4)),
		Weights.NONE, Lags.inside(Size.of(60, 45)), 1);
	private static final Device DEVICE = new Device("toy", "a toy", 1, 1);

	@TempDir
	Path folder;

	private static List<String> lines(final String head, final String... content) {
		final List<String> lines = new ArrayList<>();
		ChecksummedSection.append(lines, head, List.of(content));
		return lines;
	}

	private Wisdom written(final Path file, final List<String> lines) throws IOException {
		Files.write(file, lines);
		return Wisdom.read(file, SIGNATURE);
	}

	/** The head of a file that this version writes. */
	private String head() throws IOException {
		final Path file = folder.resolve("head.txt");
		Wisdom.read(file, SIGNATURE).save();
		return ChecksummedSection.parse(Files.readAllLines(file)).get(0).head();
	}

	/** A run reads the file several times, and reports once what it ignores; again after the file was changed. */
	@Test
	void reportsOnceWhatItIgnores() throws IOException {
		final Path file = Files.createFile(folder.resolve("empty.txt"));
		final String line = "INFO ignoring the wisdom in " + file + ": the file is empty";
		assertEquals(List.of(line), PlannerTest.said(() -> {
			Wisdom.read(file, SIGNATURE);
			Wisdom.read(file, SIGNATURE).save();
		}));
		Files.write(file, new byte[0]);
		Files.setLastModifiedTime(file, FileTime.fromMillis(123_456_000));
		assertEquals(List.of(line), PlannerTest.said(() -> Wisdom.read(file, SIGNATURE)));
	}

	/** The maps of a GPU's bank lie in the memory of the host. With less of it there are more boxes, and another time. */
	@Test
	void timesBelongToTheMemoryOfTheHost() throws IOException {
		final BoundedBank bank = new BoundedBank(PixelType.U8, Size.of(64, 48), 1, List.of(new BoundedBank.Family(Size.of(5, 5), 25, 8, null)), 0.7, false, 1);
		final Wisdom wisdom = Wisdom.read(folder.resolve("memory.txt"), SIGNATURE);
		for (final String id : List.of("cuda-bounded-host", "cuda-every-pose")) {
			wisdom.put(bank, DEVICE, bankOf(id, 100_000_000), OptionalDouble.of(1));
			assertEquals(OptionalDouble.of(1), wisdom.seconds(bank, DEVICE, bankOf(id, 100_000_000)));
			assertEquals(OptionalDouble.empty(), wisdom.seconds(bank, DEVICE, bankOf(id, 200_000_000)));
			assertEquals(OptionalDouble.empty(), wisdom.seconds(bank, DEVICE, bankOf(id, Runtime.getRuntime().maxMemory())));
		}
		assertEquals(List.of("cuda-bounded-host with 100 MB of the host", "cuda-every-pose with 100 MB of the host"),
			wisdom.entries().stream().map(Wisdom.Entry::algorithm).toList());
	}

	private static Algorithm<?> bankOf(final String id, final long memory) {
		return Backends.all(1, memory).get(1).algorithms().stream().filter(a -> a.id().equals(id)).findFirst().orElseThrow();
	}

	/** Random damage: the reader ignores what it cannot use. With a correct checksum, too. */
	@Test
	void damage() throws IOException {
		final String head = head();
		final String[] content = { "problem a\tcpu\tcpu-direct\t0.5", "problem b\tcpu\tcpu-fourier\t1e-3" };
		final Path file = folder.resolve("w.txt");
		assertEquals(2, written(file, lines(head, content)).entries().size());
		final byte[] intact = Files.readAllBytes(file);
		final Random random = new Random(28);
		for (int i = 0; i < 300; i++) {
			final byte[] damaged = Arrays.copyOf(intact, random.nextInt(4) == 0 ? random.nextInt(intact.length) + 1 : intact.length);
			for (int k = random.nextInt(4); k >= 0; k--) damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
			Files.write(file, damaged);
			assertTrue(Wisdom.read(file, SIGNATURE).entries().size() <= 2);
			final StringBuilder line = new StringBuilder(content[0]);
			for (int k = random.nextInt(3); k >= 0; k--) line.setCharAt(random.nextInt(line.length()), "\t x0-N.e".charAt(random.nextInt(8)));
			final Wisdom wisdom = written(file, lines(head, line.toString()));
			assertTrue(wisdom.entries().size() <= 1 && wisdom.calibrations().isEmpty(), line::toString);
			written(file, lines("NCC calibration 1", line.toString())).calibrations();
		}
	}

	/** A folder is neither read nor replaced nor deleted. */
	@Test
	void aFolder() throws IOException {
		final Path file = Files.createDirectory(folder.resolve("w.txt"));
		assertEquals(List.of("INFO ignoring the wisdom in " + file + ": it is not a file; give another one with -Dncc.wisdom=FILE"),
			PlannerTest.said(() -> Wisdom.read(file, SIGNATURE)));
		final Wisdom wisdom = Wisdom.read(file, SIGNATURE);
		assertTrue(wisdom.entries().isEmpty());
		wisdom.save();
		assertThrows(IOException.class, wisdom::clear);
		assertTrue(Files.isDirectory(file));
		try (var all = Files.list(folder)) {
			assertEquals(1, all.count());
		}
	}

	/** A link stays, and its target is written and deleted. */
	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	void aLink() throws IOException {
		final Path target = Files.createDirectory(folder.resolve("shared")).resolve("w.txt"), link = folder.resolve("w.txt");
		Files.createSymbolicLink(link, Path.of("shared", "w.txt"));
		final Wisdom wisdom = Wisdom.read(link, SIGNATURE);
		wisdom.save();
		assertTrue(Files.isSymbolicLink(link) && Files.isRegularFile(target));
		assertTrue(Files.readString(target, StandardCharsets.UTF_8).contains(SIGNATURE));
		wisdom.clear();
		assertTrue(Files.isSymbolicLink(link));
		assertFalse(Files.exists(target));
	}

	/** An algorithm that never runs. */
	private static FakeAlgorithm algorithm(final String id) {
		return new FakeAlgorithm(id) {

			@Override
			protected Cost cost(final Correlation problem, final Device device) {
				throw new AssertionError();
			}

			@Override
			protected Report compute(final LagBox lags, final Sink out, final Monitor monitor) {
				throw new AssertionError();
			}
		};
	}

	private static SortedMap<String, Wisdom.Constant> constants(final double measured) {
		return new TreeMap<>(Map.of("lag", new Wisdom.Constant(2, measured)));
	}

	/** A time of 0 is a time; one that took too long is none. */
	@Test
	void times() throws IOException {
		final Path file = folder.resolve("w.txt");
		final Wisdom wisdom = Wisdom.read(file, "cpu-direct\n1");
		assertEquals(file, wisdom.file());
		assertEquals(OptionalDouble.empty(), wisdom.seconds(PROBLEM, DEVICE, algorithm("a")));
		int changes = wisdom.changes();
		for (final Map.Entry<String, OptionalDouble> e : Map.of("a", OptionalDouble.of(0), "b", OptionalDouble.of(0.25), "c", OptionalDouble.empty()).entrySet()) {
			wisdom.put(PROBLEM, DEVICE, algorithm(e.getKey()), e.getValue());
			assertTrue(wisdom.changes() > changes);
			changes = wisdom.changes();
		}
		wisdom.calibrate(DEVICE, constants(5));
		assertTrue(wisdom.changes() > changes);
		changes = wisdom.changes();
		wisdom.save();
		assertTrue(wisdom.changes() > changes);
		final Wisdom again = Wisdom.read(file, SIGNATURE);
		for (final Wisdom w : List.of(wisdom, again)) {
			assertEquals(OptionalDouble.of(0), w.seconds(PROBLEM, DEVICE, algorithm("a")));
			assertEquals(OptionalDouble.of(0.25), w.seconds(PROBLEM, DEVICE, algorithm("b")));
			assertEquals(OptionalDouble.empty(), w.seconds(PROBLEM, DEVICE, algorithm("c")));
			assertEquals(List.of(false, false, true, false), Stream.of("a", "b", "c", "d").map(id -> w.timedOut(PROBLEM, DEVICE, algorithm(id))).toList());
			final String problem = PROBLEM.toString();
			assertEquals(List.of(new Wisdom.Entry(problem, "toy: a toy", "a", OptionalDouble.of(0)),
				new Wisdom.Entry(problem, "toy: a toy", "b", OptionalDouble.of(0.25)),
				new Wisdom.Entry(problem, "toy: a toy", "c", OptionalDouble.empty())), w.entries());
			assertEquals(2.5, w.ratio(DEVICE, "lag"));
			assertEquals(1, w.ratio(DEVICE, "submission"));
			assertEquals(1, w.ratio(new Device("other", "another", 1, 1), "lag"));
		}
		// what is forgotten does not come back with the next save
		changes = again.changes();
		again.clear();
		assertTrue(again.changes() > changes);
		assertEquals(List.of(), again.entries());
		again.calibrate(DEVICE, constants(7));
		again.clear();
		again.save();
		assertEquals(Map.of(), again.calibrations());
		assertEquals(Map.of(), Wisdom.read(file, SIGNATURE).calibrations());
		assertEquals(List.of(), Wisdom.read(file, SIGNATURE).entries());
	}

	/** A file that nothing writes any more is parsed once; a new one can be written again within the resolution of its time. */
	@Test
	void aFileIsParsedAgainIfItMayHaveChanged() throws IOException {
		final Path file = folder.resolve("w.txt");
		final Wisdom first = Wisdom.read(file, SIGNATURE);
		first.put(PROBLEM, DEVICE, algorithm("a"), OptionalDouble.of(0.25));
		first.calibrate(DEVICE, constants(5));
		first.save();
		for (final int age : new int[] { 0, 60_000 }) {
			final FileTime time = FileTime.fromMillis(System.currentTimeMillis() - age);
			Files.setLastModifiedTime(file, time);
			final Wisdom read = Wisdom.read(file, SIGNATURE);
			assertEquals(1, read.entries().size());
			assertEquals(2.5, read.ratio(DEVICE, "lag"));
			// without a checksum that holds, and nothing says so
			final String text = Files.readString(file);
			Files.writeString(file, text.replace("\t0.25", "\t0.75").replace("\t5.0", "\t6.0"));
			Files.setLastModifiedTime(file, time);
			final Wisdom again = Wisdom.read(file, SIGNATURE);
			assertEquals(age == 0 ? 0 : 1, again.entries().size());
			assertEquals(age == 0 ? 1 : 2.5, again.ratio(DEVICE, "lag"));
			Files.writeString(file, text);
		}
	}

	/** What was read once stays as it is in the file, and belongs to its signature. */
	@Test
	void whatIsKeptOfAFileDoesNotChange() throws IOException {
		final Path file = folder.resolve("w.txt");
		final Wisdom first = Wisdom.read(file, SIGNATURE);
		first.put(PROBLEM, DEVICE, algorithm("a"), OptionalDouble.of(0.25));
		first.save();
		Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
		for (int i = 0; i < 2; i++) {
			final Wisdom read = Wisdom.read(file, SIGNATURE);
			assertEquals(1, read.entries().size());
			read.put(PROBLEM, DEVICE, algorithm("b"), OptionalDouble.of(0.5));
		}
		assertEquals(List.of(), Wisdom.read(file, "cpu-direct 2").entries());
	}

	/** Times and constants of this process are newer than those that another one has written meanwhile; other times of that one stay. */
	@Test
	void whatIsMeasuredHereIsSaved() {
		final Path file = folder.resolve("w.txt");
		final Wisdom here = Wisdom.read(file, SIGNATURE), other = Wisdom.read(file, SIGNATURE);
		for (final String id : List.of("a", "b")) other.put(PROBLEM, DEVICE, algorithm(id), OptionalDouble.of(0.25));
		other.calibrate(DEVICE, constants(5));
		other.save();
		here.put(PROBLEM, DEVICE, algorithm("a"), OptionalDouble.of(0.75));
		here.calibrate(DEVICE, constants(7));
		here.save();
		for (final Wisdom w : List.of(here, Wisdom.read(file, SIGNATURE))) {
			assertEquals(OptionalDouble.of(0.75), w.seconds(PROBLEM, DEVICE, algorithm("a")));
			assertEquals(OptionalDouble.of(0.25), w.seconds(PROBLEM, DEVICE, algorithm("b")));
			assertEquals(3.5, w.ratio(DEVICE, "lag"));
		}
	}

	@Test
	void aConstantWithAnotherShippedValueHasAnotherMeaning() {
		final Wisdom wisdom = Wisdom.read(folder.resolve("w.txt"), SIGNATURE);
		wisdom.calibrate(DEVICE, constants(5));
		final Device device = wisdom.calibrated(DEVICE);
		assertEquals(List.of(5.0, 3.0, 2.0),
			List.of(device.constants().get("lag", 2), device.constants().get("lag", 3), device.constants().get("submission", 2)));
	}

	/** All of a file is ignored, with one line. */
	@Test
	void whatIsNoMeasurementIsIgnoredWithAllOthers() throws IOException {
		final Path file = folder.resolve("w.txt");
		final List<String> lines = lines("NCC calibration 1", "toy: a toy\tlag\t2.0\t5.0");
		assertEquals(2.5, written(file, lines).ratio(DEVICE, "lag"));
		lines.addAll(lines(head(), "problem a\tcpu\tcpu-direct\t0.5", "problem b\tcpu\t0.5"));
		Files.write(file, lines);
		final List<Wisdom> read = new ArrayList<>();
		assertEquals(List.of("INFO ignoring the wisdom in " + file + ": 'problem b\tcpu\t0.5' is no measurement"),
			PlannerTest.said(() -> read.add(Wisdom.read(file, SIGNATURE))));
		assertEquals(List.of(), read.get(0).entries());
		assertEquals(Map.of(), read.get(0).calibrations());
		final List<String> edited = lines("NCC calibration 1", "toy: a toy\tlag\t2.0\t5.0");
		edited.set(1, "toy: a toy\tlag\t2.0\t6.0");
		Files.write(file, edited);
		assertEquals(List.of("INFO ignoring the wisdom in " + file + ": a section is truncated or was edited"), PlannerTest.said(() -> Wisdom.read(file, SIGNATURE)));
		assertEquals(List.of(), PlannerTest.said(() -> Wisdom.read(folder.resolve("none.txt"), SIGNATURE)));
	}

	@Test
	void whatCannotBeWritten() throws IOException {
		final Path folderInTheWay = Files.createDirectory(folder.resolve("w.txt")), below = Files.writeString(folder.resolve("file"), "").resolve("w.txt");
		final Wisdom wisdom = Wisdom.read(folderInTheWay, SIGNATURE), other = Wisdom.read(below, SIGNATURE);
		assertTrue(PlannerTest.said(wisdom::save).contains("WARNING cannot write the wisdom to " + folderInTheWay
			+ ": it is not a file; give another one with -Dncc.wisdom=FILE"));
		final List<String> said = PlannerTest.said(other::save);
		assertEquals(1, said.size(), said::toString);
		assertTrue(said.get(0).startsWith("WARNING cannot write the wisdom to " + below + ": java.nio.file."), said::toString);
	}

	@Test
	void theFileByDefault() {
		final String before = System.getProperty("ncc.wisdom");
		try {
			System.setProperty("ncc.wisdom", "there.txt");
			assertEquals(Path.of("there.txt"), Wisdom.defaultFile());
			System.clearProperty("ncc.wisdom");
			assertEquals(Path.of(System.getProperty("user.home"), ".ncc", "wisdom.txt"), Wisdom.defaultFile());
		}
		finally {
			if (before != null) System.setProperty("ncc.wisdom", before);
		}
	}

	/** Links to links are followed, and links in a circle end. */
	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	@Timeout(60)
	void linksToLinks() throws IOException {
		final Path[] links = { folder.resolve("0"), folder.resolve("1"), folder.resolve("2") };
		for (int i = 0; i < 2; i++) Files.createSymbolicLink(links[i], links[i + 1]);
		Wisdom.read(links[0], SIGNATURE).save();
		assertTrue(Files.isSymbolicLink(links[0]) && Files.isSymbolicLink(links[1]) && Files.size(links[2]) > 0 && !Files.isSymbolicLink(links[2]));
		Files.delete(links[2]);
		Files.createSymbolicLink(links[2], links[0]);
		Wisdom.read(links[0], SIGNATURE).save();
	}
}
