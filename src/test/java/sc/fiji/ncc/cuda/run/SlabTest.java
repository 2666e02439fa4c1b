package sc.fiji.ncc.cuda.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import org.junit.jupiter.api.Test;

/** How images are cut for a card. */
class SlabTest {

	private static void step(final int[] expected, final int[] lags, final long wanted, final long most) {
		assertArrayEquals(expected, Slab.step(lags, wanted, most));
	}

	@Test
	void rowsStayWholeWhereTheyFit() {
		step(new int[] { 1969, 247 }, new int[] { 1969, 1969 }, 1969 * 1969 / 8 + 1, 1 << 24);
		step(new int[] { 1969, 1969 }, new int[] { 1969, 1969 }, 1 << 24, 1 << 24);
		step(new int[] { 241, 241, 31 }, new int[] { 241, 241, 241 }, 241 * 241 * 241 / 8 + 1, 1 << 24);
		step(new int[] { 241, 61, 1 }, new int[] { 241, 241, 3 }, 241 * 241 / 4 + 1, 1 << 24);
		step(new int[] { 100, 1 }, new int[] { 1000, 7 }, 100, 1 << 24);
		step(new int[] { 9 }, new int[] { 33 }, 10, 1 << 24);
	}

	@Test
	void noneIsLargerThanItMayBe() {
		final Random random = new Random(1);
		for (int i = 0; i < 1000; i++) {
			final int[] lags = new int[1 + random.nextInt(3)];
			for (int d = 0; d < lags.length; d++) lags[d] = 1 + random.nextInt(50);
			final long most = 1 + random.nextInt(3000);
			long n = 1;
			for (final int s : Slab.step(lags, 1 + random.nextInt(3000), most)) n *= s;
			assertTrue(n >= 1 && n <= most);
		}
	}
}
