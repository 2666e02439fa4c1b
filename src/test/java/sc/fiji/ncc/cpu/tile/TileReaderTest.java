package sc.fiji.ncc.cpu.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.plan.PixelType;

/** Rows of a tile, as rechecks read them. */
class TileReaderTest {

	private static final int WIDTH = 29, HEIGHT = 5, LEFT = 3, TOP = 1;

	/** Each value is that of the pixel, also if it is not finite, and 0 outside the image and where a pixel is missing. */
	@ParameterizedTest
	@EnumSource
	void rowsHoldTheValuesOfPixels(final PixelType type) {
		final double[] values = new double[WIDTH * HEIGHT], present = new double[values.length];
		for (int i = 0; i < values.length; i++) {
			values[i] = type.integer ? type.min + i % 50 : i / 4f;
			present[i] = i % 7 == 0 ? 0 : 1;
		}
		if (!type.integer) {
			values[WIDTH + 1] = Double.NaN;
			values[2 * WIDTH + 17] = Double.POSITIVE_INFINITY;
			values[2 * WIDTH + 27] = Double.NEGATIVE_INFINITY;
		}
		for (final double[] mask : new double[][] { null, present }) {
			final TileReader reader = new TileReader(type);
			reader.read(new ArrayPixels(type, new int[] { WIDTH, HEIGHT }, values, false, mask), new long[] { -LEFT, -TOP }, WIDTH + 2 * LEFT, HEIGHT + 2 * TOP);
			for (int y = 0; y < HEIGHT + 2 * TOP; y++)
				for (final int x : new int[] { 0, 1, LEFT, 11, WIDTH }) {
					final int n = Math.min(20, WIDTH + 2 * LEFT - x);
					final double[] row = new double[n + 2];
					Arrays.fill(row, -1);
					reader.values(y, x, n, row, 1);
					for (int k = 0; k < n; k++) {
						final int column = x + k - LEFT, line = y - TOP, i = line * WIDTH + column;
						final boolean counts = column >= 0 && column < WIDTH && line >= 0 && line < HEIGHT && (mask == null || mask[i] == 1);
						assertEquals(counts ? values[i] : 0, row[k + 1], type + ", pixel " + (x + k) + " of row " + y);
					}
					assertEquals(-1, row[0]);
					assertEquals(-1, row[n + 1]);
				}
		}
	}
}
