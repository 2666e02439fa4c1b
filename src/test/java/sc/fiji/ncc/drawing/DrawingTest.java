package sc.fiji.ncc.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.MapWriter;
import sc.fiji.ncc.result.Match;

class DrawingTest {

	private static int red(final BufferedImage image, final int x, final int y) {
		return image.getRGB(x, y) >> 16 & 255;
	}

	@Test
	void eightBitsStayAndOthersAreStretched() {
		final BufferedImage same = Drawing.gray(ArrayImgs.unsignedBytes(new byte[] { 10, (byte) 200 }, 2, 1));
		assertEquals(10, red(same, 0, 0));
		assertEquals(200, red(same, 1, 0));
		final BufferedImage stretched = Drawing.gray(ArrayImgs.unsignedShorts(new short[] { 1000, 1500, 2000 }, 3, 1));
		assertEquals(0, red(stretched, 0, 0));
		assertEquals(128, red(stretched, 1, 0));
		assertEquals(255, red(stretched, 2, 0));
		final BufferedImage holes = Drawing.gray(ArrayImgs.floats(new float[] { Float.NaN, -1, 1, Float.POSITIVE_INFINITY }, 4, 1));
		assertEquals(0, red(holes, 0, 0));
		assertEquals(0, red(holes, 1, 0));
		assertEquals(255, red(holes, 2, 0));
		assertEquals(255, red(holes, 3, 0));
		assertEquals(0, red(Drawing.gray(ArrayImgs.floats(new float[] { Float.NaN }, 1, 1)), 0, 0));
		assertEquals(0, red(Drawing.gray(ArrayImgs.floats(new float[] { 3, 3 }, 2, 1)), 0, 0));
	}

	@Test
	void aBoxAroundTheMatch() {
		final InputImage image = new InputImage("p", ArrayImgs.unsignedBytes(1000, 500), "xy", Calibration.NONE);
		final Match match = new Match(0, new long[0], new long[] { 300, 200 }, 0.987, new double[] { 300, 200 });
		final BufferedImage drawn = new MatchDrawing(f -> image.frame(f, 2), List.of(new long[] { 50, 40 })).draw(List.of(match), 0);
		assertEquals(1000, drawn.getWidth());
		final int box = 0xffffb000;
		assertEquals(box, drawn.getRGB(300, 220));
		assertEquals(box, drawn.getRGB(349, 220));
		assertEquals(box, drawn.getRGB(330, 239));
		assertNotEquals(box, drawn.getRGB(325, 220));
		assertNotEquals(box, drawn.getRGB(290, 220));
	}

	@Test
	void theFrameOfAStack() {
		final byte[] pixels = new byte[900 * 4 * 6];
		// plane 4 is bright
		Arrays.fill(pixels, 900 * 4 * 4, 900 * 4 * 5, (byte) 100);
		final InputImage frames = new InputImage("p", ArrayImgs.unsignedBytes(pixels, 900, 4, 2, 3), "xyct", Calibration.NONE);
		final Match best = new Match(0, new long[0], new long[] { 800, 1 }, 1, new double[2]);
		assertEquals(100, red(new MatchDrawing(f -> frames.frame(f, 2), List.of(new long[] { 2, 2 })).draw(List.of(best), 4), 700, 3));
		assertEquals(0, red(new MatchDrawing(f -> frames.frame(f, 2), List.of(new long[] { 2, 2 })).draw(List.of(), 0), 700, 3));
		final InputImage volume = new InputImage("p", ArrayImgs.unsignedBytes(pixels, 900, 4, 6), "xyz", Calibration.NONE);
		final Match inside = new Match(0, new long[0], new long[] { 800, 1, 3 }, 1, new double[3]);
		assertEquals(100, red(new MatchDrawing(f -> volume.frame(f, 3), List.of(new long[] { 2, 2, 3 })).draw(List.of(inside), 0), 700, 3));
	}

	@Test
	void lightnessRisesWithTheCoefficient() {
		double before = -1;
		for (int i = 0; i <= 255; i++) {
			final Color c = new Color(MapDrawing.colour(i / 127.5f - 1));
			final double luminance = 0.2126 * Math.pow(c.getRed() / 255.0, 2.2) + 0.7152 * Math.pow(c.getGreen() / 255.0, 2.2) + 0.0722 * Math.pow(c.getBlue() / 255.0, 2.2);
			assertTrue(luminance > before - 2e-3, "at " + i);
			before = luminance;
		}
		assertEquals(0, MapDrawing.colour(Float.NaN));
		assertEquals(MapDrawing.colour(1), MapDrawing.colour(1.0001f));
	}

	@Test
	void numbersAreDrawnWithoutFonts() {
		final BufferedImage image = new BufferedImage(200, 30, BufferedImage.TYPE_INT_RGB);
		final Graphics2D g = image.createGraphics();
		Lettering.draw(g, "-0.123456789", 5, 5, 18, Color.WHITE);
		assertThrows(IllegalArgumentException.class, () -> Lettering.draw(g, "R", 0, 0, 10, Color.WHITE));
		g.dispose();
		int lit = 0;
		final int right = (int) (5 + Lettering.width("-0.123456789", 18)) + 3;
		for (int y = 0; y < 30; y++)
			for (int x = 0; x < 200; x++) {
				if (red(image, x, y) > 128) lit++;
				if (x > right) assertEquals(0, red(image, x, y));
			}
		assertTrue(lit > 300, lit + " pixels");
	}

	@Test
	void pictureOfAMapIsAsInTheHandbook() {
		assertEquals(0, MapWriter.gray(-1));
		assertEquals(0, MapWriter.gray(0));
		assertEquals(0, MapWriter.gray(Float.NaN));
		assertEquals(128, MapWriter.gray(0.5f));
		assertEquals(255, MapWriter.gray(1));
	}
}
