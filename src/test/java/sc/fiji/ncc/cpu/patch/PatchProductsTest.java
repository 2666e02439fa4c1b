package sc.fiji.ncc.cpu.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of products of a patch against sums over its pixels. */
class PatchProductsTest {

	private static final int[] BOX = { 12, 9, 4 };
	private static final PatchProducts.Patch PATCH = new PatchProducts.Patch(3, 2, 1, 7, 5, 2);

	/** Small whole numbers, whose sums are exact. */
	private static double[] values(final int[] size, final Random random) {
		return random.ints(Arrays.stream(size).reduce(1, (a, b) -> a * b), -9, 10).asDoubleStream().toArray();
	}

	private static double sum(final double[] a, final double[] b, final int[] size, final int x, final int y, final int z) {
		double sum = 0;
		for (int k = PATCH.z(); k < PATCH.z() + PATCH.depth(); k++)
			for (int j = PATCH.y(); j < PATCH.y() + PATCH.height(); j++)
				for (int i = PATCH.x(); i < PATCH.x() + PATCH.width(); i++)
					sum += a[(k * BOX[1] + j) * BOX[0] + i] * b[((k + z) * size[1] + j + y) * size[0] + i + x];
		return sum;
	}

	/** All lags fill one block, or blocks of several rows, or blocks of one row, which can be larger than the cache. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void allLagsHaveTheSumsOfTheirPixels(final boolean narrow) {
		final Random random = new Random(3);
		for (final int[] lags : new int[][] { { 5, 4, 3 }, { 25, 45, 2 }, { 300, 5, 1 }, { 700, 3, 2 } }) {
			final int[] size = { BOX[0] + lags[0] - 1, BOX[1] + lags[1] - 1, BOX[2] + lags[2] - 1 };
			final double[] a = values(BOX, random), b = values(size, random), found = new double[lags[0] * lags[1] * lags[2]];
			final PatchProducts products = PatchProducts.of(size, lags, narrow);
			products.load(b, PATCH.x(), PATCH.width());
			products.sum(a, BOX, PATCH, found);
			for (int i = 0; i < found.length; i++) {
				final int x = i % lags[0], y = i / lags[0] % lags[1], z = i / (lags[0] * lags[1]);
				assertEquals(sum(a, b, size, x, y, z), found[i], Arrays.toString(lags) + ": " + x + ", " + y + ", " + z);
			}
		}
	}
}
