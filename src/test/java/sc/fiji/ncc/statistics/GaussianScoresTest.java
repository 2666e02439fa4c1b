package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import org.apache.commons.math3.distribution.TDistribution;

import org.junit.jupiter.api.Test;

/** The distribution of scores in normal noise, and its correction, against known distributions and simulations. */
class GaussianScoresTest {

	@Test
	void whiteNoiseIsStudentsT() {
		for (final double n : new double[] { 4, 10, 64, 1000 }) {
			final GaussianScores white = GaussianScores.white(n);
			assertEquals(n, white.effectivePixels(), 1e-9 * n);
			for (final double r : new double[] { 0.01, 0.2, 0.5, 0.9 }) {
				final double p = new TDistribution(null, n - 2).cumulativeProbability(-r * Math.sqrt((n - 2) / (1 - r * r)));
				if (p > 1e-100) assertEquals(1, white.probability(r) / p, 1e-3, n + " pixels, score " + r);
				assertEquals(1 - p, white.probability(-r), 1e-3);
			}
		}
	}

	@Test
	void quantilesOfTheNormalDistribution() {
		for (final double z : new double[] { 0, 1, 3, 6, 9, 20, 36 }) assertEquals(z, GaussianScores.quantile(MaximaRate.normal(-z)), 1e-9);
	}

	/** Modes of very different variance, and a template that is none of them. */
	@Test
	void correlatedNoiseIsThatOfASimulation() {
		final Random random = new Random(1);
		final int n = 40, trials = 200000;
		final double[] variances = new double[n], energy = new double[n];
		double all = 0;
		for (int i = 0; i < n; i++) {
			variances[i] = Math.exp(-0.3 * i);
			all += energy[i] = variances[i] * -Math.log(random.nextDouble());
		}
		final GaussianScores scores = GaussianScores.of(variances, energy);
		final double[] levels = { 0.3, 0.6, 0.8 };
		final int[] above = new int[levels.length];
		for (int t = 0; t < trials; t++) {
			double along = 0, squares = 0;
			for (int i = 0; i < n; i++) {
				final double v = Math.sqrt(variances[i]) * random.nextGaussian();
				along += v * Math.sqrt(energy[i] / all);
				squares += v * v;
			}
			for (int k = 0; k < levels.length; k++) if (along / Math.sqrt(squares) > levels[k]) above[k]++;
		}
		for (int k = 0; k < levels.length; k++) {
			final double p = scores.probability(levels[k]);
			assertEquals(p, (double) above[k] / trials, 5 * Math.sqrt(p / trials) + 0.02 * p, "score " + levels[k]);
		}
	}

	@Test
	void theCorrectionFindsSkewnessAndTails() {
		final double[] y = { -3, -2, -1, -0.5, 0.5, 1, 1.5 }, z = new double[y.length];
		final double[][] covariance = new double[y.length][y.length];
		for (int i = 0; i < y.length; i++) {
			z[i] = 1.1 * y[i] + 0.04 * y[i] * y[i] + 0.005 * y[i] * y[i] * y[i];
			covariance[i][i] = 1e-8;
		}
		final TailCorrection found = TailCorrection.fit(y, z, covariance, TailCorrection.Prior.ANY);
		assertEquals(1.1, found.scale(), 1e-3);
		assertEquals(0.04, found.skewness(), 1e-3);
		assertEquals(0.005, found.tails(), 1e-3);
		assertTrue(found.isSkewed());
		assertEquals(2.5, found.normal(1.1 * 2.5 + 0.04 * 6.25 + 0.005 * 15.625), 1e-2);
		// quantiles that say nothing leave normal noise, and their uncertainty makes scores more likely
		for (int i = 0; i < y.length; i++) covariance[i][i] = 1e4;
		final TailCorrection unknown = TailCorrection.fit(y, z, covariance, TailCorrection.Prior.ANY);
		assertEquals(1, unknown.scale(), 1e-3);
		assertTrue(unknown.normal(4) < 3.9 && unknown.normal(4) > 2);
	}
}
