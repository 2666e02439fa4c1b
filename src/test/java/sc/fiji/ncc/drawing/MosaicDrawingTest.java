package sc.fiji.ncc.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.image.BufferedImage;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.Mosaic;

class MosaicDrawingTest {

	/** The margin of 24 pixels at the right of a legend that is wider than the mosaic stays white. */
	@Test
	void theLegendIsNotCut() {
		final List<long[]> sizes = List.of(new long[] { 20, 100 });
		final Mosaic mosaic = new Mosaic(List.of(new Mosaic.Placed("tall", new double[] { 0, 0 }, null, 0, true)), List.of(), null, false, 1);
		final BufferedImage picture = MosaicDrawing.draw(mosaic, sizes);
		int last = 0;
		for (int x = 0; x < picture.getWidth(); x++)
			for (int y = picture.getHeight() - 64; y < picture.getHeight(); y++) if (picture.getRGB(x, y) != 0xffffffff) last = x;
		assertEquals(picture.getWidth() - 24, last, 4);
	}

	/** The number of a tile is below its centre at the right, where small tiles leave no place for it. */
	@Test
	void largeTilesHaveNumbers() {
		for (final long side : new long[] { 100, 3 }) {
			final Mosaic mosaic = new Mosaic(List.of(new Mosaic.Placed("first", new double[] { 0, 0 }, null, 0, true),
				new Mosaic.Placed("second", new double[] { 97, 0 }, null, 0, true)), List.of(), null, false, 1);
			final BufferedImage picture = MosaicDrawing.draw(mosaic, List.of(new long[] { side, side }, new long[] { 3, 3 }));
			// 900 pixels show 100
			final int centre = 24 + (int) (9 * side / 2);
			int black = 0;
			for (int x = centre + 5; x < centre + 25; x++)
				for (int y = centre + 5; y < centre + 25; y++) if ((picture.getRGB(x, y) & 0xff) < 80) black++;
			assertEquals(side == 100, black > 5, side + ": " + black);
		}
	}
}
