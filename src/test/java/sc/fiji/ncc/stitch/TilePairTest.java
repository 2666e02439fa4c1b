package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.result.Mosaic.Link;

/** Which tiles are compared, in which strips, and what their links say of the stage. */
class TilePairTest {

	private static final int WIDTH = 100, HEIGHT = 80;

	private static Tiles tiles(final double[]... positions) {
		final List<Tile> all = new ArrayList<>();
		for (int i = 0; i < positions.length; i++) all.add(Tile.of("tile " + i, ArrayImgs.bytes(WIDTH, HEIGHT), positions[i]));
		return new Tiles(all, 2, t -> t);
	}

	private static TilePair pair(final double x, final double y, final long... error) {
		final List<TilePair> pairs = TilePair.of(tiles(new double[] { 0, 0 }, new double[] { x, y }), error);
		assertEquals(1, pairs.size());
		return pairs.get(0);
	}

	private static List<String> numbers(final List<TilePair> pairs) {
		return pairs.stream().map(p -> p.a() + "-" + p.b()).toList();
	}

	/** An overlap along y of 5 pixels counts, too, where that along x has 48. */
	@Test
	void thinSidesAreCompared() {
		final Tiles grid = tiles(new double[] { 0, 0 }, new double[] { 52, 0 }, new double[] { 0, 75 }, new double[] { 52, 75 });
		assertEquals(List.of("0-1", "0-2", "1-3", "2-3"), numbers(TilePair.of(grid, new long[] { 5, 5 })));
	}

	/** Neighbours along x and y in a grid. Tiles across a corner have a small part of the overlap of the others, and are left out. */
	@Test
	void neighboursAreCompared() {
		final Tiles grid = tiles(new double[] { 0, 0 }, new double[] { 80, 0 }, new double[] { 0, 60 }, new double[] { 80, 60 });
		assertEquals(List.of("0-1", "0-2", "1-3", "2-3"), numbers(TilePair.of(grid, new long[] { 5, 5 })));
		final Tiles unplaced = new Tiles(List.of(Tile.of("a", ArrayImgs.bytes(WIDTH, HEIGHT), (double[]) null),
			Tile.of("b", ArrayImgs.bytes(WIDTH, HEIGHT), (double[]) null),
			Tile.of("c", ArrayImgs.bytes(WIDTH, HEIGHT), (double[]) null)), 2, t -> t);
		final List<TilePair> all = TilePair.of(unplaced, null);
		assertEquals(List.of("0-1", "0-2", "1-2"), numbers(all));
		for (final TilePair p : all) {
			assertNull(p.error());
			assertArrayEquals(new long[] { WIDTH, HEIGHT }, p.sizeA());
			assertEquals(0.1, p.minOverlap());
		}
	}

	/** Eight pixels must be possible: those expected and the error of the stage. */
	@ParameterizedTest
	@CsvSource({ "92, 0, true", "93, 0, false", "93, 1, true", "110, 17, false", "110, 18, true", "-92, 0, true", "-93, 0, false" })
	void anOverlapOfEightPixelsIsEnough(final double x, final long error, final boolean compared) {
		assertEquals(compared ? 1 : 0, TilePair.of(tiles(new double[] { 0, 0 }, new double[] { x, 0 }), new long[] { error, error }).size());
	}

	/**
	 * One strip is the expected overlap, the other one is longer by the error, on the side where the tile goes on. The shift between the strips is then 0,
	 * and the distance of
	 * the tiles follows from it.
	 */
	@Test
	void stripsHoldTheOverlapAndTheError() {
		final TilePair right = pair(80, 3, 5, 4);
		assertArrayEquals(new long[] { 80, 3 }, right.minA());
		assertArrayEquals(new long[] { 0, 0 }, right.minB());
		// the first tile ends; the second one goes on
		assertArrayEquals(new long[] { 20, 77 }, right.sizeA());
		assertArrayEquals(new long[] { 25, 80 }, right.sizeB());
		for (int d = 0; d < 2; d++) assertEquals(0, right.centre(d));
		assertArrayEquals(new double[] { 80, 3 }, right.distance(new double[2]));
		assertArrayEquals(new double[] { 78.5, 4 }, right.distance(new double[] { 1.5, -1 }));
		final TilePair left = pair(-80, -3, 5, 4);
		assertArrayEquals(new long[] { 0, 0 }, left.minA());
		assertArrayEquals(new long[] { 80, 3 }, left.minB());
		assertArrayEquals(new long[] { 25, 80 }, left.sizeA());
		assertArrayEquals(new long[] { 20, 77 }, left.sizeB());
		assertArrayEquals(new double[] { -80, -3 }, left.distance(new double[2]));
		assertEquals(11 * 9, right.shifts());
		// of 20 columns 5 can be missing, of 77 rows 4
		assertEquals((20 - 5) / 20.0 * (77 - 4) / 77.0, right.minOverlap(), 1e-12);
	}

	/** An overlap of less than eight pixels is extended to eight into both tiles, as far as they go. */
	@Test
	void smallOverlapsAreExtended() {
		final TilePair apart = pair(98, 0, 10, 4);
		assertArrayEquals(new long[] { 92, 0 }, apart.minA());
		assertEquals(0, apart.minB()[0]);
		assertEquals(8, apart.sizeA()[0]);
		assertEquals(12, apart.sizeB()[0]);
		// the strip of the first tile begins six columns earlier
		assertEquals(-6, apart.centre(0));
		assertArrayEquals(new double[] { 98, 0 }, apart.distance(new double[] { -6, 0 }));
		assertEquals(1 * (80 - 4) / 80.0, apart.minOverlap(), 1e-12, "eight pixels remain of eight");
	}

	/** Of six slices, three must be possible, and more than three must overlap. */
	@Test
	void ofFewSlicesHalfMustOverlap() {
		for (int z = 0; z <= 6; z++) {
			final Tiles tiles = new Tiles(List.of(Tile.of("a", ArrayImgs.bytes(WIDTH, HEIGHT, 6), 0, 0, 0),
				Tile.of("b", ArrayImgs.bytes(WIDTH, HEIGHT, 6), 80, 0, z)), 3,
				t -> t);
			final List<TilePair> pairs = TilePair.of(tiles, new long[] { 5, 5, 1 });
			assertEquals(z <= 4 ? 1 : 0, pairs.size(), z + " slices");
			if (z > 0) continue;
			final TilePair pair = TilePair.of(tiles, new long[] { 5, 5, 4 }).get(0);
			assertEquals(15 / 20.0 * 75 / 80.0 * 3 / 6, pair.minOverlap(), 1e-12);
			for (int lag = -5; lag <= 5; lag++) assertEquals(Math.abs(lag) < 3, pair.allows(new int[] { 0, 0, lag }), lag + " slices");
		}
	}

	/** Shifts within the error, of which more than eight pixels overlap. */
	@Test
	void shiftsWithinTheErrorAreAllowed() {
		final TilePair right = pair(80, 3, 5, 4);
		for (int x = -7; x <= 7; x++)
			for (int y = -6; y <= 6; y++) assertEquals(Math.abs(x) <= 5 && Math.abs(y) <= 4, right.allows(new int[] { x, y }), x + ", " + y);
		final TilePair small = pair(90, 0, 5, 4);
		// strips of 10 and 15 columns: a shift to the right leaves fewer than nine
		for (int x = -5; x <= 5; x++) assertEquals(Math.min(10, 15 - x) - Math.max(0, -x) > 8, small.allows(new int[] { x, 0 }), x + " columns");
		final TilePair any = TilePair.of(new Tiles(List.of(Tile.of("a", ArrayImgs.bytes(WIDTH, HEIGHT), (double[]) null),
			Tile.of("b", ArrayImgs.bytes(WIDTH, HEIGHT), (double[]) null)), 2,
			t -> t), null).get(0);
		assertTrue(any.allows(new int[] { 91, 0 }));
		assertFalse(any.allows(new int[] { 92, 0 }));
		assertTrue(any.allows(new int[] { 0, -71 }));
		assertFalse(any.allows(new int[] { 0, -72 }));
		assertEquals(180.0 * 144, any.shifts(), 1e-9);
	}

	private static Link found(final TilePair p, final double... deviation) {
		final double[] shift = p.expected().clone();
		for (int d = 0; d < 2; d++) shift[d] += deviation[d];
		return new Link(p.a(), p.b(), shift, 0.9, 0.5, 1e-6, new double[][] { { 1, 0 }, { 0, 1 } }, Double.NaN, Double.NaN, true, "");
	}

	/** Links of a row stretched by 2 and 1 pixels, as b minus a in either order; links of a column by −1 and 3. The standard deviation is about each median. */
	@Test
	void theStageHasAnOffsetForEachDirection() {
		final List<TilePair> pairs = new ArrayList<>();
		final List<Link> links = new ArrayList<>();
		final double[] spread = { -3, -1, 0, 1, 3 };
		for (final double s : spread) {
			pairs.add(pair(80, 0, 20, 20));
			links.add(found(pairs.get(pairs.size() - 1), 2 + s, 1));
			pairs.add(pair(0, -60, 20, 20));
			links.add(found(pairs.get(pairs.size() - 1), -(-1), -(3 + 2 * s)));
		}
		final StageModel stage = StageModel.of(pairs, links, new long[] { 20, 20 });
		assertArrayEquals(new double[] { 2, 1 }, stage.offset()[0]);
		assertArrayEquals(new double[] { -1, 3 }, stage.offset()[1]);
		// all ten deviations of a dimension count: five of them are 0
		assertEquals(Math.sqrt((9 + 9 + 1 + 1) / 10.0), stage.sigma()[0], 1e-12);
		assertEquals(Math.sqrt(4 * (9 + 9 + 1 + 1) / 10.0), stage.sigma()[1], 1e-12);
		assertArrayEquals(new double[] { 82, 1 }, stage.distance(pairs.get(0)));
		assertArrayEquals(new double[] { 1, -63 }, stage.distance(pairs.get(1)));
		assertTrue(StageModel.isMeasured(links.subList(0, 4)));
		assertFalse(StageModel.isMeasured(links.subList(0, 3)));
		// twice the largest deviation and three pixels, or what was compared
		assertArrayEquals(new long[] { 2 * 5 + 3, 20 }, StageModel.error(pairs, links, new long[] { 20, 20 }));
		assertArrayEquals(new long[] { 9, 21 }, StageModel.error(pairs, links, new long[] { 9, 40 }));
	}

	/** Three links of a direction say too little. Without any, half of the error that was compared is taken, at least half a pixel. */
	@Test
	void fewLinksSayNothingOfTheStage() {
		final List<TilePair> pairs = new ArrayList<>();
		final List<Link> links = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			pairs.add(pair(80, 0, 20, 20));
			links.add(found(pairs.get(i), 5, 5));
		}
		final StageModel stage = StageModel.of(pairs, links, new long[] { 20, 0 });
		assertArrayEquals(new double[] { 0, 0 }, stage.offset()[0]);
		assertArrayEquals(new double[] { 10, 0.5 }, stage.sigma());
		pairs.add(pairs.get(0));
		links.add(found(pairs.get(0), 5, 5));
		assertArrayEquals(new double[] { 5, 5 }, StageModel.of(pairs, links, new long[] { 20, 0 }).offset()[0]);
		assertArrayEquals(new double[] { 0.5, 0.5 }, StageModel.of(pairs, links, new long[] { 20, 20 }).sigma(), "they agree");
	}

	/** A tenth of a tile, and at least 24 pixels, if that is not more than half of it. */
	@Test
	void theFirstSearchReachesATenthOfATile() {
		assertArrayEquals(new long[] { 24, 24 }, StageModel.first(tiles(new double[] { 0, 0 }, new double[] { 1, 1 })));
		final Tiles other = new Tiles(List.of(Tile.of("a", ArrayImgs.bytes(300, 30), 0, 0), Tile.of("b", ArrayImgs.bytes(300, 30), 1, 1)), 2, t -> t);
		assertArrayEquals(new long[] { 30, 15 }, StageModel.first(other));
	}

	/** From all parts of the mosaic. */
	@Test
	void theSampleHasPairsOfAllParts() {
		final TilePair[] all = new TilePair[640];
		for (int i = 0; i < all.length; i++) all[i] = new TilePair(i, i + 1, new double[2], null, null, null, null, null, null);
		final List<TilePair> sample = StageModel.sample(Arrays.asList(all));
		assertEquals(32, sample.size());
		for (int i = 0; i < 32; i++) assertEquals(20 * i + 10, sample.get(i).a());
		assertEquals(32, StageModel.sample(Arrays.asList(all).subList(0, 32)).size());
		assertEquals(31, StageModel.sample(Arrays.asList(all).subList(0, 31)).size());
		for (int i = 0; i < 320; i++) all[i] = new TilePair(i, i + 1, null, null, null, null, null, null, null);
		for (final TilePair pair : StageModel.sample(Arrays.asList(all))) assertTrue(pair.a() >= 320, "no neighbours: " + pair.a());
	}
}
