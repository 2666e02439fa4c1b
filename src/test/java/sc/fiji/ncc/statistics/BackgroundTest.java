package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleSupplier;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.peaks.MapSample;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.BackgroundState;

class BackgroundTest {

	private static final long[] SIZE = { 300, 200 };

	@Test
	void whiteNoiseHasTheDistributionOfFisher() {
		// for 4 pixels the density of r is 1/2
		assertEquals(0.2, Background.white(4, SIZE).probability(0.6), 1e-9);
		assertEquals(0.8, Background.white(4, SIZE).probability(-0.6), 1e-9);
		// for 6 pixels it is 3/4 (1 - r²)
		assertEquals(0.5 - 0.75 * (0.5 - 0.125 / 3), Background.white(6, SIZE).probability(0.5), 1e-9);
		assertEquals(0, Background.white(6, SIZE).probability(1));
		assertEquals(1, Background.white(6, SIZE).probability(-1));
	}

	@Test
	void minimumScoreGivesTheExpectedNumber() {
		final Background b = Background.white(100, SIZE);
		for (final double expected : new double[] { 1e-12, 1e-6, 0.05, 1, 30 }) assertEquals(expected, b.falseAlarms(b.minScore(expected)), 1e-5 * expected);
		// at a high score nearly every exceedance is a local maximum
		assertEquals(60000 * b.probability(0.6), b.falseAlarms(0.6), 1e-4 * b.falseAlarms(0.6));
	}

	/** Below a score of 0, the number grows up to that of all local maxima: a fifth of the responses in two dimensions, and a little more at the edges. */
	@Test
	void minimumScoresBelowZero() {
		final Background b = Background.white(100, SIZE);
		for (final double expected : new double[] { 3000, 9000, 11900 }) assertEquals(expected, b.falseAlarms(b.minScore(expected)), 1e-5 * expected);
		assertTrue(b.minScore(11900) < 0);
		// 1/5 inside, 1/4 on an edge and 1/3 in a corner
		assertEquals(298 * 198 / 5.0 + 2 * (298 + 198) / 4.0 + 4 / 3.0, b.falseAlarms(-1), 100);
		assertEquals(-1, b.minScore(13000));
		assertEquals(0, b.falseAlarms(1));
		// six pixels: a score of 0.99 has the probability 7.5e-5
		final Background few = Background.white(6, SIZE);
		for (final double expected : new double[] { 1e-3, 1, 30 }) assertEquals(expected, few.falseAlarms(few.minScore(expected)), 1e-3 * expected);
	}

	@Test
	void histogram() {
		final MapSample sample = new MapSample();
		sample.add(new long[2], new int[] { 4, 2 }, FloatBuffer.wrap(new float[] { -1, 1, 0, 0.3025f, 0.3025f, Float.NaN, -0.0025f, 0.0025f }));
		final double[] counts = ScoreHistogram.of(sample, new long[] { 8, 20 }, false).counts();
		// 160 responses, of which 8 are sampled
		final double[] expected = new double[400];
		for (final int bin : new int[] { 0, 399, 200, 260, 260, 199, 200 }) expected[bin] += 20;
		assertArrayEquals(expected, counts, 1e-9);
		expected[200] = 20;
		final ScoreHistogram defined = ScoreHistogram.of(sample, new long[] { 8, 20 }, true);
		assertArrayEquals(expected, defined.counts(), 1e-9);
		assertEquals(0.3, ScoreHistogram.lower(260), 1e-12);
		// for four pixels the density of the score is 1/2
		final double[] background = defined.expected(Background.white(4, SIZE));
		for (int bin = 0; bin < 400; bin += 50) assertEquals(120 / 8.0, Arrays.stream(background, bin, bin + 50).sum(), 0.02, "from bin " + bin);
		assertArrayEquals(new double[400], ScoreHistogram.of(new MapSample(), SIZE, true).counts());
	}

	@Test
	void fitFindsTheParametersOfIndependentScores() {
		final Random random = new Random(5);
		for (final int n : new int[] { 12, 64, 200 }) {
			final Background fit = fit(n, () -> whiteScore(n, random), 400, 250, 0).orElseThrow();
			assertEquals(BackgroundState.OK, fit.state());
			assertEquals(1, fit.effectivePixels() / n, 0.02, n + " pixels");
			assertEquals(0, fit.skewness(), 0.01, n + " pixels");
			assertEquals(0, fit.tails(), 0.005, n + " pixels");
			// three standard deviations of 8192 pairs
			assertEquals(0, fit.correlations()[0], 0.033);
			assertEquals(0, fit.correlations()[1], 0.033);
		}
	}

	/** The windows say another number of pixels than the map, whose scores have the variance 1/63. */
	@Test
	void effectivePixelsAreThoseOfTheMap() {
		final Random random = new Random(13);
		final float[] values = new float[400 * 250];
		for (int i = 0; i < values.length; i++) values[i] = (float) whiteScore(64, random);
		final MapSample sample = new MapSample();
		sample.add(new long[2], new int[] { 400, 250 }, FloatBuffer.wrap(values));
		for (final double pixels : new double[] { 55, 75 }) {
			final Background fit = BackgroundFit.of(sample, new long[] { 400, 250 }, true, () -> WindowNoise.white(pixels)).orElseThrow();
			assertEquals(64, fit.effectivePixels(), 2.5, "windows of " + pixels + " pixels");
			final Background white = Background.white(64, new long[] { 400, 250 });
			for (final double score : new double[] { 0.3, -0.3 }) assertEquals(1, fit.probability(score) / white.probability(score), 0.1);
			for (final double expected : new double[] { 0.1, 10 }) assertEquals(expected, fit.falseAlarms(fit.minScore(expected)), 1e-4 * expected);
		}
	}

	@Test
	void trueMatchesDoNotChangeTheFit() {
		final Random random = new Random(6);
		final Background fit = fit(64, () -> whiteScore(64, random), 400, 250, 1500).orElseThrow();
		assertEquals(1, fit.effectivePixels() / 64, 0.03);
		assertEquals(0, fit.skewness(), 0.01);
		assertEquals(0, fit.tails(), 0.005);
	}

	@Test
	void scoresOfAnotherShapeAreUncertain() {
		final Random random = new Random(12);
		assertEquals(BackgroundState.MISFIT, fit(64, () -> 0.6 * random.nextDouble() - 0.3, 400, 250, 0).orElseThrow().state(), "equally likely scores");
	}

	@Test
	void undefinedResponsesDoNotCount() {
		final Random random = new Random(7);
		final MapSample sample = new MapSample();
		final float[] values = new float[90000];
		for (int i = 0; i < values.length; i++) values[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? Float.NaN : (float) whiteScore(30, random);
		sample.add(new long[2], new int[] { 300, 300 }, FloatBuffer.wrap(values));
		final Background fit = BackgroundFit.of(sample, new long[] { 300, 300 }, true, () -> WindowNoise.white(30)).orElseThrow();
		assertEquals(1, fit.effectivePixels() / 30, 0.03);
		assertEquals(30000 * fit.probability(0.9), fit.falseAlarms(0.9), 0.01 * fit.falseAlarms(0.9), "one response of three is defined");
	}

	@Test
	void tooFewResponsesHaveNoFit() {
		final Random random = new Random(8);
		assertTrue(fit(30, () -> whiteScore(30, random), 10, 12, 0).isEmpty());
		assertTrue(fit(30, () -> 0.25, 100, 120, 0).isEmpty(), "a constant map");
		assertTrue(BackgroundFit.of(new MapSample(), SIZE, true, () -> WindowNoise.white(30)).isEmpty(), "no response");
	}

	@Test
	void autocorrelationsGiveTheEffectivePixels() {
		final Random random = new Random(9);
		final double[] white = random.doubles(64 * 64).toArray(), template = random.doubles(16 * 16).toArray();
		final Background b = analytic(template, white);
		assertEquals(BackgroundState.FEW, b.state());
		assertEquals(1, b.effectivePixels() / 256, 0.25);
		// each value twice along x: half the pixels
		final double[] pairs = new double[64 * 64], doubled = new double[16 * 16];
		for (int i = 0; i < pairs.length; i++) pairs[i] = white[i / 2];
		for (int i = 0; i < doubled.length; i++) doubled[i] = template[i / 2];
		assertEquals(1, analytic(doubled, pairs).effectivePixels() / (256 / 1.5), 0.3);
	}

	@Test
	void boxesOfAnyShapeGiveTheSameSample() {
		final Random random = new Random(10);
		for (final int[] size : new int[][] { { 7, 40 }, { 9, 20, 17 } }) {
			final int stride = 6, depth = size.length > 2 ? size[2] : 1;
			final float[] map = new float[size[0] * size[1] * depth];
			for (int i = 0; i < map.length; i++) map[i] = random.nextFloat();
			final MapSample whole = new MapSample(), cut = new MapSample();
			whole.addBox(stride, new long[size.length], size, FloatBuffer.wrap(map));
			// from the last box to the first; boxes end in the middle of blocks
			for (int z = (depth - 1) / 4 * 4; z >= 0; z -= 4)
				for (int y = (size[1] - 1) / 7 * 7; y >= 0; y -= 7)
					for (int x = (size[0] - 1) / 4 * 4; x >= 0; x -= 4) {
						final int[] part = { Math.min(4, size[0] - x), Math.min(7, size[1] - y), Math.min(4, depth - z) };
						final FloatBuffer box = FloatBuffer.allocate(part[0] * part[1] * part[2]);
						for (int q = 0; q < part[2]; q++) for (int r = 0; r < part[1]; r++) box.put(map, ((z + q) * size[1] + y + r) * size[0] + x, part[0]);
						final MapSample of = new MapSample();
						of.addBox(stride, Arrays.copyOf(new long[] { x, y, z }, size.length), Arrays.copyOf(part, size.length), box.flip());
						cut.add(of);
					}
			final List<MapSample.Block> expected = whole.blocks(), found = cut.blocks();
			assertEquals((size[1] + stride - 1) / stride * ((depth + stride - 1) / stride), expected.size());
			for (int b = 0; b < expected.size(); b++) {
				assertEquals(expected.get(b).height(), found.get(b).height());
				assertArrayEquals(expected.get(b).values(), found.get(b).values());
			}
			assertEquals(map[stride * size[0] + 1], expected.get(1).values()[1]);
		}
	}

	private static Background analytic(final double[] template, final double[] image) {
		final var pixels = ArrayImgs.doubles(image, 64, 64);
		return Background.analytic(WindowNoise.of(new Template(Size.of(16, 16), PixelType.F64, template, null), ImagePixels.of(pixels), pixels), SIZE);
	}

	/** The correlation coefficient of two samples of n normal values. */
	private static double whiteScore(final int n, final Random random) {
		// one of them can be fixed: the first coordinate of a random direction in n - 1 dimensions
		final double first = random.nextGaussian();
		double squares = first * first;
		for (int i = 1; i < n - 1; i++) {
			final double v = random.nextGaussian();
			squares += v * v;
		}
		return first / Math.sqrt(squares);
	}

	/** Fits independent scores, of which some are replaced by high ones. */
	private static Optional<Background> fit(final int pixels, final DoubleSupplier score, final int width, final int height, final int matches) {
		final float[] values = new float[width * height];
		for (int i = 0; i < values.length; i++) values[i] = i < matches ? 0.9f : (float) score.getAsDouble();
		final MapSample sample = new MapSample();
		sample.add(new long[2], new int[] { width, height }, FloatBuffer.wrap(values));
		return BackgroundFit.of(sample, new long[] { width, height }, true, () -> WindowNoise.white(pixels));
	}
}
