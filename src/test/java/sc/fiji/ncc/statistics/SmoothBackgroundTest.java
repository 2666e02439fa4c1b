package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.fixture.SmoothNoise;

/**
 * Backgrounds that are smooth over a large part of the template: windows have few modes, and the peaks of scores are much steeper than those of a
 * normal field.
 */
@Tag("slow")
class SmoothBackgroundTest {

	private static final int WIDTH = 200, HEIGHT = 220;

	/**
	 * The matches of all images over their expected number. Matches of one image depend on each other, so the error of the
	 * ratio is larger than that of as many independent matches.
	 */
	@ParameterizedTest
	@CsvSource({ "2.3, 24, 1.2, 4, 100", "4.3, 24, 1.2, 4, 100", "6.3, 24, 1.2, 4, 100" })
	void numberOfMatchesIsTheExpectedOne(final double sigma, final int side, final double texture, final double expected, final int images) {
		long found = 0;
		for (int p = 0; p < images; p++) {
			final Random random = new Random(7919L * p + 104729L * Math.round(10 * sigma));
			final var image = ArrayImgs.floats(SmoothNoise.of(WIDTH, HEIGHT, sigma, random), WIDTH, HEIGHT);
			final var template = ArrayImgs.floats(SmoothNoise.of(side, side, texture, random), side, side);
			found += TemplateMatching.with(NormalizedCrossCorrelation.of(template).backend("cpu").threads(1)).maxOverlap(1).falseAlarms(expected)
				.find(image).matches().size();
		}
		assertEquals(1, found / (expected * images), 0.22, found + " matches");
	}
}
