package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import ij.ImagePlus;
import ij.io.FileSaver;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cli.input.ImageFiles;

/** Tests that call the whole program but for its process, in a folder of their own. */
abstract class InFolder {

	@TempDir
	Path folder;
	final ByteArrayOutputStream out = new ByteArrayOutputStream(), err = new ByteArrayOutputStream();

	final String path(final String name) {
		return folder.resolve(name).toString();
	}

	final void save(final String name, final ImageProcessor image) {
		save(name, new ImagePlus(name, image));
	}

	final void save(final String name, final ImagePlus image) {
		final FileSaver saver = new FileSaver(image);
		assertTrue(image.getStackSize() > 1 ? saver.saveAsTiffStack(path(name)) : saver.saveAsTiff(path(name)));
	}

	/** image.tif, 60x50, noise with the template pasted in a second time at (40, 5); template.tif, its 9x7 at (12, 20). Returns the pixels of the image. */
	final byte[] saveImages() {
		final byte[] pixels = new byte[3000];
		new Random(7).nextBytes(pixels);
		for (int y = 0; y < 7; y++) System.arraycopy(pixels, (20 + y) * 60 + 12, pixels, (5 + y) * 60 + 40, 9);
		final ByteProcessor image = new ByteProcessor(60, 50, pixels);
		save("image.tif", image);
		image.setRoi(12, 20, 9, 7);
		save("template.tif", image.crop());
		return pixels;
	}

	final RandomAccessibleInterval<?> map(final String name) {
		return ImageFiles.read(path(name)).pixels();
	}

	static double[] values(final RandomAccessibleInterval<?> image) {
		final double[] values = new double[(int) Views.iterable(image).size()];
		final Cursor<?> c = Views.flatIterable(image).cursor();
		for (int i = 0; i < values.length; i++) values[i] = ((RealType<?>) c.next()).getRealDouble();
		return values;
	}

	/** @return the words; those with a known ending, and those that begin with a dot and a slash, as paths in the folder */
	final String[] arguments(final String... words) {
		return Arrays.stream(words).map(w -> w.matches("[\\w./-]+\\.(tif|mrc|png|csv|pgm|txt|zarr|zarr/0)|\\./.*") ? path(w) : w).toArray(String[]::new);
	}

	/** Runs the program. {@link #arguments} makes paths of the words. */
	final int run(final String... words) {
		out.reset();
		err.reset();
		return Main.run(arguments(words), new PrintStream(out, true), new PrintStream(err, true), false);
	}

	/** @return what it said */
	final String succeeds(final String... words) {
		assertEquals(0, run(words), err::toString);
		assertEquals("", err.toString());
		return out.toString();
	}

	/** One line that holds all of these, exit code 2, and no file that was not there before. */
	final void refuses(final String words, final String... says) throws IOException {
		final List<String> before = files();
		assertEquals(2, run(words.split(" ")), words + ": " + err);
		final String message = err.toString().stripTrailing();
		assertFalse(message.isEmpty() || message.contains("\n"), message);
		for (final String s : says) assertTrue(message.contains(s), words + ": " + message);
		assertEquals(before, files(), words);
	}

	final List<String> files() throws IOException {
		try (Stream<Path> all = Files.walk(folder)) {
			return all.map(Path::toString).sorted().toList();
		}
	}
}
