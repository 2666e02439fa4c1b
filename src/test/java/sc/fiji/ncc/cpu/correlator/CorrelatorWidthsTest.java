package sc.fiji.ncc.cpu.correlator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.Vectors;

/**
 * Every row correlator at every width from 1 to 140, against sums of whole numbers that none of them may round: a coefficient that is lost, or counted
 * twice at the seam of two groups, changes the result.
 */
class CorrelatorWidthsTest {

	private static final int[] HEIGHTS = { 1, 2, 3, 8 };
	private static final int ROWS = 5, LIMIT = 16;
	/** Values whose sums over all coefficients float holds exactly. */
	private static final int LEVELS = 50;

	static IntStream widths() {
		return IntStream.rangeClosed(1, 140);
	}

	@ParameterizedTest
	@MethodSource("widths")
	void sumsAreExact(final int width) {
		final Random random = new Random(width);
		for (final int height : HEIGHTS)
			for (int planes = 1; planes <= 2; planes++) {
				final int lags = 1 + random.nextInt(200), most = lags + random.nextInt(3);
				final float[][] c = new float[planes][width * height];
				final double[][] wide = new double[planes][];
				for (int p = 0; p < planes; p++) {
					// groups of zeros are skipped, runs of one value are summed separately
					int value = 0;
					for (int i = 0; i < c[p].length; i++) {
						if (random.nextInt(6) == 0) value = random.nextInt(4) == 0 ? 0 : random.nextInt(LEVELS) - LEVELS / 2;
						c[p][i] = value;
					}
					wide[p] = Rows.toDouble(c[p]);
				}
				final float[][][] image = new float[planes][ROWS + height - 1][lags + width - 1];
				for (final float[][] plane : image)
					for (final float[] row : plane)
						for (int x = 0; x < row.length; x++) row[x] = random.nextInt(LEVELS) - LEVELS / 2;
				final double[][] expected = sums(c, image, width, height, lags);
				final List<FloatRowCorrelator> floats = new ArrayList<>(List.of(new ShiftedFloatCorrelator(width, height, c, LIMIT, most),
					new ShiftedFloatCorrelator(width, height, c, 1 << 20, most), new ShiftedKernelCorrelator(width, height, c, 1e9, most),
					new ShiftedKernelCorrelator(width, height, c, 1, most)));
				final List<DoubleRowCorrelator> doubles = new ArrayList<>(List.of(new ShiftedDoubleCorrelator(width, height, wide, most), RunCorrelator.fastest(width, height, wide, most)));
				if (Vectors.USED) {
					floats.addAll(List.of(new VectorFloatCorrelator(width, height, c, LIMIT, false, most), new VectorFloatCorrelator(width, height, c, LIMIT, true, most),
						new VectorFloatCorrelator(width, height, c, 1 << 20, false, most),
						FloatRowCorrelator.ofKernel(width, height, c, 1e9, most), FloatRowCorrelator.ofKernel(width, height, c, 20, most), FloatRowCorrelator.ofKernel(width, height, c, 1, most)));
					doubles.add(new VectorDoubleCorrelator(width, height, wide, most));
				}
				for (final FloatRowCorrelator correlator : floats) check(correlator, image, expected, width, height, lags);
				for (final DoubleRowCorrelator correlator : doubles) check(correlator, image, expected, width, height, lags);
			}
	}

	/** Whole numbers whose sum over a run just fits into a float, in templates of nearly two and three runs: a longer run rounds. */
	@ParameterizedTest
	@MethodSource("widths")
	void exactRunsAreNotExceeded(final int width) {
		final Random random = new Random(width);
		final int run = 1024, lags = 9;
		for (int planes = 1; planes <= 3; planes++)
			for (int less = 0; less < 5; less++)
				for (int runs = 2; runs <= 3; runs++) {
					final int height = runs * (run / width) / planes - less;
					if (height < 1) continue;
					final float[][] c = new float[planes][width * height];
					final float[][][] image = new float[planes][ROWS + height - 1][lags + width - 1];
					for (final float[] plane : c)
						for (int i = 0; i < plane.length; i++) plane[i] = -128 + random.nextInt(2);
					for (final float[][] plane : image)
						for (final float[] row : plane)
							for (int x = 0; x < row.length; x++) row[x] = -128 + random.nextInt(2);
					check(FloatRowCorrelator.exact(width, height, c, run, lags), image, sums(c, image, width, height, lags), width, height, lags);
				}
	}

	private static double[][] sums(final float[][] c, final float[][][] image, final int width, final int height, final int lags) {
		final double[][] sums = new double[ROWS][lags];
		for (int y = 0; y < ROWS; y++)
			for (int p = 0; p < c.length; p++)
				for (int j = 0; j < height; j++)
					for (int i = 0; i < width; i++)
						for (int x = 0; x < lags; x++) sums[y][x] += (double) c[p][j * width + i] * image[p][y + j][x + i];
		return sums;
	}

	private static void check(final FloatRowCorrelator correlator, final float[][][] image, final double[][] expected, final int width, final int height, final int lags) {
		correlator.begin(lags);
		final double[] sums = new double[lags];
		int y = 0;
		for (int r = 0; r < ROWS + height - 1; r++) {
			for (int p = 0; p < image.length; p++) {
				final float[] buffer = correlator.buffer(p, r);
				if (buffer != null) System.arraycopy(image[p][r], 0, buffer, 0, lags + width - 1);
				correlator.add(p, buffer == null ? image[p][r] : buffer, r, Math.max(0, r - height + 1), Math.min(r, ROWS - 1));
			}
			for (; y + height - 1 + correlator.ahead() <= r || r == ROWS + height - 2 && y < ROWS; y++) {
				correlator.finish(y, sums);
				final int row = y;
				assertArrayEquals(expected[y], sums, 0.1, () -> correlator.getClass().getSimpleName() + " of " + width + "x" + height + "x" + image.length + ", row " + row);
			}
		}
	}

	private static void check(final DoubleRowCorrelator correlator, final float[][][] image, final double[][] expected, final int width, final int height, final int lags) {
		correlator.begin(lags);
		final double[] sums = new double[lags];
		for (int r = 0; r < ROWS + height - 1; r++) {
			for (int p = 0; p < image.length; p++) correlator.add(p, Rows.toDouble(image[p][r]), r, Math.max(0, r - height + 1), Math.min(r, ROWS - 1));
			final int y = r - height + 1;
			if (y < 0) continue;
			correlator.finish(y, sums);
			assertArrayEquals(expected[y], sums, 0.1, () -> correlator.getClass().getSimpleName() + " of " + width + "x" + height + "x" + image.length + ", row " + y);
		}
	}
}
