package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.ShiftExecution.Capacity;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.result.Mosaic.Link;
import sc.fiji.ncc.stitch.LinkMeasurement.Share;
import sc.fiji.ncc.stitch.LinkSearch.Found;

/** The shifts between small tiles with known positions, and why there is none. */
class LinkSearchTest {

	private static final int WIDTH = 56, HEIGHT = 40;
	private static final double LEVEL = 1e-3;
	private static final MovingTexture TEXTURE = new MovingTexture(2, 4), OTHER = new MovingTexture(2, 11);
	private static final ComputeOptions COMPUTE = ComputeOptions.DEFAULT.threads(1).backend("cpu").planner(new Planner(Backends.all(1)));

	/** @param value of the pixel at a place of the tile */
	private static Tile tile(final String name, final DoubleBinaryOperator value, final double... expected) {
		final float[] pixels = new float[WIDTH * HEIGHT];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) value.applyAsDouble(i % WIDTH, i / WIDTH);
		return Tile.of(name, ArrayImgs.floats(pixels, WIDTH, HEIGHT), expected);
	}

	/** A tile of the scene with noise. */
	private static Tile at(final String name, final double x, final double y, final double noise, final double... expected) {
		final Random random = new Random(name.hashCode());
		return tile(name, (i, k) -> 100 + 10 * TEXTURE.at(x + i, y + k) + noise * random.nextGaussian(), expected);
	}

	private static StitchParts parts(final Tiles tiles, final ComputeOptions compute, final double level) {
		return new StitchParts(tiles, compute, new StitchParts.Levels(null, level, LEVEL));
	}

	private static LinkSearch search(final StitchParts parts, final double level) {
		return new LinkSearch(2, level, parts.here());
	}

	private static List<Link> links(final double level, final Monitor monitor, final List<Tile> tiles) {
		final Tiles all = new Tiles(tiles, 2, t -> t);
		final List<TilePair> pairs = TilePair.of(all, new long[] { 5, 5 });
		final List<Link> links = search(parts(all, COMPUTE.monitor(monitor), level), level).links(pairs);
		assertEquals(pairs.stream().map(p -> p.a() + "-" + p.b()).toList(), links.stream().map(l -> l.a() + "-" + l.b()).toList());
		return links;
	}

	private static Link link(final Tile a, final Tile b) {
		return links(LEVEL, Monitor.NONE, List.of(a, b)).get(0);
	}

	private static void assertNone(final String reason, final Link link) {
		assertFalse(link.used(), link.toString());
		assertTrue(link.reason().startsWith(reason), link.reason());
	}

	/** Strips that show the same numbers are as exact as interpolation. */
	@Test
	void equalStripsHaveTheLeastError() {
		final Link link = link(at("a", 0, 0, 0, 0, 0), at("b", 30, 2, 0, 28, 1));
		assertTrue(link.used(), link.toString());
		assertEquals("", link.reason());
		assertArrayEquals(new double[] { 30, 2 }, link.shift(), 2e-3);
		assertEquals(1, link.score(), 1e-6);
		assertTrue(!(link.runnerUp() >= 0.9) && link.falseAlarms() < LEVEL, link.toString());
		for (int d = 0; d < 2; d++) assertEquals(1e-6, link.covariance()[d][d], 1e-7);
	}

	/** The standard deviations are those of the noise: the shift lies within five of them, and they grow with it. */
	@Test
	void noiseHasItsError() {
		double before = 0;
		for (final double noise : new double[] { 0.3, 1, 3 }) {
			final Link link = link(at("a", 0, 0, noise, 0, 0), at("b", 29.4, -1.7, noise, 31, 0));
			assertTrue(link.used(), link.toString());
			final double sigma = Math.sqrt(link.covariance()[0][0]);
			assertEquals(29.4, link.shift()[0], 5 * sigma);
			assertEquals(-1.7, link.shift()[1], 5 * Math.sqrt(link.covariance()[1][1]));
			assertTrue(sigma > 2 * before && sigma < 0.1, noise + ": " + sigma);
			before = sigma;
		}
	}

	/** Interpolation between pixels is the worse, the finer the texture is, also without noise. */
	@Test
	void fineTexturesHaveTheErrorOfInterpolation() {
		final double[] before = new double[2], moved = { 29.7, 1.3 };
		for (final double scale : new double[] { 1, 2, 2.4 }) {
			final DoubleBinaryOperator scene = (x, y) -> 100 + 10 * TEXTURE.at(scale * x, scale * y);
			final Link link = link(tile("a", scene, 0, 0), tile("b", (x, y) -> scene.applyAsDouble(x + moved[0], y + moved[1]), 28, 1));
			assertTrue(link.used(), link.toString());
			for (int d = 0; d < 2; d++) {
				final double sigma = Math.sqrt(link.covariance()[d][d]);
				assertEquals(moved[d], link.shift()[d], 5 * sigma);
				assertTrue(sigma > 1.2 * before[d], scale + ": " + sigma + " after " + before[d]);
				before[d] = sigma;
			}
		}
	}

	@Test
	void whatHasNoLinkSaysWhy() {
		final Tile a = at("a", 0, 0, 0.3, 0, 0);
		final Link blank = link(a, tile("b", (x, y) -> 7, 28, 1));
		assertNone("blank: all pixels are equal", blank);
		assertNull(blank.shift());
		assertNull(blank.covariance());
		assertTrue(Double.isNaN(blank.score()) && Double.isNaN(blank.runnerUp()) && Double.isNaN(blank.falseAlarms()));
		assertNone("blank", link(tile("b", (x, y) -> 7, 0, 0), at("a", 0, 0, 0.3, 28, 1)));
		final Link other = link(a, tile("b", (x, y) -> 100 + 10 * OTHER.at(x + 500, y), 28, 1));
		assertNone("too little structure in common", other);
		assertTrue(other.falseAlarms() > LEVEL);
		assertNone("ambiguous", link(tile("a", (x, y) -> Math.sin(2 * Math.PI * x / 4) + Math.sin(2 * Math.PI * y / 4), 0, 0),
			tile("b", (x, y) -> Math.sin(2 * Math.PI * x / 4) + Math.sin(2 * Math.PI * y / 4), 28, 0)));
		// 5 pixels from the expected place
		assertNone("the best shift lies at the end of the search: the stage error is larger", link(a, at("b", 33, 1, 0.3, 28, 1)));
		assertTrue(link(a, at("b", 32, 1, 0.3, 28, 1)).used());
	}

	@Test
	void theLevelDecides() {
		final List<Tile> tiles = List.of(at("a", 0, 0, 1, 0, 0), at("b", 30, 2, 1, 28, 1));
		final double alarms = links(LEVEL, Monitor.NONE, tiles).get(0).falseAlarms();
		assertTrue(links(alarms * 1.01, Monitor.NONE, tiles).get(0).used());
		assertNone("too little structure in common", links(alarms * 0.99, Monitor.NONE, tiles).get(0));
	}

	/** Tiles in a row, one of which is blank: each pair has the link that it has alone. */
	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void pairsOfOneShapeAreMeasuredTogether(final int blank) {
		final List<Tile> row = new ArrayList<>();
		for (int i = 0; i < 7; i++) row.add(i == blank ? tile("t" + i, (x, y) -> 7, 28 * i, 0) : at("t" + i, 28 * i + 0.7 * (i % 3), i % 2, 0.3, 28 * i, 0));
		final int[] told = { 0 };
		final List<Link> links = links(LEVEL, new Monitor() {

			@Override
			public void done(final long steps) {
				told[0] += steps;
			}
		}, row);
		assertEquals(6, links.size());
		assertEquals(6, told[0]);
		for (int i = 0; i < 6; i++) {
			final Link alone = link(row.get(i), row.get(i + 1)), link = links.get(i);
			assertEquals(i != blank - 1 && i != blank, link.used(), link.toString());
			assertEquals(alone.reason(), link.reason());
			assertEquals(alone.score(), link.score(), 1e-6);
			if (link.used()) assertArrayEquals(alone.shift(), link.shift(), 1e-4);
		}
	}

	/** The illumination falls towards the borders of each tile. It does not move the links along x, in whichever order tiles come. */
	@ParameterizedTest
	@ValueSource(ints = { 28, -28 })
	void aSlopeOfTheGainDoesNotMoveLinks(final int step) {
		final List<Tile> row = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			final int n = i;
			final Random random = new Random(i);
			row.add(tile("t" + i, (x, y) -> (1 - 0.3 * Math.pow((x - 27.5) / 28, 2)) * (100 + 10 * TEXTURE.at((step > 0 ? 0 : 112) + step * n + x, y))
				+ 0.1 * random.nextGaussian(), step * i, 0));
		}
		for (final Link link : links(LEVEL, Monitor.NONE, row)) {
			assertTrue(link.used(), link.toString());
			assertArrayEquals(new double[] { step, 0 }, link.shift(), 0.15, link.toString());
		}
	}

	@Test
	void aCanceledSearchEnds() {
		assertThrows(CancellationException.class, () -> links(LEVEL, new Monitor() {

			@Override
			public boolean canceled() {
				return true;
			}
		}, List.of(at("a", 0, 0, 1, 0, 0), at("b", 30, 2, 1, 28, 1))));
	}

	/** One ranking for each shape of strips. */
	@Test
	void rankingsOfTheShapes() {
		final Tiles all = new Tiles(List.of(at("a", 0, 0, 0, 0, 0), at("b", 28, 0, 0, 28, 0), at("c", 0, 20, 0, 0, 20)), 2, t -> t);
		final StitchParts parts = parts(all, COMPUTE, LEVEL);
		assertEquals(List.of(), parts.rankings());
		search(parts, LEVEL).links(TilePair.of(all, new long[] { 5, 5 }));
		assertTrue(parts.rankings().size() >= 2);
		assertEquals("shifts of 2 F32 frames", parts.rankings().get(0).explain().lines().findFirst().orElseThrow().substring(0, 22));
		// both strips of each pair of a row, in the type of the tiles
		final byte[] pixels = new byte[WIDTH * HEIGHT];
		new Random(1).nextBytes(pixels);
		final Tiles row = new Tiles(IntStream.range(0, 4).mapToObj(i -> Tile.of("t" + i, ArrayImgs.unsignedBytes(pixels, WIDTH, HEIGHT), 28 * i, 0)).toList(), 2,
			t -> t);
		final StitchParts alike = parts(row, COMPUTE, LEVEL);
		search(alike, LEVEL).links(TilePair.of(row, new long[] { 5, 5 }));
		assertEquals("shifts of 6 U8 frames", alike.rankings().get(0).explain().lines().findFirst().orElseThrow().substring(0, 21));
	}

	private static final double READ = 2.0 * 200 * 2048 * 100;

	private static Share share(final int pairs, final int threads, final Capacity... capacities) {
		return share(pairs, threads, 16, 1e15, capacities);
	}

	/** Strips of 200x2048x100 pixels of 16 bit. */
	private static Share share(final int pairs, final int threads, final int processors, final double heap, final Capacity... capacities) {
		return Share.of(pairs, List.of(capacities), threads, processors, new LinkMeasurement.Strips(READ, 2 * READ, heap));
	}

	/** The threads never hold more frames than memory does, of the candidate with the least memory. */
	@Test
	void threadsShareThePairs() {
		final Capacity cpu = new Capacity(16, 4, 64), gpu = new Capacity(22, 4, 64), little = new Capacity(3, 1, 6);
		assertEquals(new Share(1, 2), share(1, 16, cpu), "one pair");
		assertEquals(new Share(2, 2), share(3, 16, cpu), "two pairs share their transforms");
		assertEquals(new Share(16, 6), share(2400, 16, cpu), "192 frames");
		assertEquals(new Share(2, 8), share(2400, 2, cpu));
		assertEquals(new Share(2, 4), share(80, 2, cpu), "each thread takes pairs eight times");
		assertEquals(new Share(22, 4), share(2400, 16, gpu, cpu), "six threads wait for the GPU");
		assertEquals(new Share(10, 8), share(2400, 4, gpu, cpu));
		assertEquals(new Share(3, 2), share(2400, 16, little));
		assertEquals(new Share(3, 2), share(2400, 16, gpu, little), "the CPU may have to continue");
		for (final Capacity c : List.of(cpu, gpu, little, new Capacity(1, 1, 0), new Capacity(2, 2, 3)))
			for (int pairs = 1; pairs < 5000; pairs += 7) {
				final Share s = share(pairs, 16, c);
				assertTrue(s.pairs() % 2 == 0 && (s.threads() == 1 && s.pairs() == 2 || 2 * s.threads() * s.pairs() <= c.frames()), pairs + ": " + s);
			}
	}

	/** Threads beside those that were asked for wait for a GPU. Without one there are none, also if more threads than processors were asked for. */
	@Test
	void moreThreadsThanProcessors() {
		assertEquals(4, share(2400, 4, 2, 1e15, new Capacity(4, 4, 64)).threads());
		assertEquals(32, share(2400, 32, 16, 1e15, new Capacity(32, 4, 64)).threads());
		assertEquals(8, share(2400, 4, 2, 1e15, new Capacity(8, 4, 64), new Capacity(4, 4, 64)).threads(), "the two processors, and six that wait for the GPU");
	}

	/** A GPU may hold many strips that the heap cannot. */
	@Test
	void theHeapBoundsTheStrips() {
		final Capacity gpu = new Capacity(22, 4, 64);
		assertEquals(new Share(22, 4), share(2400, 16, 16, 1e11, gpu));
		assertEquals(new Share(3, 2), share(2400, 16, 16, 2e9, gpu));
		assertEquals(new Share(1, 4), share(2400, 16, 16, 1e9, gpu));
		assertEquals(new Share(1, 2), share(2400, 16, 16, 1e6, gpu), "the fewest");
		for (double heap = 8 * READ; heap < 1e11; heap *= 1.1)
			for (int pairs = 1; pairs < 5000; pairs += 97) {
				final Share s = share(pairs, 16, 16, heap, gpu);
				assertTrue(s.threads() * (2 * s.pairs() * READ + 2 * 2 * READ) <= heap, heap + " bytes, " + pairs + " pairs: " + s);
			}
	}

	private static Found found(final boolean judged, final boolean fitted, final double chance, final boolean used, final double alarms, final double score,
		final double runnerUp, final double... shift)
	{
		return new Found(new Link(0, 1, shift, score, runnerUp, alarms, null, Double.NaN, Double.NaN, used, used ? "" : "ambiguous at " + alarms), judged, fitted,
			chance, null, null);
	}

	/** A chance of at most 0.1, and a residual that grows by half at the runner-up. */
	@Test
	void whatLoopsMayConfirm() {
		assertTrue(found(true, true, 0.1, false, 1, 0.8, 0.7, 1, 2).isCandidate());
		assertFalse(found(false, true, 0.1, false, 1, 0.8, 0.7, 1, 2).isCandidate(), "at the end of the search");
		assertFalse(found(true, true, 0.11, false, 1, 0.8, 0.7, 1, 2).isCandidate());
		assertFalse(found(true, true, 0.1, false, 1, 0.8, 0.71, 1, 2).isCandidate());
		assertTrue(found(true, true, 0.1, false, 1, 0.75, 0.625, 1, 2).isCandidate(), "exactly half as much again");
		assertTrue(found(true, true, 0.1, false, 1, 0.8, Double.NaN, 1, 2).isCandidate(), "no runner-up");
	}

	/** The shift is that of the pixels if both agree, and the judgement that with fewer false alarms. Other fine details count if they are certain and fitted. */
	@Test
	void pixelsAndFineDetailsTogether() {
		final Found plain = found(true, false, 0.02, false, 0.5, 0.6, 0.5, 10, 3);
		assertEquals(plain, LinkSearch.joined(plain, found(false, true, 0.001, true, 1e-6, 0.9, 0.1, 10, 3)), "details at the end of the search");
		final Found same = LinkSearch.joined(plain, found(true, true, 0.001, true, 1e-6, 0.9, 0.1, 10, 3));
		assertArrayEquals(new double[] { 10, 3 }, same.link().shift());
		assertEquals(List.of(0.9, 0.1, 1e-6, true, ""), List.of(same.link().score(), same.link().runnerUp(), same.link().falseAlarms(), same.link().used(),
			same.link().reason()));
		assertTrue(same.judged() && !same.fitted());
		assertEquals(0.001, same.chance());
		final Found worse = LinkSearch.joined(plain, found(true, true, 0.5, false, 0.7, 0.9, 0.1, 10, 3));
		assertEquals(List.of(0.6, 0.5, 0.5, false, "ambiguous at 0.5"), List.of(worse.link().score(), worse.link().runnerUp(), worse.link().falseAlarms(),
			worse.link().used(), worse.link().reason()));
		assertEquals(0.02, worse.chance());
		final Found equal = LinkSearch.joined(plain, found(true, true, 0.5, false, 0.5, 0.9, 0.1, 10, 3));
		assertEquals(0.6, equal.link().score());
		final Found other = LinkSearch.joined(plain, found(true, true, 0.001, true, 1e-6, 0.9, 0.1, 20, 3));
		assertArrayEquals(new double[] { 20, 3 }, other.link().shift());
		assertTrue(other.fitted() && other.link().used());
		assertEquals(plain, LinkSearch.joined(plain, found(true, false, 0.001, true, 1e-6, 0.9, 0.1, 20, 3)), "another shift, without a fit");
		assertEquals(plain, LinkSearch.joined(plain, found(true, true, 0.001, false, 1e-6, 0.9, 0.1, 20, 3)), "another shift, not certain");
	}

	/** Parts have all pairs in order, and each pair is a step of progress once. */
	@Test
	void tasksAreDivided() {
		final Tiles all = new Tiles(List.of(at("a", 0, 0, 0, 0, 0), at("b", 28, 0, 0, 28, 0), at("c", 56, 0, 0, 56, 0), at("d", 84, 0, 0, 84, 0)), 2, t -> t);
		final List<LinkTask.Item> items = TilePair.of(all, new long[] { 5, 5 }).stream().map(p -> new LinkTask.Item(p, null, null)).toList();
		final LinkTask task = new LinkTask(LinkTask.Look.PIXELS, 3, items);
		final List<LinkTask> parts = task.divided(2);
		assertEquals(List.of(items.subList(0, 2), items.subList(2, 3)), parts.stream().map(LinkTask::pairs).toList());
		assertEquals(3, parts.stream().mapToInt(LinkTask::steps).sum());
		assertEquals(0, new LinkTask(LinkTask.Look.FINE_DETAILS, 3, items).steps());
	}

	@Test
	void aFitHasFiniteVariances() {
		assertFalse(LinkMeasurement.isFitted(null, 2));
		assertTrue(LinkMeasurement.isFitted(new double[][] { { 0.1, 0, 0 }, { 0, 0.2, 0 }, { 0, 0, 0 } }, 2), "the third dimension does not count");
		assertFalse(LinkMeasurement.isFitted(new double[][] { { 0.1, 0 }, { 0, 0 } }, 2));
		assertFalse(LinkMeasurement.isFitted(new double[][] { { Double.POSITIVE_INFINITY, 0 }, { 0, 1 } }, 2));
		assertFalse(LinkMeasurement.isFitted(new double[][] { { 0.1, 0 }, { 0, Double.NaN } }, 2));
	}
}
