package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;

import javax.imageio.ImageIO;

import ij.IJ;
import ij.ImagePlus;
import ij.io.FileSaver;

import org.junit.jupiter.api.Test;

/** Rotated templates in images and stacks that are larger than memory: the same matches as in memory. */
class LargePosesTest extends LargeImages {

	private static final int SIDE = 21;

	/** A pattern without symmetry about (0, 0), from -1 to 1. */
	private static double pattern(final double x, final double y) {
		return Math.exp(-((x - 3) * (x - 3) + y * y) / 12) - Math.exp(-(x * x + (y - 4) * (y - 4)) / 9);
	}

	/** Noise with the pattern at some places, turned by steps of 60 degrees. */
	private static void fill(final byte[] to, final int w, final int h, final int[][] places, final long seed) {
		new Random(seed).nextBytes(to);
		for (int i = 0; i < to.length; i++) to[i] = (byte) (120 + (to[i] >> 4));
		for (int p = 0; p < places.length; p++) {
			final double cos = Math.cos(Math.toRadians(60 * p)), sin = Math.sin(Math.toRadians(60 * p));
			for (int y = -15; y <= 15; y++)
				for (int x = -15; x <= 15; x++) {
					final int i = (places[p][1] + y) * w + places[p][0] + x;
					to[i] = (byte) (to[i] + 100 * pattern(cos * x - sin * y, sin * x + cos * y));
				}
		}
	}

	private void template() throws IOException {
		final BufferedImage t = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_BYTE_GRAY);
		final byte[] v = ((DataBufferByte) t.getRaster().getDataBuffer()).getData();
		for (int i = 0; i < v.length; i++) v[i] = (byte) (120 + 100 * pattern(i % SIDE - SIDE / 2, i / SIDE - SIDE / 2));
		assertTrue(ImageIO.write(t, "tiff", folder.resolve("t.tif").toFile()));
	}

	private List<String> table(final String name) throws IOException {
		return Files.readAllLines(folder.resolve(name));
	}

	/** An image of 56 MB in a process of 40 MB. */
	@Test
	void aImageLargerThanTheHeap() throws IOException, InterruptedException {
		final int w = 7000, h = 8000;
		final int[][] places = { { 100, 50 }, { 6900, 70 }, { 4500, 4000 }, { 4000, 4096 }, { 30, 7970 }, { 6970, 7960 }, { 2048, 1024 } };
		final BufferedImage image = new BufferedImage(w, h, BufferedImage.TYPE_BYTE_GRAY);
		fill(((DataBufferByte) image.getRaster().getDataBuffer()).getData(), w, h, places, 1);
		assertTrue(ImageIO.write(image, "tiff", folder.resolve("big.tif").toFile()));
		template();
		final String poses = " t.tif --angles 0:360:60 --min-score 0.75 --threads 2 -o ";
		succeedsWithin("-Xmx40m", "match big.tif" + poses + "parts.csv");
		assertEquals(places.length + 1, table("parts.csv").size());
		succeeds("match big.tif" + poses + "whole.csv --memory 500");
		assertEquals(table("whole.csv"), table("parts.csv"));
	}

	/** A stack of 54 MB in TIFF in a process of 48 MB, and of 216 MB in Zarr in one of 100 MB. */
	@Test
	void aStackLargerThanTheHeap() throws IOException, InterruptedException {
		final int w = 1000, h = 900, frames = 60;
		final ImagePlus stack = IJ.createImage("s", "8-bit", w, h, frames);
		for (int f = 0; f < frames; f++) fill((byte[]) stack.getStack().getProcessor(f + 1).getPixels(), w, h, new int[][] { { 40 + 10 * f, 500 }, { 900, 30 + 12 * f } }, f);
		assertTrue(new FileSaver(stack).saveAsTiff(path("s.tif")));
		template();
		final String poses = " t.tif --angles 0:360:60 --min-score 0.75 --threads 2 -o ";
		succeeds("match s.tif" + poses + "whole.csv");
		succeedsWithin("-Xmx48m", "match s.tif" + poses + "parts.csv");
		assertEquals(2 * frames + 1, table("whole.csv").size());
		assertEquals(table("whole.csv"), table("parts.csv"));
		// 32 bits per pixel: 216 MB
		Files.writeString(folder.resolve("one.txt"), "0 0 0\n0 1 0\n0 0 0\n");
		succeeds("convolve s.tif one.txt -o s.zarr --extent same");
		succeedsWithin("-Xmx100m", "match s.zarr" + poses + "zarr.csv");
		assertEquals(table("whole.csv").stream().map(LargePosesTest::place).toList(), table("zarr.csv").stream().map(LargePosesTest::place).toList());
	}

	/** The columns after the name of the image. */
	private static String place(final String row) {
		return row.substring(row.indexOf(',') + 1);
	}
}
