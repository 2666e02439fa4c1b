package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;

/**
 * Backgrounds that are smooth over a large part of the template: windows have few modes, and the peaks of scores are much steeper than those of a
 * normal field.
 */
class SmoothBackgroundTest {

	private static final int WIDTH = 200, HEIGHT = 220;

	/** Normal noise on a torus, smoothed by a Gaussian of this deviation in pixels. */
	private static float[] noise(final int width, final int height, final double sigma, final Random random) {
		float[] field = new float[width * height];
		for (int i = 0; i < field.length; i++) field[i] = (float) random.nextGaussian();
		final int reach = (int) Math.ceil(4 * sigma);
		for (int axis = 0; axis < 2; axis++) {
			final float[] to = new float[field.length];
			for (int k = -reach; k <= reach; k++) {
				final float weight = (float) Math.exp(-0.5 * k * k / (sigma * sigma));
				for (int y = 0; y < height; y++) for (int x = 0; x < width; x++)
					to[y * width + x] += weight * (axis == 0 ? field[y * width + Math.floorMod(x + k, width)] : field[Math.floorMod(y + k, height) * width + x]);
			}
			field = to;
		}
		return field;
	}

	/**
	 * The matches of all pictures over their expected number. Matches of one picture depend on each other, so the error of the
	 * ratio is larger than that of as many independent matches.
	 */
	@ParameterizedTest
	@CsvSource({ "2.3, 24, 1.2, 4, 100", "4.3, 24, 1.2, 4, 100", "6.3, 24, 1.2, 4, 100" })
	void numberOfMatchesIsTheExpectedOne(final double sigma, final int side, final double texture, final double expected, final int pictures) {
		long found = 0;
		for (int p = 0; p < pictures; p++) {
			final Random random = new Random(7919L * p + 104729L * Math.round(10 * sigma));
			final var image = ArrayImgs.floats(noise(WIDTH, HEIGHT, sigma, random), WIDTH, HEIGHT);
			final var template = ArrayImgs.floats(noise(side, side, texture, random), side, side);
			found += TemplateMatching.with(NormalizedCrossCorrelation.of(template).backend("cpu").threads(1)).maxOverlap(1).falseAlarms(expected)
				.find(image).matches().size();
		}
		assertEquals(1, found / (expected * pictures), 0.22, found + " matches");
	}
}
