import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes an update site of Fiji: db.xml.gz, and each file with its timestamp at the end of its name. Maven runs it from the source. Arguments: the folder with plugins and
 * jars, and the new folder. The zips in jars/ are for plain ImageJ alone and are left out. The format is that of imagej-updater (XMLFileWriter, UpdaterUtil).
 */
public final class UpdateSite {

	private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneId.systemDefault());

	private static final String HEAD = """
		<?xml version="1.0" encoding="UTF-8"?>
		<!DOCTYPE pluginRecords [
		<!ELEMENT pluginRecords (plugin*)>
		<!ELEMENT plugin (version)>
		<!ELEMENT version (description?, dependency*)>
		<!ELEMENT description (#PCDATA)>
		<!ELEMENT dependency EMPTY>
		<!ATTLIST plugin filename CDATA #REQUIRED>
		<!ATTLIST version checksum CDATA #REQUIRED timestamp CDATA #REQUIRED filesize CDATA #REQUIRED>
		<!ATTLIST dependency filename CDATA #REQUIRED timestamp CDATA #IMPLIED>
		]>
		<pluginRecords>
		""";

	private record Component(String name, Path file, String checksum, String timestamp) {}

	private UpdateSite() {}

	public static void main(final String[] arguments) throws IOException {
		final Path from = Path.of(arguments[0]), to = Path.of(arguments[1]);
		final List<Component> components = new ArrayList<>();
		try (Stream<Path> files = Files.walk(from)) {
			for (final Path f : files.filter(p -> p.toString().endsWith(".jar")).sorted().toList())
				components.add(new Component(from.relativize(f).toString().replace('\\', '/'), f, checksum(f), TIMESTAMP.format(Files.getLastModifiedTime(f).toInstant())));
		}
		if (components.isEmpty()) throw new IOException("there are no jars in " + from);
		delete(to);
		for (final Component c : components) {
			final Path place = to.resolve(c.name + "-" + c.timestamp);
			Files.createDirectories(place.getParent());
			Files.copy(c.file, place, StandardCopyOption.COPY_ATTRIBUTES);
		}
		try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to.resolve("db.xml.gz"))); Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8)) {
			text.write(xml(components));
		}
	}

	private static String xml(final List<Component> components) throws IOException {
		final StringBuilder xml = new StringBuilder(HEAD);
		for (final Component c : components) {
			xml.append("<plugin filename=\"").append(c.name).append("\">\n<version checksum=\"").append(c.checksum).append("\" timestamp=\"").append(c.timestamp)
				.append("\" filesize=\"").append(Files.size(c.file)).append("\">\n");
			if (c.name.startsWith("plugins/")) {
				xml.append("<description>Normalized cross-correlation: finds a template in an image, in 2D and 3D.</description>\n");
				for (final Component d : components)
					if (d != c) xml.append("<dependency filename=\"").append(d.name).append("\" timestamp=\"").append(d.timestamp).append("\"/>\n");
			}
			xml.append("</version>\n</plugin>\n");
		}
		return xml.append("</pluginRecords>\n").toString();
	}

	/** The checksum of a jar: SHA-1 of the names and contents of its entries, in the order of their names, without the contents of the manifest and without comments in properties. */
	private static String checksum(final Path jar) throws IOException {
		final MessageDigest digest;
		try {
			digest = MessageDigest.getInstance("SHA-1");
		}
		catch (final NoSuchAlgorithmException e) {
			throw new IllegalStateException("every Java has SHA-1", e);
		}
		try (JarFile file = new JarFile(jar.toFile())) {
			for (final JarEntry entry : file.stream().sorted(Comparator.comparing(JarEntry::getName)).toList()) {
				digest.update(entry.getName().getBytes(StandardCharsets.US_ASCII));
				if (entry.getName().equals("META-INF/MANIFEST.MF")) continue;
				final byte[] bytes = file.getInputStream(entry).readAllBytes();
				digest.update(entry.getName().endsWith(".properties") ? withoutComments(bytes) : bytes);
			}
		}
		return HexFormat.of().formatHex(digest.digest());
	}

	/** Comments become empty lines. As in Fiji's Updater, the line after a comment without text is kept, even if it is a comment. */
	private static byte[] withoutComments(final byte[] properties) {
		final ByteArrayOutputStream kept = new ByteArrayOutputStream();
		boolean lineStart = true;
		for (int i = 0; i < properties.length; i++) {
			if (lineStart && properties[i] == '#') {
				boolean text = false;
				for (; i < properties.length && properties[i] != '\n'; i++) text |= properties[i] != '#';
				if (i == properties.length) break;
				lineStart = text;
			}
			else lineStart = properties[i] == '\n' && !lineStart;
			kept.write(properties[i]);
		}
		return kept.toByteArray();
	}

	private static void delete(final Path folder) throws IOException {
		if (!Files.exists(folder)) return;
		try (Stream<Path> all = Files.walk(folder)) {
			for (final Path p : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
		}
	}
}
