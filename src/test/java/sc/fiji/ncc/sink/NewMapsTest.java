package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.result.Response;

/** New maps, which are allocated while they are computed, are equal to maps that are written in place; also in repeated calls. */
class NewMapsTest {

	private static Img<FloatType> noise(final int seed, final long... size) {
		final Img<FloatType> image = ArrayImgs.floats(size);
		final Random random = new Random(seed);
		image.forEach(p -> p.set(random.nextFloat()));
		return image;
	}

	@SuppressWarnings("unchecked") // maps of this size are arrays
	private static float[] array(final Img<FloatType> map) {
		return ((ArrayImg<FloatType, FloatArray>) map).update(null).getCurrentStorageArray();
	}

	@ParameterizedTest
	@ValueSource(strings = { "cpu-direct", "cpu-fourier", "cpu-fourier-whole" })
	@Tag("slow")
	void newMapsEqualThoseInPlace(final String algorithm) {
		final Img<FloatType> image = noise(1, 700, 600), a = noise(2, 9, 8), b = noise(3, 20, 8);
		for (final int threads : new int[] { 1, 2, 5 }) {
			final NormalizedCrossCorrelation op =
				NormalizedCrossCorrelation.of(List.of(a, b)).extent(Extent.SAME).undefined(Undefined.NAN).backend("cpu").algorithm(algorithm).threads(threads);
			final List<Img<FloatType>> into = List.of(ArrayImgs.floats(700, 600), ArrayImgs.floats(700, 600));
			op.correlate(image, into);
			for (int call = 0; call < 3; call++) {
				final Response response = op.correlate(image);
				assertEquals(2, response.maps().size());
				for (int t = 0; t < 2; t++) assertArrayEquals(array(into.get(t)), array(response.maps().get(t)), algorithm + ", " + threads + " threads, call " + call);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "cpu-direct", "cpu-fourier" })
	void templatesOfTheSameSizeDoNotMix(final String algorithm) {
		final Img<FloatType> image = noise(1, 300, 200), a = noise(2, 9, 8), b = noise(3, 9, 8);
		final NormalizedCrossCorrelation first = NormalizedCrossCorrelation.of(a).backend("cpu").algorithm(algorithm).threads(2);
		final NormalizedCrossCorrelation second = NormalizedCrossCorrelation.of(b).backend("cpu").algorithm(algorithm).threads(2);
		final float[] ofA = array(first.correlate(image).map()), ofB = array(second.correlate(image).map());
		for (int i = 0; i < 3; i++) {
			assertArrayEquals(ofA, array(first.correlate(image).map()));
			assertArrayEquals(ofB, array(second.correlate(image).map()));
		}
	}
}
