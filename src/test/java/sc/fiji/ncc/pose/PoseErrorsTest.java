package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/** The errors of refined positions, angles and scales against those of simulated matches. */
class PoseErrorsTest {

	private static final int RADIUS = 9, SIDE = 2 * RADIUS + 1, WIDTH = 4 * RADIUS + 9, TRIALS = 60;
	private static final double NOISE = 0.05;

	/** A template, a noisy image with a match of known position, angle in radians, and scale. */
	private static final class Trial {

		final double[][] blobs = new double[12][3];
		final double cx, cy, angle, scale;
		final float[] template = new float[SIDE * SIDE], image = new float[WIDTH * WIDTH];

		/** @param blur the noise is averaged over squares of so many pixels, and has the same variance for all of them */
		Trial(final int seed, final boolean scaled, final int blur) {
			final Random random = new Random(seed);
			for (final double[] b : blobs) for (int k = 0; k < 3; k++) b[k] = (k < 2 ? RADIUS - 2 : 1) * (2 * random.nextDouble() - 1);
			cx = WIDTH / 2 + random.nextDouble() - 0.5;
			cy = WIDTH / 2 + random.nextDouble() - 0.5;
			angle = 0.3 * (random.nextDouble() - 0.5);
			scale = scaled ? 0.95 + 0.1 * random.nextDouble() : 1;
			for (int i = 0; i < template.length; i++) template[i] = (float) object(i % SIDE - RADIUS, i / SIDE - RADIUS, 0, 1);
			final int width = WIDTH + blur - 1;
			final double[] noise = random.doubles((long) width * width).map(u -> random.nextGaussian()).toArray();
			for (int i = 0; i < image.length; i++) {
				double sum = 0;
				for (int k = 0; k < blur * blur; k++) sum += noise[(i / WIDTH + k / blur) * width + i % WIDTH + k % blur] / blur;
				image[i] = (float) (object(i % WIDTH - cx, i / WIDTH - cy, angle, scale) + NOISE * sum);
			}
		}

		/** A sum of Gaussians at a position, an angle and a scale, so that its images need no interpolation. */
		private double object(final double x, final double y, final double turn, final double size) {
			final double c = Math.cos(turn) / size, s = Math.sin(turn) / size, u = c * x - s * y, v = s * x + c * y;
			double sum = 0;
			for (final double[] b : blobs) sum += b[2] * Math.exp(-((u - b[0]) * (u - b[0]) + (v - b[1]) * (v - b[1])) / 8);
			return sum;
		}

		PoseSearch search() {
			return PoseSearch.of(ArrayImgs.floats(template, SIDE, SIDE)).angleRange(-20, 20, 5).minScore(0.3).maxMatches(1);
		}

		PoseMatch found(final PoseSearch search) {
			return search.find(ArrayImgs.floats(image, WIDTH, WIDTH)).matches().get(0);
		}
	}

	@Test
	void errorsAreThoseOfSimulatedMatches() {
		double distances = 0, turned = 0;
		for (int trial = 0; trial < TRIALS; trial++) {
			final Trial t = new Trial(trial, false, 1);
			final PoseMatch m = t.found(t.search());
			final double x = m.subpixel()[0] + RADIUS - t.cx, y = m.subpixel()[1] + RADIUS - t.cy;
			final double[][] c = m.covariance();
			assertTrue(Math.hypot(x, y) < 0.5, "trial " + trial + ": " + x + ", " + y);
			assertEquals(c[0][1], c[1][0], 1e-12);
			distances += (c[1][1] * x * x - 2 * c[0][1] * x * y + c[0][0] * y * y) / (c[0][0] * c[1][1] - c[0][1] * c[0][1]) / TRIALS;
			turned += Math.pow((m.pose().angle() - Math.toDegrees(t.angle)) / m.sigmaAngle(), 2) / TRIALS;
			assertTrue(Double.isNaN(m.sigmaScale()), "one scale was searched");
			// the position without its pose has the same errors
			assertEquals(c, m.match().covariance());
		}
		// the mean of chi squared with 2 degrees of freedom; its error is 2 / sqrt(60)
		assertEquals(2, distances, 0.9, "mean squared Mahalanobis distance");
		assertRatio("angle", turned);
	}

	/** With correlated noise too: counted as white, it would give half of the errors. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void errorsOfAngleAndScaleAreThoseOfSimulatedMatches(final int blur) {
		double turned = 0, scaled = 0;
		for (int trial = 0; trial < TRIALS; trial++) {
			final Trial t = new Trial(trial, true, blur);
			final PoseMatch m = t.found(t.search().scaleRange(0.9, 1.1, 1.05));
			turned += Math.pow((m.pose().angle() - Math.toDegrees(t.angle)) / m.sigmaAngle(), 2) / TRIALS;
			scaled += Math.pow(100 * (m.pose().scale() / t.scale - 1) / m.sigmaScale(), 2) / TRIALS;
		}
		assertRatio("angle", turned);
		assertRatio("scale", scaled);
	}

	/** @param squares the mean square of error over predicted standard deviation; the ratio is uncertain by 9 % */
	private static void assertRatio(final String what, final double squares) {
		final double ratio = 1 / Math.sqrt(squares);
		assertTrue(ratio > 0.7 && ratio < 1.4, what + ": predicted over observed standard deviation: " + ratio);
	}

	/** Rotations of a volume: the angle between the refined and the true rotation. */
	@Test
	void errorsInThreeDimensions() {
		final int side = 11, width = 17, trials = 20;
		final Pose none = Pose.of(new double[] { 1, 0, 0, 0 }, 1, false);
		double turned = 0, scaled = 0;
		for (int trial = 0; trial < trials; trial++) {
			final Random random = new Random(trial);
			final double[][] blobs = new double[10][4];
			for (final double[] b : blobs) for (int k = 0; k < 4; k++) b[k] = (k < 3 ? 4 : 1) * (2 * random.nextDouble() - 1);
			final double[] q = { 1, 0.03 * random.nextGaussian(), 0.03 * random.nextGaussian(), 0.03 * random.nextGaussian() };
			final Pose pose = Pose.of(q, 0.97 + 0.06 * random.nextDouble(), false);
			final PoseMatch m = PoseSearch.of(ArrayImgs.floats(volume(blobs, side, none, 0, random), side, side, side)).scales(1, 1.06).minScore(0.3).maxMatches(1)
				.rotations(List.of(none.rotation(), PoseGrid.euler(0, 10, 0), PoseGrid.euler(10, 0, 0))).find(ArrayImgs.floats(volume(blobs, width, pose, 0.1, random), width, width, width)).matches().get(0);
			double cos = 0;
			for (int i = 0; i < 4; i++) cos += m.pose().rotation()[i] * pose.rotation()[i];
			turned += Math.pow(Math.toDegrees(2 * Math.acos(Math.min(1, Math.abs(cos)))) / m.sigmaAngle(), 2) / trials;
			scaled += Math.pow(100 * (m.pose().scale() / pose.scale() - 1) / m.sigmaScale(), 2) / trials;
		}
		assertRatio("angle", turned);
		assertRatio("scale", scaled);
	}

	private static float[] volume(final double[][] blobs, final int n, final Pose pose, final double noise, final Random random) {
		final float[] values = new float[n * n * n];
		final double[][] m = pose.toTemplate();
		final double[] u = new double[3];
		for (int i = 0; i < values.length; i++) {
			final int[] place = { i % n - n / 2, i / n % n - n / 2, i / n / n - n / 2 };
			double sum = noise * random.nextGaussian();
			for (int r = 0; r < 3; r++) {
				u[r] = 0;
				for (int c = 0; c < 3; c++) u[r] += m[r][c] * place[c];
			}
			for (final double[] b : blobs) sum += b[3] * Math.exp(-(Math.pow(u[0] - b[0], 2) + Math.pow(u[1] - b[1], 2) + Math.pow(u[2] - b[2], 2)) / 5);
			values[i] = (float) sum;
		}
		return values;
	}

	@Test
	void whatIsNotRefinedHasNoErrors() {
		final Trial t = new Trial(1, true, 1);
		final PoseMatch raw = t.found(t.search().scaleRange(0.9, 1.1, 1.05).refine(false));
		assertNull(raw.covariance());
		assertTrue(Double.isNaN(raw.sigmaAngle()) && Double.isNaN(raw.sigmaScale()));
		final PoseMatch scaled = t.found(t.search().angles(0).scaleRange(0.9, 1.1, 1.05));
		assertTrue(Double.isNaN(scaled.sigmaAngle()) && scaled.sigmaScale() > 0, "one angle was searched");
	}

	/** They survive a search of a part, another frame, and the way from one process to another. */
	@Test
	void errorsStayWithTheMatch() throws IOException, ClassNotFoundException {
		final Trial t = new Trial(1, true, 1);
		final PoseSearch search = t.search().scaleRange(0.9, 1.1, 1.05);
		final PoseMatch whole = t.found(search), part = t.found(search.inside(new FinalInterval(new long[] { 1, 2 }, new long[] { WIDTH - 1, WIDTH - 1 })));
		assertArrayEquals(whole.position(), part.position());
		assertEquals(whole.sigmaAngle(), part.sigmaAngle(), 1e-9);
		assertEquals(whole.sigmaScale(), part.sigmaScale(), 1e-9);
		final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream to = new ObjectOutputStream(bytes)) {
			to.writeObject(whole.in(new long[] { 3 }));
		}
		try (ObjectInputStream from = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			final PoseMatch read = (PoseMatch) from.readObject();
			assertEquals(3, read.frame()[0]);
			assertEquals(whole.sigmaAngle(), read.sigmaAngle());
			assertEquals(whole.sigmaScale(), read.sigmaScale());
			assertFalse(Double.isNaN(read.sigmaAngle()));
		}
	}
}
