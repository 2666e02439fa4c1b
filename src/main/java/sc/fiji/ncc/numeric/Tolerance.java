package sc.fiji.ncc.numeric;

import sc.fiji.ncc.plan.Precision;

/** Error tolerances of responses, and the limits that follow from them. */
public final class Tolerance {

	/** A response in float is computed again if its estimated error exceeds this value. The contract allows 1e-5. */
	public static final double RESPONSE = 9e-6;
	/** The same in double; the contract allows 1e-10. */
	private static final double DOUBLE_RESPONSE = 9e-11;
	public static final double EPS_FLOAT = 0x1p-24, EPS_DOUBLE = 0x1p-53;
	/** The maximum (μ - ref)²/σ² at which variances that are differences in double are accurate enough. */
	public static final double DOUBLE_LIMIT = RESPONSE / (16 * EPS_DOUBLE);
	/** The error of pixels that are rounded to float twice, once about a reference and once about a mean, in the worst case; in eps of |μ - ref|/σ. */
	private static final double ROUNDED_PIXELS = 1.5;
	/** The error of a transform in the place of equal pixels, if it has the template's sign, in the same unit. The largest that was seen is a third. */
	private static final double EQUAL_PIXELS = 1;
	/** The minimum of a difference of two sums in double, in units of the sums' last place over the tolerance. */
	private static final double MIN_DIFFERENCE = 1000;

	/** The minimum variance of a window, in float. Pixels are scaled to at most 2, so smaller variances come near the smallest float. */
	public static final double FLOOR = 0x1p-100;

	/** The same where sums are taken in double, whose squares underflow later. */
	public static final double DOUBLE_FLOOR = 0x1p-900;

	/** The maximum estimated error: a response with a larger one is computed again. */
	public static double of(final Precision precision) {
		return precision == Precision.SINGLE ? RESPONSE : DOUBLE_RESPONSE;
	}

	/**
	 * The maximum (μ - ref)²/σ² at which pixels may be transformed in float.
	 *
	 * @param whole whether pixels are whole numbers, which are not rounded
	 */
	public static double roundedLimit(final boolean whole) {
		final double limit = RESPONSE / ((EQUAL_PIXELS + (whole ? 0 : ROUNDED_PIXELS)) * EPS_FLOAT);
		return limit * limit;
	}

	/** The minimum of the difference of two sums in double, as a share of the sums. */
	public static double minShare(final Precision precision) {
		return MIN_DIFFERENCE * EPS_DOUBLE / of(precision);
	}

	private Tolerance() {}
}
