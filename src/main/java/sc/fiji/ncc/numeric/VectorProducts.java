package sc.fiji.ncc.numeric;

/** Inner products. */
public final class VectorProducts {

	/** So many values are summed one after the other. */
	private static final int FEW = 128;

	private VectorProducts() {}

	/** {@code Σ a·b}. */
	public static double dot(final double[] a, final double[] b) {
		return dot(a, 0, b, 0, a.length);
	}

	/** {@code Σ a·b} over {@code n} values of each, with four sums, because a single one waits for each addition. */
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

	/**
	 * {@code Σ a·b} of floats, in less time: see {@link #sum}.
	 *
	 * @param products as long as a, overwritten; {@code half} too, at least half as long
	 */
	public static double dot(final float[] a, final float[] b, final float[] products, final float[] half) {
		multiply(products, a, b);
		return sum(products, a.length, half);
	}

	/**
	 * The sum of the first {@code n} values, which are overwritten. C2 vectorises no sum of all values, but sums of the first and the second half. So the
	 * rounding errors of floats do not add up, either.
	 *
	 * @param half at least half as long, overwritten
	 */
	public static double sum(final float[] a, final int n, final float[] half) {
		int left = n;
		for (; left > FEW; left -= left / 2) {
			System.arraycopy(a, left - left / 2, half, 0, left / 2);
			add(a, half, left / 2);
		}
		double sum = 0;
		for (int i = 0; i < left; i++) sum += a[i];
		return sum;
	}

	// loops of few arrays that share one index: C2 vectorises them

	private static void add(final float[] to, final float[] values, final int n) {
		for (int i = 0; i < n; i++) to[i] += values[i];
	}

	/** Adds values times a factor. */
	public static void add(final float[] to, final float[] values, final float factor) {
		for (int i = 0; i < to.length; i++) to[i] += factor * values[i];
	}

	/** {@code to = a·b}. */
	public static void multiply(final float[] to, final float[] a, final float[] b) {
		for (int i = 0; i < to.length; i++) to[i] = a[i] * b[i];
	}
}
