package sc.fiji.ncc.front;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/** The names of files that commands write. */
public final class OutputFile {

	private OutputFile() {}

	/**
	 * The place of a file. Finds errors before anything is computed.
	 *
	 * @param key the key of the parameter, for messages
	 * @param ending such as {@code .json}
	 * @param kind such as JSON, for messages
	 * @return null if the name is blank
	 * @throws IllegalArgumentException if the name has another ending, the folder does not exist, or a folder has this name
	 */
	public static Path of(final String key, final String name, final String ending, final String kind) {
		if (name == null || name.isBlank()) return null;
		final String trimmed = name.trim();
		try {
			final Path path = Path.of(trimmed).toAbsolutePath();
			if (!trimmed.toLowerCase(Locale.ROOT).endsWith(ending)) throw new IllegalArgumentException(key + "=" + trimmed + " is " + kind + " file. Give a name that ends in " + ending + ".");
			if (Files.isDirectory(path)) throw new IllegalArgumentException("Cannot write " + trimmed + ": it is a folder. Give the name of a file.");
			if (!Files.isDirectory(path.getParent())) throw new IllegalArgumentException("Cannot write " + trimmed + ": there is no folder " + path.getParent()
				+ ". Create it, or give another file.");
			return path;
		}
		catch (final InvalidPathException e) {
			throw new IllegalArgumentException(key + "=" + trimmed + " is not a file name: " + e.getReason() + ".", e);
		}
	}

	/** What is written to a file. */
	@FunctionalInterface
	public interface Text {

		void writeTo(Writer file) throws IOException;
	}

	/** Writes a text file. @param place null for none */
	public static void write(final Path place, final Text text) {
		if (place == null) return;
		try (Writer to = Files.newBufferedWriter(place)) {
			text.writeTo(to);
		}
		catch (final IOException e) {
			throw new UncheckedIOException("cannot write " + place, e);
		}
	}
}
