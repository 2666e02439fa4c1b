package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

/** The results from prefix sums equal those from walking through the products. */
class RoundingBoundTest {

	private static final int ROUNDS = 3000;

	private final Random random = new Random(7);

	private float[][] groups() {
		final float[][] groups = new float[1 + random.nextInt(40)][];
		for (int g = 0; g < groups.length; g++) {
			groups[g] = new float[1 + random.nextInt(6)];
			for (int i = 0; i < groups[g].length; i++) groups[g][i] = (float) (random.nextGaussian() * Math.exp(3 * random.nextGaussian()));
		}
		return groups;
	}

	/** Adds up the rounding errors one after the other. */
	private static double walk(final float[][] groups, final int run) {
		double error = 0, sum = 0, all = 0;
		for (int g = 0; g < groups.length; g++) {
			double part = 0;
			for (int i = groups[g].length - 1; i >= 0; i--) {
				part += Math.abs(groups[g][i]);
				if (groups[g].length > 1) error += part;
			}
			all += part;
			sum = g % run == 0 ? part : sum + part;
			if (g % run > 0 || groups[g].length == 1) error += sum;
		}
		return run < groups.length ? error + all : error;
	}

	/** Products in so many sums, the largest first in each. */
	private static double walk(final float[] coefficients, final int runs) {
		final double[] sums = new double[runs];
		final double[] sorted = new double[coefficients.length];
		for (int i = 0; i < sorted.length; i++) sorted[i] = -Math.abs(coefficients[i]);
		Arrays.sort(sorted);
		final int run = (sorted.length + runs - 1) / runs;
		double error = 0, all = 0;
		for (int place = 0; place < run; place++)
			for (int s = 0; s < runs; s++) {
				final int i = place * runs + s;
				if (i < sorted.length) sums[s] -= sorted[i];
				error += sums[s];
			}
		for (final double s : sums) all += s;
		return (error + (runs > 1 ? all : 0)) / all;
	}

	@Test
	void errorOfGroups() {
		for (int r = 0; r < ROUNDS; r++) {
			final float[][] groups = groups();
			final int run = 1 + random.nextInt(groups.length + 2);
			final double expected = walk(groups, run);
			assertEquals(expected, RoundingBound.of(groups, run), 1e-12 * expected);
		}
	}

	@Test
	void longestRunOfGroups() {
		for (int r = 0; r < ROUNDS; r++) {
			final float[][] groups = groups();
			final double bound = walk(groups, groups.length) * (0.3 + random.nextDouble());
			int runs = 1, run = groups.length;
			while (walk(groups, run) > bound && run > 1) run = (groups.length + ++runs - 1) / runs;
			assertEquals(walk(groups, run) > bound ? 0 : run, RoundingBound.longestRun(groups, bound));
		}
	}

	@Test
	void longestRunOfProducts() {
		for (int r = 0; r < ROUNDS; r++) {
			final float[] products = groups()[0].length > 3 ? new float[1 + random.nextInt(200)] : new float[1 + random.nextInt(12)];
			for (int i = 0; i < products.length; i++) products[i] = (float) random.nextGaussian();
			final double bound = 1 + 30 * random.nextDouble();
			int runs = 1;
			while (walk(products, runs) > bound && runs < products.length) runs++;
			assertEquals((products.length + runs - 1) / runs, RoundingBound.longestRun(products, bound));
		}
	}

	@Test
	void largeKernelsAreNoTrouble() {
		final float[] products = new float[512 * 512];
		Arrays.fill(products, 1);
		final int run = RoundingBound.longestRun(products, 16);
		assertTrue(run >= 16 && run <= 32, "run of " + run);
	}
}
