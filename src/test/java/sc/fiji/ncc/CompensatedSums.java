package sc.fiji.ncc;

/**
 * Sums of 106 bits in pairs of doubles. Every pixel is taken relative to the first one of its window, by a difference without rounding,
 * so that an offset costs nothing; values near the ends of the range of a double are first multiplied by a power of two.
 */
final class CompensatedSums implements ReferenceNcc.Sums {

	/** Binary exponents within which neither squares overflow nor the last bits of squares of differences are lost. */
	private static final int LARGE_EXPONENT = 400;

	private final double[] image, template, weights;

	CompensatedSums(final double[] image, final double[] template, final double[] weights) {
		this.image = image;
		this.template = template;
		this.weights = weights;
	}

	@Override
	public double coefficient(final int[] imagePixels, final int[] templatePixels, final int n) {
		final int imageShift = shift(image, imagePixels, n), templateShift = shift(template, templatePixels, n);
		final double p0 = scaled(image[imagePixels[0]], imageShift), t0 = scaled(template[templatePixels[0]], templateShift);
		final DoubleDouble count = new DoubleDouble(), p = new DoubleDouble(), pp = new DoubleDouble(), t = new DoubleDouble(),
				tt = new DoubleDouble(), pt = new DoubleDouble(), a = new DoubleDouble(), b = new DoubleDouble(), product = new DoubleDouble();
		for (int k = 0; k < n; k++) {
			a.setDifference(scaled(image[imagePixels[k]], imageShift), p0);
			b.setDifference(scaled(template[templatePixels[k]], templateShift), t0);
			final double w = weights == null ? 1 : weights[templatePixels[k]];
			count.add(w, 0);
			p.addScaled(a, w);
			t.addScaled(b, w);
			pp.addScaled(product.setProduct(a, a), w);
			tt.addScaled(product.setProduct(b, b), w);
			pt.addScaled(product.setProduct(a, b), w);
		}
		final double numerator = combined(count, pt, p, t);
		final double r = numerator / (Math.sqrt(combined(count, pp, p, p)) * Math.sqrt(combined(count, tt, t, t)));
		return Math.max(-1, Math.min(1, r));
	}

	/** {@code n·ab − a·b} */
	private static double combined(final DoubleDouble n, final DoubleDouble ab, final DoubleDouble a, final DoubleDouble b) {
		final DoubleDouble left = new DoubleDouble().setProduct(n, ab), right = new DoubleDouble().setProduct(a, b);
		left.add(-right.high, -right.low);
		return left.high;
	}

	/** The power of two by which values are multiplied: 0 unless the largest is huge or tiny. */
	private static int shift(final double[] values, final int[] pixels, final int n) {
		double largest = 0;
		for (int k = 0; k < n; k++) largest = Math.max(largest, Math.abs(values[pixels[k]]));
		final int exponent = largest < Double.MIN_NORMAL ? -1075 + 64 - Long.numberOfLeadingZeros(Double.doubleToRawLongBits(largest))
			: Math.getExponent(largest);
		return Math.abs(exponent) < LARGE_EXPONENT ? 0 : -exponent;
	}

	private static double scaled(final double value, final int shift) {
		return shift == 0 ? value : Math.scalb(value, shift);
	}

	/** A number as an unevaluated sum of two doubles. Mutable. */
	static final class DoubleDouble {

		double high, low;

		/** {@code a − b}, without rounding. */
		DoubleDouble setDifference(final double a, final double b) {
			high = a - b;
			final double part = high - a;
			low = (a - (high - part)) - (b + part);
			return this;
		}

		DoubleDouble setProduct(final DoubleDouble a, final DoubleDouble b) {
			final double h = a.high * b.high;
			final double l = Math.fma(a.high, b.high, -h) + (a.high * b.low + a.low * b.high);
			normalize(h, l);
			return this;
		}

		void addScaled(final DoubleDouble a, final double factor) {
			if (factor == 1) {
				add(a.high, a.low);
				return;
			}
			final double h = a.high * factor;
			add(h, Math.fma(a.high, factor, -h) + a.low * factor);
		}

		void add(final double otherHigh, final double otherLow) {
			final double h = high + otherHigh, hPart = h - high;
			final double hError = (high - (h - hPart)) + (otherHigh - hPart);
			final double l = low + otherLow, lPart = l - low;
			final double lError = (low - (l - lPart)) + (otherLow - lPart);
			normalize(h, hError + l);
			normalize(high, low + lError);
		}

		private void normalize(final double h, final double l) {
			high = h + l;
			low = l - (high - h);
		}
	}
}
