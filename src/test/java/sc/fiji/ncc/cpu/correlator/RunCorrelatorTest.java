package sc.fiji.ncc.cpu.correlator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums over runs against sums of products, in whole numbers: a pixel that is lost or counted twice changes the result. */
class RunCorrelatorTest {

	private final Random random = new Random(11);

	@ParameterizedTest
	@CsvSource({ "16,1,1,50,3", "33,20,1,40,9", "64,5,1,7,30", "100,3,2,21,8", "31,9,4,60,1", "200,2,1,1,4" })
	void sumsAreExact(final int width, final int height, final int planes, final int lags, final int rows) {
		final double[][] coefficients = new double[planes][width * height];
		for (final double[] plane : coefficients)
			for (int y = 0; y < height; y++) {
				// up to three runs in a row, of weights 0 to 3, adjacent or not; some rows are empty
				for (int run = 0; run < random.nextInt(4); run++) {
					final int from = random.nextInt(width), until = from + 1 + random.nextInt(width - from), c = random.nextInt(4);
					for (int x = from; x < until; x++) plane[y * width + x] = c;
				}
			}
		final DoubleRowCorrelator runs = RunCorrelator.fastest(width, height, coefficients, lags + 2);
		assertInstanceOf(RunCorrelator.class, runs);
		// twice, with fewer lags the first time: the second tile must not see the first
		tile(runs, coefficients, width, height, Math.max(1, lags - 4), Math.max(1, rows - 2));
		tile(runs, coefficients, width, height, lags, rows);
	}

	private void tile(final DoubleRowCorrelator runs, final double[][] coefficients, final int width, final int height, final int lags, final int rows) {
		final double[][][] image = new double[coefficients.length][rows + height - 1][lags + width - 1];
		for (final double[][] plane : image)
			for (final double[] row : plane)
				for (int x = 0; x < row.length; x++) row[x] = random.nextInt(1 << 20) - (1 << 19);
		runs.begin(lags);
		final double[] sums = new double[lags];
		for (int r = 0; r < rows + height - 1; r++) {
			for (int p = 0; p < coefficients.length; p++) runs.add(p, image[p][r], r, Math.max(0, r - height + 1), Math.min(r, rows - 1));
			final int y = r - height + 1;
			if (y < 0) continue;
			runs.finish(y, sums);
			final double[] expected = new double[lags];
			for (int x = 0; x < lags; x++)
				for (int p = 0; p < coefficients.length; p++)
					for (int i = 0; i < coefficients[p].length; i++) expected[x] += coefficients[p][i] * image[p][y + i / width][x + i % width];
			assertArrayEquals(expected, sums, "row " + y);
		}
	}

	@Test
	void aMaskWithoutRunsIsLeftToSingleProducts() {
		final double[][] coefficients = new double[1][40 * 40];
		for (int i = 0; i < 1600; i++) coefficients[0][i] = i % 2;
		assertEquals(DoubleRowCorrelator.of(40, 40, coefficients, 10).getClass(), RunCorrelator.fastest(40, 40, coefficients, 10).getClass());
		assertEquals(1600, RunCorrelator.cost(40, 40, coefficients));
		java.util.Arrays.fill(coefficients[0], 1);
		assertTrue(RunCorrelator.cost(40, 40, coefficients) < 1600);
	}
}
