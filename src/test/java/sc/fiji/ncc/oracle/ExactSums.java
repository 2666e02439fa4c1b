package sc.fiji.ncc.oracle;

import java.math.BigInteger;

/**
 * Sums without any rounding. A finite double is a whole number times a power of two, so an array of them is an array of whole numbers times
 * one power of two, which the coefficient does not depend on. Only the last step rounds: the quotient, to the precision of a double.
 */
final class ExactSums implements ReferenceNcc.Sums {

	private static final int PLACES = 80;
	/** The quotient takes so many bits of the product of the variances, and half as many of the numerator. */
	private static final int BITS = 128;

	private final BigInteger[] image, template, weights;
	/** Null if 64 bits suffice for the sums. */
	private final BigInteger[] imageSquares, templateSquares;
	/** The same numbers if no sum of their products over the template can exceed 63 bits. Otherwise null. */
	private final long[] smallImage, smallTemplate;

	private final int channels;

	/**
	 * @param counted the template's pixels of positive weight, in the first channel
	 * @param channels the number of channels, one after the other in image and template
	 */
	ExactSums(final double[] image, final double[] template, final double[] weights, final int[] counted, final int channels) {
		this.channels = channels;
		this.image = wholeNumbers(image);
		this.template = wholeNumbers(template);
		this.weights = weights == null || allOne(weights, counted) ? null : wholeNumbers(weights);
		final int bits = Math.max(bits(this.image), bits(this.template));
		final int bitsOfCount = 32 - Integer.numberOfLeadingZeros(template.length);
		final boolean small = this.weights == null && 2 * bits + bitsOfCount <= 62;
		smallImage = small ? longs(this.image) : null;
		smallTemplate = small ? longs(this.template) : null;
		imageSquares = small ? null : squares(this.image);
		templateSquares = small ? null : squares(this.template);
	}

	/** Whether 64 bits suffice for the sums, which is fast. */
	boolean inLongs() {
		return smallImage != null;
	}

	/** The numerator and both variances, summed over channels. */
	private static final class Quotient {

		private BigInteger numerator = BigInteger.ZERO, imageVariance = BigInteger.ZERO, templateVariance = BigInteger.ZERO;

		void add(final BigInteger n, final BigInteger p, final BigInteger pp, final BigInteger t, final BigInteger tt, final BigInteger pt) {
			numerator = numerator.add(n.multiply(pt).subtract(p.multiply(t)));
			imageVariance = imageVariance.add(n.multiply(pp).subtract(p.multiply(p)));
			templateVariance = templateVariance.add(n.multiply(tt).subtract(t.multiply(t)));
		}

		/** The quotient of the numbers, with their first bits only, because long numbers take long. */
		double value() {
			final BigInteger variances = imageVariance.multiply(templateVariance);
			// even, because of the root
			final int cut = Math.max(0, variances.bitLength() - BITS) & ~1, cutNumerator = Math.max(0, numerator.bitLength() - BITS / 2);
			final BigInteger above = numerator.shiftRight(cutNumerator), below = variances.shiftRight(cut);
			final double square = above.multiply(above).shiftLeft(2 * PLACES).divide(below).doubleValue();
			return numerator.signum() * Math.scalb(Math.sqrt(square), cutNumerator - PLACES - cut / 2);
		}
	}

	@Override
	public double coefficient(final int[] imagePixels, final int[] templatePixels, final int n) {
		final Quotient quotient = new Quotient();
		for (int c = 0; c < channels; c++)
			if (inLongs()) small(imagePixels, templatePixels, c * n, (c + 1) * n, quotient);
			else large(imagePixels, templatePixels, c * n, (c + 1) * n, quotient);
		return quotient.value();
	}

	private void small(final int[] imagePixels, final int[] templatePixels, final int from, final int until, final Quotient to) {
		long p = 0, pp = 0, t = 0, tt = 0, pt = 0;
		for (int k = from; k < until; k++) {
			final long a = smallImage[imagePixels[k]], b = smallTemplate[templatePixels[k]];
			p += a;
			pp += a * a;
			t += b;
			tt += b * b;
			pt += a * b;
		}
		to.add(BigInteger.valueOf(until - from), BigInteger.valueOf(p), BigInteger.valueOf(pp), BigInteger.valueOf(t), BigInteger.valueOf(tt), BigInteger.valueOf(pt));
	}

	private void large(final int[] imagePixels, final int[] templatePixels, final int from, final int until, final Quotient to) {
		BigInteger count = BigInteger.ZERO, p = count, pp = count, t = count, tt = count, pt = count;
		for (int k = from; k < until; k++) {
			final int i = imagePixels[k], j = templatePixels[k];
			final BigInteger w = weights == null ? null : weights[j % weights.length];
			count = count.add(w == null ? BigInteger.ONE : w);
			p = p.add(weighted(w, image[i]));
			pp = pp.add(weighted(w, imageSquares[i]));
			t = t.add(weighted(w, template[j]));
			tt = tt.add(weighted(w, templateSquares[j]));
			pt = pt.add(weighted(w, image[i].multiply(template[j])));
		}
		to.add(count, p, pp, t, tt, pt);
	}

	private static BigInteger weighted(final BigInteger weight, final BigInteger value) {
		return weight == null ? value : weight.multiply(value);
	}

	/** The values divided by the largest power of two that leaves all of them integers. A value that is not finite becomes 0. It is not used. */
	private static BigInteger[] wholeNumbers(final double[] values) {
		int least = Integer.MAX_VALUE;
		for (final double v : values)
			if (v != 0 && Double.isFinite(v)) least = Math.min(least, exponent(v) + Long.numberOfTrailingZeros(mantissa(v)));
		final BigInteger[] whole = new BigInteger[values.length];
		for (int i = 0; i < whole.length; i++) {
			final double v = values[i];
			if (v == 0 || !Double.isFinite(v)) {
				whole[i] = BigInteger.ZERO;
				continue;
			}
			// the shift to the right drops only zeros
			final BigInteger magnitude = BigInteger.valueOf(mantissa(v)).shiftLeft(exponent(v) - least);
			whole[i] = v < 0 ? magnitude.negate() : magnitude;
		}
		return whole;
	}

	private static long mantissa(final double v) {
		final long bits = Double.doubleToRawLongBits(v);
		final long fraction = bits & 0xf_ffff_ffff_ffffL;
		return (bits & 0x7ff0_0000_0000_0000L) == 0 ? fraction : fraction | 0x10_0000_0000_0000L;
	}

	/** The exponent of the power of two by which {@link #mantissa} is multiplied. */
	private static int exponent(final double v) {
		final int biased = (int) (Double.doubleToRawLongBits(v) >> 52) & 0x7ff;
		return Math.max(biased, 1) - 1075;
	}

	private static boolean allOne(final double[] weights, final int[] counted) {
		for (final int i : counted)
			if (weights[i] != 1) return false;
		return true;
	}

	private static BigInteger[] squares(final BigInteger[] values) {
		final BigInteger[] squares = new BigInteger[values.length];
		for (int i = 0; i < squares.length; i++) squares[i] = values[i].multiply(values[i]);
		return squares;
	}

	private static int bits(final BigInteger[] values) {
		int bits = 0;
		for (final BigInteger v : values) bits = Math.max(bits, v.abs().bitLength());
		return bits;
	}

	private static long[] longs(final BigInteger[] values) {
		final long[] longs = new long[values.length];
		for (int i = 0; i < longs.length; i++) longs[i] = values[i].longValueExact();
		return longs;
	}
}
