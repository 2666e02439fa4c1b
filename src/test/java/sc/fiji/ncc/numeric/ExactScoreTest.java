package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Exact scores against the definition in BigDecimal, which holds every double exactly. */
class ExactScoreTest {

	private static final MathContext DIGITS = new MathContext(60);

	@Test
	void wholeNumbersAreExact() {
		final Random random = new Random(1);
		for (final int limit : new int[] { 1, 255, 65_535 })
			for (int n = 8; n < 200; n += 13) {
				final double[] t = noise(n, random, v -> Math.rint(v * limit));
				final double[] p = noise(n, random, v -> Math.rint(v * limit));
				assertScore(t, p, null, 4e-16);
			}
	}

	@Test
	void sumsBeyond64BitsAreExact() {
		final int n = 512 * 512;
		final Random random = new Random(2);
		final double[] t = noise(n, random, v -> v < 0.5 ? 0 : 65_535);
		final double[] p = noise(n, random, v -> v < 0.5 ? 65_535 : 65_534);
		for (int i = 0; i < n; i += 3) p[i] = t[i] > 0 ? 65_535 : 65_534;
		final BigInteger variance = BigInteger.valueOf(n).multiply(BigInteger.valueOf(65_535L * 65_535L * n / 2));
		assertTrue(variance.bitLength() > 63, "the case must overflow a long");
		assertScore(t, p, null, 4e-16);
		assertEquals(1, new ExactScore(template(t, null)).score(t), 3e-16);
	}

	@Test
	void negativeWholeNumbersAreExact() {
		final Random random = new Random(3);
		final double[] t = noise(100, random, v -> Math.rint(v * 65_535) - 32_768);
		final double[] p = new double[100];
		for (int i = 0; i < 100; i++) p[i] = -1 - t[i];
		assertEquals(-1, new ExactScore(template(t, null)).score(p), 3e-16);
		assertScore(t, noise(100, random, v -> Math.rint(v * 255) - 128), null, 4e-16);
	}

	@ParameterizedTest
	@CsvSource({ "0, 1", "0, 1e-40", "0, 1e300", "1, 1e-9", "-1e6, 1", "1e6, 1e-9", "1e300, 1e290", "1.7e308, 5e306", "0, 1e-300", "0, 1e-318",
		"40000, 3", "0.7, 1.2e-16", "1e-310, 1e-314", "-8e307, 1.7e308" })
	void anyOffsetAndContrast(final double offset, final double contrast) {
		final Random random = new Random(4);
		for (final int n : new int[] { 2, 3, 9, 64, 257 }) {
			final double[] t = noise(n, random, v -> v - 0.5);
			final double[] p = noise(n, random, v -> offset + contrast * v);
			for (int i = 0; i < n; i += 2) p[i] = offset + contrast * (t[i] + 0.5);
			if (Arrays.stream(p).distinct().count() < 2) p[0] = Math.nextUp(p[0]);
			assertScore(t, p, null, 2e-15);
			assertScore(p, t, null, 2e-15);
			assertScore(p, p, null, 2e-15);
		}
	}

	/** The rounding error of the mean may equal the contrast: these sums lie just above a power of two, where rounding is coarsest. */
	@ParameterizedTest
	@ValueSource(ints = { 10, 1030, 33_000 })
	void onePixelThatDiffersByOneBit(final int n) {
		final Random random = new Random(5);
		final double[] p = new double[n], t = noise(n, random, v -> v);
		for (int k = 0; k < 8; k++) {
			final double value = 0.995 + 0.005 * random.nextDouble();
			Arrays.fill(p, value);
			p[n / 3] = Math.nextUp(value);
			assertScore(t, p, null, 1e-15);
			assertScore(p, p, null, 1e-15);
		}
	}

	@Test
	void oneBrightPixelBesideAFaintField() {
		final double[] p = noise(400, new Random(6), v -> 1 + 1e-9 * v);
		final double[] t = p.clone();
		p[7] = 1e6;
		assertScore(t, p, null, 2e-15);
		assertScore(p, p, null, 2e-15);
	}

	@Property(tries = 300)
	void anyBitsOfFiniteDoubles(@ForAll final long seed, @ForAll @IntRange(min = 2, max = 12) final int n) {
		final Random random = new Random(seed);
		final double[] t = noise(n, random, v -> v);
		final double[] p = new double[n];
		for (int i = 0; i < n; i++) do p[i] = Double.longBitsToDouble(random.nextLong());
		while (!Double.isFinite(p[i]));
		assertScore(t, p, null, 2e-15);
	}

	@Property(tries = 300)
	void aPositiveFactorAndAnOffsetChangeNothing(@ForAll final long seed, @ForAll @IntRange(min = -900, max = 900) final int exponent) {
		final Random random = new Random(seed);
		final double[] t = noise(30, random, v -> v), p = noise(30, random, v -> v), q = p.clone();
		for (int i = 0; i < q.length; i++) q[i] = Math.scalb(q[i], exponent);
		final ExactScore score = new ExactScore(template(t, null));
		assertEquals(score.score(p), score.score(q), 1e-15);
		for (int i = 0; i < q.length; i++) q[i] = -q[i];
		assertEquals(-score.score(p), score.score(q), 1e-15);
	}

	@Test
	void pixelsOfNoWeightNeverCount() {
		final Random random = new Random(7);
		for (final DoubleUnaryOperator kind : new DoubleUnaryOperator[] { v -> Math.rint(255 * v), v -> 1e6 + v }) {
			final double[] t = noise(50, random, kind), p = noise(50, random, kind), w = noise(50, random, Math::rint);
			w[3] = 0;
			w[4] = 0;
			final double expected = definition(t, p, w);
			p[3] = Double.NaN;
			p[4] = Double.POSITIVE_INFINITY;
			t[3] = Double.NaN;
			assertEquals(expected, new ExactScore(template(t, w)).score(p), 2e-15);
			t[3] = 0;
			assertEquals(expected, new ExactScore(template(t, null)).score(p, w), 2e-15);
		}
	}

	@Test
	void aPartOfTheWindow() {
		final Random random = new Random(8);
		for (final DoubleUnaryOperator kind : new DoubleUnaryOperator[] { v -> Math.rint(65_535 * v), v -> 1e-40 * v }) {
			final double[] t = noise(60, random, kind), p = noise(60, random, kind), w = new double[60];
			final ExactScore score = new ExactScore(template(t, null));
			for (int inside = 2; inside <= 60; inside += 7) {
				Arrays.fill(w, 0, inside, 1);
				assertEquals(definition(t, p, w), score.score(p, w), 2e-15);
			}
			Arrays.fill(w, 1);
			assertEquals(score.score(p), score.score(p, w), 0);
		}
	}

	@Test
	void weightsOtherThanZeroAndOne() {
		final Random random = new Random(9);
		final double[] t = noise(40, random, v -> Math.rint(9 * v)), p = noise(40, random, v -> Math.rint(9 * v)), w = noise(40, random, v -> v);
		assertScore(t, p, w, 2e-15);
	}

	@Test
	void undefinedExactlyIfFlatOrNotFinite() {
		final double[] t = { 1, 2, 3, 5 };
		final ExactScore score = new ExactScore(template(t, null));
		for (final double flat : new double[] { 0, 7, 0.1, 1e300, -1e-40, 70_000 }) {
			final double[] p = { flat, flat, flat, flat };
			assertTrue(Double.isNaN(score.score(p)), "flat " + flat);
			p[2] = Math.nextUp(flat);
			assertEquals(definition(t, p, null), score.score(p), 1e-15, "one bit beside " + flat);
			for (final double bad : new double[] { Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY }) {
				p[1] = bad;
				assertTrue(Double.isNaN(score.score(p)), "with " + bad);
			}
		}
		assertTrue(Double.isNaN(score.score(new double[] { 0.0, -0.0, 0.0, -0.0 })), "zeros of both signs");
		assertTrue(Double.isNaN(score.score(t, new double[] { 0, 0, 1, 0 })), "one pixel");
		assertTrue(Double.isNaN(score.score(t, new double[4])), "no pixel");
		assertTrue(Double.isNaN(score.score(new double[] { 9, 9, 9, 8 }, new double[] { 1, 1, 1, 0 })), "a flat part");
	}

	@Test
	void aTemplateThatIsFlatInPart() {
		for (final double unit : new double[] { 1, 0.1 }) {
			final ExactScore score = new ExactScore(template(new double[] { unit, unit, 2 * unit, unit }, null));
			final double[] p = { unit, 3 * unit, 4 * unit, unit };
			assertTrue(Double.isNaN(score.score(p, new double[] { 1, 1, 0, 1 })));
			assertEquals(definition(new double[] { 1, 1, 2, 1 }, p, new double[] { 1, 1, 1, 0 }), score.score(p, new double[] { 1, 1, 1, 0 }), 1e-15);
			assertTrue(Double.isNaN(new ExactScore(template(new double[] { unit, unit, unit, unit }, null)).score(p)));
		}
	}

	@Test
	void saysWhatDoesNotFit() {
		final ExactScore score = new ExactScore(template(new double[] { 1, 2, 3 }, null));
		assertEquals("the window has 2 pixels, but the template has 3 pixels",
			assertThrows(IllegalArgumentException.class, () -> score.score(new double[2])).getMessage());
		assertThrows(IllegalArgumentException.class, () -> score.score(new double[3], new double[2]));
		assertThrows(IllegalArgumentException.class, () -> new ExactScore(template(new double[] { 1, Double.NaN }, null)));
	}

	private static void assertScore(final double[] t, final double[] p, final double[] w, final double tolerance) {
		assertEquals(definition(t, p, w), new ExactScore(template(t, w)).score(p), tolerance);
	}

	private static Template template(final double[] values, final double[] weights) {
		return new Template(Size.of(values.length), PixelType.F64, values, weights);
	}

	private static double[] noise(final int n, final Random random, final DoubleUnaryOperator of) {
		return random.doubles(n).map(of).toArray();
	}

	/** {@code (N·ΣPT − ΣP·ΣT) / sqrt((N·ΣP² − (ΣP)²)(N·ΣT² − (ΣT)²))} with weights, exact up to the root. */
	private static double definition(final double[] t, final double[] p, final double[] w) {
		final BigDecimal[] sums = new BigDecimal[6];
		Arrays.fill(sums, BigDecimal.ZERO);
		IntStream.range(0, t.length).filter(i -> w == null || w[i] > 0).forEach(i -> {
			final BigDecimal a = new BigDecimal(p[i]), b = new BigDecimal(t[i]), weight = w == null ? BigDecimal.ONE : new BigDecimal(w[i]);
			final BigDecimal[] terms = { BigDecimal.ONE, a, b, a.multiply(a), a.multiply(b), b.multiply(b) };
			for (int k = 0; k < 6; k++) sums[k] = sums[k].add(terms[k].multiply(weight));
		});
		final BigDecimal n = sums[0];
		final BigDecimal numerator = n.multiply(sums[4]).subtract(sums[1].multiply(sums[2]));
		final BigDecimal varianceP = n.multiply(sums[3]).subtract(sums[1].pow(2));
		final BigDecimal varianceT = n.multiply(sums[5]).subtract(sums[2].pow(2));
		final BigDecimal root = varianceP.round(DIGITS).sqrt(DIGITS).multiply(varianceT.round(DIGITS).sqrt(DIGITS));
		return numerator.divide(root, DIGITS).doubleValue();
	}
}
