package sc.fiji.ncc.oracle;

/**
 * Sums of 106 bits in pairs of doubles. Every pixel is taken relative to the heaviest one of its window, the first of equal ones, by a difference
 * without rounding, so that an offset costs nothing; nor does a light pixel that lies far from the others. Values near the ends of the range of a double are first multiplied by a power of two.
 */
final class CompensatedSums implements ReferenceNcc.Sums {

	/** Binary exponents within which squares do not overflow and squares of differences do not underflow. */
	private static final int LARGE_EXPONENT = 400;

	private final double[] image, template, weights;
	private final int[] counted;
	/** Of all the template's pixels that count: those of every window inside the image. */
	private final TemplateSums whole;

	/** @param counted the indices of the template pixels of positive weight, ascending */
	CompensatedSums(final double[] image, final double[] template, final double[] weights, final int[] counted) {
		this.image = image;
		this.template = template;
		this.weights = weights;
		this.counted = counted;
		whole = new TemplateSums(counted, counted.length);
	}

	/** The part that does not depend on the image: values relative to the first one, and their sums. */
	private final class TemplateSums {

		final double[] high, low;
		final DoubleDouble count = new DoubleDouble(), t = new DoubleDouble(), tt = new DoubleDouble();

		TemplateSums(final int[] pixels, final int n) {
			high = new double[n];
			low = new double[n];
			if (n == 0) return;
			final int shift = shift(template, pixels, n);
			final double t0 = scaled(template[pixels[heaviest(pixels, n)]], shift);
			final DoubleDouble b = new DoubleDouble(), product = new DoubleDouble();
			for (int k = 0; k < n; k++) {
				b.setDifference(scaled(template[pixels[k]], shift), t0);
				final double w = weight(pixels[k]);
				count.add(w, 0);
				t.addScaled(b, w);
				tt.addScaled(product.setProduct(b, b), w);
				high[k] = b.high;
				low[k] = b.low;
			}
		}
	}

	private double weight(final int pixel) {
		return weights == null ? 1 : weights[pixel];
	}

	private int heaviest(final int[] pixels, final int n) {
		int heaviest = 0;
		if (weights != null) for (int k = 1; k < n; k++) if (weights[pixels[k]] > weights[pixels[heaviest]]) heaviest = k;
		return heaviest;
	}

	@Override
	public double coefficient(final int[] imagePixels, final int[] templatePixels, final int n) {
		final TemplateSums of = n == counted.length ? whole : new TemplateSums(templatePixels, n);
		final int shift = shift(image, imagePixels, n);
		final double p0 = scaled(image[imagePixels[heaviest(templatePixels, n)]], shift);
		final DoubleDouble p = new DoubleDouble(), pp = new DoubleDouble(), pt = new DoubleDouble(), a = new DoubleDouble(), b = new DoubleDouble(),
				product = new DoubleDouble();
		for (int k = 0; k < n; k++) {
			a.setDifference(scaled(image[imagePixels[k]], shift), p0);
			b.high = of.high[k];
			b.low = of.low[k];
			final double w = weight(templatePixels[k]);
			p.addScaled(a, w);
			pp.addScaled(product.setProduct(a, a), w);
			pt.addScaled(product.setProduct(a, b), w);
		}
		final double numerator = combined(of.count, pt, p, of.t);
		final double r = numerator / (Math.sqrt(combined(of.count, pp, p, p)) * Math.sqrt(combined(of.count, of.tt, of.t, of.t)));
		return Math.max(-1, Math.min(1, r));
	}

	/** {@code n·ab − a·b} */
	private static double combined(final DoubleDouble n, final DoubleDouble ab, final DoubleDouble a, final DoubleDouble b) {
		final DoubleDouble left = new DoubleDouble().setProduct(n, ab), right = new DoubleDouble().setProduct(a, b);
		left.add(-right.high, -right.low);
		return left.high;
	}

	/** The exponent of the power of two by which values are multiplied. 0 if the largest value is neither huge nor tiny. */
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
