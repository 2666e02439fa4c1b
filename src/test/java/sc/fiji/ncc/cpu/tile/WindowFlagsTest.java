package sc.fiji.ncc.cpu.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.plan.PixelType;

/** Flat windows and windows with pixels that are not finite, against a look at each pixel of each window. */
class WindowFlagsTest {

	/** The image in the tile: a margin of the tile lies outside. */
	private static final int WIDTH = 15, HEIGHT = 12, LEFT = 2, TOP = 1;

	/** Images of few values in blocks, so that some windows are flat, with a few NaN and infinite pixels. */
	@ParameterizedTest
	@CsvSource({ "3,2,1,1,false", "3,2,1,1,true", "1,1,1,1,false", "1,4,2,1,false", "4,1,2,2,true", "2,3,4,2,false", "2,3,4,2,true", "5,5,3,3,true" })
	void asALookAtEachPixel(final int width, final int height, final int planes, final int channels, final boolean masked) {
		final Random random = new Random(31 * width + height);
		int flat = 0, bad = 0, windows = 0;
		for (int trial = 0; trial < 20; trial++) {
			final double[][] values = new double[planes][WIDTH * HEIGHT], present = new double[planes][WIDTH * HEIGHT];
			final TileReader[] readers = new TileReader[planes];
			final int columns = WIDTH + 2 * LEFT, rows = HEIGHT + 2 * TOP;
			for (int p = 0; p < planes; p++) {
				for (int i = 0; i < WIDTH * HEIGHT; i++) {
					final int x = i % WIDTH, y = i / WIDTH;
					values[p][i] = x < 9 && y < 8 ? p * channels / planes : random.nextInt(2);
					present[p][i] = random.nextInt(4) == 0 ? 0 : 1;
				}
				// another value in a plane of the same channel, or a pixel that is not finite
				if (trial % 3 == 0) values[p][random.nextInt(WIDTH * HEIGHT)] = trial % 2 == 0 ? Double.NaN : Double.NEGATIVE_INFINITY;
				if (trial % 5 == 0) values[p][random.nextInt(WIDTH * HEIGHT)] = 7;
				readers[p] = new TileReader(PixelType.F64);
				readers[p].read(new ArrayPixels(PixelType.F64, new int[] { WIDTH, HEIGHT }, values[p], false, masked ? present[p] : null),
					new long[] { -LEFT, -TOP }, columns, rows);
			}
			final int n = columns - width + 1, m = rows - height + 1;
			final WindowFlags flags = new WindowFlags(readers, channels, width, height, n, m);
			for (int y = 0; y < m; y++)
				for (int x = 0; x < n; x++) {
					boolean equal = true, nonFinite = false, outside = false;
					for (int c = 0; c < channels; c++) {
						double first = Double.NaN;
						boolean any = false;
						for (int p = c * planes / channels; p < (c + 1) * planes / channels; p++)
							for (int j = y - TOP; j < y - TOP + height; j++)
								for (int i = x - LEFT; i < x - LEFT + width; i++) {
									if (i < 0 || j < 0 || i >= WIDTH || j >= HEIGHT) {
										outside = true;
										continue;
									}
									if (masked && present[p][j * WIDTH + i] == 0) continue;
									final double v = values[p][j * WIDTH + i];
									if (!any) first = v;
									any = true;
									equal &= v == first;
									nonFinite |= !Double.isFinite(v);
								}
					}
					final String at = "window at " + x + ", " + y + " of trial " + trial;
					assertEquals(nonFinite, flags.nonFinite(x, y), at);
					// a window that is not finite is no flat one, whatever is said of it
					if (!nonFinite) {
						assertEquals(equal && (masked || !outside), flags.flat(x, y), at);
						assertEquals(equal, WindowFlags.flat(readers, channels, width, height, x, y), at);
					}
					windows++;
					if (equal) flat++;
					if (nonFinite) bad++;
				}
		}
		assertTrue(flat > 0 && flat < windows && bad > 0, flat + " flat and " + bad + " bad of " + windows);
	}
}
