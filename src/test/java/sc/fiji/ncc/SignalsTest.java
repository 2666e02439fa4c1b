package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.Response;

/** One dimension, and four: which ways there are, and that they agree. */
class SignalsTest {

	private static final int LENGTH = 50_000;
	private static final float[] SIGNAL = noise(LENGTH);

	private static float[] noise(final int n) {
		final double[] normal = RandomPixels.normal(n, n);
		final float[] v = new float[n];
		for (int i = 0; i < n; i++) v[i] = (float) normal[i] + i % 1000;
		return v;
	}

	private static Img<FloatType> template(final int length) {
		return ArrayImgs.floats(Arrays.copyOfRange(SIGNAL, 777, 777 + length), length);
	}

	private static NormalizedCrossCorrelation op(final int length, final String algorithm) {
		return NormalizedCrossCorrelation.of(template(length)).algorithm(algorithm).extent(Extent.SAME);
	}

	/** The Fourier way against the direct one, with blocks that are cut and boxes of them, as a signal and as an image of one row. */
	@Test
	void theWaysAgree() {
		final Img<FloatType> signal = ArrayImgs.floats(SIGNAL, LENGTH), row = ArrayImgs.floats(SIGNAL, LENGTH, 1);
		for (final int length : new int[] { 100, 1000, 20_000 }) {
			final double[] direct = TestImages.values(op(length, "cpu-direct").correlate(signal).map());
			assertEquals(1, direct[777 + length / 2], 1e-6);
			assertArrayEquals(direct, TestImages.values(op(length, "cpu-fourier").correlate(signal).map()), 2e-5);
			assertArrayEquals(direct, TestImages.values(op(length, "cpu-fourier").maxLags(9_999).correlate(signal).map()), 2e-5);
			assertArrayEquals(direct, TestImages.values(op(length, "cpu-fourier").precision(Precision.DOUBLE).correlate(signal).doubleMap()), 1.1e-5);
			final Img<FloatType> flat = ArrayImgs.floats(Arrays.copyOfRange(SIGNAL, 777, 777 + length), length, 1);
			assertArrayEquals(direct, TestImages.values(NormalizedCrossCorrelation.of(flat).algorithm("cpu-fourier").extent(Extent.SAME).correlate(row).map()), 2e-5);
		}
	}

	/** What is computed of the signal is shared, and may be kept. */
	@Test
	void severalTemplatesAndAPreparedSignal() {
		final Img<FloatType> signal = ArrayImgs.floats(SIGNAL, LENGTH);
		final Img<FloatType> a = template(3000), b = ArrayImgs.floats(Arrays.copyOfRange(SIGNAL, 9000, 12_000), 3000);
		final Response both = NormalizedCrossCorrelation.of(List.of(a, b)).algorithm("cpu-fourier").correlate(signal);
		try (PreparedImage prepared = NormalizedCrossCorrelation.of(a).algorithm("cpu-fourier").prepare(signal)) {
			assertTrue(prepared.bytes() > 0);
			assertArrayEquals(TestImages.values(both.maps().get(0)), TestImages.values(prepared.correlate(a).map()));
			assertArrayEquals(TestImages.values(both.maps().get(1)), TestImages.values(prepared.correlate(b).map()));
		}
	}

	@Test
	void convolutionToo() {
		final Img<FloatType> signal = ArrayImgs.floats(SIGNAL, LENGTH);
		final double[] direct = TestImages.values(Convolution.of(template(500)).algorithm("cpu-convolve-direct").convolve(signal).map());
		double largest = 0;
		for (final double v : direct) largest = Math.max(largest, Math.abs(v));
		assertArrayEquals(direct, TestImages.values(Convolution.of(template(500)).algorithm("cpu-convolve-fourier").convolve(signal).map()), 1e-5 * largest);
	}

	/** By what each takes once its code has run. */
	@Test
	void thePlannerTakesTheFourierWayForLongTemplates() {
		for (final Precision precision : Precision.values()) {
			assertTrue(seconds(5000, "cpu-fourier", precision) < 0.5 * seconds(5000, "cpu-direct", precision));
			assertTrue(seconds(10, "cpu-direct", precision) < seconds(10, "cpu-fourier", precision));
		}
	}

	private static double seconds(final int length, final String algorithm, final Precision precision) {
		return op(length, algorithm).precision(precision).explain(ArrayImgs.floats(SIGNAL, LENGTH)).best().orElseThrow().plan().cost().seconds();
	}

	/** Only the direct ways take four dimensions, and the others say so. */
	@Test
	void fourDimensions() {
		final Img<FloatType> image = ArrayImgs.floats(noise(7 * 6 * 5 * 4), 7, 6, 5, 4), template = ArrayImgs.floats(noise(3 * 2 * 2 * 2), 3, 2, 2, 2);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template);
		assertArrayEquals(new long[] { 5, 5, 4, 3 }, op.correlate(image).map().dimensionsAsLongArray());
		final String message = assertThrows(IllegalArgumentException.class, () -> op.algorithm("cpu-fourier").correlate(image)).getMessage();
		assertTrue(message.contains("at most 3 dimensions, the template has 4"), message);
		final String longer = NormalizedCrossCorrelation.of(ArrayImgs.floats(noise(1 << 21), 1 << 21)).backend("cpu")
			.explain(ArrayImgs.floats(new float[1 << 22], 1 << 22)).best().orElseThrow().name();
		assertEquals("cpu-fourier", longer);
	}
}
