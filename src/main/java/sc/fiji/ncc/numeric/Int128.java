package sc.fiji.ncc.numeric;

/** Differences of products in 128-bit arithmetic. */
public final class Int128 {

	private static final double TWO_64 = 0x1p64;

	private Int128() {}

	/** {@code a·b - c·d}, computed exactly in 128 bits, then rounded to double. */
	public static double difference(final long a, final long b, final long c, final long d) {
		final long low = a * b - c * d;
		final long borrow = Long.compareUnsigned(a * b, c * d) < 0 ? 1 : 0;
		return rounded(Math.multiplyHigh(a, b) - Math.multiplyHigh(c, d) - borrow, low);
	}

	private static double rounded(final long high, final long low) {
		if (high == low >> 63) return low;
		// convert the absolute value, so that two large halves of opposite signs do not cancel
		return high < 0 ? -toDouble(~high + (low == 0 ? 1 : 0), -low) : toDouble(high, low);
	}

	/** {@code a·b - Σ c·d}, computed exactly in 128 bits, then rounded to double. */
	public static double difference(final long a, final long b, final long[] c, final long[] d) {
		if (c.length == 1) return difference(a, b, c[0], d[0]);
		long low = a * b, high = Math.multiplyHigh(a, b);
		for (int i = 0; i < c.length; i++) {
			final long product = c[i] * d[i];
			high -= Math.multiplyHigh(c[i], d[i]) + (Long.compareUnsigned(low, product) < 0 ? 1 : 0);
			low -= product;
		}
		return rounded(high, low);
	}

	/** The correlation coefficient of n pairs of whole numbers from their sums and the sums of their products; NaN if it is undefined. */
	public static double coefficient(final long n, final long sa, final long sb, final long aa, final long bb, final long ab) {
		return coefficient(difference(n, aa, sa, sa), difference(n, bb, sb, sb), difference(n, ab, sa, sb));
	}

	/** The same from variances and covariance, all times the same number. */
	public static double coefficient(final double va, final double vb, final double covariance) {
		if (!(va > 0) || !(vb > 0)) return Double.NaN;
		return Math.max(-1, Math.min(1, covariance / (va == vb ? va : Math.sqrt(va) * Math.sqrt(vb))));
	}

	/** {@code high·2^64 + low} with {@code low} unsigned. */
	private static double toDouble(final long high, final long low) {
		final double unsigned = low >= 0 ? low : ((low >>> 1) | (low & 1)) * 2.0;
		return high * TWO_64 + unsigned;
	}
}
