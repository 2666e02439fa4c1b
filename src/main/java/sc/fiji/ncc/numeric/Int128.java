package sc.fiji.ncc.numeric;

/** The difference of two products in 128-bit arithmetic. */
public final class Int128 {

	private static final double TWO_64 = 0x1p64;

	private Int128() {}

	/** {@code a·b - c·d}, computed exactly in 128 bits, then rounded to double. */
	public static double difference(final long a, final long b, final long c, final long d) {
		final long low = a * b - c * d;
		final long borrow = Long.compareUnsigned(a * b, c * d) < 0 ? 1 : 0;
		final long high = Math.multiplyHigh(a, b) - Math.multiplyHigh(c, d) - borrow;
		if (high == low >> 63) return low;
		// convert the absolute value, so that two large halves of opposite signs do not cancel
		return high < 0 ? -toDouble(~high + (low == 0 ? 1 : 0), -low) : toDouble(high, low);
	}

	/** {@code high·2^64 + low} with {@code low} unsigned. */
	private static double toDouble(final long high, final long low) {
		final double unsigned = low >= 0 ? low : ((low >>> 1) | (low & 1)) * 2.0;
		return high * TWO_64 + unsigned;
	}
}
