package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The modes of windows of fields with a known covariance: normal values in chains along each axis, whose pixels at a distance d have the correlation ρ^d. */
class WindowModesTest {

	private static final int SIDE = 300, IMAGES = 6;

	/** Pixels in memory, which note where windows are read. */
	private static final class Field implements Pixels {

		private final long[] size;
		private final double[] values;
		private final List<long[]> origins = new ArrayList<>();
		private final List<int[]> extents = new ArrayList<>();
		private Field mask;

		private Field(final double[] values, final long... size) {
			this.values = values;
			this.size = size;
		}

		@Override
		public PixelType type() {
			return PixelType.F64;
		}

		@Override
		public long[] size() {
			return size;
		}

		@Override
		public Pixels mask() {
			if (mask == null) return null;
			return new Pixels() {

				@Override
				public PixelType type() {
					return PixelType.U8;
				}

				@Override
				public long[] size() {
					return size;
				}

				@Override
				public void read(final long[] min, final int[] box, final Buffer to) {
					for (int i = 0; i < count(box); i++) ((java.nio.ByteBuffer) to).put(i, (byte) mask.values[index(min, box, i)]);
				}
			};
		}

		@Override
		public void read(final long[] min, final int[] box, final Buffer to) {
			origins.add(min.clone());
			extents.add(box.clone());
			for (int i = 0; i < count(box); i++) ((DoubleBuffer) to).put(i, values[index(min, box, i)]);
		}

		private static int count(final int[] box) {
			return Arrays.stream(box).reduce(1, (a, b) -> a * b);
		}

		private int index(final long[] min, final int[] box, final int i) {
			int at = 0;
			for (int d = 0, rest = i, stride = 1; d < box.length; stride *= (int) size[d], rest /= box[d++]) {
				assertTrue(min[d] >= 0 && min[d] + box[d] <= size[d], "a box beyond the image");
				at += (int) (min[d] + rest % box[d]) * stride;
			}
			return at;
		}
	}

	private static Field field(final double[] rho, final Random random, final long... size) {
		final double[] values = new double[(int) Arrays.stream(size).reduce(1, (a, b) -> a * b)];
		for (int i = 0; i < values.length; i++) values[i] = random.nextGaussian();
		for (int d = 0, stride = 1; d < size.length; stride *= (int) size[d++])
			for (int i = 0; i < values.length; i++)
				if (i / stride % size[d] > 0) values[i] = rho[d] * values[i - stride] + Math.sqrt(1 - rho[d] * rho[d]) * values[i];
		return new Field(values, size);
	}

	private static Template template(final double[] weights, final Random random, final int... size) {
		final int n = Arrays.stream(size).reduce(1, (a, b) -> a * b);
		return new Template(Size.of(longs(size)), PixelType.F64, random.doubles(n).toArray(), weights);
	}

	private static long[] longs(final int[] size) {
		return Arrays.stream(size).asLongStream().toArray();
	}

	private static WindowNoise noise(final Template template, final Pixels image) {
		return WindowModes.of(template, image).orElseThrow();
	}

	/** The covariance of pixels of a window, times the roots of their weights. */
	private static RealMatrix covariance(final int[] size, final double[] rho, final double[] roots) {
		final double[][] c = new double[roots.length][roots.length];
		for (int i = 0; i < c.length; i++) for (int j = 0; j < c.length; j++)
			c[i][j] = roots[i] * roots[j] * Math.pow(rho[0], Math.abs(i % size[0] - j % size[0])) * Math.pow(rho[1], Math.abs(i / size[0] - j / size[0]));
		return new Array2DRowRealMatrix(c, false);
	}

	/** The scores of windows with a covariance that is known. */
	private static GaussianScores exact(final Template template, final double[] rho) {
		return exact(template, modes(template, rho));
	}

	private static EigenDecomposition modes(final Template template, final double[] rho) {
		return new EigenDecomposition(covariance(template.size().toIntArray(), rho, roots(template)));
	}

	private static double[] roots(final Template template) {
		return IntStream.range(0, template.values().length).mapToDouble(i -> Math.sqrt(template.weight(i))).toArray();
	}

	private static GaussianScores exact(final Template template, final EigenDecomposition modes) {
		final double[][] in = vectors(template, roots(template));
		return GaussianScores.of(Arrays.stream(modes.getRealEigenvalues()).map(v -> Math.max(v, 1e-15)).toArray(), modes.getVT().operate(in[0]),
			modes.getVT().operate(in[1]));
	}

	/** The template without its mean, and the constant window of length 1, both times the roots of the weights. */
	private static double[][] vectors(final Template template, final double[] roots) {
		double all = 0, mean = 0;
		for (int i = 0; i < roots.length; i++) {
			all += roots[i] * roots[i];
			mean += roots[i] * roots[i] * template.values()[i];
		}
		final double[] of = new double[roots.length], constant = new double[roots.length];
		for (int i = 0; i < roots.length; i++) {
			of[i] = roots[i] * (template.values()[i] - mean / all);
			constant[i] = roots[i] / Math.sqrt(all);
		}
		return new double[][] { of, constant };
	}

	private static double[] disk(final int side) {
		final double centre = (side - 1) / 2.0;
		return IntStream.range(0, side * side).mapToDouble(i -> Math.hypot(i % side - centre, i / side - centre) <= side / 2.0 ? 1 : 0).toArray();
	}

	/** The mean of some images, of a template without a mask, with one that is a product, and with one that is none. */
	@Test
	void scoresOfAKnownCovariance() {
		final double[] rows = IntStream.range(0, 80).mapToDouble(i -> 1 + i / 8 % 3).toArray();
		for (final double[] rho : new double[][] { { 0, 0 }, { 0.9, 0.3 }, { 0.5, 0.95 } }) for (final double[] weights : new double[][] { null, rows, disk(9) }) {
			final int[] size = weights == null || weights == rows ? new int[] { 8, 10 } : new int[] { 9, 9 };
			final EigenDecomposition modes = modes(template(weights, new Random(0), size), rho);
			double pixels = 0, probability = 0, exact = 0, likely = 0;
			for (int p = 0; p < IMAGES; p++) {
				final Random random = new Random(p);
				final Template template = template(weights, random, size);
				final GaussianScores scores = noise(template, field(rho, random, SIDE, SIDE)).scores(), known = exact(template, modes);
				final double score = 2 / Math.sqrt(known.effectivePixels() + 4);
				pixels += scores.effectivePixels();
				exact += known.effectivePixels();
				probability += scores.probability(score);
				likely += known.probability(score);
			}
			final String what = Arrays.toString(rho) + (weights == null ? " without a mask" : weights == rows ? " with weights of rows" : " of a disk");
			assertEquals(1, pixels / exact, 0.1, what);
			assertEquals(1, probability / likely, 0.25, what);
		}
	}

	/** Modes of smooth noise under a disk are correlated: taken as independent, they make high scores a thousand times less likely. */
	@Test
	void smoothNoiseUnderADisk() {
		final int side = 11;
		final double[] rho = { 0.97, 0.97 }, disk = disk(side);
		final EigenDecomposition modes = modes(template(disk, new Random(0), side, side), rho);
		double ratio = 0;
		for (int p = 0; p < IMAGES; p++) {
			final Random random = new Random(p);
			// a template of the same kind
			final Template template = new Template(Size.of(side, side), PixelType.F64, field(rho, random, side, side).values, disk);
			final GaussianScores known = exact(template, modes), found = noise(template, field(rho, random, SIDE, SIDE)).scores();
			double score = 0;
			while (known.probability(score) > 1e-3) score += 1e-3;
			ratio += Math.log(found.probability(score) / 1e-3) / IMAGES;
		}
		assertEquals(0, ratio, 0.5);
	}

	/** The modes of a chain, and how they change to the next window, are known. */
	@Test
	void steepnessOfAKnownCovariance() {
		final double[] rho = { 0.8, 0.3 };
		final int[] size = { 6, 9 };
		final double[] steep = new double[4], exact = new double[4];
		for (int p = 0; p < IMAGES; p++) {
			final Random random = new Random(p);
			final Template template = template(null, random, size);
			final WindowNoise noise = noise(template, field(rho, random, SIDE, SIDE));
			final Steepness known = steepness(template, size, rho);
			for (int k = 0; k < 4; k++) {
				steep[k] += noise.steepness().of(k % 2, k < 2 ? 2.5 : 5);
				exact[k] += known.of(k % 2, k < 2 ? 2.5 : 5);
			}
		}
		for (int k = 0; k < 4; k++) assertEquals(1, steep[k] / exact[k], 0.02, "axis " + k % 2 + (k < 2 ? " at 2.5" : " at 5"));
		assertTrue(exact[2] > 1.05 * 5 * IMAGES && exact[2] > 1.03 * exact[3] || exact[3] > 1.03 * exact[2], "the axes differ, and from a normal field");
	}

	private static Steepness steepness(final Template template, final int[] size, final double[] rho) {
		final RealMatrix[] modes = new RealMatrix[2];
		final double[][] values = new double[2][];
		final Steepness.Motion[] motions = new Steepness.Motion[2];
		for (int d = 0; d < 2; d++) {
			final int n = size[d];
			final double[][] c = new double[n][n], turned = new double[n][n], differences = new double[n][n];
			for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
				final double same = Math.pow(rho[d], Math.abs(i - j)), next = Math.pow(rho[d], Math.abs(i - j - 1)), before = Math.pow(rho[d], Math.abs(i - j + 1));
				c[i][j] = same;
				// of pixel i and the difference of pixel j to the next one: without the symmetric part
				turned[i][j] = (next - before) / 2;
				differences[i][j] = 2 * same - next - before;
			}
			final EigenDecomposition eigen = new EigenDecomposition(new Array2DRowRealMatrix(c));
			modes[d] = eigen.getV();
			values[d] = eigen.getRealEigenvalues();
			motions[d] = new Steepness.Motion(inModes(turned, modes[d], values[d]), inModes(differences, modes[d], values[d]));
		}
		final double[] ones = new double[size[0] * size[1]];
		Arrays.fill(ones, 1);
		final double[][] in = vectors(template, ones);
		final double[] variances = new double[ones.length], of = new double[ones.length], constant = new double[ones.length];
		for (int k = 0; k < ones.length; k++) {
			variances[k] = values[0][k % size[0]] * values[1][k / size[0]];
			for (int i = 0; i < ones.length; i++) {
				final double v = modes[0].getEntry(i % size[0], k % size[0]) * modes[1].getEntry(i / size[0], k / size[0]);
				of[k] += v * in[0][i];
				constant[k] += v * in[1][i];
			}
		}
		return Steepness.of(GaussianScores.of(variances, of, constant), size, variances, of, constant, motions);
	}

	private static double[][] inModes(final double[][] matrix, final RealMatrix modes, final double[] values) {
		final double[][] m = modes.transpose().multiply(new Array2DRowRealMatrix(matrix)).multiply(modes).getData();
		for (int i = 0; i < m.length; i++) for (int j = 0; j < m.length; j++) m[i][j] /= Math.sqrt(values[i] * values[j]);
		return m;
	}

	/** Where the image is as wide as the template, windows do not move along this axis: the field is taken as normal. */
	@Test
	void anImageAsWideAsTheTemplate() {
		final Field rows = field(new double[] { 0.5, 0.5 }, new Random(4), 8, 400);
		final WindowNoise noise = noise(template(null, new Random(5), 8, 6), rows);
		for (final int[] extents : rows.extents) assertEquals(List.of(8, 7), Arrays.stream(extents).boxed().toList());
		assertTrue(noise.steepness().of(1, 4) > 4.1, "along y windows move");
		for (final double value : new double[] { 1.5, 3, 4 }) assertEquals(value, noise.steepness().of(0, value), 1e-9);
		assertTrue(WindowModes.of(template(null, new Random(5), 9, 6), rows).isEmpty(), "an image that is narrower than the template");
	}

	/**
	 * Each window has the same values in another order, so its skewness is known: rows are equal, and their period is the width of the template. The
	 * skewness of the scores is a sixth of the product of both, over the root of the number of pixels.
	 */
	@Test
	void skewness() {
		final double[] period = { 0, 0, 0, 1, 0, 5, 2 }, values = new double[70 * 70];
		for (int i = 0; i < values.length; i++) values[i] = period[i % 70 % 7];
		for (final boolean weighted : new boolean[] { false, true }) {
			final double[] weights = weighted ? IntStream.range(0, 35).mapToDouble(i -> i / 7 == 2 ? 0 : 1 + i / 7).toArray() : null;
			final Template template = new Template(Size.of(7, 5), PixelType.F64, new Random(6).doubles(35).map(v -> v * v * v).toArray(), weights);
			final WindowNoise noise = noise(template, new Field(values, 70, 70));
			final double[] ones = new double[7];
			Arrays.fill(ones, 1);
			final double[] all = IntStream.range(0, 35).mapToDouble(template::weight).toArray();
			final double expected = skewness(period, ones) * skewness(template.values(), all);
			assertTrue(Math.abs(expected) > 1);
			assertEquals(expected, 6 * Math.sqrt(noise.scores().effectivePixels()) * noise.skewness(), 1e-9 * Math.abs(expected));
		}
	}

	private static double skewness(final double[] values, final double[] weights) {
		double all = 0, mean = 0, squares = 0, cubes = 0;
		for (int i = 0; i < values.length; i++) {
			all += weights[i];
			mean += weights[i] * values[i];
		}
		mean /= all;
		for (int i = 0; i < values.length; i++) {
			squares += weights[i] * Math.pow(values[i] - mean, 2) / all;
			cubes += weights[i] * Math.pow(values[i] - mean, 3) / all;
		}
		return cubes / Math.pow(squares, 1.5);
	}

	/** Lines along one diagonal have slopes with the correlation 1. Two such images with the amplitudes 2 and 1 have (4 − 1) / (4 + 1). */
	@Test
	void diagonal() {
		final double[] rising = new Random(7).doubles(2 * SIDE, -1, 1).toArray(), falling = new Random(8).doubles(2 * SIDE, -1, 1).toArray();
		for (final double[] amplitudes : new double[][] { { 1, 0 }, { 0, 1 }, { 2, 1 }, { 1, 2 }, { 1, 1 } }) {
			final double[] values = new double[SIDE * SIDE];
			for (int i = 0; i < values.length; i++) values[i] = amplitudes[0] * rising[i % SIDE + i / SIDE] + amplitudes[1] * falling[SIDE + i % SIDE - i / SIDE];
			final double a = amplitudes[0] * amplitudes[0], b = amplitudes[1] * amplitudes[1];
			assertEquals(Math.abs(a - b) / (a + b), noise(template(null, new Random(9), 12, 9), new Field(values, SIDE, SIDE)).diagonal(), 0.05,
				Arrays.toString(amplitudes));
		}
		assertEquals(0, noise(template(null, new Random(9), 12, 9), field(new double[] { 0.9, 0.5 }, new Random(10), SIDE, SIDE)).diagonal(), 0.07, "a product");
		// lines in the planes of x and z
		final double[] volume = new double[40 * 40 * 40];
		final Random random = new Random(11);
		final double[] line = random.doubles(80 * 40, -1, 1).toArray();
		for (int i = 0; i < volume.length; i++) volume[i] = line[(i % 40 + i / 1600) * 40 + i / 40 % 40];
		assertEquals(1, noise(template(null, random, 5, 4, 6), new Field(volume, 40, 40, 40)).diagonal(), 1e-9);
	}

	/** The central part of a large template counts. */
	@Test
	void largeTemplates() {
		final Random random = new Random(12);
		assertPart(random, new int[] { 81, 3 }, new int[] { 64, 3 }, field(new double[] { 0.5, 0.5 }, random, 200, 120));
		assertPart(random, new int[] { 4, 70 }, new int[] { 4, 64 }, field(new double[] { 0.5, 0.5 }, random, 90, 300));
		assertPart(random, new int[] { 21, 3, 17 }, new int[] { 16, 3, 16 }, field(new double[] { 0.5, 0.5, 0.5 }, random, 60, 30, 40));
	}

	private static void assertPart(final Random random, final int[] size, final int[] part, final Field image) {
		final Template large = template(random.ints(Field.count(size), 1, 3).asDoubleStream().toArray(), random, size);
		final double[] values = new double[Field.count(part)], weights = new double[values.length];
		for (int i = 0; i < values.length; i++) {
			int at = 0;
			for (int d = 0, rest = i, stride = 1; d < size.length; rest /= part[d], stride *= size[d++]) at += ((size[d] - part[d]) / 2 + rest % part[d]) * stride;
			values[i] = large.values()[at];
			weights[i] = large.weight(at);
		}
		final GaussianScores found = noise(large, image).scores(),
			expected = noise(new Template(Size.of(longs(part)), PixelType.F64, values, weights), image).scores();
		assertEquals(expected.effectivePixels(), found.effectivePixels(), 1e-9);
		assertEquals(expected.probability(0.2), found.probability(0.2), 1e-12);
	}

	/** Small templates have 160 windows, large ones 24, and those between as many as 3 million multiplications. They lie everywhere in the image. */
	@Test
	void theNumberAndThePlacesOfWindows() {
		final int[][] sizes = { { 4, 4 }, { 20, 20 }, { 64, 64 } };
		final int[] windows = { 160, 93, 24 };
		for (int k = 0; k < sizes.length; k++) {
			final Field image = field(new double[2], new Random(13), 200, 260);
			noise(template(null, new Random(14), sizes[k]), image);
			assertEquals(windows[k], image.origins.size());
			final int[] quarters = new int[4];
			for (int i = 0; i < windows[k]; i++) {
				for (int d = 0; d < 2; d++) assertEquals(sizes[k][d] + 1, image.extents.get(i)[d]);
				final long[] origin = image.origins.get(i);
				quarters[(origin[0] < (200 - sizes[k][0]) / 2 ? 0 : 1) + (origin[1] < (260 - sizes[k][1]) / 2 ? 0 : 2)]++;
			}
			for (final int n : quarters) assertEquals(windows[k] / 4.0, n, 3);
		}
		// the first and the last place along an axis
		final Field narrow = field(new double[2], new Random(15), 7, 200);
		noise(template(null, new Random(14), 4, 4), narrow);
		assertEquals(List.of(0L, 1L, 2L), narrow.origins.stream().map(o -> o[0]).distinct().sorted().toList());
	}

	/** Windows with missing pixels, or with pixels that are not finite, do not count. */
	@Test
	void incompleteWindows() {
		final Random random = new Random(16);
		final Template template = template(null, random, 8, 8);
		final double expected = exact(template, new double[2]).effectivePixels();
		final Field half = field(new double[2], random, 200, 200), masked = new Field(half.values.clone(), 200, 200);
		masked.mask = new Field(new double[200 * 200], 200, 200);
		Arrays.fill(masked.mask.values, 1);
		for (int i = 0; i < half.values.length; i++) if (i % 200 < 100) {
			half.values[i] = i % 2 == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
			// smooth
			masked.values[i] = 1e4 * Math.sin(i % 200 / 50.0);
			masked.mask.values[i] = 0;
		}
		assertEquals(1, noise(template, half).scores().effectivePixels() / expected, 0.1);
		assertEquals(noise(template, half).scores().effectivePixels(), noise(template, masked).scores().effectivePixels(), 1e-9);
		masked.mask = null;
		assertTrue(noise(template, masked).scores().effectivePixels() < expected / 3);
		Arrays.fill(half.values, 0, half.values.length * 9 / 10, Double.NaN);
		assertTrue(WindowModes.of(template, half).isEmpty(), "too few windows");
		assertTrue(WindowModes.of(template, new Field(new double[200 * 200], 200, 200)).isEmpty(), "no contrast");
		assertTrue(WindowModes.of(new Template(Size.of(2, 2), PixelType.F64, new double[8], null, 2), half).isEmpty(), "two channels");
		assertFalse(WindowModes.of(template, new Field(new Random(17).doubles(64 * 25).toArray(), 8, 200)).isEmpty());
	}

	/** The squared error of the coefficient β is about the variance of its logarithm among images. */
	@Test
	void errorsAreThoseAmongImages() {
		final int images = 40;
		final double[] rho = { 0.9, 0.9 };
		double errors = 0, sum = 0, squares = 0;
		for (int p = 0; p < images; p++) {
			final Random random = new Random(p);
			final Template template = template(null, random, 5, 4);
			final WindowNoise noise = noise(template, field(rho, random, 100, 100));
			errors += noise.errors()[0][0] / images;
			final double ratio = Math.log(noise.scores().normal(0.5) / exact(template, rho).normal(0.5));
			sum += ratio / images;
			squares += ratio * ratio / images;
		}
		assertEquals(1, Math.sqrt(errors / (squares - sum * sum)), 0.4);
	}
}
