package sc.fiji.ncc.cuda.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.UnopenedGpu;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;

/** How images are cut for a GPU. */
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

	/** Blocks along y and z are counted in 16 bits, pixels of a box in 31. */
	@Test
	void longImagesAndWideTemplatesStayWithinTheLimitsOfTheGpu() {
		final Size tall = Size.of(16, 5), wide = Size.of(60_000, 1), pillar = Size.of(8, 8, 8);
		bounded(new int[] { 1, 1_000_000 }, 1 << 18, tall);
		bounded(new int[] { 3, 4_000_000 }, 1 << 24, tall);
		bounded(new int[] { 1, 60_000 }, 1 << 18, wide);
		bounded(new int[] { 1, 1, 300_000 }, 1 << 18, pillar);
		bounded(new int[] { 2, 500_000, 2 }, 1 << 24, pillar);
		// common images are not cut further
		final int[] lags = { 4000, 4000 };
		assertArrayEquals(Slab.step(lags, 1 << 21, 1 << 24), Slab.step(lags, 1 << 21, 1 << 24, List.of(Size.of(512, 512)), 1 << 29));
	}

	private static void bounded(final int[] lags, final long target, final Size template) {
		final long most = 1 << 29;
		final int[] step = Slab.step(lags, target, 1 << 24, List.of(template), most);
		double pixels = 1;
		for (int d = 0; d < lags.length; d++) pixels *= step[d] + template.get(d) - 1;
		assertTrue(pixels <= most, Arrays.toString(step));
		assertTrue(step[1] + template.get(1) - 1 <= 4 * 65_535, Arrays.toString(step));
		if (step.length > 2) assertTrue(step[2] + template.get(2) - 1 <= 60_000, Arrays.toString(step));
	}

	/**
	 * A single image has as many slabs as there are threads, at most eight. Maps of a stream have two, and one more for each 2²¹ responses; the best
	 * of each lag has one for each 2²⁰ lags; peaks have one.
	 */
	@Test
	void slabsOfAnImage() {
		final int most = Math.min(ParallelCopy.THREADS, 8);
		final long[] lags = { 1 << 18, 1 << 20, 3 << 20, 5 << 21, 1 << 28 };
		for (final Result kind : Result.values()) {
			final int[] expected = kind == Result.PEAKS ? new int[] { 1, 1, 1, 1, 1 } : kind == Result.BEST ? new int[] { 1, 1, 3, 10, 256 }
				: new int[] { 2, 2, 2, 5, 128 };
			for (int i = 0; i < lags.length; i++) {
				assertEquals(most, Slabs.parts(lags[i], true, kind), kind + " of a single image");
				assertEquals(Math.min(most, expected[i]), Slabs.parts(lags[i], false, kind), kind + " of a frame with " + lags[i] + " lags");
			}
		}
	}

	/** Where a single image has few slabs, up to four groups of templates are computed side by side, but those of which only the best counts. */
	@Test
	void groupsOfTemplates() {
		final int most = Math.min(ParallelCopy.THREADS, 4);
		assertEquals(most, Slabs.groups(1, 10, true, Result.MAP));
		assertEquals(most / 2, Slabs.groups(2, 10, true, Result.PEAKS));
		assertEquals(1, Slabs.groups(8, 10, true, Result.MAP));
		assertEquals(1, Slabs.groups(1, 1, true, Result.MAP));
		assertEquals(1, Slabs.groups(1, 10, true, Result.BEST));
		assertEquals(1, Slabs.groups(1, 10, false, Result.MAP));
	}

	/**
	 * Each thread has memory for its lags, all of them together half of the GPU's; and no more than 2²⁴ responses are fetched, or up to eight maps on
	 * the GPU for one.
	 */
	@Test
	void whatIsComputedAtOnce() {
		try (UnopenedGpu unopened = new UnopenedGpu()) {
			final CudaDevice gpu = Driver.devices().list().get(0);
			final long most = 1 << 24;
			for (final int templates : new int[] { 1, 2, 8, 9 }) {
				final int onGpu = templates > 8 ? 2 : 1;
				for (final Result kind : Result.values()) {
					final long lags = most / (kind.isMap() ? templates : onGpu);
					assertTrue(Slabs.fits(gpu, lags, 1, kind, templates), templates + " " + kind);
					assertFalse(Slabs.fits(gpu, lags + 1, 1, kind, templates), templates + " " + kind);
				}
			}
			final double half = 0.5 * gpu.device.memory() / ParallelCopy.THREADS;
			assertTrue(Slabs.fits(gpu, 1 << 20, 0.999 * half / (1 << 20), Result.MAP, 1));
			assertFalse(Slabs.fits(gpu, 1 << 20, 1.001 * half / (1 << 20), Result.MAP, 1));
		}
	}
}
