package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;

/** What the first look of {@code any.cu} accepts is right: its arithmetic done again here, with multiply-adds where nvcc has them. Needs no card. */
class AnyMethodTest {

	private static final int RUN = 128;
	private static final double FLOOR = 0x1p-900;
	private static final MathContext EXACT = new MathContext(80);

	/** The response; NaN if it is suspect. Pixels as {@code to_real_f32} scales them. */
	private static double look(final double[] pixels, final int shift, final double[] t, final Precision precision) {
		final int all = t.length;
		double s = 0, q = 0, c = 0, sumT = 0, e = 0, n = 0, energy = 0;
		for (final double v : t) energy += v * v;
		final double reference = (float) Math.scalb(pixels[0], shift);
		for (int from = 0; from < all; from += RUN) {
			double runS = 0, runQ = 0, runC = 0, runT = 0, runE = 0;
			for (int i = from; i < Math.min(all, from + RUN); i++) {
				final double v = (float) Math.scalb(pixels[i], shift) - reference;
				runS += v;
				runQ = Math.fma(v, v, runQ);
				runC = Math.fma(v, t[i], runC);
				runT += t[i];
				runE = Math.fma(t[i], t[i], runE);
				n++;
			}
			s += runS;
			q += runQ;
			c += runC;
			sumT += runT;
			e += runE;
		}
		final double variance = Math.fma(-s, s / n, q), templateVariance = Math.fma(-sumT, sumT / n, e);
		final double limit = AnyMethod.limit(precision, all), blur = AnyMethod.blur(PixelType.F32, precision);
		if (!(variance > Math.max(FLOOR, blur * n) && templateVariance > 1e-8 * energy && q * e <= limit * variance * templateVariance)) return Double.NaN;
		return Math.fma(-s, sumT / n, c) / (Math.sqrt(variance) * Math.sqrt(templateVariance));
	}

	private static double exact(final double[] pixels, final double[] t) {
		final BigDecimal n = BigDecimal.valueOf(t.length);
		BigDecimal s = BigDecimal.ZERO, q = s, c = s, sumT = s, e = s;
		for (int i = 0; i < t.length; i++) {
			final BigDecimal v = new BigDecimal(pixels[i]), m = new BigDecimal(t[i]);
			s = s.add(v);
			q = q.add(v.multiply(v));
			c = c.add(v.multiply(m));
			sumT = sumT.add(m);
			e = e.add(m.multiply(m));
		}
		final BigDecimal variance = n.multiply(q).subtract(s.multiply(s)), templateVariance = n.multiply(e).subtract(sumT.multiply(sumT));
		return n.multiply(c).subtract(s.multiply(sumT)).divide(variance.multiply(templateVariance).sqrt(EXACT), EXACT).doubleValue();
	}

	/** @return how many windows were accepted */
	private static int check(final int n, final int shift, final Precision precision, final IntToDoubleFunction pixel) {
		final double[] pixels = new double[n], t = new double[n];
		double mean = 0;
		for (int i = 0; i < n; i++) {
			pixels[i] = (float) pixel.applyAsDouble(i);
			t[i] = pixels[i];
			mean += t[i] / n;
		}
		double greatest = 0;
		for (int i = 0; i < n; i++) greatest = Math.max(greatest, Math.abs(t[i] -= mean));
		// of the size that the host gives it
		for (int i = 0; i < n; i++) t[i] /= greatest;
		final double r = look(pixels, shift, t, precision);
		if (Double.isNaN(r)) return 0;
		assertEquals(exact(pixels, t), r, precision == Precision.SINGLE ? 1e-5 : 1e-10, n + " pixels, scaled by 2^" + shift);
		return 1;
	}

	/** A plateau and what little follows it: equal pixels round alike, in sums of up to 2000. */
	@ParameterizedTest
	@EnumSource(Precision.class)
	void longPlateaus(final Precision precision) {
		final Random random = new Random(1);
		int accepted = 0;
		for (int trial = 0; trial < 600; trial++) {
			final int n = 2 + random.nextInt(2000), edge = 1 + random.nextInt(Math.min(n - 1, 3));
			final double contrast = Math.pow(10, -7 * random.nextDouble()), height = 1 + random.nextDouble();
			accepted += check(n, 0, precision, i -> i < edge ? 0 : height + (i % 2 == 0 ? contrast : 0));
		}
		assertTrue(accepted > 20, accepted + " accepted try nothing");
	}

	/** Windows that scaling brings to where a float has few bits, or none. */
	@ParameterizedTest
	@EnumSource(Precision.class)
	void windowsFarBelowTheBrightestPixel(final Precision precision) {
		final Random random = new Random(2);
		int accepted = 0;
		for (int trial = 0; trial < 600; trial++) {
			final int shift = -random.nextInt(150), n = 2 + random.nextInt(60);
			accepted += check(n, shift, precision, i -> random.nextDouble());
		}
		assertTrue(accepted > 200 && accepted < 600, accepted + " accepted");
	}

	@Test
	void ordinaryPicturesAreAccepted() {
		final Random random = new Random(3);
		for (final Precision precision : Precision.values()) assertEquals(1, check(100_000, 0, precision, i -> 10 + random.nextGaussian()));
	}
}
