package sc.fiji.ncc.cpu.correlator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.estimate.Additions;
import sc.fiji.ncc.loops.Fused;

/** Sums in the order that {@link SumOrder} gives equal those of the correlators to the bit. */
class SumOrderTest {

	private static final int LAGS = 21, ROWS = 9;

	private static float[] random(final Random random, final int n) {
		final float[] values = new float[n];
		for (int i = 0; i < n; i++) values[i] = random.nextFloat() - 0.3f;
		return values;
	}

	private static double[] wide(final float[] values) {
		final double[] wide = new double[values.length];
		for (int i = 0; i < wide.length; i++) wide[i] = values[i];
		return wide;
	}

	@ParameterizedTest
	@CsvSource({ "1, 40, 1, 1024", "8, 8, 1, 32", "4, 6, 2, 20", "12, 12, 1, 64", "1, 100, 1, 16", "2, 9, 3, 16", "3, 20, 1, 32", "5, 7, 4, 64", "7, 3, 2, 16", "16, 16, 1, 64", "18, 20, 2, 128", "31, 17, 1, 32", "33, 5, 1, 64" })
	void inFloat(final int width, final int height, final int planes, final int run) {
		final Random random = new Random(width + 31L * height);
		final float[][] coefficients = new float[planes][];
		final float[] all = new float[planes * width * height];
		for (int p = 0; p < planes; p++) {
			coefficients[p] = random(random, width * height);
			System.arraycopy(coefficients[p], 0, all, p * width * height, width * height);
		}
		final float[][][] image = new float[planes][ROWS + height - 1][];
		for (final float[][] plane : image)
			for (int r = 0; r < plane.length; r++) plane[r] = random(random, LAGS + width - 1);
		final FloatRowCorrelator correlator = FloatRowCorrelator.of(width, height, coefficients, run, LAGS);
		final SumOrder order = SumOrder.inFloat(width, height, planes, run, wide(all));
		correlator.begin(LAGS);
		final double[] sums = new double[LAGS];
		for (int r = 0; r < ROWS + height - 1; r++) {
			final int y = r - height + 1;
			for (int p = 0; p < planes; p++) correlator.add(p, image[p][r], r, Math.max(0, y), Math.min(r, ROWS - 1));
			if (y < 0) continue;
			correlator.finish(y, sums);
			for (int x = 0; x < LAGS; x++) {
				final int column = x;
				final double[] whole = new double[1];
				final float[] part = new float[1];
				order.walk(y % order.phases(), new Additions.Sum() {

					@Override
					public void start() {
						whole[0] += part[0];
						part[0] = 0;
					}

					@Override
					public void add(final int i, final int n) {
						if (n == 1) part[0] = Fused.add(all[i], pixel(i), part[0]);
						else {
							float group = all[i + n - 1] * pixel(i + n - 1);
							for (int j = i + n - 2; j >= i; j--) group = Fused.add(all[j], pixel(j), group);
							part[0] += group;
						}
					}

					private float pixel(final int i) {
						return image[i / (width * height)][y + i / width % height][column + i % width];
					}
				});
				assertEquals(whole[0] + part[0], sums[x], "lag " + x + ", " + y);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "1, 40, 1", "2, 9, 3", "3, 20, 1", "5, 7, 4", "16, 16, 1", "18, 20, 2", "33, 5, 1" })
	void inDouble(final int width, final int height, final int planes) {
		final Random random = new Random(width + 31L * height);
		final double[][] coefficients = new double[planes][];
		final double[] all = new double[planes * width * height];
		for (int p = 0; p < planes; p++) {
			coefficients[p] = random.doubles(width * height, -0.3, 0.7).toArray();
			System.arraycopy(coefficients[p], 0, all, p * width * height, width * height);
		}
		final double[][][] image = new double[planes][ROWS + height - 1][];
		for (final double[][] plane : image)
			for (int r = 0; r < plane.length; r++) plane[r] = random.doubles(LAGS + width - 1, -0.3, 0.7).toArray();
		final DoubleRowCorrelator correlator = DoubleRowCorrelator.of(width, height, coefficients, LAGS);
		final SumOrder order = SumOrder.inDouble(width, height, planes);
		correlator.begin(LAGS);
		final double[] sums = new double[LAGS];
		for (int r = 0; r < ROWS + height - 1; r++) {
			final int y = r - height + 1;
			for (int p = 0; p < planes; p++) correlator.add(p, image[p][r], r, Math.max(0, y), Math.min(r, ROWS - 1));
			if (y < 0) continue;
			correlator.finish(y, sums);
			for (int x = 0; x < LAGS; x++) {
				final int column = x;
				final double[] sum = new double[1];
				order.walk(y % order.phases(), new Additions.Sum() {

					@Override
					public void start() {}

					@Override
					public void add(final int i, final int n) {
						if (n == 1) sum[0] = Fused.add(all[i], pixel(i), sum[0]);
						else {
							double group = all[i + n - 1] * pixel(i + n - 1);
							for (int j = i + n - 2; j >= i; j--) group = Fused.add(all[j], pixel(j), group);
							sum[0] += group;
						}
					}

					private double pixel(final int i) {
						return image[i / (width * height)][y + i / width % height][column + i % width];
					}
				});
				assertEquals(sum[0], sums[x], "lag " + x + ", " + y);
			}
		}
	}
}
