package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import ij.IJ;
import ij.ImagePlus;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.ij1.ImageJProcess.Outcome;

/** The macro for convolution, and the command in other macros, in real ImageJ. */
class ConvolveMacroTest {

	private static final int WIDTH = 23, HEIGHT = 17;
	private static final double[] KERNEL = { 1, 2, 0, -1, 0.5, 3 };

	@TempDir
	static Path folder;

	private static ImageProcessor pixels;
	private static CompletableFuture<Outcome> shipped;
	private static CompletableFuture<Map<String, Outcome>> others;

	@BeforeAll
	static void start() throws IOException {
		final byte[] noise = new byte[WIDTH * HEIGHT];
		new Random(7).nextBytes(noise);
		pixels = new ByteProcessor(WIDTH, HEIGHT, noise);
		final ImagePlus image = new ImagePlus("an image", pixels);
		image.getCalibration().setUnit("mm");
		image.getCalibration().pixelWidth = 0.25;
		assertTrue(IJ.saveAsTiff(image, folder.resolve("an image.tif").toString()));
		Files.writeString(folder.resolve("kernel.txt"), "1\t2\t0\n-1\t0.5\t3\n");
		final ImageJProcess imagej = new ImageJProcess(folder.resolve("ImageJ"));
		shipped = imagej.run(Paths.get("macros", "Convolve.ijm").toAbsolutePath(), "image=[" + folder.resolve("an image.tif") + "] kernel=["
			+ folder.resolve("kernel.txt") + "] border=constant output=[" + folder.resolve("results") + "]");
		others = imagej.run(Map.of("own", "close('*'); newImage('spot', '32-bit black', 9, 9, 1); setPixel(4, 4, 1); run('Convolve...', 'normalize');"
			+ "print(nImages, getTitle(), getPixel(3, 4), getPixel(4, 4));",
			"correlation", "close('*'); newImage('spot', '32-bit black', 9, 9, 1); setPixel(4, 4, 1); newImage('k', '32-bit black', 3, 3, 1); setPixel(2, 1, 5);"
				+ "run('Convolve Image...', 'image=spot kernel=k sense=correlation'); selectImage('Convolution of spot');"
				+ "print(getWidth(), getHeight(), bitDepth(), getPixel(3, 4), getPixel(5, 4));",
			"missing", "close('*'); newImage('spot', '32-bit black', 9, 9, 1); run('Convolve Image...', 'image=spot'); print('went on');"));
	}

	@Test
	void theShippedMacroWritesTheConvolvedImage() {
		assertEquals(new Outcome(0, ""), shipped.join());
		final ImagePlus result = IJ.openImage(folder.resolve("results").resolve("an image-convolved.tif").toString());
		assertEquals(ImagePlus.GRAY32, result.getType());
		assertEquals("mm", result.getCalibration().getUnit());
		assertEquals(0.25, result.getCalibration().pixelWidth, 1e-9);
		for (int y = 0; y < HEIGHT; y++)
			for (int x = 0; x < WIDTH; x++) {
				double sum = 0;
				for (int j = 0; j < 6; j++) {
					final int u = x - (j % 3 - 1), v = y - (j / 3 - 1);
					if (u >= 0 && u < WIDTH && v >= 0 && v < HEIGHT) sum += KERNEL[j] * pixels.get(u, v);
				}
				assertEquals(sum, result.getProcessor().getf(x, y), 1e-3, "at " + x + "," + y);
			}
	}

	@Test
	void imageJsOwnCommandStaysItsOwn() {
		// the default kernel of ImageJ: 24 in the centre, -1 elsewhere
		assertEquals(new Outcome(0, "1 spot -1 24\n"), others.join().get("own"));
	}

	@Test
	void aMacroChoosesTheSense() {
		assertEquals(new Outcome(0, "9 9 32 5 0\n"), others.join().get("correlation"));
	}

	@Test
	void aMissingKernelEndsTheMacro() {
		final String printed = others.join().get("missing").printed();
		assertTrue(printed.contains("The kernel is missing") && !printed.contains("went on"), printed);
	}
}
