package sc.fiji.ncc.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.numeric.Chunks;

/** Templates of several chunks, which several threads read. */
class LargeTemplateTest {

	private static final int WIDTH = 211, HEIGHT = 97, DEPTH = 9, N = WIDTH * HEIGHT * DEPTH;

	private final float[] pixels = new float[N];
	private final double[] expected = new double[N];

	LargeTemplateTest() {
		final Random random = new Random(5);
		for (int i = 0; i < N; i++) expected[i] = pixels[i] = random.nextFloat();
	}

	private static Img<FloatType> copy(final Img<FloatType> from, final Img<FloatType> to) {
		LoopBuilder.setImages(from, to).forEachPixel((a, b) -> b.set(a));
		return to;
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7 })
	void everyKindOfImageIsReadInOrder(final int threads) {
		assertEquals(3, Chunks.count(N));
		final Img<FloatType> array = ArrayImgs.floats(pixels, WIDTH, HEIGHT, DEPTH);
		final Img<FloatType> planar = copy(array, new PlanarImgFactory<>(new FloatType()).create(WIDTH, HEIGHT, DEPTH));
		final Img<FloatType> cells = copy(array, new CellImgFactory<>(new FloatType(), 32).create(WIDTH, HEIGHT, DEPTH));
		final Img<FloatType> larger = ArrayImgs.floats(WIDTH + 5, HEIGHT + 3, DEPTH);
		final RandomAccessibleInterval<FloatType> inside = Views.interval(larger, Intervals.createMinSize(4, 2, 0, WIDTH, HEIGHT, DEPTH));
		LoopBuilder.setImages(array, inside).forEachPixel((a, b) -> b.set(a));
		for (final RandomAccessibleInterval<?> image : new RandomAccessibleInterval<?>[] { array, planar, cells, inside, Views.zeroMin(inside),
			Converters.convert((RandomAccessibleInterval<FloatType>) array, (a, b) -> b.setReal(a.getRealDouble()), new DoubleType()) })
			assertArrayEquals(expected, TemplateReader.read(image, null, false, threads).values());
		final double[] twice = TemplateReader.read(JointImage.of(List.of(array, planar)), null, false, threads).values();
		assertArrayEquals(expected, Arrays.copyOfRange(twice, N, 2 * N));
		assertArrayEquals(expected, Arrays.copyOf(twice, N));
	}

	/** Of the first one the place is named, whichever thread finds one. */
	@Test
	void nanIsRefusedInAnyChunk() {
		for (final int at : new int[] { 3, Chunks.LENGTH, N - 1 }) {
			final float[] bad = pixels.clone();
			bad[at] = Float.NaN;
			if (at < N - 1) bad[N - 1] = Float.POSITIVE_INFINITY;
			final String place = "NaN at [" + at % WIDTH + ", " + at / WIDTH % HEIGHT + ", " + at / WIDTH / HEIGHT + "]";
			final String message = assertThrows(IllegalArgumentException.class, () -> TemplateReader.read(ArrayImgs.floats(bad, WIDTH, HEIGHT, DEPTH), null, false, 4)).getMessage();
			assertTrue(message.contains(place), message);
		}
	}
}
