package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;

/** The posterior distribution of the parameters, in cases of at most one quantile, and what follows from it. */
class TailCorrectionTest {

	private static final double INDEPENDENT = 1000;
	/** The prior variances without an estimate of the windows: of the scale, of the tails, and of the skewness for each prior. */
	private static final double SCALE = 0.05 * 0.05 + 1.5 / INDEPENDENT, TAILS = 0.004 * 0.004;

	@Test
	void withoutQuantilesThePriorStays() {
		final TailCorrection prior = fit(new double[0], new double[0], TailCorrection.Prior.EXPECTED, 0.01);
		assertEquals(1, prior.scale(), 1e-12);
		assertEquals(0.01, prior.skewness(), 1e-12);
		assertEquals(0, prior.tails(), 1e-12);
		assertEquals(0, prior.misfit());
		assertTrue(prior.isSkewed());
		final double skewness = 0.002 * 0.002 + 0.003 * 0.003;
		for (final double y : new double[] { -3, -1, 0.5, 2, 4 })
			assertEquals(y / Math.sqrt(1 + uncertain(y, skewness, 1 + 0.02 * y)), prior.normal(y + 0.01 * y * y), 1e-9, "value " + y);
		// from 4 on a straight line with slope 1.08, and with -4 of slope 0.92; the error grows in proportion
		assertEquals(6 / Math.sqrt(1 + uncertain(4, skewness, 1.08) * 2.25), prior.normal(4.16 + 2 * 1.08), 1e-9);
		assertEquals(-6 / Math.sqrt(1 + uncertain(-4, skewness, 0.92) * 2.25), prior.normal(-3.84 - 2 * 0.92), 1e-9);
		assertEquals(30 / Math.sqrt(1.36), prior.normal(4.16 + 26 * 1.08), 1e-9, "an error of at most 0.6");
		assertEquals(0, prior.normal(0), 1e-9);
	}

	/** The variance of the curve at a value over its squared slope. */
	private static double uncertain(final double y, final double skewness, final double slope) {
		return (SCALE * y * y + skewness * y * y * y * y + TAILS * y * y * y * y * y * y) / (slope * slope);
	}

	/** One quantile moves each parameter in proportion to its covariance with the quantile. */
	@Test
	void oneQuantile() {
		final double error = 0.02;
		for (final double y : new double[] { -1.5, 1.5 }) for (final TailCorrection.Prior prior : TailCorrection.Prior.values()) {
			final double skewness = Math.pow(prior == TailCorrection.Prior.EXPECTED ? 0.002 : 0.05, 2);
			final double share = Math.pow(prior == TailCorrection.Prior.SKEWED ? 1e-6 : 0.01, 2);
			// true matches lower the share of background: the quantile moves by P(below)/density
			final double matches = y > 0 ? MaximaRate.normal(y) / new NormalDistribution(null, 0, 1).density(y) : 0;
			final double[] moves = { SCALE * y, skewness * y * y, TAILS * y * y * y };
			final double variance = moves[0] * y + moves[1] * y * y + moves[2] * y * y * y + share * matches * matches + error * error;
			final double surprise = 0.1, z = y + surprise;
			final TailCorrection found = TailCorrection.fit(new double[] { y }, new double[] { z }, new double[][] { { error * error } }, prior, noise(0),
				INDEPENDENT);
			assertEquals(1 + moves[0] * surprise / variance, found.scale(), 1e-9);
			assertEquals(moves[1] * surprise / variance, found.skewness(), 1e-9);
			assertEquals(moves[2] * surprise / variance, found.tails(), 1e-9);
			assertEquals(Math.pow(surprise * error / variance, 2), found.misfit(), 1e-9);
		}
	}

	/** A skewness counts if it is at least 0.005, and twice its error. */
	@Test
	void skewed() {
		assertFalse(fit(new double[0], new double[0], TailCorrection.Prior.EXPECTED, 0.0049).isSkewed(), "an error of 0.0025");
		assertTrue(fit(new double[0], new double[0], TailCorrection.Prior.EXPECTED, 0.0051).isSkewed() == 0.0051 > 2 * Math.hypot(0.002, 0.3 * 0.0051));
		assertFalse(fit(new double[0], new double[0], TailCorrection.Prior.ANY, 0.09).isSkewed(), "an error of 0.057");
		assertFalse(fit(new double[0], new double[0], TailCorrection.Prior.EXPECTED, -0.09).isSkewed());
		final TailCorrection exact = TailCorrection.fit(new double[] { -1, 1 }, new double[] { -0.996, 1.004 }, new double[][] { { 1e-9, 0 }, { 0, 1e-9 } },
			TailCorrection.Prior.SKEWED, noise(0), 1e9);
		assertEquals(0.004, exact.skewness(), 1e-5);
		assertFalse(exact.isSkewed(), "exact, but small");
	}

	/** The parts of the windows say how exact the scale and the tails are: ln(z/y) = ln β + δ·y² at y = 2 and 4, for parts of which one has heavier tails. */
	@Test
	void errorsOfTheWindows() {
		final GaussianScores scores = GaussianScores.white(50);
		final double[] variances = new double[60], one = new double[60], constant = new double[60];
		for (int i = 0; i < 60; i++) variances[i] = i < 40 ? 1 : 0.5;
		one[1] = 1;
		constant[0] = 1;
		final List<GaussianScores> parts = List.of(GaussianScores.white(46), GaussianScores.white(54), scores,
			GaussianScores.of(variances, one, constant));
		final double[][] coefficients = new double[parts.size()][];
		final double[] mean = new double[2];
		for (int i = 0; i < parts.size(); i++) {
			final double[] logarithms = new double[2];
			for (int k = 0; k < 2; k++) {
				final double y = 2 + 2 * k, score = y / Math.sqrt(48 + y * y);
				logarithms[k] = Math.log(parts.get(i).normal(score) / scores.normal(score));
			}
			final double tails = (logarithms[1] - logarithms[0]) / 12;
			coefficients[i] = new double[] { logarithms[0] - 4 * tails, tails };
			for (int k = 0; k < 2; k++) mean[k] += coefficients[i][k] / parts.size();
		}
		final WindowNoise noise = new WindowNoise(scores, parts, Steepness.normal(), 0, 0.2);
		final double[][] errors = new double[2][2];
		for (int k = 0; k < 2; k++) for (int l = 0; l < 2; l++) {
			// of the mean of the parts, and 1.4 times the deviation
			for (final double[] c : coefficients) errors[k][l] += 1.96 * (c[k] - mean[k]) * (c[l] - mean[l]) / (parts.size() - 1) / parts.size();
			assertEquals(1, noise.errors()[k][l] / errors[k][l], 1e-9, k + ", " + l);
		}
		assertEquals(0.2, noise.diagonal());
		assertNull(WindowNoise.white(50).errors());
		// they are the prior variances, together with those of the model
		final TailCorrection prior = TailCorrection.fit(new double[0], new double[0], new double[0][0], TailCorrection.Prior.EXPECTED, noise, INDEPENDENT);
		final double variance = (4e-4 + errors[0][0]) * 4 + 2 * errors[0][1] * 2 * 8 + (1e-6 + errors[1][1]) * 64 + 4e-6 * 16;
		assertTrue(variance < 0.36);
		assertEquals(2 / Math.sqrt(1 + variance), prior.normal(2), 1e-9);
	}

	private static WindowNoise noise(final double skewness) {
		return new WindowNoise(GaussianScores.white(100), List.of(), Steepness.white(100), skewness, 0);
	}

	private static TailCorrection fit(final double[] y, final double[] z, final TailCorrection.Prior prior, final double skewness) {
		return TailCorrection.fit(y, z, new double[y.length][y.length], prior, noise(skewness), INDEPENDENT);
	}
}
