package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.img.array.ArrayImgs;

/**
 * Sample tiles with known positions: a grid of {@value #COLUMNS}x{@value #ROWS} tiles of {@value #WIDTH}x{@value #HEIGHT} pixels with 16 bits, of spots as in a
 * fluorescence microscope. Neighbours overlap by {@value #OVERLAP} pixels, the stage errs by up to {@value #ERROR} pixels, and the tiles have photon noise.
 * The tile {@value #BLANK}, counted from 0, shows background only. Each call makes the same tiles.
 */
public final class MosaicSample {

	public static final int COLUMNS = 4, ROWS = 3, WIDTH = 200, HEIGHT = 160, OVERLAP = 30, ERROR = 5, BLANK = 3;

	private static final int SPOTS = 900;
	private static final double BACKGROUND = 100;

	private MosaicSample() {}

	/** The tiles row by row, at the positions where the stage was sent. */
	public static List<Tile> tiles() {
		final double[][] spots = spots(), truth = positions();
		final Random noise = new Random(32);
		final ScanGrid grid = new ScanGrid(COLUMNS, ROWS, ScanGrid.Order.ROWS, ScanGrid.Corner.TOP_LEFT);
		final List<Tile> tiles = new ArrayList<>();
		for (int i = 0; i < truth.length; i++) {
			final double[] mean = new double[WIDTH * HEIGHT];
			if (i != BLANK) for (final double[] s : spots) add(mean, s[0] - truth[i][0], s[1] - truth[i][1], s[2], s[3]);
			final short[] pixels = new short[mean.length];
			for (int k = 0; k < pixels.length; k++) {
				final double m = BACKGROUND + mean[k];
				pixels[k] = (short) Math.max(0, Math.rint(m + Math.sqrt(m) * noise.nextGaussian()));
			}
			final int[] place = grid.place(i);
			tiles.add(Tile.of("tile_" + (place[1] + 1) + "_" + (place[0] + 1) + ".tif", ArrayImgs.unsignedShorts(pixels, WIDTH, HEIGHT),
				new TileOverlap(OVERLAP, false).position(place, new long[] { WIDTH, HEIGHT })));
		}
		return tiles;
	}

	/** The true positions of the tiles, in pixels. */
	public static double[][] positions() {
		final Random random = new Random(30);
		final double[][] positions = new double[COLUMNS * ROWS][2];
		for (int i = 0; i < positions.length; i++) {
			positions[i][0] = i % COLUMNS * (WIDTH - OVERLAP) + ERROR * (2 * random.nextDouble() - 1);
			positions[i][1] = i / COLUMNS * (HEIGHT - OVERLAP) + ERROR * (2 * random.nextDouble() - 1);
		}
		return positions;
	}

	private static double[][] spots() {
		final Random random = new Random(31);
		final double[][] spots = new double[SPOTS][];
		for (int s = 0; s < SPOTS; s++)
			spots[s] = new double[] { random.nextDouble() * COLUMNS * WIDTH - ERROR, random.nextDouble() * ROWS * HEIGHT - ERROR,
				1.3 + 3 * random.nextDouble(), 100 + 800 * random.nextDouble() };
		return spots;
	}

	private static void add(final double[] tile, final double x, final double y, final double sigma, final double height) {
		final int r = (int) Math.ceil(4 * sigma);
		for (int j = Math.max(0, (int) y - r); j <= Math.min(HEIGHT - 1, (int) y + r); j++)
			for (int i = Math.max(0, (int) x - r); i <= Math.min(WIDTH - 1, (int) x + r); i++)
				tile[j * WIDTH + i] += height * Math.exp(-0.5 * ((i - x) * (i - x) + (j - y) * (j - y)) / (sigma * sigma));
	}
}
