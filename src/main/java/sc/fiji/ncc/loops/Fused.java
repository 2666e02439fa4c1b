package sc.fiji.ncc.loops;

/**
 * Multiply and add. The result is rounded once where the processor has the instruction, twice elsewhere. {@link Math#fma} always rounds once, but is some
 * hundred times slower without the instruction.
 * <p>
 * One node in place of two lets C2 unroll, and so vectorise, larger loops.
 */
public final class Fused {

	/** Whether the processor has the instruction. 64 first calls take about 1 µs with it, and over 300 µs without it. */
	private static final boolean HARDWARE = measure();

	private Fused() {}

	private static boolean measure() {
		float sum = 0;
		long min = Long.MAX_VALUE;
		for (int round = 0; round < 5; round++) {
			final long start = System.nanoTime();
			for (int i = 0; i < 64; i++) sum = Math.fma(sum, 0.5f, i);
			min = Math.min(min, System.nanoTime() - start);
		}
		return min < 20_000 && sum > 0;
	}

	/** Whether {@link #add(float, float, float)} rounds once. */
	public static boolean once() {
		return HARDWARE;
	}

	/** The rounding error of a product, {@code a·b - product}. It is exact unless it underflows. */
	static double roundingError(final double a, final double b, final double product) {
		return HARDWARE ? Math.fma(a, b, -product) : split(a, b, product);
	}

	/** The same without the instruction: the factors are cut into halves of 26 bits (Veltkamp; Dekker 1971). Exact as long as they stay below 2^995. */
	private static double split(final double a, final double b, final double product) {
		final double p = a * 0x1.0000002p27, q = b * 0x1.0000002p27;
		final double aHigh = p - (p - a), aLow = a - aHigh, bHigh = q - (q - b), bLow = b - bHigh;
		return aLow * bLow - (((product - aHigh * bHigh) - aLow * bHigh) - aHigh * bLow);
	}

	/** {@code a·b + c} */
	public static float add(final float a, final float b, final float c) {
		return HARDWARE ? Math.fma(a, b, c) : a * b + c;
	}

	/** {@code a·b + c} */
	public static double add(final double a, final double b, final double c) {
		return HARDWARE ? Math.fma(a, b, c) : a * b + c;
	}
}
