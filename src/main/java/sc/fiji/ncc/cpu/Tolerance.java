package sc.fiji.ncc.cpu;

/** What the error estimates are held against. */
public final class Tolerance {

	/** A response is computed again if its estimated error exceeds this; the contract allows 1e-5. */
	public static final double RESPONSE = 9e-6;
	public static final double EPS_FLOAT = 0x1p-24, EPS_DOUBLE = 0x1p-53;
	/** Greatest (μ - ref)²/σ² at which variances that are differences in double still hold. */
	public static final double DOUBLE_LIMIT = RESPONSE / (16 * EPS_DOUBLE);

	/** Pixels are scaled to at most 2: variances below this come near the least float. */
	public static final double FLOOR = 0x1p-100;

	private Tolerance() {}
}
