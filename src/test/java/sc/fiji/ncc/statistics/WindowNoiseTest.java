package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.DoubleType;

import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

class WindowNoiseTest {

	/** The normal value with the probability of a score in white noise. */
	private static double normal(final double pixels, final double score) {
		return -new NormalDistribution(null, 0, 1).inverseCumulativeProbability(
			new TDistribution(null, pixels - 2).cumulativeProbability(-score * Math.sqrt((pixels - 2) / (1 - score * score))));
	}

	/** The line ln(z/y) = a + δ·y² goes through both levels; the covariance of a and δ among n parts counts 1.4²/n times. */
	@Test
	void errorsOfPartsOfWhiteNoise() {
		final double[] pixels = { 17, 23, 20, 26, 19 };
		final double whole = 21;
		final double[][] coefficients = new double[2][pixels.length];
		for (int i = 0; i < pixels.length; i++) {
			final double[] logarithms = new double[2];
			for (int k = 0; k < 2; k++) {
				final double level = 2 + 2 * k, score = level / Math.sqrt(whole - 2 + level * level);
				logarithms[k] = Math.log(normal(pixels[i], score) / normal(whole, score));
			}
			coefficients[1][i] = (logarithms[1] - logarithms[0]) / 12;
			coefficients[0][i] = logarithms[0] - 4 * coefficients[1][i];
		}
		final double[][] errors = new WindowNoise(GaussianScores.white(whole), Arrays.stream(pixels).mapToObj(GaussianScores::white).toList(),
			Steepness.normal(), 0, 0).errors();
		final double[] mean = Arrays.stream(coefficients).mapToDouble(c -> Arrays.stream(c).average().orElseThrow()).toArray();
		for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) {
			double covariance = 0;
			for (int p = 0; p < pixels.length; p++) covariance += (coefficients[i][p] - mean[i]) * (coefficients[j][p] - mean[j]) / (pixels.length - 1);
			covariance *= 1.4 * 1.4 / pixels.length;
			assertEquals(covariance, errors[i][j], 0.02 * Math.abs(covariance), i + " and " + j);
		}
		// fewer than 2.5 pixels count as these
		final double[][] two = new WindowNoise(GaussianScores.white(2.2), List.of(GaussianScores.white(2.1), GaussianScores.white(2.3)),
			Steepness.normal(), 0, 0).errors();
		final double[] logarithms = new double[2];
		for (int k = 0; k < 2; k++) {
			final double level = 2 + 2 * k, score = level / Math.sqrt(0.5 + level * level);
			logarithms[k] = Math.log(normal(2.1, score) / normal(2.3, score));
		}
		final double delta = (logarithms[1] - logarithms[0]) / 12;
		assertEquals(1.4 * 1.4 / 2 * delta * delta / 2, two[1][1], 0.02 * two[1][1]);
	}

	@Test
	void valuesAreKept() {
		final GaussianScores scores = GaussianScores.white(10);
		final Steepness steepness = Steepness.white(10);
		final WindowNoise noise = new WindowNoise(scores, List.of(), steepness, 0.25, 0.5);
		assertEquals(scores, noise.scores());
		assertEquals(steepness, noise.steepness());
		assertEquals(0.25, noise.skewness());
		assertEquals(0.5, noise.diagonal());
		assertNull(noise.errors());
		assertEquals(0, WindowNoise.white(10).skewness() + WindowNoise.white(10).diagonal());
	}

	/** An image with few complete windows: the autocorrelations of image and template say how many pixels count. */
	@Test
	void withoutWindows() {
		final Random random = new Random(1);
		final double[] values = random.doubles(40 * 40).toArray();
		for (int i = 0; i < values.length; i += 7) values[i] = Double.NaN;
		final Img<DoubleType> image = ArrayImgs.doubles(values, 40, 40);
		final Template template = new Template(Size.of(6, 6), PixelType.F64, random.doubles(36).toArray(), null);
		final WindowNoise noise = WindowNoise.of(template, ImagePixels.of(image), image);
		assertEquals(Bartlett.effectivePixels(template, image), noise.scores().effectivePixels(), 1e-9);
		assertNull(noise.errors());
	}
}
