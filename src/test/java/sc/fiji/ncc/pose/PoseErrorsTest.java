package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.result.PoseMatch;

/** The covariance of refined positions against the errors of simulated matches. */
class PoseErrorsTest {

	private static final int RADIUS = 9, SIDE = 2 * RADIUS + 1, WIDTH = 4 * RADIUS + 9, TRIALS = 60;

	/** A sum of Gaussians at a position and an angle, so that its pictures need no interpolation. */
	private static double object(final double[][] blobs, final double x, final double y, final double angle) {
		final double c = Math.cos(angle), s = Math.sin(angle), u = c * x - s * y, v = s * x + c * y;
		double sum = 0;
		for (final double[] b : blobs) sum += b[2] * Math.exp(-((u - b[0]) * (u - b[0]) + (v - b[1]) * (v - b[1])) / 8);
		return sum;
	}

	@Test
	void errorsAreThoseOfSimulatedMatches() {
		double distances = 0;
		for (int trial = 0; trial < TRIALS; trial++) {
			final Random random = new Random(trial);
			final double[][] blobs = new double[12][3];
			for (final double[] b : blobs) for (int k = 0; k < 3; k++) b[k] = (k < 2 ? RADIUS - 2 : 1) * (2 * random.nextDouble() - 1);
			final double cx = WIDTH / 2 + random.nextDouble() - 0.5, cy = WIDTH / 2 + random.nextDouble() - 0.5, angle = 0.3 * (random.nextDouble() - 0.5);
			final float[] template = new float[SIDE * SIDE], image = new float[WIDTH * WIDTH];
			for (int i = 0; i < template.length; i++) template[i] = (float) object(blobs, i % SIDE - RADIUS, i / SIDE - RADIUS, 0);
			for (int i = 0; i < image.length; i++) image[i] = (float) (object(blobs, i % WIDTH - cx, i / WIDTH - cy, angle) + 0.05 * random.nextGaussian());
			final PoseMatch m = PoseSearch.of(ArrayImgs.floats(template, SIDE, SIDE)).angles(-20, 20, 5).minScore(0.3).maxMatches(1).find(ArrayImgs.floats(image, WIDTH, WIDTH)).matches().get(0);
			final double x = m.subpixel()[0] + RADIUS - cx, y = m.subpixel()[1] + RADIUS - cy;
			final double[][] c = m.covariance();
			assertTrue(Math.hypot(x, y) < 0.5, "trial " + trial + ": " + x + ", " + y);
			assertEquals(c[0][1], c[1][0], 1e-12);
			distances += (c[1][1] * x * x - 2 * c[0][1] * x * y + c[0][0] * y * y) / (c[0][0] * c[1][1] - c[0][1] * c[0][1]) / TRIALS;
			// the position without its pose has the same errors
			assertEquals(c, m.match().covariance());
		}
		// the mean of chi squared with 2 degrees of freedom; its error is 2 / sqrt(60)
		assertEquals(2, distances, 0.9, "mean squared Mahalanobis distance");
	}
}
