package sc.fiji.ncc.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.numeric.PaddedGrid;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Parallel;

/** Positions between the pixels, and their covariance, against known shifts. */
class PositionFitTest {

	private static final int MARGIN = 16;
	/** The number of simulated matches for the share inside the ellipse. */
	private static final int TRIALS = Integer.getInteger("ncc.matches", 700);

	/** A template, and an image in which it lies at MARGIN plus a fraction of a pixel. */
	private record Case(double[] template, double[] image, int width) {}

	private static Case texture(final int side, final int eighthsX, final int eighthsY, final double noise, final int correlated,
		final Random random) {
		final int width = side + 2 * MARGIN, f = DriftTexture.FINE;
		final DriftTexture texture = new DriftTexture(width + 4, width + 4, 1.5, random.nextLong());
		final double[] image = doubles(texture.frame(2 * f - eighthsX, 2 * f - eighthsY, width, width)),
			template = doubles(texture.frame((MARGIN + 2) * f, (MARGIN + 2) * f, side, side));
		final double[] white = random.doubles(image.length).map(d -> random.nextGaussian()).toArray();
		for (int i = 0; i < image.length; i++) {
			double n = 0;
			for (int k = 0; k < correlated; k++) n += white[(i + k) % image.length] / Math.sqrt(correlated);
			image[i] += noise * n;
		}
		return new Case(template, image, width);
	}

	private static double[] doubles(final float[] values) {
		final double[] wide = new double[values.length];
		for (int i = 0; i < wide.length; i++) wide[i] = values[i];
		return wide;
	}

	private static PositionFit fit(final Case c, final double[] weights, final double[] present) {
		final int side = c.width - 2 * MARGIN;
		return new PositionFit(new ArrayPixels(PixelType.F64, new int[] { c.width, c.width }, c.image, false, present),
			new Template(Size.of(side, side), PixelType.F64, c.template, weights));
	}

	@Test
	void knownShiftsAreFoundWithoutBias() {
		final Random random = new Random(1);
		for (final int side : new int[] { 8, 16, 32 }) {
			double sum = 0, squares = 0;
			final int n = 64;
			for (int i = 0; i < n; i++) {
				final int x = i % 8, y = i / 8;
				// the nearest pixel, as a search finds it
				final long[] first = { MARGIN + (x > 4 ? 1 : 0), MARGIN + (y > 4 ? 1 : 0) };
				final PositionFit.Fitted fitted = fit(texture(side, x, y, 0, 1, random), null, null).at(first, new double[2]);
				assertNotNull(fitted, side + " " + i);
				final double error = first[0] + fitted.offset()[0] - MARGIN - x / 8.0;
				sum += error;
				squares += error * error;
			}
			assertEquals(0, sum / n, 1e-4, side + " pixels");
			// cubic splines have 5e-4 to 8e-4
			assertTrue(Math.sqrt(squares / n) < 2e-4, side + " pixels: " + Math.sqrt(squares / n));
		}
	}

	/** The ellipse of 68 % holds the true position as often as it says, with white noise and with correlated noise. */
	@Test
	@Tag("slow")
	void ellipsesHoldTheTruePosition() {
		final Random random = new Random(2);
		for (final int correlated : new int[] { 1, 2 }) {
			int inside = 0, all = 0;
			for (int i = 0; i < TRIALS; i++) {
				final int x = random.nextInt(5), y = random.nextInt(5);
				final double noise = Math.pow(10, -0.5 - random.nextDouble());
				final PositionFit.Fitted fitted = fit(texture(16, x, y, noise, correlated, random), null, null)
					.at(new long[] { MARGIN, MARGIN }, new double[2]);
				if (fitted == null) continue;
				all++;
				final double[][] c = fitted.covariance();
				final double u = fitted.offset()[0] - x / 8.0, v = fitted.offset()[1] - y / 8.0;
				if ((c[1][1] * u * u - 2 * c[0][1] * u * v + c[0][0] * v * v) / (c[0][0] * c[1][1] - c[0][1] * c[0][1]) < -2
					* Math.log(1 - 0.68)) inside++;
			}
			assertTrue(all > 0.99 * TRIALS, all + " fits");
			// 63 % to 73 %, and three standard deviations of the count
			final double deviation = 3 * Math.sqrt(0.68 * 0.32 / all);
			assertEquals(0.68, (double) inside / all, 0.05 + deviation, "noise of " + correlated + " pixels");
		}
	}

	/** Inside the outermost pixels of a small template there are as few values as the fit has parameters, so that nothing would be left of the noise. */
	@Test
	void positionsOfSmallTemplatesAreUncertain() {
		final Random random = new Random(8);
		int fits = 0;
		for (final int side : new int[] { 3, 4 })
			for (int i = 0; i < 50; i++) {
				final PositionFit.Fitted fitted = fit(texture(side, 1, 2, 0.1, 1, random), null, null)
					.at(new long[] { MARGIN, MARGIN }, new double[2]);
				if (fitted == null) continue;
				fits++;
				for (int d = 0; d < 2; d++)
					assertTrue(fitted.covariance()[d][d] > 1e-7, side + " pixels: variance " + fitted.covariance()[d][d]);
			}
		assertTrue(fits > 50, fits + " fits");
	}

	/** Brightness and contrast of the image change neither the position nor its covariance. */
	@Test
	void contrastAndBrightnessDoNotCount() {
		final Case c = texture(16, 2, 3, 0.1, 1, new Random(6));
		final double[] brighter = c.image.clone();
		for (int i = 0; i < brighter.length; i++) brighter[i] = 500 + 20 * brighter[i];
		final PositionFit.Fitted one = fit(c, null, null).at(new long[] { MARGIN, MARGIN }, new double[2]),
				other = fit(new Case(c.template, brighter, c.width), null, null).at(new long[] { MARGIN, MARGIN }, new double[2]);
		assertArrayEquals(one.offset(), other.offset(), 1e-6);
		for (int d = 0; d < 2; d++) assertArrayEquals(one.covariance()[d], other.covariance()[d], 1e-5 * one.covariance()[0][0]);
		assertTrue(one.covariance()[0][0] > 1e-6, "variance " + one.covariance()[0][0]);
	}

	/** Products of the values are beyond the floats of a fit, also with the splines of whole frames. */
	@Test
	void valuesCanBeLargeOrSmall() {
		final int side = 16, width = side + 2 * MARGIN;
		final Case c = texture(side, 2, 3, 0.1, 1, new Random(7));
		final long[] first = { MARGIN, MARGIN };
		final PositionFit.Fitted usual = fit(c, null, null).at(first, new double[2]);
		for (final double factor : new double[] { 1e-25, 1e25 }) {
			final Case other = new Case(Arrays.stream(c.template).map(v -> factor * v).toArray(),
				Arrays.stream(c.image).map(v -> factor * v).toArray(), width);
			final PositionFit.Fitted scaled = fit(other, null, null).at(first, new double[2]);
			assertArrayEquals(usual.offset(), scaled.offset(), 1e-6);
			assertEquals(usual.covariance()[0][0], scaled.covariance()[0][0], 1e-4 * usual.covariance()[0][0]);
			final ArrayPixels frame = new ArrayPixels(PixelType.F64, new int[] { width, width }, other.image, false, null);
			final double[] cut = new double[side * side];
			for (int y = 0; y < side; y++) System.arraycopy(other.image, (MARGIN + y) * width + MARGIN, cut, y * side, side);
			try (Parallel parallel = new Parallel(1)) {
				final FrameSpline spline = new FrameSpline(frame, parallel);
				final PositionFit.Fitted own = new PositionFit(Size.of(side, side))
					.of(frame, new Template(Size.of(side, side), PixelType.F64, cut, null), spline, spline, first)
					.at(first, new double[] { 0.02, -0.03 });
				assertArrayEquals(new double[2], own.offset(), 1e-7);
			}
		}
	}

	/** Only the ratios of weights count, and the contrast of the image is no part of the position. */
	@Test
	void weightsAndContrastsHaveAnyScale() {
		final int side = 16;
		final Case c = texture(side, 2, 3, 0.1, 1, new Random(7));
		final double[] weights = new double[side * side];
		for (int i = 0; i < weights.length; i++) weights[i] = 0.2 + i % 5;
		final long[] first = { MARGIN, MARGIN };
		final PositionFit.Fitted usual = fit(c, weights, null).at(first, new double[2]);
		for (final double factor : new double[] { 1e-44, 1e-25, 1e20 })
			same(usual, fit(c, Arrays.stream(weights).map(w -> factor * w).toArray(), null).at(first, new double[2]));
		for (final double factor : new double[] { 1e-21, 1e25 })
			same(usual, fit(new Case(c.template, Arrays.stream(c.image).map(v -> factor * v).toArray(), c.width), weights, null)
				.at(first, new double[2]));
	}

	private static void same(final PositionFit.Fitted expected, final PositionFit.Fitted found) {
		assertArrayEquals(expected.offset(), found.offset(), 1e-5);
		for (int d = 0; d < 2; d++) assertArrayEquals(expected.covariance()[d], found.covariance()[d], 1e-3 * expected.covariance()[d][d]);
	}

	/**
	 * The covariance of the sums of a step is how much they scatter from noise to noise. The waves are so short that interpolation weakens them, and the window
	 * lies between the pixels: so it has another contrast than its pixels have. The sums are divided by that of the window.
	 */
	@Test
	void theNoiseOfAStepIsInTheUnitOfItsSums() {
		final int side = 16, width = side + 2 * MARGIN, trials = 2000;
		final Random random = new Random(12);
		final double[] image = new double[width * width], cut = new double[side * side], shift = { 0.45, 0.45 };
		for (int wave = 0; wave < 60; wave++) {
			final double u = 2.5 * (2 * random.nextDouble() - 1), v = 2.5 * (2 * random.nextDouble() - 1), phase = 2 * Math.PI * random.nextDouble();
			for (int i = 0; i < image.length; i++) image[i] += Math.cos(u * (i % width - MARGIN - shift[0]) + v * (i / width - MARGIN - shift[1]) + phase);
			for (int i = 0; i < cut.length; i++) cut[i] += Math.cos(u * (i % side) + v * (i / side) + phase);
		}
		final double[] sums = new double[2], squares = new double[2], noise = new double[2];
		for (int i = 0; i < trials; i++) {
			final double[] noisy = Arrays.stream(image).map(v -> v + 10 * random.nextGaussian()).toArray();
			final PositionFit.Step step = fit(new Case(cut, noisy, width), null, null).step(new long[] { MARGIN, MARGIN }, shift);
			for (int d = 0; d < 2; d++) {
				sums[d] += step.right()[d] / trials;
				squares[d] += step.right()[d] * step.right()[d] / trials;
				noise[d] += step.noise()[d][d] / trials;
			}
		}
		// the residual of the interpolation counts as noise, too
		double ratio = 0;
		for (int d = 0; d < 2; d++) ratio += noise[d] / (squares[d] - sums[d] * sums[d]) / 2;
		assertTrue(ratio > 1 && ratio < 1.2, "stated over found: " + ratio);
	}

	/** A window without a pixel that counts leaves nothing for the next one: samples have a padding. */
	@Test
	void nothingStaysFromAWindowBefore() {
		final int side = 16, width = side + 2 * MARGIN;
		final Case c = texture(side, 2, 3, 0.1, 1, new Random(7));
		final double[] present = new double[width * width];
		for (int i = 0; i < present.length; i++) present[i] = i / width < side ? 0 : 1;
		final ArrayPixels frame = new ArrayPixels(PixelType.F64, new int[] { width, width }, c.image, false, present);
		final Template template = new Template(Size.of(side, side), PixelType.F64, c.template, null);
		final long[] missing = { MARGIN, 0 }, first = { MARGIN, MARGIN };
		final double[] shift = { 0.3, 1.1 };
		final PositionFit again = new PositionFit(frame, template);
		assertNull(again.step(missing, shift));
		final PositionFit.Step expected = new PositionFit(frame, template).step(first, shift), found = again.step(first, shift);
		assertArrayEquals(expected.right(), found.right());
		for (int d = 0; d < 2; d++) assertArrayEquals(expected.noise()[d], found.noise()[d]);
	}

	/** Rounding errors of floats are then longer than a step that ends the fit. */
	@Test
	void weakTextureBesideAnEdgeDeterminesThePosition() {
		final int side = 16;
		for (int seed = 0; seed < 20; seed++) {
			final Case c = texture(side, 0, 3, 0, 1, new Random(seed));
			for (int i = 0; i < c.image.length; i++) c.image[i] += 3000 * Math.tanh(0.3 * (i % c.width - MARGIN - 7.5));
			for (int i = 0; i < c.template.length; i++) c.template[i] += 3000 * Math.tanh(0.3 * (i % side - 7.5));
			final PositionFit.Fitted fitted = fit(c, null, null).at(new long[] { MARGIN, MARGIN }, new double[] { 0.1, 0.2 });
			assertNotNull(fitted, "seed " + seed);
			assertArrayEquals(new double[] { 0, 3 / 8.0 }, fitted.offset(), 0.02, "seed " + seed);
		}
	}

	@Test
	void theTemplateItselfIsExactlyAtItsPixel() {
		final Random random = new Random(3);
		final Case c = texture(12, 0, 0, 0.3, 1, random);
		for (final long[] first : new long[][] { { 20, 17 }, { 0, 0 }, { c.width - 12, 5 } }) {
			final double[] cut = new double[144];
			for (int y = 0; y < 12; y++) System.arraycopy(c.image, (int) ((y + first[1]) * c.width + first[0]), cut, y * 12, 12);
			final PositionFit.Fitted fitted = fit(new Case(cut, c.image, c.width), null, null).at(first, new double[] { 0.02, -0.03 });
			assertArrayEquals(new double[2], fitted.offset(), 1e-7);
			assertEquals(0, fitted.covariance()[0][0], 1e-12);
		}
	}

	@Test
	void volumesAndLines() {
		final int n = 40;
		final double[] volume = new double[n * n * n], template = new double[9 * 9 * 9];
		final double[] shift = { 0.3, -0.2, 0.45 };
		for (int i = 0; i < volume.length; i++) volume[i] =
			blobs(i % n - 15 - shift[0], i / n % n - 15 - shift[1], i / n / n - 15 - shift[2]);
		for (int i = 0; i < template.length; i++) template[i] = 5 - 2 * blobs(i % 9, i / 9 % 9, i / 81);
		// a negative of the object is no match
		assertNull(new PositionFit(new ArrayPixels(PixelType.F64, new int[] { n, n, n }, volume, false, null),
			new Template(Size.of(9, 9, 9), PixelType.F64, template, null)).at(new long[] { 15, 15, 15 },
			new double[3]));
		for (int i = 0; i < template.length; i++) template[i] = 5 + 2 * blobs(i % 9, i / 9 % 9, i / 81);
		assertArrayEquals(shift, new PositionFit(new ArrayPixels(PixelType.F64, new int[] { n, n, n }, volume, false, null),
			new Template(Size.of(9, 9, 9), PixelType.F64, template, null))
			.at(new long[] { 15, 15, 15 }, new double[3]).offset(), 2e-3);
		final double[] line = new double[50], part = new double[11];
		for (int i = 0; i < 50; i++) line[i] = blobs(i - 20.25, 4, 4);
		for (int i = 0; i < 11; i++) part[i] = blobs(i, 4, 4);
		assertEquals(0.25, new PositionFit(new ArrayPixels(PixelType.F64, new int[] { 50 }, line, false, null),
			new Template(Size.of(11), PixelType.F64, part, null)).at(new long[] { 20 },
			new double[1]).offset()[0], 2e-3);
	}

	private static double blobs(final double x, final double y, final double z) {
		return Math.exp(-((x - 3) * (x - 3) + (y - 4) * (y - 4) + (z - 5) * (z - 5)) / 8)
			+ 0.7 * Math.exp(-((x - 6) * (x - 6) + (y - 2) * (y - 2) + (z - 3) * (z - 3)) / 6);
	}

	/** What a mask leaves out has no effect: pixels of weight 0, and missing pixels. */
	@Test
	void masksCount() {
		final Random random = new Random(4);
		final Case c = texture(16, 3, 2, 0, 1, random);
		final double[] weights = new double[256], present = new double[c.image.length];
		java.util.Arrays.fill(weights, 1);
		java.util.Arrays.fill(present, 1);
		for (int i = 0; i < 80; i++) {
			weights[i] = 0;
			c.template[i] = i % 3 == 0 ? Double.NaN : 1000;
		}
		for (int y = 0; y < 3; y++) for (int x = 0; x < 4; x++) {
			present[(MARGIN + 12 + y) * c.width + MARGIN + 5 + x] = 0;
			c.image[(MARGIN + 12 + y) * c.width + MARGIN + 5 + x] = -500;
		}
		final PositionFit.Fitted fitted = fit(c, weights, present).at(new long[] { MARGIN, MARGIN }, new double[2]);
		assertArrayEquals(new double[] { 3 / 8.0, 2 / 8.0 }, fitted.offset(), 0.03);
	}

	@Test
	void aStraightEdgeDoesNotDetermineThePosition() {
		final double[] image = new double[40 * 40], template = new double[64];
		for (int i = 0; i < image.length; i++) image[i] = i % 40 < 20 ? 0 : 1;
		for (int i = 0; i < 64; i++) template[i] = i % 8 < 4 ? 0 : 1;
		assertNull(new PositionFit(new ArrayPixels(PixelType.F64, new int[] { 40, 40 }, image, false, null),
			new Template(Size.of(8, 8), PixelType.F64, template, null)).at(new long[] { 16, 16 },
			new double[2]));
	}

	/** A weight counts if its pixel is no border of the image, and no pixel within 3 of it along each dimension is missing. */
	@Test
	void pixelsNearMissingOnesDoNotCount() {
		final Random random = new Random(4);
		for (final int[] size : new int[][] { { 40 }, { 31, 27 }, { 1, 30 }, { 17, 15, 13 } })
			for (int trial = 0; trial < 20; trial++) {
				final int n = size.length, count = Arrays.stream(size).reduce(1, (a, b) -> a * b);
				final int[] window = Arrays.stream(size).map(s -> Math.min(s, 5 + random.nextInt(4))).toArray();
				final long[] first = Arrays.stream(size).mapToLong(s -> s == 1 ? 0 : random.nextInt(s) - 3).toArray();
				final double[] present = new double[count];
				Arrays.fill(present, 1);
				for (int k = trial % 3; k > 0; k--) present[random.nextInt(count)] = 0;
				final int pixels = Arrays.stream(window).reduce(1, (a, b) -> a * b);
				final double[] weights = random.doubles(pixels, 0.1, 1).toArray();
				final ShiftedWindow shifted = new ShiftedWindow(PaddedGrid.of(window), 1);
				shifted.in(new ArrayPixels(PixelType.F64, size, new double[count], false, present),
					new Template(Size.of(Arrays.stream(window).asLongStream().toArray()), PixelType.F64, new double[pixels], weights), null,
					1);
				assertTrue(shifted.read(first));
				for (int i = 0; i < pixels; i++) {
					boolean counts = true;
					final long[] at = new long[n];
					for (int d = 0, rest = i; d < n; rest /= window[d++]) {
						at[d] = first[d] + rest % window[d];
						counts &= size[d] == 1 || at[d] >= 1 && at[d] < size[d] - 1;
					}
					for (int k = 0; k < count; k++) {
						boolean near = present[k] == 0;
						for (int d = 0, rest = k; d < n; rest /= size[d++]) near &= Math.abs(rest % size[d] - at[d]) <= 3;
						counts &= !near;
					}
					assertEquals(counts ? weights[i] : 0, shifted.weights()[i],
						Arrays.toString(size) + ", window at " + Arrays.toString(first)
						+ ", pixel " + i);
				}
			}
	}

	/** A mirror changes the sign of the offset, and of the correlation with the other dimension. */
	@Test
	void mirroredFramesHaveTheSameErrors() {
		for (int seed = 0; seed < 5; seed++) {
			final Case c = texture(12, 2, 3, 0.3, 2, new Random(seed));
			final PositionFit.Fitted one = fit(c, null, null).at(new long[] { MARGIN, MARGIN }, new double[2]);
			for (int d = 0; d < 2; d++) {
				final PositionFit.Fitted other = fit(new Case(mirrored(c.template, d), mirrored(c.image, d), c.width), null, null)
					.at(new long[] { MARGIN, MARGIN }, new double[2]);
				for (int e = 0; e < 2; e++) {
					assertEquals(e == d ? -one.offset()[e] : one.offset()[e], other.offset()[e], 1e-6);
					assertEquals(one.covariance()[e][e], other.covariance()[e][e], 1e-5 * one.covariance()[e][e]);
				}
				assertEquals(-one.covariance()[0][1], other.covariance()[0][1], 1e-5 * one.covariance()[0][0]);
			}
		}
	}

	private static double[] mirrored(final double[] square, final int d) {
		final int side = (int) Math.sqrt(square.length);
		final double[] mirrored = new double[square.length];
		for (int i = 0; i < mirrored.length; i++) mirrored[i] =
			square[d == 0 ? i / side * side + side - 1 - i % side : (side - 1 - i / side) * side + i % side];
		return mirrored;
	}

	/** The order of the channels does not count, also with weights. */
	@Test
	void channelsHaveNoOrder() {
		final Case a = texture(12, 2, 3, 0.2, 1, new Random(1)), b = texture(12, 2, 3, 0.2, 1, new Random(2));
		final double[] weights = new Random(3).doubles(144).toArray();
		final PositionFit.Fitted one = channels(a, b, weights), other = channels(b, a, weights);
		assertArrayEquals(one.offset(), other.offset(), 1e-9);
		for (int d = 0; d < 2; d++) assertArrayEquals(one.covariance()[d], other.covariance()[d], 1e-9 * one.covariance()[d][d]);
		assertTrue(one.covariance()[0][0] > 1e-6);
	}

	private static PositionFit.Fitted channels(final Case a, final Case b, final double[] weights) {
		return new PositionFit(ArrayPixels.of(PixelType.F64, new int[] { a.width, a.width }, joined(a.image, b.image), 2, false, null),
			new Template(Size.of(12, 12), PixelType.F64, joined(a.template, b.template), weights, 2))
			.at(new long[] { MARGIN, MARGIN }, new double[2]);
	}

	private static double[] joined(final double[] a, final double[] b) {
		final double[] both = Arrays.copyOf(a, a.length + b.length);
		System.arraycopy(b, 0, both, a.length, b.length);
		return both;
	}
}
