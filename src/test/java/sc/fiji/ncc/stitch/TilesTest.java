package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.ConstantUtils;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;

/** Which tiles go together, and which of them memory holds. */
class TilesTest {

	private static Tile tile(final String name, final double[] position, final long... size) {
		return Tile.of(name, ArrayImgs.unsignedBytes(size), position);
	}

	private static void refuses(final String message, final int dimensions, final Tile... tiles) {
		assertEquals(message, assertThrows(IllegalArgumentException.class, () -> new Tiles(List.of(tiles), dimensions, t -> t)).getMessage());
	}

	@Test
	void refused() {
		final Tile a = tile("a", new double[2], 9, 8);
		refuses("there is one tile, and a mosaic needs at least two: give more tiles", 2, a);
		refuses("tiles of 1 dimensions cannot be stitched: give 2 or 3", 1, a, tile("b", new double[2], 9, 8));
		refuses("tiles of 4 dimensions cannot be stitched: give 2 or 3", 4, a, tile("b", new double[2], 9, 8));
		refuses("two tiles have the name a: give each tile once", 2, a, a);
		refuses("b has 3 dimensions, and a has 2: give tiles with the same dimensions", 2, a, tile("b", new double[2], 9, 8, 7));
		refuses("a has 2 dimensions, and a has 2: give tiles with the same dimensions", 3, a, tile("b", new double[2], 9, 8));
		refuses("b has pixels of " + PixelType.F32.words() + ", and a of " + PixelType.U8.words() + ": give tiles of one pixel type", 2, a,
			Tile.of("b", ArrayImgs.floats(9, 8), 0, 0));
		refuses("b is 9x8x3, and c is 9x8x2: give tiles with as many channels and frames", 2, tile("c", new double[2], 9, 8, 2), tile("b", new double[2], 9, 8, 3));
		refuses("the position of b has 0 numbers, and tiles have 2 dimensions: give one number for each dimension, or none", 2, a,
			tile("b", new double[0], 9, 8));
		refuses("the position of b has 3 numbers, and tiles have 2 dimensions: give one number for each dimension, or none", 2, a,
			tile("b", new double[3], 9, 8));
		refuses("the position of d has 3 numbers, and tiles have 2 dimensions: give one number for each dimension, or none", 2,
			tile("d", new double[3], 9, 8), a);
	}

	/** Tiles without a position are compared with all others. */
	@Test
	void tilesWithoutPositionsAreFew() {
		final Tile[] tiles = IntStream.range(0, 65).mapToObj(i -> tile("t" + i, null, 4, 4)).toArray(Tile[]::new);
		assertEquals(0, new Tiles(List.of(tiles).subList(0, 64), 2, t -> t).placed().length);
		refuses("65 tiles have no positions, and up to 64 can be compared with all others: give a grid or a file of positions", 2, tiles);
		final Tile[] placed = IntStream.range(0, 65).mapToObj(i -> tile("t" + i, new double[2], 4, 4)).toArray(Tile[]::new);
		assertEquals(65, new Tiles(List.of(placed), 2, t -> t).placed().length);
		placed[2] = tiles[2];
		assertEquals(64, new Tiles(List.of(placed), 2, t -> t).placed().length);
	}

	/** Tiles may differ in their spatial extents, and begin anywhere. */
	@Test
	void sizesAndPixels() {
		final byte[] values = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
		final RandomAccessibleInterval<UnsignedByteType> image = Views.translate(ArrayImgs.unsignedBytes(values, 3, 2, 2), 5, -1, 7);
		final Tiles tiles = new Tiles(List.of(Tile.of("a", image, 0, 0), tile("b", new double[2], 9, 8, 2)), 2, t -> Views.hyperSlice(t, 2, 1));
		assertEquals(2, tiles.count());
		assertEquals(2, tiles.dimensions());
		assertEquals("b", tiles.get(1).name());
		assertArrayEquals(new long[] { 3, 2 }, tiles.size(0));
		assertArrayEquals(new long[] { 9, 8 }, tiles.size(1));
		assertArrayEquals(new long[3], tiles.pixels(0).minAsLongArray());
		assertEquals(8, ((UnsignedByteType) tiles.pixels(0).getAt(1, 0, 1)).get());
		assertEquals(8, ((UnsignedByteType) tiles.measured(0).getAt(1, 0)).get());
		assertSame(tiles.measured(0), tiles.measured(0));
		final FlatField flat = FlatField.of(ArrayImgs.floats(new float[] { 1, 2, 1, 1, 2, 1 }, 3, 2), 0, new long[] { 3, 2 });
		final Tiles even = tiles.with(flat);
		assertEquals(PixelType.U8, even.type());
		assertEquals(8 * (8 / 6.0) / 2, ((FloatType) even.pixels(0).getAt(1, 0, 1)).get(), 1e-5);
		assertEquals(8 * (8 / 6.0) / 2, ((FloatType) even.measured(0).getAt(1, 0)).get(), 1e-5);
		assertEquals(8, ((UnsignedByteType) tiles.pixels(0).getAt(1, 0, 1)).get());
	}

	/** The numbers of the tiles that are read, if each is used twice. */
	private static int read(final int count, final long side) {
		final List<Tile> tiles = new ArrayList<>();
		final int[] read = { 0 };
		final RandomAccessibleInterval<UnsignedByteType> pixels = ConstantUtils.constantRandomAccessibleInterval(new UnsignedByteType(1),
			new FinalInterval(side, side));
		for (int i = 0; i < count; i++) tiles.add(new Tile("t" + i, PixelType.U8, new long[] { side, side }, () -> {
			read[0]++;
			return pixels;
		}, new double[2]));
		final Tiles all = new Tiles(tiles, 2, t -> t);
		for (int turn = 0; turn < 2; turn++) for (int i = 0; i < count; i++) all.pixels(i);
		return read[0];
	}

	/** Eight tiles at least stay in memory, and more if they take less than a quarter of the heap. */
	@Test
	void memoryHoldsTheTilesThatWereUsedLast() {
		final long large = (long) Math.sqrt(Runtime.getRuntime().maxMemory() / 4);
		assertEquals(40, read(40, 10));
		assertEquals(8, read(8, large));
		assertEquals(18, read(9, large));
		// twelve of them take less than a quarter of the heap, thirteen more
		final long twelfth = (long) Math.sqrt(Runtime.getRuntime().maxMemory() / 4 / 12.5);
		assertEquals(12, read(12, twelfth));
		assertEquals(26, read(13, twelfth));
	}

	@Test
	void aTileThatChangesIsRefused() {
		final RandomAccessibleInterval<UnsignedByteType> other = ArrayImgs.unsignedBytes(5, 4);
		final Tiles tiles = new Tiles(List.of(new Tile("a", PixelType.U8, new long[] { 4, 4 }, () -> other, new double[2]),
			new Tile("b", PixelType.U8, new long[] { 5, 4 }, () -> ArrayImgs.floats(5, 4), new double[2])), 2, t -> t);
		for (final int tile : new int[] { 0, 1 }) {
			final String message = assertThrows(IllegalArgumentException.class, () -> tiles.pixels(tile)).getMessage();
			assertTrue(message.startsWith("the tile " + (tile == 0 ? "a was 4x4 of U8, and is 5x4 of U8" : "b was 5x4 of U8, and is 5x4 of F32")), message);
		}
	}
}
