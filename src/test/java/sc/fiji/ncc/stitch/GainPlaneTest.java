package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import net.imglib2.img.array.ArrayImgs;

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
		return Strip.of(pixels, new long[] { W, H });
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

	private static Strip spots(final double[][] spots, final double dx, final double dy, final double dz, final Random noise) {
		final float[] pixels = new float[26 * 96 * 12];
		for (int i = 0; i < pixels.length; i++) {
			double v = 40;
			for (final double[] s : spots) v += s[4] * Math.exp(-0.5 * (Math.pow(i % 26 + dx - s[0], 2) + Math.pow(i / 26 % 96 + dy - s[1], 2)
				+ Math.pow(i / 26 / 96 + dz - s[2], 2))
				/ (s[3] * s[3]));
			pixels[i] = (float) (v + Math.sqrt(v) * noise.nextGaussian());
		}
		return Strip.of(pixels, new long[] { 26, 96, 12 });
	}

	/** A few large objects, and shifts between the pixels: what interpolation leaves is as large as the objects, and no slope of the gain. */
	@Test
	void fewObjectsOfEvenGainHaveNoSlope() {
		final Random random = new Random(8);
		for (int k = 0; k < 12; k++) {
			final double[][] spots = new double[10][];
			for (int s = 0; s < spots.length; s++) spots[s] = new double[] { 26 * random.nextDouble(), 96 * random.nextDouble(), 12 * random.nextDouble(),
				2.5 + 2 * random.nextDouble(), 120 + 400 * random.nextDouble() };
			final GainPlane plane = GainPlane.of(spots(spots, 0, 0, 0, random), spots(spots, -0.45, 0.4, -0.5, random), new int[3],
				new double[] { 0.45, -0.4, 0.5 });
			assertTrue(plane.inflation() >= 1);
			assertNull(GainPlane.slope(List.of(plane), new double[] { 1 }), "pair " + k);
		}
	}

	/** White noise has a fineness of 0.5, waves of many pixels hardly any; along 40 pixels and more the fit has more weights. */
	@Test
	void fineTextureHasAnErrorOfInterpolation() {
		final Random random = new Random(9);
		final float[] gaussian = new float[39 * 50], sine = new float[39 * 50];
		for (int i = 0; i < 39 * 50; i++) {
			gaussian[i] = (float) random.nextGaussian();
			sine[i] = (float) Math.sin(i % 39 / 4.0);
		}
		final Strip noise = Strip.of(gaussian, new long[] { 39, 50 }), waves = Strip.of(sine, new long[] { 39, 50 });
		final GainPlane white = GainPlane.of(noise, noise, new int[2], new double[2]);
		assertEquals(0.01, white.interpolationError(0), 0.001);
		assertEquals(0, white.interpolationError(1));
		assertEquals(0.04 * Math.pow(Math.sin(0.25), 4), GainPlane.of(waves, waves, new int[2], new double[2]).interpolationError(0), 3e-5);
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

	/**
	 * Strips of white noise without errors: the fixed one has 0.8 times the gain and an offset of 30, and slopes about the middle of the overlap, which stay as
	 * they are beyond it. The slope, and the strip without it, are exact to the roundings of floats.
	 */
	@ParameterizedTest
	@CsvSource({ "40x50, 38x52, 5x-7, 0", "40x50, 38x52, -6x9, 0", "40x50, 38x52, 5x-7, 25", "12x14x10, 13x12x11, 2x-1x3, 0", "12x14x10, 13x12x11, -2x1x-3, 40",
		"400x300, 400x300, 20x10, 0", "200, 180, 15, 0" })
	void withoutNoiseSlopesAreExact(final String fixed, final String moving, final String shift, final int missing) {
		final int[] f = ints(fixed), m = ints(moving), lag = ints(shift), min = new int[f.length], size = new int[f.length];
		final double[] gain = new double[f.length], offset = new double[f.length];
		for (int d = 0; d < f.length; d++) {
			min[d] = Math.max(0, -lag[d]);
			size[d] = Math.min(f[d], m[d] - lag[d]) - min[d];
			gain[d] = new double[] { 0.01, -0.006, 0.02 }[d] * 12 / size[d];
			offset[d] = new double[] { 0.5, 0.2, -0.7 }[d];
		}
		final Random random = new Random(9);
		final float[] still = new float[pixels(m)], uneven = new float[pixels(f)], object = new float[uneven.length];
		for (int i = 0; i < still.length; i++) still[i] = random.nextInt(100);
		for (int i = 0; i < uneven.length; i++) {
			double g = 1, o = 30;
			int j = 0;
			for (int d = 0, rest = i, stride = 1; d < f.length; rest /= f[d], stride *= m[d++]) {
				final int x = rest % f[d];
				final double at = Math.max(0, Math.min(size[d] - 1, x - min[d])) - (size[d] - 1) / 2.0;
				g += gain[d] * at;
				o += offset[d] * at;
				j = x + lag[d] < 0 || x + lag[d] >= m[d] ? Integer.MIN_VALUE : j + (x + lag[d]) * stride;
			}
			object[i] = j < 0 ? random.nextInt(100) : still[j];
			uneven[i] = (float) (0.8 * g * object[i] + o);
		}
		for (int k = 0; k < missing; k++) (k % 2 == 0 ? still : uneven)[random.nextInt(1400)] = Float.NaN;
		final Strip strip = Strip.of(uneven, longs(f));
		final GainPlane plane = GainPlane.of(strip, Strip.of(still, longs(m)), lag, Arrays.stream(lag).asDoubleStream().toArray());
		assertArrayEquals(min, plane.min());
		assertArrayEquals(size, plane.size());
		final double[] slope = GainPlane.slope(List.of(plane), new double[] { 1 }), turned = GainPlane.slope(List.of(plane), new double[] { -1 });
		for (int d = 0; d < f.length; d++) {
			assertEquals(gain[d], slope[d], 1e-6);
			assertEquals(-slope[d], turned[d], 1e-12);
		}
		final Strip corrected = plane.corrected(strip, slope);
		assertArrayEquals(longs(f), corrected.size());
		final int first = IntStream.range(0, uneven.length).filter(i -> !Float.isNaN(uneven[i])).findFirst().orElseThrow();
		for (int i = 0; i < uneven.length; i++)
			if (Float.isNaN(uneven[i])) assertTrue(Float.isNaN(corrected.pixels()[i]));
			else assertEquals(0.8 * (object[i] - object[first]), corrected.pixels()[i] - corrected.pixels()[first], 2e-3, "pixel " + i);
		// brightness stays about that of the strip
		double sum = 0, of = 0;
		for (int i = 0; i < uneven.length; i++)
			if (!Float.isNaN(uneven[i])) {
				sum += corrected.pixels()[i] - uneven[i];
				of++;
			}
		assertEquals(0, sum / of, 2);
	}

	private static int[] ints(final String text) {
		return Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray();
	}

	private static long[] longs(final int[] size) {
		return Arrays.stream(size).asLongStream().toArray();
	}

	private static int pixels(final int[] size) {
		return Arrays.stream(size).reduce(1, (a, b) -> a * b);
	}

	/** Four pixels along each dimension are enough, three are not. */
	@Test
	void smallOverlaps() {
		final Strip strip = Strip.of(new float[80], new long[] { 10, 8 });
		assertNotNull(GainPlane.of(strip, strip, new int[] { 6, 4 }, new double[2]));
		assertNull(GainPlane.of(strip, strip, new int[] { 7, 4 }, new double[2]));
		assertNull(GainPlane.of(strip, strip, new int[] { -6, -5 }, new double[2]));
	}

	/** A gain that falls to less than a quarter, or grows to more than four times, at a corner is not believed. */
	@Test
	void steepSlopesAreNotBelieved() {
		final Random random = new Random(6);
		final Strip uneven = strip(0, 0, 1, random);
		final GainPlane plane = plane(uneven, strip(-0.3, 0.2, 0, random));
		final double corner = 0.75 / ((W - 1) / 2.0);
		assertNotSame(uneven, plane.corrected(uneven, new double[] { corner * 0.999, 0 }));
		assertSame(uneven, plane.corrected(uneven, new double[] { corner * 1.001, 0 }));
		assertSame(uneven, plane.corrected(uneven, new double[] { corner * 0.6, 0.4 * 0.76 / ((H - 1) / 2.0) }));
	}

	@Test
	void pixelsOfAStrip() {
		final Strip strip = Strip.of(ArrayImgs.unsignedBytes(new byte[] { 1, 2, 3, (byte) 250, 5, 6 }, 3, 2));
		assertArrayEquals(new float[] { 1, 2, 3, 250, 5, 6 }, strip.pixels());
		assertArrayEquals(new long[] { 3, 2 }, strip.size());
		assertArrayEquals(new long[] { 3, 2 }, strip.image().dimensionsAsLongArray());
		assertEquals(267, strip.sum());
		final Strip signed = Strip.of(ArrayImgs.shorts(new short[] { -3, 2, 7, -32768 }, 2, 2)),
			unsigned = Strip.of(ArrayImgs.unsignedShorts(new short[] { -3, 2 }, 2, 1));
		assertArrayEquals(new float[] { -3, 2, 7, -32768 }, signed.pixels());
		assertEquals(-32762, signed.sum());
		assertArrayEquals(new float[] { 65533, 2 }, unsigned.pixels());
		assertEquals(65535, unsigned.sum());
	}

	/** Clusters of 16 pixels along each dimension, with the sums of their pixels by the definition of the regressors. */
	@Test
	void rowsSumTheirRegressors() {
		for (final int[] size : new int[][] { { 300, 40 }, { 35, 36, 21 } }) for (final boolean missing : new boolean[] { false, true }) {
			final int n = size.length, all = 3 + 3 * n;
			final int[] lag = { 2, -1, 1 }, min = { 3, 2, 1 };
			final double[] shift = { 2.3, -0.8, 1.1 };
			final Random random = new Random(6);
			final Strip f = strip(random, size, missing), m = strip(random, size, missing);
			final GainRows rows = new GainRows(f, m, Arrays.copyOf(lag, n), Arrays.copyOf(shift, n), Arrays.copyOf(min, n), size);
			final double[] p = random.doubles(all - 1).toArray(), means = { mean(f), mean(m) };
			final int[] clusters = Arrays.stream(size).map(s -> (s - 2 + 15) / 16).toArray();
			final double[][] sums = new double[all][all], scores = new double[Arrays.stream(clusters).reduce(1, (a, b) -> a * b)][all - 1];
			for (int k = 0; k < Arrays.stream(size).map(s -> s - 2).reduce(1, (a, b) -> a * b); k++) {
				final int[] at = new int[n];
				int i = 0, j = 0, cluster = 0;
				for (int d = 0, rest = k, inF = 1, inM = 1, c = 1; d < n; rest /= size[d] - 2, c *= clusters[d], inF *= (int) f.size()[d], inM *= (int) m.size()[d++]) {
					at[d] = 1 + rest % (size[d] - 2);
					i += (min[d] + at[d]) * inF;
					j += (min[d] + at[d] + lag[d]) * inM;
					cluster += (at[d] - 1) / 16 * c;
				}
				final double[] v = regressors(f, m, i, j, at, size, lag, shift, means);
				if (v == null) continue;
				for (int a = 0; a < all; a++) for (int b = 0; b < all; b++) sums[a][b] += v[a] * v[b];
				double residual = v[all - 1];
				for (int a = 0; a < p.length; a++) residual -= p[a] * v[a];
				for (int a = 0; a < p.length; a++) scores[cluster][a] += v[a] * residual;
			}
			final double[][] foundSums = rows.sums(), foundScores = rows.scores(p);
			for (int a = 0; a < all; a++) for (int b = 0; b < all; b++)
				assertEquals(sums[a][b], foundSums[a][b], 1e-9 * Math.sqrt(sums[a][a] * sums[b][b]), a + ", " + b);
			assertEquals(scores.length, foundScores.length);
			for (int c = 0; c < scores.length; c++) assertArrayEquals(scores[c], foundScores[c], 1e-4, "cluster " + c);
		}
	}

	/** Of a large overlap, rows that lie evenly are taken. */
	@Test
	void largeOverlapsGiveSomeRows() {
		for (final int height : new int[] { 500, 1000, 2000 }) {
			final int[] size = { 102, height };
			final Strip f = strip(new Random(1), size, false);
			final double[][] sums = new GainRows(f, f, new int[2], new double[2], new int[2], size).sums();
			assertTrue(sums[1][1] > 20_000 && sums[1][1] < 70_000, height + ": " + sums[1][1]);
			assertEquals(0, sums[1][7] / sums[1][1], 3, "the mean row is that in the middle");
		}
	}

	/** Noise, with a margin for the least place and the lag of the tests. */
	private static Strip strip(final Random random, final int[] size, final boolean missing) {
		final long[] extents = Arrays.stream(size).mapToLong(s -> s + 6).toArray();
		final float[] pixels = new float[(int) Arrays.stream(extents).reduce(1, (a, b) -> a * b)];
		for (int i = 0; i < pixels.length; i++) pixels[i] = 500 + (float) random.nextGaussian();
		for (int k = 0; missing && k < 20; k++) pixels[random.nextInt(pixels.length)] = Float.NaN;
		return Strip.of(pixels, extents);
	}

	/** Of a pixel, in the order of {@code GainRows}; null if one of them is missing. */
	private static double[] regressors(final Strip f, final Strip m, final int i, final int j, final int[] at, final int[] size, final int[] lag,
		final double[] shift, final double[] means)
	{
		final int n = size.length;
		final double[] v = new double[3 + 3 * n];
		v[0] = m.pixels()[j] - means[1];
		v[1] = 1;
		v[v.length - 1] = f.pixels()[i] - means[0];
		for (int d = 0, inF = 1, inM = 1; d < n; inF *= (int) f.size()[d], inM *= (int) m.size()[d++]) {
			v[2 + d] = ((double) f.pixels()[i + inF] - f.pixels()[i - inF] + m.pixels()[j + inM] - m.pixels()[j - inM]) / 4;
			v[v.length - 1] -= (shift[d] - lag[d]) * v[2 + d];
			v[2 + 2 * n + d] = at[d] - (size[d] - 1) / 2.0;
			v[2 + n + d] = v[0] * v[2 + 2 * n + d];
		}
		return Double.isFinite(Arrays.stream(v).sum()) ? v : null;
	}

	private static double mean(final Strip strip) {
		return IntStream.range(0, strip.pixels().length).mapToDouble(i -> strip.pixels()[i]).filter(Double::isFinite).average().orElseThrow();
	}
}
