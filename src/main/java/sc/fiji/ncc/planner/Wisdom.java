package sc.fiji.ncc.planner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Problem;

/**
 * Measurements, kept in a text file of two sections: times by problem, device and algorithm, and the constants of cost models by device. The first
 * section carries a signature. Each constant carries the shipped value that it replaces. A section that does not match or is truncated is ignored
 * with one log line. Writing replaces the file atomically and keeps what other processes have written meanwhile. Several threads may use it.
 */
public final class Wisdom {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");
	private static final Pattern SPACES = Pattern.compile("\\s+");
	private static final String HEAD = "NCC wisdom 4 ", CALIBRATION = "NCC calibration 1";
	private static final String NO_FILE = "it is not a file; give another one with -Dncc.wisdom=FILE";
	private static final int MOST_LINKS = 40;

	/** What was ignored, and why: each state of a file is reported once, although a run reads it several times. */
	private static final Set<List<Object>> IGNORED = ConcurrentHashMap.newKeySet();

	/** The file read last. Each planner reads the file, and parsing it takes several times as long as correlating a small image. */
	private static volatile CachedFile cached;

	/** The content of a file; immutable. */
	private record CachedFile(Path file, String signature, List<Object> state, SortedMap<String, Double> seconds,
		SortedMap<String, SortedMap<String, Constant>> calibrations)
	{

		boolean matches(final Wisdom wisdom, final List<Object> current) {
			return file.equals(wisdom.file) && signature.equals(wisdom.signature) && state.equals(current);
		}
	}

	private final Path file;
	private final String signature;
	/** The state of the file when it was read. */
	private List<Object> state = List.of();
	private int changes;
	/** In seconds; negative if not one run ended within the time limit. */
	private final SortedMap<String, Double> seconds = new TreeMap<>();
	/** By device. Those measured by this process are newer than those in the file. */
	private final SortedMap<String, SortedMap<String, Constant>> calibrations = new TreeMap<>(), measuredHere = new TreeMap<>();

	/**
	 * A constant of a cost model, in seconds.
	 *
	 * @param shipped the shipped value that it replaces. A constant with another shipped value has another meaning and is ignored
	 */
	public record Constant(double shipped, double measured) {}

	private Wisdom(final Path file, final String signature) {
		this.file = file;
		this.signature = signature;
	}

	/** The file of the wisdom: the system property {@code ncc.wisdom}, or else {@code .ncc/wisdom.txt} in the user's home. */
	public static Path defaultFile() {
		final String property = System.getProperty("ncc.wisdom");
		return property != null ? Path.of(property) : Path.of(System.getProperty("user.home"), ".ncc", "wisdom.txt");
	}

	/**
	 * Reads the file.
	 *
	 * @param signature all that the measurements depend on, algorithms and versions, in one line
	 */
	public static Wisdom read(final Path file, final String signature) {
		final Wisdom wisdom = new Wisdom(file, SPACES.matcher(signature).replaceAll(" "));
		// this test is faster than the exception, which would take a notable share of the time for a small image
		if (file.getFileSystem() == FileSystems.getDefault() && !file.toFile().exists()) return wisdom;
		try {
			wisdom.state = state(file);
			final CachedFile recent = cached;
			if (recent != null && recent.matches(wisdom, wisdom.state)) {
				wisdom.seconds.putAll(recent.seconds);
				wisdom.calibrations.putAll(recent.calibrations);
				return wisdom;
			}
			if (!Files.isRegularFile(file)) throw new IOException(NO_FILE);
			wisdom.parse(Files.readAllLines(file, StandardCharsets.UTF_8));
			if (isSettled(file)) cached = new CachedFile(file, wisdom.signature, wisdom.state, new TreeMap<>(wisdom.seconds),
				new TreeMap<>(wisdom.calibrations));
		}
		catch (final NoSuchFileException e) {
			// no measurement exists yet
		}
		catch (final IOException | RuntimeException e) {
			wisdom.seconds.clear();
			wisdom.calibrations.clear();
			wisdom.ignore(e.getMessage());
		}
		return wisdom;
	}

	/** Whether a write at this moment would change the modification time: the coarsest file system has a resolution of 2 s. */
	private static boolean isSettled(final Path file) throws IOException {
		return Files.getLastModifiedTime(file).toMillis() < System.currentTimeMillis() - 3000;
	}

	/** Properties of which at least one changes when the file is replaced or written. */
	private static List<Object> state(final Path file) throws IOException {
		final BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
		return Arrays.asList(a.fileKey(), a.lastModifiedTime(), a.size());
	}

	private void parse(final List<String> file) throws IOException {
		final List<ChecksummedSection> sections = ChecksummedSection.parse(file);
		if (sections.isEmpty()) throw new IOException("the file is empty");
		for (final ChecksummedSection section : sections) {
			if (!section.intact()) ignore("a section is truncated or was edited");
			else if (section.head().equals(CALIBRATION)) section.lines().forEach(this::parseConstant);
			else if (section.head().equals(HEAD + signature)) section.lines().forEach(this::parseSeconds);
			else ignore("its times were measured with other algorithms, another version or another method");
		}
	}

	private void ignore(final String reason) {
		final String line = "ignoring the wisdom in " + file + ": " + reason;
		if (IGNORED.add(List.of(line, state))) LOG.log(System.Logger.Level.INFO, line);
	}

	private void parseSeconds(final String line) {
		final int tab = line.lastIndexOf('\t');
		final double s = Double.parseDouble(line.substring(tab + 1));
		if (line.split("\t", -1).length != 4 || !Double.isFinite(s)) throw new IllegalArgumentException("'" + line + "' is no measurement");
		seconds.put(line.substring(0, tab), s);
	}

	private void parseConstant(final String line) {
		final String[] parts = line.split("\t");
		calibrations.computeIfAbsent(parts[0], device -> new TreeMap<>()).put(parts[1],
			new Constant(Double.parseDouble(parts[2]), Double.parseDouble(parts[3])));
	}

	private static String key(final Problem problem, final Device device, final Algorithm<?> algorithm) {
		return problem + "\t" + device.key() + "\t" + algorithm.key();
	}

	/** The measured time in seconds for the whole problem; empty if it was not measured. */
	public synchronized OptionalDouble seconds(final Problem problem, final Device device, final Algorithm<?> algorithm) {
		// in a new process, making a key takes longer than the rest of this method
		if (seconds.isEmpty()) return OptionalDouble.empty();
		final Double s = seconds.get(key(problem, device, algorithm));
		return s == null || s < 0 ? OptionalDouble.empty() : OptionalDouble.of(s);
	}

	/** Whether a measurement of this problem exceeded the time limit. */
	synchronized boolean timedOut(final Problem problem, final Device device, final Algorithm<?> algorithm) {
		return !seconds.isEmpty() && seconds.getOrDefault(key(problem, device, algorithm), 0.0) < 0;
	}

	/** @param s the time in seconds; empty if the measurement exceeded the time limit */
	synchronized void put(final Problem problem, final Device device, final Algorithm<?> algorithm, final OptionalDouble s) {
		changes++;
		seconds.put(key(problem, device, algorithm), s.orElse(-1));
	}

	/** The device with the constants that were measured on it. */
	synchronized Device calibrated(final Device device) {
		final SortedMap<String, Constant> measured = calibrations.isEmpty() ? null : calibrations.get(device.key());
		return measured == null ? device : device.with(new Measured(Map.copyOf(measured)));
	}

	/** A constant that was measured on a device, as a multiple of its shipped value; 1 if it was not measured. */
	synchronized double ratio(final Device device, final String constant) {
		final SortedMap<String, Constant> measured = calibrations.get(device.key());
		final Constant c = measured == null ? null : measured.get(constant);
		return c == null ? 1 : c.measured / c.shipped;
	}

	private record Measured(Map<String, Constant> constants) implements Constants {

		@Override
		public double get(final String name, final double shipped) {
			final Constant c = constants.get(name);
			return c == null || c.shipped != shipped ? shipped : c.measured;
		}
	}

	/** A number that grows with each change. */
	synchronized int changes() {
		return changes;
	}

	/** Replaces the constants of a device. */
	synchronized void calibrate(final Device device, final SortedMap<String, Constant> constants) {
		changes++;
		calibrations.put(device.key(), constants);
		measuredHere.put(device.key(), constants);
	}

	/** The measured constants by name, by the id and name of each device. */
	public synchronized SortedMap<String, SortedMap<String, Constant>> calibrations() {
		return new TreeMap<>(calibrations);
	}

	/** The file in which the wisdom is kept. */
	public Path file() {
		return file;
	}

	/**
	 * One measurement.
	 *
	 * @param problem the text of {@link Problem#toString}
	 * @param device the id and the name of the device
	 * @param algorithm the key of the algorithm
	 * @param seconds the time for the whole problem; empty if the measurement exceeded the time limit
	 */
	public record Entry(String problem, String device, String algorithm, OptionalDouble seconds) {}

	/** All measurements, ordered by problem, device and algorithm. */
	public synchronized List<Entry> entries() {
		final List<Entry> entries = new ArrayList<>();
		seconds.forEach((key, s) -> {
			final String[] parts = key.split("\t");
			entries.add(new Entry(parts[0], parts[1], parts[2], s < 0 ? OptionalDouble.empty() : OptionalDouble.of(s)));
		});
		return entries;
	}

	/** Writes the file. If that fails, it logs one line, and this process still uses the measurements. */
	synchronized void save() {
		changes++;
		final Wisdom stored = read(file, signature);
		stored.seconds.forEach(seconds::putIfAbsent);
		calibrations.putAll(stored.calibrations);
		calibrations.putAll(measuredHere);
		final List<String> times = new ArrayList<>(), constants = new ArrayList<>(), lines = new ArrayList<>();
		seconds.forEach((key, s) -> times.add(key + "\t" + s));
		calibrations.forEach((device, values) -> values.forEach((name, c) ->
			constants.add(device + "\t" + name + "\t" + c.shipped + "\t" + c.measured)));
		ChecksummedSection.append(lines, HEAD + signature, times);
		if (!constants.isEmpty()) ChecksummedSection.append(lines, CALIBRATION, constants);
		Path part = null;
		cached = null;
		try {
			final Path target = target();
			final Path folder = target.toAbsolutePath().getParent();
			Files.createDirectories(folder);
			part = Files.createTempFile(folder, "wisdom", ".part");
			Files.write(part, lines, StandardCharsets.UTF_8);
			try {
				Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
			}
			catch (final AtomicMoveNotSupportedException e) {
				Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
			}
		}
		catch (final IOException e) {
			LOG.log(System.Logger.Level.WARNING, "cannot write the wisdom to " + file + ": "
				+ (NO_FILE.equals(e.getMessage()) ? NO_FILE : e.toString()));
			deleteQuietly(part);
		}
	}

	private static void deleteQuietly(final Path part) {
		try {
			if (part != null) Files.deleteIfExists(part);
		}
		catch (final IOException e) {
			LOG.log(System.Logger.Level.WARNING, "cannot delete the temporary file " + part + ": " + e);
		}
	}

	/** The file that is written: the target of a link, which stays. */
	private Path target() throws IOException {
		if (Files.exists(file) && !Files.isRegularFile(file)) throw new IOException(NO_FILE);
		Path target = file;
		for (int links = 0; Files.isSymbolicLink(target) && links < MOST_LINKS; links++) target =
			target.resolveSibling(Files.readSymbolicLink(target));
		return target;
	}

	/**
	 * Deletes all measurements and the file, at the end of a link if it is one.
	 *
	 * @throws IOException if the file is a folder, or cannot be deleted
	 */
	public synchronized void clear() throws IOException {
		final Path target = target();
		changes++;
		seconds.clear();
		calibrations.clear();
		measuredHere.clear();
		Files.deleteIfExists(target);
	}
}
