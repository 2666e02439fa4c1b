package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The summed-area tables of {@code masked.cu}. Needs no card. */
class MaskedFourierMethodTest {

	@Test
	void everyBoxIsADifferenceOfEightSums() {
		final int w = 5, h = 4, d = 3, table = (w + 1) * (h + 1) * (d + 1);
		final Random random = new Random(1);
		final double[] a = random.ints(w * h * d, -9, 9).asDoubleStream().toArray(), b = random.ints(w * h * d, 0, 9).asDoubleStream().toArray();
		final double[] tables = MaskedFourierMethod.tables(new Template(Size.of(w, h, d), PixelType.F32, a, null), a, b);
		assertEquals(2 * table, tables.length);
		for (int trial = 0; trial < 200; trial++) {
			final int[] x = random.ints(2, 0, w + 1).sorted().toArray(), y = random.ints(2, 0, h + 1).sorted().toArray(), z = random.ints(2, 0, d + 1).sorted().toArray();
			for (int t = 0; t < 2; t++) {
				double sum = 0, difference = 0;
				for (int k = z[0]; k < z[1]; k++)
					for (int j = y[0]; j < y[1]; j++)
						for (int i = x[0]; i < x[1]; i++) sum += (t == 0 ? a : b)[(k * h + j) * w + i];
				for (int corner = 0; corner < 8; corner++) {
					final int i = x[corner & 1], j = y[corner >> 1 & 1], k = z[corner >> 2];
					difference += (Integer.bitCount(corner) % 2 == 1 ? 1 : -1) * tables[t * table + (k * (h + 1) + j) * (w + 1) + i];
				}
				assertEquals(sum, difference);
			}
		}
	}

	/** However many numbers are added up, a sum is off by a rounding or two: what cancels leaves no more. */
	@Test
	void sumsAreRoundedOnce() {
		final int w = 400, h = 30;
		final double[] a = new double[w * h];
		for (int i = 0; i < a.length; i++) a[i] = 0.1 + 1e-3 * (i % w);
		final double[] tables = MaskedFourierMethod.tables(new Template(Size.of(w, h, 1), PixelType.F64, a, null), a);
		BigDecimal all = BigDecimal.ZERO;
		for (final double v : a) all = all.add(new BigDecimal(v));
		assertEquals(all.doubleValue(), tables[tables.length - 1], Math.ulp(all.doubleValue()));
	}
}
