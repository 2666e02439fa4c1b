package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Scores of single windows, as matches report them, against the definition: pixels over the whole range of their type, inside and at the border. */
class WindowScoreTest {

	private static final int[] IMAGE = { 19, 15 }, TEMPLATE = { 6, 5 };
	private static final double LEAST_OVERLAP = 0.3;

	@ParameterizedTest
	@EnumSource(PixelType.class)
	void itIsThatOfTheDefinition(final PixelType type) {
		final Random random = new Random(type.ordinal());
		final double[] image = new double[ReferenceNcc.pixels(IMAGE)], template = new double[ReferenceNcc.pixels(TEMPLATE)];
		for (int i = 0; i < image.length; i++) image[i] = value(type, random);
		// cut from the image, with some pixels changed
		for (int i = 0; i < template.length; i++) template[i] = i % 5 == 0 ? value(type, random) : image[(3 + i / 6) * IMAGE[0] + 4 + i % 6];
		final double[] ring = new double[template.length];
		for (int i = 0; i < ring.length; i++) ring[i] = i % 7 == 2 ? 0 : 1;
		final int[] count = { IMAGE[0] + TEMPLATE[0] - 1, IMAGE[1] + TEMPLATE[1] - 1 };
		final long[] origin = { 1 - TEMPLATE[0], 1 - TEMPLATE[1] };
		final double[] mask = new double[image.length];
		for (int i = 0; i < mask.length; i++) mask[i] = random.nextInt(4) == 0 ? 0 : 1;
		for (final double[] weights : new double[][] { null, ring })
			for (final double[] present : new double[][] { null, mask }) {
				final double[] expected = new ReferenceNcc(image, IMAGE, template, TEMPLATE, weights, present).responses(ReferenceNcc.Form.EXACT, origin, count, true,
					LEAST_OVERLAP);
				final WindowScore score = new WindowScore(new ArrayPixels(type, IMAGE, image, false, present),
					new Template(Size.of(6, 5), type, template, weights), new Lags(Size.of(24, 19), true, present != null, LEAST_OVERLAP));
				int defined = 0;
				for (int i = 0; i < expected.length; i++) {
					final long[] at = { origin[0] + i % count[0], origin[1] + i / count[0] };
					assertEquals(expected[i], score.at(at), 1e-14, type + " at " + at[0] + "," + at[1]);
					if (expected[i] == expected[i]) defined++;
				}
				assertTrue(defined > (IMAGE[0] - TEMPLATE[0]) * (IMAGE[1] - TEMPLATE[1]), "windows at the border count, too");
			}
	}

	@ParameterizedTest
	@EnumSource(PixelType.class)
	void aCopyOfAWindowHasItsPixels(final PixelType type) {
		final Random random = new Random(7);
		final double[] image = new double[ReferenceNcc.pixels(IMAGE)], expected = new double[ReferenceNcc.pixels(TEMPLATE)];
		for (int i = 0; i < image.length; i++) image[i] = value(type, random);
		for (int i = 0; i < expected.length; i++) expected[i] = image[(8 + i / 6) * IMAGE[0] + 11 + i % 6];
		final double[] template = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3 };
		assertArrayEquals(expected,
			new WindowScore(new ArrayPixels(type, IMAGE, image), new Template(Size.of(6, 5), type, template, null), Lags.inside(Size.of(9, 9))).window(new long[] { 11, 8 }));
		final double[] present = new double[image.length];
		Arrays.fill(present, 1);
		present[9 * IMAGE[0] + 13] = 0;
		expected[6 + 2] = template[6 + 2];
		assertArrayEquals(expected, new WindowScore(new ArrayPixels(type, IMAGE, image, false, present), new Template(Size.of(6, 5), type, template, null),
			Lags.inside(Size.of(9, 9))).window(new long[] { 11, 8 }), "a missing pixel is that of the template");
	}

	/** Extremes often; of floats what has a few digits. */
	private static double value(final PixelType type, final Random random) {
		if (!type.integer) return (random.nextInt(2001) - 1000) / 64.0;
		if (random.nextInt(4) == 0) return random.nextBoolean() ? type.min : type.max;
		return Math.rint(type.min + random.nextDouble() * (type.max - type.min));
	}
}
