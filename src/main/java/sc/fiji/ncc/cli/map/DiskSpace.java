package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import sc.fiji.ncc.result.NccException;

/** Checks whether outputs fit the disk. */
public final class DiskSpace {

	/** The size in bytes from which the command prints it. */
	private static final double LARGE = 1e9;
	private static final String[] UNITS = { "bytes", "kB", "MB", "GB", "TB", "PB", "EB" };

	/** The advice for maps, of which a part can be computed. */
	public static final String PART = ", or compute a part with --search";

	private DiskSpace() {}

	/**
	 * @param name the output, for messages
	 * @param place the path of the output, in an existing folder
	 * @param bytes the size of the output
	 * @param advice what else the user can do than to give another folder
	 * @return a line with the size and the free space
	 * @throws IllegalArgumentException if the disk is too small
	 * @throws NccException if only its free space is too small
	 */
	public static String require(final String name, final Path place, final double bytes, final String advice) throws IOException {
		final FileStore disk = Files.getFileStore(place.toAbsolutePath().getParent());
		final double total = disk.getTotalSpace(), free = total > 0 ? disk.getUsableSpace() : Double.NaN;
		if (Double.isNaN(free)) return name + " will take " + text(bytes);
		final String needs = "the output " + name + " would take " + text(bytes) + ", and its disk has " + text(free) + " free";
		if (bytes > total) throw new IllegalArgumentException(needs + " of " + text(total) + ": give another folder" + advice);
		if (bytes > free && bytes > free + left(place)) throw new NccException(needs + ": free space, or give another folder" + advice,
			new IOException("no space left"));
		return name + " will take " + text(bytes) + "; its disk has " + text(free) + " free";
	}

	static boolean large(final double bytes) {
		return bytes >= LARGE;
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
