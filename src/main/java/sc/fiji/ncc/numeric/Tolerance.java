package sc.fiji.ncc.numeric;

import sc.fiji.ncc.plan.Precision;

/** What the error estimates are held against. */
public final class Tolerance {

	/** A response in float is computed again if its estimated error exceeds this; the contract allows 1e-5. */
	public static final double RESPONSE = 9e-6;
	/** The same in double; the contract allows 1e-10. */
	private static final double DOUBLE_RESPONSE = 9e-11;
	public static final double EPS_FLOAT = 0x1p-24, EPS_DOUBLE = 0x1p-53;
	/** Greatest (μ - ref)²/σ² at which variances that are differences in double still hold. */
	public static final double DOUBLE_LIMIT = RESPONSE / (16 * EPS_DOUBLE);
	/** Greatest |μ - ref|/σ at which pixels may be rounded to float, once about a reference and once about a mean, all alike the template. */
	private static final double ROUNDED_PIXELS = RESPONSE / (1.5 * EPS_FLOAT);
	/** How much of what was added up must be left of a difference of sums in double, in units of its last place over the tolerance. */
	private static final double LEFT = 1000;

	/** Pixels are scaled to at most 2: variances below this come near the least float. */
	public static final double FLOOR = 0x1p-100;

	/** The same where sums are taken in double, whose squares underflow later. */
	public static final double DOUBLE_FLOOR = 0x1p-900;

	/** Above this estimated error a response is computed again. */
	public static double of(final Precision precision) {
		return precision == Precision.SINGLE ? RESPONSE : DOUBLE_RESPONSE;
	}

	/**
	 * The greatest (μ - ref)²/σ² at which pixels and a template may be rounded to float.
	 *
	 * @param n the sum of the weights
	 * @param whole whether pixels are whole numbers, which are not rounded
	 */
	public static double roundedLimit(final double n, final boolean whole) {
		// of the template's errors, which do not depend on each other, n grow with the root of it
		final double ofTemplate = RESPONSE * Math.sqrt(n) / (4 * EPS_FLOAT), limit = whole ? ofTemplate : Math.min(ofTemplate, ROUNDED_PIXELS);
		return limit * limit;
	}

	/** The least share that the difference of two sums in double may have in them. */
	public static double leastShare(final Precision precision) {
		return LEFT * EPS_DOUBLE / of(precision);
	}

	private Tolerance() {}
}
