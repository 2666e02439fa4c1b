package sc.fiji.ncc.loops;

/**
 * Sums of products over a range of lags, {@code sum[x] += Σ c·row[x]}. All rows share one index, so C2 vectorises the loops, as in {@link
 * ProductRows}. Rows of this
 * class have a first index, too.
 */
public final class LagRows {

	/** No index is larger. C2 of Java 17 vectorises a loop over nine arrays only if the bounds of its length are known. */
	public static final int MAX_INDEX = 0xffffff;

	private LagRows() {}

	/** Adds {@code Σ c[o + i]·rows[i]}, of {@code count} rows, in the range of indices from {@code from} to {@code to}, exclusive. */
	public static void add(final float[] sum, final int from, final int to, final float[][] rows, final double[] c, final int o, final int count) {
		int i = 0;
		for (; i + 8 <= count; i += 8) eight(sum, rows[i], rows[i + 1], rows[i + 2], rows[i + 3], rows[i + 4], rows[i + 5], rows[i + 6], rows[i + 7],
			(float) c[o + i], (float) c[o + i + 1], (float) c[o + i + 2], (float) c[o + i + 3], (float) c[o + i + 4], (float) c[o + i + 5], (float) c[o + i + 6],
			(float) c[o + i + 7], from, to);
		if (i + 4 <= count) {
			four(sum, rows[i], rows[i + 1], rows[i + 2], rows[i + 3], (float) c[o + i], (float) c[o + i + 1], (float) c[o + i + 2], (float) c[o + i + 3], from, to);
			i += 4;
		}
		for (; i < count; i++) one(sum, rows[i], (float) c[o + i], from, to);
	}

	/** The same in double. */
	public static void add(final double[] sum, final int from, final int to, final double[][] rows, final double[] c, final int o, final int count) {
		int i = 0;
		for (; i + 8 <= count; i += 8) eight(sum, rows[i], rows[i + 1], rows[i + 2], rows[i + 3], rows[i + 4], rows[i + 5], rows[i + 6], rows[i + 7], c[o + i],
			c[o + i + 1], c[o + i + 2], c[o + i + 3], c[o + i + 4], c[o + i + 5], c[o + i + 6], c[o + i + 7], from, to);
		if (i + 4 <= count) {
			four(sum, rows[i], rows[i + 1], rows[i + 2], rows[i + 3], c[o + i], c[o + i + 1], c[o + i + 2], c[o + i + 3], from, to);
			i += 4;
		}
		for (; i < count; i++) one(sum, rows[i], c[o + i], from, to);
	}

	// keep these methods small: C2 does not vectorise them when they are inlined into a larger loop

	private static void one(final float[] sum, final float[] p, final float a, final int from, final int to) {
		for (int x = from; x < to; x++) sum[x] = Fused.add(a, p[x], sum[x]);
	}

	private static void four(final float[] sum, final float[] p, final float[] q, final float[] r, final float[] s, final float a, final float b, final float c,
		final float d, final int from, final int to)
	{
		for (int x = from; x < to; x++) sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], sum[x]))));
	}

	private static void eight(final float[] sum, final float[] p, final float[] q, final float[] r, final float[] s, final float[] t, final float[] u, final float[] v,
		final float[] w, final float a, final float b, final float c, final float d, final float e, final float f, final float g, final float h, final int from,
		final int to)
	{
		final int n = to & MAX_INDEX;
		for (int x = from & MAX_INDEX; x < n; x++)
			sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], Fused.add(e, t[x], Fused.add(f, u[x], Fused.add(g, v[x], Fused.add(
				h, w[x], sum[x]))))))));
	}

	private static void one(final double[] sum, final double[] p, final double a, final int from, final int to) {
		for (int x = from; x < to; x++) sum[x] = Fused.add(a, p[x], sum[x]);
	}

	private static void four(final double[] sum, final double[] p, final double[] q, final double[] r, final double[] s, final double a, final double b,
		final double c, final double d, final int from, final int to)
	{
		for (int x = from; x < to; x++) sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], sum[x]))));
	}

	private static void eight(final double[] sum, final double[] p, final double[] q, final double[] r, final double[] s, final double[] t, final double[] u,
		final double[] v, final double[] w, final double a, final double b, final double c, final double d, final double e, final double f, final double g,
		final double h, final int from, final int to)
	{
		final int n = to & MAX_INDEX;
		for (int x = from & MAX_INDEX; x < n; x++)
			sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], Fused.add(e, t[x], Fused.add(f, u[x], Fused.add(g, v[x], Fused.add(
				h, w[x], sum[x]))))))));
	}
}
