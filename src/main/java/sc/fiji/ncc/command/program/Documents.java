package sc.fiji.ncc.command.program;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import sc.fiji.ncc.result.NccException;

/** The documentation in the jar. A browser needs files, so all pages, pictures and data are copied to a temporary folder when the first page is opened. */
public final class Documents {

	/** Where Maven puts the pages that it makes of {@code src/doc}. */
	private static final String FOLDER = "/sc/fiji/ncc/doc/", FIRST = "user-guide.html";

	private static Path copies;

	private Documents() {}

	/**
	 * The address of a section.
	 *
	 * @param section a page in {@code src/doc} and a heading, as in {@code user-guide.md#devices}
	 * @return empty if the program was not built by Maven
	 */
	public static Optional<String> address(final String section) {
		final URL first = Documents.class.getResource(FOLDER + FIRST);
		if (first == null) return Optional.empty();
		final String[] parts = section.split("#");
		return Optional.of(folder(first).resolve(parts[0].replaceFirst("\\.md$", ".html")).toUri() + (parts.length > 1 ? "#" + parts[1] : ""));
	}

	private static synchronized Path folder(final URL first) {
		if (copies != null && Files.exists(copies.resolve(FIRST))) return copies;
		try {
			final URI page = first.toURI();
			if (!page.getScheme().equals("jar")) return copies = copied(Path.of(page).getParent());
			final URI jar = URI.create(page.toString().substring(0, page.toString().indexOf("!/")));
			try (FileSystem files = FileSystems.newFileSystem(jar, Map.of())) {
				return copies = copied(files.getPath(FOLDER));
			}
		}
		catch (final IOException | URISyntaxException e) {
			throw new NccException("cannot copy the documentation to a temporary folder: " + e, e);
		}
	}

	/** The pages, their pictures, and the folder of data. */
	private static Path copied(final Path from) throws IOException {
		final Path to = Files.createTempDirectory("ncc-documents");
		final List<Path> all;
		try (Stream<Path> files = Files.walk(from)) {
			all = files.toList();
		}
		for (final Path file : all) {
			final Path copy = to.resolve(from.relativize(file).toString());
			// the folder of the copies exists; a folder comes before what it contains
			if (!file.equals(from)) Files.copy(file, copy);
			// what is registered last is deleted first
			copy.toFile().deleteOnExit();
		}
		return to;
	}
}
