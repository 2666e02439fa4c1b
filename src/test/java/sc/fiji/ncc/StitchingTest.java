package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.fixture.VolumeTiles;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.stitch.Fusion;
import sc.fiji.ncc.stitch.MosaicImage;
import sc.fiji.ncc.stitch.MosaicSample;
import sc.fiji.ncc.stitch.Tile;

class StitchingTest {

	/** The largest distance of linked tiles from their true positions, relative to the mean, in pixels. */
	private static double largestError(final Mosaic mosaic, final double[][] truth) {
		final int[] linked = IntStream.range(0, truth.length).filter(i -> mosaic.tiles().get(i).linked()).toArray();
		double largest = 0;
		for (int d = 0; d < truth[0].length; d++) {
			final int along = d;
			final double mean = IntStream.of(linked).mapToDouble(i -> mosaic.tiles().get(i).position()[along] - truth[i][along]).average().orElseThrow();
			for (final int i : linked) largest = Math.max(largest, Math.abs(mosaic.tiles().get(i).position()[d] - truth[i][d] - mean));
		}
		return largest;
	}

	@Test
	void theSampleIsPlaced() {
		final Mosaic mosaic = Stitching.of(MosaicSample.tiles()).measure();
		assertTrue(largestError(mosaic, MosaicSample.positions()) < 0.1, () -> mosaic.summary() + " " + mosaic.links());
		for (int i = 0; i < mosaic.tiles().size(); i++) assertEquals(i != MosaicSample.BLANK, mosaic.tiles().get(i).linked(), mosaic.links().toString());
		assertTrue(mosaic.tiles().get(MosaicSample.BLANK).sigma(0) > 0.5);
		assertTrue(mosaic.links().stream().filter(l -> l.b() == MosaicSample.BLANK || l.a() == MosaicSample.BLANK).noneMatch(Mosaic.Link::used));
		assertEquals(17, mosaic.links().size());
	}

	@Test
	void tilesWithoutPositionsAreComparedEachWithEach() {
		final List<Tile> tiles = MosaicSample.tiles().subList(0, 3).stream().map(t -> t.at((double[]) null)).toList();
		final Mosaic mosaic = Stitching.of(tiles).measure();
		final double[][] truth = MosaicSample.positions();
		assertEquals(3, mosaic.links().size());
		assertTrue(mosaic.tiles().get(2).linked(), mosaic.links().toString());
		for (int i = 1; i < 3; i++)
			for (int d = 0; d < 2; d++)
				assertEquals(truth[i][d] - truth[0][d], mosaic.tiles().get(i).position()[d] - mosaic.tiles().get(0).position()[d], 0.15);
	}

	/** Each pair is a step. Without a stage error, pairs are measured first to estimate it. */
	@Test
	void thePairsAreSteps() {
		final List<Tile> placed = MosaicSample.tiles(), unplaced = placed.stream().limit(3).map(t -> t.at((double[]) null)).toList();
		assertEquals(List.of(3L, 3L), steps(Stitching.of(unplaced)));
		assertEquals(List.of(17L, 17L), steps(Stitching.of(placed).stageError(15, 15)));
		assertEquals(List.of(34L, 34L), steps(Stitching.of(placed)));
	}

	/** One link does not say how far the stage stands from where it was sent: the error is that of the search for the first links. */
	@Test
	void theStageErrorIsAssumedIfThereAreFewLinks() {
		final List<Tile> tiles = MosaicSample.tiles().subList(0, 2);
		final long[] size = tiles.get(0).size();
		final Mosaic mosaic = Stitching.of(tiles).measure();
		assertEquals(1, mosaic.links().stream().filter(Mosaic.Link::used).count());
		assertFalse(mosaic.stageMeasured());
		// a tenth of a tile, and at least 24 pixels
		for (int d = 0; d < 2; d++) assertEquals(Math.max(24, size[d] / 10), mosaic.stageError()[d]);
		final Mosaic all = Stitching.of(MosaicSample.tiles()).measure();
		assertTrue(all.stageMeasured() && all.stageError()[0] < mosaic.stageError()[0], Arrays.toString(all.stageError()));
	}

	/** The number of steps that is told first, and that of the steps that are done. */
	private static List<Long> steps(final Stitching stitching) {
		final long[] told = new long[2];
		stitching.monitor(new Monitor() {

			@Override
			public void total(final long steps) {
				told[0] = steps;
			}

			@Override
			public void done(final long steps) {
				told[1] += steps;
			}
		}).measure();
		return List.of(told[0], told[1]);
	}

	@Test
	void aTileWithoutLinksAndPositionIsLeftOut() {
		final List<Tile> all = MosaicSample.tiles();
		final Mosaic mosaic = Stitching.of(List.of(all.get(0), all.get(1), all.get(3)).stream().map(t -> t.at((double[]) null)).toList()).measure();
		assertNull(mosaic.tiles().get(2).position());
		assertFalse(mosaic.tiles().get(2).linked());
	}

	/** One tile without a position lies where its links say, relative to the others, and the blank one nowhere. */
	@Test
	void tilesWithoutAPositionAreComparedWithAllOthers() {
		final List<Tile> tiles = new ArrayList<>(MosaicSample.tiles());
		for (final int i : new int[] { 0, MosaicSample.BLANK }) tiles.set(i, tiles.get(i).at((double[]) null));
		final Mosaic mosaic = Stitching.of(tiles).measure(), all = Stitching.of(MosaicSample.tiles()).measure();
		assertTrue(largestError(mosaic, MosaicSample.positions()) < 0.1, () -> mosaic.summary() + " " + mosaic.links());
		for (int i = 0; i < tiles.size(); i++) assertEquals(i != MosaicSample.BLANK, mosaic.tiles().get(i).linked(), mosaic.links().toString());
		assertNull(mosaic.tiles().get(MosaicSample.BLANK).position());
		assertEquals(all.tiles().get(0).links(), mosaic.tiles().get(0).links());
		assertTrue(mosaic.summary().contains(", 1 tile without a position,"), mosaic.summary());
		// the mean distance of the placed tiles from the stage is 0
		for (int d = 0; d < 2; d++) {
			double sum = 0;
			for (int i = 0; i < tiles.size(); i++) if (tiles.get(i).position() != null) sum += mosaic.tiles().get(i).position()[d] - tiles.get(i).position()[d];
			assertEquals(0, sum, 1e-6);
		}
	}

	/** Two tiles that only the stage places do not lie where a larger group without a position lies. */
	@Test
	void theStagePlacesTheMosaic() {
		final List<Tile> all = MosaicSample.tiles();
		final Mosaic mosaic = Stitching.of(List.of(all.get(8).at((double[]) null), all.get(9).at((double[]) null), all.get(10).at((double[]) null), all.get(0),
			all.get(2))).measure();
		for (int i = 0; i < 5; i++) assertEquals(i > 2, mosaic.tiles().get(i).position() != null, mosaic.summary() + mosaic.links());
	}

	private static Tile part(final RandomAccessibleInterval<?> scene, final String name, final long[] min, final long[] size, final double... position) {
		final long[] max = new long[min.length];
		for (int d = 0; d < max.length; d++) max[d] = min[d] + size[d] - 1;
		return Tile.of(name, Views.zeroMin(Views.interval(scene, min, max)), position);
	}

	private static ArrayImg<FloatType, ?> scene(final long... size) {
		final Random random = new Random(5);
		int n = 1;
		for (final long s : size) n *= s;
		final float[] pixels = new float[n];
		for (int i = 0; i < n; i++) pixels[i] = (float) random.nextGaussian();
		for (int stride = 1, d = 0; d < size.length; stride *= size[d++])
			for (int i = 0; i + 2 * stride < n; i++) pixels[i] = 0.25f * pixels[i] + 0.5f * pixels[i + stride] + 0.25f * pixels[i + 2 * stride];
		return ArrayImgs.floats(pixels, size);
	}

	@Test
	void volumesAreStitched() {
		final RandomAccessibleInterval<?> scene = scene(90, 60, 20);
		final Mosaic mosaic = Stitching.of(List.of(part(scene, "a", new long[3], new long[] { 50, 56, 16 }, 0, 0, 0),
			part(scene, "b", new long[] { 40, 3, 2 }, new long[] { 50, 56, 16 }, 38, 1, 0))).stageError(5, 5, 3).measure();
		assertTrue(mosaic.links().get(0).used(), mosaic.links().toString());
		final double[] a = mosaic.tiles().get(0).position(), b = mosaic.tiles().get(1).position();
		assertEquals(40, b[0] - a[0], 0.02);
		assertEquals(3, b[1] - a[1], 0.02);
		assertEquals(2, b[2] - a[2], 0.02);
	}

	/** Positions within a tenth of a pixel, all four links, and a mosaic in which each place shows what its tile shows, but for noise. */
	@Test
	void aMosaicOfVolumesHasItsPlacesAndItsPixels() {
		final List<Tile> tiles = VolumeTiles.tiles();
		final Stitching stitching = Stitching.of(tiles).stageError(8, 8, 4);
		final Mosaic mosaic = stitching.measure();
		assertEquals(4, mosaic.links().stream().filter(Mosaic.Link::used).count(), mosaic.links().toString());
		for (int i = 1; i < 4; i++)
			for (int d = 0; d < 3; d++)
				assertEquals(0, VolumeTiles.error(i, d, mosaic.tiles().get(i).position()[d], mosaic.tiles().get(0).position()[d]), 0.1, mosaic.tiles().toString());
		final MosaicImage fused = stitching.fused(mosaic, new Fusion(Fusion.Blending.FIRST, Interpolation.INTEGER, 0));
		final Img<?> image = fused.image();
		for (int d = 0; d < 3; d++) assertTrue(VolumeTiles.isExtent(image.dimension(d), d), image.dimension(d) + " pixels along " + "xyz".charAt(d));
		final double[] first = mosaic.tiles().get(0).position();
		for (int i = 0; i < 4; i++) {
			final RandomAccessibleInterval<?> tile = tiles.get(i).pixels().get();
			final long[] at = new long[3];
			for (int d = 0; d < 3; d++) at[d] = Math.round(first[d]) + Math.round(mosaic.tiles().get(i).position()[d] - first[d]) - fused.origin()[d];
			// the right half of a tile on the right: no other tile lies there
			for (int x = i % 2 == 0 ? 5 : 200; x < 256; x += 50)
				for (int y = i / 2 == 0 ? 5 : 200; y < 256; y += 50)
					for (int z = 0; z < 16; z += 5) assertEquals(((UnsignedShortType) tile.getAt(x, y, z)).get(),
						((UnsignedShortType) image.getAt(at[0] + x, at[1] + y, at[2] + z)).get(), "tile " + i + ": " + x + "," + y + "," + z);
		}
	}

	/** Six slices: half of them must overlap. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void volumesOfFewSlicesAreStitched(final int deeper) {
		final RandomAccessibleInterval<?> scene = scene(230, 140, 10);
		final Stitching stitching = Stitching.of(List.of(part(scene, "a", new long[3], new long[] { 128, 128, 6 }, 0, 0, 0),
			part(scene, "b", new long[] { 100, 3, deeper }, new long[] { 128, 128, 6 }, 98, 1, 0)));
		for (int given = 0; given < 2; given++) {
			if (given == 1) stitching.stageError(5, 5, 3);
			final Mosaic mosaic = stitching.measure();
			assertTrue(mosaic.links().get(0).used(), mosaic.links().toString());
			final double[] a = mosaic.tiles().get(0).position(), b = mosaic.tiles().get(1).position(), truth = { 100, 3, deeper };
			for (int d = 0; d < 3; d++) assertEquals(truth[d], b[d] - a[d], 0.2, "XYZ".charAt(d) + " of " + mosaic.links());
		}
	}

	/** Of whole-pixel positions, every blending gives the scene back. The positions of both tiles are relative to their mean: half a pixel for odd distances. */
	@ParameterizedTest
	@ValueSource(ints = { 38, 39, 40, 41 })
	void theMosaicShowsTheScene(final int distance) {
		final ArrayImg<FloatType, ?> scene = scene(95, 60);
		final Stitching stitching = Stitching.of(List.of(part(scene, "a", new long[2], new long[] { 50, 60 }, 0, 0),
			part(scene, "b", new long[] { distance, 0 }, new long[] { 50, 60 }, distance - 1, 0)));
		final Mosaic mosaic = stitching.stageError(3, 3).measure();
		for (final Fusion.Blending blending : Fusion.Blending.values()) {
			final Img<?> image = stitching.fuse(mosaic, new Fusion(blending, Interpolation.INTEGER, 0));
			assertEquals(distance + 50, image.dimension(0));
			for (int y = 0; y < 60; y++)
				for (int x = 0; x < distance + 50; x++)
					assertEquals(scene.getAt(x, y).get(), ((FloatType) image.getAt(x, y)).get(), 1e-5f, blending + " at " + x + "," + y);
		}
	}

	@Test
	void aPeriodicPatternGivesNoLink() {
		final short[] pixels = new short[128 * 128];
		final Random random = new Random(7);
		for (int i = 0; i < pixels.length; i++) pixels[i] = (short) (1000
			+ 500 * Math.sin(i % 128 * Math.PI / 4) * Math.sin(i / 128 * Math.PI / 4) + 20 * random.nextGaussian());
		final ArrayImg<UnsignedShortType, ?> tile = ArrayImgs.unsignedShorts(pixels, 128, 128);
		final Mosaic mosaic = Stitching.of(List.of(Tile.of("a", tile, 0, 0), Tile.of("b", tile, 100, 0))).stageError(20, 20).measure();
		assertFalse(mosaic.links().get(0).used());
		assertTrue(mosaic.links().get(0).reason().startsWith("ambiguous"), mosaic.links().get(0).reason());
	}

	@Test
	void aWrongLinkIsRejectedAndNamed() {
		// the third tile of a square of four shows other content that fits one neighbour at a wrong place
		final RandomAccessibleInterval<?> scene = scene(584, 184);
		final long[] size = { 300, 100 };
		final Tile a = part(scene, "a", new long[] { 0, 0 }, size, 0, 0), b = part(scene, "b", new long[] { 280, 0 }, size, 280, 0),
			c = part(scene, "c", new long[] { 0, 80 }, size, 0, 80);
		final ArrayImg<FloatType, ?> d = ArrayImgs.floats(300, 100);
		// a part of its upper strip lies 4 pixels to the right
		for (int y = 0; y < 100; y++)
			for (int x = 0; x < 300; x++) d.getAt(x, y).set(((FloatType) scene.getAt(280 + x + (y < 24 && x >= 20 ? 4 : 0), 80 + y)).get());
		final Mosaic mosaic = Stitching.of(List.of(a, b, c, Tile.of("d", d, 280, 80))).stageError(10, 10).measure();
		assertEquals(1, mosaic.links().stream().filter(Mosaic.Link::isRejected).count(), mosaic.links().toString());
	}

	@Test
	void wrongSettingsAreRefused() {
		final ArrayImg<FloatType, ?> tile = scene(40, 40);
		final Tile a = Tile.of("a", tile, 0, 0), b = Tile.of("b", tile, 30, 0);
		assertThrows(IllegalArgumentException.class, () -> Stitching.of(List.of(a)));
		assertThrows(IllegalArgumentException.class, () -> Stitching.of(List.of(a, a)));
		assertThrows(IllegalArgumentException.class, () -> Stitching.of(List.of(a, Tile.of("c", ArrayImgs.unsignedBytes(40, 40), 30, 0))));
		assertThrows(IllegalArgumentException.class, () -> Stitching.of(List.of(a, b.at(3))));
		final Stitching stitching = Stitching.of(List.of(a, b));
		assertThrows(IllegalArgumentException.class, () -> stitching.stageError(3));
		assertThrows(IllegalArgumentException.class, () -> stitching.stageError(3, 0));
		assertThrows(IllegalArgumentException.class, () -> stitching.falseAlarms(0));
		assertThrows(IllegalArgumentException.class, () -> stitching.rejection(Double.NaN));
		assertThrows(IllegalArgumentException.class, () -> stitching.flatField(ArrayImgs.floats(3, 3), 0));
		assertThrows(IllegalArgumentException.class, () -> Stitching.of(List.of(a, b.at(500, 0))).measure());
	}
}
