package sc.fiji.ncc.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.oracle.ReferenceNcc.Form;

/** The oracle against numbers worked out on paper, and its two forms against each other. */
class ReferenceNccTest {

	private static final double NAN = Double.NaN;
	private static final double TIGHT = 1e-15;

	private static double[] v(final double... values) {
		return values;
	}

	private static int[] size(final int... extents) {
		return extents;
	}

	private static double[] line(final Form form, final double[] image, final double[] template, final double[] weights) {
		return new ReferenceNcc(image, size(image.length), template, size(template.length), weights).inside(form, new long[1],
			size(image.length - template.length + 1));
	}

	private static double[] overlap(final Form form, final double[] image, final double[] template, final double[] weights, final double least) {
		return new ReferenceNcc(image, size(image.length), template, size(template.length), weights).responses(form,
			new long[] { 1 - template.length }, size(image.length + template.length - 1), true, least);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void threePixelsByHand(final Form form) {
		// N = 3, ΣP = 7, ΣT = 3, ΣPT = 9, ΣP² = 21, ΣT² = 5: (27 − 21) / sqrt(14 · 6)
		assertArrayEquals(v(6 / Math.sqrt(84)), line(form, v(1, 2, 4), v(1, 0, 2), null), TIGHT);
		// next window 2 4 3: ΣP = 9, ΣPT = 8, ΣP² = 29: (24 − 27) / sqrt(6 · 6)
		assertArrayEquals(v(6 / Math.sqrt(84), -0.5), line(form, v(1, 2, 4, 3), v(1, 0, 2), null), TIGHT);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void twoPixelsGiveOneMinusOneOrUndefined(final Form form) {
		assertArrayEquals(v(1, -1, NAN, 1), line(form, v(1, 2, 0, 0, 7), v(3, 4), null), 0);
		assertArrayEquals(v(-1, 1, NAN, -1), line(form, v(1, 2, 0, 0, 7), v(4, 3), null), 0);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void squareByHand(final Form form) {
		// window 1 2 / 4 8, template 0 1 / 1 3: ΣP = 15, ΣT = 5, ΣPT = 30, ΣP² = 85, ΣT² = 11: (120 − 75) / sqrt(115 · 19)
		// window 2 3 / 8 5: ΣP = 18, ΣPT = 3 + 8 + 15 = 26, ΣP² = 102: (104 − 90) / sqrt(84 · 19)
		final double[] r = new ReferenceNcc(v(1, 2, 3, 4, 8, 5), size(3, 2), v(0, 1, 1, 3), size(2, 2), null).inside(form, new long[2],
			size(2, 1));
		assertArrayEquals(v(45 / Math.sqrt(115 * 19), 14 / Math.sqrt(84 * 19)), r, TIGHT);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void aPixelOfWeightZeroDoesNotCount(final Form form) {
		// the middle is left out: the windows are 1 4 and 2 3
		assertArrayEquals(v(1, 1), line(form, v(1, 2, 4, 3), v(1, 77, 2), v(1, 0, 1)), 0);
		assertArrayEquals(v(1, NAN), line(form, v(1, NAN, 4, 3), v(1, NAN, 2), v(1, 0, 1)), 0);
		assertArrayEquals(v(NAN), line(form, v(5, 2, 5), v(1, 3, 2), v(1, 0, 1)), 0);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void aWeightOfTwoCountsTwice(final Form form) {
		// as 1 2 2 4 with 1 0 0 2: ΣP = 9, ΣT = 3, ΣPT = 9, ΣP² = 25, ΣT² = 5: (36 − 27) / sqrt(19 · 11)
		assertArrayEquals(v(9 / Math.sqrt(19 * 11)), line(form, v(1, 2, 4), v(1, 0, 2), v(1, 2, 1)), TIGHT);
		assertArrayEquals(v(9 / Math.sqrt(19 * 11)), line(form, v(1, 2, 4), v(1, 0, 2), v(0.5, 1, 0.5)), TIGHT);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void overlapByHand(final Form form) {
		// template 1 0 2 over 1 2 4: one pixel | 0 2 on 1 2 | all | 1 0 on 2 4 | one pixel
		assertArrayEquals(v(NAN, 1, 6 / Math.sqrt(84), -1, NAN), overlap(form, v(1, 2, 4), v(1, 0, 2), null, 0), TIGHT);
		// two of three pixels are less than the minimum of nine tenths
		assertArrayEquals(v(NAN, NAN, 6 / Math.sqrt(84), NAN, NAN), overlap(form, v(1, 2, 4), v(1, 0, 2), null, 0.9), TIGHT);
		// two of three pixels are two thirds
		assertArrayEquals(v(NAN, 1, 6 / Math.sqrt(84), -1, NAN), overlap(form, v(1, 2, 4), v(1, 0, 2), null, 2 / 3.0), TIGHT);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void aFlatOverlapOfTheTemplateIsUndefined(final Form form) {
		// template 5 5 1 over 4 9: one pixel | 5 1 on 4 9 | 5 5 on 4 9 | one pixel
		assertArrayEquals(v(NAN, -1, NAN, NAN), overlap(form, v(4, 9), v(5, 5, 1), null, 0), 0);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void overlapWithAMask(final Form form) {
		// template 1 9 2 4 with weights 1 0 1 1 over 3 1 2: one pixel | 2 4 on 3 1 | 2 4 on 1 2 | 1 2 on 3 2 | one pixel, twice
		assertArrayEquals(v(NAN, -1, 1, -1, NAN, NAN), overlap(form, v(3, 1, 2), v(1, 9, 2, 4), v(1, 0, 1, 1), 0), 0);
		// two of three weights are less than seven tenths
		assertArrayEquals(v(NAN, NAN, NAN, NAN, NAN, NAN), overlap(form, v(3, 1, 2), v(1, 9, 2, 4), v(1, 0, 1, 1), 0.7), 0);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void windowsWithNaNOrInfinityAreUndefined(final Form form) {
		assertArrayEquals(v(NAN, NAN, -1, NAN, NAN, 1),
			line(form, v(1, NAN, 3, 2, Double.POSITIVE_INFINITY, 1, 2), v(1, 2), null), 0);
	}

	@ParameterizedTest
	@EnumSource(Form.class)
	void zeroAndMinusZeroAreEqual(final Form form) {
		assertArrayEquals(v(NAN), line(form, v(0.0, -0.0), v(1, 2), null), 0);
	}

	/** Plain doubles fail here: the squares of 1e8 + {0, 1, 3} are about 1e16, where doubles are even integers. */
	@ParameterizedTest
	@EnumSource(Form.class)
	void anOffsetOnWhichThePlainFormulaFails(final Form form) {
		final double[] image = v(1e8 + 1, 1e8 + 2, 1e8 + 4), template = v(1e8 + 1, 1e8, 1e8 + 2);
		assertArrayEquals(v(6 / Math.sqrt(84)), line(form, image, template, null), TIGHT);
		assertTrue(Math.abs(plainDoubles(image, template) - 6 / Math.sqrt(84)) > 1e-3, "plain doubles would have done");
		// differences in the last bit: 1 + eps·{1, 2, 4}
		final double eps = Math.ulp(1.0);
		assertArrayEquals(v(6 / Math.sqrt(84)), line(form, v(1 + eps, 1 + 2 * eps, 1 + 4 * eps), v(1 + eps, 1, 1 + 2 * eps), null), TIGHT);
	}

	private static double plainDoubles(final double[] image, final double[] template) {
		double p = 0, pp = 0, t = 0, tt = 0, pt = 0;
		final int n = image.length;
		for (int i = 0; i < n; i++) {
			p += image[i];
			pp += image[i] * image[i];
			t += template[i];
			tt += template[i] * template[i];
			pt += image[i] * template[i];
		}
		return (n * pt - p * t) / Math.sqrt((n * pp - p * p) * (n * tt - t * t));
	}

	@ParameterizedTest
	@ValueSource(doubles = { 1e300, 0x1p1021, 1e-40, 1e-160, 0x1p-1074 })
	void theEndsOfTheRange(final double unit) {
		for (final Form form : Form.values()) {
			assertArrayEquals(v(6 / Math.sqrt(84)), line(form, v(unit, 2 * unit, 4 * unit), v(1, 0, 2), null), TIGHT);
			assertArrayEquals(v(6 / Math.sqrt(84)), line(form, v(1, 2, 4), v(unit, 0, 2 * unit), null), TIGHT);
			// P = 1 2 −4: ΣP = −1, ΣPT = −7, ΣP² = 21: (−21 + 3) / sqrt((63 − 1) · 6)
			assertArrayEquals(v((-21 + 3) / Math.sqrt(62 * 6)), line(form, v(unit, 2 * unit, -4 * unit), v(1, 0, 2), null), TIGHT);
		}
	}

	@Test
	void hugeBesideTiny() {
		for (final Form form : Form.values()) {
			// the tiny pixels differ from zero, but not for the sum: 0 0 1 with 1 0 2 is 3 / sqrt(2 · 6)
			assertArrayEquals(v(3 / Math.sqrt(12)), line(form, v(1e-40, 3e-40, 1e300), v(1, 0, 2), null), TIGHT);
			// yet a window of tiny pixels alone counts in full
			assertArrayEquals(v(6 / Math.sqrt(84), 3 / Math.sqrt(12)), line(form, v(1e-40, 2e-40, 4e-40, 1e300), v(1, 0, 2), null),
				1e-15);
		}
	}

	@Test
	void rowsAndColumnsInHigherDimensionsAreLines() {
		// a template of one row gives the responses of a line, in any number of dimensions
		final double[] image = random(new Random(1), 24), template = random(new Random(2), 3);
		for (int row = 0; row < 4; row++) {
			final double[] line = line(Form.EXACT, Arrays.copyOfRange(image, 6 * row, 6 * row + 6), template, null);
			assertArrayEquals(line, new ReferenceNcc(image, size(6, 4), template, size(3, 1), null).inside(Form.EXACT, new long[] { 0, row },
				size(4, 1)), 0);
			assertArrayEquals(line, new ReferenceNcc(image, size(6, 2, 2), template, size(3, 1, 1), null).inside(Form.EXACT,
				new long[] { 0, row % 2, row / 2 }, size(4, 1, 1)), 0);
			assertArrayEquals(line, new ReferenceNcc(image, size(6, 1, 2, 2), template, size(3, 1, 1, 1), null).inside(Form.EXACT,
				new long[] { 0, 0, row % 2, row / 2 }, size(4, 1, 1, 1)), 0);
		}
		// a column in z of a 2x2x3 volume
		final double[] volume = v(1, 0, 9, 9, 2, 5, 9, 9, 4, 1, 9, 9);
		assertArrayEquals(v(6 / Math.sqrt(84)), new ReferenceNcc(volume, size(2, 2, 3), v(1, 0, 2), size(1, 1, 3), null).inside(Form.EXACT,
			new long[3], size(1, 1, 1)), TIGHT);
	}

	@Test
	void symmetries() {
		final Random random = new Random(3);
		final double[] image = random(random, 9 * 8), template = random(random, 12);
		final ReferenceNcc reference = new ReferenceNcc(image, size(9, 8), template, size(4, 3), null);
		final double[] r = reference.inside(Form.EXACT, new long[2], size(6, 6));
		// reversing both reverses the map
		final double[] turned = new ReferenceNcc(reversed(image), size(9, 8), reversed(template), size(4, 3), null).inside(Form.EXACT,
			new long[2], size(6, 6));
		assertArrayEquals(reversed(r), turned, 0);
		// a power of two and a whole offset are exact in these values
		final double[] affine = IntStream.range(0, image.length).mapToDouble(i -> -8 * image[i] + 3).toArray();
		final double[] flipped = new ReferenceNcc(affine, size(9, 8), template, size(4, 3), null).inside(Form.EXACT, new long[2], size(6, 6));
		for (int i = 0; i < r.length; i++) assertEquals(-r[i], flipped[i], 0);
		// swapping image and template of the same size
		assertEquals(line(Form.EXACT, image, reversed(image), null)[0], line(Form.EXACT, reversed(image), image, null)[0], 0);
		assertEquals(1, line(Form.EXACT, image, image, null)[0], 0);
	}

	/** Multiples of 2^-20, so that small affine maps of them are exact. */
	private static double[] random(final Random random, final int n) {
		return IntStream.range(0, n).mapToDouble(i -> Math.rint(random.nextGaussian() * 0x1p20) * 0x1p-20).toArray();
	}

	private static double[] reversed(final double[] a) {
		return IntStream.range(0, a.length).mapToDouble(i -> a[a.length - 1 - i]).toArray();
	}

	@Test
	void compensatedAgreesWithExact() {
		final Random random = new Random(4);
		final int n = 40;
		final double[][] images = new double[8][n];
		for (int i = 0; i < n; i++) {
			images[0][i] = random.nextGaussian();
			images[1][i] = 1e6 + random.nextGaussian();
			images[2][i] = 1 + 1e-14 * random.nextInt(9);
			images[3][i] = (i < n / 2 ? 0 : 1e6) + random.nextGaussian();
			images[4][i] = i == 17 ? 1e9 : 1e-9 * random.nextGaussian();
			images[5][i] = 1e300 * random.nextGaussian() + (i % 3 == 0 ? -1e308 : 1e308);
			images[6][i] = Math.scalb(random.nextGaussian(), random.nextInt(2000) - 1000);
			images[7][i] = Double.MIN_VALUE * random.nextInt(1000);
		}
		for (int k = 0; k < images.length; k++)
			for (int j = 0; j < images.length; j++) {
				final double[] template = Arrays.copyOfRange(images[j], 10, 19);
				for (final double[] weights : new double[][] { null, v(1, 0, 1, 1, 1, 0, 1, 1, 1), v(.1, .7, 0, 3, 1, 2, .3, 1e-3, 5) })
					assertArrayEquals(line(Form.EXACT, images[k], template, weights), line(Form.COMPENSATED, images[k], template, weights), 2e-15,
						"image " + k + ", template " + j);
			}
	}

	@Test
	void mistakes() {
		assertThrows(IllegalArgumentException.class, () -> line(Form.EXACT, v(1, 2, 3), v(1, NAN), null));
		assertThrows(IllegalArgumentException.class, () -> line(Form.EXACT, v(1, 2, 3), v(1, 2), v(1, -1)));
		assertThrows(IllegalArgumentException.class,
			() -> new ReferenceNcc(v(1, 2), size(2), v(1, 2), size(2), null).inside(Form.EXACT, new long[] { 1 }, size(1)));
	}
}
