package sc.fiji.ncc.cpu.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.PriorityQueue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiles cover each lag once, and end at about the same time on all threads. */
class TileGridTest {

	private static int[] numbers(final String text) {
		return Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray();
	}

	/** @param share the minimum share of the threads that are busy on average */
	@ParameterizedTest
	@CsvSource({ "1993x1993, 512x128, 1x16, 2, 0.97", "1993x1993, 512x128, 1x16, 16, 0.92", "1969x1969, 450x450, 450x225, 8, 0.92", "1969x1969, 450x450, 450x225, 16, 0.92",
		"3969x3969, 514x514, 514x257, 16, 0.98", "241x241x241, 241x241x49, 98x49x49, 2, 0.94", "241x241x241, 241x241x49, 98x49x49, 4, 0.88",
		"241x241x241, 241x241x49, 98x49x49, 16, 0.92", "5000, 2048, 1, 4, 0.7", "7x1, 512x128, 1x16, 16, 0.05", "100x3, 512x128, 1x1, 3, 0.9" })
	void tilesCoverAllLagsOnceAndKeepThreadsBusy(final String size, final String most, final String units, final int threads, final double share) {
		final int[] lags = numbers(size), max = numbers(most), unit = numbers(units);
		final TileGrid grid = new TileGrid(lags, max, unit, threads);
		final byte[] covered = new byte[Arrays.stream(lags).reduce(1, (a, b) -> a * b)];
		long before = Long.MAX_VALUE;
		for (int t = 0; t < grid.tiles; t++) {
			final long[] min = grid.min(t);
			final int[] extent = grid.size(t);
			long n = 1;
			for (int d = 0; d < lags.length; d++) {
				assertEquals(0, min[d] % unit[d], "whole units");
				assertTrue(extent[d] >= 1 && extent[d] <= max[d], "tile " + Arrays.toString(extent));
				n *= extent[d];
			}
			assertTrue(n <= before, "the largest come first");
			before = n;
			cover(covered, lags, min, extent);
		}
		for (final byte c : covered) assertEquals(1, c);
		final PriorityQueue<Double> until = new PriorityQueue<>(Collections.nCopies(threads, 0.));
		double all = 0, last = 0;
		for (final double work : grid.work()) {
			final double end = until.poll() + work;
			until.add(end);
			all += work;
			last = Math.max(last, end);
		}
		assertTrue(all / last >= share * threads, all / last + " of " + threads + " threads are busy");
	}

	private static void cover(final byte[] covered, final int[] lags, final long[] min, final int[] extent) {
		final int rows = lags.length > 1 ? extent[1] : 1, planes = lags.length > 2 ? extent[2] : 1;
		for (int z = 0; z < planes; z++)
			for (int y = 0; y < rows; y++)
				for (int x = 0; x < extent[0]; x++) {
					long i = lags.length > 2 ? min[2] + z : 0;
					i = lags.length > 1 ? i * lags[1] + min[1] + y : 0;
					covered[(int) (i * lags[0] + min[0] + x)]++;
				}
	}
}
