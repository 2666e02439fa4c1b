package sc.fiji.ncc.plan;

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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What was measured, kept in a text file of two parts: seconds by problem, device and algorithm, and the constants of cost models by device. The
 * first carries a signature, each constant the value that it replaces; what does not match, or is torn, is ignored, a whole part with one log
 * line. Writing replaces the file in one step, and keeps what other processes wrote meanwhile. Safe for use by several threads.
 */
public final class Wisdom {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");
	private static final Pattern SPACES = Pattern.compile("\\s+");
	private static final String HEAD = "NCC wisdom 2 ", CALIBRATION = "NCC calibration 1";

	/** The file that was read last: each call asks for it, and to read it takes several times as long as a small picture. */
	private static volatile Known last;

	/** What stood in a file; not written to. */
	private record Known(Path file, String signature, List<Object> state, SortedMap<String, Double> seconds,
		SortedMap<String, SortedMap<String, Constant>> calibrations)
	{

		boolean of(final Wisdom wisdom, final List<Object> now) {
			return file.equals(wisdom.file) && signature.equals(wisdom.signature) && state.equals(now);
		}
	}

	private final Path file;
	private final String signature;
	/** Negative where not even one run ended in time. */
	private final SortedMap<String, Double> seconds = new TreeMap<>();
	/** By device; those measured by this process are newer than the file's. */
	private final SortedMap<String, SortedMap<String, Constant>> calibrations = new TreeMap<>(), own = new TreeMap<>();

	/**
	 * A constant of a cost model, in seconds.
	 *
	 * @param shipped the value that it replaces: where another one ships, it means something else
	 */
	public record Constant(double shipped, double measured) {}

	private Wisdom(final Path file, final String signature) {
		this.file = file;
		this.signature = signature;
	}

	/** Where wisdom is kept: the system property {@code ncc.wisdom}, or {@code .ncc/wisdom.txt} in the user's home. */
	public static Path defaultFile() {
		final String given = System.getProperty("ncc.wisdom");
		return given != null ? Path.of(given) : Path.of(System.getProperty("user.home"), ".ncc", "wisdom.txt");
	}

	/**
	 * Reads the file.
	 *
	 * @param signature what all measurements depend on: algorithms and versions; one line
	 */
	public static Wisdom read(final Path file, final String signature) {
		final Wisdom wisdom = new Wisdom(file, SPACES.matcher(signature).replaceAll(" "));
		// to ask costs less than the exception, which would be a part of a small picture's time
		if (file.getFileSystem() == FileSystems.getDefault() && !file.toFile().exists()) return wisdom;
		try {
			final List<Object> state = state(file);
			final Known known = last;
			if (known != null && known.of(wisdom, state)) {
				wisdom.seconds.putAll(known.seconds);
				wisdom.calibrations.putAll(known.calibrations);
				return wisdom;
			}
			wisdom.parse(Files.readAllLines(file, StandardCharsets.UTF_8));
			if (isSettled(file)) last = new Known(file, wisdom.signature, state, new TreeMap<>(wisdom.seconds), new TreeMap<>(wisdom.calibrations));
		}
		catch (final NoSuchFileException e) {
			// nothing was measured yet
		}
		catch (final IOException | RuntimeException e) {
			wisdom.seconds.clear();
			wisdom.calibrations.clear();
			wisdom.ignore(e.getMessage());
		}
		return wisdom;
	}

	/** Whether its time would change if it were written to now: the coarsest clock of a file system ticks each two seconds. */
	private static boolean isSettled(final Path file) throws IOException {
		return Files.getLastModifiedTime(file).toMillis() < System.currentTimeMillis() - 3000;
	}

	/** What changes when a file is replaced or written to. */
	private static List<Object> state(final Path file) throws IOException {
		final BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
		return Arrays.asList(a.fileKey(), a.lastModifiedTime(), a.size());
	}

	private void parse(final List<String> file) throws IOException {
		final List<Section> sections = Section.parse(file);
		if (sections.isEmpty()) throw new IOException("it is empty");
		for (final Section part : sections) {
			if (!part.whole()) ignore("it is torn or was edited");
			else if (part.head().equals(CALIBRATION)) part.lines().forEach(this::parseConstant);
			else if (part.head().equals(HEAD + signature)) part.lines().forEach(this::parseSeconds);
			else ignore("it was measured with other algorithms or versions");
		}
	}

	private void ignore(final String reason) {
		LOG.log(System.Logger.Level.INFO, "wisdom in " + file + " is ignored: " + reason);
	}

	private void parseSeconds(final String line) {
		final int tab = line.lastIndexOf('\t');
		seconds.put(line.substring(0, tab), Double.valueOf(line.substring(tab + 1)));
	}

	private void parseConstant(final String line) {
		final String[] parts = line.split("\t");
		calibrations.computeIfAbsent(parts[0], device -> new TreeMap<>()).put(parts[1],
			new Constant(Double.parseDouble(parts[2]), Double.parseDouble(parts[3])));
	}

	private static String key(final Problem problem, final Device device, final Algorithm algorithm) {
		return problem + "\t" + device.key() + "\t" + algorithm.id();
	}

	/** Seconds for the whole problem, if it was measured. */
	public synchronized OptionalDouble seconds(final Problem problem, final Device device, final Algorithm algorithm) {
		// making a key costs a new process more than all else here
		if (seconds.isEmpty()) return OptionalDouble.empty();
		final Double s = seconds.get(key(problem, device, algorithm));
		return s == null || s < 0 ? OptionalDouble.empty() : OptionalDouble.of(s);
	}

	/** Whether it was measured and did not end in time. */
	synchronized boolean endless(final Problem problem, final Device device, final Algorithm algorithm) {
		return !seconds.isEmpty() && seconds.getOrDefault(key(problem, device, algorithm), 0.0) < 0;
	}

	/** @param s empty if it did not end in time */
	synchronized void put(final Problem problem, final Device device, final Algorithm algorithm, final OptionalDouble s) {
		seconds.put(key(problem, device, algorithm), s.orElse(-1));
	}

	/** The device with the constants that were measured on it. */
	synchronized Device calibrated(final Device device) {
		final SortedMap<String, Constant> measured = calibrations.isEmpty() ? null : calibrations.get(device.key());
		return measured == null ? device : device.with(new Measured(Map.copyOf(measured)));
	}

	private record Measured(Map<String, Constant> constants) implements Constants {

		@Override
		public double get(final String name, final double shipped) {
			final Constant c = constants.get(name);
			return c == null || c.shipped != shipped ? shipped : c.measured;
		}
	}

	/** Replaces what was known of a device's constants. */
	synchronized void calibrate(final Device device, final SortedMap<String, Constant> constants) {
		calibrations.put(device.key(), constants);
		own.put(device.key(), constants);
	}

	/** The constants that were measured, by name, by the id and the name of each device. */
	public synchronized SortedMap<String, SortedMap<String, Constant>> calibrations() {
		return new TreeMap<>(calibrations);
	}

	/** Where it is kept. */
	public Path file() {
		return file;
	}

	/**
	 * One measurement.
	 *
	 * @param problem in words
	 * @param device its id and its name
	 * @param algorithm its id
	 * @param seconds for the whole problem; empty if it did not end in time
	 */
	public record Entry(String problem, String device, String algorithm, OptionalDouble seconds) {}

	/** All that is known, ordered by problem, device and algorithm. */
	public synchronized List<Entry> entries() {
		final List<Entry> all = new ArrayList<>();
		seconds.forEach((key, s) -> {
			final String[] parts = key.split("\t");
			all.add(new Entry(parts[0], parts[1], parts[2], s < 0 ? OptionalDouble.empty() : OptionalDouble.of(s)));
		});
		return all;
	}

	/** Writes the file; if that fails, says so in one log line: what was measured still serves this process. */
	synchronized void save() {
		final Wisdom now = read(file, signature);
		now.seconds.forEach(seconds::putIfAbsent);
		calibrations.putAll(now.calibrations);
		calibrations.putAll(own);
		final List<String> times = new ArrayList<>(), constants = new ArrayList<>(), lines = new ArrayList<>();
		seconds.forEach((key, s) -> times.add(key + "\t" + s));
		calibrations.forEach((device, all) -> all.forEach((name, c) -> constants.add(device + "\t" + name + "\t" + c.shipped + "\t" + c.measured)));
		Section.append(lines, HEAD + signature, times);
		if (!constants.isEmpty()) Section.append(lines, CALIBRATION, constants);
		Path part = null;
		last = null;
		try {
			final Path folder = file.toAbsolutePath().getParent();
			Files.createDirectories(folder);
			part = Files.createTempFile(folder, "wisdom", ".part");
			Files.write(part, lines, StandardCharsets.UTF_8);
			try {
				Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
			}
			catch (final AtomicMoveNotSupportedException e) {
				Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
			}
		}
		catch (final IOException e) {
			LOG.log(System.Logger.Level.WARNING, "wisdom cannot be kept in " + file + ": " + e);
			deleteQuietly(part);
		}
	}

	private static void deleteQuietly(final Path part) {
		try {
			if (part != null) Files.deleteIfExists(part);
		}
		catch (final IOException e) {
			LOG.log(System.Logger.Level.WARNING, "left behind: " + part);
		}
	}

	/** Forgets everything, the file too. */
	public synchronized void clear() throws IOException {
		seconds.clear();
		calibrations.clear();
		own.clear();
		Files.deleteIfExists(file);
	}
}
