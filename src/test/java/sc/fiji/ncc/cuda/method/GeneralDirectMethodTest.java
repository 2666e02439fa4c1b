package sc.fiji.ncc.cuda.method;

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

/** What the first look of {@code any.cu} accepts is right: its arithmetic done again here, with multiply-adds where nvcc has them. Needs no GPU. */
class GeneralDirectMethodTest {

	private static final int RUN = 128;
	private static final double FLOOR = 0x1p-900;
	private static final MathContext EXACT = new MathContext(80);

	/** A pixel as {@code to_real_f32} or {@code to_real_f64} scales it. */
	private static double scaled(final double v, final int shift, final PixelType type) {
		return type == PixelType.F32 ? (float) Math.scalb(v, shift) : Math.scalb(v, shift);
	}

	/** The response; NaN if it is suspect. @param light the weight of the first pixel; the others weigh 1 */
	private static double look(final double[] pixels, final int shift, final double[] t, final double light, final PixelType type, final Precision precision) {
		final int all = t.length;
		double s = 0, q = 0, c = 0, sumT = 0, e = 0, n = 0, energy = 0;
		for (int i = 0; i < all; i++) energy += (i == 0 ? light : 1) * t[i] * t[i];
		final double reference = scaled(pixels[0], shift, type);
		for (int from = 0; from < all; from += RUN) {
			double runS = 0, runQ = 0, runC = 0, runT = 0, runE = 0, runN = 0;
			for (int i = from; i < Math.min(all, from + RUN); i++) {
				final double v = scaled(pixels[i], shift, type) - reference;
				final double w = i == 0 ? light : 1, wv = w * v, wt = w * t[i];
				runN += w;
				runS += wv;
				runQ = Math.fma(wv, v, runQ);
				runC = Math.fma(wv, t[i], runC);
				runT += wt;
				runE = Math.fma(wt, t[i], runE);
			}
			n += runN;
			s += runS;
			q += runQ;
			c += runC;
			sumT += runT;
			e += runE;
		}
		final double variance = Math.fma(-s, s / n, q), templateVariance = Math.fma(-sumT, sumT / n, e);
		final double limit = GeneralDirectMethod.limit(precision, all, 1), blur = GeneralDirectMethod.blur(type, precision);
		if (!(variance > Math.max(FLOOR, blur * n) && templateVariance > 1e-8 * energy && q * e <= limit * variance * templateVariance)) return Double.NaN;
		return Math.fma(-s, sumT / n, c) / (Math.sqrt(variance) * Math.sqrt(templateVariance));
	}

	private static double exact(final double[] pixels, final double[] t, final double light) {
		final BigDecimal first = new BigDecimal(light), n = first.add(BigDecimal.valueOf(t.length - 1));
		BigDecimal s = BigDecimal.ZERO, q = s, c = s, sumT = s, e = s;
		for (int i = 0; i < t.length; i++) {
			final BigDecimal v = new BigDecimal(pixels[i]), m = new BigDecimal(t[i]);
			final BigDecimal w = i == 0 ? first : BigDecimal.ONE, wv = w.multiply(v), wm = w.multiply(m);
			s = s.add(wv);
			q = q.add(wv.multiply(v));
			c = c.add(wv.multiply(m));
			sumT = sumT.add(wm);
			e = e.add(wm.multiply(m));
		}
		final BigDecimal variance = n.multiply(q).subtract(s.multiply(s)), templateVariance = n.multiply(e).subtract(sumT.multiply(sumT));
		return n.multiply(c).subtract(s.multiply(sumT)).divide(variance.multiply(templateVariance).sqrt(EXACT), EXACT).doubleValue();
	}

	/** @return how many windows were accepted */
	private static int check(final int n, final int shift, final double light, final PixelType type, final Precision precision, final IntToDoubleFunction pixel) {
		final double[] pixels = new double[n], t = new double[n];
		double mean = 0;
		for (int i = 0; i < n; i++) {
			pixels[i] = scaled(pixel.applyAsDouble(i), 0, type);
			t[i] = pixels[i];
			if (i > 0) mean += t[i] / (n - 1);
		}
		double greatest = 0;
		for (int i = 0; i < n; i++) {
			t[i] -= mean;
			greatest = Math.max(greatest, (i == 0 ? light : 1) * Math.abs(t[i]));
		}
		// of the size that the host gives it
		for (int i = 0; i < n; i++) t[i] /= greatest;
		final double r = look(pixels, shift, t, light, type, precision);
		if (Double.isNaN(r)) return 0;
		assertEquals(exact(pixels, t, light), r, precision == Precision.SINGLE ? 1e-5 : 1e-10, n + " pixels, scaled by 2^" + shift);
		return 1;
	}

	/** A light first pixel, which all others are taken about, far below a plateau: equal pixels round alike, in sums of up to 2000. */
	@ParameterizedTest
	@EnumSource(Precision.class)
	void plateausAboveALightPixel(final Precision precision) {
		final Random random = new Random(1);
		int accepted = 0;
		for (int trial = 0; trial < 600; trial++) {
			final int n = 100 + random.nextInt(2000);
			final double height = 1 + random.nextDouble(), contrast = height * Math.pow(10, (precision == Precision.SINGLE ? -3.2 : -1) - 1.4 * random.nextDouble());
			accepted += check(n, 0, 1e-25, PixelType.F64, precision, i -> i == 0 ? 0 : i < n / 2 ? height : height + contrast);
		}
		assertTrue(accepted > 20 && accepted < 600, accepted + " accepted");
	}

	/** Windows that scaling brings to where a float has few bits, or none. */
	@ParameterizedTest
	@EnumSource(Precision.class)
	void windowsFarBelowTheBrightestPixel(final Precision precision) {
		final Random random = new Random(2);
		int accepted = 0;
		for (int trial = 0; trial < 600; trial++) {
			final int shift = -random.nextInt(150), n = 2 + random.nextInt(60);
			accepted += check(n, shift, 1, PixelType.F32, precision, i -> random.nextDouble());
		}
		assertTrue(accepted > 200 && accepted < 600, accepted + " accepted");
	}

	@Test
	void ordinaryImagesAreAccepted() {
		final Random random = new Random(3);
		for (final Precision precision : Precision.values()) assertEquals(1, check(20_000, 0, 1, PixelType.F32, precision, i -> 10 + random.nextGaussian()));
	}
}
