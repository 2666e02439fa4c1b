package sc.fiji.ncc.assembly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.zip.GZIPInputStream;

import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXParseException;

/** The update site that Maven makes of target/fiji: what Fiji's Updater downloads and checks. */
class UpdateSiteTest {

	@TempDir
	Path folder;

	/** @param entries name, content, name, content, ... */
	private void jar(final String name, final String... entries) throws IOException {
		final Path jar = folder.resolve("fiji").resolve(name);
		Files.createDirectories(jar.getParent());
		try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file)) {
			for (int i = 0; i < entries.length; i += 2) {
				out.putNextEntry(new JarEntry(entries[i]));
				out.write(entries[i + 1].getBytes(StandardCharsets.UTF_8));
			}
		}
		Files.setLastModifiedTime(jar, FileTime.from(LocalDateTime.of(2026, 3, 4, 5, 6, 7).atZone(ZoneId.systemDefault()).toInstant()));
	}

	private static String sha1(final String text) throws Exception {
		return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void theUpdaterFindsAndChecksEachJar() throws Exception {
		jar("plugins/ncc_-1.jar", "z.txt", "last", "META-INF/MANIFEST.MF", "Built-By: me\n", "a.properties", "#a date\nkey=value\n# more\n#\n#kept\nb=#c\n\n#kept, too\n");
		jar("jars/jcuda-12.jar", "x", "1");
		Files.writeString(folder.resolve("fiji/jars/only-for-imagej.zip"), "zip");
		final Path site = folder.resolve("site");
		final Process p = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "src/assembly/java/UpdateSite.java", folder.resolve("fiji").toString(),
			site.toString()).inheritIO().start();
		assertEquals(0, p.waitFor());

		final Document db;
		try (InputStream in = new GZIPInputStream(Files.newInputStream(site.resolve("db.xml.gz")))) {
			db = parser().parse(in);
		}
		assertEquals("pluginRecords", db.getDocumentElement().getTagName());
		final List<Element> plugins = List.of((Element) db.getElementsByTagName("plugin").item(0), (Element) db.getElementsByTagName("plugin").item(1));
		assertEquals(2, db.getElementsByTagName("plugin").getLength());
		assertEquals(List.of("jars/jcuda-12.jar", "plugins/ncc_-1.jar"), plugins.stream().map(e -> e.getAttribute("filename")).toList());
		for (final Element plugin : plugins) {
			final Element version = (Element) plugin.getElementsByTagName("version").item(0);
			assertEquals("20260304050607", version.getAttribute("timestamp"));
			final Path jar = folder.resolve("fiji").resolve(plugin.getAttribute("filename"));
			assertEquals(String.valueOf(Files.size(jar)), version.getAttribute("filesize"));
			assertArrayEquals(Files.readAllBytes(jar), Files.readAllBytes(site.resolve(plugin.getAttribute("filename") + "-20260304050607")));
		}
		final Element ncc = (Element) plugins.get(1).getElementsByTagName("version").item(0);
		assertEquals(sha1("META-INF/MANIFEST.MFa.properties\nkey=value\n\n\n#kept\nb=#c\n\n#kept, too\nz.txtlast"), ncc.getAttribute("checksum"));
		assertEquals("jars/jcuda-12.jar", ((Element) ncc.getElementsByTagName("dependency").item(0)).getAttribute("filename"));
		try (var files = Files.walk(site)) {
			assertEquals(3, files.filter(Files::isRegularFile).count());
		}
	}

	/** It refuses what the document type in the file does not allow. */
	private static DocumentBuilder parser() throws Exception {
		final DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
		factory.setValidating(true);
		final DocumentBuilder parser = factory.newDocumentBuilder();
		parser.setErrorHandler(new ErrorHandler() {

			@Override
			public void warning(final SAXParseException e) throws SAXParseException {
				throw e;
			}

			@Override
			public void error(final SAXParseException e) throws SAXParseException {
				throw e;
			}

			@Override
			public void fatalError(final SAXParseException e) throws SAXParseException {
				throw e;
			}
		});
		assertTrue(parser.isValidating());
		return parser;
	}
}
