package sc.fiji.ncc.cpu.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.plan.PixelType;

class ShiftFitTest {

	private static final int SIDE = 256;
	private static final DriftTexture TEXTURE = new DriftTexture(300, 300, 1.3, 1);

	private static FramePixels frame(final int dx, final int dy, final double photons, final Random random) {
		return FramePixels.of(new int[] { SIDE, SIDE, 1 }, PixelType.U16, ShortBuffer.wrap(DriftTexture.photons(TEXTURE.frame(160 - dx, 160 - dy, SIDE, SIDE), photons, 0.3, random)), null);
	}

	@Test
	void noisyFramesHaveOneSolutionWhateverTheStart() {
		final Random random = new Random(7);
		final ShiftFit fit = new ShiftFit();
		for (int i = 0; i < 40; i++) {
			final int dx = random.nextInt(64) - 32, dy = random.nextInt(64) - 32;
			final FramePixels f = frame(0, 0, 20, random), m = frame(dx, dy, 12, random);
			final int[] lag = { (int) Math.rint(dx / 8.0), (int) Math.rint(dy / 8.0), 0 };
			final ShiftFit.Result a = fit.fit(f, m, lag, new double[] { dx / 8.0 + 0.05, dy / 8.0 - 0.05, 0 });
			final ShiftFit.Result b = fit.fit(f, m, lag, new double[] { dx / 8.0 - 0.05, dy / 8.0 + 0.05, 0 });
			assertNotNull(a, "pair " + i);
			assertNotNull(b, "pair " + i);
			assertArrayEquals(a.shift(), b.shift(), 0.003, "pair " + i);
		}
	}

	/**
	 * A start near the solution leaves short steps, and the covariance is the same as with long ones: photons of the fixed frame, which is a mean of
	 * many, and of the moving frame. The ellipse of 68 % holds the true shift as often as it says.
	 */
	@Test
	void theCovarianceDoesNotDependOnTheStart() {
		final Random random = new Random(3);
		final ShiftFit fit = new ShiftFit();
		final int pairs = 150;
		int inside = 0;
		for (int i = 0; i < pairs; i++) {
			final int dx = random.nextInt(64) - 32, dy = random.nextInt(64) - 32;
			final FramePixels f = frame(0, 0, 10_000, random), m = frame(dx, dy, 300, random);
			final int[] lag = { (int) Math.rint(dx / 8.0), (int) Math.rint(dy / 8.0), 0 };
			final double angle = 2 * Math.PI * random.nextDouble(), x = Math.cos(angle), y = Math.sin(angle);
			final ShiftFit.Result far = fit.fit(f, m, lag, new double[] { dx / 8.0 + 0.3 * x, dy / 8.0 + 0.3 * y, 0 });
			final ShiftFit.Result near = fit.fit(f, m, lag, new double[] { far.shift()[0] + 5e-4 * x, far.shift()[1] + 5e-4 * y, 0 });
			final double[][] c = near.covariance();
			final double u = near.shift()[0] - dx / 8.0, v = near.shift()[1] - dy / 8.0, of = far.covariance()[0][0] + far.covariance()[1][1];
			assertEquals(of, c[0][0] + c[1][1], 0.2 * of, "pair " + i);
			if ((c[1][1] * u * u - 2 * c[0][1] * u * v + c[0][0] * v * v) / (c[0][0] * c[1][1] - c[0][1] * c[0][1]) < -2 * Math.log(1 - 0.68)) inside++;
		}
		// three standard deviations of the count, and the model
		assertEquals(0.68, (double) inside / pairs, 3 * Math.sqrt(0.68 * 0.32 / pairs) + 0.03);
	}

	/** The smoothed gradient of texture as fine as a pixel is far too small, so each step is about twice too long. */
	@Test
	void textureAsFineAsAPixelConverges() {
		final Random random = new Random(17);
		final int[] size = { 64, 64, 40 };
		final double[] white = new double[64 * 64 * 41 + 65];
		Arrays.setAll(white, i -> random.nextGaussian());
		final float[][] frames = new float[2][64 * 64 * 40];
		for (final float[] frame : frames)
			for (int i = 0; i < frame.length; i++) {
				final double texture = white[i] + white[i + 1] + white[i + 64] + white[i + 65] + white[i + 64 * 64];
				frame[i] = (float) (texture + 0.1 * random.nextGaussian());
			}
		final ShiftFit.Result r = new ShiftFit().fit(FramePixels.of(size, PixelType.F32, FloatBuffer.wrap(frames[0]), null),
			FramePixels.of(size, PixelType.F32, FloatBuffer.wrap(frames[1]), null), new int[3], new double[] { 0.02, -0.02, 0.03 });
		assertNotNull(r);
		assertArrayEquals(new double[3], r.shift(), 0.005);
		for (int d = 0; d < 3; d++) assertTrue(r.covariance()[d][d] > 0 && r.covariance()[d][d] < 1e-4, Arrays.deepToString(r.covariance()));
	}

	/** Noise would lower the slope between both frames, and the part of an object inside a narrow overlap would then move with each step. */
	@Test
	void objectsThatTheOverlapCutsDoNotMoveTheSolution() {
		final Random random = new Random(13);
		final ShiftFit fit = new ShiftFit();
		final int pairs = 100, w = 30, h = 512;
		int found = 0, within = 0;
		double squares = 0, variances = 0;
		for (int i = 0; i < pairs; i++) {
			final double x = random.nextDouble() - 0.5, y = random.nextDouble() - 0.5;
			final double[][] spots = new double[12][];
			Arrays.setAll(spots, k -> new double[] { random.nextDouble() * (w + 20) - 10, random.nextDouble() * h, 5 + 6 * random.nextDouble(), 0.3 + random.nextDouble() });
			final int[] size = { w, h, 1 };
			final FramePixels f = FramePixels.of(size, PixelType.U16, ShortBuffer.wrap(spots(spots, 0, 0, w, h, random)), null);
			final FramePixels m = FramePixels.of(size, PixelType.U16, ShortBuffer.wrap(spots(spots, x, y, w, h, random)), null);
			final ShiftFit.Result a = fit.fit(f, m, new int[3], new double[] { x + 0.1, y - 0.05, 0 }), b = fit.fit(f, m, new int[3], new double[] { x - 0.05, y + 0.1, 0 });
			if (a == null || b == null) continue;
			assertArrayEquals(a.shift(), b.shift(), 0.005, "pair " + i);
			found++;
			for (int d = 0; d < 2; d++) {
				final double error = a.shift()[d] - (d == 0 ? x : y);
				squares += error * error;
				variances += a.covariance()[d][d];
				if (error * error < a.covariance()[d][d]) within++;
			}
		}
		assertTrue(found >= 0.9 * pairs, found + " pairs");
		assertEquals(1, Math.sqrt(variances / squares), 0.2, "stated over observed errors");
		// three standard deviations of the count, and few objects in a strip
		assertEquals(0.68, within / (2.0 * found), 3 * Math.sqrt(0.68 * 0.32 / (2 * found)) + 0.03);
	}

	/** Spots with photon noise on a dark background. @param spots x, y, the standard deviation and the height of each */
	private static short[] spots(final double[][] spots, final double x, final double y, final int w, final int h, final Random random) {
		final short[] frame = new short[w * h];
		for (int i = 0; i < frame.length; i++) {
			double photons = 5;
			for (final double[] s : spots) photons += 100 * s[3] * Math.exp(-(square(i % w - x - s[0]) + square(i / w - y - s[1])) / (2 * s[2] * s[2]));
			frame[i] = (short) Math.max(0, Math.rint(10 * (photons + Math.sqrt(photons) * random.nextGaussian())));
		}
		return frame;
	}

	/** The same scene with other noise has about the same covariance: clusters that reach over all rows would leave few of them, and their products would vary. */
	@Test
	void theCovarianceOfFewPlanesHardlyVaries() {
		final Random random = new Random(5);
		final int pairs = 24;
		final int[] size = { 24, 160, 12 };
		final double[][] spots = new double[300][];
		for (int i = 0; i < spots.length; i++)
			spots[i] = new double[] { 34 * random.nextDouble() - 5, 170 * random.nextDouble() - 5, 18 * random.nextDouble() - 3,
				1.3 + random.nextDouble(), 0.3 + random.nextDouble() };
		final float[] f = volume(spots, 0, size), m = volume(spots, 0.3, size);
		final double[] mean = new double[3], square = new double[3], error = new double[3];
		for (int i = 0; i < pairs; i++) {
			final ShiftFit.Result r = new ShiftFit().fit(noisy(f, size, random), noisy(m, size, random), new int[3], new double[] { -0.25, -0.25, -0.25 });
			for (int d = 0; d < 3; d++) {
				final double v = r.covariance()[d][d];
				mean[d] += v / pairs;
				square[d] += v * v / pairs;
				error[d] += square(r.shift()[d] + 0.3) / pairs;
			}
		}
		for (int d = 0; d < 3; d++) {
			assertEquals(0, Math.sqrt(square[d] / square(mean[d]) - 1), 0.35, "the standard deviation of a variance, over its mean, dimension " + d);
			assertEquals(1, Math.sqrt(mean[d] / error[d]), 0.45, "predicted over observed, dimension " + d);
		}
	}

	/** @param shift of the spots along each dimension, to smaller places */
	private static float[] volume(final double[][] spots, final double shift, final int[] size) {
		final float[] volume = new float[size[0] * size[1] * size[2]];
		for (final double[] s : spots)
			for (int z = 0; z < size[2]; z++)
				for (int y = Math.max(0, (int) s[1] - 12); y < Math.min(size[1], s[1] + 12); y++) {
					final double yz = s[4] * Math.exp(-0.5 * (square(y - s[1] + shift) + square(z - s[2] + shift)) / square(s[3]));
					for (int x = 0; x < size[0] && yz > 1e-4; x++) volume[(z * size[1] + y) * size[0] + x] += yz * Math.exp(-0.5 * square(x - s[0] + shift) / square(s[3]));
				}
		return volume;
	}

	private static FramePixels noisy(final float[] mean, final int[] size, final Random random) {
		final short[] pixels = new short[mean.length];
		for (int i = 0; i < pixels.length; i++) {
			final double photons = 400 * (0.1 + mean[i]);
			pixels[i] = (short) Math.max(0, Math.rint(10 * (photons + Math.sqrt(photons) * random.nextGaussian())));
		}
		return FramePixels.of(size, PixelType.U16, ShortBuffer.wrap(pixels), null);
	}

	private static double square(final double v) {
		return v * v;
	}

	/**
	 * Which pixels count does not depend on the step, whatever the holes. Dense holes leave no pixels for the long kernel, and enough for the short one.
	 */
	@Test
	void masksWithHolesHaveOneSolutionWhateverTheStart() {
		final Random random = new Random(11);
		final ShiftFit fit = new ShiftFit();
		for (final int period : new int[] { 211, 61, 13 })
			for (int i = 0; i < 8; i++) {
				final int dx = random.nextInt(64) - 32, dy = random.nextInt(64) - 32;
				final FramePixels f = holes(frame(0, 0, 300, random), period, random), m = holes(frame(dx, dy, 300, random), period, random);
				final int[] lag = { (int) Math.rint(dx / 8.0), (int) Math.rint(dy / 8.0), 0 };
				final ShiftFit.Result a = fit.fit(f, m, lag, new double[] { dx / 8.0 + 0.1, dy / 8.0 - 0.1, 0 });
				final ShiftFit.Result b = fit.fit(f, m, lag, new double[] { dx / 8.0 - 0.04, dy / 8.0 + 0.05, 0 });
				final String what = "holes at one of " + period + " pixels, pair " + i;
				assertNotNull(a, what);
				assertNotNull(b, what);
				assertArrayEquals(a.shift(), b.shift(), 0.002, what);
				assertEquals(dx / 8.0, a.shift()[0], 0.04, what);
				assertEquals(dy / 8.0, a.shift()[1], 0.04, what);
			}
	}

	private static FramePixels holes(final FramePixels frame, final int period, final Random random) {
		final boolean[] mask = new boolean[SIDE * SIDE];
		for (int i = 0; i < mask.length; i++) mask[i] = random.nextInt(period) != 0;
		return FramePixels.of(frame.size(), PixelType.F32, FloatBuffer.wrap(frame.deviations()), mask);
	}

	/** Smooth content on a slope of brightness: gradients are small beside the brightness itself. */
	@Test
	void transposedFramesHaveTheTransposedCovariance() {
		final Random random = new Random(5);
		for (final int[] size : new int[][] { { 100, 80 }, { 60, 50 }, { 310, 70 } })
			for (final double photons : new double[] { 100, 2000 }) {
				final DriftTexture texture = new DriftTexture(size[0] + 30, size[1] + 30, 3, 2);
				final short[] f = ramp(texture, 0, 0, size, photons, random), m = ramp(texture, 3, -2, size, photons, random);
				final ShiftFit.Result a = fit(f, m, size[0], size[1]), b = fit(transposed(f, size[0]), transposed(m, size[0]), size[1], size[0]);
				final String what = size[0] + "x" + size[1] + ", " + photons + " photons";
				for (int i = 0; i < 2; i++)
					for (int j = 0; j < 2; j++) {
						final double scale = Math.sqrt(a.covariance()[i][i] * a.covariance()[j][j]);
						assertEquals(a.covariance()[i][j] / scale, b.covariance()[1 - i][1 - j] / scale, 0.01, what + ": " + Arrays.deepToString(a.covariance()) + " " + Arrays.deepToString(b.covariance()));
					}
			}
	}

	private static ShiftFit.Result fit(final short[] f, final short[] m, final int w, final int h) {
		final int[] size = { w, h, 1 };
		return new ShiftFit().fit(FramePixels.of(size, PixelType.U16, ShortBuffer.wrap(f), null), FramePixels.of(size, PixelType.U16, ShortBuffer.wrap(m), null), new int[3], new double[3]);
	}

	private static short[] ramp(final DriftTexture texture, final int dx, final int dy, final int[] size, final double photons, final Random random) {
		final float[] frame = texture.frame(100 - dx, 100 - dy, size[0], size[1]);
		for (int i = 0; i < frame.length; i++) frame[i] += 0.02f * (i % size[0] + i / size[0] - (dx + dy) / 8f);
		return DriftTexture.photons(frame, photons, 0.2, random);
	}

	private static short[] transposed(final short[] a, final int w) {
		final short[] t = new short[a.length];
		final int h = a.length / w;
		for (int i = 0; i < a.length; i++) t[i % w * h + i / w] = a[i];
		return t;
	}
}
