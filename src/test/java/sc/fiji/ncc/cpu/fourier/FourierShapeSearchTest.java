package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** The chosen blocks have the minimum time of all, found by trying each. Tiles and memory follow from them. */
class FourierShapeSearchTest {

	private static final double LEVEL = Vectors.USED ? 0.135e-9 : 0.3e-9, POINT = Vectors.USED ? 1.8e-9 : 3e-9;

	private static Size size(final String text) {
		return Size.of(Arrays.stream(text.split("x")).mapToLong(Long::parseLong).toArray());
	}

	private static boolean line(final Size template, final Size lags) {
		return template.get(1) * template.get(2) * lags.get(1) * lags.get(2) == 1;
	}

	/** The supported extents, 2^k and 3 2^k, from one that holds n pixels on, up to the one that holds the last. */
	private static List<Integer> extents(final long from, final long last, final long max) {
		final List<Integer> all = new ArrayList<>();
		for (long power = 1; power <= 1L << 30; power *= 2)
			for (final long n : power > 2 ? new long[] { power / 4 * 3, power } : new long[] { power })
				if (n >= from && n <= max) {
					all.add((int) n);
					if (n >= last) return all;
				}
		return all;
	}

	/** The extents of a block and of a part along a dimension. */
	private static List<int[]> choices(final Size template, final Size lags, final int d, final int max) {
		final long t = template.get(d), most = line(template, lags) ? 1 << 22 : Math.max(d == 2 ? 256 : 2048, 2 * t);
		final List<int[]> all = new ArrayList<>();
		for (final int n : extents(t, Math.min(t + lags.get(d) - 1, most), max)) all.add(new int[] { n, (int) t });
		double whole = 1;
		for (int e = 0; e < 3; e++) whole *= extents(template.get(e), 1, 1 << 30).get(0);
		if (whole <= Math.min(1 << 22, max) / 4.0) return all;
		for (final int n : extents(max < 1 << 16 ? 2 : 16, Long.MAX_VALUE, Math.min(max, extents(t, 1, 1 << 30).get(0) - 1)))
			for (int quarters = 1; quarters < 4; quarters++) {
				final double parts = Math.ceil(4.0 * t / (quarters * (double) n));
				all.add(new int[] { n, (int) Math.ceil(t / parts) });
			}
		return all;
	}

	/** The seconds for each lag with two threads: all transforms of pairs of blocks, a forward one for each part and the inverse one. */
	private static double seconds(final Size template, final Size lags, final int[] block, final int[] part) {
		final double points = (double) block[0] * block[1] * block[2];
		final double slower = points <= 65536 ? 1 : points <= 147456 ? 1.25 : points <= 262144 ? 1.6 : points <= 589824 ? 2.6 : 4.5;
		double blocks = 1, parts = 1, all = 1;
		for (int d = 0; d < 3; d++) {
			blocks *= Math.ceil(lags.get(d) / (block[d] - part[d] + 1.0));
			parts *= Math.ceil(template.get(d) / (double) part[d]);
			all *= lags.get(d);
		}
		double pairs = Math.ceil(blocks / 2);
		if (points > 1 << 20) pairs = 2 * Math.ceil(pairs / 2);
		final double levels = Math.log(points) / Math.log(2) + (block[1] * block[2] == 1 ? 1 : 0);
		return pairs * (parts + 1) * slower * (POINT * withRows(block) + LEVEL * levels * points) / all;
	}

	/** The points of a block, and 72 for each row of a volume, as the choice counts them. */
	private static double withRows(final int[] block) {
		return (double) block[0] * block[1] * block[2] + (block[2] > 1 ? 72.0 * block[1] * block[2] : 0);
	}

	/** Rows of 12 or 24 points cost several times as much as their points. Predicted before: 3 ms of a call of 11 ms. */
	@Test
	void blocksOfASmallVolumeHaveLongRows() {
		for (final long[] sides : new long[][] { { 5, 64 }, { 5, 60 }, { 9, 128 }, { 3, 64 } }) {
			final FourierShape shape = FourierShape.find(Size.of(sides[0], sides[0], sides[0]), Size.of(sides[1], sides[1], sides[1]), 1 << 23);
			assertTrue(shape.block()[0] >= 48, () -> sides[1] + ": " + Arrays.toString(shape.block()));
		}
	}

	/** Templates of one part and of many, with little memory and with much; signals, planes and volumes. */
	@ParameterizedTest
	@CsvSource({ "1x1x1, 1x1x1, 8388608", "3x3x1, 2000x2000x1, 8388608", "32x20x1, 700x500x1, 8388608", "9x8x5, 40x41x30, 8388608",
		"300x5x1, 90x2000x1, 8388608", "3000x1x1, 9x9x1, 8388608", "3000x1x1, 100000x1x1, 8388608", "20x1x1, 1000x1x1, 4096",
		"64x64x1, 50x50x1, 2048", "64x64x1, 50x50x1, 16384", "64x64x1, 50x50x1, 16383", "700x600x1, 3000x2500x1, 16777216",
		"1500x1500x1, 500x4000x1, 16777216", "2000x2000x1, 60x60x1, 8388608", "60x60x60, 90x90x90, 8388608", "3000x50x1, 400x4000x1, 8388608",
		"700x700x1, 300x8000x1, 16777216", "40x40x40, 300x20x9, 65536", "40x40x40, 300x20x9, 65535" })
	void blocksHaveTheMinimumTime(final String template, final String lags, final int max) {
		final Size t = size(template), n = size(lags);
		final FourierShape shape = FourierShape.find(t, n, max);
		double twice = 1;
		for (int d = 0; d < 3; d++) twice *= extents(2 * t.get(d), 1, 1 << 30).get(0);
		final double most = line(t, n) ? max : Math.min(max, Math.max(1 << 22, twice));
		double least = Double.POSITIVE_INFINITY;
		for (final int[] z : choices(t, n, 2, max))
			for (final int[] y : choices(t, n, 1, max))
				for (final int[] x : choices(t, n, 0, max)) {
					final int[] block = { x[0], y[0], z[0] };
					if ((double) x[0] * y[0] * z[0] <= most) least = Math.min(least, seconds(t, n, block, new int[] { x[1], y[1], z[1] }));
				}
		final int[] block = shape.block(), part = shape.part();
		assertEquals(least, seconds(t, n, block, part), 1e-12 * least, () -> Arrays.toString(block) + " in parts of " + Arrays.toString(part));
		assertPrediction(t, n, shape);
		assertTiles(t, n, max, shape);
		assertMemory(t, shape);
	}

	/** Predicted is what was chosen, but larger blocks are slower by measured factors of their own. */
	private static void assertPrediction(final Size template, final Size lags, final FourierShape shape) {
		final int[] block = shape.block();
		final double points = (double) block[0] * block[1] * block[2];
		final double slower = points <= 65536 ? 1 : points <= 147456 ? 1.25 : points <= 262144 ? 1.45 : points <= 589824 ? 2 : 3.2;
		double transforms = 1, parts = 1, all = 1;
		for (int d = 0; d < 3; d++) {
			transforms *= Math.ceil(lags.get(d) / (block[d] - shape.part()[d] + 1.0));
			parts *= Math.ceil(template.get(d) / (double) shape.part()[d]);
			all *= lags.get(d);
		}
		final double each = Math.ceil(transforms / 2) * (parts + 1) * slower / all, x = block[0], y = block[1];
		final boolean volume = block[2] > 1;
		// a row of a volume in any order counts as 22 further points
		final double expected = each * points * (volume ? 1 + 22 / x + 22 / y : 1);
		assertEquals(expected, shape.secondsPerLag((name, shipped) -> name.equals("fourier-point") ? 1 : 0), 1e-12 * expected);
		// and as 20 in each level: of the levels along x those along y, of all others those along x
		final double levels = log(points) + (y * block[2] == 1 ? 1 : 0);
		final double inLevels = each * points * (levels + (volume ? 20 * (log(x) / y + (log(y) + log(block[2])) / x) : 0));
		assertEquals(inLevels, shape.secondsPerLag((name, shipped) -> name.equals("fourier-point-level") ? 1 : 0), 1e-12 * inLevels);
	}

	private static double log(final double n) {
		return Math.log(n) / Math.log(2);
	}

	/**
	 * The time of short rows is predicted: 15.4 and 15.0 ns for each point of blocks of 96x12x12 and 96x24x24, without one of the transforms (Xeon, one thread,
	 * Java 17), where points alone and the rows along x gave 9.4 and 10.
	 */
	@Test
	void shortRowsOfVolumesArePredicted() {
		final FourierShape five = FourierShape.find(Size.of(5, 5, 5), Size.of(64, 64, 64), 1 << 23),
			nine = FourierShape.find(Size.of(9, 9, 9), Size.of(128, 128, 128), 1 << 23);
		assertArrayEquals(new int[] { 96, 12, 12 }, five.block());
		assertArrayEquals(new int[] { 96, 24, 24 }, nine.block());
		assumeFalse(Vectors.USED, "the figures are those of loops without the Vector API");
		// 64 and 128 blocks
		assertEquals(15.4e-9, five.secondsPerLag(Constants.SHIPPED) / (64.0 * 96 * 12 * 12 / (64 * 64 * 64)), 2e-9);
		assertEquals(15.0e-9, nine.secondsPerLag(Constants.SHIPPED) / (128.0 * 96 * 24 * 24 / (128 * 128 * 128)), 2e-9);
	}

	/**
	 * About 400 lags along x and y (8192 of a signal) or four templates: the nearest even number of blocks along x, the nearest number along y, one along z.
	 */
	private static void assertTiles(final Size template, final Size lags, final int max, final FourierShape shape) {
		final long[] step = new long[3], tile = new long[3];
		for (int d = 0; d < 3; d++) {
			step[d] = shape.block()[d] - shape.part()[d] + 1;
			final double about = Math.max(line(template, lags) ? 8192 : 400, 4 * template.get(d));
			final long units = d == 0 ? 2 : 1, nearest = units * Math.max(1, (long) Math.floor(about / step[d] / units + 0.5)), blocks = d == 2 ? 1 : nearest;
			tile[d] = Math.min(blocks * step[d], Math.max(step[d], lags.get(d)));
		}
		// halves of the blocks, along y and then along x, until a tile has no more lags than a block may have points
		while (tile[1] > step[1] && (double) tile[0] * tile[1] * tile[2] > max) tile[1] = Math.max(1, tile[1] / step[1] / 2) * step[1];
		while (tile[0] > 2 * step[0] && (double) tile[0] * tile[1] * tile[2] > max) tile[0] = 2 * Math.max(1, tile[0] / step[0] / 4) * step[0];
		assertArrayEquals(tile, Arrays.stream(shape.maxLags()).asLongStream().toArray());
		final double points = (double) shape.block()[0] * shape.block()[1] * shape.block()[2];
		// large blocks: pairs along y where their number along x is odd, and there are at least four rows of them
		final boolean alongY = points > 1 << 20 && Math.ceil(tile[0] / (double) step[0]) % 2 == 1 && tile[1] >= 2 * step[1]
			&& Math.ceil(lags.get(1) / (double) step[1]) >= 4;
		final boolean alongX = !alongY && tile[0] >= 2 * step[0];
		final long[] unit = { step[0] * (alongX ? 2 : 1), step[1] * (alongY ? 2 : 1), step[2] };
		assertArrayEquals(unit, Arrays.stream(shape.unit()).asLongStream().toArray());
	}

	/** Bytes for each point: 16, 24 if it is not transposed in place, 40 if parts are added. And a tile, its pixels, and its rows of sums. */
	private static void assertMemory(final Size t, final FourierShape shape) {
		final int[] block = shape.block(), tile = shape.maxLags();
		final long points = (long) block[0] * block[1] * block[2], lags = (long) tile[0] * tile[1] * tile[2];
		final long columns = tile[0] + t.get(0) - 1, rows = tile[1] + t.get(1) - 1, planes = tile[2] + t.get(2) - 1;
		final boolean cut = !Arrays.equals(new long[] { t.get(0), t.get(1), t.get(2) }, Arrays.stream(shape.part()).asLongStream().toArray());
		final long sums = 8 * columns * (t.get(2) == 1 ? t.get(1) : 2 * (t.get(1) + rows)), pixels = columns * rows * planes;
		final int bytes = cut ? 40 : block[0] == block[1] && block[2] == 1 ? 16 : 24;
		assertEquals(points * bytes + 8 * lags + 2 * pixels + sums, shape.bytes(PixelType.U16, false));
		assertEquals(points * 40 + 16 * lags + 4 * pixels + sums, shape.bytes(PixelType.F32, true));
	}

	/** One large block covers 300 lags along x, so two blocks along y share a transform: 325 and 1349 lags each. */
	@Test
	void pairsAlongY() {
		final FourierShape shape = FourierShape.find(Size.of(700, 700, 1), Size.of(300, 8000, 1), 1 << 24);
		assertArrayEquals(new int[] { 1024, 2048, 1 }, shape.block());
		assertArrayEquals(new int[] { 325, 2 * 1349, 1 }, shape.unit());
	}

	/** An eighth of the memory, with 64 bytes a point; never fewer than 64 points, never more than 2^24. */
	@Test
	void memoryLimitsPoints() {
		final Size t = Size.of(200, 200, 1), n = Size.of(3000, 3000, 1);
		for (final long[] m : new long[][] { { 1 << 20, 1 << 11 }, { 1L << 33, 1 << 24 }, { 1L << 40, 1 << 24 }, { 1, 64 } }) {
			final FourierShape of = FourierShape.of(t, n, new Device("cpu", "test", 2, m[0])), found = FourierShape.find(t, n, (int) m[1]);
			assertArrayEquals(found.block(), of.block());
			assertArrayEquals(found.maxLags(), of.maxLags());
			assertTrue((long) of.block()[0] * of.block()[1] <= m[1]);
		}
	}

	/** Two threads share the rows of a frame. One lag leaves one of them idle. */
	@Test
	void busyThreads() {
		final Device two = new Device("cpu", "test", 2, 1L << 33);
		for (final long rows : new long[] { 1, 4000 }) {
			final Size lags = Size.of(1, rows), template = Size.of(9, 9);
			final double busy = FourierShape.busy(Problems.correlation(PixelType.U8, PixelType.U8, Size.of(9, rows + 8), List.of(template),
				Weights.NONE, Lags.inside(lags), 1), two);
			if (rows == 1) assertEquals(1, busy);
			else assertTrue(busy > 1.5 && busy <= 2, "busy threads: " + busy);
		}
	}
}
