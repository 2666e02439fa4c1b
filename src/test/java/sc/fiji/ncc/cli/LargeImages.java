package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.Tag;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;

/** Images for the tests of maps that are larger than memory, runs in processes with small heaps, and comparisons of folders. */
@Tag("large")
abstract class LargeImages extends InFolder {

	/** Runs the program with the words of a line. */
	final int run(final String line) {
		return run(line.split(" "));
	}

	final String succeeds(final String line) {
		return succeeds(line.split(" "));
	}

	/** Another process, with so much memory. */
	final Process start(final String heap, final String words) throws IOException {
		final List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), heap, "-cp",
			System.getProperty("java.class.path"), "-Dncc.wisdom=" + System.getProperty("ncc.wisdom", path("wisdom")), Main.class.getName()));
		command.addAll(List.of(arguments(words.split(" "))));
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile()).start();
	}

	final void succeedsWithin(final String heap, final String words) throws IOException, InterruptedException {
		final Process p = start(heap, words);
		final boolean ended = p.waitFor(300, TimeUnit.SECONDS);
		p.destroyForcibly();
		assertTrue(ended, "it does not end");
		assertEquals(0, p.exitValue(), Files.readString(folder.resolve("said")));
	}

	/** All files, by their places: their bytes, or of chunks, so that tests need no large heap, what SHA-256 makes of them. */
	static Map<String, byte[]> files(final Path folder) throws IOException {
		final Map<String, byte[]> files = new TreeMap<>();
		if (Files.exists(folder))
			try (var all = Files.walk(folder)) {
				for (final Path p : all.filter(Files::isRegularFile).toList()) {
					final byte[] bytes = Files.readAllBytes(p);
					files.put(folder.relativize(p).toString(), bytes.length > 1 << 16 ? MessageDigest.getInstance("SHA-256").digest(bytes) : bytes);
				}
			}
			catch (final NoSuchAlgorithmException e) {
				throw new AssertionError("every Java has SHA-256", e);
			}
		return files;
	}

	static void assertSame(final Map<String, byte[]> a, final Map<String, byte[]> b) {
		assertEquals(a.keySet(), b.keySet());
		a.forEach((name, bytes) -> assertArrayEquals(bytes, b.get(name), name));
	}

	/** A gray image in many strips. */
	final void noise(final String name, final int width, final int height) throws IOException {
		final BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
		new Random(5).nextBytes(((DataBufferByte) image.getRaster().getDataBuffer()).getData());
		assertTrue(ImageIO.write(image, "tiff", folder.resolve(name).toFile()));
	}

	final InputImage read(final String name) {
		return ImageFiles.read(path(name));
	}
}
