package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The illumination of tiles in closed form. */
class FlatFieldTest {

	/** @param value of the pixel at a place */
	private static Img<FloatType> image(final ToDoubleFunction<int[]> value, final long... size) {
		final Img<FloatType> image = ArrayImgs.floats(size);
		final Cursor<FloatType> c = image.localizingCursor();
		final int[] at = new int[size.length];
		while (c.hasNext()) {
			c.fwd();
			c.localize(at);
			c.get().set((float) value.applyAsDouble(at));
		}
		return image;
	}

	private static double[] values(final RandomAccessibleInterval<?> image) {
		final double[] values = new double[(int) Views.iterable(image).size()];
		final Cursor<?> c = Views.flatIterable(image).cursor();
		for (int i = 0; i < values.length; i++) values[i] = ((RealType<?>) c.next()).getRealDouble();
		return values;
	}

	private static void refuses(final String message, final Runnable call) {
		assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
	}

	/** The dark level stays, and the mean brightness of the illumination is 1. Channels of a tile have the same illumination. */
	@Test
	void aTileIsDividedByTheIllumination() {
		final long[] size = { 2, 2 };
		final FlatField flat = FlatField.of(ArrayImgs.floats(new float[] { 60, 110, 160, 110 }, size), 10, size);
		assertArrayEquals(new double[] { 50, 50, 50, 50 }, values(flat.apply(ArrayImgs.unsignedBytes(new byte[] { 30, 50, 70, 50 }, size))), 1e-5);
		assertArrayEquals(new double[] { 10, 10, 10, 10, -70, 30, 20, 210 },
			values(flat.apply(ArrayImgs.shorts(new short[] { 10, 10, 10, 10, -30, 30, 25, 210 }, 2, 2, 2))), 1e-5);
	}

	@Test
	void factorsAreAtMostTwentyAndAtLeastATwentieth() {
		final long[] size = { 50, 1 };
		final FlatField flat = FlatField.of(image(at -> at[0] == 0 ? 5000 : at[0] == 1 ? 0.1 : at[0] == 2 ? 0 : at[0] == 3 ? -3 : at[0] == 4 ? 9 : 1, size), 0, size);
		// the mean is (5000 + 0.1 - 3 + 9 + 45) / 50 = 101.022
		final double[] found = values(flat.apply(image(at -> 1, size)));
		assertArrayEquals(new double[] { 0.05, 20, 20, 20, 101.022 / 9, 20 }, Arrays.copyOf(found, 6), 1e-4);
	}

	@Test
	void refused() {
		final long[] size = { 4, 3 };
		refuses("the flat field is 4x4, and a tile is 4x3: give an image of the size of a tile", () -> FlatField.of(ArrayImgs.bytes(4, 4), 0, size));
		for (final double dark : new double[] { 7, 8 })
			refuses("the mean of the flat field is 7.0, not above the dark level " + dark + ": give a brighter image, or a lower dark level",
				() -> FlatField.of(image(at -> 7, size), dark, size));
		final FlatField flat = FlatField.of(image(at -> 7, size), 6.9, size);
		refuses("a tile is 3x4, and the flat field is 4x3: give tiles of one size", () -> flat.apply(ArrayImgs.bytes(3, 4)));
		refuses("a is 4x3, and b is 5x3: the mean of tiles needs tiles of one size", () -> FlatField.estimate(tiles(Tile.of("b", ArrayImgs.bytes(5, 3), 0, 0),
			Tile.of("a", ArrayImgs.bytes(4, 3), 1, 1)), 0));
		refuses("the mean of the tiles is 0.0, not above the dark level 0.0: give a brighter image, or a lower dark level",
			() -> FlatField.estimate(tiles(Tile.of("b", ArrayImgs.bytes(5, 3), 0, 0), Tile.of("a", ArrayImgs.bytes(5, 3), 1, 1)), 0));
	}

	private static Tiles tiles(final Tile... tiles) {
		return new Tiles(List.of(tiles), tiles[0].position().length, t -> t);
	}

	/**
	 * The illumination rises downwards by up to 0.1 from the middle. The content of three of four tiles rises to the right by up to a slope, that of the other
	 * one falls. Their mean rises by half of the slope, and they differ from it by 0.5, 0.5, 0.5 and 1.5 slopes: the standard error is √(3/12) = 0.5
	 * slopes. It is as large as the illumination at a slope of 0.2.
	 */
	@ParameterizedTest
	@CsvSource({ "0.01, false", "0.19, false", "0.21, true", "0.5, true" })
	void theEstimateIsDoubtfulIfItsErrorIsAsLargeAsTheIllumination(final double slope, final boolean doubtful) {
		final long[] size = { 41, 41 };
		final Tile[] all = new Tile[4];
		for (int i = 0; i < 4; i++) {
			final double s = i == 0 ? -slope : slope;
			all[i] = Tile.of("t" + i, image(at -> 7 + 50 * (1 + s * (at[0] / 20.0 - 1)) * (1 + 0.1 * (at[1] / 20.0 - 1)), size), 0, 0);
		}
		final String doubt = FlatField.estimate(tiles(all), 7).doubt();
		assertEquals(doubtful, !doubt.isEmpty(), doubt);
		if (doubtful) assertTrue(doubt.startsWith("the flat field of 4 tiles varies by "), doubt);
		assertEquals("", FlatField.of(image(at -> 100, size), 7, size).doubt());
	}

	/** A slope stays: at the ends fewer pixels are averaged, as many on both sides. Tiles of an even object are even afterwards. */
	@Test
	void theIlluminationOfTilesThatRiseEvenly() {
		for (final long[] size : new long[][] { { 48, 20 }, { 7, 33 }, { 16, 18, 40 } }) {
			final ToDoubleFunction<int[]> shade = at -> 100 + at[0] + 2 * at[1] + (at.length > 2 ? 3 * at[2] : 0);
			double mean = 100;
			for (int d = 0; d < size.length; d++) mean += (d + 1) * (size[d] - 1) / 2.0;
			final double[] place = new double[size.length];
			final FlatField flat = FlatField.estimate(tiles(Tile.of("a", image(at -> 20 + 0.5 * shade.applyAsDouble(at), size), place),
				Tile.of("b", image(at -> 20 + 1.5 * shade.applyAsDouble(at), size), place)), 20);
			for (final double v : values(flat.apply(image(at -> 20 + 0.5 * shade.applyAsDouble(at), size)))) assertEquals(20 + 0.5 * mean, v, 2e-4);
		}
	}

	/** A pixel of one tile is spread by three means along each dimension: over 3 of 48/16 pixels on both sides, and over 1 of 16/16. */
	@Test
	void detailOfTheTilesIsNoIllumination() {
		final long[] size = { 48, 16 };
		final FlatField flat = FlatField.estimate(tiles(Tile.of("a", image(at -> at[0] == 24 && at[1] == 8 ? 4000 : 100, size), 0, 0),
			Tile.of("b", image(at -> 100, size), 0, 0)), 0);
		// the middle of three means of w equal values is (3w² + 1) / 4w³
		final double peak = 100 + 3900 / 2.0 * (3 * 49 + 1) / (4.0 * 343) * (3 * 9 + 1) / (4.0 * 27), mean = 100 + 3900 / 2.0 / (48 * 16);
		final double[] found = values(flat.apply(image(at -> 1, size)));
		assertEquals(mean / peak, found[8 * 48 + 24], 1e-5);
		// the last pixel that it reaches, and the first one beyond
		assertEquals(mean / (100 + 3900 / 2.0 / 343 * 28 / 108), found[8 * 48 + 24 + 9], 1e-5);
		assertEquals(mean / 100, found[8 * 48 + 24 + 10], 1e-5);
		assertEquals(mean / (100 + 3900 / 2.0 * 148 / 1372 / 27), found[5 * 48 + 24], 1e-5);
		assertEquals(mean / 100, found[4 * 48 + 24], 1e-5);
	}
}
