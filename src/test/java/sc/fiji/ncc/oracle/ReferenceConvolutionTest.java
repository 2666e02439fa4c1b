package sc.fiji.ncc.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.Precision;

/** The oracle itself. */
class ReferenceConvolutionTest {

	@Test
	void aSmallSumByHand() {
		final ReferenceConvolution r = new ReferenceConvolution(new double[] { 1, 2, 3, 4, Double.NaN, 6 }, new int[] { 3, 2 }, new double[] { 10, 0, 0.5, 1 },
			new int[] { 2, 2 });
		// 10·1 + 0·2 + 0.5·4 + 1·NaN, and 10·1, the NaN under a 0, with nothing beyond the image
		assertTrue(Double.isNaN(r.response(new int[] { 0, 0 }, 1, true)));
		assertEquals(10 * 4 + 0, r.response(new int[] { 0, 1 }, 0, true));
		assertEquals(1, r.response(new int[] { -1, -1 }, 0, true));
		assertArrayEquals(new double[] { 1, 0.5 * 1 + 2 }, r.responses(new long[] { -1, -1 }, new int[] { 2, 1 }, true, 0));
		assertTrue(Double.isNaN(r.response(new int[] { -1, -1 }, 0.5, true)), "a quarter overlaps");
	}

	@Test
	void bothArithmeticsAgreeForValuesOfAnyMagnitude() {
		final Random random = new Random(5);
		for (int round = 0; round < 200; round++) {
			final double[] image = new double[25], kernel = new double[9];
			for (int i = 0; i < 25; i++) image[i] = random.nextGaussian() * Math.pow(10, random.nextInt(round % 2 == 0 ? 3 : 40) - 200);
			for (int i = 0; i < 9; i++) kernel[i] = random.nextGaussian() * Math.pow(10, 150 - random.nextInt(20));
			final ReferenceConvolution r = new ReferenceConvolution(image, new int[] { 5, 5 }, kernel, new int[] { 3, 3 });
			final double exact = r.response(new int[] { 1, 2 }, 1, true), compensated = r.response(new int[] { 1, 2 }, 1, false);
			double most = 0;
			for (final double k : kernel) most += Math.abs(k);
			assertEquals(exact, compensated, Math.abs(exact) * 1e-15 + most * 1e-190 * 1e-20);
		}
	}

	@Test
	void partialSumsDoNotOverflow() {
		for (final double[] size : new double[][] { { 1e-310, 1e250 }, { 1e307, 1e-3 }, { 1e-3, 1e307 }, { 1e300, 1e-290 } }) {
			final ReferenceConvolution r = new ReferenceConvolution(new double[] { 1.25 * size[0], -2.5 * size[0], 7.75 * size[0] }, new int[] { 3 },
				new double[] { 3.5 * size[1], 0.125 * size[1], -1.5 * size[1] }, new int[] { 3 });
			final double exact = r.response(new int[1], 1, true);
			assertEquals(exact, r.response(new int[1], 1, false), 1e-15 * Math.abs(exact));
		}
	}

	@Test
	void theToleranceIsPositiveForTheSmallestDoublesAndAHugeKernel() {
		assertEquals(1e-133, ReferenceConvolution.tolerance(new double[] { 1e-320, 0 }, new double[] { 1e200 }, Precision.DOUBLE), 1e-136);
		assertEquals(1e-133, ReferenceConvolution.tolerance(new double[] { 1e200, 0 }, new double[] { 1e-320 }, Precision.DOUBLE), 1e-136);
	}
}
