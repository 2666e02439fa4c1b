package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import ij.IJ;
import ij.ImagePlus;
import ij.process.ByteProcessor;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.IntegerType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.command.program.ImageInput;

/** Images of a folder, whose files are read again when their pixels are not in memory. */
class FolderImageTest {

	@TempDir
	Path folder;

	private String write(final String name, final int value) {
		final ByteProcessor pixels = new ByteProcessor(7, 5);
		pixels.set(3, 2, value);
		final String file = folder.resolve(name).toString();
		IJ.saveAsTiff(new ImagePlus("", pixels), file);
		return file;
	}

	private static int value(final ImageInput image) {
		return ((IntegerType<?>) ((Img<?>) image.pixels()).getAt(3, 2)).getInteger();
	}

	@Test
	void theFileIsReadAgain() {
		final FolderImage image = new FolderImage(write("a.tif", 9));
		assertEquals(9, value(image));
		write("a.tif", 12);
		assertEquals(9, value(image), "it is in memory");
		image.forget();
		assertEquals(12, value(image));
		assertEquals(List.of("a.tif", "xy", false, "a.tif"), List.of(image.name(), image.axes(), image.isColor(), image.toString()));
	}

	/** The name and the axes stay, and the message names the file. */
	@Test
	void aFileThatIsLostIsNamed() throws IOException {
		final String file = write("b.tif", 1);
		final FolderImage image = new FolderImage(file);
		Files.delete(Path.of(file));
		image.forget();
		assertEquals("b.tif", image.name());
		assertTrue(assertThrows(IllegalArgumentException.class, image::pixels).getMessage().contains(file));
	}

	@Test
	void aFolderHasItsImagesInOrder() throws IOException {
		write("t10.tif", 10);
		write("t9.tif", 9);
		assertEquals(List.of(9, 10), ImageJ1.folder(folder.toString()).stream().map(FolderImageTest::value).toList());
		Files.writeString(folder.resolve("t11.tif"), "no image");
		assertTrue(assertThrows(IllegalArgumentException.class, () -> ImageJ1.folder(folder.toString())).getMessage().contains("t11.tif"));
	}
}
