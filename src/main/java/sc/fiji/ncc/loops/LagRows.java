package sc.fiji.ncc.loops;

/**
 * Sums of products over a range of lags, {@code sum[x] += Σ c·row[x]}. All rows share one index, so C2 vectorises the loops, as in {@link
 * ProductRows}. Rows of this class have a first index, too.
 */
public final class LagRows {

	/** No index is larger. C2 of Java 17 vectorises a loop over nine arrays only if the bounds of its length are known. */
	public static final int MAX_INDEX = 0xffffff;

	private LagRows() {}

	/** Adds {@code Σ c[o + i]·rows[i]}, of {@code count} rows, in the range of indices from {@code from} to {@code to}, exclusive. */
	public static void add(final float[] sum, final int from, final int to, final float[][] rows, final double[] c, final int o, final int count) {
		int i = 0;
		for (; i + 8 <= count; i += 8) eight(sum, from, to, rows, i, c, o + i);
		if (i + 4 <= count) {
			four(sum, from, to, rows, i, c, o + i);
			i += 4;
		}
		for (; i < count; i++) one(sum, rows[i], (float) c[o + i], from, to);
	}

	/** The same in double. */
	public static void add(final double[] sum, final int from, final int to, final double[][] rows, final double[] c, final int o, final int count) {
		int i = 0;
		for (; i + 8 <= count; i += 8) eight(sum, from, to, rows, i, c, o + i);
		if (i + 4 <= count) {
			four(sum, from, to, rows, i, c, o + i);
			i += 4;
		}
		for (; i < count; i++) one(sum, rows[i], c[o + i], from, to);
	}

	// keep these methods small: C2 does not vectorise them when they are inlined into a larger loop

	private static void one(final float[] sum, final float[] p, final float a, final int from, final int to) {
		for (int x = from; x < to; x++) sum[x] = Fused.add(a, p[x], sum[x]);
	}

	private static void four(final float[] sum, final int from, final int to, final float[][] rows, final int i, final double[] factors, final int o) {
		final float[] p = rows[i], q = rows[i + 1], r = rows[i + 2], s = rows[i + 3];
		final float a = (float) factors[o], b = (float) factors[o + 1], c = (float) factors[o + 2], d = (float) factors[o + 3];
		for (int x = from; x < to; x++) sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], sum[x]))));
	}

	private static void eight(final float[] sum, final int from, final int to, final float[][] rows, final int i, final double[] factors, final int o) {
		final float[] p = rows[i], q = rows[i + 1], r = rows[i + 2], s = rows[i + 3], t = rows[i + 4], u = rows[i + 5], v = rows[i + 6], w = rows[i + 7];
		final float a = (float) factors[o], b = (float) factors[o + 1], c = (float) factors[o + 2], d = (float) factors[o + 3],
			e = (float) factors[o + 4], f = (float) factors[o + 5], g = (float) factors[o + 6], h = (float) factors[o + 7];
		final int n = to & MAX_INDEX;
		for (int x = from & MAX_INDEX; x < n; x++)
			sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], Fused.add(e, t[x],
				Fused.add(f, u[x], Fused.add(g, v[x], Fused.add(h, w[x], sum[x]))))))));
	}

	private static void one(final double[] sum, final double[] p, final double a, final int from, final int to) {
		for (int x = from; x < to; x++) sum[x] = Fused.add(a, p[x], sum[x]);
	}

	private static void four(final double[] sum, final int from, final int to, final double[][] rows, final int i, final double[] factors, final int o) {
		final double[] p = rows[i], q = rows[i + 1], r = rows[i + 2], s = rows[i + 3];
		final double a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3];
		for (int x = from; x < to; x++) sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], sum[x]))));
	}

	private static void eight(final double[] sum, final int from, final int to, final double[][] rows, final int i, final double[] factors, final int o) {
		final double[] p = rows[i], q = rows[i + 1], r = rows[i + 2], s = rows[i + 3], t = rows[i + 4], u = rows[i + 5], v = rows[i + 6], w = rows[i + 7];
		final double a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3],
			e = factors[o + 4], f = factors[o + 5], g = factors[o + 6], h = factors[o + 7];
		final int n = to & MAX_INDEX;
		for (int x = from & MAX_INDEX; x < n; x++)
			sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], Fused.add(e, t[x],
				Fused.add(f, u[x], Fused.add(g, v[x], Fused.add(h, w[x], sum[x]))))))));
	}
}
