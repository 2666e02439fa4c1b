package sc.fiji.ncc.cpu.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.plan.Size;

/** Sums over the part of a template that overlaps the image, and what their errors leave of a response. */
class CountedSumsTest {

	/** Sums with stated errors. Nothing is computed. */
	private static final class Given extends CountedSums {

		Given(final double ofWeight, final double ofValue, final double ofSquare) {
			errors(ofWeight, ofValue, ofSquare);
		}

		@Override
		public void row(final long[] lag, final long[] image, final int z, final int y, final int lags) {}

		@Override
		public boolean enough(final int x, final double share) {
			return x % 2 == 0 && x >= share;
		}
	}

	/**
	 * The error of a numerator is |p|·(Δt + |t|·Δw), that of the window's variance p²·Δw, and that of the template's variance
	 * Δt² + |t|·(2·Δt + |t|·Δw), with the means p and t, and the errors Δ of the sums. Δw is the error of the weight, and four roundings of it.
	 */
	@Test
	void eachErrorCountsWithItsMean() {
		final double[][] alone = { { 5, 0, 0 }, { 0, 7, 0 }, { 0, 0, 11 } };
		// the errors of numerator, window and template for a mean of -3 and one of 2 over a weight of 10, of which four roundings count
		final double[][] expected = { { 3 * 2 * 5, 9 * 5, 2 * 2 * 5 }, { 3 * 7, 0, 2 * 2 * 7 }, { 0, 0, 11 } };
		for (int k = 0; k < 3; k++) {
			final double[] errors = { 1, 1, 1 };
			new Given(alone[k][0], alone[k][1], alone[k][2]).addErrors(-3, 2, 10, errors);
			assertArrayEquals(new double[] { 1 + expected[k][0] + 3 * 2 * 40, 1 + expected[k][1] + 9 * 40, 1 + expected[k][2] + 2 * 2 * 40 }, errors, 1e-12);
		}
	}

	/**
	 * Of one channel and of several, the errors are the same: the margin of a row is negative exactly if the error of numerator and variances together, each
	 * over the
	 * variances, exceeds the tolerance.
	 */
	@Test
	void aRowOfOneChannelHasTheErrorsOfOneOfSeveral() {
		final Random random = new Random(5);
		for (int k = 0; k < 200; k++) {
			final Given sums = new Given(random.nextDouble(), random.nextDouble(), random.nextDouble());
			final CountedSums.Moments of = CountedSums.Moments.allocate(4);
			sums.weight = new double[4];
			final double[] limit = new double[4];
			for (int x = 0; x < 4; x++) {
				sums.weight[x] = 1 + random.nextInt(9);
				of.meanP()[x] = random.nextGaussian();
				of.meanT()[x] = random.nextGaussian();
				of.variance()[x] = random.nextDouble();
				of.varianceT()[x] = random.nextDouble();
				of.root()[x] = Math.sqrt(of.variance()[x] * of.varianceT()[x]);
				final double[] e = new double[3];
				sums.addErrors(of.meanP()[x], of.meanT()[x], sums.weight[x], e);
				// the rounding at which the error reaches the tolerance
				limit[x] = 2 * of.variance()[x] * of.varianceT()[x] / (2 * e[0] * of.root()[x] + e[1] * of.varianceT()[x] + e[2] * of.variance()[x]);
			}
			for (int x = 0; x < 4; x++)
				for (final double share : new double[] { 0.999, 1.001 }) {
					final double[] margin = { 1e3, 1e3, 1e3, 1e3 };
					sums.reduce(margin, of, share * limit[x], 4);
					assertEquals(share < 1, margin[x] > 0, "lag " + x + " of row " + k);
				}
			final double[] less = { -1, -1, -1, -1 };
			sums.reduce(less, of, 0, 4);
			assertArrayEquals(new double[] { -1, -1, -1, -1 }, less, "a smaller margin stays");
		}
	}

	@Test
	void lagsWithoutEnoughAreCountedOut() {
		final boolean[] outside = new boolean[5];
		assertEquals(3, new Given(0, 0, 0).enough(0, outside, 5));
		assertArrayEquals(new boolean[] { false, true, false, true, false }, outside);
		assertEquals(1, new Given(0, 0, 0).enough(3, outside, 5));
		assertArrayEquals(new boolean[] { true, true, true, true, false }, outside);
	}

	/** Every lag at which a template overlaps an image, with weights of 0, 1 and 2 and whole values, so that all sums are exact; in two and three dimensions. */
	@ParameterizedTest
	@CsvSource({ "4, 3, 1", "5, 1, 1", "1, 4, 1", "3, 2, 4" })
	void overlapsAsALoopOverTheTemplate(final int w, final int h, final int d) {
		final Random random = new Random(3);
		final int n = w * h * d;
		final int[] image = { 6, 5, 5 };
		final Size size = d == 1 ? Size.of(w, h) : Size.of(w, h, d);
		for (final boolean weighted : new boolean[] { false, true }) {
			final double[] weights = new double[n], values = new double[n];
			for (int i = 0; i < n; i++) {
				weights[i] = weighted ? random.nextInt(3) : 1;
				values[i] = weights[i] == 0 ? 0 : random.nextInt(21) - 10;
			}
			weights[0] = 1;
			final OverlapSums tables = new OverlapSums(size, weighted ? weights : null, values, weighted ? weights : null);
			final double total = Arrays.stream(weights).sum();
			for (final OverlapSums sums : new OverlapSums[] { tables, tables.copy() })
				for (int z = d == 1 ? 0 : 1 - d; z <= (d == 1 ? 0 : image[2]); z++)
					for (int y = -h; y <= image[1]; y++) {
						final int first = -w - 1, lags = image[0] + w + 3;
						sums.row(d == 1 ? new long[] { first, -h } : new long[] { first, -h, z }, d == 1 ? new long[] { image[0], image[1] }
							: new long[] { image[0], image[1], image[2] },
							0, y + h, lags);
						for (int x = 0; x < lags; x++) {
							double weight = 0, value = 0, square = 0;
							for (int i = 0; i < n; i++) {
								final int px = first + x + i % w, py = y + i / w % h, pz = z + i / (w * h);
								if (px < 0 || py < 0 || px >= image[0] || py >= image[1] || d > 1 && (pz < 0 || pz >= image[2])) continue;
								weight += weights[i];
								value += weights[i] * values[i];
								square += weights[i] * values[i] * values[i];
							}
							final String at = "lag " + (first + x) + ", " + y + ", " + z + (weighted ? ", weighted" : "");
							assertEquals(weight, sums.weight[x], at);
							assertEquals(value, sums.value[x], at);
							assertEquals(square, sums.square[x], at);
							for (final double share : new double[] { 0, 0.25, 0.5, 1 })
								assertEquals(weight > 0 && weight >= share * total, sums.enough(x, share), at + ": " + weight + " of " + total + " for " + share);
						}
					}
		}
	}

	/** The tables round once a dimension and corner: half of a template that is bright in the other half keeps the error of the whole. */
	@Test
	void errorsAreThoseOfTheWholeTables() {
		final double[] values = { 1, -2, 3, 4 }, errors = new double[3];
		// three roundings of four corners; the magnitudes add up to 10, the squares to 30
		new OverlapSums(Size.of(2, 2), null, values).addErrors(1, 0, 0, errors);
		assertArrayEquals(new double[] { 12 * 10, 0, 12 * 30 }, errors, "a weight of ones is exact");
		Arrays.fill(errors, 0);
		final double[] weights = { 1, 2, 3, 4 };
		new OverlapSums(Size.of(2, 2), weights, values, weights).addErrors(1, 0, 0, errors);
		assertArrayEquals(new double[] { 12 * (1 + 4 + 9 + 16), 12 * 10, 12 * (1 + 8 + 27 + 64) }, errors, 1e-9);
		Arrays.fill(errors, 0);
		new OverlapSums(Size.of(2, 2), weights, values, weights).copy().addErrors(1, 0, 0, errors);
		assertEquals(12 * 10, errors[1]);
	}

	/** Sums in another order decide a share that the tables miss by a rounding. */
	@Test
	void aShareIsDecidedByTheOrderOfTheWeights() {
		final double[] weights = { 0.1, 0.2, 0.3, 0.6 };
		final OverlapSums sums = new OverlapSums(Size.of(4, 1), weights, new double[4], weights);
		sums.row(new long[] { -3, 0 }, new long[] { 9, 9 }, 0, 0, 4);
		double total = 0;
		for (final double w : weights) total += w;
		// the last column alone is half of all; with a part more it is not enough
		assertTrue(sums.enough(0, 0.6 / total));
		assertFalse(sums.enough(0, Math.nextUp(Math.nextUp(0.6 / total))));
		assertTrue(sums.enough(3, 1));
		assertFalse(sums.enough(2, 1));
	}
}
