package sc.fiji.ncc.numeric;

/** Inner products with four sums, because a single one waits for each addition. */
public final class VectorProducts {

	private VectorProducts() {}

	/** {@code Σ a·b}. */
	public static double dot(final double[] a, final double[] b) {
		return dot(a, 0, b, 0, a.length);
	}

	/** {@code Σ a·b} over {@code n} values of each. */
	public static double dot(final double[] a, final int fromA, final double[] b, final int fromB, final int n) {
		double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
		int i = 0;
		for (; i + 3 < n; i += 4) {
			s0 += a[fromA + i] * b[fromB + i];
			s1 += a[fromA + i + 1] * b[fromB + i + 1];
			s2 += a[fromA + i + 2] * b[fromB + i + 2];
			s3 += a[fromA + i + 3] * b[fromB + i + 3];
		}
		for (; i < n; i++) s0 += a[fromA + i] * b[fromB + i];
		return s0 + s1 + (s2 + s3);
	}
}
