package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** Deviations and coefficients of templates of several chunks. */
class ZeroMeanTest {

	/** Three chunks, the last one short. */
	private static final int WIDTH = 301, HEIGHT = 499, N = WIDTH * HEIGHT;

	private static Template template(final Weights weights, final int channels) {
		final Random random = new Random(3);
		final double[] values = random.doubles((long) channels * N).map(v -> 1e6 + v).toArray();
		final double[] w = weights == Weights.NONE ? null : random.doubles(N).map(v -> weights == Weights.BINARY ? v < 0.3 ? 0 : 1 : v).toArray();
		return new Template(Size.of(WIDTH, HEIGHT), PixelType.F64, values, w, channels);
	}

	@ParameterizedTest
	@EnumSource
	void theNumberOfThreadsChangesNoBit(final Weights weights) {
		final Template t = template(weights, 2);
		final Weighting weighting = Weighting.of(t);
		final ZeroMeanTemplate one = ZeroMeanTemplate.of(List.of(t), weighting, 1).get(0);
		for (final int threads : new int[] { 2, 3, 8 }) {
			final ZeroMeanTemplate several = ZeroMeanTemplate.of(List.of(t), weighting, threads).get(0);
			assertArrayEquals(one.deviations(), several.deviations());
			assertArrayEquals(one.coefficients(), several.coefficients());
			assertEquals(one.norm(), several.norm());
			assertArrayEquals(ZeroMean.toFloat(one.deviations(), 1), ZeroMean.toFloat(one.deviations(), threads));
		}
	}

	/** The exact mean of a channel is subtracted, up to roundings relative to the contrast, and the greatest coefficient lies in [1, 2). */
	@ParameterizedTest
	@EnumSource
	void deviationsAreExact(final Weights weights) {
		final Template t = template(weights, 2);
		final double[] d = ZeroMean.of(t, 3);
		double greatest = 0;
		for (int c = 0; c < 2; c++) {
			BigDecimal sum = BigDecimal.ZERO, total = BigDecimal.ZERO;
			for (int i = 0; i < N; i++) {
				sum = sum.add(new BigDecimal(t.weight(i)).multiply(new BigDecimal(t.values()[c * N + i])));
				total = total.add(new BigDecimal(t.weight(i)));
				greatest = Math.max(greatest, Math.abs(t.weight(i) * d[c * N + i]));
			}
			final BigDecimal mean = sum.divide(total, new MathContext(40));
			// the scale is a power of two
			double scale = 0;
			for (int i = 0; i < N; i++) {
				final double exact = new BigDecimal(t.values()[c * N + i]).subtract(mean).doubleValue();
				if (t.weight(i) == 0) {
					assertEquals(0, d[c * N + i]);
					continue;
				}
				if (scale == 0) scale = Math.scalb(1.0, (int) Math.rint(Math.log(d[c * N + i] / exact) / Math.log(2)));
				assertEquals(exact * scale, d[c * N + i], 1e-15);
			}
		}
		assertTrue(greatest >= 1 && greatest < 2, "greatest " + greatest);
	}

	/** The rounding to float, for one chunk, by the definition in {@link ZeroMean#toFloat}. */
	@Test
	void oneChunkIsRoundedInOneGo() {
		final double[] d = Arrays.copyOf(ZeroMean.of(template(Weights.NONE, 1), 1), Chunks.LENGTH);
		d[77] = 0;
		double sum = 0, largest = 0, energy = 0;
		for (final double t : d) {
			sum += t;
			energy += t * t;
			largest = Math.max(largest, Math.max(Math.abs(sum), Math.abs(t)));
		}
		final double norm = Math.sqrt(energy), min = Math.max(Math.min(largest, norm), Math.min(8 * largest, norm / 4));
		final SplittableRandom random = new SplittableRandom(d.length);
		final float[] expected = new float[d.length];
		double rest = 0, partial = 0;
		for (int i = 0; i < d.length; i++) {
			if (d[i] == 0) continue;
			partial += d[i];
			final double place = 2 * Tolerance.EPS_FLOAT * Math.max(min, Math.min(Math.abs(partial), 2 * norm));
			expected[i] = (float) (d[i] + rest + place * (2 * random.nextDouble() - 1));
			rest += d[i] - expected[i];
		}
		expected[d.length - 1] = (float) (expected[d.length - 1] + rest);
		assertArrayEquals(expected, ZeroMean.toFloat(d, 4));
	}

	/** Over several chunks the sum stays zero, zeros stay zeros, and no value changes by more than a few last places of two norms. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void manyChunksKeepTheirSum(final int threads) {
		final double[] d = ZeroMean.of(template(Weights.BINARY, 1), threads);
		final float[] f = ZeroMean.toFloat(d, threads);
		BigDecimal change = BigDecimal.ZERO;
		double greatest = 0;
		final double norm = Math.sqrt(Arrays.stream(d).map(v -> v * v).sum());
		for (int i = 0; i < d.length; i++) {
			assertEquals(d[i] == 0, f[i] == 0);
			change = change.add(new BigDecimal(f[i])).subtract(new BigDecimal(d[i]));
			greatest = Math.max(greatest, Math.abs(f[i] - d[i]));
		}
		assertEquals(0, change.doubleValue(), 1e-6);
		assertTrue(greatest > 0 && greatest < 10 * Tolerance.EPS_FLOAT * norm, greatest + " of " + norm);
		assertTrue(Chunks.count(d.length) == 3);
	}

	@Test
	void nothingButZeros() {
		assertArrayEquals(new float[N], ZeroMean.toFloat(new double[N], 2));
	}
}
