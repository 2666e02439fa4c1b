package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Checks whether outputs fit the disk. */
public final class DiskSpace {

	/** The size in bytes from which the command prints it. */
	private static final double LARGE = 1e9;
	private static final String[] UNITS = { "bytes", "kB", "MB", "GB", "TB", "PB", "EB" };

	private DiskSpace() {}

	/**
	 * @param name the output, for messages
	 * @param place the path of the output, in an existing folder
	 * @param bytes the size of the output
	 * @return a line with the size and the free space
	 * @throws IllegalArgumentException if the free space is too small
	 */
	public static String require(final String name, final Path place, final double bytes) throws IOException {
		final double free = free(place);
		if (Double.isNaN(free)) return name + " will take " + text(bytes);
		if (bytes > free && bytes > free + left(place)) throw new IllegalArgumentException("the output " + name + " would take " + text(bytes)
			+ ", and its disk has " + text(free) + " free: give another folder, or compute a part with --search");
		return name + " will take " + text(bytes) + "; its disk has " + text(free) + " free";
	}

	static boolean large(final double bytes) {
		return bytes >= LARGE;
	}

	/** The free space in bytes; NaN if the system does not report it. */
	private static double free(final Path place) throws IOException {
		final FileStore disk = Files.getFileStore(place.toAbsolutePath().getParent());
		return disk.getTotalSpace() > 0 ? disk.getUsableSpace() : Double.NaN;
	}

	/** The bytes of an unfinished map of an earlier run, which this run continues or replaces. */
	private static double left(final Path place) throws IOException {
		final Path part = place.resolveSibling(place.getFileName() + ".part");
		if (!Files.isDirectory(part)) return 0;
		double bytes = 0;
		try (var all = Files.walk(part)) {
			for (final Path p : (Iterable<Path>) all::iterator) bytes += Files.isRegularFile(p) ? Files.size(p) : 0;
		}
		return bytes;
	}

	/** {@code 1.21 GB}, in steps of a thousand. */
	public static String text(final double bytes) {
		int unit = 0;
		double n = bytes;
		for (; n >= 999.5 && unit + 1 < UNITS.length; unit++) n /= 1000;
		return unit == 0 ? (long) n + " bytes" : String.format(Locale.ROOT, n < 10 ? "%.2f %s" : n < 100 ? "%.1f %s" : "%.0f %s", n, UNITS[unit]);
	}
}
