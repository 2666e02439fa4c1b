package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** What is measured is noise of the stated shape: no algorithm may be faster on it than on images. */
class RandomPixelsTest {

	private static final Size SIZE = Size.of(200, 90);

	/** All levels of bytes occur about equally often: the standard deviation is that of a uniform distribution. */
	@Test
	void bytesAreUniform() {
		final ByteBuffer all = ByteBuffer.allocate(200 * 90);
		new RandomPixels(PixelType.U8, SIZE, 1, 5, 1, false).read(new long[2], new int[] { 200, 90 }, all);
		double sum = 0, squares = 0;
		for (int i = 0; i < all.capacity(); i++) {
			final int v = all.get(i) & 0xff;
			sum += v;
			squares += v * v;
		}
		final double mean = sum / all.capacity();
		assertEquals(127.5, mean, 3);
		assertEquals(Math.sqrt((256 * 256 - 1) / 12.0), Math.sqrt(squares / all.capacity() - mean * mean), 2);
	}

	/** Floats are fractions below 256. A part of the image has the pixels of the whole one. Channels differ. */
	@Test
	void aPartIsThatOfTheWholeImage() {
		final RandomPixels pixels = new RandomPixels(PixelType.F32, SIZE, 2, 5, 1, false);
		final FloatBuffer all = FloatBuffer.allocate(200 * 90), other = FloatBuffer.allocate(200 * 90), part = FloatBuffer.allocate(30 * 7);
		pixels.read(new long[2], new int[] { 200, 90 }, all);
		pixels.channels().get(1).read(new long[2], new int[] { 200, 90 }, other);
		pixels.read(new long[] { 50, 11 }, new int[] { 30, 7 }, part);
		for (int i = 0; i < part.capacity(); i++) assertEquals(all.get((11 + i / 30) * 200 + 50 + i % 30), part.get(i));
		double most = 0;
		int equal = 0, whole = 0;
		for (int i = 0; i < all.capacity(); i++) {
			most = Math.max(most, all.get(i));
			if (all.get(i) == other.get(i)) equal++;
			if (all.get(i) == Math.rint(all.get(i))) whole++;
		}
		assertTrue(most < 256 && most > 250, "brightest " + most);
		assertTrue(equal < 10 && whole < 200, equal + " equal in both channels, " + whole + " whole numbers");
		assertNull(pixels.mask());
	}

	/** Rows of a volume depend on their y and on their z. */
	@Test
	void aPartOfAVolumeIsThatOfTheWholeVolume() {
		final RandomPixels pixels = new RandomPixels(PixelType.F32, Size.of(20, 7, 5), 1, 5, 1, false);
		final FloatBuffer all = FloatBuffer.allocate(20 * 7 * 5), part = FloatBuffer.allocate(6 * 3 * 2);
		pixels.read(new long[3], new int[] { 20, 7, 5 }, all);
		pixels.read(new long[] { 9, 2, 3 }, new int[] { 6, 3, 2 }, part);
		for (int i = 0; i < part.capacity(); i++) assertEquals(all.get(((3 + i / 18) * 7 + 2 + i / 6 % 3) * 20 + 9 + i % 6), part.get(i), "pixel " + i);
		int equal = 0;
		for (int i = 0; i < 20 * 7 * 4; i++) if (all.get(i) == all.get(i + 20 * 7)) equal++;
		assertTrue(equal < 10, equal + " equal in both planes");
	}

	@Test
	void aTenthIsMissing() {
		final Pixels mask = new RandomPixels(PixelType.F32, SIZE, 1, 5, 1, true).mask();
		final ByteBuffer all = ByteBuffer.allocate(200 * 90);
		mask.read(new long[2], new int[] { 200, 90 }, all);
		int missing = 0;
		for (int i = 0; i < all.capacity(); i++) {
			assertTrue(all.get(i) == 0 || all.get(i) == 1);
			if (all.get(i) == 0) missing++;
		}
		assertEquals(0.1, missing / 18_000.0, 0.02);
	}

	@ParameterizedTest
	@EnumSource
	void templatesHaveTheWeightsOfTheirKind(final Weights kind) {
		final Template t = RandomPixels.template(Size.of(40, 30), PixelType.U16, kind, 3, 9);
		assertEquals(3 * 1200, t.values().length);
		assertTrue(Arrays.stream(t.values()).allMatch(v -> v == Math.rint(v) && v >= 0 && v < 32_768));
		assertEquals(16_384, Arrays.stream(t.values()).average().orElseThrow(), 700);
		assertEquals(0, t.values()[0]);
		assertEquals(100, t.values()[1199]);
		if (kind == Weights.NONE) {
			assertNull(t.weights());
			return;
		}
		assertEquals(1200, t.weights().length);
		assertEquals(0.25, Arrays.stream(t.weights()).filter(w -> w == 0).count() / 1200.0, 0.05);
		assertEquals(kind == Weights.BINARY, Arrays.stream(t.weights()).allMatch(w -> w == 0 || w == 1));
		assertTrue(Arrays.stream(t.weights()).allMatch(w -> w >= 0 && w <= 1));
	}

	/** A sum of {@code terms} products has this rank: determinants of one more row and column are 0, those of so many are not. */
	@Test
	void kernelsAreSumsOfSoManyProducts() {
		final double[] one = RandomPixels.separable(Size.of(6, 5), PixelType.F32, 1, 3).values(),
			two = RandomPixels.separable(Size.of(6, 5), PixelType.F32, 2, 3).values();
		assertTrue(Arrays.stream(one).allMatch(v -> v >= 0.25 && v <= 1));
		for (int y = 1; y < 5; y++)
			for (int x = 1; x < 6; x++) assertEquals(0, one[0] * one[6 * y + x] - one[x] * one[6 * y], 1e-15);
		assertTrue(Math.abs(two[0] * two[7] - two[1] * two[6]) > 1e-4);
		for (int y = 2; y < 5; y++)
			for (int x = 2; x < 6; x++) {
				final double[] a = { two[0], two[1], two[x] }, b = { two[6], two[7], two[6 + x] }, c = { two[6 * y], two[6 * y + 1], two[6 * y + x] };
				assertEquals(0, a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]), 1e-13);
			}
		// in three dimensions the product of three factors
		final double[] space = RandomPixels.separable(Size.of(3, 4, 2), PixelType.F32, 1, 3).values();
		assertEquals(0, space[0] * space[12 + 7] - space[7] * space[12], 1e-15);
	}
}
