package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The joint score against the definition: whole numbers beside others, channels of very different magnitude, and flat ones. */
class JointScoreTest {

	private static final int[] SIZE = { 6, 5 };

	private static double score(final double[] window, final double[] template, final double[] weights) {
		return new JointScore(new Template(Size.of(6, 5), PixelType.F64, template, weights, window.length / 30)).score(window);
	}

	private static double reference(final double[] window, final double[] template, final double[] weights) {
		return new ReferenceNcc(window, SIZE, template, SIZE, weights, null, window.length / 30).responses(ReferenceNcc.Form.EXACT, new long[2], new int[] { 1, 1 }, false, 1)[0];
	}

	@Test
	void anyMagnitudes() {
		final Random random = new Random(1);
		for (final double scale : new double[] { 1, 1e-3, 1e6, 1e150, 1e-150 })
			for (final double offset : new double[] { 0, 1, 1e6 }) {
				final double[] window = random.doubles(90).toArray(), template = random.doubles(90).toArray(), weights = random.doubles(30).toArray();
				for (int i = 0; i < 30; i++) {
					window[i] = Math.rint(100 * window[i]);
					template[i] = Math.rint(100 * template[i]);
					window[30 + i] = scale * (offset + window[30 + i]);
					template[60 + i] = scale * (offset + template[60 + i]);
				}
				assertEquals(reference(window, template, null), score(window, template, null), 1e-14, scale + " " + offset);
				assertEquals(reference(window, template, weights), score(window, template, weights), 1e-14, "weights, " + scale + " " + offset);
				assertEquals(1.0, score(template, template, null));
			}
	}

	@Test
	void flatChannels() {
		final double[] window = new Random(2).doubles(60).toArray(), template = new Random(3).doubles(60).toArray();
		Arrays.fill(window, 0, 30, 0.1);
		assertEquals(reference(window, template, null), score(window, template, null), 1e-14);
		Arrays.fill(template, 0, 30, 0.7);
		assertEquals(reference(window, template, null), score(window, template, null), 1e-14);
		Arrays.fill(window, 30, 60, 3.3);
		assertTrue(Double.isNaN(score(window, template, null)));
		window[4] = Double.NaN;
		window[40] = 1;
		assertTrue(Double.isNaN(score(window, template, null)));
	}

	@Test
	void sumsOfProductsIn128Bits() {
		final Random random = new Random(4);
		for (int k = 0; k < 1000; k++) {
			final long a = random.nextLong() >> k % 40, b = random.nextLong() >> 2;
			final long[] c = random.longs(3).map(v -> v >> 3).toArray(), d = random.longs(3).map(v -> v >> 2).toArray();
			java.math.BigInteger exact = java.math.BigInteger.valueOf(a).multiply(java.math.BigInteger.valueOf(b));
			for (int i = 0; i < 3; i++) exact = exact.subtract(java.math.BigInteger.valueOf(c[i]).multiply(java.math.BigInteger.valueOf(d[i])));
			assertEquals(exact.doubleValue(), Int128.difference(a, b, c, d), Math.ulp(exact.doubleValue()));
		}
	}
}
