package sc.fiji.ncc.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.Mosaic;

class MosaicDrawingTest {

	/** The margin of 24 pixels at the right of a legend that is wider than the mosaic stays white. */
	@Test
	void theLegendIsNotCut() {
		final List<long[]> sizes = List.of(new long[] { 20, 100 });
		final Mosaic mosaic = new Mosaic(List.of(new Mosaic.Placed("tall", new double[] { 0, 0 }, null, 0, true)), List.of(), null, false, 1, "");
		final BufferedImage picture = MosaicDrawing.draw(mosaic, sizes);
		int last = 0;
		for (int x = 0; x < picture.getWidth(); x++)
			for (int y = picture.getHeight() - 64; y < picture.getHeight(); y++) if (picture.getRGB(x, y) != 0xffffffff) last = x;
		assertEquals(picture.getWidth() - 24, last, 4);
	}

	private static Mosaic.Link link(final int a, final int b, final boolean used) {
		return new Mosaic.Link(a, b, new double[2], 0.9, 0.5, 0, null, 0, 0, used, used ? "" : "ambiguous");
	}

	/** The number of grey pixels, and of blue ones, on the line between the centres of tiles along x. */
	private static int[] line(final double[] lefts, final Mosaic.Link... links) {
		final List<Mosaic.Placed> tiles = Arrays.stream(lefts).mapToObj(x -> new Mosaic.Placed("at " + x, new double[] { x, 0 }, null, 0, true)).toList();
		final BufferedImage picture = MosaicDrawing.draw(new Mosaic(tiles, List.of(links), null, false, 1, ""),
			Collections.nCopies(lefts.length, new long[] { 90, 90 }));
		final int[] count = new int[2];
		final int y = (picture.getHeight() - 64) / 2;
		for (int x = 0; x < picture.getWidth(); x++) {
			final Color c = new Color(picture.getRGB(x, y));
			if (c.getRed() == c.getBlue() && c.getRed() > 100 && c.getRed() < 220) count[0]++;
			if (c.getBlue() - c.getRed() > 100) count[1]++;
		}
		return count;
	}

	/** Pairs that are not linked have a line if their tiles overlap, and it is below the lines of links. */
	@Test
	void linksAreAboveThePairsWithoutALink() {
		assertTrue(line(new double[] { 0, 70 }, link(0, 1, false))[0] > 100, "overlap");
		assertEquals(0, line(new double[] { 0, 95 }, link(0, 1, false))[0], "apart");
		final int[] both = line(new double[] { 0, 60, 80 }, link(0, 1, true), link(0, 2, false)), alone = line(new double[] { 0, 60, 80 }, link(0, 1, true));
		assertTrue(alone[1] > 100 && both[0] > 50, Arrays.toString(both));
		assertEquals(alone[1], both[1]);
	}

	/** Tiles of the largest group, tiles that are linked apart from it, and tiles at the position of the stage have three colours. */
	@Test
	void theColourOfATileSaysWhatPlacesIt() {
		final List<Mosaic.Placed> tiles = List.of(new Mosaic.Placed("largest group", new double[] { 0, 0 }, null, 1, true),
			new Mosaic.Placed("apart", new double[] { 100, 0 }, null, 1, false), new Mosaic.Placed("stage", new double[] { 200, 0 }, null, 0, false));
		final BufferedImage picture = MosaicDrawing.draw(new Mosaic(tiles, List.of(), null, false, 1, ""), Collections.nCopies(3, new long[] { 100, 100 }));
		// 900 pixels show 300
		assertEquals(3, IntStream.of(50, 350, 650).map(x -> picture.getRGB(24 + x, 50)).distinct().count());
	}

	/** The number of a tile is below its centre at the right, where small tiles leave no place for it. */
	@Test
	void largeTilesHaveNumbers() {
		for (final long side : new long[] { 100, 3 }) {
			final Mosaic mosaic = new Mosaic(List.of(new Mosaic.Placed("first", new double[] { 0, 0 }, null, 0, true),
				new Mosaic.Placed("second", new double[] { 97, 0 }, null, 0, true)), List.of(), null, false, 1, "");
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
