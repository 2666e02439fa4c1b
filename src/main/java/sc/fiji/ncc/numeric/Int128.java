package sc.fiji.ncc.numeric;

/** The one expression that needs 128 bits: the difference of two products. */
public final class Int128 {

	private static final double TWO_64 = 0x1p64;

	private Int128() {}

	/** {@code a·b - c·d}, exact in 128 bits and then rounded to a double. */
	public static double difference(final long a, final long b, final long c, final long d) {
		final long low = a * b - c * d;
		final long borrow = Long.compareUnsigned(a * b, c * d) < 0 ? 1 : 0;
		final long high = Math.multiplyHigh(a, b) - Math.multiplyHigh(c, d) - borrow;
		if (high == low >> 63) return low;
		// of the absolute value, lest two large halves of opposite signs cancel
		return high < 0 ? -toDouble(~high + (low == 0 ? 1 : 0), -low) : toDouble(high, low);
	}

	/** {@code high·2^64 + low} with {@code low} unsigned. */
	private static double toDouble(final long high, final long low) {
		final double unsigned = low >= 0 ? low : ((low >>> 1) | (low & 1)) * 2.0;
		return high * TWO_64 + unsigned;
	}
}
