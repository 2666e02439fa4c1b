package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

/** The help pages, as a browser gets them. Maven makes them; in other builds the test is skipped. */
class DocumentsTest {

	private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\":]+)\"");

	@Test
	void everyPageHasWhatItLinksTo() throws IOException {
		assumeTrue(Documents.address("user-guide.md#devices").isPresent(), "this build has no help pages: run Maven");
		final String address = Documents.address("user-guide.md#devices").get();
		assertTrue(address.startsWith("file:") && address.endsWith("user-guide.html#devices"), address);
		final Path page = Path.of(URI.create(address.replaceFirst("#.*", "")));
		assertTrue(Files.readString(page).contains("id=\"devices\""));
		final Set<String> missing = new TreeSet<>();
		int links = 0;
		try (var pages = Files.list(page.getParent())) {
			for (final Path p : pages.filter(f -> f.toString().endsWith(".html")).toList())
				for (final Matcher m = LINK.matcher(Files.readString(p)); m.find(); links++) {
					final String[] target = m.group(1).split("#");
					final Path file = target[0].isEmpty() ? p : p.resolveSibling(target[0]);
					// files of the sources are not in the jar
					if (target[0].startsWith("../")) continue;
					if (!Files.exists(file) || target.length > 1 && !Files.readString(file).contains("id=\"" + target[1] + "\"")) missing.add(p.getFileName() + ": " + m.group(1));
				}
		}
		assertEquals(Set.of(), missing);
		assertTrue(links > 100, links + " links");
	}
}
