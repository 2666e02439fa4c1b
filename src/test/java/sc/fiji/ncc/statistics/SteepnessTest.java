package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;

import org.apache.commons.math3.distribution.TDistribution;

import org.junit.jupiter.api.Test;

class SteepnessTest {

	/** The degrees of freedom are those of Student's t of the score, in quadrature with 5.5. */
	@Test
	void whiteNoiseIsStudentsT() {
		for (final double pixels : new double[] { 3, 10, 64, 1000 }) {
			// D. L. Wallace's approximation is within 3 % for 5 degrees
			final double error = pixels < 20 ? 0.035 : 0.002;
			final TDistribution t = new TDistribution(null, Math.hypot(5.5, pixels - 2));
			for (final double z : new double[] { 0.5, 2, 4 }) {
				final double expected = -t.inverseCumulativeProbability(MaximaRate.normal(-z));
				assertEquals(1, Steepness.white(pixels).of(0, z) / expected, error, pixels + " pixels at " + z);
			}
		}
	}

	/**
	 * Twelve modes of equal variance, of which one is constant: z₀ is the template, and the ten others have μ = c²/(1 − c²) = v²/10 for a score c of
	 * v deviations. So κ² = 10·c², and S = Λ + μ·|B|². A motion that turns pairs of modes has the same |B| for every template in these modes.
	 */
	@Test
	void modesOfEqualVariance() {
		final double[] variances = new double[12], template = new double[12], constant = new double[12];
		Arrays.fill(variances, 3);
		// modes (x, y) = (0, 0) and (1, 1); a length of 5
		template[0] = 3;
		template[5] = 4;
		constant[10] = 1;
		final GaussianScores scores = GaussianScores.of(variances, template, constant);
		final double[] turned = { 0.7, 0.2 }, differences = { 1.5, 0.6 };
		final Steepness steepness = Steepness.of(scores, new int[] { 4, 3 }, variances, template, constant,
			new Steepness.Motion[] { motion(4, turned[0], differences[0]), motion(3, turned[1], differences[1]) });
		final double[] values = { 1, 2, 3, 4, 5, 7, 10 };
		for (int d = 0; d < 2; d++) {
			double z = 0, steep = 0;
			for (final double v : values) {
				final double c = v / Math.sqrt(10 + v * v), before = z, lower = steep;
				z = scores.normal(c);
				steep = Math.sqrt(10) * c * Math.sqrt((differences[d] + turned[d] * turned[d] * v * v / 10) / (differences[d] + turned[d] * turned[d] / 10));
				assertEquals(steep, steepness.of(d, z), 2e-3 * steep, "axis " + d + ", value " + v);
				// straight lines
				if (v > 1) assertEquals((steep + lower) / 2, steepness.of(d, (z + before) / 2), 2e-3 * steep);
				if (v == 10) assertEquals(steep + (steep - lower), steepness.of(d, z + (z - before)), 5e-3 * steep);
				if (v == 2) assertEquals(Math.max(0, lower - (steep - lower)), steepness.of(d, before - (z - before)), 5e-3 * steep);
			}
		}
	}

	/** Where windows do not move, the field is taken as normal. */
	@Test
	void withoutMotion() {
		final double[] variances = { 1, 1, 1, 1, 1, 1 }, template = { 0, 1, 0, 0, 0, 0 }, constant = { 1, 0, 0, 0, 0, 0 };
		final Steepness steepness = Steepness.of(GaussianScores.of(variances, template, constant), new int[] { 6, 1 }, variances, template, constant,
			new Steepness.Motion[] { motion(6, 0.5, 1), null });
		for (final double v : new double[] { 0.5, 2, 3.7 }) assertEquals(v, steepness.of(1, v), 1e-12);
		assertEquals(2, Steepness.normal().of(0, 2));
	}

	private static Steepness.Motion motion(final int n, final double turned, final double difference) {
		final double[][] moved = new double[n][n], differences = new double[n][n];
		for (int i = 0; i < n; i++) differences[i][i] = difference;
		for (int i = 0; i + 1 < n; i += 2) {
			moved[i][i + 1] = turned;
			moved[i + 1][i] = -turned;
		}
		return new Steepness.Motion(moved, differences);
	}
}
