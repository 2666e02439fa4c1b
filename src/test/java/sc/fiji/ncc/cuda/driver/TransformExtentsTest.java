package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TransformExtentsTest {

	/** The even product of 2, 3, 5 and 7 with the least cost, of all up to twice the extent. Other products than powers of two cost a quarter more. */
	@Test
	void theBestExtentIsThatOfAllCandidates() {
		for (int n = 2; n <= 5000; n++) {
			int best = 0;
			for (int m = n; m <= 2 * n; m++)
				if (m % 2 == 0 && isProduct(m) && (best == 0 || cost(m) < cost(best))) best = m;
			assertEquals(best, TransformExtents.best(n), "extent " + n);
		}
		assertEquals(1, TransformExtents.best(1));
	}

	private static boolean isProduct(final int m) {
		int rest = m;
		for (final int p : new int[] { 2, 3, 5, 7 }) while (rest % p == 0) rest /= p;
		return rest == 1;
	}

	private static double cost(final int m) {
		return Integer.bitCount(m) == 1 ? m : 1.25 * m;
	}
}
