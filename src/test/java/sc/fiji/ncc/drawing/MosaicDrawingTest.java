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
}
