package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * {@link ExactScore} of windows of whole numbers equals, to the bit, that of the same values as doubles, which another test compares with the definition.
 */
class WholeNumberScoreTest {

	/** From 46341 on a square exceeds an int, and so do the sums over 40000 pixels. */
	@ParameterizedTest
	@CsvSource({ "0,255,0,255,90", "0,255,0,255,40000", "-128,127,0,255,40000", "200,255,200,255,40000", "0,65535,0,65535,90", "46341,65535,46341,65535,40000",
		"-32768,32767,-32768,32767,40000", "-32768,-30000,60000,65535,40000", "0,255,60000,65535,300", "60000,65535,0,255,300" })
	void itIsThatOfDoublesToTheBit(final int minP, final int maxP, final int minT, final int maxT, final int n) {
		final Random random = new Random(n);
		final int[] p = random.ints(n, minP, maxP + 1).toArray(), t = random.ints(n, minT, maxT + 1).toArray();
		// with something in common
		for (int i = 0; i < n; i += 2) p[i] = Math.max(minP, Math.min(maxP, minP + t[i] - minT));
		final ExactScore score = score(t);
		assertTrue(score.takesNumbers());
		final double expected = score.score(Arrays.stream(p).asDoubleStream().toArray());
		assertEquals(expected, score.score(p, false));
		if (maxP - minP <= 255 && Math.max(Math.abs(minP), maxP) <= 255) assertEquals(expected, score.score(p, true));
	}

	@Test
	void theWindowMayBeTheTemplateOrItsNegative() {
		final int[] t = new Random(1).ints(500, 50_000, 65_536).toArray();
		assertEquals(1, score(t).score(t, false));
		assertEquals(-1, score(t).score(Arrays.stream(t).map(v -> 65_535 - v).toArray(), false));
		assertTrue(Double.isNaN(score(t).score(new int[500], false)), "flat");
		assertThrows(IllegalArgumentException.class, () -> score(t).score(new int[499], false));
	}

	@Test
	void whatIsNoWholeNumberOf16BitsIsNotTaken() {
		assertFalse(new ExactScore(template(new double[] { 1, 2.5, 3 }, null)).takesNumbers());
		assertFalse(new ExactScore(template(new double[] { 1, 65_536, 3 }, null)).takesNumbers());
		assertFalse(new ExactScore(template(new double[] { 1, 2, 3 }, new double[] { 1, 0, 1 })).takesNumbers());
	}

	private static ExactScore score(final int[] t) {
		return new ExactScore(template(Arrays.stream(t).asDoubleStream().toArray(), null));
	}

	private static Template template(final double[] values, final double[] weights) {
		return new Template(Size.of(values.length), PixelType.F64, values, weights);
	}
}
