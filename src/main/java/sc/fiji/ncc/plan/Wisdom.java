package sc.fiji.ncc.plan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * What was measured, kept in a text file: seconds by problem, device and algorithm. The file carries a signature; one that does not match, or
 * a torn file, is ignored with one log line. Writing replaces the file in one step, and keeps what other processes wrote meanwhile. Safe for
 * use by several threads.
 */
public final class Wisdom {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");
	private static final String HEAD = "NCC wisdom 2 ";

	private final Path file;
	private final String signature;
	/** Negative where not even one run ended in time. */
	private final Map<String, Double> seconds = new TreeMap<>();

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
		final Wisdom wisdom = new Wisdom(file, signature.replaceAll("\\s+", " "));
		try {
			wisdom.parse(Files.readAllLines(file, StandardCharsets.UTF_8));
		}
		catch (final NoSuchFileException e) {
			// nothing was measured yet
		}
		catch (final IOException | RuntimeException e) {
			wisdom.seconds.clear();
			LOG.log(System.Logger.Level.INFO, "the wisdom in " + file + " is ignored: " + e.getMessage());
		}
		return wisdom;
	}

	private void parse(final List<String> lines) throws IOException {
		if (lines.size() < 2 || !lines.get(lines.size() - 1).equals(checksum(lines.subList(0, lines.size() - 1))))
			throw new IOException("it is torn or was edited");
		if (!lines.get(0).equals(HEAD + signature)) throw new IOException("it was measured with other algorithms or versions");
		for (final String line : lines.subList(1, lines.size() - 1)) {
			final int tab = line.lastIndexOf('\t');
			seconds.put(line.substring(0, tab), Double.valueOf(line.substring(tab + 1)));
		}
	}

	private static String checksum(final List<String> lines) {
		final CRC32 crc = new CRC32();
		for (final String line : lines) crc.update((line + "\n").getBytes(StandardCharsets.UTF_8));
		return "end " + Long.toHexString(crc.getValue());
	}

	private static String key(final Problem problem, final Device device, final Algorithm algorithm) {
		return problem + "\t" + device.id() + ": " + device.name() + "\t" + algorithm.id();
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
		read(file, signature).seconds.forEach(seconds::putIfAbsent);
		final List<String> lines = new ArrayList<>();
		lines.add(HEAD + signature);
		seconds.forEach((key, s) -> lines.add(key + "\t" + s));
		lines.add(checksum(lines));
		Path part = null;
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
		Files.deleteIfExists(file);
	}
}
