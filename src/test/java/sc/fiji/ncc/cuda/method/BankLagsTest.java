package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/** The boxes of lags in which a GPU searches a volume. */
class BankLagsTest {

	@Test
	void allLagsOrEqualPartsOfThem() {
		assertArrayEquals(new int[] { 91, 81, 71 }, BankSearch.lags(PixelType.U16, new long[] { 100, 90, 80 }, Size.of(10, 10, 10), 4096, l -> true));
		assertArrayEquals(new int[] { 46, 81, 71 }, BankSearch.lags(PixelType.U16, new long[] { 100, 90, 80 }, Size.of(10, 10, 10), 4096, l -> l[0] < 50));
		assertEquals(null, BankSearch.lags(PixelType.U16, new long[] { 100, 90, 80 }, Size.of(10, 10, 10), 4096, l -> false));
	}

	/** Pixels are sent from a buffer whose length is an int. */
	@Test
	void thePixelsOfABoxAreAtMostTwoGigabytes() {
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.U16, PixelType.F32 }) {
			final int[] lags = BankSearch.lags(type, new long[] { 2048, 2048, 1000 }, Size.of(30, 31, 32), 4096, l -> true);
			final long bytes = (lags[0] + 29L) * (lags[1] + 30) * (lags[2] + 31) * type.bytes;
			assertTrue(bytes < 1L << 31 && bytes > 1L << 29, type + " " + Arrays.toString(lags));
		}
	}

	/** Transforms of fewer lags can have more padding: more than is allowed. */
	@Test
	void equalPartsFit() {
		int uneven = 0;
		for (int width = 4100; width < 9000; width += 50)
			for (int height = 200; height < 320; height += 6) {
				final Size box = Size.of(20, 20, 20);
				final Predicate<int[]> fits = l -> padding(l[0] + 19) * padding(l[1] + 19) * padding(l[2] + 19) <= 2;
				final int[] lags = BankSearch.lags(PixelType.U8, new long[] { width, height, 150 }, box, 4096, fits);
				if (lags == null) continue;
				assertTrue(fits.test(lags), Arrays.toString(lags));
				final int parts = (width - 19 + lags[0] - 1) / lags[0];
				if (lags[0] != (width - 19 + parts - 1) / parts) uneven++;
			}
		assertTrue(uneven > 0, "some parts are not equal");
	}

	private static double padding(final int n) {
		return FourierPasses.length(n) / (double) TransformExtents.of(n, 1, 1).x();
	}
}
