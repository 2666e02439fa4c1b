package sc.fiji.ncc.cli.input;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import net.imglib2.RandomAccess;
import net.imglib2.type.numeric.RealType;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Files for the tests of readers. */
abstract class ImageFileSamples {

	@TempDir
	Path folder;

	@BeforeAll
	static void headless() {
		System.setProperty("java.awt.headless", "true");
	}

	final String file(final String name, final byte[] bytes) throws IOException {
		final Path path = folder.resolve(name);
		Files.write(path, bytes);
		return path.toString();
	}

	final String file(final String name, final String text) throws IOException {
		return file(name, text.getBytes(StandardCharsets.ISO_8859_1));
	}

	static double value(final InputImage image, final long... at) {
		final RandomAccess<?> access = image.pixels().randomAccess();
		access.setPosition(at);
		return ((RealType<?>) access.get()).getRealDouble();
	}

	static String refusal(final String name) {
		final String message = assertThrows(IllegalArgumentException.class, () -> ImageFiles.read(name)).getMessage();
		assertTrue(message.contains(name), message);
		return message;
	}
}
