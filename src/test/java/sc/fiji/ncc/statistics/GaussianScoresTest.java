package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import net.imglib2.img.array.ArrayImgs;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.RealVector;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

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
		final double[] variances = new double[n], template = new double[n], constant = new double[n];
		// without the mean: a window that is constant has parts in several modes
		double norm = 0;
		for (int i = 0; i < n; i++) {
			variances[i] = Math.exp(-0.3 * i);
			constant[i] = random.nextGaussian() * Math.exp(-0.5 * i);
			template[i] = Math.sqrt(variances[i]) * random.nextGaussian();
			norm += constant[i] * constant[i];
		}
		for (int i = 0; i < n; i++) constant[i] /= Math.sqrt(norm);
		centre(template, constant);
		double all = 0;
		for (final double t : template) all += t * t;
		final GaussianScores scores = GaussianScores.of(variances, template, constant);
		final double[] levels = { 0.3, 0.6, 0.8 }, window = new double[n];
		final int[] above = new int[levels.length];
		for (int t = 0; t < trials; t++) {
			for (int i = 0; i < n; i++) window[i] = Math.sqrt(variances[i]) * random.nextGaussian();
			centre(window, constant);
			double along = 0, squares = 0;
			for (int i = 0; i < n; i++) {
				along += window[i] * template[i] / Math.sqrt(all);
				squares += window[i] * window[i];
			}
			for (int k = 0; k < levels.length; k++) if (along / Math.sqrt(squares) > levels[k]) above[k]++;
		}
		for (int k = 0; k < levels.length; k++) {
			final double p = scores.probability(levels[k]);
			// modes of nearly equal variance are one group
			assertEquals(p, (double) above[k] / trials, 5 * Math.sqrt(p / trials) + 0.02 * p, "score " + levels[k]);
		}
	}

	/** The eigenvalues and eigenvectors of the quadratic form itself, and the integral of the probability over an angle. */
	@Test
	void quadraticForm() {
		final Random random = new Random(4);
		// groups of equal modes, so that the groups of the class are exact; a constant window of which a part is in no mode
		for (final double inModes : new double[] { 1, 0.7 }) for (final double[] four : new double[][] { { 5, 2, 0.5, 0.01 }, { 1, 1e-3, 1e-6, 0.3 } }) {
			final int n = 12;
			final double[] variances = new double[n], template = random.doubles(n, -1, 1).toArray(), constant = random.doubles(n, -1, 1).toArray();
			for (int i = 0; i < n; i++) variances[i] = four[i % 4];
			scale(constant, 1);
			centre(template, constant);
			scale(constant, inModes);
			scale(template, 3);
			final GaussianScores scores = GaussianScores.of(variances, template, constant);
			double trace = 0, along = 0;
			for (int i = 0; i < n; i++) {
				trace += variances[i] * (1 - constant[i] * constant[i]);
				along += variances[i] * template[i] * template[i] / 9;
			}
			assertEquals(1 + trace / along, scores.effectivePixels(), 1e-9 * trace / along);
			for (final double c : new double[] { 0.2, 0.6, 0.9 }) {
				final double[][] form = new double[n][n];
				for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) form[i][j] = Math.sqrt(variances[i] * variances[j])
					* (template[i] * template[j] / 9 - c * c * ((i == j ? 1 : 0) - constant[i] * constant[j]));
				final EigenDecomposition eigen = new EigenDecomposition(new Array2DRowRealMatrix(form));
				// from the greatest eigenvalue on
				final double[] values = eigen.getRealEigenvalues();
				final double[] ratios = IntStream.range(1, n).mapToDouble(i -> Math.max(0, -values[i] / values[0])).toArray();
				final int steps = 20000;
				double integral = 0;
				for (int i = 0; i < steps; i++) {
					final double cosine = Math.cos(Math.PI / 2 * (i + 0.5) / steps);
					double product = 1;
					for (final double m : ratios) product *= 1 + m / (cosine * cosine);
					integral += Math.PI / 2 / steps / Math.sqrt(product);
				}
				final String what = "score " + c + ", variances " + Arrays.toString(four) + ", " + inModes + " of the constant window";
				if (integral > 1e-12) assertEquals(1, scores.probability(c) / (integral / Math.PI), 2e-3, what);
				assertEquals(1 - scores.probability(c), scores.probability(-c), 1e-12);
				assertEquals(scores.probability(c), MaximaRate.normal(-scores.normal(c)), 1e-6 * scores.probability(c));
				final double level = DoubleStream.of(ratios).map(m -> m / (1 + m)).sum();
				assertEquals(level, scores.squaredLevel(c), 1e-3 * level, what);
				final double[] z = scores.leading(c, variances, template, constant), first = eigen.getEigenvector(0).toArray();
				final double sign = Math.signum(z[0] * first[0]);
				for (int i = 0; i < n; i++) assertEquals(first[i], sign * z[i], 1e-6, what);
				final double[] other = random.doubles(n, -1, 1).toArray();
				centre(other, first);
				final RealVector vector = new ArrayRealVector(other);
				final double others = -vector.dotProduct(new Array2DRowRealMatrix(form).operate(vector)) / values[0];
				assertEquals(others, scores.others(c, other, variances, template, constant), 1e-6 * others, what);
			}
			assertEquals(0.5, scores.probability(0));
			assertEquals(0, scores.probability(1));
		}
	}

	private static void scale(final double[] vector, final double length) {
		final double norm = Math.sqrt(Arrays.stream(vector).map(v -> v * v).sum());
		for (int i = 0; i < vector.length; i++) vector[i] *= length / norm;
	}

	/** Takes off the part of a window that is constant. */
	private static void centre(final double[] window, final double[] constant) {
		double part = 0;
		for (int i = 0; i < window.length; i++) part += window[i] * constant[i];
		for (int i = 0; i < window.length; i++) window[i] -= part * constant[i];
	}

	/** Windows of smooth noise that are smaller than its correlation length, without their mean: two thirds of the model's probabilities would be missing without it. */
	@Test
	void smallWindowsOfSmoothNoiseHaveTheDistributionOfASimulation() {
		final int side = 8, n = side * side, images = 30, width = 160, radius = 15;
		final double sigma = 5;
		final double[] levels = { 0.9, 0.95, 0.98 }, above = new double[levels.length], expected = new double[levels.length];
		final double[] kernel = new double[2 * radius + 1];
		for (int k = -radius; k <= radius; k++) kernel[k + radius] = Math.exp(-0.5 * k * k / (sigma * sigma));
		for (int p = 0; p < images; p++) {
			final Random random = new Random(p);
			final double[] image = smooth(width, kernel, random), other = smooth(side, kernel, random);
			final Template template = new Template(Size.of(side, side), PixelType.F64, other, null);
			final GaussianScores scores = WindowModes.of(template, ImagePixels.of(ArrayImgs.doubles(image, width, width))).orElseThrow().scores();
			final double mean = Arrays.stream(other).average().orElseThrow(), norm = Math.sqrt(Arrays.stream(other).map(t -> (t - mean) * (t - mean)).sum());
			final int lags = (width - side) / 2;
			for (int lag = 0; lag < lags * lags; lag++) {
				double sum = 0, squares = 0, products = 0;
				for (int i = 0; i < n; i++) {
					final double v = image[(lag / lags * 2 + i / side) * width + lag % lags * 2 + i % side];
					sum += v;
					squares += v * v;
					products += v * (other[i] - mean);
				}
				final double r = products / norm / Math.sqrt(squares - sum * sum / n);
				for (int k = 0; k < levels.length; k++) if (r > levels[k]) above[k] += 1.0 / (lags * lags);
			}
			for (int k = 0; k < levels.length; k++) expected[k] += scores.probability(levels[k]);
		}
		for (int k = 0; k < levels.length; k++) assertEquals(1, above[k] / expected[k], 0.25, "score " + levels[k]);
	}

	private static double[] smooth(final int width, final double[] kernel, final Random random) {
		final int grid = width + kernel.length - 1;
		final double[] white = random.doubles((long) grid * grid).map(v -> random.nextGaussian()).toArray(), rows = new double[grid * width], to = new double[width * width];
		for (int y = 0; y < grid; y++) for (int x = 0; x < width; x++) for (int k = 0; k < kernel.length; k++) rows[y * width + x] += kernel[k] * white[y * grid + x + k];
		for (int y = 0; y < width; y++) for (int x = 0; x < width; x++) for (int k = 0; k < kernel.length; k++) to[y * width + x] += kernel[k] * rows[(y + k) * width + x];
		return to;
	}

	@Test
	void theCorrectionFindsSkewnessAndTails() {
		final double[] y = { -3, -2, -1, -0.5, 0.5, 1, 1.5 }, z = new double[y.length];
		final double[][] covariance = new double[y.length][y.length];
		for (int i = 0; i < y.length; i++) {
			z[i] = 1.1 * y[i] + 0.04 * y[i] * y[i] + 0.005 * y[i] * y[i] * y[i];
			covariance[i][i] = 1e-8;
		}
		final TailCorrection found = TailCorrection.fit(y, z, covariance, TailCorrection.Prior.ANY, WindowNoise.white(100), 1e9);
		assertEquals(1.1, found.scale(), 1e-3);
		assertEquals(0.04, found.skewness(), 1e-3);
		assertEquals(0.005, found.tails(), 1e-3);
		assertTrue(found.isSkewed());
		assertEquals(2.5, found.normal(1.1 * 2.5 + 0.04 * 6.25 + 0.005 * 15.625), 1e-2);
		// quantiles that say nothing leave normal noise, and their uncertainty makes scores more likely
		for (int i = 0; i < y.length; i++) covariance[i][i] = 1e4;
		final TailCorrection unknown = TailCorrection.fit(y, z, covariance, TailCorrection.Prior.ANY, WindowNoise.white(100), 1e9);
		assertEquals(1, unknown.scale(), 1e-3);
		assertTrue(unknown.normal(4) < 3.9 && unknown.normal(4) > 2);
	}
}
