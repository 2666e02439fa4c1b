package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.stitch.GainPlane.Strip;

/** Strips of waves, one of which has a gain and an offset that change by known slopes. */
class GainPlaneTest {

	private static final int W = 60, H = 90;
	private static final double GX = 0.004, GY = -0.002, OX = 0.3, OY = -0.1;

	private static double waves(final double x, final double y) {
		return 40 * (Math.sin(x / 3) + Math.cos(y / 4) + Math.sin((x - 2 * y) / 7));
	}

	/** @param of 1 for the slopes, 0 for none */
	private static Strip strip(final double dx, final double dy, final double of, final Random noise) {
		final float[] pixels = new float[W * H];
		for (int i = 0; i < pixels.length; i++) {
			final double x = i % W - (W - 1) / 2.0, y = i / W - (H - 1) / 2.0;
			pixels[i] = (float) (500 + (1 + of * (GX * x + GY * y)) * waves(x + dx, y + dy) + of * (OX * x + OY * y) + noise.nextGaussian());
		}
		return new Strip(pixels, new long[] { W, H });
	}

	private static GainPlane plane(final Strip f, final Strip m) {
		return GainPlane.of(f, m, new int[3], new double[] { 0.3, -0.2, 0 });
	}

	/** The moving strip shows at x + shift what the fixed one shows at x, and its order changes the sign of the slope. */
	@Test
	void theSlopeOfSeveralPairs() {
		final Random random = new Random(3);
		final List<GainPlane> planes = IntStream.range(0, 4).mapToObj(i -> i % 2 == 0 ? plane(strip(0, 0, 1, random), strip(-0.3, 0.2, 0, random))
			: plane(strip(0, 0, 0, random), strip(-0.3, 0.2, 1, random))).toList();
		assertArrayEquals(new double[] { GX, GY }, GainPlane.slope(planes, new double[] { 1, -1, 1, -1 }), 2e-4);
	}

	@Test
	void anEvenGainHasNoSlope() {
		final Random random = new Random(4);
		assertNull(GainPlane.slope(List.of(plane(strip(0, 0, 0, random), strip(-0.3, 0.2, 0, random))), new double[] { 1 }));
	}

	/** What is left of the slopes is noise. */
	@Test
	void aCorrectedStripIsTheEvenOne() {
		final Random random = new Random(5);
		final Strip uneven = strip(0, 0, 1, random), even = strip(0, 0, 0, random);
		final GainPlane plane = plane(uneven, strip(-0.3, 0.2, 0, random));
		final double[] slope = GainPlane.slope(List.of(plane), new double[] { 1 });
		assertNotNull(slope);
		final Strip corrected = plane.corrected(uneven, slope);
		double squares = 0, mean = 0;
		for (int i = 0; i < W * H; i++) mean += (corrected.pixels()[i] - even.pixels()[i]) / (W * H);
		for (int i = 0; i < W * H; i++) squares += Math.pow(corrected.pixels()[i] - even.pixels()[i] - mean, 2) / (W * H);
		assertEquals(Math.sqrt(2), Math.sqrt(squares), 0.1);
	}
}
