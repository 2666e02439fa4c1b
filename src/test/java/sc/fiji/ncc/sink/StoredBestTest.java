package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sc.fiji.ncc.fixture.TestImages.values;

import java.nio.ByteBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.fixture.ChunksInMemory;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.StoredResponse;

/** The best of all templates in stores is that in memory, and no chunk is written twice. */
class StoredBestTest {

	private static List<RandomAccessibleInterval<?>> templates(final Random random, final int dimensions, final boolean equal, final int count) {
		final List<RandomAccessibleInterval<?>> all = new ArrayList<>();
		for (int t = 0; t < count; t++) {
			final long side = equal ? 4 : 3 + t;
			all.add(RandomPixels.image(random, 200, dimensions < 3 ? new long[] { side, 5 } : new long[] { side, 3, 4 }));
		}
		return all;
	}

	/** Frames and volumes, one bank and several, boxes of few chunks, a constant part of the image without responses. */
	@Property(tries = 60)
	void theBestIsThatInMemory(@ForAll final long seed) {
		final Random random = new Random(seed);
		final boolean volume = random.nextBoolean(), equal = random.nextBoolean();
		final Img<UnsignedByteType> image = volume ? RandomPixels.image(random, 200, 14, 12, 11) : RandomPixels.image(random, 200, 33, 27, 2);
		for (final UnsignedByteType p : Views.interval(image, new long[3], new long[] { 11, 10, 1 })) p.set(7);
		final Precision precision = random.nextInt(3) == 0 ? Precision.DOUBLE : Precision.SINGLE;
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates(random, volume ? 3 : 2, equal, 1 + random.nextInt(4)))
			.undefined(random.nextBoolean() ? Undefined.NAN : Undefined.ZERO).precision(precision).threads(2).heap(20_000 + random.nextInt(400_000));
		op.extent(equal && random.nextBoolean() ? Extent.VALID : Extent.SAME);
		if (precision == Precision.SINGLE) op.algorithm("cpu-direct-exact");
		final Best best = op.best(image);
		final long[] size = best.image().dimensionsAsLongArray();
		final int[] chunk = { 3 + random.nextInt(8), 3 + random.nextInt(8), 1 + random.nextInt(4) };
		final ChunksInMemory scores = new ChunksInMemory(size, chunk, precision), numbers = new ChunksInMemory(size, chunk, Precision.SINGLE);
		long chunks = 1;
		for (int d = 0; d < 3; d++) chunks *= volume || d < 2 ? (size[d] + chunk[d] - 1) / chunk[d] : size[d];
		scores.full = random.nextInt(20);
		if (random.nextBoolean() && scores.full < chunks) assertThrows(RuntimeException.class, () -> op.bestInto(image, scores, numbers));
		scores.full = Integer.MAX_VALUE;
		final boolean resumed = !scores.written.isEmpty();
		final StoredResponse stored = op.bestInto(image, scores, numbers);
		// in double precision boxes of another size round differently
		assertArrayEquals(values(best.image()), scores.values(), precision == Precision.DOUBLE ? 1e-10 : 0);
		assertArrayEquals(values(best.template()), numbers.values());
		assertEquals(scores.kept.keySet(), numbers.kept.keySet());
		for (final ChunksInMemory store : List.of(scores, numbers)) assertEquals(store.kept.size(), store.written.size(), "a chunk was written twice");
		if (!resumed) {
			assertEquals(best.report().responses(), stored.report().responses());
			assertEquals(best.report().undefined(), stored.report().undefined());
		}
		final StoredResponse again = op.bestInto(image, scores, numbers);
		assertEquals(0, again.report().responses());
		assertEquals(best.report().responses(), again.before());
	}

	@Test
	void numbersAreAsWideAsNeeded() {
		final Img<UnsignedByteType> image = RandomPixels.image(1, 20, 20);
		for (final int count : new int[] { 255, 256 }) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates(new Random(2), 2, true, count)).threads(1);
			final long[] size = op.mapShapes(image).get(0).size();
			final ChunksInMemory scores = new ChunksInMemory(size, new int[] { 8, 8 }, Precision.SINGLE), numbers = new ChunksInMemory(size, new int[] { 8, 8 }, Precision.SINGLE);
			op.bestInto(image, scores, numbers);
			assertTrue((count == 255 ? ByteBuffer.class : ShortBuffer.class).isAssignableFrom(numbers.type), numbers.type.toString());
			assertArrayEquals(values(op.best(image).template()), numbers.values());
			for (final Img<? extends RealType<?>> map : List.of(new CellImgFactory<>(new FloatType(), 8).create(size),
				new CellImgFactory<>(new DoubleType(), 8).create(size))) {
				op.bestInto(image, scores, MapStore.of(map));
				assertArrayEquals(numbers.values(), values(map));
			}
			final Img<UnsignedByteType> asBytes = new CellImgFactory<>(new UnsignedByteType(), 8).create(size);
			if (count == 255) {
				op.bestInto(image, scores, MapStore.of(asBytes));
				assertArrayEquals(numbers.values(), values(asBytes));
			}
			else assertEquals("the numbers of 256 templates do not fit into a store of 8 bits: make a store of floats",
				assertThrows(IllegalArgumentException.class, () -> op.bestInto(image, scores, MapStore.of(asBytes))).getMessage());
		}
	}

	@Test
	void refusesStoresThatDoNotFit() {
		final Img<UnsignedByteType> image = RandomPixels.image(1, 20, 20);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates(new Random(2), 2, true, 2));
		final long[] size = op.mapShapes(image).get(0).size();
		final ChunksInMemory scores = new ChunksInMemory(size, new int[] { 8, 8 }, Precision.SINGLE), other = new ChunksInMemory(size, new int[] { 8, 4 }, Precision.SINGLE);
		for (final MapStore wrong : List.of(scores, other, new ChunksInMemory(new long[] { 3, 3 }, new int[] { 8, 8 }, Precision.SINGLE)))
			assertThrows(IllegalArgumentException.class, () -> op.bestInto(image, scores, wrong));
		assertThrows(IllegalArgumentException.class, () -> op.bestInto(image, new ChunksInMemory(size, new int[] { 8, 8 }, Precision.DOUBLE), null));
		// scores are never quantized
		final MapStore quantized = MapStore.of(new CellImgFactory<>(new UnsignedByteType(), 8).create(size));
		assertEquals("the map has float responses, its store has 8-bit responses: make a store of float responses",
			assertThrows(IllegalArgumentException.class, () -> op.bestInto(image, quantized, null)).getMessage());
		assertTrue(assertThrows(IllegalArgumentException.class, () -> NormalizedCrossCorrelation.of(templates(new Random(2), 2, false, 2)).bestInto(image, scores, null)).getMessage().contains("equal maps"));
	}
}
