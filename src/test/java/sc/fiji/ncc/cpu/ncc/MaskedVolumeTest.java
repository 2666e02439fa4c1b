package sc.fiji.ncc.cpu.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.Response;

/**
 * Masked templates in a volume, so large that Fourier transforms compute the moments of their windows, for one template and for several that share the moments.
 * The contract has no balls, no shells and no banks of this size, because the reference takes too long for them: direct sums in double replace it.
 */
@Timeout(120)
class MaskedVolumeTest {

	enum Mask { BALL, SHELL, RANDOM }

	/** Extents of the image and of the template. */
	private static final int N = 48, SIDE = 16;

	private final Random random = new Random(3);

	/** Transformed moments are not accurate enough in the planes of the faint half, so that responses which are computed again show which method ran. */
	private RandomAccessibleInterval<FloatType> volume() {
		final float[] pixels = new float[N * N * N];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) (5 + (i / (N * N) < N / 2 ? 0.1 : 1) * (random.nextGaussian() + Math.sin(0.3 * (i % N))));
		return ArrayImgs.floats(pixels, N, N, N);
	}

	private RandomAccessibleInterval<FloatType> mask(final Mask mask) {
		final float[] weights = new float[SIDE * SIDE * SIDE];
		for (int i = 0; i < weights.length; i++) {
			double radius = 0;
			for (final int at : new int[] { i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE) }) radius += Math.pow((2 * at + 1.0) / SIDE - 1, 2);
			weights[i] = switch (mask) {
				case BALL -> radius <= 1;
				case SHELL -> radius <= 1 && radius > 0.25;
				case RANDOM -> random.nextBoolean();
			} ? 1 : 0;
		}
		return ArrayImgs.floats(weights, SIDE, SIDE, SIDE);
	}

	private RandomAccessibleInterval<FloatType> template() {
		final float[] values = new float[SIDE * SIDE * SIDE];
		for (int i = 0; i < values.length; i++) values[i] = (float) random.nextGaussian();
		return ArrayImgs.floats(values, SIDE, SIDE, SIDE);
	}

	@ParameterizedTest
	@CsvSource({ "BALL, 1", "SHELL, 1", "RANDOM, 1", "BALL, 3", "SHELL, 3", "RANDOM, 3" })
	void transformedMomentsAreThoseOfDirectSums(final Mask kind, final int count) {
		final RandomAccessibleInterval<FloatType> volume = volume(), mask = mask(kind);
		final List<RandomAccessibleInterval<?>> templates = new ArrayList<>();
		for (int t = 0; t < count; t++) templates.add(template());
		final NormalizedCrossCorrelation settings = NormalizedCrossCorrelation.of(templates).mask(mask);
		final Response expected = settings.precision(Precision.DOUBLE).algorithm("cpu-direct").correlate(volume);
		final Response inDouble = settings.precision(Precision.DOUBLE).algorithm("cpu-fourier").correlate(volume);
		final Response inFloat = settings.precision(Precision.SINGLE).algorithm("cpu-fourier").correlate(volume);
		assertTrue(inFloat.report().rechecked() > 0, () -> "the moments are not transformed: " + inFloat.report());
		assertTrue(inFloat.report().rechecked() < inFloat.report().responses(), () -> "nothing remains of the moments: " + inFloat.report());
		for (int t = 0; t < count; t++) {
			final double[] exact = TestImages.values(expected.doubleMaps().get(t)), again = TestImages.values(inDouble.doubleMaps().get(t)),
				single = TestImages.values(inFloat.maps().get(t));
			for (int i = 0; i < exact.length; i++) {
				assertEquals(exact[i], again[i], 1e-10, "template " + t + ", lag " + i + " in double");
				assertEquals(exact[i], single[i], 1e-5, "template " + t + ", lag " + i);
			}
		}
	}
}
